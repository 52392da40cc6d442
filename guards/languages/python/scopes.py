"""What a name means where it stands, and what an expression made of names and constants means."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from guards.languages.python.bindings import (
    CLASS,
    DEF,
    IMPORT,
    VALUE,
    Binding,
    Bound,
    bound_names,
    effective,
    star_imports,
)
from guards.languages.python.expressions import Expressions
from guards.languages.python.nodes import Spans, source, statements
from guards.languages.python.references import UNKNOWN, attribute, called, is_text, tail
from guards.languages.python.scope import CLASS_BODY, COMPREHENSION, FUNCTION, LAMBDA, MODULE, Scope
from guards.languages.syntax import Node
from guards.source.text import SourceText

_SCOPES = {
    "function_definition": FUNCTION,
    "class_definition": CLASS_BODY,
    "lambda": LAMBDA,
    "list_comprehension": COMPREHENSION,
    "set_comprehension": COMPREHENSION,
    "dictionary_comprehension": COMPREHENSION,
    "generator_expression": COMPREHENSION,
}
_IMPORTS = frozenset({"import_statement", "import_from_statement"})
_LONG = 200
_TYPE_NAME = re.compile(r"[A-Za-z_][\w.]*")
_NO_TYPES = frozenset({"typing.Any", "builtins.object", "builtins.None", "typing.Optional", "typing.Union"})
# Types of which the first argument is the one that matters.
_WRAPPERS = frozenset(
    {
        "Annotated", "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Generator", "Iterable", "Iterator",
        "Optional",
    }
)  # fmt: skip
_OWN_OBJECT = re.compile(r":([\w.]+?)(?:\(\))?")
_SELF_ATTRIBUTE = re.compile(r"(?:self|cls)\.(\w+)")
# ``name =``, ``for name in``, or the assignment to an attribute or item, which binds nothing.
_SIMPLE_BINDER = re.compile(
    rb"([A-Za-z_]\w*) *=(?!=)|for +([A-Za-z_]\w*) +in\b|[A-Za-z_]\w*(?:\.\w+|\[[^\[\],\n]*\])+ *=(?!=)"
)
_SIMPLE_BINDERS = frozenset({"assignment", "for_statement", "for_in_clause"})
_PLAIN_PARAMETERS = re.compile(rb"\([\w\s,*/]*\)|[\w\s,*/]*", re.ASCII)
_WORD = re.compile(rb"\w+")
# What the fixtures of pytest and pytest-mock that hand out patchers are, whatever their annotation.
HANDLE_FIXTURES = frozenset(
    {"mocker", "class_mocker", "module_mocker", "package_mocker", "session_mocker", "monkeypatch"}
)


class _TopLevel(NamedTuple):
    bound: Bound
    conditional: bool
    type_only: bool


class Scopes:
    """The scopes of one file, and what names and expressions in them mean.

    ``scope_nodes`` and ``binders`` are the nodes below ``root`` that open a scope and that bind
    names, in source order; ``type_only`` are the ranges that only a type checker reads.
    """

    def __init__(
        self,
        text: SourceText,
        root: Node,
        scope_nodes: Iterable[Node],
        binders: Sequence[Node],
        type_only: Spans,
    ) -> None:
        self._text = text
        self._data = text.data
        self._path = text.path
        self.module = Scope(MODULE, root, root, None, "")
        # Error recovery can leave the root shorter than the file.
        self.module.start, self.module.end = 0, len(text.data) + 1
        self._scopes = [self.module]
        self._known: dict[tuple[int, str, bool], str] = {}
        self._expressions = Expressions(text.data, self.lookup, self._attribute)
        self._bound_in: dict[tuple[int, int], list[Bound]] = {}
        self._known_attributes: dict[tuple[str, str], str] = {}
        self._add_scopes(scope_nodes)
        self._starts = [scope.start for scope in self._scopes]
        self._binders = binders
        for binder in binders:
            self._add_binder(binder)
        self.globals = self._declared_global()
        self.stars: list[str] = []
        self._module_names: dict[str, list[_TopLevel]] = {}
        for node, always in statements(root):
            self._add_top_level(node, conditional=not always, type_only=node.start_byte in type_only)
        for node in self.module.binders:
            if node.type == "named_expression":
                self._add_top_level(node, conditional=True, type_only=node.start_byte in type_only)

    def _add_top_level(self, node: Node, *, conditional: bool, type_only: bool) -> None:
        if not type_only:
            self.stars.extend(star_imports(node, self._data, self._path))
        conditional = conditional or node.type == "augmented_assignment"
        for bound in bound_names(node, self._data, self._path):
            self._module_names.setdefault(bound.name, []).append(_TopLevel(bound, conditional, type_only))

    def _add_scopes(self, nodes: Iterable[Node]) -> None:
        current = self.module
        found = []
        for node in nodes:
            kind = _SCOPES[node.type]
            body = node if kind == COMPREHENSION else node.child_by_field_name("body")
            if body is None:
                continue
            found.append((body.start_byte, kind, node, body))
        found.sort(key=lambda item: item[0])  # stable: what is around comes first
        for start, kind, node, body in found:
            while start >= current.end and current.parent is not None:
                current = current.parent
            name = node.child_by_field_name("name") if kind in (FUNCTION, CLASS_BODY) else None
            own = source(name, self._data) if name is not None else ""
            path = f"{current.path}.{own}" if current.path and own else current.path or own
            if own and current.parent is not None:
                current.binders.append(node)
            current = Scope(kind, node, body, current, path)
            self._scopes.append(current)

    def _add_binder(self, node: Node) -> None:
        scope = self.at(node.start_byte)
        if node.type in ("global_statement", "nonlocal_statement"):
            for child in node.named_children:
                scope.outer[source(child, self._data)] = node.type
            return
        while scope.kind == COMPREHENSION and node.type == "named_expression" and scope.parent is not None:
            scope = scope.parent
        scope.binders.append(node)

    def at(self, offset: int) -> Scope:
        """The innermost scope at an offset. Parameters and decorators belong to what is around."""
        scope = self._scopes[bisect_right(self._starts, offset) - 1]
        while offset >= scope.end and scope.parent is not None:
            scope = scope.parent
        return scope

    def function_at(self, offset: int) -> Scope | None:
        """The innermost named function at an offset."""
        return self.at(offset).function()

    def of_kind(self, kind: str) -> Iterator[Scope]:
        """All scopes of a kind, in source order."""
        return (scope for scope in self._scopes if scope.kind == kind)

    def helper_names(self, foreign: frozenset[str], wanted: frozenset[str]) -> frozenset[bytes]:
        """Names, in any scope, that can be a function of the project's own or an alias of one that is wanted.

        ``foreign`` are the modules that no function of the project's own is imported from.
        """
        names = {scope.path.rpartition(".")[2].encode() for scope in self._scopes if scope.kind == FUNCTION}
        endings = tuple(f".{name}".encode() for name in wanted)
        imported = [item.bound for items in self._module_names.values() for item in items if item.bound.kind == IMPORT]
        for node in self._binders:
            kind = node.type
            if kind in _IMPORTS:
                imported.extend(self._bound_by(node))
            elif kind == "assignment" and self._data.endswith(endings, node.start_byte, node.end_byte):
                names.update(name.encode() for name in self._names_by(node))
        for bound in imported:
            if bound.reference.partition(".")[0] not in foreign or tail(bound.reference) in wanted:
                names.add(bound.name.encode())
        return frozenset(names)

    def bound_anywhere(self) -> Iterator[Bound]:
        """Every name that is bound, in any scope, by an import, an assignment or the like."""
        for node in self._binders:
            if node.type not in ("global_statement", "nonlocal_statement"):
                yield from self._bound_by(node)

    def names_in(self, scope: Scope) -> Iterable[str]:
        """The names that a scope binds, in order."""
        return self._names_of(scope)

    def parameter_names(self, scope: Scope) -> Iterable[str]:
        """The names of a function's parameters, in order."""
        self._names_of(scope)
        return scope.parameters

    def module_values(self, name: str) -> list[Node]:
        """The expressions that a module-level name is assigned."""
        return [item.bound.value for item in self._module_names.get(name, ()) if item.bound.value is not None]

    def _declared_global(self) -> frozenset[str]:
        return frozenset(
            name for scope in self._scopes for name, kind in scope.outer.items() if kind == "global_statement"
        )

    def bindings(self) -> Iterator[Binding]:
        """The top-level names of the module, as others may see them."""
        for name in self._module_names:
            yield from self._bindings_of(name)
        for name in sorted(self.globals):
            yield Binding(name, VALUE, UNKNOWN, 0, conditional=True)

    def _bindings_of(self, name: str) -> Iterator[Binding]:
        for bound, conditional, type_only in self._module_names.get(name, ()):
            if bound.kind == IMPORT:
                reference = bound.reference
            elif bound.kind == VALUE:
                reference = self._value_of(bound, self.module)
            else:
                reference = UNKNOWN
            yield Binding(
                name, bound.kind, reference, self._text.line_of(bound.node.start_byte), conditional, type_only
            )

    # Names

    def lookup(self, name: str, scope: Scope, *, types: bool = False) -> str:
        """The reference of a name as seen in a scope."""
        key = (id(scope), name, types)
        if key not in self._known:
            self._known[key] = UNKNOWN  # what a definition that leads back to itself means
            self._known[key] = self._looked_up(name, scope, types=types)
        return self._known[key]

    def _looked_up(self, name: str, scope: Scope, *, types: bool) -> str:
        around: Scope | None = scope
        in_class_body = True
        while around is not None and around.parent is not None:
            if around.outer.get(name) == "global_statement":
                break
            if around.kind != CLASS_BODY or in_class_body:
                binders = self._names_of(around).get(name)
                if binders is not None:
                    return self._bound(around, name, binders)
                if name in around.parameters:
                    return self._parameter(around, name)
            in_class_body = in_class_body and around.kind == COMPREHENSION
            around = around.parent
        return (
            self._module_name(name, types=types)
            if scope is self.module
            else self.lookup(name, self.module, types=types)
        )

    def _names_of(self, scope: Scope) -> dict[str, list[Node]]:
        """The names that a scope binds, each with the nodes that do; parameters are apart."""
        if scope.names is None:
            scope.names = {}
            if scope.kind in (FUNCTION, LAMBDA):
                scope.parameters = dict(self._parameters(scope.node))
            for binder in scope.binders:
                for name in self._names_by(binder):
                    if name not in scope.outer:
                        scope.names.setdefault(name, []).append(binder)
        return scope.names

    def _names_by(self, node: Node) -> Iterable[str]:
        """The names that a statement or expression binds, read from its text where that is enough."""
        start = node.start_byte
        simple = _SIMPLE_BINDER.match(self._data, start)
        if simple is not None and node.type in _SIMPLE_BINDERS:
            name = simple[1] or simple[2]
            return (name.decode(),) if name else ()
        return [bound.name for bound in self._bound_by(node)]

    def _bound_by(self, node: Node) -> list[Bound]:
        """The names that a statement or expression binds; asked for several times."""
        key = node.byte_range
        if key not in self._bound_in:
            self._bound_in[key] = list(bound_names(node, self._data, self._path))
        return self._bound_in[key]

    def _bound(self, scope: Scope, name: str, binders: list[Node]) -> str:
        found = {
            self._reference_of(scope, bound)
            for binder in dict.fromkeys(binders)
            for bound in self._bound_by(binder)
            if bound.name == name
        }
        if name in scope.parameters:
            found.add(UNKNOWN)
        if len(found) > 1:
            found.discard("builtins.None")  # what a name is until it is something
        return found.pop() if len(found) == 1 else UNKNOWN

    def _reference_of(self, scope: Scope, bound: Bound) -> str:
        if bound.kind == IMPORT:
            return bound.reference
        if bound.kind in (DEF, CLASS):
            return f":{scope.path}.{bound.name}" if scope.path else f":{bound.name}"
        return self._value_of(bound, scope)

    def _value_of(self, bound: Bound, scope: Scope) -> str:
        reference = self.expression(bound.value, scope) if bound.value is not None else UNKNOWN
        if bound.entered:
            return called(attribute(reference, "__enter__"))
        return reference or called(self.annotated(bound.annotation, scope))

    def _module_name(self, name: str, *, types: bool) -> str:
        if name not in self._module_names:
            own = self.stars or name in self.globals or name == "__name__"
            return f":{name}" if own else f"builtins.{name}"
        found = effective(self._bindings_of(name), types=types) if name not in self.globals else ()
        plain = len(found) == 1 and found[0].kind in (IMPORT, VALUE) and found[0].reference not in ("", "builtins.None")
        return found[0].reference if plain else f":{name}"

    def _parameters(self, function: Node) -> Iterator[tuple[str, Node | None]]:
        """The parameters of a function or lambda, each with its annotation."""
        listed = function.child_by_field_name("parameters")
        if listed is None:
            return
        written = self._data[listed.start_byte : listed.end_byte]
        if _PLAIN_PARAMETERS.fullmatch(written):
            yield from ((name.decode(), None) for name in _WORD.findall(written))
            return
        for node in listed.named_children:
            name = node.child_by_field_name("name") or node
            while name.type != "identifier" and name.named_children:
                name = name.named_children[0]
            if name.type == "identifier":
                yield source(name, self._data), node.child_by_field_name("type")

    def _parameter(self, scope: Scope, name: str) -> str:
        owner = scope.parent or scope
        if owner.kind == CLASS_BODY and name in ("self", "cls"):
            return f":{owner.path}()" if name == "self" else f":{owner.path}"
        annotation = scope.parameters[name] if name not in HANDLE_FIXTURES else None
        return called(self.annotated(annotation, owner)) or f"${name}"

    def annotated(self, annotation: Node | None, scope: Scope) -> str:
        """The type that an annotation names; unknown where it says nothing or more than one thing."""
        if annotation is None or annotation.end_byte - annotation.start_byte > 200:
            return UNKNOWN
        written = source(annotation, self._data).strip("\"' ")
        names = [name for name in _TYPE_NAME.findall(written) if name != "None"]
        while len(names) > 1 and names[0].rpartition(".")[2] in _WRAPPERS:
            del names[0]
        if not names or (len(names) > 1 and "[" in written and not _starts_wrapped(written)):
            return UNKNOWN
        if "|" in written and len(names) > 1:
            return UNKNOWN
        first, dot, rest = names[0].partition(".")
        reference = self.lookup(first, scope, types=True)
        reference = f"{reference}{dot}{rest}" if reference and not is_text(reference) else UNKNOWN
        return UNKNOWN if reference in _NO_TYPES else reference

    # Expressions

    def expression(self, node: Node, scope: Scope) -> str:
        """The reference of an expression; unknown where it is no chain of names and no constant text."""
        return self._expressions.reference(node, scope)

    def chain(self, dotted: str, scope: Scope) -> str:
        """The reference of a dotted chain of names."""
        first, dot, rest = dotted.partition(".")
        reference = self.lookup(first, scope)
        if not reference:
            return UNKNOWN
        if not dot or (reference[0] != ":" and not is_text(reference) and len(reference) < _LONG):
            return f"{reference}{dot}{rest}"
        for name in rest.split("."):
            reference = self._attribute(reference, name)
        return reference

    def _attribute(self, reference: str, name: str) -> str:
        """An attribute; one that methods give their object is what they give it."""
        own = _OWN_OBJECT.fullmatch(reference)
        if own is not None:
            key = (own[1], name)
            if key not in self._known_attributes:
                self._known_attributes[key] = UNKNOWN  # what a definition that leads back to itself means
                found = {self.expression(*given) for given in self._given_attributes.get(key, ())} - {"builtins.None"}
                self._known_attributes[key] = found.pop() if len(found) == 1 else UNKNOWN
            if self._known_attributes[key]:
                return self._known_attributes[key]
        return attribute(reference, name)

    @cached_property
    def _given_attributes(self) -> dict[tuple[str, str], list[tuple[Node, Scope]]]:
        """By class and name, what methods assign to attributes of ``self`` or ``cls``."""
        found: dict[tuple[str, str], list[tuple[Node, Scope]]] = {}
        for scope in self._scopes:
            owner = scope.parent
            if scope.kind != FUNCTION or owner is None or owner.kind != CLASS_BODY:
                continue
            for node in scope.binders:
                left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
                if node.type == "assignment" and left is not None and value is not None and left.type == "attribute":
                    given = _SELF_ATTRIBUTE.fullmatch(source(left, self._data))
                    if given is not None:
                        found.setdefault((owner.path, given[1]), []).append((value, scope))
        return found


def _starts_wrapped(written: str) -> bool:
    match = _TYPE_NAME.match(written)
    return match is not None and match[0].rpartition(".")[2] in _WRAPPERS
