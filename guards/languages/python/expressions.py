"""What an expression means that is made of names and constants."""

import re
from collections.abc import Callable, Mapping

from guards.languages.python.nodes import bracketed, content_value, source, string_value
from guards.languages.python.references import (
    UNKNOWN,
    attribute,
    called,
    concatenated,
    constant,
    hole,
    is_text,
    text,
)
from guards.languages.python.scope import Scope
from guards.languages.syntax import Node

# No one writes deeper expressions by hand, or longer chains of aliases; hostile files do.
_DEEPEST = 40
_PERCENT = re.compile(r"(%%|%s|%)")
_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)\}|[{}]")
_INDEX = re.compile(r"[0-9]{1,3}")


class Expressions:
    """Reads the expressions of one file.

    ``lookup`` gives the reference of a name in a scope, ``attribute_of`` that of an attribute.
    """

    def __init__(
        self, data: bytes, lookup: Callable[[str, Scope], str], attribute_of: Callable[[str, str], str]
    ) -> None:
        self._data = data
        self._lookup = lookup
        self._attribute_of = attribute_of
        self._depth = 0  # of all that is being read, through names and their values too
        self._readers: Mapping[str, Callable[[Node, Scope], str]] = {
            "identifier": self._name,
            "none": self._none,
            "call": self._call,
            "string": self._string,
            "concatenated_string": self._adjacent,
            "binary_operator": self._operation,
            "named_expression": self._walrus,
            "subscript": self._subscript,
        }

    def reference(self, node: Node, scope: Scope) -> str:
        """The reference of an expression; unknown where it is no chain of names and no constant text."""
        names: list[str] = []
        while node.type in ("attribute", "parenthesized_expression"):
            inner = node.child_by_field_name("object") or bracketed(node)
            if inner is None:
                return UNKNOWN
            if node.type == "attribute":
                name = node.child_by_field_name("attribute")
                if name is None or len(names) > _DEEPEST:
                    return UNKNOWN
                names.append(source(name, self._data))
            node = inner
        read = self._readers.get(node.type)
        self._depth += 1
        reference = read(node, scope) if read is not None and self._depth < _DEEPEST else UNKNOWN
        for written in reversed(names):
            reference = self._attribute_of(reference, written)
        self._depth -= 1
        return reference

    def _name(self, node: Node, scope: Scope) -> str:
        return self._lookup(source(node, self._data), scope)

    def _none(self, _node: Node, _scope: Scope) -> str:
        return "builtins.None"

    def _walrus(self, node: Node, scope: Scope) -> str:
        value = node.child_by_field_name("value")
        return self.reference(value, scope) if value is not None else UNKNOWN

    def _subscript(self, node: Node, scope: Scope) -> str:
        """``sys.modules["a.b"]`` is a module; any other item is unknown."""
        value, key = node.child_by_field_name("value"), node.child_by_field_name("subscript")
        if value is None or key is None or self.reference(value, scope) != "sys.modules":
            return UNKNOWN
        written = self.reference(key, scope)
        return ":" if written == ":__name__" else _module(constant(written))

    # Calls

    def _call(self, node: Node, scope: Scope) -> str:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return UNKNOWN
        given = [child for child in arguments.named_children if child.type != "comment"]
        base = function.child_by_field_name("object") if function.type == "attribute" else None
        if base is not None and (name := function.child_by_field_name("attribute")) is not None:
            method, whole = source(name, self._data), self.reference(base, scope)
            if is_text(whole):
                return self._folded(method, whole, given, scope)
            reference = self._attribute_of(whole, method)
        else:
            reference = self.reference(function, scope)
        named = _BY_NAME.get(reference)
        return called(reference) if named is None else named([self.reference(child, scope) for child in given])

    def _folded(self, method: str, whole: str, given: list[Node], scope: Scope) -> str:
        """What a method of a text gives."""
        if method == "format":
            return self._formatted(constant(whole), given, scope)
        if method == "join" and len(given) == 1 and given[0].type in ("list", "tuple"):
            found: list[str] = []
            for number, node in enumerate(child for child in given[0].named_children if child.type != "comment"):
                found.extend(([whole] if number else []) + [hole(self.reference(node, scope))])
            return concatenated(found)
        return UNKNOWN

    def _formatted(self, template: str | None, given: list[Node], scope: Scope) -> str:
        positional: list[str] = []
        named: dict[str, str] = {}
        for node in given:
            if node.type == "keyword_argument":
                name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                if name is not None and value is not None:
                    named[source(name, self._data)] = self.reference(value, scope)
            else:
                positional.append(self.reference(node, scope))
        return UNKNOWN if template is None else _filled(template, positional, named)

    # Texts

    def _string(self, node: Node, scope: Scope) -> str:
        children = node.children
        prefix = source(children[0], self._data).lower() if children else "b"
        if "f" not in prefix:
            value = string_value(node, self._data)
            return UNKNOWN if value is None else text(value)
        found = []
        for child in children[1:-1]:
            if child.type == "string_content":
                found.append(text(content_value(child, self._data, raw="r" in prefix, template=True)))
            elif child.type == "interpolation":
                inner = child.named_children
                shows_itself = self._data[child.start_byte : child.end_byte].rstrip(b"} \t").endswith(b"=")
                plain = len(inner) == 1 and not shows_itself
                found.append(hole(self.reference(inner[0], scope)) if plain else UNKNOWN)
        return concatenated(found)

    def _adjacent(self, node: Node, scope: Scope) -> str:
        strings = (child for child in node.named_children if child.type != "comment")
        return concatenated([self._string(child, scope) for child in strings])

    def _operation(self, node: Node, scope: Scope) -> str:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        first = self.reference(left, scope) if left is not None else UNKNOWN
        if not first or right is None or operator is None:
            return UNKNOWN
        if operator.type == "+":
            return concatenated([hole(first), hole(self.reference(right, scope))])
        if operator.type == "%" and is_text(first):
            given = right.named_children if right.type == "tuple" else [right]
            return _interpolated(first, [self.reference(value, scope) for value in given])
        return UNKNOWN


