"""A record of several runs: what is forged in it or missing from it, one change each."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from evidence.durable import Bundle, Json, Object, codes
from evidence.generator import Chosen
from evidence.lane_projects import (
    BIOME,
    LEAVES,
    NAME,
    complete_run,
    identity,
    release_record,
    task_record,
    write_record,
)

from guards.evidence.contracts import judged
from guards.evidence.expectations import RELEASE, TASK, expectations
from guards.evidence.taken import taken
from guards.evidence.verdict import Verdict

STATED = ("editor-version=6000.0.65f1", "framework-version=1.6.0")
FIRST, SECOND = f"run-{'7' * 32}", f"run-{'8' * 32}"
STORE = "Library/UnityMCP/TestRuns"


class Recorded:
    """A record with its bundles, that can be changed."""

    def __init__(self, folder: Path, profile: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.root = folder
        self.record = (release_record if profile == RELEASE else task_record)(folder)

    def items(self, name: str) -> list[Object]:
        found = self.record[name]
        assert isinstance(found, list)
        return [item for item in found if isinstance(item, dict)]

    def part(self, name: str) -> Object:
        found = self.record[name]
        assert isinstance(found, dict)
        return found

    def gate(self, name: str) -> Object:
        return next(gate for gate in self.items("gates") if gate["name"] == name)

    def counts(self, name: str) -> Object:
        found = self.gate(name)["counts"]
        assert isinstance(found, dict)
        return found

    def judge(self, profile: str = TASK, *, lanes: str = NAME, categories: tuple[str, ...] | None = None) -> Verdict:
        write_record(self.root, self.record)
        expected = expectations({}, STATED)._replace(profile=profile, lanes=lanes, worker_only_categories=categories)
        return judged(taken(str(self.root)), expected)


Change: TypeAlias = Callable[[Recorded], object]


class Row(NamedTuple):
    name: str
    change: Change
    codes: tuple[str, ...]
    verdict: str = "rejected"


def row(name: str, change: Change, *found: str, verdict: str = "rejected") -> Row:
    return Row(name, change, found, verdict)


def live(**fields: Json) -> Change:
    """What somebody writes down of the live lane, and its step alike."""

    def change(recorded: Recorded) -> None:
        recorded.part("live").update(fields)
        recorded.counts("live").update({name: value for name, value in fields.items() if isinstance(value, int)})

    return change


def second_fingerprint(recorded: Recorded) -> None:
    bundle = Bundle.__new__(Bundle)
    bundle.open(recorded.root / "editmode", SECOND)
    for name in ("run.json", "summary.json"):
        bundle.replace(name, "sha256=17", "sha256=27")
    bundle.refresh()
    listed = recorded.items("runs")[1]
    listed["build_fingerprint"] = str(listed["build_fingerprint"]).replace("sha256=17", "sha256=27")


def second_shorter(recorded: Recorded) -> None:
    """The second complete run has one leaf fewer, and everything in it and in the record agrees."""
    shutil.rmtree(recorded.root / "editmode" / STORE / "runs" / SECOND)
    complete_run(recorded.root / "editmode", "8", LEAVES[:1])
    recorded.items("runs")[1].update(expected=1, passed=1)
    recorded.counts("editmode").update(collected=3, passed=3)


def still_running(recorded: Recorded) -> None:
    folder = recorded.root / "editmode" / STORE / "runs" / "run-x"
    shutil.copytree(recorded.root / "editmode" / STORE / "runs" / FIRST, folder)
    record = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**record, "run_id": "run-x", "lifecycle": "running", "outcome": ""}))


def swapped(recorded: Recorded) -> None:
    """The live lane ran before the editor's own tests; times are as they were then."""
    gates = recorded.record["gates"]
    assert isinstance(gates, list)
    gates.insert(3, gates.pop())
    for number, gate in enumerate(recorded.items("gates")):
        gate.update(started_utc=f"2026-08-05T0{number}:00:00Z", finished_utc=f"2026-08-05T0{number}:30:00Z")


