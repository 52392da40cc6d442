"""JUnit XML of many writers: what is accepted although it is odd, and what is not although it looks good."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from evidence.godot_results import EXAMPLES, SAMPLES, codes, judge_path, judge_text

from guards.evidence.contracts import judged
from guards.evidence.contracts.gdunit4 import CONTRACT as GDUNIT4
from guards.evidence.contracts.gut import CONTRACT as GUT
from guards.evidence.expectations import Expectations
from guards.evidence.inventory import Inventory, SourceSuite, SourceTest
from guards.evidence.readers.junit import JUnitFile
from guards.evidence.taken import taken
from guards.evidence.verdict import Verdict, judge

if TYPE_CHECKING:
    from guards.evidence.condition import Contract

SUREFIRE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="quay.LockTest" time="1,204.51" tests="2" errors="0"
 skipped="1" failures="0"><properties><property name="java.version" value="21"/></properties>
 <testcase name="fills" classname="quay.LockTest" time="1,204.5"><system-out><![CDATA[filled]]></system-out></testcase>
 <testcase name="drains" classname="quay.LockTest" time="0"><skipped message="later"/></testcase></testsuite>"""
NESTED_OWN = """<testsuites tests="3" failures="0"><testsuite name="all" tests="1"><testcase name="a"/>
 <testsuite name="inner" tests="2"><testcase name="a"/><testcase name="b"/></testsuite></testsuite></testsuites>"""
NESTED_ALL = NESTED_OWN.replace('name="all" tests="1"', 'name="all" tests="3"')
GTEST = """<testsuites tests="2" failures="0" disabled="1" errors="0" time="0.1" timestamp="t" name="AllTests">
 <testsuite name="Lock" tests="2" failures="0" disabled="1" skipped="0" errors="0" time="0.1">
 <testcase name="Fills" status="run" result="completed" time="0.1" classname="Lock"/>
 <testcase name="DISABLED_Drains" status="notrun" result="suppressed" time="0" classname="Lock"/></testsuite></testsuites>"""
PHPUNIT = """<testsuites><testsuite name="LockTest" tests="1" assertions="2" errors="0" failures="0" skipped="0" time="0.1">
 <testcase name="testFills" class="LockTest" classname="LockTest" assertions="2" time="0.1"/></testsuite></testsuites>"""
SAME_NAMES_ELSEWHERE = """<testsuites><testsuite name="a" tests="1"><testcase name="x"/></testsuite>
 <testsuite name="b" tests="1"><testcase name="x"/></testsuite></testsuites>"""
NOT_COUNTED_AS_SKIPPED = """<testsuite name="a" tests="1" failures="0"><testcase name="x" time=""/></testsuite>"""


@pytest.mark.parametrize(
    "text",
    [
        SUREFIRE,
        NESTED_OWN,
        NESTED_ALL,
        GTEST,
        GTEST.replace('skipped="0"', 'skipped="1"'),
        PHPUNIT,
        SAME_NAMES_ELSEWHERE,
        NOT_COUNTED_AS_SKIPPED,
        '\ufeff<testsuite name="a" tests="1"><testcase name="x"/></testsuite>\n<!-- done -->\n',
    ],
)
def test_what_writers_do_differently_is_accepted(text: str, tmp_path: Path) -> None:
    verdict = judge_text(tmp_path, text)
    assert (verdict.verdict, verdict.contract, codes(verdict)) == ("accepted", "junit", set())


def suite(cases: str, counts: str) -> str:
    return f'<testsuites><testsuite name="lock" {counts}>{cases}</testsuite></testsuites>'


