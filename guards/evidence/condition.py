"""The base of every contract: conditions, what they are called, and what their failing means."""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from guards.evidence.expectations import Expectations
from guards.evidence.model import Evidence, Reason

REJECT, INCOMPLETE, SUMMARY, WARNING = "R", "I", "S", "W"

EvidenceT_contra = TypeVar("EvidenceT_contra", bound=Evidence, contravariant=True)
Judge: TypeAlias = Callable[[EvidenceT_contra, Expectations], Iterator[Reason]]


class NotEvaluated(Exception):
    """A condition cannot be judged on what is at hand; ``str()`` says what is missing."""


class Change(NamedTuple):
    """The smallest change of an accepted example that breaks a condition.

    In ``file`` (a glob over the example's files) the first ``old`` becomes ``new``; where ``old``
    is empty the file is deleted. ``why`` says what that would mean, ``codes`` are the reasons that
    the verdict must name, all of them.
    """

    file: str
    old: str
    new: str
    why: str
    codes: tuple[str, ...]


class Condition(NamedTuple, Generic[EvidenceT_contra]):
    """One condition of a contract.

    ``code`` is its own (``EVD###``), ``name`` kebab-case, ``title`` the sentence that holds when it
    holds, ``reasons`` the reason codes that it can give, each with its class, ``next_step`` what
    to do when it fails. ``source`` is its number in the contract's specification. ``page`` is the
    contract on whose page it is explained, empty for its own.
    """

    code: str
    name: str
    title: str
    text: str
    reasons: Mapping[str, str]
    next_step: str
    judge: Judge[EvidenceT_contra]
    source: str = ""
    broken: tuple[Change, ...] = ()
    page: str = ""


class Contract(NamedTuple, Generic[EvidenceT_contra]):
    """A list of conditions over one kind of evidence.

    ``text`` is the page's introduction; ``unprovable`` are sentences about what this evidence can
    never prove. ``strict`` are reason codes that reject here in every profile, ``release`` those
    that reject in the release profile.
    """

    name: str
    title: str
    text: str
    conditions: tuple[Condition[EvidenceT_contra], ...]
    unprovable: tuple[str, ...] = ()
    strict: frozenset[str] = frozenset()
    release: frozenset[str] = frozenset()


def condition(  # noqa: PLR0913 a row of a table
    code: str,
    name: str,
    reasons: Mapping[str, str],
    next_step: str,
    *,
    source: str = "",
    broken: tuple[Change, ...] = (),
) -> Callable[[Judge[EvidenceT_contra]], Condition[EvidenceT_contra]]:
    """Makes a condition of a function: the first line of its docstring is the title, the rest the text."""

    def made(judge: Judge[EvidenceT_contra]) -> Condition[EvidenceT_contra]:
        title, _, text = (judge.__doc__ or "").partition("\n")
        return Condition(code, name, title, text.strip(), reasons, next_step, judge, source, broken)

    return made
