"""The token pass: where comments, literals and directives stand, without a syntax tree.

C# decides what is a directive before it knows any grammar, so this comes before the parse. One
expression finds everything that can hide a comment, a quote or a ``#``; strings with holes are
followed with a stack, since a hole holds code that can hold strings again. Each byte is looked
at a bounded number of times, whatever the file holds.

A build that does not take a branch looks for nothing in it but the lines of directives. So no
token goes on beyond the branch it stands in: what would is *unclosed*, and hides nothing that
other builds see. For the builds that do take the branch, it can be asked for *whole*.
"""

import re
from functools import cache, cached_property
from typing import NamedTuple

from guards.findings.model import Comment
from guards.languages.csharp.spans import Span, merged

# Every alternative begins with a literal byte: that lets `re` skip plain code fast.
_TOKENS = (
    rb"//[^\r\n]*"
    rb"|/\*"
    rb"|'(?:\\[^\r\n][0-9A-Fa-f]{0,8}|[^'\\\r\n]{1,4})'"
    rb'|"""+'
    rb'|"(?:[^"\\\r\n]++|\\[^\r\n])*+"?'
    rb'|@"(?:[^"]++|"")*+"?'
    rb'|@\$"'
    rb'|\$\$*+(?:@?"+)?'
    rb"|#"
)
_CODE = re.compile(_TOKENS)
_LINE_END = re.compile(rb"[\r\n]")
_SPACE = rb"(?:[ \t\f\v]|\xc2\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xef\xbb\xbf)*+"
# Keyword, the text up to a comment, the comment.
_DIRECTIVE = re.compile(rb'#[ \t\f\v]*(!|:?\w*)((?:[^"/\r\n]++|"[^"\r\n]*+"?|/(?!/))*+)(//[^\r\n]*)?')
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


class Tokens:
    """The comments, directives and literals of a C# file, well-formed or not; looked for when asked for.

    Args:
        data: the text.
        whole: where those tokens start that may go on beyond their branch.
    """

    def __init__(self, data: bytes, whole: frozenset[int] = frozenset()) -> None:
        self._data = data
        self._whole = whole

    @cached_property
    def _found(self) -> "_Scanner":
        scanner = _Scanner(self._data, self._whole)
        scanner.run()
        return scanner

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """All comments, in order."""
        return tuple(self._found.comments)

    @cached_property
    def directives(self) -> tuple[Directive, ...]:
        """All directives, in order. Most files have none, and that costs next to nothing to know."""
        return tuple(self._found.directives) if _may_hold_directives(self._data) else ()

    @cached_property
    def literals(self) -> tuple[Span, ...]:
        """The ranges of string and character literals, in order, without the code in their holes."""
        return tuple(self._found.literals)

    @cached_property
    def unclosed(self) -> tuple[Span, ...]:
        """The comments and strings that end only because the branch of an ``#if`` does, in order."""
        return tuple(merged(self._found.unclosed)) if self.directives else ()


