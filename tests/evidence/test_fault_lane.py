"""The fault lane: what damages or forges a pair, one change each, and what else a lane can lack."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from evidence.durable import Bundle, codes
from evidence.generator import PROJECT, Chosen, generate
from evidence.lane_projects import BIOME, NAME, SYNC, fault_pair, identity

from guards.evidence.contracts import judged
from guards.evidence.expectations import RELEASE, TASK, expectations
from guards.evidence.readers.durable.times import since_1970
from guards.evidence.taken import BadPath, taken
from guards.evidence.verdict import Verdict

STATED = ("editor-version=6000.0.65f1", "framework-version=1.6.0", f"project={PROJECT}", "mode=EditMode")
ASYNC, SETUP = BIOME.scenarios[1:]
FAULT, CANARY = f"run-{'1' * 32}", f"run-{'2' * 32}"
EVENTS, MANIFEST = "events.jsonl", "expected-tests.jsonl"
# The journal of a run with one leaf.
SEALED, START, FINISH, FINISHED, FINALIZED = 1, 2, 3, 4, 5
SENTINEL = f"{BIOME.faults}/{SYNC.sentinel}"
OTHER = "f" * 32


class Pair(Bundle):
    """A worker with a pair; the fault run is what is changed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.requests = fault_pair(folder)
        self.open(folder, FAULT)

    def judge(self, profile: str = TASK, *stated: str) -> Verdict:
        return self.judge_lane(self.requests, profile, *stated)

    def judge_lane(
        self, pair: tuple[str, str] | None, profile: str = TASK, *stated: str, in_place: bool = False
    ) -> Verdict:
        expected = expectations({}, (*STATED, *stated))
        expected = expected._replace(profile=profile, lanes=NAME, pair=pair, in_place=in_place)
        return judged(taken(str(self.root), "fault-lane"), expected)


Change: TypeAlias = Callable[[Pair], None]


def replaced(file: str, old: str, new: str) -> Change:
    return lambda pair: pair.replace(file, old, new)


def line(number: int, **fields: object) -> Change:
    def change(pair: Pair) -> None:
        records = pair.lines(EVENTS)
        records[number].update(fields)  # type: ignore[arg-type] # values of JSON
        pair.write_lines(EVENTS, records)

    return change


def inserted(at: int, *, like: int, **fields: object) -> Change:
    def change(pair: Pair) -> None:
        records = pair.lines(EVENTS)
        time = records[at]["occurred_utc"]
        new = {**records[like], "event_id": OTHER, "occurred_utc": time, **fields}
        records.insert(at, new)  # type: ignore[arg-type] # values of JSON
        pair.write_lines(EVENTS, records)

    return change


def second_leaf(pair: Pair) -> None:
    (leaf,) = pair.lines(MANIFEST)
    pair.write_lines(MANIFEST, [leaf, {**leaf, "unique_name": "More", "test_id": "9"}])


def second_attempt(pair: Pair) -> None:
    inserted(FINISH + 1, like=FINISH)(pair)
    inserted(FINISH + 1, like=START, event_id="e" * 32)(pair)


def without_start(pair: Pair) -> None:
    records = pair.lines(EVENTS)
    del records[START]
    pair.write_lines(EVENTS, records)


def untrusted(pair: Pair) -> None:
    records = pair.lines(EVENTS)
    none = {name: 0 for name in records[FINISHED] if name.startswith("aggregate_")}
    records[FINISHED].update(none, root_trusted=False, has_aggregate=False)
    pair.write_lines(EVENTS, records)


def everywhere(old: str, new: str) -> Change:
    """A forger who changes all files of the run alike."""

    def change(pair: Pair) -> None:
        for path in (*pair.run.iterdir(), pair.request):
            path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))

    return change


def passed(pair: Pair) -> None:
    line(FINISH, outcome="passed", result_state="Passed")(pair)
    line(FINISHED, outcome="passed", result_state="Passed", aggregate_passed=1, aggregate_failed=0)(pair)
    line(FINALIZED, outcome="passed")(pair)
    pair.change("run.json", outcome="passed")


def sentinel(change: Callable[[list[str]], list[str]]) -> Change:
    def changed(pair: Pair) -> None:
        path = pair.root / SENTINEL
        lines = change(path.read_text(encoding="utf-8").splitlines())
        path.write_text("".join(f"{text}\n" for text in lines), encoding="utf-8", newline="\n")

    return changed


class Row(NamedTuple):
    name: str
    change: Change
    codes: tuple[str, ...]


def row(name: str, change: Change, *found: str) -> Row:
    return Row(name, change, found)


