import json

from guards.findings.model import Finding
from guards.findings.result import BASELINE, Excused, RunResult, Skipped
from guards.reports import Style
from guards.reports.gitlab import render
from guards.reports.model import Sources
from guards.source.place import Place
from guards.source.text import SourceText


def entries(result: RunResult, sources: Sources = lambda _: None) -> list[dict[str, object]]:
    found = json.loads(render(result, sources, Style()))
    assert isinstance(found, list)
    return found


def fingerprints(result: RunResult, text: str = "") -> list[object]:
    source = SourceText("", text.encode())
    return [entry["fingerprint"] for entry in entries(result, lambda _: source)]


def flaws(*lines: int, path: str = "a.py", rule: str = "r") -> tuple[Finding, ...]:
    return tuple(Finding(rule, Place(path, line, 1, line, 2), "m", severity="error") for line in lines)


def test_findings_and_files_that_were_not_checked_are_entries(result: RunResult, sources: Sources) -> None:
    found = entries(result, sources)
    assert [{key: value for key, value in entry.items() if key != "fingerprint"} for entry in found] == [
        {
            "description": "`Thread.Sleep` blocks the test's thread",
            "check_name": "thread-sleep",
            "severity": "major",
            "location": {"path": "Tests/Helper.cs", "lines": {"begin": 3}},
        },
        {
            "description": "`Thread.Sleep` blocks the test's thread",
            "check_name": "thread-sleep",
            "severity": "major",
            "location": {"path": "Tests/T.cs", "lines": {"begin": 9}},
        },
        {
            "description": "two suites",
            "check_name": "duplicate-suite-name",
            "severity": "info",
            "location": {"path": "tests/test_a.gd", "lines": {"begin": 1}},
        },
        {
            "description": "`os.path` is not the project's own",
            "check_name": "unowned-patch",
            "severity": "minor",
            "location": {"path": "tests/test_名前.py", "lines": {"begin": 2}},
        },
        {
            "description": "not checked: larger than 10 MB",
            "check_name": "not-checked",
            "severity": "critical",
            "location": {"path": "Tests/Huge.cs", "lines": {"begin": 1}},
        },
    ]


def test_a_clean_run_has_no_entries(clean: RunResult) -> None:
    assert render(clean, lambda _: None, Style()) == "[]\n"


def test_every_entry_has_a_fingerprint_of_its_own(clean: RunResult) -> None:
    text = "a\nb\n" * 10
    result = clean._replace(
        findings=(*flaws(1, 3, 5, 7, 19), *flaws(3, 5, path="b.py"), *flaws(5, rule="s")),
        skipped=(Skipped("a.py", "binary"), Skipped("a.py", "`r` was not judged"), Skipped("b.py", "binary")),
    )
    found = fingerprints(result, text)
    assert len(set(found)) == len(found) == 11


def test_fingerprints_stay_when_lines_move_and_when_others_are_excused(clean: RunResult) -> None:
    text = "a\nb\n" * 10
    before = fingerprints(clean._replace(findings=flaws(3, 5, 7)), text)
    assert fingerprints(clean._replace(findings=flaws(5, 7, 9)), f"new\n\n{text}") == before
    first, *others = flaws(3, 5, 7)
    excused = clean._replace(findings=tuple(others), excused=(Excused(first, BASELINE, ""),))
    assert fingerprints(excused, text) == before[1:]
