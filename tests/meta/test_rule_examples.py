"""Every example in a rule's module does what it shows: the marked lines are found, and nothing else is."""

import pytest

from guards.config.catalogue import RuleEntry
from guards.engine.cases import PASSED, example_cases, run_cases
from guards.engine.loader import catalogue


@pytest.mark.parametrize("entry", catalogue().entries, ids=lambda entry: f"{entry.code}-{entry.name}")
def test_the_examples_of_a_rule_hold(entry: RuleEntry) -> None:
    outcomes = list(run_cases(example_cases(entry)))
    failed = [
        f"{outcome.case.id} ({outcome.case.why}): expected {sorted(outcome.case.expect)}, "
        f"found {sorted(outcome.found)} {outcome.problem}"
        for outcome in outcomes
        if outcome.result != PASSED
    ]
    assert not failed, "\n".join(failed)
    assert outcomes
