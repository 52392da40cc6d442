"""How a test or a hook gets to a function: through the functions of its suite."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from guards.findings.model import Related
from guards.languages.gdscript.chains import Chain, Chains, ClassRef
from guards.languages.gdscript.facts import NOWHERE, Facts, Function, TypeName
from guards.languages.gdscript.frameworks import HOOKS, TEST_PREFIX


class _FunctionRef(NamedTuple):
    """A function by its file and its row there."""

    path: str
    row: int


class _Suite(NamedTuple):
    """A suite's classes, the most derived first, each with the functions that it declares itself."""

    chain: Chain
    own: tuple[Mapping[str, _FunctionRef], ...]


class Reach:
    """Ways from roots to functions, worked out suite by suite when somebody asks."""

    def __init__(
        self, facts: Mapping[str, Facts], chains: Chains, suites_of: Callable[[ClassRef], Sequence[ClassRef]]
    ) -> None:
        self._facts = facts
        self._chains = chains
        self._suites_of = suites_of
        self._callers: dict[tuple[ClassRef, str], Mapping[_FunctionRef, _FunctionRef | None]] = {}

    def way(self, path: str, row: int, roots: str) -> tuple[Related, ...] | None:
        """The calls from a root to a function, the root's first; None where there is no way."""
        if row == NOWHERE:
            return None
        target = _FunctionRef(path, row)
        for suite in self._suites_of(ClassRef(path, self._function(target).owner)):
            callers = self._callers_in(suite, roots)
            if target in callers:
                return tuple(self._steps(target, callers, roots))
        return None

    def _function(self, ref: _FunctionRef) -> Function:
        return self._facts[ref.path].functions[ref.row]

    def _callers_in(self, suite: ClassRef, roots: str) -> Mapping[_FunctionRef, _FunctionRef | None]:
        """Every function that the roots of a suite reach, with the one that calls it; roots have none."""
        if (suite, roots) not in self._callers:
            chain = self._chains.of(suite)
            members = _Suite(chain, tuple(map(self._own, chain.classes)))
            callers: dict[_FunctionRef, _FunctionRef | None] = dict.fromkeys(_roots(members, roots))
            pending = deque(callers)
            while pending:
                caller = pending.popleft()
                for called in self._called(caller, members):
                    if called not in callers:
                        callers[called] = caller
                        pending.append(called)
            self._callers[suite, roots] = callers
        return self._callers[suite, roots]

    def _own(self, ref: ClassRef) -> dict[str, _FunctionRef]:
        found: dict[str, _FunctionRef] = {}
        for row, function in enumerate(self._facts[ref.path].functions):
            if function.owner == ref.row:
                found.setdefault(function.name, _FunctionRef(ref.path, row))
        return found

    def _called(self, caller: _FunctionRef, suite: _Suite) -> Iterator[_FunctionRef]:
        function = self._function(caller)
        owner = ClassRef(caller.path, function.owner)
        for call in function.calls:
            receiver, _, name = call.rpartition(".")
            start = 0
            if receiver == "super":
                start = suite.chain.classes.index(owner) + 1
            elif receiver:
                named = self._chains.find(TypeName("", (receiver,)), owner)
                if not isinstance(named, ClassRef) or named not in suite.chain.classes:
                    continue
                start = suite.chain.classes.index(named)
            found = next((own[name] for own in suite.own[start:] if name in own), None)
            if found is not None:
                yield found

    def _steps(
        self, target: _FunctionRef, callers: Mapping[_FunctionRef, _FunctionRef | None], roots: str
    ) -> list[Related]:
        steps: list[Related] = []
        called, caller = target, callers[target]
        while caller is not None:
            row = self._function(caller)
            what = ("the test " if roots == "test" else "the hook ") if callers[caller] is None else ""
            steps.append(Related(row.place, f"{what}`{row.name}` calls `{self._function(called).name}`"))
            called, caller = caller, callers[caller]
        return steps[::-1]


def _roots(suite: _Suite, roots: str) -> Iterator[_FunctionRef]:
    """The tests or hooks of a suite; of one that a class overrides, the override."""
    hooks = HOOKS[suite.chain.framework]
    seen: set[str] = set()
    for own in suite.own:
        for name, ref in own.items():
            if name not in seen and (name.startswith(TEST_PREFIX) if roots == "test" else name in hooks):
                yield ref
        seen.update(own)
