"""The report for people: each finding with its line and marks, related places, why, and what to write instead."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports.escape import joined, sentence, visible
from guards.reports.model import Sources, Style
from guards.reports.snippet import last_line, rows, width_of
from guards.reports.summary import summary
from guards.source.place import Place

# Findings come in the order of their paths, and related places are often in few files.
_KEPT_SOURCES = 16


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """All findings, then the summary.

    Why and what instead stand below the first finding of each rule only: with many findings,
    repeating them hides the lines that differ.
    """
    layout = _Layout(lru_cache(_KEPT_SOURCES)(sources), style)
    explained: set[tuple[str, str, str]] = set()
    lines: list[str] = []
    for finding in result.findings:
        explanation = (finding.rule, finding.why, finding.instead)
        lines.extend(layout.finding(finding, explain=explanation not in explained))
        lines.append("")
        explained.add(explanation)
    lines.extend(summary(result, style))
    if result.findings:
        lines.append("`suiteguard explain RULE` says what a rule means, with examples.")
    return joined(lines)


class _Layout:
    """How findings are laid out for one style."""

    def __init__(self, sources: Sources, style: Style) -> None:
        self._sources = sources
        self._style = style

    def finding(self, finding: Finding, *, explain: bool) -> Iterator[str]:
        """The lines of one finding."""
        gutter = max(len(str(last_line(place))) for place in finding.places())
        name = self._style.paint(f"{finding.severity}[{visible(finding.rule)}]", finding.severity)
        yield f"{name}: {self._style.paint(sentence(finding.message), 'strong')}"
        yield f"{' ' * gutter}{self._frame('-->')} {_where(finding.place)}"
        yield from self._snippet(finding.place, gutter, "^", finding.severity)
        for related in finding.related:
            yield f"{' ' * gutter}{self._frame(':::')} {_where(related.place)}: {sentence(related.message)}"
            yield from self._snippet(related.place, gutter, "-", "frame")
        if explain:
            yield from self._remark("why", finding.why, gutter)
            yield from self._remark("instead", finding.instead, gutter)
        if finding.fix:
            yield from self._remark("fix" if finding.fix.safe else "unsafe fix", finding.fix.title, gutter)

    def _frame(self, text: str) -> str:
        return self._style.paint(text, "frame")

    def _snippet(self, place: Place, gutter: int, mark: str, look: str) -> Iterator[str]:
        source = self._sources(place.path)
        shown = tuple(rows(source, place, mark, self._style.width - gutter - len(" | "))) if source else ()
        blank = " " * gutter
        if shown:
            yield f"{blank} {self._frame('|')}"
        for number, line, marks in shown:
            if not number:
                yield self._frame(line)
                continue
            yield f"{self._frame(f'{number:>{gutter}} |')} {line}".rstrip()
            before = len(marks) - len(marks.lstrip())
            yield f"{blank} {self._frame('|')} {marks[:before]}{self._style.paint(marks[before:], look)}"

    def _remark(self, label: str, text: str, gutter: int) -> Iterator[str]:
        if not text:
            return
        head = f"{' ' * gutter} = {label}: "
        first, *more = _wrapped(sentence(text).split(), self._style.width - len(head))
        yield f"{' ' * gutter} {self._frame('=')} {self._style.paint(f'{label}:', 'strong')} {first}"
        for line in more:
            yield f"{' ' * len(head)}{line}"


def _where(place: Place) -> str:
    return f"{visible(place.path)}:{place.line}:{place.column}"


def _wrapped(words: Iterable[str], room: int) -> Iterator[str]:
    """Lines of whole words; a word that is wider than the room stands alone."""
    line, used = "", 0
    for word in words:
        width = sum(map(width_of, word))
        if line and used + 1 + width > room:
            yield line
            line, used = "", 0
        line, used = (f"{line} {word}", used + 1 + width) if line else (word, width)
    yield line
