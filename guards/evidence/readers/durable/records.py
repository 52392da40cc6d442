"""The records of a durable run, their fields in the order in which they are written.

Defaults are what the writer's own reader takes for an absent key; that a key is absent is an issue.
"""

import msgspec


class Record(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A record; every field is always written."""


class Request(Record):
    """``requests/<request_id>.json``: what was asked for."""

    schema_version: int = 1
    request_id: str = ""
    run_id: str = ""
    intent_complete: bool = False
    mode: str = ""
    group: str = ""
    filter: str = ""
    state: str = "prepared"
    created_utc: str = ""
    acknowledged_utc: str = ""


class RunRecord(Record):
    """``run.json``: the life of one run."""

    schema_version: int = 1
    run_id: str = ""
    request_id: str = ""
    utf_guid: str = ""
    source: str = "mcp"
    lifecycle: str = "prepared"
    outcome: str = ""
    health: str = "healthy"
    created_utc: str = ""
    dispatched_utc: str = ""
    started_utc: str = ""
    finished_utc: str = ""
    project_identity: str = ""
    editor_process_identity: str = ""
    editor_session_id: str = ""
    build_fingerprint: str = ""
    utf_version: str = ""
    assembly_path: str = ""
    source_path: str = ""
    assembly_write_utc: str = ""
    source_write_utc: str = ""
    build_coherent: bool = False
    build_error: str = ""
    mode: str = ""
    group: str = ""
    filter: str = ""


class Environment(Record):
    """``environment.json``: what the editor looked like before, and that it does again."""

    schema_version: int = 1
    run_id: str = ""
    scene_paths: tuple[str, ...] = ()
    active_scene_path: str = ""
    restore_single_untitled: bool = False
    untitled_scene_setup: str = ""
    owned_scene_path: str = ""
    preview_scene_baseline_captured: bool = False
    preview_scene_count: int = 0
    scene_restore_delegated_to_utf: bool = False
    prepared_utc: str = ""
    restored_utc: str = ""


class Pointer(Record):
    """``active.json`` and ``latest.json``."""

    schema_version: int = 1
    run_id: str = ""
    request_id: str = ""
    updated_utc: str = ""


class Expected(Record):
    """A line of ``expected-tests.jsonl``."""

    schema_version: int = 1
    run_id: str = ""
    unique_name: str = ""
    test_id: str = ""
    full_name: str = ""
    assembly_name: str = ""
    mode: str = ""


class Event(Record):
    """A line of ``events.jsonl``."""

    schema_version: int = 1
    run_id: str = ""
    event_id: str = ""
    event_type: str = ""
    occurred_utc: str = ""
    observer_generation: str = ""
    unique_name: str = ""
    test_id: str = ""
    full_name: str = ""
    outcome: str = ""
    result_state: str = ""
    label: str = ""
    message: str = ""
    stack_trace: str = ""
    duration_seconds: float = 0.0
    expected_count: int = 0
    has_aggregate: bool = False
    root_trusted: bool = False
    aggregate_passed: int = 0
    aggregate_failed: int = 0
    aggregate_skipped: int = 0
    aggregate_inconclusive: int = 0
    aggregate_cancelled: int = 0
    aggregate_invalid: int = 0
    aggregate_total: int = 0


class SummaryAttempt(Record):
    """One attempt of a leaf in the summary."""

    attempt: int = 0
    outcome: str = ""
    result_state: str = ""
    label: str = ""
    message: str = ""
    stack_trace: str = ""
    duration_seconds: float = 0.0


class SummaryLeaf(Record):
    """One leaf in the summary."""

    unique_name: str = ""
    test_id: str = ""
    full_name: str = ""
    expected: bool = False
    outcome: str = ""
    result_state: str = ""
    label: str = ""
    message: str = ""
    stack_trace: str = ""
    duration_seconds: float = 0.0
    attempt_count: int = 0
    attempts: tuple[SummaryAttempt, ...] = ()


class SummaryIssue(Record):
    """What the writer itself found wrong."""

    code: str = ""
    severity: str = ""
    path: str = ""
    line: int = 0
    identity: str = ""
    message: str = ""


class Summary(Record):
    """``summary.json``: what follows from record, manifest and journal, as the writer computed it."""

    schema_version: int = 1
    run_id: str = ""
    request_id: str = ""
    utf_guid: str = ""
    lifecycle: str = ""
    state: str = ""
    outcome: str = ""
    health: str = ""
    source: str = ""
    mode: str = ""
    group: str = ""
    filter: str = ""
    project_identity: str = ""
    editor_process_identity: str = ""
    editor_session_id: str = ""
    build_fingerprint: str = ""
    utf_version: str = ""
    build_coherent: bool = False
    build_error: str = ""
    is_terminal: bool = False
    execution_finished: bool = False
    cleanup_complete: bool = False
    run_started_observed: bool = False
    manifest_complete: bool = False
    run_finished_observed: bool = False
    utf_xml_scope: str = ""
    created_utc: str = ""
    started_utc: str = ""
    finished_utc: str = ""
    last_event_utc: str = ""
    current_test: str = ""
    duration_seconds: float = 0.0
    expected_count: int = 0
    declared_expected_count: int = 0
    readable_manifest_count: int = 0
    unmaterialized_expected_count: int = 0
    completed_expected_count: int = 0
    unique_terminal_count: int = 0
    started_attempt_count: int = 0
    finished_attempt_count: int = 0
    test_started_callback_count: int = 0
    finish_without_start_count: int = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    inconclusive: int = 0
    cancelled: int = 0
    invalid: int = 0
    missing_count: int = 0
    unexpected_count: int = 0
    conflict_count: int = 0
    missing_tests: tuple[str, ...] = ()
    unexpected_tests: tuple[str, ...] = ()
    conflicting_tests: tuple[str, ...] = ()
    leaves: tuple[SummaryLeaf, ...] = ()
    issues: tuple[SummaryIssue, ...] = ()
    manifest_evidence_bytes: int = 0
    event_evidence_bytes: int = 0
    run_evidence_bytes: int = 0
    environment_evidence_bytes: int = 0
    manifest_write_utc_ticks: int = 0
    event_write_utc_ticks: int = 0
    run_write_utc_ticks: int = 0
    environment_write_utc_ticks: int = 0
