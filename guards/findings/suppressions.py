"""Suppressions: comments that allow a rule at one place, with a reason.

``// suiteguard: allow[thread-sleep] waits for the driver's own thread``

The comment stands at the end of the flawed line, or alone above it (above the attributes or
decorators of a method counts too). Without a reason nothing is suppressed.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from guards.findings.model import Comment
from guards.source.edits import Edit
from guards.source.place import Place
from guards.source.text import SourceText

_MARK = re.compile(r"\bsuiteguard\s*:\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ALLOW = re.compile(r"allow\s*\[(?P<names>[^\]\r\n]*)\](?P<reason>.*)", re.DOTALL)
_NAME = re.compile(r"[^\s,]+")
_BLOCK_END = re.compile(r"\s*\*/\s*\Z")
_HEAD = re.compile(rb"\s*(?:@|\[.*\]\s*(?://.*)?\Z)")


class Suppression(NamedTuple):
    """One comment that wants to suppress.

    ``names`` are the rules as written, each with its own place in ``name_places``;
    ``first_line`` and ``last_line`` are the lines it covers. ``understood`` is false where the
    comment addresses us but has no ``allow[…]``. ``list_span`` is the byte range of the names;
    ``removal`` takes the comment away, or what of it is a suppression.
    """

    names: tuple[str, ...]
    name_places: tuple[Place, ...]
    reason: str
    place: Place
    first_line: int
    last_line: int
    understood: bool = True
    list_span: tuple[int, int] = (0, 0)
    removal: Edit = Edit(0, 0, "")

    def without(self, names: Collection[str]) -> Edit:
        """The edit that takes names off the list, and with the last one the comment."""
        left = [name for name in self.names if name not in names]
        return Edit(*self.list_span, ", ".join(left)) if left else self.removal

    @property
    def has_reason(self) -> bool:
        """Whether the reason says anything at all: punctuation alone does not."""
        return any(character.isalnum() for character in self.reason)

    def covers(self, rule: str, line: int) -> bool:
        """Whether a finding of this rule on this line is suppressed."""
        return self.has_reason and rule in self.names and self.first_line <= line <= self.last_line


class Commented(Protocol):
    """A file whose comments are known, or can be found."""

    @property
    def text(self) -> SourceText:
        """The decoded text."""

    @property
    def comments(self) -> Sequence[Comment]:
        """Real comment tokens, in order."""


def find_suppressions(file: Commented) -> tuple[Suppression, ...]:
    """The suppressions among the comments of one file, in order."""
    text = file.text
    if b"suiteguard" not in text.data.lower():
        return ()  # without a look at the comments, which can be dear
    comments = file.comments
    comment_lines = _comment_lines(text, comments)
    code_below = _code_below(text, comment_lines)
    found = []
    for comment in map(_within_its_line, comments):
        mark = _MARK.search(comment.text)
        if mark is not None:
            first, last = _covered_lines(text, comment, comment_lines, code_below)
            found.append(_parse(text, comment, mark, first, last))
    return tuple(found)


def _within_its_line(comment: Comment) -> Comment:
    """The comment without what stands behind a lone CR, which ends a line for compilers but not for every parser."""
    line = comment.text.partition("\r")[0]
    if line == comment.text or comment.text.startswith("/*"):
        return comment
    return comment._replace(text=line, end=comment.start + len(line.encode()))


def _parse(text: SourceText, comment: Comment, mark: re.Match[str], first: int, last: int) -> Suppression:
    place = text.place(comment.start, comment.end)
    allow = _ALLOW.match(mark["rest"])
    if allow is None:
        return Suppression((), (), "", place, first, last, understood=False)
    names, places = [], []
    list_start = comment.start + len(comment.text[: mark.start("rest") + allow.start("names")].encode())
    for name in _NAME.finditer(allow["names"]):
        start = list_start + len(allow["names"][: name.start()].encode())
        names.append(name[0])
        places.append(text.place(start, start + len(name[0].encode())))
    reason = _BLOCK_END.sub("", allow["reason"]).strip(" \t:-\r\n")
    list_span = (list_start, list_start + len(allow["names"].encode()))
    removal = _removal(text, comment, comment.text[: mark.start()])
    return Suppression(
        tuple(names), tuple(places), reason, place, first, last, bool(names), list_span=list_span, removal=removal
    )


def _removal(text: SourceText, comment: Comment, before_mark: str) -> Edit:
    """The edit that takes away a comment from its mark on, with its lines where nothing else stands there."""
    if words := before_mark.rstrip(" \t\r\n#/*-,;"):
        block_end = _BLOCK_END.search(comment.text)
        kept = len(block_end[0].encode()) if block_end else 0
        return Edit(comment.start + len(words.encode()), comment.end - kept, "")
    data, starts = text.data, text.line_starts
    first, last = text.line_of(comment.start), text.line_of(comment.end - 1)
    before = data[starts[first - 1] : comment.start]
    after = _rest_of_line(text, comment.end)
    if before.strip():
        start = comment.start - len(before) + len(before.rstrip())
        joins = data[comment.end : comment.end + 1].strip() and start == comment.start
        return Edit(start, comment.end, " " if joins else "")
    if after:
        return Edit(comment.start, data.index(after, comment.end), "")
    if last < len(starts):
        return Edit(starts[first - 1], starts[last], "")
    # The last line has no end, and the line before it gets none either.
    line_end = text.line_end(first - 1) if first > 1 else ""
    return Edit(starts[first - 1] - len(line_end), len(data), "")


def _comment_lines(text: SourceText, comments: Sequence[Comment]) -> frozenset[int]:
    """Lines that hold nothing but comments."""
    return frozenset(
        line
        for comment in comments
        if comment.own_line and not _rest_of_line(text, comment.end)
        for line in range(text.line_of(comment.start), text.line_of(max(comment.start, comment.end - 1)) + 1)
    )


def _rest_of_line(text: SourceText, offset: int) -> bytes:
    line = text.line_of(offset)
    return text.line_bytes(line)[offset - text.line_starts[line - 1] :].strip()


def _covered_lines(
    text: SourceText, comment: Comment, comment_lines: frozenset[int], code_below: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    last_of_comment = text.line_of(max(comment.start, comment.end - 1))
    if text.line_of(comment.start) not in comment_lines:
        return text.line_of(comment.start), last_of_comment
    return code_below[last_of_comment + 1]


def _code_below(text: SourceText, comment_lines: frozenset[int]) -> list[tuple[int, int]]:
    """For each line, and the one behind the last, the first and the last line that a comment above it covers.

    Filled from below in one pass, so that thousands of comments in a row cost no more than one.
    """
    count = len(text.line_starts)
    below = [(count + 1, count + 1)] * (count + 2)
    for line in range(count, 0, -1):
        content = text.line_bytes(line)
        if line in comment_lines or not content.strip():
            below[line] = below[line + 1]
        else:
            is_head = line < count and _HEAD.match(content)
            below[line] = (line, below[line + 1][1] if is_head else line)
    return below
