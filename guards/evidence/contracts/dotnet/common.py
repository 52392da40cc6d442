"""The conditions that NUnit, TRX and xUnit files share; each contract gives them codes and changes of its own."""

from collections.abc import Iterator, Mapping

from guards.config.globs import matches_any
from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, Judge, NotEvaluated
from guards.evidence.expectations import Expectations
from guards.evidence.model import CANCELLED, ERRORED, FAILED, INCONCLUSIVE, INVALID, PASSED, SKIPPED, Reason, Where
from guards.evidence.readers.dotnet.results import (
    AROUND,
    COMPLETED,
    COUNTS,
    LINKED,
    OUTCOMES,
    READABLE,
    TIMES,
    ResultFile,
)

Broken = Mapping[str, tuple[Change, ...]]

_BAD = {
    FAILED: "TEST_FAILED",
    ERRORED: "TEST_FAILED",
    INCONCLUSIVE: "TEST_INCONCLUSIVE",
    CANCELLED: "TEST_CANCELLED",
    INVALID: "TEST_INVALID",
}
_AGAIN = "keep the file as it is, find out what wrote or changed it, and run again"
RELEASE = frozenset({"TEST_WARNED", "RUN_WARNING"})
UNPROVABLE = (
    "That any test body ran, or asserted anything: one process writes the whole file, and nothing is signed.",
    "That no test was left out or renamed: only a list or a number from outside can tell.",
    "That the assemblies were built from the sources that are there now.",
)
PROTECTED = """\
| Fact | Who protects it |
| --- | --- |
| the outcome of each test against the counts around it | the file: everything is counted again |
| that the run came to its end | the file, where it states a result of the whole |
| that no test was left out together with its counts | an inventory of the sources, or a declared `total` |
| that none was renamed or invented | an inventory |
| that a skipped test may be skipped | `--allow-skip`, or an inventory |
| times, messages, machine and user names, attachments | nothing |"""


