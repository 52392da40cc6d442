import re
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from guards.findings.model import Comment
from guards.findings.suppressions import Suppression, find_suppressions
from guards.source.edits import apply
from guards.source.text import SourceText


class Source(NamedTuple):
    """A text and its comments."""

    text: SourceText
    comments: tuple[Comment, ...]


def suppressions(source: str) -> tuple[Suppression, ...]:
    """Those of a source whose comments begin with ``//`` or ``#`` and end with their line, or stand in ``/* */``."""
    text = SourceText("a.cs", source.encode())
    comments = []
    for match in re.finditer(rb"/\*.*?\*/|(?://|\#)[^\n]*", text.data, re.DOTALL):
        line_start = text.data.rfind(b"\n", 0, match.start()) + 1
        own_line = not text.data[line_start : match.start()].strip()
        comments.append(Comment(match[0].decode(), match.start(), match.end(), own_line))
    return find_suppressions(Source(text, tuple(comments)))


def covered(source: str, rule: str = "thread-sleep") -> set[int]:
    return {line for line in range(1, 30) for s in suppressions(source) if s.covers(rule, line)}


def test_a_comment_at_the_end_of_a_line_covers_that_line() -> None:
    assert covered("a;\nThread.Sleep(1); // suiteguard: allow[thread-sleep] the driver polls\nb;\n") == {2}


def test_a_comment_of_its_own_covers_the_next_line_of_code() -> None:
    assert covered("// suiteguard: allow[thread-sleep] the driver polls\n\n// more\nThread.Sleep(1);\nb;\n") == {4}


def test_a_comment_above_attributes_covers_them_and_the_declaration() -> None:
    source = "// suiteguard: allow[async-void] an event\n[Test]\n[Category(1)]\npublic async void A() {\n}\n"
    assert covered(source, "async-void") == {2, 3, 4}


def test_a_comment_above_decorators_covers_them_and_the_function() -> None:
    source = "# suiteguard: allow[unowned-patch] ours in all but name\n@patch('os.replace')\n@other\ndef test_a():\n    pass\n"
    assert covered(source, "unowned-patch") == {2, 3, 4}


def test_a_block_comment_before_code_covers_its_own_line() -> None:
    assert covered("a;\n/* suiteguard: allow[thread-sleep] polls */ Thread.Sleep(1);\nb;\n") == {2}


def test_several_rules_share_a_reason() -> None:
    (one,) = suppressions("a; // suiteguard: allow[thread-sleep, async-void] legacy driver, removed in spring\n")
    assert one.names == ("thread-sleep", "async-void")
    assert one.reason == "legacy driver, removed in spring"
    assert [(place.column, place.end_column) for place in one.name_places] == [(25, 37), (39, 49)]


def test_without_a_reason_nothing_is_covered() -> None:
    for reason in ("", " ", " - ", " ...", " */"):
        assert covered(f"Thread.Sleep(1); // suiteguard: allow[thread-sleep]{reason}\n") == set()


def test_another_rule_is_not_covered() -> None:
    assert covered("Thread.Sleep(1); // suiteguard: allow[async-void] polls\n") == set()


def test_a_comment_that_is_not_ours_is_none() -> None:
    assert suppressions("// noqa: suite\n// suiteguards: allow[a] b\n// see suiteguard\n") == ()


def test_a_comment_to_us_without_allow_is_not_understood() -> None:
    (one,) = suppressions("// suiteguard: disable thread-sleep\nThread.Sleep(1);\n")
    assert not one.understood


def test_an_empty_bracket_is_not_understood() -> None:
    (one,) = suppressions("// suiteguard: allow[] because\n")
    assert not one.understood


def test_a_comment_at_the_end_of_the_file_covers_nothing() -> None:
    assert covered("a;\n// suiteguard: allow[thread-sleep] nothing follows\n").isdisjoint({1, 2, 3})


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_text_behind_the_mark_is_read_without_an_error(tail: str) -> None:
    for one in suppressions(f"// suiteguard: {tail}\ncode\n"):
        assert one.first_line <= one.last_line


