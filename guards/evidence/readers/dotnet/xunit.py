"""The result file of xUnit, versions 2 and 3."""

from collections import Counter

from guards.evidence.model import FAILED, INVALID, PASSED, SKIPPED, Leaf, Where
from guards.evidence.readers.dotnet.results import AROUND, COUNTS, Group, ResultFile, seconds
from guards.evidence.strict_xml import End, Start

_OUTCOMES = {"Pass": PASSED, "Fail": FAILED, "Skip": SKIPPED}
_NOT_RUN = "NotRun"
_COUNTED = {"passed": "Pass", "failed": "Fail", "skipped": "Skip", "not-run": _NOT_RUN}


class _Open:
    def __init__(self, start: Start) -> None:
        self.start = start
        self.tally: Counter[str] = Counter()
        self.errors = 0


class XUnitFile(ResultFile):
    """Assemblies with their collections and tests."""

    format = "xUnit XML"
    root_names = ("assemblies", "assembly")

    def __init__(self, root: str, path: str) -> None:
        self._open: list[_Open] = []
        self._test: Start | None = None
        self._message = ""
        self._error: Start | None = None
        super().__init__(root, path)

    def start(self, name: str, start: Start) -> None:
        """An assembly, a collection, a test or an error begins."""
        if name in {"assembly", "collection"}:
            self._open.append(_Open(start))
            if name == "assembly":
                self.started = self.started or start.attributes.get("run-date", "")
                self.identity.setdefault("framework-version", start.attributes.get("test-framework", ""))
        elif name == "test":
            self._test, self._message = start, ""
        elif name == "error":
            self._error = start
            if self._open:
                self._open[-1].errors += 1

    def end(self, name: str, end: End) -> None:
        """A test, a collection or an assembly ends."""
        if name in {"message", "reason"}:
            self._message = self._message or end.text.strip()
        elif name == "test" and self._test is not None:
            self._end_test(self._test)
            self._test = None
        elif name == "error" and self._error is not None:
            self._end_error(self._error)
            self._error = None
        elif name in {"assembly", "collection"} and self._open:
            self._close(self._open.pop())

    def _end_test(self, start: Start) -> None:
        attributes = start.attributes
        result, name = attributes.get("result", ""), attributes.get("name", "")
        where = Where(self.path, start.line, "result")
        leaf = Leaf(
            attributes.get("id") or f"{attributes.get('type', '')}.{attributes.get('method', '')}: {name}",
            name,
            _OUTCOMES.get(result, INVALID),
            where,
            attributes.get("type", ""),
            result,
            self._message,
            seconds(attributes.get("time", "")),
        )
        if result == _NOT_RUN:
            self.not_run.append(leaf)
        else:
            self.leaf(leaf)
        if self._open:
            self._open[-1].tally[result] += 1

    def _end_error(self, start: Start) -> None:
        kind = start.attributes.get("type", "error")
        identity = start.attributes.get("name", "")
        where = Where(self.path, start.line)
        self.say(AROUND, "FIXTURE_FAILED", where, identity, f"{kind}: {self._message or 'no message'}")

    def _close(self, closed: _Open) -> None:
        if self._open:
            self._open[-1].tally.update(closed.tally)
        tally, declared = closed.tally, closed.start.attributes
        where, name = Where(self.path, closed.start.line), declared.get("name", "")
        self.compare(Group(where, name, declared, {word: tally[state] for word, state in _COUNTED.items()}))
        # Version 2 counts in the total what ran, version 3 what there is.
        total = sum(tally.values())
        if declared.get("total", str(total)) not in {str(total), str(total - tally[_NOT_RUN])}:
            detail = f"total is {declared['total']}, and {total} are there"
            self.say(COUNTS, "COUNTS_DISAGREE", where._replace(field="total"), name, detail)
        if "errors" in declared and declared["errors"] != str(closed.errors):
            detail = f"errors is {declared['errors']}, and {closed.errors} are there"
            self.say(COUNTS, "COUNTS_DISAGREE", where._replace(field="errors"), name, detail)
