"""Same-length rewrites of constructs that C# has and the grammar does not know yet.

They are tried only where a variant did not parse: all together beside the errors; where that does
not do, one kind at a time, first there and then everywhere. What does not make the text parse better
is taken back. Offsets stay what they were. A rewritten construct means something else than before, but
its names are where they were, and what stands around it is read again.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple, TypeAlias

from guards.languages import syntax
from guards.languages.csharp.preprocessor import blank, texts
from guards.languages.csharp.spans import Span, merged
from guards.languages.csharp.tokens import Tokens

# What to put at an offset; it replaces as many bytes as it has.
Edit: TypeAlias = "tuple[int, bytes]"

_ASSIGNS = rb"\s*+(?:[-+*/%&|^]|<<|>>>?|\?\?)?=(?![=>])"
_MEMBERS = rb"(?:\.\s*+\w++|\[[^\[\]\r\n]*+\])(?:!?\??\s*+\.\s*+\w++|!?\??\[[^\[\]\r\n]*+\]){0,30}+"
_TARGETS = rb"(type|typevar|field|method|param|property|event|module|assembly)"
_POINTER = rb"[\w.:<>]++\s*+\*[\s*]*+"
_CAST_FOR_SURE = rb"\s*+(?:(?:s?byte|u?short|n?u?int|u?long|float|double|decimal|bool|char)\s*+|" + _POINTER + rb")"
_OPERATORS = frozenset(b"=(,;{}[!~&|+-*/%^<>?:")
_LONGEST_PARENTHESIS = 600
_A_FEW_WORDS = 80
_MOST_SITES = 2000
_MOST_BYTES = 4_000_000
# To find its way after an error can take the parser as long as reading so much more.
_COST_OF_AN_ERROR = 300
_COST_OF_ITS_BYTES = 30
_MOST_SINGLE_SITES = 8


class Repair(NamedTuple):
    """One kind of rewrite: where to look in code without literals and comments, and what to put there."""

    pattern: bytes
    edit: Callable[[re.Match[bytes]], Iterator[Edit]]


# The edits that make one rewrite at one place.
Site: TypeAlias = "tuple[Edit, ...]"


class Mender:
    """Mends the variants of one file; all together they may cost only so much.

    Args:
        tokens: the file's tokens.
        line_starts: the offset of each line.
        parse: the parser.
    """

    def __init__(self, tokens: Tokens, line_starts: Sequence[int], parse: Callable[[bytes], syntax.Tree]) -> None:
        self.line_starts = line_starts
        self._literals = tokens.literals
        self._texts = texts(tokens)
        self._parse = parse
        self._bytes_left = _MOST_BYTES

    def mend(self, data: bytes, tree: syntax.Tree) -> tuple[bytes, syntax.Tree]:
        """The text and tree after every rewrite that helps, if any does."""
        mending = _Mending(self, data, tree, blank(data, self._texts))
        if b"{{{" in data:
            mending.try_sites(list(_triple_braces(data, self._literals)))
        if mending.badness:
            mending.try_together(below=1)
        before = mending.badness + 1
        while 0 < mending.badness < before:  # where two gaps meet, one can help only after the other
            before = mending.badness
            for repair in _REPAIRS:
                if mending.badness:
                    mending.try_repair(repair)
        if mending.badness:
            mending.try_together(below=mending.badness)
        return mending.data, mending.tree

    def parse(self, data: bytes, errors: list[Span]) -> syntax.Tree | None:
        """The tree of a text that had such errors before, or nothing where enough was parsed for this file."""
        if self._bytes_left < 0:
            return None
        self._bytes_left -= len(data) + _COST_OF_AN_ERROR * len(errors) + _COST_OF_ITS_BYTES * _badness(errors)
        return self._parse(data)


class _Mending:
    """A text on its way to fewer errors. ``badness`` is how many bytes did not parse."""

    def __init__(self, mender: Mender, data: bytes, tree: syntax.Tree, code: bytes) -> None:
        self.data = data
        self.tree = tree
        self.code = code
        self._errors = syntax.error_spans(tree.root_node)
        self.badness = _badness(self._errors)
        self._mender = mender
        self._zones = _zones(self._errors, mender.line_starts)

    def try_repair(self, repair: Repair) -> None:
        """Rewrites beside errors; if that does not help everywhere, or a few places one by one."""
        found = list(_compiled(repair.pattern).finditer(self.code))
        near = self._near(repair, found)
        if not self.try_sites(near) and len(near) < len(found) <= _MOST_SITES:
            self.try_sites(_sites(repair, found))

    def try_together(self, *, below: int) -> None:
        """Rewrites beside errors all that could be rewritten, and keeps it where that leaves little enough."""
        kinds = [self._near(repair, _compiled(repair.pattern).finditer(self.code)) for repair in _REPAIRS]
        sites = [site for kind in kinds for site in kind]
        if sites:
            self._try(sites, below=below)

    def _near(self, repair: Repair, found: Iterable[re.Match[bytes]]) -> list[Site]:
        beside = (match for match in found if _meets(match.span(), self._zones))
        return _sites(repair, islice(beside, _MOST_SITES))

    def try_sites(self, sites: list[Site]) -> bool:
        """Rewrites all sites or, if that does not help, those that do; says whether all were rewritten."""
        if not sites or self._try(sites):
            return bool(sites)
        if len(sites) > 1:
            for site in sites[:_MOST_SINGLE_SITES]:
                self._try([site])
        return False

    def _try(self, sites: list[Site], *, below: int | None = None) -> bool:
        edits = [edit for site in sites for edit in site]
        data = _edited(self.data, edits)
        tree = self._mender.parse(data, self._errors)
        if tree is None:
            return False
        errors = syntax.error_spans(tree.root_node)
        badness = _badness(errors)
        if badness >= (self.badness if below is None else below):
            return False
        self.data, self.tree, self.badness, self._errors = data, tree, badness, errors
        self._zones = _zones(errors, self._mender.line_starts)
        self.code = _edited(self.code, edits)
        return True


def _meets(span: Span, zones: list[Span]) -> bool:
    index = bisect_right(zones, (span[0], span[0]))
    return any(start < span[1] and span[0] < end for start, end in zones[max(0, index - 1) : index + 1])


def _edited(text: bytes, edits: list[Edit]) -> bytes:
    edited = bytearray(text)
    for start, put in edits:
        edited[start : start + len(put)] = put
    return bytes(edited)


def _badness(errors: list[Span]) -> int:
    """How many bytes did not parse; a missing token counts as one."""
    return sum(max(1, end - start) for start, end in errors)


def _zones(errors: list[Span], line_starts: Sequence[int]) -> list[Span]:
    """The lines with errors, with one more on each side."""
    zones = []
    for start, end in errors:
        before = max(0, bisect_right(line_starts, start) - 2)
        after = bisect_right(line_starts, end) + 1
        zones.append((line_starts[before], line_starts[after] if after < len(line_starts) else end + 2))
    return merged(zones)


def _sites(repair: Repair, found: Iterable[re.Match[bytes]]) -> list[Site]:
    sites = (tuple(repair.edit(match)) for match in found)
    return [edits for edits in sites if edits]


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern)


def _spaces(text: bytes) -> bytes:
    return blank(text, [(0, len(text))])


def _closing(code: bytes, position: int) -> int:
    """The parenthesis that closes the one at ``position``; -1 where there is none near."""
    depth = 0
    for found in _compiled(rb"[()]").finditer(code, position, position + _LONGEST_PARENTHESIS):
        depth += 1 if found[0] == b"(" else -1
        if depth == 0:
            return found.start()
    return -1


def _opening(code: bytes, position: int) -> int:
    """The parenthesis that the one at ``position`` closes; -1 where there is none near."""
    depth = 0
    earliest = max(0, position + 1 - _LONGEST_PARENTHESIS)
    for found in reversed(list(_compiled(rb"[()]").finditer(code, earliest, position + 1))):
        depth += 1 if found[0] == b")" else -1
        if depth == 0:
            return found.start()
    return -1


def _as_name(found: re.Match[bytes]) -> Iterator[Edit]:
    """Makes a plain identifier of a word that the grammar takes for a keyword there."""
    yield found.start(1), b"_"


def _async_call(found: re.Match[bytes]) -> Iterator[Edit]:
    """``async(x)`` as a call: no lambda's or local function's ``async``, for then something follows."""
    close = _closing(found.string, found.end() - 1)
    if close >= 0 and re.match(rb"\s*+[;,).\]]", found.string[close + 1 : close + _A_FEW_WORDS]):
        yield found.start(), b"_"


def _checked_pattern(found: re.Match[bytes]) -> Iterator[Edit]:
    """``unchecked(…)`` as a case of a switch."""
    close = _closing(found.string, found.end() - 1)
    if close >= 0 and re.match(rb"\s*+(?:=>|:|or\b|and\b|when\b)", found.string[close + 1 : close + _A_FEW_WORDS]):
        yield found.start(), _spaces(found[1])


def _gone(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), _spaces(found[0])


def _group_gone(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(1), _spaces(found[1])


def _first_byte_gone(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b" "


def _without_modifiers(found: re.Match[bytes]) -> Iterator[Edit]:
    """A lambda's parameters without ``in``, ``out``, ``ref``, ``scoped``."""
    for word in re.finditer(rb"(?<![\w@])(?:in|out|ref|readonly|scoped)(?=\s+[\w\[(@])", found[1]):
        yield found.start(1) + word.start(), _spaces(word[0])


