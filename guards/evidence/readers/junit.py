"""JUnit XML, whoever wrote it: the cases with what stands in them, and what each suite says of its cases."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.found import Found
from guards.evidence.inventory import Inventory
from guards.evidence.model import ERRORED, FAILED, PASSED, SKIPPED, Counts, Leaf, Reason, Run, Where, count
from guards.evidence.strict_xml import End, Forbidden, Start, XmlError, xml_events

# The conditions of the contracts that are judged here.
WHOLE, DOCTYPE, ELEMENTS = "whole", "doctype", "elements"
FAILURE, ERROR, SKIP = "failure", "error", "skipped"
GUT, GDUNIT4 = "gut", "gdunit4"
RETRIES: Final = frozenset({"rerunFailure", "rerunError", "flakyFailure", "flakyError"})
SKIP_WORDS: Final = frozenset({"notrun", "not run", "skipped", "skip", "disabled", "pending", "ignored", "suppressed"})
_OUTPUT = frozenset({"system-out", "system-err"})
_ATTEMPT = frozenset({"stackTrace", *_OUTPUT})
_CASE, _SUITE, _ROOT = "testcase", "testsuite", "testsuites"
# What may stand in each element; in any other nothing does.
_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    _ROOT: frozenset({_SUITE, "properties", *_OUTPUT}),
    _SUITE: frozenset({_SUITE, _CASE, FAILURE, ERROR, "properties", *_OUTPUT}),
    _CASE: frozenset({FAILURE, ERROR, SKIP, "properties", *RETRIES, *_OUTPUT}),
    "properties": frozenset({"property"}),
    **dict.fromkeys(RETRIES, _ATTEMPT),
}
# Files are merged of several runs of the same tests, whose suites have the same names.
_TELLS_APART = ("name", "package", "file", "id", "timestamp", "hostname")
_LIMIT = 1 << 28
_SECONDS = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class Child(NamedTuple):
    """A failure, an error, a skip or an earlier attempt of a case."""

    kind: str
    message: str
    text: str
    line: int


class Case(NamedTuple):
    """A test case; ``suite`` is the number of its suite in the file, ``attributes`` are as written."""

    name: str
    classname: str
    suite: int
    attributes: Mapping[str, str]
    children: tuple[Child, ...]
    line: int

    def has(self, kind: str) -> bool:
        """Whether a child of a kind stands in it."""
        return any(child.kind == kind for child in self.children)

    @property
    def identity(self) -> str:
        """What people call it."""
        return f"{self.classname}::{self.name}" if self.classname else self.name

    @property
    def status(self) -> str:
        """What it says of itself in the one of two attributes that its writer uses; empty where it says nothing."""
        attributes = self.attributes
        said = attributes.get("result", "") if attributes.get("result") in SKIP_WORDS else attributes.get("status", "")
        return said.lower()

    @property
    def outcome(self) -> str:
        """What became of it, by what stands in it; only that it did not run can its status say alone."""
        if self.has(ERROR):
            return ERRORED
        if self.has(FAILURE):
            return FAILED
        return SKIPPED if self.has(SKIP) or self.status in SKIP_WORDS else PASSED

    @property
    def message(self) -> str:
        """The words of its first child that has any."""
        return next((said for child in self.children if (said := child.message or child.text.strip())), "")


class Suite:
    """The root or a suite: its attributes, and what was counted in it.

    ``number`` tells it from others of the file, ``key`` from all that are no copy of it.
    """

    def __init__(self, number: int, start: Start, above: "Suite | None") -> None:
        self.number = number
        self.key: tuple[str, ...] = (
            *(above.key if above is not None else ()),
            *(start.attributes.get(name, "") for name in _TELLS_APART),
        )
        self.name = start.attributes.get("name", "")
        self.attributes = start.attributes
        self.line = start.line
        self.is_root = start.name == _ROOT
        self.own: Counter[str] = Counter()
        self.below: Counter[str] = Counter()
        self.failures: list[Child] = []

    def counted(self, key: str) -> set[int]:
        """How many there are: a writer counts those of inner suites, or does not."""
        return {self.below[key]} if self.is_root else {self.own[key], self.below[key]}


class JUnitFile:
    """What one file says.

    ``readable`` says whether all of it could be read; otherwise it proves nothing. ``inventory`` is
    what the sources of the tests say, where somebody hands that in.
    """

    def __init__(self, root: str, path: str, made_by: str = "junit", inventory: Inventory | None = None) -> None:
        self.path = path
        self.inventory = inventory
        self.made_by = made_by
        self.found = Found()
        self.readable = False
        self.written_ns: int | None = None
        self.suites: list[Suite] = []
        self.cases: list[Case] = []
        self._open: list[tuple[Start, Suite | None]] = []
        self._children: list[Child] = []
        bundle = Bundle(root)
        try:
            raw = bundle.read(path, _LIMIT)
            self.written_ns = bundle.seen(path).modified_ns
        except Missing:
            self._add(WHOLE, "FILE_MISSING", 0, "it is not there")
        except Unreadable as error:
            self._add(WHOLE, "FILE_UNREADABLE", 0, str(error))
        else:
            self._read(raw)
        for changed in bundle.changed():
            self.found.add("read", Reason("CHANGED_WHILE_READ", Where(changed), detail="it changed while it was read"))

    @property
    def root(self) -> Suite:
        """The outermost element; only of a readable file."""
        return self.suites[0]

    @property
    def issues(self) -> Iterator[Reason]:
        """What was found while reading."""
        return self.found.all()

    @cached_property
    def of_pytest(self) -> bool:
        """Whether pytest wrote it."""
        return any(suite.name in {"pytest", "pytest tests"} for suite in self.suites[:2])

    @cached_property
    def run(self) -> Run:
        """The cases as leaves."""
        leaves = tuple(self._leaf(case) for case in self.cases) if self.readable else ()
        attributes = self.root.attributes if self.readable else {}
        stated = {name: _number(attributes, name) for name in ("tests", "failures", "errors", "skipped")}
        total = stated["tests"]
        declared = None
        if total is not None:
            failed, errored, skipped = (stated[name] or 0 for name in ("failures", "errors", "skipped"))
            declared = Counts(total, max(total - failed - errored - skipped, 0), failed, errored, skipped)
        return Run(self.made_by, leaves, count(leaves), declared, (), attributes.get("timestamp", ""))

    def _leaf(self, case: Case) -> Leaf:
        asserted = _number(case.attributes, "assertions")
        attempts = 1 + sum(child.kind in RETRIES for child in case.children)
        return Leaf(
            case.identity, case.identity, case.outcome, Where(self.path, case.line), self.suites[case.suite].name,
            case.status, case.message, seconds(case.attributes.get("time", "")), asserted, attempts,
        )  # fmt: skip

    # Reading.

    def _read(self, raw: bytes) -> None:
        try:
            for event in xml_events(raw):
                if isinstance(event, Start):
                    self._start(event)
                else:
                    self._end(event)
        except Forbidden as error:
            self._add(DOCTYPE, "XML_DOCTYPE", error.line, str(error))
        except XmlError as error:
            self._add(WHOLE, "XML_CORRUPT", error.line, str(error))
        else:
            self.readable = WHOLE not in self.found
            if self.made_by == GDUNIT4:
                self._settle_flaky()

    def _settle_flaky(self) -> None:
        """Makes earlier attempts of what gdUnit4 shows as failures of a test that passed in the end.

        It counts such tests and does not name them: they are known where nothing else failed in their suite.
        """
        failing: dict[int, list[int]] = defaultdict(list)
        for place, case in enumerate(self.cases):
            if case.has(FAILURE):
                failing[case.suite].append(place)
        for suite in self.suites:
            attributes = suite.attributes
            if suite.is_root or (attributes.get("failures"), attributes.get("errors")) != ("0", "0"):
                continue
            places = failing[suite.number]
            if not suite.own["error-cases"] and _number(attributes, "flaky") == len(places):
                for place in places:
                    self._settle(place)

    def _settle(self, place: int) -> None:
        case = self.cases[place]
        failures = sum(child.kind == FAILURE for child in case.children)
        children = tuple(
            child._replace(kind="flakyFailure") if child.kind == FAILURE else child for child in case.children
        )
        self.cases[place] = case._replace(children=children)
        for counted in (self.suites[case.suite].own, self.suites[case.suite].below, self.root.below):
            counted.subtract({"failure-elements": failures, "failure-cases": 1})

    def _start(self, start: Start) -> None:
        suite = self._open[-1][1] if self._open else None
        if not self._open:
            if start.name not in {_ROOT, _SUITE}:
                self._add(WHOLE, "XML_ROOT_INVALID", start.line, f"its root element is `{start.name}`")
        elif start.name not in _INSIDE.get(self._open[-1][0].name, frozenset()):
            detail = f"`{start.name}` in `{self._open[-1][0].name}`"
            self._add(ELEMENTS, "ELEMENT_UNKNOWN", start.line, detail)
        if start.name == _SUITE or not self._open:
            suite = Suite(len(self.suites), start, suite)
            self.suites.append(suite)
        elif start.name == _CASE:
            self._children = []
        self._open.append((start, suite))

    def _end(self, end: End) -> None:
        start, suite = self._open.pop()
        if suite is None:
            return
        outer = self._open[-1][0].name if self._open else ""
        if end.name == _CASE:
            self._close_case(start, suite)
        elif end.name in {FAILURE, ERROR, SKIP, *RETRIES}:
            child = Child(end.name, start.attributes.get("message", ""), end.text, start.line)
            if outer == _CASE:
                self._children.append(child)
            elif outer == _SUITE:
                suite.failures.append(child)
        elif (end.name == _SUITE or not self._open) and self._open:
            above = self._open[-1][1]
            if above is not None:
                above.below.update(suite.below)

    def _close_case(self, start: Start, suite: Suite) -> None:
        attributes = start.attributes
        case = Case(
            attributes.get("name", ""),
            attributes.get("classname", ""),
            suite.number,
            attributes,
            tuple(self._children),
            start.line,
        )
        self._children = []
        self.cases.append(case)
        counted = Counter(child.kind for child in case.children)
        tally = {
            "cases": 1,
            **{f"{kind}-elements": number for kind, number in counted.items()},
            **{f"{kind}-cases": 1 for kind in counted},
            "skipped-outcomes": int(case.outcome == SKIPPED),
        }
        suite.own.update(tally)
        suite.below.update(tally)

    def _add(self, source: str, code: str, line: int, detail: str) -> None:
        self.found.add(source, Reason(code, Where(self.path, line), detail=detail))


def _number(attributes: Mapping[str, str], name: str) -> int | None:
    said = attributes.get(name, "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else None


def seconds(said: str) -> float | None:
    """A time in seconds; thousands may be set apart by commas. None where it is none."""
    return float(said.replace(",", "")) if _SECONDS.fullmatch(said) else None
