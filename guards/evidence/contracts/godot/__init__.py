"""The contract of a Godot editor's test run: the reply of ``test_run``."""

from guards.evidence.condition import Contract
from guards.evidence.contracts.godot.completion import COMPLETION
from guards.evidence.contracts.godot.counting import COUNTING
from guards.evidence.contracts.godot.form import FORM
from guards.evidence.contracts.godot.rows import ROWS
from guards.evidence.contracts.godot.sources import SOURCES
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.contracts.stated import enough_tests, nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_TEXT = """\
What the test runner inside a Godot editor answers to `test_run`: counters, the suites that ran, the failures, and where
it was asked to be verbose a row for each test. The answer is opened whatever it is wrapped in: the bare object, the
plug-in's `{"data": …}`, the reply on its socket, the result of a tool call, the lines of an event stream.

| Fact | Who protects it |
| --- | --- |
| counters, suites, failures and rows against each other | the file: each is counted again from the rows |
| that a row is green: its assertions are not 0, its message is empty | the file |
| that the run was not cut short, and that every file was loaded | the file, where it is the live reply |
| the order of rows | the file, in the profile `release` |
| that no test or suite was left out | an inventory of the sources, or a declared `total` |
| that none was renamed or invented | an inventory |
| that a test which was skipped may be skipped | an inventory, or `--allow-skip` |
| the number of assertions of a test beyond the first | an inventory |
| the words of messages, the scene's name, times within the whole | nothing |"""

CONTRACT: Contract[GodotRun] = Contract(
    "godot",
    "Test run of a Godot editor",
    _TEXT,
    (
        unchanged,
        newer_than_sources,
        *FORM,
        *COMPLETION,
        *COUNTING,
        *ROWS,
        *SOURCES,
        enough_tests,
        nothing_unjudged("request-id", "filter", "project", "editor-version"),
    ),
    (
        "That any test body ran: the reply comes from one process, and nothing is signed.",
        "That no `suite` or `test_name` filter was given: what they drop leaves no trace.",
        "That an assertion which was counted could have failed.",
        "Which engine, project and plug-in ran: the reply names none of them.",
    ),
    release=frozenset({"ROW_ORDER"}),
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the reply and judges it."""
    return judge(CONTRACT, GodotRun(taken.root, taken.path), expected)
