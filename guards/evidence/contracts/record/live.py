"""L-01 to L-08: the live lane, whose tests talk to the editor, and of which only those are skipped that cost money."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.record.evidence import RecordEvidence
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason
from guards.evidence.readers.record import Gate, GateCounts, Live

_RECORD = "*acceptance-record.json"
_AGAIN = "run the live lane again with its usual command, and record what it counted"
_FIELDS = ("collected", "passed", "skipped")


def _live(evidence: RecordEvidence) -> Live:
    """What the record says of the live lane.

    Raises:
        NotEvaluated: nothing.
    """
    if evidence.record.live is None:
        raise NotEvaluated("the record says nothing about the live lane")
    return evidence.record.live


def _gate(evidence: RecordEvidence) -> Gate | None:
    """The step that the live lane is."""
    names = {gate.name for gate in evidence.gates if gate.live}
    return next((gate for gate in evidence.record.gates if gate.name in names), None)


@condition(
    "EVD333",
    "live-accounted",
    {"LIVE_UNACCOUNTED": REJECT, "LIVE_FAILED": REJECT, "RECORD_INCOMPLETE": INCOMPLETE},
    _AGAIN,
    source="L-01, L-02, L-05, L-06",
    broken=(
        Change(_RECORD, '"collected": 287', '"collected": 288', "a test is lost", ("LIVE_UNACCOUNTED",)),
        Change(_RECORD, '"live": {', '"lively": {', "nobody says what it counted", ("RECORD_INCOMPLETE",)),
    ),
)
def live_accounted(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Every test that was collected ran once, and passed or was skipped; none was left out.

    An expected failure is no pass here, and a test that is run again is one that failed.
    """
    del expected
    gate = _gate(evidence)
    live = evidence.record.live
    if live is None:
        if gate is not None:
            yield Reason("RECORD_INCOMPLETE", evidence.where("live"), detail="it says nothing about the live lane")
        raise NotEvaluated("the record says nothing about the live lane")
    where = evidence.where("live")
    for name, counts in (("live", live), ("its step", gate.counts if gate is not None else None)):
        for code, detail in _wrong_counts(counts) if counts is not None else ():
            yield Reason(code, where, name, detail)
    if gate is not None and gate.counts is not None:
        for field in _FIELDS:
            one, two = getattr(live, field), getattr(gate.counts, field)
            if one != two:
                yield Reason("LIVE_UNACCOUNTED", where, field, f"{one}, and the step counted {two}")
    yield from (Reason("LIVE_UNACCOUNTED", where, node, detail) for node, detail in _wrong_nodes(live))


def _wrong_counts(counts: GateCounts) -> Iterator[tuple[str, str]]:
    if counts.collected != counts.ended:
        yield "LIVE_UNACCOUNTED", f"{counts.collected} collected, and {counts.ended} came to an end"
    if counts.failed or counts.errors:
        yield "LIVE_FAILED", f"{counts.failed} failed, {counts.errors} errors"
    others = {
        "deselected": counts.deselected,
        "expected to fail": counts.xfailed,
        "passed unexpectedly": counts.xpassed,
        "run again": counts.reruns,
    }
    for what, number in others.items():
        if number:
            yield "LIVE_UNACCOUNTED", f"{number} were {what}"


def _wrong_nodes(live: Live) -> Iterator[tuple[str, str]]:
    if not live.nodes:
        return
    for name, times in Counter(node.id for node in live.nodes).items():
        if times > 1:
            yield name, f"it is there {times} times"
    outcomes = Counter(node.outcome for node in live.nodes)
    found = {"collected": len(live.nodes), "passed": outcomes["passed"], "skipped": outcomes["skipped"]}
    for field, number in found.items():
        if number != getattr(live, field):
            yield field, f"{getattr(live, field)}, and {number} are listed"
    for node in live.nodes:
        if node.outcome not in {"passed", "skipped"}:
            yield node.id, f"its outcome is `{node.outcome}`"


