"""Which functions a test runner calls: tests, lifecycle methods, and the fixtures that hold them."""

from collections.abc import Iterable, Iterator, Mapping

from guards.languages.csharp.frameworks import is_known
from guards.languages.csharp.names import plain
from guards.languages.csharp.resolve import Resolver
from guards.languages.csharp.types import Declared, FunctionId, Scope, Types
from guards.project.model import FileInfo

TEST = "test"
LIFECYCLE = "lifecycle"
_NUNIT, _UTF, _XUNIT, _MSTEST, _TUNIT = (
    "NUnit.Framework", "UnityEngine.TestTools", "Xunit", "Microsoft.VisualStudio.TestTools.UnitTesting", "TUnit.Core",
)  # fmt: skip
_FRAMEWORKS = {"nunit": _NUNIT, "utf": _UTF, "xunit": _XUNIT, "xunit.v3": _XUNIT, "mstest": _MSTEST, "tunit": _TUNIT}


def _named(table: dict[str, str]) -> frozenset[str]:
    return frozenset(f"{namespace}.{name}Attribute" for namespace, names in table.items() for name in names.split())


TEST_ATTRIBUTES = _named({
    _NUNIT: "Test TestCase TestCaseSource Theory",
    _UTF: "UnityTest",
    _XUNIT: "Fact Theory SkippableFact SkippableTheory",
    _MSTEST: "TestMethod DataTestMethod",
    _TUNIT: "Test",
})  # fmt: skip
LIFECYCLE_ATTRIBUTES = _named({
    _NUNIT: "SetUp TearDown OneTimeSetUp OneTimeTearDown",
    _UTF: "UnitySetUp UnityTearDown",
    _MSTEST: "TestInitialize TestCleanup ClassInitialize ClassCleanup AssemblyInitialize AssemblyCleanup",
    _TUNIT: "Before After",
})  # fmt: skip
_XUNIT_TESTS = frozenset(name for name in TEST_ATTRIBUTES if name.startswith(f"{_XUNIT}."))
_XUNIT_LIFECYCLE = frozenset({"Dispose", "DisposeAsync", "InitializeAsync"})


def _in_tables(full: str) -> bool:
    namespace, _, name = full.rpartition(".")
    return is_known(namespace, name, 0)


class Testing:
    """The test model over all types."""

    def __init__(self, resolver: Resolver, types: Types, files: Mapping[str, FileInfo]) -> None:
        self._resolver = resolver
        self._types = types
        self._files = files
        self._marks: dict[FunctionId, frozenset[str]] = {}
        self._roots: dict[tuple[Declared, str], tuple[FunctionId, ...]] = {}

    def attribute_names(self, scope: Scope, name: str) -> tuple[str, ...]:
        """Everything that an attribute is: its own full names, and those of the attributes that it derives from.

        Where no using tells, the test frameworks of the file's unit do.
        """
        found = self._resolver.attribute_names(scope, name)
        names = dict.fromkeys(map(plain, found))
        for full in found:
            declared = self._types.find(full, scope.path)
            for base in self._resolver.chain(declared) if declared is not None else ():
                names[plain(base.full)] = None
                names.update(dict.fromkeys(self._resolver.bases(base).external))
        info = self._files.get(scope.path)
        if info is not None and name.isidentifier() and not self._is_sure(names, scope.path):
            namespaces = (_FRAMEWORKS.get(framework) for framework in info.unit.fact("test-frameworks"))
            full_name = f"{name.removesuffix('Attribute')}Attribute"
            names.update(dict.fromkeys(f"{namespace}.{full_name}" for namespace in namespaces if namespace))
        return tuple(names)

    def _is_sure(self, names: Iterable[str], path: str) -> bool:
        return any(self._types.find(name, path) is not None or _in_tables(name) for name in names)

    def is_marked(self, function: FunctionId, marks: frozenset[str]) -> bool:
        """Whether a function itself has one of some attributes."""
        if function not in self._marks:
            scope = self._types.scope(function)
            attributes = self._types.function(function).attributes
            names = (full for attribute in attributes for full in self.attribute_names(scope, attribute.name))
            self._marks[function] = frozenset(names)
        return not marks.isdisjoint(self._marks[function])

    def roots(self, declared: Declared, kind: str) -> tuple[FunctionId, ...]:
        """The tests or lifecycle methods that run for a type, its own and the inherited ones.

        Where a type overrides one, it is the override that runs.
        """
        key = (declared, kind)
        if key not in self._roots:
            self._roots[key] = tuple(self._find_roots(declared, kind))
        return self._roots[key]

    def _find_roots(self, declared: Declared, kind: str) -> Iterator[FunctionId]:
        chain = self._resolver.chain(declared)
        marks = TEST_ATTRIBUTES if kind == TEST else LIFECYCLE_ATTRIBUTES
        is_xunit = kind == LIFECYCLE and any(
            self.is_marked(function, _XUNIT_TESTS) for base in chain for function in base.all_functions()
        )
        for position, base in enumerate(chain):
            for function in base.all_functions():
                if self.is_marked(function, marks) or (is_xunit and self._is_xunit_lifecycle(function)):
                    yield self._overriding(function, chain[:position])

    def _is_xunit_lifecycle(self, function: FunctionId) -> bool:
        row = self._types.function(function)
        is_constructor = row.kind == "constructor" and "static" not in row.modifiers
        return is_constructor or (row.name in _XUNIT_LIFECYCLE and row.kind == "method")

    def _overriding(self, function: FunctionId, derived: tuple[Declared, ...]) -> FunctionId:
        row = self._types.function(function)
        for declared in derived:
            for candidate in declared.functions.get(row.name, ()):
                other = self._types.function(candidate)
                if "override" in other.modifiers and len(other.parameters) == len(row.parameters):
                    return candidate
        return function

    def is_fixture(self, declared: Declared) -> bool:
        """Whether a runner makes instances of a type: a class, not abstract, with an own or inherited test."""
        return (
            declared.kind in ("class", "record")
            and "abstract" not in declared.modifiers
            and bool(self.roots(declared, TEST))
        )
