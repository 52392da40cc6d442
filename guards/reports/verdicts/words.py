"""How every report for people says the same things of a verdict."""

from collections.abc import Iterator

from guards.evidence.condition import WARNING
from guards.evidence.model import OUTCOMES, Counts, Reason
from guards.evidence.verdict import FAILED, HELD, NOT_EVALUATED, Judged, Verdict
from guards.reports.escape import sentence, visible
from guards.reports.summary import counted

# Of one condition; a torn journal can break it once for each test.
SHOWN = 10


def counts(found: Counts) -> str:
    """What became of how many tests: ``6 tests: 5 passed, 1 skipped``."""
    parts = [f"{number} {name}" for name in OUTCOMES if (number := getattr(found, name))]
    return f"{counted(found.total, 'test')}{': ' if parts else ''}{', '.join(parts)}"


def reason(found: Reason) -> str:
    """One reason on one line: code, place, what it is about, what was found."""
    about = f" `{visible(found.identity)}`" if found.identity else ""
    detail = f": {sentence(found.detail)}" if found.detail else ""
    place = f" at {visible(str(found.where))}" if found.where.file else ""
    return f"{found.code}{place}{about}{detail}"


def identity(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What tells this run from others, in the order of the reader."""
    yield from ((name, visible(value)) for name, value in verdict.run.identity if value)


def failed(verdict: Verdict) -> list[Judged]:
    """The conditions that failed."""
    return [judged for judged in verdict.conditions if judged.state == FAILED]


def warnings(verdict: Verdict) -> list[tuple[Judged, Reason]]:
    """What is worth saying though it stops nothing."""
    return [(judged, found) for judged, found, _ in verdict.reasons(WARNING)]


def not_evaluated(verdict: Verdict) -> list[Judged]:
    """The conditions that nobody could judge, and that are not proved by this verdict."""
    return [judged for judged in verdict.conditions if judged.state == NOT_EVALUATED]


def held(verdict: Verdict) -> int:
    """How many conditions hold."""
    return sum(judged.state == HELD for judged in verdict.conditions)


def label(judged: Judged) -> str:
    """A condition as people look it up: its code and name, and its number in the contract's list."""
    source = f" ({judged.source})" if judged.source else ""
    return f"{judged.code} {judged.name}{source}"
