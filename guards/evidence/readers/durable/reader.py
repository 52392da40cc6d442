"""A durable run, all of its files together."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import TypeVar

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.found import Found
from guards.evidence.model import Counts, Leaf, Reason, Run, Where, count
from guards.evidence.readers.durable.derive import Derived, derive, summary, summary_leaves, wrong_leaves
from guards.evidence.readers.durable.document import Document, by_name
from guards.evidence.readers.durable.journal import Journal
from guards.evidence.readers.durable.leaves import LeafState
from guards.evidence.readers.durable.locate import Located
from guards.evidence.readers.durable.manifest import Manifest
from guards.evidence.readers.durable.records import (
    Environment,
    Pointer,
    Record,
    Request,
    RunRecord,
    Summary,
    SummaryLeaf,
)
from guards.evidence.readers.durable.strict import exact, source_of_form, whole_record
from guards.evidence.readers.durable.summing import summary_with
from guards.evidence.readers.durable.times import is_time, since_1970

RecordT = TypeVar("RecordT", bound=Record)

# What a writer that died leaves beside its files.
_STRAY = (".tmp",)
_STRAY_CAPTURE = "utf-results.xml.capture-"


class DurableRun:
    """A run as its files tell it; a record is None where its file is missing or no JSON object.

    ``found`` are the reasons that were found while reading, by condition; ``absent`` the files
    that are not there.
    """

    def __init__(self, located: Located) -> None:
        self.located = located
        self.bundle = Bundle(located.root)
        self.found = Found()
        self.absent: set[str] = set()
        self.record = self._whole(RunRecord, located.run_file("run.json"), "A-02", "RUN_RECORD_CORRUPT")
        self.request = self._whole(Request, located.request_file, "A-01", "REQUEST_CORRUPT")
        self.environment = self._whole(Environment, located.run_file("environment.json"), "A-20", "ENVIRONMENT_CORRUPT")
        self._check_times()
        self.pointers = {
            name: self._whole(Pointer, located.store_file(name), "S-07", "POINTER_CORRUPT")
            for name in ("active.json", "latest.json")
        }
        mode = self.record.mode if self.record is not None else None
        self.manifest = Manifest(located.run_file("expected-tests.jsonl"), located.run_id, mode, self.found)
        self._lines(self.manifest, "A-24", "MANIFEST_LINE_CORRUPT")
        self.journal = Journal(located.run_file("events.jsonl"), located.run_id, self.manifest, self.found)
        self._lines(self.journal, "A-28", "EVENT_LINE_CORRUPT")
        self.names = by_name(self.manifest.leaves)
        self.document = Document(located.run_file("utf-results.xml"), self.found)
        self._read_document()
        self.derived: Derived = derive(self.record, self.manifest, self.journal)
        self.wrong_summary_leaves: list[tuple[int, str]] = []
        self.summary = self._summary(located.run_file("summary.json"))
        for path in self.bundle.changed():
            self.found.add("read", Reason("CHANGED_WHILE_READ", Where(path), detail="it changed while it was read"))

    # What the evidence comes down to.

    @cached_property
    def run(self) -> Run:
        """The leaves with their ends, expected ones first."""
        leaves = tuple(self._leaves())
        record = self.record or RunRecord()
        identity = (
            ("run-id", self.located.run_id),
            ("request-id", record.request_id or self.located.request_id),
            ("project", record.project_identity),
            ("mode", record.mode),
            ("filter", record.filter),
            ("group", record.group),
            ("framework-version", record.utf_version),
            ("editor", record.editor_process_identity),
            ("build", record.build_fingerprint),
        )
        return Run(
            "unity durable run",
            leaves,
            count(leaves),
            self._declared(),
            identity,
            record.started_utc,
            record.finished_utc,
        )

    def _declared(self) -> Counts | None:
        kept = self.summary
        if kept is None:
            return None
        return Counts(
            kept.expected_count,
            kept.passed,
            kept.failed,
            0,
            kept.skipped,
            kept.inconclusive,
            kept.cancelled,
            kept.invalid,
        )

    def _leaves(self) -> Iterator[Leaf]:
        for leaf in (*self.manifest.leaves.values(), *self.journal.unexpected.values()):
            end = leaf.terminal
            if end is not None:
                where = Where(self.journal.path, end.line)
                yield Leaf(
                    leaf.key, leaf.full_name, end.outcome, where, leaf.assembly, end.result_state, end.message,
                    end.duration, None, leaf.opened,
                )  # fmt: skip

    @property
    def issues(self) -> Iterator[Reason]:
        """What was found while reading."""
        return self.found.all()

    @property
    def written_ns(self) -> int | None:
        """When the run finished, as its record says."""
        finished = self.record.finished_utc if self.record is not None else ""
        return since_1970(finished) if is_time(finished) else None

    def expected_summary(self) -> Summary | None:
        """The summary that follows from the other files; None without a record."""
        return summary(self.record, self.manifest, self.journal, self.derived) if self.record is not None else None

    def expected_leaves(self) -> Iterator[SummaryLeaf]:
        """The leaves of that summary."""
        return summary_leaves(self.manifest, self.journal, self.derived.unexpected)

    @property
    def scope(self) -> str:
        """What the result document must cover: ``none``, ``complete`` or ``partial``."""
        if "run_finished" not in self.journal.boundaries:
            return "none"
        return "complete" if self.derived.root.trusted else "partial"

    def strays(self) -> Iterator[str]:
        """Files that a writer which died left in the folder of the run."""
        folder = self.located.run_folder
        for name in self.bundle.names(folder):
            if name.endswith(_STRAY) or name.startswith(_STRAY_CAPTURE):
                yield f"{folder}/{name}" if folder else name

    def leaves(self) -> Iterator[LeafState]:
        """The expected leaves."""
        return iter(self.manifest.leaves.values())

    # Reading.

    def _whole(self, kind: type[RecordT], path: str, source: str, corrupt: str) -> RecordT | None:
        if not path:
            return None
        try:
            raw = self.bundle.read(path)
        except Missing:
            self.absent.add(path)
            return None
        except Unreadable as error:
            self.found.add(source, Reason(corrupt, Where(path), detail=str(error)))
            return None
        record = whole_record(kind, raw)
        if record is not None:
            return record
        record, issues = exact(kind, raw, path, 0, corrupt)
        for issue in issues:
            self.found.add(source if issue.code == corrupt else source_of_form(issue.code), issue)
        return record

    def _check_times(self) -> None:
        """Times of records that no condition compares with anything."""
        located = self.located
        written = (
            (located.run_file("run.json"), self.record, ("assembly_write_utc", "source_write_utc")),
            (located.request_file, self.request, ("acknowledged_utc",)),
        )
        for path, record, fields in written:
            for field in fields if record is not None else ():
                time = getattr(record, field)
                if time and not is_time(time):
                    self.found.add("J-07", Reason("TIMESTAMP_MALFORMED", Where(path, 0, field), detail=f"`{time}`"))

    def _summary(self, path: str) -> Summary | None:
        """The summary without its leaves, which are compared at once and let go."""
        with suppress(Missing, Unreadable), self.bundle.opened(path) as stream:
            read = summary_with(stream, self.expected_leaves())
            if read is not None:
                return read
        kept = self._whole(Summary, path, "S-01", "SUMMARY_CORRUPT")
        if kept is not None:
            self.wrong_summary_leaves.extend(wrong_leaves(kept.leaves, self.expected_leaves()))
            kept.leaves = ()
        return kept

    def _lines(self, lines: Manifest | Journal, source: str, corrupt: str) -> None:
        try:
            lines.read(self.bundle)
        except Missing:
            self.absent.add(lines.path)
        except Unreadable as error:
            lines.exists = True
            self.found.add(source, Reason(corrupt, Where(lines.path), detail=str(error)))

    def _read_document(self) -> None:
        try:
            self.document.read(self.bundle, self.names)
        except Missing:
            self.absent.add(self.document.path)
        except Unreadable as error:
            self.document.exists = True
            self.found.add("X-02", Reason("XML_CORRUPT", Where(self.document.path), detail=str(error)))
