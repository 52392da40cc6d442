"""What names mean, as C# looks them up.

The first part of a dotted name goes through the enclosing types and their bases, then outward
through the namespaces, each with its aliases and usings; what is left is looked up in what was
found. Types of the project and those of ``frameworks`` are known; any other name can only be
guessed from the usings, and then every guess is given.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from guards.languages.csharp.facts import Facts, Function, Using
from guards.languages.csharp.frameworks import is_known
from guards.languages.csharp.names import GLOBAL, Name, Part, parse, plain
from guards.languages.csharp.types import Declared, Scope, Types
from guards.project.model import FileInfo

_KEYWORDS = {
    "bool": "Boolean", "byte": "Byte", "char": "Char", "decimal": "Decimal", "double": "Double", "float": "Single",
    "int": "Int32", "long": "Int64", "object": "Object", "sbyte": "SByte", "short": "Int16", "string": "String",
    "uint": "UInt32", "ulong": "UInt64", "ushort": "UInt16",
}  # fmt: skip
_ROOT = ""
# Far above what people write; hostile files must not make lookups slow.
_LONGEST_CHAIN = 64
_MOST_GUESSES = 128
_DEEPEST_LOOKUP = 24  # of base lists that have to be looked up for one another


class Sort(Enum):
    """What a name can mean; a guess is a full name that no source and no table confirms."""

    NAMESPACE = auto()
    TYPE = auto()
    VALUE = auto()
    GUESS = auto()


class Meaning(NamedTuple):
    """One thing that a name can mean, with its full name."""

    sort: Sort
    full: str


_VALUES = (Meaning(Sort.VALUE, ""),)


class FoundMember(NamedTuple):
    """A member that a name can mean: its full name, and the project's type that declares it, if one does."""

    full: str
    holder: Declared | None = None

    @property
    def name(self) -> str:
        """Its simple name."""
        return self.full.rpartition(".")[2]


class Bases(NamedTuple):
    """What a type derives from directly: types of the project, and full names of others."""

    declared: tuple[Declared, ...]
    external: tuple[str, ...]


_NO_BASES = Bases((), ())


