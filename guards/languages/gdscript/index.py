"""All GDScript files of a repository: classes, what they derive from, and which files are suites."""

from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from guards.findings.model import Related
from guards.languages.base import Use
from guards.languages.gdscript.engine_classes import SINGLETONS, ancestors
from guards.languages.gdscript.facts import SCRIPT, Class, Facts, Function
from guards.languages.gdscript.uses import SELF
from guards.project.model import FileInfo

MCP, GUT, GDUNIT4 = "McpTestSuite", "GutTest", "GdUnitTestSuite"
FRAMEWORKS = (MCP, GUT, GDUNIT4)
HOOKS = {
    MCP: ("suite_setup", "setup", "teardown", "suite_teardown", "suite_name"),
    GUT: ("before_all", "before_each", "after_each", "after_all", "should_skip_script"),
    GDUNIT4: ("before", "after", "before_test", "after_test"),
}
ENGINE, UNKNOWN = "engine", "unknown"
_MAX_CHAIN = 64


class ClassRef(NamedTuple):
    """A class by its file and its row there."""

    path: str
    row: int


class Chain(NamedTuple):
    """A class and its bases in the project, and where the way ends.

    ``end`` is ``engine``, a framework's base class, or ``unknown`` (unresolved, or a cycle);
    ``name`` is the engine class, or what could not be resolved.
    """

    classes: tuple[ClassRef, ...]
    end: str
    name: str

    @property
    def framework(self) -> str:
        """The framework whose suite this is, or nothing."""
        return self.end if self.end in FRAMEWORKS else ""


