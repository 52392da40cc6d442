"""A-24 to A-46: the manifest, the journal, and what became of each leaf."""

from collections.abc import Iterator

from guards.config.globs import matches_any
from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.durable_run.claim import Words, claim
from guards.evidence.expectations import Expectations
from guards.evidence.model import CANCELLED, FAILED, INCONCLUSIVE, INVALID, SKIPPED, Reason, Where
from guards.evidence.readers.durable import journal as kinds
from guards.evidence.readers.durable.reader import DurableRun

_AGAIN = "keep the bundle as it is, find out what happened to the run, and run again"
_BAD = {FAILED: "RUN_FAILED", INCONCLUSIVE: "RUN_FAILED", CANCELLED: "RUN_CANCELLED", INVALID: "RUN_INVALID"}


def _leaf_where(run: DurableRun, line: int, field: str = "") -> Where:
    return Where(run.journal.path, line, field)


@condition(
    "EVD134",
    "manifest-there",
    {
        "MANIFEST_FILE_MISSING": INCOMPLETE,
        "MANIFEST_LINE_CORRUPT": REJECT,
        "MANIFEST_RUN_ID_MISMATCH": REJECT,
        "MANIFEST_RECORD_INVALID": REJECT,
    },
    _AGAIN,
    source="A-24",
    broken=(
        Change(
            "*/expected-tests.jsonl",
            '"run_id":"run-7',
            '"run_id":"run-8',
            "a leaf of another run",
            ("MANIFEST_RUN_ID_MISMATCH",),
        ),
    ),
)
def manifest_there(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The manifest exists, and every line is a leaf of this run."""
    del expected
    yield from run.found.of("A-24")
    if not run.manifest.exists:
        yield Reason("MANIFEST_FILE_MISSING", Where(run.manifest.path), run.located.run_id, "it is not there")


MANIFEST_DISTINCT = claim(
    "EVD135",
    "manifest-distinct",
    "A-25",
    {"MANIFEST_CONFLICT": REJECT, "MANIFEST_DUPLICATE": REJECT},
    Words("No leaf stands in the manifest twice.", "The manifest is written once, from a set.", _AGAIN),
    (Change("*/expected-tests.jsonl", '(4)]"', '(9)]"', "two leaves with one identity", ("MANIFEST_CONFLICT",)),),
)
MANIFEST_MODE = claim(
    "EVD136",
    "manifest-mode",
    "A-26",
    {"MANIFEST_MODE_MISMATCH": REJECT, "MANIFEST_RECORD_INVALID": REJECT},
    Words("Every leaf has the mode of the run, and an assembly.", "", _AGAIN),
    (
        Change(
            "*/expected-tests.jsonl",
            '"mode":"EditMode"',
            '"mode":"PlayMode"',
            "a leaf of another mode",
            ("MANIFEST_MODE_MISMATCH",),
        ),
    ),
)


@condition(
    "EVD137",
    "manifest-sealed",
    {
        "MANIFEST_NOT_SEALED": INCOMPLETE,
        "MANIFEST_SEAL_INVALID": REJECT,
        "MANIFEST_SEAL_CONFLICT": REJECT,
        "BOUNDARY_DUPLICATE": REJECT,
        "EXPECTED_COUNT_DISAGREES": REJECT,
        "MANIFEST_COUNT_MISMATCH": INCOMPLETE,
    },
    _AGAIN,
    source="A-27",
    broken=(
        Change(
            "*/events.jsonl",
            '"expected_count":6',
            '"expected_count":5',
            "the start announced another number",
            ("EXPECTED_COUNT_DISAGREES",),
        ),
    ),
)
def manifest_sealed(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The manifest was sealed once, with as many leaves as it has and as the start announced."""
    del expected
    yield from run.found.of("A-27")
    seal, started = run.journal.first(kinds.SEALED), run.journal.first(kinds.STARTED)
    where = run.journal.where(kinds.SEALED, "expected_count")
    if seal is None:
        if run.journal.exists:
            yield Reason(
                "MANIFEST_NOT_SEALED", Where(run.journal.path), run.located.run_id, "nothing seals the manifest"
            )
        return
    if seal.expected_count != run.manifest.lines:
        detail = f"it counts {seal.expected_count}, and the manifest has {run.manifest.lines} lines"
        yield Reason("MANIFEST_COUNT_MISMATCH", where, run.located.run_id, detail)
    if started is not None and started.expected_count != seal.expected_count:
        detail = f"it counts {seal.expected_count}, the start {started.expected_count}"
        yield Reason("EXPECTED_COUNT_DISAGREES", where, run.located.run_id, detail)


@condition(
    "EVD138",
    "journal-there",
    {
        "EVENT_FILE_MISSING": INCOMPLETE,
        "EVENT_LINE_CORRUPT": REJECT,
        "EVENT_RUN_ID_MISMATCH": REJECT,
        "EVENT_RECORD_INVALID": REJECT,
        "EVENT_TYPE_UNKNOWN": REJECT,
        "EVENT_ID_MISSING": REJECT,
        "TEST_STARTED_IDENTITY_MISSING": REJECT,
        "TEST_FINISHED_IDENTITY_MISSING": REJECT,
    },
    _AGAIN,
    source="A-28",
    broken=(
        Change(
            "*/events.jsonl",
            '"run_id":"run-7',
            '"run_id":"run-8',
            "an event of another run",
            ("EVENT_RUN_ID_MISMATCH",),
        ),
        Change(
            "*/events.jsonl", '"test_started"', '"test_begun"', "an event that nobody knows", ("EVENT_TYPE_UNKNOWN",)
        ),
    ),
)
def journal_there(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The journal exists, and every line is an event of this run, of a known type and with an id."""
    del expected
    yield from run.found.of("A-28")
    if not run.journal.exists:
        yield Reason("EVENT_FILE_MISSING", Where(run.journal.path), run.located.run_id, "it is not there")


EVENTS_DISTINCT = claim(
    "EVD139",
    "events-distinct",
    "A-29",
    {"EVENT_ID_CONFLICT": REJECT, "EVENT_ID_DUPLICATE": REJECT},
    Words("No two events have one id.", "A line that stands there twice was not written by the editor.", _AGAIN),
    (
        Change(
            "*/events.jsonl",
            "69c3ae50412525130056fd341121d9fa",
            "88369ecea454b518a431bc9df70fe711",
            "two events with one id",
            ("EVENT_ID_CONFLICT",),
        ),
    ),
)


@condition(
    "EVD140",
    "boundaries-once",
    {
        "RUN_STARTED_ABSENT": INCOMPLETE,
        "RUN_STARTED_MISSING": REJECT,
        "RUN_FINISHED_MISSING": INCOMPLETE,
        "RUN_FINALIZED_MISSING": INCOMPLETE,
        "BOUNDARY_DUPLICATE": REJECT,
    },
    _AGAIN,
    source="A-30",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"run_finalized"',
            '"event_type":"domain_reloading"',
            "the run was never final",
            ("RUN_FINALIZED_MISSING",),
        ),
    ),
)
def boundaries_once(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The run started once, finished once and was called final once."""
    del expected
    yield from run.found.of("A-30")
    there = run.journal.boundaries
    where = Where(run.journal.path)
    if kinds.STARTED not in there:
        code = "RUN_STARTED_MISSING" if kinds.FINISHED in there else "RUN_STARTED_ABSENT"
        yield Reason(code, where, run.located.run_id, "nothing says that the run started")
    if kinds.FINISHED not in there:
        yield Reason("RUN_FINISHED_MISSING", where, run.located.run_id, "nothing says that the run finished")
    if kinds.FINALIZED not in there:
        yield Reason("RUN_FINALIZED_MISSING", where, run.located.run_id, "nothing says that the run is final")


BOUNDARIES_ORDERED = claim(
    "EVD141",
    "boundaries-ordered",
    "A-31",
    {
        "BOUNDARY_ORDER": REJECT,
        "LEAF_BEFORE_SEAL": REJECT,
        "EVIDENCE_AFTER_RUN_FINISHED": REJECT,
        "EVIDENCE_AFTER_RUN_FINALIZED": REJECT,
    },
    Words(
        "Start, seal, leaves, finish, final: in that order, and nothing behind.",
        "Only reloads of the domain may stand before the start.",
        _AGAIN,
    ),
    (
        Change(
            "*/events.jsonl",
            '"event_type":"test_started"',
            '"event_type":"run_finalized"',
            "final before its tests",
            ("EVIDENCE_AFTER_RUN_FINALIZED",),
        ),
    ),
)


@condition(
    "EVD142",
    "nothing-broke-off",
    {"INFRASTRUCTURE_ERROR": REJECT, "DISPATCH_FAILED": REJECT, "CANCELLED": REJECT, "ABANDONED": INCOMPLETE},
    "mend what the message names, and run again",
    source="A-32",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"run_finalized"',
            '"event_type":"abandoned"',
            "the framework stopped by itself",
            ("ABANDONED",),
        ),
    ),
)
def nothing_broke_off(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """No event says that the run broke off or that something around it failed."""
    del expected
    yield from run.found.of("A-32")
    for kind, code in (
        (kinds.REFUSED, "DISPATCH_FAILED"),
        (kinds.CANCELLED, "CANCELLED"),
        (kinds.ABANDONED, "ABANDONED"),
    ):
        event = run.journal.first(kind)
        if event is not None:
            yield Reason(code, run.journal.where(kind), run.located.run_id, event.message)


@condition(
    "EVD143",
    "not-cancelled",
    {"CANCEL_REQUESTED": WARNING},
    "run again without cancelling",
    source="A-33",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"run_finalized"',
            '"event_type":"cancel_requested"',
            "somebody wanted it to stop",
            ("CANCEL_REQUESTED",),
        ),
    ),
)
def not_cancelled(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Nobody asked for the run to be cancelled."""
    del expected
    if kinds.CANCEL in run.journal.boundaries:
        yield Reason("CANCEL_REQUESTED", run.journal.where(kinds.CANCEL), run.located.run_id, "a cancel was accepted")


@condition(
    "EVD144",
    "final-outcome",
    {
        "RUN_FINALIZED_OUTCOME_MISSING": REJECT,
        "RUN_FINALIZED_OUTCOME_INVALID": REJECT,
        "RUN_FINALIZED_CONFLICT": REJECT,
        "TERMINAL_OUTCOME_CONTRADICTION": REJECT,
        "RUN_FAILED": REJECT,
        "RUN_CANCELLED": REJECT,
        "RUN_INVALID": REJECT,
        "RUN_DISPATCH_FAILED": REJECT,
        "RUN_INCOMPLETE": INCOMPLETE,
    },
    _AGAIN,
    source="A-34",
    broken=(
        Change(
            "*/events.jsonl",
            '"full_name":"","outcome":"passed"',
            '"full_name":"","outcome":"failed"',
            "the last event says that it failed",
            ("TERMINAL_OUTCOME_CONTRADICTION",),
        ),
    ),
)
def final_outcome(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The last event carries the outcome `passed`, and it is the stored one."""
    del expected
    yield from run.found.of("A-34")
    finalized = run.journal.first(kinds.FINALIZED)
    record = run.record
    if finalized is None or record is None:
        return
    said = finalized.outcome.strip().lower()
    if said and record.lifecycle == "terminal" and record.outcome != said:
        detail = f"`{finalized.outcome}`, stored is `{record.outcome}`"
        where = run.journal.where(kinds.FINALIZED, "outcome")
        yield Reason("TERMINAL_OUTCOME_CONTRADICTION", where, run.located.run_id, detail)


LEAVES_EXPECTED = claim(
    "EVD145",
    "leaves-expected",
    "A-35",
    {"UNEXPECTED_TERMINAL_EVIDENCE": REJECT},
    Words("Every leaf event names a leaf of the manifest.", "", _AGAIN),
    (
        Change(
            "*/expected-tests.jsonl",
            '"unique_name":"G',
            '"unique_name":"g',
            "the manifest names another leaf",
            ("UNEXPECTED_TERMINAL_EVIDENCE",),
        ),
    ),
)


@condition(
    "EVD146",
    "leaves-terminal",
    {"TERMINAL_EVIDENCE_MISSING": INCOMPLETE, "TERMINAL_EVIDENCE_CONFLICT": REJECT},
    "find out what ended the run before these tests did, and run again",
    source="A-36",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"test_finished"',
            '"event_type":"cancel_requested"',
            "a test never ended",
            ("TERMINAL_EVIDENCE_MISSING",),
        ),
    ),
)
def leaves_terminal(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Every leaf of the manifest has exactly one end."""
    del expected
    yield from run.found.of("A-36")
    for key in run.derived.missing:
        leaf = run.manifest.leaves[key]
        detail = "it started, and never ended" if leaf.seen else "it never ran"
        yield Reason("TERMINAL_EVIDENCE_MISSING", Where(run.manifest.path, leaf.line), key, detail)


OUTCOMES_FOLLOW = claim(
    "EVD147",
    "outcomes-follow",
    "A-37",
    {"LEAF_OUTCOME_INVALID": REJECT, "RUN_FINISHED_OUTCOME_INVALID": REJECT, "RESULT_STATE_MISMATCH": REJECT},
    Words(
        "Every outcome follows from the framework's own words.",
        "An outcome and a state that differ are two stories.",
        _AGAIN,
    ),
    (
        Change(
            "*/events.jsonl",
            '"result_state":"Passed"',
            '"result_state":"Failed"',
            "the framework says something else",
            ("RESULT_STATE_MISMATCH",),
        ),
    ),
)
METADATA_AGREES = claim(
    "EVD148",
    "metadata-agrees",
    "A-38",
    {"LEAF_METADATA_MISMATCH": REJECT},
    Words(
        "Leaf events carry the names that the manifest has.",
        "Ids of the framework may change with a reload, names never.",
        _AGAIN,
    ),
    (
        Change(
            "*/events.jsonl",
            '"test_id":"1006"',
            '"test_id":"1007"',
            "the id of another test",
            ("LEAF_METADATA_MISMATCH",),
        ),
    ),
)


@condition(
    "EVD149",
    "leaves-passed",
    {"RUN_FAILED": REJECT, "RUN_CANCELLED": REJECT, "RUN_INVALID": REJECT, "SKIP_NOT_ALLOWED": REJECT},
    "mend the tests that are named, and run again",
    source="A-39",
    broken=(
        Change(
            "*/events.jsonl",
            '"outcome":"passed","result_state":"Passed"',
            '"outcome":"failed","result_state":"Failed"',
            "a test failed",
            ("RUN_FAILED",),
        ),
    ),
)
def leaves_passed(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """No leaf failed, was inconclusive, cancelled or invalid; skipped ones are allowed where that is stated.

    Which tests may be skipped is said by `--allow-skip` or `allow-skip`; where nobody says it, every
    skip passes.
    """
    for leaf in run.leaves():
        end = leaf.terminal
        if end is None:
            continue
        if end.outcome in _BAD:
            yield Reason(
                _BAD[end.outcome], _leaf_where(run, end.line, "outcome"), leaf.key, end.message or end.result_state
            )
        elif (
            end.outcome == SKIPPED
            and expected.allow_skip is not None
            and not matches_any(expected.allow_skip, leaf.full_name)
        ):
            detail = f"it was skipped: {end.message or end.result_state}"
            yield Reason("SKIP_NOT_ALLOWED", _leaf_where(run, end.line, "outcome"), leaf.key, detail)


@condition(
    "EVD150",
    "delivered-once",
    {
        "RETRY_MASKED_FAILURE": WARNING,
        "DUPLICATE_TERMINAL_DELIVERY": WARNING,
        "DUPLICATE_START_DELIVERY": WARNING,
        "FINISH_WITHOUT_START": WARNING,
    },
    "look at the leaf: a test that passes at the second try is not trusted at the first",
    source="A-40",
    broken=(
        Change(
            "*/events.jsonl",
            '"event_type":"test_started"',
            '"event_type":"cancel_requested"',
            "a test ended and never started",
            ("FINISH_WITHOUT_START",),
        ),
    ),
)
def delivered_once(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """No retry hides a failure, and every callback came once."""
    for leaf in run.leaves():
        line = leaf.terminal.line if leaf.terminal else leaf.line
        where = _leaf_where(run, line)
        hidden = [end.outcome for end in leaf.earlier if end.outcome in _BAD]
        ended_well = leaf.terminal is not None and leaf.terminal.outcome not in _BAD
        if hidden and ended_well and not matches_any(expected.allow_rerun or (), leaf.full_name):
            yield Reason("RETRY_MASKED_FAILURE", where, leaf.key, f"an earlier attempt was {hidden[0]}")
        if leaf.duplicates:
            yield Reason("DUPLICATE_TERMINAL_DELIVERY", where, leaf.key, "its end was delivered more than once")
        if leaf.repeated_starts:
            yield Reason("DUPLICATE_START_DELIVERY", where, leaf.key, "its start was delivered more than once")
        if leaf.implicit:
            skipped = leaf.terminal is not None and leaf.terminal.outcome == SKIPPED
            yield Reason("FINISH_WITHOUT_START", where, leaf.key, "it ended and never started", normal=skipped)


GENERATIONS = claim(
    "EVD151",
    "generations",
    "A-41",
    {"GENERATION_MISSING": REJECT, "GENERATION_JUMP": REJECT, "RELOAD_WITHOUT_NEW_GENERATION": REJECT},
    Words(
        "The scripting domain changes only after it says so, and never back.",
        "Each load of the domain has an identity; evidence that jumps between them is pieced together.",
        _AGAIN,
    ),
    (
        Change(
            "*/events.jsonl",
            '"observer_generation":"a41d',
            '"observer_generation":"b41d',
            "an event of another domain",
            ("GENERATION_JUMP",),
        ),
    ),
)


@condition(
    "EVD152",
    "root-agrees",
    {
        "ROOT_PROVENANCE_INVALID": REJECT,
        "ROOT_AGGREGATE_CONTRADICTION": REJECT,
        "ROOT_OUTCOME_CONTRADICTION": REJECT,
        "UNTRUSTED_ROOT_AGGREGATE": REJECT,
        "RUN_FINISHED_CONFLICT": REJECT,
    },
    _AGAIN,
    source="A-42",
    broken=(
        Change(
            "*/events.jsonl",
            '"aggregate_total":6',
            '"aggregate_total":7',
            "the root counts a leaf too many",
            ("ROOT_AGGREGATE_CONTRADICTION",),
        ),
    ),
)
def root_agrees(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The root's own counts and outcome agree with the leaves.

    They are trusted only where the domain that saw the start also saw the end.
    """
    del expected
    yield from run.found.of("A-42")
    for code, detail in run.derived.root.contradictions:
        yield Reason(code, run.journal.where(kinds.FINISHED), run.located.run_id, detail)


@condition(
    "EVD153",
    "partial-root-passed",
    {"PARTIAL_ROOT_NOT_PASSED": WARNING},
    "look at fixtures: a setup or teardown around the tests may have failed",
    source="A-43",
)
def partial_root_passed(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """A root that is not trusted says `passed` all the same, and so does the result document.

    Only a run with a reload between start and finish can break this.
    """
    del expected
    finished = run.journal.first(kinds.FINISHED)
    if finished is None or run.derived.root.trusted:
        return
    if not run.journal.root_passed:
        where = run.journal.where(kinds.FINISHED, "outcome")
        yield Reason("PARTIAL_ROOT_NOT_PASSED", where, run.located.run_id, f"the root says `{finished.outcome}`")
    root = run.document.root
    if root is not None and run.document.readable:
        result = root.attributes.get("result", "")
        if result.partition("(")[0].partition(":")[0] not in {"Passed", "Skipped"}:
            where = Where(run.document.path, root.line, "result")
            yield Reason("PARTIAL_ROOT_NOT_PASSED", where, run.located.run_id, f"the document says `{result}`")


TIMES_ORDERED = claim(
    "EVD154",
    "journal-times-in-order",
    "A-44",
    {"TIME_ORDER": REJECT},
    Words("Times never go back in the journal.", "A clock that is set back during a run spoils it.", "run again"),
    (Change("*/events.jsonl", "10:20:31.0533871Z", "10:20:30.0533871Z", "an end before its start", ("TIME_ORDER",)),),
)


@condition(
    "EVD155",
    "enough-tests",
    {"COUNT_BELOW_MINIMUM": REJECT, "EMPTY_RUN": REJECT, "TOTAL_MISMATCH": REJECT},
    "look at the filter: one that matches nothing passes nothing",
    source="A-45",
)
def enough_tests(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The run has tests, and as many as are expected.

    What breaks it is another expectation: no change of the files is needed.
    """
    number, where = run.derived.declared, run.journal.where(kinds.SEALED, "expected_count")
    if number <= 0 and not expected.allow_empty and run.manifest.exists:
        yield Reason("EMPTY_RUN", where, run.located.run_id, "no test was expected at all")
    if expected.min_tests is not None and number < expected.min_tests:
        detail = f"{number}, at least {expected.min_tests} are expected"
        yield Reason("COUNT_BELOW_MINIMUM", where, run.located.run_id, detail)
    if expected.total is not None and number != expected.total:
        yield Reason("TOTAL_MISMATCH", where, run.located.run_id, f"{number}, expected are {expected.total}")
    if expected.min_tests is None and expected.total is None:
        raise NotEvaluated("nobody stated how many tests there are; `--expect min-tests=…`")


@condition("EVD156", "counts-add-up", {"COUNT_INVARIANT": REJECT}, _AGAIN, source="A-46")
def counts_add_up(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """What became of the leaves adds up to the leaves that were expected, each with an attempt.

    With the other conditions this cannot fail by itself; it is the last word on their arithmetic.
    """
    del expected
    derived = run.derived
    if derived.missing or derived.unexpected or derived.conflicting or run.journal.first(kinds.SEALED) is None:
        return
    total = sum(derived.counts.values())
    opened = sum(leaf.opened for leaf in run.leaves())
    closed = sum(leaf.completed for leaf in run.leaves())
    if total != len(run.manifest.leaves) or opened < total or closed < total:
        detail = f"{total} outcomes, {opened} attempts begun, {closed} ended, {len(run.manifest.leaves)} leaves"
        yield Reason("COUNT_INVARIANT", Where(run.journal.path), run.located.run_id, detail)


JOURNAL: tuple[Condition[DurableRun], ...] = (
    manifest_there,
    MANIFEST_DISTINCT,
    MANIFEST_MODE,
    manifest_sealed,
    journal_there,
    EVENTS_DISTINCT,
    boundaries_once,
    BOUNDARIES_ORDERED,
    nothing_broke_off,
    not_cancelled,
    final_outcome,
    LEAVES_EXPECTED,
    leaves_terminal,
    OUTCOMES_FOLLOW,
    METADATA_AGREES,
    leaves_passed,
    delivered_once,
    GENERATIONS,
    root_agrees,
    partial_root_passed,
    TIMES_ORDERED,
    enough_tests,
    counts_add_up,
)
