"""Byte ranges as sorted, disjoint lists."""

from collections.abc import Iterable, Sequence

Span = tuple[int, int]


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same bytes in order, touching and overlapping ranges joined; empty ones are dropped."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def without(spans: Sequence[Span], holes: Sequence[Span]) -> list[Span]:
    """What is left of ``spans`` outside of ``holes``; both are merged."""
    result: list[Span] = []
    index = 0
    for start, end in spans:
        position = start
        while index < len(holes) and holes[index][1] <= position:
            index += 1
        look = index
        while look < len(holes) and holes[look][0] < end:
            if holes[look][0] > position:
                result.append((position, holes[look][0]))
            position = max(position, holes[look][1])
            look += 1
        if position < end:
            result.append((position, end))
        index = max(index, look - 1)
    return result


def common(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """The bytes that are in both; both are merged."""
    return without(spans, without(spans, others))
