"""Comparisons with a text, rewritten so that the text need only be contained."""

import libcst as cst

from guards.languages.python.rewriting import Source
from guards.source.edits import Edit

_TEXT = cst.SimpleString | cst.ConcatenatedString


def contained(source: Source, start: int, end: int) -> tuple[Edit, ...]:
    """The edits that make ``"text" in message`` of the one comparison in a byte range; none where that is not plain."""
    found = [node for node in source.nodes_in(source.module) if isinstance(node, cst.Comparison)]
    inside = [node for node in found if _lies_in(source.span(node), start, end)]
    if len(inside) != 1 or len(inside[0].comparisons) != 1:
        return ()
    left, target = inside[0].left, inside[0].comparisons[0]
    right = target.comparator
    if not isinstance(target.operator, cst.Equal) or isinstance(left, _TEXT) == isinstance(right, _TEXT):
        return ()
    data, (first, last) = source.data, source.span(inside[0])
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


def _lies_in(span: tuple[int, int], start: int, end: int) -> bool:
    return start <= span[0] and span[1] <= end
