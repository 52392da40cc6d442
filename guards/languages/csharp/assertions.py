"""Whether a test can come to an assertion: what its calls lead to, followed through the code of the tests.

What nobody can follow is *unknown*: members of bases that no file declares, what delegates hold
that come from elsewhere, objects of test libraries. What the product does is no assertion.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from guards.languages.csharp.frameworks import TYPES
from guards.languages.csharp.inference import Known
from guards.languages.csharp.names import parse, type_arguments
from guards.languages.csharp.steps import CREATION, GROUP, HANDED_IN, LAMBDA, SEPARATOR, THROW
from guards.languages.csharp.testing import TEST_ATTRIBUTES
from guards.languages.csharp.types import Declared, FunctionId, Scope
from guards.languages.csharp.words import words
from guards.languages.flow import (
    NO,
    NOTHING,
    OUTCOME_ONCE,
    UNDECIDED,
    UNKNOWN,
    YES,
    Answer,
    Label,
    Program,
    Solver,
    Summary,
    Writer,
)
from guards.languages.flow.program import (
    ASK,
    BRANCH,
    CALL,
    EITHER,
    HAND,
    JUMP,
    MAYBE,
    OUTCOME,
    RAISE,
    RETURN,
    STEPS,
    TEST,
    TRY,
)
from guards.languages.flow.writer import Names

if TYPE_CHECKING:
    from guards.languages.csharp.index import Index

_ITSELF = -1
_DISPOSES = words("Dispose DisposeAsync")
# Classes whose members assert, except for these members.
_ASSERT_CLASSES = frozenset({
    "Microsoft.VisualStudio.TestTools.UnitTesting.Assert",
    "Microsoft.VisualStudio.TestTools.UnitTesting.CollectionAssert",
    "Microsoft.VisualStudio.TestTools.UnitTesting.StringAssert", "NUnit.Framework.Assert",
    "NUnit.Framework.ClassicAssert", "NUnit.Framework.CollectionAssert", "NUnit.Framework.DirectoryAssert",
    "NUnit.Framework.FileAssert", "NUnit.Framework.Legacy.ClassicAssert", "NUnit.Framework.Legacy.CollectionAssert",
    "NUnit.Framework.Legacy.DirectoryAssert", "NUnit.Framework.Legacy.FileAssert",
    "NUnit.Framework.Legacy.StringAssert", "NUnit.Framework.StringAssert", "NUnit.Framework.Warn",
    "TUnit.Assertions.Assert", "UnityEngine.Assertions.Assert", "UnityEngine.TestTools.LogAssert", "Xunit.Assert",
    "Xunit.Record",
})  # fmt: skip
_NEUTRAL = words(
    "EnterMultipleScope Equals Ignore Inconclusive Multiple MultipleAsync ReferenceEquals Skip SkipUnless SkipWhen"
)
_OF_OBJECT = words("Equals GetHashCode GetType MemberwiseClone ReferenceEquals ToString")
# What is thrown to skip a test, or because a double does not do something.
_SKIPPING = words("IgnoreException InconclusiveException SkipException SkipTestException SuccessException")
_NOT_DONE = words(
    "ArgumentException ArgumentNullException ArgumentOutOfRangeException NotImplementedException "
    "NotSupportedException ObjectDisposedException OperationCanceledException"
)
_ASSERTING_TYPE = re.compile(r"Assert|Approv|Expect|Snapshot|Verif|Should")
_TESTING_TYPE = re.compile(r"Test|Fixture|Harness|Scenario")
_HARMLESS = words(
    "ITestOutputHelper TestContext TestExecutionContext TestOutputHelper TestCaseData TestFixtureData TestRunnerApi "
    "TestPlatform"
)
_LIBRARY = re.compile(r"(?:Moq|NSubstitute|FakeItEasy|FluentAssertions|AwesomeAssertions|Shouldly|VerifyTests)\.")
_INTERFACE = re.compile(r"I[A-Z]")
_CALL = re.compile(r"\.?([^(<]*)")


_CALLS = frozenset({ASK, CALL, HAND})
# Steps that may go on elsewhere, by the place of the operand that says where; and those that do not go on here.
_TARGETS = {ASK: 1, BRANCH: 0, JUMP: 0, TEST: 1, TRY: 1}
_ENDS = frozenset({JUMP, RAISE, RETURN})


class BodyKey(NamedTuple):
    """One program: its file and its place in the bodies there."""

    path: str
    body: int


class Choice(NamedTuple):
    """One of several."""

    targets: "tuple[BodyKey | Choice | Summary, ...]"


Key: TypeAlias = BodyKey | Choice
Target: TypeAlias = Key | Summary


class Named(NamedTuple):
    """The globs of names that count as assertions.

    Args:
        everywhere: whoever declares the method.
        elsewhere: only where no file of the project declares it.
    """

    everywhere: tuple[str, ...]
    elsewhere: tuple[str, ...]


# What methods of other libraries that assert are called.
ASSERTION_NAMES = (
    "Approv*", "Assert*", "Check*", "DidNotReceive*", "Ensure*", "Expect*", "MatchSnapshot*", "Must*", "Received*",
    "Should*", "Verify*",
)  # fmt: skip
USUAL = Named((), ASSERTION_NAMES)


class Assertions:
    """Follows the calls of tests; ``named`` says what counts by its name."""

    def __init__(self, index: "Index", named: Named) -> None:
        self._facts = index.facts
        self._types = index.types
        self._resolver = index.resolver
        self._testing = index.testing
        self._inference = index.inference
        self._named = named
        self._places: dict[str, dict[tuple[int, int], list[BodyKey]]] = {}
        self._targets: dict[tuple[str, int, str], Target] = {}
        self._solver: Solver[Key] = Solver(self._program, self._called)

    def may(self, function: FunctionId) -> int:
        """Whether there is a way to an assertion: ``YES``, ``NO``, or ``UNKNOWN`` where nobody can tell.

        What is called is taken to come back, even if it seems to do nothing but throw.
        """
        found = NO
        pending = [self._function(function)]
        seen = set(pending)
        while pending and found != YES:
            target = pending.pop()
            if isinstance(target, Summary):
                found = max(found, target.reached)
                continue
            for kind, number in reachable(self._program(target)):
                if kind == OUTCOME:
                    return YES
                if kind == MAYBE:
                    found = UNKNOWN
                elif kind in _CALLS:
                    called = self._called(target, number)
                    if called not in seen:
                        seen.add(called)
                        pending.append(called)
        return found

    def comes_back(self, function: FunctionId) -> bool:
        """Whether a function can come to its end, or to a ``return``: a test that cannot is ignored, or fails."""
        programs = [self._program(body) for body in self._bodies_of(function.path, function.row, _ITSELF)]
        return not programs or any(kind == RETURN for program in programs for kind, _ in reachable(program))

    def answer(self, function: FunctionId) -> Answer:
        """What is known of all the ways through a function: the least number of assertions on them, and more."""
        target = self._function(function)
        return self._solver.answer(target if not isinstance(target, Summary) else Choice((target,)))

    # -- what the solver asks for

    def _program(self, key: Key) -> str:
        if isinstance(key, BodyKey):
            return self._facts[key.path].bodies.functions[key.body].program
        return _choosing(len(key.targets))

    def _called(self, key: Key, number: int) -> Target:
        if isinstance(key, Choice):
            return key.targets[number]
        bodies = self._facts[key.path].bodies
        place = (key.path, bodies.functions[key.body].function, bodies.steps[number])
        if place not in self._targets:
            self._targets[place] = self._find(*place)
        return self._targets[place]

    # -- functions

    def _bodies_of(self, path: str, row: int, begin: int) -> Sequence[BodyKey]:
        if path not in self._places:
            places: dict[tuple[int, int], list[BodyKey]] = {}
            for position, body in enumerate(self._facts[path].bodies.functions):
                places.setdefault((body.function, body.begin), []).append(BodyKey(path, position))
            self._places[path] = places
        return self._places[path].get((row, begin), ())

    def _is_test_code(self, path: str) -> bool:
        """Whether what a function there does is known: product code has no bodies."""
        return bool(self._facts[path].bodies.functions)

    def _function(self, function: FunctionId) -> Target:
        """What a function does, without what may override it."""
        if not self._is_test_code(function.path):
            return NOTHING
        bodies = self._bodies_of(function.path, function.row, _ITSELF)
        if bodies:
            return _one_of(bodies)
        row, owner = self._types.function(function), self._types.owner(function)
        if row.has_body or "extern" in row.modifiers or "partial" in row.modifiers:
            return NOTHING
        # Of an interface that nobody implements only mocks are made.
        helpers = self._helpers(row.name, everybody=True) if owner is not None and owner.kind == "interface" else None
        return UNDECIDED if helpers is None or helpers else NOTHING

    def _dispatched(self, functions: Iterable[FunctionId]) -> Target:
        """What a call of one of some functions does, or of what overrides or implements it."""
        targets: list[Target] = []
        for function in dict.fromkeys(functions):
            row = self._types.function(function)
            owner = self._types.owner(function)
            others = list(self._overriding(function, owner)) if owner is not None and row.kind == "method" else []
            own = self._function(function)
            if row.has_body or not others:
                targets.append(own)
            targets += map(self._function, others)
        return _one_of(targets)

    def _overriding(self, function: FunctionId, owner: Declared) -> Iterator[FunctionId]:
        row = self._types.function(function)
        if owner.kind != "interface" and not {"virtual", "abstract", "override"}.intersection(row.modifiers):
            return
        for derived in self._resolver.derived_from(owner):
            for other in derived.functions.get(row.name, ()):
                found = self._types.function(other)
                if len(found.parameters) == len(row.parameters) and (
                    owner.kind == "interface" or "override" in found.modifiers
                ):
                    yield other

    # -- steps

    def _find(self, path: str, row: int, step: str) -> Target:
        """What a step of a function leads to."""
        first, *rest = step.split(SEPARATOR)
        if first == HANDED_IN:
            return UNDECIDED if self._is_in_test(FunctionId(path, row)) else NOTHING
        if first.startswith(LAMBDA):
            return _one_of(self._bodies_of(path, row, int(first.removeprefix(LAMBDA))))
        if first == THROW:
            return self._thrown(FunctionId(path, row), rest[0])
        scope = self._types.scope(FunctionId(path, row))
        if first == CREATION:
            return self._created(scope, rest[0])
        if first == GROUP:
            return self._group(FunctionId(path, row), scope, rest)
        return self._call(FunctionId(path, row), scope, [first, *rest])

    def _is_in_test(self, function: FunctionId) -> bool:
        row = function.row
        while row >= 0:
            if self._testing.is_marked(FunctionId(function.path, row), TEST_ATTRIBUTES):
                return True
            row = self._facts[function.path].functions[row].outer
        return False

    def _thrown(self, function: FunctionId, name: str) -> Target:
        if name in _SKIPPING or (name in _NOT_DONE and not self._is_in_test(function)):
            return NOTHING
        return OUTCOME_ONCE

    def _created(self, scope: Scope, text: str) -> Target:
        """A constructor, what disposes the object, and what asserts in it when somebody else calls it."""
        known = self._inference.named(scope, text)
        declared = known.declared if known is not None else None
        if declared is None:
            parts = parse(text).parts
            if parts and _ASSERTING_TYPE.search(parts[-1].name):
                return UNDECIDED
            return self._given(scope, text) or NOTHING
        targets: list[Target] = [self._given(scope, text) or NOTHING, NOTHING]
        for base in self._resolver.chain(declared):
            for function in base.all_functions():
                row = self._types.function(function)
                if (row.kind == "constructor" and base is declared) or row.name in _DISPOSES:
                    targets.append(self._function(function))
                elif self._has_assertion(function):
                    targets.append(UNDECIDED)
        return _one_of(targets)

    def _has_assertion(self, function: FunctionId) -> bool:
        bodies = self._bodies_of(function.path, function.row, _ITSELF)
        return any(asserts_itself(self._program(body)) for body in bodies)

    def _given(self, scope: Scope, word: str) -> Target | None:
        """What types may do that a generic method or type is given: make objects of them that assert."""
        for text in type_arguments(word.partition("(")[0]):
            known = self._inference.named(scope, text)
            declared = known.declared if known is not None else None
            for base in self._resolver.chain(declared) if declared is not None else ():
                if any(map(self._has_assertion, base.all_functions())):
                    return UNDECIDED
        return None

    def _group(self, function: FunctionId, scope: Scope, chain: Sequence[str]) -> Target:
        """A method that is handed on; what is none does nothing."""
        name = chain[-1].removeprefix(".")
        if len(chain) == 1:
            local = self._local_functions(function, name)
            if local:
                return _one_of(map(self._function, local))
        functions = self._declared(scope, chain, name)
        if functions:
            return self._dispatched(f for f in functions if self._types.function(f).kind == "method")
        return UNDECIDED if _matches(name, self._named.everywhere + self._named.elsewhere) else NOTHING

    def _local_functions(self, function: FunctionId, name: str) -> Sequence[FunctionId]:
        row = function.row
        while row >= 0:
            found = self._types.locals_of(FunctionId(function.path, row), name)
            if found:
                return found
            row = self._facts[function.path].functions[row].outer
        return ()

    def _call(self, function: FunctionId, scope: Scope, chain: Sequence[str]) -> Target:
        name = _name(chain[-1])
        if _matches(name, self._named.everywhere):
            return OUTCOME_ONCE
        given = next((given for word in chain if "<" in word and (given := self._given(scope, word))), None)
        if given is not None:
            return given
        if len(chain) == 1:
            local = self._local_functions(function, name)
            if local:
                return _one_of(map(self._function, local))
        functions = self._declared(scope, chain, name)
        if functions:
            return self._known(functions, name)
        if len(chain) == 1 or (len(chain) == 2 and chain[0] in ("this", "base")):
            return self._own(scope, chain, name)
        return self._foreign(scope, chain, name)

    def _known(self, functions: Sequence[FunctionId], name: str) -> Target:
        """A call of one of some functions of the project; of a property, it is what that holds that is called."""
        methods = [function for function in functions if self._types.function(function).kind == "method"]
        if self._is_assertion_of_library(methods, name):
            return OUTCOME_ONCE
        return self._dispatched(methods) if methods else UNDECIDED

    def _is_assertion_of_library(self, methods: Sequence[FunctionId], name: str) -> bool:
        """Whether a method is one of a library of assertions, where that is the project itself."""
        owners = [owner.full for method in methods if (owner := self._types.owner(method)) is not None]
        return any(map(_LIBRARY.match, owners)) and _matches(name, self._named.elsewhere)

    def _declared(self, scope: Scope, chain: Sequence[str], name: str) -> Sequence[FunctionId]:
        """The functions of the project that a member can be."""
        for owner in self._owners(scope, chain, name):
            if owner.declared is None:
                continue
            for base in self._resolver.chain(owner.declared):
                functions = base.functions.get(name, ())
                if functions:
                    return [f for f in functions if self._takes(f, chain[-1])] or functions
        return ()

    def _takes(self, function: FunctionId, word: str) -> bool:
        """Whether a method takes as many arguments as a call has."""
        if "(" not in word:
            return True
        count = int(word.rpartition("(")[2])
        row = self._types.function(function)
        parameters = row.parameters
        if any("params" in parameter.modifiers for parameter in parameters):
            return True
        needed = sum(1 for parameter in parameters if not parameter.optional)
        return needed - row.is_extension <= count <= len(parameters)

    def _owners(self, scope: Scope, chain: Sequence[str], name: str) -> Iterator[Known]:
        """The types that a member can belong to, nearest first."""
        if len(chain) > 1:
            known = self._inference.type_of(scope, chain[:-1])
            if known is not None:
                yield known
            return
        declared = self._types.at(scope.path, scope.type) if scope.type >= 0 else None
        while declared is not None:
            yield Known((declared.full,), (), declared)
            declared = self._types.outer(declared)
        for full in self._resolver.member_names(scope, parse(name)):
            owner = full.rpartition(".")[0]
            yield Known((owner,), (), self._types.find(owner, scope.path))

    def _own(self, scope: Scope, chain: Sequence[str], name: str) -> Target:
        """A member of the type itself that no file declares: imported, of a base, or what holds a delegate."""
        names = self._resolver.member_names(
            scope, parse("".join([*chain[:-1], f".{name}" if len(chain) > 1 else name]))
        )
        owners = {full.rpartition(".")[0] for full in names}
        if owners & _ASSERT_CLASSES:
            return NOTHING if name in _NEUTRAL else OUTCOME_ONCE
        if _matches(name, self._named.elsewhere):
            return OUTCOME_ONCE
        if name in _OF_OBJECT:
            return NOTHING
        return NOTHING if owners and all(map(_is_harmless, owners)) else UNDECIDED

    def _foreign(self, scope: Scope, chain: Sequence[str], name: str) -> Target:
        """A member of something else that no file declares."""
        known = self._inference.type_of(scope, chain[:-1])
        declared = known.declared if known is not None else None
        is_object = "(" in chain[-2] or chain[0].startswith(":") or not chain[0][:1].isupper()
        helpers = self._helpers(name, everybody=known is None and is_object)
        if helpers:
            return _one_of([NOTHING, self._dispatched(helpers)])
        if _matches(name, self._named.elsewhere):
            return NOTHING if name in _NEUTRAL else OUTCOME_ONCE
        if declared is not None:
            if name in declared.members or name in declared.functions:
                return UNDECIDED
            is_ours = any(self._is_test_code(path) for path, _, _ in declared.parts)
            bases = self._resolver.external_bases(declared)
            return UNDECIDED if is_ours and not all(map(_is_harmless, bases)) else NOTHING
        types = [*(known.names if known is not None else ()), *self._written_types(chain)]
        simple = [full.rpartition(".")[2] for full in types]
        if any(full in _ASSERT_CLASSES for full in types) or any(map(_ASSERTING_TYPE.search, simple)):
            return NOTHING if name in _NEUTRAL else OUTCOME_ONCE
        return UNDECIDED if any(_TESTING_TYPE.search(each) and each not in _HARMLESS for each in simple) else NOTHING

    def _written_types(self, chain: Sequence[str]) -> Iterator[str]:
        """What in a chain may be the name of a type, as it is written."""
        for position, word in enumerate(chain[:-1]):
            text = _CALL.sub(r"\1", word.removeprefix(":")) if "(" in word else word.lstrip(":.")
            if word.startswith(":") or (position == 0 and text[:1].isupper()) or "(" in word or text[:1].isupper():
                yield text.partition("<")[0]

    def _helpers(self, name: str, *, everybody: bool) -> Sequence[FunctionId]:
        """Methods of the tests' own code: extensions, and with ``everybody`` all of that name."""
        return [
            function
            for function in (*self._types.extensions(name), *(self._types.helpers(name) if everybody else ()))
            if self._bodies_of(function.path, function.row, _ITSELF)
            and not self._testing.is_marked(function, TEST_ATTRIBUTES)
        ]