class Index:
    """The facts of all files, merged."""

    def __init__(self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo]) -> None:
        self._facts = facts
        self._files = files
        self._chains: dict[ClassRef, Chain] = {}

    @cached_property
    def _class_names(self) -> dict[tuple[str, str], list[str]]:
        """Files by their project and ``class_name``."""
        found: dict[tuple[str, str], list[str]] = {}
        for path, facts in self._facts.items():
            if facts.classes[SCRIPT].name:
                found.setdefault((self.root(path), facts.classes[SCRIPT].name), []).append(path)
        return found

    def facts(self, path: str) -> Facts:
        """The facts of one file."""
        return self._facts[path]

    def paths(self) -> list[str]:
        """All files, sorted."""
        return sorted(self._facts)

    def root(self, path: str) -> str:
        """The folder that ``res://`` means for a file: that of the nearest ``project.godot``."""
        return self._files[path].unit.path.rpartition("/")[0] if path in self._files else ""

    def has_project(self, path: str) -> bool:
        """Whether the file belongs to a Godot project at all."""
        return path in self._files and self._files[path].unit.kind == "godot"

    def resource(self, path: str) -> str:
        """The ``res://`` path of a file."""
        root = self.root(path)
        return f"res://{path[len(root) + 1 :] if root else path}"

    def chain(self, path: str, row: int = SCRIPT) -> Chain:
        """What a class derives from."""
        start = ClassRef(path, row)
        if start not in self._chains:
            self._chains[start] = self._walk(start)
        return self._chains[start]

    def framework(self, path: str) -> str:
        """The framework of whose suites the file's script class is one, or nothing."""
        return self.chain(path).framework

    def is_test(self, path: str) -> bool:
        """Whether the script class is a suite of a known framework."""
        return path in self._facts and bool(self.framework(path))

    def own_functions(self, path: str, row: int = SCRIPT) -> Iterator[Function]:
        """The functions that a class itself declares."""
        return (function for function in self._facts[path].functions if function.owner == row)

    def inherited(self, path: str, name: str) -> tuple[str, Function] | None:
        """The nearest function of a name in the chain of a script class, with its file."""
        for ref in self.chain(path).classes:
            for function in self.own_functions(ref.path, ref.row):
                if function.name == name:
                    return ref.path, function
        return None

    def _walk(self, start: ClassRef) -> Chain:
        classes = [start]
        seen = {start}
        while len(classes) < _MAX_CHAIN:
            ref = classes[-1]
            declared = self._facts[ref.path].classes[ref.row]
            if ref.row == SCRIPT and declared.name in FRAMEWORKS:
                return Chain(tuple(classes[:-1]), declared.name, declared.name)
            if not declared.extends:
                return Chain(tuple(classes), ENGINE, "RefCounted")
            base = self._by_path(declared.extends, ref.path) if declared.by_path else self._by_name(declared, ref)
            if base is None:
                return Chain(tuple(classes), *_end_of(declared))
            if base in seen:
                break
            seen.add(base)
            classes.append(base)
        return Chain(tuple(classes), UNKNOWN, self._facts[classes[-1].path].classes[classes[-1].row].extends)

    def _by_path(self, written: str, path: str) -> ClassRef | None:
        root = self.root(path)
        if written.startswith("res://"):
            target = _joined(root, written.removeprefix("res://"))
        elif "://" in written:
            return None  # uid:// names a file by a number that only its .uid file knows
        else:
            target = _joined(path.rpartition("/")[0], written)
        return ClassRef(target, SCRIPT) if target in self._facts else None

    def _by_name(self, declared: Class, ref: ClassRef) -> ClassRef | None:
        first, *rest = declared.extends.split(".")
        found = self._named(first, ref)
        for name in rest:
            found = self._member(name, found) if found is not None else None
        return found

    def _named(self, name: str, ref: ClassRef) -> ClassRef | None:
        """A class by a name as seen from where a class is declared: inner classes, constants, then global names."""
        row = self._facts[ref.path].classes[ref.row].outer
        while row >= 0:
            found = self._member(name, ClassRef(ref.path, row))
            if found is not None and found != ref:
                return found
            row = self._facts[ref.path].classes[row].outer
        if ref.row == SCRIPT:
            found = self._member(name, ref)
            if found is not None:
                return found
        paths = self._class_names.get((self.root(ref.path), name), [])
        # A name that two scripts claim is an error in Godot: neither is certain.
        return ClassRef(paths[0], SCRIPT) if len(paths) == 1 else None

    def _member(self, name: str, ref: ClassRef) -> ClassRef | None:
        facts = self._facts[ref.path]
        for row, declared in enumerate(facts.classes):
            if row != SCRIPT and declared.outer == ref.row and declared.name == name:
                return ClassRef(ref.path, row)
        for preload in facts.preloads:
            if preload.owner == ref.row and preload.name == name:
                return self._by_path(preload.path, ref.path)
        return None

    def full_names(self, path: str, use: Use) -> tuple[str, ...]:
        """The engine members that a use can mean: that of the receiver's class, and of each of its bases."""
        receiver, _, member = use.name.rpartition(".")
        if receiver == SELF:
            return self._own_names(path, int(use.scope), member)
        if receiver in SINGLETONS or ancestors(receiver):
            return tuple(f"{name}.{member}" for name in (ancestors(receiver) or (receiver,)))
        found = self._named(receiver, ClassRef(path, int(use.scope))) if receiver.isidentifier() else None
        return self._names_in_chain(self.chain(*found), member) if found is not None else ()

    def _own_names(self, path: str, row: int, member: str) -> tuple[str, ...]:
        return self._names_in_chain(self.chain(path, row), member)

    def _names_in_chain(self, chain: Chain, member: str) -> tuple[str, ...]:
        """Members of engine bases, unless a class of the project has one of that name itself."""
        if any(f.name == member for ref in chain.classes for f in self.own_functions(ref.path, ref.row)):
            return ()
        names = (chain.name, *ancestors(chain.name)[1:]) if chain.end != UNKNOWN else ()
        own = tuple(declared.name for ref in chain.classes if (declared := self._facts[ref.path].classes[ref.row]).name)
        return tuple(f"{name}.{member}" for name in (*own, *names))

    def reach(self, path: str, function: str, roots: str) -> tuple[Related, ...] | None:
        """How a function is reached from the tests or hooks of a suite of which its class is part."""
        row = int(function)
        if row < 0:
            return None
        target = (path, self._facts[path].functions[row])
        suites = [other for other in self.paths() if self.framework(other) and self._has(other, path)]
        ways = (self._way(suite, target, roots) for suite in suites)
        return next((way for way in ways if way is not None), None)

    def _has(self, suite: str, path: str) -> bool:
        return any(ref.path == path for ref in self.chain(suite).classes)

    def _way(self, suite: str, target: tuple[str, Function], roots: str) -> tuple[Related, ...] | None:
        """The shortest way over calls within one suite's chain, as the functions on it before the target."""
        members: dict[str, tuple[str, Function]] = {}
        for ref in reversed(self.chain(suite).classes):
            members.update((f.name, (ref.path, f)) for f in self.own_functions(ref.path, ref.row))
        hooks = HOOKS[self.framework(suite)]
        starts = [n for n in members if (n.startswith("test_") if roots == "test" else n in hooks)]
        came_from: dict[str, str] = dict.fromkeys(sorted(starts), "")
        waiting = deque(sorted(starts))
        while waiting:
            name = waiting.popleft()
            if members[name] == target:
                return tuple(_steps(name, came_from, members))
            for called in members[name][1].calls:
                if called in members and called not in came_from:
                    came_from[called] = name
                    waiting.append(called)
        return None


def _steps(name: str, came_from: Mapping[str, str], members: Mapping[str, tuple[str, Function]]) -> list[Related]:
    steps = []
    while came_from[name]:
        caller = came_from[name]
        steps.append(Related(members[caller][1].place, f"`{caller}` calls `{name}`"))
        name = caller
    return steps[::-1]


def _end_of(declared: Class) -> tuple[str, str]:
    if not declared.by_path:
        if declared.extends in FRAMEWORKS:
            return declared.extends, declared.extends
        if ancestors(declared.extends):
            return ENGINE, declared.extends
    return UNKNOWN, declared.extends


def _joined(folder: str, relative: str) -> str:
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
