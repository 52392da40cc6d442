"""Every way to an assertion, every way around one, and what is no test to be judged."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

RULE = "test-without-assertion"
PACKAGES = {"src/app/__init__.py": "", "tests/__init__.py": "", "tests/app/__init__.py": ""}


def case(text: str, **files: str) -> Mapping[str, str]:
    """A project with one test file, and further files by name with ``__`` for each slash."""
    return {USUAL: text} | {f"{name.replace('__', '/')}.py": content for name, content in files.items()}


# A body of a test each: nothing in it asserts.
IDLE_BODIES = [
    "pass",
    "...",
    '"""Reads."""',
    "read()",
    "x = read() == 1",
    "read() == 1",
    "bool(read())",
    "return read() == 1",
    "print('assert x')",
    "x = 1  # assert x == 1",
    '"assert x"',
    "raise ValueError('x')",
    "if read():\n        raise RuntimeError",
    "sender.assert_called",
    "sender.called_once_with(1)",
    "try:\n        read()\n    except Exception:\n        pass",
    "with suppress(Exception):\n        read()",
    "with open('x') as f:\n        f.read()",
    "for x in read():\n        print(x)",
    "def inner():\n        assert read()",
    "async def inner():\n        assert read()\n    other()",
    "class Inner:\n        def go(self):\n            assert read()",
    "recheck(read())",
    "unverified()",
    "reassure(x)",
    "import pytest\n    pytest.importorskip('numpy')",
    "if read():\n        pytest.skip('x')",
    "lambda: read()",
    "time.sleep(1)",
    "logging.info('must not raise')",
    "return\n    assert read()",
    "raise ValueError\n    assert read()",
    "for x in read():\n        continue\n        assert x",
    "if read():\n        return 1\n    else:\n        return 2\n    assert read()",
    "monkeypatch.setattr(x, 'y', 1)",
]


@pytest.mark.parametrize("body", IDLE_BODIES)
def test_nothing_is_asserted(tmp_path: Path, body: str) -> None:
    text = f"import pytest\ndef test_a(monkeypatch):  # FLAW\n    {body}\n"
    files = case(text)
    assert reported(tmp_path, RULE, files) == expected(files)


# Likewise: what asserts, or may.
ASSERTING_BODIES = [
    "assert read()",
    "assert False",
    "if read():\n        return\n    assert read()",
    "while True:\n        if read():\n            break\n    assert read()",
    "try:\n        return read()\n    finally:\n        assert read()",
    "try:\n        raise ValueError\n    except ValueError:\n        assert read()",
    "def inner():\n        return\n    inner()\n    assert 1",
    "return check(read())\n    assert read()",
    "if read():\n        assert 1",
    "for x in read():\n        assert x",
    "try:\n        read()\n    except ValueError as e:\n        assert e",
    "raise AssertionError",
    "raise AssertionError('x')",
    "raise (AssertionError('x'))",
    "if read():\n        raise AssertionError from None",
    "with pytest.raises(ValueError):\n        read()",
    "pytest.raises(ValueError, read)",
    "with pytest.raises(ValueError) as e, open('x'):\n        read()",
    "with pt.warns(UserWarning):\n        read()",
    "with deprecated():\n        read()",
    "with expects_error(ValueError):\n        read()",
    "pytest.fail('x')",
    "failed('x')",
    "with foreign.raises(ValueError):\n        read()",
    "self.assertEqual(1, 1)",
    "case.assertTrue(1)",
    "with self.assertRaises(ValueError):\n        read()",
    "self.fail('x')",
    "sender.assert_called_once_with(1)",
    "sender.send.assert_not_called()",
    "sender().x[0].assert_awaited_once()",
    "sender.return_value.__enter__.assert_called()",
    "np.testing.assert_allclose(1, 1)",
    "np.testing.suppress_warnings()",
    "pandas.testing.assert_frame_equal(1, 1)",
    "assert_frame_equal(1, 1)",
    "run_state_machine_as_test(read)",
    "compare(1, 1)",
    "pytest_check.equal(1, 1)",
    "jsonschema.validate(1, {})",
    "expect(x).to_be(1)",
    "expect(x).not_.to_be(1)",
    "x.expect_called()",
    "verify(x)",
    "x.verify()",
    "x.check_ok()",
    "check(x)",
    "_check(x)",
    "self._verify(x)",
    "x.should.equal(1)",
    "x().should_be(1)",
    "should_see(x)",
    "assert_that(x, 1)",
    "x.y.z.assert_round_trip()",
    "django_assert_num_queries(3)",
    "snapshot.assert_match(x)",
    "data_regression.check(x)",
    "result.stdout.fnmatch_lines(['x'])",
    "result.stdout.no_re_match_line('x')",
    "lambda: check(x)",
    "read(check(x))",
    "[check(x) for x in read()]",
    "x = yield check(1)",
    "def inner():\n        assert read()\n    inner()",
    "def inner():\n        assert read()\n    run(inner)",
    "def inner():\n        assert read()\n    Thread(target=inner).start()",
    "async def inner():\n        assert read()\n    asyncio.run(inner())",
    "@app.route('/')\n    def inner():\n        assert read()\n    read()",
    "class Inner:\n        def go(self):\n            assert read()\n    serve(Inner)",
    "def inner():\n        def deep():\n            assert read()\n        deep()\n    inner()",
    "from foreign import verify_it\n    verify_it()",
]


@pytest.mark.parametrize("body", ASSERTING_BODIES)
def test_something_asserts(tmp_path: Path, body: str) -> None:
    text = f"""import asyncio
