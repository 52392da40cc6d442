"""Every spelling of a marker, and every way to register one."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

CASES: Mapping[str, Mapping[str, str]] = {
    "all forms": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
import pytest as pt
from pytest import mark as mk, mark
pytestmark = [pytest.mark.slow, pytest.mark.e2e]  # FLAW
@pt.mark.slow  # FLAW
@mk.slow(1)  # FLAW
@mark.slow  # FLAW
@pytest.mark.plain
@pytest.mark.api(1)
class TestA:
    pytestmark = pytest.mark.slow  # FLAW
    def test_a(self): pass
""",
    },
    "in parametrised cases": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.slow),  # FLAW
    pytest.param(2, marks=[pytest.mark.e2e, pytest.mark.slwo]),  # FLAW
])
def test_a(x): pass
""",
    },
    "alias of pytest.mark": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
m = pytest.mark
@m.slow  # FLAW
@m.e2e
def test_a(): pass
""",
    },
    "names looked up by a constant": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
s = getattr(pytest.mark, "slow")  # FLAW
e = getattr(pytest.mark, "e2e")
n = getattr(pytest.mark, name)
""",
    },
    "what only looks like one": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
class X:
    mark = None
x = X()
x.mark.slow = 1
self.mark.slow
book.mark.page
def test_a(mark):
    mark.slow()
@pytest.mark.skipif(True, reason="pytest.mark.slow")
@pytest.mark.xfail
@pytest.mark.usefixtures("a")
@pytest.mark.filterwarnings("x")
@pytest.mark.django_db
@pytest.mark.anyio
@pytest.mark.e2e.with_args(1)
def test_b(): "pytest.mark.slow"  # pytest.mark.slow
""",
    },
    "conftest ancestors": {
        "tests/conftest.py": """def pytest_configure(config):
    config.addinivalue_line("markers", "slow(reason): x")
""",
        "tests/a/b/test_a.py": """import pytest
@pytest.mark.slow
@pytest.mark.slwo  # FLAW
def test_a(): pass
""",
    },
    "conftest loop": {
        "tests/conftest.py": """def pytest_configure(config):
    for m in MARKS:
        config.addinivalue_line("markers", m)
""",
        "tests/a/b/test_a.py": """import pytest
@pytest.mark.slow
def test_a(): pass
""",
    },
    "conftest const and fstring": {
        "tests/conftest.py": """N = "slow"
L = "fast: quick"
def pytest_configure(config):
    config.addinivalue_line("markers", f"{N}: x")
    config.addinivalue_line("markers", L)
    config.addinivalue_line("markers", "third: " + DOC)
""",
        "tests/a/b/test_a.py": """import pytest
@pytest.mark.slow
@pytest.mark.fast
@pytest.mark.third
@pytest.mark.x  # FLAW
def test_a(): pass
""",
    },
    "plugin module": {
        "tests/__init__.py": "",
        "tests/conftest.py": 'pytest_plugins = ("tests.plug",)\n',
        "tests/plug.py": """def pytest_configure(config):
    config.addinivalue_line("markers", "slow: x")
""",
        "tests/a/test_a.py": """import pytest
@pytest.mark.slow
@pytest.mark.x  # FLAW
def test_a(): pass
""",
    },
    "no config": {
        USUAL: """import pytest
@pytest.mark.slow  # FLAW
def test_a(): pass
""",
    },
    "ini file": {
        "pytest.ini": """[pytest]
markers =
    slow: x
    fast(n): y
""",
        "tests/test_a.py": """import pytest
@pytest.mark.slow
@pytest.mark.fast
@pytest.mark.other  # FLAW
def test_a(): pass
""",
    },
    "setup.cfg, tox": {
        "setup.cfg": """[tool:pytest]
markers =
    slow
""",
        "tests/test_a.py": """import pytest
@pytest.mark.slow
@pytest.mark.other  # FLAW
def test_a(): pass
""",
    },
    "aliases in other files": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        "tests/__init__.py": "",
        "tests/helpers.py": """import pytest
mark_e2e = pytest.mark.e2e
mark_slow = pytest.mark.slow  # FLAW
""",
        "tests/test_a.py": """from tests.helpers import mark_e2e, mark_slow
@mark_e2e
@mark_slow
def test_a(): pass
""",
    },
    "mark from another file": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        "tests/__init__.py": "",
        "tests/helpers.py": "from pytest import mark\n",
        "tests/test_a.py": """from tests.helpers import mark
@mark.slow  # FLAW
def test_a(): pass
""",
    },
    "own mark object": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        "tests/__init__.py": "",
        "tests/helpers.py": """class M: ...
mark = M()
""",
        "tests/test_a.py": """from tests.helpers import mark
@mark.slow
def test_a(): pass
""",
    },
    "the option known": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
@pytest.mark.slow
def test_a(): pass
""",
    },
    "multi-line chain": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
@(pytest
  .mark
  .slow  # FLAW
)
def test_a(): pass
""",
    },
    "function local": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """def test_a(request):
    import pytest
    request.node.add_marker(pytest.mark.slow)  # FLAW
""",
    },
    "dependency plugin": {
        "pyproject.toml": """[project]
name="a"
dependencies=["pytest-snail"]
""",
        "tests/test_a.py": """import pytest
@pytest.mark.snail
@pytest.mark.snail_fast
@pytest.mark.other  # FLAW
def test_a(): pass
""",
    },
    "plugin of the project": {
        "src/pytest_foo/__init__.py": "",
        "src/pytest_foo/plugin.py": """def pytest_configure(config):
    config.addinivalue_line("markers", "foo: x")
""",
        "tests/test_a.py": """import pytest
@pytest.mark.foo
@pytest.mark.bar  # FLAW
def test_a(): pass
""",
    },
    "mark expression conditional": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
slow = pytest.mark.slow if 1 else pytest.mark.e2e  # FLAW
""",
    },
    "type checking / comments": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: 'import pytest\n# @pytest.mark.slow\nX = """\n@pytest.mark.slow\n"""\n',
    },
    "mark in broken file": {
        "pyproject.toml": """[tool.pytest.ini_options]
markers = ["e2e: x", "api(arg): y", "plain"]
""",
        USUAL: """import pytest
@pytest.mark.slow  # FLAW
def test_a(:
    pass
""",
    },
}
OPTIONS = {
    "the option known": 'known = ["slow"]',
}


@pytest.mark.parametrize("case", CASES)
def test_case(tmp_path: Path, case: str) -> None:
    files = CASES[case]
    assert reported(tmp_path, "unregistered-marker", files, OPTIONS.get(case, "")) == expected(files)
