"""The facts of one file: its classes, functions, variables and aliases."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.gdscript.facts import (
    NOWHERE,
    SCRIPT,
    Alias,
    Class,
    Facts,
    Function,
    Parameter,
    TypeName,
    Variable,
)
from guards.languages.gdscript.literals import string_value
from guards.languages.gdscript.members import CLASS, CLASS_NAME, CONSTANT, EXTENDS, FUNCTIONS, VARIABLE, Member
from guards.languages.gdscript.nodes import PARAMETERS, called, first_child, parameter_name
from guards.languages.gdscript.types import SELF
from guards.languages.syntax import Node, text_of, walk
from guards.source.place import Place, file_place

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

CONSTRUCTOR = "_init"
# What runs a method that its first argument names.
_CALLS_BY_NAME = frozenset({"call", "callv", "call_deferred", "call_thread_safe", "Callable"})
_STRINGS = frozenset({"string", "string_name"})
# A head in a region that did not parse, such as `@tool extends NAME` on one line.
_HEAD = re.compile(
    r"""^(?:[ \t]*@\w+(?:\([^)\n]*\))?)*[ \t]*
        (?:class_name[ \t]+(?P<name>\w+)[ \t]*;?[ \t]*)?
        (?P<extends>extends\b[ \t]*(?P<path>r?"[^"\n]+"|r?'[^'\n]+')?\.?(?P<names>\w+(?:\.\w+)*)?)""",
    re.VERBOSE | re.MULTILINE,
)


def facts_of(file: "GDScriptFile") -> Facts:
    """What the file declares."""
    return _Reader(file).facts()


