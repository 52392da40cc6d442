"""The workflows in the page about CI are files that servers can read, and their commands do what the page says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def workflow(section: str) -> dict[str, object]:
    text = PAGE.partition(f"\n## {section}\n")[2]
    match = re.search(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert match
    found = yaml.safe_load(match[1])
    assert isinstance(found, dict)
    return found


def steps() -> list[dict[str, object]]:
    jobs = workflow("GitHub")["jobs"]
    assert isinstance(jobs, dict)
    found = jobs["suiteguard"]["steps"]
    assert isinstance(found, list)
    return found


def gitlab_job() -> dict[str, object]:
    job = workflow("GitLab")["suiteguard"]
    assert isinstance(job, dict)
    return job


def commands() -> Iterator[str]:
    """What the pipelines run."""
    yield from (str(step["run"]) for step in steps() if "run" in step)
    script = gitlab_job()["script"]
    assert isinstance(script, list)
    yield from script
    for block in re.findall(r"^```groovy\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        yield from (match[2] for match in re.finditer(r"""^\s*sh (["'])(.*)\1$""", block, re.MULTILINE))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "examples", folder)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)  # noqa: S607 git of the search path
    return folder


def run(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    words = [word.replace("~", str(folder.parent)) for word in shlex.split(command.removeprefix(".venv/bin/"))]
    assert words[0] == "suiteguard"
    environment = {**os.environ, "SUITEGUARD_CACHE_DIR": str(folder.parent / "cache")}
    program = [sys.executable, "-m", "guards", *words[1:]]
    return subprocess.run(program, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_every_command_runs(checkout: Path) -> None:
    calls = [command for command in commands() if command.removeprefix(".venv/bin/").startswith("suiteguard ")]
    assert len(calls) == 3
    for call in calls:
        done = run(call, checkout)
        assert (done.returncode, done.stderr) == (1, "")


def test_a_change_is_judged_by_what_it_brings(checkout: Path) -> None:
    (check,) = re.findall(r"^suiteguard check --changed-since .*$", PAGE, re.MULTILINE)
    git = ["git", "-C", str(checkout), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "all"], check=True)
    subprocess.run([*git, "update-ref", "refs/remotes/origin/main", "HEAD"], check=True)
    assert run(check, checkout).returncode == 0
    (checkout / "tools" / "tests" / "test_new.py").write_text("from unittest import mock\n", encoding="utf-8")
    assert run(check, checkout).returncode == 1


def test_an_old_project_is_quiet_once_it_has_a_baseline(checkout: Path) -> None:
    (create,) = re.findall(r"^suiteguard baseline .*$", PAGE, re.MULTILINE)
    assert run(create, checkout).returncode == 0
    # A baseline holds nothing back that is about excuses.
    assert run("suiteguard check --ignore suppression-without-reason", checkout).returncode == 0


def test_what_github_is_told_to_upload_is_what_was_found(checkout: Path) -> None:
    uploads = [step["with"] for step in steps() if "upload-sarif" in str(step.get("uses"))]
    assert uploads == [{"sarif_file": "suiteguard.sarif", "category": "suiteguard"}]
    check, filter_ = [str(step["run"]) for step in steps() if "sarif" in str(step.get("run"))]
    run(check, checkout)
    everything = json.loads((checkout / "all.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    if shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    subprocess.run(["/bin/sh", "-c", filter_], cwd=checkout, check=True)
    uploaded = json.loads((checkout / "suiteguard.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert uploaded == [found for found in everything if "suppressions" not in found]
    assert 0 < len(uploaded) < len(everything)


def test_what_gitlab_is_told_to_keep_is_written(checkout: Path) -> None:
    artifacts = gitlab_job()["artifacts"]
    assert artifacts == {
        "when": "always",
        "reports": {"codequality": "gl-code-quality.json", "junit": "suiteguard.xml"},
    }
    run(next(command for command in commands() if "gitlab=" in command), checkout)
    assert json.loads((checkout / "gl-code-quality.json").read_text(encoding="utf-8"))
    assert ET.parse(checkout / "suiteguard.xml").getroot().tag == "testsuites"  # noqa: S314 our own report


def test_the_cache_that_github_keeps_is_the_one_that_is_used(checkout: Path) -> None:
    (kept,) = [step["with"] for step in steps() if "actions/cache" in str(step.get("uses"))]
    assert isinstance(kept, dict)
    (check,) = [str(step["run"]) for step in steps() if "suiteguard check" in str(step.get("run"))]
    assert f"--cache-dir {kept['path']}" in check
    run(check, checkout)
    assert list((checkout.parent / str(kept["path"]).removeprefix("~/")).iterdir())
