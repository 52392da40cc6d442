"""Reading: one whole document in a wrapper that is known, with values of exact types."""

from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason
from guards.evidence.readers.godot.opened import KEYS_ONCE, UNKNOWN, WHOLE, WRAPPER
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.readers.godot.result import COMPLETE, TYPES

FILE = "*/test-run.json"
AGAIN = "run the tests again, and keep the reply as it came"


def change(old: str, new: str, why: str, *codes: str) -> Change:
    """A change of the example."""
    return Change(FILE, old, new, why, codes)


@condition(
    "EVD400",
    "document-whole",
    {
        "FILE_MISSING": INCOMPLETE,
        "FILE_UNREADABLE": INCOMPLETE,
        "ENCODING_INVALID": INCOMPLETE,
        "ENCODING_BOM": WARNING,
        "JSON_INVALID": INCOMPLETE,
    },
    AGAIN,
    source="1",
    broken=(
        change("\n}\n", "\n", "it is cut off", "JSON_INVALID"),
        change("\n}\n", "\n}\n{}\n", "a second document stands behind it", "JSON_INVALID"),
        change("quay", "qua\udcff", "a byte was damaged", "ENCODING_INVALID"),
    ),
)
def document_whole(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The file is one whole JSON document in UTF-8.

    Of a stream of events exactly one is an answer; notices that stand before it are passed over.
    """
    del expected
    yield from run.found.of(WHOLE)


@condition(
    "EVD401",
    "keys-once",
    {"JSON_DUPLICATE_KEY": REJECT},
    "ask what wrote the file: the runner never does this; then run again",
    source="1",
    broken=(change('"failed": 0,', '"failed": 3,\n  "failed": 0,', "a second truth", "JSON_DUPLICATE_KEY"),),
)
def keys_once(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """No object has a key twice.

    Of two equal keys one reader takes the first, another the last.
    """
    del expected
    yield from run.found.of(KEYS_ONCE)


@condition(
    "EVD402",
    "wrapper-known",
    {"WRAPPER_CONTRADICTION": REJECT, "WRAPPER_UNKNOWN": INCOMPLETE},
    "keep the reply in the form in which the plug-in or its tool gives it",
    source="2",
    broken=(
        change('"readiness"', '"error": {"code": "INTERNAL_ERROR"},\n "readiness"', "both", "WRAPPER_CONTRADICTION"),
        change('"status": "ok"', '"status": "perhaps"', "a status that nobody knows", "WRAPPER_UNKNOWN"),
    ),
)
def wrapper_known(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The wrapper is known, and holds either a result or an error.

    Known are the bare object, `{"data": …}` and `{"error": …}`, the reply on the socket, the result
    of a tool call with or without its JSON-RPC envelope, and a stream of events with one of these.
    """
    del expected
    yield from run.found.of(WRAPPER)


@condition(
    "EVD403",
    "fields-typed",
    {"FIELD_TYPE": REJECT},
    "ask what wrote the file: the runner never does this; then run again",
    source="3",
    broken=(
        change('"passed": 4', '"passed": "4"', "a text for a number", "FIELD_TYPE"),
        change('"passed": 4', '"passed": 4.5', "half a test", "FIELD_TYPE"),
        change('"passed": true', '"passed": 1', "a number for a truth", "FIELD_TYPE"),
    ),
)
def fields_typed(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every count is a whole number from 0, every truth `true` or `false`, every text a text.

    `12.0` is 12: some readers make floats of all numbers. Nothing else with a point is a count.
    """
    del expected
    yield from run.found.of(TYPES)


@condition(
    "EVD404",
    "not-cut-short",
    {"RUN_ABORTED": INCOMPLETE, "TESTS_NOT_RUN": INCOMPLETE, "FIELD_UNKNOWN": WARNING},
    AGAIN,
    source="4",
    broken=(
        change('"duration_ms": 31', '"aborted": "transport_lost",\n  "duration_ms": 31', "it was cut", "RUN_ABORTED"),
        change('"total": 5', '"tests_not_run": 40,\n  "total": 5', "tests did not run", "TESTS_NOT_RUN"),
    ),
)
def not_cut_short(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The run was not cut short, and no field says what nobody here understands."""
    del expected
    yield from run.found.of(UNKNOWN)
    if run.result is None:
        return
    if "aborted" in run.result.keys:
        detail = f"`{run.result.aborted}`"
        yield Reason("RUN_ABORTED", run.where("aborted"), detail=detail)
    if run.result.tests_not_run:
        detail = f"{run.result.tests_not_run} tests did not run"
        yield Reason("TESTS_NOT_RUN", run.where("tests_not_run"), detail=detail)


@condition(
    "EVD406",
    "fields-complete",
    {"RESULT_EMPTY": INCOMPLETE, "FIELD_MISSING": INCOMPLETE},
    "look into the editor's log for what stopped the runner, and run again",
    source="6",
    broken=(change('"suite_count": 2,', "", "a counter is gone", "FIELD_MISSING"),),
)
def fields_complete(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every field that a finished run has is there.

    A reply without any of them is what a runner that crashed leaves.
    """
    del expected
    yield from run.found.of(COMPLETE)


FORM: tuple[Condition[GodotRun], ...] = (
    document_whole,
    keys_once,
    wrapper_known,
    fields_typed,
    not_cut_short,
    fields_complete,
)
