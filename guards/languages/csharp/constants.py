"""Expressions that fold to a constant: literals, sums of them, names of constants in the file."""

import re
from collections.abc import Mapping

from guards.languages.csharp.frameworks import ENUMS
from guards.languages.csharp.names import compact
from guards.languages.syntax import Node, text_of

_ESCAPES = {
    "n": "\n", "r": "\r", "t": "\t", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b",
    "\\": "\\", '"': '"', "'": "'",
}  # fmt: skip
_DEEPEST = 64
_AS_WRITTEN = frozenset({"integer_literal", "real_literal", "boolean_literal", "null_literal"})
_STRINGS = frozenset({"string_literal", "verbatim_string_literal", "raw_string_literal"})
_NO_ELEMENTS = frozenset({"array_type", "array_rank_specifier", "comment"})
_EMPTY_STRINGS = frozenset({"string.Empty", "String.Empty", "System.String.Empty"})


def fold(node: Node, data: bytes, known: Mapping[str, str], depth: int = 0) -> str | None:
    """The value of an expression as text, or None where it is no constant that can be told.

    ``known`` are constants by name. Enum members fold to their dotted name, flags to such
    names with ``|`` between them, arrays to their elements with ``;`` between them.
    """
    kind = node.type
    if kind in _STRINGS:
        return string_value(node, data)
    if kind in _AS_WRITTEN:
        return text_of(node, data)
    if depth > _DEEPEST:
        return None
    if kind in ("identifier", "member_access_expression"):
        return _named(compact(data[node.start_byte : node.end_byte]), known)
    fold_composed = _COMPOSED.get(kind)
    return fold_composed(node, data, known, depth + 1) if fold_composed else None


def string_value(node: Node, data: bytes) -> str:
    """The value of a string literal that has no holes."""
    if node.type == "string_literal":
        return "".join(_piece(child, data) for child in node.named_children)
    if node.type == "verbatim_string_literal":
        return text_of(node, data).partition('"')[2].rpartition('"')[0].replace('""', '"')
    content = next((text_of(child, data) for child in node.children if child.type == "raw_string_content"), "")
    return _raw_value(content)


def _piece(child: Node, data: bytes) -> str:
    text = text_of(child, data)
    if child.type == "string_literal_content":
        return text
    if child.type != "escape_sequence":
        return ""
    if text[1:2] in ("u", "U", "x"):
        code = int(text[2:], 16)  # noqa: FURB166 - base 0 would read \x as no number
        return chr(code) if code < 0x110000 else text
    return _ESCAPES.get(text[1:], text)


def _raw_value(content: str) -> str:
    lines = re.split(r"\r\n|\n|\r", content)
    if len(lines) < 3 or lines[0].strip():
        return content
    indent = lines[-1]
    return "\n".join(line.removeprefix(indent) for line in lines[1:-1])


def _named(name: str, known: Mapping[str, str]) -> str | None:
    if name in known:
        return known[name]
    if name in _EMPTY_STRINGS:
        return ""
    parts = name.split(".")
    if len(parts) > 1 and parts[-2] in ENUMS:
        return ".".join(parts[-2:])
    return known.get(parts[-1]) if len(parts) == 2 and parts[0] == "this" else None


def _sum(node: Node, data: bytes, known: Mapping[str, str], depth: int) -> str | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return None
    operator = data[left.end_byte : right.start_byte].strip()
    if operator not in (b"+", b"|"):
        return None
    a, b = fold(left, data, known, depth), fold(right, data, known, depth)
    if a is None or b is None:
        return None
    if operator == b"|":
        return f"{a}|{b}"
    return None if _is_number(left) and _is_number(right) else a + b


def _is_number(node: Node) -> bool:
    return node.type in ("integer_literal", "real_literal")


def _inner(node: Node, data: bytes, known: Mapping[str, str], depth: int) -> str | None:
    inner = node.named_children
    return fold(inner[-1], data, known, depth) if inner else None


def _negated(node: Node, data: bytes, known: Mapping[str, str], depth: int) -> str | None:
    value = _inner(node, data, known, depth)
    return f"-{value}" if value is not None and data[node.start_byte : node.start_byte + 1] == b"-" else None


def _interpolated(node: Node, data: bytes, known: Mapping[str, str], depth: int) -> str | None:
    pieces: list[str] = []
    for child in node.named_children:
        value: str | None = None
        if child.type == "interpolation":
            holes = [inner for inner in child.named_children if inner.type != "interpolation_brace"]
            value = fold(holes[0], data, known, depth) if len(holes) == 1 else None
        elif child.type == "string_content":
            value = text_of(child, data).replace("{{", "{").replace("}}", "}")
        elif child.type in ("escape_sequence", "interpolation_start", "interpolation_quote"):
            value = _piece(child, data)
        if value is None:
            return None
        pieces.append(value)
    return "".join(pieces)


def _elements(node: Node, data: bytes, known: Mapping[str, str], depth: int) -> str | None:
    """The elements of an array with ``;`` between them."""
    inner = [child for child in node.named_children if child.type not in _NO_ELEMENTS]
    if len(inner) == 1 and inner[0].type == "initializer_expression":
        return fold(inner[0], data, known, depth)
    values = [fold(child, data, known, depth) for child in inner]
    return ";".join(value for value in values if value is not None) if None not in values else None


def _nameof(node: Node, data: bytes, known: Mapping[str, str], depth: int) -> str | None:
    del known, depth
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or text_of(function, data) != "nameof" or arguments.named_child_count != 1:
        return None
    named = arguments.named_children[0]
    return compact(data[named.start_byte : named.end_byte]).partition("<")[0].rpartition(".")[2]


_COMPOSED = {
    "binary_expression": _sum,
    "parenthesized_expression": _inner,
    "cast_expression": _inner,
    "checked_expression": _inner,
    "prefix_unary_expression": _negated,
    "interpolated_string_expression": _interpolated,
    "invocation_expression": _nameof,
    "array_creation_expression": _elements,
    "implicit_array_creation_expression": _elements,
    "initializer_expression": _elements,
    "collection_expression": _elements,
    "collection_element": _inner,
    "expression_element": _inner,
}


def fold_arguments(arguments: Node, data: bytes, known: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The constants in a list of arguments, each by its position from 0 or by its name."""
    folded = []
    position = 0
    for argument in arguments.named_children:
        if argument.type not in ("argument", "attribute_argument"):
            continue
        name = argument.child_by_field_name("name")
        values = [child for child in argument.named_children if child.type != "comment" and child != name]
        value = fold(values[-1], data, known) if values else None
        if value is not None:
            key = str(position) if name is None else compact(data[name.start_byte : name.end_byte])
            folded.append((key, value))
        position += name is None
    return tuple(folded)
