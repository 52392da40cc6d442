"""GDScript needs an optional package; without it the run says so, and checks the rest."""

import subprocess
import sys
from pathlib import Path

import pytest
from e2e.program import ProjectWriter

# A module that is None cannot be imported: to the program this is an installation without the package.
PROGRAM = """
import sys
sys.modules["tree_sitter_gdscript"] = None
from guards.cli import main
sys.exit(main(sys.argv[1:]))
"""
GODOT = {"project.godot": "config_version=5\n", "tests/test_room.gd": "@tool\nextends McpTestSuite\n"}
SLEEPING = {
    "Tests/T.csproj": '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="xunit" Version="2.9.0" />'
    "</ItemGroup></Project>",
    "Tests/T.cs": "class T { void A() { System.Threading.Thread.Sleep(1); } }\n",
}


def check(folder: Path, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", PROGRAM, "check", "--output", "concise", "--cache-dir", str(tmp_path / "cache")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_what_is_missing_and_how_to_get_it_is_said(project: ProjectWriter, tmp_path: Path) -> None:
    done = check(project(GODOT), tmp_path)
    assert "tests/test_room.gd" in done.stdout
    assert "suiteguard[gdscript]" in done.stdout
    assert done.returncode == 3
    assert done.stderr == ""


def test_other_languages_are_checked_all_the_same(project: ProjectWriter, tmp_path: Path) -> None:
    done = check(project({**GODOT, **SLEEPING}), tmp_path)
    assert "[thread-sleep]" in done.stdout
    assert "suiteguard[gdscript]" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("allowed", ["gdscript", "tests/*.gd"])
def test_a_project_may_say_that_it_does_not_mind(project: ProjectWriter, tmp_path: Path, allowed: str) -> None:
    done = check(project({**GODOT, "suiteguard.toml": f"allow-unanalysed = ['{allowed}']\n"}), tmp_path)
    assert done.returncode == 0


def test_nothing_is_missing_where_there_is_no_gdscript(project: ProjectWriter, tmp_path: Path) -> None:
    done = check(project(SLEEPING), tmp_path)
    assert "gdscript" not in done.stdout
    assert done.returncode == 1
