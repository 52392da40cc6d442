"""One verdict of each kind in every format, with names that try to be something else."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Contract, NotEvaluated, condition
from guards.evidence.expectations import Expectations, expectations
from guards.evidence.model import Leaf, Reason, Run, Where, count
from guards.evidence.verdict import Verdict, judge
from guards.reports.model import Style
from guards.reports.verdicts import FORMATS, renderer


class Given(NamedTuple):
    reasons: tuple[Reason, ...]
    run: Run
    issues: tuple[Reason, ...] = ()


@condition(
    "EVD901", "tests-passed", {"FAILED": REJECT, "GONE": INCOMPLETE, "ODD": WARNING}, "mend the test", source="A-39"
)
def every_test_passed(evidence: Given, expected: Expectations) -> Iterator[Reason]:
    """Every test passed."""
    del expected
    yield from evidence.reasons


@condition("EVD902", "mode-expected", {}, "run in that mode")
def mode_expected(evidence: Given, expected: Expectations) -> Iterator[Reason]:
    """The mode is the expected one."""
    del evidence
    if expected.mode is None:
        raise NotEvaluated("nobody stated a mode")
    yield from ()


CONTRACT = Contract(
    "small", "A small contract", "", (every_test_passed, mode_expected), ("That a test asserts anything.",)
)
LEAVES = (Leaf("a", "A", "passed", Where("r.xml", 2)), Leaf("b", "B", "failed", Where("r.xml", 3)))
RUN = Run("test", LEAVES, count(LEAVES), None, (("run-id", "run-1"), ("project", "")))


def verdict(*reasons: Reason, path: str = "r.xml", run: Run = RUN) -> Verdict:
    judged = judge(CONTRACT, Given(reasons, run), expectations({}, ("total=2",)))
    return judged._replace(path=path, took_for="a result file")


def render(format_: str, *verdicts: Verdict) -> str:
    return renderer(format_)(verdicts, Style())


BROKEN = Reason("FAILED", Where("r.xml", 3, "result"), "b", "it failed")


def test_the_text_says_what_was_found_where_what_to_do_and_what_is_not_proved() -> None:
    assert render("text", verdict(BROKEN, Reason("ODD", Where("r.xml")))).splitlines() == [
        "rejected: r.xml",
        "  taken for a result file; contract small, profile task",
        "  run-id: run-1",
        "  2 tests: 1 passed, 1 failed",
        "failed EVD901 tests-passed (A-39): Every test passed.",
        "  FAILED at r.xml:3 (result) `b`: it failed",
        "  next: mend the test",
        "warning EVD901 tests-passed (A-39): ODD at r.xml",
        "0 conditions held.",
        "Not evaluated, so not proved: 1 condition.",
        "  EVD902 mode-expected: nobody stated a mode",
        "What evidence of this kind can never prove:",
        "  That a test asserts anything.",
    ]


def test_a_reason_that_stands_nowhere_names_no_place() -> None:
    assert "  FAILED `b`: it failed\n" in render("text", verdict(BROKEN._replace(where=Where(""))))


def test_many_reasons_are_cut_and_counted() -> None:
    text = render("text", verdict(*(BROKEN._replace(identity=str(number)) for number in range(25))))
    assert text.count("FAILED at") == 10
    assert "and 15 more; `--output json` has all" in text


def test_json_has_everything() -> None:
    found = json.loads(render("json", verdict(BROKEN, Reason("ODD", Where("r.xml"))), verdict()))
    first, second = found["verdicts"]
    assert (first["verdict"], second["verdict"], found["version"]) == ("rejected", "accepted", 1)
    assert (first["run_id"], first["request_id"], first["counts"]["failed"]) == ("run-1", "", 1)
    assert first["reasons"] == [
        {
            "code": "FAILED",
            "class": "R",
            "condition": "EVD901",
            "name": "tests-passed",
            "file": "r.xml",
            "line": 3,
            "field": "result",
            "identity": "b",
            "detail": "it failed",
            "next": "mend the test",
        }
    ]
    assert [item["code"] for item in first["warnings"]] == ["ODD"]
    assert first["not_evaluated"] == [{"condition": "EVD902", "name": "mode-expected", "why": "nobody stated a mode"}]
    assert first["expectations"] == {"total": "--expect"}


def test_junit_has_a_test_for_each_condition() -> None:
    suite = ET.fromstring(render("junit", verdict(BROKEN)))[0]  # noqa: S314 our own output
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "FAILED"
    assert "r.xml:3" in (failure.text or "")


def test_github_gets_one_command_for_each_failed_condition() -> None:
    text = render("github", verdict(BROKEN, BROKEN))
    (command,) = re.findall(r"^::.*", text, re.MULTILINE)
    assert command == (
        "::error file=r.xml,title=Suiteguard%3A rejected::EVD901 tests-passed (A-39): Every test passed.%0A"
        "FAILED at r.xml:3 (result) `b`: it failed%0AFAILED at r.xml:3 (result) `b`: it failed%0ANext: mend the test"
    )


def test_markdown_shows_the_verdict_first() -> None:
    text = render("markdown", verdict(BROKEN))
    assert text.startswith("## ❌ rejected: `r.xml`\n\n2 tests: 1 passed, 1 failed.")
    assert "- ``FAILED at r.xml:3 (result) `b`: it failed``" in text


HOSTILE = [
    "\n::error file=x::stolen",
    "##[command]x",
    "]]><evil/>",
    "<script>alert(1)</script>",
    "\x1b[31mred\x07",
    "a%0Ab",
    "\u202egnp.exe",
    "``` <b>x</b>",
    "| a | b |",
    "\udcff",
]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_from_outside_is_more_than_text(format_: str, text: str) -> None:
    reason = Reason("FAILED", Where(text, 1, text), text, text)
    run = RUN._replace(identity=(("run-id", text),))
    report = render(format_, verdict(reason, path=text, run=run))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", report)
    lines = report.splitlines()
    assert sum(line.lstrip().startswith("::") for line in lines) == (format_ == "github")
    assert not any("##[" in line for line in lines if not line.startswith("::"))
    if format_ == "json":
        assert json.loads(report)["verdicts"][0]["reasons"][0]["detail"] == text
    if format_ == "junit":
        assert [element.tag for element in ET.fromstring(report).iter()].count("evil") == 0  # noqa: S314 our own output
    if format_ == "markdown":
        spanless = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", report)
        assert "<script>" not in spanless
        assert "<b>" not in spanless
        assert not any(line.startswith("|") for line in lines)
