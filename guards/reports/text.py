"""The report for people: each finding with its line, carets, related places, why and what instead."""

from collections.abc import Iterator

from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports import Sources, Style
from guards.reports.escape import visible
from guards.reports.snippet import snippet
from guards.reports.summary import summary
from guards.source.place import Place

_COLOURS = {"error": "1;31", "warning": "1;33", "note": "1;36", "bold": "1", "dim": "2", "mark": "1;31"}


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """All findings, then the summary.

    Why and what instead stand below the first finding of each rule only: with many findings,
    repeating them hides the lines that differ.
    """
    paint = _Paint(style)
    explained: set[tuple[str, str]] = set()
    lines: list[str] = []
    for finding in result.findings:
        explain = (finding.rule, finding.why) not in explained
        explained.add((finding.rule, finding.why))
        lines.extend(_finding(finding, sources, paint, explain=explain))
        lines.append("")
    lines.extend(summary(result))
    return "".join(f"{line}\n" for line in lines)


class _Paint:
    """Colours, or none."""

    def __init__(self, style: Style) -> None:
        self.width = style.width
        self._colour = style.colour

    def __call__(self, text: str, colour: str) -> str:
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self._colour and text else text


def _finding(finding: Finding, sources: Sources, paint: _Paint, *, explain: bool) -> Iterator[str]:
    severity = paint(f"{finding.severity}[{finding.rule}]", finding.severity)
    yield f"{paint(_where(finding.place), 'bold')}: {severity} {visible(finding.message)}"
    yield from _snippet(finding.place, sources, paint)
    for related in finding.related:
        yield f"  {paint(_where(related.place), 'bold')}: {visible(related.message)}"
        yield from _snippet(related.place, sources, paint)
    if explain:
        if finding.why:
            yield f"  {paint('why:', 'dim')}     {visible(finding.why)}"
        if finding.instead:
            yield f"  {paint('instead:', 'dim')} {visible(finding.instead)}"


def _where(place: Place) -> str:
    return f"{visible(place.path)}:{place.line}:{place.column}"


def _snippet(place: Place, sources: Sources, paint: _Paint) -> Iterator[str]:
    source = sources(place.path)
    if source is None:
        return
    for gutter, line, marks in snippet(source, place, paint.width):
        yield f"{paint(gutter, 'dim')}{line}"
        if marks:
            yield f"{paint(' ' * (len(gutter) - 2) + '| ', 'dim')}{paint(marks, 'mark')}"
