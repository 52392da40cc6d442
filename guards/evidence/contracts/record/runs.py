"""Q-03 to Q-07, Q-12 and Q-13: the durable runs, each by the contract of its lane, and all of them together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.durable_run import CONTRACT as ORDINARY
from guards.evidence.contracts.fault_lane import CONTRACT as FAULTS
from guards.evidence.contracts.record.evidence import Judged, RecordEvidence, classes_of
from guards.evidence.contracts.reload_lane import CONTRACT as RELOADS
from guards.evidence.expectations import RELEASE, Expectations
from guards.evidence.model import Reason
from guards.evidence.readers.record import reused
from guards.evidence.readers.record_runs import Facts

_RECORD = "*acceptance-record.json"
_ATTACH = "copy the folder of the run, or its store, beside the record, and name it there"
_ALONE = "accept the bundle alone to see what each of its conditions says, mend it, and run again"
_AGAIN = "run again, and record what was run"
_BOTH: Final = (1, 2)
# What a run that is listed says of itself, and what it means where its bundle says something else.
_LISTED = {
    "request_id": "REQUEST_IDENTITY_MISMATCH",
    "run_id": "RUN_ID_MISMATCH",
    "utf_guid": "REQUEST_IDENTITY_MISMATCH",
    "mode": "CALLER_EXPECTATION_MISMATCH",
    "filter": "CALLER_EXPECTATION_MISMATCH",
    "expected": "COUNT_INVARIANT",
    "passed": "COUNT_INVARIANT",
    "skipped": "COUNT_INVARIANT",
    "outcome": "TERMINAL_OUTCOME_CONTRADICTION",
    "build_fingerprint": "FINGERPRINT_MISMATCH",
}


@condition(
    "EVD323",
    "bundles-attached",
    {"RUN_BUNDLE_MISSING": INCOMPLETE, "LEGACY_AGGREGATE": REJECT},
    _ATTACH,
    source="Q-03, Q-13",
    broken=(
        Change(_RECORD, '"bundle": "editmode"', '"bundle": "elsewhere"', "nothing is there", ("RUN_BUNDLE_MISSING",)),
        Change(_RECORD, '"bundle": "editmode"', '"bundle": "../x"', "it leads out", ("RUN_BUNDLE_MISSING",)),
        Change(
            _RECORD,
            '"bundle": "editmode"',
            '"bundle": "unity-tests.json"',
            "counts in place of a run",
            ("LEGACY_AGGREGATE",),
        ),
    ),
)
def bundles_attached(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """The files of every durable run are attached, below the folder of the record.

    Counts alone, as in a result file or a file for badges, are no evidence of a durable run.
    """
    del expected
    for number, error in evidence.unattached.items():
        code = "LEGACY_AGGREGATE" if error.aggregate else "RUN_BUNDLE_MISSING"
        where = evidence.where(f"runs[{number}].bundle")
        yield Reason(code, where, evidence.record.runs[number].run_id, str(error))


@condition(
    "EVD324",
    "runs-as-listed",
    dict.fromkeys(_LISTED.values(), REJECT),
    _AGAIN,
    source="Q-03",
    broken=(
        Change(_RECORD, '"expected": 2', '"expected": 3', "a test more is listed than ran", ("COUNT_INVARIANT",)),
        Change(_RECORD, '"mode": "EditMode"', '"mode": "PlayMode"', "another mode", ("CALLER_EXPECTATION_MISMATCH",)),
    ),
)
def runs_as_listed(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """What the record says of a run is what its bundle says."""
    del expected
    for number, facts in evidence.facts.items():
        listed = evidence.record.runs[number]
        for field, code in _LISTED.items():
            said, found = getattr(listed, field), getattr(facts, field)
            if said != found:
                where = evidence.where(f"runs[{number}].{field}")
                yield Reason(code, where, listed.run_id, f"`{said}`, and the bundle says `{found}`")


def _all(judged: Iterable[Judged]) -> Iterator[Reason]:
    """The reasons of several verdicts.

    Raises:
        NotEvaluated: some conditions of theirs could not be judged.
    """
    unjudged = 0
    for each in judged:
        unjudged += each.unjudged
        yield from each.reasons
    if unjudged:
        raise NotEvaluated(
            f"{unjudged} conditions of these runs could not be judged; accept a bundle alone to see which"
        )


@condition(
    "EVD325",
    "complete-runs-accepted",
    classes_of(ORDINARY),
    _ALONE,
    source="Q-03, Q-07",
    broken=(Change("*/run.json", '"health": "healthy"', '"health": "reloading"', "it broke", ("HEALTH_NOT_HEALTHY",)),),
)
def complete_runs_accepted(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every run that belongs to no lane holds the [ordinary contract](durable-run.md)."""
    del expected
    yield from _all(evidence.ordinary)


