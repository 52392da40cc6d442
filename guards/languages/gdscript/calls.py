"""Calls of functions that a class may have itself, by name: what reaching a function is told from.

Most calls are of other objects. So what a call begins with is looked at in the text first, and
nodes are asked only where that can be an own function.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.gdscript.literals import string_value
from guards.languages.gdscript.nodes import called, parts_of
from guards.languages.syntax import Node, text_of

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

_NAME = rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*)"
# Between brackets, or behind a backslash, an expression goes on on the next line.
_SPACE = rb"(?:[\s\\]|\#[^\n]*\n)*"
_BARE_CALL = re.compile(_NAME + _SPACE + rb"\(")
_MEMBER = re.compile(_NAME + _SPACE + rb"\." + _SPACE + _NAME)
# What runs a method that its first argument, or the one after the object, names.
_BY_NAME = frozenset({"call", "callv", "call_deferred", "call_thread_safe", "Callable"})
# What a function is called through, or handed on with, as a Callable.
_THROUGH = frozenset({"call", "callv", "call_deferred", "bind", "bindv", "unbind"})


def own_calls(file: "GDScriptFile", functions: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Each call with its offset: ``NAME``, ``super.NAME`` or ``CLASS.NAME``.

    Args:
        file: where the calls stand.
        functions: the names of the functions of the file; one that is handed on counts as called.
    """
    data = file.text.data
    yield from _bare_calls(file.nodes("call"), data)
    yield from _calls_of_members(file.nodes("attribute"), data, functions)
    for node in file.nodes("argument"):
        name = text_of(node, data)
        if name in functions:
            yield node.start_byte, name


def _bare_calls(nodes: list[Node], data: bytes) -> Iterator[tuple[int, str]]:
    for node in nodes:
        match = _BARE_CALL.match(data, node.start_byte)
        if match is not None:
            name = match[1].decode("utf-8", "replace")
            yield node.start_byte, name
            if name in _BY_NAME:
                yield from ((node.start_byte, named) for named in _named(node, data))


def _calls_of_members(nodes: list[Node], data: bytes, functions: frozenset[str]) -> Iterator[tuple[int, str]]:
    """``self.helper()``, ``super.helper()``, ``Suite.helper()``; ``helper.call()`` and ``self.helper.bind()``."""
    for node in nodes:
        match = _MEMBER.match(data, node.start_byte)
        if match is None:
            continue
        receiver, name = match[1].decode("utf-8", "replace"), match[2].decode("utf-8", "replace")
        if receiver == "self":
            yield node.start_byte, name
            if name in _BY_NAME:
                yield from ((node.start_byte, named) for part in parts_of(node)[1:2] for named in _named(part, data))
        elif receiver == "super" or receiver[0].isupper():
            yield node.start_byte, f"{receiver}.{name}"
        elif receiver in functions or name in _THROUGH:
            yield node.start_byte, receiver


def _named(call: Node, data: bytes) -> Iterator[str]:
    """The function that ``call("name")`` or ``Callable(self, "name")`` names."""
    _, arguments = called(call)
    for argument in arguments[:2]:
        name = string_value(text_of(argument, data)) if argument.type in {"string", "string_name"} else None
        if name and name.isidentifier():
            yield name
            return
