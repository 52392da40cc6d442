"""The contract of gdUnit4's JUnit XML."""

from collections.abc import Iterator

from guards.config.globs import matches_any
from guards.evidence.condition import INCOMPLETE, REJECT, Change, Contract, condition
from guards.evidence.contracts import junit_cases as cases
from guards.evidence.contracts import junit_sources as sources
from guards.evidence.contracts.junit_cases import anew, at, cases_of, missing_counts, suites_of, wrong_count
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, exit_code_agrees, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.junit import ERROR, FAILURE, GDUNIT4, RETRIES, SKIP, Case, JUnitFile, Suite
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_ROOT = ("tests", "failures", "skipped", "flaky")
_UNKNOWN_ARGUMENT = "Unknown test case argument"


def change(old: str, new: str, why: str, *codes: str) -> Change:
    """A change of the example."""
    return Change("*/results.xml", old, new, why, codes)


def _flaky(suite: Suite) -> int:
    said = suite.attributes.get("flaky", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0


@condition(
    "EVD480",
    "counts-agree",
    {"COUNT_MISMATCH": REJECT, "COUNT_MALFORMED": REJECT, "COUNT_MISSING": INCOMPLETE},
    cases.AGAIN,
    source="38",
    broken=(
        change('name="report_3" tests="4"', 'name="report_3" tests="5"', "a case is gone", "COUNT_MISMATCH"),
        change('errors="0"', 'errors="1"', "an error that no case shows", "COUNT_MISMATCH"),
        change('skipped="1"', 'skipped="0"', "a skip that is not counted", "COUNT_MISMATCH"),
        change('errors="0" ', "", "nobody counted errors", "COUNT_MISSING"),
    ),
)
def counts_agree(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """The root and every suite count what stands there.

    The root does not count errors: its failures are 0 where every test broke off. Failures of tests
    that passed in the end stand there and are not counted.
    """
    del expected
    for suite in suites_of(file):
        yield from missing_counts(file, suite, _ROOT if suite.is_root else (*_ROOT, "errors"))
        yield from wrong_count(file, suite, "tests", suite.counted("cases"))
        for name, kind in (("failures", FAILURE), ("errors", ERROR), ("skipped", SKIP)):
            counted = suite.counted(f"{kind}-cases") | suite.counted(f"{kind}-elements")
            if kind == FAILURE and _flaky(suite):
                counted |= set(range(max(counted)))
            yield from wrong_count(file, suite, name, counted)


@condition(
    "EVD481",
    "arguments-known",
    {"TEST_ARGUMENT_UNKNOWN": REJECT},
    "take the parameter off the test, or give it one that gdUnit4 knows: the test is skipped for good",
    source="40",
    broken=(
        change("'no lamp here'", "'Unknown test case argument's [\"x\"] found.'", "it can never run",
               "TEST_ARGUMENT_UNKNOWN"),
    ),
)  # fmt: skip
def arguments_known(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """No test was skipped because of a parameter that gdUnit4 does not know."""
    del expected
    for case in cases_of(file):
        for child in case.children:
            if child.kind == SKIP and (_UNKNOWN_ARGUMENT in child.text or _UNKNOWN_ARGUMENT in child.message):
                detail = " ".join(child.text.split())
                yield Reason("TEST_ARGUMENT_UNKNOWN", Where(file.path, child.line), case.identity, detail)


@condition(
    "EVD482",
    "no-flaky-tests",
    {"FLAKY_TESTS": INCOMPLETE, "COUNT_MISMATCH": REJECT, "COUNT_MALFORMED": REJECT},
    "look at the test: one that passes at the second try is not trusted at the first",
    source="40",
    broken=(
        change('errors="0" skipped="0" flaky="0"', 'errors="0" skipped="0" flaky="1"', "a second try", "FLAKY_TESTS"),
        change('skipped="1" flaky="0"', 'skipped="1" flaky="1"', "a second try of nobody", "COUNT_MISMATCH"),
    ),
)
def no_flaky_tests(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """No test needed a second attempt.

    The file counts such tests and shows their earlier failures, so that they look as if they had
    failed; they are known where nothing else failed in their suite. `allow-rerun` names tests that
    may take more than one attempt, or suites.
    """
    known: dict[int, list[Case]] = {}
    for case in cases_of(file):
        if any(child.kind in RETRIES for child in case.children):
            known.setdefault(case.suite, []).append(case)
    counted = 0
    for suite in suites_of(file):
        if not suite.is_root:
            counted += _flaky(suite)
            yield from _flaky_of_suite(file, suite, known.get(suite.number, []), expected)
    if file.root.is_root:
        yield from wrong_count(file, file.root, "flaky", {counted})


def _flaky_of_suite(file: JUnitFile, suite: Suite, known: list[Case], expected: Expectations) -> Iterator[Reason]:
    number = _flaky(suite)
    yield from wrong_count(file, suite, "flaky", {number})
    if not number or matches_any(expected.allow_rerun or (), suite.name):
        return
    for case in known:
        if not cases.allowed(expected.allow_rerun, case):
            yield Reason("FLAKY_TESTS", at(file, case), case.identity, "it needed more than one attempt")
    if len(known) != number:
        detail = f"{number} of its tests needed more than one attempt"
        yield Reason("FLAKY_TESTS", at(file, suite, "flaky"), suite.name, detail)


@condition(
    "EVD483",
    "cases-at-home",
    {"CASE_MISPLACED": REJECT},
    cases.AGAIN,
    broken=(
        change('name="test_fills" classname="lock_test"', 'name="test_fills" classname="x_test"', "of another suite",
               "CASE_MISPLACED"),
    ),
)  # fmt: skip
def cases_at_home(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Each case names the suite in which it stands."""
    del expected
    for case in cases_of(file):
        name = file.suites[case.suite].name
        if case.classname != name:
            yield Reason("CASE_MISPLACED", at(file, case, "classname"), case.identity, f"it stands in `{name}`")


_TEXT = """\
gdUnit4's report of a run. The root does not count errors, no case says how often it asserted, and a suite that could
not be loaded is not there at all; the process ends with 0 where no test was found. Reports are numbered: judge the
newest, by its content and not by its name.

| Fact | Who protects it |
| --- | --- |
| a failure, an error or a skip of a test | the file: it stands in the case, and the counters agree |
| that no case was taken out or put in | the file, by two counters |
| that each suite was loaded, and none left out | an inventory of the sources, or `--expect total=…` |
| that no case was renamed | an inventory |
| that a test asserted anything | an inventory: the file does not count assertions |
| that a test which was skipped may be | `--allow-skip` |
| messages, times, host, package, the report's number and date | nothing |"""

CONTRACT: Contract[JUnitFile] = Contract(
    "gdunit4",
    "JUnit XML of gdUnit4",
    _TEXT,
    (
        unchanged,
        newer_than_sources,
        anew(cases.document_whole, "EVD475", change("</testsuites>", "", "it is cut off", "XML_CORRUPT")),
        anew(cases.no_document_type, "EVD476"),
        anew(
            cases.elements_known,
            "EVD477",
            change("<skipped ", "<inconclusive /><skipped ", "an end that nobody knows", "ELEMENT_UNKNOWN"),
        ),
        anew(cases.cases_named, "EVD478", change('name="test_fills"', 'name=""', "without a name", "CASE_UNNAMED")),
        anew(cases.cases_once, "EVD479", change("test_drains", "test_fills", "one case twice", "CASE_DUPLICATE")),
        counts_agree,
        arguments_known,
        no_flaky_tests,
        cases_at_home,
        anew(
            cases.nothing_failed,
            "EVD484",
            change("<skipped ", '<failure type="FAILURE"></failure><skipped ', "it is not counted", "TESTS_FAILED"),
            change("<skipped ", '<error type="ABORT"></error><skipped ', "it is not counted", "TESTS_ERRORED"),
        ),
        anew(cases.something_passed, "EVD485"),
        anew(cases.skips_allowed, "EVD486"),
        anew(sources.scripts_ran, "EVD487"),
        anew(sources.tests_provable, "EVD488"),
        enough_tests,
        exit_code_agrees,
        nothing_unjudged(),
    ),
    (
        "That every suite was loaded: one that was not leaves no trace, and the exit code is 0.",
        "That a test asserted anything: gdUnit4 does not count assertions.",
        "Which engine and project ran: the file names neither.",
    ),
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the file and judges it."""
    return judge(CONTRACT, JUnitFile(taken.root, taken.path, GDUNIT4), expected)
