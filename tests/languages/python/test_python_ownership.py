"""Whose a name is, and which file a module name means."""

import pytest
from languages.python.sample import indexed, info_of

from guards.languages.python.modules import OWNED, STDLIB, THIRD_PARTY, UNDECIDED, Modules
from guards.project.model import Unit

DECLARED = Unit("python", "app", "pyproject.toml", facts=(("dependencies", ("docker",)), ("roots", ("src", ""))))
TEST = "tests/app/test_camera.py"


@pytest.mark.parametrize(
    ("files", "name", "owner", "location"),
    [
        (("src/app/__init__.py",), "app", OWNED, "src/app/__init__.py"),
        (("src/app/camera.py",), "app", OWNED, "src/app/"),
        (("src/app.py",), "app", OWNED, "src/app.py"),
        (("tests/consts.py",), "tests", OWNED, "tests/"),
        ((), "os", STDLIB, ""),
        (("src/asyncio.py",), "asyncio", STDLIB, ""),
        ((), "requests", THIRD_PARTY, ""),
        (("src/app/__init__.py", "src/app/requests.py"), "requests", THIRD_PARTY, ""),
        (("tests/requests/test_get.py",), "requests", THIRD_PARTY, ""),
        (("tests/app/helpers.py",), "helpers", OWNED, "tests/app/helpers.py"),
        (("tests/helpers.py", "tests/conftest.py"), "helpers", OWNED, "tests/helpers.py"),
        (("scripts/check.py",), "check", UNDECIDED, ""),
        (("tools/check/__init__.py",), "check", UNDECIDED, ""),
        (("install.py", "install/commands.py"), "install", UNDECIDED, ""),
        (("src/app/__init__.py", "app/__init__.py"), "app", UNDECIDED, ""),
        (("src/app/__init__.py", "app/script.py"), "app", OWNED, "src/app/__init__.py"),
        (("docker/build.py",), "docker", THIRD_PARTY, ""),
        (("docker/__init__.py",), "docker", OWNED, "docker/__init__.py"),
        ((), "_app", UNDECIDED, ""),
        ((), "__main__", UNDECIDED, ""),
    ],
)
def test_top_level_modules(files: tuple[str, ...], name: str, owner: str, location: str) -> None:
    index = indexed(dict.fromkeys((*files, TEST), ""), unit=DECLARED)
    assert index.modules.top_level(name, TEST) == (owner, location)


def test_another_package_of_a_monorepo_is_owned() -> None:
    units = {root: Unit("python", root, facts=(("roots", (f"{root}/src", root)),)) for root in "ab"}
    paths = ("a/tests/test_x.py", "b/src/beta/__init__.py")
    modules = Modules({path: info_of(path, units[path[0]]) for path in paths}, ())
    assert modules.top_level("beta", "a/tests/test_x.py") == (OWNED, "b/src/beta/__init__.py")


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("src/app/camera.py", "app.camera"),
        ("src/app/__init__.py", "app"),
        ("src/app/", "app"),
        ("tests/consts.py", "tests.consts"),
        ("setup.py", "setup"),
    ],
)
def test_module_names(location: str, name: str) -> None:
    assert indexed({location: ""}).modules.name_of(location) == name
