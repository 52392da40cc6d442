"""Comparisons with a text, rewritten so that the text need only be contained."""

from bisect import bisect_left
from operator import itemgetter

import libcst as cst

from guards.languages.python.rewriting import Source
from guards.source.edits import Edit

_TEXT = cst.SimpleString | cst.ConcatenatedString


class Containment:
    """The comparisons of one file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        nodes = (node for node in source.nodes_in(source.module) if isinstance(node, cst.Comparison))
        self._comparisons = sorted(((*source.span(node), node) for node in nodes), key=itemgetter(0, 1))

    def edits(self, start: int, end: int) -> tuple[Edit, ...]:
        """The edits that make ``"text" in message`` of the one comparison in a byte range; none where not plain."""
        first = bisect_left(self._comparisons, start, key=itemgetter(0))
        behind = bisect_left(self._comparisons, end, key=itemgetter(0))
        inside = [node for _, stop, node in self._comparisons[first:behind] if stop <= end]
        return _contained(self._source, inside[0]) if len(inside) == 1 else ()


def _contained(source: Source, comparison: cst.Comparison) -> tuple[Edit, ...]:
    if len(comparison.comparisons) != 1:
        return ()
    left, target = comparison.left, comparison.comparisons[0]
    right = target.comparator
    if not isinstance(target.operator, cst.Equal) or isinstance(left, _TEXT) == isinstance(right, _TEXT):
        return ()
    data, (first, last) = source.data, source.span(comparison)
    between = data[source.span(left)[1] : source.span(right)[0]]
    if between.count(b"==") != 1 or b"#" in between:
        return ()
    sign = source.span(left)[1] + between.index(b"==")
    # With the parentheses around each side.
    left_end = len(data[:sign].rstrip())
    right_start = last - len(data[sign + 2 : last].lstrip())
    operator = f"{' ' * (left_end == sign)}in{' ' * (right_start == sign + 2)}"
    edits = [Edit(sign, sign + 2, operator)]
    if not isinstance(left, _TEXT):
        edits.append(Edit(first, left_end, data[right_start:last].decode()))
        edits.append(Edit(right_start, last, data[first:left_end].decode()))
    return tuple(sorted(edits))