def _module(name: str | None) -> str:
    """The reference of a module by its name; unknown where that is none."""
    return name if name and all(part.isidentifier() for part in name.split(".")) else UNKNOWN


def _import_module(given: list[str]) -> str:
    return _module(constant(given[0])) if len(given) == 1 else UNKNOWN


def _dunder_import(given: list[str]) -> str:
    return _import_module(given).partition(".")[0]


def _getattr(given: list[str]) -> str:
    name = constant(given[1]) if len(given) > 1 else None
    return attribute(given[0], name) if name and name.isidentifier() else UNKNOWN


def _fixture_value(given: list[str]) -> str:
    name = constant(given[0]) if given else None
    return f"${name}" if name and name.isidentifier() else UNKNOWN


# Functions that are given the name of what they return.
_BY_NAME: Mapping[str, Callable[[list[str]], str]] = {
    "importlib.import_module": _import_module,
    "builtins.__import__": _dunder_import,
    "builtins.getattr": _getattr,
    "$request.getfixturevalue": _fixture_value,
}


def _interpolated(template: str, values: list[str]) -> str:
    """What ``%`` makes of a template; only ``%s`` is understood."""
    given = iter(values)
    found = []
    for stretch in _PERCENT.split(template[1:]):
        if stretch == "%":
            return UNKNOWN
        found.append(hole(next(given, UNKNOWN)) if stretch == "%s" else "'" + stretch.replace("%%", "%"))
    return UNKNOWN if next(given, None) is not None else concatenated(found)


def _filled(template: str, positional: list[str], named: Mapping[str, str]) -> str:
    """What ``format`` makes of a template; only plain fields are understood."""
    found: list[str] = []
    last = count = 0
    for match in _FIELD.finditer(template):
        found.append(text(template[last : match.start()]))
        last = match.end()
        if match[0] in ("{{", "}}"):
            found.append(text(match[0][0]))
        elif match[1] is None:
            return UNKNOWN
        else:
            name = match[1] or str(count)
            count += not match[1]
            position = int(name) if _INDEX.fullmatch(name) else -1
            value = positional[position] if 0 <= position < len(positional) else named.get(name, UNKNOWN)
            found.append(hole(value))
    return concatenated([*found, text(template[last:])])
