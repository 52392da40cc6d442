"""Forbidding an API is data: rows, whether a rule module, a preset or a user wrote them."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import ClassVar

from guards.config.catalogue import Forbid
from guards.languages.base import CALL, READ, WRITE, LanguageFile, Use
from guards.rule import Candidate, Finding, Options, Project, Related, Rule

_KINDS = {"call": (CALL,), "read": (READ,), "write": (WRITE,)}


class ForbiddenApi(Rule[LanguageFile[object]]):
    """A rule that consists of rows.

    ``check`` leaves a candidate for each use whose last name fits a row; what the name means,
    and whether a test reaches it, is decided by ``judge`` on the project.
    """

    rows: ClassVar[tuple[Forbid, ...]] = ()

    def active_rows(self, options: Options) -> tuple[Forbid, ...]:
        """The rows that hold under these options."""
        del options
        return self.rows

    def check(self, file: LanguageFile[object], options: Options) -> Iterator[Candidate]:
        """One candidate for each use that a row may mean."""
        raise NotImplementedError
        yield

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The uses that mean a row's API where the row forbids it."""
        raise NotImplementedError
        yield
