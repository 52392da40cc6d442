"""The end of every report for people: what was found, what was checked, and plainly what was not."""

from collections import Counter
from collections.abc import Iterator, Sequence

from guards.config.catalogue import SEVERITIES
from guards.findings.result import Fixes, RunResult, Skipped
from guards.reports.escape import sentence, visible
from guards.reports.model import Style

_LANGUAGES = {"csharp": "C#", "gdscript": "GDScript", "python": "Python"}
_SHOWN_SKIPPED = 5
_SHOWN_REFUSED = 5


def summary(result: RunResult, style: Style) -> Iterator[str]:
    """One line about what was found in what, then one or more about each thing that was left out."""
    yield f"{_found(result, style)} in {_checked(result)}."
    yield from _fixes(result)
    yield from _skipped(result.skipped, style)
    yield from unchecked(result)
    if result.suppressed:
        yield f"Suppressed with a reason: {counted(result.suppressed, 'finding')}."
    if result.baselined:
        yield f"Held back by the baseline: {counted(result.baselined, 'finding')}."
    for notice in result.notices:
        yield f"Notice: {sentence(notice)}"


def unchecked(result: RunResult) -> Iterator[str]:
    """A sentence for each thing that was left out and that no path stands for."""
    if result.allowed_unanalysed:
        yield f"Not read, and allowed by `allow-unanalysed`: {counted(result.allowed_unanalysed, 'file')}."
    if result.unread_regions:
        yield f"Did not parse, so no rule saw them: {counted(result.unread_regions, 'region')} (`parse-incomplete`)."


def _fixes(result: RunResult) -> Iterator[str]:
    made, refused, shown_only = result.fixes or Fixes()
    if made:
        files = counted(len({finding.place.path for finding in made}), "file")
        done, rest = ("Would fix", "; nothing was written") if shown_only else ("Fixed", "")
        yield f"{done} {counted(len(made), 'finding')} in {files}{rest}."
    if refused:
        yield f"Not fixed: {counted(len(refused), 'finding')}:"
        for finding, reason in refused[:_SHOWN_REFUSED]:
            where = f"{visible(finding.place.path)}:{finding.place.line}"
            yield f"  {where}: {visible(finding.rule)}: {sentence(reason)}"
        if len(refused) > _SHOWN_REFUSED:
            yield f"  and {len(refused) - _SHOWN_REFUSED} more"
    if not shown_only:
        yield from _fixable(result)


def _fixable(result: RunResult) -> Iterator[str]:
    """What more could be fixed, and by which option."""
    refused = {item.finding for item in result.fixes.refused} if result.fixes else set()
    offered = [finding.fix for finding in result.findings if finding.fix and finding not in refused]
    safe = sum(fix.safe for fix in offered)
    more = len(offered) - safe
    if safe:
        yield f"Fixable with `--fix`: {safe}{f'; {more} more with `--unsafe-fixes`' if more else ''}."
    elif more:
        yield f"Fixable with `--unsafe-fixes`: {more}."


def counted(number: int, word: str) -> str:
    """A number and what it counts."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def _found(result: RunResult, style: Style) -> str:
    counts = Counter(finding.severity for finding in result.findings)
    parts = [style.paint(counted(counts[name], name), name) for name in SEVERITIES if counts[name]]
    if not parts:
        return "No findings"
    return f"Found {', '.join(parts[:-1])}{' and ' if len(parts) > 1 else ''}{parts[-1]}"


def _checked(result: RunResult) -> str:
    if not result.files_checked:
        nothing = not result.skipped and not result.allowed_unanalysed
        return f"0 checked files{': there was nothing to check' if nothing else ''}"
    parts = [
        counted(number, "project file") if language == "project" else f"{number} {_LANGUAGES.get(language, language)}"
        for language, number in result.files_by_language
    ]
    return f"{counted(result.files_checked, 'checked file')} ({', '.join(parts)})"


def _skipped(skipped: Sequence[Skipped], style: Style) -> Iterator[str]:
    if not skipped:
        return
    yield f"{style.paint('Incomplete', 'error')}: {counted(len(skipped), 'file')} could not be checked:"
    for path, reason in skipped[:_SHOWN_SKIPPED]:
        yield f"  {visible(path)}: {sentence(reason)}"
    if len(skipped) > _SHOWN_SKIPPED:
        yield f"  and {len(skipped) - _SHOWN_SKIPPED} more; `--output json` names all"
