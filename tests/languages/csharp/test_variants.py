"""Variants as they are parsed: every branch is in a tree, and branches that belong together are put together."""

import pytest

from guards.languages import syntax
from guards.languages.csharp.reading import Reading, read
from guards.source.text import SourceText


def lines(*text: str) -> str:
    return "\n".join(text) + "\n"


def reading_of(*text: str) -> Reading:
    data = lines(*text).encode()
    reading = read(SourceText("T.cs", data))
    for variant in reading.variants:
        assert len(variant.data) == len(data)
        assert [m for m in range(len(data)) if data[m : m + 1] == b"\n"] == [
            m for m in range(len(data)) if variant.data[m : m + 1] == b"\n"
        ]
    return reading


def methods(reading: Reading) -> list[list[str]]:
    """The names of the methods in each variant."""
    return [
        [
            syntax.text_of(name, variant.data)
            for node in syntax.walk(variant.tree.root_node)
            if node.type == "method_declaration" and (name := node.child_by_field_name("name"))
        ]
        for variant in reading.variants
    ]


def test_a_file_without_directives_is_parsed_as_it_is() -> None:
    data = b"class T { void A() { } }\n"
    reading = read(SourceText("T.cs", data))
    assert [variant.data is data for variant in reading.variants] == [True]
    assert reading.directives == ()


def test_members_of_all_branches_are_members_of_the_class() -> None:
    reading = reading_of("class T {", "#if A", "void A() { }", "#else", "void B() { }", "#endif", "void C() { }", "}")
    assert methods(reading) == [["A", "C"], ["B", "C"]]
    assert reading.unread == ()


@pytest.mark.parametrize(
    "text",
    [
        ["class T {", "[Test]", "#if A", "[Explicit]", "#endif", "void A() { }", "}"],
        ["class T", "#if A", ": Base", "#else", ": Other", "#endif", "{ void A() { } }"],
        ["class T {", "#if A", "void A() {", "#else", "void A(int x) {", "#endif", "x(); } }"],
        ["#if A", "namespace N {", "#endif", "class T { void A() { } }", "#if A", "}", "#endif"],
        ["class T { void A() {", "if (a) { }", "#if A", "else if (b) { }", "#endif", "else { } } }"],
        ["class T { void A() { Call(a,", "#if A", "b", "#else", "c", "#endif", "); } }"],
        ["class T { void A() { var x = a", "#if A", "+ b", "#endif", ";", "} }", "#pragma warning restore"],
        ["#!/usr/bin/env dotnet", "#:package Humanizer@2", "class T { void A() { } }"],
        ["#region [Test", "class T { void A() { } }", "#endregion }"],
    ],
)
def test_directives_may_stand_anywhere(text: list[str]) -> None:
    reading = reading_of(*text)
    assert reading.unread == ()
    assert all(found == ["A"] for found in methods(reading))


def test_a_last_directive_without_a_line_end_is_no_error() -> None:
    reading = read(SourceText("T.cs", b"class T { }\n#nullable restore"))
    assert reading.unread == ()
    assert not reading.variants[0].tree.root_node.has_error


def test_equal_variants_are_parsed_once() -> None:
    assert len(reading_of("class T { }", "#if A", "#elif B", "  ", "#else", "#endif").variants) == 1


def test_chains_that_open_and_close_under_opposite_conditions_find_together() -> None:
    reading = reading_of(
        "class T {",
        "void A() {",
        "#if A",
        "    using (x) {",
        "#else",
        "    y();",
        "#endif",
        "    Thread.Sleep(1);",
        "#if !A",
        "    z();",
        "#else",
        "    }",
        "#endif",
        "}",
        "void B() { } }",
    )
    assert reading.unread == ()
    assert [found for found in methods(reading) if found != ["A", "B"]] == []
    held = b" ".join(variant.data for variant in reading.variants)
    assert all(word in held for word in (b"using (x)", b"y();", b"z();"))
    assert not any(variant.tree.root_node.has_error for variant in reading.variants)


def test_two_chains_in_one_expression() -> None:
    reading = reading_of(
        "class T { int A() {", "return a",
        "#if A", "+ b", "#elif B", ";", "#else", "+ c", "#endif",
        "#if B", "#else", "+ d;", "#endif",
        "} void B() { } }",
    )  # fmt: skip
    assert reading.unread == ()
    assert all(found == ["A", "B"] for found in methods(reading))


