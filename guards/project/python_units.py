"""Python: how pytest would collect a file, and the project that it belongs to."""

from typing import NamedTuple

from guards.project.disk import Disk, Inherited
from guards.project.model import PRODUCT, SUPPORT, TEST, Unit
from guards.project.pytest_config import DEFAULTS, PytestConfig, find_config
from guards.project.python_project import PythonProject, TomlFiles, find_project

_TEST_FOLDERS = frozenset({"test", "tests"})


class _Package(NamedTuple):
    """What holds for the Python files of one folder."""

    config: PytestConfig
    project: PythonProject
    support: bool
    collected: bool


class PythonUnits:
    """Units of Python files: files with the same pytest configuration and project share one."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._toml = TomlFiles(disk)
        self._folders = Inherited(_Package(DEFAULTS, PythonProject(), support=False, collected=True), self._step)
        self._units: dict[tuple[int, int], Unit] = {}

    def role_and_unit(self, path: str) -> tuple[str, Unit]:
        """The role and the unit of a Python file."""
        folder, _, name = path.rpartition("/")
        package = self._folders.of(folder)
        unit = self._unit(package.config, package.project)
        # Where every file is collected, only those that serve tests are taken for tests.
        matched = package.config.collects(path) or (package.support and package.config.collects_all)
        if matched and package.collected and name != "conftest.py":
            return TEST, unit
        return (SUPPORT if package.support or name == "conftest.py" else PRODUCT), unit

    def _step(self, folder: str, above: _Package) -> _Package:
        config = find_config(self._disk, self._toml, folder) or above.config
        project = find_project(self._disk, self._toml, folder) or above.project
        testpath = config.is_testpath(folder)
        # pytest starts in the folder of its configuration and in testpaths, whatever their names are.
        starts = folder == "" or testpath or config is not above.config
        return _Package(
            config,
            project,
            support=above.support or self._is_support(folder, config, project, testpath=testpath),
            collected=starts or (above.collected and config.recurses(folder)),
        )

    def _is_support(self, folder: str, config: PytestConfig, project: PythonProject, *, testpath: bool) -> bool:
        """Whether all Python files of a folder, and below it, serve tests."""
        if folder == project.folder:
            return False
        name = folder.rpartition("/")[2]
        if name.lower() in _TEST_FOLDERS:
            return True
        if testpath:
            # Some name the package itself, since its tests stand among its modules.
            return not project.holds_product(folder)
        files = self._disk.folder(folder).files
        return "conftest.py" in files and any(
            config.collects(f"{folder}/{file}") for file in files if file != "conftest.py"
        )

    def _unit(self, config: PytestConfig, project: PythonProject) -> Unit:
        key = (id(config), id(project))
        if key not in self._units:
            facts = {**config.facts(), **project.facts()}
            facts["roots"] = tuple(dict.fromkeys((*project.roots, *config.import_roots())))
            pairs = tuple(sorted((name, values) for name, values in facts.items() if values))
            self._units[key] = Unit("python", project.name, config.path, facts=pairs)
        return self._units[key]
