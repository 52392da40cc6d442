"""Source lines with marks below the range that is meant.

Columns count characters; what a terminal shows takes more room (tabs, wide characters, escapes)
or less (combining characters), so marks are placed by width and never by column.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import category, east_asian_width

from guards.reports.escape import visible
from guards.source.place import Place, file_place
from guards.source.text import SourceText

_TAB = 4
_CUT = "..."
_LEAST_ROOM = 20


class Row(NamedTuple):
    """One line as it is shown, and the marks below it; number 0 stands for lines left out."""

    number: int
    line: str
    marks: str


class _Cell(NamedTuple):
    """One character as it is shown, and how many columns that takes."""

    shown: str
    width: int


class _Part(NamedTuple):
    """A part of a line, a range of its cells, and whether the line goes on before and after it."""

    cells: Sequence[_Cell]
    start: int
    end: int
    before: bool
    after: bool


def rows(source: SourceText, place: Place, mark: str, room: int) -> Iterator[Row]:
    """The first and the last line of a place, cut to ``room`` columns around its range.

    Nothing for a place that means the file as a whole, or that lies outside of it.
    """
    if place == file_place(place.path) or place.line > len(source.line_starts):
        return
    room = max(_LEAST_ROOM, room)
    text = _text(source, place.line)
    last = last_line(place)
    end = place.end_column - 1 if place.end_line == place.line else len(text.rstrip())
    yield _row(place.line, _cut(_part(text, place.column - 1, end, room), room), mark)
    text = _text(source, last)
    if last > place.line and text.strip():
        if last - place.line > 1:
            yield Row(0, _CUT, "")
        end = place.end_column - 1 if place.end_line == last else len(text.rstrip())
        yield _row(last, _cut(_part(text, len(text) - len(text.lstrip()), end, room), room), mark)


def last_line(place: Place) -> int:
    """The last line that a range reaches into: one that ends before a line's first character does not."""
    ends_before = place.end_column == 1 and place.end_line > place.line
    return place.end_line - 1 if ends_before else place.end_line


def width_of(character: str) -> int:
    """The columns that one visible character takes in a terminal."""
    if character < "\u0300":
        return 1
    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _text(source: SourceText, line: int) -> str:
    return source.line_bytes(line).decode("utf-8", "replace")


def _row(number: int, part: _Part, mark: str) -> Row:
    before, after = _CUT if part.before else "", _CUT if part.after else ""
    line = before + "".join(cell.shown for cell in part.cells) + after
    blank = len(before) + _width(part.cells[: part.start])
    # An empty range, or one behind the end of the line, has one mark all the same.
    marked = max(1, _width(part.cells[part.start : part.end]))
    return Row(number, line.rstrip(), " " * blank + mark * marked)


def _part(text: str, start: int, end: int, room: int) -> _Part:
    """The part of a line that can matter: of a million characters, only those near the range are looked at."""
    skipped = max(0, start - room)
    cells = _cells(text[skipped : start + room])
    return _Part(cells, start - skipped, end - skipped, skipped > 0, skipped + len(cells) < len(text))


def _cut(part: _Part, room: int) -> _Part:
    """The range, and as much around it as there is room for."""
    cells, start, end, before, after = part
    if not before and not after and _width(cells) <= room:
        return part
    if before or _width(cells[:end]) > room - len(_CUT):
        first = _first(cells, start, room // 3)
        before = before or first > 0
        cells, start, end = cells[first:], start - first, end - first
    if before:
        room -= len(_CUT)
    if after or _width(cells) > room:
        after = True
        cells = cells[: _stop(cells, room - len(_CUT))]
    return _Part(cells, start, end, before, after)


def _first(cells: Sequence[_Cell], start: int, lead: int) -> int:
    """The first cell to show for a range that starts at a cell and has so much room before it."""
    first = min(start, len(cells))
    while first > 0 and cells[first - 1].width <= lead:
        first -= 1
        lead -= cells[first].width
    return first


def _stop(cells: Sequence[_Cell], room: int) -> int:
    """How many cells fit into the room."""
    for number, cell in enumerate(cells):
        room -= cell.width
        if room < 0:
            return number
    return len(cells)


def _cells(text: str) -> list[_Cell]:
    cells, column = [], 0
    for character in text:
        shown = " " * (_TAB - column % _TAB) if character == "\t" else visible(character)
        width = len(shown) if shown != character else width_of(character)
        cells.append(_Cell(shown, width))
        column += width
    return cells


def _width(cells: Sequence[_Cell]) -> int:
    return sum(cell.width for cell in cells)
