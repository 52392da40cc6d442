"""Which of some nested nodes encloses a place."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from guards.languages.syntax import Node


class Scopes:
    """Nested nodes of some kinds, to be asked what encloses an offset.

    ``ends`` are the ends of those, by their starts, that reach further than the tree says.
    """

    def __init__(self, nodes: Iterable[Node], ends: Mapping[int, int] = MappingProxyType({})) -> None:
        self.nodes = sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))
        self._starts = [node.start_byte for node in self.nodes]
        self._ends = [max(node.end_byte, ends.get(node.start_byte, 0)) for node in self.nodes]
        self._parents: list[int] = []
        open_: list[int] = []
        for index, start in enumerate(self._starts):
            while open_ and self._ends[open_[-1]] <= start:
                open_.pop()
            self._parents.append(open_[-1] if open_ else -1)
            open_.append(index)

    def extent(self, index: int) -> tuple[int, int]:
        """The start and the end of a node."""
        return self._starts[index], self._ends[index]

    def enclosing(self, offset: int) -> Iterator[int]:
        """The indexes of the nodes that hold an offset, from the innermost outward."""
        index = bisect_right(self._starts, offset) - 1
        while index >= 0:
            if offset < self._ends[index]:
                yield index
            index = self._parents[index]
