"""``events.jsonl``: the journal, replayed line by line as the writer's own reader does, and more strictly."""

from typing import TYPE_CHECKING

from guards.evidence.bundle import Bundle
from guards.evidence.found import Found
from guards.evidence.model import PASSED, Reason, Where
from guards.evidence.readers.durable.generations import Generations
from guards.evidence.readers.durable.leaves import LEAF_OUTCOMES, LeafState, mapped, mapped_root, terminal_of
from guards.evidence.readers.durable.manifest import Manifest
from guards.evidence.readers.durable.records import Event
from guards.evidence.readers.durable.strict import BOM, ENCODING_BOM, exact, line_record, source_of_form
from guards.evidence.readers.durable.times import is_time

if TYPE_CHECKING:
    from collections.abc import Callable

CORRUPT = "EVENT_LINE_CORRUPT"
STARTED, SEALED, FINISHED, FINALIZED = "run_started", "manifest_sealed", "run_finished", "run_finalized"
LEAF_STARTED, LEAF_FINISHED, RELOADING = "test_started", "test_finished", "domain_reloading"
INFRASTRUCTURE, REFUSED, CANCEL, CANCELLED, ABANDONED = (
    "infrastructure_error", "dispatch_failed", "cancel_requested", "cancelled", "abandoned",
)  # fmt: skip
RUN_OUTCOMES = frozenset({"passed", "failed", "cancelled", "incomplete", "invalid", "dispatch_failed"})
_TYPES = frozenset({
    STARTED, SEALED, FINISHED, FINALIZED, LEAF_STARTED, LEAF_FINISHED, RELOADING,
    INFRASTRUCTURE, REFUSED, CANCEL, CANCELLED, ABANDONED,
})  # fmt: skip
_OVER_AT_FINISH = frozenset({STARTED, SEALED, LEAF_STARTED, LEAF_FINISHED})


