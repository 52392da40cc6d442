"""The end of every report for people: what was found, what was checked, and what was not."""

from collections import Counter
from collections.abc import Iterator

from guards.config.catalogue import SEVERITIES
from guards.findings.result import RunResult
from guards.reports.escape import visible

_LANGUAGES = {"csharp": "C#", "gdscript": "GDScript", "project": "project files", "python": "Python"}
_SHOWN_SKIPPED = 10


def summary(result: RunResult) -> Iterator[str]:
    """The lines of the summary."""
    for skipped in result.skipped[:_SHOWN_SKIPPED]:
        yield f"{visible(skipped.path)}: not checked: {visible(skipped.reason)}"
    if len(result.skipped) > _SHOWN_SKIPPED:
        yield f"… and {len(result.skipped) - _SHOWN_SKIPPED} more files not checked (--output json names them all)"
    yield f"{_found(result)} in {_checked(result)}"
    unseen = list(_unseen(result))
    if unseen:
        yield f"not part of that: {', '.join(unseen)}"
    for notice in result.notices:
        yield f"note: {visible(notice)}"


def _found(result: RunResult) -> str:
    counts = Counter(finding.severity for finding in result.findings)
    parts = [_count(counts[severity], severity) for severity in SEVERITIES if counts[severity]]
    return ", ".join(parts) or "nothing found"


def _checked(result: RunResult) -> str:
    parts = [f"{number} {_LANGUAGES.get(language, language)}" for language, number in result.files_by_language]
    languages = f" ({', '.join(parts)})" if parts else ""
    return f"{_count(result.files_checked, 'file')}{languages}"


def _unseen(result: RunResult) -> Iterator[str]:
    if result.skipped:
        yield f"{_count(len(result.skipped), 'file')} not checked"
    if result.allowed_unanalysed:
        yield f"{_count(result.allowed_unanalysed, 'file')} not read, as the configuration allows"
    if result.unread_regions:
        yield f"{_count(result.unread_regions, 'region')} that could not be read"
    if result.suppressed:
        yield f"{_count(result.suppressed, 'finding')} suppressed with a reason"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
