"""Conditions that hold for evidence of every kind."""

from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import Evidence, Reason, issues_of


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
