"""The facts of all Python files of a project, merged as far as somebody asks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from guards.findings.model import Related
from guards.languages.base import Use
from guards.languages.python.bindings import CLASS, DEF, VALUE
from guards.languages.python.facts import (
    ANY_MARKER,
    FIXTURE,
    LIFECYCLE,
    TEST_FUNCTION,
    ClassFacts,
    Facts,
    FunctionFacts,
    marker_name,
)
from guards.languages.python.modules import OWNED, THIRD_PARTY, Modules
from guards.languages.python.resolver import MEMBER, Meaning, Resolver
from guards.project.model import PRODUCT, TEST_CODE, FileInfo, Unit

if TYPE_CHECKING:
    from guards.languages.python.handles import Patch
    from guards.languages.python.outcomes import Outcomes

_MARK_MAKERS = frozenset({"pytest.mark", "_pytest.mark.MARK_GEN", "_pytest.mark.structures.MARK_GEN"})
_HOOK_FILE = re.compile(
    r"(?:\A|/)(?:conftest|\w*plugins?|pytest_\w+)\.py\Z|(?:\A|/)(?:pytest_\w+|plugins?)/[^/]+\.py\Z"
)
_ROOT_KINDS = {"test": (TEST_FUNCTION,), "lifecycle": (FIXTURE, LIFECYCLE)}


class Index:
    """What the Python files of a project say together.

    ``facts`` may load lazily: only the files that a question leads to are asked for.
    """

    def __init__(self, facts: Mapping[str, object], files: Mapping[str, FileInfo], owned: Iterable[str] = ()) -> None:
        self._facts = facts
        self._known: dict[str, Facts | None] = {}
        self.files = files
        self.modules = Modules(files, owned)
        self.resolver = Resolver(self.modules, self.facts_of)
        # What ``resolve_patch`` said, by file, callee and arguments: several rules ask for the same calls.
        self.patches: dict[tuple[str, str, tuple[tuple[str, str], ...]], Patch | None] = {}
        self._hooked: dict[Unit, frozenset[str]] = {}
        self._functions: dict[str, dict[str, FunctionFacts]] = {}
        self._in_product: dict[str, bool] = {}
        self._classes: dict[str, dict[str, ClassFacts | None]] = {}

    def facts_of(self, path: str) -> Facts | None:
        """The facts of one file; None where it is unknown or could not be read."""
        if path not in self._known:
            found = self._facts.get(path)
            self._known[path] = found if isinstance(found, Facts) else None
        return self._known[path]

    def class_in(self, path: str, name: str) -> ClassFacts | None:
        """The class of a dotted name in a file; None where there is none, or several."""
        if path not in self._classes:
            facts = self.facts_of(path)
            classes = self._classes[path] = {}
            for item in facts.classes if facts is not None else ():
                classes[item.name] = None if item.name in classes else item
        return self._classes[path].get(name)

    def resolve(self, reference: str, path: str) -> tuple[Meaning, ...]:
        """All that a reference in a file can mean."""
        return self.resolver.resolve(reference, path)

    def values(self, reference: str, path: str) -> tuple[str, ...]:
        """What a reference stands for, by reference: itself, and what the names are assigned that it leads to."""
        found = {reference: None}
        for item in self.resolve(reference, path):
            facts = self.facts_of(item.location) if item.kind == VALUE else None
            for binding in facts.bindings if facts is not None else ():
                if binding.name == item.symbol and binding.reference:
                    found[binding.reference] = None
        return tuple(found)

    def is_test(self, path: str) -> bool:
        """Whether pytest collects the file, or only tests use it."""
        return self.modules.role(path) in TEST_CODE

    def folded(self, path: str, use: Use) -> tuple[tuple[str, str], ...]:
        """The arguments of a use that are constants."""
        del path
        return use.arguments

    def full_names(self, path: str, use: Use) -> tuple[str, ...]:
        """The full names that a use can mean; nothing where that is unknown."""
        return tuple(dict.fromkeys(item.name for item in self.resolve(use.name, path) if item.name))

    def is_third_party(self, module: str, path: str) -> bool:
        """Whether a top-level module, as a file imports it, is known to be somebody else's."""
        return self.modules.top_level(module, path)[0] == THIRD_PARTY

    def is_mark_maker(self, reference: str, path: str) -> bool:
        """Whether a reference in a file is ``pytest.mark``."""
        return any(item.name in _MARK_MAKERS for item in self.resolve(reference, path))

    def registers(self, marker: str, path: str) -> bool:
        """Whether configuration, a hook or a plugin of the project registers a marker for a file."""
        unit = self.modules.unit(path)
        declared = {marker_name(line) for line in unit.fact("markers")}
        if marker in declared or any(_is_of_plugin(marker, name) for name in unit.fact("dependencies")):
            return True
        if unit not in self._hooked:
            self._hooked[unit] = frozenset(name for file in self._hook_files(unit) for name in self._markers_of(file))
        return not self._hooked[unit].isdisjoint({marker, ANY_MARKER})

    def _hook_files(self, unit: Unit) -> Iterable[str]:
        """Files that may register markers: every ``conftest.py`` of the unit, and what is named as a plugin."""
        return sorted(path for path, info in self.files.items() if info.unit == unit and _HOOK_FILE.search(path))

    def _markers_of(self, file: str) -> Iterable[str]:
        for path in dict.fromkeys([file, *self.resolver.fixture_files(file)]):
            facts = self.facts_of(path)
            yield from facts.markers if facts is not None else ()

    def reach(self, path: str, function: str, roots: str) -> tuple[Related, ...] | None:
        """The steps by which a function is reached from a ``test`` or ``lifecycle`` function.

        Empty for a root itself, None where no way is known.
        """
        kinds = _ROOT_KINDS[roots]
        start = (path, function)
        before: dict[tuple[str, str], tuple[str, str] | None] = {start: None}
        pending = [start]
        for key in pending:  # grows while it is read: breadth first
            facts = self._function(key)
            if facts is not None and facts.kind in kinds:
                return tuple(self._way(key, before))
            for caller in self._callers.get(key, ()):
                if caller not in before:
                    before[caller] = key
                    pending.append(caller)
        return None

    def _way(self, key: tuple[str, str], before: Mapping[tuple[str, str], tuple[str, str] | None]) -> Iterable[Related]:
        step: tuple[str, str] | None = key
        while step is not None and before[step] is not None:
            facts = self._function(step)
            following = before[step]
            if facts is not None and following is not None:
                yield Related(facts.place(step[0]), f"`{step[1]}` calls `{following[1]}`")
            step = following

    def functions_in(self, path: str) -> Mapping[str, FunctionFacts]:
        """The functions of a file by their dotted names; of several of one name the last."""
        if path not in self._functions:
            facts = self.facts_of(path)
            self._functions[path] = {item.name: item for item in facts.functions} if facts is not None else {}
        return self._functions[path]

    def fixture_functions(
        self, name: str, path: str, asking: tuple[str, str] | None = None
    ) -> Iterator[tuple[str, FunctionFacts]]:
        """The functions of the fixtures of a name that a file's tests mean, each with its file.

        Those of the nearest file. A fixture that asks for its own name, ``asking`` by file and
        function, means the one that it overrides.
        """
        nearest, passed = "", False
        for file, fixture in self.resolver.fixtures(name, path):
            function = self.functions_in(file).get(fixture.function)
            if asking and not passed:
                passed = (file, fixture.function) == asking
            elif function is not None and file == (nearest or file):
                nearest = file
                yield file, function

    def least_outcomes(self, path: str, function: str) -> int:
        """The least number of assertions on any way through a function, by its dotted name, that comes back."""
        return self._outcomes.answer(path, function).least

    @cached_property
    def _outcomes(self) -> "Outcomes":
        from guards.languages.python.outcomes import Outcomes

        return Outcomes(self)

    def heirs(self, path: str, name: str) -> tuple[tuple[str, str], ...]:
        """The classes of test code that derive from a class, by file and dotted name."""
        found: dict[tuple[str, str], None] = {}
        pending = [(path, name)]
        for key in pending:  # grows while it is read
            for heir in self._heirs.get(key, ()):
                if heir not in found:
                    found[heir] = None
                    pending.append(heir)
        return tuple(found)

    @cached_property
    def _heirs(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        heirs: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for path in self._test_files:
            facts = self.facts_of(path)
            for item in facts.classes if facts is not None else ():
                for base in (base for reference in item.bases for base in self.resolve(reference, path)):
                    if base.kind == CLASS:
                        heirs.setdefault((base.location, base.symbol), []).append((path, item.name))
        return heirs

    @cached_property
    def _test_files(self) -> tuple[str, ...]:
        return tuple(sorted(path for path, info in self.files.items() if info.role in TEST_CODE))

    def _function(self, key: tuple[str, str]) -> FunctionFacts | None:
        path, name = key
        return self.functions_in(path).get(name)

    @cached_property
    def _callers(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """By function, the functions of test code that call it."""
        callers: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for path in self._test_files:
            facts = self.facts_of(path)
            for function in facts.functions if facts is not None else ():
                for reference in function.calls:
                    for callee in self._callees(reference, path):
                        callers.setdefault(callee, []).append((path, function.name))
        return callers

    def _callees(self, reference: str, path: str) -> Iterable[tuple[str, str]]:
        if reference[:1] == ":" and self._function((path, reference[1:])) is not None:
            return [(path, reference[1:])]
        if reference[:1] in ("?", "$") or self._leads_to_product(reference, path):
            return ()
        found = self.resolve(reference, path)
        return [(item.location, item.symbol) for item in found if item.kind in (DEF, MEMBER)]

    def _leads_to_product(self, reference: str, path: str) -> bool:
        """Whether a reference is one of a module that is no test code, as its name says."""
        top = reference.partition(".")[0]
        if ":" in reference:
            return False
        if top not in self._in_product:
            owner, location = self.modules.top_level(top, path)
            info = self.files.get(location)  # none for a folder without __init__.py
            self._in_product[top] = owner != OWNED or (info is not None and info.role == PRODUCT)
        return self._in_product[top]


def _is_of_plugin(marker: str, dependency: str) -> bool:
    """Whether a marker begins with the name of a plugin that the project depends on."""
    name = dependency.removeprefix("pytest-").replace("-", "_")
    return dependency.startswith("pytest-") and (marker == name or marker.startswith(f"{name}_"))