def _as_element(found: re.Match[bytes]) -> Iterator[Edit]:
    """``F(x) = v`` as ``F[x] = v``: the grammar assigns to an element, and not to a call."""
    code, close = found.string, found.start()
    opening = _opening(code, close)
    before = _before(code, max(0, opening))
    if opening < 0 or not re.search(rb"[\w>)\]]\Z", before) or re.search(rb"(?<![\w@])(?:var|foreach|for)\Z", before):
        return
    if code[opening + 1 : close].strip():
        yield opening, b"["
        yield close, b"]"
    else:
        yield opening, _spaces(code[opening : close + 1])


def _as_indirection(found: re.Match[bytes]) -> Iterator[Edit]:
    """``*(p + 1)`` as ``_[p + 1]``, and ``*(int*)p`` as ``p``: the first is no product, the second no cast."""
    code, star = found.string, found.start()
    if not _stands_before_value(code, star):
        return
    opening = found.end() - 1
    cast = _compiled(rb"\(\s*+" + _POINTER + rb"\)\s*+").match(code, opening)
    if cast is not None:
        yield star, _spaces(code[star : cast.end()])
        opening = cast.end()
    close = _closing(code, opening) if code[opening : opening + 1] == b"(" else -1
    if close >= 0:
        yield star, b"_" + _spaces(code[star + 1 : opening]) + b"["
        yield close, b"]"


