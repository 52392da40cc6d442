"""Q-01, Q-02, Q-08, Q-09 and Q-11: the steps of a profile, in order, and what was the same before and after them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from guards.evidence.condition import INCOMPLETE, REJECT, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.record.evidence import RecordEvidence
from guards.evidence.expectations import RELEASE, Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.record import Gate, ReloadScenario, moment

_RECORD = "*acceptance-record.json"
_AGAIN = "take the steps of the profile again, one after the other, and record them as they end"
_NO_LANES = "no preset in force says which steps a profile has"
# Before and after one reload, and after two.
_LENGTHS: Final = (2, 3)
_INCOMPLETE: Final = "RECORD_INCOMPLETE"


@condition(
    "EVD320",
    "record-readable",
    {"RECORD_CORRUPT": REJECT, "JSON_DUPLICATE_KEY": REJECT, "RECORD_SCHEMA_UNSUPPORTED": REJECT},
    "write the record anew",
    broken=(
        Change(_RECORD, '"schema_version": 1', '"schema_version": 2', "another schema", ("RECORD_SCHEMA_UNSUPPORTED",)),
        Change(_RECORD, '"gates": [', '"gates": {', "it is no JSON any more", ("RECORD_CORRUPT",)),
        Change(
            _RECORD,
            '"exit_code": 0',
            '"exit_code": 1, "exit_code": 0',
            "two stories in one object",
            ("JSON_DUPLICATE_KEY",),
        ),
    ),
)
def record_readable(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """The record can be read, and has schema version 1."""
    del expected
    if evidence.broken is not None:
        yield evidence.broken
    elif evidence.record.schema_version != 1:
        detail = f"it is {evidence.record.schema_version}"
        yield Reason("RECORD_SCHEMA_UNSUPPORTED", evidence.where("schema_version"), detail=detail)


@condition(
    "EVD321",
    "gates-in-order",
    {"GATE_MISSING": INCOMPLETE, "GATE_ORDER": REJECT},
    _AGAIN,
    source="Q-01",
    broken=(
        Change(
            _RECORD,
            '"name": "python-unit"',
            '"name": "lint"',
            "the unit tests were never run",
            ("GATE_MISSING",),
        ),
        Change(
            _RECORD,
            '"finished_utc": "2026-08-05T00:09:00Z"',
            '"finished_utc": "2026-08-05T00:41:00Z"',
            "two steps at one time",
            ("GATE_ORDER",),
        ),
    ),
)
def gates_in_order(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every step of the profile was taken once, in order, none before the one before it was over.

    A step with durable runs lists as many as it has. Which steps a profile has is data of a preset.
    """
    del expected
    record = evidence.record
    if not evidence.gates:
        yield from _overlapping(evidence)
        raise NotEvaluated(_NO_LANES)
    names = [gate.name for gate in record.gates]
    for gate in evidence.gates:
        if gate.name not in names:
            yield Reason("GATE_MISSING", evidence.where("gates"), gate.name, "the step is not there")
        elif names.count(gate.name) > 1:
            yield Reason("GATE_ORDER", evidence.where("gates"), gate.name, "the step is there more than once")
        runs = sum(run.gate == gate.name for run in record.runs)
        if gate.name in names and runs < gate.runs:
            detail = f"{runs} of its {gate.runs} durable runs are listed"
            yield Reason("GATE_MISSING", evidence.where("runs"), gate.name, detail)
    wanted = [gate.name for gate in evidence.gates]
    known = [name for name in names if name in wanted]
    if known != sorted(known, key=wanted.index):
        yield Reason("GATE_ORDER", evidence.where("gates"), detail=f"{', '.join(known)} is not their order")
    yield from _overlapping(evidence)


