"""Facts and outlines of a project's files: the same from the cache as from the files, and never old ones."""

import os
import sqlite3
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from guards.engine.store import Means, Store
from guards.languages.csharp import Facts, Outline, outline
from guards.project.files import ProjectFiles

LONG_AGO = time.time() - 3600


class Project(NamedTuple):
    """A project on disk, and a folder for its cache."""

    folder: Path
    cache: Path

    def write(self, path: str, text: str, when: float = LONG_AGO) -> None:
        file = self.folder / path
        file.write_text(text, encoding="utf-8")
        os.utime(file, (when, when))

    def outlines(self) -> dict[str, Outline]:
        """The outlines of one run; each is that of the file's facts."""
        files = ProjectFiles(str(self.folder))
        infos = [files.info(path) for path in files.listing()]
        with Store(files, (), Means(use_cache=True, cache_folder=str(self.cache))) as store:
            found = store.facts(infos)
            outlines = {path: each for path, each in (found.outlines or {}).items() if isinstance(each, Outline)}
            for path, each in outlines.items():
                facts = found.facts[path]
                assert isinstance(facts, Facts)
                assert outline(facts) == each
            assert store.trouble == ""
        return outlines

    def types(self) -> dict[str, tuple[str, ...]]:
        return {path: each.types for path, each in self.outlines().items()}

    def change_cache(self, statement: str) -> None:
        (file,) = self.cache.glob("*.sqlite")
        with sqlite3.connect(file) as connection:
            connection.execute(statement)
        connection.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project", tmp_path / "cache")
    made.folder.mkdir()
    made.write("A.cs", "class A { }")
    made.write("B.cs", "class B { }")
    return made


def test_outlines_are_the_same_from_the_cache(project: Project) -> None:
    first = project.outlines()
    assert project.types() == {"A.cs": ("A",), "B.cs": ("B",)}
    assert project.outlines() == first


@pytest.mark.parametrize("later", [0, 1])
def test_a_file_that_changed_has_another_outline(project: Project, later: int) -> None:
    project.outlines()
    project.write("A.cs", "class Other { }", LONG_AGO + later)
    assert project.types() == {"A.cs": ("Other",), "B.cs": ("B",)}


def test_a_file_that_was_only_touched_keeps_its_outline(project: Project) -> None:
    project.outlines()
    project.write("A.cs", "class A { }", LONG_AGO + 1)
    assert project.types() == {"A.cs": ("A",), "B.cs": ("B",)}


def test_a_file_that_is_gone_has_none(project: Project) -> None:
    project.outlines()
    (project.folder / "A.cs").unlink()
    assert project.types() == {"B.cs": ("B",)}


@pytest.mark.parametrize(
    "statement",
    [
        "delete from facts",
        "update facts set value = x'00'",
        "update facts set content = x'00'",
        "update known set value = x'00'",
        "update known set basis = x'00'",
        "delete from known",
    ],
)
def test_a_cache_that_lost_something_is_as_good_as_none(project: Project, statement: str) -> None:
    first = project.outlines()
    project.change_cache(statement)
    assert project.outlines() == first


def test_a_language_without_outlines_has_facts_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    files = ProjectFiles(str(tmp_path))
    with Store(files, (), Means()) as store:
        found = store.facts([files.info("a.py")])
        assert found.outlines is None
        assert list(found.facts) == ["a.py"]