@pytest.mark.parametrize(
    ("text", "verdict", "wanted"),
    [
        (suite('<testcase name="a"><failure/></testcase>', 'tests="1" failures="1"'), "rejected", {"TESTS_FAILED"}),
        (suite('<testcase name="a"><error/></testcase>', 'tests="1" errors="1"'), "rejected", {"TESTS_ERRORED"}),
        (
            suite('<testcase name="a"><failure/><failure/></testcase>', 'tests="1" failures="2"'),
            "rejected",
            {"TESTS_FAILED"},
        ),
        (suite('<testcase name="a"/><failure>x</failure>', 'tests="1"'), "rejected", {"TESTS_FAILED"}),
        (suite('<testcase name="a"/>', 'tests="1" failures="1"'), "rejected", {"COUNT_MISMATCH"}),
        (suite('<testcase name="a"/>', 'tests="2"'), "rejected", {"COUNT_MISMATCH"}),
        (suite('<testcase name="a"/>', 'tests="0"'), "rejected", {"COUNT_MISMATCH"}),
        (suite('<testcase name="a"/>', 'tests="1.0"'), "rejected", {"COUNT_MALFORMED"}),
        (suite('<testcase name="a"/>', 'tests="-1"'), "rejected", {"COUNT_MALFORMED"}),
        (suite('<testcase name="a"/>', f'tests="1{"0" * 5000}"'), "rejected", {"COUNT_MALFORMED"}),
        (suite('<testcase name="a"/>', ""), "incomplete", {"COUNT_MISSING"}),
        (suite("", 'tests="0"'), "incomplete", {"EMPTY_RUN"}),
        ("<testsuites/>", "incomplete", {"EMPTY_RUN"}),
        (suite('<testcase name="a"><skipped/></testcase>', 'tests="1" skipped="1"'), "incomplete", {"NOTHING_PASSED"}),
        (suite('<testcase name="a"/><testcase name="a"/>', 'tests="2"'), "rejected", {"CASE_DUPLICATE"}),
        (suite('<testcase name=""/>', 'tests="1"'), "incomplete", {"CASE_UNNAMED"}),
        (suite('<testcase name="a"><faliure/></testcase>', 'tests="1"'), "incomplete", {"ELEMENT_UNKNOWN"}),
        (suite('<testcase name="a"><system-out><failure/></system-out></testcase>', 'tests="1"'), "incomplete",
         {"ELEMENT_UNKNOWN"}),
        (suite('<testcase name="a"/><testcase name="b" status="failed"/>', 'tests="2"'), "rejected",
         {"STATUS_CONTRADICTION"}),
        (suite('<testcase name="a"/><testcase name="b" status="maybe"/>', 'tests="2"'), "incomplete",
         {"STATUS_UNKNOWN"}),
        (suite('<testcase name="a"/>', 'tests="1"')[:-3], "incomplete", {"XML_CORRUPT"}),
        (suite('<testcase name="a"><failure/></testcase>', 'tests="7"')[:-3], "incomplete", {"XML_CORRUPT"}),
        (suite('<testcase name="a"/>', 'tests="1"') + "<testsuites/>", "incomplete", {"XML_CORRUPT"}),
        ("<testsuites>" + "<testsuite>" * 300, "incomplete", {"XML_CORRUPT"}),
        ('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><testsuites>&b;</testsuites>', "incomplete",
         {"XML_DOCTYPE"}),
    ],
)  # fmt: skip
def test_what_is_wrong_has_its_verdict_and_nothing_else_to_say(
    text: str, verdict: str, wanted: set[str], tmp_path: Path
) -> None:
    found = judge_text(tmp_path, text)
    assert (found.verdict, codes(found)) == (verdict, wanted)


def test_options_let_pass_what_they_name(tmp_path: Path) -> None:
    empty = suite("", 'tests="0"')
    assert judge_text(tmp_path, empty, "allow-empty").verdict == "accepted"
    assert judge_text(tmp_path, SUREFIRE, skips=("drains",)).verdict == "accepted"
    assert judge_text(tmp_path, SUREFIRE, skips=("quay.LockTest::d*",)).verdict == "accepted"
    assert codes(judge_text(tmp_path, SUREFIRE, skips=("fills",))) == {"SKIP_NOT_ALLOWED"}
    assert codes(judge_text(tmp_path, SUREFIRE, "min-tests=3")) == {"COUNT_BELOW_MINIMUM"}
    assert codes(judge_text(tmp_path, SUREFIRE, "total=1")) == {"TOTAL_MISMATCH"}
    assert judge_text(tmp_path, SUREFIRE, "total=2", "min-tests=2").verdict == "accepted"


