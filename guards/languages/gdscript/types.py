"""Static types of expressions, where the source makes them certain.

A type is the name of a class as its file knows it. A name that the file does not declare stands
for itself: a class, a singleton, or an inherited member, which only the project can tell.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from guards.languages.gdscript.facts import NOWHERE
from guards.languages.gdscript.literals import number_value, string_value
from guards.languages.gdscript.members import CONSTANT, FUNCTIONS, VARIABLE
from guards.languages.gdscript.nodes import called, first_child, parameter_name, parts_of
from guards.languages.syntax import Node, text_of

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

SELF, SUPER = "self", "super"
UNKNOWN = ""
_OWN = (SELF, SUPER)
_GETTERS = {"get_tree": "SceneTree", "get_window": "Window", "get_viewport": "Viewport"}
# What the static methods of ``Engine`` give back; the main loop is a SceneTree wherever tests run.
_MAIN_LOOP, _SINGLETON = "get_main_loop", "get_singleton"
_LITERALS = frozenset({"true", "false", "null"})
_MAX_DEPTH = 12

_Names = dict[str, list[Node]]


class Types:
    """The static types of one file's expressions."""

    def __init__(self, file: "GDScriptFile") -> None:
        self._file = file
        self._data = file.text.data
        self._known: dict[int, str] = {}

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return text_of(node, self._data)

    def of(self, node: Node, depth: int = 0) -> str:
        """The type of an expression; ``self`` for the own object, ``UNKNOWN`` where nothing is certain."""
        if depth > _MAX_DEPTH:
            return UNKNOWN
        kind = node.type
        if kind == "identifier":
            return self._of_name(node, depth)
        if kind == "attribute":
            parts = parts_of(node)
            return self.of_chain(parts, len(parts), depth + 1)
        if kind == "binary_operator":
            cast = any(child.type == "as" for child in node.children)
            return self.text(node.children[-1]).strip() if cast else UNKNOWN
        inner = first_child(node) if kind == "parenthesized_expression" else None
        return self.of(inner, depth + 1) if inner is not None else self._of_call(node)

    def of_chain(self, parts: Sequence[Node], count: int, depth: int = 0) -> str:
        """The type of the first ``count`` parts of ``a.b().c``."""
        last = parts[count - 1]
        if count == 1 or count > _MAX_DEPTH or depth > _MAX_DEPTH:
            return self.of(last, depth) if count == 1 else UNKNOWN
        method, arguments = called(last)
        if method is None:
            return self._of_path(parts[:count], depth)
        name = self.text(method)
        if name == "new":
            return self._made(parts[: count - 1], depth)
        receiver = self.of_chain(parts, count - 1, depth + 1)
        if receiver == "Engine":
            return self._of_engine(name, arguments)
        return self._of_own_call(method) if receiver == SELF else _GETTERS.get(name, UNKNOWN)

    def _of_path(self, parts: Sequence[Node], depth: int) -> str:
        """``Outer.Inner``: by convention the names of classes, and of nothing else but enums, begin so."""
        first = self.of(parts[0], depth)
        if first == SELF and len(parts) == 2 and parts[1].type == "identifier":
            return self._of_member(parts[1], depth)
        names = [self.text(part) for part in parts[1:] if part.type == "identifier"]
        if not first or len(names) < len(parts) - 1 or not all(name[:1].isupper() for name in names):
            return UNKNOWN
        return ".".join(names if first == SELF else (first, *names))

    def _of_member(self, node: Node, depth: int) -> str:
        name = self.text(node)
        fields = self._fields_at(node.start_byte)
        return self.of_declared(fields[name], depth + 1) if name in fields else name

    def _made(self, parts: Sequence[Node], depth: int) -> str:
        """The type of ``X.new()``: only a name that stands for itself is a class and not a value."""
        name = self.of_chain(parts, len(parts), depth + 1)
        return name if name == ".".join(map(self.text, parts)) else UNKNOWN

    def _of_call(self, node: Node) -> str:
        method, _ = called(node)
        return self._of_own_call(method) if method is not None else UNKNOWN

    def _of_own_call(self, method: Node) -> str:
        """What a method of the own object gives back: as declared in the own class, else by the engine's name."""
        name = self.text(method)
        declared = self._own_results.get((self._file.structure.class_at(method.start_byte), name))
        return _GETTERS.get(name, UNKNOWN) if declared is None else declared

    @cached_property
    def _own_results(self) -> dict[tuple[int, str], str]:
        """The declared types of what functions give back, by class and name; unknown where none is declared."""
        found = {}
        for member in self._file.structure.members:
            name = member.node.child_by_field_name("name") if member.node.type in FUNCTIONS else None
            if name is not None:
                declared = member.node.child_by_field_name("return_type")
                found[member.owner, self.text(name)] = self.text(declared).strip() if declared is not None else UNKNOWN
        return found

    def _of_engine(self, method: str, arguments: Sequence[Node]) -> str:
        if method == _MAIN_LOOP:
            return _GETTERS["get_tree"]
        named = self.constant(arguments[0]) if method == _SINGLETON and arguments else None
        return named if named is not None and named.isidentifier() else UNKNOWN

    def declares(self, node: Node) -> bool:
        """Whether a name is that of a variable, constant or parameter of the file, as seen from where it stands."""
        name, offset = self.text(node), node.start_byte
        return name in _OWN or name in self._locals_at(offset) or name in self._fields_at(offset)

    def local(self, node: Node) -> Sequence[Node]:
        """The declarations of a local name, as seen from where it stands; nothing for what is none."""
        return self._locals_at(node.start_byte).get(self.text(node), ())

    def field(self, node: Node) -> Sequence[Node]:
        """The declarations of a variable or constant of the class around a name."""
        return self._fields_at(node.start_byte).get(self.text(node), ())

    def is_settled(self, node: Node) -> bool:
        """Whether a declaration is that of a local name that is declared once and written nowhere else."""
        name = node.child_by_field_name("name")
        return name is not None and len(self.local(name)) == 1 and self._stays(node)

    def _of_name(self, node: Node, depth: int) -> str:
        name = self.text(node)
        if name in _OWN:
            return SELF
        local = self._locals_at(node.start_byte).get(name)
        return self.of_declared(local, depth + 1) if local is not None else self._of_member(node, depth)

    def _locals_at(self, offset: int) -> _Names:
        row = self._file.structure.function_at(offset)
        return self._locals.get(row, {}) if row != NOWHERE else {}

    def _fields_at(self, offset: int) -> _Names:
        return self._fields.get(self._file.structure.class_at(offset), {})

    def of_declared(self, nodes: Sequence[Node], depth: int = 0) -> str:
        """The type of a variable, constant or parameter; of two of one name neither is certain."""
        if len(nodes) != 1:
            return UNKNOWN
        (node,) = nodes
        if node.start_byte not in self._known:
            self._known[node.start_byte] = UNKNOWN  # of a name that is made of itself
            self._known[node.start_byte] = self._of_declaration(node, depth)
        return self._known[node.start_byte]

    def _of_declaration(self, node: Node, depth: int) -> str:
        declared = node.child_by_field_name("type")
        if declared is not None and declared.type == "type":
            return self.text(declared).strip()
        value = node.child_by_field_name("value")
        if value is None or not (declared is not None or self._stays(node)):
            return UNKNOWN
        found = self.of(value, depth)
        name = node.child_by_field_name("name")
        if not found and name is not None and node.type == CONSTANT and self._is_field(node):
            return self.text(name)  # it can hold a class: the project tells
        return found

    def _stays(self, node: Node) -> bool:
        """Whether a variable without a type holds what it was made with: no other file or function writes it."""
        if node.type == CONSTANT:
            return True
        name = node.child_by_field_name("name")
        if node.type != VARIABLE or name is None or self._is_field(node):
            return False
        return (self._file.structure.function_at(node.start_byte), self.text(name)) not in self._assigned

    @cached_property
    def _assigned(self) -> set[tuple[int, str]]:
        function_at = self._file.structure.function_at
        return {(function_at(node.start_byte), self.text(node)) for node in self._file.nodes("assigned")}

    def _is_field(self, node: Node) -> bool:
        return node.start_byte in self._field_starts

    @cached_property
    def _field_starts(self) -> set[int]:
        kinds = (VARIABLE, CONSTANT)
        return {member.node.start_byte for member in self._file.structure.members if member.node.type in kinds}

    @cached_property
    def _fields(self) -> dict[int, _Names]:
        """Variables and constants by class and name."""
        found: dict[int, _Names] = {}
        for member in self._file.structure.members:
            if member.node.type in (VARIABLE, CONSTANT):
                self._add(found.setdefault(member.owner, {}), member.node.child_by_field_name("name"), member.node)
        return found

    @cached_property
    def _locals(self) -> dict[int, _Names]:
        """What functions and the lambdas in them declare, by function and name."""
        found: dict[int, _Names] = {}
        function_at = self._file.structure.function_at
        for node in (*self._file.nodes("variable"), *self._file.nodes("const")):
            if not self._is_field(node):
                self._add(found.setdefault(function_at(node.start_byte), {}), node.child_by_field_name("name"), node)
        for node in self._file.nodes("for"):
            self._add(found.setdefault(function_at(node.start_byte), {}), node.child_by_field_name("left"), node)
        for node in self._file.nodes("binding"):
            self._add(found.setdefault(function_at(node.start_byte), {}), first_child(node), node)
        for node in (*self._file.structure.functions, *self._file.nodes("lambda")):
            parameters = node.child_by_field_name("parameters")
            for parameter in parameters.named_children if parameters is not None else ():
                self._add(found.setdefault(function_at(node.start_byte), {}), parameter_name(parameter), parameter)
        return found

    def _add(self, names: _Names, name: Node | None, node: Node) -> None:
        if name is not None:
            names.setdefault(self.text(name), []).append(node)

    def constant(self, node: Node, depth: int = 0) -> str | None:
        """What an expression folds to: a literal, or a constant of the file that holds one."""
        match node.type:
            case "string" | "string_name":
                return string_value(self.text(node))
            case "integer" | "float":
                return number_value(self.text(node))
            case "unary_operator" if node.children[0].type == "-" and node.children[-1].type in {"integer", "float"}:
                return f"-{number_value(self.text(node.children[-1]))}"
            case "identifier" if depth < _MAX_DEPTH:
                return self._constant_of_name(node, depth)
            case kind if kind in _LITERALS:
                return kind
        return None

    def _constant_of_name(self, node: Node, depth: int) -> str | None:
        name, offset = self.text(node), node.start_byte
        found = self._locals_at(offset).get(name) or self._fields_at(offset).get(name, [])
        value = found[0].child_by_field_name("value") if len(found) == 1 and found[0].type == CONSTANT else None
        return self.constant(value, depth + 1) if value is not None else None
