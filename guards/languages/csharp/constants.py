"""Expressions that fold to a constant, and what of them only other files can tell.

An expression becomes a *formula*: its words in postfix order. A word is a value or a name, or
says what is done with those before it:

- ``"…`` a text, ``'…`` a character, ``=…`` another literal as written;
- ``@N.M`` whatever constant has that name;
- ``+``, ``|``, ``$``, ``-``: the sum of two values, two flags, two pieces of a text, a value with its sign turned;
- ``;2``: two elements of an array;
- ``/2 P.Combine``: two pieces of a path, if that is the method that puts paths together.

Formulas outlive the tree. One of a single value is folded.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from guards.languages.csharp.expressions import dotted_name
from guards.languages.csharp.frameworks import ENUMS
from guards.languages.csharp.names import compact
from guards.languages.syntax import Node, text_of

Formula: TypeAlias = "tuple[str, ...]"
LookUp: TypeAlias = "Callable[[str], str | None]"

TEXT, CHARACTER, OTHER, NAME = '"', "'", "=", "@"
COMBINE = "System.IO.Path.Combine"
_VALUES = (TEXT, CHARACTER, OTHER)
_ESCAPES = {
    "n": "\n", "r": "\r", "t": "\t", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b",
    "\\": "\\", '"': '"', "'": "'",
}  # fmt: skip
# Far above what people write; hostile files must not make formulas long or their values longer.
_DEEPEST = 64
_LONGEST = 64
_LONGEST_TEXT = 4096
_MOST_STEPS = 1024
_AS_WRITTEN = frozenset({"integer_literal", "real_literal", "boolean_literal", "null_literal"})
_STRINGS = frozenset({"string_literal", "verbatim_string_literal", "raw_string_literal"})
_NO_ELEMENTS = frozenset({"array_type", "array_rank_specifier", "comment"})
_EMPTY_STRINGS = frozenset({"string.Empty", "String.Empty", "System.String.Empty"})
_SURROGATE = re.compile("[\ud800-\udfff]")
_ROOTED = re.compile(r"[/\\]|[A-Za-z]:")


class Arguments(NamedTuple):
    """Arguments by position or name: the values of those that fold in their file, and the formulas of others."""

    folded: tuple[tuple[str, str], ...] = ()
    unsolved: tuple[tuple[str, Formula], ...] = ()


class Locals(Protocol):
    """What is known of local variables around an expression."""

    def is_local(self, name: Node) -> bool:
        """Whether an identifier means a local variable or a parameter."""

    def local_constant(self, name: Node) -> Node | None:
        """What a local variable holds as long as it lives; None where it can change."""


def formula(node: Node, data: bytes, known_locals: Locals | None = None) -> Formula:
    """The formula of an expression; empty where it is certainly no constant."""
    writer = _Writer(data, known_locals)
    return tuple(writer.words) if writer.write(node) else ()


def solved(words: Formula, look_up: LookUp) -> str | None:
    """The one value that a formula comes to, as a word; None where it is none or cannot be told.

    ``look_up`` gives the value of a name, and tells of a method whether it is ``COMBINE`` by any value.
    """
    values: list[str] = []
    for word in words:
        value = _step(word, values, look_up)
        if value is None or len(value) > _LONGEST_TEXT:
            return None
        values.append(value)
    return values[0] if len(values) == 1 else None


def fold(node: Node, data: bytes, look_up: LookUp, known_locals: Locals | None = None) -> str | None:
    """The value of an expression as text, or None where it is no constant that can be told.

    Enum members fold to their dotted name, flags to such names with ``|`` between them, arrays
    to their elements with ``;`` between them.
    """
    return text_of_value(solved(formula(node, data, known_locals), look_up))


def text_of_value(value: str | None) -> str | None:
    """A value without the sign that tells what it is."""
    return value[1:] if value is not None else None


def well_known(name: str) -> str | None:
    """The value of a dotted name that is known by itself: an empty text, or a member of a framework's enum."""
    if name in _EMPTY_STRINGS:
        return TEXT
    parts = name.split(".")
    return OTHER + ".".join(parts[-2:]) if len(parts) > 1 and parts[-2] in ENUMS else None


class FileConstants:
    """The constants that a file declares, by simple names, as far as a name has one value in all of it."""

    def __init__(self) -> None:
        self._formulas: dict[str, Formula] = {}
        self._values: dict[str, str | None] = {}
        self._depth = 0

    def add(self, name: str, words: Formula) -> None:
        """Takes in a constant."""
        if self._formulas.setdefault(name, words) != words:
            self._formulas[name] = ()
        self._values.clear()

    def value(self, name: str) -> str | None:
        """The value of a name as an expression has it, as a word."""
        name = name.removeprefix("this.")
        words = self._formulas.get(name)
        if words is None:
            if name.endswith(".Combine"):
                return OTHER if name in ("Path.Combine", "IO.Path.Combine", COMBINE) else None
            return well_known(name)
        if name not in self._values and self._depth < _DEEPEST:
            self._values[name] = None  # a constant that needs itself has no value
            self._depth += 1
            self._values[name] = solved(words, self.value)
            self._depth -= 1
        return self._values.get(name)


