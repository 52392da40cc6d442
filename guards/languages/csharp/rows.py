"""One declaration's node into its row of facts; what it refers to is filled in by the sweep."""

import re
from collections.abc import Iterator
from typing import NamedTuple, get_args

from guards.languages.csharp.constants import Arguments, LookUp, fold_arguments, formula
from guards.languages.csharp.facts import (
    Attribute,
    Function,
    FunctionKind,
    Member,
    MemberKind,
    Modifier,
    Parameter,
    Spot,
    Type,
    TypeKind,
    Using,
    UsingKind,
)
from guards.languages.csharp.names import compact, identifier
from guards.languages.syntax import Node
from guards.source.text import SourceText

TYPES: dict[str, TypeKind] = {
    "class_declaration": "class",
    "struct_declaration": "struct",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "delegate_declaration": "delegate",
}
FUNCTIONS: dict[str, FunctionKind] = {
    "method_declaration": "method",
    "local_function_statement": "local",
    "constructor_declaration": "constructor",
    "destructor_declaration": "destructor",
    "property_declaration": "property",
    "indexer_declaration": "indexer",
    "event_declaration": "event",
    "operator_declaration": "operator",
    "conversion_operator_declaration": "operator",
    "delegate_declaration": "delegate",
}
MEMBERS: dict[str, MemberKind] = {"field_declaration": "field", "event_field_declaration": "event"}

