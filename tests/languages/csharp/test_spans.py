"""Byte ranges, against sets of numbers."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from guards.languages.csharp.spans import Span, common, merged, without

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda pair: (pair[0], pair[0] + pair[1])))


def numbers(spans: list[Span]) -> set[int]:
    return {number for start, end in spans for number in range(start, end)}


def is_tidy(spans: list[Span]) -> bool:
    return all(start < end for start, end in spans) and all(before[1] < after[0] for before, after in pairwise(spans))


@given(SPANS)
def test_merged_ranges_hold_the_same_bytes_in_order(spans: list[Span]) -> None:
    assert numbers(merged(spans)) == numbers(spans)
    assert is_tidy(merged(spans))


@given(SPANS, SPANS)
def test_without_takes_away_exactly_the_holes(spans: list[Span], holes: list[Span]) -> None:
    left = without(merged(spans), merged(holes))
    assert numbers(left) == numbers(spans) - numbers(holes)
    assert all(start < end for start, end in left)


@given(SPANS, SPANS)
def test_common_is_what_both_hold(spans: list[Span], others: list[Span]) -> None:
    assert numbers(common(merged(spans), merged(others))) == numbers(spans) & numbers(others)
