"""The contract of a result file of NUnit 3, and of Unity's test framework."""

from guards.evidence.condition import Change, Contract
from guards.evidence.contracts.dotnet.common import PROTECTED, RELEASE, UNPROVABLE, conditions
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, exit_code_agrees, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.readers.dotnet.nunit import NUnitFile
from guards.evidence.readers.dotnet.results import ResultFile
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_FILE = "TestResults.xml"
_BROKEN = {
    "readable": (
        Change(_FILE, "</test-run>", "", "the runner was killed while it wrote", ("XML_TRUNCATED",)),
        Change(_FILE, "<test-run", "<!DOCTYPE x><test-run", "it has a document type", ("XML_DOCTYPE",)),
    ),
    "counts-agree": (
        Change(_FILE, 'total="3" passed="2"', 'total="3" passed="3"', "one passed too many", ("COUNTS_DISAGREE",)),
    ),
    "outcomes-known": (
        Change(
            _FILE, 'result="Passed" duration="0.01', 'result="Fine" duration="0.01', "a new word", ("OUTCOME_UNKNOWN",)
        ),
    ),
    "nothing-failed": (
        Change(
            _FILE,
            'result="Passed" duration="0.01',
            'result="Failed" duration="0.01',
            "a test failed",
            ("TEST_FAILED", "COUNTS_DISAGREE"),
        ),
    ),
    "nothing-around-failed": (
        Change(
            _FILE,
            'result="Passed" duration="1.529105"',
            'result="Failed" site="TearDown" duration="1.529105"',
            "a teardown failed behind the last test",
            ("FIXTURE_FAILED",),
        ),
    ),
    "completed": (Change(_FILE, 'id="2" ', 'id="2" label="Cancelled" ', "somebody cancelled it", ("RUN_ABORTED",)),),
    "result-agrees": (
        Change(
            _FILE,
            'testcasecount="3" result="Passed"',
            'testcasecount="3" result="Failed"',
            "the whole failed",
            ("RUN_FAILED",),
        ),
    ),
    "once": (Change(_FILE, 'id="1005"', 'id="1004"', "two tests with one id", ("DUPLICATE_TEST",)),),
    "times-in-order": (Change(_FILE, 'end-time="2026', 'end-time="2025', "it ended before it began", ("TIME_ORDER",)),),
}

CONTRACT: Contract[ResultFile] = Contract(
    "nunit",
    "Result file of NUnit 3 and Unity",
    "The XML that NUnit 3 and Unity's test framework write when a run ends: suites in suites, a case for each test, "
    f"and counts at every level.\n\n{PROTECTED}",
    (
        unchanged,
        newer_than_sources,
        *conditions(530, _BROKEN),
        enough_tests,
        exit_code_agrees,
        nothing_unjudged("mode"),
    ),
    (*UNPROVABLE, "Which version of the framework ran: the file names that of NUnit's engine alone."),
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the file and judges it."""
    file: ResultFile = NUnitFile(taken.root, taken.path)
    return judge(CONTRACT, file, expected)
