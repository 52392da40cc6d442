"""Small questions about expression nodes."""

import re

from guards.languages.base import CALL, READ, REFERENCE, WRITE
from guards.languages.csharp.names import compact
from guards.languages.syntax import Node

_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_LONGEST_CHAIN = 64
_LONGEST_NAME = 1024
_NAMES = frozenset(
    {"identifier", "generic_name", "alias_qualified_name", "qualified_name", "predefined_type", "this", "base"}
)

_VALUE = (READ, REFERENCE)  # without types a method group looks like the value of a property
_KINDS = {
    "invocation_expression": (CALL,),
    "member_access_expression": (READ,),
    "conditional_access_expression": (READ,),
    "element_access_expression": (READ,),
}


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


def kinds_of(expression: Node) -> tuple[str, ...]:
    """As what an expression is used."""
    parent = expression.parent
    while parent is not None and unwrapped(parent) is not None:
        expression, parent = parent, parent.parent
    if parent is None:
        return _VALUE
    kind = parent.type
    is_target = kind == "assignment_expression" and parent.child_by_field_name("left") == expression
    if is_target or (kind == "argument" and _is_target(parent)):
        return (WRITE,)
    if kind in ("prefix_unary_expression", "postfix_unary_expression"):
        signs = {child.type for child in parent.children if not child.is_named}
        return (WRITE,) if signs & {"++", "--"} else (REFERENCE,) if "&" in signs else (READ,)
    return _KINDS.get(kind, _VALUE)


def _is_target(argument: Node) -> bool:
    """Whether an argument is written to: by reference, or as a part of a deconstruction."""
    if argument.children[0].type in ("ref", "out"):
        return True
    holder = argument.parent
    if holder is None or holder.type != "tuple_expression":
        return False
    assignment = holder.parent
    return (
        assignment is not None
        and assignment.type == "assignment_expression"
        and assignment.child_by_field_name("left") == holder
    )
