"""Which tests are to assert something, and which of them certainly do not."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.languages.csharp.assertions import Named, asserts_itself
from guards.languages.csharp.facts import Attribute, Facts, Function
from guards.languages.csharp.names import parse
from guards.languages.csharp.testing import TEST_ATTRIBUTES
from guards.languages.csharp.types import Declared, FunctionId, Scope
from guards.languages.csharp.words import words
from guards.languages.flow import YES

if TYPE_CHECKING:
    from guards.languages.csharp.index import Index

_NUNIT, _MSTEST = "NUnit.Framework", "Microsoft.VisualStudio.TestTools.UnitTesting"
# What the body of a test is of no account under: it never runs, or is judged by something else.
_NEVER_RUNS = frozenset({
    f"{_NUNIT}.IgnoreAttribute", f"{_NUNIT}.ExplicitAttribute", f"{_MSTEST}.IgnoreAttribute",
    "TUnit.Core.SkipAttribute", "TUnit.Core.ExplicitAttribute",
})  # fmt: skip
_JUDGED_OTHERWISE = frozenset({
    "Unity.PerformanceTesting.PerformanceAttribute", f"{_NUNIT}.ExpectedExceptionAttribute",
    f"{_MSTEST}.ExpectedExceptionAttribute",
})  # fmt: skip
# Attributes that run code around a test.
_WRAPPING = frozenset({
    f"{_NUNIT}.ITestAction", f"{_NUNIT}.TestActionAttribute", f"{_NUNIT}.Interfaces.ITestAction",
    f"{_NUNIT}.Interfaces.IWrapTestMethod", f"{_NUNIT}.Interfaces.IWrapSetUpTearDown",
    "UnityEngine.TestTools.IOuterUnityTestAction", "Xunit.Sdk.BeforeAfterTestAttribute",
    "Xunit.v3.BeforeAfterTestAttribute",
})  # fmt: skip
_TEARDOWN = frozenset({
    f"{_NUNIT}.TearDownAttribute", f"{_NUNIT}.OneTimeTearDownAttribute",
    "UnityEngine.TestTools.UnityTearDownAttribute", f"{_MSTEST}.TestCleanupAttribute",
    f"{_MSTEST}.ClassCleanupAttribute", "TUnit.Core.AfterAttribute",
})  # fmt: skip
_DISPOSES = words("Dispose DisposeAsync")
_CONDITIONS = words("SkipWhen SkipUnless SkipType")
# What a test gives back when it gives back nothing that can be compared.
_NOTHING = words("Awaitable IEnumerator Task UniTask UniTaskVoid ValueTask void")
_ASSERTING = re.compile("Assert|Expect|Verif")
_EXCUSING = _NEVER_RUNS | _JUDGED_OTHERWISE | _WRAPPING


def may_lack_assertion(facts: Facts) -> Iterator[int]:
    """The functions that may be tests and have no assertion in their own body that all can see."""
    asserting = {body.function for body in facts.bodies.functions if body.begin < 0 and asserts_itself(body.program)}
    for row, function in enumerate(facts.functions):
        may_be_test = function.attributes or "override" in function.modifiers
        if function.kind == "method" and function.has_body and may_be_test and row not in asserting:
            yield row


class Judged:
    """Judges tests, one after the other."""

    def __init__(self, index: "Index") -> None:
        self._index = index
        self._types = index.types
        self._resolver = index.resolver
        self._testing = index.testing
        self._torn_down: dict[tuple[Declared, Named], bool] = {}

    def assertion(self, path: str, row: int, named: Named) -> int:
        """Whether a test comes to an assertion; ``YES`` as well for what is no test, or does not have to."""
        test = FunctionId(path, row)
        function = self._types.function(test)
        owner = self._types.owner(test)
        if owner is None or not self._is_test(test, function, owner) or _gives_value(function):
            return YES
        if any(self._excuses(*attribute) for attribute in self._attributes(test, function, owner)):
            return YES
        assertions = self._index.assertions(named)
        found = assertions.may(test)
        if found == YES or not assertions.comes_back(test):
            return YES
        fixtures = (owner, *self._resolver.derived_from(owner))
        return YES if any(self._asserts_in_the_end(fixture, named) for fixture in fixtures) else found

    def _is_test(self, test: FunctionId, function: Function, owner: Declared) -> bool:
        if self._testing.is_marked(test, TEST_ATTRIBUTES):
            return True
        if "override" not in function.modifiers:
            return False
        return any(
            self._testing.is_marked(other, TEST_ATTRIBUTES)
            for base in self._resolver.chain(owner)[1:]
            for other in base.functions.get(function.name, ())
            if len(self._types.function(other).parameters) == len(function.parameters)
        )

    def _attributes(self, test: FunctionId, function: Function, owner: Declared) -> Iterator[tuple[Scope, Attribute]]:
        """The attributes of a test, of its class and its bases, and of the classes around."""
        scope = self._types.scope(test)
        yield from ((scope, attribute) for attribute in function.attributes)
        around: Declared | None = owner
        while around is not None:
            for declared in self._resolver.chain(around):
                for path, _, part in declared.parts:
                    scope = Scope(path, part.namespace, part.outer)
                    yield from ((scope, attribute) for attribute in part.attributes)
            around = self._types.outer(around)

    def _excuses(self, scope: Scope, attribute: Attribute) -> bool:
        """Whether a test with an attribute need not assert: it never runs, or something else judges it."""
        given = dict(attribute.arguments)
        if given.get("Skip", "null") != "null" and not any(name in given for name in _CONDITIONS):
            return True
        if _ASSERTING.search(attribute.name):
            return True
        return not _EXCUSING.isdisjoint(self._testing.attribute_names(scope, attribute.name))

    def _asserts_in_the_end(self, fixture: Declared, named: Named) -> bool:
        """Whether what runs after the tests of a fixture asserts."""
        key = (fixture, named)
        if key not in self._torn_down:
            assertions = self._index.assertions(named)
            self._torn_down[key] = any(
                assertions.may(function) == YES
                for base in self._resolver.chain(fixture)
                for function in base.all_functions()
                if self._tears_down(function)
            )
        return self._torn_down[key]

    def _tears_down(self, function: FunctionId) -> bool:
        row = self._types.function(function)
        if row.kind != "method":
            return False
        return row.name in _DISPOSES or (bool(row.attributes) and self._testing.is_marked(function, _TEARDOWN))


def _gives_value(function: Function) -> bool:
    """Whether a test gives back what the runner can compare."""
    parts = parse(function.returns).parts
    return not parts or parts[-1].name not in _NOTHING or (parts[-1].arity > 0 and parts[-1].name != "IEnumerator")
