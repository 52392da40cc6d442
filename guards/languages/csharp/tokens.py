"""The token pass: where comments, literals and directives stand, without a syntax tree.

C# decides what is a directive before it knows any grammar, so this comes before the parse. One
expression finds everything that can hide a comment, a quote or a ``#``; strings with holes are
followed with a stack, since a hole holds code that can hold strings again. Each byte is looked
at a bounded number of times, whatever the file holds.
"""

import re
from functools import cache
from typing import NamedTuple

from guards.findings.model import Comment
from guards.languages.csharp.spans import Span

# Every alternative begins with a literal byte: that lets `re` skip plain code fast.
_TOKENS = (
    rb"//[^\r\n]*"
    rb"|/\*"
    rb"|'(?:\\[^\r\n][0-9A-Fa-f]{0,8}|[^'\\\r\n]{1,4})'"
    rb'|"""+'
    rb'|"(?:[^"\\\r\n]++|\\[^\r\n])*+"?'
    rb'|@"(?:[^"]++|"")*+"?'
    rb'|@\$"'
    rb'|\$\$*@?"+'
    rb"|#"
)
_CODE = re.compile(_TOKENS)
_LINE_END = re.compile(rb"[\r\n]|\Z")
# Keyword, the text up to a comment, the comment.
_DIRECTIVE = re.compile(rb'#[ \t\f\v]*(:?\w*|!)((?:[^"/\r\n]++|"[^"\r\n]*+"?|/(?!/))*+)(//[^\r\n]*)?')
_OPENING = (b"(", b"[", b"{")
_CLOSING = (b")", b"]", b"}")
_WITHOUT_COMMENT = ("region", "endregion", "error", "warning", "!", ":")


class Directive(NamedTuple):
    """One preprocessor directive.

    ``keyword`` is what follows the ``#``: ``if``, ``elif``, ``pragma``, ``!`` of a script's first
    line, ``:package`` of a file-based program. ``condition_text`` is the rest of the line without
    its comment. The byte range goes from the ``#`` to the end of the line, line end excluded.
    """

    keyword: str
    condition_text: str
    start: int
    end: int


class Tokens(NamedTuple):
    """What the token pass found, each in order.

    ``literals`` are the ranges of string and character literals; the code in the holes of an
    interpolated string is not part of them.
    """

    comments: tuple[Comment, ...]
    directives: tuple[Directive, ...]
    literals: tuple[Span, ...]


def scan(data: bytes) -> Tokens:
    """Finds the comments, directives and literals of a C# file, well-formed or not."""
    scanner = _Scanner(data)
    scanner.run()
    return Tokens(tuple(scanner.comments), tuple(scanner.directives), tuple(scanner.literals))


def is_false(condition: str) -> bool:
    """Whether the condition of an ``#if`` is false in every build."""
    return condition.strip("() \t") in ("false", "0", "!true")


class _Frame:
    """An interpolated string whose text or hole the scanner stands in."""

    __slots__ = ("depth", "dollars", "one_line", "quotes", "verbatim")

    def __init__(self, *, quotes: int, dollars: int, verbatim: bool, one_line: bool) -> None:
        self.quotes = quotes
        self.dollars = dollars
        self.verbatim = verbatim
        self.one_line = one_line
        self.depth = 0


