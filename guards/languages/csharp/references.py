"""Where one variant uses members of a given name, and as what: call, value, target, method group, reflection.

The name is looked for in the bytes, and only where it stands is the tree asked: most files use
none of the members that somebody asks for.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.base import CALL, REFERENCE
from guards.languages.csharp.constants import Arguments, LookUp, fold_arguments, string_value
from guards.languages.csharp.evidence import Evidence
from guards.languages.csharp.expressions import call_of_argument, dotted_name, kinds_of
from guards.languages.csharp.locals import hidden_spans
from guards.languages.csharp.names import compact, identifier, parse
from guards.languages.csharp.reading import Variant
from guards.languages.csharp.reflection import Reflection
from guards.languages.csharp.words import words
from guards.languages.syntax import Node

if TYPE_CHECKING:
    from guards.languages.csharp.spans import Span

_WORD = re.compile(rb"[\w\\\x80-\xff]+")
_FEW = 32
_STRING_CONTENT = frozenset({"string_literal_content", "verbatim_string_literal", "raw_string_content"})
# Where an identifier names a type, a label or something that is being declared.
_DECLARING_FIELDS = ("name", "type", "returns", "alias", "qualifier")
_NO_EXPRESSIONS = words(
    "ERROR alias_qualified_name array_type attribute base_list explicit_interface_specifier goto_statement "
    "join_into_clause labeled_statement nullable_type pointer_type qualified_name ref_type subpattern "
    "tuple_element tuple_pattern type_argument_list type_parameter type_parameter_constraint "
    "type_parameter_constraints_clause using_directive"
)


class Reference(NamedTuple):
    """A use before anybody knows what encloses it: the offsets of the member's name, and the name as written."""

    start: int
    end: int
    name: str
    kinds: tuple[str, ...]
    arguments: Arguments = Arguments()