def test_of_a_file_that_breaks_off_nobody_says_that_it_has_too_few_tests(tmp_path: Path) -> None:
    found = judge_text(tmp_path, SUREFIRE[:-20], "min-tests=9", "total=9", "exit-code=0")
    assert (found.verdict, codes(found)) == ("incomplete", {"XML_CORRUPT"})


@pytest.mark.parametrize("kind", ["flakyFailure", "flakyError", "rerunFailure", "rerunError"])
def test_a_retry_that_hides_a_failure_is_a_warning_and_no_release(kind: str, tmp_path: Path) -> None:
    case = f'<testcase name="a"><{kind} message="m"><stackTrace>x</stackTrace><system-out/></{kind}></testcase>'
    text = suite(case, 'tests="1" failures="0"')
    found = judge_text(tmp_path, text)
    assert (found.verdict, codes(found)) == ("accepted", {"RETRY_MASKED_FAILURE"})
    assert judge_text(tmp_path, text, profile="release").verdict == "rejected"
    (leaf,) = found.run.leaves
    assert leaf.attempts == 2


GREEN = suite('<testcase name="a"/>', 'tests="1"')
RED = suite('<testcase name="a"><failure/></testcase>', 'tests="1" failures="1"')


@pytest.mark.parametrize(
    ("text", "code", "wanted"),
    [
        (GREEN, 0, set()),
        (GREEN, 1, {"EXIT_CODE_CONTRADICTION"}),
        (GREEN, 100, {"EXIT_CODE_CONTRADICTION"}),
        (GREEN, 101, {"EXIT_WITH_WARNINGS"}),
        (RED, 1, {"TESTS_FAILED"}),
        (RED, 101, {"TESTS_FAILED"}),
        (RED, 0, {"TESTS_FAILED", "EXIT_CODE_CONTRADICTION"}),
        (suite("", 'tests="0"'), 0, {"EMPTY_RUN"}),
        (suite("", 'tests="0"'), 5, {"EMPTY_RUN"}),
    ],
)
def test_the_exit_code_must_agree(text: str, code: int, wanted: set[str], tmp_path: Path) -> None:
    assert codes(judge_text(tmp_path, text, f"exit-code={code}")) == wanted


def changed(name: str, *changes: tuple[str, str]) -> str:
    (file,) = (EXAMPLES / name).iterdir()
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_a_script_of_gut_may_count_more_than_its_cases_but_not_out_of_nothing(tmp_path: Path) -> None:
    # A test called `pending` three times.
    assert judge_text(tmp_path, changed("gut", ('skipped="1"', 'skipped="3"'))).verdict == "accepted"
    assert codes(judge_text(tmp_path, changed("gut", ('skipped="0"', 'skipped="1"')))) == {"COUNT_MISMATCH"}
    failing = (
        ('failures="0" tests="4"', 'failures="1" tests="4"'),
        ('tests="2" failures="0" skipped="0"', 'tests="2" failures="2" skipped="1"'),
        ('status="pass"', 'status="fail"'),
        (" >\n      </testcase>", " >\n<failure message='failed'>x</failure></testcase>"),
    )
    assert codes(judge_text(tmp_path, changed("gut", *failing))) == {"TESTS_FAILED"}


def test_tests_that_gut_skips_by_its_other_word_are_skipped(tmp_path: Path) -> None:
    found = judge_text(tmp_path, changed("gut", ('status="pending"', 'status="skipped"')))
    assert (found.verdict, found.run.counts.skipped) == ("accepted", 1)


