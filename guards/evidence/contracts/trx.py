"""The contract of a result file of Visual Studio's test platform."""

from guards.evidence.condition import Change, Contract
from guards.evidence.contracts.dotnet.common import PROTECTED, RELEASE, UNPROVABLE, conditions
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, exit_code_agrees, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.readers.dotnet.results import ResultFile
from guards.evidence.readers.dotnet.trx import TrxFile
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_FILE = "results.trx"
_BROKEN = {
    "readable": (
        Change(_FILE, "</TestRun>", "", "the runner was killed while it wrote", ("XML_TRUNCATED",)),
        Change(_FILE, "<TestRun", "<!DOCTYPE x><TestRun", "it has a document type", ("XML_DOCTYPE",)),
    ),
    "counts-agree": (
        Change(
            _FILE, 'executed="2" passed="2"', 'executed="2" passed="3"', "one passed too many", ("COUNTS_DISAGREE",)
        ),
    ),
    "outcomes-known": (
        Change(
            _FILE,
            'testName="Grove.Tests.Adds" outcome="Passed"',
            'testName="Grove.Tests.Adds" outcome="Fine"',
            "a new word",
            ("OUTCOME_UNKNOWN",),
        ),
    ),
    "nothing-failed": (
        Change(
            _FILE,
            'testName="Grove.Tests.Adds" outcome="Passed"',
            'testName="Grove.Tests.Adds" outcome="Failed"',
            "a test failed",
            ("TEST_FAILED", "COUNTS_DISAGREE", "RESULT_CONTRADICTION"),
        ),
    ),
    "nothing-around-failed": (
        Change(
            _FILE,
            "</ResultSummary>",
            '<RunInfos><RunInfo outcome="Error"><Text>host crashed</Text></RunInfo></RunInfos></ResultSummary>',
            "the host crashed",
            ("RUN_ERROR",),
        ),
    ),
    "completed": (
        Change(
            _FILE,
            '<ResultSummary outcome="Completed"',
            '<ResultSummary outcome="Aborted"',
            "it was aborted",
            ("RUN_ABORTED",),
        ),
        Change(
            _FILE,
            'testName="Grove.Tests.Adds" outcome="Passed"',
            'testName="Grove.Tests.Adds" outcome="InProgress"',
            "a test never ended",
            ("TEST_UNFINISHED",),
        ),
    ),
    "result-agrees": (
        Change(
            _FILE,
            '<ResultSummary outcome="Completed"',
            '<ResultSummary outcome="Failed"',
            "the whole failed",
            ("RUN_FAILED",),
        ),
    ),
    "times-in-order": (Change(_FILE, 'finish="2026', 'finish="2025', "it ended before it began", ("TIME_ORDER",)),),
    "linked": (
        Change(
            _FILE,
            'TestEntry testId="t1" executionId="e1"',
            'TestEntry testId="t1" executionId="e9"',
            "a test has no result",
            ("ENTRY_WITHOUT_RESULT", "RESULT_WITHOUT_ENTRY"),
        ),
        Change(
            _FILE,
            'UnitTestResult executionId="e2"',
            'UnitTestResult executionId="e1"',
            "one execution twice",
            ("EXECUTION_DUPLICATE",),
        ),
        Change(
            _FILE,
            '<UnitTest name="Grove.Tests.Adds" id="t1"',
            '<UnitTest name="Grove.Tests.Adds" id="t9"',
            "a result of no test",
            ("RESULT_WITHOUT_DEFINITION", "DEFINITION_WITHOUT_RESULT"),
        ),
    ),
}

CONTRACT: Contract[ResultFile] = Contract(
    "trx",
    "Result file of Visual Studio's test platform (TRX)",
    "What `dotnet test --logger trx` writes: results, the definitions and entries that they refer to, and a summary "
    f"with counters.\n\n{PROTECTED}",
    (
        unchanged,
        newer_than_sources,
        *conditions(560, _BROKEN, linked=True),
        enough_tests,
        exit_code_agrees,
        nothing_unjudged(),
    ),
    UNPROVABLE,
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the file and judges it."""
    file: ResultFile = TrxFile(taken.root, taken.path)
    return judge(CONTRACT, file, expected)
