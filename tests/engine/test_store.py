import os
from pathlib import Path

from guards.config.model import CommandLine
from guards.engine.run import Request, check
from guards.engine.store import Means

FLAWED = "from unittest import mock\n"
CLEAN = "import unittest_like\n"
LONG_AGO = 1_500_000_000


def write(path: Path, text: str, modified: int) -> None:
    path.write_text(text)
    os.utime(path, (modified, modified))


def test_a_file_that_changes_while_others_are_read_is_read_again_at_the_next_run(tmp_path: Path) -> None:
    files = [tmp_path / "project" / f"test_{number}.py" for number in range(12)]
    files[0].parent.mkdir()
    for file in files:
        write(file, CLEAN, LONG_AGO)

    def edit(_done: int, _of: int) -> None:
        write(files[9], FLAWED, LONG_AGO + 60)

    only = CommandLine(None, None, ("unittest-mock",))
    means = Means(progress=edit, use_cache=True, cache_folder=str(tmp_path / "cache"))
    first = check(Request(str(files[0].parent), (), only, {}, means))
    assert first.findings == ()
    second = check(Request(str(files[0].parent), (), only, {}, means))
    assert [finding.place.path for finding in second.findings] == ["test_9.py"]


def test_an_unchanged_file_is_not_collected_from_again(tmp_path: Path) -> None:
    files = [tmp_path / "project" / f"test_{number}.py" for number in range(12)]
    files[0].parent.mkdir()
    for file in files:
        write(file, CLEAN, LONG_AGO)
    collected: list[int] = []

    def count(_done: int, of: int) -> None:
        collected.append(of)

    means = Means(progress=count, use_cache=True, cache_folder=str(tmp_path / "cache"))
    check(Request(str(files[0].parent), means=means))
    assert sum(1 for _ in collected) == 12
    write(files[3], FLAWED, LONG_AGO + 60)
    check(Request(str(files[0].parent), means=means))
    assert sum(1 for _ in collected) == 13