class Journal:
    """What the journal says, read once from beginning to end.

    ``boundaries`` are the first events of each kind but those of leaves, with their lines;
    ``tally`` counts all events by type. ``issues`` are those of the writer's own reader.
    """

    def __init__(self, path: str, run_id: str, manifest: Manifest, found: Found) -> None:
        self.path = path
        self._run_id = run_id
        self._manifest = manifest
        self._found = found
        self._handlers: dict[str, Callable[[Event], None]] = {
            STARTED: self._run_started,
            SEALED: self._sealed,
            LEAF_STARTED: self._leaf_started,
            LEAF_FINISHED: self._leaf_finished,
            FINISHED: self._run_finished,
            FINALIZED: self._run_finalized,
            INFRASTRUCTURE: self._infrastructure,
        }
        self._line = 0
        self._ids: dict[str, int] = {}
        self._last_time = ""
        self._accepted_before_start = False
        self._leaf_before_seal = 0
        self.generations = Generations(self._say)
        self.exists = False
        self.unreadable = False
        self.unexpected: dict[str, LeafState] = {}
        self.boundaries: dict[str, tuple[Event, int]] = {}
        self.tally: dict[str, int] = {}
        self.issues: list[tuple[str, str]] = []
        self.seals_conflict = False
        self.current: LeafState | None = None
        self.last_time = ""

    def read(self, bundle: Bundle) -> None:
        """Reads and replays all lines.

        Raises:
            Missing, Unreadable: as ``Bundle`` does.
        """
        for raw in bundle.lines(self.path):
            self.exists = True
            self._line += 1
            self._raw_line(raw)
        self._ids.clear()
        self.exists = True

    def first(self, kind: str) -> Event | None:
        """The first event of a kind."""
        found = self.boundaries.get(kind)
        return found[0] if found else None

    def where(self, kind: str, field: str = "") -> Where:
        """Where the first event of a kind stands; the file where there is none."""
        found = self.boundaries.get(kind)
        return Where(self.path, found[1] if found else 0, field)

    # Lines.

    def _raw_line(self, raw: bytes) -> None:
        content = raw.removesuffix(b"\n")
        torn = len(content) == len(raw)
        if torn:
            self._say("J-08", "TORN_TAIL", "the last line has no line feed")
        if self._line == 1 and content.startswith(BOM):
            self._say("J-02", ENCODING_BOM, "the file begins with a byte-order mark")
            content = content.removeprefix(BOM)
        event = line_record(Event, content)
        if event is None:
            event = self._exact(content, torn=torn)
        if event is not None and self._belongs(event) and self._is_new(event, content):
            self._accept(event)

    def _exact(self, content: bytes, *, torn: bool) -> Event | None:
        event, issues = exact(Event, content, self.path, self._line, CORRUPT)
        for issue in issues:
            if issue.code != CORRUPT:
                self.unreadable = self.unreadable or issue.code == "ENCODING_INVALID"
                self._found.add(source_of_form(issue.code), issue)
            elif not torn:
                self._found.add("J-08", issue)
                self.issues.append((CORRUPT, "error"))
        return event

    def _belongs(self, event: Event) -> bool:
        if event.schema_version != 1:
            self._refuse("A-03", "EVENT_SCHEMA_UNSUPPORTED", f"its schema is {event.schema_version}")
        elif event.run_id != self._run_id:
            self._refuse("A-28", "EVENT_RUN_ID_MISMATCH", f"it belongs to `{event.run_id}`")
        elif not event.event_type.strip():
            self._refuse("A-28", "EVENT_RECORD_INVALID", "it has no type")
        elif not event.event_id.strip():
            self._refuse("A-28", "EVENT_ID_MISSING", "it has no id")
        else:
            return True
        return False

    def _is_new(self, event: Event, content: bytes) -> bool:
        identity = hash(content)
        before = len(self._ids)
        known = self._ids.setdefault(event.event_id, identity)
        if len(self._ids) > before:
            return True
        if known == identity:
            self._say("A-29", "EVENT_ID_DUPLICATE", "the same event stands there already", event.event_id)
        else:
            self._refuse("A-29", "EVENT_ID_CONFLICT", "another event has this id", event.event_id)
        return False

    # Events.

    def _accept(self, event: Event) -> None:
        kind = event.event_type
        if kind not in _TYPES:
            self._refuse("A-28", "EVENT_TYPE_UNKNOWN", f"no event is called `{kind}`", event.event_id)
            return
        self._check_time(event)
        if kind != INFRASTRUCTURE:
            self.generations.event(event.observer_generation, kind, started=STARTED in self.boundaries)
        self.tally[kind] = self.tally.get(kind, 0) + 1
        if FINALIZED in self.boundaries and kind != FINALIZED:
            self._say("A-31", "EVIDENCE_AFTER_RUN_FINALIZED", f"`{kind}` stands behind the run's last event")
        if kind in _OVER_AT_FINISH and FINISHED in self.boundaries:
            self._refuse(
                "A-31", "EVIDENCE_AFTER_RUN_FINISHED", f"`{kind}` stands behind `{FINISHED}`", event.unique_name
            )
            return
        self.last_time = event.occurred_utc or self.last_time
        handler = self._handlers.get(kind)
        if handler is not None:
            handler(event)
        else:
            self._first_of(kind, event)
        if kind != RELOADING:
            self._accepted_before_start = True

    def _check_time(self, event: Event) -> None:
        time = event.occurred_utc
        if not is_time(time):
            self._say("J-07", "TIMESTAMP_MALFORMED", f"`{time}` is no time", event.event_id, "occurred_utc")
        else:
            if time < self._last_time:
                self._say(
                    "A-44", "TIME_ORDER", f"it is earlier than the event before, {self._last_time}", event.event_id
                )
            self._last_time = time

    def _first_of(self, kind: str, event: Event) -> bool:
        """Keeps the first event of a kind; whether this is it."""
        if kind in self.boundaries:
            return False
        self.boundaries[kind] = (event, self._line)
        return True

    def _run_started(self, event: Event) -> None:
        if not self._first_of(STARTED, event):
            self._say("A-30", "BOUNDARY_DUPLICATE", f"a second `{STARTED}`")
        elif self._accepted_before_start:
            self._say("A-31", "BOUNDARY_ORDER", f"`{STARTED}` is not the first event")

    def _sealed(self, event: Event) -> None:
        if event.expected_count < 0:
            self._refuse("A-27", "MANIFEST_SEAL_INVALID", f"a count of {event.expected_count}")
        if self._first_of(SEALED, event):
            if self._leaf_before_seal:
                at = f"the leaf event at line {self._leaf_before_seal} stands before it"
                self._say("A-31", "LEAF_BEFORE_SEAL", at)
            return
        self._say("A-27", "BOUNDARY_DUPLICATE", f"a second `{SEALED}`")
        first = self.boundaries[SEALED][0]
        if first.expected_count != event.expected_count:
            self.seals_conflict = True
            detail = f"{first.expected_count} before, {event.expected_count} now"
            self._refuse("A-27", "MANIFEST_SEAL_CONFLICT", detail)

    def _leaf_started(self, event: Event) -> None:
        leaf = self._leaf(event, "TEST_STARTED_IDENTITY_MISSING")
        if leaf is not None:
            leaf.start()
            self.current = leaf

    def _leaf_finished(self, event: Event) -> None:
        leaf = self._leaf(event, "TEST_FINISHED_IDENTITY_MISSING")
        if leaf is None:
            return
        outcome = event.outcome.strip().lower()
        if outcome not in LEAF_OUTCOMES:
            self._refuse("A-37", "LEAF_OUTCOME_INVALID", f"`{event.outcome}` is no outcome", leaf.key, "outcome")
        elif (outcome, event.label) != mapped(event.result_state):
            self._mismatch(event, leaf.key)
        if leaf.finish(terminal_of(event, self._line)):
            detail = "it ended already, in another way"
            self._refuse("A-36", "TERMINAL_EVIDENCE_CONFLICT", detail, leaf.key)

    def _leaf(self, event: Event, missing: str) -> LeafState | None:
        if SEALED not in self.boundaries and not self._leaf_before_seal:
            self._leaf_before_seal = self._line
        key = event.unique_name
        if not key.strip():
            self._refuse("A-28", missing, "it names no leaf", event.event_id, "unique_name")
            return None
        leaf = self._manifest.leaves.get(key)
        if leaf is not None:
            self._check_metadata(event, leaf)
            return leaf
        if key not in self.unexpected:
            self.unexpected[key] = LeafState(key, self._line, None)
            self.unexpected[key].full_name = event.full_name
            self.unexpected[key].test_id = event.test_id
            self._refuse("A-35", "UNEXPECTED_TERMINAL_EVIDENCE", "the manifest has no such leaf", key)
        return self.unexpected[key]

    def _check_metadata(self, event: Event, leaf: LeafState) -> None:
        if event.full_name != leaf.full_name:
            detail = f"the manifest calls it `{leaf.full_name}`"
            self._say("A-38", "LEAF_METADATA_MISMATCH", detail, leaf.key, "full_name")
        if event.test_id != leaf.test_id and event.observer_generation == self.start_generation:
            detail = f"`{event.test_id}`, in the manifest `{leaf.test_id}`"
            self._say("A-38", "LEAF_METADATA_MISMATCH", detail, leaf.key, "test_id")

    def _run_finished(self, event: Event) -> None:
        if FINALIZED in self.boundaries:
            self._say("A-31", "BOUNDARY_ORDER", f"`{FINISHED}` stands behind `{FINALIZED}`")
        if not self._first_of(FINISHED, event):
            self._say("A-30", "BOUNDARY_DUPLICATE", f"a second `{FINISHED}`")
            if _said_by_root(self.boundaries[FINISHED][0]) != _said_by_root(event):
                self._refuse("A-42", "RUN_FINISHED_CONFLICT", "it differs from the first one")
            return
        outcome = event.outcome.strip().lower()
        if outcome not in LEAF_OUTCOMES:
            self._refuse("A-37", "RUN_FINISHED_OUTCOME_INVALID", f"`{event.outcome}` is no outcome", "", "outcome")
        elif (outcome, event.label) != mapped_root(event.result_state):
            self._mismatch(event, event.unique_name)

    def _run_finalized(self, event: Event) -> None:
        outcome = event.outcome.strip().lower()
        if not self._first_of(FINALIZED, event):
            self._say("A-30", "BOUNDARY_DUPLICATE", f"a second `{FINALIZED}`")
            if self.boundaries[FINALIZED][0].outcome.strip().lower() != outcome:
                self._refuse("A-34", "RUN_FINALIZED_CONFLICT", f"`{event.outcome}` now", "", "outcome")
        elif not outcome:
            self._say("A-34", "RUN_FINALIZED_OUTCOME_MISSING", "it has no outcome", "", "outcome")
            self.issues.append(("RUN_FINALIZED_OUTCOME_MISSING", "warning"))
        elif outcome not in RUN_OUTCOMES:
            self._refuse("A-34", "RUN_FINALIZED_OUTCOME_INVALID", f"`{event.outcome}` is no outcome", "", "outcome")

    def _infrastructure(self, event: Event) -> None:
        self._first_of(INFRASTRUCTURE, event)
        self._refuse("A-32", "INFRASTRUCTURE_ERROR", event.message)

    def _mismatch(self, event: Event, identity: str) -> None:
        outcome, label = (mapped_root if event.event_type == FINISHED else mapped)(event.result_state)
        detail = (
            f"`{event.result_state}` means `{outcome}` with label `{label}`, not `{event.outcome}` with `{event.label}`"
        )
        self._say("A-37", "RESULT_STATE_MISMATCH", detail, identity, "result_state")

    @property
    def start_generation(self) -> str:
        """The generation that saw the run start; empty where none did."""
        started = self.first(STARTED)
        return started.observer_generation if started else ""

    @property
    def root_passed(self) -> bool:
        """Whether the root says that the run passed."""
        finished = self.first(FINISHED)
        return finished is not None and finished.outcome.strip().lower() == PASSED

    def _say(self, source: str, code: str, detail: str, identity: str = "", field: str = "") -> None:
        self._found.add(source, Reason(code, Where(self.path, self._line, field), identity, detail))

    def _refuse(self, source: str, code: str, detail: str, identity: str = "", field: str = "") -> None:
        """Says what the writer's own reader takes for an error, too."""
        self._say(source, code, detail, identity, field)
        self.issues.append((code, "error"))


def _said_by_root(event: Event) -> tuple[object, ...]:
    """What two completions of one run must agree on."""
    return (
        event.outcome, event.result_state, event.label, event.has_aggregate, event.root_trusted,
        event.aggregate_passed, event.aggregate_failed, event.aggregate_skipped, event.aggregate_inconclusive,
        event.aggregate_cancelled, event.aggregate_invalid, event.aggregate_total,
    )  # fmt: skip
