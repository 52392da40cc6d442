"""Uses of members of classes and singletons, in every spelling that names the member.

``Use.name`` is ``TYPE.member`` with the static type of the receiver, ``self.member`` for the own
object, ``super.member`` for what its class overrides, or ``member`` alone for a bare name. Where
nothing is certain of a receiver there is no use.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from guards.languages.base import CALL, READ, REFERENCE, WRITE, Use
from guards.languages.gdscript.facts import NOWHERE
from guards.languages.gdscript.nodes import called, first_child, parts_of
from guards.languages.gdscript.types import SUPER
from guards.languages.syntax import Node

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

_CALL, _CALL_WITH_ARRAY = frozenset({"call", "call_deferred", "call_thread_safe"}), "callv"
# Methods of Object whose first argument names another member of it.
_BY_NAME = {
    **dict.fromkeys((*_CALL, _CALL_WITH_ARRAY), CALL),
    **dict.fromkeys(("set", "set_deferred", "set_thread_safe"), WRITE),
    "get": READ,
}
_BINDS = frozenset({"bind", "bindv", "unbind"})
_THROUGH = _CALL | _BINDS | {_CALL_WITH_ARRAY}
_MAX_PARTS = 64


class Uses:
    """All uses of a file by the last name of the member."""

    def __init__(self, file: "GDScriptFile") -> None:
        self._file = file
        self._types = file.types
        self._written = {node.byte_range for node in file.nodes("written")}
        self.by_member: dict[str, list[Use]] = {}
        for use in sorted({*self._of_calls(), *self._of_attributes(), *self._of_bare_names()}):
            self.by_member.setdefault(use.name.rpartition(".")[2], []).append(use)

    def _of_calls(self) -> Iterator[Use]:
        for node in self._file.nodes("call"):
            method, arguments = called(node)
            if method is None:
                continue
            name = self._types.text(method)
            yield self._use(method, self._overridden(node) if name == SUPER else name, CALL, arguments)
            yield from self._of_callable(method, name, arguments)
            yield from self._by_name(method, "self", name, arguments)

    def _overridden(self, node: Node) -> str:
        """What ``super()`` calls: the function of the same name in the base class."""
        structure = self._file.structure
        row = structure.function_at(node.start_byte)
        name = structure.functions[row].child_by_field_name("name") if row != NOWHERE else None
        return f"{SUPER}.{self._types.text(name)}" if name is not None else SUPER

    def _of_attributes(self) -> Iterator[Use]:
        for node in self._file.nodes("attribute"):
            parts = parts_of(node)
            yield from self._of_own_callable(parts)
            for position in range(1, min(len(parts), _MAX_PARTS)):
                first = position == 1 and self._types.text(parts[0]) == SUPER
                receiver = SUPER if first else self._types.of_chain(parts, position)
                if receiver:
                    yield from self._of_part(node, parts, position, receiver)

    def _of_own_callable(self, parts: Sequence[Node]) -> Iterator[Use]:
        """``method.call()``: what a bare name in front of the methods of Callable is."""
        method, _ = called(parts[1]) if len(parts) > 1 else (None, ())
        through = self._types.text(method) if method is not None and parts[0].type == "identifier" else ""
        if through in _THROUGH and not self._types.declares(parts[0]):
            yield from self._of_value(parts[0], self._types.text(parts[0]), parts[1])

    def _of_bare_names(self) -> Iterator[Use]:
        """Members of the own object that are written, or handed on, by their name alone."""
        for kinds, found in (((WRITE,), "assigned"), ((READ, REFERENCE), "argument")):
            for node in self._file.nodes(found):
                if not self._types.declares(node):
                    yield from (self._use(node, self._types.text(node), kind) for kind in kinds)

    def _of_part(self, node: Node, parts: Sequence[Node], position: int, receiver: str) -> Iterator[Use]:
        part = parts[position]
        method, arguments = called(part)
        if method is not None:
            name = self._types.text(method)
            yield self._use(method, f"{receiver}.{name}", CALL, arguments)
            yield from self._by_name(method, receiver, name, arguments)
            if receiver == "Callable" and name == "create":
                yield from self._of_callable(method, "Callable", arguments)
        elif part.type == "identifier":
            full = f"{receiver}.{self._types.text(part)}"
            following = parts[position + 1] if position + 1 < len(parts) else None
            if following is None and node.byte_range in self._written:
                yield self._use(part, full, WRITE)
            else:
                yield from self._of_value(part, full, following)
        elif part.type == "attribute_subscript" and (member := first_child(part)) is not None:
            yield self._use(member, f"{receiver}.{self._types.text(member)}", READ)

    def _of_value(self, part: Node, full: str, following: Node | None) -> Iterator[Use]:
        """A property that is read, or a method as a Callable: called through ``call``, or handed on."""
        method, arguments = called(following) if following is not None else (None, [])
        through = self._types.text(method) if method is not None else ""
        if through in _CALL:
            yield self._use(part, full, CALL, arguments)
        elif through == _CALL_WITH_ARRAY:
            yield self._use(part, full, CALL, _elements(arguments))
        elif through in _BINDS:
            yield self._use(part, full, REFERENCE)
        else:
            # Without the engine's tables a value and a method that is handed on look alike.
            yield self._use(part, full, READ)
            yield self._use(part, full, REFERENCE)

    def _by_name(self, at: Node, receiver: str, method: str, arguments: Sequence[Node]) -> Iterator[Use]:
        """The member that ``call("name", …)`` or ``set("name", …)`` names."""
        kind = _BY_NAME.get(method)
        member = self._types.constant(arguments[0]) if kind and arguments else None
        if kind and member and member.isidentifier():
            rest = arguments[1:] if kind == CALL else ()
            yield self._use(at, f"{receiver}.{member}", kind, _elements(rest) if method == _CALL_WITH_ARRAY else rest)

    def _of_callable(self, at: Node, name: str, arguments: Sequence[Node]) -> Iterator[Use]:
        """``Callable(receiver, "name")``."""
        if name == "Callable" and len(arguments) == 2:
            receiver, member = self._types.of(arguments[0]), self._types.constant(arguments[1])
            if receiver and member and member.isidentifier():
                yield self._use(at, f"{receiver}.{member}", REFERENCE)

    def _use(self, at: Node, name: str, kind: str, arguments: Sequence[Node] = ()) -> Use:
        structure = self._file.structure
        folded = ((str(position), self._types.constant(node)) for position, node in enumerate(arguments))
        return Use(
            self._file.text.place(*at.byte_range),
            name,
            kind,
            str(structure.class_at(at.start_byte)),
            str(structure.function_at(at.start_byte)),
            tuple((position, value) for position, value in folded if value is not None),
        )


def _elements(arguments: Sequence[Node]) -> Sequence[Node]:
    """The elements of an array literal that is the last argument."""
    return parts_of(arguments[-1]) if arguments and arguments[-1].type == "array" else ()
