"""Conditions that hold for evidence of every kind."""

from collections.abc import Iterator
from typing import NamedTuple

from guards.evidence.condition import INCOMPLETE, Contract, NotEvaluated, condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import Dated, Evidence, Reason, Run, Where, issues_of
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge


@condition(
    "EVD001",
    "unchanged",
    {"CHANGED_WHILE_READ": INCOMPLETE},
    "wait until nothing writes there any more, and accept again",
)
def unchanged(evidence: Evidence, expected: Expectations) -> Iterator[Reason]:
    """No file changed while it was read.

    No change of a file that lies still can break this.
    """
    del expected
    yield from issues_of(evidence, "CHANGED_WHILE_READ")


@condition(
    "EVD002",
    "newer-than-sources",
    {"RESULT_OLDER_THAN_SOURCES": INCOMPLETE},
    "run the tests again: what they prove is about sources that are no longer there",
)
def newer_than_sources(evidence: Dated, expected: Expectations) -> Iterator[Reason]:
    """The result is newer than every source.

    Only `--in-place` judges that, by the times of the project's source files; what breaks it is to
    edit one of them after the run.
    """
    if expected.newest_source is None:
        raise NotEvaluated("the times of copied files mean nothing; `--in-place` says that these are no copies")
    if evidence.written_ns is None:
        raise NotEvaluated("nothing says when the result was written")
    source, changed = expected.newest_source
    if evidence.written_ns < changed:
        yield Reason("RESULT_OLDER_THAN_SOURCES", Where(source), detail="it was changed after the run")


class Nothing(NamedTuple):
    """What stands where nothing stands, or where a file is empty."""

    path: str
    run: Run = Run("nothing")
    issues: tuple[Reason, ...] = ()


@condition(
    "EVD003",
    "evidence-there",
    {"EVIDENCE_MISSING": INCOMPLETE},
    "run the tests, and look where the runner writes its results; an exit code of 0 alone proves nothing",
)
def evidence_there(evidence: Nothing, expected: Expectations) -> Iterator[Reason]:
    """There is any evidence at all.

    A path where nothing stands, or an empty file, is what a runner leaves that never began to write.
    """
    del expected
    yield Reason("EVIDENCE_MISSING", Where(evidence.path), detail="nothing stands there")


CONTRACT: Contract[Nothing] = Contract("nothing", "No evidence", "What is judged where nothing is.", (evidence_there,))


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Judges that there is nothing."""
    return judge(CONTRACT, Nothing(taken.path), expected)
