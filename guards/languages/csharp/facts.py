r"""What other files may need to know of one C# file: plain values, fit for the cache.

Names are *as written*, compact (no space, no comment) and with escapes resolved, so that
``@Thread . Sl\u0065ep`` is ``Thread.Sleep``; what they mean is the index's business. Rows refer
to each other by their position in the tuples of ``Facts``; -1 is none.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from guards.languages.csharp.bodies import NO_BODIES, Bodies
from guards.languages.csharp.names import last_name
from guards.languages.csharp.words import words
from guards.source.place import Place

# Literals, since a decoder makes one object of each: files have thousands of them.
Modifier: TypeAlias = Literal[
    "abstract", "async", "const", "extern", "file", "fixed", "in", "internal", "new", "out", "override", "params",
    "partial", "private", "protected", "public", "readonly", "ref", "required", "scoped", "sealed", "static", "this",
    "unsafe", "virtual", "volatile",
]  # fmt: skip
UsingKind: TypeAlias = Literal["alias", "extern", "namespace", "static"]
MemberKind: TypeAlias = Literal["constant", "enum member", "event", "field", "parameter"]
TypeKind: TypeAlias = Literal["class", "delegate", "enum", "interface", "record", "record struct", "struct"]
FunctionKind: TypeAlias = Literal[
    "constructor", "delegate", "destructor", "event", "indexer", "local", "method", "operator", "property"
]
# By simple names: an outline knows no others.
_TESTS = words("Fact SkippableFact SkippableTheory Test TestCase TestMethod Theory UnityTest")


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

    kind: UsingKind
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
    kind: MemberKind
    type: str
    modifiers: tuple[Modifier, ...] = ()
    value: tuple[str, ...] = ()


class Parameter(NamedTuple):
    """A parameter: ``type`` is empty where the source leaves it out."""

    name: str
    type: str
    modifiers: tuple[Modifier, ...] = ()
    optional: bool = False


class Type(NamedTuple):
    """One declaration of a type, that is, one part of a partial type.

    ``full`` has namespaces and outer types; each generic type in it carries its number of
    parameters (``Pool`2``). ``kind`` is class, struct, interface, enum, record, record struct
    or delegate.
    """

    name: str
    full: str
    kind: TypeKind
    modifiers: tuple[Modifier, ...]
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
    kind: FunctionKind
    modifiers: tuple[Modifier, ...]
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

    @property
    def is_extension(self) -> bool:
        """Whether it can be called as a method of its first argument."""
        return bool(self.parameters) and "this" in self.parameters[0].modifiers


class Facts(NamedTuple):
    """All of one file, in source order."""

    namespaces: tuple[Namespace, ...]
    types: tuple[Type, ...]
    functions: tuple[Function, ...]
    bodies: Bodies = NO_BODIES


def type_parameters(facts: Facts, function: str) -> tuple[str, ...]:
    """The type parameters of a function, by its identity, and of the functions around it."""
    names: list[str] = []
    row = int(function) if function else -1
    while row >= 0:
        names += facts.functions[row].type_parameters
        row = facts.functions[row].outer
    return tuple(names)


class Row(NamedTuple):
    """A row of the facts by its name."""

    name: str
    row: int


class Outline(NamedTuple):
    """What names alone need to know of a file, so that the facts of most files are never looked at.

    ``types`` are the full names of the types, in the order of their rows, and ``bases`` the
    simple names of what each can derive from. ``file_local`` are the rows of types that no other
    file sees. ``aliases`` hold for the whole unit, each with the simple name of its target.
    ``extensions`` are the extension methods; ``helpers`` other methods that have bodies, can be
    called on an object and are no tests.
    """

    namespaces: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    bases: tuple[tuple[str, ...], ...] = ()
    file_local: tuple[int, ...] = ()
    has_global_usings: bool = False
    aliases: tuple[tuple[str, str], ...] = ()
    extensions: tuple[Row, ...] = ()
    helpers: tuple[Row, ...] = ()


def outline(facts: Facts) -> Outline:
    """The outline of a file."""
    usings = facts.namespaces[0].usings
    aliases = {
        using.alias: last_name(using.name) for space in facts.namespaces for using in space.usings if using.alias
    }
    with_bodies = {body.function for body in facts.bodies.functions}
    extensions, helpers = [], []
    for row, function in enumerate(facts.functions):
        if function.is_extension:
            extensions.append(Row(function.name, row))
        elif row in with_bodies and function.kind == "method" and not _is_static_or_test(function):
            helpers.append(Row(function.name, row))
    return Outline(
        tuple(namespace.name for namespace in facts.namespaces if namespace.name),
        tuple(declared.full for declared in facts.types),
        tuple(tuple(dict.fromkeys(_base_names(declared, aliases))) for declared in facts.types),
        tuple(row for row, declared in enumerate(facts.types) if "file" in declared.modifiers),
        any(using.is_global for using in usings),
        tuple((using.alias, last_name(using.name)) for using in usings if using.is_global and using.alias),
        tuple(extensions),
        tuple(helpers),
    )


def _base_names(declared: Type, aliases: Mapping[str, str]) -> Iterator[str]:
    for base in declared.bases:
        name = last_name(base)
        yield name
        if base in aliases:
            yield aliases[base]


def _is_static_or_test(function: Function) -> bool:
    return "static" in function.modifiers or any(
        last_name(attribute.name).removesuffix("Attribute") in _TESTS for attribute in function.attributes
    )