def fold_arguments(arguments: Node, data: bytes, look_up: LookUp, known_locals: Locals | None = None) -> Arguments:
    """The constants in a list of arguments, each by its position from 0 or by its name."""
    folded: list[tuple[str, str]] = []
    unsolved: list[tuple[str, Formula]] = []
    for key, node in _given(arguments, data):
        words = formula(node, data, known_locals)
        value = solved(words, look_up)
        if value is not None:
            folded.append((key, value[1:]))
        elif words:
            unsolved.append((key, words))
    return Arguments(tuple(folded), tuple(unsolved))


def _given(arguments: Node, data: bytes) -> Iterator[tuple[str, Node]]:
    position = 0
    for argument in arguments.named_children:
        if argument.type not in ("argument", "attribute_argument"):
            continue
        name = argument.child_by_field_name("name")
        values = [child for child in argument.named_children if child.type != "comment" and child != name]
        if values:
            yield str(position) if name is None else compact(data[name.start_byte : name.end_byte]), values[-1]
        position += name is None


# -- from values to a value


def _step(word: str, values: list[str], look_up: LookUp) -> str | None:
    """The value that a word of a formula makes; those that it takes are gone from ``values`` then."""
    sign, rest = word[:1], word[1:]
    if sign in _VALUES:
        return word
    if sign == NAME:
        return look_up(rest)
    count, _, method = rest.partition(" ")
    first = len(values) - (int(count) if count else 1 if sign == "-" else 2)
    if first < 0 or (method and look_up(method) is None):
        return None
    taken = values[first:]
    del values[first:]
    return _OPERATIONS[sign](taken)


def _sum(values: list[str]) -> str | None:
    if any(value[:1] == TEXT for value in values):
        return _text(values)
    left, right = map(_number, values)
    return f"{OTHER}{left + right}" if left is not None and right is not None else None


def _flags(values: list[str]) -> str | None:
    return OTHER + "|".join(value[1:] for value in values)


def _turned(values: list[str]) -> str | None:
    return f"{OTHER}-{values[0][1:]}" if values[0][:1] == OTHER else None


def _elements(values: list[str]) -> str | None:
    return OTHER + ";".join(value[1:] for value in values)


def _text(values: list[str]) -> str | None:
    return TEXT + "".join(map(_in_text, values))


def _path(values: list[str]) -> str | None:
    if any(value[:1] != TEXT for value in values):
        return None
    path = ""
    for value in values:
        piece = value[1:]
        path = piece if not path or _ROOTED.match(piece) else path + piece if path[-1] in "/\\" else f"{path}/{piece}"
    return TEXT + path


_OPERATIONS: Mapping[str, Callable[[list[str]], str | None]] = {
    "+": _sum, "|": _flags, "-": _turned, ";": _elements, "$": _text, "/": _path,
}  # fmt: skip


def _number(value: str) -> int | None:
    """The number that an integer literal is."""
    if value[:1] != OTHER:
        return None
    text = value[1:].replace("_", "").rstrip("uUlL")
    try:
        return int(text, 16 if text[:2] in ("0x", "0X") else 2 if text[:2] in ("0b", "0B") else 10)
    except ValueError:
        return None


def _in_text(value: str) -> str:
    """A value as C# makes it a part of a text."""
    if value[:1] != OTHER:
        return value[1:]
    number = _number(value)
    if number is not None:
        return str(number)
    text = value[1:]
    last = text.rpartition(".")[2] if text[:1].isalpha() else text  # a member of an enum
    return {"null": "", "true": "True", "false": "False"}.get(text, last)


# -- from the tree to a formula


