"""F: a test fails on purpose, and a canary shows that everything was cleaned up after it all the same."""

from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.condition import INCOMPLETE, REJECT, Change, Condition, Contract, NotEvaluated, condition
from guards.evidence.contracts.durable_run.asked import in_record
from guards.evidence.contracts.lane import JUDGED, RELEASE, STRICT, Part, lanes_for, ordinary, run_of, written_of
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import nothing_unjudged
from guards.evidence.contracts.worker import WORKER
from guards.evidence.expectations import Expectations
from guards.evidence.lanes import LANES, Lanes, Scenario
from guards.evidence.model import FAILED, PASSED, Reason, Run, Where
from guards.evidence.readers.durable.fault_pairs import Found, match, pairs
from guards.evidence.readers.durable.leaves import LeafState
from guards.evidence.readers.durable.locate import located_run
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.readers.durable.store import Entry, entries, request_run
from guards.evidence.readers.durable.times import is_time, since_1970
from guards.evidence.taken import STORE, BadPath, Taken
from guards.evidence.verdict import Verdict, judge

# What a run that must fail cannot hold: that it passed, in its record, in its leaves, in its summary.
_PASSING = frozenset({"EVD127", "EVD149", "EVD165"})
_SENTINEL_LIMIT: Final = 1 << 20
_AGAIN = "run the pair again: first the fault run, then its canary"
_ONES = (
    "expected_count", "declared_expected_count", "readable_manifest_count", "completed_expected_count",
    "unique_terminal_count", "started_attempt_count", "finished_attempt_count",
)  # fmt: skip
_ZEROS = (
    "unmaterialized_expected_count", "finish_without_start_count", "missing_count", "unexpected_count",
    "conflict_count", "cancelled", "invalid",
)  # fmt: skip


class Pair(NamedTuple):
    """A scenario with its runs; either is None where there is none."""

    scenario: Scenario
    fault: Part | None
    canary: Part | None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The runs that are there."""
        return tuple(part for part in (self.fault, self.canary) if part is not None)


class FaultLane:
    """The pairs of a store; ``named`` says that one pair was named, so that the others are not asked for."""

    def __init__(self, taken: Taken, lanes: Lanes, pair: tuple[str, str] | None) -> None:
        self.lanes = lanes
        self.bundle = Bundle(taken.root)
        self.project = taken.path == STORE or taken.path.startswith(f"{STORE}/")
        self.named = pair is not None
        self.entries = entries(self.bundle, taken)
        found = pairs(self.entries, lanes.scenarios) if pair is None else [self._named_pair(taken, pair)]
        self.pairs = [self._read(taken, each, pair or (None, None)) for each in found]
        self.parts = tuple(chain.from_iterable(pair.parts for pair in self.pairs))

    def _named_pair(self, taken: Taken, pair: tuple[str, str]) -> Found:
        fault, canary = (self._entry(request_run(self.bundle, taken, request)) for request in pair)
        for entry in (fault, canary):
            matched = match(entry, self.lanes.scenarios) if entry is not None else None
            if matched is not None:
                return Found(matched.scenario, fault, canary)
        names = ", ".join(scenario.name for scenario in self.lanes.scenarios)
        raise BadPath(f"neither `{pair[0]}` nor `{pair[1]}` asks for a run of the scenarios {names}")

    def _entry(self, run_id: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.run_id == run_id), None)

    def _read(self, taken: Taken, found: Found, requests: tuple[str | None, str | None]) -> Pair:
        scenario = found.scenario
        runs = [
            DurableRun(located_run(self.bundle, taken, entry.run_id, "it is one of a pair")) if entry else None
            for entry in (found.fault, found.canary)
        ]
        fault = Part(runs[0], scenario.fault, _PASSING, requests[0]) if runs[0] else None
        canary = Part(runs[1], scenario.canary, frozenset(), requests[1]) if runs[1] else None
        return Pair(scenario, fault, canary)

    @property
    def run(self) -> Run:
        """All runs of the lane as one."""
        return run_of("unity fault lane", self.parts)

    @property
    def issues(self) -> Iterator[Reason]:
        """What was found while reading the runs."""
        return chain.from_iterable(part.run.issues for part in self.parts)

    @property
    def written_ns(self) -> int | None:
        """When the first of the runs was over."""
        return written_of(self.parts)

    def sentinel(self, scenario: Scenario) -> str:
        """The path of a scenario's sentinel."""
        return f"{self.lanes.faults}/{scenario.sentinel}"