@given(st.from_regex(r"[a-z]+(-[a-z]+)*", fullmatch=True), st.from_regex(r"[A-Za-z][A-Za-z ]{0,20}", fullmatch=True))
def test_what_is_written_in_the_documented_form_suppresses(name: str, reason: str) -> None:
    assert covered(f"code // suiteguard: allow[{name}] {reason}\n", name) == {1}


def test_thousands_of_comments_in_a_row_take_no_longer_than_the_file() -> None:
    lines = 10_000
    found = suppressions("# suiteguard: allow[a] said above\n" * lines + "@head\n" * lines + "code()\n")
    assert {(one.first_line, one.last_line) for one in found} == {(lines + 1, 2 * lines + 1)}


def removed(source: str, *, comment: int = 0) -> str:
    """The source after the suppression of one of its comments is taken away."""
    return apply(source.encode(), [suppressions(source)[comment].removal]).decode()


def test_a_suppression_on_lines_of_its_own_goes_with_them() -> None:
    assert removed("a;\n    // suiteguard: allow[x] why\nb;\n") == "a;\nb;\n"
    assert removed("a;\r\n  /* suiteguard: allow[x]\r\n   because */\r\nb;\r\n") == "a;\r\nb;\r\n"
    assert removed("# suiteguard: allow[x] why\na\n") == "a\n"


def test_the_last_line_has_an_end_after_it_goes_as_it_had_before() -> None:
    assert removed("a;\n// suiteguard: allow[x] why\n") == "a;\n"
    assert removed("a;\r\n// suiteguard: allow[x] why") == "a;"
    assert removed("// suiteguard: allow[x] why") == ""


def test_a_suppression_behind_code_goes_with_the_space_before_it() -> None:
    assert removed("a;  // suiteguard: allow[x] why\nb;\n") == "a;\nb;\n"
    assert removed("a;\t/* suiteguard: allow[x] why */\r\nb;\r\n") == "a;\r\nb;\r\n"


def test_code_around_a_suppression_stays_apart() -> None:
    assert removed("int /* suiteguard: allow[x] why */ a;\n") == "int a;\n"
    assert removed("int/* suiteguard: allow[x] why */a;\n") == "int a;\n"
    assert removed("    /* suiteguard: allow[x] why */ a;\n") == "    a;\n"


def test_what_a_comment_says_before_its_suppression_stays() -> None:
    assert removed("a  # type: ignore # suiteguard: allow[x] why\n") == "a  # type: ignore\n"
    assert removed("// NOSONAR, suiteguard: allow[x] why\na;\n") == "// NOSONAR\na;\n"
    assert removed("/* Waits.\n * suiteguard: allow[x] why\n */\na;\n") == "/* Waits.\n */\na;\n"


def test_names_are_taken_off_a_list_and_the_last_takes_the_comment_with_it() -> None:
    source = "é;  // suiteguard: allow[ a,b , c ] why\n"
    (one,) = suppressions(source)
    assert apply(source.encode(), [one.without(["b"])]).decode() == "é;  // suiteguard: allow[a, c] why\n"
    assert apply(source.encode(), [one.without(["a", "b"])]).decode() == "é;  // suiteguard: allow[c] why\n"
    assert one.without(["a", "b", "c"]) == one.removal


def test_a_comment_ends_with_its_line_though_a_parser_goes_on() -> None:
    data = b"a  # suiteguard: allow[x] why\rb\n"
    text = SourceText("a.py", data)
    (one,) = find_suppressions(Source(text, (Comment(data[3:-1].decode(), 3, len(data) - 1, own_line=False),)))
    assert one.reason == "why"
    assert apply(data, [one.removal]) == b"a\rb\n"
