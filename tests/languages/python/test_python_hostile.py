"""Files that nobody writes by hand, and files that are broken: no traceback, no waiting."""

import time
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from languages.python.sample import indexed, opened

from guards.languages.flow import LIMIT
from guards.languages.python import Facts
from guards.languages.python.acceptance import Acceptance
from guards.languages.python.asserting import Assertions
from guards.languages.python.handles import resolve_patch
from guards.languages.python.imports import imports_of
from guards.languages.python.marked import marks_on, never_run
from guards.languages.python.marks import marks_of
from guards.languages.python.scope import FUNCTION

PATH = "tests/test_sample.py"
DEEP = 3000
HOSTILE = {
    "attributes": "x" + ".a" * DEEP,
    "calls": "f(" * DEEP + ")" * DEEP,
    "sums": "patch(" + "'a' + " * DEEP + "'b')",
    "aliases": "\n".join(f"a{n} = a{n + 1}" for n in range(DEEP)) + "\na0('os.replace')",
    "functions": "\n".join(" " * n + f"def f{n}(a):" for n in range(300)) + "\n" + " " * 300 + "patch(a)",
    "attributes of self": "class A:\n def f(self):\n" + "\n".join(f"  self.a{n} = self.a{n + 1}" for n in range(DEEP)),
    "lookups": "patch(" + "getattr(" * 30 + "a" + ", 'b')" * 30 + ")",
    "templates": "patch(" + "'{}'.format(" * 30 + "a" + ")" * 30 + ")",
    "elif": "if a: pass\n" + "elif TYPE_CHECKING: import b\n" * DEEP,
    "marks": "import pytest\n" + "@pytest.mark.slow\ndef test_a(): ...\n" * DEEP,
    "brackets": "(" * DEEP,
    "strings": "f'{" * 200,
    "numbers": "patch('{" + "9" * 5000 + "}'.format(1))",
    "escapes": r"patch('\ud800.x'); patch('\777.x'); patch('\N{DASH}.x'); patch('\x')",
    "stars": "from a import *\n" * DEEP + "patch(b)",
    "uses of fixtures": "import pytest\n" + "@pytest.mark.usefixtures('a')\ndef test_a(): f()  # b\n" * 1000,
    "functions inside": "def test_a():\n" + "".join(f"    def f{n}(): g()\n" for n in range(DEEP)),
    "handed on": "def test_a(): f(" + "a, " * 20_000 + ")\n",
    "helpers": "".join(f"def f{n}(): f{n + 1}()\ndef test_{n}(): f{n}()\n" for n in range(500)),
    "fixtures": "import pytest\n" + "".join(f"@pytest.fixture\ndef f{n}(f{n + 1}): ...\n" for n in range(300)),
    "errors expected": "import pytest\n" + "def test_a():\n    with pytest.raises(E): f()\ndef test_b(): f()\n" * 1000,
    "cleanups": "def test_a():\n"
    + "".join(f"{' ' * n}try:\n{' ' * n} assert x\n{' ' * n}finally:\n" for n in range(1, 24))
    + " " * 24
    + "f()\n",
    "ways": "def test_a():\n" + "  if x: return\n  assert x\n" * DEEP,
    "one line": "def test_a(): " + "check(a) or " * 2000 + "b\n",
    "bases": "".join(f"class TestA{n}(TestA{n + 1}):\n    def test_a(self): self.b()\n" for n in range(200)),
    "carriage returns": "from unittest.mock import patch\rpatch('os.replace')\r",
}


def ask_everything(text: str) -> None:
    """All that a rule can ask of a file, with its facts sent through the cache's format."""
    file = opened(text, PATH)
    facts = file.facts()
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=Facts) == facts
    for before, after in pairwise(region.place for region in file.unread):
        assert before[:3] <= after[:3]
    list(file.comments)
    list(marks_of(file))
    list(imports_of(file))
    list(file.uses("replace"))
    index = indexed({PATH: text})
    for call in file.patches:
        assert msgspec.msgpack.encode(call)
        resolve_patch(index, PATH, call)
    for function in facts.functions[:5]:
        index.reach(PATH, function.name, "test")
    acceptance, skipped, assertions = Acceptance(file), never_run(file), Assertions(index, ["check*"])
    for scope in file.scopes.of_kind(FUNCTION):
        acceptance.says(scope, ["not raise"])
        acceptance.is_paired(scope)
        marks_on(file, scope)
        assert isinstance(scope.start in skipped, bool)
    for function in facts.functions:
        assertions.may_assert(PATH, function)
        assert 0 <= index.least_outcomes(PATH, function.name) <= LIMIT


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(name: str) -> None:
    started = time.process_time()
    ask_everything(HOSTILE[name] + "\n")
    assert time.process_time() - started < 5


_PIECES = st.sampled_from(
    [
        "from unittest.mock import patch\n", "import os\n", "def test_a(mocker):\n", "    mocker.patch('os.x')\n", "@", "(",
        ")", "'", '"""', "f'{", "}", ":", " as ", "with ", "lambda ", "*", "\\\n", "class A:\n", "if TYPE_CHECKING:\n",
        "pytest.mark.slow", "getattr(os, 'x')", "é", "\t", "\x0c", "import ", "from . import a\n", "a.b = c\n", "print 'x'\n",
        "exec 'x' in y\n", "async ", "match x:\n    case y: pass\n", "global a\n", "# suiteguard: x\n",
        "assert x\n", "    assert x\n", "    check(a)\n", "    try:\n", "    finally:\n", "    return\n", "    for a in b:\n",
        "        break\n", "    with pytest.raises(E):\n", "@pytest.fixture\n", "    while True:\n", "raise AssertionError\n",
        "__all__ += [", "globals()[a] = b\n", "    def b():\n        assert x\n", "@pytest.mark.usefixtures('a')\n",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.lists(_PIECES, max_size=25).map("".join))
def test_broken_files(text: str) -> None:
    ask_everything(text)


def test_the_rest_of_a_broken_file_is_read() -> None:
    file = opened("from unittest.mock import patch\ndef broken(:\n    pass\ndef test_a():\n    patch('os.replace')\n")
    assert [region.place.line for region in file.unread] == [2]
    assert [call.place.line for call in file.patches] == [5]


def test_python_2_is_read_as_far_as_it_goes() -> None:
    file = opened("import os\nprint 'x'\nexec 'y' in z\ndef test_a(mocker):\n    mocker.patch('os.replace')\n")
    assert [call.place.line for call in file.patches] == [5]
    assert file.unread == ()


def test_comments_are_real_tokens() -> None:
    file = opened("# one\nx = '# none'  # two\n'''\n# none\n'''\n")
    assert [(comment.text, comment.own_line) for comment in file.comments] == [("# one", True), ("# two", False)]
