"""``utf-results.xml``: the result document of the framework, read as a stream and held against the leaves."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from guards.evidence.bundle import Bundle
from guards.evidence.found import Found
from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable.leaves import LeafState
from guards.evidence.strict_xml import End, Forbidden, Start, XmlError, xml_events

_GENERATED = re.compile(r" GeneratedTestCase\d+(?=\)|\Z)")
_STATUSES = ("passed", "failed", "skipped", "inconclusive")
ROOT = "test-run"


class Case(NamedTuple):
    """A test case of the document."""

    state: str
    test_id: str
    line: int
    duration: str
    message: str = ""
    categories: frozenset[str] = frozenset()


class _Suite:
    """A suite that has not ended yet: what it says, its categories and those around it, and what stood in it so far."""

    def __init__(self, start: Start, categories: frozenset[str]) -> None:
        self.start = start
        self.categories = categories
        self.tally: Counter[str] = Counter()


class Document:
    """The cases by normalised name, and the root's attributes.

    ``names`` are the normalised names of the manifest, so that equal names are one object.
    """

    def __init__(self, path: str, found: Found) -> None:
        self.path = path
        self._found = found
        self.exists = False
        self.readable = False
        self.root: Start | None = None
        self.cases: dict[str, list[Case]] = {}
        self.tally: Counter[str] = Counter()
        self.wrong_suites: list[Reason] = []
        self._suites: list[_Suite] = []
        self._case: tuple[str, Start] | None = None
        self._message: str = ""
        self._categories: frozenset[str] = frozenset()

    def read(self, bundle: Bundle, names: Mapping[str, list[LeafState]]) -> None:
        """Reads the document.

        Raises:
            Missing, Unreadable: as ``Bundle`` does.
        """
        raw = bundle.read(self.path)
        self.exists = True
        try:
            for event in xml_events(raw):
                if isinstance(event, Start):
                    self._start(event, names)
                else:
                    self._end(event)
        except XmlError as error:
            why = "a document type is refused" if isinstance(error, Forbidden) else str(error)
            self._found.add("X-02", Reason("XML_CORRUPT", Where(self.path, error.line), detail=why))
        else:
            self.readable = self.root is not None and self.root.name == ROOT
            if not self.readable:
                name = self.root.name if self.root else ""
                detail = f"its root element is `{name}`"
                self._found.add("X-02", Reason("XML_ROOT_INVALID", Where(self.path, 1), detail=detail))

    def _start(self, start: Start, names: Mapping[str, list[LeafState]]) -> None:
        if self.root is None:
            self.root = start
        elif start.name == "test-suite":
            self._suites.append(_Suite(start, self._around))
        elif start.name == "test-case":
            name = normalised(start.attributes.get("fullname", ""))
            known = names.get(name)
            self._case = (known[0].full_name if known and known[0].full_name == name else name, start)
            self._message = ""
            self._categories = self._around
        elif start.name == "property" and start.attributes.get("name") == "Category":
            self._category(start.attributes.get("value", ""))

    @property
    def _around(self) -> frozenset[str]:
        return self._suites[-1].categories if self._suites else frozenset()

    def _category(self, name: str) -> None:
        if self._case is not None:
            self._categories |= {name}
        elif self._suites:
            self._suites[-1].categories |= {name}

    def _end(self, end: End) -> None:
        if end.name == "test-case" and self._case is not None:
            name, start = self._case
            self._case = None
            self._add(name, start)
        elif end.name == "message" and self._case is not None:
            self._message = end.text
        elif end.name == "test-suite" and self._suites:
            self._close(self._suites.pop())

    def _add(self, name: str, start: Start) -> None:
        attributes = start.attributes
        state = state_of(attributes)
        test_id, duration = attributes.get("id", ""), attributes.get("duration", "")
        case = Case(state, test_id, start.line, duration, self._message, self._categories)
        self.cases.setdefault(name, []).append(case)
        status = attributes.get("result", "").lower()
        self.tally[status] += 1
        if self._suites:
            self._suites[-1].tally[status] += 1

    def _close(self, suite: _Suite) -> None:
        if self._suites:
            self._suites[-1].tally.update(suite.tally)
        wrong = wrong_counts(suite.start.attributes, suite.tally, ("total", *_STATUSES))
        if wrong:
            identity = suite.start.attributes.get("fullname", "")
            where = Where(self.path, suite.start.line, wrong[0])
            self.wrong_suites.append(Reason("XML_SUITE_COUNTS", where, identity, "; ".join(wrong[1:])))


def state_of(attributes: Mapping[str, str]) -> str:
    """The state of a case in the form of the journal: status, then label, then site."""
    label, site = attributes.get("label", ""), attributes.get("site", "")
    of_label = f":{label}" if label else ""
    of_site = f"({site})" if site and site != "Test" else ""
    return f"{attributes.get('result', '')}{of_label}{of_site}"


def wrong_counts(attributes: Mapping[str, str], tally: Mapping[str, int], names: tuple[str, ...]) -> list[str]:
    """The first count that differs from a tally, then a sentence for each that does; nothing where all agree."""
    wrong: list[str] = []
    for name in names:
        counted = sum(tally.values()) if name in {"total", "testcasecount"} else tally.get(name, 0)
        if attributes.get(name) != str(counted):
            wrong = wrong or [name]
            wrong.append(f"{name} is {attributes.get(name, 'missing')}, and {counted} are there")
    return wrong


def normalised(full_name: str) -> str:
    """A leaf's name as the framework's document writes it."""
    return _GENERATED.sub("", full_name)


def by_name(leaves: Mapping[str, LeafState]) -> dict[str, list[LeafState]]:
    """The leaves by their names in the document; several may share one."""
    names: dict[str, list[LeafState]] = {}
    for leaf in leaves.values():
        names.setdefault(normalised(leaf.full_name), []).append(leaf)
    return names
