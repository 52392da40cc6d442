"""The token pass: comments, literals and directives of C# text, well-formed or not."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.languages.csharp.preprocessor import blank
from guards.languages.csharp.spans import merged
from guards.languages.csharp.tokens import Tokens

HOSTILE_BYTES = 120_000
# What C# text is made of where tokens are concerned, and what can go wrong with it.
SCRAPS = (
    *('"', '""', '"""', "'", "{", "}", "{{", "$", "$$", "@", "\\", ":", "//", "/*", "*/", "(", ")", "#", " ", "\n"),
    *("\r", "\r\n", "\n#if A", "\n#elif B", "\n#else", "\n#endif", "\n#if false", "\n#error", "\n#region", "x", "é"),
)
sources = st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join)


def comments(text: str) -> list[str]:
    """The text of each comment."""
    return [comment.text for comment in Tokens(text.encode()).comments]


def directives(text: str) -> list[tuple[str, str]]:
    """Keyword and rest of each directive."""
    return [(found.keyword, found.condition_text) for found in Tokens(text.encode()).directives]


def keywords(text: str) -> list[str]:
    """The keyword of each directive."""
    return [keyword for keyword, _ in directives(text)]


def literals(text: str) -> list[str]:
    """The text of each piece of a literal."""
    data = text.encode()
    return [data[start:end].decode() for start, end in Tokens(data).literals]


def unclosed(text: str) -> list[str]:
    """What ends only because its branch does."""
    data = text.encode()
    return [data[start:end].decode() for start, end in Tokens(data).unclosed]


def code(text: str) -> str:
    """What is neither comment nor literal, without space."""
    data = text.encode()
    tokens = Tokens(data)
    hidden = merged([*((comment.start, comment.end) for comment in tokens.comments), *tokens.literals])
    return "".join(blank(data, hidden).decode().split())


class TestComments:
    def test_a_line_comment_ends_with_its_line(self) -> None:
        for end in ("\n", "\r\n", "\r", ""):
            assert comments(f"a(); // one{end}") == ["// one"]

    def test_a_block_comment_can_have_many_lines(self) -> None:
        assert comments("a /* 1\n // 2\n * 3 */ b // 4") == ["/* 1\n // 2\n * 3 */", "// 4"]

    def test_a_block_comment_does_not_nest(self) -> None:
        assert code("/* a /* b */ c */") == "c*/"

    def test_signs_of_comments_in_literals_are_text(self) -> None:
        assert comments("""a("// no", '/', @"/* no", $"// {b} /*", $@"//", 'x');""") == []
        assert comments('var a = """\n// no\n/* no\n""";') == []

    def test_quotes_in_comments_begin_no_literal(self) -> None:
        assert literals("// don't \"\n/* it's \" */ 'a'") == ["'a'"]

    def test_a_comment_without_end_goes_on_to_the_end(self) -> None:
        assert comments("a /* b\nc") == ["/* b\nc"]

    def test_a_comment_knows_whether_it_has_its_line_to_itself(self) -> None:
        text = '// 1\n  // 2\r\tx // 3\n/* 4 */ // 5\n"a\n"; // 6\n\u00a0// 7\nx /*\n*/ // 8\n#if A // 9\n// 10\n#endif\n  // 11'
        owners = [comment.text for comment in Tokens(text.encode()).comments if comment.own_line]
        assert owners == ["// 1", "// 2", "/* 4 */", "// 7", "// 10", "// 11"]

    def test_bytes_that_are_no_text_do_not_matter(self) -> None:
        assert [comment.text for comment in Tokens(b"// \xff\n").comments] == ["// \ufffd"]


class TestCharacters:
    @pytest.mark.parametrize(
        "literal",
        [
            "'a'",
            "'\"'",
            "'\\''",
            "'\\\\'",
            "'\\n'",
            "'\\x1'",
            "'\\x1F2a'",
            "'\\u00e9'",
            "'\\U0001F600'",
            "'é'",
            "'/'",
            "'#'",
            "'{'",
        ],
    )
    def test_a_character(self, literal: str) -> None:
        assert literals(f"a({literal}, b); // c") == [literal]
        assert comments(f"a({literal}, b); // c") == ["// c"]

    def test_a_lone_apostrophe_hides_nothing(self) -> None:
        assert comments("it isn't // one\n' // two\n'' // three") == ["// one", "// two", "// three"]