def one_run(recorded: Recorded) -> None:
    runs = recorded.record["runs"]
    assert isinstance(runs, list)
    del runs[1]


def aggregate(recorded: Recorded) -> None:
    suites = {
        "suites": [{"name": "EditMode", "platform": "Editor", "passed": 2, "failed": 0, "skipped": 0, "total": 2}]
    }
    (recorded.root / "unity-tests.json").write_text(json.dumps(suites))
    recorded.items("runs")[0]["bundle"] = "unity-tests.json"


def ci_document(recorded: Recorded) -> None:
    (recorded.root / "ci").mkdir()
    (recorded.root / "ci" / "results.xml").write_text('<test-run total="2" passed="2"/>')
    recorded.items("runs")[0]["bundle"] = "ci"


def reload_ports(number: int, *ports: int) -> Change:
    return lambda recorded: recorded.items("reload_scenarios")[number].update(ports=list(ports))


ROWS = [
    row("M-174", reload_ports(0, 57131, 57131), "PORT_HISTORY"),
    row("M-175", reload_ports(0, 57131, 57299), "PORT_HISTORY"),
    row("M-179", live(passed=284, skipped=3), "LIVE_SKIP_NOT_PAID"),
    row("M-180", live(passed=284), "LIVE_UNACCOUNTED"),
    row("M-181", live(passed=286, skipped=1), "LIVE_PAID_RAN"),
    row("M-182", live(deselected=1), "LIVE_UNACCOUNTED"),
    row("M-183", live(passed=284, xfailed=1), "LIVE_UNACCOUNTED"),
    row("M-184", lambda recorded: recorded.gate("live").update(command="UNITY_MCP_PORT=1 pytest"), "PORT_HISTORY"),
    row("M-185", one_run, "GATE_MISSING", verdict="incomplete"),
    row("M-186", lambda recorded: recorded.items("runs")[1].update(run_id=FIRST), "IDENTITY_REUSED"),
    row("M-187", second_shorter, "REPEAT_RUN_DIFFERS"),
    row("M-188", second_fingerprint, "FINGERPRINT_MISMATCH"),
    row("M-189a", lambda recorded: recorded.gate("editmode").update(finished_utc="2026-08-05T00:41:00Z"), "GATE_ORDER"),
    row("M-189b", swapped, "GATE_ORDER"),
    row("M-190", lambda recorded: recorded.part("executable_snapshot").update(after={"sha256": "5b" * 32, "file_count": 120}), "SOURCE_DRIFT"),
    row("M-191a", aggregate, "LEGACY_AGGREGATE"),
    row("M-191b", ci_document, "LEGACY_AGGREGATE"),
    row("M-191c", lambda recorded: recorded.items("runs")[0].update(bundle="port-57131.txt"), "LEGACY_AGGREGATE"),
    row("M-192", still_running, "STORE_HAS_NONTERMINAL_RUN"),
    row("M-192b", lambda recorded: recorded.part("final_state").update(non_terminal_runs=1), "STORE_HAS_NONTERMINAL_RUN"),
    row("M-194", lambda recorded: recorded.items("runs")[0].update(bundle="elsewhere"), "RUN_BUNDLE_MISSING", verdict="incomplete"),
    row("no bundle", lambda recorded: recorded.items("runs")[0].update(bundle=""), "RUN_BUNDLE_MISSING", verdict="incomplete"),
    row("a step failed", lambda recorded: recorded.gate("server").update(exit_code=1), "GATE_FAILED"),
    row("a failed test", lambda recorded: recorded.counts("server").update(failed=1, passed=6), "GATE_FAILED"),
    row("a step is missing", lambda recorded: recorded.gate("server").update(name="x"), "GATE_MISSING", verdict="incomplete"),
    row("a step twice", lambda recorded: recorded.gate("server").update(name="installer"), "GATE_ORDER"),
    row("a step without a time", lambda recorded: recorded.gate("server").update(started_utc="soon"), "GATE_ORDER"),
    row("a pair is missing", lambda recorded: recorded.record.update(fault_pairs=recorded.record["fault_pairs"][1:]), "LANE_INCOMPLETE"),  # type: ignore[index] # a list
    row("a pair of another scenario", lambda recorded: recorded.items("fault_pairs")[0].update(scenario="async"), "CALLER_EXPECTATION_MISMATCH"),
    row("another sentinel", lambda recorded: recorded.items("fault_pairs")[0].update(sentinel_sha256="0" * 64), "SENTINEL_MISMATCH"),
    row("no live lane", lambda recorded: recorded.record.pop("live"), "RECORD_INCOMPLETE", verdict="incomplete"),
    row("no snapshot", lambda recorded: recorded.record.pop("executable_snapshot"), "RECORD_INCOMPLETE", verdict="incomplete"),
    row("no ports", lambda recorded: recorded.record.pop("port_history"), "RECORD_INCOMPLETE", verdict="incomplete"),
    row("no final state", lambda recorded: recorded.record.pop("final_state"), "RECORD_INCOMPLETE", verdict="incomplete"),
    row("an unexplained skip", lambda recorded: recorded.record.pop("skips"), "SKIP_UNEXPLAINED"),
    row("a record of numbers", lambda recorded: recorded.record.update(gates=7), "RECORD_CORRUPT"),
]  # fmt: skip


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "record"
    Recorded(folder, RELEASE)
    return folder


