"""What other files may need to know of one GDScript file: plain values, fit for the cache."""

from typing import NamedTuple

from guards.languages.flow import Program
from guards.source.place import Place

SCRIPT = 0  # the row of the script class: the file itself
NOWHERE = -1  # no class or function of the file


class TypeName(NamedTuple):
    """A class as the source names it: ``"res://a.gd".Inner`` is a path and names, ``A.B`` names alone."""

    path: str = ""
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join((f'"{self.path}"', *self.names) if self.path else self.names)


class Parameter(NamedTuple):
    """A parameter; ``kind`` is required, optional or variadic."""

    name: str
    kind: str
    type: str = ""


class Class(NamedTuple):
    """The script class (row 0) or an inner class.

    ``base`` is None where the source names none. ``head`` is the place of ``extends``, else that
    of the name, else the first line. ``outer`` is the enclosing class's row.
    """

    name: str
    base: TypeName | None
    head: Place
    outer: int
    tool: bool = False
    abstract: bool = False


class Function(NamedTuple):
    """A function of a class, the constructor (``_init``) among them.

    ``owner`` is the class's row, ``NOWHERE`` for what came loose where the file did not parse.
    ``awaits`` and ``calls`` are those that run when it runs: not those of lambdas for the former.
    ``calls`` are calls of functions that its class may have: by name, ``super.NAME`` or
    ``CLASS.NAME``. ``literal`` is the text that its body, one ``return``, gives back.
    ``undecided`` marks functions that overlap a region that did not parse.
    """

    name: str
    owner: int
    parameters: tuple[Parameter, ...]
    returns: str
    place: Place
    static: bool
    abstract: bool
    awaits: tuple[Place, ...]
    calls: tuple[str, ...]
    literal: str | None
    undecided: bool


class Alias(NamedTuple):
    """A constant that may hold a class, in the class of a row: ``const NAME := preload("…")``."""

    name: str
    target: TypeName
    owner: int


class Variable(NamedTuple):
    """A member variable of the class of a row; ``type`` is the declared one, or the one that ``:=`` gives it."""

    name: str
    type: str
    owner: int


class Truth(NamedTuple):
    """A constant, or an enum, of the class of a row of which it is known whether it is true: not empty."""

    name: str
    owner: int
    is_true: bool


class Flows(NamedTuple):
    """The flow programs of the functions of a file, by their rows, and of its lambdas, by theirs.

    ``names`` are what the programs call, by number: see ``events``. ``outside`` says that something
    that may assert stands in no function. All is empty where no class of the file can belong to a suite.
    """

    names: tuple[str, ...]
    functions: tuple[Program, ...]
    lambdas: tuple[Program, ...]
    truths: tuple[Truth, ...]
    outside: bool = False


class Facts(NamedTuple):
    """All of one file, in source order; ``complete`` says that all of it parsed."""

    classes: tuple[Class, ...]
    functions: tuple[Function, ...]
    aliases: tuple[Alias, ...]
    variables: tuple[Variable, ...]
    complete: bool
    flows: Flows
