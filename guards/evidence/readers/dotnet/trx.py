"""The result file of Visual Studio's test platform, TRX."""

from collections import Counter
from typing import NamedTuple

from guards.evidence.model import CANCELLED, ERRORED, FAILED, INCONCLUSIVE, INVALID, PASSED, SKIPPED, Leaf, Where
from guards.evidence.readers.dotnet.results import (
    AROUND,
    COMPLETED,
    LINKED,
    OUTCOMES,
    TIMES,
    Group,
    ResultFile,
    seconds,
)
from guards.evidence.strict_xml import End, Start

_OUTCOMES = {
    "Passed": PASSED, "Failed": FAILED, "NotExecuted": SKIPPED, "Inconclusive": INCONCLUSIVE, "Error": ERRORED,
    "Timeout": FAILED, "Aborted": CANCELLED, "Warning": PASSED, "PassedButRunAborted": CANCELLED,
    "NotRunnable": INVALID,
}  # fmt: skip
# Outcomes of a test that did not come to its end.
_UNFINISHED = frozenset({"InProgress", "Pending", "Disconnected", "Completed"})
_GOOD_SUMMARIES = frozenset({"Completed", "Passed", "Warning"})
_BAD_SUMMARIES = frozenset({"Failed", "Error"})


class _Result(NamedTuple):
    start: Start
    inner: bool


class TrxFile(ResultFile):
    """Results, the definitions and entries that they refer to, and a summary."""

    format = "TRX"
    root_names = ("TestRun",)

    def __init__(self, root: str, path: str) -> None:
        self._results: list[_Result] = []
        self._message = ""
        self._texts: list[str] = []
        self._info: Start | None = None
        self._executions: dict[str, int] = {}
        self._tested: Counter[str] = Counter()
        self._definitions: set[str] = set()
        self._entries: dict[str, int] = {}
        self._tally: Counter[str] = Counter()
        self._has_inner = False
        self._counters: Start | None = None
        super().__init__(root, path)

    def start(self, name: str, start: Start) -> None:
        """A result, a definition, an entry or a part of the summary begins."""
        attributes = start.attributes
        if name == "Times":
            self._times(start)
        elif name == "UnitTestResult":
            self._has_inner = self._has_inner or bool(self._results)
            self._results.append(_Result(start, bool(self._results)))
            self._message = ""
        elif name == "UnitTest":
            self._definitions.add(attributes.get("id", ""))
        elif name == "TestEntry":
            self._entries[attributes.get("executionId", "")] = start.line
        elif name == "ResultSummary":
            self.result = attributes.get("outcome", "")
            self.result_where = Where(self.path, start.line, "outcome")
        elif name == "Counters":
            self._counters = start
        elif name == "RunInfo":
            self._info = start

    def end(self, name: str, end: End) -> None:
        """A result, a remark on the run or the run itself ends."""
        if name == "Message" and self._results:
            self._message = self._message or end.text.strip()
        elif name == "UnitTestResult" and self._results:
            self._end_result(self._results.pop())
        elif name == "Text" and self._info is not None:
            self._say_info(self._info, end.text.strip())
        elif name == "RunInfo":
            self._info = None
        elif name == "TestRun":
            self._end_run()

    def _times(self, start: Start) -> None:
        self.started, self.finished = start.attributes.get("start", ""), start.attributes.get("finish", "")
        if self.started and self.finished and self.finished < self.started:
            where = Where(self.path, start.line, "finish")
            self.say(TIMES, "TIME_ORDER", where, "", f"it ended at {self.finished} and began at {self.started}")

    def _end_result(self, result: _Result) -> None:
        attributes = result.start.attributes
        outcome, name = attributes.get("outcome", "Failed"), attributes.get("testName", "")
        where = Where(self.path, result.start.line, "outcome")
        execution = attributes.get("executionId", "")
        if execution in self._executions:
            detail = f"the result at line {self._executions[execution]} has this id, too"
            self.say(LINKED, "EXECUTION_DUPLICATE", where._replace(field="executionId"), name, detail)
        self._executions.setdefault(execution, result.start.line)
        if not result.inner:
            self._tested[attributes.get("testId", "")] += 1
            self._tally[outcome] += 1
        if outcome in _UNFINISHED:
            self.say(COMPLETED, "TEST_UNFINISHED", where, name, f"it is `{outcome}`")
        if outcome == "Warning":
            self.say(OUTCOMES, "TEST_WARNED", where, name, self._message or "it ended with a warning")
        leaf = Leaf(
            execution or name,
            name,
            CANCELLED if outcome in _UNFINISHED else _OUTCOMES.get(outcome, INVALID),
            where,
            "",
            outcome,
            self._message,
            seconds(attributes.get("duration", "")),
        )
        self._message = ""
        if result.inner:
            self.rows.append(leaf)
        else:
            self.leaf(leaf)

    def _say_info(self, info: Start, text: str) -> None:
        outcome = info.attributes.get("outcome", "")
        code = {"Error": "RUN_ERROR", "Failed": "RUN_ERROR", "Warning": "RUN_WARNING"}.get(outcome)
        if code is not None:
            self.say(AROUND, code, Where(self.path, info.line), "", text)

    def _end_run(self) -> None:
        self._link()
        if self._counters is not None:
            skipped = self._tally["NotExecuted"] + self._tally["NotRunnable"]
            total = sum(self._tally.values())
            counted = {"passed": self._tally["Passed"], "failed": self._tally["Failed"]}
            if not self._has_inner:  # rows of data are counted by some versions and not by others
                counted |= {"total": total, "executed": total - skipped}
            self.compare(Group(Where(self.path, self._counters.line), "the run", self._counters.attributes, counted))
        if self.result and self.result not in _GOOD_SUMMARIES | _BAD_SUMMARIES:
            self.say(COMPLETED, "RUN_ABORTED", self.result_where, "", f"the run is `{self.result}`")
        if not self.result:
            self.say(COMPLETED, "SUMMARY_MISSING", Where(self.path), "", "nothing says how the run ended")

    def _link(self) -> None:
        """Entries, results and definitions name each other."""
        for execution, line in self._entries.items():
            if execution not in self._executions:
                detail = "a test was to run, and has no result"
                self.say(LINKED, "ENTRY_WITHOUT_RESULT", Where(self.path, line, "executionId"), execution, detail)
        for test in self._tested:
            if self._definitions and test not in self._definitions:
                detail = "nothing defines the test of this result"
                self.say(LINKED, "RESULT_WITHOUT_DEFINITION", Where(self.path, 0, "testId"), test, detail)
        for test in sorted(self._definitions - self._tested.keys()):
            self.say(LINKED, "DEFINITION_WITHOUT_RESULT", Where(self.path, 0, "id"), test, "a test has no result")
        if self._entries:
            for execution, line in self._executions.items():
                if execution not in self._entries and not self._has_inner:
                    detail = "no entry lists this result"
                    self.say(LINKED, "RESULT_WITHOUT_ENTRY", Where(self.path, line, "executionId"), execution, detail)
