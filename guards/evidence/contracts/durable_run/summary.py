"""S: the summary that the writer derived, held against one that is derived here; and the pointers."""

from collections.abc import Iterator

from guards.evidence.bundle import Missing, Unreadable
from guards.evidence.condition import INCOMPLETE, REJECT, SUMMARY, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.durable_run.asked import record_of
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable.derive import same
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.readers.durable.records import Summary
from guards.evidence.readers.durable.times import is_time, ticks

_AGAIN = "let the editor write its summary again, or run again"
_STAMPED = {
    "manifest": "expected-tests.jsonl",
    "event": "events.jsonl",
    "run": "run.json",
    "environment": "environment.json",
}
_STAMPS = frozenset(f"{name}_{what}" for name in _STAMPED for what in ("evidence_bytes", "write_utc_ticks"))
_APART = _STAMPS | {"leaves", "issues"}
_FLAGS = (
    "is_terminal", "execution_finished", "cleanup_complete", "run_started_observed", "manifest_complete",
    "run_finished_observed", "build_coherent",
)  # fmt: skip


def _where(run: DurableRun, field: str) -> Where:
    return Where(run.located.run_file("summary.json"), 0, field)


def _mismatch(run: DurableRun, field: str, detail: str, identity: str = "") -> Reason:
    return Reason("SUMMARY_MISMATCH", _where(run, field), identity or run.located.run_id, detail)


def _summary(run: DurableRun) -> Summary:
    if run.summary is None:
        raise NotEvaluated("the run has no summary that could be read")
    return run.summary


