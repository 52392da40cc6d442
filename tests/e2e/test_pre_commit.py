"""The two hooks, run by the real pre-commit in real commits."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
CLEAN = "import pytest\n\n\n@pytest.mark.slow\ndef test_a():\n    assert 1 + 1 == 2\n"
FLAWED = "from unittest import mock\n\n\ndef test_b():\n    assert mock\n"
FILES = {
    "pytest.ini": "[pytest]\nmarkers =\n    slow: takes long\n",
    "suiteguard.toml": 'presets = []\nselect = ["unittest-mock", "unregistered-marker", "duplicate-suite-name"]\n',
    "tests/test_a.py": CLEAN,
}
SUITE = '@tool\nextends McpTestSuite\n\n\nfunc suite_name() -> String:\n\treturn "doors"\n'


class Repository:
    """A repository whose commits go through the hooks as they are published."""

    def __init__(self, path: Path, home: Path) -> None:
        self.path = path
        names = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
        identity = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in {"NAME": "t", "EMAIL": "t@example.invalid"}.items()
        }
        self.environment = (
            names
            | identity
            | {
                "HOME": str(home),
                "PRE_COMMIT_HOME": str(home / "pre-commit"),
                "SUITEGUARD_CACHE_DIR": str(home / "suiteguard"),
                "GIT_CONFIG_NOSYSTEM": "1",
            }
        )

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            target = self.path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, cwd=self.path, env=self.environment, capture_output=True, text=True, encoding="utf-8", check=False
        )

    def git(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return self.run("git", *arguments)

    def pre_commit(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return self.run(sys.executable, "-m", "pre_commit", *arguments)

    def commit(self) -> tuple[bool, str]:
        """Whether a commit of what is staged was taken, and what was said."""
        done = self.git("commit", "--quiet", "-m", "a change")
        return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    path, home = tmp_path / "repository", tmp_path / "home"
    path.mkdir()
    home.mkdir()
    made = Repository(path, home)
    made.git("init", "--quiet")
    hooks = HOOKS.read_text(encoding="utf-8")
    hooks = re.sub(r"entry: suiteguard (.*)", rf"""entry: '"{Path(sys.executable).as_posix()}" -m guards \1'""", hooks)
    hooks = hooks.replace("language: python", "language: system")
    indented = "".join(f"      {line}\n" for line in hooks.splitlines())
    made.write({".pre-commit-config.yaml": f"repos:\n  - repo: local\n    hooks:\n{indented}"})
    assert made.pre_commit("install").returncode == 0
    return made


@pytest.fixture
def begun(repository: Repository) -> Repository:
    """A repository with one good commit in it."""
    repository.write(FILES)
    repository.git("add", ".")
    taken, said = repository.commit()
    assert taken, said
    return repository


def test_the_very_first_commit_is_judged(repository: Repository) -> None:
    repository.write({**FILES, "tests/test_b.py": FLAWED})
    repository.git("add", ".")
    taken, said = repository.commit()
    assert not taken
    assert said.count("error[unittest-mock]") == 1


def test_a_bad_commit_is_stopped_and_a_good_one_passes(begun: Repository) -> None:
    begun.write({"tests/test_b.py": FLAWED})
    begun.git("add", ".")
    taken, said = begun.commit()
    assert not taken
    assert said.count("error[unittest-mock]") == 1
    begun.write({"tests/test_b.py": CLEAN})
    begun.git("add", ".")
    assert begun.commit()[0]


def test_what_is_not_staged_does_not_count(begun: Repository) -> None:
    begun.write({"tests/test_c.py": CLEAN})
    begun.git("add", ".")
    begun.write({"tests/test_b.py": FLAWED, "tests/test_a.py": FLAWED, "tests/pytest.ini": "[pytest]\n"})
    taken, said = begun.commit()
    assert taken, said


def test_what_is_staged_counts_though_it_is_mended_on_disk(begun: Repository) -> None:
    begun.write({"tests/test_b.py": FLAWED})
    begun.git("add", ".")
    begun.write({"tests/test_b.py": CLEAN})
    taken, said = begun.commit()
    assert not taken
    assert "error[unittest-mock]" in said
    assert (begun.path / "tests/test_b.py").read_text(encoding="utf-8") == CLEAN


def test_a_deletion_that_orphans_a_test_is_caught(begun: Repository) -> None:
    begun.git("rm", "--quiet", "pytest.ini")
    taken, said = begun.commit()
    assert not taken
    assert said.count("warning[unregistered-marker]") == 1
    assert "tests/test_a.py:4" in said


def test_what_was_there_before_stops_nobody(begun: Repository) -> None:
    begun.write({"tests/test_old.py": FLAWED})
    begun.git("add", ".")
    begun.git("commit", "--quiet", "--no-verify", "-m", "in a hurry")
    begun.write({"tests/test_c.py": CLEAN})
    begun.git("add", ".")
    taken, said = begun.commit()
    assert taken, said
    begun.git("rm", "--quiet", "pytest.ini")
    _, said = begun.commit()
    assert "error[unittest-mock]" not in said
    assert said.count("warning[unregistered-marker]") == 2


@pytest.mark.parametrize("staged", ["tests/test_one.gd", "tests/test_two.gd"])
def test_a_finding_with_places_in_two_files_appears_once(begun: Repository, staged: str) -> None:
    pytest.importorskip("tree_sitter_gdscript")
    other = {"tests/test_one.gd": "tests/test_two.gd", "tests/test_two.gd": "tests/test_one.gd"}[staged]
    begun.write({"project.godot": "config_version=5\n", other: SUITE})
    begun.git("add", ".")
    assert begun.commit()[0]
    begun.write({staged: SUITE})
    begun.git("add", ".")
    taken, said = begun.commit()
    assert not taken
    assert said.count("error[duplicate-suite-name]") == 1


def test_all_files_are_judged_once(begun: Repository) -> None:
    begun.write({"tests/test_old.py": FLAWED})
    begun.git("add", ".")
    begun.git("commit", "--quiet", "--no-verify", "-m", "in a hurry")
    done = begun.pre_commit("run", "--all-files")
    assert done.returncode == 1
    assert done.stdout.count("error[unittest-mock]") == 1


def test_commits_between_two_references_are_judged(begun: Repository) -> None:
    begun.git("rm", "--quiet", "pytest.ini")
    begun.write({"tests/test_b.py": FLAWED})
    begun.git("add", ".")
    begun.git("commit", "--quiet", "--no-verify", "-m", "in a hurry")
    begun.write({"README.md": "later\n"})
    begun.git("add", ".")
    assert begun.commit()[0]
    done = begun.pre_commit("run", "--from-ref", "HEAD~2", "--to-ref", "HEAD")
    assert done.returncode == 1
    assert done.stdout.count("error[unittest-mock]") == 1
    assert done.stdout.count("warning[unregistered-marker]") == 1


def test_outside_of_git_the_hook_says_what_it_needs(repository: Repository, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "guards", "hook", "--project"],
        cwd=tmp_path,
        env=repository.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("suiteguard: a hook needs git, and git says: ")
    assert "Traceback" not in done.stderr
