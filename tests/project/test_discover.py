import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from guards.project.discover import find_root
from guards.project.files import ProjectFiles

Write = Callable[[dict[str, str | bytes]], ProjectFiles]


class Git(Protocol):
    def __call__(self, *arguments: str, folder: Path | None = None) -> str: ...


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Runs git in the test's folder, which is a repository from then on."""
    for name, value in {"HOME": str(tmp_path.parent), "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, folder: Path | None = None) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"]
        command = ["git", *identity, *arguments]
        done = subprocess.run(command, cwd=folder or tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    run("init", "-q")
    return run


def skipped(project: ProjectFiles) -> dict[str, int]:
    return dict(project.discovered.skipped)


def test_a_walk_finds_what_is_guarded_and_counts_the_rest(write: Write) -> None:
    project = write(
        {
            "b.py": "",
            "a/T.cs": "",
            "a/s.gd": "",
            "a/x.asmdef": "{}",
            "a/csc.rsp": "",
            "Directory.Build.props": "",
            "pytest.ini": "",
            ".pytest.ini": "",
            "tox.ini": "",
            "setup.cfg": "",
            "pyproject.toml": "",
            "project.godot": "",
            "Packages/manifest.json": "{}",
            "ProjectSettings/ProjectVersion.txt": "",
            "ProjectSettings/ProjectSettings.asset": "",
            "README.md": "",
            "manifest.json": "{}",
            "Assets/thing.asset": "",
            "py": "",
            ".py": "",
        }
    )
    assert project.listing() == (
        ".pytest.ini",
        "Directory.Build.props",
        "Packages/manifest.json",
        "ProjectSettings/ProjectSettings.asset",
        "ProjectSettings/ProjectVersion.txt",
        "a/T.cs",
        "a/csc.rsp",
        "a/s.gd",
        "a/x.asmdef",
        "b.py",
        "project.godot",
        "pyproject.toml",
        "pytest.ini",
        "setup.cfg",
        "tox.ini",
    )
    assert skipped(project) == {"files of other kinds": 5}


def test_package_json_is_unitys_only_beside_assemblies(write: Write) -> None:
    project = write(
        {"web/package.json": "{}", "web/a.js": "", "unity/package.json": "{}", "unity/Runtime/A.asmdef": "{}"}
    )
    assert project.listing() == ("unity/Runtime/A.asmdef", "unity/package.json")


@pytest.mark.parametrize("folder", [".git", "node_modules", ".venv", "__pycache__", "env"])
def test_a_walk_leaves_out_folders_of_other_programs(write: Write, folder: str) -> None:
    project = write({"a.py": "", f"{folder}/b.py": "", "env/pyvenv.cfg": ""})
    assert project.listing() == ("a.py",)


def test_unitys_cache_is_left_out_only_beside_its_settings(write: Write) -> None:
    project = write(
        {
            "game/ProjectSettings/ProjectVersion.txt": "",
            "game/Library/Cached.cs": "",
            "game/Temp/T.cs": "",
            "game/Assets/Library/Shelf.cs": "",
            "server/Library/Book.cs": "",
            "server/Logs/Log.cs": "",
        }
    )
    assert [path for path in project.listing() if path.endswith(".cs")] == [
        "game/Assets/Library/Shelf.cs",
        "server/Library/Book.cs",
        "server/Logs/Log.cs",
    ]


def test_build_results_are_left_out_only_beside_a_project(write: Write) -> None:
    project = write({"app/app.csproj": "", "app/obj/A.cs": "", "app/bin/B.cs": "", "tools/bin/C.cs": ""})
    assert project.listing() == ("app/app.csproj", "tools/bin/C.cs")


def test_git_decides_what_is_ignored(write: Write, git: Git) -> None:
    project = write(
        {
            ".gitignore": "generated/\n*.tmp.py\n!keep.tmp.py\n",
            "a.py": "",
            "new.py": "",
            "generated/b.py": "",
            "c.tmp.py": "",
            "keep.tmp.py": "",
        }
    )
    git("add", "a.py", ".gitignore")
    assert project.listing() == ("a.py", "keep.tmp.py", "new.py")


def test_deleted_and_conflicting_files_are_listed_as_the_disk_has_them(write: Write, git: Git, tmp_path: Path) -> None:
    project = write({"a.py": "1", "gone.py": ""})
    git("add", ".")
    git("commit", "-qm", "x")
    git("switch", "-qc", "other")
    write({"a.py": "2"})
    git("commit", "-qam", "y")
    git("switch", "-q", "-")
    write({"a.py": "3"})
    git("commit", "-qam", "z")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "other")
    (tmp_path / "gone.py").unlink()
    assert project.listing() == ("a.py",)


