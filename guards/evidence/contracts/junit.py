"""The contract of JUnit XML as pytest, Surefire and many others write it."""

from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Contract, condition
from guards.evidence.contracts import junit_cases as cases
from guards.evidence.contracts.junit_cases import anew, at, cases_of, suites_of, wrong_count
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, exit_code_agrees, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.model import PASSED, Reason
from guards.evidence.readers.junit import SKIP_WORDS, JUnitFile, Suite, seconds
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_GREEN = frozenset({"", "run", "pass", "passed", "success", "successful", "ok", "completed"})
_RED = frozenset({"fail", "failed", "failure", "error", "errored", "broken", "aborted", "timeout", "crashed"})
_ZERO = "no asserts"
_PARTS = (("failures", "failure"), ("errors", "error"))
_PYTEST = ("tests", "failures", "errors", "skipped")


def change(old: str, new: str, why: str, *codes: str) -> Change:
    """A change of the example."""
    return Change("*/report.xml", old, new, why, codes)


@condition(
    "EVD505",
    "counts-agree",
    {
        "COUNT_MISMATCH": REJECT,
        "COUNT_MALFORMED": REJECT,
        "COUNT_MISSING": INCOMPLETE,
        "CASES_FEWER_THAN_COUNTED": INCOMPLETE,
    },
    cases.AGAIN,
    source="37",
    broken=(
        change('tests="5"', 'tests="4"', "a case more than is counted", "COUNT_MISMATCH"),
        change('skipped="1"', 'skipped="0"', "a skip that is not counted", "COUNT_MISMATCH"),
        change('failures="0"', 'failures="1"', "a failure that no case shows", "COUNT_MISMATCH"),
        change('errors="0"', 'errors="none"', "no number", "COUNT_MALFORMED"),
        change('tests="5" ', "", "nobody counted", "COUNT_MISSING"),
        change('tests="5"', 'tests="6"', "a case less than is counted", "CASES_FEWER_THAN_COUNTED"),
    ),
)
def counts_agree(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Every suite counts what stands in it.

    Cases are counted again, and failures both as cases and as elements, since writers do either;
    a suite may count those of inner suites or not. A suite must at least state how many tests it
    has. pytest counts subtests and shows no case for those that passed: a file of pytest with fewer
    cases than it counts is incomplete, unless `--expect total=…` says that the cases are all.
    """
    for suite in suites_of(file):
        must = _PYTEST if file.of_pytest else ("tests",)
        if not suite.is_root:
            yield from cases.missing_counts(file, suite, must)
        yield from _tests(file, suite, expected)
        for name, kind in _PARTS:
            counted = suite.counted(f"{kind}-cases") | suite.counted(f"{kind}-elements")
            yield from wrong_count(file, suite, name, counted)
        yield from wrong_count(
            file, suite, "skipped", suite.counted("skipped-cases") | suite.counted("skipped-outcomes")
        )


def _tests(file: JUnitFile, suite: Suite, expected: Expectations) -> Iterator[Reason]:
    for reason in wrong_count(file, suite, "tests", suite.counted("cases")):
        said = suite.attributes["tests"]
        more = reason.code == "COUNT_MISMATCH" and int(said) > max(suite.counted("cases"))
        if not (more and file.of_pytest):
            yield reason
        elif expected.total != len(file.cases):
            detail = f"{reason.detail}; the others may be subtests"
            yield reason._replace(code="CASES_FEWER_THAN_COUNTED", detail=detail)


@condition(
    "EVD510",
    "statuses-agree",
    {"STATUS_CONTRADICTION": REJECT, "STATUS_UNKNOWN": INCOMPLETE, "ZERO_ASSERTIONS": WARNING},
    cases.AGAIN,
    broken=(
        change('name="test_quay"', 'name="test_quay" status="failed"', "it failed", "STATUS_CONTRADICTION"),
        change('name="test_quay"', 'name="test_quay" status="odd"', "a status that nobody knows", "STATUS_UNKNOWN"),
        change('name="test_quay"', 'name="test_quay" assertions="0"', "it asserted nothing", "ZERO_ASSERTIONS"),
    ),
)
def statuses_agree(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """What a case says of itself is what stands in it.

    Writers that give a case a status or a number of assertions must not contradict it. A case that
    passed and says that it asserted nothing is a warning, which the profile `release` does not let
    pass.
    """
    del expected
    for case in cases_of(file):
        if case.outcome != PASSED:
            continue
        if case.status in _RED:
            detail = f"its status is `{case.status}`, and nothing in it says why"
            yield Reason("STATUS_CONTRADICTION", at(file, case, "status"), case.identity, detail)
        elif case.status not in _GREEN | SKIP_WORDS | {_ZERO}:
            yield Reason("STATUS_UNKNOWN", at(file, case, "status"), case.identity, f"its status is `{case.status}`")
        if case.attributes.get("assertions") == "0" or case.status == _ZERO:
            yield Reason("ZERO_ASSERTIONS", at(file, case, "assertions"), case.identity, "it asserted nothing")


@condition(
    "EVD511",
    "times-well-formed",
    {"TIME_MALFORMED": WARNING},
    "ask what wrote the file",
    broken=(change('time="0.002"', 'time="-1"', "no time", "TIME_MALFORMED"),),
)
def times_well_formed(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Every time is a number of seconds."""
    del expected
    for case in cases_of(file):
        said = case.attributes.get("time")
        if said and seconds(said) is None:
            yield Reason("TIME_MALFORMED", at(file, case, "time"), case.identity, f"`{said}`")


_TEXT = """\
A file of suites and cases; a case in which nothing stands has passed. There is no one form of it: what a writer leaves
out is not asked for, and what it says is held against what stands there.

| Fact | Who protects it |
| --- | --- |
| a failure, an error or a skip of a case | the file: it stands in the case, and its suite counts it |
| that no case was taken out or put in | the file, by the suites' counts; in a file of pytest `--expect total=…` |
| that no case was renamed, or swapped for another | nothing |
| that no test was left out before the run | `--expect min-tests=…`, `--expect total=…` |
| that a test which was skipped may be | `--allow-skip` |
| that the process ended as the file says | `--expect exit-code=…` |
| messages, times, host and properties | nothing |"""

CONTRACT: Contract[JUnitFile] = Contract(
    "junit",
    "JUnit XML",
    _TEXT,
    (
        unchanged,
        newer_than_sources,
        anew(
            cases.document_whole,
            "EVD500",
            change("</testsuites>", "", "it is cut off", "XML_CORRUPT"),
            change("</testsuites>", "</testsuites><testsuites/>", "a second document", "XML_CORRUPT"),
        ),
        anew(
            cases.no_document_type,
            "EVD501",
            change("<testsuites ", "<!DOCTYPE testsuites><testsuites ", "it has a document type", "XML_DOCTYPE"),
        ),
        anew(
            cases.elements_known,
            "EVD502",
            change("<skipped ", "<inconclusive /><skipped ", "an end that nobody knows", "ELEMENT_UNKNOWN"),
        ),
        anew(
            cases.cases_named, "EVD503", change('name="test_quay"', 'name=""', "a case without a name", "CASE_UNNAMED")
        ),
        anew(cases.cases_once, "EVD504", change("test_mole", "test_quay", "one case twice", "CASE_DUPLICATE")),
        counts_agree,
        anew(
            cases.nothing_failed,
            "EVD506",
            change("<skipped ", '<failure message="m" /><skipped ', "a failure that is not counted", "TESTS_FAILED"),
            change("<skipped ", '<error message="m" /><skipped ', "an error that is not counted", "TESTS_ERRORED"),
        ),
        anew(cases.something_passed, "EVD507"),
        anew(cases.skips_allowed, "EVD508"),
        anew(
            cases.no_hidden_failure,
            "EVD509",
            change(
                'name="test_quay" time="0.002" />',
                'name="test_quay" time="0.002"><flakyFailure message="m" /></testcase>',
                "the first attempt failed",
                "RETRY_MASKED_FAILURE",
            ),
        ),
        statuses_agree,
        times_well_formed,
        enough_tests,
        exit_code_agrees,
        nothing_unjudged(),
    ),
    (
        "That any test body ran: the file is written at the end, and nothing is signed.",
        "That no test was left out: neither a filter nor a folder that was not searched leaves a trace.",
        "That a test which passed asserted anything, where its writer does not count assertions.",
        "That a test which was expected to fail and passed is no surprise: pytest shows it as passed.",
    ),
    release=frozenset({"RETRY_MASKED_FAILURE", "ZERO_ASSERTIONS"}),
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the file and judges it."""
    return judge(CONTRACT, JUnitFile(taken.root, taken.path), expected)
