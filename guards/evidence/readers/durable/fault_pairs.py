"""Which runs of a store are fault runs, and which canary belongs to each."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from guards.evidence.lanes import Scenario
from guards.evidence.readers.durable.store import Entry


class Found(NamedTuple):
    """A scenario with its fault run and its canary; either is None where there is none."""

    scenario: Scenario
    fault: Entry | None
    canary: Entry | None


class _Matched(NamedTuple):
    scenario: Scenario
    fault: bool


def match(entry: Entry, scenarios: Iterable[Scenario]) -> _Matched | None:
    """The scenario that a run belongs to, by the first of its filters that any scenario has."""
    for filter_ in entry.filters:
        for scenario in scenarios:
            if filter_ in {scenario.fault, scenario.canary}:
                return _Matched(scenario, filter_ == scenario.fault)
    return None


def pairs(entries: Sequence[Entry], scenarios: Sequence[Scenario]) -> list[Found]:
    """Every scenario with its last fault run and its last canary.

    A canary of another scenario is taken where a fault run has none and nobody else needs that
    canary: then it was offered in place of the right one.
    """
    faults: dict[str, Entry] = {}
    canaries: dict[str, Entry] = {}
    for entry in entries:
        matched = match(entry, scenarios)
        if matched is not None:
            (faults if matched.fault else canaries)[matched.scenario.name] = entry
    lonely = [name for name in faults if name not in canaries]
    for name, spare in zip(lonely, [name for name in canaries if name not in faults], strict=False):
        canaries[name] = canaries.pop(spare)
    return [Found(each, faults.get(each.name), canaries.get(each.name)) for each in scenarios]
