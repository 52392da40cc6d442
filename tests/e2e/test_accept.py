"""``suiteguard accept`` as people and CI call it."""

import json
import os
import shutil
from pathlib import Path

import pytest
from e2e.program import Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "evidence" / "durable-run"
RUN = "Library/UnityMCP/TestRuns/runs/run-7c1f5e0a94b24d3f8e6a2b90d1c3f752"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLE, folder)
    return folder


def damage(project: Path, name: str, old: str, new: str) -> None:
    path = project / RUN / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def test_a_good_run_is_accepted_from_each_of_its_folders(suiteguard: Run, project: Path) -> None:
    for path in (".", "Library/UnityMCP/TestRuns", RUN):
        done = suiteguard(("accept", path), project)
        assert done.stdout.startswith(f"accepted: {path}\n")
        assert "  6 tests: 5 passed, 1 skipped\n" in done.stdout
        assert done.returncode == 0


def test_a_forged_run_is_rejected_with_what_where_and_what_to_do(suiteguard: Run, project: Path) -> None:
    damage(
        project,
        "events.jsonl",
        '"outcome":"passed","result_state":"Passed"',
        '"outcome":"failed","result_state":"Failed"',
    )
    done = suiteguard(("accept", "."), project)
    assert done.returncode == 1
    assert done.stdout.startswith("rejected: .\n")
    assert f"  RUN_FAILED at {RUN}/events.jsonl:4 (outcome)" in done.stdout
    assert "  next: mend the tests that are named, and run again\n" in done.stdout


def test_missing_evidence_is_incomplete(suiteguard: Run, project: Path) -> None:
    (project / RUN / "utf-results.xml").unlink()
    done = suiteguard(("accept", "."), project)
    assert (done.returncode, done.stdout.partition("\n")[0]) == (3, "incomplete: .")
    assert "XML_MISSING" in done.stdout


def test_what_nobody_stated_is_listed_as_not_proved(suiteguard: Run, project: Path) -> None:
    done = suiteguard(("accept", "."), project)
    assert "EVD121 framework-version (A-11): nobody stated a version; `--expect framework-version=…`" in done.stdout
    stated = suiteguard(("accept", ".", "--expect", "framework-version=1.6.0"), project)
    assert "EVD121" not in stated.stdout


def test_the_configuration_states_expectations_and_the_command_line_others(suiteguard: Run, project: Path) -> None:
    (project / "suiteguard.toml").write_text('[acceptance]\nmode = "PlayMode"\nmin-tests = 3\n')
    done = suiteguard(("accept", ".", "--output", "json"), project)
    (verdict,) = json.loads(done.stdout)["verdicts"]
    assert verdict["verdict"] == "rejected"
    assert {reason["code"] for reason in verdict["reasons"]} == {"CALLER_EXPECTATION_MISMATCH"}
    assert verdict["expectations"] == {"min-tests": "suiteguard.toml:3", "mode": "suiteguard.toml:2"}
    assert suiteguard(("accept", ".", "--expect", "mode=EditMode"), project).returncode == 0


def test_a_preset_states_what_its_policy_pins(suiteguard: Run, project: Path) -> None:
    assert suiteguard(("accept", ".", "--preset", "unity-biome"), project).returncode == 0
    damage(project, "run.json", "6000.0.65f1:", "6000.1.2f1:")
    done = suiteguard(("accept", ".", "--preset", "unity-biome"), project)
    assert "EDITOR_VERSION_MISMATCH" in done.stdout


def test_too_few_tests_are_rejected(suiteguard: Run, project: Path) -> None:
    done = suiteguard(("accept", ".", "--expect", "min-tests=7"), project)
    assert "COUNT_BELOW_MINIMUM" in done.stdout
    assert done.returncode == 1


def test_skips_are_allowed_by_name(suiteguard: Run, project: Path) -> None:
    assert suiteguard(("accept", ".", "--allow-skip", "*.Reindex_LongPathLabels"), project).returncode == 0
    done = suiteguard(("accept", ".", "--allow-skip", "*.Other"), project)
    assert done.returncode == 1
    assert "SKIP_NOT_ALLOWED" in done.stdout


def test_the_release_profile_lets_no_cancel_pass(suiteguard: Run, project: Path) -> None:
    damage(project, "events.jsonl", '"event_type":"test_started"', '"event_type":"cancel_requested"')
    text = suiteguard(("accept", ".", "--profile", "release"), project).stdout
    assert "failed EVD143 not-cancelled" in text


