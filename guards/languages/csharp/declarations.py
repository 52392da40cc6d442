"""What a file declares: namespaces, types, functions, and the own members that functions call.

A file under directives is several trees over the same bytes. What two of them show at the same
place is one declaration, with whatever either of them knows of it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeVar

from guards.languages.csharp.constants import FileConstants
from guards.languages.csharp.facts import Facts, Function, Member, Namespace, Type, Using
from guards.languages.csharp.names import compact
from guards.languages.csharp.rows import (
    FUNCTIONS,
    MEMBERS,
    TYPES,
    Source,
    function_row,
    member_rows,
    type_row,
    using_row,
)
from guards.languages.syntax import Node, Query, captures
from guards.source.text import SourceText

_NAMESPACES = ("namespace_declaration", "file_scoped_namespace_declaration")
_USINGS = ("using_directive", "extern_alias_directive")
# One captured node a pattern: what belongs together is found by its place.
_QUERY = Query(
    "csharp",
    "\n".join(f"({kind}) @{kind}" for kind in dict.fromkeys((*TYPES, *FUNCTIONS, *_NAMESPACES, *_USINGS)))
    + """
(field_declaration) @field_declaration
(event_field_declaration) @event_field_declaration
(enum_member_declaration) @enum_member_declaration
(variable_declarator name: (identifier) @variable)
(invocation_expression function: [(identifier) (generic_name)] @call)
(member_access_expression expression: ["this" "base"]) @call
(invocation_expression function: (member_access_expression expression: (identifier)) @call)
(argument (identifier) @call)
(assignment_expression right: (identifier) @call)
(arrow_expression_clause (identifier) @call)
(return_statement (identifier) @call)
(initializer_expression (identifier) @call)
(expression_element (identifier) @call)
(variable_declarator "=" . (identifier) @call)
""",
)
_NONE = -1
_NAMEOF = b"nameof("
_Item = TypeVar("_Item")
_by_start = attrgetter("start")


def _by_range(row: "_Declared") -> tuple[int, int]:
    return row.start, -row.end


class Enclosing(NamedTuple):
    """The rows of the innermost namespace, type and function around a place; -1 is none."""

    namespace: int
    type: int
    function: int


class _Declared:
    """A declaration in the making: its range and its place in the facts, once all are known."""

    __slots__ = ("around", "end", "index", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.index = _NONE
        self.around: _Declared | None = None


class _Namespace(_Declared):
    __slots__ = ("name", "parent", "usings")

    def __init__(self, start: int, end: int, name: str, parent: "_Namespace | None") -> None:
        super().__init__(start, end)
        self.name = name
        self.parent = parent
        self.usings: dict[Using, None] = {}


class _Type(_Declared):
    __slots__ = ("members", "namespace", "outer", "row")

    def __init__(self, start: int, end: int, row: Type, namespace: _Namespace, outer: "_Type | None") -> None:
        super().__init__(start, end)
        self.row = row
        self.namespace = namespace
        self.outer = outer
        self.members = dict.fromkeys(row.members)


class _Function(_Declared):
    __slots__ = ("calls", "outer", "owner", "row")

    def __init__(self, start: int, end: int, row: Function, owner: _Type | None, outer: "_Function | None") -> None:
        super().__init__(start, end)
        self.row = row
        self.owner = owner
        self.outer = outer
        self.calls: dict[bytes, None] = {}


class _Inside(NamedTuple):
    """What is innermost at a place."""

    end: int
    namespace: _Namespace
    type: _Type | None = None
    function: _Function | None = None


class Declarations:
    """The declarations of one file, taken in variant by variant."""

    def __init__(self, text: SourceText) -> None:
        self.constants = FileConstants()
        self._text = text
        self._file = _Namespace(_NONE, len(text.data) + 1, "", None)
        # By the offset of the name, which is the same in every variant.
        self._namespaces = {_NONE: self._file}
        self._types: dict[int, _Type] = {}
        self._functions: dict[int, _Function] = {}
        self._ordered: list[_Declared] = []

    def add(self, root: Node, data: bytes) -> None:
        """Takes in one variant: its tree and the bytes that were parsed."""
        source = Source(self._text, data, self.constants.value)
        found = captures(_QUERY, root)
        # Constants first: attributes above them name them.
        members = {node.start_byte: self._members(node, source) for kind in MEMBERS for node in found.get(kind, ())}
        variables = {data[node.start_byte : node.end_byte] for node in found.pop("variable", ())} | {b"nameof"}
        items = [(node.start_byte, -node.end_byte, kind, node) for kind, nodes in found.items() for node in nodes]
        items.sort(key=itemgetter(0, 1))
        stack = [_Inside(self._file.end, self._file)]
        for start, negative_end, kind, node in items:
            while stack[-1].end <= start:
                stack.pop()
            inside = stack[-1]
            if kind == "call":
                called = data[start:-negative_end]
                if inside.function is not None and called not in variables and not _in_nameof(data, start):
                    inside.function.calls[called] = None
            elif kind in MEMBERS:
                if inside.type is not None:
                    inside.type.members.update(members[start])
            else:
                inner = self._declare(kind, node, inside, source)
                if inner is not None:
                    stack.append(inner)

    def _members(self, node: Node, source: Source) -> dict[Member, None]:
        rows = dict.fromkeys(member_rows(node, source))
        for row in rows:
            self.constants.add(row.name, row.value)
        return rows

    def _declare(self, kind: str, node: Node, inside: _Inside, source: Source) -> _Inside | None:
        """Takes in a declaration; what is inside it, where it can hold others."""
        if kind in _USINGS:
            using = using_row(node, source)
            if using is not None:
                inside.namespace.usings[using] = None
            return None
        name = node.child_by_field_name("name")
        if kind == "enum_member_declaration":
            if inside.type is not None and name is not None:
                inside.type.members[Member(source.identifier(name), "enum member", inside.type.row.name)] = None
            return None
        if kind in _NAMESPACES:
            return self._namespace(node, name, inside, source) if name is not None else None
        if kind in TYPES and name is not None:
            inside = self._type(node, name, inside, source)
        if kind in FUNCTIONS:
            inside = self._function(node, name or node, inside, source)
        return inside

    def _namespace(self, node: Node, name: Node, inside: _Inside, source: Source) -> _Inside:
        end = self._file.end if node.type == "file_scoped_namespace_declaration" else node.end_byte
        full = ".".join(filter(None, (inside.namespace.name, source.of(name))))
        row = self._namespaces.setdefault(name.start_byte, _Namespace(node.start_byte, end, full, inside.namespace))
        return _Inside(end, row)

    def _type(self, node: Node, name: Node, inside: _Inside, source: Source) -> _Inside:
        row = type_row(node, name, source)
        known = self._types.get(name.start_byte)
        if known is None:
            outer = inside.type.row.full if inside.type else inside.namespace.name
            arity = f"`{len(row.type_parameters)}" if row.type_parameters else ""
            row = row._replace(full=".".join(filter(None, (outer, row.name + arity))))
            known = _Type(node.start_byte, node.end_byte, row, inside.namespace, inside.type)
            self._types[name.start_byte] = known
        else:
            known.start, known.end = min(known.start, node.start_byte), max(known.end, node.end_byte)
            known.row = known.row._replace(
                modifiers=_union(known.row.modifiers, row.modifiers),
                bases=_union(known.row.bases, row.bases),
                attributes=_union(known.row.attributes, row.attributes),
            )
        return _Inside(node.end_byte, inside.namespace, known)

    def _function(self, node: Node, name: Node, inside: _Inside, source: Source) -> _Inside:
        row = function_row(node, name, source)
        known = self._functions.get(name.start_byte)
        if known is None:
            known = _Function(node.start_byte, node.end_byte, row, inside.type, inside.function)
            self._functions[name.start_byte] = known
        else:
            known.start, known.end = min(known.start, node.start_byte), max(known.end, node.end_byte)
            known.row = known.row._replace(
                modifiers=_union(known.row.modifiers, row.modifiers),
                attributes=_union(known.row.attributes, row.attributes),
                has_body=known.row.has_body or row.has_body,
            )
        return _Inside(node.end_byte, inside.namespace, inside.type, known)

    def facts(self) -> Facts:
        """All rows, in source order."""
        namespaces = sorted(self._namespaces.values(), key=_by_start)
        types = sorted(self._types.values(), key=_by_start)
        functions = sorted(self._functions.values(), key=_by_start)
        _number(namespaces)
        _number(types)
        _number(functions)
        self._ordered = sorted((*namespaces, *types, *functions), key=_by_range)
        _nest(self._ordered)
        names = {row.row.name for row in types}
        return Facts(
            tuple(Namespace(row.name, _index(row.parent), tuple(row.usings)) for row in namespaces),
            tuple(
                row.row._replace(members=tuple(row.members), namespace=row.namespace.index, outer=_index(row.outer))
                for row in types
            ),
            tuple(
                row.row._replace(calls=_own_calls(row, names), owner=_index(row.owner), outer=_index(row.outer))
                for row in functions
            ),
        )

    def enclosing(self, offset: int) -> Enclosing:
        """What encloses a place; only after ``facts`` has numbered the rows."""
        row: _Declared | None = self._ordered[bisect_right(self._ordered, offset, key=_by_start) - 1]
        function = declared = namespace = _NONE
        while row is not None:
            if offset < row.end:
                if isinstance(row, _Namespace):
                    namespace = row.index
                    break
                if isinstance(row, _Type):
                    declared = row.index if declared == _NONE else declared
                elif function == declared == _NONE:
                    function = row.index
            row = row.around
        return Enclosing(max(namespace, 0), declared, function)


def _nest(rows: Sequence[_Declared]) -> None:
    """Tells each row which one is around it."""
    stack: list[_Declared] = []
    for row in rows:
        while stack and stack[-1].end <= row.start:
            stack.pop()
        row.around = stack[-1] if stack else None
        stack.append(row)


def _number(rows: Sequence[_Declared]) -> None:
    for index, row in enumerate(rows):
        row.index = index


def _index(row: _Declared | None) -> int:
    return _NONE if row is None else row.index


def _union(*parts: tuple[_Item, ...]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(parts)))


def _in_nameof(data: bytes, start: int) -> bool:
    return data[max(0, start - len(_NAMEOF)) : start] == _NAMEOF


def _own_calls(function: _Function, types: set[str]) -> tuple[str, ...]:
    """What may be a call of an own member: nothing that a parameter hides, no member of other objects."""
    parameters = {parameter.name for parameter in function.row.parameters}
    calls = []
    for call in dict.fromkeys(compact(called).partition("<")[0] for called in function.calls):
        receiver, dot, _ = call.rpartition(".")
        if (receiver in ("this", "base") or receiver in types) if dot else call not in parameters:
            calls.append(call)
    return tuple(calls)
