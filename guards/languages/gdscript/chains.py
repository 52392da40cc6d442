"""What classes derive from: base chains through names, paths, constants and inner classes, up to the engine."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from guards.languages.gdscript.engine_classes import ancestors
from guards.languages.gdscript.facts import SCRIPT, Facts, TypeName
from guards.languages.gdscript.frameworks import FRAMEWORKS, framework_of_path
from guards.project.model import FileInfo

ENGINE, UNKNOWN = "engine", "unknown"
DEFAULT_BASE = "RefCounted"
# Far above any honest project; a longer chain is not known.
_MAX_BASES = 64
_MAX_NESTED_WALKS = 24
_MAX_ALIASES = 8


class ClassRef(NamedTuple):
    """A class by its file and its row there."""

    path: str
    row: int


class Chain(NamedTuple):
    """A class and its bases in the project, and where the way ends.

    ``end`` is ``engine``, a framework's base class, or ``unknown`` (not found, or a cycle);
    ``name`` is the class there, or what could not be resolved. The framework's own class is not
    among ``classes``, also where its file is in the project.
    """

    classes: tuple[ClassRef, ...]
    end: str
    name: str

    @property
    def framework(self) -> str:
        """The framework whose suite this is, or nothing."""
        return self.end if self.classes and self.end in FRAMEWORKS else ""


class _Members(NamedTuple):
    """What the classes of one file declare, by the row of the class and the name: rows, names and types."""

    functions: dict[tuple[int, str], int]
    classes: dict[tuple[int, str], int]
    aliases: dict[tuple[int, str], TypeName]
    variables: dict[tuple[int, str], str]


class Chains:
    """The classes of all files, and what they derive from."""

    def __init__(self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo]) -> None:
        self._facts = facts
        self._files = files
        self._known: dict[ClassRef, Chain] = {}
        self._walking: set[ClassRef] = set()
        self._members: dict[str, _Members] = {}

    def root(self, path: str) -> str:
        """The folder that ``res://`` means for a file: that of the nearest ``project.godot``."""
        return self._files[path].unit.path.rpartition("/")[0] if path in self._files else ""

    def of(self, ref: ClassRef) -> Chain:
        """What a class derives from."""
        if ref not in self._known:
            self._walking.add(ref)
            self._known[ref] = self._walk(ref)
            self._walking.discard(ref)
        return self._known[ref]

    def function(self, ref: ClassRef, name: str) -> int | None:
        """The row of the function of a name that a class itself declares."""
        return self._members_of(ref.path).functions.get((ref.row, name))

    def variable(self, ref: ClassRef, name: str) -> str | None:
        """The type of the variable of a name that a class itself declares; empty where that is not certain."""
        return self._members_of(ref.path).variables.get((ref.row, name))

    def _members_of(self, path: str) -> _Members:
        if path not in self._members:
            facts = self._facts[path]
            members = _Members({}, {}, {}, {})
            for row, function in enumerate(facts.functions):
                members.functions.setdefault((function.owner, function.name), row)
            for row, declared in enumerate(facts.classes):
                members.classes.setdefault((declared.outer, declared.name), row)
            for alias in facts.aliases:
                members.aliases.setdefault((alias.owner, alias.name), alias.target)
            for variable in facts.variables:
                members.variables.setdefault((variable.owner, variable.name), variable.type)
            self._members[path] = members
        return self._members[path]

    @cached_property
    def _class_names(self) -> dict[tuple[str, str], list[str]]:
        """Files by their project and ``class_name``."""
        found: dict[tuple[str, str], list[str]] = {}
        for path in sorted(self._facts):
            name = self._facts[path].classes[SCRIPT].name
            if name:
                found.setdefault((self.root(path), name), []).append(path)
        return found

    def _walk(self, start: ClassRef) -> Chain:
        classes = [start]
        while len(classes) < _MAX_BASES:
            ref = classes[-1]
            declared = self._facts[ref.path].classes[ref.row]
            if ref.row == SCRIPT and declared.name in FRAMEWORKS:
                return Chain(tuple(classes[:-1]), declared.name, declared.name)
            if declared.base is None:
                complete = self._facts[ref.path].complete
                return Chain(tuple(classes), ENGINE if complete else UNKNOWN, DEFAULT_BASE if complete else "")
            base = self._locate(declared.base, ref, heading=True)
            if isinstance(base, TypeName):
                return Chain(tuple(classes), *_end_of(base))
            if base in classes:
                break
            classes.append(base)
        return Chain(tuple(classes), UNKNOWN, str(self._facts[classes[-1].path].classes[classes[-1].row].base))

    def find(self, name: TypeName, ref: ClassRef) -> ClassRef | TypeName:
        """The class that a name means inside a class; what is left of the name where that is none of the project."""
        return self._locate(name, ref, heading=False)

    def _locate(self, name: TypeName, ref: ClassRef, *, heading: bool, aliases: int = 0) -> ClassRef | TypeName:
        """The class of a name, as seen from inside a class or, ``heading``, from its ``extends``."""
        if name.path:
            script = self._by_path(name.path, ref.path)
            found: ClassRef | TypeName | None = script or TypeName(name.path)
            rest = name.names
        else:
            found = self._by_first_name(name.names[0], ref, heading=heading, aliases=aliases)
            rest = name.names[1:]
        for part in rest:
            if not isinstance(found, ClassRef):
                return name if found is None or not found.path else TypeName(found.path, (*found.names, *rest))
            found = self._member(part, found, aliases)
        return found or name

    def _by_first_name(self, name: str, ref: ClassRef, *, heading: bool, aliases: int) -> ClassRef | TypeName | None:
        """A class by the first part of its name: inner classes and constants in view, then global names."""
        for scope in self._scopes(ref, heading=heading):
            found = self._own_member(name, scope, aliases)
            if found is not None and found != ref:
                return found
        paths = self._class_names.get((self.root(ref.path), name), [])
        # A name that two scripts claim is an error in Godot: neither is certain.
        return ClassRef(paths[0], SCRIPT) if len(paths) == 1 else None

    def _scopes(self, ref: ClassRef, *, heading: bool) -> Iterator[ClassRef]:
        """The classes whose members are in view: the own one, those around it, and the bases of each."""
        if heading and ref.row == SCRIPT:
            yield ref
        elif not heading:
            yield from self._with_bases(ref)
        outer = self._facts[ref.path].classes[ref.row].outer
        while outer >= SCRIPT:
            yield from self._with_bases(ClassRef(ref.path, outer))
            outer = self._facts[ref.path].classes[outer].outer

    def _with_bases(self, ref: ClassRef) -> tuple[ClassRef, ...]:
        # A class whose own base depends on this one has only what it declares itself.
        if ref in self._walking or len(self._walking) > _MAX_NESTED_WALKS:
            return (ref,)
        return self.of(ref).classes or (ref,)

    def _member(self, name: str, ref: ClassRef, aliases: int) -> ClassRef | TypeName | None:
        """An inner class or a constant of a class or of its bases."""
        for scope in self._with_bases(ref):
            found = self._own_member(name, scope, aliases)
            if found is not None:
                return found
        return None

    def _own_member(self, name: str, ref: ClassRef, aliases: int) -> ClassRef | TypeName | None:
        members = self._members_of(ref.path)
        row = members.classes.get((ref.row, name))
        if row is not None:
            return ClassRef(ref.path, row)
        target = members.aliases.get((ref.row, name))
        if target is None or aliases >= _MAX_ALIASES:
            return None
        return self._locate(target, ref, heading=ref in self._walking, aliases=aliases + 1)

    def _by_path(self, written: str, path: str) -> ClassRef | None:
        scheme, separator, rest = written.partition("://")
        if separator and scheme != "res":
            return None  # uid:// names a file by a number that only the file beside it knows
        target = _joined(self.root(path), rest) if separator else _joined(path.rpartition("/")[0], written)
        return ClassRef(target, SCRIPT) if target in self._facts else None


def _end_of(base: TypeName) -> tuple[str, str]:
    """What the end of a chain is, by the name that no file of the project has."""
    if base.path:
        framework = framework_of_path(base.path) if not base.names else ""
        return framework or UNKNOWN, framework or str(base)
    name = str(base)
    if name in FRAMEWORKS:
        return name, name
    return (ENGINE if ancestors(name) else UNKNOWN), name


def _joined(folder: str, relative: str) -> str:
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
