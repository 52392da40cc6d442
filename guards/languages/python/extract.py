"""Facts of a file, from its tree."""

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.python.bindings import CLASS, bound_names
from guards.languages.python.collection import Collection, is_test_case
from guards.languages.python.facts import (
    ClassFacts,
    Facts,
    FixtureFacts,
    FunctionFacts,
    PatchCall,
    WrapperFacts,
)
from guards.languages.python.nodes import decorators_of, definition_of, source, statements
from guards.languages.python.patches import PATCHER_NAMES, WORDS
from guards.languages.python.references import UNKNOWN, called, constant, is_text, parts, pieces, tail
from guards.languages.python.scopes import FUNCTION, MODULE, Scope
from guards.languages.syntax import Node
from guards.project.model import PRODUCT

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile

_DYNAMIC = re.compile(rb"\bglobals\(\)|\b__getattr__\b|sys\.modules\[__name__\]")
_FIXTURE_NAMES = frozenset({"fixture", "yield_fixture"})
# Most calls of tests: they lead to no helper, and are left out for their number.
_NEVER_OWNED = sys.stdlib_module_names | {"pytest", "mock", "pytest_mock"}
_PARAMETER = re.compile(r"\$(\w+)")
# What is registered where a hook computes the names of its markers.
ANY_MARKER = "*"


def extract_facts(file: "PythonFile") -> Facts:
    """All facts of one file. What functions of product code call is left out."""
    return _Extraction(file).facts()