class _Reader:
    """Turns the members of one file into rows."""

    def __init__(self, file: "GDScriptFile") -> None:
        self._file = file
        self._data = file.text.data
        self._members = file.structure.members
        self._function_names = {self._name(member.node) for member in self._of_kinds(*FUNCTIONS)}

    def facts(self) -> Facts:
        return Facts(
            (self._script(), *self._inner_classes()),
            tuple(self._functions()),
            tuple(self._aliases()),
            tuple(self._variables()),
            not self._file.unread,
        )

    def _of_kinds(self, *kinds: str) -> list[Member]:
        return [member for member in self._members if member.node.type in kinds]

    def _text(self, node: Node | None) -> str:
        return text_of(node, self._data) if node is not None else ""

    def _name(self, node: Node) -> str:
        return self._text(node.child_by_field_name("name"))

    def _place(self, node: Node) -> Place:
        return self._file.text.place(*node.byte_range)

    def _script(self) -> Class:
        """The script class. Its parts are looked for one by one: an error in one hides no other."""
        own = [member for member in self._members if member.owner == SCRIPT]
        names = [member.node for member in own if member.node.type == CLASS_NAME]
        name = self._name(names[0]) if names else ""
        extends = [member.node for member in own if member.node.type == EXTENDS]
        extends.extend(node for node in [head.child_by_field_name("extends") for head in names] if node is not None)
        base, head = (self._base(extends[0]), self._place(extends[0])) if extends else (None, None)
        if base is None:
            lost = self._head_in_errors()
            if lost is not None:
                lost_name, base, head = lost
                name = name or lost_name
        heads = [member for member in own if member.node.type in (CLASS_NAME, EXTENDS)]
        return Class(
            name,
            base,
            head or (self._place(names[0]) if names else file_place(self._file.text.path)),
            NOWHERE,
            tool=any("tool" in member.annotations for member in own),
            abstract=any("abstract" in member.annotations for member in heads),
        )

    def _head_in_errors(self) -> tuple[str, TypeName, Place] | None:
        """The name, the base and the place of ``extends`` where that did not parse."""
        first = self._file.structure.functions[0].start_byte if self._file.structure.functions else len(self._data)
        for start, end in self._file.unread_spans:
            line_start = self._data.rfind(b"\n", 0, start) + 1
            line_end = self._data.find(b"\n", end)
            lines = self._data[line_start : line_end if line_end >= 0 else len(self._data)].decode("utf-8", "replace")
            found = _HEAD.search(lines) if start < first else None
            if found is not None and (found["path"] or found["names"]):
                at = line_start + len(lines[: found.start("extends")].encode())
                names = tuple(found["names"].split(".")) if found["names"] else ()
                base = TypeName(string_value(found["path"] or "") or "", names)
                return found["name"] or "", base, self._file.text.place(at, at + len(found["extends"].encode()))
        return None

    def _inner_classes(self) -> Iterator[Class]:
        in_bodies: dict[int, Node] = {}
        for member in self._of_kinds(EXTENDS):
            in_bodies.setdefault(member.owner, member.node)
        for row, member in enumerate(self._of_kinds(CLASS), SCRIPT + 1):
            node = member.node
            extends = node.child_by_field_name("extends") or in_bodies.get(row)
            head = extends or node.child_by_field_name("name") or node
            base = self._base(extends) if extends is not None else None
            abstract = "abstract" in member.annotations
            yield Class(self._name(node), base, self._place(head), member.owner, abstract=abstract)

    def _base(self, node: Node) -> TypeName | None:
        """The class that ``extends`` or the value of a constant names; None for what is no name."""
        path = ""
        names: list[str] = []
        for part in walk(node):
            if part.type == "string":
                path = string_value(self._text(part)) or ""
                if not path:
                    return None
            elif part.type == "identifier":
                names.append(self._text(part))
        return TypeName(path, tuple(names)) if path or names else None

    def _functions(self) -> Iterator[Function]:
        structure = self._file.structure
        awaits: list[list[Place]] = [[] for _ in structure.functions]
        for node in self._file.nodes("await"):
            row = structure.function_at(node.start_byte)
            if row != NOWHERE and not structure.in_lambda(node.start_byte):
                awaits[row].append(self._place(node.children[0] if node.children else node))
        calls: list[set[str]] = [set() for _ in structure.functions]
        for row, name in self._calls():
            if row != NOWHERE:
                calls[row].add(name)
        for row, member in enumerate(self._of_kinds(*FUNCTIONS)):
            yield self._function(member, tuple(awaits[row]), tuple(sorted(calls[row])))

    def _function(self, member: Member, awaits: tuple[Place, ...], calls: tuple[str, ...]) -> Function:
        node = member.node
        name = node.child_by_field_name("name")
        return Function(
            self._text(name) or CONSTRUCTOR,
            member.owner,
            tuple(self._parameters(node.child_by_field_name("parameters"))),
            self._text(node.child_by_field_name("return_type")),
            self._place(name or node),
            static=any(child.type == "static_keyword" for child in node.children),
            abstract="abstract" in member.annotations,
            awaits=awaits,
            calls=calls,
            literal=self._returned_literal(node.child_by_field_name("body")),
            undecided=self._file.is_unread(*node.byte_range),
        )

    def _parameters(self, parameters: Node | None) -> Iterator[Parameter]:
        for node in parameters.named_children if parameters is not None else ():
            kind = PARAMETERS.get(node.type)
            if kind is not None:
                typed = first_child(node) if kind == "variadic" else node
                declared = typed.child_by_field_name("type") if typed is not None else None
                yield Parameter(self._text(parameter_name(node)), kind, self._text(declared))

    def _returned_literal(self, body: Node | None) -> str | None:
        statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
        if len(statements) != 1 or statements[0].type != "return_statement":
            return None
        value = first_child(statements[0])
        while value is not None and value.type == "parenthesized_expression":
            value = first_child(value)
        return string_value(self._text(value)) if value is not None and value.type in _STRINGS else None

    def _calls(self) -> Iterator[tuple[int, str]]:
        """What may be calls of functions of the own class, each with the row of the function that it stands in."""
        function_at = self._file.structure.function_at
        for node in self._file.nodes("call"):
            method, arguments = called(node)
            if method is not None:
                row = function_at(node.start_byte)
                name = self._text(method)
                own = self._name(self._file.structure.functions[row]) if name == "super" and row != NOWHERE else ""
                yield row, f"super.{own or CONSTRUCTOR}" if name == "super" else name
                yield from ((row, named) for named in self._named(name, arguments))
        for node in self._file.nodes("attribute"):
            yield from ((function_at(node.start_byte), name) for name in self._calls_in_chain(node))
        for node in self._file.nodes("argument"):
            if self._text(node) in self._function_names:  # handed on, to be called
                yield function_at(node.start_byte), self._text(node)

    def _calls_in_chain(self, node: Node) -> Iterator[str]:
        """``self.helper()``, ``super.helper()``, ``Suite.helper()``; ``helper.call()`` and ``self.helper.bind()``."""
        parts = node.named_children[:3]
        first = self._text(parts[0]) if parts and parts[0].type == "identifier" else ""
        if not first or len(parts) < 2:
            return
        method, arguments = called(parts[1])
        name = self._text(method or parts[1])
        if first == SELF:
            yield name
            yield from self._named(name, arguments)
        elif first == "super" or first[0].isupper():
            yield f"{first}.{name}"
        elif first in self._function_names:
            yield first

    def _named(self, method: str, arguments: list[Node]) -> Iterator[str]:
        """The function that ``call("name")`` or ``Callable(self, "name")`` names."""
        if method in _CALLS_BY_NAME:
            for argument in arguments[:2]:
                name = string_value(self._text(argument)) if argument.type in _STRINGS else None
                if name and name.isidentifier():
                    yield name
                    return

    def _variables(self) -> Iterator[Variable]:
        for member in self._of_kinds(VARIABLE):
            yield Variable(self._name(member.node), self._file.types.of_declared([member.node]), member.owner)

    def _aliases(self) -> Iterator[Alias]:
        for member in self._of_kinds(CONSTANT):
            value = member.node.child_by_field_name("value")
            target = self._named_class(value) if value is not None else None
            if target is not None:
                yield Alias(self._name(member.node), target, member.owner)

    def _named_class(self, value: Node) -> TypeName | None:
        """The class that ``preload("…")``, ``preload("…").Inner`` or ``Outer.Inner`` is."""
        first, *rest = value.named_children if value.type == "attribute" else (value,)
        names = tuple(self._text(part) for part in rest if part.type == "identifier")
        if len(names) < len(rest):
            return None
        if first.type == "identifier":
            return TypeName("", (self._text(first), *names))
        method, arguments = called(first)
        loads = method is not None and self._text(method) == "preload" and len(arguments) == 1
        path = string_value(self._text(arguments[0])) if loads and arguments[0].type == "string" else None
        return TypeName(path, names) if path else None
