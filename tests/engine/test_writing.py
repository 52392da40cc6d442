import os
import stat
from pathlib import Path

import pytest

from guards.engine.writing import NotWritten, create, replace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "sub" / "a.py"
    file.parent.mkdir()
    file.write_bytes(b"old")
    return file


def test_a_file_gets_its_new_bytes_and_keeps_its_mode(tmp_path: Path, file: Path) -> None:
    file.chmod(0o754)
    replace(str(tmp_path), "sub/a.py", b"old", b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o754
    assert os.listdir(file.parent) == ["a.py"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path, file: Path) -> None:
    with pytest.raises(NotWritten, match="changed meanwhile"):
        replace(str(tmp_path), "sub/a.py", b"older", b"new")
    assert file.read_bytes() == b"old"


def test_a_read_only_file_is_left_alone(tmp_path: Path, file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(NotWritten, match="read-only"):
        replace(str(tmp_path), "sub/a.py", b"old", b"new")
    assert file.read_bytes() == b"old"


def test_a_link_is_left_alone(tmp_path: Path, file: Path) -> None:
    (tmp_path / "link.py").symlink_to(file)
    with pytest.raises(NotWritten, match="link"):
        replace(str(tmp_path), "link.py", b"old", b"new")
    assert (tmp_path / "link.py").is_symlink()
    assert file.read_bytes() == b"old"


def test_what_is_reached_through_a_link_or_lies_outside_is_left_alone(tmp_path: Path, file: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "folder").symlink_to(file.parent)
    for path in ("folder/a.py", "../sub/a.py"):
        with pytest.raises(NotWritten, match="link"):
            replace(str(root), path, b"old", b"new")
    assert file.read_bytes() == b"old"


def test_a_root_that_is_a_link_itself_is_no_hindrance(tmp_path: Path, file: Path) -> None:
    (tmp_path / "root").symlink_to(file.parent)
    replace(str(tmp_path / "root"), "a.py", b"old", b"new")
    assert file.read_bytes() == b"new"


def test_a_file_with_two_names_is_left_alone(tmp_path: Path, file: Path) -> None:
    os.link(file, tmp_path / "b.py")
    with pytest.raises(NotWritten, match="several names"):
        replace(str(tmp_path), "sub/a.py", b"old", b"new")
    assert file.read_bytes() == b"old"


def test_a_file_that_is_gone_is_not_made_again(tmp_path: Path, file: Path) -> None:
    file.unlink()
    with pytest.raises(NotWritten, match="No such file"):
        replace(str(tmp_path), "sub/a.py", b"old", b"new")
    assert not file.exists()


def test_nothing_is_left_behind_where_writing_fails(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_names: str) -> None:
        raise OSError(28, "No space left on device")

    # suiteguard: allow[unowned-patch] a disk that is full at this very moment cannot be had otherwise
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(NotWritten, match="No space left"):
        replace(str(tmp_path), "sub/a.py", b"old", b"new")
    assert os.listdir(file.parent) == ["a.py"]
    assert file.read_bytes() == b"old"


def test_a_new_file_stands_alone_in_its_folder_and_others_may_read_it(tmp_path: Path, file: Path) -> None:
    create(str(tmp_path), "sub/b.json", b"new")
    assert (file.parent / "b.json").read_bytes() == b"new"
    assert sorted(os.listdir(file.parent)) == ["a.py", "b.json"]
    if os.name != "nt":
        plain = tmp_path / "plain"
        plain.touch()
        assert (file.parent / "b.json").stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("path", ["sub/a.py", "sub", "no/b.json", "sub/a.py/b.json"])
def test_a_new_file_takes_the_place_of_nothing(tmp_path: Path, file: Path, path: str) -> None:
    with pytest.raises(NotWritten):
        create(str(tmp_path), path, b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(file.parent) == ["a.py"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_new_file_is_not_made_through_a_link(tmp_path: Path, file: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project/out").symlink_to(file.parent, target_is_directory=True)
    (tmp_path / "project/b.json").symlink_to(file.parent / "c.json")
    for path in ("out/b.json", "b.json"):
        with pytest.raises(NotWritten):
            create(str(tmp_path / "project"), path, b"new")
    assert os.listdir(file.parent) == ["a.py"]
