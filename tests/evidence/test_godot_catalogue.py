"""The catalogue of tampered and partial results of Godot's runners, each with its verdict and its reasons."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from evidence.godot_results import (
    SAMPLES,
    Object,
    codes,
    green,
    inventory,
    judge_path,
    judge_reply,
    judge_text,
    judge_with_sources,
    red,
    result,
    row,
    skipped,
    source,
    timeout,
)

from guards.evidence.contracts import judged
from guards.evidence.contracts.gut import CONTRACT as GUT
from guards.evidence.expectations import Expectations
from guards.evidence.inventory import Inventory, SourceSuite, SourceTest
from guards.evidence.readers.junit import JUnitFile
from guards.evidence.taken import Taken, taken
from guards.evidence.verdict import Verdict, judge

Judge: TypeAlias = Callable[[Path], Verdict]
ROWS = [*green("harbour", "test_a", "test_b"), skipped("harbour", "test_c"), *green("mole", "test_d", "test_e")]
SOURCES = inventory(
    source("harbour", "test_a", "test_b", SourceTest("test_c", skips=True)), source("mole", "test_d", "test_e")
)


class Case(NamedTuple):
    number: int
    verdict: str
    codes: set[str]
    judge: Judge
    what: str = ""


def reply(value: Object, *stated: str) -> Judge:
    return lambda folder: judge_reply(folder, value, *stated)


def text(value: str) -> Judge:
    return lambda folder: judge_text(folder, value)


def held_against(rows: list[Object], edited_scene: str | None = "") -> Judge:
    return lambda folder: judge_with_sources(folder, result(rows, edited_scene=edited_scene), SOURCES)


def sample(name: str) -> Judge:
    def judge(folder: Path) -> Verdict:
        del folder
        return judge_path(SAMPLES / name)

    return judge


def with_passed(value: str) -> Judge:
    whole = json.dumps(result(ROWS))
    assert '"passed": 4' in whole
    return text(whole.replace('"passed": 4', f'"passed": {value}'))


def older_than_sources(folder: Path) -> Verdict:
    path = folder / "result.json"
    path.write_text(json.dumps(result(ROWS)), encoding="utf-8")
    os.utime(path, ns=(5_000, 5_000))
    return judged(taken(str(path)), Expectations(in_place=True, newest_source=("tests/test_mole.gd", 9_000)))


def dropped_by_parameters(folder: Path) -> Verdict:
    """The real sample, with what its sources have: the suite ``ok`` ends at its test with a parameter."""
    told = json.loads((SAMPLES / "mcp-verbose-params-dropped-tests.json").read_text(encoding="utf-8"))
    tests: dict[str, list[str | SourceTest]] = {}
    for each in told["data"]["results"]:
        tests.setdefault(each["suite"], []).append(each["test"])
    tests["ok"] += [SourceTest("test_param", ends_suite=True), "test_push_error", "test_skip", "test_static", "test_z"]
    return judge_with_sources(folder, told, inventory(*(source(suite, *names) for suite, names in tests.items())))


def missing_report(folder: Path) -> Verdict:
    return judged(Taken("gdunit4", str(folder), "report_1/results.xml", "the report that was expected"), Expectations())


def script_missing(folder: Path) -> Verdict:
    (folder / "gut.xml").write_text(GUT_OF_TWO, encoding="utf-8")
    two = Inventory(
        tuple(SourceSuite(name, f"test/{name}.gd", (SourceTest("test_x"),)) for name in ("test_a", "test_b"))
    )
    return judge(GUT, JUnitFile(str(folder), "gut.xml", "gut", two), Expectations())


def gdunit4(root: str, suite: str, case: str) -> str:
    return (
        f'<testsuites id="2026-03-02" name="report_1" tests="1" {root} flaky="0" time="0.1">'
        f'<testsuite id="0" name="lock_test" package="t" tests="1" {suite} flaky="0" time="0.1">'
        f'<testcase name="test_a" classname="lock_test" time="0.1">{case}</testcase></testsuite></testsuites>'
    )


ERROR_BEHIND_GREEN = gdunit4(
    'failures="0" skipped="0"',
    'failures="0" errors="1" skipped="0"',
    '<error type="ABORT" message="ERROR: x">e</error>',
)
UNKNOWN_ARGUMENT = gdunit4(
    'failures="0" skipped="1"',
    'failures="0" errors="0" skipped="1"',
    '<skipped message="SKIPPED: x"><![CDATA[Reason: \'Unknown test case argument\'s ["x"] found.\']]></skipped>',
)
GUT_OF_TWO = """<testsuites name="GutTests" failures="0" tests="1" ><testsuite name="test/test_a.gd" tests="1" failures="0"
 skipped="0" time="0.1" ><testcase name="test_x" assertions="1" status="pass" classname="test/test_a.gd" time="0.1" >
