"""Which names a statement binds, and to what."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from guards.languages.python.nodes import decorators_of, definition_of, source
from guards.languages.python.references import UNKNOWN, attribute
from guards.languages.syntax import Node

IMPORT, DEF, CLASS, VALUE = "import", "def", "class", "value"
_FROM = re.compile(r"from\b\s*([\w.\s]+?)\s*\bimport\b(.*)", re.DOTALL)
_NOISE = re.compile(r"#[^\n]*|[()\\\n\r\t\f]")
_LISTS = frozenset({"expression_list", "tuple", "list"})
# Behind ``as`` the grammar has expressions where it has patterns elsewhere.
_PATTERNS = _LISTS | {
    "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "list_splat", "parenthesized_expression",
}  # fmt: skip


class Bound(NamedTuple):
    """A name that a statement binds.

    ``reference`` is what an import gives; ``value`` is the expression that is assigned, and
    ``entered`` says that the name is what entering it as a context gives.
    """

    name: str
    kind: str
    node: Node
    reference: str = UNKNOWN
    value: Node | None = None
    entered: bool = False
    annotation: Node | None = None


class Binding(NamedTuple):
    """A top-level name of a module, as other modules may see it.

    ``conditional`` bindings stand beside earlier ones of the name, others replace them.
    ``type_only`` ones exist for type checkers alone.
    """

    name: str
    kind: str
    reference: str
    line: int
    conditional: bool = False
    type_only: bool = False


def bound_names(node: Node, data: bytes, path: str) -> Iterator[Bound]:
    """The names that one statement or expression binds by itself, not by what is inside it."""
    kind = node.type
    if kind == "import_from_statement":
        return _imported_from(node, data, path)
    read = _BINDERS.get(kind)
    return read(node, data) if read is not None else iter(())


def star_imports(node: Node, data: bytes, path: str) -> Iterator[str]:
    """The module of ``from module import *``."""
    if node.type == "import_from_statement":
        module, names = _from_import(node, data, path)
        if names == [("*", "*")]:
            yield module


# Imports are read from their text: the grammar has made sure of their form, and they are many.


def _imported(node: Node, data: bytes) -> Iterator[Bound]:
    for name, alias in _listed(_plain(node, data).removeprefix("import")):
        reference = name if alias != name else name.partition(".")[0]
        yield Bound(alias if alias != name else reference, IMPORT, node, reference)


def _imported_from(node: Node, data: bytes, path: str) -> Iterator[Bound]:
    module, names = _from_import(node, data, path)
    for name, alias in names:
        if name != "*":
            yield Bound(alias, IMPORT, node, attribute(module, name))


def _from_import(node: Node, data: bytes, path: str) -> tuple[str, list[tuple[str, str]]]:
    """The module of ``from module import names``, and the names, each with what it is called here."""
    match = _FROM.fullmatch(_plain(node, data))
    if match is None:
        return UNKNOWN, []
    return module_reference(match[1].replace(" ", ""), path), list(_listed(match[2]))


def module_reference(written: str, path: str) -> str:
    """The reference of a module as ``from`` names it in a file, relative or not."""
    rest = written.lstrip(".")
    level = len(written) - len(rest)
    if not level:
        return written
    folder = path.rpartition("/")[0]
    for _ in range(level - 1):
        if not folder:
            return UNKNOWN
        folder = folder.rpartition("/")[0]
    return f"{folder or '.'}/:{rest}"


def _listed(names: str) -> Iterator[tuple[str, str]]:
    for listed in names.split(","):
        words = listed.split()
        if len(words) == 3 and words[1] == "as":
            yield words[0], words[2]
        elif words:
            name = "".join(words)  # space may stand around the dots
            yield name, name


def _plain(node: Node, data: bytes) -> str:
    """An import in one line, without brackets and comments."""
    written = source(node, data)
    return _NOISE.sub(" ", written) if "\n" in written or "(" in written else written


def dotted(node: Node, data: bytes) -> str:
    """A dotted name, which may have space and broken lines between its parts."""
    return _NOISE.sub("", source(node, data)).replace(" ", "")


def _assigned(node: Node, data: bytes) -> Iterator[Bound]:
    left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    yield from _targets(left, value, data, node.child_by_field_name("type"))


def _assigned_anew(node: Node, data: bytes) -> Iterator[Bound]:
    yield from _targets(node.child_by_field_name("left"), None, data)


def _assigned_inside(node: Node, data: bytes) -> Iterator[Bound]:
    yield from _targets(node.child_by_field_name("name"), node.child_by_field_name("value"), data)


def _entered(node: Node, data: bytes) -> Iterator[Bound]:
    for clause in node.named_children:
        if clause.type == "with_clause":
            for item in clause.named_children:
                yield from _item_entered(item, data)


def _item_entered(item: Node, data: bytes) -> Iterator[Bound]:
    for child in item.named_children[:1]:
        yield from _aliased(child, data, entered=True)


def _caught(clause: Node, data: bytes) -> Iterator[Bound]:
    for child in clause.named_children[:1]:
        yield from _aliased(child, data, entered=False)


def _targets(left: Node | None, value: Node | None, data: bytes, annotation: Node | None = None) -> Iterator[Bound]:
    pending = [(left, value)]
    while pending:
        target, given = pending.pop()
        if target is None:
            continue
        if target.type == "identifier":
            yield Bound(source(target, data), VALUE, target, value=given, annotation=annotation)
        elif target.type in _PATTERNS:
            targets = target.named_children
            values: list[Node | None] = [None] * len(targets)
            if given is not None and given.type in _LISTS and len(given.named_children) == len(targets):
                values = list(given.named_children)
            if any(node.type in ("list_splat_pattern", "list_splat") for node in targets):
                values = [None] * len(targets)
            pending.extend(zip(reversed(targets), reversed(values), strict=True))


def _aliased(node: Node, data: bytes, *, entered: bool) -> Iterator[Bound]:
    alias = node.child_by_field_name("alias") if node.type == "as_pattern" else None
    if alias is None:
        return
    for target in alias.named_children:
        for bound in _targets(target, node.named_children[0], data):
            # The parts of what a context gives are not what entering the parts gives.
            whole = bound.value is not None and target.type == "identifier"
            yield bound._replace(value=node.named_children[0] if whole and entered else None, entered=entered)


def _defined(node: Node, data: bytes) -> Iterator[Bound]:
    definition = definition_of(node)
    name = definition.child_by_field_name("name")
    if name is not None:
        kind = CLASS if definition.type == "class_definition" else DEF
        if kind == DEF and any(_rebinds(decorator, data) for decorator in decorators_of(node)):
            return
        yield Bound(source(name, data), kind, definition)


def _rebinds(decorator: Node, data: bytes) -> bool:
    """Whether a decorator only adds an overload: what is called is another definition."""
    return source(decorator, data).rpartition(".")[2] == "overload"


_BINDERS: Mapping[str, Callable[[Node, bytes], Iterator[Bound]]] = {
    "import_statement": _imported,
    "assignment": _assigned,
    "augmented_assignment": _assigned_anew,
    "for_statement": _assigned_anew,
    "for_in_clause": _assigned_anew,
    "named_expression": _assigned_inside,
    "with_statement": _entered,
    "with_item": _item_entered,
    "except_clause": _caught,
    "except_group_clause": _caught,
    "function_definition": _defined,
    "class_definition": _defined,
    "decorated_definition": _defined,
}


def effective(bindings: Iterable[Binding], *, types: bool = False) -> tuple[Binding, ...]:
    """What a name can be when functions run: the last binding that always happens, and later others.

    A name that is given several values is one that has no known value. Where a fallback is None,
    the name is what it is a fallback for. With ``types`` what only a type checker sees counts
    where there is nothing else.
    """
    found: list[Binding] = []
    values = 0
    every = list(bindings)
    runtime = [binding for binding in every if not binding.type_only]
    for binding in runtime or (every if types else []):
        values += binding.kind == VALUE
        found = [*found, binding] if binding.conditional else [binding]
    if len(found) > 1:
        found = [binding for binding in found if binding.reference != "builtins.None"] or found[:1]
    if values > 1:
        found = [item._replace(reference=UNKNOWN) if item.kind == VALUE else item for item in found]
    return tuple(found)
