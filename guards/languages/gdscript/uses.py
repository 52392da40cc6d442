"""Uses of members of engine classes and singletons, with the static type of the receiver where it is certain."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from guards.languages.base import CALL, READ, REFERENCE, WRITE, Use
from guards.languages.gdscript.declarations import string_value
from guards.languages.syntax import Node, text_of

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

# What calls a Callable that was taken from a member.
_INVOKING = frozenset({"call", "callv", "call_deferred", "bind", "bindv", "rpc"})
# Methods of Object that name another member in their first argument.
_CALL_BY_NAME = frozenset({"call", "callv", "call_deferred", "call_thread_safe"})
_SET_BY_NAME = frozenset({"set", "set_deferred"})
_KNOWN_GETTERS = {"get_tree": "SceneTree", "get_window": "Window", "get_viewport": "Viewport"}
_WRITES = frozenset({"assignment", "augmented_assignment"})
SELF = "self"
_MAX_DEPTH = 8


class Uses:
    """All uses of a file by the last name of the member."""

    def __init__(self, file: "GDScriptFile") -> None:
        self._file = file
        self._data = file.text.data
        self._locals: dict[int, dict[str, str]] = {}
        self.by_member: dict[str, list[Use]] = {}
        for use in (*self._of_calls(), *self._of_attributes()):
            self.by_member.setdefault(use.name.rpartition(".")[2], []).append(use)

    def _text(self, node: Node) -> str:
        return text_of(node, self._data)

    def _of_calls(self) -> Iterator[Use]:
        """Bare calls: members of the own class or a base of it."""
        for node in self._file.nodes("call"):
            if not node.named_child_count or node.named_children[0].type != "identifier":
                continue
            name = node.named_children[0]
            yield self._use(name, f"{SELF}.{self._text(name)}", CALL, _arguments(node))
            for member, kind in self._named_members(self._text(name), _arguments(node)):
                yield self._use(name, f"{SELF}.{member}", kind, None)

    def _of_attributes(self) -> Iterator[Use]:
        for node in self._file.nodes("attribute"):
            parts = node.named_children
            for position in range(1, len(parts)):
                receiver = self._receiver(parts, position)
                if receiver:
                    yield from self._of_part(node, parts, position, receiver)

    def _of_part(self, node: Node, parts: list[Node], position: int, receiver: str) -> Iterator[Use]:
        part = parts[position]
        last = position == len(parts) - 1
        if part.type == "attribute_call" and part.named_child_count:
            name = part.named_children[0]
            yield self._use(name, f"{receiver}.{self._text(name)}", CALL, _arguments(part))
            for member, kind in self._named_members(self._text(name), _arguments(part)):
                yield self._use(name, f"{receiver}.{member}", kind, None)
        elif part.type == "identifier":
            full = f"{receiver}.{self._text(part)}"
            following = None if last else parts[position + 1]
            if following is not None and following.type == "attribute_call" and self._invokes(following):
                yield self._use(part, full, CALL, _arguments(following))
            elif last and _is_written(node):
                yield self._use(part, full, WRITE, None)
            else:
                # Without the engine's tables a value and a method that is handed on look alike.
                yield self._use(part, full, READ, None)
                yield self._use(part, full, REFERENCE, None)

    def _invokes(self, part: Node) -> bool:
        return bool(part.named_child_count) and self._text(part.named_children[0]) in _INVOKING

    def _named_members(self, method: str, arguments: Node | None) -> Iterator[tuple[str, str]]:
        """The member that ``call("name")`` or ``set("name", …)`` names."""
        kind = CALL if method in _CALL_BY_NAME else WRITE if method in _SET_BY_NAME else ""
        first = next(iter(arguments.named_children), None) if kind and arguments is not None else None
        if first is not None and first.type in {"string", "string_name"}:
            member = string_value(self._text(first))
            if member and member.isidentifier():
                yield member, kind

    def _use(self, at: Node, name: str, kind: str, arguments: Node | None) -> Use:
        declarations = self._file.declarations
        return Use(
            self._file.text.place(*at.byte_range),
            name,
            kind,
            str(declarations.class_at(at.start_byte)),
            str(declarations.function_at(at.start_byte)),
            tuple(self._constants(arguments)),
        )

    def _constants(self, arguments: Node | None) -> Iterator[tuple[str, str]]:
        for position, node in enumerate(arguments.named_children if arguments is not None else ()):
            if node.type in {"string", "string_name"}:
                value = string_value(self._text(node))
                if value is not None:
                    yield str(position), value
            elif node.type in {"integer", "float", "true", "false", "null"}:
                yield str(position), self._text(node)

    def _receiver(self, parts: list[Node], count: int, depth: int = 0) -> str:
        """The type or singleton that the first parts of a chain are, ``self``, or nothing where that is not certain."""
        if count == 1:
            return self._type_of(parts[0], depth)
        last = parts[count - 1]
        if last.type != "attribute_call" or not last.named_child_count:
            return ""
        method = self._text(last.named_children[0])
        made = self._type_of(parts[0], depth) if method == "new" and count == 2 else ""
        return made or _KNOWN_GETTERS.get(method, "")

    def _type_of(self, node: Node, depth: int = 0) -> str:
        if depth > _MAX_DEPTH or not node.named_child_count:
            return self._type_of_name(node) if node.type == "identifier" else ""
        children = node.named_children
        if node.type == "parenthesized_expression":
            return self._type_of(children[0], depth + 1)
        if node.type == "call":
            return _KNOWN_GETTERS.get(self._text(children[0]), "")
        if node.type == "binary_operator" and any(child.type == "as" for child in node.children):
            return self._text(children[-1])
        if node.type == "attribute":
            return self._receiver(children, len(children), depth + 1)
        return ""

    def _type_of_name(self, node: Node) -> str:
        name = self._text(node)
        if name in {"self", "super"}:
            return SELF
        row = self._file.declarations.function_at(node.start_byte)
        for scope in (row, -1) if row >= 0 else (-1,):
            types = self._types_in(scope)
            if name in types:
                return types[name]
        return name

    def _types_in(self, row: int) -> dict[str, str]:
        """The types of the variables of a function, or of the members (-1); empty strings where not certain."""
        if row not in self._locals:
            found: dict[str, str] = {}
            self._locals[row] = found
            if row >= 0:
                function = self._file.declarations.facts.functions[row]
                found.update((parameter.name, parameter.type) for parameter in function.parameters)
            for node in self._variables.get(row, ()):
                name = node.child_by_field_name("name")
                if name is not None:
                    known = self._declared_type(node)
                    # A name that is declared twice in a function is two variables: neither is certain.
                    found[self._text(name)] = "" if self._text(name) in found else known
        return self._locals[row]

    @cached_property
    def _variables(self) -> dict[int, list[Node]]:
        """The variables and constants by the row of their function; -1 for members."""
        found: dict[int, list[Node]] = {}
        for node in (*self._file.nodes("variable"), *self._file.nodes("const")):
            found.setdefault(self._file.declarations.function_at(node.start_byte), []).append(node)
        return found

    def _declared_type(self, node: Node) -> str:
        declared = node.child_by_field_name("type")
        if declared is not None and declared.type == "type":
            return self._text(declared).strip()
        value = node.child_by_field_name("value")
        # Without a type the variable can be anything later, so only `:=` counts.
        inferred = declared is not None and declared.type == "inferred_type"
        return self._type_of(value) if inferred and value is not None and value.type != "identifier" else ""


def _arguments(node: Node) -> Node | None:
    return node.child_by_field_name("arguments")


def _is_written(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type in _WRITES and parent.child_by_field_name("left") == node
