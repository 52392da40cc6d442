"""``suiteguard init``: a first configuration, a hook and a baseline; nothing is ever overwritten."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from e2e.conftest import ASMDEF, SLEEPING_TEST
from e2e.program import ProjectWriter, Run

CONFIGURATION, HOOKS, BASELINE = "suiteguard.toml", ".pre-commit-config.yaml", "suiteguard-baseline.json"
USAGE = 2
UNITY = {"Tests/Sample.Tests.asmdef": ASMDEF, "Tests/T.cs": SLEEPING_TEST}
CLEAN = {"tests/test_a.py": "def test_a():\n    assert sum([1, 2]) == 3\n"}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("files", "found", "presets"),
    [
        (UNITY, "1 C# test file in 1 Unity test assembly", ["recommended"]),
        (CLEAN, "1 Python test file that pytest collects", ["recommended"]),
        (
            {"project.godot": "config_version=5\n", "test/test_a.gd": "extends GutTest\n\nfunc test_a():\n\tassert_true(visible)\n",
             "addons/gdUnit4/x.gd": "extends GdUnitTestSuite\n"},
            "1 GDScript suite of GutTest",
            ["recommended", "gut"],
        ),
        (
            {"project.godot": "config_version=5\n", "tests/test_a.gd": "class_name A extends McpTestSuite\n\nfunc test_a():\n\tassert_true(visible)\n"},
            "1 GDScript suite of McpTestSuite",
            ["recommended", "godot-mcp"],
        ),
        ({"readme.txt": ""}, "no tests yet", ["recommended"]),
    ],
)  # fmt: skip
def test_the_configuration_fits_the_project_and_holds(
    suiteguard: Run, project: ProjectWriter, files: dict[str, "str | bytes"], found: str, presets: list[str]
) -> None:
    folder = project(files)
    before = names(folder)
    done = suiteguard(("init",), folder)
    assert done.returncode == 0, done.stderr
    text = (folder / CONFIGURATION).read_text(encoding="utf-8")
    assert f"#   {found}" in text
    assert tomllib.loads(text) == {"presets": presets}
    assert names(folder) - before == {CONFIGURATION}
    shown = suiteguard(("config",), folder).stdout.splitlines()
    assert {f"governed: {CONFIGURATION}", "baseline: none"} <= set(shown)
    assert suiteguard(("check",), folder).returncode in {0, 1}


def test_every_line_that_is_commented_out_is_right(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(UNITY)
    suiteguard(("init",), folder)
    text = (folder / CONFIGURATION).read_text(encoding="utf-8")
    lines = (line.removeprefix("# ") if "=" in line or line.startswith("# [") else line for line in text.split("\n"))
    (folder / CONFIGURATION).write_text("\n".join(lines))
    assert set(tomllib.loads((folder / CONFIGURATION).read_text())) == {"presets", "exclude", "rules", "overrides"}
    assert suiteguard(("config",), folder).returncode == 0


def test_presets_can_be_chosen(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(UNITY)
    done = suiteguard(("init", "--preset", "strikt"), folder)
    assert done.returncode == USAGE
    assert "there is no preset `strikt`; there are gdunit4, " in done.stderr
    assert CONFIGURATION not in names(folder)
    assert suiteguard(("init", "--preset", "strict,unity-biome"), folder).returncode == 0
    assert 'presets = ["strict", "unity-biome"]' in (folder / CONFIGURATION).read_text()


def test_a_project_is_configured_at_its_root(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(UNITY)
    assert suiteguard(("init",), folder / "Tests").returncode == 0
    assert (folder / CONFIGURATION).exists()


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({CONFIGURATION: ""}, f"{CONFIGURATION} exists and is not overwritten"),
        ({f"{CONFIGURATION}/a.txt": ""}, f"{CONFIGURATION} exists and is not overwritten"),
        ({"pyproject.toml": "[tool.suiteguard]\n"}, "pyproject.toml has a table [tool.suiteguard]"),
        ({"pyproject.toml": "[tool.suiteguard\n"}, "pyproject.toml:1: no valid TOML"),
        ({BASELINE: "{}"}, f"{BASELINE} exists and is not overwritten"),
    ],
)
@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_what_is_there_is_named_and_nothing_is_written(
    suiteguard: Run, project: ProjectWriter, files: dict[str, "str | bytes"], problem: str, dry: tuple[str, ...]
) -> None:
    folder = project({**UNITY, **files})
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = suiteguard(("init", "--hook", "--baseline", *dry), folder)
    assert done.returncode == USAGE
    assert problem in done.stderr
    assert done.stdout == ""
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_nothing_is_written_through_a_link(suiteguard: Run, project: ProjectWriter, tmp_path: Path) -> None:
    folder = project(UNITY)
    (folder / CONFIGURATION).symlink_to(tmp_path / "outside.toml")
    assert suiteguard(("init",), folder).returncode == USAGE
    (folder / CONFIGURATION).unlink()
    (folder / HOOKS).symlink_to(tmp_path / "outside.yaml")
    done = suiteguard(("init", "--hook"), folder)
    assert f"{HOOKS} exists and is left alone" in done.stdout
    assert not list(tmp_path.glob("outside*"))


def test_a_project_without_hooks_gets_some_that_pre_commit_accepts(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(UNITY)
    done = suiteguard(("init", "--hook"), folder)
    assert done.stdout.splitlines() == [f"{CONFIGURATION}: written", f"{HOOKS}: written"]
    assert "gdscript" not in (folder / HOOKS).read_text()
    pytest.importorskip("pre_commit")
    command = [sys.executable, "-m", "pre_commit", "validate-config", HOOKS]
    checked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_hooks_that_are_there_stay_and_what_to_add_is_printed(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project({**UNITY, HOOKS: "repos: []\n"})
    done = suiteguard(("init", "--hook"), folder)
    assert (folder / HOOKS).read_text() == "repos: []\n"
    assert f"{HOOKS} exists and is left alone; add this below `repos:`" in done.stdout
    assert "        entry: suiteguard hook --project" in done.stdout.splitlines()


def test_with_a_baseline_a_project_is_clean_from_the_start(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(UNITY)
    assert suiteguard(("check",), folder).returncode == 1
    done = suiteguard(("init", "--baseline"), folder)
    assert f"{BASELINE}: written, " in done.stdout
    assert f"baseline: {BASELINE}" in suiteguard(("config",), folder).stdout
    assert suiteguard(("check",), folder).returncode == 0


def test_a_dry_run_shows_all_and_writes_nothing(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(UNITY)
    before = names(folder)
    done = suiteguard(("init", "--hook", "--baseline", "--dry-run"), folder)
    assert done.returncode == 0
    assert names(folder) == before
    assert f"{CONFIGURATION} would be written:" in done.stdout
    assert f"{HOOKS} would be written:" in done.stdout
    assert "findings that a baseline would hold back: " in done.stdout
    suiteguard(("init", "--hook"), folder)
    assert (folder / CONFIGURATION).read_text() in done.stdout
    assert (folder / HOOKS).read_text() in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_a_name_cannot_leave_its_comment(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project(
        {f"a\nselect = []\n#/{path}": text for path, text in CLEAN.items()}
        | {"a\nselect = []\n#/pytest.ini": "[pytest]\n"}
    )
    assert suiteguard(("init",), folder).returncode == 0
    assert tomllib.loads((folder / CONFIGURATION).read_text()) == {"presets": ["recommended"]}
