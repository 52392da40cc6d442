"""Which parts of a file carry a mark: tests and classes that are decorated, and what ``pytestmark`` is for."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from guards.languages.python.bindings import bound_names
from guards.languages.python.nodes import Spans, decorators_of
from guards.languages.python.references import CALL, tail
from guards.languages.python.scope import CLASS_BODY, FUNCTION

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.python.scope import Scope
    from guards.languages.syntax import Node

_SKIP_WORDS = (b"skip", b"Skip", b"xfail", b"__test__")
# Statements behind which nothing runs.
_LEFT = re.compile(
    rb"(?:(?:pytest|self)\s*\.\s*)?(?:skip|skipTest)\s*\(|raise\s+(?:\w+\s*\.\s*)*SkipTest\b|pytest\s*\.\s*xfail\s*\("
    rb"|__test__\s*=\s*False\b"
)
_TRUE = re.compile(rb"\(\s*(?:True|1|\"True\"|'True')\s*[,)]")
_NOT_RUN = re.compile(rb"\brun\s*=\s*False\b")


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


def never_run(file: "PythonFile") -> Spans:
    """The byte ranges whose tests are skipped whatever happens, as far as the file itself can tell."""
    if not any(word in file.text.data for word in _SKIP_WORDS):
        return Spans()
    return Spans(_skipped_ranges(file))


def _skipped_ranges(file: "PythonFile") -> Iterator[tuple[int, int]]:
    for node in file.nodes("decorated"):
        if any(_skips(file, decorator) for decorator in decorators_of(node)):
            yield node.byte_range
    for scope in (file.scopes.module, *file.scopes.of_kind(CLASS_BODY)):
        values = [node for value in _pytestmark(file, scope) for node in (value, *value.named_children)]
        if any(_skips(file, value) for value in values) or _is_left(file, scope):
            yield scope.start, scope.end
    for scope in file.scopes.of_kind(FUNCTION):
        if _is_left(file, scope):
            yield scope.start, scope.end


def _is_left(file: "PythonFile", scope: "Scope") -> bool:
    """Whether a statement of a body itself says that nothing in it is run."""
    return any(_LEFT.match(file.text.data, statement.start_byte) for statement in scope.body.named_children)


def _skips(file: "PythonFile", node: "Node") -> bool:
    """Whether a mark skips on no condition, or on one that is constant."""
    reference = file.scopes.expression(node, file.scopes.at(node.start_byte)).removesuffix(CALL)
    if is_skip(reference):
        return True
    arguments = node.child_by_field_name("arguments") if node.type == "call" else None
    written = file.text.data[arguments.start_byte : arguments.end_byte] if arguments is not None else b""
    name = tail(reference)
    return (name in ("skipif", "skipIf") and _TRUE.match(written) is not None) or (
        name == "xfail" and _NOT_RUN.search(written) is not None
    )


def marks_on(file: "PythonFile", scope: "Scope") -> tuple[str, ...]:
    """References of what marks a function, its classes and its module, where it may be a mark of another name."""
    found = [file.scopes.lookup("pytestmark", file.scopes.module)]
    around: Scope | None = scope
    while around is not None and around.parent is not None:
        node = file.decorated.get(around.node.start_byte)
        decorators = decorators_of(node) if node is not None else []
        found.extend(file.scopes.expression(decorator, around.parent) for decorator in decorators)
        around = around.parent
    return tuple(dict.fromkeys(item for item in found if item and not item.startswith(("pytest.", "builtins.", "'"))))


def is_skip(reference: str) -> bool:
    """Whether a reference is a mark that skips on no condition."""
    reference = reference.removesuffix(CALL)
    return reference in ("unittest.skip", "unittest.case.skip") or (
        tail(reference) == "skip" and tail(reference.rpartition(".")[0]) == "mark"
    )


def _pytestmark(file: "PythonFile", scope: "Scope") -> "Iterator[Node]":
    for binder in scope.binders:
        if binder.type == "assignment" and file.text.data.startswith(b"pytestmark", binder.start_byte):
            yield from (bound.value for bound in bound_names(binder, file.text.data, file.text.path) if bound.value)


def _is_one(file: "PythonFile", node: "Node", names: frozenset[str]) -> bool:
    reference = file.scopes.expression(node, file.scopes.at(node.start_byte)).removesuffix(CALL)
    return tail(reference) in names and tail(reference.rpartition(".")[0]) == "mark"
