"""What follows from record, manifest and journal: the summary that an honest writer computes, and nothing else."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from guards.evidence.model import CANCELLED, FAILED, INCONCLUSIVE, INVALID, PASSED, SKIPPED
from guards.evidence.readers.durable import journal as kinds
from guards.evidence.readers.durable.journal import Journal
from guards.evidence.readers.durable.leaves import LeafState, Terminal
from guards.evidence.readers.durable.manifest import Manifest
from guards.evidence.readers.durable.records import Event, Record, RunRecord, Summary, SummaryAttempt, SummaryLeaf

# Of two sources that disagree, the more pessimistic one holds.
_PESSIMISM = {"passed": 1, "failed": 2, "cancelled": 3, "incomplete": 4, "dispatch_failed": 5, "invalid": 6}
_STATUSES = (PASSED, FAILED, SKIPPED, INCONCLUSIVE, CANCELLED, INVALID)
_TERMINAL = "terminal"
_CLOSE = 1e-9


class Root(NamedTuple):
    """What the root of the run says, where it can be trusted.

    ``contradictions`` are (code, sentence) of what it says against the leaves or against itself.
    """

    trusted: bool
    contradictions: tuple[tuple[str, str], ...]


class Derived(NamedTuple):
    """The numbers that follow from manifest and journal.

    ``missing`` are expected leaves without an end, ``issues`` codes and severities in the order in
    which the writer's own reader finds them.
    """

    declared: int
    counts: dict[str, int]
    missing: tuple[str, ...]
    unexpected: tuple[str, ...]
    conflicting: tuple[str, ...]
    manifest_complete: bool
    root: Root
    issues: tuple[tuple[str, str], ...]
    outcome: str
    is_terminal: bool


def derive(record: RunRecord | None, manifest: Manifest, journal: Journal) -> Derived:
    """Works out what the evidence comes down to."""
    declared = _declared(manifest, journal)
    ended = [leaf for leaf in manifest.leaves.values() if leaf.terminal is not None]
    counts = dict.fromkeys(_STATUSES, 0)
    for leaf in ended:
        if leaf.terminal is not None and not leaf.conflict:
            counts[leaf.terminal.outcome] += 1
    missing = tuple(key for key, leaf in manifest.leaves.items() if leaf.terminal is None)
    conflicting = {key for key, leaf in manifest.leaves.items() if leaf.conflict}
    conflicting |= {key for key, leaf in journal.unexpected.items() if leaf.conflict}
    seal = journal.first(kinds.SEALED)
    complete = (
        manifest.exists
        and seal is not None
        and seal.expected_count == len(manifest.leaves)
        and not manifest.spoilt
        and not manifest.conflicts
    )
    root = _root(journal, declared, counts)
    issues = (*manifest.issues, *journal.issues, *_issues(manifest, journal, root, seal, missing))
    derived = Derived(
        declared,
        counts,
        missing,
        tuple(sorted(journal.unexpected)),
        tuple(sorted(conflicting)),
        complete,
        root,
        issues,
        outcome="",
        is_terminal=False,
    )
    return _with_outcome(derived, record, journal)


def _declared(manifest: Manifest, journal: Journal) -> int:
    seal = journal.first(kinds.SEALED)
    if seal is not None:
        return seal.expected_count
    started = journal.first(kinds.STARTED)
    return max(len(manifest.leaves), started.expected_count if started else 0)


def _root(journal: Journal, declared: int, counts: dict[str, int]) -> Root:
    finished = journal.first(kinds.FINISHED)
    if finished is None:
        return Root(trusted=False, contradictions=())
    generation = journal.start_generation
    trusted = finished.root_trusted and generation != "" and finished.observer_generation == generation
    found: list[tuple[str, str]] = []
    if finished.root_trusted and not trusted:
        found.append(
            ("ROOT_PROVENANCE_INVALID", "the root is called trusted, and another generation saw the run start")
        )
    if not trusted and (finished.has_aggregate or any(_aggregate(finished))):
        found.append(("UNTRUSTED_ROOT_AGGREGATE", "a root that is not trusted has counts"))
    if trusted and not finished.has_aggregate:
        found.append(("ROOT_AGGREGATE_CONTRADICTION", "the root is trusted, and says that it has no counts"))
    if trusted:
        found.extend(("ROOT_AGGREGATE_CONTRADICTION", text) for text in _wrong_counts(finished, declared, counts))
        bad = sum(counts[name] for name in (FAILED, INCONCLUSIVE, CANCELLED, INVALID))
        if journal.root_passed and bad:
            found.append(("ROOT_OUTCOME_CONTRADICTION", f"the root passed, and {bad} leaves did not"))
    return Root(trusted, tuple(found))


def _aggregate(event: Event) -> tuple[int, ...]:
    return (
        event.aggregate_passed, event.aggregate_failed, event.aggregate_skipped, event.aggregate_inconclusive,
        event.aggregate_cancelled, event.aggregate_invalid, event.aggregate_total,
    )  # fmt: skip


def _wrong_counts(event: Event, declared: int, counts: dict[str, int]) -> Iterator[str]:
    *parts, total = _aggregate(event)
    if min(*parts, total) < 0:
        yield "a count of the root is negative"
    if total != sum(parts):
        yield f"the root's counts add up to {sum(parts)}, and its total is {total}"
    if total != declared:
        yield f"the root counts {total} leaves, and {declared} are expected"
    for name, number in zip(_STATUSES, parts, strict=True):
        if number != counts[name]:
            yield f"the root counts {number} {name}, the leaves {counts[name]}"


def _issues(
    manifest: Manifest, journal: Journal, root: Root, seal: Event | None, missing: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Codes and severities of what only shows at the end."""
    if not manifest.exists:
        yield "MANIFEST_FILE_MISSING", "warning"
    if not journal.exists:
        yield "EVENT_FILE_MISSING", "warning"
    if kinds.FINISHED in journal.boundaries and kinds.STARTED not in journal.boundaries:
        yield "RUN_STARTED_MISSING", "error"
    for code, _ in root.contradictions:
        yield code, "warning" if code == "UNTRUSTED_ROOT_AGGREGATE" else "error"
    if seal is not None and seal.expected_count != len(manifest.leaves):
        yield "MANIFEST_COUNT_MISMATCH", "warning"
    if missing and kinds.FINISHED in journal.boundaries:
        yield from (("TERMINAL_EVIDENCE_MISSING", "warning") for _ in missing)


