"""What the contracts on JUnit XML share; each gives its conditions codes and broken examples of its own."""

from collections.abc import Iterator

from guards.config.globs import matches_any
from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import ERRORED, FAILED, PASSED, SKIPPED, Reason, Where
from guards.evidence.readers.junit import DOCTYPE, ELEMENTS, RETRIES, WHOLE, Case, JUnitFile, Suite

AGAIN = "keep the file as it is, find out what wrote to it, and run again"


def anew(condition: Condition[JUnitFile], code: str, *broken: Change) -> Condition[JUnitFile]:
    """A shared condition in another contract."""
    return condition._replace(code=code, broken=broken)


def cases_of(file: JUnitFile) -> list[Case]:
    """The cases.

    Raises:
        NotEvaluated: not all of the file could be read; another condition says why.
    """
    if not file.readable:
        raise NotEvaluated("the file could not be read to its end")
    return file.cases


def suites_of(file: JUnitFile) -> list[Suite]:
    """The root and the suites.

    Raises:
        NotEvaluated: as ``cases_of``.
    """
    cases_of(file)
    return file.suites


def at(file: JUnitFile, place: Case | Suite, attribute: str = "") -> Where:
    """The place of a case or a suite."""
    return Where(file.path, place.line, attribute)


def wrong_count(file: JUnitFile, suite: Suite, name: str, counted: set[int]) -> Iterator[Reason]:
    """What is wrong with a count that a suite states, if it does."""
    said = suite.attributes.get(name)
    if said is None:
        return
    if not (said.isascii() and said.isdecimal() and len(said) < 10):
        yield Reason("COUNT_MALFORMED", at(file, suite, name), suite.name, f"`{said}` is no number of tests")
    elif int(said) not in counted:
        there = " or ".join(map(str, sorted(counted)))
        yield Reason("COUNT_MISMATCH", at(file, suite, name), suite.name, f"{name} is {said}, and {there} are there")


def missing_counts(file: JUnitFile, suite: Suite, names: tuple[str, ...]) -> Iterator[Reason]:
    """The counts that a suite must state and does not."""
    for name in names:
        if name not in suite.attributes:
            yield Reason("COUNT_MISSING", at(file, suite), suite.name, f"it does not state `{name}`")


def allowed(globs: tuple[str, ...] | None, case: Case) -> bool:
    """Whether one of some globs names a case, in full or by its name alone."""
    return any(matches_any(globs or (), name) for name in (case.identity, case.name))


