"""All types that the project declares: parts put together, bases found, members looked up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from guards.languages.csharp.facts import Facts, Function, Member, Outline, Row, Type
from guards.languages.csharp.frameworks import NAMESPACES
from guards.languages.csharp.names import last_name
from guards.project.model import FileInfo


class Scope(NamedTuple):
    """Where a name stands: a file, a row of its namespaces, and one of its types or -1."""

    path: str
    namespace: int = 0
    type: int = -1


class FunctionId(NamedTuple):
    """A function by its file and its row there."""

    path: str
    row: int


class FunctionTable:
    """The functions of each file by what holds them: a type, or a function around them."""

    def __init__(self, facts: Mapping[str, Facts]) -> None:
        self._facts = facts
        self._tables: dict[str, dict[tuple[str, int], list[FunctionId]]] = {}

    def of_type(self, path: str, row: int) -> Sequence[FunctionId]:
        """The functions of one part of a type, local functions left out."""
        return self._table(path).get(("type", row), ())

    def inside(self, function: FunctionId) -> Sequence[FunctionId]:
        """The local functions that stand directly in a function."""
        return self._table(function.path).get(("function", function.row), ())

    def _table(self, path: str) -> Mapping[tuple[str, int], Sequence[FunctionId]]:
        if path not in self._tables:
            table: dict[tuple[str, int], list[FunctionId]] = {}
            for row, function in enumerate(self._facts[path].functions):
                holder = ("function", function.outer) if function.kind == "local" else ("type", function.owner)
                table.setdefault(holder, []).append(FunctionId(path, row))
            self._tables[path] = table
        return self._tables[path]


class Declared:
    """One type of one unit, with all its parts.

    Two units can each have a type of the same full name: they are two types. ``parts`` are the
    declarations, each with its file and its row there.
    """

    def __init__(
        self, full: str, parts: Sequence[tuple[str, int]], facts: Mapping[str, Facts], functions: FunctionTable
    ) -> None:
        self.full = full
        self._parts = parts
        self._facts = facts
        self._functions = functions

    def __repr__(self) -> str:
        return f"<{self.full}>"

    @cached_property
    def parts(self) -> tuple[tuple[str, int, Type], ...]:
        """The declarations, each with its file and its row there."""
        return tuple((path, row, self._facts[path].types[row]) for path, row in self._parts)

    @property
    def name(self) -> str:
        """The simple name."""
        return self.parts[0][2].name

    @property
    def kind(self) -> str:
        """What the type is: class, interface and so on."""
        return self.parts[0][2].kind

    @cached_property
    def modifiers(self) -> frozenset[str]:
        """The modifiers of all parts."""
        return frozenset(modifier for _, _, part in self.parts for modifier in part.modifiers)

    @cached_property
    def members(self) -> Mapping[str, Member]:
        """Fields and the like, by name."""
        return {member.name: member for _, _, part in reversed(self.parts) for member in reversed(part.members)}

    @cached_property
    def functions(self) -> Mapping[str, Sequence[FunctionId]]:
        """Methods, properties and the like, by name; local functions left out."""
        found: dict[str, list[FunctionId]] = {}
        for path, owner in self._parts:
            for function in self._functions.of_type(path, owner):
                found.setdefault(self._facts[path].functions[function.row].name, []).append(function)
        return found

    def all_functions(self) -> Iterator[FunctionId]:
        """The functions of all parts, local functions left out."""
        for functions in self.functions.values():
            yield from functions


class Types:
    """The project's types by full name, and by where they stand.

    Of most files only the outline is looked at.
    """

    def __init__(
        self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo], outlines: Mapping[str, Outline]
    ) -> None:
        self._facts = facts
        self._files = files
        self._outlines = outlines
        self._units: dict[str, str] = {}
        self._functions = FunctionTable(facts)
        self._declared: dict[tuple[str, str], Declared] = {}
        self._parts: dict[str, dict[str, list[tuple[str, int]]]] = {}  # by full name and unit
        namespaces: set[str] = set()
        for path in sorted(outlines):
            file = outlines[path]
            namespaces.update(file.namespaces)
            for row, full in enumerate(file.types):
                unit = path if row in file.file_local else self.unit_key(path)
                self._parts.setdefault(full, {}).setdefault(unit, []).append((path, row))
        self.namespaces = NAMESPACES.union(*map(_with_outer_ones, namespaces))

    def extensions(self, name: str) -> Sequence[FunctionId]:
        """The extension methods of a name."""
        return self._extensions.get(name, ())

    def helpers(self, name: str) -> Sequence[FunctionId]:
        """The methods of a name that test code has beside its tests, and that can be called on an object."""
        return self._helpers.get(name, ())

    @cached_property
    def _extensions(self) -> Mapping[str, Sequence[FunctionId]]:
        return _by_name((path, row) for path, file in self._outlines.items() for row in file.extensions)

    @cached_property
    def _helpers(self) -> Mapping[str, Sequence[FunctionId]]:
        return _by_name((path, row) for path, file in self._outlines.items() for row in file.helpers)

    def maybe_derived_from(self, declared: Declared) -> "Iterator[Declared]":
        """The types that name a base as this type is named, or by an alias of it, in the order of their places."""
        names = (declared.name, *self._aliases.get(declared.name, ()))
        rows = sorted({row for name in names for row in self._naming.get(name, ())})
        yield from dict.fromkeys(self.at(path, row) for path, row in rows)

    @cached_property
    def _naming(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """The rows of types by the simple names that stand in their base lists."""
        found: dict[str, list[tuple[str, int]]] = {}
        for path, file in self._outlines.items():
            for row, names in enumerate(file.bases):
                for name in names:
                    found.setdefault(name, []).append((path, row))
        return found

    @cached_property
    def _aliases(self) -> Mapping[str, set[str]]:
        """Aliases that hold for whole units, by the simple names of their targets."""
        found: dict[str, set[str]] = {}
        for file in self._outlines.values():
            for alias, target in file.aliases:
                found.setdefault(target, set()).add(alias)
        for usings in {self._files[path].unit.fact("usings") for path in self._outlines if path in self._files}:
            for alias, equals, target in (using.partition("=") for using in usings):
                if equals:
                    found.setdefault(last_name(target), set()).add(alias)
        return found

    def unit_key(self, path: str) -> str:
        """What tells the unit of a file from others."""
        if path not in self._units:
            info = self._files.get(path)
            self._units[path] = f"{info.unit.kind}:{info.unit.path}:{info.unit.name}" if info is not None else ""
        return self._units[path]

    def beside(self, path: str) -> Iterator[str]:
        """The files of a file's unit, itself included."""
        unit = self.unit_key(path)
        return (other for other in sorted(self._outlines) if self.unit_key(other) == unit)

    def has_global_usings(self, path: str) -> bool:
        """Whether a file has usings that hold for its whole unit."""
        return self._outlines[path].has_global_usings

    def at(self, path: str, row: int) -> Declared:
        """The type of which a row of a file is a part."""
        file = self._outlines[path]
        return self._get(file.types[row], path if row in file.file_local else self.unit_key(path))

    def find(self, full: str, path: str) -> Declared | None:
        """The type of a full name that a file sees: its own, then that of its unit, then that of another."""
        parts = self._parts.get(full)
        if parts is None:
            return None
        for unit in (path, self.unit_key(path), *sorted(parts)):
            # A unit that is itself a file holds what other files do not see.
            if unit in parts and (unit == path or unit not in self._outlines):
                return self._get(full, unit)
        return None

    def _get(self, full: str, unit: str) -> Declared:
        known = self._declared.get((full, unit))
        if known is None:
            known = Declared(full, self._parts[full][unit], self._facts, self._functions)
            self._declared[full, unit] = known
        return known

    def function(self, function: FunctionId) -> Function:
        """The row of a function."""
        return self._facts[function.path].functions[function.row]

    def owner(self, function: FunctionId) -> Declared | None:
        """The type that a function belongs to."""
        row = self.function(function).owner
        return self.at(function.path, row) if row >= 0 else None

    def locals_of(self, function: FunctionId, name: str) -> list[FunctionId]:
        """The local functions of a name that stand directly in a function."""
        return [local for local in self._functions.inside(function) if self.function(local).name == name]

    def scope(self, function: FunctionId) -> Scope:
        """Where a function's own attributes and signature stand."""
        facts = self._facts[function.path]
        owner = facts.functions[function.row].owner
        return Scope(function.path, facts.types[owner].namespace, owner) if owner >= 0 else Scope(function.path)

    def outer(self, declared: Declared) -> Declared | None:
        """The type that a nested type is declared in."""
        path, _, part = declared.parts[0]
        return self.at(path, part.outer) if part.outer >= 0 else None


def _by_name(rows: Iterable[tuple[str, Row]]) -> dict[str, list[FunctionId]]:
    found: dict[str, list[FunctionId]] = {}
    for path, row in rows:
        found.setdefault(row.name, []).append(FunctionId(path, row.row))
    return found


def _with_outer_ones(namespace: str) -> Iterator[str]:
    while namespace:
        yield namespace
        namespace = namespace.rpartition(".")[0]
