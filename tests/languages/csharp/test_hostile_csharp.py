"""Hostile C# files: whatever the bytes, reading ends soon, raises nothing and loses nothing in silence."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.languages.csharp.reading import Reading, read
from guards.languages.csharp.spans import merged, without
from guards.source.text import SourceText

SIZE = 1_500
LONG = 40_000
SECONDS = 4.0
# What our own passes add must take time in proportion, too.
PIECES = (
    *('"', "'", "{", "}", "(", ")", "[", "?", "*", "&", "\\", "@", "#", "/*", "//\n", "\r", "\n#", "\u2028", "a\u200b"),
    *('$"{', '$@"{', '$$"""{{', '"""a""" ', '@"" ', '$"{x:', '$"{{{x}}}";', "\\u0041", "global::", "a.b"),
    *(")=", "F(x) = 1;", "a?.b", "a?.b?.c", "a?.b = c;", "a?[0] = b;", "*(", "*(p) = ", "*p++ = ", "(int*)", "*(int*)"),
    *(
        "(in x",
        "(in T x) => ",
        "required;",
        "async;",
        "async(",
        "partial = ",
        "[type",
        "[type,",
        "[, .. var x",
        "checked(",
    ),
    *("allows ref struct ", "extension(", "extension(a) ", "extension(a) { ", "operator +=(", "ref partial struct "),
    *(
        "#if A\n",
        "#if A\n(\n",
        "#if A\n{\n#endif\n",
        "#if A\n}\n#else\n#endif\n",
        "#if A\n/*\n#endif\n",
        "#elif A\n(\n",
    ),
    *("#if A\nrequired;\n#endif\n", "#if false\n", '#if A\n@"\n#endif\n', "#error\n", "#else\n", "#endif\n"),
)


def read_in_time(data: bytes) -> Reading:
    start = time.process_time()
    reading = read(SourceText("T.cs", data))
    names = list(reading.fallback_names(reading.unread))
    assert time.process_time() - start < SECONDS
    assert all(0 <= name.start <= name.member < name.end <= len(data) for name in names)
    return reading


@pytest.mark.parametrize("piece", PIECES)
def test_a_little_of_each(piece: str) -> None:
    read_in_time((piece * (SIZE // len(piece))).encode())


@pytest.mark.parametrize(
    "piece", ['"', "{", '$"{', "a?.b", "extension(a) ", ")=", "*(", "a\u200b", "#if A\n/*\n#endif\n"]
)
def test_time_grows_with_length_alone(piece: str) -> None:
    """These cost the parser little: what is quadratic in our passes shows."""
    read_in_time((piece * (LONG // len(piece))).encode())


def test_thousands_of_nested_branches() -> None:
    reading = read_in_time(b"class T {\n" + b"#if A\n" * 3000 + b"void A() { }\n" + b"#endif\n" * 3000 + b"}\n")
    assert reading.unread == ()


def test_thousands_of_nested_branches_with_alternatives() -> None:
    """They take thousands of variants: those beyond the cap are reported."""
    reading = read_in_time(
        b"class T {\n" + b"#if A\n" * 3000 + b"int x;\n" + b"#else\nint y;\n#endif\n" * 3000 + b"}\n"
    )
    assert len(reading.variants) == 16
    assert sum(reading.text.data[start:end].count(b"int y;") for start, end in reading.unread) == 3000 - 15


def test_thousands_of_chains_and_an_error() -> None:
    chain = b"#if A\nint x;\n#elif B\nint y;\n#else\nint z;\n#endif\n"
    reading = read_in_time(b"class T {\n" + chain * 500 + b"int = ;\n}\n")
    assert 3502 in {reading.text.line_of(start) for start, _ in reading.unread}


def line_ends(data: bytes) -> list[tuple[int, bytes]]:
    return [(place, data[place : place + 1]) for place in range(len(data)) if data[place] in b"\r\n"]


def holds(reading: Reading) -> None:
    """What is true of the reading of any bytes."""
    data = reading.text.data
    for variant in reading.variants:
        assert len(variant.data) == len(data)
        assert line_ends(variant.data) == line_ends(reading.plain)
    assert list(reading.unread) == merged(reading.unread)
    assert all(0 <= start < end <= len(data) for start, end in reading.unread)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    holds(read_in_time(data))


LINES = st.sampled_from(
    ["#if A", "#elif B", "#else", "#endif", "#if false", "#error no", "#region {", "int x;", "void F() { G(); }", "}", "{",
     "/*", "*/", '@"', '"', '"""', '$@"{', "a?.b = c;", "class T {", "if (x) {"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=30))
def test_all_that_compiles_somewhere_is_in_a_variant_or_unread(lines: list[str]) -> None:
    """Only directives, dead branches and comments may be in no tree and in no report."""
    data = "\n".join(lines).encode()
    reading = read_in_time(data)
    holds(reading)
    seen = merged([*(span for variant in reading.variants for span in variant.kept()), *reading.unread])
    known = [(directive.start, directive.end) for directive in reading.directives]
    known += [(comment.start, comment.end) for comment in reading.comments]
    lost = b"".join(data[start:end] for start, end in without([(0, len(data))], merged([*seen, *known]))).split(b"\n")
    live = [line for line in lost if line.strip()]
    # No compiler takes an `#else` or an `#elif` behind an `#else` of the same `#if`.
    behind_else = lines[lines.index("#else") + 1 :] if "#else" in lines else []
    refused = "#else" in behind_else or "#elif B" in behind_else
    assert not live or "#if false" in lines or "#error no" in lines or refused