def _leaves(run: DurableRun) -> list[LeafState]:
    return [*run.manifest.leaves.values(), *run.journal.unexpected.values()]


def _ended(run: DurableRun, outcome: str) -> bool:
    """Whether the run and all of its leaves came to an end."""
    leaves = _leaves(run)
    stored = run.record is not None and run.record.outcome == outcome
    return stored and bool(leaves) and all(leaf.terminal and leaf.terminal.outcome == outcome for leaf in leaves)


def _over(run: DurableRun) -> bool:
    """Whether there is an outcome at all; where there is none, evidence is missing, which is a reason of its own."""
    return run.record is not None and bool(run.record.outcome) and not run.derived.missing


@condition(
    "EVD200",
    "pairs-complete",
    {"LANE_INCOMPLETE": INCOMPLETE},
    "run what is missing, in the same store",
    source="F-22",
    broken=(Change("*/requests/fault-2*.json", "", "", "nobody asked for the canary", ("LANE_INCOMPLETE",)),),
)
def pairs_complete(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """Every scenario has its fault run and its canary.

    Where one pair is named with `--pair`, that pair is judged alone, and no verdict on the lane.
    """
    del expected
    for pair in lane.pairs:
        for what, part in (("fault run", pair.fault), ("canary", pair.canary)):
            if part is None:
                yield Reason("LANE_INCOMPLETE", Where(""), pair.scenario.name, f"its {what} is not there")
    if lane.named:
        raise NotEvaluated("one pair was named, so nothing is said about the other scenarios")


@condition(
    "EVD201",
    "one-leaf",
    {"COUNT_INVARIANT": REJECT},
    _AGAIN,
    source="F-07, F-08",
    broken=(
        Change(
            "*/runs/run-1*/events.jsonl",
            '"event_type":"test_started"',
            '"event_type":"domain_reloading"',
            "a test ended that never started",
            ("COUNT_INVARIANT", "FINISH_WITHOUT_START"),
        ),
    ),
)
def one_leaf(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """Either run has one leaf, which was started once and ended once."""
    del expected
    for part in lane.parts:
        follows = part.run.expected_summary()
        if follows is None:
            continue
        for number, fields in ((1, _ONES), (0, _ZEROS)):
            for field in fields:
                if (counted := getattr(follows, field)) != number:
                    where = Where(part.run.journal.path, 0, field)
                    detail = f"{field} is {counted} and must be {number}"
                    yield Reason("COUNT_INVARIANT", where, part.run.located.run_id, detail)


@condition(
    "EVD202",
    "whole-document",
    {"XML_SCOPE_NOT_COMPLETE": REJECT},
    _AGAIN,
    source="F-09",
    broken=(
        Change(
            "*/runs/run-1*/events.jsonl",
            '"root_trusted":true',
            '"root_trusted":false',
            "nobody vouches for the root",
            ("XML_SCOPE_NOT_COMPLETE",),
        ),
    ),
)
def whole_document(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """One domain saw start and end of either run, so that its document is whole."""
    del expected
    for part in lane.parts:
        if part.run.scope == "partial":
            where = part.run.journal.where("run_finished", "root_trusted")
            yield Reason("XML_SCOPE_NOT_COMPLETE", where, part.run.located.run_id, "the root is not trusted")


@condition(
    "EVD203",
    "leaf-as-asked",
    {"LEAF_IDENTITY": REJECT},
    _AGAIN,
    source="F-11",
    broken=(
        Change(
            "*/runs/run-1*/expected-tests.jsonl",
            '.FailsInDerivedTearDownAfterDirtyingScene","assembly',
            '.FailsInDerivedTearDown","assembly',
            "another test",
            ("LEAF_IDENTITY",),
        ),
    ),
)
def leaf_as_asked(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The leaf is the one that was asked for, by its full name."""
    del expected
    for part in lane.parts:
        for leaf in part.run.leaves():
            if leaf.full_name != part.filter:
                where = Where(part.run.manifest.path, leaf.line, "full_name")
                yield Reason("LEAF_IDENTITY", where, leaf.key, f"asked for was `{part.filter}`")


@condition(
    "EVD204",
    "fault-observed",
    {"FAULT_NOT_OBSERVED": REJECT},
    "look at the probe: a fault that is not seen proves nothing about what comes after it",
    source="F-14",
    broken=(
        Change(
            "*/runs/run-1*/run.json", '"outcome": "failed"', '"outcome": "passed"', "it passed", ("FAULT_NOT_OBSERVED",)
        ),
    ),
)
def fault_observed(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The fault run failed, and so did its leaf."""
    del expected
    for pair in lane.pairs:
        if pair.fault is not None and _over(pair.fault.run) and not _ended(pair.fault.run, FAILED):
            run = pair.fault.run
            yield Reason("FAULT_NOT_OBSERVED", in_record(run, "outcome"), run.located.run_id, "it did not fail")


@condition(
    "EVD205",
    "fault-marked",
    {"FAULT_MARKER_MISSING": REJECT},
    "look at the probe: it failed for another reason than the one that it is for",
    source="F-15",
    broken=(
        Change(
            "*/runs/run-1*/events.jsonl",
            "UNITYMCP_EXPECTED_SYNC_TEARDOWN_FAILURE",
            "Object reference not set",
            "it failed by accident",
            ("FAULT_MARKER_MISSING",),
        ),
    ),
)
def fault_marked(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The message of the failure has the scenario's marker.

    A marker in the stack trace alone may be the name of a method.
    """
    del expected
    for pair in lane.pairs:
        for leaf in _leaves(pair.fault.run) if pair.fault is not None else ():
            if leaf.terminal is not None and pair.scenario.marker not in leaf.terminal.message:
                where = Where(pair.fault.run.journal.path, leaf.terminal.line, "message") if pair.fault else Where("")
                detail = f"it does not say `{pair.scenario.marker}`"
                yield Reason("FAULT_MARKER_MISSING", where, leaf.key, detail)


@condition(
    "EVD206",
    "fault-documented",
    {"XML_RESULT_MISMATCH": REJECT},
    _AGAIN,
    source="F-16",
    broken=(
        Change(
            "*/runs/run-1*/utf-results.xml",
            "UNITYMCP_EXPECTED_SYNC_TEARDOWN_FAILURE",
            "Object reference not set",
            "the document tells another story",
            ("XML_RESULT_MISMATCH",),
        ),
    ),
)
def fault_documented(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The document of the fault run has one case, which failed with the marker in its message."""
    del expected
    for pair in lane.pairs:
        if pair.fault is None or not pair.fault.run.document.readable:
            continue
        document = pair.fault.run.document
        cases = [case for found in document.cases.values() for case in found]
        if len(cases) != 1:
            detail = f"it has {len(cases)} cases"
            yield Reason("XML_RESULT_MISMATCH", Where(document.path), pair.fault.run.located.run_id, detail)
        for case in cases:
            if not case.state.startswith("Failed") or pair.scenario.marker not in case.message:
                detail = f"`{case.state}`, and its message must have `{pair.scenario.marker}`"
                yield Reason("XML_RESULT_MISMATCH", Where(document.path, case.line), pair.fault.filter, detail)


@condition(
    "EVD207",
    "canary-passed",
    {"CANARY_FAILED": REJECT},
    "look at what the canary found: the failure of the test before it was not cleaned up after",
    source="F-17",
    broken=(
        Change(
            "*/runs/run-2*/run.json", '"outcome": "passed"', '"outcome": "failed"', "it found dirt", ("CANARY_FAILED",)
        ),
    ),
)
def canary_passed(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The canary passed, and so did its leaf."""
    del expected
    for pair in lane.pairs:
        if pair.canary is not None and _over(pair.canary.run) and not _ended(pair.canary.run, PASSED):
            run = pair.canary.run
            yield Reason("CANARY_FAILED", in_record(run, "outcome"), run.located.run_id, "it did not pass")


@condition(
    "EVD208",
    "canary-after-fault",
    {"LANE_ORDER": REJECT},
    _AGAIN,
    source="F-18",
    broken=(
        Change(
            "*/runs/run-2*/run.json",
            '"created_utc": "2026-08-05T00:02',
            '"created_utc": "2026-08-05T00:01',
            "the canary was asked for before the fault was over",
            ("LANE_ORDER",),
        ),
    ),
)
def canary_after_fault(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The canary was asked for when the fault run was over, with no other run of the lane between them."""
    del expected
    for pair in lane.pairs:
        if pair.fault is None or pair.canary is None:
            continue
        fault, canary = pair.fault.run.record, pair.canary.run.record
        if fault is None or canary is None or not is_time(fault.finished_utc) or not is_time(canary.created_utc):
            continue
        where = in_record(pair.canary.run, "created_utc")
        if canary.created_utc < fault.finished_utc:
            detail = f"{canary.created_utc}, and the fault run was over at {fault.finished_utc}"
            yield Reason("LANE_ORDER", where, canary.run_id, detail)
        for entry in lane.entries:
            between = fault.created_utc < entry.created < canary.created_utc
            if between and match(entry, lane.lanes.scenarios) is not None:
                yield Reason("LANE_ORDER", where, entry.run_id, "it ran between the fault run and its canary")


@condition(
    "EVD209",
    "sentinel-as-written",
    {"SENTINEL_MISSING": INCOMPLETE, "SENTINEL_MISMATCH": REJECT},
    "look at the steps that are missing, repeated or out of order: that is where cleaning up went wrong",
    source="F-19",
    broken=(
        Change("*/sync-teardown.sentinel", "", "", "the probe never started", ("SENTINEL_MISSING",)),
        Change(
            "*/sync-teardown.sentinel",
            "registered-cleanup\n",
            "",
            "cleaning up stopped early",
            ("SENTINEL_MISMATCH",),
        ),
    ),
)
def sentinel_as_written(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The sentinel of the scenario has exactly the steps of a teardown that ran to its end."""
    del expected
    if not lane.project:
        raise NotEvaluated("the project is not at hand")
    for pair in lane.pairs:
        if pair.fault is None:
            continue
        path, name = lane.sentinel(pair.scenario), pair.scenario.name
        wanted = "".join(f"{line}\n" for line in pair.scenario.lines).encode()
        try:
            found = lane.bundle.read(path, _SENTINEL_LIMIT)
        except Missing:
            yield Reason("SENTINEL_MISSING", Where(path), name, "it is not there")
            continue
        except Unreadable as error:
            yield Reason("SENTINEL_MISMATCH", Where(path), name, str(error))
            continue
        if found != wanted:
            line = _first_difference(found, wanted)
            yield Reason("SENTINEL_MISMATCH", Where(path, line), name, f"line {line} is not the step that follows")


def _first_difference(found: bytes, wanted: bytes) -> int:
    ours, theirs = found.split(b"\n"), wanted.split(b"\n")
    number = next((number for number, (one, two) in enumerate(zip(ours, theirs, strict=False)) if one != two), None)
    return min(len(ours), len(theirs)) if number is None else number + 1


@condition(
    "EVD210",
    "sentinel-of-this-run",
    {"SENTINEL_STALE": REJECT},
    _AGAIN,
    source="F-20",
)
def sentinel_of_this_run(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """The sentinel was written while the fault run was running.

    Only `--in-place` judges that, by the time of the file.
    """
    if not expected.in_place:
        raise NotEvaluated("the times of copied files mean nothing; `--in-place` says that these are no copies")
    if not lane.project:
        raise NotEvaluated("the project is not at hand")
    for pair in lane.pairs:
        record = pair.fault.run.record if pair.fault is not None else None
        if record is None or not is_time(record.started_utc) or not is_time(record.finished_utc):
            continue
        path = lane.sentinel(pair.scenario)
        try:
            written = lane.bundle.seen(path).modified_ns
        except (Missing, Unreadable):
            continue
        if not since_1970(record.started_utc) <= written <= since_1970(record.finished_utc):
            detail = f"it was not written between {record.started_utc} and {record.finished_utc}"
            yield Reason("SENTINEL_STALE", Where(path), pair.scenario.name, detail)


@condition(
    "EVD211",
    "one-editor",
    {"FINGERPRINT_MISMATCH": REJECT},
    "run the pair again without compiling or restarting the editor between its runs",
    source="F-21",
    broken=(
        Change(
            "*/runs/run-2*/run.json",
            '"editor_session_id": "0d',
            '"editor_session_id": "1d',
            "another editor",
            ("FINGERPRINT_MISMATCH",),
        ),
    ),
)
def one_editor(lane: FaultLane, expected: Expectations) -> Iterator[Reason]:
    """Fault run and canary ran in one session of one editor on one build of one project."""
    del expected
    for pair in lane.pairs:
        fault = pair.fault.run.record if pair.fault is not None else None
        canary = pair.canary.run.record if pair.canary is not None else None
        if fault is None or canary is None or pair.canary is None:
            continue
        for field in ("build_fingerprint", "project_identity", "editor_session_id"):
            one, two = getattr(fault, field), getattr(canary, field)
            if one != two:
                detail = f"`{two}`, that of the fault run is `{one}`"
                yield Reason("FINGERPRINT_MISMATCH", in_record(pair.canary.run, field), canary.run_id, detail)


OWN: tuple[Condition[FaultLane], ...] = (
    pairs_complete,
    one_leaf,
    whole_document,
    leaf_as_asked,
    fault_observed,
    fault_marked,
    fault_documented,
    canary_passed,
    canary_after_fault,
    sentinel_as_written,
    sentinel_of_this_run,
    one_editor,
)

_SCENARIOS = "\n".join(
    (
        "| Preset | Scenario | Marker | Sentinel |",
        "| --- | --- | --- | --- |",
        *(
            f"| `{preset}` | `{scenario.name}` | `{scenario.marker}` | `{lanes.faults}/{scenario.sentinel}` |"
            for preset, lanes in LANES.items()
            for scenario in lanes.scenarios
        ),
    )
)

CONTRACT: Contract[FaultLane] = Contract(
    "fault-lane",
    "Fault lane of a Unity editor",
    "A probe fails on purpose, in the part of a test that nobody guards: a setup or a teardown. Then a canary runs in "
    "the same editor and looks whether everything was cleaned up. Either is a durable run of its own, with one leaf, "
    "and holds the [ordinary contract](durable-run.md), except that the fault run must fail.\n\n"
    "Which tests these are, what they say when they fail and which steps they write down belongs to a project: it is "
    "data of a preset. A store is judged as a whole, each scenario by its last pair; `--pair FAULT CANARY` names the "
    f"requests of one pair.\n\n{_SCENARIOS}",
    (unchanged, newer_than_sources, nothing_unjudged(*JUDGED), *ordinary(), *OWN, *WORKER),
    (
        "That the sentinel was written by the probe, and not by hand: it is a text of a few lines.",
        "That the scene was dirty before it was cleaned up: only the code of the probe says so.",
        "That the failure was the one that was planned: a message can be rewritten in all files at once.",
    ),
    strict=STRICT,
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the pairs of a store and judges them.

    Raises:
        BadPath: no preset says which tests belong to the lane, or the pair that was named is none.
    """
    lane = FaultLane(taken, lanes_for(expected, "fault lane"), expected.pair)
    found = ", ".join(pair.scenario.name for pair in lane.pairs if pair.parts)
    verdict = judge(CONTRACT, lane, expected)
    return verdict._replace(took_for=f"{taken.why}; scenarios found: {found or 'none'}")
