"""The reload lane: what damages or forges a scenario, one change each, with one and with two reloads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from evidence.durable import Bundle, Object, codes
from evidence.generator import PROJECT, Chosen, generate
from evidence.lane_projects import BIOME, NAME, identity, reload_run

from guards.evidence.contracts import judged
from guards.evidence.expectations import RELEASE, TASK, expectations
from guards.evidence.taken import BadPath, taken
from guards.evidence.verdict import Verdict

STATED = ("editor-version=6000.0.65f1", "framework-version=1.6.0", f"project={PROJECT}", "mode=EditMode")
EVENTS, MANIFEST, XML = "events.jsonl", "expected-tests.jsonl", "utf-results.xml"
# The journal of a run with one reload.
SEALED, FINISH_1, RELOAD, START_2, FINISH_2, FINISHED, FINALIZED = 1, 3, 4, 5, 6, 9, 10
FIRST, OTHER = f"{0xA0:032x}", "f" * 32
TRACE, ARCHIVED = "harness-events.log", "control.completed.json"


class Scenario(Bundle):
    """A worker with one scenario."""

    def __init__(self, folder: Path, reloads: int = 1, message: str = "") -> None:
        folder.mkdir()
        reload_run(folder, reloads, message=message)
        self.open(folder)

    def lane_file(self, name: str) -> Path:
        return self.root / BIOME.reloads / name

    def judge(self, profile: str = TASK, *stated: str) -> Verdict:
        expected = expectations({}, (*STATED, *stated))._replace(profile=profile, lanes=NAME)
        return judged(taken(str(self.root), "reload-lane"), expected)


Change: TypeAlias = Callable[[Scenario], object]


def lines(change: Callable[[list[Object]], object], name: str = EVENTS) -> Change:
    def changed(scenario: Scenario) -> None:
        records = scenario.lines(name)
        change(records)
        scenario.write_lines(name, records)

    return changed


def inserted(at: int, *, like: int, **fields: str) -> Change:
    def change(records: list[Object]) -> None:
        records.insert(at, {**records[like], "event_id": OTHER, "occurred_utc": records[at]["occurred_utc"], **fields})

    return lines(change)


def edited(number: int, **fields: str) -> Change:
    return lines(lambda records: records[number].update(fields))


def one_generation(records: list[Object]) -> None:
    for record in records:
        record["observer_generation"] = FIRST


def trusted(records: list[Object]) -> None:
    records[FINISHED].update(root_trusted=True, has_aggregate=True, aggregate_passed=3, aggregate_total=3)


def without_case(scenario: Scenario) -> None:
    data = scenario.read_bytes(XML)
    start = data.index(b"<test-case")
    scenario.write_bytes(XML, data[:start] + data[data.index(b"</test-case>") + len(b"</test-case>") :])


def trace(change: Callable[[list[str]], list[str]]) -> Change:
    def changed(scenario: Scenario) -> None:
        path = scenario.lane_file(TRACE)
        found = change(path.read_text(encoding="utf-8").splitlines(keepends=True))
        path.write_text("".join(found), encoding="utf-8", newline="\n")

    return changed


def control(**fields: object) -> Change:
    def changed(scenario: Scenario) -> None:
        path = scenario.lane_file(ARCHIVED)
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    return changed


def renamed(old: str, new: str) -> Change:
    def changed(scenario: Scenario) -> None:
        scenario.lane_file(old).rename(scenario.lane_file(new))

    return changed


def copied(old: str, new: str) -> Change:
    return lambda scenario: scenario.lane_file(new).write_bytes(scenario.lane_file(old).read_bytes())


def pins(scenario: Scenario) -> None:
    marker = scenario.root / BIOME.marker
    marker.write_text(marker.read_text().replace('"utf_version": "1.6.0"', '"utf_version": "1.7.0"'))
    lock = scenario.root / "Packages" / "packages-lock.json"
    lock.write_text(lock.read_text().replace('"builtin"', '"registry"'))


class Row(NamedTuple):
    name: str
    change: Change
    verdict: str
    codes: tuple[str, ...]
    release: str = ""


def row(name: str, change: Change, *found: str, verdict: str = "rejected", release: str = "") -> Row:
    return Row(name, change, verdict, found, release)


ROWS = [
    row("M-153", inserted(START_2 + 2, like=RELOAD), "EVENT_CARDINALITY"),
    row("M-154", lines(lambda records: records.pop(RELOAD)), "EVENT_CARDINALITY"),
    row("M-155", inserted(FINISH_1 + 1, like=FINISH_1), "EVENT_CARDINALITY"),
    row("M-156", lines(lambda records: records.insert(FINISH_1, records[FINISH_1])), "EVENT_ID_DUPLICATE"),
    row("M-157", inserted(RELOAD, like=SEALED, event_type="cancel_requested"), "CANCEL_REQUESTED"),
    row("M-158", lines(trusted), "XML_SCOPE_NOT_PARTIAL"),
    row("M-159", lines(one_generation), "GENERATION_MISSING", "GENERATION_JUMP"),
    row("M-160", edited(START_2, observer_generation=FIRST), "RELOAD_WITHOUT_NEW_GENERATION"),
    row("M-161a", edited(FINALIZED, observer_generation=OTHER), "GENERATION_JUMP"),
    row("M-161b", edited(SEALED, observer_generation=OTHER), "GENERATION_JUMP"),
    row("M-162", without_case, "XML_MISSING_CASE"),
    row("M-163", lambda scenario: scenario.replace(XML, 'testcasecount="3" result="Passed"', 'testcasecount="3" result="Failed(Child)"'), "PARTIAL_ROOT_NOT_PASSED", verdict="accepted", release="rejected"),
    row("M-164", lines(lambda records: records[0].update(assembly_name="Other.dll"), MANIFEST), "LEAF_IDENTITY"),
    row("M-165a", trace(lambda found: [found[0], found[2], found[1], *found[3:]]), "TRACE_MISMATCH"),
    row("M-165b", trace(lambda found: [*found[:2], found[1], *found[2:]]), "TRACE_MISMATCH"),
    row("M-165c", trace(lambda found: [*found[:2], found[1].replace("queued", "reload_error"), *found[2:]]), "TRACE_MISMATCH"),
    row("M-166a", trace(lambda found: [line.replace("5" * 32, "6" * 32) for line in found]), "TRACE_MISMATCH"),
    row("M-166b", trace(lambda found: [*found[:-1], found[-1].replace("5" * 32, "6" * 32)]), "TRACE_MISMATCH"),
    row("M-167", trace(lambda found: [line.replace("b" * 32, "a" * 32) for line in found]), "TRACE_MISMATCH"),
    row("M-168", trace(lambda found: [*found[:-1], found[-1].rstrip("\n")]), "TRACE_TORN", verdict="incomplete"),
    row("M-168b", trace(lambda found: [*found[:-1], found[-1][:9]]), "TRACE_TORN", verdict="incomplete"),
    row("M-169", lambda scenario: scenario.lane_file(ARCHIVED).unlink(), "CONTROL_NOT_ARCHIVED", verdict="incomplete"),
    row("M-170", copied(ARCHIVED, "control.json"), "CONTROL_NOT_ARCHIVED", verdict="incomplete"),
    row("M-171", control(scenario_id=f"reload-1-{'6' * 32}"), "CONTROL_MISMATCH"),
    row("M-173a", copied(ARCHIVED, f"control.failed-{OTHER}.json"), "CONTROL_FAILED"),
    row("M-173b", copied(ARCHIVED, f"control.failed.{OTHER}.json"), "CONTROL_FAILED"),
    row("M-176", pins, "WORKER_MARKER_INVALID", "PACKAGE_LOCK_MISMATCH"),
    row("no trace", lambda scenario: scenario.lane_file(TRACE).unlink(), "TRACE_MISSING", verdict="incomplete"),
    row("steps missing", trace(lambda found: found[:-1]), "TRACE_MISMATCH"),
    row("another scenario's name", control(scenario_id="x"), "LANE_IDENTITY", "CONTROL_MISMATCH"),
    row("a number of another kind", control(target_reloads=True), "CONTROL_MISMATCH"),
    row("a control with two stories", lambda scenario: scenario.lane_file(ARCHIVED).write_text(scenario.lane_file(ARCHIVED).read_text().replace('"schema_version": 1', '"schema_version": 1, "schema_version": 1')), "CONTROL_MISMATCH"),
    row("a control that is no object", lambda scenario: scenario.lane_file(ARCHIVED).write_text("[]"), "CONTROL_MISMATCH"),
]  # fmt: skip


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    return Scenario(tmp_path / "project")


@pytest.mark.parametrize("profile", [TASK, RELEASE])
@pytest.mark.parametrize("reloads", [1, 2])
def test_a_scenario_is_accepted_with_no_warning(tmp_path: Path, reloads: int, profile: str) -> None:
    verdict = Scenario(tmp_path / "project", reloads).judge(profile)
    assert codes(verdict) == set()
    assert verdict.verdict == "accepted"


@pytest.mark.parametrize("expected", ROWS, ids=lambda row: row.name)
def test_a_change_of_a_scenario(scenario: Scenario, expected: Row) -> None:
    expected.change(scenario)
    scenario.refresh()
    verdict = scenario.judge()
    assert set(expected.codes) <= codes(verdict)
    assert verdict.verdict == expected.verdict, sorted(codes(verdict))
    assert scenario.judge(RELEASE).verdict == (expected.release or expected.verdict)


def test_m_172_the_second_reload_was_never_allowed(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path / "project", 2)
    control(allow_second_reload=False)(scenario)
    verdict = scenario.judge()
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"CONTROL_MISMATCH"})


def test_m_177_the_installed_fixture_differs(scenario: Scenario, tmp_path: Path) -> None:
    source = tmp_path / "fixture"
    installed = scenario.root / BIOME.fixture.folder
    source.mkdir()
    for path in installed.iterdir():
        (source / path.name).write_bytes(path.read_bytes())
    assert scenario.judge(TASK, f"fixture={source}").verdict == "accepted"
    changed = installed / BIOME.fixture.files[0]
    changed.write_bytes(changed.read_bytes() + b" ")
    verdict = scenario.judge(TASK, f"fixture={source}")
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"FIXTURE_MISMATCH"})
    changed.unlink()
    assert codes(scenario.judge(TASK, f"fixture={source}")) == {"FIXTURE_MISMATCH"}


def test_m_178_a_line_separator_in_a_message(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path / "project", message="one\u2028two")
    assert "\u2028" in scenario.path(EVENTS).read_text(encoding="utf-8")
    verdict = scenario.judge()
    assert (verdict.verdict, codes(verdict)) == ("accepted", set())


def test_a_reload_at_another_place(scenario: Scenario) -> None:
    """One reload is announced and generations change once, but behind the second leaf."""

    def moved(records: list[Object]) -> None:
        times = [record["occurred_utc"] for record in records]
        records.insert(FINISH_2, records.pop(RELOAD))
        for number in (RELOAD, START_2):
            records[number]["observer_generation"] = FIRST
        for record, time in zip(records, times, strict=True):
            record["occurred_utc"] = time

    lines(moved)(scenario)
    scenario.refresh()
    verdict = scenario.judge()
    assert (verdict.verdict, codes(verdict)) == ("rejected", {"GENERATION_JUMP"})


def test_of_two_scenarios_in_one_store_the_last_has_the_trace(scenario: Scenario) -> None:
    reload_run(scenario.root, 2, "6")
    verdict = scenario.judge()
    assert (verdict.verdict, codes(verdict)) == ("accepted", set())
    assert verdict.run.counts.total == 6
    first = scenario.judge(TASK, f"run-id=run-{'5' * 32}")
    assert (first.verdict, first.run.counts.total) == ("accepted", 3)
    assert {"EVD259", "EVD260"} <= {found.code for found in first.conditions if found.state == "not evaluated"}


def test_a_failed_control_of_another_scenario_does_not_matter(scenario: Scenario) -> None:
    copied(ARCHIVED, "x")(scenario)
    control(scenario_id=f"reload-1-{'6' * 32}")(scenario)
    renamed(ARCHIVED, f"control.failed-{OTHER}.json")(scenario)
    renamed("x", ARCHIVED)(scenario)
    assert codes(scenario.judge()) == set()


def test_a_store_without_a_run_of_the_lane(tmp_path: Path) -> None:
    generate(tmp_path, [Chosen("Grove.Tests.A")], identity("8", "standalone-", "Grove", 1))
    expected = expectations({}, STATED)._replace(lanes=NAME)
    verdict = judged(taken(str(tmp_path), "reload-lane"), expected)
    assert verdict.verdict == "incomplete"
    assert "LANE_INCOMPLETE" in codes(verdict)


def test_without_a_preset_nobody_knows_what_a_lane_is(scenario: Scenario) -> None:
    with pytest.raises(BadPath, match="no preset in force"):
        judged(taken(str(scenario.root), "reload-lane"), expectations({}, STATED))
