"""How many assertions the ways through functions have, along what they call."""

from typing import TYPE_CHECKING

from guards.languages.flow import NOTHING, OUTCOME_ONCE, Answer, Solver, Summary
from guards.languages.python.asserting import Assertions
from guards.languages.python.assertions import NAMED
from guards.languages.python.bindings import CLASS, DEF
from guards.languages.python.classes import class_facts
from guards.languages.python.resolver import MEMBER
from guards.project.model import TEST_CODE

if TYPE_CHECKING:
    from guards.languages.python.index import Index

# The beginnings of names of calls that assert, where configuration does not say otherwise.
ASSERTION_NAMES = ("assert*", "check*", "expect*", "should*", "verify*")

Key = tuple[str, str]


class Outcomes:
    """Answers about the functions of test code, by file and dotted name.

    What product code asserts is not counted, nor what runs around a test.
    """

    def __init__(self, index: "Index") -> None:
        self._index = index
        self._assertions = Assertions(index, ASSERTION_NAMES)
        self._solver: Solver[Key] = Solver(self._program, self._called)

    def answer(self, path: str, function: str) -> Answer:
        """What is known of the assertions on the ways through a function."""
        return self._solver.answer((path, function))

    def _program(self, key: Key) -> str:
        path, name = key
        function = self._index.functions_in(path).get(name)
        return function.program if function is not None else ""

    def _called(self, key: Key, number: int) -> Key | Summary:
        path, _ = key
        facts = self._index.facts_of(path)
        reference = facts.called[number] if facts is not None and number < len(facts.called) else ""
        if reference[:1] == ":" and reference[1:] in self._index.functions_in(path):
            return path, reference[1:]
        found = self._function(reference, path) if reference and not reference.startswith(NAMED) else None
        if found is not None:
            return found
        return OUTCOME_ONCE if self._assertions.is_named(reference) else NOTHING

    def _function(self, reference: str, path: str) -> Key | None:
        """The one function of test code that a reference means."""
        meanings = self._index.resolve(reference, path)
        if len(meanings) != 1 or self._index.modules.role(meanings[0].location) not in TEST_CODE:
            return None
        item = meanings[0]
        if item.kind == DEF:
            return item.location, item.symbol
        owner, name = item.symbol, "__init__"
        if item.kind == MEMBER:
            owner, _, name = item.symbol.rpartition(".")
        elif item.kind != CLASS:
            return None
        for base in self._assertions.classes(item.location, owner):
            facts = class_facts(self._index, base)
            if facts is not None and name in facts.methods:
                return base.location, f"{base.symbol}.{name}"
        return None
