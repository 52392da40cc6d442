import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from guards.project.files import ProjectFiles
from guards.project.model import Unit

Write = Callable[[dict[str, str | bytes]], ProjectFiles]
TABLE = "[tool.pytest.ini_options]\n"


def unit_of(write: Write, files: dict[str, str | bytes], path: str = "tests/test_x.py") -> Unit:
    return write(files).info(path).unit


def roles(project: ProjectFiles) -> dict[str, str]:
    return {path: project.info(path).role for path in project.listing() if path.endswith(".py")}


def test_without_configuration_pytests_defaults_hold(write: Write) -> None:
    unit = unit_of(write, {})
    assert (unit.kind, unit.path, unit.name) == ("python", "", "")
    assert unit.fact("python_files") == ("test_*.py", "*_test.py")
    assert unit.fact("python_classes") == ("Test",)
    assert unit.fact("python_functions") == ("test",)
    assert unit.fact("norecursedirs") == (
        "*.egg",
        ".*",
        "_darcs",
        "build",
        "CVS",
        "dist",
        "node_modules",
        "venv",
        "{arch}",
    )
    for name in ("testpaths", "markers", "asyncio_mode", "strict-markers", "dependencies"):
        assert unit.fact(name) == ()
    assert unit.fact("roots") == ("",)


CONTENTS = {
    "pytest.toml": '[pytest]\npython_functions = ["it_*"]\n',
    ".pytest.toml": '[pytest]\npython_functions = ["it_*"]\n',
    "pytest.ini": "[pytest]\npython_functions = it_*\n",
    ".pytest.ini": "[pytest]\npython_functions = it_*\n",
    "pyproject.toml": TABLE + 'python_functions = "it_*"\n',
    "tox.ini": "[pytest]\npython_functions: it_*\n",
    "setup.cfg": "[tool:pytest]\npython_functions = it_*\n",
}


@pytest.mark.parametrize("first", range(len(CONTENTS)))
def test_of_several_configurations_in_a_folder_the_first_in_pytests_order_holds(write: Write, first: int) -> None:
    names = list(CONTENTS)[first:]
    unit = unit_of(write, {name: CONTENTS[name] for name in names})
    assert unit.path == names[0]
    assert unit.fact("python_functions") == ("it_*",)


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ({"pytest.ini": "", "tox.ini": CONTENTS["tox.ini"]}, "pytest.ini"),
        ({"pytest.toml": "[other]\n", "pytest.ini": CONTENTS["pytest.ini"]}, "pytest.toml"),
        ({"pyproject.toml": "[tool.black]\n", "setup.cfg": CONTENTS["setup.cfg"]}, "setup.cfg"),
        ({"pyproject.toml": TABLE, "tox.ini": CONTENTS["tox.ini"]}, "pyproject.toml"),
        ({"tox.ini": "[tox]\n", "setup.cfg": "[pytest]\n"}, ""),
        ({"pyproject.toml": "[tool.pytest]\npython_files = ['a_*.py']\n"}, "pyproject.toml"),
        ({"pytest.ini": CONTENTS["pytest.ini"], "tests/pytest.ini": ""}, "tests/pytest.ini"),
        ({"pytest.ini": "", "tests/pyproject.toml": "[tool.black]\n"}, "pytest.ini"),
        ({"tests/other/pytest.ini": ""}, ""),
    ],
)
def test_which_file_is_a_configuration(write: Write, files: dict[str, str], path: str) -> None:
    assert unit_of(write, {**files}).path == path


def test_every_value_that_units_give(write: Write) -> None:
    text = (
        "[pytest]\naddopts = -ra\n  --strict-markers\nmarkers =\n    slow: takes long\n    e2e(host): needs a host\n    paid\n"
        "asyncio_mode = auto\ntestpaths = tests 'more tests'\npython_files = check_*.py\n   *_spec.py\nnorecursedirs = out\n"
        "python_classes = Suite Check*\npython_functions = should_*\npythonpath = . lib ../outside\n"
    )
    unit = unit_of(write, {"sub/pytest.ini": text}, "sub/a.py")
    assert dict(unit.facts) == {
        "asyncio_mode": ("auto",),
        "markers": ("slow", "e2e", "paid"),
        "norecursedirs": ("out",),
        "python_classes": ("Suite", "Check*"),
        "python_files": ("check_*.py", "*_spec.py"),
        "python_functions": ("should_*",),
        "roots": ("", "sub", "sub/lib", "outside"),
        "strict-markers": ("true",),
        "testpaths": ("tests", "more tests"),
    }


