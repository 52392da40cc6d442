"""What the result files of .NET have in common: leaves, counts that are counted again, what is around the tests."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.found import Found
from guards.evidence.model import INVALID, Counts, Leaf, Reason, Run, Where, count
from guards.evidence.strict_xml import End, Forbidden, Start, XmlError, xml_events

_LIMIT = 1 << 28
# What is found while reading, by the name of the condition that it breaks.
READABLE, COUNTS, OUTCOMES, AROUND, COMPLETED, TIMES, LINKED = (
    "readable", "counts", "outcomes", "around", "completed", "times", "linked",
)  # fmt: skip


class Group(NamedTuple):
    """What a run, an assembly or a suite declares of its counts, and what stands in it."""

    where: Where
    name: str
    declared: Mapping[str, str]
    counted: Mapping[str, int]


class ResultFile:
    """A result file as far as it could be read; formats fill it in.

    ``leaves`` are the tests in their order, ``rows`` what ran inside of one of them, ``not_run`` those
    that were found and did not run. ``result`` is what the file says of the whole, with its place;
    ``results`` are the words for that, where every file must have one. ``found`` was found while reading.
    """

    format = ""
    root_names: tuple[str, ...] = ()
    results: frozenset[str] = frozenset()

    def __init__(self, root: str, path: str) -> None:
        self.path = path
        self.found = Found()
        self.leaves: list[Leaf] = []
        self.rows: list[Leaf] = []
        self.not_run: list[Leaf] = []
        self.identity: dict[str, str] = {}
        self.declared: Counts | None = None
        self.result = ""
        self.result_where = Where(path)
        self.filtered = False
        self.readable = False
        self.started = self.finished = ""
        self.written_ns: int | None = None
        bundle = Bundle(root)
        try:
            raw = bundle.read(path, _LIMIT)
            self.written_ns = bundle.seen(path).modified_ns
        except Missing:
            self.say(READABLE, "FILE_MISSING", Where(path), "", "it is not there")
        except Unreadable as error:
            self.say(READABLE, "FILE_UNREADABLE", Where(path), "", str(error))
        else:
            self._read(raw)
        for changed in bundle.changed():
            self.say("read", "CHANGED_WHILE_READ", Where(changed), "", "it changed while it was read")

    def _read(self, raw: bytes) -> None:
        known = False
        try:
            for event in xml_events(raw):
                if not known:
                    self._check_root(event)
                    known = True
                if isinstance(event, Start):
                    self.start(local(event.name), event)
                else:
                    self.end(local(event.name), event)
        except Forbidden as error:
            self.say(READABLE, "XML_DOCTYPE", Where(self.path, error.line), "", str(error))
        except XmlError as error:
            self.say(READABLE, "XML_TRUNCATED", Where(self.path, error.line), "", f"it is no whole XML: {error}")
        else:
            self.readable = READABLE not in self.found

    def _check_root(self, event: Start | End) -> None:
        if local(event.name) not in self.root_names:
            detail = f"its root element is `{event.name}`"
            self.say(READABLE, "ROOT_UNKNOWN", Where(self.path, event.line), "", detail)

    # What a format does.

    def start(self, name: str, start: Start) -> None:
        """An element begins."""

    def end(self, name: str, end: End) -> None:
        """An element ends."""

    # What formats share.

    def say(self, source: str, code: str, where: Where, identity: str, detail: str) -> None:
        """Writes down what breaks a condition."""
        self.found.add(source, Reason(code, where, identity, detail))

    def leaf(self, leaf: Leaf) -> None:
        """Takes a test."""
        if not leaf.name.strip():
            self.say(OUTCOMES, "LEAF_NAMELESS", leaf.where, leaf.identity, "it has no name")
        if leaf.outcome == INVALID and leaf.state not in {"Invalid", "NotRunnable"}:
            self.say(OUTCOMES, "OUTCOME_UNKNOWN", leaf.where, leaf.name, f"`{leaf.state}` is no outcome")
        self.leaves.append(leaf)

    def compare(self, group: Group) -> None:
        """Holds declared counts against what was counted; only what is declared can be wrong."""
        for name, number in group.counted.items():
            declared = group.declared.get(name)
            if declared is not None and declared != str(number):
                where = group.where._replace(field=name)
                self.say(COUNTS, "COUNTS_DISAGREE", where, group.name, f"{name} is {declared}, and {number} are there")

    @property
    def issues(self) -> Iterator[Reason]:
        """What was found while reading."""
        return self.found.all()

    @cached_property
    def run(self) -> Run:
        """The run as the file tells it."""
        leaves = tuple(self.leaves)
        identity = tuple(sorted(self.identity.items()))
        return Run(self.format, leaves, count(leaves), self.declared, identity, self.started, self.finished)


def local(name: str) -> str:
    """The name of an element without its prefix."""
    return name.rpartition(":")[2]


def seconds(text: str) -> float | None:
    """A duration in seconds, or as hours, minutes and seconds; None where it is neither."""
    parts = text.split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    total = 0.0
    for number in numbers:
        total = total * 60 + number
    return total
