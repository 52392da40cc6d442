"""Calls that replace something, as one file shows them: patchers in every spelling."""

import re
import sys
from collections.abc import Iterator, Sequence

from guards.languages.python.facts import PatchCall
from guards.languages.python.nodes import source
from guards.languages.python.references import UNKNOWN, parts, tail
from guards.languages.python.scopes import Scope, Scopes
from guards.languages.syntax import Node
from guards.source.place import Place
from guards.source.text import SourceText

# Last names of the calls of patchers: ``mocker.patch.object``, ``monkeypatch.setattr`` …
PATCHER_NAMES = frozenset(
    {
        "patch", "object", "dict", "multiple", "context_manager", "setattr", "delattr", "setitem", "delitem",
        "create_autospec",
    }
)  # fmt: skip
WORDS = re.compile(rb"\b(?:patch|setattr|delattr|setitem|delitem|create_autospec|MonkeyPatch|mocker|monkeypatch)")
_TARGET = re.compile(rb"[\"'][A-Za-z_]\w*(?:\.\w+)+[\"']")
_ATTRIBUTE = re.compile(rb"[\"'][A-Za-z_]\w*[\"']")
UNPACKED = "*"


def patch_calls(text: SourceText, scopes: Scopes, calls: Sequence[Node]) -> Iterator[PatchCall]:
    """The calls that may be a patcher's, in source order.

    That are those whose last name is a patcher's, and those of anything else that could wrap one:
    they are given a dotted name as a text, or an object and the name of an attribute.
    """
    data = text.data
    for call in calls:
        function = call.child_by_field_name("function")
        if function is None:
            continue
        scope = scopes.at(call.start_byte)
        name = _last_name(function, data, scopes, scope)
        if not name:
            continue
        arguments = call.child_by_field_name("arguments")
        if arguments is None or arguments.type != "argument_list" or (name not in PATCHER_NAMES and not _could_be_wrapped(arguments, data)):
            continue
        callee = scopes.expression(function, scope)
        if _could_patch(callee):
            yield PatchCall(
                _place(text, function, call),
                callee,
                tuple(_arguments(arguments, data, scopes, scope)),
                _function_name(scopes, call.start_byte),
            )


def _last_name(function: Node, data: bytes, scopes: Scopes, scope: Scope) -> str:
    """The last name of what is called, through one alias; empty where it is no name."""
    if function.type == "identifier":
        return tail(scopes.lookup(source(function, data), scope))
    if function.type == "call":  # getattr(mocker, "patch")(…)
        return tail(scopes.expression(function, scope))
    name = function.child_by_field_name("attribute") if function.type == "attribute" else None
    return source(name, data) if name is not None else ""


def _could_be_wrapped(arguments: Node, data: bytes) -> bool:
    """Whether the arguments look like those of a patch, read from their text alone."""
    given = arguments.named_children[:3]
    values = [node.child_by_field_name("value") if node.type == "keyword_argument" else node for node in given]
    previous = False
    for node in values:
        if node is None:
            continue
        if node.type == "string":
            written = data[node.start_byte : node.end_byte]
            if _TARGET.fullmatch(written) or (previous and _ATTRIBUTE.fullmatch(written)):
                return True
        previous = node.type in ("identifier", "attribute")
    return False


def _could_patch(callee: str) -> bool:
    part = parts(callee)
    if part.root == "name":
        top = part.tokens[0]
        return top not in sys.stdlib_module_names or top == "unittest"
    return part.root in ("own", "parameter")


def _arguments(arguments: Node, data: bytes, scopes: Scopes, scope: Scope) -> Iterator[tuple[str, str]]:
    position = 0
    for node in arguments.named_children:
        match node.type:
            case "comment":
                continue
            case "list_splat" | "dictionary_splat":
                yield UNPACKED, UNKNOWN
            case "keyword_argument":
                name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                if name is not None and value is not None:
                    yield source(name, data), scopes.expression(value, scope)
            case _:
                yield str(position), scopes.expression(node, scope)
                position += 1


def _place(text: SourceText, function: Node, call: Node) -> Place:
    """The call; where its name stands on a later line than what it is a name of, from the name on."""
    name = function.child_by_field_name("attribute") or function
    start = function if name.start_point[0] == function.start_point[0] else name
    return text.place(start.start_byte, call.end_byte)


def _function_name(scopes: Scopes, offset: int) -> str:
    function = scopes.function_at(offset)
    return function.path if function is not None else ""