def test_a_broken_branch_is_reported_and_the_other_read() -> None:
    reading = reading_of("class T {", "#if A", "void A() { x = ; }", "#else", "void B() { }", "#endif", "}")
    assert [reading.text.line_of(start) for start, _ in reading.unread] == [3]
    assert ["B"] in methods(reading)


def test_what_one_variant_reads_is_not_unread() -> None:
    reading = reading_of("class T {", "#if A", "void A() {", "#endif", "void B() { }", "}")
    assert reading.unread == ()
    assert ["B"] in methods(reading)


def test_code_beyond_the_last_variant_is_reported() -> None:
    many = [line for number in range(40) for line in (f"#elif S{number}", f"void M{number}() {{ }}")]
    reading = reading_of("class T {", "#if S", "void A() { }", *many, "#endif", "}")
    assert len(reading.variants) < 40
    seen = {name for found in methods(reading) for name in found}
    unread = " ".join(reading.text.data[start:end].decode() for start, end in reading.unread)
    assert all((f"M{number}" in seen) != (f"M{number}()" in unread) for number in range(40))


def test_prose_in_a_dead_branch_is_nothing() -> None:
    reading = reading_of(
        "#if false", "Don't read /* this \"or that", '"""', "#else", "class T { void A() { } }", "#endif"
    )
    assert methods(reading) == [["A"]]
    assert reading.unread == ()
    assert reading.comments == ()


def test_variants_hold_what_they_keep() -> None:
    reading = reading_of("class T {", "#if A", "int a;", "#else", "int b;", "#endif", "}")
    for variant in reading.variants:
        kept = b"".join(variant.data[start:end] for start, end in variant.kept())
        assert kept == b"".join(reading.text.data[start:end] for start, end in variant.kept())
        assert kept.split() == variant.data.split()


def test_code_between_the_halves_of_a_comment_is_read() -> None:
    """A build without ``A`` compiles the method; that other builds comment it out hides nothing."""
    reading = reading_of(
        "class T {", "#if A", "/* not on A", "#endif", "void B() { }", "#if A", "*/", "#endif", "void C() { }", "}"
    )
    assert methods(reading) == [["B", "C"]]
    assert reading.unread == ()


def test_a_comment_that_no_branch_ends_hides_nothing() -> None:
    reading = reading_of(
        "class T {", "#if A", "void A() { } /*", "#elif B", "void B() { } /*", "#endif", "void C() { }", "}"
    )
    assert methods(reading) == [["A", "C"], ["B", "C"]]
    assert reading.unread == ()


@pytest.mark.parametrize("opening", ['@"', '"""', '$@"{x}', '$"""', '$"{x'])
def test_a_string_that_its_branch_does_not_end_is_reported_and_hides_nothing(opening: str) -> None:
    reading = reading_of("class T {", "#if A", f"string s = {opening}", "text", "#endif", "void B() { }", "}")
    assert ["B"] in methods(reading)
    assert {3, 4} & {reading.text.line_of(start) for start, _ in reading.unread}


def test_a_string_with_directives_that_its_branch_ends_is_text() -> None:
    reading = reading_of(
        "class T {", "#if A", 'string s = @"', "#if B", "void X() { }", "#endif", '";', "#endif", "void B() { }", "}"
    )
    assert methods(reading) == [["B"]]
    assert reading.unread == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["#if true", "/*", "#else", "*/"], ["#endif"]),
        (["#if A", "/*", "#else", "#if false", "*/"], ["#endif", "#endif"]),
        (["#if A", "/*", "#endif // */"], ["#endif"]),
        (["#if A", 'string s = @"', "#else", "#error no", '";'], ["#endif"]),
        (["#if A", "/*", "#endif", "*/", "#if B", "/*", "#else", "#error no", "*/"], ["#endif"]),
    ],
)
def test_code_that_only_the_build_with_an_unclosed_token_sees_is_read(before: list[str], after: list[str]) -> None:
    """To a build that takes the branch, the directives in the comment or string are text."""
    reading = reading_of("class T {", *before, "void B() { }", *after, "}")
    assert any("B" in found for found in methods(reading))


def test_many_unclosed_tokens_are_reported() -> None:
    """What they mean to each other is anybody's guess."""
    reading = reading_of(
        "class T {", *(line for _ in range(9) for line in ("#if A", "/*", "#endif")), "void B() { }", "}"
    )
    assert ["B"] in methods(reading)
    assert reading.unread
