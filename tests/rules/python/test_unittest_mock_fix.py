import subprocess
import sys
from pathlib import Path

import pytest
from engine.fixed_text import fixed_text

DECLARED = '[project]\nname = "app"\ndependencies = []\n[dependency-groups]\ntest = ["pytest-mock>=3"]\n'
PATCH = "from unittest.mock import patch\n"


def fixed(folder: Path, text: str, *, unsafe: bool = False, declared: bool = True) -> str:
    files = {"test_a.py": text, "pyproject.toml": DECLARED if declared else '[project]\nname = "app"\n'}
    return fixed_text(folder, "unittest-mock", files, unsafe=unsafe)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            PATCH + 'def test_a():\n    with patch("x") as m:\n        m()\n',
            'def test_a(mocker):\n    m = mocker.patch("x")\n    m()\n',
        ),
        (
            PATCH + 'def test_a(tmp_path,):\n    with patch("x", new=1):  # why\n        pass\n',
            'def test_a(tmp_path, mocker,):\n    mocker.patch("x", new=1)  # why\n    pass\n',
        ),
        (
            PATCH + 'def test_a(a: dict[str, int]) -> None:\n    with patch("x"):\n        pass\n',
            'def test_a(a: dict[str, int], mocker) -> None:\n    mocker.patch("x")\n    pass\n',
        ),
        (
            "\n" + PATCH + "\n\ndef test_a():\n    with patch('x'):\n        pass\n",
            "\ndef test_a(mocker):\n    mocker.patch('x')\n    pass\n",
        ),
        (
            PATCH + 'def test_a(\n    tmp_path,\n):\n    with patch("x"):\n        pass\n',
            'def test_a(\n    tmp_path,\n    mocker,\n):\n    mocker.patch("x")\n    pass\n',
        ),
        (
            "from unittest import mock, TestCase\nasync def test_a(mocker):\n\twith mock.patch.object(A, 'x', autospec=True) as a.b:\n\t\tpass\n",
            "from unittest import TestCase\nasync def test_a(mocker):\n\ta.b = mocker.patch.object(A, 'x', autospec=True)\n\tpass\n",
        ),
        (
            "import unittest.mock as um\ndef test_a():\n    with um.patch.dict(ENV, {'A': '1'}, clear=True), um.patch.multiple('x', a=1) as d:\n        pass\n",
            "def test_a(mocker):\n    mocker.patch.dict(ENV, {'A': '1'}, clear=True)\n    d = mocker.patch.multiple('x', a=1)\n    pass\n",
        ),
        (
            "import unittest.mock\nclass TestA:\n    def test_a(self):\n        with unittest.mock.patch('x'):\n            pass\n",
            "class TestA:\n    def test_a(self, mocker):\n        mocker.patch('x')\n        pass\n",
        ),
        (
            "import mock\ndef test_a():\n    with mock.patch('x'), open('f') as f, lock:\n        with f:\n            pass\n",
            "def test_a(mocker):\n    mocker.patch('x')\n    with open('f') as f, lock:\n        with f:\n            pass\n",
        ),
        (
            "from unittest.mock import (\n    ANY,  # all\n    patch as p,\n)\ndef test_a():\n    with (\n        p('x') as a,\n        p(\n            'y',\n        ),\n    ):\n        a(ANY)\n",
            "from unittest.mock import (\n    ANY,  # all\n    patch as p,\n)\ndef test_a(mocker):\n    a = mocker.patch('x')\n    mocker.patch(\n            'y',\n        )\n    a(ANY)\n",
        ),
        (
            "from unittest.mock import (\n    ANY,\n    patch,\n)\ndef test_a():\n    with patch('x') as a:\n        a(ANY)\n",
            "from unittest.mock import (\n    ANY,\n)\ndef test_a(mocker):\n    a = mocker.patch('x')\n    a(ANY)\n",
        ),
        (
            PATCH + '@pytest.mark.slow\n@patch("a", 1)\n@patch.object(A, "b", new=None)\n# above\n@patch.dict(E)\ndef test_a():\n    """Doc."""\n\n    # first\n    pass\n',
            '@pytest.mark.slow\n# above\ndef test_a(mocker):\n    """Doc."""\n\n    # first\n    mocker.patch.dict(E)\n    mocker.patch.object(A, "b", new=None)\n    mocker.patch("a", 1)\n    pass\n',
        ),
        (
            PATCH + 'def test_a():\n    with patch("x"):\n        a = """\n        b\n"""\n        c = f"""\n        {a}"""\n    # out\n',
            'def test_a(mocker):\n    mocker.patch("x")\n    a = """\n        b\n"""\n    c = f"""\n        {a}"""\n    # out\n',
        ),
        (
            PATCH + "def test_a():\n    with patch('x'):\n        with patch('y') as y:\n            y()\n",
            "def test_a(mocker):\n    mocker.patch('x')\n    y = mocker.patch('y')\n    y()\n",
        ),
    ],
)  # fmt: skip
def test_patches_that_keep_their_meaning_are_made_by_the_fixture(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, before) == after
    crlf = tmp_path / "crlf"
    assert fixed(crlf, before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


def test_without_the_plug_in_every_fix_wants_a_look(tmp_path: Path) -> None:
    text = PATCH + "def test_a():\n    with patch('x'):\n        pass\n"
    assert fixed(tmp_path, text, declared=False) == text
    assert "mocker.patch" in fixed(tmp_path, text, declared=False, unsafe=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def test_a():\n    with patch('x') as x:\n        x()\n    x.assert_called()\n",
            "def test_a(mocker):\n    x = mocker.patch('x')\n    x()\n    x.assert_called()\n",
        ),
        (
            "@patch('x', new=Fake())\ndef test_a():\n    pass\n",
            "def test_a(mocker):\n    mocker.patch('x', new=Fake())\n    pass\n",
        ),
    ],
)
def test_patches_that_last_longer_or_are_made_anew_want_a_look(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, PATCH + before) == PATCH + before
    assert fixed(tmp_path, PATCH + before, unsafe=True) == after


