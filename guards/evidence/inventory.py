"""What the sources of a run's tests say, handed in beside its results: which tests there are, and what each must do."""

from typing import NamedTuple


class SourceTest(NamedTuple):
    """A test that stands in the sources.

    ``least`` is the number of assertions that no run of it can avoid, ``skips`` whether any of its
    paths skips it; None where that is not known. ``doubt`` is the name of the rule that says why a
    green result of it proves nothing, ``ends_suite`` whether its suite ends with it without a word.
    """

    name: str
    least: int | None = None
    skips: bool | None = None
    doubt: str = ""
    ends_suite: bool = False


class SourceSuite(NamedTuple):
    """A suite that would be discovered; several files can have suites of one name. ``file`` is relative."""

    name: str
    file: str
    tests: tuple[SourceTest, ...] = ()


class Inventory(NamedTuple):
    """All suites that would be discovered."""

    suites: tuple[SourceSuite, ...] = ()
