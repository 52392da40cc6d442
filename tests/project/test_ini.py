import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.project.ini import parse_ini


def test_values_go_on_in_indented_lines() -> None:
    text = "[pytest]\nmarkers =\n    slow: takes long\n\n  # a comment\n\te2e\naddopts=-ra\n  --strict-markers\nkey: a = b\n"
    assert parse_ini(text) == {
        "pytest": {"markers": "slow: takes long\ne2e", "addopts": "-ra\n--strict-markers", "key": "a = b"}
    }


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("a = b # no comment", "b # no comment"),
        ("a = 100%", "100%"),
        ("a = b = c", "b = c"),
        ("a : b", "b"),
        ("a =", ""),
        ("a = [x]", "[x]"),
    ],
)
def test_nothing_is_interpolated_and_only_whole_lines_are_comments(line: str, value: str) -> None:
    assert parse_ini(f"[s]\n{line}\n") == {"s": {"a": value}}


def test_what_stands_before_a_section_or_is_no_value_is_left_out() -> None:
    assert parse_ini("a = 1\n  b\n[s] ; note\nnonsense\n[broken\n  x\nc = 1\nc = 2\n[s]\nd = 3\n") == {
        "s": {"c": "1", "d": "3"}
    }


def test_line_ends_of_all_systems() -> None:
    assert parse_ini("[s]\r\na = 1\r\n  2\r\n") == {"s": {"a": "1\n2"}}


@given(st.text(alphabet="[]=:#; \tab\n\r\u2028", max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert all(f"[{section}]" in text for section in parse_ini(text))
