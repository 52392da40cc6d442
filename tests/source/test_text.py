import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.source.text import SourceText, Unreadable, decode


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_the_encoding(encoding: str) -> None:
    text = decode("a.cs", "class Å {}".encode(encoding))
    assert text.data == "class Å {}".encode()
    assert text.has_bom


def test_utf_16_big_endian_is_read_by_its_mark() -> None:
    assert decode("a.cs", b"\xfe\xff" + "é".encode("utf-16-be")).data == "é".encode()


def test_bytes_that_are_no_utf_8_are_read_as_windows_1252_with_a_note() -> None:
    text = decode("a.cs", b"// caf\xe9\nint a;")
    assert text.data == "// café\nint a;".encode()
    assert "byte 6 is not UTF-8" in text.note


def test_a_python_file_says_its_encoding_in_a_comment() -> None:
    raw = "#!/usr/bin/env python\n# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1")
    assert "é".encode() in decode("a.py", raw, python=True).data


def test_the_third_line_declares_no_encoding() -> None:
    raw = "#\n#\n# coding: latin-1\nx = 'é'\n".encode()
    assert decode("a.py", raw, python=True).encoding == "utf-8"


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (b"int a;\0\0", "binary"),
        (b"\xff\xfe\x00", "utf-16"),
        (b"\xef\xbb\xbf\xff", "utf-8"),
        (b"# coding: no-such-codec\n", "no-such-codec"),
        (b"# coding: utf-16\nx = 1\n", "utf-16"),
    ],
)
def test_what_is_no_text_says_why(raw: bytes, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        decode("a.py", raw, python=True)


def test_columns_count_characters_and_every_line_end_ends_a_line() -> None:
    text = SourceText("a.cs", "é = 1;\r\nb\rc\nd".encode())
    assert text.position(len("é = ".encode())) == (1, 5)
    assert [text.line_bytes(line) for line in range(1, 6)] == ["é = 1;".encode(), b"b", b"c", b"d", b""]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_every_offset_of_a_character_finds_its_line_and_column(source: str) -> None:
    text = SourceText("a.cs", source.encode())
    offset = 0
    for character in source:
        line, column = text.position(offset)
        assert text.line_starts[line - 1] <= offset
        assert text.data[text.line_starts[line - 1] : offset].decode() == source_line_prefix(source, line, column)
        offset += len(character.encode())


def source_line_prefix(source: str, line: int, column: int) -> str:
    lines = source.replace("\r\n", "\n\0").replace("\r", "\n").split("\n")
    return lines[line - 1].removeprefix("\0")[: column - 1]


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_say_why_not(raw: bytes) -> None:
    with contextlib.suppress(Unreadable):
        assert decode("a.py", raw, python=True).data.decode() is not None


@given(st.text(alphabet=st.sampled_from(["a", "é", "名", "\n", "\r"]), max_size=12), st.data())
def test_a_place_leads_back_to_its_offsets(source: str, data: st.DataObject) -> None:
    text = SourceText("a.cs", source.encode())
    ends = sorted(len(source[: data.draw(st.integers(0, len(source)))].encode()) for _ in range(2))
    assert text.span(text.place(*ends)) == tuple(ends)


@pytest.mark.parametrize(
    ("source", "line", "end"),
    [("a\r\nb\nc", 1, "\r\n"), ("a\r\nb\nc", 2, "\n"), ("a\r\nb\nc", 3, "\r\n"), ("a", 1, "\n"), ("a\rb\r", 2, "\r"), ("", 1, "\n")],
)  # fmt: skip
def test_a_line_that_is_put_in_ends_as_the_file_does(source: str, line: int, end: str) -> None:
    assert SourceText("a.cs", source.encode()).line_end(line) == end


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_a_text_is_written_back_as_it_was(encoding: str) -> None:
    raw = "x = 'é'\r\n".encode(encoding)
    text = decode("a.py", raw, python=True)
    assert text.encoded(text.data) == raw