@pytest.mark.parametrize(
    ("lines", "strict"),
    [
        ('addopts = ["-ra", "--strict-markers"]', True),
        ('addopts = "-ra --strict-markers"', True),
        ('addopts = "--strict"', True),
        ("strict_markers = true", True),
        ('strict = "yes"', True),
        ("strict = true\nstrict_markers = false", False),
        ('addopts = "--strict"\nstrict_markers = false', False),
        ('addopts = "--strict-markers"\nstrict_markers = false', True),
        ('addopts = "--strict-config"', False),
        ('addopts = "-k --strict-markers-not"', False),
        ("strict_markers = false", False),
        ("addopts = 3", False),
    ],
)
def test_strict_markers_in_each_spelling(write: Write, lines: str, *, strict: bool) -> None:
    assert bool(unit_of(write, {"pyproject.toml": f"{TABLE}{lines}\n"}).fact("strict-markers")) is strict


@pytest.mark.parametrize(
    "content",
    [b"[tool.pytest", b"\xff\x00", b"a = " + b"[" * 50_000, b'[tool]\npytest = "x"\n', b"tool = 3\n", b"x" * (3 << 20)],
)
def test_a_broken_document_configures_nothing(write: Write, content: bytes) -> None:
    unit = unit_of(write, {"pyproject.toml": content})
    assert (unit.path, unit.fact("python_functions")) == ("", ("test",))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"markers = x", b"[pytest]\npython_files = 'open\nmarkers\n"])
def test_a_broken_ini_file_is_read_as_far_as_it_can_be(write: Write, content: bytes) -> None:
    unit = unit_of(write, {"pytest.ini": content})
    assert unit.path == "pytest.ini"
    assert unit.fact("markers") == ()


def test_roles(write: Write) -> None:
    project = write(
        {
            "src/app/core.py": "",
            "src/app/test_inside.py": "",
            "src/app/testing.py": "",
            "tests/test_a.py": "",
            "tests/a_test.py": "",
            "tests/helpers.py": "",
            "tests/deep/er/data.py": "",
            "tests/conftest.py": "",
            "tests/build/test_left_out.py": "",
            ".hidden/test_left_out.py": "",
            "checks/conftest.py": "",
            "checks/test_b.py": "",
            "checks/more/tools.py": "",
            "plain/conftest.py": "",
            "plain/code.py": "",
            "conftest.py": "",
            "test_root.py": "",
            "setup.py": "",
            "contest_test.pyi": "",
        }
    )
    assert roles(project) == {
        "src/app/core.py": "product",
        "src/app/test_inside.py": "test",
        "src/app/testing.py": "product",
        "tests/test_a.py": "test",
        "tests/a_test.py": "test",
        "tests/helpers.py": "support",
        "tests/deep/er/data.py": "support",
        "tests/conftest.py": "support",
        "tests/build/test_left_out.py": "support",
        ".hidden/test_left_out.py": "product",
        "checks/conftest.py": "support",
        "checks/test_b.py": "test",
        "checks/more/tools.py": "support",
        "plain/conftest.py": "support",
        "plain/code.py": "product",
        "conftest.py": "support",
        "test_root.py": "test",
        "setup.py": "product",
    }


def test_testpaths_hold_support_but_product_beside_tests_stays_product(write: Write) -> None:
    project = write(
        {
            "pyproject.toml": '[project]\nname = "My_App"\n'
            + TABLE
            + 'testpaths = ["e2e", "my-app", "./qa/*", "src/app", "."]\n',
            "e2e/flow.py": "",
            "my-app/core.py": "",
            "qa/one/steps.py": "",
            "qa/steps.py": "",
            "src/app/core.py": "",
            "other.py": "",
        }
    )
    assert roles(project) == {
        "e2e/flow.py": "support",
        "my-app/core.py": "product",
        "qa/one/steps.py": "support",
        "qa/steps.py": "product",
        "src/app/core.py": "product",
        "other.py": "product",
    }


def test_a_folder_left_out_by_name_is_collected_where_pytest_starts_there(write: Write) -> None:
    config = "[pytest]\ntestpaths = build/tests\nnorecursedirs = build skip */data/old\n"
    project = write(
        {
            "pytest.ini": config,
            "build/tests/test_a.py": "",
            "build/tests/skip/test_b.py": "",
            "build/other/test_c.py": "",
            "data/old/test_d.py": "",
            "data/new/test_e.py": "",
        }
    )  # fmt: skip
    assert roles(project) == {
        "build/tests/test_a.py": "test",
        "build/tests/skip/test_b.py": "support",
        "build/other/test_c.py": "product",
        "data/old/test_d.py": "product",
        "data/new/test_e.py": "test",
    }