class TestStrings:
    @pytest.mark.parametrize(
        "literal",
        [
            '""',
            '"a"',
            r'"\""',
            r'"\\"',
            r'"a\"b\\"',
            '"//"',
            '"\'"',
            '@""',
            '@"\\"',
            '@"a""b"',
            '@"a\nb"',
            '@""""',
            '@"\n#if X\n"',
        ],
    )
    def test_a_string_ends_where_it_ends(self, literal: str) -> None:
        assert literals(f"a({literal}); b();") == [literal]
        assert comments(f"a({literal}); // c") == ["// c"]

    @pytest.mark.parametrize(
        "literal",
        [
            '"""a"""',
            '"""a"b""c"""',
            '""""a"""b""""',
            '"""\n"\n"""',
            '"""\n  ""\n  """',
            '"""\n#if X\n"""',
            '"""\\"""',
            '"""a""""',
            '""" \n"""',
        ],
    )
    def test_a_raw_string_ends_with_as_many_quotes_as_it_began(self, literal: str) -> None:
        assert literals(f"a({literal}); b();") == [literal]

    def test_a_string_without_end_ends_with_its_line(self) -> None:
        assert code('a("b);\nc();') == "a(c();"
        assert code('a("b\\\nc();') == "a(\\c();"

    def test_a_raw_string_without_end_on_its_line_ends_there(self) -> None:
        assert code('a("""b);\nc();') == "a(c();"

    def test_a_verbatim_or_raw_string_without_end_goes_on_to_the_end(self) -> None:
        assert code('a(@"b);\nc();') == "a("
        assert code('a("""\nb);\nc();') == "a("

    def test_a_suffix_is_no_part_of_the_string(self) -> None:
        assert code('a("b"u8);') == "a(u8);"


class TestHoles:
    @pytest.mark.parametrize(
        ("text", "left"),
        [
            ('$"{a}"', "a"),
            ('$"a{b}c{d}e"', "bd"),
            ('$"{{a}}"', ""),
            ('$"{{{a}}}"', "a"),
            ('$"{a,3}"', "a,3"),
            ('$"{a:x}{b}"', "ab"),
            ('$"{(a ? b : c)}"', "(a?b:c)"),
            ('$"{a::B.c}"', "a::B.c"),
            ('$"{a[b ? 1 : 2]}"', "a[b?1:2]"),
            ('$"{"a"}"', ""),
            ("$\"{'}'}b{c}\"", "c"),
            ('$"{a("}")}b"', "a()"),
            ('$"{$"{a}b"}c"', "a"),
            ('$"{new { A = 1 }}b"', "new{A=1}"),
            ('$"{a /* } */}b"', "a"),
            ('$"{a // }\n}b"', "a"),
            ('$"{a\n}b"', "a"),
            (r'$"\"{a}\\"', "a"),
            ('$@"{a}"', "a"),
            ('@$"{a}"', "a"),
            ('$@"c:\\"', ""),
            ('$@"\\{a}\\"', "a"),
            ('$@"""{a}"', "a"),
            ('$@"b""{a}"', "a"),
            ('$@"\n{a}\n"', "a"),
            ('$"""{a}"""', "a"),
            ('$"""\n{a}"b"\n"""', "a"),
            ('$"""\\"""', ""),
            ('$$"""{a}{{b}}"""', "b"),
            ('$$"""{{{b}}}"""', "b"),
            ('$$"""{{a["}}"]}}{b}"""', "a[]"),
            ('$$"""\n{{$"{a}"}}{b}\n"""', "a"),
            ('$"{a:{b}"', "a"),
        ],
    )
    def test_the_code_in_holes_is_code(self, text: str, left: str) -> None:
        assert code(f"{text}; z") == f"{left};z"

    def test_an_interpolated_string_without_end_ends_with_its_line(self) -> None:
        assert code('a($"b);\nc();') == "a(c();"

    def test_comments_in_holes_are_comments(self) -> None:
        assert comments('$"{a /* 1 */}" + $@"{b // 2\n}"') == ["/* 1 */", "// 2"]

    def test_a_dollar_sign_alone_is_nothing(self) -> None:
        assert comments("$ a // b\n$$$ // c") == ["// b", "// c"]

    def test_a_string_in_a_hole_that_begins_and_ends_with_a_dollar_sign_is_plain(self) -> None:
        assert code('$"{a("$")}{b("$a$")}"') == "a()b()"


