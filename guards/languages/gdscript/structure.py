"""Which class, function and lambda of a file a place stands in."""

from collections.abc import Iterable
from itertools import pairwise

from guards.languages.gdscript.facts import NOWHERE, SCRIPT
from guards.languages.gdscript.members import CLASS, FUNCTIONS, members
from guards.languages.gdscript.scopes import Scopes
from guards.languages.syntax import Node


class Structure:
    """The members of all classes of one file, and what encloses a place.

    Classes and functions go by their rows in the file's facts.
    """

    def __init__(self, root: Node, data: bytes, functions: Iterable[Node], lambdas: Iterable[Node]) -> None:
        self.members = list(members(root, data))
        self._classes = Scopes(member.node for member in self.members if member.node.type == CLASS)
        of_functions = (member.node for member in self.members if member.node.type in FUNCTIONS)
        self._functions = Scopes(of_functions, _ends_by_indent(root) if root.has_error else {})
        # To Godot a function in a function is a lambda with a name.
        of_classes = {node.start_byte for node in self._functions.nodes}
        named_lambdas = (node for node in functions if node.start_byte not in of_classes)
        self._lambdas = Scopes((*lambdas, *named_lambdas))

    @property
    def functions(self) -> list[Node]:
        """The functions of all classes, by their rows."""
        return self._functions.nodes

    def function_extent(self, row: int) -> tuple[int, int]:
        """The start and the end of a function."""
        return self._functions.extent(row)

    def function_at(self, offset: int) -> int:
        """The row of the function that encloses a place, lambdas looked through; ``NOWHERE`` outside of any."""
        return next(self._functions.enclosing(offset), NOWHERE)

    @property
    def lambdas(self) -> list[Node]:
        """The lambdas, by their rows; functions in functions are among them."""
        return self._lambdas.nodes

    def lambda_at(self, offset: int) -> int:
        """The row of the innermost lambda that holds a place; ``NOWHERE`` outside of any."""
        return next(self._lambdas.enclosing(offset), NOWHERE)

    def lambda_around(self, start: int, end: int) -> int:
        """The row of the innermost lambda that holds a range and more; ``NOWHERE`` where there is none."""
        for row in self._lambdas.enclosing(start):
            if self._lambdas.extent(row) != (start, end):
                return row
        return NOWHERE

    def class_at(self, offset: int) -> int:
        """The row of the class that encloses a place."""
        return next(self._classes.enclosing(offset), SCRIPT - 1) + 1

    def in_lambda(self, offset: int) -> bool:
        """Whether a place stands in a lambda of the function that encloses it, or outside of functions."""
        return next(self._lambdas.enclosing(offset), -1) >= 0


def _ends_by_indent(root: Node) -> dict[int, int]:
    """Where what begins at the left margin ends, by its start: behind an error bodies come loose from functions."""
    starts = [child.start_byte for child in root.named_children if child.start_point[1] == 0]
    return dict(pairwise([*starts, root.end_byte]))