def test_other_repositories_are_counted_and_not_entered(write: Write, git: Git, tmp_path: Path) -> None:
    project = write({"a.py": "", "nested/b.py": "", "origin/c.py": ""})
    for folder in ("nested", "origin"):
        git("init", "-q", folder=tmp_path / folder)
        git("add", ".", folder=tmp_path / folder)
        git("commit", "-qm", "x", folder=tmp_path / folder)
    git("submodule", "add", "-q", "./origin", "module")
    assert (tmp_path / "module" / "c.py").exists()
    assert project.listing() == ("a.py",)
    assert skipped(project)["submodules"] == 3


def test_a_root_below_the_repository_lists_only_its_own_files(write: Write, git: Git, tmp_path: Path) -> None:
    write({"a.py": "", "sub/b.py": "", "sub/deep/c.py": ""})
    git("add", ".")
    assert ProjectFiles(str(tmp_path / "sub")).listing() == ("b.py", "deep/c.py")


def test_a_root_that_git_ignores_is_walked(write: Write, git: Git, tmp_path: Path) -> None:
    write({".gitignore": "scratch/\n", "scratch/a.py": ""})
    git("add", ".")
    assert ProjectFiles(str(tmp_path / "scratch")).listing() == ("a.py",)


def test_caches_are_left_out_though_git_knows_them(write: Write, git: Git) -> None:
    project = write(
        {"ProjectSettings/ProjectSettings.asset": "", "Library/Cached.cs": "", "a.py": "", "node_modules/m/b.py": ""}
    )
    git("add", ".")
    assert project.listing() == ("ProjectSettings/ProjectSettings.asset", "a.py")
    assert skipped(project)["files in folders of caches and build results"] == 2