MARKER = SYNC.marker
ROWS = [
    row("M-134", everywhere(MARKER, "no"), "FAULT_MARKER_MISSING"),
    row("M-135", line(FINISH, message="no", stack_trace=MARKER), "FAULT_MARKER_MISSING"),
    row("M-136", passed, "FAULT_NOT_OBSERVED"),
    row("M-137", inserted(FINISHED, like=SEALED, event_type="infrastructure_error", message="no"), "INFRASTRUCTURE_ERROR"),
    row("M-138", second_leaf, "COUNT_INVARIANT"),
    row("M-139", second_attempt, "COUNT_INVARIANT"),
    row("M-140", inserted(FINISH, like=START), "DUPLICATE_START_DELIVERY"),
    row("M-141", without_start, "COUNT_INVARIANT"),
    row("M-142", untrusted, "XML_SCOPE_NOT_COMPLETE"),
    row("M-143", replaced("run.json", '"filter": "Unity', '"filter": "Other'), "CALLER_EXPECTATION_MISMATCH"),
    row("M-143b", everywhere('"filter": "Unity', '"filter": "Other'), "CALLER_EXPECTATION_MISMATCH"),
    row("M-144", everywhere('.FailsInDerivedTearDownAfterDirtyingScene","assembly', '.Other","assembly'), "LEAF_IDENTITY"),
    row("M-145a", lambda pair: pair.change("run.json", utf_guid=""), "UTF_GUID_MISSING"),
    row("M-145b", lambda pair: pair.change("run.json", group="x"), "CALLER_EXPECTATION_MISMATCH"),
    row("M-145c", lambda pair: pair.change("run.json", build_fingerprint=""), "FINGERPRINT_MALFORMED"),
    row("M-145d", lambda pair: pair.change("run.json", health="suspected_stall"), "HEALTH_NOT_HEALTHY"),
    row("M-146", sentinel(lambda lines: lines[:-1]), "SENTINEL_MISMATCH"),
    row("M-147", sentinel(lambda lines: [lines[0], lines[2], lines[1], *lines[3:]]), "SENTINEL_MISMATCH"),
]  # fmt: skip


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path / "project")


@pytest.mark.parametrize("profile", [TASK, RELEASE])
def test_a_pair_is_accepted_with_no_warning(pair: Pair, profile: str) -> None:
    verdict = pair.judge(profile)
    assert codes(verdict) == set()
    assert verdict.verdict == "accepted"


@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
@pytest.mark.parametrize("expected", ROWS, ids=lambda row: row.name)
def test_a_change_of_a_pair(pair: Pair, expected: Row, named: bool) -> None:  # noqa: FBT001 a parameter of the test
    expected.change(pair)
    pair.refresh()
    verdict = pair.judge_lane(pair.requests if named else None)
    assert set(expected.codes) <= codes(verdict)
    assert verdict.verdict == "rejected"


def three(pair: Pair) -> None:
    fault_pair(pair.root, ASYNC, "34")
    fault_pair(pair.root, SETUP, "56")


def test_a_lane_with_all_its_pairs_is_accepted(pair: Pair) -> None:
    three(pair)
    verdict = pair.judge_lane(None)
    assert codes(verdict) == set()
    assert verdict.verdict == "accepted"
    assert verdict.run.counts.total == 6


def test_a_pair_alone_is_no_lane(pair: Pair) -> None:
    verdict = pair.judge_lane(None)
    assert (verdict.verdict, codes(verdict)) == ("incomplete", {"LANE_INCOMPLETE"})


def test_m_148_the_body_ran_after_a_failed_setup(pair: Pair) -> None:
    three(pair)
    path = pair.root / BIOME.faults / SETUP.sentinel
    path.write_text(path.read_text().replace("derived-setup\n", "derived-setup\ntest-body\n"))
    verdict = pair.judge_lane(None)
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"SENTINEL_MISMATCH"})


@pytest.mark.parametrize(("seconds", "verdict"), [(-3600, "rejected"), (0, "accepted"), (3600, "rejected")])
def test_m_149_a_sentinel_of_another_run(pair: Pair, seconds: int, verdict: str) -> None:
    record = pair.json("run.json")
    started = since_1970(str(record["started_utc"])) + 100 + seconds * 1_000_000_000
    os.utime(pair.root / SENTINEL, ns=(started, started))
    found = pair.judge_lane(pair.requests, in_place=True)
    assert ("SENTINEL_STALE" in codes(found)) is (verdict == "rejected")


@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
def test_m_150_the_canary_of_another_scenario(pair: Pair, named: bool) -> None:  # noqa: FBT001 a parameter of the test
    _, other = fault_pair(pair.root, ASYNC, "34")
    for digit in "23":
        request = pair.store / "requests" / f"fault-{digit * 32}.json"
        request.unlink()
        for path in (pair.store / "runs" / f"run-{digit * 32}").iterdir():
            path.unlink()
    verdict = pair.judge_lane((pair.requests[0], other) if named else None)
    assert verdict.verdict == "rejected"
    assert "CALLER_EXPECTATION_MISMATCH" in codes(verdict)


