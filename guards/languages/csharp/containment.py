"""Assertions that a text equals another, rewritten so that it need only contain it."""

from typing import TYPE_CHECKING

from guards.languages.csharp.names import compact
from guards.languages.csharp.reading import Variant
from guards.languages.csharp.words import words
from guards.languages.syntax import Node
from guards.source.edits import Edit
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile

_PARTS = words(
    "conditional_access_expression member_access_expression member_binding_expression parenthesized_expression "
    "postfix_unary_expression"
)
_NUNIT = "NUnit.Framework"
_XUNIT_EQUALITIES = frozenset({"Equal", "StrictEqual"})


def contained(file: "CSharpFile", place: Place) -> tuple[Edit, ...]:
    """The edits that make a search of the comparison of a member whose name stands at a place; none where not plain."""
    start = file.text.offset(place.line, place.column)
    usings = {using.name for namespace in file.facts().namespaces for using in namespace.usings}
    is_nunit = _NUNIT in usings or _NUNIT in file.info.unit.fact("usings")
    found = set()
    for variant in file.reading.variants:
        node = variant.tree.root_node.descendant_for_byte_range(start, start + 1)
        if node is not None and node.type == "identifier" and node.start_byte == start:
            found.add(_in_variant(variant, node, is_nunit=is_nunit))
    return found.pop() if len(found) == 1 else ()


def _in_variant(variant: Variant, name: Node, *, is_nunit: bool) -> tuple[Edit, ...]:
    value = name
    while value.parent is not None and value.parent.type in _PARTS:
        value = value.parent
        compared = _member(value, "EqualTo", variant.data)
        if compared is not None and value.child_by_field_name("expression") != name:
            return (Edit(*compared.byte_range, "Contains"),)
    argument = value.parent
    call = argument.parent.parent if argument is not None and argument.type == "argument" and argument.parent else None
    if argument is None or call is None or call.type != "invocation_expression":
        return ()
    return _asserted(variant.data, call, argument, is_nunit=is_nunit)


def _asserted(data: bytes, call: Node, actual: Node, *, is_nunit: bool) -> tuple[Edit, ...]:
    function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    callee = function.child_by_field_name("name") if function is not None else None
    arguments = [child for child in listed.named_children if child.type == "argument"] if listed is not None else []
    if callee is None or len(arguments) != 2 or any(len(argument.children) != 1 for argument in arguments):
        return ()
    other = arguments[1 - arguments.index(actual)]
    name = _text(callee, data)
    if name in _XUNIT_EQUALITIES:
        return (Edit(*callee.byte_range, "Contains"), *_in_order(data, (other, actual), arguments))
    if name == "AreEqual" and is_nunit:
        text = f"Does.Contain({_source(other, data)})"
        moved = [Edit(*arguments[0].byte_range, _source(actual, data)), Edit(*arguments[1].byte_range, text)]
        return (Edit(*callee.byte_range, "That"), *moved)
    constraint = other.children[0].child_by_field_name("function")
    if name == "That" and constraint is not None and _text(constraint, data) == "Is.EqualTo":
        return (Edit(*constraint.byte_range, "Does.Contain"),)
    return ()


def _in_order(data: bytes, wanted: tuple[Node, Node], arguments: list[Node]) -> list[Edit]:
    """The edits that bring arguments into an order, none where they have it."""
    return [
        Edit(*place.byte_range, _source(node, data))
        for node, place in zip(wanted, arguments, strict=True)
        if node != place
    ]


def _member(value: Node, name: str, data: bytes) -> Node | None:
    """The name of a member access, where it is a given one."""
    member = value.child_by_field_name("name") if value.type == "member_access_expression" else None
    return member if member is not None and _text(member, data) == name else None


def _text(node: Node, data: bytes) -> str:
    return compact(data[node.start_byte : node.end_byte])


def _source(node: Node, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")
