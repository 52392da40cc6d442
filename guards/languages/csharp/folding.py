"""Constants over the project: formulas (see ``constants``) with the names in them looked up as C# does."""

from typing import NamedTuple

from guards.languages.csharp.constants import COMBINE, OTHER, Formula, solved, text_of_value, well_known
from guards.languages.csharp.facts import Member
from guards.languages.csharp.names import parse, plain
from guards.languages.csharp.resolve import Resolver
from guards.languages.csharp.types import Declared, Scope

_DEEPEST = 32
_UNSOLVED = object()


class Constant(NamedTuple):
    """The value of an expression as text, and the files that declare the constants in it."""

    text: str
    declared_in: frozenset[str]


class _Solved(NamedTuple):
    value: str | None
    declared_in: frozenset[str] = frozenset()


_UNKNOWN = _Solved(None)


class Folding:
    """Solves formulas; a constant that needs itself, or that has several values, has none."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._members: dict[tuple[Declared, str], _Solved] = {}
        self._depth = 0

    def constant(self, scope: Scope, formula: Formula) -> Constant | None:
        """What a formula comes to that stands in a scope; None where it is no constant or nobody can tell."""
        found = self._solved(scope, formula)
        text = text_of_value(found.value)
        return Constant(text, found.declared_in) if text is not None else None

    def _solved(self, scope: Scope, formula: Formula) -> _Solved:
        declared_in: set[str] = set()

        def look_up(name: str) -> str | None:
            found = self._named(scope, name)
            declared_in.update(found.declared_in)
            return found.value

        value = solved(formula, look_up)
        return _Solved(value, frozenset(declared_in)) if value is not None else _UNKNOWN

    def _named(self, scope: Scope, name: str) -> _Solved:
        """The value of a name, which is one only if all that the name can mean agree."""
        found = self._resolver.members(scope, parse(name))
        values = {
            self._member(member.holder, member.name) if member.holder is not None else _Solved(_outside(member.full))
            for member in found
        }
        return values.pop() if len(values) == 1 else _UNKNOWN

    def _member(self, holder: Declared, name: str) -> _Solved:
        key = (holder, name)
        if key not in self._members:
            if self._depth > _DEEPEST:
                return _UNKNOWN
            self._members[key] = _UNKNOWN
            self._depth += 1
            self._members[key] = self._declared(holder, name)
            self._depth -= 1
        return self._members[key]

    def _declared(self, holder: Declared, name: str) -> _Solved:
        values = {
            self._value(Scope(path, part.namespace, row), holder, member)
            for path, row, part in holder.parts
            for member in part.members
            if member.name == name
        }
        return values.pop() if len(values) == 1 else _UNKNOWN

    def _value(self, scope: Scope, holder: Declared, member: Member) -> _Solved:
        declared_in = frozenset([scope.path])
        if member.kind == "enum member":
            return _Solved(f"{OTHER}{holder.name}.{member.name}", declared_in)
        found = self._solved(scope, member.value) if member.value else _UNKNOWN
        return found._replace(declared_in=found.declared_in | declared_in)


def _outside(full: str) -> str | None:
    """The value of a member that the project does not declare."""
    return OTHER if full == COMBINE else well_known(plain(full))