def test_what_is_exact_is_fixed_though_the_rest_wants_a_look(tmp_path: Path) -> None:
    exact, other = "def test_a({}):\n    {}\n", "def test_b():\n    with patch('y'):\n        pass\n    check()\n"
    text = PATCH + exact.format("", "with patch('x'):\n        pass") + other
    assert fixed(tmp_path, text) == PATCH + exact.format("mocker", "mocker.patch('x')\n    pass") + other


@pytest.mark.parametrize(
    "text",
    [
        "@patch('x')\ndef test_a(x):\n    pass\n",  # it injects
        "@patch('x', new_callable=Fake)\ndef test_a(x):\n    pass\n",
        "@patch.multiple('x', a=DEFAULT)\ndef test_a(a):\n    pass\n",
        "@patch('y', 1)\n@patch('x')\ndef test_a(x):\n    pass\n",
        "@patch.dict(E)\nclass TestA:\n    def test_a(self):\n        pass\n",
        "with patch('x'):\n    import app\n",
        "def helper():\n    with patch('x'):\n        pass\n",
        "@pytest.fixture\ndef test_a():\n    with patch('x'):\n        yield\n",
        "def test_a():\n    def inner():\n        with patch('x'):\n            pass\n    inner()\n",
        "def test_a():\n    p = patch('x')\n    p.start()\n",
        "def test_a():\n    for i in range(3):\n        with patch('x'):\n            pass\n",
        "def test_a():\n    try:\n        with patch('x'):\n            pass\n    finally:\n        pass\n",
        "def test_a():\n    with lock, patch('x'):\n        pass\n",
        "def test_a():\n    with patch('x'): pass\n",
        "def test_a():\n    with (\n        # why\n        patch('x'),\n    ):\n        pass\n",
        "@given(st.integers())\ndef test_a(i):\n    with patch('x'):\n        pass\n",
        "@patch('x', 1)  # why\ndef test_a():\n    pass\n",
        "@patch('x', LIMIT)\ndef test_a(LIMIT):\n    pass\n",
        "class TestA:\n    LIMIT = 1\n    @patch('x', LIMIT)\n    def test_a(self):\n        pass\n",
        "class TestA(TestCase):\n    def test_a(self):\n        with patch('x'):\n            pass\n",
        "class Helper:\n    def test_a(self):\n        with patch('x'):\n            pass\n",
        "def test_a(a: (int)):\n    with patch('x'):\n        pass\n",
        "def test_a():\n    with (patch)('x'):\n        pass\n",
        "def test_a(a=1):\n    with patch('x'):\n        pass\n",
        "def test_a(*a):\n    with patch('x'):\n        pass\n",
        "def test_a(*, a):\n    with patch('x'):\n        pass\n",
        "def test_a():\n    mocker = 1\n    with patch('x'):\n        pass\n",
        "def test_a():\n    with patch('x'):\n        pass\ndef test_b():\n    test_a()\n",
        "class TestA:\n    def test_a(self):\n        with patch('x'):\n            pass\n    def test_b(self):\n        self.test_a()\n",
        "def test_a(patch):\n    with patch('x'):\n        pass\n",
        "def test_a():\n    from unittest.mock import patch\n    with patch('x'):\n        pass\n",
        "patch = other.patch\ndef test_a():\n    with patch('x'):\n        pass\n",
        "def test_a():\n    with my.patch('x'):\n        pass\n",
        "def test_a():\n    async with patch('x'):\n        pass\n",
        "@patch('x', 1)\ndef test_a():\n    '''Doc.'''\n",
        "@patch('x', 1)\ndef test_a():\n    @wrap\n    def f(): pass\n    f()\n",
    ],
)
def test_what_is_not_plain_is_left_alone(tmp_path: Path, text: str) -> None:
    text = PATCH + text
    assert fixed(tmp_path, text, unsafe=True) == text


