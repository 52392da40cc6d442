"""Which names a statement binds, and to what."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guards.languages.python.nodes import decorators_of, definition_of, source
from guards.languages.python.references import UNKNOWN, attribute
from guards.languages.syntax import Node

IMPORT, DEF, CLASS, VALUE = "import", "def", "class", "value"
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "parenthesized_expression"})
_LISTS = frozenset({"expression_list", "tuple", "list"})


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
    match node.type:
        case "import_statement":
            yield from _imported(node, data)
        case "import_from_statement":
            yield from _imported_from(node, data, path)
        case "assignment":
            yield from _assigned(node, data)
        case "augmented_assignment" | "for_statement" | "for_in_clause":
            yield from _targets(node.child_by_field_name("left"), None, data)
        case "named_expression":
            yield from _targets(node.child_by_field_name("name"), node.child_by_field_name("value"), data)
        case "with_statement":
            for item in _with_items(node):
                yield from _aliased(item, data, entered=True)
        case "except_clause" | "except_group_clause":
            for child in node.named_children[:1]:
                yield from _aliased(child, data, entered=False)
        case "function_definition" | "class_definition" | "decorated_definition":
            yield from _defined(node, data)


def star_imports(node: Node, data: bytes, path: str) -> Iterator[str]:
    """The module of ``from module import *``."""
    if node.type == "import_from_statement" and any(child.type == "wildcard_import" for child in node.named_children):
        yield _module_of(node, data, path)


def _imported(node: Node, data: bytes) -> Iterator[Bound]:
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None and alias is not None:
                yield Bound(source(alias, data), IMPORT, child, dotted(name, data))
        else:
            first = dotted(child, data).partition(".")[0]
            yield Bound(first, IMPORT, child, first)


def _imported_from(node: Node, data: bytes, path: str) -> Iterator[Bound]:
    module = _module_of(node, data, path)
    for child in node.children_by_field_name("name"):
        name, alias = child, child
        if child.type == "aliased_import":
            name = child.child_by_field_name("name") or child
            alias = child.child_by_field_name("alias") or child
        yield Bound(source(alias, data), IMPORT, child, attribute(module, dotted(name, data)))


def _module_of(node: Node, data: bytes, path: str) -> str:
    module = node.child_by_field_name("module_name")
    if module is None:
        return UNKNOWN
    if module.type != "relative_import":
        return dotted(module, data)
    written = "".join(source(module, data).split())
    rest = written.lstrip(".")
    folder = path.rpartition("/")[0]
    for _ in range(len(written) - len(rest) - 1):
        if not folder:
            return UNKNOWN
        folder = folder.rpartition("/")[0]
    return f"{folder or '.'}/:{rest}"


def dotted(node: Node, data: bytes) -> str:
    """A dotted name, which may have space and broken lines between its parts."""
    return ".".join(source(child, data) for child in node.named_children if child.type == "identifier")


def _assigned(node: Node, data: bytes) -> Iterator[Bound]:
    left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    annotation = node.child_by_field_name("type")
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    yield from _targets(left, value, data, annotation)


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
            if any(node.type == "list_splat_pattern" for node in targets):
                values = [None] * len(targets)
            pending.extend(zip(reversed(targets), reversed(values), strict=True))


def _with_items(node: Node) -> Iterator[Node]:
    for clause in node.named_children:
        if clause.type == "with_clause":
            for item in clause.named_children:
                value = item.child_by_field_name("value") if item.type == "with_item" else None
                if value is not None:
                    yield value


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