@condition(
    "EVD500",
    "document-whole",
    {
        "FILE_MISSING": INCOMPLETE,
        "FILE_UNREADABLE": INCOMPLETE,
        "XML_CORRUPT": INCOMPLETE,
        "XML_ROOT_INVALID": INCOMPLETE,
    },
    "run again: a file that breaks off is what a runner leaves that was ended while it wrote",
    source="1",
)
def document_whole(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """The file is one whole XML document with the root `testsuites` or `testsuite`."""
    del expected
    yield from file.found.of(WHOLE)


@condition(
    "EVD501",
    "no-document-type",
    {"XML_DOCTYPE": INCOMPLETE},
    "ask what wrote the file: no result file needs a document type, and one can read other files",
    source="43",
)
def no_document_type(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """The file has no document type and declares no entity.

    One that has is taken for JUnit XML of nobody in particular: behind a document type nothing is read.
    """
    del expected
    yield from file.found.of(DOCTYPE)


@condition(
    "EVD502",
    "elements-known",
    {"ELEMENT_UNKNOWN": INCOMPLETE},
    "look what the element says of the test: nobody here knows",
)
def elements_known(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Every element is one whose meaning is known."""
    del expected
    yield from file.found.of(ELEMENTS)


@condition(
    "EVD503",
    "cases-named",
    {"CASE_UNNAMED": INCOMPLETE},
    AGAIN,
)
def cases_named(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Every case has a name."""
    del expected
    for case in cases_of(file):
        if not case.name:
            yield Reason("CASE_UNNAMED", at(file, case), case.classname, "it has no name")


@condition(
    "EVD504",
    "cases-once",
    {"CASE_DUPLICATE": REJECT},
    "give each test a name of its own: of two with one name nobody can say which ran",
)
def cases_once(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """No suite has a case twice, and no suite is a copy of another.

    `allow-rerun` names those that may run more than once. What pytest writes twice, a test that
    failed and then broke in its teardown, is one test.
    """
    seen: dict[tuple[tuple[str, ...], str, str], str] = {}
    for case in cases_of(file):
        key = (file.suites[case.suite].key, case.classname, case.name)
        teardown = file.of_pytest and seen.get(key) == FAILED and case.outcome == ERRORED
        if key in seen and not teardown and not allowed(expected.allow_rerun, case):
            yield Reason("CASE_DUPLICATE", at(file, case), case.identity, "it stands there already")
        seen[key] = case.outcome


@condition(
    "EVD506",
    "nothing-failed",
    {"TESTS_FAILED": REJECT, "TESTS_ERRORED": REJECT},
    "mend what failed, and run again",
    source="10",
)
def nothing_failed(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """No case failed or ended with an error, whatever the counters say."""
    del expected
    codes = {FAILED: "TESTS_FAILED", ERRORED: "TESTS_ERRORED"}
    for case in cases_of(file):
        if case.outcome in codes:
            yield Reason(codes[case.outcome], at(file, case), case.identity, case.message)
    for suite in suites_of(file):
        for child in suite.failures:
            detail = child.message or child.text.strip()
            yield Reason("TESTS_FAILED", Where(file.path, child.line), suite.name, detail)


@condition(
    "EVD507",
    "something-passed",
    {"EMPTY_RUN": INCOMPLETE, "NOTHING_PASSED": INCOMPLETE},
    "look at the filter, at what was discovered, and at why everything was skipped",
    source="9",
)
def something_passed(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Tests ran, and at least one passed.

    `--expect allow-empty` lets a run without any test, or with skipped ones alone, pass.
    What breaks it is to take out every case, or to skip each, together with what counts them.
    """
    cases = cases_of(file)
    if expected.allow_empty:
        return
    if not cases:
        yield Reason("EMPTY_RUN", at(file, file.root), detail="there is no test in it")
    elif all(case.outcome == SKIPPED for case in cases):
        yield Reason("NOTHING_PASSED", at(file, file.root), detail=f"all of its {len(cases)} tests were skipped")


@condition(
    "EVD508",
    "skips-allowed",
    {"SKIP_NOT_ALLOWED": REJECT},
    "run the test where it can run, or allow the skip: `--allow-skip`",
)
def skips_allowed(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Only tests were skipped that may be.

    Which those are is said by `--allow-skip` or `allow-skip`, as `class::test` or by the test's
    name; where nobody says it, every skip passes. What breaks it is to allow another skip than
    that of the file: no change of the file is needed.
    """
    if expected.allow_skip is None:
        raise NotEvaluated("nobody stated which tests may be skipped; `--allow-skip`")
    for case in cases_of(file):
        if case.outcome == SKIPPED and not allowed(expected.allow_skip, case):
            yield Reason("SKIP_NOT_ALLOWED", at(file, case), case.identity, case.message)


@condition(
    "EVD509",
    "no-hidden-failure",
    {"RETRY_MASKED_FAILURE": WARNING},
    "look at the test: one that passes at the second try is not trusted at the first",
)
def no_hidden_failure(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """No retry hides a failure.

    `allow-rerun` names the tests that may take more than one attempt. The profile `release` lets
    no other pass.
    """
    for case in cases_of(file):
        earlier = [child for child in case.children if child.kind in RETRIES]
        if earlier and case.outcome == PASSED and not allowed(expected.allow_rerun, case):
            detail = earlier[0].message or earlier[0].text.strip()
            yield Reason("RETRY_MASKED_FAILURE", Where(file.path, earlier[0].line), case.identity, detail)