class References:
    """The references in one variant. ``spellings`` gives the ways in which the file writes a name."""

    def __init__(
        self, variant: Variant, spellings: Callable[[str], Sequence[bytes]], constants: LookUp, evidence: Evidence
    ) -> None:
        self._data = variant.data
        self._root = variant.tree.root_node
        self._spellings = spellings
        self._constants = constants
        self._evidence = evidence
        self._hidden: dict[str, list[Span]] = {}
        self._searches = 0
        self._words: dict[bytes, list[int]] | None = None

    def of(self, member: str) -> Iterator[Reference]:
        """References to members of a name."""
        for node in self._occurrences(member):
            if node.type == "identifier":
                reference = self._reference(member, node)
                if reference is not None:
                    yield reference
            elif node.type in _STRING_CONTENT:
                yield from self._named_to_reflection(member, node)

    def _occurrences(self, name: str, *, with_members: bool = True) -> Iterator[Node]:
        """The smallest nodes that hold the name as a whole word, or those of them that no dot follows."""
        for spelling in self._spellings(name):
            for start in self._places(spelling):
                end = start + len(spelling)
                if with_members or self._data[end : end + 1] != b".":
                    node = self._root.descendant_for_byte_range(start, end)
                    if node is not None:
                        yield node

    def _places(self, spelling: bytes) -> Iterable[int]:
        """Where a word stands. A few are searched for; for many, one pass finds all words."""
        self._searches += 1
        if self._searches <= _FEW:
            word = rb"(?<![\w\\\x80-\xff])" + re.escape(spelling) + rb"(?![\w\\\x80-\xff])"
            return (match.start() for match in re.finditer(word, self._data))
        if self._words is None:
            self._words = {}
            for match in _WORD.finditer(self._data):
                self._words.setdefault(match[0], []).append(match.start())
        return self._words.get(spelling, ())

    def _reference(self, member: str, node: Node) -> Reference | None:
        parent = node.parent
        if parent is not None and parent.type == "generic_name":
            node, parent = parent, parent.parent
        if parent is None:
            return None
        expression, name = self._expression(member, node, parent)
        if name is None or self._is_hidden(name, node):
            return None
        start, end = (
            node.start_byte,
            node.start_byte + len(self._data[node.start_byte : node.end_byte].partition(b"<")[0].rstrip()),
        )
        call = self._nameof(expression)
        if call is not None:
            return Reference(start, end, name, (REFERENCE,)) if self._reflection.owner(call) is not None else None
        kinds = kinds_of(expression)
        arguments = self._arguments(expression) if kinds == (CALL,) else Arguments()
        return Reference(start, end, name, kinds, arguments)

    def _expression(self, member: str, node: Node, parent: Node) -> tuple[Node, str | None]:
        """The whole expression that a member's name ends, and its dotted name; no name where it is no expression."""
        kind = parent.type
        if kind == "member_access_expression" and parent.child_by_field_name("name") == node:
            receiver = dotted_name(parent.child_by_field_name("expression"), self._data)
            return parent, None if receiver is None else f"{receiver}.{member}"
        if kind == "member_binding_expression":
            access = parent.parent
            if access is None or access.type != "conditional_access_expression":
                return parent, None
            receiver = dotted_name(access.child_by_field_name("condition"), self._data)
            return access, None if receiver is None else f"{receiver}.{member}"
        return node, member if _is_value(node, parent) else None

    def _is_hidden(self, name: str, node: Node) -> bool:
        """Whether the first part of the name is a local variable here."""
        qualifier, parts = parse(name.partition("(")[0].partition("[")[0])
        first = parts[0].name if parts else name
        if qualifier or first in ("this", "base"):
            return False
        if first not in self._hidden:
            self._hidden[first] = hidden_spans(self._occurrences(first, with_members=False), self._data)
        spans = self._hidden[first]
        index = bisect_right(spans, (node.start_byte, len(self._data))) - 1
        return index >= 0 and node.start_byte < spans[index][1]

    def _nameof(self, expression: Node) -> Node | None:
        """The ``nameof(…)`` that an expression is the argument of."""
        call = call_of_argument(expression)
        function = call.child_by_field_name("function") if call is not None else None
        is_nameof = function is not None and self._data[function.start_byte : function.end_byte] == b"nameof"
        return call if is_nameof else None

    def _arguments(self, function: Node) -> Arguments:
        call = function.parent
        while call is not None and call.type != "invocation_expression":
            call = call.parent
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if arguments is None:
            return Arguments()
        return fold_arguments(arguments, self._data, self._constants, self._evidence)

    def _named_to_reflection(self, member: str, content: Node) -> Iterator[Reference]:
        literal = content if content.type.endswith("_literal") else content.parent
        if literal is None or string_value(literal, self._data) != member:
            return
        named = [literal]
        declarator = literal.parent
        if declarator is not None and declarator.type == "variable_declarator":
            name = declarator.child_by_field_name("name")
            if name is not None:
                named = list(self._occurrences(identifier(self._data[name.start_byte : name.end_byte])))
        for node in named:
            owner = self._reflection.owner(node)
            if owner is not None and parse(owner).parts:
                where = content if node == literal else node
                yield Reference(where.start_byte, where.end_byte, f"{owner}.{member}", (REFERENCE,))

    @cached_property
    def _reflection(self) -> Reflection:
        return Reflection(self._data, self._constants, self._evidence, self._initialisers())

    def _initialisers(self) -> dict[str, Node]:
        """The values of variables, as far as one name is declared once."""
        values: dict[str, Node | None] = {}
        if b"typeof" not in self._data and b"GetType" not in self._data:
            return {}
        for match in re.finditer(rb"\b(?:typeof|GetType)\b", self._data):
            node: Node | None = self._root.descendant_for_byte_range(match.start(), match.end())
            for _ in range(6):
                if node is None or node.type == "variable_declarator":
                    break
                node = node.parent
            name = node.child_by_field_name("name") if node is not None else None
            if node is not None and name is not None:
                text = compact(self._data[name.start_byte : name.end_byte])
                values[text] = None if text in values else node.named_children[-1]
        return {name: value for name, value in values.items() if value is not None}


def _is_value(node: Node, parent: Node) -> bool:
    """Whether a bare name stands where a value does: not as a type, a label or a declaration."""
    kind = parent.type
    if kind in _NO_EXPRESSIONS or any(parent.child_by_field_name(field) == node for field in _DECLARING_FIELDS):
        return False
    if kind == "as_expression" and parent.child_by_field_name("right") == node:
        return False
    following = node.next_sibling
    if kind in ("anonymous_object_creation_expression", "with_initializer", "let_clause", "join_clause"):
        return following is None or following.type not in ("=", "in")
    if kind == "assignment_expression" and parent.child_by_field_name("left") == node:
        holder = parent.parent
        return holder is None or holder.type != "initializer_expression"
    return True
