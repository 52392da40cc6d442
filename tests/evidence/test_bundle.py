import os
from pathlib import Path

import pytest

from guards.evidence.bundle import Bundle, Missing, Unreadable


def test_files_are_read_whole_and_by_lines_that_end_with_a_line_feed_alone(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes("{1}\r\n{\u2028}\n\n{3}".encode())
    bundle = Bundle(str(tmp_path))
    assert bundle.read("a.jsonl") == b"".join(bundle.lines("a.jsonl"))
    assert list(bundle.lines("a.jsonl")) == [b"{1}\r\n", "{\u2028}\n".encode(), b"\n", b"{3}"]


def test_what_is_not_there_is_missing_and_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    bundle = Bundle(str(tmp_path))
    with pytest.raises(Missing):
        bundle.read("a.json")
    with pytest.raises(Unreadable, match="it is a folder"):
        bundle.read("folder")
    assert bundle.names("nowhere") == ()


def test_no_link_is_followed_out_of_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    inside = tmp_path / "bundle"
    (inside / "runs").mkdir(parents=True)
    (inside / "real.json").write_text("{}")
    (inside / "out.json").symlink_to(tmp_path / "secret")
    (inside / "folder").symlink_to(tmp_path)
    (inside / "nowhere.json").symlink_to(inside / "missing")
    (inside / "runs" / "in.json").symlink_to(inside / "real.json")
    bundle = Bundle(str(inside))
    for path in ("out.json", "folder/secret", "../secret"):
        with pytest.raises(Unreadable, match="it is a link out of the bundle"):
            bundle.read(path)
    with pytest.raises(Unreadable, match="it is a link that leads nowhere"):
        bundle.read("nowhere.json")
    assert bundle.names("folder") == ()
    assert bundle.read("runs/in.json") == b"{}"


def test_a_file_larger_than_its_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"12345")
    assert Bundle(str(tmp_path)).read("a.json", limit=5) == b"12345"
    with pytest.raises(Unreadable, match="it has 5 bytes; the limit is 4"):
        Bundle(str(tmp_path)).read("a.json", limit=4)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes among files here")
def test_a_pipe_is_no_evidence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="it is no regular file"):
        Bundle(str(tmp_path)).read("pipe")


def test_what_changes_after_it_was_read_is_noticed(tmp_path: Path) -> None:
    for name in ("same", "grown", "gone", "replaced"):
        (tmp_path / name).write_text("1")
    bundle = Bundle(str(tmp_path))
    for name in ("same", "grown", "gone", "replaced"):
        bundle.read(name)
    assert bundle.changed() == ()
    (tmp_path / "grown").write_text("22")
    (tmp_path / "gone").unlink()
    (tmp_path / "other").write_text("1")
    os.replace(tmp_path / "other", tmp_path / "replaced")
    assert bundle.changed() == ("gone", "grown", "replaced")
