"""R: one request stays one run while the scripting domain is reloaded under it, once and twice."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.condition import INCOMPLETE, REJECT, Change, Condition, Contract, NotEvaluated, condition
from guards.evidence.contracts.durable_run.asked import in_record
from guards.evidence.contracts.lane import JUDGED, RELEASE, STRICT, Part, lanes_for, ordinary, run_of, written_of
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import nothing_unjudged
from guards.evidence.contracts.worker import WORKER
from guards.evidence.expectations import Expectations
from guards.evidence.lanes import Lanes
from guards.evidence.model import PASSED, Reason, Run, Where
from guards.evidence.readers.durable import journal as kinds
from guards.evidence.readers.durable import reloads
from guards.evidence.readers.durable.locate import Located, locate, located_run
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.readers.durable.store import Entry, entries
from guards.evidence.taken import STORE, Taken
from guards.evidence.verdict import Verdict, judge

_REQUEST = re.compile(r"domain-reload-([12])-.+", re.ASCII)
_BOTH: Final = (1, 2)
_LEAVES: Final = 3
# Of a run with three leaves; more is no run of the lane, and its counts say so.
_MOST_EVENTS: Final = 1000
_AGAIN = "start the scenario again in the worker, and keep its files before the next one starts"
_THREES = (
    "expected_count", "declared_expected_count", "readable_manifest_count", "completed_expected_count",
    "unique_terminal_count", "started_attempt_count", "finished_attempt_count", "test_started_callback_count", "passed",
)  # fmt: skip
_ZEROS = (
    "unmaterialized_expected_count", "finish_without_start_count", "missing_count", "unexpected_count",
    "conflict_count", "failed", "skipped", "inconclusive", "cancelled", "invalid",
)  # fmt: skip
_PORTS = "only the caller's output tells which ports were used; a record of several runs can list them"


class Reloaded(NamedTuple):
    """A run of the lane: ``reloads`` is how many it has, ``traced`` whether trace and control are its own."""

    part: Part
    reloads: int
    traced: bool

    @property
    def run_id(self) -> str:
        """The name of the run."""
        return self.part.run.located.run_id


class ReloadLane:
    """The last run of each scenario in a store, or the one that was named."""

    def __init__(self, taken: Taken, lanes: Lanes, expected: Expectations) -> None:
        self.lanes = lanes
        self.bundle = Bundle(taken.root)
        self.project = taken.path == STORE or taken.path.startswith(f"{STORE}/")
        self.trace, self.unreadable = self._trace()
        self.control = reloads.archived(self.bundle, lanes.reloads) if self.project else None
        wanted = {lanes.fixture.filter, *lanes.fixture.leaves}
        found = [entry for entry in entries(self.bundle, taken) if wanted & set(entry.filters)]
        last = found[-1].run_id if found else ""
        self.runs = [self._read(located, last) for located in self._located(taken, expected, found)]
        self.parts = tuple(reloaded.part for reloaded in self.runs)

    def _located(self, taken: Taken, expected: Expectations, found: list[Entry]) -> Iterator[Located]:
        if expected.run_id is not None or expected.request_id is not None or "runs/" in taken.path:
            yield locate(taken, expected)
            return
        last: dict[str, str] = {}
        for entry in found:
            match = _REQUEST.fullmatch(entry.request_id)
            last[match[1] if match else ""] = entry.run_id
        for run_id in last.values():
            yield located_run(self.bundle, taken, run_id, "it is a run of the lane")

    def _read(self, located: Located, last: str) -> Reloaded:
        run = DurableRun(located)
        match = _REQUEST.fullmatch(located.request_id)
        traced = located.run_id == last
        said = self.control.target_reloads if self.control is not None and traced else 0
        number = int(match[1]) if match else said or run.journal.tally.get(kinds.RELOADING, 0)
        return Reloaded(Part(run, self.lanes.fixture.filter), number, traced)

    def _trace(self) -> tuple[reloads.Trace | None, str]:
        """The trace, or why it cannot be read; neither where it is not there."""
        try:
            return (reloads.read_trace(self.bundle, self.lanes.reloads) if self.project else None), ""
        except Missing:
            return None, ""
        except Unreadable as error:
            return None, str(error)

    @property
    def traced(self) -> Reloaded:
        """The run that trace and control belong to.

        Raises:
            NotEvaluated: the project is not at hand, or the last scenario is not judged.
        """
        if not self.project:
            raise NotEvaluated("the project is not at hand")
        found = next((reloaded for reloaded in self.runs if reloaded.traced), None)
        if found is None:
            raise NotEvaluated("trace and control record are those of a later scenario, which is not judged here")
        return found

    @property
    def run(self) -> Run:
        """All runs of the lane as one."""
        return run_of("unity reload lane", self.parts)

    @property
    def issues(self) -> Iterator[Reason]:
        """What was found while reading the runs."""
        return chain.from_iterable(part.run.issues for part in self.parts)

    @property
    def written_ns(self) -> int | None:
        """When the first of the runs was over."""
        return written_of(self.parts)

    def file(self, name: str) -> str:
        """A file of the lane."""
        return f"{self.lanes.reloads}/{name}"


@condition(
    "EVD250",
    "scenarios-there",
    {"LANE_INCOMPLETE": INCOMPLETE},
    "run the scenario with one reload, keep its files, then the one with two",
    source="R-23",
)
def scenarios_there(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """There is a run of the lane.

    A lane needs both scenarios, and each overwrites the trace and the control record of the one
    before it: so they have to be copied and judged one by one, and only a [record](record.md) that
    lists both can show them together. What breaks this condition is a store without any such run.
    """
    del expected
    if not lane.runs:
        yield Reason("LANE_INCOMPLETE", Where(""), lane.lanes.fixture.filter, "no run asks for these tests")
        return
    raise NotEvaluated("a store can show one scenario to the end; a record lists both")


@condition(
    "EVD251",
    "scenario-named",
    {"LANE_IDENTITY": REJECT},
    _AGAIN,
    source="R-04",
    broken=(
        Change("*/control.completed.json", '"reload-1-5', '"relaod-1-5', "no name of a scenario", ("LANE_IDENTITY",)),
    ),
)
def scenario_named(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The names of request and scenario say how many reloads there are."""
    del expected
    for reloaded in lane.runs:
        prefix = f"domain-reload-{reloaded.reloads}-"
        request = reloaded.part.run.located.request_id
        if reloaded.reloads not in _BOTH or not request.startswith(prefix):
            detail = f"`{request}`, and `{prefix}…` is what a run with {reloaded.reloads} reloads is called"
            yield Reason("LANE_IDENTITY", in_record(reloaded.part.run, "request_id"), reloaded.run_id, detail)
    traced = lane.traced
    said = {reloads.TRACE: lane.trace.scenario if lane.trace else ""}
    said[reloads.ARCHIVED] = lane.control.scenario_id if lane.control else ""
    for name, scenario in said.items():
        if scenario and not scenario.startswith(f"reload-{traced.reloads}-"):
            yield Reason("LANE_IDENTITY", Where(lane.file(name)), traced.run_id, f"its scenario is `{scenario}`")


