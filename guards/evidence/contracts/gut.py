"""The contract of GUT's JUnit XML."""

from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Contract, condition
from guards.evidence.contracts import junit_cases as cases
from guards.evidence.contracts import junit_sources as sources
from guards.evidence.contracts.junit_cases import anew, at, cases_of, missing_counts, suites_of, wrong_count
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, exit_code_agrees, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.model import FAILED, PASSED, SKIPPED, Reason
from guards.evidence.readers.junit import FAILURE, GUT, SKIP, SKIP_WORDS, Case, JUnitFile, Suite
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_PASS, _FAIL, _PENDING, _ZERO = "pass", "fail", "pending", "no asserts"


def change(old: str, new: str, why: str, *codes: str) -> Change:
    """A change of the example."""
    return Change("*/gut.xml", old, new, why, codes)


@condition(
    "EVD455",
    "tests-counted",
    {"COUNT_MISMATCH": REJECT, "COUNT_MALFORMED": REJECT, "COUNT_MISSING": INCOMPLETE},
    "give each test a name of its own: one that overrides an inherited test runs twice, and one case of it is shown",
    source="37",
    broken=(
        change('failures="0" tests="4"', 'failures="0" tests="5"', "a test ran twice", "COUNT_MISMATCH"),
        change('.gd" tests="2"', '.gd" tests="3"', "a case is gone", "COUNT_MISMATCH"),
        change('failures="0" tests="4"', 'failures="0"', "nobody counted", "COUNT_MISSING"),
    ),
)
def tests_counted(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """The root and every script count exactly the cases that stand there."""
    del expected
    for suite in suites_of(file):
        must = ("tests", "failures") if suite.is_root else ("tests", "failures", "skipped")
        yield from missing_counts(file, suite, must)
        yield from wrong_count(file, suite, "tests", suite.counted("cases"))


@condition(
    "EVD456",
    "ends-counted",
    {"COUNT_MISMATCH": REJECT, "COUNT_MALFORMED": REJECT},
    cases.AGAIN,
    source="38",
    broken=(
        change('failures="0" tests="4"', 'failures="1" tests="4"', "a failure that no case shows", "COUNT_MISMATCH"),
        change('tests="2" failures="0"', 'tests="2" failures="1"', "a failure that no case shows", "COUNT_MISMATCH"),
        change('skipped="1"', 'skipped="0"', "a pending test that is not counted", "COUNT_MISMATCH"),
    ),
)
def ends_counted(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """The root counts the tests that failed; a script counts at least one for each, and none where none did.

    A script counts failed assertions and calls of `pending`, of which a test can have several.
    """
    del expected
    for suite in suites_of(file):
        failed, skipped = suite.below[f"{FAILURE}-cases"], suite.below[f"{SKIP}-cases"]
        if suite.is_root:
            yield from wrong_count(file, suite, "failures", {failed})
            continue
        yield from _at_least(file, suite, "failures", failed, others=0)
        # A test that failed may have called `pending` before.
        yield from _at_least(file, suite, "skipped", skipped, others=failed)


def _at_least(file: JUnitFile, suite: Suite, name: str, least: int, *, others: int) -> Iterator[Reason]:
    said = suite.attributes.get(name, "")
    is_number = said.isascii() and said.isdecimal() and len(said) < 10
    counted = {least, int(said)} if is_number and int(said) > least and (least or others) else {least}
    yield from wrong_count(file, suite, name, counted)


@condition(
    "EVD457",
    "scripts-have-tests",
    {"SUITE_EMPTY": WARNING},
    "look whether the script is skipped, or has no test",
    broken=(
        change(
            '<testsuite name="test/test_lock.gd"',
            '<testsuite name="test/test_dry.gd" tests="0" failures="0" skipped="0" time="0.0" >'
            '</testsuite><testsuite name="test/test_lock.gd"',
            "a script without a test",
            "SUITE_EMPTY",
        ),
    ),
)
def scripts_have_tests(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Every script has tests; one that skips itself shows none, and so does one that is empty."""
    del expected
    for suite in suites_of(file):
        if not suite.is_root and not suite.below["cases"]:
            yield Reason("SUITE_EMPTY", at(file, suite), suite.name, "none of its tests ran, if it has any")


@condition(
    "EVD458",
    "statuses-agree",
    {
        "ZERO_ASSERTIONS": REJECT,
        "STATUS_UNKNOWN": INCOMPLETE,
        "STATUS_CONTRADICTION": REJECT,
        "ASSERTIONS_MALFORMED": REJECT,
    },
    "let the test assert something: GUT calls it risky, and ends with 0 all the same",
    source="39",
    broken=(
        change('assertions="2" status="pass"', 'assertions="0" status="no asserts"', "it is risky", "ZERO_ASSERTIONS"),
        change('assertions="2"', 'assertions="0"', "it asserted nothing", "ZERO_ASSERTIONS"),
        change('assertions="2"', 'assertions="many"', "no number", "ASSERTIONS_MALFORMED"),
        change('status="pass"', 'status="odd"', "a status that nobody knows", "STATUS_UNKNOWN"),
        change('status="pass"', 'status="fail"', "it failed", "STATUS_CONTRADICTION"),
        change('status="pending"', 'status="pass"', "it was pending", "STATUS_CONTRADICTION"),
    ),
)
def statuses_agree(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Each case has a status that is known and that agrees with what stands in it; what passed asserted something."""
    del expected
    for case in cases_of(file):
        status, asserted = case.attributes.get("status", ""), case.attributes.get("assertions", "")
        where = at(file, case, "status")
        if status not in {_PASS, _FAIL, _ZERO} | SKIP_WORDS:
            yield Reason("STATUS_UNKNOWN", where, case.identity, f"its status is `{status}`")
        elif not _agrees(status, case):
            yield Reason("STATUS_CONTRADICTION", where, case.identity, f"its status is `{status}`, it {case.outcome}")
        if not (asserted.isascii() and asserted.isdecimal()):
            where = at(file, case, "assertions")
            yield Reason("ASSERTIONS_MALFORMED", where, case.identity, f"`{asserted}` is no number")
        elif case.outcome == PASSED and (status == _ZERO or not asserted.strip("0")):
            yield Reason("ZERO_ASSERTIONS", at(file, case, "assertions"), case.identity, "it asserted nothing")


def _agrees(status: str, case: Case) -> bool:
    if status in {_PASS, _ZERO}:
        return case.outcome == PASSED
    if status == _FAIL:
        return case.outcome == FAILED
    # In a pending test its reason stands; one that was skipped before it began need have none.
    began = status == _PENDING or case.attributes.get("assertions", "").strip("0")
    return case.outcome == SKIPPED and (case.has(SKIP) or not began)


@condition(
    "EVD459",
    "cases-at-home",
    {"CASE_MISPLACED": REJECT},
    cases.AGAIN,
    broken=(change('"pass" classname="test/test_lock.gd"', '"pass" classname="x.gd"', "of another", "CASE_MISPLACED"),),
)
def cases_at_home(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Each case names the script in which it stands."""
    del expected
    for case in cases_of(file):
        name = file.suites[case.suite].name
        if case.classname != name:
            detail = f"it stands in `{name}`"
            yield Reason("CASE_MISPLACED", at(file, case, "classname"), case.identity, detail)


_TEXT = """\
GUT's export of a run. Its numbers need care: a script counts failed assertions where the root counts failed tests, a
test that asserted nothing looks as if it had passed, a test that overrides an inherited one runs twice and is shown
once, and a script that could not be loaded is not there at all. The process ends with 0 in most of these cases.

| Fact | Who protects it |
| --- | --- |
| a failure or a pending test, and the status of each test | the file: status, element and counters agree |
| that a test asserted anything | the file |
| that no case was taken out or put in | the file, by two counters |
| that each script was loaded, and none left out | an inventory of the sources, or `--expect total=…` |
| that no case was renamed | an inventory |
| that a pending test may be pending | `--allow-skip` |
| the number of assertions beyond the first, messages, times | nothing |"""

CONTRACT: Contract[JUnitFile] = Contract(
    "gut",
    "JUnit XML of GUT",
    _TEXT,
    (
        unchanged,
        newer_than_sources,
        anew(cases.document_whole, "EVD450", change("</testsuites>", "", "it is cut off", "XML_CORRUPT")),
        anew(cases.no_document_type, "EVD451"),
        anew(
            cases.elements_known,
            "EVD452",
            change("<skipped ", "<inconclusive /><skipped ", "an end that nobody knows", "ELEMENT_UNKNOWN"),
        ),
        anew(cases.cases_named, "EVD453", change('name="test_fills"', 'name=""', "without a name", "CASE_UNNAMED")),
        anew(cases.cases_once, "EVD454", change("test_drains", "test_fills", "one case twice", "CASE_DUPLICATE")),
        tests_counted,
        ends_counted,
        scripts_have_tests,
        statuses_agree,
        cases_at_home,
        anew(
            cases.nothing_failed,
            "EVD460",
            change("<skipped ", "<failure></failure><skipped ", "a failure that is not counted", "TESTS_FAILED"),
        ),
        anew(cases.something_passed, "EVD461"),
        anew(cases.skips_allowed, "EVD462"),
        anew(sources.scripts_ran, "EVD463"),
        anew(sources.tests_provable, "EVD464"),
        enough_tests,
        exit_code_agrees,
        nothing_unjudged(),
    ),
    (
        "That every script was loaded: one that was not leaves no trace, and the exit code is 0.",
        "That an assertion which was counted could have failed.",
        "Which engine and project ran: the file names neither.",
    ),
    release=frozenset({"SUITE_EMPTY"}),
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the file and judges it."""
    return judge(CONTRACT, JUnitFile(taken.root, taken.path, GUT), expected)
