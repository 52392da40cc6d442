"""Characters that C# reads otherwise than the grammar."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.languages import syntax
from guards.languages.csharp.characters import with_plain_code, with_plain_line_ends
from guards.languages.csharp.reading import Reading, read
from guards.languages.csharp.tokens import Tokens
from guards.source.text import SourceText


def names(reading: Reading) -> list[str]:
    return [
        syntax.text_of(node, variant.data)
        for variant in reading.variants
        for node in syntax.walk(variant.tree.root_node)
        if node.type == "member_access_expression"
    ]


def reading_of(text: str) -> Reading:
    reading = read(SourceText("T.cs", text.encode()))
    assert all(len(variant.data) == len(text.encode()) for variant in reading.variants)
    return reading


@pytest.mark.parametrize("line_end", ["\u2028", "\u2029", "\u0085"])
def test_code_after_an_odd_line_end_is_no_comment(line_end: str) -> None:
    reading = reading_of(f"class T {{ void A() {{ // waits{line_end}Thread.Sleep(1);\n }} }}\n")
    assert names(reading) == ["Thread.Sleep"]
    assert [comment.text for comment in reading.comments] == ["// waits" + (" " if line_end == "\u0085" else "  ")]
    assert reading.unread == ()


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2003", "\u1680", "\u205f", "\u202f"])
def test_odd_space_is_space(space: str) -> None:
    reading = reading_of(f"class T {{ void{space}A(){space}{{ Thread.Sleep(1);{space}}} }}\n")
    assert names(reading) == ["Thread.Sleep"]
    assert reading.unread == ()


@pytest.mark.parametrize("unseen", ["\u200b", "\u200d", "\u00ad", "\u2060", "\ufeff", "\u202e", "\u061c"])
@pytest.mark.parametrize("written", ["Thr_ead.Sleep", "Thread.Sle_ep", "Thread.Sleep_"])
def test_an_identifier_with_characters_that_nobody_sees_is_read_and_reported(written: str, unseen: str) -> None:
    reading = reading_of(f"class T\n{{\n    void A() {{ {written.replace('_', unseen)}(1); }}\n}}\n")
    assert [name.replace(" ", "") for name in names(reading)] == ["Thread.Sleep"]
    assert [reading.text.line_of(start) for start, _ in reading.unread] == [3]


@pytest.mark.parametrize(
    "innocent",
    ['var s = "a\u200bb\u2003c";', "// zero\u200bwidth", "/* \u202e */", 'var s = @"\u200b";', "var größe = 1;", "var 名前 = 1;"],
)  # fmt: skip
def test_text_and_comments_may_hold_any_character(innocent: str) -> None:
    reading = reading_of(f"class T {{ void A() {{ {innocent}\n Thread.Sleep(1); }} }}\n")
    assert reading.unread == ()
    assert names(reading) == ["Thread.Sleep"]
    assert reading.plain is reading.text.data or innocent.encode() in reading.plain


def test_joined_files_have_a_mark_in_the_middle() -> None:
    assert reading_of("class A { }\n\ufeffclass B { }\n").unread == ()


@pytest.mark.parametrize("piece", ["a", "a\\", "é", "@", "\ufeff", "a\u200b", "\u200b@"])
def test_long_words_are_quick(piece: str) -> None:
    data = (piece * 50_000 + " \u200b").encode()
    start = time.process_time()
    with_plain_code(data, Tokens(data))
    assert time.process_time() - start < 2


@given(st.text(max_size=80))
def test_plain_text_is_as_long_as_the_text(text: str) -> None:
    data = text.encode("utf-8", "replace")
    plain = with_plain_line_ends(data)
    assert len(plain) == len(data)
    plain, disguised = with_plain_code(plain, Tokens(plain))
    assert len(plain) == len(data)
    assert all(0 <= start < end <= len(data) for start, end in disguised)
    plain.decode()
