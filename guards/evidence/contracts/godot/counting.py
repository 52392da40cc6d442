"""Arithmetic: counters, lists and rows of one reply say the same."""

from collections.abc import Iterator
from itertools import pairwise

from guards.evidence.condition import REJECT, WARNING, Condition, NotEvaluated, condition
from guards.evidence.contracts.godot.completion import result_of
from guards.evidence.contracts.godot.form import change
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.readers.godot.result import Row

_AGAIN = "keep the reply as it is, find out what wrote to it, and run again"
# Rows are rounded each, and the runner does things between them.
_SHARE, _EXTRA_MS = 20, 50
_LONG_MS = 20_000


def rows_of(run: GodotRun) -> tuple[Row, ...]:
    """The rows of a verbose result.

    Raises:
        NotEvaluated: it is compact, or there is no result.
    """
    rows = result_of(run).results
    if rows is None:
        raise NotEvaluated("it is a compact result, without rows")
    return rows


@condition(
    "EVD413",
    "counts-add-up",
    {"COUNT_INVARIANT": REJECT},
    _AGAIN,
    source="13",
    broken=(change('"total": 5', '"total": 6', "one test more than became of any", "COUNT_INVARIANT"),),
)
def counts_add_up(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Passed, failed and skipped add up to the total."""
    del expected
    result = result_of(run)
    parts = (result.passed, result.failed, result.skipped)
    known = [part for part in parts if part is not None]
    if result.total is not None and len(known) == len(parts) and sum(known) != result.total:
        detail = f"{' + '.join(map(str, known))} is not {result.total}"
        yield Reason("COUNT_INVARIANT", run.where("total"), detail=detail)


@condition(
    "EVD414",
    "suites-counted",
    {"SUITE_COUNT": REJECT, "SUITE_NAME_INVALID": REJECT},
    _AGAIN,
    source="14",
    broken=(
        change('"suite_count": 2', '"suite_count": 3', "a suite more than is named", "SUITE_COUNT"),
        change('   "lighthouse"\n', '   "harbour"\n', "one suite twice", "SUITE_NAME_INVALID"),
    ),
)
def suites_counted(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The suites are named once each, and as many as their counter says."""
    del expected
    result = result_of(run)
    suites = result.suites_run
    if suites is None:
        return
    if result.suite_count is not None and result.suite_count != len(suites):
        detail = f"it is {result.suite_count}, and {len(suites)} are named"
        yield Reason("SUITE_COUNT", run.where("suite_count"), detail=detail)
    seen: set[str] = set()
    for suite in suites:
        if not suite or suite in seen:
            detail = "it is named twice" if suite else "a suite has no name"
            yield Reason("SUITE_NAME_INVALID", run.where("suites_run"), suite, detail)
        seen.add(suite)


@condition(
    "EVD415",
    "failures-counted",
    {"FAILURES_MISMATCH": REJECT},
    _AGAIN,
    source="15",
    broken=(
        change('"passed": 4', '"failures": [],\n  "passed": 4', "failures of a run that has none", "FAILURES_MISMATCH"),
        change('"failed": 0', '"failed": 1', "a failure that is not listed", "FAILURES_MISMATCH"),
    ),
)
def failures_counted(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The failures are listed where there are any, and as many as their counter says."""
    del expected
    result = result_of(run)
    listed = "failures" in result.keys
    number = len(result.failures or ())
    if result.failed is None:
        return
    if listed != (result.failed > 0):
        detail = f"failed is {result.failed}, and the list {'is there' if listed else 'is not there'}"
        yield Reason("FAILURES_MISMATCH", run.where("failures" if listed else "failed"), detail=detail)
    elif number != result.failed:
        detail = f"failed is {result.failed}, and {number} are listed"
        yield Reason("FAILURES_MISMATCH", run.where("failures"), detail=detail)


@condition(
    "EVD416",
    "rows-counted",
    {"ROWS_MISMATCH": REJECT},
    _AGAIN,
    source="16",
    broken=(change('"passed": 4,\n', '"passed": 5,\n', "one more than there are green rows", "ROWS_MISMATCH"),),
)
def rows_counted(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The rows, counted again, are what the counters say."""
    del expected
    rows = rows_of(run)
    result = result_of(run)
    counted = {
        "total": len(rows),
        "passed": sum(row.green for row in rows),
        "failed": sum(not row.passed for row in rows),
        "skipped": sum(row.passed and row.skipped for row in rows),
    }
    for name, said in (
        ("total", result.total),
        ("passed", result.passed),
        ("failed", result.failed),
        ("skipped", result.skipped),
    ):
        if said is not None and said != counted[name]:
            detail = f"{name} is {said}, and {counted[name]} rows are"
            yield Reason("ROWS_MISMATCH", run.where(name), detail=detail)


@condition(
    "EVD417",
    "failures-are-rows",
    {"FAILURES_DIFFER": REJECT},
    _AGAIN,
    source="17",
    broken=(
        change(
            '"failed": 0,',
            '"failed": 1, "failures": [{"assertion_count": 1, "message": "m", "passed": false, "suite": "harbour",'
            ' "test": "test_other"}],',
            "a failure that no row is",
            "FAILURES_DIFFER",
        ),
    ),
)
def failures_are_rows(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The failures are exactly the red rows, in their order and word for word."""
    del expected
    red = [row for row in rows_of(run) if not row.passed]
    listed = result_of(run).failures or ()
    if [row.said() for row in red] == [row.said() for row in listed]:
        return
    differing = [row for row, other in zip(listed, red, strict=False) if row.said() != other.said()]
    where = run.row_where(differing[0]) if differing else run.where("failures")
    detail = f"{len(listed)} are listed, {len(red)} rows are red, and they are not the same"
    yield Reason("FAILURES_DIFFER", where, differing[0].identity if differing else "", detail)


@condition(
    "EVD418",
    "suites-are-rows",
    {"SUITES_RUN_MISMATCH": REJECT, "ROW_ORDER": WARNING},
    _AGAIN,
    source="18",
    broken=(
        change(
            '   "harbour",\n   "lighthouse"', '   "lighthouse",\n   "harbour"', "another order", "SUITES_RUN_MISMATCH"
        ),
        change('"test": "test_beam', '"test": "test_zeam', "no order of names", "ROW_ORDER"),
    ),
)
def suites_are_rows(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The suites are those of the rows, in the order of their first rows, which is that of their names.

    Tests of a suite run in the order of their names, too; of several suites that share a name the
    next may begin anew. Another order is a warning, which the profile `release` does not let pass.
    """
    del expected
    rows = rows_of(run)
    seen = list(dict.fromkeys(row.suite for row in rows))
    suites = result_of(run).suites_run
    if suites is not None and list(suites) != seen:
        detail = f"the rows have {', '.join(seen) or 'none'}"
        yield Reason("SUITES_RUN_MISMATCH", run.where("suites_run"), detail=detail)
    yield from (
        Reason("ROW_ORDER", run.row_where(row), row.identity, f"it stands behind `{before.identity}`")
        for before, row in _out_of_order(rows)
    )


def _out_of_order(rows: tuple[Row, ...]) -> Iterator[tuple[Row, Row]]:
    begun: set[str] = set()
    for before, row in pairwise(rows):
        if row.suite == before.suite:
            begun.add(before.test)
            # A second suite of this name begins with tests that were there before.
            if row.test < before.test and row.test not in begun:
                yield before, row
        else:
            begun.clear()
            if row.suite < before.suite:
                yield before, row


@condition(
    "EVD419",
    "rows-within-run",
    {"DURATIONS_EXCEED_RUN": REJECT},
    _AGAIN,
    source="19",
    broken=(change('"duration_ms": 11,', '"duration_ms": 1100,', "longer than its run", "DURATIONS_EXCEED_RUN"),),
)
def rows_within_run(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The rows together did not take longer than the run; 5 % and 50 ms are given."""
    del expected
    together = sum(row.duration_ms or 0 for row in rows_of(run))
    whole = result_of(run).duration_ms
    if whole is not None and together * _SHARE > whole * (_SHARE + 1) + _EXTRA_MS * _SHARE:
        detail = f"the rows took {together} ms, the run {whole} ms"
        yield Reason("DURATIONS_EXCEED_RUN", run.where("duration_ms"), detail=detail)


@condition(
    "EVD429",
    "no-long-row",
    {"PHASE_TOO_LONG": WARNING},
    "split the test: the editor stands still while it runs, and its socket times out",
    source="45",
    broken=(change('"duration_ms": 11,', '"duration_ms": 20000,', "the editor stood still", "PHASE_TOO_LONG"),),
)
def no_long_row(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """No test took 20 seconds."""
    del expected
    for row in rows_of(run):
        if row.duration_ms is not None and row.duration_ms >= _LONG_MS:
            yield Reason("PHASE_TOO_LONG", Where(run.path, row.line, row.field), row.identity, f"{row.duration_ms} ms")


COUNTING: tuple[Condition[GodotRun], ...] = (
    counts_add_up,
    suites_counted,
    failures_counted,
    rows_counted,
    failures_are_rows,
    suites_are_rows,
    rows_within_run,
    no_long_row,
)
