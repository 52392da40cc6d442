"""The reply of a test run, judged as one piece of evidence."""

from collections.abc import Iterator
from functools import cached_property

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.found import Found
from guards.evidence.inventory import Inventory
from guards.evidence.model import FAILED, PASSED, SKIPPED, Counts, Leaf, Reason, Run, Where, count
from guards.evidence.readers.godot.opened import WHOLE, open_reply
from guards.evidence.readers.godot.result import Refusal, Result, Row, refusal_of, result_of

# A result of 100,000 rows has about 30 MB.
_LIMIT = 1 << 28


class GodotRun:
    """What a reply says: a ``result``, or a ``refusal`` that came instead, or neither where nothing could be read.

    ``found`` are the reasons that were found while reading, by condition. ``inventory`` is what the
    sources of the tests say, where somebody hands that in.
    """

    def __init__(self, root: str, path: str, inventory: Inventory | None = None) -> None:
        self.path = path
        self.inventory = inventory
        self.found = Found()
        self.result: Result | None = None
        self.refusal: Refusal | None = None
        self.request_id = ""
        self.written_ns: int | None = None
        bundle = Bundle(root)
        try:
            raw = bundle.read(path, _LIMIT)
            self.written_ns = bundle.seen(path).modified_ns
        except Missing:
            self._whole("FILE_MISSING", "it is not there")
        except Unreadable as error:
            self._whole("FILE_UNREADABLE", str(error))
        else:
            self._read(raw)
        for changed in bundle.changed():
            self.found.add("read", Reason("CHANGED_WHILE_READ", Where(changed), detail="it changed while it was read"))

    def _read(self, raw: bytes) -> None:
        opened = open_reply(raw, self.path, self.found)
        if opened is None:
            return
        self.request_id = opened.request_id
        if opened.error is not None:
            self.refusal = refusal_of(opened.error, opened.lines, self.path, self.found)
        elif opened.data is not None:
            self.result = result_of(opened.data, opened.lines, self.path, self.found)

    def _whole(self, code: str, detail: str) -> None:
        self.found.add(WHOLE, Reason(code, Where(self.path), detail=detail))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a verbose result; of a compact one there are none."""
        return self.result.results or () if self.result is not None else ()

    def where(self, key: str) -> Where:
        """The place of a key of the runner's object."""
        return Where(self.path, self.result.line(key) if self.result is not None else 0, key)

    def row_where(self, row: Row, field: str = "") -> Where:
        """The place of a row."""
        return Where(self.path, row.line, f"{row.field}.{field}" if field else row.field)

    @property
    def issues(self) -> Iterator[Reason]:
        """What was found while reading."""
        return self.found.all()

    @cached_property
    def run(self) -> Run:
        """The rows as leaves; of a compact result the counters and the failures alone are known."""
        result = self.result or Result()
        verbose = result.results is not None
        leaves = tuple(self._leaf(row) for row in (result.results if verbose else result.failures) or ())
        declared = Counts(result.total or 0, result.passed or 0, result.failed or 0, 0, result.skipped or 0)
        identity = (("request-id", self.request_id), ("edited-scene", result.edited_scene or ""))
        return Run(
            "godot test_run",
            leaves,
            count(leaves) if verbose else declared,
            declared if result.total is not None and result.error is None else None,
            tuple((name, value) for name, value in identity if value),
        )

    def _leaf(self, row: Row) -> Leaf:
        outcome = SKIPPED if row.skipped else PASSED if row.passed else FAILED
        seconds = row.duration_ms / 1000 if row.duration_ms is not None else None
        where = self.row_where(row)
        return Leaf(row.identity, row.identity, outcome, where, row.suite, "", row.message, seconds, row.assertions)
