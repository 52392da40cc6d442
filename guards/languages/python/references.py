"""References: what an expression means, in one plain string that outlives the tree.

==================  ===========================================================================
``os.path.join``    an absolute name, as an import statement gives it
``:helper.x``       a top-level name of the file itself
``tests/a.py:x``    a top-level name of another file, or ``tests/app/:x`` of a package's folder
``$client.get``     a parameter of the enclosing function: most often a fixture
``A().send``        an attribute of what a call returns; ``A().__enter__()`` is what ``with`` binds
``'os.{:name}``     a text (the quote stands in front only), with references in its holes
``(nothing)``       unknown
==================  ===========================================================================

Arguments of calls are dropped. Braces of a text itself are doubled.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

UNKNOWN = ""
CALL = "()"
# Longer ones are no patch targets, and hostile files could make them grow without end.
_LONGEST = 400
_TOKEN = re.compile(r"\(\)|[^.()]+")
_ROOT_OR_DOT = re.compile(r"[.:$]")
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[^{}]+")


class Parts(NamedTuple):
    """A reference taken apart.

    ``root`` is ``name``, ``own``, ``parameter``, ``text`` or ``unknown``; ``path`` is the file or
    folder of an own name (empty: the file in which the reference stands); ``tokens`` are names
    and ``()``.
    """

    root: str
    path: str
    tokens: tuple[str, ...]


def parts(reference: str) -> Parts:
    """Takes a reference apart."""
    if not reference:
        return Parts("unknown", "", ())
    if is_text(reference):
        return Parts("text", "", ())
    if reference[0] == "$":
        return Parts("parameter", "", tokens(reference[1:]))
    path, colon, rest = reference.rpartition(":")
    return Parts("own" if colon else "name", path, tokens(rest))


def tokens(name: str) -> tuple[str, ...]:
    """The names and calls of a dotted chain."""
    return tuple(_TOKEN.findall(name))


def joined(names: tuple[str, ...] | list[str]) -> str:
    """The dotted chain of tokens."""
    return ".".join(names).replace(".()", CALL)


def attribute(reference: str, name: str) -> str:
    """``reference.name``."""
    if not reference or is_text(reference) or len(reference) > _LONGEST:
        return UNKNOWN
    return f"{reference}{name}" if reference[-1] == ":" else f"{reference}.{name}"


def called(reference: str) -> str:
    """``reference()``."""
    return reference + CALL if reference and not is_text(reference) and len(reference) < _LONGEST else UNKNOWN


def followed(reference: str, rest: tuple[str, ...]) -> str:
    """A reference and then some tokens."""
    for token in rest:
        reference = called(reference) if token == CALL else attribute(reference, token)
    return reference


def tail(reference: str) -> str:
    """The last name; empty for a text and what is unknown."""
    return "" if is_text(reference) else _ROOT_OR_DOT.split(reference)[-1]


def is_text(reference: str) -> bool:
    """Whether it is a text."""
    return reference[:1] == "'"


def text(value: str) -> str:
    """The reference of a constant text."""
    return "'" + value.replace("{", "{{").replace("}", "}}")


def hole(reference: str) -> str:
    """A text that consists of what another reference is."""
    if not reference:
        return UNKNOWN
    return reference if is_text(reference) else f"'{{{reference}}}"


def concatenated(texts: list[str]) -> str:
    """One text after the other; unknown where one of them is."""
    whole = "'" + "".join(piece[1:] for piece in texts)
    return whole if all(map(is_text, texts)) and len(whole) <= _LONGEST else UNKNOWN


def pieces(reference: str) -> Iterator[tuple[str, str]]:
    """The pieces of a text: each a constant and a reference, one of which is empty."""
    for match in _PIECE.finditer(reference, 1):
        if match[1] is not None:
            yield "", match[1]
        else:
            yield match[0][0] if match[0] in ("{{", "}}") else match[0], ""


def constant(reference: str) -> str | None:
    """The value of a text that has no holes; None for anything else."""
    if not is_text(reference):
        return None
    found = list(pieces(reference))
    return None if any(inner for _, inner in found) else "".join(value for value, _ in found)
