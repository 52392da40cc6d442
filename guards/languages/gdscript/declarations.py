"""Classes and functions of a GDScript file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.gdscript.facts import SCRIPT, Class, Facts, Function, Parameter, Preload
from guards.languages.gdscript.scopes import Scopes
from guards.languages.syntax import Node, text_of
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

_PARAMETER_KINDS = {
    "identifier": "required",
    "typed_parameter": "required",
    "default_parameter": "optional",
    "typed_default_parameter": "optional",
    "variadic_parameter": "variadic",
}
_OWN = ("self", "super")


class Declarations:
    """The classes and functions of one file, and what encloses a place."""

    def __init__(self, file: "GDScriptFile") -> None:
        self._file = file
        self._data = file.text.data
        self._classes = file.nodes("class")
        self._functions = file.nodes("function")
        self._class_scopes = Scopes(self._classes)
        self._function_scopes = Scopes(self._functions)
        self._lambda_scopes = Scopes(file.nodes("lambda"))
        self.facts = Facts(tuple(self._class_rows()), tuple(self._function_rows()), tuple(self._preload_rows()))

    def function_at(self, offset: int) -> int:
        """The row of the function that encloses a place, lambdas looked through; -1 for none."""
        return next(self._function_scopes.enclosing(offset), -1)

    def class_at(self, offset: int) -> int:
        """The row of the class that encloses a place."""
        return next(self._class_scopes.enclosing(offset), -1) + 1

    def in_lambda(self, offset: int) -> bool:
        """Whether a place stands in a lambda."""
        return next(self._lambda_scopes.enclosing(offset), -1) >= 0

    def function_node(self, row: int) -> Node:
        """The node of a function's row."""
        return self._function_scopes.nodes[row]

    def _text(self, node: Node | None) -> str:
        return text_of(node, self._data) if node is not None else ""

    def _place(self, node: Node) -> Place:
        return self._file.text.place(*node.byte_range)

    def _class_rows(self) -> Iterator[Class]:
        yield self._script()
        for node in self._class_scopes.nodes:
            name = node.child_by_field_name("name")
            heads = [node.child_by_field_name("extends"), *self._heads_in(node.child_by_field_name("body"))]
            extends = next((head for head in heads if head is not None), None)
            written, by_path = self._extends(extends)
            place = self._place(name or node)
            yield Class(
                self._text(name),
                written,
                by_path,
                place,
                self._place(extends) if extends is not None else place,
                self._outer_class(node),
                abstract="abstract" in self._annotations(node),
            )

    def _outer_class(self, node: Node) -> int:
        enclosing = (index for index in self._class_scopes.enclosing(node.start_byte))
        return next((index + 1 for index in enclosing if self._class_scopes.nodes[index] != node), SCRIPT)

    def _heads_in(self, body: Node | None) -> list[Node]:
        if body is None:
            return []
        return [child for child in body.named_children[:3] if child.type == "extends_statement"]

    def _script(self) -> Class:
        """The script class. Its parts are looked for one by one: an error in one hides no other."""
        names = [node for node in self._file.nodes("class_name") if self.class_at(node.start_byte) == SCRIPT]
        name = names[0].child_by_field_name("name") if names else None
        heads = [node for node in self._file.nodes("extends") if self._is_script_head(node)]
        written, by_path = self._extends(heads[0] if heads else None)
        extends_place = self._place(heads[0]) if heads else None
        if not heads:
            written, by_path, extends_place = self._extends_in_errors()
        first_line = Place(self._file.text.path, 1, 1, 1, 1)
        place = self._place(names[0]) if names else (extends_place or first_line)
        annotations = self._script_annotations()
        return Class(
            self._text(name),
            written,
            by_path,
            place,
            extends_place or place,
            -1,
            tool="tool" in annotations,
            abstract="abstract" in annotations,
        )

    def _is_script_head(self, node: Node) -> bool:
        parent = node.parent
        return parent is not None and parent.type in {"source", "class_name_statement"}

    def _extends_in_errors(self) -> tuple[str, bool, Place | None]:
        """``extends NAME`` from a line that did not parse, such as ``@tool extends NAME``."""
        for region in self._file.unread:
            line = self._file.text.line_bytes(region.place.line).decode("utf-8", "replace")
            head, keyword, rest = line.partition("extends ")
            words = rest.split()
            if keyword and words and (not head.strip() or head.strip().startswith("@")):
                written, by_path = words[0], words[0][0] in "\"'"
                column = len(head) + 1
                place = Place(self._file.text.path, region.place.line, column, region.place.line, len(line) + 1)
                return written.strip("\"'"), by_path, place
        return "", False, None

    def _extends(self, node: Node | None) -> tuple[str, bool]:
        if node is None:
            return "", False
        for child in node.named_children:
            if child.type == "string":
                return self._text(child).strip("\"'"), True
            if child.type == "type":
                written = "".join(self._text(child).split())
                # A path with inner classes behind it: "res://a.gd".Inner
                return (written, False) if written[:1] not in {'"', "'"} else ("", True)
        return "", False

    def _script_annotations(self) -> frozenset[str]:
        """Annotations of the file: those of ``class_name`` or ``extends``, and any ``@tool`` outside of classes."""
        heads = {"class_name_statement", "extends_statement"}
        found = set()
        for node in self._file.nodes("annotation"):
            name, group = self._annotation(node), node.parent
            if group is None or self.class_at(node.start_byte) != SCRIPT:
                continue
            on_line = group.parent is not None and group.parent.type in heads
            above = group.type == "source" and _next_statement(node) in heads
            if name == "tool" or on_line or above:
                found.add(name)
        return frozenset(found)

    def _annotation(self, node: Node) -> str:
        return next((self._text(child) for child in node.named_children if child.type == "identifier"), "")

    def _annotations(self, node: Node) -> frozenset[str]:
        """The annotations of a declaration, on its line or on lines above it."""
        inside = [child for group in node.children if group.type == "annotations" for child in group.named_children]
        above = node.prev_named_sibling
        while above is not None and above.type in {"annotation", "comment"}:
            inside.append(above)
            above = above.prev_named_sibling
        return frozenset(self._annotation(child) for child in inside if child.type == "annotation")

    def _function_rows(self) -> Iterator[Function]:
        nodes = self._function_scopes.nodes
        awaits: list[list[Place]] = [[] for _ in nodes]
        calls: list[set[str]] = [set() for _ in nodes]
        for node in self._file.nodes("await"):
            row = self.function_at(node.start_byte)
            if row >= 0 and not self._lambda_between(node.start_byte, row):
                awaits[row].append(self._place(node.children[0] if node.children else node))
        for row, name in self._own_calls():
            calls[row].add(name)
        for row, node in enumerate(nodes):
            yield self._function(node, tuple(awaits[row]), tuple(sorted(calls[row])))

    def _lambda_between(self, offset: int, row: int) -> bool:
        start = self.function_node(row).start_byte
        return any(self._lambda_scopes.nodes[i].start_byte > start for i in self._lambda_scopes.enclosing(offset))

    def _own_calls(self) -> Iterator[tuple[int, str]]:
        """Calls of functions of the own class: bare, and through ``self`` and ``super``."""
        for node in self._file.nodes("call"):
            row = self.function_at(node.start_byte)
            if row >= 0 and node.named_child_count and node.named_children[0].type == "identifier":
                yield row, self._text(node.named_children[0])
        for node in self._file.nodes("attribute"):
            parts = node.named_children
            row = self.function_at(node.start_byte)
            own = row >= 0 and len(parts) == 2 and parts[1].type == "attribute_call" and self._text(parts[0]) in _OWN
            if own and parts[1].named_child_count:
                yield row, self._text(parts[1].named_children[0])

    def _function(self, node: Node, awaits: tuple[Place, ...], calls: tuple[str, ...]) -> Function:
        name = node.child_by_field_name("name")
        owner = self.class_at(node.start_byte)
        at_top = node.parent is not None and node.parent.type == "source"
        # In a file with errors, functions of inner classes can come loose: the indent tells them.
        loose = at_top and owner == SCRIPT and node.start_point[1] > 0
        return Function(
            self._text(name) or "_init",
            -1 if loose else owner,
            tuple(self._parameters(node.child_by_field_name("parameters"))),
            self._text(node.child_by_field_name("return_type")),
            self._place(name or node),
            static=any(child.type == "static_keyword" for child in node.children),
            abstract="abstract" in self._annotations(node),
            awaits=awaits,
            calls=calls,
            literal=self._returned_literal(node.child_by_field_name("body")),
            undecided=self._file.is_unread(*node.byte_range),
        )

    def _parameters(self, node: Node | None) -> Iterator[Parameter]:
        for child in node.named_children if node is not None else ():
            kind = _PARAMETER_KINDS.get(child.type)
            if kind is not None:
                name = child if child.type == "identifier" else child.named_children[0]
                yield Parameter(self._text(name), kind, self._text(child.child_by_field_name("type")).strip())

    def _returned_literal(self, body: Node | None) -> str | None:
        statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
        if len(statements) != 1 or statements[0].type != "return_statement" or not statements[0].named_child_count:
            return None
        value = statements[0].named_children[0]
        return string_value(self._text(value)) if value.type in {"string", "string_name"} else None

    def _preload_rows(self) -> Iterator[Preload]:
        for node in self._file.nodes("const"):
            value = node.child_by_field_name("value")
            name = node.child_by_field_name("name")
            if value is None or name is None or value.type != "call" or self._text(value)[:7] != "preload":
                continue
            arguments = value.child_by_field_name("arguments")
            strings = [child for child in arguments.named_children if child.type == "string"] if arguments else []
            if strings:
                path = string_value(self._text(strings[0]))
                yield Preload(self._text(name), path or "", self.class_at(node.start_byte))


def _next_statement(node: Node) -> str:
    following = node.next_named_sibling
    while following is not None and following.type in {"annotation", "comment"}:
        following = following.next_named_sibling
    return following.type if following is not None else ""


def string_value(literal: str) -> str | None:
    """The text of a string literal of any kind; None where it holds an escape, which is not worked out here."""
    text = literal.lstrip("&^")
    raw = text.startswith("r")
    text = text.removeprefix("r")
    for quotes in ('"""', "'''", '"', "'"):
        if text.startswith(quotes) and text.endswith(quotes) and len(text) >= 2 * len(quotes):
            inside = text[len(quotes) : len(text) - len(quotes)]
            return inside if raw or "\\" not in inside else None
    return None
