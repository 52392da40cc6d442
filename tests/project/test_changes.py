import os
import subprocess
from pathlib import Path
from typing import Protocol

import pytest

from guards.project.changes import Change, commit_named, past, proposed_change, tracked
from guards.project.git import GitFailed


class Git(Protocol):
    def __call__(self, *arguments: str) -> str: ...


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    for name in [name for name in os.environ if name.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(tmp_path.parent), "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        command = ["git", *identity, *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    run("init", "-q", "-b", "main")
    return run


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(git: Git) -> str:
    git("add", "-A")
    git("commit", "-q", "-m", "a change")
    return git("rev-parse", "HEAD")


def test_tracked_are_files_with_the_folders_they_stand_in(git: Git, tmp_path: Path) -> None:
    write(tmp_path, a_py="", deep__er__b_py="")
    git("add", "-A")
    write(tmp_path, c_py="")
    assert tracked(str(tmp_path)) == {"a.py", "deep", "deep/er", "deep/er/b.py"}


def test_the_proposed_change_is_what_is_staged(git: Git, tmp_path: Path) -> None:
    write(tmp_path, a_py="1", b_py="1", c_py="1")
    base = commit(git)
    write(tmp_path, a_py="2", d_py="1")
    git("add", "-A")
    git("rm", "-q", "b.py")
    write(tmp_path, c_py="2", e_py="1")
    assert proposed_change(str(tmp_path)) == Change(base, frozenset({"a.py", "d.py"}))


def test_before_the_first_commit_everything_staged_is_the_change(git: Git, tmp_path: Path) -> None:
    write(tmp_path, a_py="1")
    git("add", "-A")
    base, changed = proposed_change(str(tmp_path))
    assert changed == {"a.py"}
    assert past(str(tmp_path), base).only == frozenset()


def test_the_past_holds_what_is_now_another_or_gone(git: Git, tmp_path: Path) -> None:
    long = "".join(f"line {number}\n" for number in range(50))
    write(tmp_path, same_py="1", other_py="old é", gone_py="gone", deep__old_py=long)
    base = commit(git)
    git("mv", "deep/old.py", "new.py")
    git("rm", "-q", "gone.py")
    write(tmp_path, other_py="new", more_py="1", readme="x")
    git("add", "-A")
    found = past(str(tmp_path), base)
    assert found.only == {"same.py", "other.py", "gone.py", "deep", "deep/old.py"}
    assert found.contents == {"other.py": "old é".encode(), "gone.py": b"gone", "deep/old.py": long.encode()}
    assert found.old_names == {"new.py": "deep/old.py"}


def test_names_that_trick_programs_are_read_as_they_are(git: Git, tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("no such names here")
    names = ["-x.py", "a\nb.py", "tab\there.py", "'quoted\".py", "名前.py", " lead.py"]
    for name in names:
        (tmp_path / name).write_text("1")
    base = commit(git)
    for name in names:
        (tmp_path / name).unlink()
    assert tracked(str(tmp_path)) == set(names)
    assert past(str(tmp_path), base).contents == dict.fromkeys(names, b"1")


def test_a_reference_means_where_its_history_was_left(git: Git, tmp_path: Path) -> None:
    write(tmp_path, a_py="1")
    base = commit(git)
    git("checkout", "-q", "-b", "topic")
    write(tmp_path, b_py="1")
    commit(git)
    git("checkout", "-q", "main")
    write(tmp_path, c_py="1")
    commit(git)
    git("checkout", "-q", "topic")
    assert commit_named(str(tmp_path), "main") == base


@pytest.mark.parametrize("name", ["", "nowhere", "--output=stolen", "-h", "main:a.py", "a\0b"])
def test_what_is_no_reference_is_refused(git: Git, tmp_path: Path, name: str) -> None:
    write(tmp_path, a_py="1")
    commit(git)
    with pytest.raises(GitFailed):
        commit_named(str(tmp_path), name)
    assert sorted(os.listdir(tmp_path)) == [".git", "a.py"]


def test_without_a_repository_git_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="not a git repository"):
        tracked(str(tmp_path))