@lru_cache(maxsize=4096)
def reachable(program: Program) -> tuple[tuple[int, int], ...]:
    """The steps that there is a way to, where all that is called comes back, each with its first operand."""
    found: dict[int, tuple[int, int]] = {}
    pending = [0] if program else []
    while pending:
        place = pending.pop()
        while place not in found and place < len(program):
            kind = ord(program[place])
            operands = [ord(operand) for operand in program[place + 1 : place + 1 + STEPS[kind]]]
            found[place] = (kind, operands[0] if operands else 0)
            if kind in _TARGETS:
                pending.append(operands[_TARGETS[kind]])
            if kind in _ENDS:
                break
            place += 1 + STEPS[kind]
    return tuple(found.values())


def asserts_itself(program: Program) -> bool:
    """Whether there is a way to an assertion that stands in the program itself."""
    return any(kind == OUTCOME for kind, _ in reachable(program))


def _one_of(targets: Iterable[Target]) -> Target:
    several = tuple(dict.fromkeys(targets))
    if not several:
        return NOTHING
    return several[0] if len(several) == 1 else Choice(several)


@cache
def _choosing(count: int) -> Program:
    """A program that calls one of so many functions."""
    names = Names()
    writer = Writer(names)
    end = Label()
    for number in range(count):
        following = Label()
        if number < count - 1:
            writer.branch(following)
        writer.call(str(number))
        writer.jump(end)
        writer.place(following)
    writer.place(end)
    return writer.finish(EITHER)


def _name(word: str) -> str:
    """``M`` of ``.M<A>(2``."""
    return word.removeprefix(".").partition("(")[0].partition("<")[0]


def _matches(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _is_harmless(full: str) -> bool:
    """Whether a type that no file declares has no members that assert: interfaces, and what is no test library's."""
    namespace, _, name = full.rpartition(".")
    return _INTERFACE.match(name) is not None or name in TYPES.get(namespace, ()) or full == "System.Object"