import foreign
import jsonschema
import numpy as np
import pandas
import pytest
import pytest as pt
import pytest_check
from hypothesis.stateful import run_state_machine_as_test
from pandas.testing import assert_frame_equal
from pytest import deprecated_call as deprecated, fail as failed, raises as expects_error
from testfixtures import compare
def test_a(self, sender, django_assert_num_queries):
    {body}
"""
    assert reported(tmp_path, RULE, case(text)) == set()


HELPERS = """
def compared(a, b):
    if a != b:
        raise AssertionError(a)
def check_nothing(a):
    print(a)
def check_raises(a):
    if not a:
        raise ValueError(a)
def check_by_another(a):
    compared(a, a)
def check_by_name(a):
    foreign.verify(a)
class Harness:
    def __init__(self):
        self.log = []
    def run(self):
        self._finish()
    def _finish(self):
        assert self.log
    def check(self):
        return self.log
    def idle(self): ...
class Quiet:
    def __enter__(self): return self
    def __exit__(self, *a):
        assert True
class Once(Quiet): ...
def decorated(function):
    def wrapper(*a):
        assert function(*a)
    return wrapper
def noted(function):
    return function
"""
PROJECTS: Mapping[str, Mapping[str, str]] = {
    "helpers of another file": case(
        """import tests.helpers
from tests import helpers as h
from tests.helpers import *
from ..helpers import compared as same
from tests.helpers import Harness as H
def test_a():
    tests.helpers.compared(1, 1)
def test_b():
    h.compared(1, 1)
def test_c():
    compared(1, 1)
def test_d():
    same(1, 1)
def test_e():
    h.Harness().run()
def test_f():
    harness = H()
    harness.run()
def test_g():  # FLAW
    H().idle()
def test_h():
    from tests.helpers import compared
    compared(1, 1)
def test_i():
    with h.Quiet():
        print(1)
def test_j():
    with h.Once() as x:
        print(x)
@h.decorated
def test_k():
    return 1
@h.noted
def test_l():  # FLAW
    return 1
def test_m():
    map(compared, [1], [1])
def test_n():
    f = compared
    f(1, 1)
def test_o(harness: Harness):
    harness.run()
def test_p(harness: Harness):  # FLAW
    harness.idle()
""",
        tests__helpers=HELPERS,
    ),
    "helpers that are only named like assertions": case(
        """from tests.helpers import *
from app.port import check_port
def test_a():  # FLAW
    check_nothing(1)
def test_b():
    check_raises(1)
def test_c():
    check_by_another(1)
def test_d():
    check_by_name(1)
def test_e():  # FLAW
    Harness().check()
def test_f():
    check_port(1)
def test_g():  # FLAW
    _check(1)
def _check(x):
    return x
class TestA:
    def test_h(self):  # FLAW
        self._verify(1)
    def _verify(self, x): ...
""",
        tests__helpers=HELPERS,
        src__app__port="def check_port(port): ...\n",
    ),
    "four calls, and five": case(
        """def test_a():
    one()
def test_b():  # FLAW
    zero()
def zero(): one()
def one(): two()
def two(): three()
def three(): four()
def four():
    assert 1
"""
    ),
    "helpers that go round in circles": case(
        """def test_a():  # FLAW
    one()
def one(): two()
def two(): one()
"""
    ),
    "assertions in product code": case(
        """from app.port import outer, Port
from app import other
def test_a():
    outer(1)
def test_b():
    Port(1)
