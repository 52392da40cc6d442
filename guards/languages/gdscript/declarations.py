"""The facts of one file: its classes, functions, variables and aliases."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.gdscript.calls import own_calls
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
from guards.languages.gdscript.flow import flows_of
from guards.languages.gdscript.literals import string_value
from guards.languages.gdscript.members import CLASS, CLASS_NAME, CONSTANT, EXTENDS, FUNCTIONS, VARIABLE, Member
from guards.languages.gdscript.nodes import PARAMETERS, called, first_child, parameter_name
from guards.languages.syntax import Node, text_of, walk
from guards.source.place import Place, file_place

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

CONSTRUCTOR = "_init"
_STRINGS = frozenset({"string", "string_name"})
_STATIC = re.compile(rb"\bstatic\s+func\b")
# A head in a line that did not parse, such as `@tool extends NAME` on one line.
_HEAD = re.compile(
    rb"""(?:[ \t]*@\w+(?:\([^)]*\))?)*[ \t]*
        (?:class_name[ \t]+(?P<name>[\w\x80-\xff]+)[ \t]*;?[ \t]*)?
        (?P<extends>extends\b[ \t]*
            (?P<path>r?"[^"]+"|r?'[^']+')?\.?(?P<names>[\w\x80-\xff]+(?:\.[\w\x80-\xff]+)*)?)""",
    re.VERBOSE,
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

    def facts(self) -> Facts:
        classes = (self._script(), *self._inner_classes())
        functions = tuple(self._functions())
        owners, names = [function.owner for function in functions], [function.name for function in functions]
        return Facts(
            classes,
            functions,
            tuple(self._aliases()),
            tuple(self._variables()),
            not self._file.errors.spans,
            flows_of(self._file, classes, owners, names),
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
        text, functions = self._file.text, self._file.structure.functions
        first_function = text.line_of(functions[0].start_byte) if functions else len(text.line_starts) + 1
        for region in self._file.unread:
            line = text.line_bytes(region.place.line)
            found = _HEAD.match(line) if region.place.line < first_function else None
            if found is not None and (found["path"] or found["names"]):
                at = text.line_starts[region.place.line - 1] + found.start("extends")
                names = tuple(found["names"].decode().split(".")) if found["names"] else ()
                base = TypeName(string_value((found["path"] or b"").decode()) or "", names)
                return (found["name"] or b"").decode(), base, text.place(at, at + len(found["extends"]))
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
        names = [self._name(node) or CONSTRUCTOR for node in structure.functions]
        calls: list[set[str]] = [set() for _ in structure.functions]
        for offset, name in own_calls(self._file, frozenset(names)):
            row = structure.function_at(offset)
            if row != NOWHERE:
                calls[row].add(f"super.{names[row]}" if name == "super" else name)
        for row, member in enumerate(self._of_kinds(*FUNCTIONS)):
            yield self._function(row, member, names[row], tuple(awaits[row]), tuple(sorted(calls[row])))

    def _function(
        self, row: int, member: Member, name: str, awaits: tuple[Place, ...], calls: tuple[str, ...]
    ) -> Function:
        node = member.node
        name_node = node.child_by_field_name("name")
        return Function(
            name,
            member.owner,
            tuple(self._parameters(node.child_by_field_name("parameters"))),
            self._text(node.child_by_field_name("return_type")),
            self._place(name_node or node),
            static=self._is_static(node),
            abstract="abstract" in member.annotations,
            awaits=awaits,
            calls=calls,
            literal=self._returned_literal(node.child_by_field_name("body")),
            undecided=self._file.errors.touches(*self._file.structure.function_extent(row)),
        )

    def _is_static(self, node: Node) -> bool:
        parameters = node.child_by_field_name("parameters")
        head = self._data[node.start_byte : parameters.start_byte if parameters is not None else node.end_byte]
        return _STATIC.search(head) is not None

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
