"""All types that the project declares: parts put together, bases found, members looked up."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from guards.languages.csharp.facts import Facts, Function, Member, Type
from guards.languages.csharp.frameworks import NAMESPACES
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


class Declared:
    """One type of one unit, with all its parts.

    Two units can each have a type of the same full name: they are two types.
    """

    def __init__(self, full: str, unit: str) -> None:
        self.full = full
        self.unit = unit
        self.parts: list[tuple[str, int, Type]] = []
        self.functions: dict[str, list[FunctionId]] = {}
        self.members: dict[str, Member] = {}

    def __repr__(self) -> str:
        return f"<{self.full}>"

    @property
    def name(self) -> str:
        """The simple name."""
        return self.parts[0][2].name

    @property
    def kind(self) -> str:
        """What the type is: class, interface and so on."""
        return self.parts[0][2].kind

    def all_functions(self) -> Iterator[FunctionId]:
        """The functions of all parts, local functions left out."""
        for functions in self.functions.values():
            yield from functions

    @cached_property
    def modifiers(self) -> frozenset[str]:
        """The modifiers of all parts."""
        return frozenset(modifier for _, _, part in self.parts for modifier in part.modifiers)


class Types:
    """The project's types by full name, and by where they stand."""

    def __init__(self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo]) -> None:
        self._facts = facts
        self._files = files
        self._by_full: dict[str, list[Declared]] = {}
        self._by_row: dict[tuple[str, int], Declared] = {}
        self._locals: dict[tuple[str, int], list[FunctionId]] = {}
        namespaces = set(NAMESPACES)
        for path in sorted(facts):
            self._add_file(path, facts[path], namespaces)
        self.namespaces = frozenset(namespaces)

    def _add_file(self, path: str, facts: Facts, namespaces: set[str]) -> None:
        unit = self.unit_key(path)
        for namespace in facts.namespaces:
            name = namespace.name
            while name and name not in namespaces:
                namespaces.add(name)
                name = name.rpartition(".")[0]
        for row, part in enumerate(facts.types):
            declared = self._declared(part, path if "file" in part.modifiers else unit)
            declared.parts.append((path, row, part))
            self._by_row[path, row] = declared
            for member in part.members:
                declared.members.setdefault(member.name, member)
        for row, function in enumerate(facts.functions):
            if function.kind == "local":
                if function.outer >= 0:
                    self._locals.setdefault((path, function.outer), []).append(FunctionId(path, row))
            elif function.owner >= 0:
                functions = self._by_row[path, function.owner].functions
                functions.setdefault(function.name, []).append(FunctionId(path, row))

    def _declared(self, part: Type, unit: str) -> Declared:
        known = self._by_full.setdefault(part.full, [])
        declared = next((declared for declared in known if declared.unit == unit), None)
        if declared is None:
            declared = Declared(part.full, unit)
            known.append(declared)
        return declared

    def unit_key(self, path: str) -> str:
        """What tells the unit of a file from others."""
        info = self._files.get(path)
        return f"{info.unit.kind}:{info.unit.path}:{info.unit.name}" if info is not None else ""

    def at(self, path: str, row: int) -> Declared:
        """The type of which a row of a file is a part."""
        return self._by_row[path, row]

    def find(self, full: str, path: str) -> Declared | None:
        """The type of a full name that a file sees: that of its own unit before those of others."""
        visible = [
            declared
            for declared in self._by_full.get(full, ())
            if declared.unit == path or not self._is_local(declared)
        ]
        unit = self.unit_key(path)
        return min(
            visible, key=lambda declared: (declared.unit != path, declared.unit != unit, declared.unit), default=None
        )

    def _is_local(self, declared: Declared) -> bool:
        return "file" in declared.modifiers

    def function(self, function: FunctionId) -> Function:
        """The row of a function."""
        return self._facts[function.path].functions[function.row]

    def owner(self, function: FunctionId) -> Declared | None:
        """The type that a function belongs to."""
        row = self.function(function).owner
        return self._by_row[function.path, row] if row >= 0 else None

    def locals_of(self, function: FunctionId, name: str) -> list[FunctionId]:
        """The local functions of a name that stand directly in a function."""
        return [local for local in self._locals.get(function, ()) if self.function(local).name == name]

    def scope(self, function: FunctionId) -> Scope:
        """Where a function's own attributes and signature stand."""
        facts = self._facts[function.path]
        owner = facts.functions[function.row].owner
        return Scope(function.path, facts.types[owner].namespace, owner) if owner >= 0 else Scope(function.path)

    def outer(self, declared: Declared) -> Declared | None:
        """The type that a nested type is declared in."""
        path, _, part = declared.parts[0]
        return self._by_row[path, part.outer] if part.outer >= 0 else None

    def all(self) -> Iterator[Declared]:
        """All types, by full name."""
        for full in sorted(self._by_full):
            yield from self._by_full[full]
