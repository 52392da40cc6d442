"""Marks, the markers that hooks register, and imports."""

import pytest
from languages.python.sample import indexed, opened

from guards.languages.python.imports import imports_of
from guards.languages.python.marks import marks_of
from guards.project.model import Unit


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("import pytest\n@pytest.mark.slow\ndef test_a(): ...", [(2, "slow", "pytest.mark")]),
        ("import pytest\n@pytest.mark.slow.with_args(1)\ndef test_a(): ...", [(2, "slow", "pytest.mark")]),
        (
            "import pytest as p\npytestmark = [p.mark.a, p.mark.b(1)]",
            [(2, "a", "pytest.mark"), (2, "b", "pytest.mark")],
        ),
        ("from pytest import mark as m\nx = m.slow", [(2, "slow", "pytest.mark")]),
        ("import pytest\nm = pytest.mark\nx = m.slow", [(3, "slow", "pytest.mark")]),
        ("import pytest\nx = (pytest\n    .mark\n    .slow)", [(4, "slow", "pytest.mark")]),
        ("import pytest\nx = getattr(pytest.mark, 'slow')", [(2, "slow", "pytest.mark")]),
        ("from helpers import mark\nx = mark.slow", [(2, "slow", "helpers.mark")]),
        ("import pytest\nx = getattr(pytest.mark, name)", []),
        ("def test_a(mark): mark.slow", [(1, "slow", "$mark")]),
        ("x = 'pytest.mark.slow'  # pytest.mark.slow", []),
        ("import pytest\nx = pytest.marker.slow\ny = pytest.mark", []),
    ],
)
def test_marks(text: str, marks: list[tuple[int, str, str]]) -> None:
    found = [(mark.place.line, mark.name, mark.maker) for mark in marks_of(opened(text + "\n"))]
    assert found == marks


@pytest.mark.parametrize(
    ("line", "registered"),
    [
        ("config.addinivalue_line('markers', 'slow: takes seconds')", ("slow",)),
        ("config.addinivalue_line('markers', 'slow(seconds): takes that long')", ("slow",)),
        ("config.addinivalue_line('markers', f'{NAME}: x')", ("fast",)),
        ("config.addinivalue_line('markers', 'slow: ' + doc)", ("slow",)),
        ("config.addinivalue_line('markers', name)", ("*",)),
        ("config.addinivalue_line('filterwarnings', 'error')", ()),
    ],
)
def test_registered_markers(line: str, registered: tuple[str, ...]) -> None:
    text = f"NAME = 'fast'\ndef pytest_configure(config):\n    {line}\n"
    assert opened(text, "conftest.py").facts().markers == registered


REGISTERS = "def pytest_configure(config):\n    config.addinivalue_line('markers', '{}: x')\n"


@pytest.mark.parametrize(
    ("path", "visible"),
    [
        ("conftest.py", True),
        ("tests/conftest.py", True),
        ("tests/other/conftest.py", True),
        ("src/pytest_app/plugin.py", True),
        ("src/app/hooks.py", False),
    ],
)
def test_where_hooks_are_looked_for(path: str, *, visible: bool) -> None:
    files = {path: REGISTERS.format("slow"), "tests/a/test_a.py": ""}
    assert indexed(files).registers("slow", "tests/a/test_a.py") is visible


def test_markers_of_a_plugin_that_a_conftest_names() -> None:
    files = {
        "tests/__init__.py": "",
        "tests/conftest.py": "pytest_plugins = ['tests.hooks']\n",
        "tests/hooks.py": REGISTERS.format("slow"),
        "tests/test_a.py": "",
    }
    index = indexed(files)
    assert [index.registers(name, "tests/test_a.py") for name in ("slow", "fast")] == [True, False]


def test_markers_of_the_configuration_and_of_dependencies() -> None:
    unit = Unit("python", facts=(("dependencies", ("pytest-snail",)), ("markers", ("slow: x", "fast(n): y"))))
    index = indexed({"tests/test_a.py": ""}, unit=unit)
    names = ("slow", "fast", "snail", "snail_fast", "snails", "other")
    assert [name for name in names if index.registers(name, "tests/test_a.py")] == [
        "slow",
        "fast",
        "snail",
        "snail_fast",
    ]


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("import a.b, c as d", [("a.b", ()), ("c", ())]),
        ("from a import (b as x,\n  c)", [("a", ("b", "c"))]),
        ("from a import *", [("a", ("*",))]),
        ("from . import a", []),
        ("import importlib\ndef f(): importlib.import_module('a.b')", [("importlib", ()), ("a.b", ())]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a", [("typing", ("TYPE_CHECKING",))]),
        ("'import a'  # import a", []),
    ],
)
def test_imports(text: str, modules: list[tuple[str, tuple[str, ...]]]) -> None:
    found = imports_of(opened(text + "\n"))
    assert [(item.module, tuple(name for name, _ in item.names)) for item in found] == modules
