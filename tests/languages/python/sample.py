"""A small Python project in memory: its files, and what they say together."""

from collections.abc import Iterator, Mapping

from guards.languages.python import Facts, Index, PythonFile, open_file
from guards.project.model import PRODUCT, SUPPORT, TEST, FileInfo, Unit
from guards.source.text import SourceText

UNIT = Unit("python", "app", "pyproject.toml", facts=(("roots", ("src", "")),))


def info_of(path: str, unit: Unit = UNIT) -> FileInfo:
    """What a project says of a file by its usual layout."""
    name = path.rpartition("/")[2]
    if name.startswith("test_"):
        return FileInfo(path, "python", TEST, unit)
    role = SUPPORT if path.startswith("tests/") or name == "conftest.py" else PRODUCT
    return FileInfo(path, "python", role, unit)


def opened(text: str, path: str = "tests/test_sample.py", unit: Unit = UNIT) -> PythonFile:
    """One file."""
    return open_file(SourceText(path, text.encode()), info_of(path, unit))


class LazyFacts(Mapping[str, object]):
    """Facts that are read when they are asked for, as in a run; ``asked`` are the files so far."""

    def __init__(self, files: Mapping[str, str], unit: Unit) -> None:
        self._files = files
        self._unit = unit
        self.asked: set[str] = set()

    def __getitem__(self, path: str) -> Facts:
        self.asked.add(path)
        return opened(self._files[path], path, self._unit).facts()

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("nobody may ask for the facts of all files")

    def __len__(self) -> int:
        return len(self._files)


def indexed(files: Mapping[str, str], owned: tuple[str, ...] = (), unit: Unit = UNIT) -> Index:
    """The index of a project of Python files."""
    return Index(LazyFacts(files, unit), {path: info_of(path, unit) for path in files}, owned)