def test_c():  # FLAW
    other.idle(1)
""",
        src__app__port="""def outer(x): _inner(x)
def _inner(x):
    assert x
class Port:
    def __init__(self, x):
        assert x
""",
        src__app__other="def idle(x): ...\n",
    ),
    "fixtures": {
        **case(
            """import pytest
@pytest.fixture
def log():
    yield []
    assert True
@pytest.fixture
def unused():
    yield
    assert True
@pytest.fixture
def compare():
    def _compare(a, b):
        assert a == b
    return _compare
@pytest.fixture
def indirect(above): ...
@pytest.fixture(name="renamed")
def _renamed():
    yield
    assert True
@pytest.fixture
def idle(): ...
@pytest.fixture
def overridden(): ...
@pytest.fixture
def extended(extended): ...
@pytest.fixture
def helped():
    yield
    finish()
def finish():
    assert True
def test_a(log): ...
def test_b(idle): ...  # FLAW
def test_c(compare):
    compare(1, 1)
def test_d(indirect): ...
def test_e(renamed): ...
def test_f(above): ...
def test_g(overridden): ...  # FLAW
def test_h(extended): ...
def test_i(helped): ...
def test_j(elsewhere): ...  # FLAW
@pytest.mark.usefixtures("idle", "log")
def test_k(): ...
@pytest.mark.usefixtures("idle")
def test_l(): ...  # FLAW
def test_m(request):
    request.getfixturevalue("log")
@pytest.mark.usefixtures("above")
class TestA:
    def test_n(self): ...
class TestB:
    pytestmark = [pytest.mark.usefixtures("above")]
    def test_o(self): ...
class TestC:
    @pytest.fixture(autouse=True)
    def around(self):
        yield
        assert True
    @pytest.fixture
    def own(self):
        yield
        assert True
    def test_p(self): ...
class TestD(TestC):
    def test_q(self): ...
class TestE:
    @pytest.fixture(autouse=False)
    def around(self):
        yield
        assert True
    def test_r(self): ...  # FLAW
def test_s(httpx_mock): ...
""",
            tests__conftest="""import pytest
@pytest.fixture
def above():
    yield
    assert True
@pytest.fixture
def overridden():
    assert True
@pytest.fixture
def extended():
    assert True
""",
        ),
        "tests/other/conftest.py": "import pytest\n@pytest.fixture\ndef elsewhere():\n    assert True\n",
    },
    "fixtures of a whole module": case(
        """import pytest
pytestmark = pytest.mark.usefixtures("above")
def test_a(): ...
""",
        tests__conftest="import pytest\n@pytest.fixture\ndef above():\n    yield\n    assert True\n",
    ),
    "fixtures that all tests use": {
        **case("def test_a(): ...\n"),
        "tests/app/conftest.py": """import pytest
@pytest.fixture(autouse=True)
def quiet():
    yield
    assert True
""",
        "tests/other/test_b.py": "def test_b(): ...  # FLAW\n",
        "tests/other/deep/conftest.py": "import pytest\n@pytest.fixture(autouse=True)\ndef quiet():\n    assert True\n",
    },
    "functions under other names": {
        **case(
            """import pytest
from tests.helpers import compared, noted, Harness
from tests.base import Base
same = compared
class TestA:
    compare = staticmethod(compared)
    harness = Harness()
    def test_a(self):
        self.compare(1, 1)
    def test_b(self):
        self.worker = Harness()
        self.worker.run()
    def test_c(self):
        same(1, 1)
    def test_d(self):  # FLAW
        noted(1)
@pytest.fixture
def compare():
    return compared
def test_e(compare):
    compare(1, 1)
@pytest.fixture
def quiet():
    return noted
def test_f(quiet):  # FLAW
    quiet(1)
def test_g():
    yield compared, 1, 1
def test_h():
    for function in (noted, compared):
        function(1)
def test_i():
    {"a": compared}["a"](1, 1)
class TestB(Base):
    def test_j(self, inherited): ...
    def test_k(self, idle): ...  # FLAW
def test_l():
    getattr(Harness(), "run")()
def test_m():
    import functools
    functools.partial(compared, 1)(1)
""",
            tests__helpers=HELPERS,
            tests__base="""import pytest
class Base:
    @pytest.fixture
    def inherited(self):
        yield
        assert True
    @pytest.fixture
    def idle(self): ...
""",
        ),
    },
    "what runs before and after": case(
        """import unittest
class TestA:
    def setup_method(self):
        assert self
    def test_a(self): ...
class TestB:
    def test_b(self): ...  # FLAW
