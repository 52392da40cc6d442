"""Same-length rewrites of constructs that C# has and the grammar does not know yet.

They are tried only where a variant did not parse, one kind at a time, and one that does not make
it parse better is taken back. Offsets stay what they were; a repaired piece of code means another
thing than before, but what stands around it is read again.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from guards.languages import syntax
from guards.languages.csharp.spans import Span

# An edit puts as many bytes as it takes.
Edit: TypeAlias = "tuple[int, bytes]"

_ASSIGNS = rb"\s*+(?:[-+*/%&|^]|<<|>>>?|\?\?)?=(?![=>])"
_CHAIN = rb"(?:\.\w++|\[[^\[\]\r\n]*+\])(?:!?\??\.\w++|\[[^\[\]\r\n]*+\])*+"
_KEEP_LINE_ENDS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_LONGEST_ARGUMENTS = 2000


class Repair(NamedTuple):
    """One kind of rewrite: where to look in code without literals and comments, and what to put there."""

    pattern: bytes
    edit: Callable[[re.Match[bytes]], Iterator[Edit]]


def mend(data: bytes, tree: syntax.Tree, literals: Sequence[Span], code: bytes) -> tuple[bytes, syntax.Tree]:
    """The text and tree after every rewrite that helps.

    Args:
        data: what was parsed.
        tree: its tree, with errors.
        literals: the ranges of string and character literals.
        code: ``data`` with literals and comments blanked.
    """
    badness = _badness(tree)
    for repair in _REPAIRS:
        if not badness:
            break
        edits = [edit for found in _compiled(repair.pattern).finditer(code) for edit in repair.edit(found)]
        data, tree, badness = _kept_if_better(data, tree, badness, edits)
    if badness and b"{{{" in data:
        data, tree, badness = _kept_if_better(data, tree, badness, list(_triple_braces(data, literals)))
    return data, tree


def _kept_if_better(data: bytes, tree: syntax.Tree, badness: int, edits: list[Edit]) -> tuple[bytes, syntax.Tree, int]:
    if not edits:
        return data, tree, badness
    edited = bytearray(data)
    for start, text in edits:
        edited[start : start + len(text)] = text
    mended = syntax.parse("csharp", bytes(edited))
    better = _badness(mended)
    return (bytes(edited), mended, better) if better < badness else (data, tree, badness)


def _badness(tree: syntax.Tree) -> int:
    """How many bytes did not parse; a missing token counts as one."""
    return sum(max(1, end - start) for start, end in syntax.error_spans(tree.root_node))


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern)


def _blanked(text: bytes) -> bytes:
    return text.translate(_KEEP_LINE_ENDS)


def _as_name(found: re.Match[bytes]) -> Iterator[Edit]:
    """Makes a plain identifier of a word that the grammar takes for a keyword there."""
    yield found.start(1), b"_"


def _gone(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), _blanked(found[0])


def _first_byte_gone(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b" "


def _without_modifiers(found: re.Match[bytes]) -> Iterator[Edit]:
    """A lambda's parameters without ``in``, ``out``, ``ref``, ``scoped``."""
    for word in re.finditer(rb"\b(?:in|out|ref|readonly|scoped)\b(?=\s+[\w\[(])", found[1]):
        yield found.start(1) + word.start(), b" " * len(word[0])


def _as_element(found: re.Match[bytes]) -> Iterator[Edit]:
    """``F(x) = v`` as ``F[x] = v``: the parenthesis that ends before the assignment, and its partner."""
    code, end = found.string, found.start()
    depth = 0
    for position in range(end, max(-1, end - _LONGEST_ARGUMENTS), -1):
        depth += {0x29: 1, 0x28: -1}.get(code[position], 0)
        if depth == 0:
            if re.search(rb"[\w>]\s*\Z", code[max(0, position - 40) : position]) is None:
                return
            if code[position + 1 : end].strip():
                yield position, b"["
                yield end, b"]"
            else:
                yield position, _blanked(code[position : end + 1])
            return


def _as_identifier(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b"_" * len(found[0])


def _class_constraint(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b"class" + _blanked(found[0][5:])


def _class_head(found: re.Match[bytes]) -> Iterator[Edit]:
    """``extension(T x)`` as the head of a class: its members are read, whatever they extend."""
    yield found.start(), b"class E" + _blanked(found[0][7:])


def _as_method(found: re.Match[bytes]) -> Iterator[Edit]:
    yield found.start(), b"operator" + b"_" * (len(found[0]) - len("operator"))


_REPAIRS = (
    Repair(rb"(?<![\w@.])(required|partial|async)(?=\s*+(?:[.;,)\]:}?]|\[|=(?!>)))", _as_name),
    Repair(rb"(?<![\w@.])(required|partial)(?=\s*+\()", _as_name),
    Repair(rb"\[\s*+(type|typevar|field|method|param|property|event|module|assembly|return)(?=\s*+[,\].(])", _as_name),
    Repair(rb"\?(?=" + _CHAIN + _ASSIGNS + rb")", _first_byte_gone),
    Repair(rb"\*\s*+\([^()\r\n]*+\)(?=" + _ASSIGNS + rb")", _as_identifier),
    Repair(rb"\)(?=" + _ASSIGNS + rb")", _as_element),
    Repair(rb"\(([^()]*+)\)(?=\s*+=>)", _without_modifiers),
    Repair(rb"\ballows[ \t]++ref[ \t]++struct\b", _class_constraint),
    Repair(rb"\bextension\s*+(?:<[^<>]*+>)?\s*+\([^()]*+\)(?=[^{};()]*+\{)", _class_head),
    Repair(rb"\boperator[ \t]*+(?:\+\+|--|>>>=|<<=|>>=|[-+*/%&|^]=)(?=\s*+\()", _as_method),
    Repair(rb"\b(?:un)?checked(?=\s*+\()", _gone),
    Repair(rb"\*\s*+\(\s*+[\w.]++\s*+\*++\s*+\)", _gone),
    Repair(rb"(?<=[=(;{,}])\s*+\*(?=\s*+\()", _gone),
    Repair(rb"\(\s*+[\w.]++\s*+\*++\s*+\)(?=\s*+[\w(&*])", _gone),
)


def _triple_braces(data: bytes, literals: Sequence[Span]) -> Iterator[Edit]:
    """``$"{{{x}}}"`` without the two outer braces, which are text."""
    for start, end in literals:
        if data[start:end].endswith(b"{{{"):
            yield end - 3, b"  "
        if data[start:end].startswith(b"}}}"):
            yield start + 1, b"  "