def test_m_151_a_canary_before_the_fault(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "project")
    project = tmp_path / "other"
    project.mkdir()
    pair.requests = fault_pair(project, SYNC, "71")  # the canary ran at minute 8, the next pair's fault at 9
    fault_pair(project, SYNC, "92")
    pair.open(project, f"run-{'9' * 32}")
    verdict = pair.judge_lane((f"fault-{'9' * 32}", f"fault-{'1' * 32}"))
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"LANE_ORDER"})


def test_another_run_of_the_lane_between_fault_and_canary(pair: Pair) -> None:
    fault_pair(pair.root, SYNC, "45")
    verdict = pair.judge_lane((pair.requests[0], f"fault-{'5' * 32}"))
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"LANE_ORDER"})


@pytest.mark.parametrize("missing", [0, 1])
def test_m_152_a_run_of_the_pair_is_missing(pair: Pair, missing: int) -> None:
    (pair.store / "requests" / f"{pair.requests[missing]}.json").unlink()
    verdict = pair.judge()
    assert (verdict.verdict, codes(verdict)) == ("incomplete", {"LANE_INCOMPLETE"})


def test_runs_of_other_tests_do_not_matter(pair: Pair) -> None:
    generate(pair.root, [Chosen("Grove.Tests.A", "failed", "no")], identity("8", "standalone-", "Grove", 1))
    assert pair.judge().verdict == "accepted"


def test_without_a_preset_nobody_knows_what_a_lane_is(pair: Pair) -> None:
    with pytest.raises(BadPath, match="no preset in force"):
        judged(taken(str(pair.root), "fault-lane"), expectations({}, STATED))


def test_a_pair_of_other_runs_is_refused(pair: Pair) -> None:
    with pytest.raises(BadPath, match="neither `x` nor `y`"):
        pair.judge_lane(("x", "y"))


def marker(pair: Pair, **fields: object) -> None:
    path = pair.root / BIOME.marker
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"schema_version": 2}, "WORKER_MARKER_INVALID"),
        ({"disposable": False}, "WORKER_MARKER_INVALID"),
        ({"disposable": 1}, "WORKER_MARKER_INVALID"),
        ({"unity_revision": "b18e2220bd50"}, "WORKER_MARKER_INVALID"),
        ({"unity_version": "6000.0.66f1"}, "WORKER_MARKER_INVALID"),
        ({"utf_version": "1.7.0"}, "WORKER_MARKER_INVALID"),
        ({"bootstrap_scene": "Assets/../x.unity"}, "WORKER_MARKER_INVALID"),
        ({"bootstrap_scene": "Assets/Scenes/Other.unity"}, "WORKER_MARKER_INVALID"),
        ({"editor_package_sha256": "0" * 64}, "WORKER_SOURCE_DRIFT"),
    ],
)
def test_a_marker_that_says_something_else(pair: Pair, fields: dict[str, object], code: str) -> None:
    marker(pair, **fields)
    verdict = pair.judge()
    assert verdict.verdict == "rejected"
    assert code in codes(verdict)


def test_a_worker_without_its_assets(pair: Pair) -> None:
    (pair.root / "Assets" / "Scenes" / "GridTest.unity").unlink()
    assert codes(pair.judge()) == {"WORKER_MARKER_INVALID"}
    shutil.rmtree(pair.root / "Assets")
    verdict = pair.judge()
    (scene,) = (found for found in verdict.conditions if found.code == "EVD302")
    assert (verdict.verdict, scene.state) == ("accepted", "not evaluated")


def test_a_marker_with_two_stories(pair: Pair) -> None:
    path = pair.root / BIOME.marker
    path.write_text(path.read_text().replace('"disposable": true', '"disposable": false, "disposable": true'))
    verdict = pair.judge()
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"WORKER_MARKER_INVALID"})


def test_a_package_that_was_emptied(pair: Pair) -> None:
    (pair.root / "LocalPackages" / "unity-plugin" / "package.json").unlink()
    verdict = pair.judge()
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"WORKER_SOURCE_DRIFT"})


def test_a_marker_without_hashes_is_not_compared(pair: Pair) -> None:
    path = pair.root / BIOME.marker
    said = json.loads(path.read_text())
    del said["editor_package_sha256"]
    path.write_text(json.dumps(said))
    verdict = pair.judge()
    (sources,) = (found for found in verdict.conditions if found.code == "EVD304")
    assert (verdict.verdict, sources.state) == ("accepted", "not evaluated")


def test_a_store_alone_says_what_cannot_be_judged(pair: Pair, tmp_path: Path) -> None:
    store = tmp_path / "store"
    pair.store.rename(store)
    verdict = judged(taken(str(store), "fault-lane"), expectations({}, STATED)._replace(lanes=NAME, pair=pair.requests))
    assert verdict.verdict == "accepted"
    missing = {found.code for found in verdict.conditions if found.state == "not evaluated"}
    assert {"EVD209", "EVD300", "EVD301"} <= missing
