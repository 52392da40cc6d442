"""All GDScript files of a repository: classes, what they derive from, and which files are suites."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from guards.findings.model import Related
from guards.languages.base import Use
from guards.languages.flow import Answer
from guards.languages.gdscript.chains import UNKNOWN, Chain, Chains, ClassRef
from guards.languages.gdscript.engine_classes import SINGLETONS, ancestors
from guards.languages.gdscript.facts import SCRIPT, Facts, Function, TypeName
from guards.languages.gdscript.frameworks import ENGINE_BASES, GDUNIT4, GUT, GUT_INNER_PREFIX, TEST_PREFIX
from guards.languages.gdscript.outcomes import Outcomes
from guards.languages.gdscript.reach import Reach
from guards.languages.gdscript.types import SELF, SUPER
from guards.project.model import FileInfo


class Index:
    """The facts of all files, merged."""

    def __init__(self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo]) -> None:
        self._facts = facts
        self._files = files
        self._chains = Chains(facts, files)

    def root(self, path: str) -> str:
        """The folder of the Godot project that a file belongs to."""
        return self._chains.root(path)

    def resource(self, path: str) -> str:
        """The ``res://`` path of a file; empty for one that belongs to no Godot project."""
        if path not in self._files or self._files[path].unit.kind != "godot":
            return ""
        root = self.root(path)
        return f"res://{path[len(root) + 1 :] if root else path}"

    def chain(self, path: str, row: int = SCRIPT) -> Chain:
        """What a class derives from."""
        return self._chains.of(ClassRef(path, row))

    def framework(self, path: str) -> str:
        """The framework of whose suites the file's script class is one, or nothing."""
        return self.chain(path).framework if path in self._facts else ""

    def is_test(self, path: str) -> bool:
        """Whether the script class is a suite of a known framework."""
        return bool(self.framework(path))

    def is_complete(self, chain: Chain) -> bool:
        """Whether all files of a chain parsed, so that what they do not declare is not there."""
        return all(self._facts[ref.path].complete for ref in chain.classes)

    def find_function(self, chain: Chain, name: str) -> tuple[ClassRef, Function] | None:
        """The nearest function of a name in a chain, with its class."""
        for ref in chain.classes:
            row = self._chains.function(ref, name)
            if row is not None:
                return ref, self._facts[ref.path].functions[row]
        return None

    @cached_property
    def suites(self) -> tuple[ClassRef, ...]:
        """All classes whose tests a runner collects: suite scripts, and the inner suites that GUT takes from them."""
        scripts = [ClassRef(path, SCRIPT) for path in sorted(self._facts) if self.framework(path)]
        return (*scripts, *(inner for script in scripts for inner in self._inner_suites(script)))

    def _inner_suites(self, script: ClassRef) -> Iterator[ClassRef]:
        if self.framework(script.path) != GUT:
            return
        for row, declared in enumerate(self._facts[script.path].classes):
            ref = ClassRef(script.path, row)
            is_taken = declared.outer == SCRIPT and declared.name.startswith(GUT_INNER_PREFIX)
            if is_taken and self._chains.of(ref).framework == GUT:
                yield ref

    @cached_property
    def _classes_of_suites(self) -> dict[ClassRef, list[ClassRef]]:
        found: dict[ClassRef, list[ClassRef]] = {}
        for suite in self.suites:
            for ref in self._chains.of(suite).classes:
                found.setdefault(ref, []).append(suite)
        return found

    def suites_of(self, ref: ClassRef) -> list[ClassRef]:
        """The suites that a class is, or is a base of."""
        return self._classes_of_suites.get(ref, [])

    def folded(self, path: str, use: Use) -> tuple[tuple[str, str], ...]:
        """The arguments of a use that are constants."""
        del path
        return use.arguments

    def function(self, path: str, row: int) -> Function:
        """The function of a row of a file."""
        return self._facts[path].functions[row]

    def runs(self, path: str, function: int) -> list[ClassRef]:
        """The suites in which a runner runs a function of a class: not those that it is only a base of.

        A base is run itself where its file looks as if it were meant to be found.
        """
        row = self._facts[path].functions[function]
        suites = self.suites_of(ClassRef(path, row.owner))
        return [
            suite
            for suite in suites
            if not self._facts[suite.path].classes[suite.row].abstract
            and (suite not in self._bases_of_suites or self._looks_found(suite))
            and self.find_function(self._chains.of(suite), row.name) == (ClassRef(path, row.owner), row)
        ]

    @cached_property
    def _bases_of_suites(self) -> set[ClassRef]:
        return {ref for suite in self.suites for ref in self._chains.of(suite).classes[1:]}

    def _looks_found(self, suite: ClassRef) -> bool:
        framework = self._chains.of(suite).framework
        name = suite.path.rpartition("/")[2]
        return framework != GDUNIT4 and name.startswith(TEST_PREFIX)

    def outcomes(self, suite: ClassRef, name: str) -> Answer | None:
        """On which ways through a function of a suite there are assertions or skips; None where there is none."""
        return self._outcomes.of(suite, name)

    def least_outcomes(self, path: str, name: str, row: int = SCRIPT) -> int:
        """The least number of assertions and skips on any way through a test of a suite.

        What nobody can tell counts as none, so whoever runs the test sees as many at least. It is 0
        for what is no suite, or has no such test.
        """
        answer = self.outcomes(ClassRef(path, row), name) if self.chain(path, row).framework else None
        return answer.least if answer is not None else 0

    def hands_out(self, suite: ClassRef) -> bool:
        """Whether a hook hands the suite, or a function that may assert, to others: their methods may come back."""
        return self._outcomes.hands_out(suite)

    def is_outcome(self, suite: ClassRef, name: str) -> bool:
        """Whether a name in a suite is a skip or an assertion of its framework, and none of its own functions."""
        return self._outcomes.is_outcome(suite, name)

    @cached_property
    def _outcomes(self) -> Outcomes:
        return Outcomes(self._facts, self._chains)

    def full_names(self, path: str, use: Use) -> tuple[str, ...]:
        """The members that a use can mean: that of the receiver's class, and of each of its bases."""
        receiver, _, member = use.name.rpartition(".")
        here = ClassRef(path, int(use.scope))
        if receiver == SUPER:
            chain = self._chains.of(here)
            return self._names_in(chain._replace(classes=chain.classes[1:]), member)
        if receiver in ("", SELF):
            chain = self._chains.of(here)
            # A bare name that no class of the chain has is a function of GDScript itself, such as `print`.
            bare = not receiver and chain.end != UNKNOWN and self.find_function(chain, member) is None
            return (*self._names_in(chain, member), *([member] if bare else []))
        for ref in self._chains.of(here).classes:
            type_ = self._chains.variable(ref, receiver)
            if type_ is not None:
                return self._names_of(type_, member, ref) if type_ not in ("", SELF) else ()
        return self._names_of(receiver, member, here)

    def _names_of(self, receiver: str, member: str, here: ClassRef) -> tuple[str, ...]:
        """The names of a member of a class or singleton that is named inside a class."""
        receiver = receiver.partition("[")[0]
        found = self._chains.find(TypeName("", tuple(receiver.split("."))), here)
        if isinstance(found, ClassRef):
            return self._names_in(self._chains.of(found), member)
        known = str(found) if not found.path else ""
        if known in SINGLETONS or ancestors(known):
            return tuple(f"{name}.{member}" for name in (ancestors(known) or (known,)))
        # A name that no file declares is an autoload's or that of a class of an extension.
        is_global = known == receiver and receiver[:1].isupper() and self._chains.of(here).end != UNKNOWN
        return (f"{receiver}.{member}",) if is_global else ()

    def _names_in(self, chain: Chain, member: str) -> tuple[str, ...]:
        """A member's names by the classes of a chain, up to the one that declares it."""
        names: list[str] = []
        for ref in chain.classes:
            declared = self._facts[ref.path].classes[ref.row]
            if declared.name:
                names.append(f"{declared.name}.{member}")
            if self._chains.function(ref, member) is not None or self._chains.variable(ref, member) is not None:
                return tuple(names)
        if chain.end == UNKNOWN:
            return tuple(names)
        engine = ENGINE_BASES.get(chain.end, chain.name)
        return (*names, *(f"{name}.{member}" for name in dict.fromkeys((chain.name, *ancestors(engine)))))

    def reach(self, path: str, function: str, roots: str) -> tuple[Related, ...] | None:
        """The calls by which a test or hook of a suite reaches a function."""
        return self._reach.way(path, int(function), roots) if function else None

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._facts, self._chains, self.suites_of)
