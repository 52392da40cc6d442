"""Completion: the run came to an end, loaded everything, and passed."""

from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Condition, NotEvaluated, condition
from guards.evidence.contracts.godot.form import AGAIN, change
from guards.evidence.contracts.godot.matching import missing_tests
from guards.evidence.expectations import RELEASE, Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.readers.godot.result import REQUIRED, Refusal, Result

_REFUSALS = {
    "TEST_RUN_TIMEOUT": "RUN_TIMEOUT",
    "EDITOR_TEST_RUNNING": "RUNNER_BUSY",
    "EDITOR_NOT_READY": "RUNNER_BUSY",
    "TRANSPORT_OUTCOME_UNKNOWN": "OUTCOME_UNKNOWN",
}


def result_of(run: GodotRun) -> Result:
    """The result of a run.

    Raises:
        NotEvaluated: there is none; another condition says why.
    """
    if run.result is None:
        raise NotEvaluated("there is no result")
    if run.result.error is not None:
        raise NotEvaluated("the result is an error")
    if not set(REQUIRED) & set(run.result.keys):
        raise NotEvaluated("the result says nothing")
    return run.result


@condition(
    "EVD405",
    "no-error-reply",
    {
        "RUN_TIMEOUT": INCOMPLETE,
        "RUN_PAUSED": INCOMPLETE,
        "RUNNER_BUSY": INCOMPLETE,
        "OUTCOME_UNKNOWN": INCOMPLETE,
        "ERROR_REPLY": INCOMPLETE,
        "TESTS_FAILED": REJECT,
    },
    "wait until the editor is idle, and run again; after a timeout with a greater budget or fewer suites",
    source="5",
    broken=(
        change(
            '"status": "ok"',
            '"status": "error", "error": {"code": "TEST_RUN_TIMEOUT", "data": {"phase": "run", "failed": 0}}',
            "the budget was spent",
            "RUN_TIMEOUT",
        ),
    ),
)
def no_error_reply(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The reply is no error.

    A run that timed out, was paused, found another one running or lost its connection proves
    nothing, whatever had passed until then; what had failed until then failed.
    """
    del expected
    refusal = run.refusal
    if refusal is None:
        return
    where = Where(run.path, refusal.line, "error")
    code = "RUN_PAUSED" if refusal.paused else _REFUSALS.get(refusal.code, "ERROR_REPLY")
    yield Reason(code, where, detail=_told(refusal))
    if refusal.count("failed"):
        yield Reason("TESTS_FAILED", where, detail=f"{refusal.count('failed')} tests had failed until then")


def _told(refusal: Refusal) -> str:
    said = f"`{refusal.code or refusal.message}`"
    phase = f" in phase `{refusal.phase}`" if refusal.phase else ""
    counts = f" with {', '.join(f'{name} {number}' for name, number in refusal.counts)}" if refusal.counts else ""
    return f"{said}{phase}{counts}{'; it can be tried again' if refusal.retryable else ''}"


@condition(
    "EVD407",
    "suites-found",
    {"NO_SUITES": INCOMPLETE},
    "look whether the folder of the tests exists, and whether its files begin with `test_`",
    source="7",
    broken=(change('"duration_ms": 31', '"error": "none",\n  "duration_ms": 31', "no suite was found", "NO_SUITES"),),
)
def suites_found(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The runner found suites to run."""
    del expected
    if run.result is not None and run.result.error is not None:
        yield Reason("NO_SUITES", run.where("error"), detail=run.result.error)


@condition(
    "EVD408",
    "everything-loaded",
    {"LOAD_ERRORS": REJECT},
    "mend the files that it names: none of their tests ran",
    source="8",
    broken=(
        change(
            '"passed": 4', '"load_errors": ["test_pier.gd (broken)"],\n  "passed": 4', "a file is broken", "LOAD_ERRORS"
        ),
    ),
)
def everything_loaded(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every file of tests was loaded."""
    del expected
    for error in (run.result.load_errors or ()) if run.result is not None else ():
        yield Reason("LOAD_ERRORS", run.where("load_errors"), error.partition(" ")[0], error)


@condition(
    "EVD409",
    "something-passed",
    {"EMPTY_RUN": INCOMPLETE, "NOTHING_PASSED": INCOMPLETE},
    "look at the filter, and at why everything was skipped",
    source="9",
    broken=(change('"passed": 4', '"passed": 0', "nothing passed", "NOTHING_PASSED"),),
)
def something_passed(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Tests ran, and at least one passed.

    `--expect allow-empty` lets a run without any test, or with skipped ones alone, pass.
    """
    result = result_of(run)
    if expected.allow_empty:
        return
    if result.total == 0:
        yield Reason("EMPTY_RUN", run.where("total"), detail="no test ran")
    elif result.passed == 0:
        yield Reason("NOTHING_PASSED", run.where("passed"), detail="not one test passed")


@condition(
    "EVD410",
    "nothing-failed",
    {"TESTS_FAILED": REJECT},
    "mend what failed, and run again",
    source="10",
    broken=(change('"failed": 0', '"failed": 1', "a test failed", "TESTS_FAILED"),),
)
def nothing_failed(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """No test failed, by the counter, by the failures and by the rows."""
    del expected
    result = result_of(run)
    red = [row for row in run.rows if not row.passed] or list(result.failures or ())
    for row in red:
        yield Reason("TESTS_FAILED", run.row_where(row), row.identity, row.message)
    if result.failed and not red:
        yield Reason("TESTS_FAILED", run.where("failed"), detail=f"{result.failed} tests failed")


@condition(
    "EVD411",
    "no-warnings",
    {"SCENE_WARNING": REJECT, "CACHE_WARNING": WARNING, "CACHE_NOT_EXCLUDED": INCOMPLETE},
    "open the project's main scene, or restart the editor, and run again",
    source="11",
    broken=(change('"skipped": 1', '"scene_warning": "other",\n  "skipped": 1', "another scene", "SCENE_WARNING"),),
)
def no_warnings(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Neither the edited scene nor stale scripts put the result in doubt.

    A warning about the scene comes with failures, and excuses none. That scripts may be stale is
    reported, and in the profile `release` the run is incomplete.
    """
    result = result_of(run)
    if "scene_warning" in result.keys:
        yield Reason("SCENE_WARNING", run.where("scene_warning"), detail=result.scene_warning or "")
    if "cache_warning" in result.keys:
        code = "CACHE_NOT_EXCLUDED" if expected.profile == RELEASE else "CACHE_WARNING"
        yield Reason(code, run.where("cache_warning"), detail=result.cache_warning or "")


@condition(
    "EVD412",
    "live-reply",
    {"EDITED_SCENE_MISSING": INCOMPLETE},
    AGAIN,
    source="12",
    broken=(change('"edited_scene": "res://scenes/quay.tscn",', "", "it was asked for later", "EDITED_SCENE_MISSING"),),
)
def live_reply(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The reply is that of the run itself, which names the edited scene.

    What is asked for later, by `results_get`, does not say that the run was aborted or that files
    did not load; it cannot be told from the reply of an older plug-in, which does not name the scene
    either. With a row for every test of an inventory both are accepted all the same.
    """
    del expected
    result = result_of(run)
    complete = run.inventory is not None and result.results is not None and not missing_tests(run, run.inventory)
    if "edited_scene" not in result.keys and not complete:
        yield Reason(
            "EDITED_SCENE_MISSING",
            run.where("edited_scene"),
            detail="it was asked for later, or the plug-in is an older one",
        )


@condition(
    "EVD427",
    "engine-declared",
    {"ENGINE_NOT_DECLARED": INCOMPLETE},
    "state what ran: `--expect editor-version=…` and `--expect project=…`",
    source="36",
)
def engine_declared(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A release says which engine ran which project.

    The reply says neither, so that what the caller states can only be recorded. What breaks it is
    to state nothing in the profile `release`: no change of the file is needed.
    """
    if expected.profile != RELEASE:
        raise NotEvaluated("only the profile `release` asks for it")
    for name, value in (("editor-version", expected.editor_version), ("project", expected.project)):
        if value is None:
            yield Reason("ENGINE_NOT_DECLARED", Where(run.path), detail=f"nobody stated `{name}`")


@condition(
    "EVD428",
    "filter-excluded",
    {"FILTER_NOT_EXCLUDED": INCOMPLETE},
    "ask for a verbose result, or state `--expect total=…`",
    source="44",
    broken=(change('"results"', '"rows"', "the rows are gone", "FILTER_NOT_EXCLUDED"),),
)
def filter_excluded(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A result without rows is that of all tests.

    What a filter by suite or test drops leaves no trace in the counters. Only a declared total or an
    inventory of the sources can say that nothing was dropped.
    """
    result = result_of(run)
    if result.results is None and expected.total is None and run.inventory is None:
        yield Reason("FILTER_NOT_EXCLUDED", Where(run.path), detail="it has no rows, and nobody stated a total")


@condition(
    "EVD440",
    "as-expected",
    {"CALLER_EXPECTATION_MISMATCH": REJECT},
    "judge the reply to your own request",
)
def as_expected(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """The reply is that to the request that is meant.

    `--expect request-id=…` says which. What breaks it is another expectation: no change of the file
    is needed.
    """
    if expected.request_id is None:
        raise NotEvaluated("nobody stated a request; `--expect request-id=…`")
    if not run.request_id:
        raise NotEvaluated("the reply does not name its request")
    if run.request_id != expected.request_id:
        detail = f"`{run.request_id}`, expected is `{expected.request_id}`"
        yield Reason("CALLER_EXPECTATION_MISMATCH", Where(run.path, field="request_id"), detail=detail)


COMPLETION: tuple[Condition[GodotRun], ...] = (
    no_error_reply,
    suites_found,
    everything_loaded,
    something_passed,
    nothing_failed,
    no_warnings,
    live_reply,
    engine_declared,
    filter_excluded,
    as_expected,
)
