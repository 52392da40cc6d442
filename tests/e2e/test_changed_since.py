"""``suiteguard check --changed-since``: only what is new."""

import subprocess
from pathlib import Path
from typing import Protocol

import pytest
from e2e.program import ProjectWriter, Run

CHECK = ("check", "--output", "concise", "--changed-since")
CONFIGURATION = 'presets = []\nselect = ["unittest-mock", "duplicate-suite-name", "stale-baseline"]\n'
FLAW = "import unittest.mock\n"
TEST = "def test_{0}():\n    assert sum([{0}]) == {0}\n"
USAGE = 2


class Git(Protocol):
    """Runs git in a folder."""

    def __call__(self, *arguments: str) -> str:
        """What it printed."""


def git_in(folder: Path) -> Git:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")

    def git(*arguments: str) -> str:
        command = ["git", *who, "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    return git


@pytest.fixture
def folder(project: ProjectWriter) -> Path:
    """A repository with a flaw that is committed."""
    old = FLAW + "".join(TEST.format(n) for n in range(9))
    folder = project(
        {"suiteguard.toml": CONFIGURATION, "tests/test_old.py": old, "tests/test_clean.py": TEST.format(1)}
    )
    git = git_in(folder)
    git("checkout", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "base")
    return folder


def found(suiteguard: Run, folder: Path, reference: str = "main", *paths: str) -> list[str]:
    """The places of the findings that are new."""
    done = suiteguard((*CHECK, reference, *paths), folder)
    places = [
        line.partition(": ")[0] for line in done.stdout.splitlines() if ": error[" in line or ": warning[" in line
    ]
    assert done.returncode == bool(places), done.stderr
    return places


def test_what_was_there_before_is_not_shown_and_that_is_said(suiteguard: Run, folder: Path) -> None:
    done = suiteguard((*CHECK, "HEAD"), folder)
    assert done.returncode == 0
    assert "not shown: 1 finding that was there before" in done.stdout


def test_edited_staged_and_untracked_flaws_are_new(suiteguard: Run, folder: Path) -> None:
    (folder / "tests/test_clean.py").write_text(TEST.format(1) + FLAW)
    (folder / "tests/test_staged.py").write_text(FLAW)
    git_in(folder)("add", "tests/test_staged.py")
    (folder / "tests/test_untracked.py").write_text(FLAW)
    assert found(suiteguard, folder) == [
        "tests/test_clean.py:3:8",
        "tests/test_staged.py:1:8",
        "tests/test_untracked.py:1:8",
    ]
    assert found(suiteguard, folder, "main", "tests/test_clean.py") == ["tests/test_clean.py:3:8"]


def test_an_old_flaw_among_changed_lines_is_not_new(suiteguard: Run, folder: Path) -> None:
    old = (folder / "tests/test_old.py").read_text()
    (folder / "tests/test_old.py").write_text(f'"""New."""\nimport os\n{old.replace("_0", "_zero")}')
    assert found(suiteguard, folder) == []
    (folder / "tests/test_old.py").write_text(f"{FLAW}\n{old}")
    assert len(found(suiteguard, folder)) == 1


@pytest.mark.parametrize("with_git", [True, False])
def test_a_renamed_file_brings_nothing_new(suiteguard: Run, folder: Path, *, with_git: bool) -> None:
    if with_git:
        git_in(folder)("mv", "tests/test_old.py", "tests/test_renamed.py")
    else:
        (folder / "tests/test_old.py").rename(folder / "tests/test_renamed.py")
    assert found(suiteguard, folder) == []
    with (folder / "tests/test_renamed.py").open("a") as file:
        file.write(FLAW)
    assert found(suiteguard, folder) == ["tests/test_renamed.py:20:8"]


def test_what_others_did_since_is_not_ours(suiteguard: Run, folder: Path) -> None:
    git = git_in(folder)
    git("checkout", "-q", "-b", "topic")
    (folder / "tests/test_topic.py").write_text(FLAW)
    git("add", "-A")
    git("commit", "-qm", "topic")
    git("checkout", "-q", "main")
    git("rm", "-q", "tests/test_old.py")
    git("commit", "-qm", "mended")
    git("checkout", "-q", "topic")
    assert found(suiteguard, folder) == ["tests/test_topic.py:1:8"]
    git("checkout", "-q", "--detach")
    assert found(suiteguard, folder) == ["tests/test_topic.py:1:8"]
    assert found(suiteguard, folder, "topic") == []


SUITE = '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn "{}"\n\nfunc test_a() -> void:\n\tassert_true(visible)\n'


def test_a_finding_that_a_change_elsewhere_brings_about_is_new(suiteguard: Run, folder: Path) -> None:
    for path, name in (("project.godot", ""), ("tests/test_a.gd", "a"), ("tests/test_z.gd", "z")):
        (folder / path).write_text(SUITE.format(name) if name else "config_version=5\n")
    git = git_in(folder)
    git("add", "-A")
    git("commit", "-qm", "suites")
    assert found(suiteguard, folder) == []
    (folder / "tests/test_a.gd").write_text(SUITE.format("z"))
    # The finding stands in the file that did not change.
    assert found(suiteguard, folder) == ["tests/test_z.gd:4:6"]


def test_the_baseline_holds_back_as_ever_and_a_mended_flaw_makes_it_stale(suiteguard: Run, folder: Path) -> None:
    suiteguard(("baseline", "create"), folder)
    git = git_in(folder)
    git("add", "-A")
    git("commit", "-qm", "baseline")
    done = suiteguard((*CHECK, "HEAD"), folder)
    assert "not shown" not in done.stdout
    assert done.returncode == 0
    (folder / "tests/test_old.py").write_text(TEST.format(1))
    assert found(suiteguard, folder, "HEAD") == ["suiteguard-baseline.json:4:5"]


def test_a_rule_that_is_switched_on_finds_nothing_new_in_old_code(suiteguard: Run, folder: Path) -> None:
    (folder / "suiteguard.toml").write_text("presets = []\n")
    git_in(folder)("commit", "-qam", "off")
    (folder / "suiteguard.toml").write_text(CONFIGURATION)
    assert found(suiteguard, folder, "HEAD") == []


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("nowhere", "there is no commit `nowhere`"),
        ("--output=x", "there is no commit `--output=x`"),
        ("main:tests", "there is no commit `main:tests`"),
        ("", "there is no commit ``"),
        ("a\nb", "there is no commit `a\nb`"),
    ],
)
def test_what_is_no_commit_is_refused(suiteguard: Run, folder: Path, reference: str, problem: str) -> None:
    done = suiteguard(("check", f"--changed-since={reference}"), folder)
    assert done.returncode == USAGE
    assert f"suiteguard: --changed-since: {problem}" in done.stderr
    assert done.stdout == ""
    assert not (folder / "x").exists()