@condition(
    "EVD161",
    "summary-there",
    {"SUMMARY_MISSING": INCOMPLETE, "SUMMARY_CORRUPT": REJECT},
    _AGAIN,
    source="S-01",
    broken=(Change("*/summary.json", "", "", "nobody summed up", ("SUMMARY_MISSING",)),),
)
def summary_there(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The summary exists."""
    del expected
    yield from run.found.of("S-01")
    path = run.located.run_file("summary.json")
    if path in run.absent:
        yield Reason("SUMMARY_MISSING", Where(path), run.located.run_id, "it is not there")


@condition(
    "EVD162",
    "summary-follows",
    {"SUMMARY_MISMATCH": SUMMARY},
    _AGAIN,
    source="S-02",
    broken=(
        Change("*/summary.json", '"passed": 5', '"passed": 6', "a test more than ran", ("SUMMARY_MISMATCH",)),
        Change(
            "*/summary.json", '"outcome": "passed"', '"outcome": "failed"', "another outcome", ("SUMMARY_MISMATCH",)
        ),
    ),
)
def summary_follows(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Every field of the summary follows from record, manifest and journal.

    Stamps and the texts of issues are apart; numbers with a fraction may differ by a billionth.
    """
    del expected
    kept, derived = _summary(run), run.expected_summary()
    if derived is None:
        raise NotEvaluated("without the record of the run nothing follows")
    for field in kept.__struct_fields__:
        if field not in _APART and not same(getattr(kept, field), getattr(derived, field)):
            yield _mismatch(run, field, f"{getattr(kept, field)!r}, and {getattr(derived, field)!r} follows")
    for number, name in run.wrong_summary_leaves:
        yield _mismatch(run, f"leaves[{number}]", "the journal says something else of this leaf", name)
    issues = tuple((issue.code, issue.severity) for issue in kept.issues)
    if issues != run.derived.issues:
        yield _mismatch(run, "issues", f"{len(issues)} issues, and {len(run.derived.issues)} follow, or others")
    wrong_types = (issue for issue in run.found.of("J-05") if issue.where.file == run.located.run_file("summary.json"))
    for issue in wrong_types:
        yield _mismatch(run, issue.where.field, "a value of another type stands for nothing")


@condition(
    "EVD163",
    "summary-of-these-files",
    {"SUMMARY_STALE": SUMMARY},
    _AGAIN,
    source="S-03",
    broken=(
        Change(
            "*/summary.json",
            '"event_evidence_bytes": 12734',
            '"event_evidence_bytes": 12735',
            "a byte more",
            ("SUMMARY_STALE",),
        ),
    ),
)
def summary_of_these_files(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The summary was made of files of these sizes."""
    del expected
    kept = _summary(run)
    for name, file in _STAMPED.items():
        path = run.located.run_file(file)
        stamped, size = getattr(kept, f"{name}_evidence_bytes"), _size(run, path)
        if stamped != size:
            yield Reason(
                "SUMMARY_STALE", _where(run, f"{name}_evidence_bytes"), path, f"{stamped}, and the file has {size}"
            )


def _size(run: DurableRun, path: str) -> int:
    try:
        return run.bundle.seen(path).size
    except (Missing, Unreadable):
        return -1


@condition(
    "EVD164",
    "summary-of-these-times",
    {"SUMMARY_STALE": SUMMARY},
    _AGAIN,
    source="S-04",
)
def summary_of_these_times(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The summary was made of files of these times.

    Only `--in-place` judges that: version control and most copies lose the times of files.
    """
    kept = _summary(run)
    if not expected.in_place:
        raise NotEvaluated("the times of copied files mean nothing; `--in-place` says that these are no copies")
    for name, file in _STAMPED.items():
        path = run.located.run_file(file)
        stamped = getattr(kept, f"{name}_write_utc_ticks")
        try:
            time = ticks(run.bundle.seen(path).modified_ns)
        except (Missing, Unreadable):
            time = 0
        if stamped != time:
            yield Reason(
                "SUMMARY_STALE", _where(run, f"{name}_write_utc_ticks"), path, f"{stamped}, and the file has {time}"
            )


@condition(
    "EVD165",
    "summary-says-passed",
    {"SUMMARY_MISMATCH": SUMMARY},
    _AGAIN,
    source="S-05",
    broken=(
        Change(
            "*/summary.json",
            '"cleanup_complete": true',
            '"cleanup_complete": false',
            "it was not cleaned up",
            ("SUMMARY_MISMATCH",),
        ),
    ),
)
def summary_says_passed(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The summary itself says that a terminal, complete and cleaned-up run passed."""
    del expected
    kept = _summary(run)
    for flag in _FLAGS:
        if getattr(kept, flag) is not True:
            yield _mismatch(run, flag, "it is not true")
    if not kept.state == kept.lifecycle == "terminal":
        yield _mismatch(run, "state", f"`{kept.state}` and `{kept.lifecycle}`")
    if kept.outcome != "passed":
        yield _mismatch(run, "outcome", f"it is `{kept.outcome}`")
    if kept.utf_xml_scope not in {"complete", "partial"}:
        yield _mismatch(run, "utf_xml_scope", f"it is `{kept.utf_xml_scope}`")


@condition(
    "EVD166",
    "summary-without-errors",
    {"SUMMARY_MISMATCH": SUMMARY},
    _AGAIN,
    source="S-06",
    broken=(
        Change(
            "*/summary.json",
            '"issues": []',
            '"issues": [{"code": "X", "severity": "error", "path": "", "line": 0, "identity": "", "message": ""}]',
            "the writer found an error",
            ("SUMMARY_MISMATCH",),
        ),
    ),
)
def summary_without_errors(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The writer itself found no error."""
    del expected
    for number, issue in enumerate(_summary(run).issues):
        if issue.severity == "error":
            yield _mismatch(run, f"issues[{number}]", f"{issue.code}: {issue.message}")


@condition(
    "EVD167",
    "pointers-agree",
    {"POINTER_CORRUPT": WARNING, "POINTER_MISMATCH": REJECT, "TIMESTAMP_MALFORMED": REJECT},
    "keep the whole store as it is, and run again",
    source="S-07",
    broken=(
        Change(
            "*/active.json",
            '"request_id": "standalone-3',
            '"request_id": "standalone-4',
            "it names another request",
            ("POINTER_MISMATCH",),
        ),
    ),
)
def pointers_agree(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """A pointer that names this run names its request, too."""
    del expected
    yield from run.found.of("S-07")
    record = record_of(run)
    for name, pointer in run.pointers.items():
        if pointer is None or pointer.run_id != run.located.run_id:
            continue
        path = run.located.store_file(name)
        if pointer.request_id != record.request_id:
            detail = f"`{pointer.request_id}`, the run says `{record.request_id}`"
            yield Reason("POINTER_MISMATCH", Where(path, 0, "request_id"), run.located.run_id, detail)
        if not is_time(pointer.updated_utc):
            detail = f"`{pointer.updated_utc}` is no time"
            yield Reason("TIMESTAMP_MALFORMED", Where(path, 0, "updated_utc"), run.located.run_id, detail)


SUMMED: tuple[Condition[DurableRun], ...] = (
    summary_there,
    summary_follows,
    summary_of_these_files,
    summary_of_these_times,
    summary_says_passed,
    summary_without_errors,
    pointers_agree,
)
