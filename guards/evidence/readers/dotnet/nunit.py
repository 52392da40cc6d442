"""The result file of NUnit 3, which Unity's test framework writes, too."""

from collections import Counter
from collections.abc import Mapping

from guards.evidence.model import CANCELLED, FAILED, INCONCLUSIVE, INVALID, PASSED, SKIPPED, Counts, Leaf, Where
from guards.evidence.readers.dotnet.results import AROUND, COMPLETED, OUTCOMES, TIMES, Group, ResultFile, seconds
from guards.evidence.strict_xml import End, Start

_STATUSES = {"Passed": PASSED, "Skipped": SKIPPED, "Inconclusive": INCONCLUSIVE, "Warning": PASSED}
_COUNTED = ("passed", "failed", "skipped", "inconclusive", "warnings")
_RESULTS = frozenset({"Passed", "Failed", "Skipped", "Inconclusive", "Warning"})
# Where a failure of a suite comes from the tests in it, or from around it: others report that one.
_ELSEWHERE = frozenset({"Child", "Parent", ""})


class _Suite:
    def __init__(self, start: Start) -> None:
        self.start = start
        self.tally: Counter[str] = Counter()


class NUnitFile(ResultFile):
    """A ``test-run`` with its suites and cases."""

    format = "NUnit 3 XML"
    root_names = ("test-run",)
    results = _RESULTS

    def __init__(self, root: str, path: str) -> None:
        self._suites: list[_Suite] = []
        self._case: Start | None = None
        self._message = ""
        self._tally: Counter[str] = Counter()
        self._root: Start | None = None
        super().__init__(root, path)

    def start(self, name: str, start: Start) -> None:
        """A suite, a case or a property begins."""
        if name == "test-run":
            self._run(start)
        elif name == "test-suite":
            self._suites.append(_Suite(start))
        elif name == "test-case":
            self._case, self._message = start, ""
        elif name == "property" and start.attributes.get("name") == "platform" and self._case is None:
            self.identity.setdefault("mode", start.attributes.get("value", ""))

    def end(self, name: str, end: End) -> None:
        """A case, a suite or the run ends."""
        if name == "test-case" and self._case is not None:
            self._end_case(self._case)
            self._case = None
        elif name == "message" and self._case is not None:
            self._message = self._message or end.text.strip()
        elif name == "test-suite" and self._suites:
            self._end_suite(self._suites.pop())
        elif name == "test-run" and self._root is not None:
            self.compare(self._group(self._root, self._tally, "the run"))

    def _run(self, start: Start) -> None:
        self._root = start
        attributes = start.attributes
        self.result = attributes.get("result", "")
        self.result_where = Where(self.path, start.line, "result")
        self.started, self.finished = attributes.get("start-time", ""), attributes.get("end-time", "")
        if self.started and self.finished and self.finished < self.started:
            where = Where(self.path, start.line, "end-time")
            self.say(TIMES, "TIME_ORDER", where, "", f"it ended at {self.finished} and began at {self.started}")
        if attributes.get("label") == "Cancelled":
            self.say(COMPLETED, "RUN_ABORTED", self.result_where, "", "the run was cancelled")
        self.declared = _declared(attributes)
        # Tests were found, and none of them ran.
        self.filtered = attributes.get("testcasecount", "0") not in {"0", ""} and attributes.get("total") == "0"

    def _end_case(self, start: Start) -> None:
        attributes = start.attributes
        result, label = attributes.get("result", ""), attributes.get("label", "")
        name, where = attributes.get("fullname", ""), Where(self.path, start.line, "result")
        state = f"{result}:{label}" if label else result
        outcome = _outcome(result, label)
        if result == "Warning":
            self.say(OUTCOMES, "TEST_WARNED", where, name, self._message or "it ended with a warning")
        self.leaf(
            Leaf(
                attributes.get("id") or name,
                name,
                outcome,
                where,
                attributes.get("classname", ""),
                label if outcome == INVALID and label == "Invalid" else state,
                self._message,
                seconds(attributes.get("duration", "")),
            )
        )
        counted = "warnings" if result == "Warning" else result.lower()
        self._tally[counted] += 1
        if self._suites:
            self._suites[-1].tally[counted] += 1

    def _end_suite(self, suite: _Suite) -> None:
        if self._suites:
            self._suites[-1].tally.update(suite.tally)
        attributes = suite.start.attributes
        name = attributes.get("fullname", "")
        self.compare(self._group(suite.start, suite.tally, name))
        result, site = attributes.get("result", ""), attributes.get("site", "")
        where = Where(self.path, suite.start.line, "result")
        if result not in _RESULTS:
            self.say(OUTCOMES, "OUTCOME_UNKNOWN", where, name, f"`{result}` is no outcome of a suite")
        elif result == "Failed" and attributes.get("label") == "Invalid":
            self.say(AROUND, "FIXTURE_FAILED", where, name, "it could not be loaded")
        elif result == "Failed" and site not in _ELSEWHERE:
            self.say(AROUND, "FIXTURE_FAILED", where, name, f"it failed in its {site}")
        elif result == "Failed" and not suite.tally["failed"] and AROUND not in self.found:
            self.say(AROUND, "FIXTURE_FAILED", where, name, "it failed, and nothing in it did")

    def _group(self, start: Start, tally: Mapping[str, int], name: str) -> Group:
        counted = {status: tally.get(status, 0) for status in _COUNTED}
        return Group(Where(self.path, start.line), name, start.attributes, {"total": sum(tally.values()), **counted})


def _outcome(result: str, label: str) -> str:
    if result == "Failed":
        return {"Cancelled": CANCELLED, "Invalid": INVALID}.get(label, FAILED)
    return _STATUSES.get(result, INVALID)


def _declared(attributes: Mapping[str, str]) -> Counts | None:
    try:
        numbers = {name: int(attributes[name]) for name in ("total", "passed", "failed", "skipped", "inconclusive")}
    except (KeyError, ValueError):
        return None
    return Counts(**numbers)