class CaseA(unittest.TestCase):
    def tearDown(self):
        self._finish()
    def _finish(self):
        self.assertTrue(1)
    def test_c(self): ...
class CaseB(CaseA):
    def test_d(self): ...
class CaseC(unittest.TestCase):
    def setUp(self):
        self.addCleanup(self._finish)
    def _finish(self):
        assert self
    def test_e(self): ...
"""
    ),
    "what runs after every test of a module": case(
        "def teardown_function():\n    assert True\ndef test_a(): ...\nclass TestA:\n    def test_b(self): ...\n"
    ),
    "methods of bases": case(
        """from foreign import Suite
from unittest import TestCase
from tests.base import Base
class TestA(Base):
    def test_a(self):
        self.compare(1)
    def test_b(self):  # FLAW
        self.idle()
    def test_c(self):
        super().compare(1)
class TestB(Suite):
    def test_d(self):
        self.run_all()
    def test_e(self):  # FLAW
        print(self)
    def test_f(self):  # FLAW
        self.own()
    def own(self): ...
class CaseA(TestCase):
    def test_g(self):  # FLAW
        self.run_all()
class TestC:
    def test_h(self):
        self.hook()
    def hook(self):
        raise NotImplementedError
class TestD(TestC):
    def hook(self):
        assert self
class TestE(Base):
    def test_i(self):
        self.whole()
    def part(self):
        assert self
""",
        tests__base="""class Base:
    def compare(self, a):
        assert a
    def idle(self): ...
    def whole(self):
        self.part()
    def part(self): ...
""",
    ),
    "tests that say that nothing is raised": case(
        '''import pytest
def test_close_does_not_raise(port): port.close()
def test_close_is_noop(port): port.close()
def test_accepts_zero(port): port.open(0)
def test_open_accepts_zero(port): port.open(0)
def test_docstring(port):
    """Closing twice must
    not raise."""
    port.close()
def test_comment(port):
    port.close()  # doesn\u2019t raise
def test_condition(port):
    port.parse("1")  # raises ValueError if it is none
def test_swallows_errors(port): port.close()
# must not crash
def test_above(port):
    port.close()
def test_below(port):  # FLAW
    port.close()
# must not raise

@pytest.mark.slow
def test_far(port):  # FLAW
    port.close()
def test_text(port):  # FLAW
    port.log("must not raise")
def test_raises(port):  # FLAW
    port.close()
def test_is_acceptable(port):  # FLAW
    port.close()
'''
    ),
    "what is expected to raise elsewhere": case(
        """import pytest
import unittest
from app.port import validate, load, dump, Port, close
def test_refuses(client):
    with pytest.raises(ValueError):
        validate(make())
    pytest.raises(ValueError, load, 1)
    pytest.raises(ValueError, lambda: client.send(1))
    with pytest.raises(ValueError) as e, open("x"):
        Port(0)
def test_a(): validate(1)
def test_b(): load(2)
def test_c(client): client.send(2)
def test_d(): Port(1)
def test_e(): dump(1)  # FLAW
def test_f(): make()  # FLAW
def test_g(): print(validate)  # FLAW
class CaseA(unittest.TestCase):
    def test_h(self):
        self.assertRaises(OSError, close)
    def test_i(self):
        close()
""",
        src__app__port="def validate(x): ...\ndef load(x): ...\ndef dump(x): ...\ndef close(): ...\nclass Port: ...\n",
        tests__test_other="from app.port import dump\nimport pytest\ndef test_a():\n    pytest.raises(ValueError, dump)\n",
    ),
    "tests that never run": case(
        """import sys
import pytest
import unittest
from pytest import mark
from tests.marks import broken
device = pytest.mark.skip(reason="needs a device")
@pytest.mark.skip
def test_a(): ...
@pytest.mark.skip(reason="x")
def test_b(): ...
@mark.skip("x")
def test_c(): ...
@device
def test_d(): ...
@broken
def test_e(): ...
@unittest.skip("x")
def test_f(): ...
@pytest.mark.skipif(True, reason="x")
def test_g(): ...
@pytest.mark.skipif(sys.platform == "win32", reason="x")
def test_h(): ...  # FLAW
@pytest.mark.xfail
def test_i(): ...  # FLAW
@pytest.mark.xfail(run=False)
def test_j(): ...
@pytest.mark.xfail(raises=ValueError, strict=True)
def test_k(): ...
@pytest.mark.skip
class TestA:
    def test_l(self): ...
