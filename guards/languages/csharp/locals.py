"""Where a name means a local variable, a parameter or a type parameter, and so no type or member."""

from collections.abc import Iterable
from operator import itemgetter

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
_ALWAYS = frozenset({"join_into_clause", "tuple_pattern"})
_FIRST_CHILD = frozenset({"join_clause", "let_clause"})
_NAME_FIELDS = dict.fromkeys(
    words(
        "catch_declaration declaration_expression declaration_pattern from_clause local_function_statement parameter "
        "parameter_list recursive_pattern type_parameter variable_declarator"
    ),
    "name",
) | {"foreach_statement": "left"}
_AROUND_FUNCTIONS = frozenset({"block", "compilation_unit", "global_statement", "switch_section"})
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


def local_declarations(occurrences: Iterable[Node]) -> list[tuple[int, int, Node]]:
    """What declares a name as a local: the range in which it holds and the declaration, by the start of the range.

    ``occurrences`` all spell that name. The declaration of a lambda's only parameter without
    parentheses is the lambda.
    """
    found = []
    for node in occurrences:
        declaration = _declaration(node)
        scope = _scope(declaration) if declaration is not None else None
        if declaration is not None and scope is not None:
            function = node.parent if declaration.type in _AROUND_FUNCTIONS else None
            found.append((scope.start_byte, scope.end_byte, function or declaration))
    return sorted(found, key=itemgetter(0))


def _declaration(node: Node) -> Node | None:
    """The node that declares the name as a local, a parameter or a type parameter; None where the name is used."""
    parent = node.parent
    if parent is None:
        return None
    kind = parent.type
    if node.type == "implicit_parameter" or kind in _ALWAYS:
        return parent
    if kind in _FIRST_CHILD:
        return parent if parent.named_children[0] == node else None
    if parent.child_by_field_name(_NAME_FIELDS.get(kind, "")) != node:
        return None
    if kind == "local_function_statement":  # known in the block around it, not only in itself
        return parent.parent
    return parent if _is_local(parent) else None


def _is_local(declaration: Node) -> bool:
    """Whether what declares the name is no member of a type: fields and primary constructors are in the facts."""
    if declaration.type == "variable_declarator":
        statement = _grandparent(declaration)
        return statement is not None and statement.type in _LOCAL_VARIABLES
    if declaration.type in ("parameter", "parameter_list"):
        function = declaration.parent if declaration.type == "parameter_list" else _grandparent(declaration)
        return function is None or function.type not in _TYPES
    return True


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
