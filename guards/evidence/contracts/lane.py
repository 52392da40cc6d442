"""What lanes have in common: several durable runs, each judged by the ordinary contract and then by more."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple, Protocol

from guards.evidence.bundle import Bundle
from guards.evidence.condition import Condition, NotEvaluated
from guards.evidence.contracts.durable_run import CONTRACT as ORDINARY
from guards.evidence.expectations import Expectations
from guards.evidence.lanes import LANES, Lanes
from guards.evidence.model import Evidence, Reason, Run, count
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.taken import BadPath

# Warnings of the ordinary contract that no lane lets pass.
STRICT = frozenset(
    {
        "CANCEL_REQUESTED",
        "DUPLICATE_TERMINAL_DELIVERY",
        "DUPLICATE_START_DELIVERY",
        "FINISH_WITHOUT_START",
        "RETRY_MASKED_FAILURE",
    }
)
# What is left for a release.
RELEASE = ORDINARY.release - STRICT
# What of the caller's words is judged in every run of a lane.
JUDGED = ("mode", "project", "framework-version", "editor-version")
# Of the reading of all files, and of tests that belong into lanes alone.
_OF_THE_WHOLE = {"EVD001", "EVD002", "EVD158"}


class Part(NamedTuple):
    """A run of a lane: ``filter`` is what it must have been asked for, ``apart`` what is not judged of it.

    ``request`` is the request that it was named by.
    """

    run: DurableRun
    filter: str
    apart: frozenset[str] = frozenset()
    request: str | None = None

    def expected(self, expected: Expectations, lanes: Lanes) -> Expectations:
        """What is expected of this run."""
        return expected._replace(
            mode=expected.mode or lanes.mode,
            filter=self.filter,
            group="",
            run_id=None,
            request_id=self.request,
            min_tests=1,
            total=None,
        )


class Lane(Evidence, Protocol):
    """The evidence of a lane; ``bundle`` is its project, where ``project`` says that it is at hand."""

    lanes: Lanes
    bundle: Bundle
    project: bool

    @property
    def parts(self) -> Iterable[Part]:
        """Its durable runs, in their order."""


def lanes_for(expected: Expectations, what: str) -> Lanes:
    """What the configuration says about lanes.

    Raises:
        BadPath: it says nothing, so nobody knows which runs belong to one.
    """
    if expected.lanes not in LANES:
        presets = ", ".join(f"`{name}`" for name in sorted(LANES))
        raise BadPath(
            f"the {what} is judged by what a project says about its lanes, and no preset in force says it; "
            f"use one that does: {presets}"
        )
    return LANES[expected.lanes]


def run_of(kind: str, parts: Iterable[Part]) -> Run:
    """All runs of a lane as one."""
    runs = [part.run.run for part in parts]
    leaves = tuple(chain.from_iterable(run.leaves for run in runs))
    started = min((run.started for run in runs), default="")
    return Run(kind, leaves, count(leaves), None, (), started, max((run.finished for run in runs), default=""))


def written_of(parts: Iterable[Part]) -> int | None:
    """When the first of several runs was over; None where one does not say it."""
    times = [part.run.written_ns for part in parts]
    known = [time for time in times if time is not None]
    return min(known) if known and len(known) == len(times) else None


def ordinary() -> tuple[Condition[Lane], ...]:
    """The conditions of the ordinary contract, each held against every run of a lane."""
    return tuple(_of_each(condition) for condition in ORDINARY.conditions if condition.code not in _OF_THE_WHOLE)


def _of_each(condition: Condition[DurableRun]) -> Condition[Lane]:
    def judge(lane: Lane, expected: Expectations) -> Iterator[Reason]:
        missing = ""
        told: set[Reason] = set()
        for part in lane.parts:
            if condition.code in part.apart:
                continue
            found: list[Reason] = []
            try:
                found.extend(condition.judge(part.run, part.expected(expected, lane.lanes)))
            except NotEvaluated as error:  # what was found before it stays found
                missing = missing or str(error)
            # Two runs of one project share its files.
            yield from (reason for reason in found if reason not in told)
            told.update(found)
        if missing:
            raise NotEvaluated(missing)

    return Condition(
        condition.code,
        condition.name,
        condition.title,
        "Of every run of the lane.",
        condition.reasons,
        condition.next_step,
        judge,
        condition.source,
        page=ORDINARY.name,
    )