class Resolver:
    """Name lookup over the facts of all files."""

    def __init__(self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo], types: Types) -> None:
        self._facts = facts
        self._files = files
        self._types = types
        self._bases: dict[Declared, Bases] = {}
        self._chains: dict[Declared, tuple[Declared, ...]] = {}
        self._derived: dict[Declared, tuple[Declared, ...]] = {}
        self._depth = 0
        self._global_usings: dict[str, list[Using]] = {}
        self._found: dict[tuple[str, int, Part], tuple[Meaning, ...]] = {}
        self._imports: dict[tuple[str, int], tuple[str, ...]] = {}

    # -- types

    def type_names(self, scope: Scope, text: str) -> tuple[str, ...]:
        """The full names of the types that a name can mean; nothing for what is no name of a type."""
        return tuple(
            dict.fromkeys(
                meaning.full for meaning in self.meanings(scope, parse(text)) if meaning.sort in (Sort.TYPE, Sort.GUESS)
            )
        )

    def meanings(self, scope: Scope, name: Name, *, value: bool = False) -> tuple[Meaning, ...]:
        """What a dotted name can mean; ``value`` says that it may also begin with a field or property."""
        if not name.parts:
            return ()
        found = self._first(scope, name, value=value)
        for part in name.parts[1:]:
            found = tuple(inner for meaning in found for inner in self._inside(meaning, part, scope.path))
        return found

    def attribute_names(self, scope: Scope, text: str) -> tuple[str, ...]:
        """The full names of the attributes that a name can mean, with ``Attribute`` at their end."""
        name = parse(text)
        if not name.parts:
            return ()
        last = name.parts[-1]
        suffixed = name._replace(parts=(*name.parts[:-1], last._replace(name=f"{last.name}Attribute")))
        guesses: tuple[str, ...] = ()
        for spelled in (name,) if last.name.endswith("Attribute") else (suffixed, name):
            aliased = (
                not spelled.qualifier and len(spelled.parts) == 1 and self._alias_in_any(scope, spelled.parts[0].name)
            )
            found = aliased or self.meanings(scope, spelled)
            sure = tuple(m.full for m in found if m.sort is Sort.TYPE or (aliased and m.sort is Sort.GUESS))
            if sure:
                return sure
            guesses = guesses or tuple(meaning.full for meaning in found if meaning.sort is Sort.GUESS)
        return guesses

    def bases(self, declared: Declared) -> Bases:
        """The direct bases of all parts of a type."""
        if declared not in self._bases:
            if self._depth > _DEEPEST_LOOKUP:
                return _NO_BASES
            # A base list that leads back to itself has no bases while it is being looked up.
            self._bases[declared] = _NO_BASES
            self._depth += 1
            self._bases[declared] = self._find_bases(declared)
            self._depth -= 1
        return self._bases[declared]

    def _find_bases(self, declared: Declared) -> Bases:
        inside: dict[Declared, None] = {}
        outside: dict[str, None] = {}
        for path, _, part in declared.parts:
            scope = Scope(path, part.namespace, part.outer)
            for base in part.bases:
                for full in self.type_names(scope, base):
                    known = self._types.find(full, path)
                    if known is None:
                        outside[plain(full)] = None
                    elif known is not declared:
                        inside[known] = None
        return Bases(tuple(inside), tuple(outside))

    def chain(self, declared: Declared) -> tuple[Declared, ...]:
        """A type and its bases in the project, nearest first; of a hostile number of them only the first."""
        known = self._chains.get(declared)
        if known is None:
            chain = {declared: None}
            pending = [declared]
            while pending and len(chain) < _LONGEST_CHAIN:
                following = []
                for derived in pending:
                    for base in self.bases(derived).declared:
                        if base not in chain:
                            chain[base] = None
                            following.append(base)
                pending = following
            known = tuple(chain)
            if self._depth == 0:  # else some bases are still being looked up
                self._chains[declared] = known
        return known

    def derived_from(self, declared: Declared) -> Sequence[Declared]:
        """The types of the project that derive from a type or implement it, directly or not."""
        if declared not in self._derived:
            found: dict[Declared, None] = {}
            pending = [declared]
            while pending:
                base = pending.pop()
                for derived in self._types.maybe_derived_from(base):
                    if derived not in found and derived is not declared and base in self.bases(derived).declared:
                        found[derived] = None
                        pending.append(derived)
            self._derived[declared] = tuple(found)
        return self._derived[declared]

    def external_bases(self, declared: Declared) -> tuple[str, ...]:
        """Full names of the bases, direct or not, that the project does not declare."""
        return tuple(dict.fromkeys(full for base in self.chain(declared) for full in self.bases(base).external))

    # -- members

    def member_names(self, scope: Scope, name: Name) -> tuple[str, ...]:
        """The full names that a member can have that is written as a dotted name, or as a bare one."""
        return tuple(dict.fromkeys(found.full for found in self.members(scope, name)))

    def members(self, scope: Scope, name: Name) -> tuple[FoundMember, ...]:
        """The members that a dotted or a bare name can mean."""
        first = name.parts[0] if name.parts else None
        if first is None:
            return ()
        if not name.qualifier and len(name.parts) == 1:
            return self._bare_member(scope, first.name)
        if not name.qualifier and first.name in ("this", "base"):
            return self._own_member(scope, first.name, ".".join(part.name for part in name.parts[1:]))
        found = self._first(scope, name, value=True)
        for position, part in enumerate(name.parts[1:], 1):
            rest = ".".join(part.name for part in name.parts[position:])
            inner = tuple(inside for meaning in found for inside in self._inside(meaning, part, scope.path))
            if position == len(name.parts) - 1 or not inner:
                return tuple(
                    dict.fromkeys(inner for meaning in found for inner in self._members_of(meaning, rest, scope.path))
                )
            found = inner
        return ()

    def _bare_member(self, scope: Scope, name: str) -> tuple[FoundMember, ...]:
        external: dict[str, None] = {}
        for declared in self._enclosing_types(scope):
            holder = self.declaring(declared, name)
            if holder is not None:
                return (FoundMember(f"{plain(holder.full)}.{name}", holder),)
            external.update(dict.fromkeys(self.external_bases(declared)))
        imported = tuple(FoundMember(f"{owner}.{name}", holder) for owner, holder in self._static_imports(scope, name))
        return imported or tuple(FoundMember(f"{base}.{name}") for base in external)

    def _own_member(self, scope: Scope, receiver: str, rest: str) -> tuple[FoundMember, ...]:
        if scope.type < 0:
            return ()
        declared = self._types.at(scope.path, scope.type)
        owners = self.bases(declared).declared if receiver == "base" else (declared,)
        found = [
            inner for owner in owners for inner in self._members_of(Meaning(Sort.TYPE, owner.full), rest, scope.path)
        ]
        if receiver == "base":
            found.extend(FoundMember(f"{full}.{rest}") for full in self.bases(declared).external)
        return tuple(dict.fromkeys(found))

    def declaring(self, declared: Declared, name: str) -> Declared | None:
        """The type that declares a member: the type itself, or the nearest of its bases in the project."""
        return next((base for base in self.chain(declared) if name in base.members or name in base.functions), None)

    def _members_of(self, meaning: Meaning, rest: str, path: str) -> Iterator[FoundMember]:
        """A member of what was found; values have members of unknown types."""
        if meaning.sort is Sort.VALUE:
            return
        declared = self._types.find(meaning.full, path) if meaning.sort is Sort.TYPE else None
        if declared is None:
            yield FoundMember(f"{plain(meaning.full)}.{rest}")
            return
        holder = self.declaring(declared, rest.partition(".")[0])
        yield FoundMember(f"{plain((holder or declared).full)}.{rest}", None if "." in rest else holder)
        if holder is None:
            for full in self.external_bases(declared):
                yield FoundMember(f"{full}.{rest}")

    def sees_extension(self, scope: Scope, declared: Scope, function: Function) -> bool:
        """Whether an extension method, which stands in ``declared``, can be called in a scope."""
        holder = self._types.at(declared.path, declared.type)
        around = tuple(self._enclosing_types(scope))
        if {"public", "internal"}.isdisjoint(function.modifiers) and holder not in around:
            return False
        if "file" in holder.modifiers and declared.path != scope.path:
            return False
        space = self._facts[declared.path].namespaces[declared.namespace].name
        return (
            any(
                space in levels
                or space in self._imported(scope.path, row)
                or self._imports_type(scope.path, row, holder)
                for row, levels in self._levels(scope)
            )
            or not space
        )

    def _imports_type(self, path: str, row: int, declared: Declared) -> bool:
        """Whether a ``using static`` of one declaration means a type."""
        return any(
            target.full == declared.full
            for using in self._usings(path, row)
            if using.kind == "static"
            for target in self._target(path, row, using.name)
        )

    # -- lookup of the first part

    def _first(self, scope: Scope, name: Name, *, value: bool) -> tuple[Meaning, ...]:
        part = name.parts[0]
        if name.qualifier == GLOBAL:
            return self._inside_namespace(_ROOT, part, scope.path) or (Meaning(Sort.GUESS, part.name),)
        if name.qualifier:
            aliased = self._alias_in_any(scope, name.qualifier)
            return tuple(inner for meaning in aliased for inner in self._inside(meaning, part, scope.path))
        if part.name in _KEYWORDS:
            return (Meaning(Sort.TYPE, f"System.{_KEYWORDS[part.name]}"),)
        found = self._in_types(scope, part, value=value)
        return found or self._in_namespaces(scope, part)

    def _enclosing_types(self, scope: Scope) -> Iterator[Declared]:
        rows = self._facts[scope.path].types
        row = scope.type
        while row >= 0:
            yield self._types.at(scope.path, row)
            row = rows[row].outer

    def _in_types(self, scope: Scope, part: Part, *, value: bool) -> tuple[Meaning, ...]:
        for enclosing in self._enclosing_types(scope):
            if not part.arity and any(part.name in row.type_parameters for _, _, row in enclosing.parts):
                return _VALUES
            for declared in self.chain(enclosing):
                if value and self._is_value(declared, part.name):
                    return _VALUES
                nested = self._types.find(f"{declared.full}.{part}", scope.path)
                if nested is not None:
                    return (Meaning(Sort.TYPE, nested.full),)
        return ()

    def _is_value(self, declared: Declared, name: str) -> bool:
        """Whether a member holds a value; one named as its own type stands for the type as well."""
        member = declared.members.get(name)
        types = [member.type] if member is not None else []
        for function in declared.functions.get(name, ()):
            row = self._types.function(function)
            if row.kind in ("property", "event") and not row.interface:
                types.append(row.returns)
        return bool(types) and not any(
            parts and parts[-1].name == name for parts in (parse(type_name).parts for type_name in types)
        )

    def _in_namespaces(self, scope: Scope, part: Part) -> tuple[Meaning, ...]:
        key = (scope.path, scope.namespace, part)
        if key not in self._found:
            self._found[key] = self._find_in_namespaces(scope, part)
        return self._found[key]

    def _find_in_namespaces(self, scope: Scope, part: Part) -> tuple[Meaning, ...]:
        guessed: dict[str, None] = {}
        for row, levels in self._levels(scope):
            for level in levels:
                found = self._inside_namespace(level, part, scope.path)
                if not found and level is levels[0]:
                    found = self._in_usings(scope.path, row, part)
                    guessed.update(dict.fromkeys(self._imported(scope.path, row)))
                if found:
                    return found
                guessed[level] = None
        # By convention what begins with a small letter is a variable that some base declares.
        if part.name[0] == "_" or part.name[0].islower():
            return ()
        return tuple(
            Meaning(Sort.GUESS, f"{namespace}.{part.name}" if namespace else part.name)
            for namespace in tuple(guessed)[:_MOST_GUESSES]
            if not is_known(namespace, part.name, 0 if part.arity else 1)
        )

    def _levels(self, scope: Scope) -> Iterator[tuple[int, list[str]]]:
        """Each namespace declaration around a scope, with the namespaces that it opens, from inside out."""
        namespaces = self._facts[scope.path].namespaces
        row = scope.namespace
        while row > 0:
            parent = namespaces[row].parent
            level, levels = namespaces[row].name, []
            while level and level != namespaces[parent].name:
                levels.append(level)
                level = level.rpartition(".")[0]
            yield row, levels
            row = parent
        yield 0, [_ROOT]

    def _inside(self, meaning: Meaning, part: Part, path: str) -> tuple[Meaning, ...]:
        """What a further part means in what was found so far; nothing where it is a member."""
        if meaning.sort is Sort.NAMESPACE:
            return self._inside_namespace(meaning.full, part, path) or (
                Meaning(Sort.GUESS, f"{meaning.full}.{part.name}"),
            )
        if meaning.sort is Sort.GUESS:
            return (Meaning(Sort.GUESS, f"{meaning.full}.{part.name}"),)
        declared = self._types.find(meaning.full, path) if meaning.sort is Sort.TYPE else None
        for base in self.chain(declared) if declared is not None else ():
            nested = self._types.find(f"{base.full}.{part}", path)
            if nested is not None:
                return (Meaning(Sort.TYPE, nested.full),)
        return ()

    def _inside_namespace(self, namespace: str, part: Part, path: str) -> tuple[Meaning, ...]:
        full = f"{namespace}.{part}" if namespace else str(part)
        if self._types.find(full, path) is not None:
            return (Meaning(Sort.TYPE, full),)
        if is_known(namespace, part.name, part.arity):
            return (Meaning(Sort.TYPE, f"{namespace}.{part.name}"),)
        return (Meaning(Sort.NAMESPACE, full),) if not part.arity and full in self._types.namespaces else ()

    # -- usings

    def _in_usings(self, path: str, row: int, part: Part) -> tuple[Meaning, ...]:
        if not part.arity:
            aliased = self._alias(path, row, part.name)
            if aliased:
                return aliased
        found: dict[Meaning, None] = {}
        for namespace in self._imported(path, row):
            for meaning in self._inside_namespace(namespace, part, path):
                if meaning.sort is Sort.TYPE:
                    found[meaning] = None
        for using in self._usings(path, row):
            if using.kind == "static":  # brings the nested types of its target, too
                for target in self._target(path, row, using.name):
                    found.update(dict.fromkeys(self._inside(target, part, path) if target.sort is Sort.TYPE else ()))
        return tuple(found)

    def _usings(self, path: str, row: int) -> Iterator[Using]:
        yield from self._facts[path].namespaces[row].usings
        if row == 0:
            yield from self._global_usings_of(path)
            for fact in self._files[path].unit.fact("usings") if path in self._files else ():
                yield _using_of(fact)

    def _global_usings_of(self, path: str) -> list[Using]:
        """What the files of a file's unit import for all of them."""
        unit = self._types.unit_key(path)
        if unit not in self._global_usings:
            files = (other for other in self._types.beside(path) if self._types.has_global_usings(other))
            usings = (using for other in files for using in self._facts[other].namespaces[0].usings)
            self._global_usings[unit] = [using for using in usings if using.is_global]
        return self._global_usings[unit]

    def _alias(self, path: str, row: int, alias: str) -> tuple[Meaning, ...]:
        for using in self._usings(path, row):
            if using.alias == alias:
                return (
                    (Meaning(Sort.NAMESPACE, _ROOT),) if using.kind == "extern" else self._target(path, row, using.name)
                )
        return ()

    def _alias_in_any(self, scope: Scope, alias: str) -> tuple[Meaning, ...]:
        return next((found for row, _ in self._levels(scope) if (found := self._alias(scope.path, row, alias))), ())

    def alias_target(self, scope: Scope, alias: str) -> tuple[Scope, str] | None:
        """What a using alias stands for as it is written, and where; None where the name is no alias."""
        for row, _ in self._levels(scope):
            for using in self._usings(scope.path, row):
                if using.alias == alias and using.kind == "alias":
                    return Scope(scope.path, row), using.name
        return None

    def _imported(self, path: str, row: int) -> tuple[str, ...]:
        """The namespaces that the usings of one declaration import."""
        if (path, row) not in self._imports:
            names: dict[str, None] = {}
            for using in self._usings(path, row):
                if using.kind == "namespace":
                    targets = self._target(path, row, using.name)
                    names.update(dict.fromkeys(target.full for target in targets if target.sort is not Sort.TYPE))
            self._imports[path, row] = tuple(names)
        return self._imports[path, row]

    def _static_imports(self, scope: Scope, member: str) -> "Iterator[tuple[str, Declared | None]]":
        """The types whose member a bare name can mean through a ``using static``, from inside out."""
        for row, _ in self._levels(scope):
            found: dict[tuple[str, Declared | None], None] = {}
            for using in self._usings(scope.path, row):
                if using.kind != "static":
                    continue
                for target in self._target(scope.path, row, using.name):
                    declared = self._types.find(target.full, scope.path)
                    holder = self.declaring(declared, member) if declared is not None else None
                    if declared is None or holder is not None:
                        found[plain(holder.full if holder is not None else target.full), holder] = None
                    else:
                        found.update(dict.fromkeys((full, None) for full in self.external_bases(declared)))
            if found:
                yield from found
                return

    def _target(self, path: str, row: int, text: str) -> tuple[Meaning, ...]:
        """What a using directive names: neither its own aliases nor its own imports count there."""
        name = parse(text)
        if not name.parts:
            return ()
        first = name.parts[0]
        found: tuple[Meaning, ...] = ()
        if name.qualifier and name.qualifier != GLOBAL:
            found = tuple(
                i for m in self._alias_in_any(Scope(path, row), name.qualifier) for i in self._inside(m, first, path)
            )
        levels = (
            [_ROOT] if name.qualifier else [level for _, levels in self._levels(Scope(path, row)) for level in levels]
        )
        for level in levels:
            found = found or self._inside_namespace(level, first, path)
        if not found and first.name in _KEYWORDS:
            found = (Meaning(Sort.TYPE, f"System.{_KEYWORDS[first.name]}"),)
        found = found or (Meaning(Sort.GUESS, first.name),)
        for part in name.parts[1:]:
            found = tuple(inner for meaning in found for inner in self._inside(meaning, part, path))
        return found


def _using_of(fact: str) -> Using:
    """A global using that the project file declares: ``N``, ``static N.T`` or ``A=N.T``."""
    alias, equals, target = fact.partition("=")
    if equals:
        return Using("alias", target, alias, is_global=True)
    is_static = fact.startswith("static ")
    return Using("static" if is_static else "namespace", fact.removeprefix("static "), is_global=True)
