"""Small questions to nodes of the grammar."""

from guards.languages.syntax import Node

PARAMETERS = {
    "identifier": "required",
    "typed_parameter": "required",
    "default_parameter": "optional",
    "typed_default_parameter": "optional",
    "variadic_parameter": "variadic",
}


def parts_of(node: Node) -> list[Node]:
    """The named children without what can stand anywhere: comments, and backslashes at the end of a line."""
    return [child for child in node.named_children if not child.is_extra]


def first_child(node: Node) -> Node | None:
    """The first named child that is a part of the node."""
    first = node.named_child(0) if node.named_child_count else None
    return first if first is None or not first.is_extra else next(iter(parts_of(node)), None)


def parameter_name(parameter: Node) -> Node | None:
    """The name of a parameter of any kind."""
    name: Node | None = parameter
    while name is not None and name.type != "identifier":
        name = first_child(name)
    return name


def called(node: Node) -> tuple[Node | None, list[Node]]:
    """The name and the arguments of a ``call`` or ``attribute_call``; no name where it is no plain one."""
    name = first_child(node) if node.type in {"call", "attribute_call"} else None
    if name is None or name.type != "identifier":
        return None, []
    arguments = node.child_by_field_name("arguments")
    return name, parts_of(arguments) if arguments is not None else []


def operator(node: Node) -> str:
    """The operator of a unary or binary expression."""
    return next((child.type for child in node.children if not child.is_named), "")