_MODIFIERS: dict[str, Modifier] = {name: name for name in get_args(Modifier)}
_BODIES = frozenset({"block", "arrow_expression_clause", "accessor_list"})
_USING = re.compile(r"\s*(global\s)?\s*using\s+(static\s)?\s*(?:unsafe\s+)?(?:([^=]+)=)?(.+?);?\s*\Z", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_NONE = -1


class Source(NamedTuple):
    """One variant: the file's text for places, the bytes that were parsed, and the file's constants by name."""

    text: SourceText
    data: bytes
    constants: LookUp

    def of(self, node: Node) -> str:
        """A node's name or type, compact."""
        return compact(self.data[node.start_byte : node.end_byte])

    def identifier(self, node: Node) -> str:
        """The identifier that a node is."""
        return identifier(self.data[node.start_byte : node.end_byte])

    def modifier(self, node: Node) -> Iterator[Modifier]:
        """The modifier that a node is; none that nobody knows."""
        found = _MODIFIERS.get(self.of(node))
        if found is not None:
            yield found

    def spot(self, node: Node) -> Spot:
        """Where a node is, up to the end of its first line."""
        line, column = self.text.position(node.start_byte)
        width = len(self.data[node.start_byte : node.end_byte].partition(b"\n")[0].decode("utf-8", "replace"))
        return Spot(line, column, column + width)


class Pieces:
    """The children of a declaration, by what they are."""

    __slots__ = ("attributes", "bases", "has_body", "interface", "modifiers", "parameters", "type_parameters")

    def __init__(self, node: Node, source: Source) -> None:
        self.modifiers: list[Modifier] = []
        self.attributes: list[Attribute] = []
        self.type_parameters: tuple[str, ...] = ()
        self.parameters: tuple[Parameter, ...] = ()
        self.bases: tuple[str, ...] = ()
        self.interface = ""
        self.has_body = False
        for child in node.named_children:
            kind = child.type
            if kind == "modifier":
                self.modifiers.extend(source.modifier(child))
            elif kind == "attribute_list":
                self.attributes.extend(_attributes(child, source))
            elif kind in ("parameter_list", "bracketed_parameter_list"):
                self.parameters = tuple(_parameters(child, source))
            elif kind == "type_parameter_list":
                self.type_parameters = tuple(_type_parameters(child, source))
            elif kind == "base_list":
                self.bases = tuple(
                    source.of(base) for base in child.named_children if base.type not in ("argument_list", "comment")
                )
            elif kind == "explicit_interface_specifier":
                self.interface = source.of(child).rstrip(".")
            elif kind in _BODIES:
                self.has_body = True


def type_row(node: Node, name: Node, source: Source) -> Type:
    """A type's row; its full name, namespace and outer type come later."""
    pieces = Pieces(node, source)
    kind = TYPES[node.type]
    if kind == "record" and any(child.type == "struct" for child in node.children):
        kind = "record struct"
    members = tuple(Member(p.name, "parameter", p.type) for p in pieces.parameters) if kind != "delegate" else ()
    return Type(
        source.identifier(name),
        "",
        kind,
        tuple(pieces.modifiers),
        pieces.type_parameters,
        () if kind == "enum" else pieces.bases,
        tuple(pieces.attributes),
        members,
        _NONE,
        _NONE,
        source.spot(name),
    )


def function_row(node: Node, name: Node, source: Source) -> Function:
    """A function's row; its calls, its type and what encloses it come later."""
    pieces = Pieces(node, source)
    kind = FUNCTIONS[node.type]
    returns = node.child_by_field_name("returns") or node.child_by_field_name("type")
    value = node.child_by_field_name("value") if kind in ("property", "indexer") else None
    return Function(
        "Invoke" if kind == "delegate" else source.identifier(name) if name.type == "identifier" else "",
        kind,
        tuple(pieces.modifiers),
        source.of(returns) if returns else "",
        pieces.parameters,
        pieces.type_parameters,
        pieces.interface,
        tuple(pieces.attributes),
        (),
        _NONE,
        _NONE,
        pieces.has_body or value is not None,
        source.spot(name),
    )


def member_rows(node: Node, source: Source) -> Iterator[Member]:
    """The variables that a field or an event declares."""
    kind = MEMBERS[node.type]
    modifiers: list[Modifier] = []
    for child in node.named_children:
        if child.type == "modifier":
            modifiers.extend(source.modifier(child))
        elif child.type == "variable_declaration":
            declared = child.child_by_field_name("type")
            type_name = source.of(declared) if declared else ""
            constant = "const" in modifiers or "readonly" in modifiers
            for variable in child.named_children:
                name = variable.child_by_field_name("name") if variable.type == "variable_declarator" else None
                if name is not None:
                    value = formula(variable.named_children[-1], source.data) if constant else ()
                    yield Member(
                        source.identifier(name), "constant" if constant else kind, type_name, tuple(modifiers), value
                    )


def using_row(node: Node, source: Source) -> Using | None:
    """A using or extern alias directive."""
    if node.type == "extern_alias_directive":
        name = node.child_by_field_name("name")
        return Using("extern", "", source.identifier(name)) if name else None
    text = _COMMENT.sub(" ", source.data[node.start_byte : node.end_byte].decode("utf-8", "replace"))
    match = _USING.match(text)
    if match is None:
        return None
    is_global, static, alias, name_text = match.groups()
    kind: UsingKind = "static" if static else "alias" if alias else "namespace"
    return Using(kind, compact(name_text.encode()), compact(alias.encode()) if alias else "", is_global is not None)


def _attributes(node: Node, source: Source) -> Iterator[Attribute]:
    for child in node.named_children:
        name = child.child_by_field_name("name") if child.type == "attribute" else None
        if name is None:
            continue
        arguments = next((c for c in child.named_children if c.type == "attribute_argument_list"), None)
        given = fold_arguments(arguments, source.data, source.constants) if arguments else Arguments()
        yield Attribute(source.of(name), given.folded, source.spot(_last_name(name)), given.unsolved)


def _last_name(node: Node) -> Node:
    """The last part of a dotted name."""
    while node.type in ("qualified_name", "alias_qualified_name"):
        last = node.child_by_field_name("name")
        if last is None:
            break
        node = last
    return node


def _type_parameters(node: Node, source: Source) -> Iterator[str]:
    for child in node.named_children:
        name = child.child_by_field_name("name") if child.type == "type_parameter" else None
        if name is not None:
            yield source.identifier(name)


def _parameters(node: Node, source: Source) -> Iterator[Parameter]:
    array_type = ""
    for child in node.named_children:
        kind = child.type
        if kind == "parameter":
            yield _parameter(child, source)
        elif kind == "array_type":  # `params int[] rest` has no node of its own
            array_type = source.of(child)
        elif array_type and kind == "identifier":
            yield Parameter(source.identifier(child), array_type, ("params",))


def _parameter(node: Node, source: Source) -> Parameter:
    name, declared = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None:
        return Parameter("", source.of(declared) if declared else "")
    modifiers: tuple[Modifier, ...] = ()
    if declared is None or declared.start_byte != node.start_byte:
        modifiers = tuple(m for c in node.named_children if c.type == "modifier" for m in source.modifier(c))
    optional = b"=" in source.data[name.end_byte : node.end_byte]
    return Parameter(source.identifier(name), source.of(declared) if declared else "", modifiers, optional)
