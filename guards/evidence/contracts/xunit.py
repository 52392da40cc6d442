"""The contract of a result file of xUnit."""

from guards.evidence.condition import Change, Contract
from guards.evidence.contracts.dotnet.common import PROTECTED, RELEASE, UNPROVABLE, conditions
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, exit_code_agrees, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.readers.dotnet.results import ResultFile
from guards.evidence.readers.dotnet.xunit import XUnitFile
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_FILE = "xunit.xml"
_BROKEN = {
    "readable": (
        Change(_FILE, "</assemblies>", "", "the runner was killed while it wrote", ("XML_TRUNCATED",)),
        Change(_FILE, "<assemblies", "<!DOCTYPE x><assemblies", "it has a document type", ("XML_DOCTYPE",)),
    ),
    "counts-agree": (
        Change(_FILE, 'passed="2"', 'passed="3"', "one passed too many", ("COUNTS_DISAGREE",)),
        Change(_FILE, 'errors="0"', 'errors="1"', "an error that is not there", ("COUNTS_DISAGREE",)),
    ),
    "outcomes-known": (Change(_FILE, 'result="Pass"', 'result="Fine"', "a new word", ("OUTCOME_UNKNOWN",)),),
    "nothing-failed": (
        Change(_FILE, 'result="Pass"', 'result="Fail"', "a test failed", ("TEST_FAILED", "COUNTS_DISAGREE")),
    ),
    "nothing-around-failed": (
        Change(
            _FILE,
            "<errors />",
            '<errors><error type="assembly-cleanup" /></errors>',
            "a cleanup failed",
            ("FIXTURE_FAILED",),
        ),
    ),
    "once": (Change(_FILE, 'id="b2"', 'id="b1"', "two tests with one id", ("DUPLICATE_TEST",)),),
    "all-ran": (
        Change(_FILE, 'result="Pass"', 'result="NotRun"', "a test was found and did not run", ("TEST_NOT_RUN",)),
    ),
}

CONTRACT: Contract[ResultFile] = Contract(
    "xunit",
    "Result file of xUnit",
    "The XML of xUnit, versions 2 and 3: assemblies with collections of tests, counts at both levels, and errors of "
    f"what stands around the tests. It says nothing of the whole beyond its assemblies.\n\n{PROTECTED}",
    (
        unchanged,
        newer_than_sources,
        *conditions(580, _BROKEN),
        enough_tests,
        exit_code_agrees,
        nothing_unjudged("framework-version"),
    ),
    (*UNPROVABLE, "That the run came to its end by itself: an assembly that was never begun leaves no trace."),
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the file and judges it."""
    file: ResultFile = XUnitFile(taken.root, taken.path)
    return judge(CONTRACT, file, expected)
