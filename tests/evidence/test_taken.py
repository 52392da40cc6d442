from pathlib import Path

import pytest

from guards.evidence.contracts import judged
from guards.evidence.expectations import Expectations
from guards.evidence.taken import BadPath, taken


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ('{"data": {}}', "godot"),
        ("\ufeff  {}", "godot"),
        ("data: {}\n\n", "godot"),
        ('<?xml version="1.0"?>\n<test-run id="2"><test-suite/></test-run>', "nunit"),
        ('<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"/>', "trx"),
        ('<assemblies timestamp="x"><assembly/></assemblies>', "xunit"),
        ('<testsuites name="GutTests" failures="0" tests="1"/>', "gut"),
        ('<testsuites id="d" name="report_7" tests="1" failures="0" skipped="0" flaky="0"/>', "gdunit4"),
        ('<testsuites name="pytest tests"><testsuite name="pytest"/></testsuites>', "junit"),
        ('<testsuite name="s"/>', "junit"),
        ('<testsuites name="report_of_us"/>', "junit"),
        ('<testsuites><testsuite name="s"><testcase', "junit"),
        ("<!-- cut off", "junit"),
    ],
)
def test_a_file_is_taken_for_what_it_begins_like_whatever_its_name(tmp_path: Path, text: str, contract: str) -> None:
    path = tmp_path / "anything.txt"
    path.write_text(text, encoding="utf-8")
    found = taken(str(path))
    assert (found.contract, found.path) == (contract, "anything.txt")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("PASSED 12", "neither JSON nor XML"),
        ("<html/>", "root element `html`"),
    ],
)
def test_what_no_contract_knows_is_said_to_be_that(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "results.xml"
    path.write_text(text)
    with pytest.raises(BadPath, match=why):
        taken(str(path))


def test_what_is_not_there_and_what_is_empty_is_taken_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty.xml").write_bytes(b"\xef\xbb\xbf \n")
    for name in ("nothing.xml", "empty.xml"):
        found = taken(str(tmp_path / name))
        assert (found.contract, found.path) == ("nothing", name)
        verdict = judged(found, Expectations())
        assert verdict.verdict == "incomplete"
        assert [reason.code for _, reason, _ in verdict.reasons()] == ["EVIDENCE_MISSING"]


def test_a_durable_run_is_found_from_its_project_its_store_and_its_folder(tmp_path: Path) -> None:
    store = tmp_path / "game" / "Library" / "UnityMCP" / "TestRuns"
    run = store / "runs" / "run-1"
    run.mkdir(parents=True)
    (run / "run.json").write_text("{}")
    project = str((tmp_path / "game").resolve())
    assert taken(str(tmp_path / "game"))[1:3] == (str(tmp_path / "game"), "Library/UnityMCP/TestRuns")
    assert taken(str(store))[1:3] == (project, "Library/UnityMCP/TestRuns")
    assert taken(str(run))[1:3] == (project, "Library/UnityMCP/TestRuns/runs/run-1")


def test_a_store_and_a_run_that_were_copied_elsewhere_are_taken_as_they_stand(tmp_path: Path) -> None:
    run = tmp_path / "copy" / "runs" / "run-1"
    run.mkdir(parents=True)
    (run / "events.jsonl").write_text("")
    assert taken(str(tmp_path / "copy"))[1:3] == (str((tmp_path / "copy").resolve()), "")
    assert taken(str(run))[1:3] == (str((tmp_path / "copy").resolve()), "runs/run-1")
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "run.json").write_text("{}")
    assert taken(str(alone))[1:4] == (str(alone.resolve()), "", "the folder of a durable run, without its store")


def test_one_file_of_a_durable_run_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(BadPath, match="name the run's folder"):
        taken(str(tmp_path / "run.json"))


def test_an_empty_folder_is_no_evidence(tmp_path: Path) -> None:
    with pytest.raises(BadPath, match="a folder without evidence"):
        taken(str(tmp_path))


def test_a_lane_is_judged_on_durable_runs_alone(tmp_path: Path) -> None:
    (tmp_path / "r.xml").write_text("<test-run/>")
    with pytest.raises(BadPath, match="durable runs"):
        taken(str(tmp_path / "r.xml"), "fault-lane")
    (tmp_path / "game" / "Library" / "UnityMCP" / "TestRuns").mkdir(parents=True)
    assert taken(str(tmp_path / "game"), "reload-lane").contract == "reload-lane"


def test_a_record_is_known_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "acceptance-record.json").write_text("{}")
    assert taken(str(tmp_path)).contract == "record"
    assert taken(str(tmp_path / "acceptance-record.json"), "record").contract == "record"
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(BadPath, match="no record"):
        taken(str(tmp_path / "other.json"), "record")