@pytest.mark.parametrize(
    ("python_files", "tests"),
    [
        ("*.py", {"tests/helpers.py", "tests/test_a.py"}),
        ("tests.py test_*.py", {"app/tests.py", "tests/test_a.py"}),
        ("tests/*.py", {"tests/helpers.py", "tests/test_a.py"}),
        ("check_*.py", set()),
        ("*a*a*a*a*a*a*a*a*a*a*a*b.py", set()),
    ],
)
def test_python_files_says_what_a_test_file_is_called(write: Write, python_files: str, tests: set[str]) -> None:
    files: dict[str, str | bytes] = {"pytest.ini": f"[pytest]\npython_files = {python_files}\n"}
    project = write({**files, "app/core.py": "", "app/tests.py": "", "tests/helpers.py": "", "tests/test_a.py": ""})
    assert {path for path, role in roles(project).items() if role == "test"} == tests


def test_the_nearest_project_gives_roots_and_dependencies(write: Write) -> None:
    project = write(
        {
            "requirements-dev.txt": "-r requirements.txt\n# tools\nPyTest_Timeout==2 ; python_version > '3'\n",
            "requirements/ci.txt": "coverage[toml]>=7\n--hash=sha256:0\n",
            "src/main.py": "",
            "server/pyproject.toml": '[project]\nname = "Server.App"\ndependencies = ["httpx>=1", "PyYAML"]\n'
            '[project.optional-dependencies]\nx = ["orjson"]\n[dependency-groups]\n'
            'dev = ["pytest-asyncio", {include-group = "x"}]\n[build-system]\n',
            "server/src/a.py": "",
            "server/tests/test_a.py": "",
            "server/tests/pyproject.toml": "[tool.ruff]\n",
            "old/setup.cfg": "[metadata]\nname = old\n[options]\ninstall_requires =\n    six\n    attrs>20\n"
            "[options.extras_require]\ntest = pytest-mock\n",
            "old/a.py": "",
            "poems/pyproject.toml": '[tool.poetry]\nname = "poems"\n[tool.poetry.dependencies]\npython = "^3.11"\n'
            'rich = "*"\n[tool.poetry.group.dev.dependencies]\npytest-cov = "*"\n',
        }
    )
    top, server, old, poems = (
        project.info(path).unit for path in ("src/main.py", "server/tests/test_a.py", "old/a.py", "poems/a.py")
    )
    assert (top.fact("roots"), top.fact("dependencies")) == (("src", ""), ("coverage", "pytest-timeout"))
    assert (server.name, server.fact("roots")) == ("server-app", ("server/src", "server"))
    assert server.fact("dependencies") == ("httpx", "orjson", "pytest-asyncio", "pyyaml")
    assert old.fact("dependencies") == ("attrs", "pytest-mock", "six")
    assert poems.fact("dependencies") == ("pytest-cov", "python", "rich")


def test_hostile_shapes_in_a_project_say_nothing(write: Write) -> None:
    text = (
        "[project]\nname = 3\ndependencies = {a = 1}\noptional-dependencies = [1]\n"
        '[dependency-groups]\nx = "pytest"\n[tool]\npoetry = 1\nuv = []\n'
    )
    unit = unit_of(write, {"pyproject.toml": text})
    assert (unit.name, unit.fact("dependencies")) == ("", ())


def test_files_of_one_folder_share_one_unit(write: Write) -> None:
    project = write({"tests/test_a.py": "", "tests/deep/test_b.py": ""})
    assert project.info("tests/test_a.py").unit is project.info("tests/deep/test_b.py").unit


def test_pytest_itself_collects_the_files_that_are_tests(write: Write, tmp_path: Path) -> None:
    test = "def test_a(): pass\n"
    project = write(
        {
            "tox.ini": "[pytest]\npython_files = test_*.py\n  spec/*.py\n  *_check.py\nnorecursedirs = out* .*\n",
            "spec/one.py": test,
            "deep/spec/two.py": test,
            "spec/conftest.py": "",
            "a_check.py": test,
            "b_test.py": test,
            "output/test_c.py": test,
            "build/test_d.py": test,
            ".x/test_e.py": test,
        }
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        "--import-mode=importlib",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    collected = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert {path for path, role in roles(project).items() if role == "test"} == collected
    assert collected == {"spec/one.py", "deep/spec/two.py", "a_check.py", "build/test_d.py"}


def test_a_script_belongs_to_the_nearest_godot_project(write: Write) -> None:
    project = write(
        {
            "game/project.godot": 'config_version=5\n\n[application]\n\nconfig/name="Größe"\n',
            "game/a/b.gd": "",
            "game/addons/x/project.godot": b"\x00\xff",
            "game/addons/x/c.gd": "",
            "loose.gd": "",
        }
    )
    units = {path: project.info(path) for path in project.listing() if path.endswith(".gd")}
    assert {path: (info.role, info.unit.kind, info.unit.name, info.unit.path) for path, info in units.items()} == {
        "game/a/b.gd": ("undecided", "godot", "Größe", "game/project.godot"),
        "game/addons/x/c.gd": ("undecided", "godot", "", "game/addons/x/project.godot"),
        "loose.gd": ("undecided", "", "", ""),
    }
