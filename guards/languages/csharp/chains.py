"""Words of chains (see ``evidence``) that hold chains of their own: calls with what they are given, tuples.

A call is ``M<A>(2``, with two arguments. Where these matter, their chains stand before their
number; where it is not the result that is meant but what an ``out`` argument gets, so does
the position of that.
"""

from collections.abc import Sequence
from typing import NamedTuple

from guards.languages.csharp.names import type_arguments

Words = tuple[str, ...]
UNKNOWN: Words = ("?",)

# What a function gives that is handed in as an argument, and as a task if it is asynchronous.
LAMBDA, ASYNC_LAMBDA = "=>", "async=>"
TUPLE = "()"
_OUT, _LABEL, _WORD, _PART = "\x1c", "\x1d", "\x1e", "\x1f"
_SIGNS = frozenset({_OUT, _LABEL, _WORD, _PART})


class Given(NamedTuple):
    """An argument or an element of a tuple: its name, or the sort of function that it is, and a chain."""

    label: str
    words: Words


class Call(NamedTuple):
    """A call of a method; ``out`` is the position of the ``out`` argument that is meant, -1 for the result."""

    name: str
    type_arguments: tuple[str, ...]
    arguments: int
    given: tuple[Given, ...] = ()
    out: int = -1


def call_word(name: str, arguments: int, given: Sequence[Given] = (), out: int = -1) -> str:
    """The word for a call of ``M<A>`` or ``.M<A>``; all that it is given, or nothing where that does not matter."""
    inner = _parts(given) if any(each.words != UNKNOWN for each in given) else ""
    inner += f"{_OUT}{out}" if out >= 0 else ""
    return f"{name}({inner}({arguments}" if inner else f"{name}({arguments}"


def read_call(word: str) -> Call:
    """What a word says of a call; a dot before its name is no part of that."""
    head, _, arguments = word.removeprefix(".").rpartition("(")
    head, _, out = head.partition(_OUT)
    head, *parts = head.split(_PART)
    head = head.removesuffix("(")
    given = tuple(map(_read_part, parts))
    return Call(head.partition("<")[0], type_arguments(head), int(arguments), given, int(out) if out else -1)


def tuple_word(elements: Sequence[Given]) -> str:
    """The word for a tuple of some elements."""
    return TUPLE + _parts(elements)


def read_tuple(word: str) -> tuple[Given, ...]:
    """The elements of a tuple."""
    return tuple(map(_read_part, word.split(_PART)[1:]))


def _parts(given: Sequence[Given]) -> str:
    return "".join(f"{_PART}{label}{_LABEL}{_WORD.join(_plain(words))}" for label, words in given)


def _plain(words: Words) -> Words:
    """A chain that can stand in another one: no deeper than that, and of no odd characters."""
    return words if all(_SIGNS.isdisjoint(word) for word in words) else UNKNOWN


def _read_part(part: str) -> Given:
    label, _, words = part.partition(_LABEL)
    return Given(label, tuple(words.split(_WORD)))
