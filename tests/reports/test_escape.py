import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.reports.escape import sentence, visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\nb\r\nc\td", r"a\nb\r\nc\td"),
        ("\x9b31m", r"\x9b31m"),
        ("\x7f\0", r"\x7f\x00"),
        ("access\u202elevel\u2066", r"access\u202elevel\u2066"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("line\u2028end", r"line\u2028end"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("not utf-8: \udcff", r"not utf-8: \xff"),
        ("half of a pair: \ud83d", r"half of a pair: \ud83d"),
    ],
)
def test_what_nobody_sees_or_a_terminal_obeys_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    ["plain `code`", r"C:\temp\x1b", "日本語", "e\u0301", "👩\u200d🔬", "\u0645\u06cc\u200c\u062e", "ünïcödé", "\xa0"],
)
def test_what_people_write_is_left_alone(text: str) -> None:
    assert visible(text) == text


@given(st.text())
def test_nothing_is_left_that_controls_anything(text: str) -> None:
    joiners = "\u200c\u200d"
    for character in visible(text):
        assert unicodedata.category(character) not in {"Cc", "Zl", "Zp", "Cs"}
        assert character in joiners or unicodedata.bidirectional(character) not in {
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN",
        }  # fmt: skip


def test_texts_of_several_lines_keep_line_ends_and_tabs() -> None:
    assert visible_lines("a\n\tb\x1b[0m\r\n") == "a\n\tb\\x1b[0m\\r\n"


def test_of_a_huge_message_the_beginning_is_shown() -> None:
    assert sentence("a" * 1000) == "a" * 1000
    assert sentence("a" * 1001) == "a" * 1000 + " ..."
