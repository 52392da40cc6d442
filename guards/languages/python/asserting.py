"""Which tests can come to an assertion: in themselves, in what they call, or in what runs around them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.python.assertions import NAMED
from guards.languages.python.bindings import CLASS, DEF
from guards.languages.python.classes import class_facts, with_bases
from guards.languages.python.facts import FIXTURE, LIFECYCLE, Facts, FunctionFacts
from guards.languages.python.references import CALL, tail, tokens
from guards.languages.python.resolver import EXTERNAL, INSTANCE, MEMBER, Meaning
from guards.project.model import PRODUCT

if TYPE_CHECKING:
    from guards.languages.python.index import Index

# How many calls an assertion may be away from a test.
MOST_CALLS = 4
_MOST_FUNCTIONS = 2_000
# What making an object and entering it as a context runs, and calling it.
_OF_CLASSES = ("__init__", "__post_init__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__call__")
# Bases of other people's that have no method which a test's class would call by a name of its own.
_PLAIN_BASES = re.compile(
    r"(?:builtins|typing|typing_extensions|abc|enum|collections|dataclasses)\..+"
    r"|unittest\.(?:TestCase|IsolatedAsyncioTestCase|case\..+|async_case\..+)"
)
# Fixtures of well-known plugins that assert when the test ends.
_ASSERTING_FIXTURES = frozenset({"httpx_mock", "respx_mock"})
_SUPER = "builtins.super()."
_FLUENT = frozenset({"should", "should_not", "expect"})

Key = tuple[str, str]


class _Visit(NamedTuple):
    """A function on the way: ``named`` says that a call named like an assertion led there."""

    path: str
    function: FunctionFacts
    depth: int
    named: bool


class Assertions:
    """Answers about the tests of one project; a call is like an assertion where its name has one of some globs."""

    def __init__(self, index: "Index", names: Sequence[str]) -> None:
        self._index = index
        self._names = tuple(names)
        self._running: dict[str, Mapping[str, list[FunctionFacts]]] = {}
        self._fixture_names: dict[str, Mapping[str, frozenset[str]]] = {}

    def may_assert(self, path: str, test: FunctionFacts) -> bool:
        """Whether a test can come to an assertion; also where that is unknown."""
        return _Search(self, self._index, path, test).found()

    def is_named(self, reference: str) -> bool:
        """Whether what is called is named like an assertion."""
        name = tail(reference.removesuffix(CALL).removeprefix(NAMED)).lstrip("_")
        if any(fnmatchcase(name, glob) for glob in self._names):
            return True
        return "_assert" in name or not _FLUENT.isdisjoint(tokens(reference.lstrip("$:"))[:-1])

    def around(self, path: str, test: FunctionFacts) -> Iterator[tuple[str, FunctionFacts]]:
        """What pytest and unittest run around a test that does not ask for it."""
        for file in self._index.resolver.fixture_files(path):
            for function in self._running_in(file).get("", ()):
                hook = function.name.startswith("pytest_runtest")
                if hook or function.kind == FIXTURE or (file == path and not function.name.startswith("pytest_")):
                    yield file, function
        owner = test.name.rpartition(".")[0]
        for base in self.classes(path, owner) if owner else ():
            for function in self._running_in(base.location).get(base.symbol, ()):
                yield base.location, function

    def _running_in(self, path: str) -> Mapping[str, list[FunctionFacts]]:
        """The functions of a file that run around tests of their own accord, by the class that they are methods of."""
        if path not in self._running:
            facts = self._index.facts_of(path) or Facts()
            autouse = {item.function for item in facts.fixtures if item.autouse}
            running: dict[str, list[FunctionFacts]] = {}
            for function in facts.functions:
                if function.kind == LIFECYCLE or function.name in autouse:
                    running.setdefault(function.name.rpartition(".")[0], []).append(function)
            self._running[path] = running
        return self._running[path]

    def names_of(self, path: str, fixture: FunctionFacts) -> frozenset[str]:
        """The names that tests ask for a fixture by."""
        if path not in self._fixture_names:
            names: dict[str, frozenset[str]] = {}
            for item in (self._index.facts_of(path) or Facts()).fixtures:
                names[item.function] = names.get(item.function, frozenset()) | {item.name}
            self._fixture_names[path] = names
        return self._fixture_names[path].get(fixture.name, frozenset())

    def classes(self, path: str, name: str) -> tuple[Meaning, ...]:
        """A class of a file and all that it derives from."""
        return tuple(with_bases(self._index, (Meaning(name, "owned", CLASS, path, name),)))


class _Search:
    """The search for one test, breadth first: a function is met first on the shortest way to it."""

    def __init__(self, assertions: Assertions, index: "Index", path: str, test: FunctionFacts) -> None:
        self._assertions = assertions
        self._index = index
        self._path = path
        self._test = test
        self._pending: list[_Visit] = []
        self._seen: set[tuple[str, str, bool]] = set()

    def found(self) -> bool:
        """Whether there is an assertion, or may be one."""
        self._visit(self._path, self._test, 0, named=False)
        for path, function in self._assertions.around(self._path, self._test):
            self._visit(path, function, 0, named=False)
        return any(map(self._asserts, self._pending))  # which grows while it is read

    def _visit(self, path: str, function: FunctionFacts, depth: int, *, named: bool) -> None:
        key = (path, function.name, named)
        if key not in self._seen and depth <= MOST_CALLS and len(self._pending) < _MOST_FUNCTIONS:
            self._seen.add(key)
            self._pending.append(_Visit(path, function, depth, named))

    def _visit_key(self, path: str, symbol: str, depth: int, *, named: bool) -> bool:
        """Visits a function by its dotted name, if there is one."""
        function = self._index.functions_in(path).get(symbol)
        if function is not None:
            self._visit(path, function, depth, named=named)
        return function is not None

    def _asserts(self, visit: _Visit) -> bool:
        function = visit.function
        if function.asserts or (visit.named and function.raises):
            return True
        if function is self._test or function.kind == FIXTURE:
            if not _ASSERTING_FIXTURES.isdisjoint(function.asks):
                return True
            own = self._assertions.names_of(visit.path, function)
            for name in function.asks:
                asking = (visit.path, function.name) if name in own else None
                for path, fixture in self._fixtures(name, asking):
                    self._visit(path, fixture, visit.depth, named=False)
        return any(self._leads_on(visit, reference) for reference in function.calls)

    def _fixtures(self, name: str, asking: Key | None = None) -> Iterator[tuple[str, FunctionFacts]]:
        """The fixtures of a name that the test means, those of the classes that its own derives from among them."""
        yield from self._index.fixture_functions(name, self._path, asking)
        for base in self._own_classes:
            elsewhere = base.location != self._path
            for item in self._index.resolver.fixtures_in(base.location, name) if elsewhere else ():
                function = self._index.functions_in(base.location).get(item.function)
                if function is not None and item.function.startswith(f"{base.symbol}."):
                    yield base.location, function

    def _leads_on(self, visit: _Visit, reference: str) -> bool:
        """Whether a call is an assertion, or may be; else what it leads to is looked at later."""
        named = self._assertions.is_named(reference)
        if reference.startswith(NAMED):
            return named
        own = self._index.functions_in(visit.path).get(reference[1:]) if reference[:1] == ":" else None
        if own is not None:
            self._visit(visit.path, own, visit.depth + 1, named=named)
            return False
        if reference.startswith(_SUPER):
            self._visit_inherited(visit, tokens(reference)[3:4], named=named)
            return named
        if reference[:1] == "$" and "." not in reference:
            fixtures = list(self._fixtures(reference[1:]))
            for path, fixture in fixtures:
                self._visit(path, fixture, visit.depth + 1, named=named)
            return named and not fixtures
        known = False
        for item in self._index.resolve(reference, visit.path):
            for path, symbol in self._functions_of(item):
                found = self._visit_key(path, symbol, visit.depth + 1, named=named)
                # Of product code all is taken at its name: it may raise what it likes.
                known = known or (found and self._index.modules.role(path) != PRODUCT)
            if item.kind == MEMBER and CALL in reference and self._is_of_unknown_base(item):
                return True
        return named and not known

    def _visit_inherited(self, visit: _Visit, names: tuple[str, ...], *, named: bool) -> None:
        """Visits methods that ``super()`` gives."""
        owner = visit.function.name.rpartition(".")[0]
        for path, symbol in self._methods_of(self._assertions.classes(visit.path, owner)[1:], names):
            self._visit_key(path, symbol, visit.depth + 1, named=named)

    def _functions_of(self, item: Meaning) -> Iterator[Key]:
        """The functions that calling something runs."""
        if item.kind == DEF:
            yield item.location, item.symbol
        elif item.kind == MEMBER:
            owner, _, name = item.symbol.rpartition(".")
            yield from self._methods(item.location, owner, (name,))
        elif item.kind in (CLASS, INSTANCE):
            yield from self._methods(item.location, item.symbol, _OF_CLASSES)

    def _methods(self, path: str, owner: str, names: Iterable[str]) -> Iterator[Key]:
        """Methods of a class, or of what it derives from, and those that its heirs have in their place."""
        yield from self._methods_of(self._assertions.classes(path, owner), names)
        if any((base.location, base.symbol) == (path, owner) for base in self._own_classes):
            yield from self._methods_of(self._own_classes, names)
            for location, symbol in self._index.heirs(self._path, self._own_classes[0].symbol):
                yield from ((location, f"{symbol}.{name}") for name in names)

    def _methods_of(self, classes: Sequence[Meaning], names: Iterable[str]) -> Iterator[Key]:
        """The methods of some names that the first of some classes has which has one."""
        for name in names:
            for base in classes:
                facts = class_facts(self._index, base)
                if facts is not None and name in facts.methods:
                    yield base.location, f"{base.symbol}.{name}"
                    break

    @cached_property
    def _own_classes(self) -> tuple[Meaning, ...]:
        """The class that the test is a method of, and all that it derives from."""
        owner = self._test.name.rpartition(".")[0]
        return self._assertions.classes(self._path, owner) if owner else ()

    def _is_of_unknown_base(self, item: Meaning) -> bool:
        """Whether a method is none that is known: one that a base may have, or something else that a class calls so."""
        owner, _, name = item.symbol.rpartition(".")
        classes = self._assertions.classes(item.location, owner)
        for base in classes:
            facts = class_facts(self._index, base)
            if facts is not None and name in facts.members:
                return name not in facts.methods
        return any(
            base.kind != CLASS and not (base.kind == EXTERNAL and _PLAIN_BASES.fullmatch(base.name)) for base in classes
        )
