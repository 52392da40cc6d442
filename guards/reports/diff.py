"""A unified diff of files as they are and as fixes would leave them."""

import os
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from guards.reports.escape import joined, visible_lines
from guards.reports.model import Style
from guards.source.text import SourceText

_CONTEXT = 3
_NO_END = "\\ No newline at end of file"

Group = list[tuple[str, int, int, int, int]]


def render(changes: Iterable[tuple[SourceText, SourceText]], style: Style, *, terminal: bool) -> str:
    """The changes of files, each as it was and as it would be, fit for ``git apply`` from the project's root.

    What a person would not see and what a CI server would obey is written as an escape, so a hunk that shows such a
    line can be read but not applied. A terminal is spared the carriage returns at the ends of lines.
    """
    return joined(line for before, after in changes for line in _file(before, after, style, terminal=terminal))


def _file(before: SourceText, after: SourceText, style: Style, *, terminal: bool) -> Iterator[str]:
    old, new = (_lines(text.data, terminal=terminal) for text in (before, after))
    groups = list(_groups(old, new))
    if groups:
        yield style.paint(f"--- {_name('a', before.path)}", "strong")
        yield style.paint(f"+++ {_name('b', after.path)}", "strong")
    for group in groups:
        yield style.paint(_head(group), "frame")
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from _shown(" ", old[start:end])
            else:
                yield from (style.paint(line, "removed") for line in _shown("-", old[start:end]))
                yield from (style.paint(line, "added") for line in _shown("+", new[new_start:new_end]))


def _lines(data: bytes, *, terminal: bool) -> list[str]:
    """The lines with their ends, as far as these are shown."""
    lines = [line.decode() for line in data.splitlines(keepends=True)]
    return [f"{line[:-2]}\n" if line.endswith("\r\n") else line for line in lines] if terminal else lines


def _groups(old: list[str], new: list[str]) -> Iterator[Group]:
    """The hunks. Equal beginnings are set aside, because matching looks at every line."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    aside = max(0, same - _CONTEXT)
    for group in SequenceMatcher(None, old[aside:], new[aside:]).get_grouped_opcodes(_CONTEXT):
        yield [(tag, a + aside, b + aside, c + aside, d + aside) for tag, a, b, c, d in group]


def _head(group: Group) -> str:
    (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
    return f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@"


def _range(start: int, end: int) -> str:
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + (length > 0)},{length}"


def _shown(sign: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        body = line.rstrip("\r\n")
        end = line[len(body) :]
        yield f"{sign}{visible_lines(body)}{_end(end)}"
        if not end:
            yield _NO_END


def _end(end: str) -> str:
    # A lone carriage return would let the next line overwrite this one.
    return {"\r\n": "\r", "\r": "\\r"}.get(end, "")


def _name(side: str, path: str) -> str:
    """A file's name, quoted as git does where it holds what is not shown."""
    name = f"{side}/{path}"
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    quoted = (
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:03o}" for byte in os.fsencode(name)
    )
    return f'"{"".join(quoted)}"'
