"""Small questions about expression nodes."""

import re

from guards.languages.csharp.names import compact
from guards.languages.syntax import Node

_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_LONGEST_CHAIN = 64
_LONGEST_NAME = 1024
_NAMES = frozenset(
    {"identifier", "generic_name", "alias_qualified_name", "qualified_name", "predefined_type", "this", "base"}
)


def dotted_name(node: Node | None, data: bytes) -> str | None:
    """An expression that begins with a name as a dotted name, compact; None for any other.

    Calls and elements keep their brackets: ``Task.Delay(1).Wait`` is ``Task.Delay().Wait``. A chain
    that is longer than any that names an API is none.
    """
    tail: list[str] = []
    while node is not None and len(tail) < _LONGEST_CHAIN:
        kind = node.type
        if kind in _NAMES or _is_dotted(node, data):
            return compact(data[node.start_byte : node.end_byte]) + "".join(reversed(tail))
        if kind == "member_access_expression":
            name = node.child_by_field_name("name")
            tail.append("." + compact(data[name.start_byte : name.end_byte]) if name else "")
            node = node.child_by_field_name("expression")
        elif kind == "conditional_access_expression":
            binding = node.named_children[-1]
            name = binding.child_by_field_name("name")
            tail.append("." + compact(data[name.start_byte : name.end_byte]) if name else "[]")
            node = node.child_by_field_name("condition")
        elif kind == "invocation_expression":
            tail.append("()")
            node = node.child_by_field_name("function")
        elif kind == "element_access_expression":
            tail.append("[]")
            node = node.child_by_field_name("expression")
        else:
            node = unwrapped(node)
    return None


def _is_dotted(node: Node, data: bytes) -> bool:
    start, end = node.start_byte, node.end_byte
    return end - start <= _LONGEST_NAME and _DOTTED.fullmatch(data, start, end) is not None


def unwrapped(node: Node) -> Node | None:
    """What stands in parentheses or before a ``!``; None where the node is neither."""
    if node.type == "parenthesized_expression" or (
        node.type == "postfix_unary_expression" and node.children[-1].type == "!"
    ):
        return node.named_children[0] if node.named_children else None
    return None


def receiver_of(function: Node) -> Node | None:
    """``x`` of the called ``x.M`` or ``x?.M``."""
    if function.type == "conditional_access_expression":
        return function.child_by_field_name("condition")
    return function.child_by_field_name("expression") if function.type == "member_access_expression" else None


def called_name(function: Node, data: bytes) -> str:
    """``M`` of the called ``x.M<T>``, ``x?.M`` or ``M``."""
    node: Node | None = function
    if function.type == "conditional_access_expression":
        node = function.named_children[-1].child_by_field_name("name")
    elif function.type == "member_access_expression":
        node = function.child_by_field_name("name")
    return compact(data[node.start_byte : node.end_byte]).partition("<")[0] if node is not None else ""


def call_of_argument(node: Node) -> Node | None:
    """The invocation that a node is an argument of."""
    argument = node.parent
    while argument is not None and argument.type in ("parenthesized_expression", "cast_expression"):
        argument = argument.parent
    if argument is None or argument.type != "argument":
        return None
    arguments = argument.parent
    call = arguments.parent if arguments is not None and arguments.type == "argument_list" else None
    return call if call is not None and call.type == "invocation_expression" else None
