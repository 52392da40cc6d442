"""Conditions on what the caller states, for result files of every kind."""

from collections.abc import Iterator

from guards.evidence.condition import REJECT, WARNING, Condition, NotEvaluated, condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import ERRORED, FAILED, Evidence, Reason, Where

_TEXTS = ("mode", "group", "filter", "project", "request-id", "run-id", "framework-version", "editor-version")
# What gdUnit4 ends with when everything passed and something was left behind.
_WITH_WARNINGS = 101


@condition(
    "EVD020",
    "enough-tests",
    {"COUNT_BELOW_MINIMUM": REJECT, "TOTAL_MISMATCH": REJECT},
    "look at the filter and at what was discovered: one that matches nothing passes nothing",
)
def enough_tests(evidence: Evidence, expected: Expectations) -> Iterator[Reason]:
    """There are as many tests as are expected.

    `--expect min-tests=…` and `--expect total=…` say how many. What breaks it is another
    expectation: no change of the file is needed.
    """
    number = evidence.run.counts.total
    if not evidence.run.leaves and evidence.run.declared is None:
        raise NotEvaluated("nothing says how many tests there were")
    if expected.min_tests is not None and number < expected.min_tests:
        detail = f"{number}, at least {expected.min_tests} are expected"
        yield Reason("COUNT_BELOW_MINIMUM", Where(""), detail=detail)
    if expected.total is not None and number != expected.total:
        yield Reason("TOTAL_MISMATCH", Where(""), detail=f"{number}, expected are {expected.total}")
    if expected.min_tests is None and expected.total is None:
        raise NotEvaluated("nobody stated how many tests there are; `--expect min-tests=…`")


@condition(
    "EVD021",
    "exit-code-agrees",
    {"EXIT_CODE_CONTRADICTION": REJECT, "EXIT_WITH_WARNINGS": WARNING},
    "find out which of the two is of another run: a file that was left behind is the usual reason",
    source="42",
)
def exit_code_agrees(evidence: Evidence, expected: Expectations) -> Iterator[Reason]:
    """The exit code of the process says what the file says.

    `--expect exit-code=…` states it. A 0 alone proves nothing: several runners end with it when no
    test ran. What breaks it is another exit code: no change of the file is needed.
    """
    code = expected.exit_code
    if code is None:
        raise NotEvaluated("nobody stated the exit code of the process; `--expect exit-code=…`")
    red = sum(leaf.outcome in {FAILED, ERRORED} for leaf in evidence.run.leaves)
    if code == 0 and red:
        yield Reason("EXIT_CODE_CONTRADICTION", Where(""), detail=f"it ended with 0, and {red} of its tests failed")
    elif code == _WITH_WARNINGS and not red:
        yield Reason("EXIT_WITH_WARNINGS", Where(""), detail=f"it ended with {code}: something was left behind")
    elif code != 0 and evidence.run.leaves and not red:
        yield Reason("EXIT_CODE_CONTRADICTION", Where(""), detail=f"it ended with {code}, and no test failed")


def nothing_unjudged(*judged: str) -> Condition[Evidence]:
    """The condition that everything stated was judged; ``judged`` are the texts that other conditions judge."""

    @condition(
        "EVD022",
        "nothing-unjudged",
        {},
        "prove it by other means, or state only what such a file can show",
    )
    def judge(evidence: Evidence, expected: Expectations) -> Iterator[Reason]:
        """What the caller states can be seen in the file.

        A file of this kind does not say it all; what it does not say is listed, and fails nothing.
        """
        del evidence
        silent = [name for name in _TEXTS if name not in judged and expected.origin(name)]
        if silent:
            raise NotEvaluated(f"the file does not say {', '.join(silent)}")
        yield from ()

    return judge
