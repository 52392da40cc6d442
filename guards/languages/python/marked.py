"""Which parts of a file carry a mark: tests and classes that are decorated, and what ``pytestmark`` is for."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from guards.languages.python.bindings import bound_names
from guards.languages.python.nodes import Spans, decorators_of
from guards.languages.python.references import CALL, tail
from guards.languages.python.scope import CLASS_BODY

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.python.scope import Scope
    from guards.languages.syntax import Node


def marked(file: "PythonFile", names: Iterable[str]) -> Spans:
    """The byte ranges that carry one of some marks, as far as the file itself can tell."""
    wanted = frozenset(names)
    if not any(name.encode() in file.text.data for name in wanted):
        return Spans()
    return Spans(_ranges(file, wanted))


def _ranges(file: "PythonFile", names: frozenset[str]) -> Iterator[tuple[int, int]]:
    for node in file.nodes("decorated"):
        if any(_is_one(file, decorator, names) for decorator in decorators_of(node)):
            yield node.byte_range
    for scope in (file.scopes.module, *file.scopes.of_kind(CLASS_BODY)):
        values = [node for value in _pytestmark(file, scope) for node in (value, *value.named_children)]
        if any(_is_one(file, value, names) for value in values):
            yield scope.start, scope.end


def _pytestmark(file: "PythonFile", scope: "Scope") -> "Iterator[Node]":
    for binder in scope.binders:
        if binder.type == "assignment" and file.text.data.startswith(b"pytestmark", binder.start_byte):
            yield from (bound.value for bound in bound_names(binder, file.text.data, file.text.path) if bound.value)


def _is_one(file: "PythonFile", node: "Node", names: frozenset[str]) -> bool:
    reference = file.scopes.expression(node, file.scopes.at(node.start_byte)).removesuffix(CALL)
    return tail(reference) in names and tail(reference.rpartition(".")[0]) == "mark"
