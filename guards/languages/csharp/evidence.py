"""What one variant shows of the types of its expressions, in words that outlive the tree.

An expression becomes a chain of words that the index can follow. The first is ``:T`` (a value
of the type ``T`` as written), ``this``, ``base``, ``M<A>(2`` (a call of a member with two
arguments), a tuple, a name that is no local, or ``?`` for what nobody can tell. The others go on
from there: ``.M``, ``.M<A>(2``, ``[]``, ``await``, ``each`` for one of several, and ``#1`` for what
a deconstruction puts in second place. Locals are replaced by what declares them, so that chains
are about members and types alone.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from guards.languages.base import WRITE
from guards.languages.csharp.chains import (
    ASYNC_LAMBDA,
    LAMBDA,
    UNKNOWN,
    Given,
    Words,
    call_word,
    tuple_word,
)
from guards.languages.csharp.expressions import kinds_of, unwrapped
from guards.languages.csharp.locals import local_declarations
from guards.languages.csharp.names import compact, type_arguments
from guards.languages.csharp.reading import Variant
from guards.languages.csharp.words import words
from guards.languages.syntax import Node

_LONGEST = 32
_DEEPEST = 8
_MOST_ARGUMENTS = 6
_FEW = 24
_LITERALS = {
    "boolean_literal": ":bool",
    "character_literal": ":char",
    "integer_literal": ":int",
    "interpolated_string_expression": ":string",
    "raw_string_literal": ":string",
    "string_literal": ":string",
    "typeof_expression": ":global::System.Type",
    "verbatim_string_literal": ":string",
}
_TYPED = {
    "array_creation_expression": "type",
    "as_expression": "right",
    "cast_expression": "type",
    "default_expression": "type",
    "object_creation_expression": "type",
}
_NAMES = frozenset({"identifier", "generic_name", "predefined_type", "alias_qualified_name", "qualified_name"})
_SEVERAL = frozenset({"initializer_expression", "collection_expression"})
_THROUGH = words(
    "binary_expression collection_element conditional_expression expression_element parenthesized_expression"
)
_VALUELESS = frozenset({"null_literal", "throw_expression"})
_FUNCTIONS = {
    "method_declaration": "returns",
    "property_declaration": "type",
    "local_function_statement": "type",
    "indexer_declaration": "type",
}
_WORD = re.compile(rb"[\w\\\x80-\xff]+")
_RANK = re.compile(r"\[[^\[\],]*\]")
# Methods whose function is given the elements of what they are called on, or of their first argument.
_ELEMENTWISE = words(
    "All Any Average Count Distinct Exists Find FindAll FindIndex First FirstOrDefault ForEach GroupBy Last "
    "LastOrDefault Max Min OrderBy OrderByDescending Select SelectMany Single SingleOrDefault SkipWhile Sum TakeWhile "
    "ToDictionary ToLookup TrueForAll Where"
)


class _How(NamedTuple):
    """How far to look, and whether what calls are given matters."""

    depth: int
    arguments: bool

    def deeper(self) -> "_How":
        return _How(self.depth - 1, self.arguments)


class Evidence:
    """Looks through one variant. ``spellings`` gives the ways in which the file writes a name."""

    def __init__(self, variant: Variant, spellings: Callable[[str], Sequence[bytes]]) -> None:
        self._data = variant.data
        self._root = variant.tree.root_node
        self._spellings = spellings
        self._searches = 0
        self._locals: dict[str, list[tuple[int, int, Node]]] = {}
        self._writes: dict[str, list[int]] = {}
        self._chains: dict[tuple[int, str, _How], Words] = {}

    def of(self, node: Node, *, with_arguments: bool = False) -> Words:
        """The chain of words for an expression; arguments tell what a generic method makes of them."""
        return self._of(node, _How(_DEEPEST, with_arguments))

    def is_local(self, name: Node) -> bool:
        """Whether an identifier means a local variable or a parameter."""
        return self._local(self._text(name), name) is not None

    def local_value(self, name: Node) -> Node | None:
        """What a local variable begins with; None for all else."""
        declaration = self._local(self._text(name), name)
        if declaration is None or declaration.type != "variable_declarator":
            return None
        return declaration.named_children[-1] if declaration.named_child_count > 1 else None

    def local_constant(self, name: Node) -> Node | None:
        """What a local variable holds as long as it lives; None where it can change."""
        text = self._text(name)
        found, value = self._local_in_scope(text, name), self.local_value(name)
        if found is None or value is None:
            return None
        if text not in self._writes:
            self._writes[text] = sorted(node.start_byte for node in self.nodes_of(text) if WRITE in kinds_of(node))
        start, end, _ = found
        written = self._writes[text]
        return None if bisect_left(written, start) < bisect_left(written, end) else value

    def target(self, node: Node) -> Words:
        """The chain for what an expression has to be: the variable that it is given to, or what is returned."""
        return self._target(node, _How(_DEEPEST, arguments=False))

    def nodes_of(self, name: str) -> Iterator[Node]:
        """The smallest nodes that hold the name as a whole word."""
        for spelling in self._spellings(name):
            for start in self._places_of(spelling):
                node = self._root.descendant_for_byte_range(start, start + len(spelling))
                if node is not None:
                    yield node

    def _places_of(self, spelling: bytes) -> Sequence[int]:
        """Where a word stands. Each of a few is searched for; for many, one pass finds all words."""
        self._searches += 1
        if self._searches > _FEW:
            return self._places.get(spelling, ())
        data, size = self._data, len(spelling)
        places = []
        start = data.find(spelling)
        while start >= 0:
            # Slices, since a word can stand at either end of the file.
            if not (_WORD.match(data[start + size : start + size + 1]) or _WORD.match(data[max(0, start - 1) : start])):
                places.append(start)
            start = data.find(spelling, start + size)
        return places

    @cached_property
    def _places(self) -> Mapping[bytes, Sequence[int]]:
        """Where each word stands."""
        places: dict[bytes, list[int]] = {}
        for match in _WORD.finditer(self._data):
            places.setdefault(match[0], []).append(match.start())
        return places

    def _text(self, node: Node) -> str:
        return compact(self._data[node.start_byte : node.end_byte])

    def _local(self, name: str, node: Node) -> Node | None:
        """What declares a name as a local where a node stands; None where it is a member, a type or a namespace."""
        found = self._local_in_scope(name, node)
        return found[2] if found is not None else None

    def _local_in_scope(self, name: str, node: Node) -> tuple[int, int, Node] | None:
        """The declaration of a local, and the range in which it holds."""
        name = name.partition("<")[0]
        if name not in self._locals:
            self._locals[name] = local_declarations(self.nodes_of(name))
        declarations, place = self._locals[name], node.start_byte
        for position in range(bisect_right(declarations, place, key=itemgetter(0)) - 1, -1, -1):
            if place < declarations[position][1]:
                return declarations[position]
        return None

    def _of(self, node: Node, how: _How) -> Words:
        tail: list[str] = []
        following: Node | None = node
        while following is not None and len(tail) < _LONGEST:
            node = following
            following = self._step(node, tail, how)
        first = UNKNOWN if following is not None else self._first(node, how)
        return (*first, *reversed(tail))

    def _step(self, node: Node, tail: list[str], how: _How) -> Node | None:
        """What an expression goes on from, with its last step put into the tail; None where it begins a chain."""
        kind = node.type
        if kind == "member_access_expression":
            name = node.child_by_field_name("name")
            tail.append(f".{self._text(name)}" if name is not None else ".")
            return node.child_by_field_name("expression")
        if kind == "conditional_access_expression":
            binding = node.named_children[-1]
            name = binding.child_by_field_name("name")
            tail.append(f".{self._text(name)}" if name is not None else "[]")
            return node.child_by_field_name("condition")
        if kind == "element_access_expression":
            tail.append("[]")
            return node.child_by_field_name("expression")
        if kind == "await_expression":
            tail.append("await")
            return node.named_children[0] if node.named_children else None
        if kind == "invocation_expression":
            function = node.child_by_field_name("function")
            if function is not None and function.type in ("member_access_expression", "conditional_access_expression"):
                receiver = self._step(function, tail, how)
                tail[-1] = self._call_word(tail[-1], node, how)
                return receiver
        return unwrapped(node)

    def _first(self, node: Node, how: _How) -> Words:
        """The chain of an expression that goes on from no other."""
        kind = node.type
        if kind in _LITERALS:
            return (_LITERALS[kind],)
        if kind in _TYPED:
            return self._typed(node.child_by_field_name(_TYPED[kind]))
        if kind in ("this", "base"):
            return (kind,)
        if kind == "invocation_expression":
            return self._called(node, how)
        return self._looked_up(node, how) if how.depth else UNKNOWN

    def _looked_up(self, node: Node, how: _How) -> Words:
        kind = node.type
        if kind in _NAMES:
            return self._named(node, how)
        if kind == "implicit_object_creation_expression":
            return self._target(node, how.deeper())
        if kind == "tuple_expression":
            return (tuple_word([self._element(child, how) for child in node.named_children]),)
        if kind == "conditional_expression":
            return self._either(node, ("consequence", "alternative"), how)
        if kind == "binary_expression" and any(child.type == "??" for child in node.children):
            return self._either(node, ("left", "right"), how)
        return UNKNOWN

    def _element(self, node: Node, how: _How) -> Given:
        """An element of a tuple; one without a name is called as the member or variable that it is."""
        name, value = node.child_by_field_name("name"), node.named_children[-1]
        if name is None and value.type in ("identifier", "member_access_expression"):
            name = value.child_by_field_name("name") or value
        return Given(self._text(name) if name is not None else "", self._of(value, how.deeper()))

    def _typed(self, declared: Node | None) -> Words:
        if declared is None or declared.type == "implicit_type":
            return UNKNOWN
        text = self._text(declared)
        return (":" + (_RANK.sub("[]", text) if declared.type == "array_type" else text),)

    def _either(self, node: Node, fields: Sequence[str], how: _How) -> Words:
        """The chain of two expressions that agree, or of the one that has a value."""
        sides = (node.child_by_field_name(field) for field in fields)
        found = {self._of(side, how.deeper()) for side in sides if side is not None and side.type not in _VALUELESS}
        return found.pop() if len(found) == 1 else UNKNOWN

    def _named(self, node: Node, how: _How) -> Words:
        name = self._text(node)
        declaration = self._local(name, node) if node.type == "identifier" else None
        if declaration is not None:
            key = (declaration.id, name, how)
            if key not in self._chains:
                is_one_of_several = declaration.type == "tuple_pattern"
                declared = self._deconstructed(declaration, name, how) if is_one_of_several else None
                self._chains[key] = declared or self._declared(declaration, how.deeper())
            return self._chains[key]
        qualifier, separator, rest = name.partition("::")
        first, *others = rest.split(".") if separator and "<" not in rest else (name,)
        return (f"{qualifier}::{first}" if separator else first, *(f".{other}" for other in others))

    def _called(self, call: Node, how: _How, out: int = -1) -> Words:
        """The call of a function that is named without a receiver."""
        function = call.child_by_field_name("function")
        if function is None or function.type not in ("identifier", "generic_name"):
            return UNKNOWN
        name = self._text(function)
        declaration = self._local(name, function)
        if declaration is None:
            return (self._call_word(name, call, how, out),)
        return self._local_function(declaration, type_arguments(name)) if out < 0 else UNKNOWN

    def _call_word(self, name: str, call: Node, how: _How, out: int = -1) -> str:
        """The word for a call, with what it is given where the types of its arguments can matter."""
        arguments = _arguments(call)
        if not how.arguments or not how.depth or not 0 < len(arguments) <= _MOST_ARGUMENTS or name.endswith(">"):
            return call_word(name, len(arguments), (), out)
        is_named = any(argument.child_by_field_name("name") is not None for argument in arguments)
        given = [] if is_named else [self._given(argument.named_children[-1], how) for argument in arguments]
        return call_word(name, len(arguments), given, out)

    def _given(self, node: Node, how: _How) -> Given:
        """What an argument says of the type arguments of a call."""
        if node.type != "lambda_expression":
            return Given("", self._of(node, _How(how.depth - 1, arguments=False)))
        body = node.child_by_field_name("body")
        if body is None or body.type == "block":
            return Given("", UNKNOWN)
        is_async = any(child.type == "modifier" and self._text(child) == "async" for child in node.named_children)
        return Given(ASYNC_LAMBDA if is_async else LAMBDA, self._of(body, _How(how.depth - 1, arguments=False)))

    def _local_function(self, declaration: Node, arguments: Sequence[str]) -> Words:
        if declaration.type != "local_function_statement":
            return UNKNOWN
        parameters = next((c for c in declaration.named_children if c.type == "type_parameter_list"), None)
        names = [self._text(child) for child in parameters.named_children] if parameters is not None else []
        returned = self._typed(declaration.child_by_field_name("type"))
        if returned[0][1:] in names:
            position = names.index(returned[0][1:])
            return (f":{arguments[position]}",) if position < len(arguments) else UNKNOWN
        return returned

    def _declared(self, declaration: Node, how: _How) -> Words:
        """The chain of what a declaration gives its name to."""
        kind = declaration.type
        if kind == "variable_declarator":
            holder = declaration.parent
            declared = self._typed(holder.child_by_field_name("type")) if holder is not None else UNKNOWN
            begins = declaration.named_children[-1]
            is_given = declaration.named_child_count > 1
            return self._of(begins, how) if declared == UNKNOWN and is_given else declared
        if kind in ("parameter", "lambda_expression"):
            declared = self._typed(declaration.child_by_field_name("type"))
            return self._lambda_parameter(declaration, how) if declared == UNKNOWN else declared
        if kind in ("catch_declaration", "declaration_expression", "declaration_pattern"):
            declared = self._typed(declaration.child_by_field_name("type"))
            return self._declared_by_value(declaration, how) if declared == UNKNOWN else declared
        declared = self._typed(declaration.child_by_field_name("type"))
        if declared == UNKNOWN and kind in ("foreach_statement", "from_clause"):
            source = declaration.child_by_field_name("right") or declaration.named_children[-1]
            return (*self._of(source, how), "each")
        if declared == UNKNOWN and kind == "recursive_pattern":
            matched = declaration.parent
            value = matched.child_by_field_name("expression") if matched is not None else None
            return self._of(value, how) if value is not None else UNKNOWN
        return declared if kind != "local_function_statement" else UNKNOWN

    def _declared_by_value(self, declaration: Node, how: _How) -> Words:
        """``out var x`` in a call, and ``var x`` in ``(var x, var y) = …``."""
        argument = declaration.parent
        holder = argument.parent if argument is not None and argument.type == "argument" else None
        around = holder.parent if holder is not None else None
        if argument is None or holder is None or around is None:
            return UNKNOWN
        position = [child for child in holder.named_children if child.type == "argument"].index(argument)
        if holder.type == "tuple_expression":
            right = around.child_by_field_name("right") if around.type == "assignment_expression" else None
            is_target = right is not None and around.child_by_field_name("left") == holder
            return (*self._of(right, how), f"#{position}") if right is not None and is_target else UNKNOWN
        if around.type != "invocation_expression" or argument.children[0].type != "out":
            return UNKNOWN
        tail: list[str] = []
        function = around.child_by_field_name("function")
        if function is not None and function.type in ("member_access_expression", "conditional_access_expression"):
            receiver = self._step(function, tail, how)
            word = self._call_word(tail[-1], around, how, position)
            return (*self._of(receiver, how), word) if receiver is not None else UNKNOWN
        return self._called(around, how, position)

    def _deconstructed(self, pattern: Node, name: str, how: _How) -> Words:
        """The chain of one of the names in ``var (x, y) = …`` or ``foreach (var (x, y) in …)``."""
        positions: list[str] = []
        inner = pattern
        place = next((p for p, child in enumerate(pattern.named_children) if self._text(child) == name), -1)
        while place >= 0:
            positions.append(f"#{place}")
            holder = inner.parent
            if holder is None or holder.type != "tuple_pattern":
                break
            place, inner = holder.named_children.index(inner), holder
        holder = inner.parent
        if holder is None or not positions or not how.depth:
            return UNKNOWN
        if holder.type == "variable_declarator" and holder.named_child_count > 1:
            return (*self._of(holder.named_children[-1], how.deeper()), *reversed(positions))
        source = holder.child_by_field_name("right") if holder.type == "foreach_statement" else None
        return (*self._of(source, how.deeper()), "each", *reversed(positions)) if source is not None else UNKNOWN

    def _lambda_parameter(self, declaration: Node, how: _How) -> Words:
        """What a method hands to the function that it is given."""
        function: Node | None = declaration
        parameters = declaration.parent if declaration.type == "parameter" else None
        if parameters is not None:
            function = parameters.parent if parameters.named_children[0] == declaration else None
        argument = function.parent if function is not None and function.type == "lambda_expression" else None
        arguments = argument.parent if argument is not None and argument.type == "argument" else None
        call = arguments.parent if arguments is not None else None
        called = call.child_by_field_name("function") if call is not None else None
        if arguments is None or call is None or called is None or call.type != "invocation_expression":
            return UNKNOWN
        step: list[str] = []
        receiver = self._step(called, step, how)
        name = step[0].removeprefix(".").partition("<")[0] if step else ""
        if receiver is None or name not in (*_ELEMENTWISE, "ContinueWith"):
            return UNKNOWN
        first = next(child for child in arguments.named_children if child.type == "argument")
        if first != argument:  # `Assert.All(values, value => …)`
            return (*self._of(first.named_children[-1], how), "each")
        source = self._of(receiver, how)
        return source if name == "ContinueWith" else (*source, "each")

    def _target(self, node: Node, how: _How) -> Words:
        parent = node.parent
        if parent is None or how.depth <= 0:
            return UNKNOWN
        kind = parent.type
        if kind in ("variable_declarator", "property_declaration"):
            holder = parent.parent if kind == "variable_declarator" else parent
            return self._typed(holder.child_by_field_name("type")) if holder is not None else UNKNOWN
        if kind in ("arrow_expression_clause", "return_statement"):
            return self._returned(parent)
        if kind == "assignment_expression":
            left = parent.child_by_field_name("left")
            return self._of(left, how.deeper()) if left is not None and left != node else UNKNOWN
        if kind in _SEVERAL:
            return (*self._target(parent, how.deeper()), "each")
        return self._target(parent, how.deeper()) if kind in _THROUGH else UNKNOWN

    def _returned(self, node: Node) -> Words:
        """The type that the function around a node returns, as long as it is no lambda and not asynchronous."""
        function = node.parent
        while function is not None and function.type not in _FUNCTIONS:
            if function.type in ("lambda_expression", "anonymous_method_expression"):
                return UNKNOWN
            function = function.parent
        if function is None or any(self._text(c) == "async" for c in function.named_children if c.type == "modifier"):
            return UNKNOWN
        return self._typed(function.child_by_field_name(_FUNCTIONS[function.type]))


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [child for child in arguments.named_children if child.type == "argument"] if arguments is not None else []
