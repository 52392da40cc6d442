import json
import re
from pathlib import Path

from guards import __version__
from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports import Style
from guards.reports.json_report import render
from guards.source.edits import Fix
from guards.source.place import Place


def report(result: RunResult) -> str:
    return render(result, lambda _: None, Style())


def test_a_whole_report(result: RunResult) -> None:
    assert json.loads(report(result._replace(findings=result.findings[:1]))) == {
        "version": 1,
        "tool": {"name": "suiteguard", "version": __version__},
        "summary": {
            "findings": {"error": 1, "warning": 0, "note": 0},
            "suppressed": 3,
            "baselined": 1,
            "files_checked": 31,
            "files_by_language": {"csharp": 20, "gdscript": 1, "python": 10},
            "skipped": 1,
            "allowed_unanalysed": 2,
            "unread_regions": 1,
        },
        "findings": [
            {
                "rule": "thread-sleep",
                "code": "SGC001",
                "severity": "error",
                "message": "`Thread.Sleep` blocks the test's thread",
                "place": {"path": "Tests/Helper.cs", "line": 3, "column": 38, "end_line": 3, "end_column": 43},
                "related": [
                    {
                        "message": "called by the test `A`",
                        "place": {"path": "Tests/T.cs", "line": 5, "column": 38, "end_line": 5, "end_column": 42},
                    }
                ],
                "why": "a blocked thread stops what is waited for",
                "instead": "wait for the condition, with a bound",
            }
        ],
        "skipped": [{"path": "Tests/Huge.cs", "reason": "larger than 10 MB"}],
        "notices": ["1 file is not UTF-8 and was read as Windows-1252"],
    }


def test_a_fix_is_offered_by_title(result: RunResult) -> None:
    finding = result.findings[0]._replace(fix=Fix("Return `Task`", safe=False))
    assert json.loads(report(result._replace(findings=(finding,))))["findings"][0]["fix"] == {
        "title": "Return `Task`",
        "safe": False,
    }


def test_the_text_is_utf_8_and_ends_with_a_newline(result: RunResult) -> None:
    text = report(result)
    assert '"path": "tests/test_名前.py"' in text
    assert text.endswith("\n}\n")


def test_what_a_terminal_would_obey_is_escaped_and_read_back_the_same() -> None:
    path = "a\x1b[31m\x7f\x9b\u202e\ufeff\u2028\U000e0041\udcff\n.py"
    finding = Finding("r", Place(path, 1, 1, 1, 2), "m", severity="error")
    text = report(RunResult((finding,), 1, (("python", 1),)))
    assert r'"a\u001b[31m\u007f\u009b\u202e\ufeff\u2028\udb40\udc41\udcff\n.py"' in text
    assert json.loads(text)["findings"][0]["place"]["path"] == path
    text.encode("utf-8")


def test_the_documented_example_has_every_field_in_order(result: RunResult) -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    match = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert match
    assert shape(json.loads(match[1])) == shape(json.loads(report(result._replace(findings=result.findings[:1]))))


def shape(value: object) -> object:
    """The keys of objects, in order, and the types of what stands in them; of lists, the first item."""
    if isinstance(value, dict):
        items = value.items()
        return [(key, "" if key in {"notices", "files_by_language"} else shape(item)) for key, item in items]
    return [shape(item) for item in value[:1]] if isinstance(value, list) else type(value)
