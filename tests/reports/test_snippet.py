import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.reports.snippet import Row, rows, width_of
from guards.source.place import Place
from guards.source.text import SourceText


def shown(text: str, *place: int, room: int = 100) -> list[Row]:
    return list(rows(SourceText("a.py", text.encode()), Place("a.py", *place), "^", room))


def test_a_range_is_marked_below_its_line() -> None:
    assert shown("def f():\n    sleep(1)\n", 2, 5, 2, 10) == [(2, "    sleep(1)", "    ^^^^^")]


def test_an_empty_range_has_one_mark() -> None:
    assert shown("a = 1\n", 1, 3, 1, 3) == [(1, "a = 1", "  ^")]


def test_the_end_of_a_line_can_be_marked() -> None:
    assert shown("a =\n", 1, 4, 1, 4) == [(1, "a =", "   ^")]


def test_a_file_as_a_whole_has_no_line() -> None:
    assert shown("a = 1\n", 1, 1, 1, 1) == []


def test_a_line_that_is_not_there_any_more_is_not_shown() -> None:
    assert shown("a = 1\n", 7, 1, 7, 5) == []


def test_a_column_behind_the_line_is_no_trouble() -> None:
    assert shown("a\n", 1, 50, 1, 60) == [(1, "a", " ^")]


def test_tabs_are_widened_to_their_stops() -> None:
    assert shown("\tawait f()\n", 1, 2, 1, 7) == [(1, "    await f()", "    ^^^^^")]
    assert shown("ab\tcd\n", 1, 4, 1, 6) == [(1, "ab  cd", "    ^^")]
    assert shown("ab\tcd\n", 1, 3, 1, 4) == [(1, "ab  cd", "  ^^")]


def test_wide_characters_take_two_columns() -> None:
    assert shown("名前 = 値\n", 1, 6, 1, 7) == [(1, "名前 = 値", "       ^^")]


def test_combining_characters_take_none() -> None:
    assert shown("e\u0301 = x\n", 1, 6, 1, 7) == [(1, "e\u0301 = x", "    ^")]


def test_escapes_take_the_room_that_they_need() -> None:
    assert shown("# \x1b[31m\u202e x\n", 1, 10, 1, 11) == [(1, r"# \x1b[31m\u202e x", " " * 17 + "^")]


def test_of_a_range_of_several_lines_the_first_and_the_last_are_shown() -> None:
    text = "def f(\n    a,\n    b,\n):\n    pass\n"
    assert shown(text, 1, 5, 4, 2) == [(1, "def f(", "    ^^"), (0, "...", ""), (4, "):", "^")]
    assert shown(text, 1, 5, 2, 6) == [(1, "def f(", "    ^^"), (2, "    a,", "    ^")]


def test_a_range_that_ends_before_the_first_character_of_a_line_does_not_reach_into_it() -> None:
    assert shown("a = 1\nb = 2\n", 1, 1, 2, 1) == [(1, "a = 1", "^^^^^")]


def test_a_range_that_ends_with_an_empty_line_shows_its_first_line_alone() -> None:
    assert shown("a = [\n   \n\n]", 1, 5, 3, 1) == [(1, "a = [", "    ^")]


def test_a_long_line_is_cut_behind_a_range_at_its_start() -> None:
    assert shown("call(" + "x" * 100 + ")", 1, 1, 1, 5, room=20) == [(1, "call(xxxxxxxxxxxx...", "^^^^")]


def test_a_long_line_is_cut_on_both_sides_of_a_range() -> None:
    assert shown("a" * 50 + "call" + "b" * 50, 1, 51, 1, 55, room=20) == [(1, "...aaaaaacallbbbb...", "         ^^^^")]


def test_a_long_line_is_cut_before_a_range_at_its_end() -> None:
    assert shown("a" * 50 + "call", 1, 51, 1, 55, room=20) == [(1, "...aaaaaacall", "         ^^^^")]


def test_of_a_range_that_is_wider_than_the_room_the_start_is_shown() -> None:
    assert shown("a" * 50 + "call" * 20, 1, 51, 1, 131, room=20) == [(1, "...aaaaaacallcall...", "         ^^^^^^^^")]


def test_a_line_that_just_fits_is_not_cut() -> None:
    assert shown("a" * 20, 1, 20, 1, 21, room=20) == [(1, "a" * 20, " " * 19 + "^")]
    assert shown("a" * 21, 1, 20, 1, 21, room=20) == [(1, "...aaaaaaaa", " " * 9 + "^")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_are_not_shown(end: str) -> None:
    assert shown(f"a{end}b{end}", 2, 1, 2, 2) == [(2, "b", "^")]


def test_a_line_of_a_million_characters_is_no_trouble() -> None:
    source = SourceText("a.py", b"x" * 1_000_000)
    for column in range(1, 1_000_000, 20_000):
        (row,) = rows(source, Place("a.py", 1, column, 1, column + 5), "^", 60)
        assert len(row.line) == 60
        assert row.marks.strip() == "^^^^^"


texts = st.text(st.sampled_from("a \t名e\u0301\x1b\u202e👩\r\n"), max_size=200)
numbers = st.integers(1, 220)
places = st.builds(Place, st.just("a.py"), numbers, numbers, numbers, numbers).filter(lambda p: p.end_line >= p.line)


@given(texts, places, st.integers(1, 60))
def test_any_place_in_any_text_can_be_shown(text: str, place: Place, room: int) -> None:
    for row in rows(SourceText("a.py", text.encode()), place, "^", room):
        assert sum(map(width_of, row.line)) <= max(20, room)
        assert "\x1b" not in row.line
