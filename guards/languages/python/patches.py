"""Calls that replace something, as one file shows them: patchers in every spelling."""

import sys
from collections.abc import Iterable, Iterator

from guards.languages.python.calls import DOUBLE_NAMES, NEVER_OWNED, PATCHER_NAMES, Call, is_given_a_name
from guards.languages.python.facts import PatchCall
from guards.languages.python.nodes import source
from guards.languages.python.references import CALL, UNKNOWN, tail
from guards.languages.python.scope import Scope
from guards.languages.python.scopes import Scopes
from guards.languages.syntax import Node
from guards.source.place import Place
from guards.source.text import SourceText

# Words of which a file has one that calls a patcher by its name.
WORDS = (b"patch", b"setattr", b"setitem", b"delattr", b"delitem", b"autospec")
UNPACKED = "*"
_PARTIAL = "functools.partial"
# What says of which thing a double has the likeness.
_LIKENESS = frozenset({"0", "spec", "spec_set"})


def patch_calls(text: SourceText, scopes: Scopes, calls: Iterable[Call]) -> Iterator[PatchCall]:
    """The calls that may be a patcher's, by where they begin.

    That are those whose last name is a patcher's, and those of anything else that could wrap one:
    they are given a name as a text, or an object and the name of an attribute.
    """
    for call in calls:
        callee = call.callee
        if not _could_patch(callee, call, text.data):
            continue
        given = _given(text, scopes, call)
        if callee == _PARTIAL and given:
            callee, given = given[0][1], [(_moved(key), value) for key, value in given[1:]]
        if given:
            yield _patch_call(text, call, callee, given)


def double_calls(text: SourceText, scopes: Scopes, calls: Iterable[Call]) -> Iterator[PatchCall]:
    """The calls that may make a double in the likeness of something, by where they begin."""
    for call in calls:
        if tail(call.callee) in DOUBLE_NAMES:
            given = _given(text, scopes, call)
            if any(key in _LIKENESS for key, _ in given):
                yield _patch_call(text, call, call.callee, given)


def _patch_call(text: SourceText, call: Call, callee: str, given: list[tuple[str, str]]) -> PatchCall:
    function = call.scope.function()
    return PatchCall(_place(text, call), callee, tuple(given), function.path if function is not None else "")


def _given(text: SourceText, scopes: Scopes, call: Call) -> list[tuple[str, str]]:
    arguments = call.node.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list":
        return []
    return list(_arguments(arguments, text.data, scopes, call.scope))


def _could_patch(callee: str, call: Call, data: bytes) -> bool:
    """Whether a call can be a patcher's, or of a function of the project's own that wraps one."""
    if not callee:
        return False
    last = tail(callee)
    if callee[0] == "$":
        return last in PATCHER_NAMES or ("." not in callee and is_given_a_name(call, data))
    if ":" in callee:
        return last in PATCHER_NAMES or (callee.count(".") < 2 and is_given_a_name(call, data))
    top = callee.partition(".")[0]
    if last in PATCHER_NAMES:
        return top not in sys.stdlib_module_names or top == "unittest" or callee == _PARTIAL
    return top not in NEVER_OWNED and CALL not in callee and not last[:1].isupper() and is_given_a_name(call, data)


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


def _moved(key: str) -> str:
    """The position of an argument without the one in front of all."""
    return str(int(key) - 1) if key.isdigit() else key


def _place(text: SourceText, call: Call) -> Place:
    """The call; where its name stands on a later line than what it is a name of, from the name on."""
    start = call.node.start_byte
    function = call.node.child_by_field_name("function") if call.opening < 0 else None
    name = function.child_by_field_name("attribute") if function is not None else None
    if name is not None and text.line_of(name.start_byte) != text.line_of(start):
        start = name.start_byte
    return text.place(start, call.node.end_byte)
