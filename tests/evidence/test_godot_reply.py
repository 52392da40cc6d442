"""Replies of a Godot editor's test run: the forms in which they are kept, and what passes that looks odd."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from evidence.godot_results import (
    SAMPLES,
    Json,
    Object,
    codes,
    green,
    inventory,
    judge_path,
    judge_reply,
    judge_text,
    judge_with_sources,
    red,
    result,
    row,
    skipped,
    source,
    timeout,
)

from guards.evidence.inventory import SourceTest
from guards.evidence.verdict import NOT_EVALUATED

DATA = result([*green("harbour", "test_a", "test_b"), skipped("mole", "test_c")])
FAILED = result([*green("harbour", "test_a"), red("mole", "test_b")])


def tool(data: Json, **more: Json) -> Object:
    return {"content": [{"type": "text", "text": json.dumps(data)}], **more}


def stream(*messages: Json) -> str:
    return "".join(f"event: message\ndata: {json.dumps(message)}\n\n" for message in messages)


NOTICE: Object = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
WRAPPED: dict[str, Callable[[Json], str]] = {
    "bare": json.dumps,
    "handler": lambda data: json.dumps({"data": data}),
    "handler-null-error": lambda data: json.dumps({"data": data, "error": None}),
    "socket": lambda data: json.dumps(
        {"request_id": "r", "status": "ok", "data": data, "error": None, "readiness": "ready"}
    ),
    "socket-watermark": lambda data: json.dumps(
        {"request_id": "r", "status": "ok", "data": data, "readiness": "ready", "error_watermark": 12}
    ),
    "tool-text": lambda data: json.dumps(tool(data)),
    "tool-structured": lambda data: json.dumps(tool(data, structuredContent=data, isError=False)),
    "tool-structured-with-prose": lambda data: json.dumps(
        {"content": [{"type": "text", "text": "3 tests"}], "structuredContent": data}
    ),
    "tool-boxed": lambda data: json.dumps(tool(data, structuredContent={"result": data}) | {"content": []}),
    "rpc": lambda data: json.dumps({"jsonrpc": "2.0", "id": 3, "result": tool(data)}),
    "stream": lambda data: stream({"jsonrpc": "2.0", "id": 3, "result": tool(data)}),
    "stream-with-notices": lambda data: (
        ": hello\n\n" + stream(NOTICE, {"jsonrpc": "2.0", "id": 3, "result": tool(data)})
    ),
    "stream-windows": lambda data: stream({"data": data}).replace("\n", "\r\n"),
    "stream-several-lines": lambda data: "".join(f"data: {line}\n" for line in json.dumps(data, indent=1).split("\n")),
    "byte-order-mark": lambda data: "\ufeff" + json.dumps(data),
    "tool-of-socket": lambda data: json.dumps(tool({"request_id": "r", "status": "ok", "data": data})),
}


@pytest.mark.parametrize("wrapper", WRAPPED)
def test_a_result_is_opened_whatever_it_is_wrapped_in(wrapper: str, tmp_path: Path) -> None:
    verdict = judge_text(tmp_path, WRAPPED[wrapper](DATA))
    assert verdict.verdict == "accepted", codes(verdict)
    assert (verdict.run.counts.passed, verdict.run.counts.skipped, verdict.run.counts.total) == (2, 1, 3)
    failed = judge_text(tmp_path, WRAPPED[wrapper](FAILED))
    assert (failed.verdict, codes(failed) - {"ENCODING_BOM"}) == ("rejected", {"TESTS_FAILED"})


OTHER = result(green("harbour", "test_a", "test_b"))
SOCKET: Object = {"request_id": "r", "status": "ok", "readiness": "ready"}


@pytest.mark.parametrize(
    ("text", "verdict", "code"),
    [
        (json.dumps({"data": DATA, "error": {"code": "X"}}), "rejected", "WRAPPER_CONTRADICTION"),
        (json.dumps({**SOCKET, "data": DATA, "error": {"code": "X"}}), "rejected", "WRAPPER_CONTRADICTION"),
        (json.dumps({**SOCKET, "data": {}, "error": {"code": "X"}}), "rejected", "WRAPPER_CONTRADICTION"),
        (json.dumps({**SOCKET, "status": "error", "data": DATA}), "rejected", "WRAPPER_CONTRADICTION"),
        (json.dumps(tool(DATA, structuredContent=OTHER)), "rejected", "WRAPPER_CONTRADICTION"),
        (json.dumps(SOCKET), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"data": None}), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"data": [1]}), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps([DATA]), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"data": {"data": DATA}}), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"data": DATA, "failed": 3}), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"content": [{"text": "{}"}, {"text": "{}"}]}), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"content": [{"type": "text", "text": "all is well"}]}), "incomplete", "WRAPPER_UNKNOWN"),
        (json.dumps({"content": [{"type": "text", "text": json.dumps(DATA)[:90]}]}), "incomplete", "JSON_INVALID"),
        (stream({"data": DATA}, {"data": DATA}), "incomplete", "JSON_INVALID"),
        (stream(NOTICE), "incomplete", "JSON_INVALID"),
        ("data: \n\n", "incomplete", "JSON_INVALID"),
        (
            json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "x"}}),
            "incomplete",
            "ERROR_REPLY",
        ),
        (json.dumps(tool(DATA, isError=True)), "incomplete", "ERROR_REPLY"),
        (json.dumps(tool(FAILED, isError=True)), "rejected", "TESTS_FAILED"),
        (
            json.dumps({"content": [{"text": "TRANSPORT_OUTCOME_UNKNOWN: gone"}], "isError": True}),
            "incomplete",
            "OUTCOME_UNKNOWN",
        ),
        (
            json.dumps({"error": {"code": "INTERNAL_ERROR", "data": {"pause_depth": 1, "phase": "run", "passed": 3}}}),
            "incomplete",
            "RUN_PAUSED",
        ),
        (
            json.dumps({"error": "No test suites found in res://tests/", "total": 0, "load_errors": []}),
            "incomplete",
            "NO_SUITES",
        ),
        (
            json.dumps({"data": {"error": "none", "total": 0, "load_errors": ["test_a.gd (x)"]}}),
            "rejected",
            "LOAD_ERRORS",
        ),
        ('{"data": ' * 300, "incomplete", "JSON_INVALID"),
        (json.dumps(DATA) + " trailing", "incomplete", "JSON_INVALID"),
        (json.dumps(DATA).replace('"passed": 2', '"passed": NaN'), "incomplete", "JSON_INVALID"),
        (json.dumps(DATA).replace('"passed": 2', '"passed": 2e0'), "rejected", "FIELD_TYPE"),
        (json.dumps(DATA).replace('"passed": 2', f'"passed": 2{"0" * 5000}'), "rejected", "FIELD_TYPE"),
    ],
)
def test_what_cannot_be_opened_or_says_two_things_is_not_accepted(
    text: str, verdict: str, code: str, tmp_path: Path
) -> None:
    found = judge_text(tmp_path, text)
    assert (found.verdict, code in codes(found)) == (verdict, True), codes(found)


def test_a_key_that_stands_twice_within_the_text_of_a_tool_is_found(tmp_path: Path) -> None:
    inner = json.dumps(DATA).replace('"failed"', '"failed": 1, "failed"')
    verdict = judge_text(tmp_path, json.dumps({"content": [{"type": "text", "text": inner}]}))
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"JSON_DUPLICATE_KEY"})


@pytest.mark.parametrize(
    "data",
    [
        DATA,
        {key: DATA[key] for key in reversed(DATA)},
        result([row("a", "t", 12), row("a", "u", 1)]),
        result([{**each, "duration_ms": 20} for each in green("a", "t", "u")]),
        result([{**each, "duration_ms": 46} for each in green("a", "t", "u")]),
        result(green("a", "t"), load_errors=[]),
        result(green("a", "t"), tests_not_run=0),
        result(green("a", "t"), edited_scene=""),
        result([*green("a", "test_x"), *green("b", "test_a")]),
        # Two suites of one name, the second of which begins anew.
        result([*green("a", "test_x"), row("a", "test_y"), *green("b", "test_a")]),
        result([row("a", "Test_Z"), row("a", "test_a"), row("a", "test_\u00e9")]),
    ],
)
def test_results_that_look_odd_and_say_nothing_wrong_are_accepted(data: Object, tmp_path: Path) -> None:
    verdict = judge_reply(tmp_path, data)
    assert (verdict.verdict, codes(verdict)) == ("accepted", set())
    floats = json.loads(json.dumps(data), parse_int=float)
    assert judge_reply(tmp_path, floats).verdict == "accepted"


def test_a_compact_result_needs_a_total_or_an_inventory(tmp_path: Path) -> None:
    rows = green("a", "t", "u")
    compact = result(rows, verbose=False)
    assert (judge_reply(tmp_path, compact).verdict, codes(judge_reply(tmp_path, compact))) == (
        "incomplete",
        {"FILTER_NOT_EXCLUDED"},
    )
    assert judge_reply(tmp_path, compact, "total=2").verdict == "accepted"
    assert codes(judge_reply(tmp_path, compact, "total=3")) == {"TOTAL_MISMATCH"}
    assert judge_with_sources(tmp_path, compact, inventory(source("a", "t", "u"))).verdict == "accepted"
    assert codes(judge_with_sources(tmp_path, compact, inventory(source("a", "t", "u", "v")))) == {
        "TOTAL_NOT_OF_SOURCES"
    }


def test_what_is_asked_for_later_is_accepted_with_a_full_inventory_alone(tmp_path: Path) -> None:
    later = result(green("a", "t", "u"), edited_scene=None)
    assert codes(judge_reply(tmp_path, later, "total=2")) == {"EDITED_SCENE_MISSING"}
    assert judge_with_sources(tmp_path, later, inventory(source("a", "t", "u"))).verdict == "accepted"
    assert "EDITED_SCENE_MISSING" in codes(judge_with_sources(tmp_path, later, inventory(source("a", "t", "u", "v"))))


def test_skips_are_allowed_by_name_where_somebody_says_which(tmp_path: Path) -> None:
    for skips, verdict in (
        (None, "accepted"),
        (("test_c",), "accepted"),
        (("mole::*",), "accepted"),
        (("test_x",), "rejected"),
    ):
        found = judge_reply(tmp_path, DATA, skips=skips)
        assert found.verdict == verdict
        assert codes(found) == (set() if verdict == "accepted" else {"SKIP_NOT_ALLOWED"})


def test_excluded_tests_and_skipped_suites_pass_where_they_are_declared(tmp_path: Path) -> None:
    excluded = result([*green("a", "test_x"), skipped("a", "test_y_slow", "Excluded by exclude_test_name filter")])
    assert codes(judge_reply(tmp_path, excluded)) == {"TESTS_EXCLUDED"}
    assert judge_reply(tmp_path, excluded, "filter=fast, slow").verdict == "accepted"
    ended = result([*green("a", "test_x"), skipped("b", "<suite_setup>", "suite_setup() skipped: x")])
    assert codes(judge_reply(tmp_path, ended)) == {"SUITE_SKIPPED"}
    assert judge_reply(tmp_path, ended, skips=("b::<suite_setup>",)).verdict == "accepted"


def test_nothing_passed_is_accepted_only_where_that_is_allowed(tmp_path: Path) -> None:
    nothing = result([skipped("a", "t")])
    assert codes(judge_reply(tmp_path, nothing)) == {"NOTHING_PASSED"}
    assert judge_reply(tmp_path, nothing, "allow-empty").verdict == "accepted"


def test_a_release_is_stricter(tmp_path: Path) -> None:
    swapped = result(green("a", "test_b", "test_a"))
    stated = ("editor-version=4.5", "project=quay")
    assert judge_reply(tmp_path, swapped).verdict == "accepted"
    assert judge_reply(tmp_path, swapped, *stated, profile="release").verdict == "rejected"
    stale = result(green("a", "test_b"), cache_warning="old")
    assert (judge_reply(tmp_path, stale).verdict, codes(judge_reply(tmp_path, stale))) == (
        "accepted",
        {"CACHE_WARNING"},
    )
    assert judge_reply(tmp_path, stale, *stated, profile="release").verdict == "incomplete"
    fine = result(green("a", "test_b"))
    assert judge_reply(tmp_path, fine, *stated, profile="release").verdict == "accepted"
    assert codes(judge_reply(tmp_path, fine, profile="release")) == {"ENGINE_NOT_DECLARED"}


def test_a_long_row_is_a_warning(tmp_path: Path) -> None:
    for long_ms, wanted in ((19_999, set[str]()), (20_000, {"PHASE_TOO_LONG"})):
        verdict = judge_reply(tmp_path, result([{**row("a", "t"), "duration_ms": long_ms}], duration_ms=20_500))
        assert (verdict.verdict, codes(verdict)) == ("accepted", wanted)


def test_without_an_inventory_what_needs_one_is_listed_and_not_passed_over(tmp_path: Path) -> None:
    verdict = judge_reply(tmp_path, DATA)
    unjudged = {judged.source for judged in verdict.conditions if judged.state == NOT_EVALUATED}
    assert {str(number) for number in range(27, 36)} <= unjudged


def test_an_inventory_that_knows_less_accuses_nobody(tmp_path: Path) -> None:
    rows = [*green("a", "t"), skipped("a", "u"), *green("b", "t")]
    sources = inventory(
        source("a", SourceTest("t", least=1), SourceTest("u", skips=None)),
        source("b", SourceTest("t", least=None)),
        source("without_tests"),
    )
    assert codes(judge_with_sources(tmp_path, result(rows), sources)) == set()
    doubtful = inventory(source("a", SourceTest("t", doubt="await-in-test"), "u"), source("b", "t"))
    assert codes(judge_with_sources(tmp_path, result(rows), doubtful)) == {"TEST_NOT_PROVABLE"}


def test_suites_that_share_a_name_must_have_the_rows_of_both(tmp_path: Path) -> None:
    both = inventory(source("a", "t", "u"), source("a", "v"))
    assert judge_with_sources(tmp_path, result(green("a", "t", "u", "v")), both).verdict == "accepted"
    lacking = judge_with_sources(tmp_path, result(green("a", "t", "u")), both)
    assert (lacking.verdict, codes(lacking)) == ("incomplete", {"TEST_MISSING", "SUITES_SHARE_NAME"})


def test_a_real_run_of_an_older_plug_in_lacks_the_scene_alone_and_is_accepted_with_an_inventory(tmp_path: Path) -> None:
    sources = inventory(
        source("beacon", "test_turns"), source("lock", "test_fills", SourceTest("test_lamp", skips=True))
    )
    verbose = SAMPLES / "mcp-passed.json"
    assert codes(judge_path(verbose, "total=3")) == {"EDITED_SCENE_MISSING"}
    assert judge_with_sources(tmp_path, json.loads(verbose.read_text(encoding="utf-8")), sources).verdict == "accepted"
    compact = SAMPLES / "mcp-passed-compact.json"
    assert codes(judge_path(compact)) == {"EDITED_SCENE_MISSING", "FILTER_NOT_EXCLUDED"}


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ({}, "RESULT_EMPTY"),
        ({"data": {"error": "none", "total": 0, "load_errors": []}}, "NO_SUITES"),
        (timeout(passed=300, failed=0, total=300), "RUN_TIMEOUT"),
    ],
)
def test_of_a_run_that_did_not_finish_nobody_says_that_it_has_too_few_tests(
    reply: Object, code: str, tmp_path: Path
) -> None:
    found = judge_reply(tmp_path, reply, "min-tests=400", "total=412")
    assert (found.verdict, codes(found)) == ("incomplete", {code})


def test_the_reply_to_another_request_is_rejected(tmp_path: Path) -> None:
    reply: Object = {**SOCKET, "data": DATA}
    assert judge_reply(tmp_path, reply, "request-id=r").verdict == "accepted"
    assert codes(judge_reply(tmp_path, reply, "request-id=s")) == {"CALLER_EXPECTATION_MISMATCH"}


def test_what_is_stated_and_cannot_be_seen_is_said(tmp_path: Path) -> None:
    verdict = judge_reply(tmp_path, DATA, "mode=EditMode", "min-tests=2")
    (said,) = (judged.missing for judged in verdict.conditions if judged.name == "nothing-unjudged")
    assert (verdict.verdict, said) == ("accepted", "the file does not say mode")
    assert codes(judge_reply(tmp_path, DATA, "min-tests=4")) == {"COUNT_BELOW_MINIMUM"}


def test_a_large_result_is_read_in_no_time_that_grows_with_its_square(tmp_path: Path) -> None:
    rows = [each for number in range(300) for each in green(f"suite_{number:04}", *(f"test_{n:04}" for n in range(30)))]
    assert judge_reply(tmp_path, result(rows)).run.counts.passed == 9_000
