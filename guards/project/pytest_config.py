"""The configuration that pytest would use for a file, by pytest's own order of precedence."""

import posixpath
import re
from collections.abc import Callable, Mapping
from fnmatch import translate
from functools import cached_property

from guards.config.globs import BadGlob, compile_globs
from guards.project.disk import Disk
from guards.project.ini import parse_ini
from guards.project.python_project import Table, TomlFiles, read_text, table

PYTHON_FILES = ("test_*.py", "*_test.py")
_LISTS = {
    "python_files": PYTHON_FILES,
    "python_classes": ("Test",),
    "python_functions": ("test",),
    "testpaths": (),
    "norecursedirs": ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}"),
}
# Pytest sees absolute paths. Where the project lies is none of our business, but it lies somewhere.
_SOMEWHERE = "/\0/\0/"
_ANY_FILE = frozenset({"*", "*.*", "*.py"})
_QUOTES = re.compile(r"""['"\\]""")
_TRUE = frozenset({"1", "yes", "true", "on"})

Values = Mapping[str, object]


class _Patterns:
    """Globs as pytest matches them: one with a slash against the whole path, any other against the last name."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._names = _any_of([pattern for pattern in patterns if "/" not in pattern])
        self._paths = _any_of([f"*/{pattern}" for pattern in patterns if "/" in pattern])

    def match(self, path: str) -> bool:
        """Whether one of the globs matches a file or folder."""
        return bool(self._names.match(path.rpartition("/")[2]) or self._paths.match(f"{_SOMEWHERE}{path}"))


def _any_of(globs: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, globs)) or "(?!)")


class PytestConfig:
    """One configuration: the file that holds it (empty: none does) and its values as written.

    In a list of the ini dialect words are separated by space; markers by lines.
    """

    def __init__(self, path: str, values: Values) -> None:
        self.path = path
        self._folder = path.rpartition("/")[0]
        self._values = values

    def facts(self) -> dict[str, tuple[str, ...]]:
        """What a unit says of the configuration."""
        facts = {name: self.words(name) for name in _LISTS}
        facts["markers"] = self._markers()
        mode = self._values.get("asyncio_mode")
        facts["asyncio_mode"] = (mode.strip(),) if isinstance(mode, str) else ()
        facts["strict-markers"] = ("true",) if self._strict_markers() else ()
        return facts

    def words(self, name: str) -> tuple[str, ...]:
        """The values of a list, or pytest's default."""
        return self._words(name) if name in self._values else _LISTS[name]

    def import_roots(self) -> tuple[str, ...]:
        """The folders that ``pythonpath`` adds to the places where modules are found."""
        return self._folders_of("pythonpath")

    def collects(self, path: str) -> bool:
        """Whether ``python_files`` matches the name of a file; a glob that matches every name says nothing of one."""
        return self._python_files.match(path)

    @cached_property
    def collects_all(self) -> bool:
        """Whether ``python_files`` matches every Python file."""
        return not _ANY_FILE.isdisjoint(self.words("python_files"))

    def recurses(self, folder: str) -> bool:
        """Whether pytest goes into a folder that it meets on its way."""
        return folder.rpartition("/")[2] != "__pycache__" and not self._norecursedirs.match(folder)

    def is_testpath(self, folder: str) -> bool:
        """Whether a folder is one of ``testpaths``, or matches one."""
        matched = self._testpaths.match(folder)
        return matched is not None and matched.end() == len(folder)

    @cached_property
    def _python_files(self) -> _Patterns:
        return _Patterns(tuple(glob for glob in self.words("python_files") if glob not in _ANY_FILE))

    @cached_property
    def _norecursedirs(self) -> _Patterns:
        return _Patterns(self.words("norecursedirs"))

    @cached_property
    def _testpaths(self) -> re.Pattern[str]:
        try:
            return compile_globs(tuple(f"/{path}" for path in self._folders_of("testpaths") if path))
        except BadGlob:
            return compile_globs(())

    def _folders_of(self, name: str) -> tuple[str, ...]:
        """A list of folders, from the root; those outside of it are left out."""
        paths = [posixpath.normpath(posixpath.join(self._folder, path)) for path in self._words(name)]
        return tuple(
            "" if path == "." else path for path in paths if path != ".." and not path.startswith(("/", "../"))
        )

    def _strict_markers(self) -> bool:
        # `addopts` are options of the command line and win over values; what is said of markers wins over
        # what is said of all.
        options = self._words("addopts")
        for option, name in (("--strict-markers", "strict_markers"), ("--strict", "strict")):
            if option in options:
                return True
            if name in self._values:
                return str(self._values[name]).strip().lower() in _TRUE
        return False

    def _words(self, name: str) -> tuple[str, ...]:
        value = self._values.get(name)
        if not isinstance(value, str):
            return _strings(value)
        if not _QUOTES.search(value):
            return tuple(value.split())
        import shlex

        try:
            return tuple(shlex.split(value))
        except ValueError:
            return tuple(value.split())

    def _markers(self) -> tuple[str, ...]:
        """The names of registered markers; what stands behind a name describes it."""
        value = self._values.get("markers")
        lines = value.split("\n") if isinstance(value, str) else _strings(value)
        names = (line.partition(":")[0].partition("(")[0].strip() for line in lines)
        return tuple(name for name in names if name)


DEFAULTS = PytestConfig("", {})


def find_config(disk: Disk, toml: TomlFiles, folder: str) -> PytestConfig | None:
    """The configuration that a folder itself holds, or None."""
    files = disk.folder(folder).files
    prefix = f"{folder}/" if folder else ""
    for name, load in _LOADERS.items():
        if name in files:
            values = load(disk, toml, prefix + name)
            if values is not None:
                return PytestConfig(prefix + name, values)
    return None


def _of_pytest_toml(_disk: Disk, toml: TomlFiles, path: str) -> Values | None:
    return table(toml.load(path), "pytest")


def _of_pytest_ini(disk: Disk, _toml: TomlFiles, path: str) -> Values | None:
    return parse_ini(read_text(disk, path)).get("pytest", {})


def _of_pyproject(_disk: Disk, toml: TomlFiles, path: str) -> Values | None:
    settings = table(toml.load(path), "tool", "pytest")
    native: Table = {name: value for name, value in settings.items() if name != "ini_options"}
    return native or (table(settings, "ini_options") if "ini_options" in settings else None)


def _of_tox_ini(disk: Disk, _toml: TomlFiles, path: str) -> Values | None:
    return parse_ini(read_text(disk, path)).get("pytest")


def _of_setup_cfg(disk: Disk, _toml: TomlFiles, path: str) -> Values | None:
    return parse_ini(read_text(disk, path)).get("tool:pytest")


# In pytest's order; those of pytest alone count even where they are empty.
_LOADERS: Mapping[str, Callable[[Disk, TomlFiles, str], Values | None]] = {
    "pytest.toml": _of_pytest_toml,
    ".pytest.toml": _of_pytest_toml,
    "pytest.ini": _of_pytest_ini,
    ".pytest.ini": _of_pytest_ini,
    "pyproject.toml": _of_pyproject,
    "tox.ini": _of_tox_ini,
    "setup.cfg": _of_setup_cfg,
}


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
