"""The C# of one project, merged from the facts of its files."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from guards.findings.model import Related
from guards.languages.base import Use
from guards.languages.csharp.assertions import USUAL, Assertions, Named
from guards.languages.csharp.constants import Formula
from guards.languages.csharp.facts import Facts, Function, Outline, outline, type_parameters
from guards.languages.csharp.folding import Constant, Folding
from guards.languages.csharp.inference import Inference
from guards.languages.csharp.names import parse, plain
from guards.languages.csharp.reach import Reach
from guards.languages.csharp.resolve import Resolver
from guards.languages.csharp.testing import TEST_ATTRIBUTES, Testing
from guards.languages.csharp.types import Declared, FunctionId, Scope, Types
from guards.project.model import TEST_CODE, FileInfo


class Index:
    """Names, types, tests and ways, for the rules' ``judge``.

    With ``outlines`` the facts of a file are looked up only where a name leads to it.
    """

    def __init__(
        self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo], outlines: Mapping[str, Outline] | None = None
    ) -> None:
        self._facts = facts
        self._files = files
        self._outlines = outlines
        self._assertions: dict[Named, Assertions] = {}

    @property
    def facts(self) -> Mapping[str, Facts]:
        """The facts of all files; those of one file are looked up when they are asked for."""
        return self._facts

    @cached_property
    def types(self) -> Types:
        """The types that the project declares."""
        outlines = self._outlines
        if outlines is None:
            outlines = {path: outline(self._facts[path]) for path in self._facts}
        return Types(self._facts, self._files, outlines)

    @cached_property
    def resolver(self) -> Resolver:
        """What names mean."""
        return Resolver(self._facts, self._files, self.types)

    @cached_property
    def testing(self) -> Testing:
        """Which functions are tests and lifecycle methods."""
        return Testing(self.resolver, self.types, self._files)

    @cached_property
    def inference(self) -> Inference:
        """The types of expressions."""
        return Inference(self.types, self.resolver)

    def assertions(self, named: Named) -> Assertions:
        """Which tests come to an assertion, where methods of some names count as assertions."""
        if named not in self._assertions:
            self._assertions[named] = Assertions(self, named)
        return self._assertions[named]

    @cached_property
    def folding(self) -> Folding:
        """The values of constants."""
        return Folding(self.resolver)

    def least_outcomes(self, path: str, function: str) -> int:
        """The least number of assertions on any way through a function.

        What nobody can tell counts as none, so whoever runs the function sees as many at least.
        """
        return self.assertions(USUAL).answer(FunctionId(path, int(function))).least

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self.types, self.resolver, self.testing)

    def is_test(self, path: str) -> bool:
        """Whether the file is test code: of a test assembly, or of Unity's editor assembly and with a test in it."""
        info = self._files[path]
        if info.role in TEST_CODE:
            return True
        in_editor = info.unit.kind == "unity" and "Editor" in info.unit.name
        return in_editor and path in self._facts and any(self._tests_in(path))

    def _tests_in(self, path: str) -> Iterator[bool]:
        for row, function in enumerate(self._facts[path].functions):
            if function.attributes:
                yield self.testing.is_marked(FunctionId(path, row), TEST_ATTRIBUTES)

    def full_names(self, path: str, use: Use) -> tuple[str, ...]:
        """The full names that a use can mean; nothing where its receiver is a value or cannot be told."""
        return self.member_names(path, use.scope, use.name)

    def member_names(self, path: str, scope: str, name: str) -> tuple[str, ...]:
        """The full names of a member that is written as a dotted name in some scope of a file."""
        head, tail = _split_at_brackets(name)
        return tuple(plain(full) + tail for full in self.resolver.member_names(self.scope(path, scope), parse(head)))

    def type_names(self, path: str, scope: str, name: str) -> tuple[str, ...]:
        """The full names of the types that a name can mean, without numbers of type parameters."""
        return tuple(plain(full) for full in self.resolver.type_names(self.scope(path, scope), name))

    def attribute_names(self, path: str, scope: str, name: str) -> tuple[str, ...]:
        """The full names of an attribute and of all that it derives from."""
        return self.testing.attribute_names(self.scope(path, scope), name)

    def constant(self, path: str, scope: str, formula: Formula) -> Constant | None:
        """What a formula comes to that stands in some scope of a file; None where that is not known."""
        return self.folding.constant(self.scope(path, scope), formula)

    def folded(self, path: str, use: Use) -> tuple[tuple[str, str], ...]:
        """The arguments of a use that are constants, wherever these are declared."""
        found = ((name, self.constant(path, use.scope, formula)) for name, formula in use.unsolved)
        return (*use.arguments, *((name, constant.text) for name, constant in found if constant is not None))

    def function(self, path: str, identity: str) -> Function:
        """The function that a candidate names."""
        return self._facts[path].functions[int(identity)]

    def type_parameters(self, path: str, identity: str) -> tuple[str, ...]:
        """The type parameters of a function that a candidate names, and of the functions around it."""
        return type_parameters(self._facts[path], identity) if identity else ()

    def owner(self, path: str, function: Function) -> Declared | None:
        """The type that a function of a file belongs to."""
        return self.types.at(path, function.owner) if function.owner >= 0 else None

    def functions_beside(self, path: str) -> Iterator[tuple[str, Function]]:
        """The functions of all files of a file's unit, each with its path."""
        for other in self.types.beside(path):
            yield from ((other, function) for function in self._facts[other].functions)

    def scope(self, path: str, identity: str) -> Scope:
        """The scope that a use, or a candidate made from one, names."""
        row = int(identity[1:]) if identity else 0
        if identity.startswith("t"):
            return Scope(path, self._facts[path].types[row].namespace, row)
        return Scope(path, row)

    def reach(self, path: str, function: str, roots: str) -> tuple[Related, ...] | None:
        """The callers from a ``test`` or ``lifecycle`` method to a function; empty for such a method itself."""
        return self._reach.way(FunctionId(path, int(function)), roots) if function else None


def _split_at_brackets(name: str) -> tuple[str, str]:
    """``Task.Delay().Wait`` as the name that can be looked up and the rest."""
    positions = [
        position for position in (name.find("("), name.find("[")) if position >= 0 and "<" not in name[:position]
    ]
    cut = min(positions, default=len(name))
    return name[:cut], name[cut:]
