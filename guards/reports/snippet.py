"""A source line with carets below the range that is meant."""

from collections.abc import Iterator
from unicodedata import combining, east_asian_width

from guards.reports.escape import visible
from guards.source.place import Place
from guards.source.text import SourceText

_TAB = 4
_SHOWN_LINES = 3
_BEFORE = 20


def snippet(source: SourceText, place: Place, width: int) -> Iterator[tuple[str, str, str]]:
    """The lines of a place as (gutter, line, carets), cut to a width; of a long range only the first few."""
    # A range that ends before the first column of a line does not reach into it.
    last = place.end_line - 1 if place.end_column == 1 and place.end_line > place.line else place.end_line
    shown = range(place.line, min(last, place.line + _SHOWN_LINES - 1) + 1)
    gutter_width = len(str(shown[-1]))
    for number in shown:
        text = source.line_bytes(number).decode("utf-8", "replace")
        start = place.column - 1 if number == place.line else len(text) - len(text.lstrip())
        end = place.end_column - 1 if number == place.end_line else len(text.rstrip())
        gutter = f"  {number:>{gutter_width}} | "
        yield gutter, *_cut(_cells(text), start, max(end, start + 1), max(20, width - len(gutter)))


def _cells(text: str) -> list[tuple[str, int]]:
    """Each character as it is shown, and how many columns of a terminal it takes."""
    cells = []
    column = 0
    for character in text:
        if character == "\t":
            shown = " " * (_TAB - column % _TAB)
            cells.append((shown, len(shown)))
        else:
            shown = visible(character)
            cells.append((shown, len(shown) if shown != character else _width(character)))
        column += cells[-1][1]
    return cells


def _width(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _cut(cells: list[tuple[str, int]], start: int, end: int, room: int) -> tuple[str, str]:
    """The part of a line around a range that fits into the room, and the carets below it."""
    first = 0
    if sum(width for _, width in cells[:end]) > room:
        first = max(0, start - _BEFORE)
    lead = "…" if first else ""
    used, last = len(lead), first
    while last < len(cells) and used + cells[last][1] < room:
        used += cells[last][1]
        last += 1
    if last == len(cells) - 1 and used + cells[last][1] <= room:
        last += 1
    tail = "…" if last < len(cells) else ""
    line = lead + "".join(shown for shown, _ in cells[first:last]) + tail
    before = len(lead) + sum(width for _, width in cells[first : min(start, last)])
    marked = sum(width for _, width in cells[start : min(end, last)])
    return line.rstrip(), " " * before + "^" * max(1, marked)