@pytest.mark.parametrize(
    "change",
    [
        ('status="pass"', 'status="pending"'),
        ('status="pass"', 'status="skipped"'),
        ('status="pending"', 'status="no asserts"'),
        ('<skipped message="pending"><![CDATA[no lamp yet]]></skipped>', ""),
    ],
)
def test_a_status_of_gut_that_stands_alone_is_a_contradiction(change: tuple[str, str], tmp_path: Path) -> None:
    assert "STATUS_CONTRADICTION" in codes(judge_text(tmp_path, changed("gut", change)))


def test_a_copied_suite_is_rejected_and_one_of_another_run_is_not(tmp_path: Path) -> None:
    one = '<testsuite name="a" timestamp="{}" tests="1"><testcase name="x"/></testsuite>'
    copied = f"<testsuites>{one.format(1)}{one.format(1)}</testsuites>"
    assert codes(judge_text(tmp_path, copied)) == {"CASE_DUPLICATE"}
    assert judge_text(tmp_path, f"<testsuites>{one.format(1)}{one.format(2)}</testsuites>").verdict == "accepted"


def test_flaky_tests_of_gdunit4_are_incomplete_unless_their_suite_may_rerun(tmp_path: Path) -> None:
    flaky = changed(
        "gdunit4",
        ('skipped="1" flaky="0"', 'skipped="1" flaky="1"'),
        ('skipped="0" flaky="0"', 'skipped="0" flaky="1"'),
    )
    found = judge_text(tmp_path, flaky)
    assert (found.verdict, codes(found)) == ("incomplete", {"FLAKY_TESTS"})


def with_rerun(path: Path, *globs: str) -> Verdict:
    return judged(taken(str(path)), Expectations(allow_rerun=globs))


def test_a_flaky_test_of_gdunit4_is_named_although_it_looks_as_if_it_had_failed() -> None:
    path = SAMPLES / "gdunit4-flaky.xml"
    found = judge_path(path)
    assert (found.verdict, codes(found)) == ("incomplete", {"FLAKY_TESTS"})
    assert {reason.identity for _, reason, _ in found.reasons()} == {"flaky_test::test_second_try"}
    assert (found.run.counts.passed, [leaf.attempts for leaf in found.run.leaves]) == (2, [2, 1])
    assert with_rerun(path, "test_second_try").verdict == "accepted"
    assert with_rerun(path, "flaky_test").verdict == "accepted"
    assert with_rerun(path, "test_steady").verdict == "incomplete"


def test_a_flaky_test_of_gdunit4_excuses_no_other_failure() -> None:
    found = judge_path(SAMPLES / "gdunit4-flaky-and-failed.xml")
    assert (found.verdict, codes(found)) == ("rejected", {"TESTS_FAILED", "TESTS_ERRORED", "FLAKY_TESTS"})
    assert with_rerun(SAMPLES / "gdunit4-flaky-and-failed.xml", "*").verdict == "rejected"


@pytest.mark.parametrize("name", ["gut-passed.xml", "gdunit4-passed.xml"])
def test_a_real_run_of_godots_frameworks_that_passed_is_accepted(name: str) -> None:
    found = judge_path(SAMPLES / name, "total=4", "exit-code=0")
    assert (found.verdict, codes(found), found.run.counts.skipped) == ("accepted", set(), 1)


def with_sources(name: str, writer: "Contract[JUnitFile]", *suites: SourceSuite) -> set[str]:
    file = JUnitFile(str(SAMPLES), name, writer.name, Inventory(suites))
    return codes(judge(writer, file, Expectations()))


