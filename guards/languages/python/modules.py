"""Which file a module name means, and whose a name is."""

import re
import sys
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cached_property

from guards.project.model import PRODUCT, TEST, FileInfo, Unit

OWNED, STDLIB, THIRD_PARTY, UNDECIDED = "owned", "stdlib", "third-party", "unknown"
_DEFAULT_ROOTS = ("src", "")
_PYTHON = "python"
_SEPARATORS = re.compile(r"[-_.]+")


class Modules:
    """The modules of a project, by the paths of its files.

    A location is the path of a file, or of a folder with a final slash for a package that has
    no ``__init__.py``.
    """

    def __init__(self, files: Mapping[str, FileInfo], owned: Iterable[str]) -> None:
        self._files = files
        self._owned = tuple(owned)
        self._inserted: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}

    def top_level(self, name: str, path: str) -> tuple[str, str]:
        """The owner of a top-level module as imported by a file, and its location where it is owned."""
        if name in sys.stdlib_module_names:
            return STDLIB, ""
        found = self._in(name, self._roots(path)) or self._in(name, self._folders_of(path))
        found = found or self._in(name, self._all_roots)
        declared = self._is_declared(name, path)
        packages = [location for location in found if location.endswith("/__init__.py")]
        if len(packages) == 1 and all(location.endswith("/") for location in found if location not in packages):
            return OWNED, packages[0]
        # A folder without __init__.py gives way to an installed package of its name.
        if len(found) == 1 and not (declared and found[0].endswith("/")):
            return OWNED, found[0]
        if declared:
            return THIRD_PARTY, ""
        unsure = found or name in self._loose_names or name == "__main__" or self._is_own_extension(name, path)
        return (UNDECIDED if unsure else THIRD_PARTY), ""

    def is_configured(self, name: str) -> bool:
        """Whether configuration says that a full name is the project's own."""
        return any(fnmatchcase(name, glob) or fnmatchcase(name, f"{glob}.*") for glob in self._owned)

    def submodules(self, location: str, name: str) -> tuple[str, ...]:
        """The locations that a module of a package can have: several where that is ambiguous."""
        folder = _folder_of_package(location)
        return () if folder is None else tuple(self._at(folder, name))

    def module_file(self, location: str) -> str:
        """The file whose names are a location's own; empty for a folder without ``__init__.py``."""
        if not location.endswith("/"):
            return location
        init = f"{location.removeprefix('./')}__init__.py"
        return init if init in self._files else ""

    def name_of(self, location: str) -> str:
        """The full name of a module: its path below the longest root that it lies in."""
        path = location.removesuffix("/").removesuffix("__init__.py").removesuffix("/").removesuffix(".py")
        inside = [root for root in self._roots(location) if root and path.startswith(f"{root}/")]
        longest = max(inside, key=len, default="")
        return path[len(longest) :].strip("/").replace("/", ".")

    def _roots(self, path: str) -> tuple[str, ...]:
        return self.unit(path).fact("roots") or _DEFAULT_ROOTS

    def _folders_of(self, path: str) -> tuple[str, ...]:
        """What pytest puts in front of ``sys.path`` for a file and its ``conftest.py``: folders above packages."""
        if path not in self._inserted:
            folders = [self._above_packages(file) for file in (path, *self.ancestors(path))]
            self._inserted[path] = tuple(dict.fromkeys(folders))
        return self._inserted[path]

    def _above_packages(self, path: str) -> str:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/__init__.py" in self._files:
            folder = folder.rpartition("/")[0]
        return folder

    def _in(self, name: str, roots: tuple[str, ...]) -> tuple[str, ...]:
        key = (name, roots)
        if key not in self._found:
            found: list[str] = []
            for root in roots:
                found.extend(self._at(f"{root}/" if root else "", name))
            self._found[key] = tuple(dict.fromkeys(found))
        return self._found[key]

    def _at(self, folder: str, name: str) -> list[str]:
        package, module = f"{folder}{name}/__init__.py", f"{folder}{name}.py"
        found = [path for path in (package, module) if path in self._files]
        if package not in found and f"{folder}{name}" in self._folders:
            found.append(f"{folder}{name}/")
        return found

    @cached_property
    def _folders(self) -> frozenset[str]:
        """All folders that hold Python files, at any depth."""
        folders: set[str] = set()
        for path in self._files:
            if path.endswith(".py"):
                folder = path.rpartition("/")[0]
                while folder and folder not in folders:
                    folders.add(folder)
                    folder = folder.rpartition("/")[0]
        return frozenset(folders)

    @cached_property
    def _all_roots(self) -> tuple[str, ...]:
        """The roots of all units and their folders."""
        units = {info.unit for info in self._files.values() if info.language == _PYTHON}
        return tuple(sorted({root for unit in units for root in unit.fact("roots") or _DEFAULT_ROOTS}))

    @cached_property
    def _loose_names(self) -> frozenset[str]:
        """Modules and packages that lie in no package, anywhere: any folder can be put on ``sys.path``.

        Folders of tests are left out: those mirror what they test, and often are called like it.
        """
        loose = set()
        for path, info in self._files.items():
            if path.endswith(".py") and info.role != TEST:
                folder, _, name = path.rpartition("/")
                if f"{folder}/__init__.py" not in self._files:
                    loose.add(name.removesuffix(".py"))
                while folder and info.role == PRODUCT:
                    folder, _, name = folder.rpartition("/")
                    if f"{folder}/__init__.py" not in self._files:
                        loose.add(name)
        return frozenset(loose)

    def _is_own_extension(self, name: str, path: str) -> bool:
        """Whether a name is that of the project's distribution: a compiled module leaves no source to be found."""
        return _SEPARATORS.sub("-", name.strip("_")).lower() == self.unit(path).name

    def _is_declared(self, name: str, path: str) -> bool:
        return _SEPARATORS.sub("-", name).lower() in self.unit(path).fact("dependencies")

    def ancestors(self, path: str) -> list[str]:
        """The ``conftest.py`` files that hold for a file, the nearest first."""
        found = []
        folder = path.rpartition("/")[0]
        while True:
            conftest = f"{folder}/conftest.py" if folder else "conftest.py"
            if conftest in self._files:
                found.append(conftest)
            if not folder:
                return found
            folder = folder.rpartition("/")[0]

    def unit(self, path: str) -> Unit:
        """The unit of a file."""
        info = self._files.get(path)
        return info.unit if info is not None else Unit()

    def role(self, path: str) -> str:
        """The role of a file; product where it is unknown."""
        info = self._files.get(path)
        return info.role if info is not None else PRODUCT


def _folder_of_package(location: str) -> str | None:
    """The folder, with its slash, in which a package's modules are found; None for a plain module."""
    if location == "./":
        return ""
    if location.endswith("/"):
        return location
    folder, slash, name = location.rpartition("/")
    return folder + slash if name == "__init__.py" else None