def test_without_git_on_the_path_the_folders_are_walked(
    write: Write, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = write({".gitignore": "b.py\n", "a.py": "", "b.py": ""})
    git("add", ".")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert project.listing() == ("a.py", "b.py")
    assert "not installed" in project.discovered.note


def test_a_repository_that_git_refuses_is_walked(write: Write) -> None:
    project = write({"a.py": "", ".git/HEAD": "nonsense"})
    assert project.listing() == ("a.py",)
    assert "git could not list" in project.discovered.note


@pytest.mark.skipif(os.name == "nt", reason="the shell script is no program there")
def test_nothing_that_the_repository_configures_or_brings_along_is_started(
    write: Write, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"#!/bin/sh\ntouch {tmp_path}/started\n"
    project = write({"a.py": "", "git": script, "monitor": script})
    for name in ("git", "monitor"):
        (tmp_path / name).chmod(0o755)
    git("config", "core.fsmonitor", str(tmp_path / "monitor"))
    git("-c", "core.fsmonitor=false", "add", "a.py")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    assert project.listing() == ("a.py",)
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("with_git", [False, True])
def test_links_are_never_followed_out_of_the_project(
    write: Write,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
    *,
    with_git: bool,
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.py").write_text("")
    project = write({"a/real.py": "", "a/deep/b.py": ""})
    links: dict[str, str | Path] = {
        "inside.py": "a/real.py",
        "nowhere.py": "a/missing.py",
        "loop.py": "loop.py",
        "out.py": outside / "secret.py",
        "outdir": outside,
        "indir": "a",
        "a/up": "..",
    }
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    if with_git:
        request.getfixturevalue("git")("add", ".")
    assert project.listing() == ("a/deep/b.py", "a/real.py", "inside.py")
    counts = skipped(project)
    assert counts["links that lead nowhere"] == 2
    assert counts["links out of the project"] >= 1


def test_names_that_differ_only_in_case_are_two_files(write: Write, git: Git) -> None:
    project = write({"T.cs": "", "t.cs": "", "X.CS": "", "y.Py": ""})
    git("add", ".")
    assert set(project.listing()) >= {"X.CS", "y.Py"}
    if len(project.listing()) == 4:
        assert project.listing() == ("T.cs", "X.CS", "t.cs", "y.Py")
    assert project.info("X.CS").language == "csharp"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("with_git", [False, True])
def test_names_that_are_not_utf8_are_counted(
    write: Write, tmp_path: Path, request: pytest.FixtureRequest, *, with_git: bool
) -> None:
    project = write({"a.py": "", "ü ö.py": "", "new\nline.py": "", "tab\t.py": ""})
    with open(os.fsencode(tmp_path) + b"/\xff.py", "wb"):
        pass
    if with_git:
        request.getfixturevalue("git")("add", "a.py")
    assert project.listing() == ("a.py", "new\nline.py", "tab\t.py", "ü ö.py")
    assert skipped(project)["names that are not UTF-8"] == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
def test_a_pipe_is_no_file(write: Write, tmp_path: Path) -> None:
    project = write({"a.py": ""})
    os.mkfifo(tmp_path / "pipe.py")
    assert project.listing() == ("a.py",)
    assert skipped(project)["neither files nor folders"] == 1


def test_depth_is_no_recursion(write: Write) -> None:
    deep = "/".join(["d"] * 100)
    project = write({f"{deep}/a.py": ""})
    assert project.listing() == (f"{deep}/a.py",)
    # No system has such folders, but an editor may name a file in one.
    assert project.info("d/" * 3000 + "tests/test_x.py").role == "test"


def test_named_files_need_no_listing(write: Write, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = write({".gitignore": "ignored.py\n", "a/T.cs": "", "a/A.asmdef": "{}", "ignored.py": "", "notes.txt": ""})
    git("add", ".")
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path / "a")
    named = project.named(["T.cs", str(tmp_path / "ignored.py"), "../notes.txt", "T.cs"])
    assert named.files == ("a/T.cs", "ignored.py")
    assert named.skipped == (("files of other kinds", 1),)
    assert not named.problems
    assert project.info("a/T.cs").unit.path == "a/A.asmdef"


def test_a_named_folder_means_the_guarded_files_below_it(
    write: Write, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(
        {".gitignore": "ignored/\nskip.py\n", "a/x.py": "", "a/skip.py": "", "ab/y.py": "", "ignored/z.py": ""}
    )
    git("add", ".")
    monkeypatch.chdir(tmp_path)
    assert project.named(["a"]).files == ("a/x.py",)
    assert project.named(["a/"]).files == ("a/x.py",)
    assert project.named(["ignored"]).files == ("ignored/z.py",)
    assert project.named(["."]).files == ("a/x.py", "ab/y.py")


def test_named_paths_that_cannot_be_checked_are_problems(
    write: Write, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write({"a.py": ""})
    outside = tmp_path_factory.mktemp("outside") / "b.py"
    outside.write_text("")
    (tmp_path / "out.py").symlink_to(outside)
    monkeypatch.chdir(tmp_path)
    problems = project.named(["missing.py", str(outside), "out.py", "a.py/x", "a.py"]).problems
    assert len(problems) == 4
    assert "`missing.py` does not exist" in problems[0]
    assert "outside of the project" in problems[1]
    assert "links out of the project" in problems[2]
    assert "`a.py/x` does not exist" in problems[3]


def test_a_file_has_one_path_whatever_link_it_is_named_through(
    write: Write, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = write({"a/x.py": ""})
    (tmp_path / "link").symlink_to("a")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "project"
    elsewhere.symlink_to(tmp_path)
    assert project.named([str(tmp_path / "link" / "x.py"), str(elsewhere / "a" / "x.py")]).files == ("a/x.py",)
    assert project.named([str(elsewhere)]).files == ("a/x.py",)


def test_the_root_is_where_git_is_or_else_where_the_configuration_is(write: Write, tmp_path: Path) -> None:
    write(
        {
            "outer/.git": "gitdir: elsewhere\n",
            "outer/inner/suiteguard.toml": "",
            "outer/inner/deep/a.py": "",
            "plain/b.py": "",
        }
    )

    def is_root(folder: str) -> bool:
        return os.path.exists(os.path.join(folder, "suiteguard.toml"))

    assert find_root(str(tmp_path / "outer" / "inner" / "deep"), is_root) == str(tmp_path / "outer")
    (tmp_path / "outer" / ".git").unlink()
    assert find_root(str(tmp_path / "outer" / "inner" / "deep"), is_root) == str(tmp_path / "outer" / "inner")
    assert find_root(str(tmp_path / "plain"), is_root) == str(tmp_path / "plain")


def test_five_thousand_files_take_a_moment(write: Write, git: Git) -> None:
    files: dict[str, str | bytes] = {f"m{n % 250}/sub/f{n}.py": "" for n in range(5000)}
    project = write(files)
    git("add", ".")
    start = time.process_time()
    listing = project.listing()
    listed = time.process_time()
    infos = [project.info(path) for path in listing]
    done = time.process_time()
    assert len(infos) == 5000
    # Far above what is measured (0.05 s and 0.03 s), so that only a change of order fails.
    assert listed - start < 1
    assert done - listed < 0.5
