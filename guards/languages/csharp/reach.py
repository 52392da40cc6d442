"""How a test or a lifecycle method gets to a function: through the methods that its fixture owns.

Calls are followed to members of the fixture, of its bases in the project, of types nested in
them, and to local functions; never into other objects.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from guards.findings.model import Related
from guards.languages.csharp.resolve import Resolver
from guards.languages.csharp.testing import Testing
from guards.languages.csharp.types import Declared, FunctionId, Types


class _Step(NamedTuple):
    """A function as it runs in an instance of a type."""

    function: FunctionId
    runs_in: Declared


class Reach:
    """Ways from roots to functions, worked out type by type when somebody asks."""

    def __init__(self, types: Types, resolver: Resolver, testing: Testing) -> None:
        self._types = types
        self._resolver = resolver
        self._testing = testing
        self._ways: dict[tuple[Declared, str], Mapping[FunctionId, FunctionId | None]] = {}

    def way(self, function: FunctionId, roots: str) -> tuple[Related, ...] | None:
        """The callers from a root to the function, the root first; None where there is no way."""
        for declared in self._fixtures_of(function):
            callers = self._callers(declared, roots)
            if function in callers:
                return tuple(self._related(function, callers, roots))
        return None

    def _fixtures_of(self, function: FunctionId) -> Iterator[Declared]:
        """The types in whose instances the function can run: its own, those derived from it, those around it."""
        owner = self._types.owner(function)
        seen: set[Declared] = set()
        while owner is not None:
            for declared in (owner, *self._resolver.derived_from(owner)):
                if declared not in seen:
                    seen.add(declared)
                    yield declared
            owner = self._types.outer(owner)

    def _callers(self, declared: Declared, roots: str) -> Mapping[FunctionId, FunctionId | None]:
        """Every function that the roots of a type reach, with the one that calls it; roots have none."""
        key = (declared, roots)
        if key not in self._ways:
            callers: dict[FunctionId, FunctionId | None] = {}
            pending = deque(_Step(root, declared) for root in self._testing.roots(declared, roots))
            callers.update((step.function, None) for step in pending)
            while pending:
                step = pending.popleft()
                for called in self._called(step):
                    if called.function not in callers:
                        callers[called.function] = step.function
                        pending.append(called)
            self._ways[key] = callers
        return self._ways[key]

    def _called(self, step: _Step) -> Iterator[_Step]:
        for call in self._types.function(step.function).calls:
            receiver, dot, name = call.rpartition(".")
            if not dot:
                local = self._local_functions(step.function, name)
                if local:
                    yield from (_Step(function, step.runs_in) for function in local)
                else:
                    yield from self._members(step, step.runs_in, name)
            elif receiver == "this":
                yield from self._members(step, step.runs_in, name)
            elif receiver == "base":
                owner = self._types.owner(step.function)
                for base in self._resolver.chain(owner)[1:] if owner is not None else ():
                    yield from (_Step(function, step.runs_in) for function in base.functions.get(name, ()))
            else:
                yield from self._static(step, receiver, name)

    def _members(self, step: _Step, declared: Declared, name: str) -> Iterator[_Step]:
        """The functions of a name in a type, its bases, or else the types around it."""
        around: Declared | None = declared
        while around is not None:
            found = [function for base in self._resolver.chain(around) for function in base.functions.get(name, ())]
            if found:
                yield from (_Step(function, around) for function in found)
                return
            around = self._types.outer(around)
        owner = self._types.owner(step.function)
        if owner is not None and owner is not declared and owner not in self._resolver.chain(declared):
            yield from self._members(step, owner, name)

    def _static(self, step: _Step, receiver: str, name: str) -> Iterator[_Step]:
        """Members of a type that is named: the fixture's own or one nested in it."""
        scope = self._types.scope(step.function)
        own = {step.runs_in, *self._resolver.chain(step.runs_in)}
        for full in self._resolver.type_names(scope, receiver):
            declared = self._types.find(full, scope.path)
            if declared is not None and (declared in own or self._types.outer(declared) in own):
                yield from self._members(step, declared, name)

    def _local_functions(self, function: FunctionId, name: str) -> list[FunctionId]:
        """The local functions of a name that a function sees."""
        around: FunctionId | None = function
        while around is not None:
            found = self._types.locals_of(around, name)
            if found:
                return found
            outer = self._types.function(around).outer
            around = FunctionId(function.path, outer) if outer >= 0 else None
        return []

    def _related(
        self, function: FunctionId, callers: Mapping[FunctionId, FunctionId | None], roots: str
    ) -> list[Related]:
        steps: list[Related] = []
        called, caller = function, callers[function]
        while caller is not None:
            row = self._types.function(caller)
            what = ("the test " if roots == "test" else "the lifecycle method ") if callers[caller] is None else ""
            steps.append(
                Related(row.spot.place(caller.path), f"{what}`{row.name}` calls `{self._types.function(called).name}`")
            )
            called, caller = caller, callers[caller]
        return steps[::-1]
