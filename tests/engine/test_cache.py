import os
import time
from pathlib import Path

import pytest

from guards.engine.cache import OUTLINE, SAID, Cache, Entry, basis_key, outline, plan_key, said
from guards.engine.locations import cache_file, cache_files
from guards.engine.task import Collected, RulePlan, content_key
from guards.findings.model import Candidate, Finding, Related, UnreadRegion
from guards.findings.suppressions import Suppression
from guards.languages.csharp import open_file
from guards.languages.csharp import outline as outline_of
from guards.project.model import TEST, FileInfo, Stamp, Unit
from guards.source.place import Place
from guards.source.text import SourceText

PLACE = Place("a.cs", 1, 2, 3, 4)
SAYING_ALL = Collected(
    "a.cs",
    "csharp",
    (Finding("thread-sleep", PLACE, "m", "w", "i", (Related(PLACE, "here"),), "SGC001", "error"),),
    (Candidate("thread-sleep", PLACE, "call", ("0", "Thread.Sleep"), "T.A"),),
    (Suppression(("thread-sleep",), (PLACE,), "why", PLACE, 1, 2),),
    (UnreadRegion(PLACE, known_gap=True),),
    note="n",
)
OLD = Stamp(10, time.time_ns() - 60_000_000_000)
INFO = FileInfo("a.cs", "csharp", TEST)
PLAN = RulePlan("a", "m", "C", (), (), {"allow": ("b",), "table": {"x": 1}})


def test_what_is_put_comes_back_whole(tmp_path: Path) -> None:
    file = str(tmp_path / "c.sqlite")
    with Cache(file) as cache:
        cache.put(SAID, Entry("a.cs", OLD, b"content", b"basis", SAYING_ALL))
    with Cache(file) as cache:
        known = cache.known(SAID)
        assert known["a.cs"]._replace(value=b"") == ("a.cs", *OLD, b"content", b"basis", b"")
        assert said(known["a.cs"]) == SAYING_ALL
        assert list(known) == ["a.cs"]


def test_nothing_is_kept_of_a_run_that_failed(tmp_path: Path) -> None:
    file = str(tmp_path / "c.sqlite")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(file)
    with Cache(file) as cache:
        assert cache.known(SAID) == {}


def test_a_file_changed_just_now_is_not_trusted_by_its_time(tmp_path: Path) -> None:
    """The clock of a file system may be coarser than two edits are apart."""
    file = str(tmp_path / "c.sqlite")
    now = Stamp(10, time.time_ns())
    with Cache(file) as cache:
        cache.put(SAID, Entry("a.cs", now, b"content", b"basis", SAYING_ALL))
    with Cache(file) as cache:
        assert not cache.known(SAID)["a.cs"].has_stamp(now)


def _interrupted(file: str) -> None:
    with Cache(file) as cache:
        cache.put(SAID, Entry("a.cs", OLD, b"content", b"basis", SAYING_ALL))
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "info",
    [
        INFO._replace(role="product"),
        INFO._replace(language="python"),
        INFO._replace(unit=Unit("asmdef", mode="PlayMode")),
    ],
)
def test_what_the_project_says_of_a_file_is_part_of_the_key(info: FileInfo) -> None:
    assert basis_key(info, b"") != basis_key(INFO, b"")


@pytest.mark.parametrize(
    "plan",
    [
        PLAN._replace(options={"allow": ("c",), "table": {"x": 1}}),
        PLAN._replace(options={"allow": ("b",), "table": {"x": 2}}),
        PLAN._replace(name="b"),
        PLAN._replace(triggers=(b"x",)),
    ],
)
def test_a_change_of_rules_or_options_changes_the_key(plan: RulePlan) -> None:
    assert plan_key([plan]) != plan_key([PLAN])


def test_the_order_in_which_options_are_written_does_not_change_the_key() -> None:
    assert plan_key([PLAN._replace(options={"table": {"x": 1}, "allow": ("b",)})]) == plan_key([PLAN])


def test_content_is_told_by_every_byte() -> None:
    assert content_key(b"a") != content_key(b"b")


def test_a_project_has_one_cache_outside_of_itself(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    folder = str(tmp_path / "cache")
    assert cache_file(str(one), folder) == cache_file(str(one), folder)
    assert cache_file(str(one), folder) != cache_file(str(other), folder)
    assert cache_file(str(one), str(one / "cache")) is None
    assert cache_file(str(one), str(one)) is None


def test_a_cache_folder_that_is_a_link_into_the_project_is_refused(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    try:
        (tmp_path / "link").symlink_to(project, target_is_directory=True)
    except OSError:
        pytest.skip("links need a privilege here")
    assert cache_file(str(project), str(tmp_path / "link" / "cache")) is None


def test_only_caches_are_listed_for_clearing(tmp_path: Path) -> None:
    file = cache_file(str(tmp_path / "p"), str(tmp_path))
    assert file is not None
    for name in (os.path.basename(file), os.path.basename(file) + "-journal", "notes.sqlite", "a.txt"):
        (tmp_path / name).write_text("")
    assert cache_files(str(tmp_path)) == sorted([file, file + "-journal"])
    assert cache_files(str(tmp_path / "missing")) == []


def test_what_no_encoding_knows_is_not_kept_and_harms_nothing_else(tmp_path: Path) -> None:
    file = str(tmp_path / "c.sqlite")
    odd = SAYING_ALL._replace(path="b.cs", note="\ud800")
    with Cache(file) as cache:
        cache.put(SAID, Entry("b.cs", OLD, b"content", b"basis", odd))
        cache.put(SAID, Entry("a.cs", OLD, b"content", b"basis", SAYING_ALL))
    with Cache(file) as cache:
        assert list(cache.known(SAID)) == ["a.cs"]


FACTS = open_file(SourceText("a.cs", b"namespace N { class A { void B() { } } }"), INFO).facts()


def test_facts_come_back_to_their_own_outline_alone(tmp_path: Path) -> None:
    file = str(tmp_path / "c.sqlite")
    with Cache(file) as cache:
        cache.put(OUTLINE, Entry("a.cs", OLD, b"content", b"basis", outline_of(FACTS), FACTS))
        cache.put(OUTLINE, Entry("a.py", OLD, b"content", b"basis", None, ("a language without outlines",)))
    with Cache(file) as cache:
        known = cache.known(OUTLINE)
        assert outline("csharp", known["a.cs"]) == outline_of(FACTS)
        assert cache.facts("a.cs", "csharp", known["a.cs"]) == FACTS
        assert cache.facts("b.cs", "csharp", known["a.cs"]) is None
        for other in (known["a.cs"]._replace(content=b"other"), known["a.cs"]._replace(basis=b"other")):
            assert cache.facts("a.cs", "csharp", other) is None
        assert outline("csharp", known["a.py"]) is None