</testcase></testsuite></testsuites>"""
SETUP_SKIPPED = [
    row(suite, "<suite_setup>", 0, "suite_setup() skipped: no window", skipped=True) for suite in ("a", "b", "c")
]
EXCLUDED = [skipped("a", test, "Excluded by exclude_test_name filter") for test in ("test_a", "test_b")]
BROKEN_OFF = "Aborted by SCRIPT ERROR: Invalid call"
BUSY: Object = {
    "request_id": "r", "status": "error", "readiness": "testing", "data": {},
    "error": {"code": "EDITOR_NOT_READY", "message": "busy",
              "data": {"sub_code": "EDITOR_TEST_RUNNING", "retryable": True}},
}  # fmt: skip

CASES = [
    Case(1, "incomplete", {"RESULT_EMPTY"}, reply({})),
    Case(2, "incomplete", {"RESULT_EMPTY"}, reply({"data": {"edited_scene": "res://main.tscn"}})),
    Case(3, "rejected", {"COUNT_INVARIANT"}, reply(result(ROWS, total=15, passed=12, skipped=2))),
    Case(4, "rejected", {"FAILURES_MISMATCH"}, reply(result(ROWS, failures=[red("harbour", "test_a")]))),
    Case(5, "rejected", {"FAILURES_MISMATCH", "TESTS_FAILED"}, reply(result([red("a", "t")], failures=None))),
    Case(6, "rejected", {"LOAD_ERRORS"}, reply(result(ROWS, load_errors=["test_x.gd (load failed)"]))),
    Case(7, "incomplete", {"RUN_TIMEOUT"}, reply(timeout(passed=300, failed=0, skipped=0, total=300))),
    Case(8, "rejected", {"RUN_TIMEOUT", "TESTS_FAILED"}, reply(timeout(passed=300, failed=1))),
    Case(
        9,
        "incomplete",
        {"EDITED_SCENE_MISSING", "TEST_MISSING", "SUITE_NEVER_RAN"},
        held_against(ROWS[:3], edited_scene=None),
    ),
    Case(10, "rejected", {"GREEN_WITH_MESSAGE"}, reply(result([row("a", "t", 1, "Expected 1, got 2")]))),
    Case(11, "incomplete", {"TEST_MISSING"}, held_against([ROWS[0], *ROWS[2:]])),
    Case(12, "rejected", {"ZERO_ASSERTIONS"}, reply(result([*ROWS, row("mole", "test_f", 0)]))),
    Case(
        13,
        "rejected",
        {"SKIP_WITHOUT_CALL"},
        lambda folder: judge_with_sources(
            folder,
            result([*green("a", "t"), skipped("a", "u", "flaky")]),
            inventory(source("a", "t", SourceTest("u", skips=False))),
        ),
    ),
    Case(14, "rejected", {"SKIP_WITH_ASSERTIONS"}, reply(result([*ROWS, row("mole", "u", 3, "why", skipped=True)]))),
    Case(15, "incomplete", {"SUITE_NEVER_RAN"}, held_against(ROWS[:3])),
    Case(16, "rejected", {"ROW_DUPLICATE"}, reply(result([*ROWS, ROWS[-1]]))),
    Case(17, "rejected", {"TEST_UNKNOWN"}, held_against([*ROWS, *green("mole", "test_f")])),
    Case(18, "rejected", {"FIELD_TYPE"}, with_passed('"4"'), "text"),
    Case(18, "rejected", {"FIELD_TYPE"}, with_passed("4.5"), "half"),
    Case(18, "rejected", {"FIELD_TYPE"}, with_passed("-1"), "negative"),
    Case(18, "rejected", {"FIELD_TYPE"}, with_passed("true"), "truth"),
    Case(18, "rejected", {"FIELD_TYPE"}, with_passed("null"), "null"),
    Case(19, "accepted", set(), with_passed("4.0")),
    Case(
        20,
        "rejected",
        {"JSON_DUPLICATE_KEY"},
        text(json.dumps(result(ROWS)).replace('"failed"', '"failed": 3, "failed"')),
    ),
    Case(21, "incomplete", {"JSON_INVALID"}, text(json.dumps(result(ROWS))[:300])),
    Case(22, "incomplete", {"JSON_INVALID"}, text(f"{json.dumps(result(ROWS))}\n{json.dumps(result(ROWS))}")),
    Case(23, "incomplete", {"NOTHING_PASSED", "SUITE_SKIPPED"}, reply(result(SETUP_SKIPPED))),
    Case(
        24,
        "rejected",
        {"SUITE_SETUP_NOT_ALONE"},
        reply(result([red("a", "<suite_setup>", "suite_setup() failed: x", 0), *green("a", "test_a")])),
    ),
    Case(25, "incomplete", {"NOTHING_PASSED", "TESTS_EXCLUDED"}, reply(result(EXCLUDED))),
    Case(26, "rejected", {"SCRIPT_ERROR_PASSED"}, reply(result([*ROWS, row("mole", "test_f", 1, BROKEN_OFF)]))),
    Case(27, "incomplete", {"RESULT_OLDER_THAN_SOURCES"}, older_than_sources),
    Case(
        28,
        "rejected",
        {"ASSERTIONS_NOT_REACHED"},
        lambda folder: judge_with_sources(
            folder, result(green("a", "t")), inventory(source("a", SourceTest("t", least=7)))
        ),
    ),
    Case(29, "rejected", {"TESTS_FAILED", "TEST_MISSING", "SUITE_ENDED_EARLY"}, dropped_by_parameters),
    Case(30, "incomplete", {"RUNNER_BUSY"}, reply(BUSY)),
    Case(
        31,
        "incomplete",
        {"RUN_ABORTED", "TESTS_NOT_RUN"},
        reply(result(ROWS, aborted="transport_lost", tests_not_run=40)),
    ),
    Case(32, "rejected", {"DURATIONS_EXCEED_RUN"}, reply(result([{**each, "duration_ms": 100} for each in ROWS[:2]]))),
    Case(33, "rejected", {"ZERO_ASSERTIONS"}, sample("gut-risky-only-exit0.xml")),
    Case(34, "rejected", {"COUNT_MISMATCH"}, sample("gut-override-ran-twice.xml")),
    Case(35, "incomplete", {"EMPTY_RUN"}, sample("gut-nothing-ran-exit0.xml")),
    Case(36, "incomplete", {"SUITE_NEVER_RAN"}, script_missing),
    # Without an inventory of the sources a declared total sees it.
    Case(36, "rejected", {"TOTAL_MISMATCH"}, lambda folder: judge_text(folder, GUT_OF_TWO, "total=2"), "total"),
    Case(37, "rejected", {"TESTS_ERRORED"}, text(ERROR_BEHIND_GREEN)),
    Case(38, "rejected", {"TEST_ARGUMENT_UNKNOWN"}, text(UNKNOWN_ARGUMENT)),
    Case(39, "incomplete", {"FILE_MISSING"}, missing_report),
    Case(40, "incomplete", {"XML_DOCTYPE"}, text("<?xml version='1.0'?><!DOCTYPE testsuites []><testsuites/>")),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number}{'-' + case.what if case.what else ''}")
def test_each_row_has_its_verdict_and_its_reasons(case: Case, tmp_path: Path) -> None:
    verdict = case.judge(tmp_path)
    assert (verdict.verdict, case.codes - codes(verdict)) == (case.verdict, set()), codes(verdict)


def test_what_the_rows_were_made_of_is_accepted(tmp_path: Path) -> None:
    assert judge_reply(tmp_path, result(ROWS)).verdict == "accepted"
    assert judge_with_sources(tmp_path, result(ROWS), SOURCES).verdict == "accepted"
    assert judge_text(tmp_path, GUT_OF_TWO, "total=1").verdict == "accepted"


@pytest.mark.parametrize(
    ("name", "verdict", "wanted"),
    [
        ("mcp-verbose.json", "rejected", {"TESTS_FAILED", "LOAD_ERRORS", "EDITED_SCENE_MISSING"}),
        ("mcp-verbose-params-dropped-tests.json", "rejected", {"TESTS_FAILED", "LOAD_ERRORS", "ROW_DUPLICATE"}),
        ("gut-mixed.xml", "rejected", {"TESTS_FAILED", "ZERO_ASSERTIONS", "SUITE_EMPTY"}),
        ("gdunit4-mixed.xml", "rejected", {"TESTS_FAILED", "TESTS_ERRORED", "TEST_ARGUMENT_UNKNOWN"}),
    ],
)
def test_real_results_of_failing_runs_are_rejected_for_what_failed_alone(
    name: str, verdict: str, wanted: set[str]
) -> None:
    found = judge_path(SAMPLES / name)
    assert found.verdict == verdict
    assert wanted <= codes(found)
    # What a real writer counts is never called a contradiction.
    assert not {"COUNT_MISMATCH", "COUNT_INVARIANT", "ROWS_MISMATCH", "FAILURES_DIFFER", "FIELD_TYPE"} & codes(found)