class TestDirectives:
    def test_a_directive_stands_alone_on_its_line(self) -> None:
        assert directives(" \t#if A && !B\n  #  elif C // c\n#else\n\t#endif") == [
            ("if", "A && !B"),
            ("elif", "C"),
            ("else", ""),
            ("endif", ""),
        ]

    def test_every_line_end_counts(self) -> None:
        for end in ("\n", "\r\n", "\r"):
            assert keywords(f"a{end}#if A{end}b{end}#endif{end}") == ["if", "endif"]

    def test_any_space_can_stand_before_it(self) -> None:
        assert keywords("\ufeff#if A\n\u00a0#else\n\u3000#endif") == ["if", "else", "endif"]

    def test_any_amount_of_space_can_stand_before_it(self) -> None:
        assert keywords("a" + " " * 300 + "#if A\n" + " \t" * 300 + "#if B") == ["if"]

    def test_its_range_goes_to_the_end_of_the_line(self) -> None:
        data = b"a\n #pragma warning disable // b\r\nc"
        directive = Tokens(data).directives[0]
        assert data[directive.start : directive.end] == b"#pragma warning disable // b"

    def test_a_comment_after_it_is_a_comment(self) -> None:
        assert directives("#if A // why\n#endif//x") == [("if", "A"), ("endif", "")]
        assert comments("#if A // why\n#endif//x") == ["// why", "//x"]

    def test_some_take_all_of_the_line_as_text(self) -> None:
        for line in ("region a // b", "endregion // b", "error don't // b", "warning // b"):
            assert comments(f"#{line}") == []
            assert directives(f"#{line}")[0][1] == line.partition(" ")[2]

    def test_a_path_in_quotes_is_no_comment(self) -> None:
        assert directives('#line 1 "http://a" // b') == [("line", '1 "http://a"')]
        assert comments('#pragma checksum "c://d"') == []

    def test_those_of_scripts(self) -> None:
        assert directives('#!/usr/bin/env dotnet\n#:package A@1.0 // b\n#r "x.dll"') == [
            ("!", "/usr/bin/env dotnet"),
            (":package", "A@1.0 // b"),
            ("r", '"x.dll"'),
        ]

    def test_quotes_in_it_begin_no_literal(self) -> None:
        assert literals("#region it's \"one\n#endregion '\n'a'") == ["'a'"]

    @pytest.mark.parametrize(
        "text",
        [
            "a #if A",
            "/* b */ #if A",
            '@"\n#if A\n"',
            '"""\n#if A\n"""',
            '$"""\n#if A\n{b}\n#endif\n"""',
            '$@"\n#if A"',
            "/*\n#if A\n*/",
            "// a #if A",
        ],
    )
    def test_near_misses_are_no_directives(self, text: str) -> None:
        assert keywords(text) == []

    def test_a_hole_holds_no_directive(self) -> None:
        assert keywords('$"{a\n#if A\n}"; b') == []

    def test_a_sign_alone_is_a_directive_without_a_word(self) -> None:
        assert directives("#\n# ") == [("", ""), ("", "")]


class TestDeadBranches:
    @pytest.mark.parametrize("condition", ["false", "(false)", " ( false ) ", "!true", "0"])
    def test_text_that_never_compiles_is_no_code(self, condition: str) -> None:
        text = f"#if {condition}\nit's \"a /* b\n#elif A\n// c\n#endif\n'd'"
        assert keywords(text) == ["if", "elif", "endif"]
        assert comments(text) == ["// c"]
        assert literals(text) == ["'d'"]

    def test_chains_in_it_are_known(self) -> None:
        text = "#if false\n'\n#if A // a\n/*\n#else\n#endif\n@\"\n#endif\n// b"
        assert keywords(text) == ["if", "if", "else", "endif", "endif"]
        assert comments(text) == ["// a", "// b"]

    def test_it_can_be_the_last(self) -> None:
        assert keywords("#if A\n#elif false\n/*\n#endif\nb") == ["if", "elif", "endif"]
        assert keywords("#if false\n/*") == ["if"]

    @pytest.mark.parametrize("condition", ["FALSE", "false || A", "!false", "A && false_", "true"])
    def test_near_misses_are_read(self, condition: str) -> None:
        assert comments(f"#if {condition}\n// a\n#endif") == ["// a"]