def _may_hold_directives(data: bytes) -> bool:
    """Whether a ``#`` may stand at the start of a line; beyond ASCII that is left to the scanner."""
    sign = data.find(b"#")
    while sign >= 0:
        before = data[max(0, sign - 80) : sign].rstrip(b" \t\f\v")
        if not before or before[-1] in b"\r\n" or before[-1] >= 0x80:
            return True
        sign = data.find(b"#", sign + 1)
    return False


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
    """Walks one file; ``limit`` is where the branch ends that it stands in."""

    __slots__ = (
        "_branch_ends",
        "_branches",
        "_line_end",
        "_whole",
        "comments",
        "data",
        "directives",
        "floor",
        "limit",
        "literals",
        "unclosed",
    )

    def __init__(self, data: bytes, whole: frozenset[int]) -> None:
        self.data = data
        self.comments: list[Comment] = []
        self.directives: list[Directive] = []
        self.literals: list[Span] = []
        self.unclosed: list[Span] = []
        self.floor = 0  # the end of the last token: what stands before needs no second look
        self.limit = len(data)
        self._whole = whole
        self._branches: list[int] = []  # the directives whose branches it stands in, outermost first
        self._branch_ends: dict[int, int] = {}
        self._line_end = -1

    def run(self) -> None:
        self._code(0)
        while self.limit < len(self.data):
            self._code(self._directive(self.limit))

    def _code(self, position: int) -> None:
        """Records all that stands between ``position`` and the end of the branch."""
        data, search = self.data, _CODE.search
        while found := search(data, position, self.limit):
            start = found.start()
            if data[start] != 0x23:  # '#'
                position = self._whole_token(start) if start in self._whole else self._token(found)
            else:
                position = self._directive(start) if self._starts_line(start) else start + 1
            self.floor = position

    def _token(self, found: re.Match[bytes]) -> int:
        """Records a comment or literal and returns its end."""
        start, end = found.span()
        first = self.data[start]
        if first == 0x2F:  # '/'
            if self.data[start + 1] == 0x2A:  # '*'
                close = self.data.find(b"*/", end, self.limit)
                end = close + 2 if close >= 0 else self._cut(start)
            self._comment(start, end)
            return end
        if first == 0x24:  # '$'
            return self._interpolated(start, end) if self.data[end - 1] == 0x22 else end
        if first == 0x40:  # '@'
            if self.data[start + 1] == 0x24:
                return self._interpolated(start, end)
            if end == self.limit and self.data.count(b'"', start, end) % 2:
                self._cut(start)
        elif self.data.startswith(b'"""', start):
            end = self._raw_end(start, end)
        self.literals.append((start, end))
        return end

    def _whole_token(self, start: int) -> int:
        """Records a comment or literal as in a build that takes all branches it stands in."""
        self.limit = len(self.data)
        found = _CODE.match(self.data, start)
        end = self._token(found) if found else start + 1
        for branch in self._branches:
            self._branch_ends.pop(branch, None)
        self._match_branches(end)
        self._find_limit()
        return end

    def _cut(self, start: int) -> int:
        """Ends what begins at ``start`` where the branch does."""
        if self.limit < len(self.data):
            self.unclosed.append((start, self.limit))
        return self.limit

    def _comment(self, start: int, end: int) -> None:
        text = self.data[start:end].decode("utf-8", "replace")
        self.comments.append(Comment(text, start, end, self._starts_line(start)))

    def _starts_line(self, start: int) -> bool:
        """Whether nothing but space stands between the line's start and ``start``."""
        line_end = max(self.data.rfind(b"\n", self.floor, start), self.data.rfind(b"\r", self.floor, start))
        if line_end < 0 < self.floor:
            return False
        before = self.data[line_end + 1 : start]
        return not before.strip() or _space().fullmatch(before) is not None

    # -- directives

    def _directive(self, start: int) -> int:
        """Records the directive at ``start``; returns where code goes on."""
        directive = self._read_directive(start)
        self.directives.append(directive)
        if directive.keyword == "if":
            self._branches.append(start)
            if len(self._branches) == 1:
                self._match_branches(directive.end)
        elif self._branches and directive.keyword == "endif":
            self._branches.pop()
        elif self._branches and directive.keyword in ("elif", "else"):
            self._branches[-1] = start
        self._find_limit()
        if directive.keyword in ("if", "elif") and is_false(directive.condition_text):
            return self._skip_dead_branch(directive.end)
        return directive.end

    def _find_limit(self) -> None:
        self.limit = self._branch_ends.get(self._branches[-1], len(self.data)) if self._branches else len(self.data)

    def _match_branches(self, position: int) -> None:
        """Finds where the open branches end, and all branches before that, by the lines from ``position`` on."""
        branches = self._branches.copy()
        for found in _conditional_line().finditer(self.data, position):
            start, keyword = found.start(1), found[2]
            if keyword == b"if":
                branches.append(start)
                continue
            self._branch_ends[branches.pop()] = start
            if keyword != b"endif":
                branches.append(start)
            if not branches:
                return

    def _skip_dead_branch(self, start: int) -> int:
        """Passes over a branch that is no code, only lines of text; returns its end."""
        for found in _conditional_line().finditer(self.data, start, self.limit):
            self.floor = found.start()
            self.directives.append(self._read_directive(found.start(1)))
        return self.limit

    def _read_directive(self, start: int) -> Directive:
        found = _DIRECTIVE.match(self.data, start)
        assert found is not None, "every part after the # may be empty"  # noqa: S101 - an invariant, for mypy
        keyword = found[1].decode("utf-8", "replace")
        if keyword.startswith(_WITHOUT_COMMENT) or found[3] is None:
            end = self._end_of_line(found.end())
            rest = self.data[found.end(1) : end]
        else:
            end, rest = found.end(), found[2]
            self.floor = found.start(3)
            self._comment(found.start(3), end)
        return Directive(keyword, rest.decode("utf-8", "replace").strip(), start, end)

    # -- strings

    def _end_of_line(self, position: int) -> int:
        if self._line_end < position:
            found = _LINE_END.search(self.data, position)
            self._line_end = found.start() if found else len(self.data)
        return self._line_end

    def _begins_one_line(self, end: int) -> bool:
        """Whether raw text whose opening quotes end here has to close on the same line."""
        return _empty_line().match(self.data, end) is None

    def _raw_end(self, start: int, end: int) -> int:
        """The end of a raw string whose opening quotes are ``start`` to ``end``."""
        one_line = self._begins_one_line(end)
        limit = self._end_of_line(end) if one_line else self.limit
        close = self.data.find(self.data[start:end], end, limit)
        if close < 0:
            return limit if one_line else self._cut(start)
        close += end - start
        while self.data[close : close + 1] == b'"':
            close += 1
        return close

    def _interpolated(self, start: int, end: int) -> int:
        """Walks an interpolated string with all that is nested in it; returns its end."""
        stack: list[_Frame] = []
        piece, position = start, self._open(stack, start, end)
        while stack and position < self.limit:
            position, in_hole = self._text(stack[-1], position)
            self.literals.append((piece, position))
            self.floor = piece = position
            if not in_hole:
                stack.pop()
            if stack:
                piece, position = self._hole(stack, position)
        if position < self.limit:
            return position
        if piece < position:
            self.literals.append((piece, position))
        return self._cut(start)

    def _open(self, stack: list[_Frame], start: int, end: int) -> int:
        """Enters the interpolated string whose opening ends at ``end``; returns where its text begins."""
        opening = self.data[start:end]
        quotes = opening.count(b'"')
        verbatim = b"@" in opening
        if verbatim or quotes < 3:
            stack.append(_Frame(quotes=1, dollars=1, verbatim=verbatim, one_line=not verbatim))
            return end - quotes + 1
        one_line = self._begins_one_line(end)
        stack.append(_Frame(quotes=quotes, dollars=opening.count(b"$"), verbatim=False, one_line=one_line))
        return end

    def _text(self, frame: _Frame, position: int) -> tuple[int, bool]:
        """The end of the text from ``position`` on, and whether a hole begins there."""
        raw = frame.quotes >= 3
        escapes = not raw and not frame.verbatim
        for found in _text_pattern(escapes=escapes).finditer(self.data, position, self.limit):
            first, run = found[0][:1], found.end() - found.start()
            if first == b'"':
                if escapes:
                    return found.start() + 1, False
                if run >= frame.quotes if raw else run % 2:
                    return found.end(), False
            elif first == b"{":
                if run >= frame.dollars if raw else run % 2:
                    return found.end(), True
            elif frame.one_line and first != b"\\":
                return found.start(), False
        return self.limit, False

    def _hole(self, stack: list[_Frame], position: int) -> tuple[int, int]:
        """Walks code up to the end of the hole or the start of a nested string.

        Returns where the next literal piece begins, and where its text goes on.
        """
        frame = stack[-1]
        while found := _hole_pattern().search(self.data, position, self.limit):
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
                close = self.data.find(b"}", end, self.limit)
                end = close if close >= 0 else self.limit
                self.literals.append((start, end))
            elif sign[-1:] == b'"' and sign.startswith((b"$", b"@$")):
                return start, self._open(stack, start, end)
            elif sign[:1] not in b"#:":
                end = self._token(found)
            self.floor = position = end
        return self.limit, self.limit


@cache
def _text_pattern(*, escapes: bool) -> re.Pattern[bytes]:
    return re.compile(rb'"+|\{+|[\r\n]' + (rb"|\\[^\r\n]" if escapes else b""))


@cache
def _hole_pattern() -> re.Pattern[bytes]:
    return re.compile(_TOKENS + rb"|\(|\)|\[|\]|\{|\}|::?")


@cache
def _conditional_line() -> re.Pattern[bytes]:
    return re.compile(rb"[\r\n]" + _SPACE + rb"(#)[ \t\f\v]*(if|elif|else|endif)\b")


@cache
def _space() -> re.Pattern[bytes]:
    return re.compile(_SPACE)


@cache
def _empty_line() -> re.Pattern[bytes]:
    return re.compile(_SPACE + rb"(?:[\r\n]|\Z)")
