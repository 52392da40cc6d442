import re
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from guards.findings.model import Comment
from guards.findings.suppressions import Suppression, find_suppressions
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
