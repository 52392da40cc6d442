"""Conditions that the reader finds broken while it reads: a journal of a million lines is read once."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from guards.evidence.condition import Change, Condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason
from guards.evidence.readers.durable.reader import DurableRun


class Words(NamedTuple):
    """What a page says of a condition."""

    title: str
    text: str
    next_step: str


def claim(  # noqa: PLR0913, PLR0917 a row of a table
    code: str, name: str, source: str, reasons: Mapping[str, str], words: Words, broken: tuple[Change, ...] = ()
) -> Condition[DurableRun]:
    """The condition that fails where the reader found it broken."""

    def judge(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
        del expected
        yield from run.found.of(source)

    return Condition(code, name, words.title, words.text, reasons, words.next_step, judge, source, broken)
