import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.reports import Style
from guards.reports.diff import render
from guards.source.text import SourceText


def diff(before: str, after: str, path: str = "a.cs", *, terminal: bool = False, colour: bool = False) -> str:
    texts = SourceText(path, before.encode()), SourceText(path, after.encode())
    return render([texts], Style(colour=colour), terminal=terminal)


def test_a_change_has_its_file_and_three_lines_around_it() -> None:
    before = "".join(f"{number}\n" for number in range(1, 12))
    assert diff(before, before.replace("6\n", "six\n")) == (
        "--- a/a.cs\n+++ b/a.cs\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n"
    )


def test_changes_far_apart_have_a_hunk_each() -> None:
    before = "".join(f"{number}\n" for number in range(30))
    heads = [line for line in diff(before, "a\n" + before[2:] + "b\n").splitlines() if line.startswith("@@")]
    assert heads == ["@@ -1,4 +1,4 @@", "@@ -28,3 +28,4 @@"]


def test_what_does_not_change_is_not_shown() -> None:
    assert diff("a\n", "a\n") == ""


def test_a_file_that_is_emptied_or_has_no_last_line_end() -> None:
    assert diff("a\n", "") == "--- a/a.cs\n+++ b/a.cs\n@@ -1 +0,0 @@\n-a\n"
    assert diff("a", "b").endswith("-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")


def test_colours_are_for_terminals_alone() -> None:
    assert "\x1b" not in diff("a\n", "b\n")
    assert "\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n" in diff("a\n", "b\n", terminal=True, colour=True)


def test_carriage_returns_at_the_end_of_lines_are_kept_for_programs_and_spared_people() -> None:
    assert diff("a\r\nb\r\n", "a\r\nc\r\n").endswith(" a\r\n-b\r\n+c\r\n")
    assert diff("a\r\nb\r\n", "a\r\nc\r\n", terminal=True).endswith(" a\n-b\n+c\n")
    assert diff("a\rb\r", "a\rc\r").endswith(" a\\r\n-b\\r\n+c\\r\n")


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [("\x1b[2J", "\\x1b[2J"), ("a\u202eb", "a\\u202eb"), ("::stop", "\\x3a:stop"), ("##[group]", "#\\x23[group]")],
)
def test_nothing_in_a_file_commands_a_terminal_or_a_server(hostile: str, shown: str) -> None:
    assert diff(f"{hostile}\nb\n", f"{hostile}\nc\n").splitlines()[3] == f" {shown}"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("tests/名 前.cs", "a/tests/名 前.cs"),
        ("a\n+++ b/c.cs", '"a/a\\012+++ b/c.cs"'),
        ('a"\\.cs', '"a/a\\042\\134.cs"'),
        ("a\x1b[2J.cs", '"a/a\\033[2J.cs"'),
        ("caf\udce9.cs", '"a/caf\\351.cs"'),
    ],
)
def test_odd_names_are_quoted_as_git_does(path: str, shown: str) -> None:
    assert diff("a\n", "b\n", path).splitlines()[0] == f"--- {shown}"


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "  d é\n", "e\n"]), max_size=25)


@settings(max_examples=40, deadline=None)
@given(before=LINES, after=LINES, end=st.sampled_from(["", "\n"]))
def test_git_applies_it(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], end: str
) -> None:
    old, new = "".join(before) or "x\n", "".join(after) or "y\n"
    new = new.rstrip("\r\n") + end
    patch = diff(old, new)
    if not patch:
        return
    folder = tmp_path_factory.mktemp("git")
    (folder / "a.cs").write_bytes(old.encode())
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],  # noqa: S607 git of the search path
        cwd=folder, input=patch.encode(), capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (folder / "a.cs").read_bytes() == new.encode()
