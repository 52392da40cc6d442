"""What a run has to say, to whoever reports it."""

from typing import NamedTuple

from guards.findings.model import Finding


class Skipped(NamedTuple):
    """A guarded file that could not be read or judged, and why."""

    path: str
    reason: str


SUPPRESSION = "suppression"
BASELINE = "baseline"


class Excused(NamedTuple):
    """A finding that does not count, by a suppression or by the baseline, and the reason given."""

    finding: Finding
    by: str
    reason: str


class Refused(NamedTuple):
    """A finding whose fix was wanted and not made, and why."""

    finding: Finding
    reason: str


class Fixes(NamedTuple):
    """What came of a wish to fix: the findings that are fixed, where they stood, and those whose fix was refused.

    ``shown_only`` says that the fixes were shown, and the files left as they are.
    """

    made: tuple[Finding, ...] = ()
    refused: tuple[Refused, ...] = ()
    shown_only: bool = False


class RuleText(NamedTuple):
    """What there is to read about a rule, in all its languages.

    ``codes`` are empty for rules that are rows of configuration, and so is ``confidence``. ``aliases`` are
    former names. ``meaning`` is the part of the page that says what the rule reports; both are Markdown.
    """

    name: str
    codes: tuple[str, ...]
    languages: tuple[str, ...]
    aliases: tuple[str, ...]
    severity: str
    confidence: str
    summary: str
    meaning: str
    page: str


class RunResult(NamedTuple):
    """Everything one run has to say.

    ``skipped`` are files that could not be read and that ``allow-unanalysed`` does not cover;
    ``allowed_unanalysed`` counts those it covers. ``unread_regions`` counts regions that did
    not parse. ``excused`` are findings that a suppression or the baseline took away, in order.
    ``judged`` are the hashes of what was read, for files with findings that offer a fix.
    ``fixes`` is what fixing did, where that was asked for; the rest is then what it left.
    ``checked`` are the paths of the files that were checked, sorted. ``rules`` are the texts of
    the rules in it, sorted by name, for reports that show them.
    """

    findings: tuple[Finding, ...]
    files_checked: int
    files_by_language: tuple[tuple[str, int], ...]
    skipped: tuple[Skipped, ...] = ()
    allowed_unanalysed: int = 0
    unread_regions: int = 0
    excused: tuple[Excused, ...] = ()
    notices: tuple[str, ...] = ()
    judged: tuple[tuple[str, bytes], ...] = ()
    fixes: Fixes | None = None
    checked: tuple[str, ...] = ()
    rules: tuple[RuleText, ...] = ()

    @property
    def suppressed(self) -> int:
        """How many findings a comment with a reason took away."""
        return sum(1 for excused in self.excused if excused.by == SUPPRESSION)

    @property
    def baselined(self) -> int:
        """How many findings the baseline took away."""
        return sum(1 for excused in self.excused if excused.by == BASELINE)
