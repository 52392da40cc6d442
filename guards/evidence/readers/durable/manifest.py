"""``expected-tests.jsonl``: the leaves that the run was to have."""

from guards.evidence.bundle import Bundle
from guards.evidence.found import Found
from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable.leaves import LeafState
from guards.evidence.readers.durable.records import Expected
from guards.evidence.readers.durable.strict import exact, line_record, source_of_form

CORRUPT = "MANIFEST_LINE_CORRUPT"
# What makes the writer's own reader call the manifest incomplete.
_SPOILS = frozenset(
    {"MANIFEST_SCHEMA_UNSUPPORTED", "MANIFEST_RUN_ID_MISMATCH", "MANIFEST_RECORD_INVALID", "MANIFEST_CONFLICT"}
)


class Manifest:
    """The expected leaves by key, in their order.

    ``lines`` counts all lines; ``spoilt`` says that one of them is corrupt, foreign or in conflict.
    ``issues`` are those that the writer's own reader finds, each with its severity.
    """

    def __init__(self, path: str, run_id: str, mode: str | None, found: Found) -> None:
        self.path = path
        self._run_id = run_id
        self._mode = mode
        self._found = found
        self.leaves: dict[str, LeafState] = {}
        self.lines = 0
        self.exists = False
        self.spoilt = False
        self.conflicts: set[str] = set()
        self.issues: list[tuple[str, str]] = []

    def read(self, bundle: Bundle) -> None:
        """Reads all lines.

        Raises:
            Missing, Unreadable: as ``Bundle`` does.
        """
        for raw in bundle.lines(self.path):
            self.exists = True
            self.lines += 1
            self._line(raw)
        self.exists = True

    def _line(self, raw: bytes) -> None:
        content = raw.removesuffix(b"\n")
        if len(content) == len(raw):
            self._say("J-08", CORRUPT, "the last line has no line feed")
        record = line_record(Expected, content)
        if record is None:
            record, issues = exact(Expected, content, self.path, self.lines, CORRUPT)
            for issue in issues:
                self._found.add("J-08" if issue.code == CORRUPT else source_of_form(issue.code), issue)
                if issue.code == CORRUPT:
                    self._spoil(CORRUPT)
        if record is not None:
            self._record(record)

    def _record(self, record: Expected) -> None:
        if record.schema_version != 1:
            self._say("A-03", "MANIFEST_SCHEMA_UNSUPPORTED", f"its schema is {record.schema_version}", record)
            return
        if record.run_id != self._run_id:
            self._say("A-24", "MANIFEST_RUN_ID_MISMATCH", f"it belongs to `{record.run_id}`", record)
            return
        if not record.unique_name.strip():
            self._say("A-24", "MANIFEST_RECORD_INVALID", "it names no leaf", record)
            return
        if not record.assembly_name.strip():
            self._say("A-26", "MANIFEST_RECORD_INVALID", "it names no assembly", record)
        if self._mode is not None and record.mode != self._mode:
            self._say("A-26", "MANIFEST_MODE_MISMATCH", f"its mode is `{record.mode}`", record)
        self._add(record)

    def _add(self, record: Expected) -> None:
        key = record.unique_name
        known = self.leaves.get(key)
        if known is None:
            self.leaves[key] = LeafState(key, self.lines, record)
        elif (known.test_id, known.full_name, known.assembly) == (
            record.test_id,
            record.full_name,
            record.assembly_name,
        ):
            self._say("A-25", "MANIFEST_DUPLICATE", "the leaf stands there already", record)
        else:
            self._say("A-25", "MANIFEST_CONFLICT", "the leaf stands there already, with other facts", record)
            self.conflicts.add(key)
            known.conflict = True

    def _say(self, source: str, code: str, detail: str, record: Expected | None = None) -> None:
        identity = record.unique_name if record else ""
        self._found.add(source, Reason(code, Where(self.path, self.lines), identity, detail))
        if code in _SPOILS:
            self._spoil(code)

    def _spoil(self, code: str) -> None:
        self.spoilt = True
        self.issues.append((code, "error"))