def test_scripts_are_found_by_what_each_framework_calls_them() -> None:
    lock = SourceSuite("lock", "test/test_lock.gd", (SourceTest("test_fills", doubt="await-in-test"),))
    inner = SourceSuite("beacon", "test/test_lock.gd", (SourceTest("test_turns"),))
    empty = SourceSuite("empty", "test/test_empty.gd")
    other = SourceSuite("other", "test/test_other.gd", (SourceTest("test_x"),))
    assert with_sources("gut-passed.xml", GUT, inner, empty) == set()
    assert with_sources("gut-passed.xml", GUT, lock, other) == {"SUITE_NEVER_RAN", "TEST_NOT_PROVABLE"}
    levels = SourceSuite("lock", "test/lock_test.gd", (SourceTest("test_levels"), SourceTest("test_lamp", doubt="x")))
    assert with_sources("gdunit4-passed.xml", GDUNIT4, levels) == set()
    doubtful = SourceSuite("lock", "test/lock_test.gd", (SourceTest("test_levels", doubt="test-without-assertion"),))
    assert with_sources("gdunit4-passed.xml", GDUNIT4, doubtful) == {"TEST_NOT_PROVABLE"}


# Real runs.

PASSING = """
import pytest

class TestLock:
    def test_fills(self):
        assert 1

@pytest.mark.parametrize("level", ["low", "low", "<&\\"'>", "\\u00e9\\n", "]]>"])
def test_level(level):
    assert level

def test_lamp():
    pytest.skip("no lamp")

@pytest.mark.xfail
def test_wind():
    assert 0

def test_property(record_property):
    record_property("depth", "<3>")
    print("said")
"""
SUBTESTS = """
def test_beacons(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert True
"""
FAILING = """
import pytest

@pytest.fixture
def gate():
    yield 1
    raise ValueError("gate")

def test_fills():
    assert 0

def test_drains(gate):
    assert gate

def test_fails_and_breaks(gate):
    assert gate == 2
"""


def pytest_run(folder: Path, *texts: str, options: tuple[str, ...] = ()) -> tuple[Path, int]:
    for number, text in enumerate(texts):
        (folder / f"test_{number}.py").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    report = folder / "report.xml"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "--junitxml=report.xml", *options],
        cwd=folder, env=environment, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    return report, done.returncode


def judge_run(folder: Path, *texts: str, options: tuple[str, ...] = ()) -> tuple[Verdict, Path]:
    report, code = pytest_run(folder, *texts, options=options)
    return judge_path(report, f"exit-code={code}"), report


@pytest.mark.parametrize(
    "options", [(), ("-p", "xdist.plugin", "-n2"), ("-o", "junit_family=xunit1"), ("-o", "junit_family=legacy")]
)
def test_a_real_run_of_pytest_is_accepted(options: tuple[str, ...], tmp_path: Path) -> None:
    verdict, report = judge_run(tmp_path, PASSING, options=options)
    assert (verdict.verdict, codes(verdict)) == ("accepted", set())
    assert (verdict.run.counts.passed, verdict.run.counts.skipped) == (7, 2)
    assert judge_path(report, "total=9", "exit-code=0").verdict == "accepted"


def test_a_real_run_of_pytest_that_fails_is_rejected_and_never_called_contradictory(tmp_path: Path) -> None:
    verdict, _ = judge_run(
        tmp_path, PASSING, FAILING, "import nothing_of_this_name", options=("--continue-on-collection-errors",)
    )
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"TESTS_FAILED", "TESTS_ERRORED"})


def test_a_real_run_of_pytest_without_tests_is_incomplete(tmp_path: Path) -> None:
    verdict, _ = judge_run(tmp_path, "def helper(): pass")
    assert (verdict.verdict, codes(verdict)) == ("incomplete", {"EMPTY_RUN"})


def test_subtests_that_passed_are_counted_and_not_shown_so_that_a_total_must_be_stated(tmp_path: Path) -> None:
    verdict, report = judge_run(tmp_path, SUBTESTS)
    if not codes(verdict):
        pytest.skip("this pytest knows no subtests, or does not count them")
    assert (verdict.verdict, codes(verdict)) == ("incomplete", {"CASES_FEWER_THAN_COUNTED"})
    assert judge_path(report, "total=1").verdict == "accepted"
    assert judge_path(report, "total=4").verdict == "rejected"