@condition("EVD326", "fault-pairs-accepted", classes_of(FAULTS), _ALONE, source="Q-03")
def fault_pairs_accepted(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every pair of the fault lane holds [its contract](fault-lane.md); a release has one of each scenario.

    The example has no such pair; one is broken as its own contract says.
    """
    del expected
    lanes = evidence.lanes
    if lanes is None:
        raise NotEvaluated("no preset in force says what the fault lane is")
    listed = {pair.scenario for pair in evidence.record.fault_pairs}
    if evidence.profile == RELEASE:
        for scenario in lanes.scenarios:
            if scenario.name not in listed:
                where = evidence.where("fault_pairs")
                yield Reason("LANE_INCOMPLETE", where, scenario.name, "the scenario is not listed")
    yield from _all(evidence.faults)


@condition("EVD327", "reload-scenarios-accepted", classes_of(RELOADS), _ALONE, source="Q-03, R-23")
def reload_scenarios_accepted(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every scenario of the reload lane holds [its contract](reload-lane.md); a release has both.

    The example has no such scenario; one is broken as its own contract says.
    """
    del expected
    if evidence.lanes is None:
        raise NotEvaluated("no preset in force says what the reload lane is")
    listed = {scenario.target_reloads for scenario in evidence.record.reload_scenarios}
    if evidence.profile == RELEASE:
        for number in _BOTH:
            if number not in listed:
                where = evidence.where("reload_scenarios")
                yield Reason("LANE_INCOMPLETE", where, f"{number} reloads", "the scenario is not listed")
    yield from _all(evidence.reloads)


@condition("EVD328", "identities-distinct", {"IDENTITY_REUSED": REJECT}, _AGAIN, source="Q-04")
def identities_distinct(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """No two runs share a request, a run or the framework's own id.

    The example has one run, so a second one has to be listed to break this.
    """
    del expected
    for number, field, identity in reused(evidence.record):
        where = evidence.where(f"runs[{number}].{field}")
        yield Reason("IDENTITY_REUSED", where, identity, "another run of the record has it, too")


@condition("EVD339", "events-not-shared", {"EVENT_ID_REUSED": WARNING}, _AGAIN, source="U-3")
def events_not_shared(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """No two runs share the events that begin and end them.

    An editor gives every event an id of its own, so such a run is a copy of another one under other
    names. The example has one run, so a second one has to be listed to break this.
    """
    del expected
    known: dict[str, str] = {}
    for number, facts in evidence.facts.items():
        shared = sorted({known[event] for event in facts.events if event in known} - {facts.run_id})
        if shared:
            detail = f"it has events of `{shared[0]}`"
            yield Reason("EVENT_ID_REUSED", evidence.where(f"runs[{number}]"), facts.run_id, detail)
        known |= dict.fromkeys(facts.events, facts.run_id)


@condition("EVD329", "repeat-run-same", {"REPEAT_RUN_DIFFERS": REJECT}, _AGAIN, source="Q-05")
def repeat_run_same(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Runs of one step that repeat each other have the same tests, counts, project and editor.

    The example has one run, so a second one has to be listed to break this.
    """
    del expected
    compared = False
    first: dict[str, Facts] = {}
    for number, facts in evidence.complete():
        before = first.setdefault(evidence.record.runs[number].gate, facts)
        compared = compared or before is not facts
        for detail in _differences(before, facts):
            yield Reason("REPEAT_RUN_DIFFERS", evidence.where(f"runs[{number}]"), facts.run_id, detail)
    if not compared:
        raise NotEvaluated("no step has two runs that could be compared")


def _differences(one: Facts, two: Facts) -> Iterator[str]:
    for field in ("expected", "passed", "skipped", "project", "process"):
        before, after = getattr(one, field), getattr(two, field)
        if before != after:
            yield f"{field}: `{after}`, before it was `{before}`"
    if one.leaves != two.leaves:
        other = min(one.leaves ^ two.leaves)
        yield f"{len(one.leaves ^ two.leaves)} leaves are in one of them only, as `{other}`"


@condition("EVD330", "one-build", {"FINGERPRINT_MISMATCH": REJECT}, _AGAIN, source="Q-06")
def one_build(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """All runs are of one build; those of the reload lane may be of one other, since its tests are installed for it.

    The example has one run, so a second one has to be listed to break this.
    """
    del expected
    numbers = range(len(evidence.record.runs))
    reloads = [number for number in numbers if evidence.lane_of(number) == RELOADS.name]
    for group in ([number for number in numbers if number not in reloads], reloads):
        yield from _differing(evidence, group)


def _differing(evidence: RecordEvidence, numbers: Sequence[int]) -> Iterator[Reason]:
    prints = {
        number: evidence.facts[number].build_fingerprint
        if number in evidence.facts
        else evidence.record.runs[number].build_fingerprint
        for number in numbers
    }
    first = next(iter(prints.values()), "")
    for number, fingerprint in prints.items():
        if fingerprint != first:
            where = evidence.where(f"runs[{number}].build_fingerprint")
            yield Reason("FINGERPRINT_MISMATCH", where, evidence.record.runs[number].run_id, f"`{fingerprint}`")


@condition(
    "EVD337",
    "skips-explained",
    {"SKIP_UNEXPLAINED": REJECT},
    "list each test that was skipped with its reason, in `skips` of the record",
    source="Q-12",
    broken=(
        Change(
            _RECORD,
            '"reason": "needs a case-sensitive disk"',
            '"reason": ""',
            "nobody says why it was skipped",
            ("SKIP_UNEXPLAINED",),
        ),
    ),
)
def skips_explained(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every test that was skipped outside the live lane is listed with a reason, or has one in its bundle.

    Tests that are explicit need none: they run only where somebody names them.
    """
    del expected
    record = evidence.record
    reasons = {(skip.gate, skip.id) for skip in record.skips if skip.reason.strip() and skip.id}
    apart = {gate.name for gate in evidence.gates if gate.live} | {run.gate for run in record.runs}
    by_gate = Counter(name for name, _ in reasons)
    for number, gate in enumerate(record.gates):
        explained = by_gate[gate.name]
        if gate.name not in apart and gate.counts is not None and gate.counts.skipped > explained:
            detail = f"{gate.counts.skipped} were skipped, and {explained} have a reason"
            yield Reason("SKIP_UNEXPLAINED", evidence.where(f"gates[{number}].counts.skipped"), gate.name, detail)
    for number, facts in evidence.facts.items():
        for name in facts.unexplained:
            if (record.runs[number].gate, name) not in reasons:
                yield Reason(
                    "SKIP_UNEXPLAINED", evidence.where(f"runs[{number}]"), name, "it was skipped without a word"
                )


RUNS: tuple[Condition[RecordEvidence], ...] = (
    bundles_attached,
    runs_as_listed,
    complete_runs_accepted,
    fault_pairs_accepted,
    reload_scenarios_accepted,
    identities_distinct,
    events_not_shared,
    repeat_run_same,
    one_build,
    skips_explained,
)
