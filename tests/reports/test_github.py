from dataclasses import dataclass

import pytest

from guards.findings.model import Finding
from guards.findings.result import RunResult, Skipped
from guards.reports import Style
from guards.reports.github import render
from guards.source.place import Place


@dataclass
class Command:
    name: str
    properties: dict[str, str]
    text: str


def parsed(line: str) -> Command:
    """A command as GitHub's runner reads it."""
    assert line.startswith("::")
    head, _, data = line.removeprefix("::").partition("::")
    name, _, properties = head.partition(" ")
    pairs = dict(pair.split("=", 1) for pair in properties.split(",") if pair)
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        pairs = {key: value.replace(code, character) for key, value in pairs.items()}
        if code not in {"%3A", "%2C"}:
            data = data.replace(code, character)
    return Command(name, pairs, data)


def shown(result: RunResult) -> list[str]:
    return render(result, lambda _: None, Style()).splitlines()


def test_a_whole_report(result: RunResult) -> None:
    assert (
        "\n".join(shown(result))
        == """\
::error file=Tests/Helper.cs,line=3,endLine=3,col=38,endColumn=43,title=Suiteguard%3A thread-sleep::Tests/Helper.cs:3:38: `Thread.Sleep` blocks the test's thread%0ATests/T.cs:5:38: called by the test `A`%0AInstead: wait for the condition, with a bound
::error file=Tests/T.cs,line=9,endLine=9,col=16,endColumn=21,title=Suiteguard%3A thread-sleep::Tests/T.cs:9:16: `Thread.Sleep` blocks the test's thread%0AInstead: wait for the condition, with a bound
::notice file=tests/test_a.gd,line=1,endLine=1,col=1,endColumn=1,title=Suiteguard%3A duplicate-suite-name::tests/test_a.gd:1:1: two suites
::warning file=tests/test_名前.py,line=2,endLine=2,col=17,endColumn=22,title=Suiteguard%3A unowned-patch::tests/test_名前.py:2:17: `os.path` is not the project's own
::error file=Tests/Huge.cs,title=Suiteguard%3A not checked::Tests/Huge.cs: larger than 10 MB
Found 2 errors, 1 warning and 1 note in 31 checked files (20 C#, 1 GDScript, 10 Python).
Incomplete: 1 file could not be checked:
  Tests/Huge.cs: larger than 10 MB
Not read, and allowed by `allow-unanalysed`: 2 files.
Did not parse, so no rule saw them: 1 region (`parse-incomplete`).
Suppressed with a reason: 3 findings.
Held back by the baseline: 1 finding.
Notice: 1 file is not UTF-8 and was read as Windows-1252"""
    )


def test_a_clean_run_is_its_summary(clean: RunResult) -> None:
    assert shown(clean) == ["No findings in 12 checked files (12 Python)."]


def test_a_range_of_several_lines_has_no_columns(clean: RunResult) -> None:
    finding = Finding("r", Place("a.py", 2, 5, 4, 1), "m", severity="error")
    line, _ = shown(clean._replace(findings=(finding,)))
    assert line == "::error file=a.py,line=2,endLine=3,title=Suiteguard%3A r::a.py:2:5: m"


@pytest.mark.parametrize("path", ["a,line=9::error::.py", "50%0A,%2C.py", "a=b;c.py", "名 前.py"])
def test_what_would_end_a_property_is_escaped(clean: RunResult, path: str) -> None:
    finding = Finding("r", Place(path, 2, 5, 2, 6), f"{path}\n::add-mask::x", severity="error")
    line, _ = shown(clean._replace(findings=(finding,)))
    assert parsed(line) == Command(
        "error",
        {"file": path, "line": "2", "endLine": "2", "col": "5", "endColumn": "6", "title": "Suiteguard: r"},
        f"{path}:2:5: {path}\\n::add-mask::x",
    )


def test_the_log_says_when_github_shows_less_than_there_is(clean: RunResult) -> None:
    def findings(severity: str, number: int) -> tuple[Finding, ...]:
        return tuple(Finding("r", Place("a.py", n, 1, n, 2), "m", severity=severity) for n in range(1, number + 1))

    few = clean._replace(findings=(*findings("error", 10), *findings("warning", 10), *findings("note", 10)))
    assert not any("GitHub shows" in line for line in shown(few))
    many = few._replace(findings=(*findings("error", 10), *findings("note", 11)), skipped=(Skipped("b.py", "binary"),))
    assert "GitHub shows 10 annotations of a kind for a step; this log has all of the 11 errors and 11 notes." in shown(
        many
    )