class TestUnclosed:
    """A build that does not take a branch sees its ``#endif``, whatever begins in the branch."""

    @pytest.mark.parametrize(
        "opening",
        ["/*", '@"', '"""\n', '$"""\n', '$@"', '$"{', '$@"{a', '$$"""\n{{b', '$"{$@"', '$"{"""\n', '$"{/*', '$"{@"'],
    )
    def test_what_begins_in_a_branch_ends_with_it(self, opening: str) -> None:
        text = f"a\n#if A\nb {opening}\n  #endif\n// c\n'd'"
        assert keywords(text) == ["if", "endif"]
        assert comments(text)[-1] == "// c"
        assert literals(text)[-1] == "'d'"
        assert unclosed(text)[0] == f"{opening}\n  "

    def test_every_kind_of_branch_ends(self) -> None:
        text = "#if A\n/*\n#elif B\n/*\n#else\n/*\n#endif\n// c"
        assert keywords(text) == ["if", "elif", "else", "endif"]
        assert unclosed(text) == ["/*\n", "/*\n", "/*\n"]

    def test_it_is_the_innermost_branch_that_ends(self) -> None:
        text = '#if A\n#if B\n/*\n#endif\n// b\n#else\n@"\n#if C\n#endif\n#endif\n// c'
        assert keywords(text) == ["if", "if", "endif", "else", "endif"]
        assert comments(text) == ["/*\n", "// b", "// c"]

    def test_what_ends_in_its_branch_holds_text(self) -> None:
        text = '#if A\n@"\n#if B\n#else\n#endif\n" /* \n#if C\n#endif\n*/ """\n#if D\n#endif\n"""\n#endif'
        assert keywords(text) == ["if", "endif"]
        assert unclosed(text) == []

    def test_outside_of_branches_all_is_text(self) -> None:
        assert keywords('@"\n#if A\n#endif\n#endif" /*\n#endif\n*/') == []

    def test_without_end_of_file_there_is_no_branch_to_end(self) -> None:
        assert unclosed("#if A\n/*") == []
        assert unclosed('@"') == []

    def test_it_can_be_asked_for_whole(self) -> None:
        text = b"#if A\n/*\n#else\n*/ 'a'\n#endif\n'b' /*\n#endif\n*/"
        start = Tokens(text).unclosed[0][0]
        tokens = Tokens(text, frozenset([start]))
        assert [directive.keyword for directive in tokens.directives] == ["if", "endif"]
        assert [comment.text for comment in tokens.comments] == ["/*\n#else\n*/", "/*\n#endif\n*/"]
        assert tokens.unclosed == ()

    @pytest.mark.parametrize("text", ['@"a"', '$@"{b}"', '"""\na\n"""', "/* */", '$"a', '"a', '"""a', "'"])
    def test_near_misses(self, text: str) -> None:
        assert unclosed(f"#if A\n{text}\n#endif") == []


def holds_together(data: bytes) -> None:
    """What is true of the tokens of any text."""
    tokens = Tokens(data)
    places = [(comment.start, comment.end) for comment in tokens.comments] + list(tokens.literals)
    assert all(0 <= start < end <= len(data) for start, end in places)
    places.sort()
    assert all(before[1] <= after[0] for before, after in pairwise(places)), "they overlap"
    assert list(tokens.comments) == sorted(tokens.comments, key=lambda comment: comment.start)
    assert list(tokens.literals) == sorted(tokens.literals)
    assert list(tokens.directives) == sorted(tokens.directives, key=lambda directive: directive.start)
    for directive in tokens.directives:
        assert data[directive.start : directive.start + 1] == b"#"
        assert data[directive.start : directive.end].splitlines() == [data[directive.start : directive.end]]


@given(sources)
def test_tokens_of_odd_text_hold_together(text: str) -> None:
    data = text.encode()
    holds_together(data)


@given(st.binary(max_size=200))
def test_tokens_of_any_bytes_hold_together(data: bytes) -> None:
    holds_together(data)


@given(sources)
def test_a_branch_hides_nothing_of_what_follows(text: str) -> None:
    """Whatever stands in a branch: the build that does not take it sees what comes after."""
    inner = text.replace("\n#", "\n.").replace("\r#", "\r.").lstrip("#")
    found = Tokens(f"#if A\n{inner}\n#endif\n// seen\n".encode())
    assert [directive.keyword for directive in found.directives][-1] == "endif"
    assert found.comments[-1].text == "// seen"


@pytest.mark.parametrize(
    "piece",
    [
        *(
            '"',
            "'",
            "{",
            "$",
            "@",
            "\\",
            "#",
            "\n#",
            '$"{',
            '$@"{',
            '$$"""{{',
            '"""a""" ',
            '$"""a""" ',
            '@"" ',
            "/*",
            "/",
        ),
        *(
            '$"{x:',
            "\n#if A",
            "\n#if A\n/*\n#endif",
            '\n#if A\n$@"{\n#endif',
            "\n#if false\n",
            "\n#else",
            '"""\n""',
            " \n",
        ),
    ],
)
def test_time_grows_with_length_alone(piece: str) -> None:
    """It is a matter of milliseconds; what is quadratic takes minutes."""
    data = (piece * (HOSTILE_BYTES // len(piece))).encode()
    start = time.process_time()
    _ = Tokens(data).literals
    assert time.process_time() - start < 2
