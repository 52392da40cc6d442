"""Uses of members, and the ways on which tests reach them."""

import pytest
from languages.python.sample import indexed, opened

from guards.languages.base import CALL, READ, REFERENCE, WRITE
from guards.languages.python import PythonFile


def used(file: PythonFile, member: str) -> list[tuple[int, str, str]]:
    return [(use.place.line, use.name, use.kind) for use in file.uses(member)]


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("import os\nos.replace(1)", [(2, "os.replace", CALL)]),
        ("import os as o\no.replace(1)", [(2, "os.replace", CALL)]),
        ("from os import replace\nreplace(1)", [(2, "os.replace", CALL)]),
        ("from os import replace as r\nr(1)", [(2, "os.replace", CALL)]),
        ("import os\nf = os.replace\nf(1)", [(2, "os.replace", READ), (3, "os.replace", CALL)]),
        ("import os\nx = os.replace.name", [(2, "os.replace", READ)]),
        ("import os\nrun(os.replace)", [(2, "os.replace", READ), (2, "os.replace", REFERENCE)]),
        ("import os\nrun(f=os.replace)", [(2, "os.replace", READ), (2, "os.replace", REFERENCE)]),
        ("import os\nos.replace = 1", [(2, "os.replace", WRITE)]),
        ("import os\nos.replace += 1", [(2, "os.replace", WRITE)]),
        ("import os\nos.replace['a'] = 1", [(2, "os.replace", WRITE)]),
        ("import os\nos.replace, b = 1, 2", [(2, "os.replace", WRITE)]),
        ("import os\ndel os.replace", [(2, "os.replace", WRITE)]),
        ("import os\nfor os.replace in x: pass", [(2, "os.replace", WRITE)]),
        ("import os\n@os.replace\ndef f(): ...", [(2, "os.replace", CALL)]),
        ("import os\n@os.replace(1)\ndef f(): ...", [(2, "os.replace", CALL)]),
        ("import os\ngetattr(os, 'replace')(1)", [(2, "os.replace", REFERENCE)]),
        ("import os\nsetattr(os, 'replace', 1)", [(2, "os.replace", WRITE)]),
        ("import os\nx = 1 < os.replace", [(2, "os.replace", READ)]),
        ("import os\nx = os.replace + 1", [(2, "os.replace", READ)]),
        ("import os\n'os.replace'  # os.replace", []),
        ("import os\ndef replace(): ...", []),
        ("import os\nf(replace=1)", []),
        ("from os import replace", []),
        ("from os import replace\ndef f(replace): replace(1)", [(2, "$replace", CALL)]),
        ("from typing import TYPE_CHECKING\nimport os\nif TYPE_CHECKING:\n    os.replace", []),
    ],
)
def test_uses(text: str, uses: list[tuple[int, str, str]]) -> None:
    assert used(opened(text + "\n"), "replace") == uses


def test_globs_name_members() -> None:
    assert used(opened("import os\nos.setuid(1)\nos.setgid(1)\nos.getuid()\n"), "set*") == [
        (2, "os.setuid", CALL), (3, "os.setgid", CALL),
    ]  # fmt: skip


def test_constant_arguments() -> None:
    (use,) = opened("import os\nN = 'x'\nos.replace(N, 3, y, flag=True)\n").uses("replace")
    assert use.arguments == (("0", "x"), ("1", "3"), ("flag", "True"))


PROJECT = {
    "tests/__init__.py": "",
    "tests/helpers.py": "def deep(): ...\ndef save():\n    deep()\nclass Base:\n    def keep(self): ...\n",
    "tests/conftest.py": "import pytest\nfrom tests.helpers import save\n@pytest.fixture\ndef saved():\n    save()\n",
    "tests/test_a.py": """from tests.helpers import save
import tests.helpers as h
import unittest
def test_direct(): save()
def helper(): h.deep()
def unused(): ...
class TestA(h.Base):
    def setup_method(self): self.prepare()
    def prepare(self): ...
    def test_own(self): self.prepare()
class Helper:
    def test_like(self): ...
class Case(unittest.TestCase):
    def test_it(self): ...
    def setUp(self): ...
if True:
    def test_under_if():
        def run(): ...
        run()
""",
}


@pytest.mark.parametrize(
    ("path", "function", "roots", "steps"),
    [
        ("tests/test_a.py", "test_direct", "test", []),
        ("tests/test_a.py", "TestA.test_own", "test", []),
        ("tests/test_a.py", "Case.test_it", "test", []),
        ("tests/test_a.py", "test_under_if", "test", []),
        ("tests/test_a.py", "test_under_if.run", "test", [17]),
        ("tests/test_a.py", "TestA.prepare", "test", [10]),
        ("tests/test_a.py", "TestA.prepare", "lifecycle", [8]),
        ("tests/helpers.py", "save", "test", [4]),
        ("tests/helpers.py", "deep", "test", [4, 2]),
        ("tests/helpers.py", "deep", "lifecycle", [4, 2]),
        ("tests/conftest.py", "saved", "lifecycle", []),
        ("tests/test_a.py", "Case.setUp", "lifecycle", []),
        ("tests/test_a.py", "unused", "test", None),
        ("tests/test_a.py", "helper", "test", None),
        ("tests/test_a.py", "Helper.test_like", "test", None),
        ("tests/test_a.py", "test_direct", "lifecycle", None),
        ("tests/test_a.py", "", "test", None),
        ("tests/test_a.py", "no_such", "test", None),
    ],
)
def test_reach(path: str, function: str, roots: str, steps: list[int] | None) -> None:
    way = indexed(PROJECT).reach(path, function, roots)
    assert (None if way is None else [related.place.line for related in way]) == steps


def test_the_configuration_decides_what_is_a_test() -> None:
    from guards.project.model import Unit

    unit = Unit("python", facts=(("python_classes", ("test_*",)), ("python_functions", ("check", "*_spec"))))
    text = "class test_A:\n    def check_a(self): ...\n    def a_spec(self): ...\n    def test_a(self): ...\n"
    index = indexed({"tests/test_a.py": text}, unit=unit)
    reached = [index.reach("tests/test_a.py", f"test_A.{name}", "test") for name in ("check_a", "a_spec", "test_a")]
    assert reached == [(), (), None]


def test_full_names_go_through_owned_modules() -> None:
    index = indexed({"src/app/__init__.py": "from os import replace\n", "tests/test_sample.py": ""})
    (use,) = opened("import app\napp.replace(1)\n").uses("replace")
    assert index.full_names("tests/test_sample.py", use) == ("os.replace",)
