import json

import pytest

from guards.findings.model import Finding
from guards.findings.result import Fixes, Refused, RunResult
from guards.reports import Sources, Style, renderer
from guards.reports.summary import summary
from guards.source.edits import Fix

SAFE, UNSAFE = Fix("wait for the condition", safe=True), Fix("delete it", safe=False)


def said_of_fixes(result: RunResult) -> list[str]:
    """The lines of the summary between what was found and what was skipped."""
    lines = list(
        summary(result._replace(skipped=(), allowed_unanalysed=0, unread_regions=0, excused=(), notices=()), Style())
    )
    return lines[1:]


@pytest.mark.parametrize(
    ("fixes", "expected"),
    [
        ((None, None), []),
        ((SAFE, None), ["Fixable with `--fix`: 1."]),
        ((SAFE, UNSAFE), ["Fixable with `--fix`: 1; 1 more with `--unsafe-fixes`."]),
        ((UNSAFE, UNSAFE), ["Fixable with `--unsafe-fixes`: 2."]),
    ],
)
def test_a_check_says_what_could_be_fixed(
    result: RunResult, findings: tuple[Finding, ...], fixes: tuple[Fix | None, ...], expected: list[str]
) -> None:
    offered = tuple(finding._replace(fix=fix) for finding, fix in zip(findings, fixes, strict=False))
    assert said_of_fixes(result._replace(findings=offered)) == expected


def test_what_was_refused_is_named_and_not_offered_again(result: RunResult, findings: tuple[Finding, ...]) -> None:
    refused, offered = findings[0]._replace(fix=SAFE), findings[1]._replace(fix=UNSAFE)
    fixes = Fixes((findings[1], findings[0], findings[1]), (Refused(refused, "it is read-only"),))
    assert said_of_fixes(result._replace(findings=(refused, offered), fixes=fixes)) == [
        "Fixed 3 findings in 2 files.",
        "Not fixed: 1 finding:",
        "  Tests/Helper.cs:3: thread-sleep: it is read-only",
        "Fixable with `--unsafe-fixes`: 1.",
    ]


def test_of_many_that_were_refused_the_first_are_named(result: RunResult, findings: tuple[Finding, ...]) -> None:
    fixes = Fixes((), (Refused(findings[0], "a\x1b[2J reason"),) * 8)
    lines = said_of_fixes(result._replace(findings=(), fixes=fixes))
    assert lines[0] == "Not fixed: 8 findings:"
    assert lines[1:6] == ["  Tests/Helper.cs:3: thread-sleep: a\\x1b[2J reason"] * 5
    assert lines[6:] == ["  and 3 more"]


def test_fixes_that_were_only_shown_are_not_called_made(result: RunResult, findings: tuple[Finding, ...]) -> None:
    offered = findings[0]._replace(fix=SAFE)
    shown = result._replace(findings=(offered,), fixes=Fixes((offered,), shown_only=True))
    assert said_of_fixes(shown) == ["Would fix 1 finding in 1 file; nothing was written."]


def test_the_text_report_names_each_fix_below_its_finding(
    result: RunResult, findings: tuple[Finding, ...], sources: Sources
) -> None:
    offered = (findings[0]._replace(fix=SAFE), findings[1]._replace(fix=UNSAFE), findings[2])
    lines = renderer("text")(result._replace(findings=offered), sources, Style()).splitlines()
    assert [line for line in lines if "fix:" in line] == [
        "  = fix: wait for the condition",
        "  = unsafe fix: delete it",
    ]
    assert lines.index("  = fix: wait for the condition") < lines.index("  = unsafe fix: delete it")


def test_the_json_report_counts_fixes_where_they_were_asked_for(
    result: RunResult, findings: tuple[Finding, ...], sources: Sources
) -> None:
    render = renderer("json")
    offered = result._replace(findings=(findings[0]._replace(fix=SAFE),))
    plain = json.loads(render(offered, sources, Style()))
    assert "fixes" not in plain["summary"]
    assert plain["findings"][0]["fix"] == {"title": "wait for the condition", "safe": True}
    fixed = offered._replace(fixes=Fixes((findings[1],), (Refused(findings[0], "no"),) * 2))
    assert json.loads(render(fixed, sources, Style()))["summary"]["fixes"] == {"made": 1, "refused": 2}