@pytest.fixture
def release(released: Path, tmp_path: Path) -> Recorded:
    folder = tmp_path / "record"
    shutil.copytree(released, folder)
    recorded = Recorded.__new__(Recorded)
    recorded.root = folder
    recorded.record = json.loads((folder / "acceptance-record.json").read_text())
    return recorded


@pytest.fixture
def task(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "record", TASK)


@pytest.mark.parametrize("profile", [TASK, RELEASE])
def test_a_record_of_a_release_is_accepted_with_no_warning(release: Recorded, profile: str) -> None:
    verdict = release.judge(profile)
    assert codes(verdict) == set()
    assert verdict.verdict == "accepted"
    assert verdict.run.counts.total == 16


def test_a_record_of_a_task_is_accepted_with_no_warning(task: Recorded) -> None:
    verdict = task.judge()
    assert (verdict.verdict, codes(verdict)) == ("accepted", set())


def test_u_3_a_run_copied_under_other_names(release: Recorded) -> None:
    """All names are rewritten, and nothing else: only the ids of the events still tell."""
    store = release.root / "editmode" / STORE
    shutil.rmtree(store / "runs" / SECOND)
    shutil.copytree(store / "runs" / FIRST, store / "runs" / SECOND)
    shutil.copy(store / "requests" / f"standalone-{'7' * 32}.json", store / "requests" / f"standalone-{'8' * 32}.json")
    copies = (*(store / "runs" / SECOND).iterdir(), store / "requests" / f"standalone-{'8' * 32}.json")
    for path in copies:
        text = path.read_text(encoding="utf-8")
        for old, new in (("7" * 32, "8" * 32), ("7" * 8 + "-", "8" * 8 + "-")):
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert codes(release.judge()) == {"EVENT_ID_REUSED"}


def test_a_task_is_no_release(task: Recorded) -> None:
    verdict = task.judge(RELEASE)
    assert verdict.verdict == "incomplete"
    assert {"GATE_MISSING", "LANE_INCOMPLETE"} <= codes(verdict)


@pytest.mark.parametrize("expected", ROWS, ids=lambda row: row.name)
def test_a_change_of_a_record(release: Recorded, expected: Row) -> None:
    expected.change(release)
    verdict = release.judge()
    assert set(expected.codes) <= codes(verdict)
    assert verdict.verdict == expected.verdict, sorted(codes(verdict))


