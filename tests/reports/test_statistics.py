from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports import Style
from guards.reports.statistics import render
from guards.source.place import Place


def test_rules_are_counted_and_the_most_frequent_stand_first(clean: RunResult) -> None:
    place = Place("a.py", 1, 1, 1, 2)
    said = [("b-rule", "error")] * 11 + [("a-rule", "note")] * 2 + [("c-rule", "error")] * 2 + [("c-rule", "warning")]
    findings = tuple(Finding(rule, place, "m", severity=severity) for rule, severity in said)
    assert (
        render(clean._replace(findings=findings), lambda _: None, Style())
        == """\
11  error    b-rule
 2  note     a-rule
 2  error    c-rule
 1  warning  c-rule
Found 13 errors, 1 warning and 2 notes in 12 checked files (12 Python).
"""
    )


def test_a_clean_run_is_one_line(clean: RunResult) -> None:
    assert render(clean, lambda _: None, Style()) == "No findings in 12 checked files (12 Python).\n"
