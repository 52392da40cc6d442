"""From conditions to a verdict."""

from collections.abc import Iterator
from typing import NamedTuple

from guards.evidence.condition import (
    INCOMPLETE,
    REJECT,
    SUMMARY,
    WARNING,
    Condition,
    Contract,
    EvidenceT_contra,
    NotEvaluated,
)
from guards.evidence.expectations import RELEASE, Expectations
from guards.evidence.model import Reason, Run

ACCEPTED, REJECTED, UNFINISHED = "accepted", "rejected", "incomplete"
HELD, FAILED, NOT_EVALUATED = "held", "failed", "not evaluated"


class Judged(NamedTuple):
    """What became of one condition.

    ``state`` is ``held``, ``failed`` or ``not evaluated``; a condition that only warns is held.
    ``reasons`` are what was found, each with its class; ``missing`` says why it was not evaluated.
    """

    code: str
    name: str
    title: str
    next_step: str
    state: str
    reasons: tuple[tuple[Reason, str], ...] = ()
    missing: str = ""
    source: str = ""


class Verdict(NamedTuple):
    """``accepted``, ``rejected`` or ``incomplete``, with every condition and what it was judged on.

    ``path`` is what was judged, as it was named, and ``took_for`` what it was taken for.
    """

    verdict: str
    contract: str
    run: Run
    conditions: tuple[Judged, ...]
    expectations: Expectations
    unprovable: tuple[str, ...] = ()
    path: str = ""
    took_for: str = ""

    def reasons(self, *classes: str) -> Iterator[tuple[Judged, Reason, str]]:
        """The reasons of all conditions, of the classes named or of all."""
        for judged in self.conditions:
            for reason, class_ in judged.reasons:
                if not classes or class_ in classes:
                    yield judged, reason, class_


def judge(contract: Contract[EvidenceT_contra], evidence: EvidenceT_contra, expected: Expectations) -> Verdict:
    """Judges evidence by every condition of a contract."""
    promoted = contract.strict | (contract.release if expected.profile == RELEASE else frozenset())
    conditions = tuple(_judged(condition, evidence, expected, promoted) for condition in contract.conditions)
    classes = {class_ for judged in conditions for _, class_ in judged.reasons}
    return Verdict(_composed(classes), contract.name, evidence.run, conditions, expected, contract.unprovable)


def _composed(classes: set[str]) -> str:
    """Any reason to reject rejects; a summary can spoil a good run, but not hide that evidence is missing."""
    if REJECT in classes:
        return REJECTED
    if INCOMPLETE in classes:
        return UNFINISHED
    return REJECTED if SUMMARY in classes else ACCEPTED


def _judged(
    condition: Condition[EvidenceT_contra], evidence: EvidenceT_contra, expected: Expectations, promoted: frozenset[str]
) -> Judged:
    found: list[tuple[Reason, str]] = []
    missing = ""
    try:
        for reason in condition.judge(evidence, expected):
            class_ = condition.reasons[reason.code]
            promote = class_ == WARNING and reason.code in promoted and not reason.normal
            found.append((reason, REJECT if promote else class_))
    except NotEvaluated as error:
        missing = str(error)
    failed = any(class_ != WARNING for _, class_ in found)
    state = FAILED if failed else NOT_EVALUATED if missing else HELD
    return Judged(
        condition.code,
        condition.name,
        condition.title,
        condition.next_step,
        state,
        tuple(found),
        missing,
        condition.source,
    )