def test_m_193_a_test_that_only_a_worker_may_run(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "record", TASK)
    shutil.rmtree(recorded.root / "editmode")
    (recorded.root / "editmode").mkdir()
    complete_run(recorded.root / "editmode", "7", [LEAVES[0], LEAVES[1]._replace(category="UnityMCP.FaultInjection")])
    assert recorded.judge().verdict == "accepted"
    verdict = recorded.judge(categories=("UnityMCP.FaultInjection",))
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"WORKER_ONLY_RAN"})


def damaged(bundle: str, run_id: str, name: str, old: str, new: str) -> Change:
    def change(recorded: Recorded) -> None:
        path = recorded.root / bundle / STORE / "runs" / run_id / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8", newline="\n")

    return change


@pytest.mark.parametrize(
    ("change", "condition", "code"),
    [
        (damaged("editmode", FIRST, "run.json", '"healthy"', '"reloading"'), "EVD325", "HEALTH_NOT_HEALTHY"),
        (damaged("faults", f"run-{'1' * 32}", "utf-results.xml", "UNITYMCP", "X"), "EVD326", "XML_RESULT_MISMATCH"),
        (damaged("reload-2", f"run-{'a' * 32}", "events.jsonl", "domain_reloading", "cancel_requested"), "EVD327", "EVENT_CARDINALITY"),
        (damaged("reload-2", f"run-{'a' * 32}", "events.jsonl", "domain_reloading", "cancel_requested"), "EVD327", "CANCEL_REQUESTED"),
        (lambda recorded: (recorded.root / "faults" / BIOME.faults / "sync-teardown.sentinel").unlink(), "EVD326", "SENTINEL_MISSING"),
        (lambda recorded: (recorded.root / "reload-1" / BIOME.reloads / "harness-events.log").unlink(), "EVD327", "TRACE_MISSING"),
    ],
)  # fmt: skip
def test_every_run_is_judged_by_the_contract_of_its_lane(
    release: Recorded, change: Change, condition: str, code: str
) -> None:
    change(release)
    verdict = release.judge()
    (found,) = (each for each in verdict.conditions if each.code == condition)
    assert code in {reason.code for reason, _ in found.reasons}
    assert verdict.verdict != "accepted"
    files = {reason.where.file for reason, _ in found.reasons if reason.code == code}
    assert all((release.root / file.partition("/")[0]).is_dir() for file in files)


@pytest.mark.parametrize("bundle", ["../outside", "/outside", "linked", "editmode/../../outside", "."])
def test_nothing_leads_out_of_the_folder_of_the_record(task: Recorded, bundle: str) -> None:
    outside = task.root.parent / "outside"
    shutil.copytree(task.root / "editmode", outside)
    os.symlink(outside, task.root / "linked")
    task.items("runs")[0]["bundle"] = bundle
    verdict = task.judge()
    assert (verdict.verdict, codes(verdict)) == ("incomplete", {"RUN_BUNDLE_MISSING"})


@pytest.mark.parametrize("bundle", [f"editmode/{STORE}", f"editmode/{STORE}/runs/{FIRST}", "./editmode/"])
def test_a_bundle_is_a_project_a_store_or_a_run(task: Recorded, bundle: str) -> None:
    task.items("runs")[0]["bundle"] = bundle
    assert task.judge().verdict == "accepted"


def test_a_record_in_the_project_itself(task: Recorded) -> None:
    task.items("runs")[0]["bundle"] = "."
    write_record(task.root / "editmode", task.record)
    expected = expectations({}, STATED)._replace(lanes=NAME)
    for path, asked in (
        (task.root / "editmode", "record"),
        (task.root / "editmode" / "acceptance-record.json", "auto"),
    ):
        assert judged(taken(str(path), asked), expected).verdict == "accepted"
    assert taken(str(task.root / "editmode")).contract == "durable-run"


def test_without_a_preset_nobody_knows_the_steps(release: Recorded) -> None:
    verdict = release.judge(lanes="")
    missing = {found.code for found in verdict.conditions if found.state == "not evaluated"}
    assert {"EVD321", "EVD326", "EVD327"} <= missing


