"""The Python project that a file belongs to: its source roots and what it depends on."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from guards.project.disk import Disk, Unread
from guards.project.ini import parse_ini
from guards.source.text import Unreadable, decode

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)", re.ASCII)
_REQUIREMENTS_FILE = re.compile(r"requirements.*\.(?:txt|in)|.*requirements\.(?:txt|in)")

Table = Mapping[str, object]


class PythonProject(NamedTuple):
    """The nearest folder upward that is built or installed as a whole; the root where there is none.

    ``roots`` are the folders in which its modules are found, ``dependencies`` normalised names.
    """

    folder: str = ""
    name: str = ""
    roots: tuple[str, ...] = ("",)
    dependencies: tuple[str, ...] = ()

    def facts(self) -> dict[str, tuple[str, ...]]:
        """What a unit says of the project."""
        return {"roots": self.roots, "dependencies": self.dependencies}

    def holds_product(self, folder: str) -> bool:
        """Whether a folder is, holds or is in a source folder, or is the package that the project is named after."""
        if any(_is_below(root, folder) or (root != self.folder and _is_below(folder, root)) for root in self.roots):
            return True
        return normalised(folder.rpartition("/")[2]) == self.name


class TomlFiles:
    """TOML files, each parsed once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._parsed: dict[str, Table] = {}

    def load(self, path: str) -> Table:
        """The document; empty where it cannot be read."""
        if path not in self._parsed:
            self._parsed[path] = self._parse(path)
        return self._parsed[path]

    def _parse(self, path: str) -> Table:
        import tomllib

        try:
            text = decode(path, self._disk.read_project_file(path)).data.decode()
            return tomllib.loads(text)
        except (Unread, Unreadable, ValueError, RecursionError):
            return {}


def table(parent: Table, *keys: str) -> Table:
    """A table below another; empty where there is none."""
    for key in keys:
        child = parent.get(key)
        parent = child if isinstance(child, dict) else {}
    return parent


def normalised(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def find_project(disk: Disk, toml: TomlFiles, folder: str) -> PythonProject | None:
    """The project whose folder this is, or None; the root always is one."""
    files = disk.folder(folder).files
    prefix = f"{folder}/" if folder else ""
    document = toml.load(f"{prefix}pyproject.toml") if "pyproject.toml" in files else {}
    setup = _setup_cfg(disk, f"{prefix}setup.cfg") if "setup.cfg" in files else {}
    # A pyproject.toml that only configures tools makes no project.
    is_project = "project" in document or "build-system" in document or table(document, "tool", "poetry")
    if folder and not (is_project or "setup.py" in files or {"metadata", "options"} & set(setup)):
        return None
    name = table(document, "project").get("name") or table(document, "tool", "poetry").get("name")
    given = [*_declared(document), *_of_setup_cfg(setup), *_required(disk, folder)]
    return PythonProject(
        folder,
        normalised(name) if isinstance(name, str) else "",
        (*((f"{prefix}src",) if "src" in disk.folder(folder).folders else ()), folder),
        tuple(sorted({normalised(match[1]) for text in given if (match := _REQUIREMENT.match(text))})),
    )


def _is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")


def _declared(document: Table) -> Iterator[str]:
    """Requirements in ``pyproject.toml``: of the project, its extras, its groups, and of Poetry."""
    yield from _strings(table(document, "project").get("dependencies"))
    for group in (table(document, "project", "optional-dependencies"), table(document, "dependency-groups")):
        for requirements in group.values():
            yield from _strings(requirements)
    yield from _strings(table(document, "tool", "uv").get("dev-dependencies"))
    poetry = table(document, "tool", "poetry")
    yield from table(poetry, "dependencies")
    yield from table(poetry, "dev-dependencies")
    for name in table(poetry, "group"):
        yield from table(poetry, "group", name, "dependencies")


def _setup_cfg(disk: Disk, path: str) -> Mapping[str, Mapping[str, str]]:
    return parse_ini(read_text(disk, path))


def _of_setup_cfg(setup: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    options = setup.get("options", {})
    for key in ("install_requires", "tests_require"):
        yield from options.get(key, "").splitlines()
    for extra in setup.get("options.extras_require", {}).values():
        yield from extra.splitlines()


def _required(disk: Disk, folder: str) -> Iterator[str]:
    """Lines of ``requirements*.txt`` beside the project, and in a folder ``requirements`` there."""
    prefix = f"{folder}/" if folder else ""
    paths = [prefix + name for name in disk.folder(folder).files if _REQUIREMENTS_FILE.fullmatch(name)]
    below = f"{prefix}requirements"
    paths.extend(f"{below}/{name}" for name in disk.folder(below).ending(".txt", ".in"))
    for path in sorted(paths):
        yield from (line for line in read_text(disk, path).splitlines() if not line.lstrip().startswith(("#", "-")))


def read_text(disk: Disk, path: str) -> str:
    """The text of a project file; empty where it cannot be read."""
    try:
        return decode(path, disk.read_project_file(path)).data.decode()
    except (Unread, Unreadable):
        return ""


def _strings(values: object) -> Iterable[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
