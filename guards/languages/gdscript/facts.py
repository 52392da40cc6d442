"""What other files may need to know of one GDScript file: plain values, fit for the cache."""

from typing import NamedTuple

from guards.source.place import Place

SCRIPT = 0  # the row of the script class: the file itself


class Parameter(NamedTuple):
    """A parameter; ``kind`` is required, optional or variadic."""

    name: str
    kind: str
    type: str = ""


class Class(NamedTuple):
    """The script class (row 0) or an inner class.

    ``extends`` is a dotted name or, where ``by_path``, a path as written; empty where the
    source says nothing. ``place`` is that of the name or of ``extends``, the first line for a
    script with neither. ``outer`` is the enclosing class's row.
    """

    name: str
    extends: str
    by_path: bool
    place: Place
    extends_place: Place
    outer: int
    tool: bool = False
    abstract: bool = False


class Function(NamedTuple):
    """A function of a class, the constructor (``_init``) among them.

    ``calls`` are the functions of its own class that it calls, by name. ``literal`` is the
    text that its body, one ``return``, gives back; ``computed`` says that it has a body that
    is more than that. ``undecided`` marks functions in or next to a region that did not parse.
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


class Preload(NamedTuple):
    """A constant that holds a script: ``const NAME := preload("…")`` in the class of a row."""

    name: str
    path: str
    owner: int


class Facts(NamedTuple):
    """All of one file, in source order."""

    classes: tuple[Class, ...]
    functions: tuple[Function, ...]
    preloads: tuple[Preload, ...]