def nodes(*found: tuple[str, str, str]) -> list[Json]:
    return [
        {"id": name, "outcome": outcome, "paid": "paid" in name, "reason": reason} for name, outcome, reason in found
    ]


PAID = "set UNITY_MCP_RUN_LIVE_CLI=1 to run it"


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (nodes(("a", "passed", ""), ("paid", "skipped", PAID)), ""),
        (nodes(("a", "passed", ""), ("paid", "skipped", "no tool")), "LIVE_SKIP_REASON"),
        (nodes(("a", "skipped", PAID), ("paid", "passed", "")), "LIVE_SKIP_NOT_PAID"),
        (nodes(("a", "skipped", PAID), ("paid", "passed", "")), "LIVE_PAID_RAN"),
        (nodes(("paid", "passed", ""), ("paid", "skipped", PAID)), "LIVE_UNACCOUNTED"),
        (nodes(("a", "xfailed", ""), ("paid", "skipped", PAID)), "LIVE_UNACCOUNTED"),
        (nodes(("a", "passed", ""), ("b", "passed", ""), ("paid", "skipped", PAID)), "LIVE_UNACCOUNTED"),
    ],
)
def test_tests_of_the_live_lane_one_by_one(task: Recorded, found: list[Json], code: str) -> None:
    live(collected=2, passed=1, skipped=1, nodes=found, paid_skips=["paid"])(task)
    verdict = task.judge()
    assert (code in codes(verdict)) if code else (codes(verdict) == set())


@pytest.mark.parametrize(
    ("stages", "found"),
    [
        (("edit-mode", "play-mode", "reconnect"), set()),
        (("edit-mode", "reconnect", "play-mode"), {"LIVE_ORDER"}),
        (("", "", ""), set()),
    ],
)
def test_stages_of_the_live_lane(task: Recorded, stages: tuple[str, ...], found: set[str]) -> None:
    listed: list[Json] = [
        {"id": str(number), "outcome": "passed", "stage": stage} for number, stage in enumerate(stages)
    ]
    live(collected=3, passed=3, skipped=0, nodes=listed, paid_skips=[])(task)
    verdict = task.judge()
    assert (verdict.verdict, codes(verdict)) == ("accepted", found)


def test_a_skipped_leaf_without_a_word(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "record", TASK)
    shutil.rmtree(recorded.root / "editmode")
    (recorded.root / "editmode").mkdir()
    complete_run(recorded.root / "editmode", "7", [LEAVES[0], Chosen("Grove.Tests.B", "skipped")])
    recorded.items("runs")[0].update(passed=1, skipped=1)
    recorded.counts("editmode").update(passed=1, skipped=1)
    assert codes(recorded.judge()) == {"SKIP_UNEXPLAINED"}
    skips = recorded.record["skips"]
    assert isinstance(skips, list)
    skips.append({"gate": "editmode", "id": "Grove.Tests.B", "reason": "needs a disk"})
    assert recorded.judge().verdict == "accepted"


def test_reloads_may_have_another_build_but_one(release: Recorded) -> None:
    assert identity("9", "", "", 0).run == release.items("reload_scenarios")[0]["run_id"]
    for bundle, digit in (("reload-1", "9"), ("reload-2", "a")):
        opened = Bundle.__new__(Bundle)
        opened.open(release.root / bundle, f"run-{digit * 32}")
        for name in ("run.json", "summary.json"):
            opened.replace(name, "sha256=17", "sha256=27")
        opened.refresh()
        listed = next(run for run in release.items("runs") if run["run_id"] == f"run-{digit * 32}")
        listed["build_fingerprint"] = str(listed["build_fingerprint"]).replace("sha256=17", "sha256=27")
        expected = {"FINGERPRINT_MISMATCH"} if bundle == "reload-1" else set()
        assert codes(release.judge()) == expected