def test_several_paths_give_the_worst_exit_code(suiteguard: Run, project: Path, tmp_path: Path) -> None:
    shutil.copytree(project, tmp_path / "other")
    (tmp_path / "other" / RUN / "run.json").unlink()
    done = suiteguard(("accept", str(project), str(tmp_path / "other")), project)
    assert done.returncode == 3
    assert done.stdout.startswith(f"accepted: {project}\n")
    assert f"\nincomplete: {tmp_path / 'other'}\n" in done.stdout


def test_reports_go_where_they_are_sent(suiteguard: Run, project: Path) -> None:
    done = suiteguard(
        (
            "accept",
            ".",
            "--output",
            "json=a.json",
            "--output",
            "junit=a.xml",
            "--output",
            "markdown=a.md",
            "--output",
            "github",
        ),
        project,
    )
    assert done.returncode == 0
    assert json.loads((project / "a.json").read_text())["verdicts"][0]["verdict"] == "accepted"
    assert (project / "a.xml").read_text().startswith("<?xml")
    assert (project / "a.md").read_text(encoding="utf-8").startswith("## ✅ accepted: `.`\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("suiteguard.toml",), "neither JSON nor XML"),
        ((".", "--expect", "modes=x"), "nothing called `modes` can be expected"),
        ((".", "--expect", "run-id=run-other"), "there is no run `run-other`"),
        ((".", "--expect", "run-id=../x"), "`../x` is no name of a run"),
        ((".", "--output", "sarif"), "there is no output format `sarif`"),
        (("Assets",), "a folder without evidence"),
    ],
)
def test_wrong_usage_is_told_and_judges_nothing(
    suiteguard: Run, project: Path, arguments: tuple[str, ...], why: str
) -> None:
    (project / "suiteguard.toml").write_text("presets = []\n")
    (project / "Assets").mkdir()
    done = suiteguard(("accept", *arguments), project)
    assert done.returncode == 2
    assert done.stdout == ""
    assert why in done.stderr


def test_a_result_that_was_never_written_is_incomplete(suiteguard: Run, project: Path) -> None:
    done = suiteguard(("accept", "reports/report_1/results.xml"), project)
    assert done.returncode == 3
    assert done.stdout.startswith("incomplete: reports/report_1/results.xml\n")
    assert "EVIDENCE_MISSING" in done.stdout


def test_nothing_is_written_where_nothing_was_asked_for(suiteguard: Run, project: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    suiteguard(("accept", "."), project)
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before


def test_a_result_older_than_the_sources_proves_nothing_about_them(suiteguard: Run, project: Path) -> None:
    test = project / "Assets" / "Tests" / "T.cs"
    test.parent.mkdir(parents=True)
    test.write_text("class T { }")
    assert suiteguard(("accept", "."), project).returncode == 0
    changed = suiteguard(("accept", ".", "--in-place"), project)
    assert "RESULT_OLDER_THAN_SOURCES at Assets/Tests/T.cs: it was changed after the run" in changed.stdout
    os.utime(test, (0, 0))
    assert "RESULT_OLDER_THAN_SOURCES" not in suiteguard(("accept", ".", "--in-place"), project).stdout


EVIDENCE = Path(__file__).parents[2] / "examples" / "evidence"
PAIR = (f"fault-{'1' * 32}", f"fault-{'2' * 32}")


@pytest.mark.parametrize(
    ("example", "words", "code"),
    [
        ("fault-lane", ("--contract", "fault-lane", "--pair", *PAIR), 0),
        ("fault-lane", ("--contract", "fault-lane"), 3),
        ("fault-lane", ("--contract", "fault-lane", "--expect", "mode=PlayMode"), 1),
        ("reload-lane", ("--contract", "reload-lane"), 0),
        ("record", (), 0),
        ("record", ("--profile", "release"), 3),
    ],
)
def test_lanes_are_those_of_a_preset(suiteguard: Run, example: str, words: tuple[str, ...], code: int) -> None:
    assert suiteguard(("accept", ".", "--preset", "unity-biome", *words), EVIDENCE / example).returncode == code


def test_without_a_preset_no_lane_is_known(suiteguard: Run) -> None:
    done = suiteguard(("accept", ".", "--contract", "fault-lane"), EVIDENCE / "fault-lane")
    assert done.returncode == 2
    assert "use one that does: `unity-biome`" in done.stderr


def test_what_is_stated_and_not_judged_is_told(suiteguard: Run) -> None:
    words = ("accept", ".", "--preset", "unity-biome", "--contract", "reload-lane", "--expect", "filter=Grove")
    done = suiteguard(words, EVIDENCE / "reload-lane")
    assert "the file does not say filter" in done.stdout