def _claims(*sources: str) -> Judge[ResultFile]:
    def judge(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
        del expected
        for source in sources:
            yield from file.found.of(source)

    return judge


def _nothing_failed(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    del expected
    for leaf in (*file.leaves, *file.rows):
        if leaf.outcome in _BAD:
            yield Reason(_BAD[leaf.outcome], leaf.where, leaf.name, leaf.message or leaf.state)


def _result_agrees(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    del expected
    result = file.result.partition("(")[0].partition(":")[0]
    bad = sum(leaf.outcome in _BAD and leaf.outcome != INCONCLUSIVE for leaf in file.leaves)
    if file.readable and file.results and result not in file.results:
        yield Reason("RESULT_UNKNOWN", file.result_where, "", f"the whole is `{file.result}`, which is no result")
    elif result in {"Failed", "Error"}:
        yield Reason(
            "RUN_FAILED", file.result_where, "", f"the whole is `{file.result}`, and {bad} tests are not passed"
        )
    elif result in {"Passed", "Completed"} and bad:
        yield Reason(
            "RESULT_CONTRADICTION", file.result_where, "", f"the whole is `{file.result}`, and {bad} tests are not"
        )
    elif result == "Skipped" and file.leaves and all(leaf.outcome == PASSED for leaf in file.leaves):
        detail = "the whole is called skipped, and each of its tests passed"
        yield Reason("ROOT_SKIPPED_LEAVES_PASSED", file.result_where, "", detail)
    elif result == "Inconclusive":
        yield Reason("RESULT_CONTRADICTION", file.result_where, "", "the whole is inconclusive")


def _tests_ran(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    if expected.allow_empty or not file.readable:
        return
    if file.filtered and not file.leaves:
        yield Reason(
            "FILTER_MATCHED_NOTHING", Where(file.path), "", "tests were found, and the filter left none of them"
        )
    elif not file.leaves:
        yield Reason("EMPTY_RUN", Where(file.path), "", "no test ran at all")
    elif all(leaf.outcome == SKIPPED for leaf in file.leaves):
        yield Reason("ALL_SKIPPED", Where(file.path), "", f"all of its {len(file.leaves)} tests were skipped")


def _once(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    del expected
    seen: dict[str, Where] = {}
    for leaf in file.leaves:
        if leaf.identity in seen:
            yield Reason("DUPLICATE_TEST", leaf.where, leaf.name, f"it stands at {seen[leaf.identity]}, too")
        seen.setdefault(leaf.identity, leaf.where)


def _all_ran(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    del expected
    for leaf in file.not_run:
        yield Reason("TEST_NOT_RUN", leaf.where, leaf.name, "it was found, and did not run")


def _skips(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    if expected.allow_skip is None:
        if any(leaf.outcome == SKIPPED for leaf in file.leaves):
            raise NotEvaluated("nobody stated which tests may be skipped; `--allow-skip GLOB`")
        return
    for leaf in file.leaves:
        if leaf.outcome == SKIPPED and not matches_any(expected.allow_skip, leaf.name):
            yield Reason("SKIP_NOT_ALLOWED", leaf.where, leaf.name, leaf.message or "it was skipped")


def _as_expected(file: ResultFile, expected: Expectations) -> Iterator[Reason]:
    for name, stated in (("mode", expected.mode), ("framework-version", expected.framework_version)):
        said = file.identity.get(name, "")
        if stated is not None and said and said != stated and not said.endswith(f" {stated}"):
            yield Reason("CALLER_EXPECTATION_MISMATCH", Where(file.path), name, f"`{said}`, expected is `{stated}`")


# Name, title, text, reasons, next step and judge of each, in the order of the codes.
_ROWS: tuple[tuple[str, str, str, Mapping[str, str], str, Judge[ResultFile]], ...] = (
    (
        "readable",
        "The file is whole, and of the kind that it begins like.",
        "A document type is refused before anything of it is read: no result file needs one.",
        {
            "FILE_MISSING": INCOMPLETE, "FILE_UNREADABLE": INCOMPLETE, "XML_DOCTYPE": INCOMPLETE,
            "XML_TRUNCATED": INCOMPLETE, "ROOT_UNKNOWN": INCOMPLETE,
        },
        "run again, and let the runner end by itself",
        _claims(READABLE),
    ),
    (
        "counts-agree",
        "Every declared count is what is there.",
        "The run, its assemblies and suites count their tests; each is counted again.",
        {"COUNTS_DISAGREE": REJECT},
        _AGAIN,
        _claims(COUNTS),
    ),
    (
        "outcomes-known",
        "Every test has a name and an outcome that is known.",
        "",
        {"OUTCOME_UNKNOWN": INCOMPLETE, "LEAF_NAMELESS": REJECT, "TEST_WARNED": WARNING},
        "look whether a newer version of Suiteguard knows the outcome; a warning wants to be read",
        _claims(OUTCOMES),
    ),
    (
        "nothing-failed",
        "No test failed, was inconclusive, cancelled or invalid.",
        "",
        {"TEST_FAILED": REJECT, "TEST_INCONCLUSIVE": REJECT, "TEST_CANCELLED": REJECT, "TEST_INVALID": REJECT},
        "mend the tests that are named, and run again",
        _nothing_failed,
    ),
    (
        "nothing-around-failed",
        "Nothing around the tests failed: no setup, no teardown, no assembly.",
        "A teardown that fails behind the last test leaves every test green.",
        {"FIXTURE_FAILED": REJECT, "RUN_ERROR": REJECT, "RUN_WARNING": WARNING},
        "mend what is named, and run again",
        _claims(AROUND),
    ),
    (
        "completed",
        "The run came to its end.",
        "A file that says nothing of its end cannot break this.",
        {"RUN_ABORTED": INCOMPLETE, "TEST_UNFINISHED": INCOMPLETE, "SUMMARY_MISSING": INCOMPLETE},
        "find out what ended it, and run again",
        _claims(COMPLETED),
    ),
    (
        "result-agrees",
        "What the file says of the whole follows from its tests.",
        "A whole that is called skipped while each of its tests passed is a run that somebody stopped, or two in one.",
        {
            "RUN_FAILED": REJECT, "RESULT_CONTRADICTION": REJECT, "ROOT_SKIPPED_LEAVES_PASSED": REJECT,
            "RESULT_UNKNOWN": INCOMPLETE,
        },
        _AGAIN,
        _result_agrees,
    ),
    (
        "tests-ran",
        "Tests ran, and not all of them were skipped.",
        "A filter that matches nothing passes nothing, whatever the exit code.",
        {"EMPTY_RUN": INCOMPLETE, "FILTER_MATCHED_NOTHING": INCOMPLETE, "ALL_SKIPPED": INCOMPLETE},
        "look at the filter and at what was discovered; where no tests are right, `--expect allow-empty`",
        _tests_ran,
    ),
    (
        "once",
        "No test stands there twice.",
        "Tests are told apart by their ids, and where there are none by their names.",
        {"DUPLICATE_TEST": REJECT},
        _AGAIN,
        _once,
    ),
    (
        "all-ran",
        "Every test that was found ran.",
        "Only files that list such tests can break this.",
        {"TEST_NOT_RUN": INCOMPLETE},
        "run without what keeps these tests out",
        _all_ran,
    ),
    (
        "skips-allowed",
        "Only tests that may be skipped were.",
        "Which ones those are is said by `--allow-skip`; what breaks it is another list.",
        {"SKIP_NOT_ALLOWED": REJECT},
        "let the test run, or allow its skip",
        _skips,
    ),
    (
        "times-in-order",
        "The run did not end before it began.",
        "Only files that state both times can break this.",
        {"TIME_ORDER": REJECT},
        "run again; a clock that is set back during a run spoils it",
        _claims(TIMES),
    ),
    (
        "as-expected",
        "Mode and framework are those that are expected, as far as the file says them.",
        "What breaks it is another expectation: no change of the file is needed.",
        {"CALLER_EXPECTATION_MISMATCH": REJECT},
        "run what is expected, or state what you expect of this run",
        _as_expected,
    ),
)  # fmt: skip
_LINKED = (
    "linked",
    "Entries, results and definitions name each other.",
    "",
    {
        "ENTRY_WITHOUT_RESULT": INCOMPLETE, "DEFINITION_WITHOUT_RESULT": INCOMPLETE, "EXECUTION_DUPLICATE": REJECT,
        "RESULT_WITHOUT_DEFINITION": REJECT, "RESULT_WITHOUT_ENTRY": REJECT,
    },
    _AGAIN,
    _claims(LINKED),
)  # fmt: skip


def conditions(first: int, broken: Broken, *, linked: bool = False) -> tuple[Condition[ResultFile], ...]:
    """The shared conditions with codes from ``first`` on, each with the changes that break it by its name."""
    rows = (*_ROWS, *((_LINKED,) if linked else ()))
    return tuple(
        Condition(f"EVD{number}", name, title, text, reasons, next_step, judge, "", broken.get(name, ()))
        for number, (name, title, text, reasons, next_step, judge) in enumerate(rows, first)
    )
