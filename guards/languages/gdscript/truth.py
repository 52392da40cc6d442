"""What is known of the truth of values: collections that hold something, names that were asked for.

To GDScript an empty collection, an empty text, 0, ``null`` and ``false`` are false. So "there is
something in it" and "it is true" are one question, and ``x != null`` is taken for it too.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from guards.languages.flow import EITHER, FALSE, TRUE
from guards.languages.gdscript.literals import number_value, string_value
from guards.languages.gdscript.nodes import called, first_child, operator, parts_of
from guards.languages.syntax import Node

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

# Stands before the name of a constant of the class, of which the project may know whether it is empty.
CONSTANT_TRUTH: Final = "="

_NAMED: Final = {"true": TRUE, "false": FALSE, "null": FALSE}
_NUMBERS: Final = frozenset({"integer", "float"})
_TEXTS: Final = frozenset({"string", "string_name", "node_path"})
_SIZES: Final = frozenset({"size", "length"})
# Of something that is not empty these are not empty either.
_KEEP_ELEMENTS: Final = _SIZES | {"keys", "values", "duplicate", "map"}
_ADD_ELEMENTS: Final = frozenset({"append", "push_back", "push_front", "insert"})
_CHANGE_ELEMENTS: Final = frozenset(
    {"clear", "erase", "pop_back", "pop_front", "pop_at", "remove_at", "resize", "assign", "append_array", "merge"}
)
_ARRAYS: Final = "Array"
_MAX_DEPTH: Final = 12
_LARGEST_RANGE: Final = 10**9


class Test(NamedTuple):
    """An expression is ``value`` if the name is true, and only then.

    One that is not ``is_exact`` tells less: where it is ``value`` the name is true.
    """

    name: str
    value: bool
    is_exact: bool = True


class Truths:
    """The truth of the expressions of one function.

    Args:
        file: the file.
        names: the local names that are followed. ``asked`` collects those that would have to be.
    """

    def __init__(self, file: "GDScriptFile", names: frozenset[str] = frozenset()) -> None:
        self._types = file.types
        self.text = file.types.text
        self.names = names
        self.asked: set[str] = set()

    def of_literal(self, node: Node, depth: int = 0) -> int:
        """The truth of a value that can be read off the source."""
        kind, known = node.type, EITHER
        if kind in _NAMED:
            known = _NAMED[kind]
        elif kind in _NUMBERS:
            known = _truth(bool(number_value(self.text(node)).strip("0.")))
        elif kind in _TEXTS:
            value = string_value(self.text(node))
            known = EITHER if value is None else _truth(bool(value))
        elif kind in ("array", "dictionary"):
            known = _truth(bool(parts_of(node)))
        elif kind == "parenthesized_expression" and depth < _MAX_DEPTH:
            inner = first_child(node)
            known = self.of_literal(inner, depth + 1) if inner is not None else EITHER
        elif kind == "attribute":
            method, _ = called(node.named_children[-1])
            known = TRUE if method is not None and self.text(method) == "new" else EITHER
        return known

    def of_value(self, node: Node) -> int:
        """The truth of a name that gets a value; an empty collection may be filled in places that nobody sees."""
        known = self.of_literal(node)
        scalar = node.type in _NUMBERS or node.type in _NAMED
        return known if known == TRUE or scalar else EITHER

    def of_collection(self, node: Node, depth: int = 0) -> tuple[int, str]:
        """Whether there is something in what a loop goes over, or the name that this depends on."""
        known = self.of_literal(node)
        if known != EITHER or depth > _MAX_DEPTH:
            return known, ""
        if node.type == "identifier":
            return EITHER, self._name(node)
        if node.type == "parenthesized_expression":
            inner = first_child(node)
            return self.of_collection(inner, depth + 1) if inner is not None else (EITHER, "")
        parts = {"binary_operator": self._of_operator, "call": self._of_call, "attribute": self._of_attribute}
        return parts[node.type](node, depth) if node.type in parts else (EITHER, "")

    def _of_operator(self, node: Node, depth: int) -> tuple[int, str]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = operator(node)
        if left is not None and sign == "as":
            return self.of_collection(left, depth + 1)
        if left is not None and right is not None and sign == "+":
            both = (self.of_collection(left, depth + 1), self.of_collection(right, depth + 1))
            return next((part for part in both if part[0] == TRUE), (EITHER, ""))
        return EITHER, ""

    def _of_call(self, node: Node, depth: int) -> tuple[int, str]:
        method, arguments = called(node)
        name = self.text(method) if method is not None else ""
        if name == "range" and arguments:
            return self._of_range(arguments, depth)
        is_same = name == "len" or name.endswith(_ARRAYS) or name in ("Dictionary", "String")
        return self.of_collection(arguments[0], depth + 1) if is_same and len(arguments) >= 1 else (EITHER, "")

    def _of_range(self, arguments: Sequence[Node], depth: int) -> tuple[int, str]:
        numbers = [self._number(argument) for argument in arguments[:3]]
        known = [number for number in numbers if number is not None]
        if len(known) == len(numbers):
            step = known[2] if len(known) > 2 else 1
            return (_truth(bool(range(*known))) if step else EITHER), ""
        if len(arguments) == 1 or (len(arguments) == 2 and numbers[0] == 0):
            return self.of_collection(arguments[-1], depth + 1)
        return EITHER, ""

    def _number(self, node: Node) -> int | None:
        negative = node.type == "unary_operator" and operator(node) == "-"
        digits = node.named_children[-1] if negative and node.named_children else node
        text = number_value(self.text(digits)) if digits.type == "integer" else ""
        if not text.isdigit() or len(text) > 9:
            return None
        return -int(text) if negative else int(text)

    def _of_attribute(self, node: Node, depth: int) -> tuple[int, str]:
        parts = parts_of(node)
        while len(parts) > 1:
            method, _ = called(parts[-1])
            name = self.text(method) if method is not None else ""
            splits = name == "split" and len(parts) == 2 and parts[0].type == "string"
            if name not in _KEEP_ELEMENTS and not splits:
                return EITHER, ""
            parts = parts[:-1]
        return self.of_collection(parts[0], depth + 1)

    def _name(self, node: Node) -> str:
        """A local name, or a constant of the class; empty for what else a name can be."""
        name = self.text(node)
        if self._types.local(node):
            self.asked.add(name)
            return name
        return CONSTANT_TRUTH + name if name[:1].isupper() or self._types.field(node) else ""

    def of_test(self, node: Node) -> Test | None:
        """The name that an expression asks for."""
        match node.type:
            case "identifier" if self._types.local(node):
                return Test(self._name(node), value=True)
            case "attribute":
                return self._of_question(node)
            case "call":
                method, arguments = called(node)
                asks = method is not None and self.text(method) in ("len", "is_instance_valid")
                return self._test(arguments[0], value=True) if asks and arguments else None
            case "binary_operator":
                return self._of_comparison(node)
        return None

    def _test(self, node: Node, *, value: bool, is_exact: bool = True) -> Test | None:
        _, name = self.of_collection(node)
        return Test(name, value, is_exact) if name else None

    def _of_question(self, node: Node) -> Test | None:
        """``x.is_empty()`` and ``x.size()``."""
        parts = parts_of(node)
        method, _ = called(parts[-1])
        name = self.text(method) if method is not None else ""
        if len(parts) != 2 or name not in {"is_empty", *_SIZES}:
            return None
        return self._test(parts[0], value=name != "is_empty")

    def _of_comparison(self, node: Node) -> Test | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = operator(node)
        if left is None or right is None or sign not in ("==", "!=", "<", ">", "<=", ">="):
            return None
        if left.type == "identifier" and not self._types.local(left):
            return None  # a constant that is compared is a switch, and may be turned
        if right.type in ("null", "array", "dictionary", *_TEXTS):
            is_empty = self.of_literal(right) == FALSE
            return self._test(left, value=sign == "!=") if is_empty and sign in ("==", "!=") else None
        number = self._number(right)
        return self._of_count(left, sign, number) if number is not None and number >= 0 else None

    def _of_count(self, left: Node, sign: str, number: int) -> Test | None:
        """``x.size() > 0``: of a size everything is known, a number can be less than 0."""
        if sign in ("==", "!=") and number == 0:
            return self._test(left, value=sign == "!=")
        at_least = {">": number + 1, ">=": number, "==": number}.get(sign)
        if at_least is not None:
            if at_least < 1:
                return None
            is_exact = at_least == 1 and sign != "==" and left.type != "identifier"
            return self._test(left, value=True, is_exact=is_exact)
        below = {"<": number, "<=": number + 1, "!=": number}[sign]
        if below < 1:
            return None
        is_exact = below == 1 and sign != "!=" and left.type != "identifier"
        return self._test(left, value=False, is_exact=is_exact)

    def compared_with_truth(self, node: Node) -> tuple[Node, bool] | None:
        """``x == true`` as ``x``, ``x == false`` as ``not x``."""
        sign = operator(node) if node.type == "binary_operator" else ""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if sign not in ("==", "!=") or left is None or right is None or right.type not in ("true", "false"):
            return None
        return left, (right.type == "true") == (sign == "==")

    def of_change(self, node: Node) -> tuple[str, int]:
        """A followed name whose elements a call changes, and what is known of it then."""
        parts = parts_of(node)
        method, _ = called(parts[-1])
        name = self.text(parts[0]) if len(parts) == 2 and method is not None else ""
        if name not in self.names or method is None:
            return "", EITHER
        change = self.text(method)
        if change in _ADD_ELEMENTS:
            return name, TRUE
        return (name, EITHER) if change in _CHANGE_ELEMENTS else ("", EITHER)


def _truth(value: bool) -> int:  # noqa: FBT001 what it turns is all that it has
    return TRUE if value else FALSE
