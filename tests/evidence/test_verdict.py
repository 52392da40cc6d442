"""How conditions become a verdict, on a contract small enough to see through."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from guards.evidence.condition import INCOMPLETE, REJECT, SUMMARY, WARNING, Contract, NotEvaluated, condition
from guards.evidence.expectations import RELEASE, TASK, Expectations
from guards.evidence.model import Leaf, Reason, Run, Where, count
from guards.evidence.verdict import FAILED, HELD, NOT_EVALUATED, Judged, judge


class Given(NamedTuple):
    """Evidence that says which codes stand against it."""

    codes: tuple[str, ...]
    run: Run = Run("test")
    issues: tuple[Reason, ...] = ()


CLASSES = {"BAD": REJECT, "GONE": INCOMPLETE, "STALE": SUMMARY, "ODD": WARNING}


@condition("EVD999", "nothing-given", CLASSES, "give nothing")
def nothing_given(evidence: Given, expected: Expectations) -> Iterator[Reason]:
    """Nothing stands against the run.

    More about that.
    """
    del expected
    for code in evidence.codes:
        yield Reason(code, Where("a.json", 3, "x.y"))


@condition("EVD998", "mode-expected", {"BAD": REJECT}, "run in the mode that is expected")
def mode_expected(evidence: Given, expected: Expectations) -> Iterator[Reason]:
    """The mode is the expected one."""
    del evidence
    if expected.mode is None:
        raise NotEvaluated("nobody stated a mode")
    yield from ()


CONTRACT = Contract("small", "A small contract", "", (nothing_given, mode_expected), release=frozenset({"ODD"}))


@pytest.mark.parametrize(
    ("codes", "verdict"),
    [
        ((), "accepted"),
        (("ODD",), "accepted"),
        (("STALE",), "rejected"),
        (("GONE",), "incomplete"),
        (("GONE", "STALE"), "incomplete"),
        (("GONE", "ODD"), "incomplete"),
        (("BAD", "GONE", "STALE", "ODD"), "rejected"),
    ],
)
def test_the_worst_class_decides_and_a_summary_hides_nothing(codes: tuple[str, ...], verdict: str) -> None:
    assert judge(CONTRACT, Given(codes), Expectations()).verdict == verdict


def test_a_warning_rejects_where_the_profile_says_so() -> None:
    assert judge(CONTRACT, Given(("ODD",)), Expectations(profile=TASK)).verdict == "accepted"
    assert judge(CONTRACT, Given(("ODD",)), Expectations(profile=RELEASE)).verdict == "rejected"
    strict = CONTRACT._replace(release=frozenset(), strict=frozenset({"ODD"}))
    assert judge(strict, Given(("ODD",)), Expectations(profile=TASK)).verdict == "rejected"


def states(judged: tuple[Judged, ...]) -> list[str]:
    return [condition.state for condition in judged]


def test_what_could_not_be_evaluated_is_never_called_held() -> None:
    verdict = judge(CONTRACT, Given(()), Expectations())
    assert states(verdict.conditions) == [HELD, NOT_EVALUATED]
    assert verdict.conditions[1].missing == "nobody stated a mode"
    assert states(judge(CONTRACT, Given(("ODD",)), Expectations(mode="x")).conditions) == [HELD, HELD]
    assert states(judge(CONTRACT, Given(("STALE",)), Expectations(mode="x")).conditions) == [FAILED, HELD]


def test_a_condition_takes_its_title_and_text_from_its_function() -> None:
    assert (nothing_given.title, nothing_given.text) == ("Nothing stands against the run.", "More about that.")


def test_places_are_written_as_people_look_them_up() -> None:
    assert [str(Where("a")), str(Where("a", 3)), str(Where("a", 3, "x.y"))] == ["a", "a:3", "a:3 (x.y)"]


def test_leaves_are_counted_whatever_the_file_says() -> None:
    leaves = [
        Leaf(str(number), "t", outcome, Where("a")) for number, outcome in enumerate(("passed", "failed", "passed"))
    ]
    assert (count(leaves).total, count(leaves).passed, count(leaves).failed, count(leaves).errored) == (3, 2, 1, 0)