def test_a_cut_off_history_is_called_one(suiteguard: Run, folder: Path, tmp_path: Path) -> None:
    git = git_in(folder)
    git("checkout", "-q", "-b", "topic")
    git("commit", "-q", "--allow-empty", "-m", "topic")
    git("checkout", "-q", "main")
    git("commit", "-q", "--allow-empty", "-m", "more")
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth", "1", "--no-single-branch", folder.as_uri(), str(clone))
    for reference, problem in (("origin/topic", "have no common history"), ("main~1", "there is no commit `main~1`")):
        done = suiteguard((*CHECK, reference), clone)
        assert done.returncode == USAGE
        assert problem in done.stderr
        assert "git fetch --unshallow" in done.stderr


def test_outside_of_git_and_before_the_first_commit_it_is_refused(suiteguard: Run, tmp_path: Path) -> None:
    folder = tmp_path / "loose"
    folder.mkdir()
    (folder / "suiteguard.toml").write_text(CONFIGURATION)
    done = suiteguard((*CHECK, "HEAD"), folder)
    assert done.returncode == USAGE
    assert "not a git repository" in done.stderr
    git_in(folder)("init", "-q")
    done = suiteguard((*CHECK, "HEAD"), folder)
    assert done.returncode == USAGE
    assert "there is no commit `HEAD`" in done.stderr


def test_a_submodule_is_a_project_of_its_own(suiteguard: Run, folder: Path) -> None:
    git = git_in(folder)
    git("clone", "-q", "--bare", str(folder), str(folder.parent / "other.git"))
    git("submodule", "--quiet", "add", str(folder.parent / "other.git"), "vendor")
    git("commit", "-qm", "submodule")
    (folder / "vendor/tests/test_new.py").write_text(FLAW)
    assert found(suiteguard, folder, "HEAD") == []
    assert found(suiteguard, folder / "vendor", "HEAD") == ["tests/test_new.py:1:8"]


def test_no_filter_of_the_repository_is_run(suiteguard: Run, folder: Path) -> None:
    git = git_in(folder)
    (folder / ".gitattributes").write_text("*.py filter=theirs\n")
    for variable in ("clean", "process"):
        git("config", f"filter.theirs.{variable}", "touch ran; cat")
    git("config", "filter.theirs.required", "true")
    (folder / "tests/test_clean.py").write_text(TEST.format(1) + FLAW)
    assert found(suiteguard, folder) == ["tests/test_clean.py:3:8"]
    assert not (folder / "ran").exists()


def test_fixes_do_not_tell_new_from_old(suiteguard: Run, folder: Path) -> None:
    done = suiteguard((*CHECK, "HEAD", "--fix"), folder)
    assert done.returncode == USAGE
    assert "--changed-since" in done.stderr


def test_nothing_is_fetched_that_a_partial_clone_lacks(suiteguard: Run, folder: Path, tmp_path: Path) -> None:
    git = git_in(folder)
    git("config", "uploadpack.allowFilter", "true")
    (folder / "tests/test_clean.py").write_text(TEST.format(1) + FLAW)
    git("commit", "-qam", "more")
    clone = tmp_path / "clone"
    git("clone", "-q", "--filter=blob:none", folder.as_uri(), str(clone))
    done = suiteguard((*CHECK, "HEAD~1"), clone)
    assert done.returncode == USAGE
    assert "this clone is a partial one, and nothing is fetched" in done.stderr
