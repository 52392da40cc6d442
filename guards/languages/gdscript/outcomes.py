"""Assertions and skips of suites: on which ways through a test they are, with all that its suite makes of it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from guards.languages.flow import (
    ALWAYS_FALSE,
    ALWAYS_TRUE,
    GUARD,
    NOTHING,
    OUTCOME_ONCE,
    UNDECIDED,
    UNKNOWN,
    Answer,
    Program,
    Solver,
    Summary,
)
from guards.languages.gdscript.chains import Chain, Chains, ClassRef
from guards.languages.gdscript.events import LAMBDA, LATER, METHOD, OVERRIDDEN, VALUE
from guards.languages.gdscript.facts import Facts
from guards.languages.gdscript.frameworks import (
    GDUNIT4,
    HOOKS,
    MCP,
    OUTCOME_METHODS,
    OUTCOME_PREFIX,
    OUTCOMES,
    SKIP_GUARDS,
    SKIPS,
)
from guards.languages.gdscript.truth import CONSTANT_TRUTH

_NO_LAMBDA: Final = -1
_ENGINE_HOOKS: Final = ("_init", "_enter_tree", "_ready")


class _Key(NamedTuple):
    """A function as a suite has it, or a lambda in it: ``lambda_`` is the lambda's row, or ``_NO_LAMBDA``."""

    suite: ClassRef
    path: str
    owner: int
    function: int
    lambda_: int


class Outcomes:
    """Answers about the functions of suites; worked out when somebody asks."""

    def __init__(self, facts: Mapping[str, Facts], chains: Chains) -> None:
        self._facts = facts
        self._chains = chains
        self._named_outcomes: dict[tuple[ClassRef, str], bool] = {}
        self._solver: Solver[_Key] = Solver(self._program, self._called)

    def of(self, suite: ClassRef, name: str) -> Answer | None:
        """What is known of a function of a suite, by its name; None where it has none."""
        found = self._function(suite, self._chains.of(suite).classes, name)
        if found is None:
            return None
        if isinstance(found, Summary):
            return Answer(found.reached, always=False, least=0)
        return self._solver.answer(found)

    def hands_out(self, suite: ClassRef) -> bool:
        """Whether a hook hands the suite, or a function that may assert, to others: their methods may come back.

        A setter that asserts, and a member that holds a lambda that does, are the same.
        """
        chain = self._chains.of(suite)
        if any(self._facts[ref.path].flows.outside for ref in chain.classes):
            return True
        hooks = (*sorted(HOOKS[chain.framework]), *_ENGINE_HOOKS)
        answers = [self.of(suite, hook) for hook in hooks]
        return any(answer is not None and answer.outcome == UNKNOWN for answer in answers)

    def is_outcome(self, suite: ClassRef, name: str) -> bool:
        """Whether a name in a suite is a skip or an assertion of its framework, and none of its own functions."""
        if (suite, name) not in self._named_outcomes:
            chain = self._chains.of(suite)
            own = any(self._chains.function(ref, name) is not None for ref in chain.classes)
            self._named_outcomes[suite, name] = not own and _is_outcome(chain.framework, name)
        return self._named_outcomes[suite, name]

    def _program(self, key: _Key) -> Program:
        flows = self._facts[key.path].flows
        rows, row = (flows.functions, key.function) if key.lambda_ == _NO_LAMBDA else (flows.lambdas, key.lambda_)
        return rows[row] if row < len(rows) else ""

    def _called(self, key: _Key, number: int) -> _Key | Summary:
        name = self._facts[key.path].flows.names[number]
        chain = self._chains.of(key.suite)
        if name.startswith(CONSTANT_TRUTH):
            return self._constant(chain, name.removeprefix(CONSTANT_TRUTH))
        if name.startswith(LATER):
            # A runner that waits for nothing has taken the result by then.
            if chain.framework == MCP:
                return NOTHING
            name = name.removeprefix(LATER)
        if name.startswith(LAMBDA):
            return key._replace(lambda_=int(name.removeprefix(LAMBDA)))
        if name.startswith(METHOD):
            return _of_another(chain.framework, name.removeprefix(METHOD))
        return self._named(key, chain, name)

    def _named(self, key: _Key, chain: Chain, name: str) -> _Key | Summary:
        is_value = name.startswith(VALUE)
        name = name.removeprefix(VALUE)
        classes = chain.classes
        if name.startswith(OVERRIDDEN):
            name = name.removeprefix(OVERRIDDEN)
            own = ClassRef(key.path, key.owner)
            classes = classes[classes.index(own) + 1 :] if own in classes else ()
        found = self._function(key.suite, classes, name)
        if found is not None:
            return found
        if name in SKIP_GUARDS[chain.framework]:
            return GUARD
        if _is_outcome(chain.framework, name):
            return OUTCOME_ONCE
        hidden = not all(self._facts[ref.path].complete for ref in classes)
        return UNDECIDED if is_value or hidden else NOTHING

    def _function(self, suite: ClassRef, classes: tuple[ClassRef, ...], name: str) -> _Key | Summary | None:
        """The first function of a name in some classes; what could not be read, or has no body, is undecided."""
        for ref in classes:
            row = self._chains.function(ref, name)
            if row is not None:
                function = self._facts[ref.path].functions[row]
                if function.undecided or function.abstract:
                    return UNDECIDED
                return _Key(suite, ref.path, ref.row, row, _NO_LAMBDA)
        return None

    def _constant(self, chain: Chain, name: str) -> Summary:
        for ref in chain.classes:
            for truth in self._facts[ref.path].flows.truths:
                if (truth.owner, truth.name) == (ref.row, name):
                    return ALWAYS_TRUE if truth.is_true else ALWAYS_FALSE
        return NOTHING


def _of_another(framework: str, method: str) -> Summary:
    """What a method of another object is: gdUnit4 has no count in the suite, so any object may assert."""
    if method in OUTCOME_METHODS[framework]:
        return OUTCOME_ONCE
    return UNDECIDED if framework == GDUNIT4 and method.startswith(OUTCOME_PREFIX) else NOTHING


def _is_outcome(framework: str, name: str) -> bool:
    return name.startswith(OUTCOME_PREFIX) or name in SKIPS[framework] or name in OUTCOMES[framework]
