"""What the page about reports shows is what they are."""

import json
import re
from pathlib import Path

import pytest

from guards.findings.model import Finding, Related
from guards.findings.result import RunResult
from guards.reports import FORMATS, Style, renderer
from guards.source.place import Place
from guards.source.text import SourceText

PAGE = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")
TEXT = """\
using System.Threading;
using NUnit.Framework;
public class T
{
    [Test] public void A() {
        Thread.Sleep(10);
    }
}
"""
RESULT = RunResult(
    (
        Finding(
            "thread-sleep", Place("Tests/T.cs", 6, 16, 6, 21), "`Thread.Sleep` blocks the thread",
            "a blocked thread stops everything that the test waits for", "wait for the condition, with a bound",
            (Related(Place("Tests/T.cs", 5, 24, 5, 25), "reached from the test `A`"),), "SGC001", "warning",
        ),
    ),
    1, (("csharp", 1),),
)  # fmt: skip


def examples(heading: str) -> list[str]:
    """The blocks of code below a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def rendered(name: str) -> str:
    return renderer(name)(RESULT, lambda path: SourceText(path, TEXT.encode()), Style())


def test_every_format_is_in_the_table() -> None:
    assert sorted(re.findall(r"^\| \[?`(\w+)`", PAGE, re.MULTILINE)[: len(FORMATS)]) == sorted(FORMATS)


@pytest.mark.parametrize(
    ("heading", "names"),
    [("`text` and `concise`", ["text", "concise"]), ("`github`", ["github"]), ("`junit`", ["junit"])],
)
def test_the_lines_shown_are_lines_of_the_report(heading: str, names: list[str]) -> None:
    for name, example in zip(names, examples(heading), strict=True):
        assert example in rendered(name)


def test_the_objects_shown_are_those_of_the_report() -> None:
    (sarif,), (gitlab,) = examples("`sarif`"), examples("`gitlab`")
    assert json.loads(sarif) == json.loads(rendered("sarif"))["runs"][0]["results"][0]
    assert json.loads(gitlab) == json.loads(rendered("gitlab"))