def _with_outcome(derived: Derived, record: RunRecord | None, journal: Journal) -> Derived:
    stored = record.outcome if record is not None and record.lifecycle == _TERMINAL else ""
    over = execution_finished(journal) or stored != ""
    outcome = _decided(derived, record, journal, stored) if over else ""
    finalized = journal.first(kinds.FINALIZED)
    said = finalized.outcome.strip().lower() if finalized else ""
    contradicts = bool(stored and said and stored != said)
    if over:
        outcome = _worse(outcome, said)
        outcome = _worse(outcome, stored)
        outcome = _checked(outcome, derived, record, journal)
        outcome = INVALID if contradicts else outcome
    issues = (*derived.issues, ("TERMINAL_OUTCOME_CONTRADICTION", "error")) if contradicts else derived.issues
    return derived._replace(outcome=outcome, is_terminal=stored != "" or finalized is not None, issues=issues)


def execution_finished(journal: Journal) -> bool:
    """Whether anything says that the run is over."""
    ends = (kinds.FINISHED, kinds.REFUSED, kinds.CANCELLED, kinds.ABANDONED, kinds.FINALIZED)
    return any(kind in journal.boundaries for kind in ends)


def _decided(derived: Derived, record: RunRecord | None, journal: Journal, stored: str) -> str:  # noqa: PLR0911 a table
    """The first row that applies."""
    invalid = any(severity == "error" for _, severity in derived.issues) or journal.unreadable or record is None
    finished = journal.first(kinds.FINISHED)
    root = finished.outcome.strip().lower() if finished is not None and derived.root.trusted else ""
    counts = derived.counts
    if invalid or counts[INVALID] or INVALID in {root, stored} or derived.conflicting:
        return INVALID
    if kinds.REFUSED in journal.boundaries or stored == "dispatch_failed":
        return "dispatch_failed"
    if kinds.ABANDONED in journal.boundaries or (finished is None and stored == "incomplete"):
        return "incomplete"
    if finished is None:
        return CANCELLED if kinds.CANCELLED in journal.boundaries else stored or "incomplete"
    if kinds.CANCELLED in journal.boundaries or CANCELLED in {root, stored}:
        return CANCELLED
    if not derived.manifest_complete or derived.missing:
        return "incomplete"
    if counts[FAILED] or counts[INCONCLUSIVE] or root in {FAILED, INCONCLUSIVE}:
        return FAILED
    return CANCELLED if counts[CANCELLED] else PASSED


def _worse(one: str, other: str) -> str:
    return other if _PESSIMISM.get(other, 0) > _PESSIMISM.get(one, 0) else one


def _checked(outcome: str, derived: Derived, record: RunRecord | None, journal: Journal) -> str:
    if outcome != "dispatch_failed" and (record is None or not record.build_coherent):
        return INVALID
    whole = kinds.STARTED in journal.boundaries and kinds.FINISHED in journal.boundaries and derived.manifest_complete
    return INVALID if outcome == PASSED and not whole else outcome


# The summary.


