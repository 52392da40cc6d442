"""A-01 to A-19: the request, the record of the run, and what was expected of it."""

import os
import re
from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable.journal import RUN_OUTCOMES
from guards.evidence.readers.durable.locate import IDENTITY
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.readers.durable.records import RunRecord
from guards.evidence.readers.durable.times import is_time

_AGAIN = "start the run again through the correlated runner, and keep all of its files"
_GUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.ASCII)
_FINGERPRINT = re.compile(r"sha256=[0-9a-f]{64};assemblies=([1-9][0-9]*);utf=(.+)", re.ASCII)
_OUTCOME_CODES = {
    "failed": "RUN_FAILED",
    "cancelled": "RUN_CANCELLED",
    "invalid": "RUN_INVALID",
    "dispatch_failed": "RUN_DISPATCH_FAILED",
    "incomplete": "RUN_INCOMPLETE",
}


def record_of(run: DurableRun) -> RunRecord:
    """The record of the run.

    Raises:
        NotEvaluated: there is none, which is a reason of its own.
    """
    if run.record is None:
        raise NotEvaluated("the run has no record that could be read")
    return run.record


def in_record(run: DurableRun, field: str) -> Where:
    """A field of the record of the run."""
    return Where(run.located.run_file("run.json"), 0, field)


def _in_request(run: DurableRun, field: str) -> Where:
    return Where(run.located.request_file, 0, field)


