"""Facts of a file, from its tree."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.python.assertions import ASSERTING, Summaries
from guards.languages.python.calls import PATCHER_NAMES, REGISTER_NAMES, is_helper
from guards.languages.python.collection import Collection, is_test_case
from guards.languages.python.exports import exports_of, is_dynamic
from guards.languages.python.facts import (
    HELPER,
    TEST_FUNCTION,
    ClassFacts,
    Facts,
    FixtureFacts,
    FunctionFacts,
    PatchCall,
    WrapperFacts,
    marker_name,
)
from guards.languages.python.lowering import Lowering
from guards.languages.python.nodes import decorators_of, definition_of, source
from guards.languages.python.patches import WORDS
from guards.languages.python.references import CALL, UNKNOWN, called, constant, is_text, pieces, tail
from guards.languages.python.scope import CLASS_BODY, FUNCTION, MODULE, Scope
from guards.languages.syntax import Node, Query, captures
from guards.project.model import PRODUCT

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile

_RESULTS = Query("python", "[(return_statement) (yield)] @result")
_FIXTURE_NAMES = frozenset({"fixture", "yield_fixture"})
_ABSTRACT = frozenset({"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})
_AUTOUSE = re.compile(r"\bautouse\s*=\s*(?!False\b)")
_PARAMETER = re.compile(r"\$(\w+)")


def extract_facts(file: "PythonFile") -> Facts:
    """All facts of one file."""
    return _Extraction(file).facts()


class _Extraction:
    """One file on its way to its facts."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._data = file.text.data
        self._scopes = file.scopes
        self._collection = Collection(file.info.unit)
        self._classes = tuple(self._class_facts())
        self._bases_of = defaultdict(tuple, {item.name: item.bases for item in self._classes})
        self._autouse: set[Scope] = set()
        self._called: tuple[str, ...] = ()
        self._fixtures = dict(self._fixture_names())

    def facts(self) -> Facts:
        """All of them."""
        is_product = self._file.info.role == PRODUCT
        bindings = tuple(self._scopes.bindings())
        return Facts(
            bindings=bindings,
            stars=tuple(self._scopes.stars),
            dynamic=is_dynamic(self._data, {binding.name for binding in bindings}),
            classes=self._classes,
            functions=tuple(self._product_functions() if is_product else self._function_facts()),
            called=self._called,
            fixtures=tuple(self._fixture_facts()),
            wrappers=tuple(self._wrappers()) if any(word in self._data for word in WORDS) else (),
            markers=tuple(sorted(set(self._markers()))) if b"addinivalue_line" in self._data else (),
            plugins=self._texts_of("pytest_plugins") or (),
            exports=exports_of(self._file) if b"__all__" in self._data else None,
        )

    def _texts_of(self, name: str) -> tuple[str, ...] | None:
        """The texts that a module-level name is assigned; None where it is not, or is no plain list of them."""
        values = self._scopes.module_values(name)
        if len(values) != 1:
            return None
        nodes = values[0].named_children if values[0].type in ("list", "tuple") else [values[0]]
        texts = [
            constant(self._scopes.expression(node, self._scopes.module)) for node in nodes if node.type != "comment"
        ]
        return None if None in texts else tuple(filter(None, texts))

    # Classes and functions

    def _class_facts(self) -> Iterator[ClassFacts]:
        methods = defaultdict(list)
        for scope in self._scopes.of_kind(FUNCTION):
            if scope.parent is not None and scope.parent.kind == CLASS_BODY:
                methods[scope.parent].append(scope)
        abstract = frozenset(self._abstract()) if b"abstract" in self._data else frozenset()
        for scope in self._scopes.of_kind(CLASS_BODY):
            if all(around.kind == CLASS_BODY for around in _around(scope)):
                yield ClassFacts(
                    scope.path,
                    tuple(self._bases(scope)),
                    tuple(self._scopes.names_in(scope)),
                    tuple(dict.fromkeys(_own_name(method) for method in methods[scope])),
                    tuple(
                        dict.fromkeys(_own_name(item) for item in methods[scope] if item.node.start_byte in abstract)
                    ),
                    self._metaclass(scope),
                )

    def _abstract(self) -> Iterator[int]:
        """Where definitions begin that are left to subclasses."""
        for node in self._file.nodes("decorated"):
            scope = self._scopes.at(node.start_byte)
            if any(tail(self._scopes.expression(item, scope)) in _ABSTRACT for item in decorators_of(node)):
                yield definition_of(node).start_byte

    def _metaclass(self, scope: Scope) -> str:
        listed = scope.node.child_by_field_name("superclasses")
        for node in listed.named_children if listed is not None else ():
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if node.type == "keyword_argument" and name is not None and source(name, self._data) == "metaclass":
                return self._scopes.expression(value, scope.parent or scope) if value is not None else UNKNOWN
        return UNKNOWN

    def _bases(self, scope: Scope) -> Iterator[str]:
        listed = scope.node.child_by_field_name("superclasses")
        for node in listed.named_children if listed is not None else ():
            if node.type not in ("keyword_argument", "comment", "dictionary_splat"):
                generic = node.child_by_field_name("value") if node.type == "subscript" else None
                yield self._scopes.expression(generic or node, scope.parent or scope)

    def _product_functions(self) -> Iterator[FunctionFacts]:
        """Of product code the functions that assert something, or call what does in the same file."""
        if not any(self._data.startswith(ASSERTING, node.start_byte) for node in self._file.nodes("outcome")):
            return
        summaries = Summaries(self._file)
        for scope in self._scopes.of_kind(FUNCTION):
            summary = summaries.of(scope, is_test=False)
            calls = tuple(reference for reference in summary.calls if reference[0] == ":")
            if summary.asserts or calls:
                line, column = self._file.name_at(scope.node)
                yield FunctionFacts(scope.path, HELPER, line, column, calls, summary.asserts)

    def _function_facts(self) -> Iterator[FunctionFacts]:
        """All functions of test code; ``_called`` is what their programs call by number."""
        calls = self._calls()
        summaries = Summaries(self._file)
        kinds = dict(self._kinds())
        said = {scope: summaries.of(scope, is_test=kind == TEST_FUNCTION) for scope, kind in kinds.items()}
        lowering = Lowering(self._file, summaries.events())
        for scope, kind in kinds.items():
            program = lowering.program(scope)
            if summaries.forget_unreachable(scope, program):
                said[scope] = summaries.of(scope, is_test=kind == TEST_FUNCTION)
            summary = said[scope]
            called_there = dict.fromkeys((*calls.get(scope, ()), *summary.calls))
            yield FunctionFacts(
                scope.path, kind, *self._file.name_at(scope.node), tuple(called_there),
                summary.asserts, summary.raises, summary.asks, program,
            )  # fmt: skip
        self._called = lowering.names()

    def _kinds(self) -> Iterator[tuple[Scope, str]]:
        """What each function is to pytest."""
        collected = {scope for scope in self._scopes.of_kind(CLASS_BODY) if self._collects(scope)}
        test_cases = {item.name for item in self._classes if is_test_case(item.bases)}
        for scope in self._scopes.of_kind(FUNCTION):
            yield (
                scope,
                self._collection.kind(
                    _own_name(scope),
                    fixture=scope in self._fixtures,
                    in_test_case=scope.parent is not None and scope.parent.path in test_cases,
                    collected=scope.parent is self._scopes.module or scope.parent in collected,
                ),
            )

    def _collects(self, scope: Scope) -> bool:
        """Whether pytest looks for tests in a class, and in those around it."""
        return all(
            around.kind == CLASS_BODY
            and self._collection.collects_class(around.path.rpartition(".")[2], self._bases_of[around.path])
            for around in (scope, *_around(scope))
        )

    def _calls(self) -> dict[Scope, dict[str, None]]:
        """By function, the references that it calls and that can be test helpers of the project's own."""
        found: dict[Scope, dict[str, None]] = {}
        for call in self._file.calls:
            function = call.scope.function() if is_helper(call) else None
            if function is not None:
                found.setdefault(function, {})[call.callee] = None
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
                    if _AUTOUSE.search(source(decorator, self._data)):
                        self._autouse.add(scope)
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
        for scope, name in self._fixtures.items():
            yield FixtureFacts(name, self._gives(scope), scope.path, scope in self._autouse)

    def _gives(self, scope: Scope) -> str:
        """The reference of what a fixture returns or yields, or an instance of what it says it does."""
        results = captures(_RESULTS, scope.body).get("result", ())
        values = [
            node.named_children[0]
            for node in results
            if node.named_children and self._scopes.function_at(node.start_byte) is scope
        ]
        found = {self._scopes.expression(value, scope) for value in values}
        given = found.pop() if len(found) == 1 else UNKNOWN
        said = called(self._scopes.annotated(scope.node.child_by_field_name("return_type"), scope.parent or scope))
        # What a call gives is what the annotation says that it is; a name is what it is.
        if said and (not given or given.endswith(CALL)):
            return said
        return UNKNOWN if given == "builtins.None" else given

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
        for call in self._file.calls:
            arguments = call.node.child_by_field_name("arguments") if call.name in REGISTER_NAMES else None
            if arguments is None:
                continue
            given = [
                self._scopes.expression(node, call.scope) for node in arguments.named_children if node.type != "comment"
            ]
            if len(given) == 2 and constant(given[0]) == "markers":
                yield marker_name(next(pieces(given[1]))[0] if is_text(given[1]) and len(given[1]) > 1 else "")


def _own_name(scope: Scope) -> str:
    return scope.path.rpartition(".")[2]


def _around(scope: Scope) -> Iterator[Scope]:
    """The scopes around another, without the module."""
    around = scope.parent
    while around is not None and around.kind != MODULE:
        yield around
        around = around.parent
