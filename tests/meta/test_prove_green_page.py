"""The tutorial's workflows can be read, and its commands judge what they are given."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "prove-green.md").read_text(encoding="utf-8")
EXAMPLES = {
    "TestResults.xml": "nunit/TestResults.xml",
    ".": "durable-run",
    "gut.xml": "gut/gut.xml",
    "test-run.json": "godot/test-run.json",
    "report.xml": "junit/report.xml",
}
COMMANDS = [line.replace("\\\n", " ") for line in re.findall(r"suiteguard accept (?:[^\n]*\\\n)*[^\n]*", PAGE)]


def test_every_workflow_is_yaml() -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert [sorted(map(str, yaml.safe_load(block))) for block in blocks] == [["True", "jobs", "name"], ["godot"]]


def test_the_verdict_is_shown_whatever_it_is() -> None:
    (workflow,) = (
        block for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if "jobs:" in block
    )
    *_, accept, show = yaml.safe_load(workflow)["jobs"]["editmode"]["steps"]
    assert "suiteguard accept" in accept["run"]
    assert "verdict.md" in show["run"]
    assert accept["if"] == show["if"] == "always()"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_judges_its_file(command: str, tmp_path: Path) -> None:
    words = shlex.split(re.sub(r"(min-tests|total)=\d+", "min-tests=1", command).replace("$code", "0"))[2:]
    words[0] = str(ROOT / "examples" / "evidence" / EXAMPLES[words[0]])
    words = [word for word in words if word != "--in-place"]
    command_line = [sys.executable, "-m", "guards", "accept", *words]
    done = subprocess.run(command_line, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode in {0, 1}, done.stderr
    assert re.search(r"^(accepted|rejected): ", done.stdout, re.MULTILINE)


def test_the_commands_are_all_tried() -> None:
    assert len(COMMANDS) == len(EXAMPLES)
