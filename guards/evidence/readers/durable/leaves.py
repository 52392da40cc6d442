"""What the journal says of each leaf, attempt by attempt."""

from typing import NamedTuple

from guards.evidence.model import CANCELLED, FAILED, INCONCLUSIVE, INVALID, PASSED, SKIPPED
from guards.evidence.readers.durable.records import Event, Expected

LEAF_OUTCOMES = frozenset({PASSED, FAILED, SKIPPED, INCONCLUSIVE, CANCELLED, INVALID})
_BY_STATUS = {"passed": PASSED, "failed": FAILED, "skipped": SKIPPED, "inconclusive": INCONCLUSIVE}


class Terminal(NamedTuple):
    """How one attempt of a leaf ended."""

    outcome: str
    result_state: str
    label: str
    message: str
    stack_trace: str
    duration: float
    line: int

    def same_evidence(self, other: "Terminal") -> bool:
        """Whether another delivery says the same; times are not compared."""
        return self[:5] == other[:5]


class LeafState:
    """One leaf: what the manifest says of it, and what the journal does.

    ``terminal`` is how its last attempt ended, None while that is open; ``earlier`` are those before.
    """

    __slots__ = (
        "assembly", "callbacks", "completed", "conflict", "duplicates", "earlier", "full_name", "implicit",
        "is_expected", "key", "line", "open", "opened", "repeated_starts", "terminal", "test_id",
    )  # fmt: skip

    def __init__(self, key: str, line: int, expected: Expected | None) -> None:
        self.key = key
        self.line = line
        self.is_expected = expected is not None
        self.full_name = expected.full_name if expected else ""
        self.test_id = expected.test_id if expected else ""
        self.assembly = expected.assembly_name if expected else ""
        self.opened = 0
        self.completed = 0
        self.callbacks = 0
        self.implicit = 0
        self.repeated_starts = 0
        self.duplicates = 0
        self.open = False
        self.conflict = False
        self.terminal: Terminal | None = None
        self.earlier: tuple[Terminal, ...] = ()

    @property
    def seen(self) -> bool:
        """Whether any event names it."""
        return self.opened > 0

    def start(self) -> None:
        """A start callback came."""
        self.callbacks += 1
        if self.open:
            self.repeated_starts += 1
            return
        if self.terminal is not None:
            self.earlier = (*self.earlier, self.terminal)
            self.terminal = None
        self.opened += 1
        self.open = True

    def finish(self, terminal: Terminal) -> bool:
        """A finish callback came; whether it contradicts one that came before."""
        if not self.opened:
            self.opened = 1
            self.implicit += 1
            self.open = True
        if self.terminal is None:
            self.terminal = terminal
            self.completed += 1
            self.open = False
            return False
        if self.terminal.same_evidence(terminal):
            self.duplicates += 1
            return False
        self.conflict = True
        return True


def terminal_of(event: Event, line: int) -> Terminal:
    """The end that an event reports; outcomes are compared trimmed and in lower case."""
    outcome = event.outcome.strip().lower()
    return Terminal(
        outcome if outcome in LEAF_OUTCOMES else INVALID,
        event.result_state,
        event.label,
        event.message,
        event.stack_trace,
        event.duration_seconds,
        line,
    )


def mapped(result_state: str) -> tuple[str, str]:
    """The leaf outcome and the label that follow from the framework's own words."""
    status, _, label = result_state.partition(":")
    lowered = result_state.lower()
    if "invalid" in lowered or "notrunnable" in lowered:
        return INVALID, label
    if "cancel" in lowered or "notrun" in lowered:
        return CANCELLED, label
    return _BY_STATUS.get(status.partition("(")[0].strip().lower(), INVALID), label


def mapped_root(result_state: str) -> tuple[str, str]:
    """The same for the run as a whole, where a skipped root is a passed one."""
    outcome, label = mapped(result_state)
    if outcome in {PASSED, SKIPPED}:
        return PASSED, label
    return (outcome if outcome in {CANCELLED, INVALID} else FAILED), label
