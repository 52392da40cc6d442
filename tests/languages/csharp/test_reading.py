"""What is read of a file, and what is reported as unread."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.languages.csharp.reading import Reading, read
from guards.source.text import SourceText


def reading_of(*lines: str) -> Reading:
    return read(SourceText("T.cs", ("\n".join(lines) + "\n").encode()))


def unread_lines(*lines: str) -> list[int]:
    """The first line of each unread region."""
    reading = reading_of(*lines)
    return [reading.text.line_of(start) for start, _ in reading.unread]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["public class T", "{", "    void A() { foo bar baz ; ) }", "}"], {3}),
        (["class T {", "    void A() {", "        x(1;", "        y();", "    }", "}"], {3}),
        (["class T {", "    void A() {", "        x = ;", "    }", "}"], {3}),
        (["class T {", "    void A() { x() }", "    void B() { }", "}"], {2}),
        (["class T {", "    void A( { x(); }", "    void B() { }", "}"], {2}),
        (["class T {", "    void A() { } }", "    void B() { }", "}"], {4}),
        (["class T {", "    void A() { var t = `x`; }", "}"], {2}),
        (["class T {", "    int x;", "<<<<<<< HEAD", "    int y;", "}"], {3, 4}),
    ],
)
def test_an_error_is_on_its_line(lines: list[str], expected: set[int]) -> None:
    assert set(unread_lines(*lines)) == expected


def test_regions_are_ordered_apart_and_inside_the_file() -> None:
    reading = reading_of("class T { void A() { x = ; } void B( { } ) }", "int ] y;")
    assert reading.unread
    assert list(reading.unread) == sorted(reading.unread)
    assert all(before[1] < after[0] for before, after in zip(reading.unread, reading.unread[1:], strict=False))
    assert all(0 <= start < end <= len(reading.text.data) for start, end in reading.unread)


def test_a_lacking_brace_leaves_the_members_read() -> None:
    reading = reading_of(
        "class T {", "  void A() {", "    if (a) {", "    x();", "  }", "", "  void B() { Thread.Sleep(1); }", "}"
    )
    assert [reading.text.data[start:end] for start, end in reading.unread] == [b"class T {"]


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "// only a comment", "#pragma warning disable", "using System;"])
def test_nothing_is_unread_where_nothing_is_wrong(text: str) -> None:
    reading = read(SourceText("T.cs", text.encode()))
    assert reading.unread == ()
    assert len(reading.variants) == 1


def test_names_in_an_unread_region_are_found() -> None:
    reading = reading_of("class T {", "  void A() {", "    ) Thread.Sleep(1) ] ;", "  }", "}")
    assert reading.unread
    everything = [(0, len(reading.text.data))]
    assert "Thread.Sleep" in [name.name for name in reading.fallback_names(everything)]


def test_text_that_is_no_code_at_all() -> None:
    reading = reading_of("just text, no code", "more of it")
    assert reading.unread
    assert "just" in [name.name for name in reading.fallback_names(reading.unread)]


def test_line_ends_of_every_kind() -> None:
    for line_end in ("\n", "\r\n", "\r"):
        data = line_end.join(
            ["class T {", "#if A", "int a;", "#else", "int b;", "#endif", "// c", "int c = ;", "}", ""]
        )
        reading = read(SourceText("T.cs", data.encode()))
        assert [directive.keyword for directive in reading.directives] == ["if", "else", "endif"]
        assert len(reading.variants) == 2
        assert {reading.text.line_of(start) for start, _ in reading.unread} == {8}


PIECES = st.sampled_from(
    ["class T {", "}", "(", ")", "x();", '"', '"""', '$"{', "/*", "*/", "//", "#if A\n", "#else\n", "#endif\n", "\n",
     "a?.b = c;", "[type]", "F() = 1;", "*(p)", "\u200b", "\u2028", "'", "Thread.Sleep(1);", "extension(x) {", "<", " "]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=25))
def test_any_text_is_read_without_an_exception_and_offsets_agree(pieces: list[str]) -> None:
    data = "".join(pieces).encode()
    reading = read(SourceText("T.cs", data))
    assert reading.variants
    assert len(reading.plain) == len(data)
    for variant in reading.variants:
        assert len(variant.data) == len(data)
    assert all(0 <= start < end <= len(data) for start, end in reading.unread)
    for name in reading.fallback_names(reading.unread):
        assert 0 <= name.start <= name.member < name.end <= len(data)