def _overlapping(evidence: RecordEvidence) -> Iterator[Reason]:
    before, name = None, ""
    for number, gate in enumerate(evidence.record.gates):
        started, finished = moment(gate.started_utc), moment(gate.finished_utc)
        where = evidence.where(f"gates[{number}].started_utc")
        if started is None or finished is None:
            yield Reason("GATE_ORDER", where, gate.name, "it does not say when it began and ended")
            continue
        if finished < started:
            yield Reason("GATE_ORDER", where, gate.name, "it ended before it began")
        if before is not None and started < before:
            yield Reason("GATE_ORDER", where, gate.name, f"it began before `{name}` was over")
        before, name = finished, gate.name


@condition(
    "EVD322",
    "gates-passed",
    {"GATE_FAILED": REJECT, "COUNT_INVARIANT": REJECT, _INCOMPLETE: INCOMPLETE},
    "mend what failed, and take the steps again from the first one",
    source="Q-02",
    broken=(
        Change(_RECORD, '"exit_code": 0', '"exit_code": 1', "the first step failed", ("GATE_FAILED",)),
        Change(_RECORD, '"passed": 40', '"passed": 39', "a test is lost", ("COUNT_INVARIANT",)),
    ),
)
def gates_passed(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every step ended with 0, nothing in it failed, and its counts add up.

    Tests that a filter left out may be counted among those that were collected, or not.
    """
    del expected
    live = {gate.name for gate in evidence.gates if gate.live}
    for number, gate in enumerate(evidence.record.gates):
        yield from _gate(evidence, gate, f"gates[{number}]", counted=gate.name not in live)


def _gate(evidence: RecordEvidence, gate: Gate, field: str, *, counted: bool) -> Iterator[Reason]:
    if gate.exit_code is None:
        yield Reason(_INCOMPLETE, evidence.where(f"{field}.exit_code"), gate.name, "it does not say how it ended")
    elif gate.exit_code != 0:
        yield Reason("GATE_FAILED", evidence.where(f"{field}.exit_code"), gate.name, f"it ended with {gate.exit_code}")
    counts = gate.counts
    if counts is None:
        yield Reason(_INCOMPLETE, evidence.where(f"{field}.counts"), gate.name, "it does not say what it counted")
        return
    if counts.failed or counts.errors:
        detail = f"{counts.failed} failed, {counts.errors} errors"
        yield Reason("GATE_FAILED", evidence.where(f"{field}.counts"), gate.name, detail)
    if counted and counts.collected not in {counts.ended, counts.ended + counts.deselected}:
        detail = f"{counts.collected} collected, and {counts.ended} came to an end"
        yield Reason("COUNT_INVARIANT", evidence.where(f"{field}.counts"), gate.name, detail)


@condition(
    "EVD331",
    "sources-frozen",
    {"SOURCE_DRIFT": REJECT, _INCOMPLETE: INCOMPLETE},
    "take the steps again, and change nothing meanwhile",
    source="Q-08",
    broken=(
        Change(_RECORD, '"file_count": 120', '"file_count": 121', "a file came meanwhile", ("SOURCE_DRIFT",)),
        Change(_RECORD, '"before": {', '"earlier": {', "nobody looked before", (_INCOMPLETE,)),
    ),
)
def sources_frozen(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """The executable sources were the same before the first step and after the last."""
    del expected
    snapshots = evidence.record.executable_snapshot
    before, after = (snapshots.before, snapshots.after) if snapshots is not None else (None, None)
    if before is None or after is None or not before.sha256 or not after.sha256:
        where = evidence.where("executable_snapshot")
        yield Reason(_INCOMPLETE, where, detail="it does not say what the sources were before and after")
    elif before != after:
        detail = f"{before.file_count} files before and {after.file_count} after, or others"
        yield Reason("SOURCE_DRIFT", evidence.where("executable_snapshot"), detail=detail)


@condition(
    "EVD332",
    "ports-in-order",
    {"PORT_HISTORY": REJECT, _INCOMPLETE: INCOMPLETE},
    "look up the worker's port after each reload, verify its project, and record it",
    source="Q-09",
    broken=(Change(_RECORD, '"final_port": 57131', '"final_port": 57132', "another worker", ("PORT_HISTORY",)),),
)
def ports_in_order(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """The ports of the worker are those that the reloads planned, each another one, and the last is the final one."""
    del expected
    history = evidence.record.port_history
    sequences = {history[at : at + length] for length in _LENGTHS for at in range(len(history))}
    for number, scenario in enumerate(evidence.record.reload_scenarios):
        if history and len(scenario.ports) in _LENGTHS and scenario.ports not in sequences:
            detail = f"it has no {_arrows(scenario.ports)}"
            yield Reason("PORT_HISTORY", evidence.where("port_history"), scenario.run_id, detail)
        yield from _reloaded_ports(evidence, scenario, evidence.where(f"reload_scenarios[{number}].ports"))
    if not history:
        if evidence.profile == RELEASE:
            yield Reason(_INCOMPLETE, evidence.where("port_history"), detail="it does not say which ports there were")
        raise NotEvaluated("the record has no history of ports")
    first = evidence.record.reload_scenarios[0].ports if evidence.record.reload_scenarios else ()
    if first and history[0] != first[0]:
        yield Reason("PORT_HISTORY", evidence.where("port_history"), detail=f"it does not begin with {first[0]}")
    final = evidence.record.state_number("final_port")
    if final is not None and final != history[-1]:
        detail = f"the final port is {final}, the last one {history[-1]}"
        yield Reason("PORT_HISTORY", evidence.where("final_state.final_port"), detail=detail)


def _reloaded_ports(evidence: RecordEvidence, scenario: ReloadScenario, where: Where) -> Iterator[Reason]:
    identity, ports = scenario.run_id, scenario.ports
    if not ports:
        yield Reason(_INCOMPLETE, where, identity, "it does not say which ports there were")
        return
    if len(ports) != scenario.target_reloads + 1:
        yield Reason("PORT_HISTORY", where, identity, f"{len(ports)} ports, and {scenario.target_reloads} reloads")
    if any(one == two for one, two in pairwise(ports)):
        yield Reason("PORT_HISTORY", where, identity, "a port stayed the same over a reload")
    planned = evidence.planned.get(identity)
    if planned is not None and ports[1:] != planned:
        detail = f"{_arrows(ports[1:])}, and planned was {_arrows(planned)}"
        yield Reason("PORT_HISTORY", where, identity, detail)


def _arrows(ports: tuple[int, ...]) -> str:
    return " -> ".join(map(str, ports))


@condition(
    "EVD336",
    "nothing-runs-any-more",
    {"STORE_HAS_NONTERMINAL_RUN": REJECT, "CONTROL_NOT_ARCHIVED": INCOMPLETE, _INCOMPLETE: INCOMPLETE},
    "wait until nothing runs in the editor any more, and record its final state",
    source="Q-11",
    broken=(
        Change(
            _RECORD,
            '"non_terminal_runs": []',
            '"non_terminal_runs": ["run-7"]',
            "something still runs",
            ("STORE_HAS_NONTERMINAL_RUN",),
        ),
    ),
)
def nothing_runs_any_more(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """At the end no run is left that is not terminal, and no scenario that is still controlled."""
    del expected
    yield from evidence.at_rest
    left = evidence.record.state_number("non_terminal_runs")
    where = evidence.where("final_state.non_terminal_runs")
    if evidence.record.final_state is None:
        yield Reason(_INCOMPLETE, evidence.where("final_state"), detail="it does not say how the editor was left")
    elif left is None:
        raise NotEvaluated("the final state has no `non_terminal_runs`; only the attached stores were looked at")
    elif left:
        yield Reason("STORE_HAS_NONTERMINAL_RUN", where, detail=f"{left} runs are not terminal")


GATES: tuple[Condition[RecordEvidence], ...] = (
    record_readable,
    gates_in_order,
    gates_passed,
    sources_frozen,
    ports_in_order,
    nothing_runs_any_more,
)