class _Scanner:
    __slots__ = ("comments", "data", "directives", "floor", "literals")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.comments: list[Comment] = []
        self.directives: list[Directive] = []
        self.literals: list[Span] = []
        self.floor = 0  # the end of the last token: what stands before needs no second look

    def run(self) -> None:
        search = _CODE.search
        found = search(self.data)
        while found is not None:
            start = found.start()
            if self.data[start] == 0x23:  # '#'
                end = self._directive(start) if self._starts_line(start) else start + 1
            else:
                end = self._token(found)
            self.floor = end
            found = search(self.data, end)

    def _token(self, found: re.Match[bytes]) -> int:
        """Records a comment or literal and returns its end."""
        start, end = found.span()
        first = self.data[start]
        if first == 0x2F:  # '/'
            if self.data[start + 1] == 0x2A:  # '*'
                close = self.data.find(b"*/", end)
                end = close + 2 if close >= 0 else len(self.data)
            self._comment(start, end)
            return end
        if first == 0x24 or self.data[start + 1 : start + 2] == b"$":
            return self._interpolated(start, end)
        if self.data.startswith(b'"""', start):
            end = self._raw_end(start, end)
        self.literals.append((start, end))
        return end

    def _comment(self, start: int, end: int) -> None:
        text = self.data[start:end].decode("utf-8", "replace")
        self.comments.append(Comment(text, start, end, self._starts_line(start)))

    def _starts_line(self, start: int) -> bool:
        """Whether nothing but space stands between the line's start and ``start``."""
        before = self.data[self.floor : start]
        line_end = max(before.rfind(b"\n"), before.rfind(b"\r"))
        return (line_end >= 0 or self.floor == 0) and not before[line_end + 1 :].strip()

    # -- directives

    def _directive(self, start: int) -> int:
        directive = self._read_directive(start)
        self.directives.append(directive)
        if directive.keyword in ("if", "elif") and is_false(directive.condition_text):
            return self._skip_dead_branch(directive.end)
        return directive.end

    def _read_directive(self, start: int) -> Directive:
        found = _DIRECTIVE.match(self.data, start)
        assert found is not None, "every part after the # may be empty"  # noqa: S101 - an invariant, for mypy
        keyword = found[1].decode("utf-8", "replace")
        if keyword.startswith(_WITHOUT_COMMENT) or found[3] is None:
            line_end = _LINE_END.search(self.data, found.end())
            end = line_end.start() if line_end else len(self.data)
            rest = self.data[found.end(1) : end]
        else:
            end, rest = found.end(), found[2]
            self.floor = found.start(3)
            self._comment(found.start(3), end)
        return Directive(keyword, rest.decode("utf-8", "replace").strip(), start, end)

    def _skip_dead_branch(self, start: int) -> int:
        """The place before the directive that ends a branch that is no code, only lines of text."""
        depth = 0
        for found in _conditional_line().finditer(self.data, start):
            keyword = found[2]
            if keyword == b"if":
                depth += 1
            elif depth == 0:
                return found.start()
            elif keyword == b"endif":
                depth -= 1
            self.floor = found.start()
            self.directives.append(self._read_directive(found.start(1)))
        return len(self.data)

    # -- strings

    def _raw_end(self, start: int, end: int) -> int:
        """The end of a raw string whose opening quotes are ``start`` to ``end``."""
        limit = len(self.data)
        if _has_text_on_line(self.data, end):
            line_end = _LINE_END.search(self.data, end)
            limit = line_end.start() if line_end else limit
        close = self.data.find(self.data[start:end], end, limit)
        if close < 0:
            return limit
        close += end - start
        while self.data[close : close + 1] == b'"':
            close += 1
        return close

    def _interpolated(self, start: int, end: int) -> int:
        """Walks an interpolated string with all that is nested in it; returns its end."""
        stack: list[_Frame] = []
        piece, position = start, self._open(stack, start, end)
        while stack:
            frame = stack[-1]
            position, in_hole = self._text(frame, position)
            self.literals.append((piece, position))
            self.floor = position
            if not in_hole:
                stack.pop()
                if not stack:
                    return position
            piece, position = self._hole(stack, position)
        return position

    def _open(self, stack: list[_Frame], start: int, end: int) -> int:
        """Enters the interpolated string whose opening ends at ``end``; returns where its text begins."""
        opening = self.data[start:end]
        quotes = opening.count(b'"')
        verbatim = b"@" in opening
        if verbatim or quotes < 3:
            stack.append(_Frame(quotes=1, dollars=1, verbatim=verbatim, one_line=not verbatim))
            return end - quotes + 1
        one_line = _has_text_on_line(self.data, end)
        stack.append(_Frame(quotes=quotes, dollars=opening.count(b"$"), verbatim=False, one_line=one_line))
        return end

    def _text(self, frame: _Frame, position: int) -> tuple[int, bool]:
        """The end of the text from ``position`` on, and whether a hole begins there."""
        raw = frame.quotes >= 3
        for found in _text_pattern().finditer(self.data, position):
            first, run = found[0][:1], found.end() - found.start()
            if first == b'"':
                if not raw and not frame.verbatim:
                    return found.start() + 1, False
                if run >= frame.quotes if raw else run % 2:
                    return found.end(), False
            elif first == b"{":
                if run >= frame.dollars if raw else run % 2:
                    return found.end(), True
            elif frame.one_line and first != b"\\":
                return found.start(), False
        return len(self.data), False

    def _hole(self, stack: list[_Frame], position: int) -> tuple[int, int]:
        """Walks code up to the end of the hole or the start of a nested string.

        Returns where the next literal piece begins, and where its text goes on.
        """
        frame = stack[-1]
        found = _hole_pattern().search(self.data, position)
        while found is not None:
            start, end = found.span()
            sign = found[0]
            if sign in _OPENING:
                frame.depth += 1
            elif sign == b"}" and frame.depth == 0:
                while end - start < frame.dollars and self.data[end : end + 1] == b"}":
                    end += 1
                return start, end
            elif sign in _CLOSING:
                frame.depth = max(0, frame.depth - 1)
            elif sign == b":" and frame.depth == 0:
                close = self.data.find(b"}", end)
                self.literals.append((start, close if close >= 0 else len(self.data)))
                end = self.literals[-1][1]
            elif sign[:1] == b"$" or sign[:2] == b"@$":
                return start, self._open(stack, start, end)
            elif sign not in (b"#", b":", b"::"):
                end = self._token(found)
            self.floor = end
            found = _hole_pattern().search(self.data, end)
        return len(self.data), len(self.data)


def _has_text_on_line(data: bytes, position: int) -> bool:
    line_end = _LINE_END.search(data, position)
    return line_end is not None and not data[position : line_end.start()].isspace() and line_end.start() > position


@cache
def _text_pattern() -> re.Pattern[bytes]:
    return re.compile(rb'"+|\{+|\\[^\r\n]|[\r\n]')


@cache
def _hole_pattern() -> re.Pattern[bytes]:
    return re.compile(_TOKENS + rb"|\(|\)|\[|\]|\{|\}|::?")


@cache
def _conditional_line() -> re.Pattern[bytes]:
    return re.compile(rb"[\r\n][ \t\f\v]*(#)[ \t\f\v]*(if|elif|else|endif)\b")