@condition(
    "EVD252",
    "leaves-of-the-harness",
    {"LEAF_IDENTITY": REJECT},
    _AGAIN,
    source="R-09, R-10, R-14",
    broken=(
        Change(
            "*/expected-tests.jsonl",
            '"assembly_name":"UnityMCP',
            '"assembly_name":"Other',
            "a test of another assembly",
            ("LEAF_IDENTITY",),
        ),
    ),
)
def leaves_of_the_harness(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The leaves are the three of the harness, in its assembly, and each passed at its only attempt."""
    del expected
    fixture = lane.lanes.fixture
    for part in lane.parts:
        leaves = list(part.run.leaves())
        if sorted(leaf.full_name for leaf in leaves) != sorted(fixture.leaves):
            detail = f"{len(leaves)} leaves, or others than those of the harness"
            yield Reason("LEAF_IDENTITY", Where(part.run.manifest.path), part.run.located.run_id, detail)
        for leaf in leaves:
            where = Where(part.run.manifest.path, leaf.line)
            if leaf.assembly != fixture.assembly:
                yield Reason("LEAF_IDENTITY", where, leaf.key, f"it stands in `{leaf.assembly}`")
            ended = leaf.terminal is None or leaf.terminal.outcome == PASSED
            if not ended or leaf.opened > 1:
                yield Reason("LEAF_IDENTITY", where, leaf.key, "it did not pass at its only attempt")


@condition(
    "EVD253",
    "three-leaves-counted",
    {"COUNT_INVARIANT": REJECT},
    _AGAIN,
    source="R-05, R-06",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"test_started"',
            '"event_type":"cancel_requested"',
            "a test ended that never started",
            ("COUNT_INVARIANT", "FINISH_WITHOUT_START"),
        ),
    ),
)
def three_leaves_counted(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """Three leaves were expected, started once, ended once and passed; nothing else was counted."""
    del expected
    for part in lane.parts:
        follows = part.run.expected_summary()
        if follows is None:
            continue
        for number, fields in ((_LEAVES, _THREES), (0, _ZEROS)):
            for field in fields:
                if (counted := getattr(follows, field)) != number:
                    where = Where(part.run.journal.path, 0, field)
                    detail = f"{field} is {counted} and must be {number}"
                    yield Reason("COUNT_INVARIANT", where, part.run.located.run_id, detail)


@condition(
    "EVD254",
    "partial-document",
    {"XML_SCOPE_NOT_PARTIAL": REJECT},
    _AGAIN,
    source="R-07",
    broken=(
        Change(
            "*/events.jsonl",
            '"duration_seconds":0.5,"expected_count":0,"has_aggregate":false,"root_trusted":false',
            '"duration_seconds":0.5,"expected_count":0,"has_aggregate":false,"root_trusted":true',
            "the root is trusted over a reload",
            ("XML_SCOPE_NOT_PARTIAL",),
        ),
    ),
)
def partial_document(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The root is not trusted: another domain saw the end than the one that saw the start."""
    del expected
    for part in lane.parts:
        finished = part.run.journal.first(kinds.FINISHED)
        if part.run.scope == "complete" or (finished is not None and finished.root_trusted):
            where = part.run.journal.where(kinds.FINISHED, "root_trusted")
            detail = "the root is trusted, so no reload separated it from its start"
            yield Reason("XML_SCOPE_NOT_PARTIAL", where, part.run.located.run_id, detail)


@condition(
    "EVD255",
    "events-counted",
    {"EVENT_CARDINALITY": REJECT},
    _AGAIN,
    source="R-12",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"domain_reloading"',
            '"event_type":"cancel_requested"',
            "no reload was announced",
            ("EVENT_CARDINALITY",),
        ),
    ),
)
def events_counted(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """Every event came as often as it must: three starts and ends of leaves, a reload for each that was planned."""
    del expected
    for reloaded in lane.runs:
        wanted = {
            kinds.STARTED: 1,
            kinds.SEALED: 1,
            kinds.LEAF_STARTED: _LEAVES,
            kinds.LEAF_FINISHED: _LEAVES,
            kinds.RELOADING: reloaded.reloads,
            kinds.FINISHED: 1,
            kinds.FINALIZED: 1,
        }
        journal = reloaded.part.run.journal
        absent = {kinds.STARTED, kinds.SEALED, kinds.FINISHED, kinds.FINALIZED}
        for kind, number in wanted.items():
            found = journal.tally.get(kind, 0)
            if found != number and (found or kind not in absent):  # the ordinary contract tells what is missing
                detail = f"`{kind}` came {found} times and must come {number} times"
                yield Reason("EVENT_CARDINALITY", Where(journal.path), reloaded.run_id, detail)


@condition(
    "EVD256",
    "generations-counted",
    {"GENERATION_MISSING": REJECT, "GENERATION_JUMP": REJECT, "RELOAD_WITHOUT_NEW_GENERATION": REJECT},
    _AGAIN,
    source="R-15",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"domain_reloading","occurred_utc":"2026-08-05T00:05:00.0000008Z","observer_generation":"'
            "000000000000000000000000000000a0",
            '"event_type":"domain_reloading","occurred_utc":"2026-08-05T00:05:00.0000008Z","observer_generation":"'
            "000000000000000000000000000000a2",
            "a domain that nobody saw before announces its end",
            ("GENERATION_JUMP",),
        ),
    ),
)
def generations_counted(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """Each reload begins one new domain, and all but the last announced their end, in order."""
    del expected
    for reloaded in lane.runs:
        journal = reloaded.part.run.journal
        if kinds.FINISHED not in journal.boundaries:
            continue
        seen, wanted = len(journal.generations.execution), reloaded.reloads + 1
        if seen != wanted:
            code = "GENERATION_MISSING" if seen < wanted else "GENERATION_JUMP"
            detail = f"{seen} domains, and {reloaded.reloads} reloads make {wanted}"
            yield Reason(code, Where(journal.path), reloaded.run_id, detail)
        elif journal.generations.reloading != journal.generations.execution[:-1]:
            detail = "the reloads are not those between these domains"
            yield Reason("RELOAD_WITHOUT_NEW_GENERATION", Where(journal.path), reloaded.run_id, detail)


class _Event(msgspec.Struct):
    event_type: str = ""
    full_name: str = ""
    observer_generation: str = ""


@condition(
    "EVD257",
    "events-in-their-domains",
    {"GENERATION_JUMP": REJECT},
    _AGAIN,
    source="R-16",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"run_finalized","occurred_utc":"2026-08-05T00:05:00.0000015Z","observer_generation":"'
            "000000000000000000000000000000a1",
            '"event_type":"run_finalized","occurred_utc":"2026-08-05T00:05:00.0000015Z","observer_generation":"'
            "000000000000000000000000000000a2",
            "a domain that had no part in the run ends it",
            ("GENERATION_JUMP",),
        ),
    ),
)
def events_in_their_domains(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """Every event was written by the domain that its place implies, the first and the last ones, too."""
    del expected
    for reloaded in lane.runs:
        run, number = reloaded.part.run, reloaded.reloads
        if sum(run.journal.tally.values()) > _MOST_EVENTS:
            continue
        places = {name: min(at, number) for at, name in enumerate(lane.lanes.fixture.leaves)}
        domains: list[str] = []
        announced = 0
        for line, event in _events(run):
            if event.observer_generation not in domains:
                domains.append(event.observer_generation)
            wanted = _domain(event, places, announced, number)
            announced += event.event_type == kinds.RELOADING
            if wanted is not None and domains.index(event.observer_generation) != wanted:
                detail = f"`{event.event_type}` belongs to domain {wanted + 1} of {number + 1}"
                yield Reason("GENERATION_JUMP", Where(run.journal.path, line), event.full_name, detail)


def _domain(event: _Event, places: dict[str, int], announced: int, reloads_: int) -> int | None:
    """The number of the domain that an event belongs to; None where its place implies none."""
    if event.event_type in {kinds.STARTED, kinds.SEALED}:
        return 0
    if event.event_type in {kinds.LEAF_STARTED, kinds.LEAF_FINISHED}:
        return places.get(event.full_name)
    if event.event_type == kinds.RELOADING:
        return announced
    return reloads_ if event.event_type in {kinds.FINISHED, kinds.FINALIZED} else None


def _events(run: DurableRun) -> Iterator[tuple[int, _Event]]:
    """The lines of the journal that can be read; what is wrong with others is told elsewhere."""
    try:
        for number, line in enumerate(run.bundle.lines(run.journal.path), 1):
            try:
                yield number, msgspec.json.decode(line, type=_Event)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
    except (Missing, Unreadable):
        return


@condition(
    "EVD258",
    "document-all-the-same",
    {"XML_MISSING_CASE": REJECT, "XML_DUPLICATE_CASE": REJECT, "XML_RESULT_MISMATCH": REJECT},
    _AGAIN,
    source="R-17",
    broken=(
        Change(
            "*/utf-results.xml",
            'LeafBetweenReloadBoundaries" fullname="UnityMCP',
            'LeafBetweenReloadBoundaries" fullname="Other',
            "a leaf has no case",
            ("XML_MISSING_CASE",),
        ),
    ),
)
def document_all_the_same(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The document has the three cases, all passed, although nobody vouches for its root."""
    del expected
    for part in lane.parts:
        document = part.run.document
        if not document.readable:
            continue
        for name in lane.lanes.fixture.leaves:
            cases = document.cases.get(name, [])
            if len(cases) != 1:
                code = "XML_DUPLICATE_CASE" if cases else "XML_MISSING_CASE"
                yield Reason(code, Where(document.path), name, f"it has {len(cases)} cases")
            for case in cases:
                if case.state != "Passed":
                    yield Reason("XML_RESULT_MISMATCH", Where(document.path, case.line), name, f"`{case.state}`")


@condition(
    "EVD259",
    "trace-as-it-goes",
    {"TRACE_MISSING": INCOMPLETE, "TRACE_TORN": INCOMPLETE, "TRACE_MISMATCH": REJECT},
    _AGAIN,
    source="R-18",
    broken=(
        Change("*/harness-events.log", "", "", "nobody wrote down the reloads", ("TRACE_MISSING",)),
        Change(
            "*/harness-events.log",
            "queued|1",
            "reload_error|1",
            "the reload could not be asked for",
            ("TRACE_MISMATCH",),
        ),
    ),
)
def trace_as_it_goes(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The trace has the steps of the scenario, each by the domain that takes it, all of one scenario."""
    del expected
    traced = lane.traced
    where = Where(lane.file(reloads.TRACE))
    if lane.trace is None:
        code = "TRACE_MISMATCH" if lane.unreadable else "TRACE_MISSING"
        yield Reason(code, where, traced.run_id, lane.unreadable or "it is not there")
        return
    if lane.trace.torn:
        yield Reason("TRACE_TORN", where, traced.run_id, "its last line has no line feed")
    wrong = reloads.wrong_step(lane.trace, traced.reloads)
    if wrong is not None:
        line, detail = wrong
        yield Reason("TRACE_MISMATCH", where._replace(line=line), traced.run_id, detail)
    if lane.control is not None and lane.trace.scenario and lane.control.scenario_id != lane.trace.scenario:
        detail = f"it belongs to `{lane.trace.scenario}`, the control record to `{lane.control.scenario_id}`"
        yield Reason("TRACE_MISMATCH", where._replace(line=1), traced.run_id, detail)


@condition(
    "EVD260",
    "control-archived",
    {"CONTROL_NOT_ARCHIVED": INCOMPLETE, "CONTROL_MISMATCH": REJECT},
    _AGAIN,
    source="R-19",
    broken=(
        Change("*/control.completed.json", "", "", "the scenario was never completed", ("CONTROL_NOT_ARCHIVED",)),
        Change(
            "*/control.completed.json",
            '"target_reloads": 1',
            '"target_reloads": 2',
            "another number of reloads was asked for",
            ("CONTROL_MISMATCH",),
        ),
        Change(
            "*/control.completed.json",
            '"allow_second_reload": true',
            '"allow_second_reload": false',
            "the controller never let it go on",
            ("CONTROL_MISMATCH",),
        ),
    ),
)
def control_archived(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The control record was archived, and it is that of this scenario."""
    del expected
    traced = lane.traced
    if lane.bundle.has(lane.file(reloads.LIVE)):
        detail = "the scenario is still controlled"
        yield Reason("CONTROL_NOT_ARCHIVED", Where(lane.file(reloads.LIVE)), traced.run_id, detail)
    path = lane.file(reloads.ARCHIVED)
    control = lane.control
    if control is None:
        there = lane.bundle.has(path)
        code = "CONTROL_MISMATCH" if there else "CONTROL_NOT_ARCHIVED"
        yield Reason(code, Where(path), traced.run_id, "it cannot be read" if there else "it is not there")
        return
    scenario = lane.trace.scenario if lane.trace else ""
    for field, found, wanted in (
        ("schema_version", control.schema_version, 1),
        ("target_reloads", control.target_reloads, traced.reloads),
        ("allow_second_reload", control.allow_second_reload, True),
        ("scenario_id", control.scenario_id, scenario or control.scenario_id),
    ):
        if found != wanted:
            yield Reason("CONTROL_MISMATCH", Where(path, 0, field), traced.run_id, f"{found!r}, and it is {wanted!r}")


@condition(
    "EVD261",
    "control-not-failed",
    {"CONTROL_FAILED": REJECT},
    "look at what failed, and run the scenario again",
    source="R-20",
)
def control_not_failed(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """No control record of this scenario was put aside as failed.

    A file has to be added to break this: `control.failed-<id>.json`, whose scenario is this one.
    """
    del expected
    traced = lane.traced
    mine = {lane.trace.scenario if lane.trace else "", lane.control.scenario_id if lane.control else ""}
    for name in lane.bundle.names(lane.lanes.reloads):
        if name.startswith(reloads.FAILED):
            control = reloads.read_control(lane.bundle, lane.file(name))
            if control is None or control.scenario_id in mine:
                yield Reason("CONTROL_FAILED", Where(lane.file(name)), traced.run_id, "it was put aside as failed")


@condition(
    "EVD262",
    "fixture-as-it-is",
    {"FIXTURE_MISMATCH": REJECT},
    "install the fixture anew, and run the scenario again",
    source="R-02",
)
def fixture_as_it_is(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The tests that were installed are those of the source.

    `--expect fixture=FOLDER` names the folder they were copied from. What breaks it is a change of
    either side.
    """
    if not lane.project:
        raise NotEvaluated("the project is not at hand")
    if expected.fixture is None:
        raise NotEvaluated("nobody stated where the fixture comes from; `--expect fixture=…`")
    source = Bundle(expected.fixture)
    for name in lane.lanes.fixture.files:
        try:
            wanted = source.read(name)
        except (Missing, Unreadable) as error:
            raise NotEvaluated(f"`{name}` of the source cannot be read: {error}") from None
        path = f"{lane.lanes.fixture.folder}/{name}"
        try:
            found = lane.bundle.read(path)
        except (Missing, Unreadable):
            found = None
        if found != wanted:
            detail = "it is not there" if found is None else "it is not what it was copied from"
            yield Reason("FIXTURE_MISMATCH", Where(path), name, detail)


@condition("EVD263", "ports-changed", {"PORT_HISTORY": REJECT}, _AGAIN, source="R-21")
def ports_changed(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """The editor answered at the planned port after each reload.

    No file of the worker says it, so nothing can break it here; [a record](record.md) can list the ports.
    """
    del lane, expected
    yield from ()
    raise NotEvaluated(_PORTS)


@condition("EVD264", "sources-unchanged", {"SOURCE_DRIFT": REJECT}, _AGAIN, source="R-22")
def sources_unchanged(lane: ReloadLane, expected: Expectations) -> Iterator[Reason]:
    """Fixture, packages, manifest and lock stayed the same while the scenario ran.

    Only who ran it can compare them; no file of the worker says it, so nothing can break it here.
    """
    del lane, expected
    yield from ()
    raise NotEvaluated("nobody wrote down what the sources were before and after")


OWN: tuple[Condition[ReloadLane], ...] = (
    scenarios_there,
    scenario_named,
    leaves_of_the_harness,
    three_leaves_counted,
    partial_document,
    events_counted,
    generations_counted,
    events_in_their_domains,
    document_all_the_same,
    trace_as_it_goes,
    control_archived,
    control_not_failed,
    fixture_as_it_is,
    ports_changed,
    sources_unchanged,
)

CONTRACT: Contract[ReloadLane] = Contract(
    "reload-lane",
    "Reload lane of a Unity editor",
    "A harness of three tests asks for a reload of the scripting domain between them, once or twice, and one request "
    "has to stay one run all the way. The run holds the [ordinary contract](durable-run.md); beside it stand the "
    "harness's own trace and the record that controlled it.\n\n"
    "Which tests these are belongs to a project: it is data of a preset. Of a store the last run of each scenario is "
    "judged, or the one that `--expect run-id=…` names; trace and control record belong to the last of all.",
    (
        unchanged,
        newer_than_sources,
        nothing_unjudged(*JUDGED, "run-id", "request-id", "fixture"),
        *ordinary(),
        *OWN,
        *WORKER,
    ),
    (
        "That trace and control record were written by the harness: written by hand they would look the same.",
        "That the domain really was reloaded: each domain gives itself a name, and nothing else tells them apart.",
        "Which ports were used: only the output of the caller says it.",
    ),
    strict=STRICT,
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the runs of the lane and judges them.

    Raises:
        BadPath: no preset says which tests belong to the lane, or the run that was named is not there.
    """
    lane = ReloadLane(taken, lanes_for(expected, "reload lane"), expected)
    found = ", ".join(f"`{reloaded.run_id}` with {reloaded.reloads} reloads" for reloaded in lane.runs)
    verdict = judge(CONTRACT, lane, expected)
    return verdict._replace(took_for=f"{taken.why}; runs found: {found or 'none'}")
