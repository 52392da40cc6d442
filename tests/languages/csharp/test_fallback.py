"""Dotted names where there is no tree."""

import pytest

from guards.languages.csharp.fallback import DottedName
from guards.languages.csharp.reading import read
from guards.source.text import SourceText


def names(text: str) -> list[DottedName]:
    data = text.encode()
    return list(read(SourceText("T.cs", data)).fallback_names([(0, len(data))]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thread.Sleep(1)", ["Thread.Sleep"]),
        ("global::System.Threading.Thread.Sleep", ["global::System.Threading.Thread.Sleep"]),
        ("a?.B!.C", ["a?.B!.C"]),
        ("p->Field", ["p->Field"]),
        ("Thread\n  .Sleep ( 1 )", ["Thread.Sleep"]),
        ("Thread . /* here */ Sleep(1)", ["Thread.Sleep"]),
        ("@Thread.@Sleep(1)", ["@Thread.@Sleep"]),
        (r"\u0054hread.Sleep(1)", [r"\u0054hread.Sleep"]),
        ("größe.Länge", ["größe.Länge"]),
        ("return Thread.Sleep", ["return", "Thread.Sleep"]),
        ("[..Rest.Of]", ["Rest.Of"]),
        ('$"{Thread.Sleep(1)} Thread.Join"', ["Thread.Sleep"]),
    ],
)
def test_names_with_all_their_parts(text: str, expected: list[str]) -> None:
    assert [name.name for name in names(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "// Thread.Sleep(1)",
        "/* Thread.Sleep(1) */",
        '"Thread.Sleep(1)"',
        '@"Thread.Sleep(1)"',
        '"""Thread.Sleep(1)"""',
        "#region Thread.Sleep(1)\n",
        "1.5e10",
    ],
)
def test_text_is_no_name(text: str) -> None:
    assert "Thread.Sleep" not in [name.name for name in names(text)]


@pytest.mark.parametrize("text", ["f().Sleep(1)", "a[0].Sleep(1)", "f()?.Sleep", '"x".Sleep(1)', "List<int>.Sleep"])
def test_a_name_that_goes_on_from_something_else_is_left_out(text: str) -> None:
    assert "Sleep" not in [name.name for name in names(text)]


def test_the_offsets_of_a_name() -> None:
    name = names("x; Thread . @Sleep (1)")[1]
    assert name == DottedName("Thread.@Sleep", 3, 12, 18, called=True)


def test_a_name_is_called_only_with_a_parenthesis() -> None:
    assert [name.called for name in names("A.B(1); C.D; E.F\n(2)")] == [True, False, True]


def test_only_names_in_the_ranges_even_if_partly() -> None:
    text = "Alpha.Beta; Gamma.Delta; Epsilon.Zeta;"
    reading = read(SourceText("T.cs", text.encode()))
    spans = [(text.index("Delta"), text.index("Delta") + 2), (text.index("Zeta"), len(text))]
    assert [name.name for name in reading.fallback_names(spans)] == ["Gamma.Delta", "Epsilon.Zeta"]


def test_no_ranges_no_names() -> None:
    assert list(read(SourceText("T.cs", b"Thread.Sleep(1)")).fallback_names([])) == []


def test_thousands_of_ranges_are_quick() -> None:
    reading = read(SourceText("T.cs", b"a.b; " * 3_000))
    assert len(list(reading.fallback_names([(5 * n, 5 * n + 1) for n in range(3_000)]))) == 3_000
