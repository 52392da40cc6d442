import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.source.edits import Edit, apply


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ((), "abcdef"),
        ((Edit(1, 2, ""),), "acdef"),
        ((Edit(6, 6, "!"),), "abcdef!"),
        ((Edit(4, 5, "E"), Edit(0, 1, "AA")), "AAbcdEf"),
        ((Edit(2, 2, "-"), Edit(2, 3, "é")), "ab-édef"),
    ],
)
def test_edits_are_made_in_the_order_of_their_places(edits: tuple[Edit, ...], expected: str) -> None:
    assert apply(b"abcdef", edits).decode() == expected


@given(st.binary(max_size=40), st.lists(st.integers(0, 40), max_size=8))
def test_what_no_edit_covers_stays(data: bytes, cuts: list[int]) -> None:
    cuts = sorted({min(cut, len(data)) for cut in cuts})
    deletions = [Edit(start, end, "") for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    kept = bytearray(data)
    for edit in reversed(deletions):
        del kept[edit.start : edit.end]
    assert apply(data, deletions) == kept