class _Extraction:
    """One file on its way to its facts."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._data = file.text.data
        self._scopes = file.scopes
        self._collection = Collection(file.info.unit)
        self._classes = tuple(self._class_facts())
        self._fixtures = dict(self._fixture_names())

    def facts(self) -> Facts:
        """All of them."""
        is_product = self._file.info.role == PRODUCT
        return Facts(
            bindings=tuple(self._scopes.bindings()),
            stars=tuple(self._scopes.stars),
            exports=self._texts_of("__all__"),
            dynamic=_DYNAMIC.search(self._data) is not None,
            classes=self._classes,
            functions=() if is_product else tuple(self._function_facts()),
            fixtures=tuple(self._fixture_facts()),
            wrappers=tuple(self._wrappers()) if WORDS.search(self._data) else (),
            markers=tuple(sorted(set(self._markers()))) if b"addinivalue_line" in self._data else (),
            plugins=self._texts_of("pytest_plugins") or (),
        )

    def _texts_of(self, name: str) -> tuple[str, ...] | None:
        """The texts that a module-level name is assigned; None where it is not, or is no plain list of them."""
        values = self._scopes.module_values(name)
        if len(values) != 1:
            return None
        nodes = values[0].named_children if values[0].type in ("list", "tuple") else [values[0]]
        texts = [constant(self._scopes.expression(node, self._scopes.module)) for node in nodes if node.type != "comment"]
        return None if None in texts else tuple(filter(None, texts))

    # Classes and functions

    def _class_facts(self) -> Iterator[ClassFacts]:
        for scope in self._scopes.of_kind(CLASS):
            if all(around.kind == CLASS for around in _around(scope)):
                members = (name for node, _ in statements(scope.body) for name in self._names_of(node))
                yield ClassFacts(scope.path, tuple(self._bases(scope)), tuple(dict.fromkeys(members)))

    def _names_of(self, node: Node) -> Iterator[str]:
        return (bound.name for bound in bound_names(node, self._data, self._file.info.path))

    def _bases(self, scope: Scope) -> Iterator[str]:
        listed = scope.node.child_by_field_name("superclasses")
        for node in listed.named_children if listed is not None else ():
            if node.type not in ("keyword_argument", "comment", "dictionary_splat"):
                generic = node.child_by_field_name("value") if node.type == "subscript" else None
                yield self._scopes.expression(generic or node, scope.parent or scope)

    def _function_facts(self) -> Iterator[FunctionFacts]:
        calls = self._calls()
        for scope in self._scopes.of_kind(FUNCTION):
            name = scope.node.child_by_field_name("name")
            if name is not None:
                place = self._file.text.place(name.start_byte, name.end_byte)
                yield FunctionFacts(scope.path, self._kind_of(scope), place, tuple(calls.get(scope.path, ())))

    def _kind_of(self, scope: Scope) -> str:
        around = list(_around(scope))
        classes = {item.name: item for item in self._classes}
        owners = [classes[outer.path] for outer in around if outer.path in classes]
        collected = len(owners) == len(around) and all(
            self._collection.collects_class(owner.name.rpartition(".")[2], owner.bases) for owner in owners
        )
        return self._collection.kind(
            scope.path.rpartition(".")[2],
            fixture=scope in self._fixtures,
            in_test_case=bool(owners) and is_test_case(owners[0].bases),
            collected=collected,
        )

    def _calls(self) -> dict[str, dict[str, None]]:
        """By function, the references that it calls and that can be the project's own."""
        found: dict[str, dict[str, None]] = {}
        for call in self._file.nodes("call"):
            function = call.child_by_field_name("function")
            scope = self._scopes.function_at(call.start_byte)
            if function is None or scope is None or function.type not in ("identifier", "attribute"):
                continue
            reference = self._scopes.expression(function, self._scopes.at(call.start_byte))
            part = parts(reference)
            if part.root == "own" or (part.root == "name" and part.tokens[0] not in _NEVER_OWNED):
                found.setdefault(scope.path, {})[reference] = None
        return found

    # Fixtures

    def _fixture_names(self) -> Iterator[tuple[Scope, str]]:
        if b"fixture" not in self._data:
            return
        by_start = {scope.node.start_byte: scope for scope in self._scopes.of_kind(FUNCTION)}
        for node in self._file.nodes("decorated"):
            scope = by_start.get(definition_of(node).start_byte)
            for decorator in decorators_of(node) if scope is not None else ():
                name = self._fixture_name(decorator, scope) if scope is not None else ""
                if scope is not None and name:
                    yield scope, name

    def _fixture_name(self, decorator: Node, scope: Scope) -> str:
        """The name of a fixture that a decorator makes; empty where it makes none."""
        function = decorator.child_by_field_name("function") if decorator.type == "call" else decorator
        around = scope.parent or scope
        if function is None or tail(self._scopes.expression(function, around)) not in _FIXTURE_NAMES:
            return ""
        arguments = decorator.child_by_field_name("arguments")
        for node in arguments.named_children if arguments is not None else ():
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None and source(name, self._data) == "name":
                return constant(self._scopes.expression(value, around)) or ""
        return scope.path.rpartition(".")[2]

    def _fixture_facts(self) -> Iterator[FixtureFacts]:
        if not self._fixtures:
            return
        results: dict[int, list[Node]] = {}
        for node in self._file.nodes("result"):
            results.setdefault(id(self._scopes.function_at(node.start_byte)), []).append(node)
        for scope, name in self._fixtures.items():
            yield FixtureFacts(name, self._gives(scope, results.get(id(scope), [])))

    def _gives(self, scope: Scope, results: list[Node]) -> str:
        """The reference of what a fixture returns or yields, or an instance of what it says it does."""
        values = [node.named_children[0] for node in results if node.named_children]
        found = {self._scopes.expression(value, self._scopes.at(value.start_byte)) for value in values}
        given = found.pop() if len(found) == 1 else UNKNOWN
        if given and given != "builtins.None":
            return given
        annotation = scope.node.child_by_field_name("return_type")
        return called(self._scopes.annotated(annotation, scope.parent or scope))

    # Wrappers and markers

    def _wrappers(self) -> Iterator[WrapperFacts]:
        """Helpers that hand one of their parameters on to a patcher, and do so once."""
        by_function: dict[str, list[PatchCall]] = {}
        for call in self._file.patches:
            if tail(call.callee) in PATCHER_NAMES:
                by_function.setdefault(call.function, []).append(call)
        for scope in self._scopes.of_kind(FUNCTION):
            calls = by_function.get(scope.path, [])
            if len(calls) != 1 or scope in self._fixtures:
                continue
            parameters = tuple(name for name in self._scopes.parameter_names(scope) if name not in ("self", "cls"))
            handed_on = {name for _, value in calls[0].arguments for name in _PARAMETER.findall(value)}
            if handed_on & set(parameters):
                yield WrapperFacts(scope.path, parameters, calls[0])

    def _markers(self) -> Iterator[str]:
        for call in self._file.nodes("call"):
            function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
            if function is None or arguments is None or not source(function, self._data).endswith("addinivalue_line"):
                continue
            scope = self._scopes.at(call.start_byte)
            given = [self._scopes.expression(node, scope) for node in arguments.named_children if node.type != "comment"]
            if len(given) == 2 and constant(given[0]) == "markers":
                yield marker_name(next(pieces(given[1]))[0] if is_text(given[1]) and len(given[1]) > 1 else "")


def marker_name(line: str) -> str:
    """The name in a line that registers a marker."""
    return re.split("[:(]", line, maxsplit=1)[0].strip() or ANY_MARKER


def _around(scope: Scope) -> Iterator[Scope]:
    """The scopes around another, without the module."""
    around = scope.parent
    while around is not None and around.kind != MODULE:
        yield around
        around = around.parent
