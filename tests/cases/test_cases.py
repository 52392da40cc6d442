"""Every case of a rule that exists gives exactly the findings that it expects."""

from collections import defaultdict
from pathlib import Path

import pytest

from guards.engine.cases import FAILED, Case, read_cases, read_disputed, run_cases
from guards.engine.loader import catalogue

HERE = Path(__file__).parent
CASES = [case for file in sorted(HERE.glob("*.jsonl")) for case in read_cases(str(file))]
DISPUTED = read_disputed(str(HERE / "disputed.toml"))


def by_rule() -> dict[tuple[str, str], list[Case]]:
    grouped = defaultdict(list)
    for case in CASES:
        if case.rule in catalogue().names():
            grouped[case.language, case.rule].append(case)
    return grouped


@pytest.mark.parametrize("cases", [pytest.param(cases, id="/".join(of)) for of, cases in sorted(by_rule().items())])
def test_the_rule_finds_what_the_cases_expect_and_nothing_else(cases: list[Case]) -> None:
    failed = [
        f"{outcome.case.id}: expected {sorted(outcome.case.expect)}, found {sorted(outcome.found)} {outcome.problem}"
        for outcome in run_cases(cases, DISPUTED)
        if outcome.result == FAILED
    ]
    assert not failed, "\n".join(failed)


def test_no_two_cases_have_one_id() -> None:
    ids = [case.id for case in CASES]
    assert len(set(ids)) == len(ids)


def test_every_dispute_is_about_a_case_that_exists() -> None:
    assert {case.id for case in CASES} >= DISPUTED
