"""The example project shows what its README promises; whoever changes it sees here what else changes."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from e2e.program import Run

EXAMPLES = Path(__file__).parents[2] / "examples"
FOUND = {
    "asset-database-refresh": 1,
    "async-void": 1,
    "await-in-test": 1,
    "duplicate-suite-name": 1,
    "editor-prefs-mutation": 1,
    "global-random-seed": 2,
    "ienumerator-method": 1,
    "suppression-without-reason": 1,
    "test-file-outside-discovery": 1,
    "thread-sleep": 2,
    "unittest-mock": 1,
    "unity-coroutine-test": 1,
    "unowned-patch": 2,
    "unregistered-marker": 1,
    "version-gate": 1,
}


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    return folder


def test_each_rule_finds_what_the_examples_show(suiteguard: Run, examples: Path) -> None:
    done = suiteguard(("check", "--output", "json"), examples)
    report = json.loads(done.stdout)
    assert Counter(finding["rule"] for finding in report["findings"]) == FOUND
    assert report["summary"]["suppressed"] == 1
    assert report["skipped"] == []
    assert report["notices"] == ["excluded by configuration: 16 files"]  # the evidence of runs
    assert done.returncode == 1


def test_the_part_of_one_language_can_be_checked_alone(suiteguard: Run, examples: Path) -> None:
    done = suiteguard(("check", "--output", "concise", "godot"), examples)
    assert done.stdout.count(": error[") == 3
    assert "tools/" not in done.stdout
