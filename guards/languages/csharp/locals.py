"""Where a name means a local variable, a parameter or a type parameter, and so no type or member."""

from collections.abc import Iterable

from guards.languages.csharp.names import identifier
from guards.languages.csharp.spans import Span, merged
from guards.languages.csharp.words import words
from guards.languages.syntax import Node

_SCOPES = words(
    "accessor_declaration anonymous_method_expression arrow_expression_clause block catch_clause "
    "class_declaration compilation_unit constructor_declaration conversion_operator_declaration "
    "delegate_declaration field_declaration fixed_statement for_statement foreach_statement indexer_declaration "
    "interface_declaration lambda_expression local_function_statement method_declaration operator_declaration "
    "property_declaration query_expression record_declaration struct_declaration switch_expression_arm "
    "switch_section using_statement"
)
_TYPES = frozenset({"class_declaration", "struct_declaration", "record_declaration"})
_NAMED = words(
    "catch_declaration declaration_expression declaration_pattern from_clause parameter parameter_list "
    "recursive_pattern tuple_pattern type_parameter variable_declarator"
)
_LOCAL_VARIABLES = words("fixed_statement for_statement local_declaration_statement using_statement")


def hidden_spans(occurrences: Iterable[Node], data: bytes) -> list[Span]:
    """The ranges in which one of the nodes, which all spell the same name, declares a local of that name.

    A local of a type with its own name (``Thread Thread``) hides nothing: members of the type
    are still reached through it, as C# has it.
    """
    spans = []
    for node in occurrences:
        declaration = _declaration(node)
        if declaration is None or _is_named_as_its_type(node, declaration, data):
            continue
        scope = _scope(declaration)
        if scope is not None:
            spans.append((scope.start_byte, scope.end_byte))
    return merged(spans)


def _declaration(node: Node) -> Node | None:
    """The node that declares the name as a local, a parameter or a type parameter; None where the name is used."""
    parent = node.parent
    if parent is None:
        return None
    kind = parent.type
    if node.type == "implicit_parameter" or kind in ("join_into_clause", "tuple_pattern"):
        return parent
    if kind in ("let_clause", "join_clause"):
        return parent if parent.named_children[0] == node else None
    if kind == "foreach_statement":
        return parent if parent.child_by_field_name("left") == node else None
    if kind == "local_function_statement":
        return parent.parent if parent.child_by_field_name("name") == node else None
    if kind not in _NAMED or parent.child_by_field_name("name") != node:
        return None
    if kind == "variable_declarator":
        variables = parent.parent
        statement = variables.parent if variables is not None else None
        return parent if statement is not None and statement.type in _LOCAL_VARIABLES else None
    if kind in ("parameter", "parameter_list"):
        # A parameter of a primary constructor is a member: the facts have it.
        function = parent.parent if kind == "parameter_list" else _grandparent(parent)
        return None if function is not None and function.type in _TYPES else parent
    return parent


def _grandparent(node: Node) -> Node | None:
    parent = node.parent
    return parent.parent if parent is not None else None


def _is_named_as_its_type(node: Node, declaration: Node, data: bytes) -> bool:
    holder = declaration.parent if declaration.type == "variable_declarator" else declaration
    declared = holder.child_by_field_name("type") if holder is not None else None
    if declared is None:
        return False
    type_name = identifier(data[declared.start_byte : declared.end_byte]).rpartition(".")[2]
    return type_name == identifier(data[node.start_byte : node.end_byte])


def _scope(node: Node) -> Node | None:
    scope: Node | None = node
    while scope is not None and scope.type not in _SCOPES:
        scope = scope.parent
    return scope