class TestB:
    pytestmark = [pytest.mark.slow, pytest.mark.skip(reason="x")]
    def test_m(self): ...
def test_n():
    pytest.skip("x")
def test_o():
    if sys.platform:
        pytest.skip("x")
def test_p():
    print(1)
    raise unittest.SkipTest
class TestC:
    __test__ = False
    def test_q(self): ...
@pytest.mark.skip
@pytest.mark.slow
def test_r(): ...
""".replace("def test_o():", "def test_o():  # FLAW"),
        tests__marks="import pytest\nbroken = pytest.mark.skip(reason='broken')\n",
    ),
    "tests that measure": case(
        """import pytest
def test_a(benchmark):
    benchmark(read)
@pytest.mark.benchmark
def test_b(): ...
@pytest.mark.benchmarked
def test_c(): ...  # FLAW
"""
    ),
    "a module that is measured": case("import pytest\npytestmark = pytest.mark.benchmark()\ndef test_a(): ...\n"),
    "a module that never runs": case("import pytest\npytestmark = pytest.mark.skip('x')\ndef test_a(): ...\n"),
    "a module that is left at once": case(
        "import pytest\npytest.skip('x', allow_module_level=True)\ndef test_a(): ...\n"
    ),
    "marks of another file": case(
        "from tests.marks import pytestmark\ndef test_a(): ...\n",
        tests__marks="import pytest\npytestmark = pytest.mark.skip('x')\n",
    ),
    "what is no test": {
        **case(
            """import pytest
def helper(): ...
def _test(): ...
@pytest.fixture
def test_data(): ...
class Helper:
    def test_a(self): ...
def outer():
    def test_b(): ...
class TestA:
    def helper(self): ...
if True:
    def test_c(): ...  # FLAW
class TestB:
    class TestC:
        def test_d(self): ...  # FLAW
""",
            tests__conftest="def test_e(): ...\n",
            tests__helpers="def test_f(): ...\n",
            src__app__port="def test_g(): ...\n",
        ),
    },
    "names of the configuration": {
        "pytest.ini": "[pytest]\npython_classes = *Spec\npython_functions = it_*\n",
        **case(
            "class CameraSpec:\n    def it_shoots(self): ...  # FLAW\n    def test_x(self): ...\ndef test_a(): ...\n"
        ),
    },
    "decorated and parametrised": case(
        """import pytest
from contextlib import nullcontext
from pytest_bdd import scenario
@pytest.mark.parametrize("x", [1])
@pytest.mark.slow
def test_a(x):  # FLAW
    print(x)
@pytest.mark.parametrize("expectation", [nullcontext(), pytest.raises(ValueError)])
def test_b(expectation):
    with expectation:
        print(1)
@pytest.mark.parametrize("function", [compared, other])
def test_c(function):
    function(1)
def compared(x):
    assert x
def other(x): ...
@scenario("camera.feature", "shoots")
def test_d(): ...
@pytest.mark.mpl_image_compare
def test_e(): ...
"""
    ),
    "two tests of one name": case(
        "def test_a():  # FLAW\n    print(1)\ndef test_a():\n    assert 1\ndef test_b():\n    assert 1\ndef test_b():  # FLAW\n    print(1)\n"
    ),
    "what could not be read": case(
        "def test_b():  # FLAW\n    print(1)\n\n\ndef test_a():\n    print(1)\n    x = = 3 (\n\n\ndef test_c():\n    print(1)\n    )))\n"
    ),
}


@pytest.mark.parametrize("name", PROJECTS)
def test_project(tmp_path: Path, name: str) -> None:
    files = {**PACKAGES, **PROJECTS[name]}
    assert reported(tmp_path, RULE, files) == expected(files)


@pytest.mark.parametrize(
    ("options", "body", "silent"),
    [
        ('assertions = ["must_*"]', "page.must_show('x')", True),
        ('assertions = ["must_*"]', "foreign.must_show('x')", True),
        ('assertions = ["must_*"]', "page.check('x')", False),
        ('acceptance-names = ["test_smoke*"]', "page.show()", True),
        ('acceptance-names = ["test_fire*"]', "page.show()", False),
        ('acceptance-phrases = ["smoke"]', "page.show()  # only smoke", True),
        ('acceptance-phrases = ["smoke"]', "page.show()  # must not raise", False),
    ],
)
def test_options(tmp_path: Path, options: str, body: str, *, silent: bool) -> None:
    files = case(f"import foreign\ndef test_smoke_of_page(page):\n    {body}\n")
    assert (reported(tmp_path, RULE, files, options) == set()) == silent
