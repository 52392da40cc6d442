"""What a run has to say, to whoever reports it."""

from typing import NamedTuple

from guards.findings.model import Finding


class Skipped(NamedTuple):
    """A guarded file that could not be read or judged, and why."""

    path: str
    reason: str


class RunResult(NamedTuple):
    """Everything one run has to say.

    ``skipped`` are files that could not be read and that ``allow-unanalysed`` does not cover;
    ``allowed_unanalysed`` counts those it covers. ``unread_regions`` counts regions that did
    not parse, ``suppressed`` findings that a suppression with a reason took away.
    """

    findings: tuple[Finding, ...]
    files_checked: int
    files_by_language: tuple[tuple[str, int], ...]
    skipped: tuple[Skipped, ...] = ()
    allowed_unanalysed: int = 0
    unread_regions: int = 0
    suppressed: int = 0
    notices: tuple[str, ...] = ()