@pytest.mark.parametrize(
    "files",
    [
        {"conftest.py": PATCH + "def test_a():\n    with patch('x'):\n        pass\n"},
        {"test_a.py": PATCH + "def test_a():\n    with patch('x'):\n        pass\n", "pytest.ini": "[pytest]\npython_functions = it_*\n"},
        {"test_a.py": "try:\n    from unittest.mock import patch\nexcept ImportError:\n    patch = None\ndef test_a():\n    with patch('x'):\n        pass\n"},
        {"test_a.py": "from unittest.mock import *\ndef test_a():\n    with patch('x'):\n        pass\n"},
        {"test_a.py": PATCH + f"def test_a():\n    with patch('x'):\n        a = {'(' * 2000}1{')' * 2000}\n"},
        {"test_a.py": PATCH + f"def test_a():\n    with patch('x'):\n        a = {'-' * 30000}1\n"},
        {"test_a.py": PATCH + f"def test_a():\n    with patch('x'):\n        a = b{'.c' * 30000}\n"},
        {"test_a.py": PATCH + "def test_a():\n    with patch('x'):\n        a = (\n"},
    ],
    ids=["conftest", "other-names", "try", "star", "parentheses", "signs", "chain", "broken"],
)  # fmt: skip
def test_files_that_are_not_plain_are_left_alone(tmp_path: Path, files: dict[str, str]) -> None:
    assert fixed_text(tmp_path, "unittest-mock", files, unsafe=True) == next(iter(files.values()))


# What pytest-mock does, as far as these tests see it.
CONFTEST = """\
from unittest import mock

import pytest


class Mocker:
    def __init__(self, undo):
        def started(patcher):
            def patch(*args, **kwargs):
                made = patcher(*args, **kwargs)
                undo.append(made.stop)
                return made.start()
            return patch

        self.patch = started(mock.patch)
        for form in ("object", "dict", "multiple"):
            setattr(self.patch, form, started(getattr(mock.patch, form)))


@pytest.fixture
def mocker():
    undo = []
    yield Mocker(undo)
    for stop in reversed(undo):
        stop()
"""
SUITE = '''\
import os
from unittest import mock

import pytest


@mock.patch("os.sep", "|")
@mock.patch.object(os, "pathsep", new="!")
@mock.patch.dict(os.environ, {"LEAK": "1"})
def test_decorated():
    """Doc."""
    assert (os.sep, os.pathsep, os.environ["LEAK"]) == ("|", "!", "1")


class TestWith:
    @pytest.mark.parametrize("n", [1, 2])
    def test_blocks(self, n):
        with mock.patch("os.getcwd", return_value=n) as getcwd, mock.patch.multiple("os", sep="?") as rest:
            text = """
            kept
            """
            with mock.patch("os.linesep", "&"), pytest.raises(KeyError):
                assert (os.getcwd(), os.sep, os.linesep) == (n, "?", "&")
                os.environ["nowhere to be found"]
            assert getcwd.call_count == 1
            assert rest == {}
            assert text.count(" ") == 24

    def test_nothing_leaks(self):
        assert (os.sep, os.getcwd is mock.sentinel, "LEAK" in os.environ) == ("/", False, False)
'''


def run_suite(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.splitlines()[-1].partition(" in ")[0]


def test_a_suite_that_is_fixed_passes_as_before(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_a.py").write_text(SUITE)
    assert run_suite(tmp_path) == "4 passed"
    text = fixed_text(tmp_path, "unittest-mock", {"test_a.py": SUITE}, unsafe=True)
    assert (text.count("mock.patch"), text.count("mocker.patch")) == (0, 6)
    (tmp_path / "test_a.py").write_text(text)
    assert run_suite(tmp_path) == "4 passed"