@condition(
    "EVD334",
    "live-skips-paid",
    {"LIVE_SKIP_NOT_PAID": REJECT, "LIVE_PAID_RAN": REJECT, "LIVE_SKIP_REASON": REJECT},
    "make what is missing available, and run the live lane again: only tests that cost money may be skipped",
    source="L-03, L-04",
    broken=(
        Change(
            _RECORD,
            '"tests/live/test_paid.py::test_diff"\n',
            '"tests/live/test_paid.py::test_diff",\n    "tests/live/test_free.py::test_b"\n',
            "a paid test ran that was to be skipped",
            ("LIVE_PAID_RAN",),
        ),
        Change(
            _RECORD,
            '"tests/live/test_paid.py::test_backend",\n',
            "",
            "a test was skipped that costs nothing",
            ("LIVE_SKIP_NOT_PAID",),
        ),
    ),
)
def live_skips_paid(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """Those tests are skipped that cost money, all of them and no other, for that reason."""
    del expected
    live = _live(evidence)
    where, paid = evidence.where("live.paid_skips"), set(live.paid_skips)
    if live.skipped > len(paid):
        detail = f"{live.skipped} were skipped, and {len(paid)} of them cost money"
        yield Reason("LIVE_SKIP_NOT_PAID", where, detail=detail)
    elif live.skipped < len(paid):
        detail = f"{len(paid)} cost money, and {live.skipped} were skipped"
        yield Reason("LIVE_PAID_RAN", where, detail=detail)
    for node in live.nodes:
        costs = node.paid or node.id in paid
        if node.outcome == "skipped" and not costs:
            yield Reason("LIVE_SKIP_NOT_PAID", evidence.where("live.nodes"), node.id, node.reason or "it costs nothing")
        if node.outcome != "skipped" and costs:
            yield Reason("LIVE_PAID_RAN", evidence.where("live.nodes"), node.id, f"it costs money, and {node.outcome}")
    if evidence.lanes is None or not live.nodes:
        raise NotEvaluated("nobody listed the tests of the live lane with the reasons of their skips")
    for node in live.nodes:
        if node.outcome == "skipped" and evidence.lanes.paid_reason not in node.reason:
            yield Reason("LIVE_SKIP_REASON", evidence.where("live.nodes"), node.id, f"it says `{node.reason}`")


@condition(
    "EVD335",
    "live-port-final",
    {"PORT_HISTORY": REJECT},
    "look up the worker's port again, verify its project, and run the live lane there",
    source="L-08",
    broken=(
        Change(_RECORD, "UNITY_MCP_PORT=57131", "UNITY_MCP_PORT=57130", "it asked another editor", ("PORT_HISTORY",)),
    ),
)
def live_port_final(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """The live lane talked to the port that was looked up last."""
    del expected
    record, gate = evidence.record, _gate(evidence)
    final = record.state_number("final_port")
    final = record.port_history[-1] if record.port_history else final
    used = [record.live.port] if record.live is not None and record.live.port is not None else []
    if gate is not None and evidence.lanes is not None:
        named = re.search(rf"\b{re.escape(evidence.lanes.port_variable)}=([0-9]{{1,5}})\b", gate.command, re.ASCII)
        used += [int(named[1])] if named is not None else []
    for port in used:
        if final is not None and port != final:
            yield Reason("PORT_HISTORY", evidence.where("live"), detail=f"it used {port}, and the last port is {final}")
    if final is None or not used:
        raise NotEvaluated("the record does not say which port the live lane used, or which was the last one")


@condition("EVD338", "live-in-order", {"LIVE_ORDER": WARNING}, _AGAIN, source="L-07")
def live_in_order(evidence: RecordEvidence, expected: Expectations) -> Iterator[Reason]:
    """The tests of the live lane ran stage by stage: those that change most in the editor come last.

    Only a record that lists the tests with their stages, in the order in which they ran, can break this.
    """
    del expected
    stages = evidence.lanes.live_stages if evidence.lanes is not None else ()
    nodes = [node for node in _live(evidence).nodes if node.stage in stages]
    for before, node in pairwise(nodes):
        if stages.index(node.stage) < stages.index(before.stage):
            detail = f"`{node.stage}` behind `{before.stage}`"
            yield Reason("LIVE_ORDER", evidence.where("live.nodes"), node.id, detail)
    if not nodes:
        raise NotEvaluated("nobody listed the tests of the live lane with their stages")


LIVE: tuple[Condition[RecordEvidence], ...] = (
    live_accounted,
    live_skips_paid,
    live_port_final,
    live_in_order,
)
