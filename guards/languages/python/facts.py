"""What other files may need to know of a Python file: plain values that outlive its tree."""

import re
from typing import NamedTuple

from guards.languages.flow import Program
from guards.languages.python.bindings import Binding
from guards.source.place import Place

TEST_FUNCTION, FIXTURE, LIFECYCLE, HELPER = "test", "fixture", "lifecycle", "helper"

# What is registered where a hook computes the names of its markers.
ANY_MARKER = "*"


class ClassFacts(NamedTuple):
    """A class: its dotted name in the file, and its bases as references.

    ``members`` are the names that its body binds, ``methods`` those among them that are functions,
    and ``abstract`` those that are left to subclasses. ``metaclass`` is a reference.
    """

    name: str
    bases: tuple[str, ...]
    members: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    abstract: tuple[str, ...] = ()
    metaclass: str = ""


class FunctionFacts(NamedTuple):
    """A function: its dotted name in the file, what it is to pytest, and where its own name stands.

    ``calls`` are references of what it calls, or hands on to be called: all where nothing in it
    asserts for certain, and test helpers and what is named like an assertion where ``asserts``
    counts what does. ``raises`` says that it raises something else. ``asks`` are fixtures that it
    asks for, where nothing in it asserts. ``program`` is what happens on the ways through a function
    of test code; it calls by the numbers of ``Facts.called``.
    """

    name: str
    kind: str
    line: int
    column: int
    calls: tuple[str, ...] = ()
    asserts: int = 0
    raises: bool = False
    asks: tuple[str, ...] = ()
    program: Program = ""

    def place(self, path: str) -> Place:
        """The place of its name in its file."""
        length = len(self.name) - self.name.rfind(".") - 1
        return Place(path, self.line, self.column, self.line, self.column + length)


class FixtureFacts(NamedTuple):
    """A fixture by the name that tests ask for; ``gives`` is the reference of its value.

    ``function`` is the dotted name of the function that makes it; ``autouse`` says that nobody
    needs to ask for it.
    """

    name: str
    gives: str
    function: str = ""
    autouse: bool = False


class PatchCall(NamedTuple):
    """A call that may replace something, as far as its own file can tell.

    ``callee`` is a reference; ``arguments`` are references by position ("0") or keyword, those
    of no known meaning among them. ``*`` stands for unpacked arguments. ``function`` is the
    dotted name of the enclosing function.
    """

    place: Place
    callee: str
    arguments: tuple[tuple[str, str], ...]
    function: str = ""


class WrapperFacts(NamedTuple):
    """A function whose body is one patch call on a parameter: calling it patches what it is given."""

    name: str
    parameters: tuple[str, ...]
    call: PatchCall


class Exports(NamedTuple):
    """What ``import *`` takes of a module: the names in its ``__all__``, and the modules whose own is part of it.

    ``whole`` is False where more than that can be in it, or less.
    """

    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    whole: bool = True


class Facts(NamedTuple):
    """All of it.

    ``dynamic`` says that names can appear that no statement binds. ``exports`` is None where the
    module has no ``__all__``.
    ``called`` are references by the numbers that the programs of functions have for them.
    ``markers`` are those that a hook of the file registers, ``plugins`` the modules that
    ``pytest_plugins`` names.
    """

    bindings: tuple[Binding, ...] = ()
    stars: tuple[str, ...] = ()
    dynamic: bool = False
    classes: tuple[ClassFacts, ...] = ()
    functions: tuple[FunctionFacts, ...] = ()
    fixtures: tuple[FixtureFacts, ...] = ()
    wrappers: tuple[WrapperFacts, ...] = ()
    markers: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    exports: Exports | None = None
    called: tuple[str, ...] = ()


def marker_name(line: str) -> str:
    """The name in a line that registers a marker."""
    return re.split("[:(]", line, maxsplit=1)[0].strip() or ANY_MARKER