@condition(
    "EVD111",
    "request-there",
    {"REQUEST_MISSING": INCOMPLETE, "REQUEST_CORRUPT": REJECT, "REQUEST_IDENTITY_MISMATCH": REJECT},
    _AGAIN,
    source="A-01",
    broken=(Change("*/requests/*.json", "", "", "the request is gone", ("REQUEST_MISSING",)),),
)
def request_there(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The request exists and carries its own name.

    Without the request nobody can say what was asked for, only what came of it.
    """
    del expected
    yield from run.found.of("A-01")
    if not run.located.request_file or run.located.request_file in run.absent:
        where = Where(run.located.request_file or run.located.store_file("requests") or "requests")
        yield Reason("REQUEST_MISSING", where, run.located.request_id, "the request is not there")
    elif run.request is not None and run.request.request_id != run.located.request_id:
        detail = f"it calls itself `{run.request.request_id}`"
        yield Reason("REQUEST_IDENTITY_MISMATCH", _in_request(run, "request_id"), run.located.request_id, detail)


@condition(
    "EVD112",
    "one-identity",
    {
        "REQUEST_IDENTITY_MISMATCH": REJECT,
        "RUN_RECORD_MISSING": INCOMPLETE,
        "RUN_RECORD_CORRUPT": REJECT,
        "RUN_ID_MISMATCH": REJECT,
    },
    _AGAIN,
    source="A-02",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"run_id": "run-7',
            '"run_id": "run-8',
            "the record of another run",
            ("RUN_ID_MISMATCH",),
        ),
        Change(
            "*/requests/*.json",
            '"run_id": "run-7',
            '"run_id": "run-8',
            "the request of another run",
            ("REQUEST_IDENTITY_MISMATCH",),
        ),
    ),
)
def one_identity(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Request, record and folder name one run and one request."""
    yield from run.found.of("A-02")
    located, record, request = run.located, run.record, run.request
    if located.run_file("run.json") in run.absent:
        yield Reason("RUN_RECORD_MISSING", Where(located.run_file("run.json")), located.run_id, "there is no record")
    for name, identity in (("run", located.run_id), ("request", located.request_id)):
        if identity and not IDENTITY.fullmatch(identity):
            yield Reason("REQUEST_IDENTITY_MISMATCH", in_record(run, ""), identity, f"it is no name of a {name}")
    if record is not None and record.run_id != located.run_id:
        detail = f"the record is that of `{record.run_id}`"
        yield Reason("RUN_ID_MISMATCH", in_record(run, "run_id"), located.run_id, detail)
    if request is not None and request.run_id != located.run_id:
        detail = f"the request is that of `{request.run_id}`"
        yield Reason("REQUEST_IDENTITY_MISMATCH", _in_request(run, "run_id"), located.run_id, detail)
    if expected.request_id is not None and record is not None and record.request_id != expected.request_id:
        detail = f"the record is that of `{record.request_id}`"
        yield Reason("REQUEST_IDENTITY_MISMATCH", in_record(run, "request_id"), expected.request_id, detail)


@condition(
    "EVD113",
    "schema-known",
    {
        "RUN_SCHEMA_UNSUPPORTED": REJECT,
        "MANIFEST_SCHEMA_UNSUPPORTED": REJECT,
        "EVENT_SCHEMA_UNSUPPORTED": REJECT,
        "RECORD_SCHEMA_UNSUPPORTED": REJECT,
    },
    "look whether a newer version of Suiteguard knows the schema",
    source="A-03",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"schema_version": 1',
            '"schema_version": 2',
            "another schema",
            ("RUN_SCHEMA_UNSUPPORTED",),
        ),
    ),
)
def schema_known(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Every record has schema version 1."""
    del expected
    yield from run.found.of("A-03")
    if run.record is not None and run.record.schema_version != 1:
        detail = f"it is {run.record.schema_version}"
        yield Reason("RUN_SCHEMA_UNSUPPORTED", in_record(run, "schema_version"), run.located.run_id, detail)
    others = (
        (run.request, run.located.request_file),
        (run.environment, run.located.run_file("environment.json")),
        (run.summary, run.located.run_file("summary.json")),
        *((pointer, run.located.store_file(name)) for name, pointer in run.pointers.items()),
    )
    for record, path in others:
        if record is not None and record.schema_version != 1:
            detail = f"it is {record.schema_version}"
            yield Reason("RECORD_SCHEMA_UNSUPPORTED", Where(path, 0, "schema_version"), run.located.run_id, detail)


@condition(
    "EVD114",
    "intent-complete",
    {"REQUEST_INTENT_INCOMPLETE": REJECT},
    _AGAIN,
    source="A-04",
    broken=(
        Change("*/requests/*.json", "true", "false", "nobody wrote what was meant", ("REQUEST_INTENT_INCOMPLETE",)),
    ),
)
def intent_complete(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The request was complete before anything was started."""
    del expected
    if run.request is not None and not run.request.intent_complete:
        yield Reason("REQUEST_INTENT_INCOMPLETE", _in_request(run, "intent_complete"), run.request.request_id)


@condition(
    "EVD115",
    "request-terminal",
    {"REQUEST_NOT_TERMINAL": INCOMPLETE},
    "wait until the request is terminal, and accept again",
    source="A-05",
    broken=(
        Change(
            "*/requests/*.json", '"terminal"', '"dispatched"', "the request is still open", ("REQUEST_NOT_TERMINAL",)
        ),
    ),
)
def request_terminal(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The request is terminal."""
    del expected
    if run.request is not None and run.request.state != "terminal":
        yield Reason(
            "REQUEST_NOT_TERMINAL", _in_request(run, "state"), run.request.request_id, f"it is `{run.request.state}`"
        )


@condition(
    "EVD116",
    "request-agrees",
    {"RUN_REQUEST_MISMATCH": REJECT},
    _AGAIN,
    source="A-06",
    broken=(
        Change(
            "*/requests/*.json",
            '"filter": "Grove',
            '"filter": "Birch',
            "another filter was asked for",
            ("RUN_REQUEST_MISMATCH",),
        ),
    ),
)
def request_agrees(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Run and request agree on mode, group, filter and the time of creation."""
    del expected
    if run.request is None or run.record is None:
        return
    for field in ("mode", "group", "filter", "created_utc"):
        asked, made = getattr(run.request, field), getattr(run.record, field)
        if asked != made:
            yield Reason(
                "RUN_REQUEST_MISMATCH", in_record(run, field), run.located.run_id, f"`{made}`, asked for was `{asked}`"
            )


@condition(
    "EVD117",
    "source-correlated",
    {"SOURCE_NOT_CORRELATED": REJECT},
    "start the run through the correlated runner: one that somebody started in the editor answers no request",
    source="A-07",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"source": "mcp"',
            '"source": "unity-ui"',
            "somebody pressed a button",
            ("SOURCE_NOT_CORRELATED",),
        ),
    ),
)
def source_correlated(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The run answers a request of the correlated runner."""
    del expected
    record = record_of(run)
    if record.source != "mcp":
        yield Reason(
            "SOURCE_NOT_CORRELATED", in_record(run, "source"), record.run_id, f"its source is `{record.source}`"
        )


@condition(
    "EVD118",
    "framework-run",
    {"UTF_GUID_MISSING": REJECT, "UTF_GUID_MALFORMED": REJECT},
    _AGAIN,
    source="A-08",
    broken=(
        Change(
            "*/runs/*/run.json",
            "5e2c9a14-7b3d-4f60-8a91-c4d7e0b6f238",
            "",
            "the framework never took the run",
            ("UTF_GUID_MISSING",),
        ),
        Change("*/runs/*/run.json", "5e2c9a14-7b3d", "5E2C9A14-7b3d", "an id of another form", ("UTF_GUID_MALFORMED",)),
    ),
)
def framework_run(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The test framework took the run and gave it an id."""
    del expected
    record = record_of(run)
    if not record.utf_guid:
        yield Reason("UTF_GUID_MISSING", in_record(run, "utf_guid"), record.run_id, "it has no id of the framework")
    elif not _GUID.fullmatch(record.utf_guid):
        yield Reason("UTF_GUID_MALFORMED", in_record(run, "utf_guid"), record.run_id, f"`{record.utf_guid}` is no id")


@condition(
    "EVD119",
    "as-expected",
    {"CALLER_EXPECTATION_MISMATCH": REJECT},
    "run what is expected, or state what you expect of this run",
    source="A-09",
    broken=(
        Change(
            "*/run.json", '"filter": "Grove', '"filter": "Birch', "another filter", ("CALLER_EXPECTATION_MISMATCH",)
        ),
    ),
)
def as_expected(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Mode, filter, group and project are what the caller expects.

    Where the caller states nothing, the request says what was asked for; then the verdict says so.
    """
    record = record_of(run)
    asked = run.request
    for name, stated, made in (
        ("mode", expected.mode, record.mode),
        ("filter", expected.filter, record.filter),
        ("group", expected.group, record.group),
    ):
        wanted = stated if stated is not None else getattr(asked, name) if asked is not None else None
        if wanted is not None and wanted != made:
            detail = f"`{made}`, expected is `{wanted}`"
            yield Reason("CALLER_EXPECTATION_MISMATCH", in_record(run, name), record.run_id, detail)
    if expected.project is not None and _resolved(expected.project) != _resolved(record.project_identity):
        detail = f"`{record.project_identity}`, expected is `{expected.project}`"
        yield Reason("CALLER_EXPECTATION_MISMATCH", in_record(run, "project_identity"), record.run_id, detail)
    if expected.run_id is not None and record.run_id != expected.run_id:
        detail = f"expected is `{expected.run_id}`"
        yield Reason("CALLER_EXPECTATION_MISMATCH", in_record(run, "run_id"), record.run_id, detail)
    unstated = [name for name in ("mode", "filter", "group", "project") if getattr(expected, name) is None]
    if "project" in unstated or asked is None:
        raise NotEvaluated(
            f"nobody stated {', '.join(unstated)}{'' if asked is None else '; the request says the others'}"
        )


def _resolved(path: str) -> str:
    return os.path.normcase(os.path.realpath(path))


@condition(
    "EVD120",
    "build-coherent",
    {"BUILD_INCOHERENT": REJECT},
    "let the editor compile until it is idle, and run again",
    source="A-10",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"build_coherent": true',
            '"build_coherent": false',
            "something else was loaded",
            ("BUILD_INCOHERENT",),
        ),
        Change(
            "*/runs/*/run.json",
            '"build_error": ""',
            '"build_error": "older"',
            "the build failed",
            ("BUILD_INCOHERENT",),
        ),
    ),
)
def build_coherent(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """What was loaded is what was built."""
    del expected
    record = record_of(run)
    if not record.build_coherent or record.build_error:
        field = "build_error" if record.build_error else "build_coherent"
        yield Reason(
            "BUILD_INCOHERENT", in_record(run, field), record.run_id, record.build_error or "it says that it is not"
        )


@condition(
    "EVD121",
    "framework-version",
    {"UTF_VERSION_MISMATCH": REJECT},
    "pin the version of the test framework in the package manifest, and run again",
    source="A-11",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"utf_version": "1.6.0"',
            '"utf_version": "1.8.0"',
            "another framework",
            ("UTF_VERSION_MISMATCH",),
        ),
    ),
)
def framework_version(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The test framework has the version that is expected."""
    record = record_of(run)
    if expected.framework_version is None:
        raise NotEvaluated("nobody stated a version; `--expect framework-version=…`")
    if record.utf_version != expected.framework_version:
        detail = f"`{record.utf_version}`, expected is `{expected.framework_version}`"
        yield Reason("UTF_VERSION_MISMATCH", in_record(run, "utf_version"), record.run_id, detail)


@condition(
    "EVD122",
    "fingerprint-well-formed",
    {"FINGERPRINT_MALFORMED": REJECT},
    _AGAIN,
    source="A-12",
    broken=(
        Change("*/runs/*/run.json", "assemblies=7", "assemblies=0", "a build of nothing", ("FINGERPRINT_MALFORMED",)),
        Change(
            "*/runs/*/run.json",
            ";utf=1.6.0",
            ";utf=1.5.0",
            "a build with another framework",
            ("FINGERPRINT_MALFORMED",),
        ),
    ),
)
def fingerprint_well_formed(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The fingerprint of the build is whole and names the same framework."""
    del expected
    record = record_of(run)
    match = _FINGERPRINT.fullmatch(record.build_fingerprint)
    if match is None or match[2] != record.utf_version:
        detail = f"`{record.build_fingerprint}`"
        yield Reason("FINGERPRINT_MALFORMED", in_record(run, "build_fingerprint"), record.run_id, detail)


@condition(
    "EVD123",
    "editor-version",
    {"EDITOR_VERSION_MISMATCH": REJECT},
    "run in the editor that the project pins",
    source="A-13",
    broken=(
        Change(
            "*/runs/*/run.json", "6000.0.65f1:48213", "6000.1.2f1:48213", "another editor", ("EDITOR_VERSION_MISMATCH",)
        ),
        Change(
            "*/runs/*/run.json",
            '"editor_session_id": "0d9e3b7a61c24f85a7d2e4c8b1f6095a"',
            '"editor_session_id": ""',
            "no session",
            ("EDITOR_VERSION_MISMATCH",),
        ),
    ),
)
def editor_version(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The editor has the version that is expected, and a session."""
    record = record_of(run)
    if not record.editor_session_id:
        yield Reason("EDITOR_VERSION_MISMATCH", in_record(run, "editor_session_id"), record.run_id, "it has no session")
    if expected.editor_version is None:
        raise NotEvaluated("nobody stated a version; `--expect editor-version=…`")
    if not record.editor_process_identity.startswith(f"{expected.editor_version}:"):
        detail = f"`{record.editor_process_identity}`, expected is `{expected.editor_version}`"
        yield Reason("EDITOR_VERSION_MISMATCH", in_record(run, "editor_process_identity"), record.run_id, detail)


@condition(
    "EVD125",
    "assembly-fresh",
    {"ASSEMBLY_OLDER_THAN_SOURCE": WARNING},
    "compile, and run again; after a build from the cache of an unchanged source this is harmless",
    source="A-15",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"assembly_write_utc": "2026-08-05',
            '"assembly_write_utc": "2026-08-03',
            "older than its source",
            ("ASSEMBLY_OLDER_THAN_SOURCE",),
        ),
    ),
)
def assembly_fresh(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The assembly is not older than its source."""
    del expected
    record = record_of(run)
    if record.assembly_write_utc < record.source_write_utc:
        detail = f"{record.assembly_write_utc}, its source {record.source_write_utc}"
        yield Reason("ASSEMBLY_OLDER_THAN_SOURCE", in_record(run, "assembly_write_utc"), record.run_id, detail)


@condition(
    "EVD126",
    "run-terminal",
    {"RUN_NOT_TERMINAL": INCOMPLETE, "RUN_STATE_CONTRADICTION": REJECT},
    "wait until the run is terminal, and accept again",
    source="A-16",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"lifecycle": "terminal"',
            '"lifecycle": "finalizing"',
            "an end before the end",
            ("RUN_STATE_CONTRADICTION", "RUN_NOT_TERMINAL"),
        ),
    ),
)
def run_terminal(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The run is terminal and has one of the outcomes that a run can have."""
    del expected
    record = record_of(run)
    if record.lifecycle != "terminal":
        yield Reason("RUN_NOT_TERMINAL", in_record(run, "lifecycle"), record.run_id, f"it is `{record.lifecycle}`")
        if record.outcome:
            detail = f"it is `{record.lifecycle}` and has the outcome `{record.outcome}`"
            yield Reason("RUN_STATE_CONTRADICTION", in_record(run, "outcome"), record.run_id, detail)
    elif record.outcome not in RUN_OUTCOMES:
        yield Reason(
            "RUN_STATE_CONTRADICTION", in_record(run, "outcome"), record.run_id, f"`{record.outcome}` is no outcome"
        )


@condition(
    "EVD127",
    "run-passed",
    {
        "RUN_FAILED": REJECT,
        "RUN_CANCELLED": REJECT,
        "RUN_INVALID": REJECT,
        "RUN_DISPATCH_FAILED": REJECT,
        "RUN_INCOMPLETE": INCOMPLETE,
    },
    "mend what failed, and run again",
    source="A-17",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"outcome": "passed"',
            '"outcome": "failed"',
            "the run failed",
            ("RUN_FAILED", "TERMINAL_OUTCOME_CONTRADICTION"),
        ),
    ),
)
def run_passed(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The stored outcome is `passed`."""
    del expected
    record = record_of(run)
    if record.outcome in _OUTCOME_CODES:
        yield Reason(
            _OUTCOME_CODES[record.outcome], in_record(run, "outcome"), record.run_id, f"it is `{record.outcome}`"
        )


@condition(
    "EVD128",
    "healthy",
    {"HEALTH_NOT_HEALTHY": REJECT},
    _AGAIN,
    source="A-18",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"health": "healthy"',
            '"health": "reloading"',
            "it never came back",
            ("HEALTH_NOT_HEALTHY",),
        ),
    ),
)
def healthy(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The run ended healthy."""
    del expected
    record = record_of(run)
    if record.health != "healthy":
        yield Reason("HEALTH_NOT_HEALTHY", in_record(run, "health"), record.run_id, f"it is `{record.health}`")


@condition(
    "EVD129",
    "record-times-in-order",
    {"TIME_ORDER": REJECT, "TIMESTAMP_MALFORMED": REJECT},
    "run again; a clock that was set back during a run spoils it",
    source="A-19",
    broken=(
        Change(
            "*/runs/*/run.json",
            '"started_utc": "2026-08-05T10:20:31',
            '"started_utc": "2026-08-05T10:20:33',
            "it starts after its end",
            ("TIME_ORDER",),
        ),
    ),
)
def record_times_in_order(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Created, dispatched, started, finished, in that order; started is the journal's own start."""
    del expected
    record = record_of(run)
    before, before_name = "", ""
    for name in ("created_utc", "dispatched_utc", "started_utc", "finished_utc"):
        time = getattr(record, name)
        if not time and record.lifecycle != "terminal":
            continue
        if not is_time(time):
            yield Reason("TIMESTAMP_MALFORMED", in_record(run, name), record.run_id, f"`{time}` is no time")
            continue
        if time < before:
            yield Reason("TIME_ORDER", in_record(run, name), record.run_id, f"it is earlier than `{before_name}`")
        before, before_name = time, name
    started = run.journal.first("run_started")
    if started is not None and record.started_utc and record.started_utc != started.occurred_utc:
        detail = f"{record.started_utc}, in the journal {started.occurred_utc}"
        yield Reason("TIME_ORDER", in_record(run, "started_utc"), record.run_id, detail)


ASKED: tuple[Condition[DurableRun], ...] = (
    request_there,
    one_identity,
    schema_known,
    intent_complete,
    request_terminal,
    request_agrees,
    source_correlated,
    framework_run,
    as_expected,
    build_coherent,
    framework_version,
    fingerprint_well_formed,
    editor_version,
    assembly_fresh,
    run_terminal,
    run_passed,
    healthy,
    record_times_in_order,
)
