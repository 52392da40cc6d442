"""Rows: each says what a row of its kind says, and no test has two."""

from collections import Counter
from collections.abc import Iterator

from guards.config.globs import matches_any
from guards.evidence.condition import INCOMPLETE, REJECT, Condition, condition
from guards.evidence.contracts.godot.counting import rows_of
from guards.evidence.contracts.godot.form import change
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.readers.godot.result import ROW_KEYS, SUITE_SETUP, Row

_AGAIN = "keep the reply as it is, find out what wrote to it, and run again"
_SCRIPT_ERROR = "Aborted by SCRIPT ERROR"
_EXCLUDED = "Excluded by exclude_test_name filter"


def _said(run: GodotRun) -> tuple[Row, ...]:
    """All rows that a result has: those of a compact one are its failures."""
    if run.result is None:
        return ()
    return run.result.results if run.result.results is not None else run.result.failures or ()


@condition(
    "EVD420",
    "row-keys",
    {"ROW_KEYS": REJECT},
    "ask what wrote the file: the runner never does this; then run again",
    source="20",
    broken=(
        change('"assertion_count": 3,', "", "nobody says how often it asserted", "ROW_KEYS"),
        change('"skipped": true', '"Skipped": true', "a field that no row has", "ROW_KEYS"),
    ),
)
def row_keys(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every row has the fields of its kind, and no other."""
    del expected
    yield from run.found.of(ROW_KEYS)


@condition(
    "EVD421",
    "green-rows-asserted",
    {"ZERO_ASSERTIONS": REJECT, "GREEN_WITH_MESSAGE": REJECT},
    "let the test assert something; a green row of the runner always has an assertion and never a message",
    source="21",
    broken=(
        change('"assertion_count": 3', '"assertion_count": 0', "it asserted nothing", "ZERO_ASSERTIONS"),
        change('"message": ""', '"message": "Expected 1, got 2"', "it failed", "GREEN_WITH_MESSAGE"),
    ),
)
def green_rows_asserted(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A test that passed asserted something, and has nothing to say."""
    del expected
    for row in rows_of(run):
        if row.green and row.assertions == 0:
            where = run.row_where(row, "assertion_count")
            yield Reason("ZERO_ASSERTIONS", where, row.identity, "it passed, and asserted nothing")
        if row.green and row.message:
            yield Reason("GREEN_WITH_MESSAGE", run.row_where(row, "message"), row.identity, f"`{row.message}`")


@condition(
    "EVD422",
    "skips-explained",
    {
        "SKIP_WITH_ASSERTIONS": REJECT,
        "SKIP_NOT_PASSED": REJECT,
        "SKIP_WITHOUT_REASON": INCOMPLETE,
        "SKIP_NOT_ALLOWED": REJECT,
    },
    "give the skip a reason, or run the test where it can run",
    source="22",
    broken=(
        change('"assertion_count": 0', '"assertion_count": 3', "a test that ran", "SKIP_WITH_ASSERTIONS"),
        change('"passed": true,\n    "skipped"', '"passed": false,\n    "skipped"', "a failure", "SKIP_NOT_PASSED"),
        change("needs a rendering device", "", "nobody says why", "SKIP_WITHOUT_REASON"),
    ),
)
def skips_explained(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A test that was skipped asserted nothing, says why, and may be skipped.

    Which tests may be skipped is said by `--allow-skip` or `allow-skip`, as `suite::test` or by the
    test's name; where nobody says it, every skip passes.
    """
    for row in _said(run):
        if not row.skipped:
            continue
        if row.assertions:
            where = run.row_where(row, "assertion_count")
            yield Reason("SKIP_WITH_ASSERTIONS", where, row.identity, f"it was skipped after {row.assertions}")
        if not row.passed:
            yield Reason("SKIP_NOT_PASSED", run.row_where(row, "passed"), row.identity, "it was skipped and failed")
        if not row.message.strip():
            yield Reason("SKIP_WITHOUT_REASON", run.row_where(row, "message"), row.identity, "it does not say why")
        if expected.allow_skip is not None and row.message != _EXCLUDED and not _matches(expected.allow_skip, row):
            yield Reason("SKIP_NOT_ALLOWED", run.row_where(row, "skipped"), row.identity, row.message)


def _matches(globs: tuple[str, ...] | None, row: Row) -> bool:
    return any(matches_any(globs or (), name) for name in (row.identity, row.test))


@condition(
    "EVD423",
    "red-rows-explained",
    {"RED_WITHOUT_MESSAGE": REJECT, "SCRIPT_ERROR_PASSED": REJECT},
    _AGAIN,
    source="23",
    broken=(
        change(
            '"message": "",\n    "passed": true',
            '"message": "",\n    "passed": false',
            "no word",
            "RED_WITHOUT_MESSAGE",
        ),
        change('"message": ""', '"message": "Aborted by SCRIPT ERROR: x"', "it broke off", "SCRIPT_ERROR_PASSED"),
    ),
)
def red_rows_explained(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A test that failed says why; one that a script error broke off did not pass."""
    del expected
    for row in _said(run):
        where = run.row_where(row, "message")
        if not row.passed and not row.message:
            yield Reason("RED_WITHOUT_MESSAGE", where, row.identity, "it failed without a word")
        if row.passed and _SCRIPT_ERROR in row.message:
            yield Reason("SCRIPT_ERROR_PASSED", where, row.identity, f"`{row.message}`")


@condition(
    "EVD424",
    "suite-setup-alone",
    {"SUITE_SETUP_NOT_ALONE": REJECT, "SUITE_SKIPPED": INCOMPLETE},
    "mend or remove what ends the suite in its setup: none of its tests ran",
    source="24",
    broken=(
        change("test_beam_turns", "<suite_setup>", "the suite ended, and went on", "SUITE_SETUP_NOT_ALONE"),
        change("test_night_shift_lights", "<suite_setup>", "all of its tests were skipped", "SUITE_SKIPPED"),
    ),
)
def suite_setup_alone(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A suite that ended in its setup has no other row; one that was skipped there may be.

    The one row of a suite that was skipped hides how many tests did not run. `--allow-skip` lets it
    pass by the suite's name with `::<suite_setup>`.
    """
    rows = rows_of(run)
    counted = Counter(row.suite for row in rows)
    for row in rows:
        if row.test != SUITE_SETUP:
            continue
        if counted[row.suite] > 1:
            detail = f"its suite has {counted[row.suite] - 1} other rows"
            yield Reason("SUITE_SETUP_NOT_ALONE", run.row_where(row), row.identity, detail)
        if row.skipped and not _matches(expected.allow_skip, row):
            yield Reason("SUITE_SKIPPED", run.row_where(row), row.identity, row.message)


@condition(
    "EVD425",
    "nothing-excluded",
    {"TESTS_EXCLUDED": INCOMPLETE},
    "run without `exclude_test_name`, or declare it: `--expect filter=…`",
    source="25",
    broken=(
        change(
            "needs a rendering device", "Excluded by exclude_test_name filter", "somebody left it out", "TESTS_EXCLUDED"
        ),
    ),
)
def nothing_excluded(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """No test was excluded by name, but as the caller declares.

    `--expect filter=…` declares what `exclude_test_name` was: parts of names, with commas between.
    """
    declared = [part for word in (expected.filter or "").split(",") if (part := word.strip())]
    for row in rows_of(run):
        if row.skipped and row.message == _EXCLUDED and not any(part in row.test for part in declared):
            yield Reason("TESTS_EXCLUDED", run.row_where(row), row.identity, "it was excluded by name")


@condition(
    "EVD426",
    "rows-once",
    {"ROW_DUPLICATE": REJECT},
    "give each suite a name of its own; where a test overrides an inherited one, it runs twice: rename one of them",
    source="26",
    broken=(change("test_gate_opens_at_high_tide", "test_crane_lifts_crate", "one test twice", "ROW_DUPLICATE"),),
)
def rows_once(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """No test has two rows.

    A test that overrides an inherited one runs twice; `allow-rerun` declares which do.
    """
    seen: set[str] = set()
    for row in rows_of(run):
        if row.identity in seen and not _matches(expected.allow_rerun, row):
            yield Reason("ROW_DUPLICATE", run.row_where(row), row.identity, "it has a row already")
        seen.add(row.identity)


ROWS: tuple[Condition[GodotRun], ...] = (
    row_keys,
    green_rows_asserted,
    skips_explained,
    red_rows_explained,
    suite_setup_alone,
    nothing_excluded,
    rows_once,
)