def _plain_indirection(found: re.Match[bytes]) -> Iterator[Edit]:
    """``*p++`` and ``*&p`` as ``*p``: the grammar takes no other operator there."""
    if _stands_before_value(found.string, found.start()):
        operator = _compiled(rb"\+\+|--|&").search(found.string, found.start())
        if operator is not None:
            yield operator.start(), _spaces(operator[0])


def _stands_before_value(code: bytes, position: int) -> bool:
    """Whether a value begins here, and no operator between two."""
    before = _before(code, position)
    if before.endswith(b")"):
        close = code.rfind(b")", 0, position)
        opening = max(0, _opening(code, close))
        head = _before(code, opening)
        is_cast = _compiled(_CAST_FOR_SURE).fullmatch(code, opening + 1, close) is not None
        return is_cast or head.endswith((b"if", b"while", b"for", b"foreach", b"lock", b"fixed", b"using"))
    return not before or before[-1] in _OPERATORS or before.endswith((b"return", b"ref", b"else", b"do"))


def _before(code: bytes, position: int) -> bytes:
    """Some code that ends before ``position``, without the space between."""
    return code[max(0, position - _A_FEW_WORDS) : position].rstrip()


def _class_constraint(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b"class" + _spaces(found[0][5:])


def _class_head(found: re.Match[bytes]) -> Iterator[Edit]:
    """``extension(T x)`` as the head of a class: its members are read, whatever they extend."""
    yield found.start(), b"class E_ " + _spaces(found[0][9:])


def _as_method(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b"operator" + b"_" * (len(found[0]) - len("operator"))


def _ref_last(found: re.Match[bytes]) -> Iterator[Edit]:
    """``ref partial`` as ``partial ref``."""
    yield found.start(), found[2] + found[1] + b"ref"


_REPAIRS = (
    # The end of a comment that begins in another branch.
    Repair(rb"\*/", _gone),
    Repair(rb"(?<![\w@])(required|partial|async)(?=\s*+(?:[^\s\w(@\\]|(?:is|as|switch)\b))", _as_name),
    Repair(rb"(?<![\w@])(required|partial)(?=\s*+\()", _as_name),
    Repair(rb"(?<![\w@])async\s*+\(", _async_call),
    Repair(rb"\[\s*+(?:" + _TARGETS + rb")(?=\s*+(?:[^\s\w:]|(?:is|as|switch|with)\b))", _as_name),
    Repair(rb"[\[,]\s*+(\.\.)(?=\s*+(?:var\b|not\b|\{))", _group_gone),
    Repair(rb"\?(?=\s*+" + _MEMBERS + _ASSIGNS + rb")", _first_byte_gone),
    Repair(rb"\(([^()]*+(?:\([^()]*+\)[^()]*+)*+)\)(?=\s*+=>)", _without_modifiers),
    Repair(rb"\ballows\s++ref\s++struct\b", _class_constraint),
    Repair(
        rb"\bextension\s*+(?:<[^{};()]{0,200}>)?\s*+\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)(?=[^{};]{0,500}+\{)",
        _class_head,
    ),
    Repair(rb"\bref(\s++)(partial)(?=\s++struct\b)", _ref_last),
    Repair(rb"\boperator\s*+(?:checked\s*+)?(?:\+\+|--|>>>=|<<=|>>=|[-+*/%&|^]=)(?=\s*+\()", _as_method),
    Repair(rb"\b((?:un)?checked)\s*+\(", _checked_pattern),
    Repair(rb"\*\s*+\(", _as_indirection),
    Repair(rb"\*\s*+(?:[\w.]++\s*+(?:\+\+|--)|\+\+|--|&)", _plain_indirection),
    Repair(rb"\(\s*+" + _POINTER + rb"\)(?=\s*+[\w(&*])", _gone),
    Repair(rb"\)(?=" + _ASSIGNS + rb")", _as_element),
)


def _triple_braces(data: bytes, literals: Sequence[Span]) -> Iterator[Site]:
    """``$"{{{x}}}"`` without the two outer braces, which are text."""
    for start, end in literals:
        edits: list[Edit] = []
        if data[start:end].endswith(b"{{{"):
            edits.append((end - 3, b"  "))
        if data[start:end].startswith(b"}}}"):
            edits.append((start + 1, b"  "))
        if edits:
            yield tuple(edits)
