"""What every format of evidence comes down to: a run, its leaves, and what was found wrong on the way."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

# What became of a leaf, one word for all formats.
PASSED, FAILED, ERRORED, SKIPPED = "passed", "failed", "errored", "skipped"
INCONCLUSIVE, CANCELLED, INVALID = "inconclusive", "cancelled", "invalid"
OUTCOMES = (PASSED, FAILED, ERRORED, SKIPPED, INCONCLUSIVE, CANCELLED, INVALID)


class Where(NamedTuple):
    """A place in evidence: a file relative to what was given, a line from 1 (0: the file), a dotted field."""

    file: str
    line: int = 0
    field: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place} ({self.field})" if self.field else place


class Reason(NamedTuple):
    """One thing that stands against a run.

    ``code`` is one of the reason codes of the contract, ``identity`` the leaf, run or record that
    it is about (or nothing), ``detail`` one sentence for people. ``normal`` marks a warning that
    no profile makes more of.
    """

    code: str
    where: Where
    identity: str = ""
    detail: str = ""
    normal: bool = False


class Leaf(NamedTuple):
    """One test case and what became of it.

    ``identity`` tells it from every other leaf of the run; ``name`` is what people call it.
    ``state`` is the outcome in the words of the file. ``seconds`` and ``assertions`` are None
    where the file does not say; ``attempts`` counts all, the last of which decides.
    """

    identity: str
    name: str
    outcome: str
    where: Where
    suite: str = ""
    state: str = ""
    message: str = ""
    seconds: float | None = None
    assertions: int | None = None
    attempts: int = 1


class Counts(NamedTuple):
    """How many leaves came to which end; ``total`` is counted or declared beside them, not derived."""

    total: int = 0
    passed: int = 0
    failed: int = 0
    errored: int = 0
    skipped: int = 0
    inconclusive: int = 0
    cancelled: int = 0
    invalid: int = 0


def count(leaves: Iterable[Leaf]) -> Counts:
    """Counts leaves, whatever the file itself says."""
    found = dict.fromkeys(OUTCOMES, 0)
    total = 0
    for leaf in leaves:
        found[leaf.outcome] += 1
        total += 1
    return Counts(total, **found)


class Run(NamedTuple):
    """One run as its evidence tells it.

    ``identity`` are facts that tell this run from others, by the names that ``--expect`` uses
    (``run-id``, ``project``, …). ``declared`` are the counts that the file itself states, None
    where it states none. ``started`` and ``finished`` are as written.
    """

    format: str
    leaves: tuple[Leaf, ...] = ()
    counts: Counts = Counts()
    declared: Counts | None = None
    identity: tuple[tuple[str, str], ...] = ()
    started: str = ""
    finished: str = ""


class Evidence(Protocol):
    """What a reader hands to the conditions of its contract."""

    @property
    def run(self) -> Run:
        """What the evidence comes down to."""

    @property
    def issues(self) -> Iterable[Reason]:
        """What the reader itself found wrong, in the order of the files."""


class Dated(Evidence, Protocol):
    """Evidence that knows when it was written."""

    @property
    def written_ns(self) -> int | None:
        """When the last of it was written, in nanoseconds since 1970; None where nothing says it."""


def issues_of(evidence: Evidence, *codes: str) -> Iterator[Reason]:
    """The issues of a reader that have one of these codes: what most conditions about form come down to."""
    return (issue for issue in evidence.issues if issue.code in codes)
