r"""What other files may need to know of one C# file: plain values, fit for the cache.

Names are *as written*, compact (no space, no comment) and with escapes resolved, so that
``@Thread . Sl\u0065ep`` is ``Thread.Sleep``; what they mean is the index's business. Rows refer
to each other by their position in the tuples of ``Facts``; -1 is none.
"""

from typing import NamedTuple

from guards.languages.csharp.bodies import NO_BODIES, Bodies
from guards.source.place import Place


class Spot(NamedTuple):
    """Where a name stands: 1-based line and columns in characters, the end exclusive."""

    line: int
    column: int
    end_column: int

    def place(self, path: str) -> Place:
        """The spot as a place in a file."""
        return Place(path, self.line, self.column, self.line, self.end_column)


class Attribute(NamedTuple):
    """One attribute.

    ``arguments`` are those that fold to constants, by position and by name; ``unsolved`` are the
    formulas (see ``constants``) of those that other files may fold.
    """

    name: str
    arguments: tuple[tuple[str, str], ...]
    spot: Spot
    unsolved: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Using(NamedTuple):
    """A using directive; ``kind`` is ``namespace``, ``static``, ``alias`` or ``extern``."""

    kind: str
    name: str
    alias: str = ""
    is_global: bool = False


class Namespace(NamedTuple):
    """A namespace declaration with its usings; row 0 is the file itself and has no name."""

    name: str
    parent: int
    usings: tuple[Using, ...]


class Member(NamedTuple):
    """A field, constant, event, enum member or parameter of a primary constructor.

    ``value`` is the formula of a constant, empty where it is none that can be told.
    """

    name: str
    kind: str
    type: str
    modifiers: tuple[str, ...] = ()
    value: tuple[str, ...] = ()


class Parameter(NamedTuple):
    """A parameter: ``type`` is empty where the source leaves it out."""

    name: str
    type: str
    modifiers: tuple[str, ...] = ()
    optional: bool = False


class Type(NamedTuple):
    """One declaration of a type, that is, one part of a partial type.

    ``full`` has namespaces and outer types; each generic type in it carries its number of
    parameters (``Pool`2``). ``kind`` is class, struct, interface, enum, record, record struct
    or delegate.
    """

    name: str
    full: str
    kind: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[str, ...]
    bases: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    members: tuple[Member, ...]
    namespace: int
    outer: int
    spot: Spot


class Function(NamedTuple):
    """Whatever has a body of its own: method, local function, constructor, property and so on.

    ``kind`` is method, local, constructor, destructor, property, indexer, event or operator.
    ``owner`` is the type, ``outer`` the enclosing function of a local one. ``interface`` is the
    interface that an explicit implementation names. ``calls`` are the own members that the body
    calls or hands on, lambdas included: ``Help``, ``this.Help``, ``base.Help``, ``Nested.Help``.
    """

    name: str
    kind: str
    modifiers: tuple[str, ...]
    returns: str
    parameters: tuple[Parameter, ...]
    type_parameters: tuple[str, ...]
    interface: str
    attributes: tuple[Attribute, ...]
    calls: tuple[str, ...]
    owner: int
    outer: int
    has_body: bool
    spot: Spot

    @property
    def scope(self) -> str:
        """The identity of the scope that its signature stands in."""
        return f"t{self.owner}" if self.owner >= 0 else "n0"


class Facts(NamedTuple):
    """All of one file, in source order."""

    namespaces: tuple[Namespace, ...]
    types: tuple[Type, ...]
    functions: tuple[Function, ...]
    bodies: Bodies = NO_BODIES


class Outline(NamedTuple):
    """What names alone need to know of a file, so that the facts of most files are never looked at.

    ``types`` are the full names of the types, in the order of their rows; ``file_local`` are the
    rows of those that no other file sees.
    """

    namespaces: tuple[str, ...]
    types: tuple[str, ...]
    file_local: tuple[int, ...]
    has_global_usings: bool


def outline(facts: Facts) -> Outline:
    """The outline of a file."""
    return Outline(
        tuple(namespace.name for namespace in facts.namespaces if namespace.name),
        tuple(declared.full for declared in facts.types),
        tuple(row for row, declared in enumerate(facts.types) if "file" in declared.modifiers),
        any(using.is_global for using in facts.namespaces[0].usings),
    )