def _well_formed(text: str) -> str:
    r"""A text in which ``\ud83d\ude00`` are one character, and a half without its other half is none."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Writer:
    """Writes the formula of one expression."""

    def __init__(self, data: bytes, known_locals: Locals | None) -> None:
        self.words: list[str] = []
        self._data = data
        self._locals = known_locals
        self._depth = 0
        self._steps = 0

    def write(self, node: Node) -> bool:
        """Adds the words of an expression; false where it is certainly no constant."""
        self._steps += 1
        kind = node.type
        if kind in _STRINGS:
            return self._add(TEXT + string_value(node, self._data))
        if kind in _AS_WRITTEN:
            return self._add(OTHER + text_of(node, self._data))
        if kind == "character_literal":
            return self._add(CHARACTER + "".join(_piece(child, self._data) for child in node.named_children))
        compose = _COMPOSED.get(kind)
        if compose is None or self._depth >= _DEEPEST or self._steps > _MOST_STEPS:
            return False
        self._depth += 1
        written = compose(self, node)
        self._depth -= 1
        return written

    def _add(self, word: str) -> bool:
        self.words.append(_well_formed(word) if _SURROGATE.search(word) else word)
        return len(self.words) <= _LONGEST and len(word) <= _LONGEST_TEXT

    def _joined(self, operation: str) -> bool:
        """Adds an operation on two values; where both are texts already, what it makes of them."""
        if operation == "|" or any(word[:1] != TEXT for word in self.words[-2:]):
            return self._add(operation)
        last = self.words.pop()
        return self._add(self.words.pop() + last[1:])

    def name(self, node: Node) -> bool:
        first = node
        while first.type == "member_access_expression":
            inner = first.child_by_field_name("expression")
            if inner is None:
                return False
            first = inner
        if self._locals is not None and first.type == "identifier" and self._locals.is_local(first):
            value = self._locals.local_constant(first) if first == node else None
            return value is not None and self.write(value)
        name = dotted_name(node, self._data)
        return name is not None and "(" not in name and "[" not in name and self._add(NAME + name)

    def sum(self, node: Node) -> bool:
        terms: list[tuple[str, Node]] = []
        left: Node | None = node
        while left is not None and left.type == "binary_expression" and len(terms) <= _LONGEST:
            inner, right = left.child_by_field_name("left"), left.child_by_field_name("right")
            operator = left.child_by_field_name("operator")
            if right is None or operator is None or operator.type not in ("+", "|"):
                return False
            terms.append((operator.type, right))
            left = inner
        return (
            left is not None
            and self.write(left)
            and all(self.write(right) and self._joined(operator) for operator, right in reversed(terms))
        )

    def inner(self, node: Node) -> bool:
        inner = node.named_children
        return bool(inner) and self.write(inner[-1])

    def negated(self, node: Node) -> bool:
        return self._data[node.start_byte : node.start_byte + 1] == b"-" and self.inner(node) and self._add("-")

    def interpolated(self, node: Node) -> bool:
        if not self._add(TEXT):
            return False
        for child in node.named_children:
            if child.type == "interpolation":
                holes = [inner for inner in child.named_children if inner.type != "interpolation_brace"]
                is_known = len(holes) == 1 and self.write(holes[0])
            elif child.type == "string_content":
                is_known = self._add(TEXT + text_of(child, self._data).replace("{{", "{").replace("}}", "}"))
            else:
                is_known = self._add(TEXT + _piece(child, self._data))
            if not is_known or not self._joined("$"):
                return False
        return True

    def elements(self, node: Node) -> bool:
        """The elements of an array."""
        inner = [child for child in node.named_children if child.type not in _NO_ELEMENTS]
        if len(inner) == 1 and inner[0].type == "initializer_expression":
            return self.write(inner[0])
        return all(map(self.write, inner)) and self._add(f";{len(inner)}")

    def call(self, node: Node) -> bool:
        """``nameof(…)``, and what may be ``Path.Combine(…)``."""
        called = dotted_name(node.child_by_field_name("function"), self._data)
        given = node.child_by_field_name("arguments")
        arguments = [child for child in given.named_children if child.type == "argument"] if given is not None else []
        if called == "nameof" and len(arguments) == 1:
            named = compact(self._data[arguments[0].start_byte : arguments[0].end_byte])
            return self._add(TEXT + named.partition("<")[0].rpartition(".")[2])
        if called is None or called.rpartition(".")[2] != "Combine" or not arguments:
            return False
        return all(map(self.inner, arguments)) and self._add(f"/{len(arguments)} {called}")


_COMPOSED: Mapping[str, Callable[[_Writer, Node], bool]] = {
    "identifier": _Writer.name,
    "member_access_expression": _Writer.name,
    "binary_expression": _Writer.sum,
    "parenthesized_expression": _Writer.inner,
    "cast_expression": _Writer.inner,
    "checked_expression": _Writer.inner,
    "prefix_unary_expression": _Writer.negated,
    "interpolated_string_expression": _Writer.interpolated,
    "invocation_expression": _Writer.call,
    "array_creation_expression": _Writer.elements,
    "implicit_array_creation_expression": _Writer.elements,
    "initializer_expression": _Writer.elements,
    "collection_expression": _Writer.elements,
    "collection_element": _Writer.inner,
    "expression_element": _Writer.inner,
}


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
    if child.type in ("string_literal_content", "character_literal_content"):
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
