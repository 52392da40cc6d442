import os
from collections.abc import Callable
from pathlib import Path

import pytest

from guards.project.disk import Disk, Unread
from guards.project.files import ProjectFiles

Write = Callable[[dict[str, str | bytes]], ProjectFiles]


def test_unsaved_text_is_laid_over_files_and_over_nothing(write: Write, tmp_path: Path) -> None:
    write({"a.py": "old", "T.asmdef": '{"name": "Old"}'})
    overlay = {"a.py": b"new", "b/c.py": b"unsaved", "T.asmdef": b'{"name": "New"}', "b/pytest.ini": b"[pytest]\n"}
    project = ProjectFiles(str(tmp_path), overlay)
    assert project.read("a.py") == b"new"
    assert project.read("b/c.py") == b"unsaved"
    assert project.stamp("a.py") is None
    assert project.info("T.cs").unit.name == "New"
    assert project.info("b/test_c.py").unit.path == "b/pytest.ini"


@pytest.mark.parametrize(("path", "reason"), [("missing.py", "does not exist"), ("folder", "is a folder")])
def test_what_cannot_be_read_says_why(write: Write, path: str, reason: str) -> None:
    project = write({"folder/a.py": ""})
    with pytest.raises(Unread, match=reason):
        project.read(path)


def test_a_name_that_no_system_takes_is_an_answer_not_a_crash(write: Write) -> None:
    project = write({})
    for path in ("nul\0.py", "x" * 5000 + ".py"):
        with pytest.raises(Unread):
            project.read(path)
        assert project.stamp(path) is None


def test_a_large_file_is_not_read(write: Write, tmp_path: Path) -> None:
    write({"big.py": b"#" * 101})
    disk = Disk(str(tmp_path))
    assert len(disk.read("big.py", limit=101)) == 101
    with pytest.raises(Unread, match="101 bytes; the limit is 100"):
        disk.read("big.py", limit=100)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
def test_a_pipe_does_not_block(write: Write, tmp_path: Path) -> None:
    project = write({})
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(Unread, match="no regular file"):
        project.read("pipe.py")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is permitted to root")
def test_a_file_without_permission_says_so(write: Write, tmp_path: Path) -> None:
    project = write({"a.py": ""})
    (tmp_path / "a.py").chmod(0)
    with pytest.raises(Unread, match="not permitted"):
        project.read("a.py")


def test_a_stamp_changes_with_the_file(write: Write, tmp_path: Path) -> None:
    project = write({"a.py": "1"})
    before = project.stamp("a.py")
    (tmp_path / "a.py").write_text("22")
    assert before is not None
    assert project.stamp("a.py") not in {before, None}
    assert project.stamp("missing.py") is None


def test_project_files_that_are_links_out_of_the_project_say_nothing(
    write: Write, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.props").write_text("<Project><ItemGroup><PackageReference Include='xunit'/></ItemGroup></Project>")
    (outside / "pytest.ini").write_text("[pytest]\npython_files = *_spec.py\n")
    project = write({"a/a.csproj": '<Project><Import Project="../x.props"/></Project>'})
    for name in ("x.props", "pytest.ini"):
        (tmp_path / name).symlink_to(outside / name)
    assert project.info("a/T.cs").unit.fact("packages") == ()
    assert project.info("a/test_a.py").unit.path == ""
