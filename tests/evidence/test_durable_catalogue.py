"""Every way to damage or to forge a durable run that is known, one change each, and the verdict that it must get."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from evidence.durable import STATED, Bundle, Json, Mutation, Object, codes

from guards.evidence.contracts import judged
from guards.evidence.expectations import expectations
from guards.evidence.taken import taken

EVENTS, MANIFEST, XML = "events.jsonl", "expected-tests.jsonl", "utf-results.xml"
OTHER = "f" * 32
ACCEPTED, REJECTED, INCOMPLETE = "accepted", "rejected", "incomplete"
# The journal: start, seal, a start and a finish for each of six leaves, finish, final.
STARTED, SEALED, START_1, FINISH_1, FINISHED, FINALIZED = 0, 1, 2, 3, 14, 15
START_3, FINISH_3, START_SKIPPED, FINISH_SKIPPED = 6, 7, 12, 13


class Row(NamedTuple):
    """A mutation, the verdict and the codes that it must give; ``release`` where that profile differs."""

    name: str
    mutation: Mutation
    verdict: str
    codes: tuple[str, ...]
    release: str = ""


def row(name: str, mutation: Mutation, verdict: str, *found: str, release: str = "") -> Row:
    return Row(name, mutation, verdict, found, release)


# Ways to change lines.


def lines(change: Callable[[list[Object]], None], name: str = EVENTS) -> Mutation:
    def mutation(bundle: Bundle) -> None:
        records = bundle.lines(name)
        change(records)
        bundle.write_lines(name, records)

    return mutation


def drop(*numbers: int, name: str = EVENTS) -> Mutation:
    def change(records: list[Object]) -> None:
        for number in sorted(numbers, reverse=True):
            del records[number]

    return lines(change, name)


def edit(number: int, name: str = EVENTS, **fields: Json) -> Mutation:
    return lines(lambda records: records[number].update(fields), name)


def remove_field(number: int, field: str) -> Mutation:
    def change(records: list[Object]) -> None:
        del records[number][field]

    return lines(change)


def insert(number: int, *, like: int, **fields: Json) -> Mutation:
    """A copy of a line with a new id, changed, in front of another and with the time of that."""

    def change(records: list[Object]) -> None:
        time = records[min(number, len(records) - 1)]["occurred_utc"]
        records.insert(number, {**records[like], "event_id": OTHER, "occurred_utc": time, **fields})

    return lines(change)


def event(number: int, kind: str, **fields: Json) -> Mutation:
    """An event of a kind that belongs to no leaf."""
    plain: Object = {"expected_count": 0, "unique_name": "", "full_name": "", "event_type": kind}
    return insert(number, like=SEALED, **{**plain, **fields})


def move(number: int, to: int) -> Mutation:
    return lines(lambda records: records.insert(to, records.pop(number)))


def swap_pairs(one: int, other: int) -> Mutation:
    def change(records: list[Object]) -> None:
        records[one : one + 2], records[other : other + 2] = records[other : other + 2], records[one : one + 2]

    return lines(change)


def several(*mutations: Mutation) -> Mutation:
    def mutation(bundle: Bundle) -> None:
        for each in mutations:
            each(bundle)

    return mutation


# Ways to change files.


def delete(name: str) -> Mutation:
    return lambda bundle: bundle.path(name).unlink()


def fields(name: str, **changed: Json) -> Mutation:
    return lambda bundle: bundle.change(name, **changed)


def text(name: str, old: str, new: str) -> Mutation:
    return lambda bundle: bundle.replace(name, old, new)


def raw(name: str, change: Callable[[bytes], bytes]) -> Mutation:
    return lambda bundle: bundle.write_bytes(name, change(bundle.read_bytes(name)))


def cut_middle(data: bytes) -> bytes:
    parts = data.split(b"\n")
    parts[5:7] = [parts[5][:80] + parts[6]]
    return b"\n".join(parts)


def another_generation(records: list[Object]) -> None:
    for record in records[8:]:
        record["observer_generation"] = OTHER


def objects(value: Json) -> list[Object]:
    assert isinstance(value, list)
    return [item for item in value if isinstance(item, dict)]


def summary_with_retry(bundle: Bundle) -> None:
    summary = bundle.json("summary.json")
    leaf = objects(summary["leaves"])[0]
    (attempt,) = objects(leaf["attempts"])
    failed: Object = {
        **attempt, "outcome": "failed", "result_state": "Failed", "message": "no", "duration_seconds": 0.001,
    }  # fmt: skip
    leaf["attempts"] = [failed, {**attempt, "attempt": 2}]
    leaf["attempt_count"] = 2
    for count in ("started_attempt_count", "finished_attempt_count", "test_started_callback_count"):
        summary[count] = 7
    bundle.write_json("summary.json", summary)


RETRY = several(
    insert(START_1, like=START_1),
    insert(
        START_1 + 1, like=FINISH_1 + 1, event_id="e" * 32, outcome="failed", result_state="Failed",
        message="no", duration_seconds=0.001,
    ),
)  # fmt: skip
LEAF_FAILED = edit(FINISH_1, outcome="failed", result_state="Failed")
MISSING_AND_CONTRADICTED = ("ROOT_AGGREGATE_CONTRADICTION", "TERMINAL_EVIDENCE_MISSING")

JOURNAL = [
    row("M-01", drop(FINISH_1), REJECTED, *MISSING_AND_CONTRADICTED),
    row("M-02", drop(START_1), REJECTED, "SUMMARY_MISMATCH", "FINISH_WITHOUT_START"),
    row("M-03", drop(START_1, FINISH_1), REJECTED, *MISSING_AND_CONTRADICTED),
    row("M-04", insert(FINISH_1 + 1, like=FINISH_1, outcome="failed", result_state="Failed"), REJECTED, "TERMINAL_EVIDENCE_CONFLICT", "ROOT_AGGREGATE_CONTRADICTION"),
    row("M-05", insert(FINISH_1 + 1, like=FINISH_1), ACCEPTED, "DUPLICATE_TERMINAL_DELIVERY", release=REJECTED),
    row("M-06", lines(lambda records: records.insert(FINISH_1, records[FINISH_1])), REJECTED, "EVENT_ID_DUPLICATE"),
    row("M-07", lines(lambda records: records[FINISH_1].update(event_id=records[START_1]["event_id"])), REJECTED, "EVENT_ID_CONFLICT"),
    row("M-08", raw(EVENTS, lambda data: data[:-40]), INCOMPLETE, "TORN_TAIL", "RUN_FINALIZED_MISSING"),
    row("M-09", raw(EVENTS, lambda data: data[:-1]), INCOMPLETE, "TORN_TAIL"),
    row("M-10", raw(EVENTS, cut_middle), REJECTED, "EVENT_LINE_CORRUPT"),
    row("M-11", raw(EVENTS, lambda data: data.replace(b"}\n{", b"}\n\n{", 1)), REJECTED, "EVENT_LINE_CORRUPT"),
    row("M-12", raw(EVENTS, lambda data: data.replace(b"Grove", b"\xffrove", 1)), REJECTED, "ENCODING_INVALID"),
    row("M-13", raw(EVENTS, lambda data: b"\xef\xbb\xbf" + data), REJECTED, "ENCODING_BOM"),
    row("M-14", edit(FINISH_1, run_id="run-other"), REJECTED, "EVENT_RUN_ID_MISMATCH"),
    row("M-15", remove_field(FINISH_1, "run_id"), REJECTED, "FIELD_MISSING", "EVENT_RUN_ID_MISMATCH"),
    row("M-16", remove_field(FINISH_1, "schema_version"), REJECTED, "FIELD_MISSING"),
    row("M-17", edit(FINISH_1, schema_version=2), REJECTED, "EVENT_SCHEMA_UNSUPPORTED"),
    row("M-18", edit(FINISH_1, event_id=""), REJECTED, "EVENT_ID_MISSING"),
    row("M-19", edit(FINISH_1, unique_name=" "), REJECTED, "TEST_FINISHED_IDENTITY_MISSING"),
    row("M-20", edit(START_1, event_type="test_begun"), REJECTED, "EVENT_TYPE_UNKNOWN"),
    row("M-21", text(EVENTS, '"outcome":"passed"', '"outcome":"failed","outcome":"passed"'), REJECTED, "JSON_DUPLICATE_KEY"),
    row("M-22", drop(SEALED), INCOMPLETE, "MANIFEST_NOT_SEALED"),
    row("M-23", edit(SEALED, expected_count=7), REJECTED, "ROOT_AGGREGATE_CONTRADICTION", "EXPECTED_COUNT_DISAGREES", "MANIFEST_COUNT_MISMATCH"),
    row("M-24", edit(STARTED, expected_count=5), REJECTED, "EXPECTED_COUNT_DISAGREES"),
    row("M-25", event(START_1, "manifest_sealed", expected_count=7), REJECTED, "MANIFEST_SEAL_CONFLICT", "BOUNDARY_DUPLICATE"),
    row("M-26", event(START_1, "manifest_sealed", expected_count=6), REJECTED, "BOUNDARY_DUPLICATE"),
    row("M-27", move(SEALED, FINISH_1), REJECTED, "LEAF_BEFORE_SEAL", "TIME_ORDER"),
    row("M-28", drop(STARTED), REJECTED, "RUN_STARTED_MISSING", "ROOT_PROVENANCE_INVALID"),
    row("M-29", insert(START_1, like=STARTED), REJECTED, "BOUNDARY_DUPLICATE"),
    row("M-30", drop(FINISHED), INCOMPLETE, "RUN_FINISHED_MISSING"),
    row("M-31", insert(FINALIZED, like=FINISHED, aggregate_passed=6, aggregate_skipped=0), REJECTED, "RUN_FINISHED_CONFLICT", "BOUNDARY_DUPLICATE"),
    row("M-32", drop(FINALIZED), INCOMPLETE, "RUN_FINALIZED_MISSING"),
    row("M-33", insert(FINALIZED + 1, like=FINALIZED, outcome="failed"), REJECTED, "RUN_FINALIZED_CONFLICT", "BOUNDARY_DUPLICATE"),
    row("M-34", edit(FINALIZED, outcome=""), REJECTED, "RUN_FINALIZED_OUTCOME_MISSING"),
    row("M-35", edit(FINALIZED, outcome="ok"), REJECTED, "RUN_FINALIZED_OUTCOME_INVALID"),
    row("M-36", move(FINISH_1, START_1), REJECTED, *MISSING_AND_CONTRADICTED, "TIME_ORDER"),
    row("M-37", swap_pairs(START_1, START_3), REJECTED, "TIME_ORDER"),
    row("M-38", move(FINISH_SKIPPED, FINISHED), REJECTED, "EVIDENCE_AFTER_RUN_FINISHED"),
    row("M-39", event(FINALIZED + 1, "domain_reloading"), REJECTED, "EVIDENCE_AFTER_RUN_FINALIZED"),
    row("M-40", insert(FINISHED, like=FINISH_1, unique_name="Stranger"), REJECTED, "UNEXPECTED_TERMINAL_EVIDENCE"),
    row("M-41", insert(FINISHED, like=START_1, unique_name="Stranger"), REJECTED, "UNEXPECTED_TERMINAL_EVIDENCE"),
    row("M-42", LEAF_FAILED, REJECTED, "ROOT_AGGREGATE_CONTRADICTION", "ROOT_OUTCOME_CONTRADICTION", "RUN_FAILED", "XML_RESULT_MISMATCH"),
    row("M-43", several(LEAF_FAILED, edit(FINISHED, aggregate_passed=4, aggregate_failed=1)), REJECTED, "ROOT_OUTCOME_CONTRADICTION", "RUN_FAILED"),
    row("M-44", edit(FINISH_1, result_state="Failed"), REJECTED, "RESULT_STATE_MISMATCH", "XML_RESULT_MISMATCH"),
    row("M-45", edit(FINISH_1, outcome="ok"), REJECTED, "LEAF_OUTCOME_INVALID"),
    row("M-46", edit(FINISH_SKIPPED, outcome="passed", result_state="Passed"), REJECTED, "ROOT_AGGREGATE_CONTRADICTION", "XML_RESULT_MISMATCH"),
    row("M-47", edit(FINISHED, aggregate_passed=6, aggregate_skipped=0), REJECTED, "ROOT_AGGREGATE_CONTRADICTION"),
    row("M-48", edit(FINISHED, aggregate_total=7), REJECTED, "ROOT_AGGREGATE_CONTRADICTION"),
    row("M-49", edit(FINISHED, observer_generation=OTHER), REJECTED, "ROOT_PROVENANCE_INVALID", "GENERATION_JUMP"),
    row("M-50", lines(another_generation), REJECTED, "GENERATION_JUMP"),
    row("M-51", event(8, "domain_reloading"), REJECTED, "RELOAD_WITHOUT_NEW_GENERATION"),
    row("M-52", event(8, "infrastructure_error", message="no"), REJECTED, "INFRASTRUCTURE_ERROR"),
    row("M-53", event(FINALIZED, "abandoned"), INCOMPLETE, "ABANDONED"),
    row("M-54", event(FINALIZED, "cancelled"), REJECTED, "CANCELLED"),
    row("M-55", event(FINALIZED, "dispatch_failed"), REJECTED, "DISPATCH_FAILED"),
    row("M-56", event(8, "cancel_requested"), ACCEPTED, "CANCEL_REQUESTED", release=REJECTED),
    row("M-57", RETRY, REJECTED, "SUMMARY_MISMATCH", "RETRY_MASKED_FAILURE"),
    row("M-58", several(RETRY, summary_with_retry), ACCEPTED, "RETRY_MASKED_FAILURE", release=REJECTED),
    row("M-59", edit(FINISH_1, occurred_utc="2026-08-05T10:20:31.0304417Z"), REJECTED, "TIME_ORDER"),
    row("M-60", edit(FINISH_1, occurred_utc="2026-08-05T12:20:31.0533871+02:00"), REJECTED, "TIMESTAMP_MALFORMED"),
    row("M-61", edit(FINISH_1, test_id="1007"), REJECTED, "LEAF_METADATA_MISMATCH"),
    row("M-62", edit(FINISH_1, full_name="Other"), REJECTED, "LEAF_METADATA_MISMATCH"),
    row("M-63", delete(EVENTS), INCOMPLETE, "EVENT_FILE_MISSING"),
]  # fmt: skip

MANIFESTS = [
    row("M-64", drop(0, name=MANIFEST), REJECTED, "UNEXPECTED_TERMINAL_EVIDENCE", "MANIFEST_COUNT_MISMATCH"),
    row("M-65", several(drop(0, name=MANIFEST), drop(START_1, FINISH_1)), REJECTED, "ROOT_AGGREGATE_CONTRADICTION", "MANIFEST_COUNT_MISMATCH", "XML_UNEXPECTED_CASE"),
    row("M-66", lines(lambda records: records.append({**records[0], "unique_name": "More", "full_name": "More", "test_id": "9"}), MANIFEST), REJECTED, "XML_MISSING_CASE", "MANIFEST_COUNT_MISMATCH", "TERMINAL_EVIDENCE_MISSING"),
    row("M-67", lines(lambda records: records.append(records[0]), MANIFEST), REJECTED, "MANIFEST_DUPLICATE"),
    row("M-68", lines(lambda records: records.append({**records[0], "test_id": "9"}), MANIFEST), REJECTED, "MANIFEST_CONFLICT"),
    row("M-69", edit(0, MANIFEST, run_id="run-other"), REJECTED, "MANIFEST_RUN_ID_MISMATCH"),
    row("M-70", raw(MANIFEST, lambda data: data[:-60]), REJECTED, "MANIFEST_LINE_CORRUPT"),
    row("M-71", delete(MANIFEST), REJECTED, "UNEXPECTED_TERMINAL_EVIDENCE", "MANIFEST_FILE_MISSING"),
    row("M-72", edit(0, MANIFEST, mode="PlayMode"), REJECTED, "MANIFEST_MODE_MISMATCH"),
]  # fmt: skip

FINGERPRINT = "17f2d6d7106fff2d259ddd2d4c167c5ec4d4ac9e2b449326a7e3c953b1166a16"
OTHER_FINGERPRINT = "27f2d6d7106fff2d259ddd2d4c167c5ec4d4ac9e2b449326a7e3c953b1166a16"
LATER = "2026-08-05T10:20:40.0000000Z"
LOCK = "Packages/packages-lock.json"


def lock_from_registry(bundle: Bundle) -> None:
    path = bundle.root / LOCK
    path.write_text(path.read_text().replace('"builtin"', '"registry"'))


def stray(bundle: Bundle) -> None:
    bundle.path(f"run.json.{OTHER}.tmp").write_text("{}")


RECORDS = [
    row("M-73", fields("run.json", run_id="run-other"), REJECTED, "RUN_ID_MISMATCH"),
    row("M-74", fields("run.json", request_id="other"), REJECTED, "POINTER_MISMATCH", "REQUEST_MISSING"),
    row("M-75", fields("run.json", utf_version="1.8.0"), REJECTED, "UTF_VERSION_MISMATCH", "FINGERPRINT_MALFORMED"),
    row("M-76", several(fields("run.json", utf_version="1.8.0"), text("run.json", ";utf=1.6.0", ";utf=1.8.0")), REJECTED, "UTF_VERSION_MISMATCH"),
    row("M-77", text("run.json", FINGERPRINT, OTHER_FINGERPRINT), REJECTED, "SUMMARY_MISMATCH"),
    row("M-78", several(text("run.json", FINGERPRINT, OTHER_FINGERPRINT), text("summary.json", FINGERPRINT, OTHER_FINGERPRINT)), ACCEPTED),
    row("M-79", fields("run.json", build_coherent=False), REJECTED, "BUILD_INCOHERENT"),
    row("M-80", fields("run.json", build_error="no"), REJECTED, "BUILD_INCOHERENT"),
    row("M-81", fields("run.json", lifecycle="finalizing", outcome=""), INCOMPLETE, "RUN_NOT_TERMINAL"),
    row("M-82", fields("run.json", lifecycle="finalizing"), REJECTED, "RUN_STATE_CONTRADICTION", "RUN_NOT_TERMINAL"),
    row("M-83", fields("run.json", outcome="failed"), REJECTED, "RUN_FAILED", "TERMINAL_OUTCOME_CONTRADICTION"),
    row("M-84", fields("run.json", health="reloading"), REJECTED, "HEALTH_NOT_HEALTHY"),
    row("M-85", fields("run.json", utf_guid=""), REJECTED, "UTF_GUID_MISSING"),
    row("M-86", fields("run.json", source="unity-ui"), REJECTED, "SOURCE_NOT_CORRELATED"),
    row("M-87", fields("run.json", filter="Other"), REJECTED, "RUN_REQUEST_MISMATCH", "CALLER_EXPECTATION_MISMATCH"),
    row("M-88", fields("run.json", project_identity="/srv/demo/other"), REJECTED, "CALLER_EXPECTATION_MISMATCH"),
    row("M-89", fields("run.json", started_utc=LATER), REJECTED, "TIME_ORDER"),
    row("M-90", delete("run.json"), INCOMPLETE, "RUN_RECORD_MISSING"),
    row("M-91", fields("request", run_id="run-other"), REJECTED, "REQUEST_IDENTITY_MISMATCH"),
    row("M-92", fields("request", intent_complete=False), REJECTED, "REQUEST_INTENT_INCOMPLETE"),
    row("M-93", fields("request", state="dispatched"), INCOMPLETE, "REQUEST_NOT_TERMINAL"),
    row("M-94", fields("request", filter="Other"), REJECTED, "RUN_REQUEST_MISMATCH"),
    row("M-95", delete("request"), INCOMPLETE, "REQUEST_MISSING"),
    row("M-96", fields("environment.json", restored_utc=""), INCOMPLETE, "ENVIRONMENT_NOT_RESTORED"),
    row("M-97", text("environment.json", "__mcp_test_run_run-7", "__mcp_test_run_run-8"), REJECTED, "ENVIRONMENT_SHAPE"),
    row("M-98", fields("environment.json", preview_scene_baseline_captured=False), REJECTED, "ENVIRONMENT_SHAPE"),
    row("M-99", fields("environment.json", run_id="run-other"), REJECTED, "ENVIRONMENT_IDENTITY"),
    row("M-100", delete("environment.json"), INCOMPLETE, "ENVIRONMENT_MISSING"),
    row("M-101", fields("active.json", request_id="other"), REJECTED, "POINTER_MISMATCH"),
    row("M-102", stray, ACCEPTED, "STRAY_TEMP_FILE"),
    row("M-103", lock_from_registry, REJECTED, "PACKAGE_LOCK_MISMATCH"),
]  # fmt: skip

CASE = '<test-case id="1006"'
FAILED_CASE = (
    '<test-case id="1099" name="Other" fullname="Grove.Other" methodname="Other" classname="Grove" runstate="Runnable" '
    'seed="1" result="Failed" start-time="x" end-time="x" duration="0.0" asserts="0"></test-case>'
)


def case_of(data: bytes, number: int) -> tuple[int, int]:
    start = data.index(f'<test-case id="{number}"'.encode())
    return start, data.index(b"</test-case>", start) + len(b"</test-case>")


def drop_case(data: bytes) -> bytes:
    start, end = case_of(data, 1006)
    return data[:start] + data[end:]


def repeat_case(data: bytes) -> bytes:
    start, end = case_of(data, 1006)
    return data[:end] + data[start:end] + data[end:]


def without_cases(data: bytes, *numbers: int) -> bytes:
    for number in numbers:
        start, end = case_of(data, number)
        data = data[:start] + data[end:]
    return data


DOCUMENTS = [
    row("M-104", delete(XML), INCOMPLETE, "XML_MISSING"),
    row("M-105", raw(XML, lambda data: data[:-200]), REJECTED, "XML_CORRUPT"),
    row("M-106", raw(XML, lambda data: data.replace(b"test-run", b"test-rum")), REJECTED, "XML_ROOT_INVALID"),
    row("M-107", text(XML, CASE, FAILED_CASE + CASE), REJECTED, "XML_UNEXPECTED_CASE", "XML_ROOT_COUNTS"),
    row("M-108", raw(XML, drop_case), REJECTED, "XML_MISSING_CASE", "XML_ROOT_COUNTS"),
    row("M-109", text(XML, 'seed="1411907325" result="Passed"', 'seed="1411907325" result="Failed"'), REJECTED, "XML_RESULT_MISMATCH", "XML_ROOT_COUNTS"),
    row("M-110", raw(XML, repeat_case), REJECTED, "XML_DUPLICATE_CASE"),
    row("M-111", text(XML, 'total="6" passed="5"', 'total="6" passed="6"'), REJECTED, "XML_ROOT_COUNTS"),
    row("M-112", text(XML, 'testcasecount="6" result="Passed"', 'testcasecount="6" result="Failed(Child)"'), REJECTED, "XML_ROOT_RESULT_MISMATCH"),
    row("M-113a", text(XML, CASE, '<test-case id="1007"'), REJECTED, "XML_ID_MISMATCH"),
    row("M-113b", text(XML, 'total="4" passed="4"', 'total="4" passed="3"'), REJECTED, "XML_SUITE_COUNTS"),
]  # fmt: skip


def error_issue(bundle: Bundle) -> None:
    bundle.change(
        "summary.json",
        issues=[{"code": "X", "severity": "error", "path": "", "line": 0, "identity": "", "message": ""}],
    )


def stale(bundle: Bundle) -> None:
    size = bundle.json("summary.json")["event_evidence_bytes"]
    assert isinstance(size, int)
    bundle.change("summary.json", event_evidence_bytes=size + 1)


SUMMARIES = [
    row("M-114", fields("summary.json", passed=6), REJECTED, "SUMMARY_MISMATCH"),
    row("M-115", fields("summary.json", manifest_complete=False), REJECTED, "SUMMARY_MISMATCH"),
    row("M-116", fields("summary.json", cleanup_complete=False), REJECTED, "SUMMARY_MISMATCH"),
    row("M-117", fields("summary.json", missing_count=1), REJECTED, "SUMMARY_MISMATCH"),
    row("M-118", fields("summary.json", outcome="failed"), REJECTED, "SUMMARY_MISMATCH"),
    row("M-119", fields("summary.json", run_id="run-other"), REJECTED, "SUMMARY_MISMATCH"),
    row("M-120a", fields("summary.json", failed=False), REJECTED, "FIELD_TYPE", "SUMMARY_MISMATCH"),
    row("M-120b", fields("summary.json", skipped=True), REJECTED, "FIELD_TYPE", "SUMMARY_MISMATCH"),
    row("M-121", stale, REJECTED, "SUMMARY_STALE"),
    row("M-122", error_issue, REJECTED, "SUMMARY_MISMATCH"),
    row("M-123a", fields("summary.json", utf_xml_scope="partial"), REJECTED, "SUMMARY_MISMATCH"),
    row("M-123b", text("summary.json", FINGERPRINT, OTHER_FINGERPRINT), REJECTED, "SUMMARY_MISMATCH"),
    row("M-124", delete("summary.json"), INCOMPLETE, "SUMMARY_MISSING"),
]

# A reload behind the third leaf: lines 0 to 7 in the first domain, then the announcement, then the second domain.
SECOND = "b" * 32
AFTER_RELOAD = 9


def reloaded(bundle: Bundle) -> None:
    """Turns the example into one whose domain was reloaded in the middle."""
    records = bundle.lines(EVENTS)
    for record in records[8:]:
        record["observer_generation"] = SECOND
    reload: Object = {
        **records[SEALED], "event_id": OTHER, "event_type": "domain_reloading", "expected_count": 0,
        "occurred_utc": records[7]["occurred_utc"],
    }  # fmt: skip
    records.insert(8, reload)
    untrusted: Object = {name: 0 for name in records[15] if name.startswith("aggregate_")}
    records[15].update(untrusted, has_aggregate=False, root_trusted=False)
    bundle.write_lines(EVENTS, records)
    durations = [record["duration_seconds"] for record in records if record["event_type"] == "test_finished"]
    bundle.change(
        "summary.json", utf_xml_scope="partial", duration_seconds=sum(d for d in durations if isinstance(d, float))
    )


RELOADED_FINISH = 15
PARTIAL = raw(XML, lambda data: without_cases(data, 1006, 1008, 1009))
AGGREGATE = edit(RELOADED_FINISH, has_aggregate=True, aggregate_passed=5, aggregate_skipped=1, aggregate_total=6)
RELOADS = [
    row("M-125", several(), ACCEPTED),
    row("M-126", PARTIAL, ACCEPTED),
    row("M-127", drop(FINISH_3), INCOMPLETE, "TERMINAL_EVIDENCE_MISSING"),
    row("M-128", drop(8), REJECTED, "GENERATION_JUMP"),
    row("M-129", several(AGGREGATE, edit(RELOADED_FINISH, root_trusted=True)), REJECTED, "ROOT_PROVENANCE_INVALID"),
    row("M-130", AGGREGATE, REJECTED, "UNTRUSTED_ROOT_AGGREGATE"),
    row("M-131", edit(RELOADED_FINISH, outcome="failed", result_state="Failed(Child)"), ACCEPTED, "PARTIAL_ROOT_NOT_PASSED", release=REJECTED),
    row("M-132", lines(lambda records: records[AFTER_RELOAD + 1].update(observer_generation=records[0]["observer_generation"])), REJECTED, "RELOAD_WITHOUT_NEW_GENERATION", "GENERATION_JUMP"),
    row("M-133", text(XML, 'seed="1411907325" result="Passed"', 'seed="1411907325" result="Failed"'), REJECTED, "XML_RESULT_MISMATCH"),
]  # fmt: skip


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return Bundle(tmp_path / "project")


def test_the_example_is_accepted_with_no_warning(bundle: Bundle) -> None:
    verdict = bundle.release()
    assert (verdict.verdict, codes(verdict)) == (ACCEPTED, set())


def assert_judged(bundle: Bundle, expected: Row) -> None:
    verdict = bundle.judge()
    assert verdict.verdict == expected.verdict, sorted(codes(verdict))
    assert set(expected.codes) <= codes(verdict)
    assert bundle.release().verdict == (expected.release or expected.verdict)


@pytest.mark.parametrize("expected", [*JOURNAL, *MANIFESTS, *RECORDS, *DOCUMENTS], ids=lambda row: row.name)
def test_a_change_of_primary_evidence(bundle: Bundle, expected: Row) -> None:
    expected.mutation(bundle)
    bundle.refresh()
    assert_judged(bundle, expected)


@pytest.mark.parametrize("expected", SUMMARIES, ids=lambda row: row.name)
def test_a_change_of_the_summary(bundle: Bundle, expected: Row) -> None:
    expected.mutation(bundle)
    assert_judged(bundle, expected)


@pytest.mark.parametrize("expected", RELOADS, ids=lambda row: row.name)
def test_a_change_of_a_run_with_a_reload(bundle: Bundle, expected: Row) -> None:
    reloaded(bundle)
    expected.mutation(bundle)
    bundle.refresh()
    assert_judged(bundle, expected)


@pytest.mark.parametrize("name", [EVENTS, MANIFEST, "run.json", "environment.json"])
def test_a_forger_who_forgets_the_stamps_is_told_so(bundle: Bundle, name: str) -> None:
    bundle.write_bytes(name, bundle.read_bytes(name) + b" ")
    assert "SUMMARY_STALE" in codes(bundle.judge())


def test_the_example_is_as_the_writer_writes() -> None:
    """Mutations go through ``json``: what it writes must be what was there."""
    example = Path(__file__).parents[2] / "examples" / "evidence" / "durable-run"
    for path in example.rglob("*.json*"):
        if "TestRuns" in path.parts:
            for line in path.read_text(encoding="utf-8").split("\n") if path.suffix == ".jsonl" else ():
                assert not line or json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False) == line


@pytest.mark.parametrize(
    ("name", "field"),
    [("run.json", "assembly_write_utc"), ("run.json", "source_write_utc"), ("request", "acknowledged_utc")],
)
def test_a_time_that_is_compared_with_nothing_has_its_form_all_the_same(bundle: Bundle, name: str, field: str) -> None:
    bundle.change(name, **{field: "2026-08-05T10:18:44Z"})
    bundle.refresh()
    verdict = bundle.judge()
    assert verdict.verdict == REJECTED
    assert "TIMESTAMP_MALFORMED" in codes(verdict)


RECOVERED = "Assets/UnityMCPRecovery/TestRuns"


def test_a_scene_that_was_put_aside_is_told(bundle: Bundle) -> None:
    copy = bundle.root / RECOVERED / bundle.run.name / "recovered-Grid.unity"
    copy.parent.mkdir(parents=True)
    copy.write_text("%YAML 1.1\n")
    verdict = bundle.judge()
    assert (verdict.verdict, codes(verdict)) == (ACCEPTED, {"RECOVERY_COPY_PRESENT"})


def test_a_scene_of_another_run_is_not(bundle: Bundle) -> None:
    copy = bundle.root / RECOVERED / "run-other" / "recovered-Grid.unity"
    copy.parent.mkdir(parents=True)
    copy.write_text("%YAML 1.1\n")
    assert codes(bundle.judge()) == set()


def in_category(name: str, number: int, *, of_suite: bool = False) -> Mutation:
    """Gives a case a category, or the suite that it stands in."""
    properties = f'<properties><property name="Category" value="{name}"/></properties>'.encode()

    def change(data: bytes) -> bytes:
        start, _ = case_of(data, number)
        start = data.rindex(b"<test-suite", 0, start) if of_suite else start
        end = data.index(b">", start)
        if data[end - 1 : end] == b"/":
            return data[: end - 1] + b">" + properties + b"</test-case>" + data[end + 1 :]
        return data[: end + 1] + properties + data[end + 1 :]

    return raw(XML, change)


WORKER_ONLY = ("UnityMCP.FaultInjection",)
PASSED_CASE, SKIPPED_CASE = 1006, 1013


@pytest.mark.parametrize(
    ("mutation", "verdict", "state"),
    [
        (several(), ACCEPTED, "not evaluated"),
        (in_category("UnityMCP.FaultInjection", PASSED_CASE), REJECTED, "failed"),
        (in_category("UnityMCP.FaultInjection", PASSED_CASE, of_suite=True), REJECTED, "failed"),
        (in_category("Other", PASSED_CASE), ACCEPTED, "held"),
        (in_category("UnityMCP.FaultInjection", SKIPPED_CASE), ACCEPTED, "held"),
    ],
    ids=["no category", "passed", "passed in a suite", "another category", "skipped"],
)
def test_a_test_that_only_a_worker_may_run(bundle: Bundle, mutation: Mutation, verdict: str, state: str) -> None:
    mutation(bundle)
    expected = expectations({}, STATED)._replace(worker_only_categories=WORKER_ONLY)
    found = judged(taken(str(bundle.root)), expected)
    (judged_,) = (each for each in found.conditions if each.code == "EVD158")
    assert (found.verdict, judged_.state) == (verdict, state)