def summary(record: RunRecord, manifest: Manifest, journal: Journal, derived: Derived) -> Summary:
    """The summary that follows; stamps and issue texts are left empty, leaves and issues too."""
    leaves = [*manifest.leaves.values(), *(journal.unexpected[key] for key in derived.unexpected)]
    seal = journal.first(kinds.SEALED)
    started, finished = journal.first(kinds.STARTED), journal.first(kinds.FINISHED)
    lifecycle = _TERMINAL if derived.is_terminal else record.lifecycle
    materialized = len(manifest.leaves)
    expected = seal.expected_count if seal else derived.declared
    unmaterialized = max(0, derived.declared - materialized)
    scope = "none" if finished is None else "complete" if derived.root.trusted else "partial"
    return Summary(
        schema_version=1,
        run_id=record.run_id,
        request_id=record.request_id,
        utf_guid=record.utf_guid,
        lifecycle=lifecycle,
        state=lifecycle,
        outcome=derived.outcome,
        health=record.health,
        source=record.source,
        mode=record.mode,
        group=record.group,
        filter=record.filter,
        project_identity=record.project_identity,
        editor_process_identity=record.editor_process_identity,
        editor_session_id=record.editor_session_id,
        build_fingerprint=record.build_fingerprint,
        utf_version=record.utf_version,
        build_coherent=record.build_coherent,
        build_error=record.build_error,
        is_terminal=derived.is_terminal,
        execution_finished=execution_finished(journal),
        cleanup_complete=kinds.FINALIZED in journal.boundaries,
        run_started_observed=started is not None,
        manifest_complete=derived.manifest_complete,
        run_finished_observed=finished is not None,
        utf_xml_scope=scope,
        created_utc=record.created_utc,
        started_utc=record.started_utc or (started.occurred_utc if started else ""),
        finished_utc=record.finished_utc or (finished.occurred_utc if finished else ""),
        last_event_utc=journal.last_time,
        current_test=journal.current.key if journal.current is not None and journal.current.open else "",
        duration_seconds=_duration(manifest, finished, trusted=derived.root.trusted),
        expected_count=expected,
        declared_expected_count=derived.declared,
        readable_manifest_count=materialized,
        unmaterialized_expected_count=unmaterialized,
        completed_expected_count=materialized - len(derived.missing),
        unique_terminal_count=sum(leaf.terminal is not None for leaf in leaves),
        started_attempt_count=sum(leaf.opened for leaf in leaves),
        finished_attempt_count=sum(leaf.completed for leaf in leaves),
        test_started_callback_count=sum(leaf.callbacks for leaf in leaves),
        finish_without_start_count=sum(leaf.implicit for leaf in leaves),
        passed=derived.counts[PASSED],
        failed=derived.counts[FAILED],
        skipped=derived.counts[SKIPPED],
        inconclusive=derived.counts[INCONCLUSIVE],
        cancelled=derived.counts[CANCELLED],
        invalid=derived.counts[INVALID],
        missing_count=len(derived.missing) + unmaterialized,
        unexpected_count=len(derived.unexpected),
        conflict_count=len(derived.conflicting),
        missing_tests=derived.missing,
        unexpected_tests=derived.unexpected,
        conflicting_tests=derived.conflicting,
    )


def _duration(manifest: Manifest, finished: Event | None, *, trusted: bool) -> float:
    if finished is not None and trusted:
        return finished.duration_seconds
    durations = (leaf.terminal.duration for leaf in manifest.leaves.values() if leaf.terminal is not None)
    return sum(duration for duration in durations if duration >= 0)


def summary_leaves(manifest: Manifest, journal: Journal, unexpected: Iterable[str]) -> Iterator[SummaryLeaf]:
    """The leaves of the summary, one at a time: expected ones that ended, then unexpected ones."""
    for leaf in (*manifest.leaves.values(), *(journal.unexpected[key] for key in unexpected)):
        if leaf.terminal is not None:
            yield _summary_leaf(leaf, leaf.terminal)


def _summary_leaf(leaf: LeafState, terminal: Terminal) -> SummaryLeaf:
    attempts = (*leaf.earlier, terminal)
    first = leaf.opened - len(attempts) + 1
    return SummaryLeaf(
        leaf.key,
        leaf.test_id,
        leaf.full_name,
        leaf.is_expected,
        terminal.outcome,
        terminal.result_state,
        terminal.label,
        terminal.message,
        terminal.stack_trace,
        terminal.duration,
        leaf.opened,
        tuple(SummaryAttempt(number, *attempt[:6]) for number, attempt in enumerate(attempts, first)),
    )


def wrong_leaves(kept: Iterable[SummaryLeaf], follows: Iterable[SummaryLeaf]) -> Iterator[tuple[int, str]]:
    """The leaves of a summary that do not follow, each with its number and its name."""
    for number, (leaf, right) in enumerate(zip_longest(kept, follows)):
        if leaf is None or right is None or not same(leaf, right):
            yield number, (right or leaf).unique_name


def same(one: object, other: object) -> bool:
    """Whether two values of records are equal; fractions to a billionth, booleans and integers exactly.

    Types were checked when the values were read, so that records that are equal are the same.
    """
    if isinstance(one, Record) and isinstance(other, Record):
        return one == other or all(same(getattr(one, field), getattr(other, field)) for field in one.__struct_fields__)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= _CLOSE
    return type(one) is type(other) and one == other
