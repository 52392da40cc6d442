"""What the documents show is what happens, and where they point there is something."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from guards.config.load import ConfigSet
from guards.config.model import CommandLine
from guards.engine.loader import catalogue
from guards.evidence.contracts import MODULES
from guards.evidence.expectations import EXPECTED

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    prose = BLOCK.sub("", document.read_text(encoding="utf-8"))
    assert [link for link in LINK.findall(prose) if not (document.parent / link).exists()] == []


def test_the_finding_in_the_readme_is_one_that_the_demo_shows(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "demo")
    command = [sys.executable, "-m", "guards", "check", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path / "demo", capture_output=True, text=True, encoding="utf-8", check=False)
    shown = [text for _, text in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")) if "-->" in text]
    assert [text for text in shown if text in done.stdout] == shown != []


@pytest.mark.parametrize(
    "document",
    ["README.md", "docs/getting-started.md", "docs/exit-codes.md", "docs/configuration.md", "docs/accept.md"],
)
def test_the_configurations_shown_are_right(document: str, tmp_path: Path) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    shown = [block for language, block in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL) if language == "toml"]
    assert shown
    for number, block in enumerate(shown):
        folder = tmp_path / str(number)
        folder.mkdir()
        plain = "\n".join(line.removeprefix("  ") for line in block.splitlines())
        assert tomllib.loads(plain)
        (folder / "suiteguard.toml").write_text(plain, encoding="utf-8")
        ConfigSet.load(str(folder), catalogue(), CommandLine()).settings_for("tests/test_a.py")


def test_the_readme_names_the_commands_that_set_a_new_machine_up() -> None:
    targets = set(re.findall(r"^(\w+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = (ROOT / "README.md").read_text(encoding="utf-8") + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert targets - set(re.findall(r"\bmake (\w+)", text)) == {"help"}


def test_the_page_about_accept_names_every_expectation_and_contract() -> None:
    text = (ROOT / "docs" / "accept.md").read_text(encoding="utf-8")
    table = text[text.index("| `mode`, ") : text.index("`--allow-skip GLOB`")]
    named = {
        name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`([a-z-]+)`", row)
    }
    assert named == set(EXPECTED)
    assert {link.removesuffix(".md") for link in re.findall(r"\(evidence/([a-z0-9-]+\.md)\)", text)} == set(MODULES)


def test_the_fields_of_a_verdict_are_those_that_the_page_names() -> None:
    text = (ROOT / "docs" / "accept.md").read_text(encoding="utf-8")
    table = text[text.index("| Field | Meaning |") :]
    named = {
        name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`([a-z_]+)`", row)
    }
    command = [sys.executable, "-m", "guards", "accept", "examples/evidence/durable-run", "--output", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    assert set(json.loads(done.stdout)["verdicts"][0]) == named
