"""A test that asserts nothing.

## What it does

Reports a test that reaches no assertion. An assertion is

- `assert`, `raise AssertionError`, and those of pytest, unittest, mocks and well-known libraries: `pytest.raises`, `warns`
  and `fail`, `self.assertEqual`, `assert_called_once`, `numpy.testing`, `run_state_machine_as_test` and the like;
- a call of anything that is named like one, `assert*`, `check*`, `expect*`, `should*` or `verify*`, with or without
  underscores in front. A helper in test code that is named so must assert or raise itself, or call what does.

It may stand in the test, in what decorates it, or up to four calls away in functions of the project: of other files, of the
test's class and its bases, in methods of objects, in functions inside of the test that are used there, and in functions
that are handed on to be called. What runs around the test counts as well: the fixtures that it asks for, those that it uses by
a mark and those that are used by all, `setUp`, `teardown_method` and their kind.

## Why is this bad?

Such a test only fails where something raises. Whatever the code gives back or leaves behind, the test is green, and it
counts as coverage.

## Use instead

An assertion about what the code gives back or changes. Where the point is that nothing is raised, say so: in the name of the
test, in its docstring or in a comment; or show beside it, with `pytest.raises`, what the same function does refuse.

## Known limits

- A test that must only not raise is left alone where it says so (`acceptance-names`, `acceptance-phrases`), and where what it
  calls is called under `pytest.raises` elsewhere in the file.
- A test that never runs, skipped on no condition, is not judged, nor is one that measures (`benchmark`).
- A method that a base class from outside of the project may have could assert, and the test is left alone.
- In product code an assertion counts where the test, or a helper, calls a function of the very file that it stands in.
- An assertion that no way leads to, behind a `return`, is none. Whether one is reached on every way, and whether it can fail,
  is not looked at here.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, ClassVar

from guards.languages.python import PythonFile
from guards.languages.python.acceptance import Acceptance
from guards.languages.python.asserting import Assertions
from guards.languages.python.facts import TEST_FUNCTION, FunctionFacts
from guards.languages.python.marked import is_skip, marked, marks_on, never_run
from guards.languages.python.scope import FUNCTION
from guards.rule import TEST, WARNING, Candidate, Example, Finding, Option, Options, Project, Rule

if TYPE_CHECKING:
    from guards.languages.python.index import Index

# The fixtures, and marks, of tests that measure how long something takes.
_MEASURES = frozenset({"benchmark", "benchmark_weave", "codspeed_benchmark"})


class TestWithoutAssertion(Rule[PythonFile]):
    """One finding for each test."""

    name = "test-without-assertion"
    code = "SGP008"
    language = "python"
    severity = WARNING
    roles = (TEST,)
    options: ClassVar = {
        "assertions": Option(
            ("assert*", "check*", "expect*", "should*", "verify*"),
            "Globs of the names of calls that assert, without underscores in front.",
        ),
        "acceptance-names": Option(
            (
                "*_accept", "*_accepts*", "*_accepted*", "*_does_not_crash*", "*_does_not_fail*", "*_does_not_raise*",
                "*_doesnt_raise*", "*_is_a_noop*", "*_is_no_op*", "*_is_noop*", "*_never_raises*", "*_no_crash*",
                "*_no_error*", "*_no_exception*", "*_no_raise*", "*_noop", "*_not_raise*", "*_swallows_*", "*_without_error*",
                "*_without_raising*",
            ),
            "Globs of the names of tests that must only not raise.",
        ),
        "acceptance-phrases": Option(
            (
                "n't crash", "n't fail", "n't raise", "n't throw", "never raise", "no error", "no exception", "no-op",
                "noop", "not crash", "not fail", "not raise", "not throw", "raises if", "raises on", "raises when", "re-raise",
                "without error", "without exception", "without raising", "would raise",
            ),
            "What a docstring or comment says of a test that must only not raise.",
        ),
    }  # fmt: skip
    why = "it is green whatever the code gives back or leaves behind"
    instead = "assert what the code gives back or changes, or say that the test is about nothing being raised"

    def check(self, file: PythonFile, options: Options) -> Iterator[Candidate]:
        """One candidate for each test that does not assert in itself, with the marks that it carries."""
        functions = file.facts().functions
        tests = {
            (item.line, item.column): item for item in functions if item.kind == TEST_FUNCTION and not item.asserts
        }
        if not tests:
            return
        skipped, measured, acceptance = never_run(file), marked(file, _MEASURES), Acceptance(file)
        names, phrases = options.names("acceptance-names"), options.names("acceptance-phrases")
        for scope in file.scopes.of_kind(FUNCTION):
            test = tests.get(file.name_at(scope.node)) if scope.node.start_byte not in skipped else None
            if test is None or scope.start in skipped or _is_named(test, names) or acceptance.says(scope, phrases):
                continue
            if (
                scope.node.start_byte not in measured
                and _MEASURES.isdisjoint(test.asks)
                and not acceptance.is_paired(scope)
            ):
                yield self.candidate(test.place(file.info.path), "test", *marks_on(file, scope), function=test.name)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The tests that lead to no assertion."""
        index = project.python
        assertions: dict[tuple[str, ...], Assertions] = {}
        for candidate in candidates:
            path = candidate.place.path
            names = project.options_for(self.name, path).names("assertions")
            known = assertions.setdefault(names, Assertions(index, names))
            test = _test_of(index, candidate)
            skipped = any(is_skip(value) for mark in candidate.words for value in index.values(mark, path))
            if test is not None and not skipped and not known.may_assert(path, test):
                yield self.finding(candidate.place, f"`{candidate.function}` asserts nothing")

    bad = (
        Example(
            """import pytest

from app.camera import Camera, shoot


def test_shoots():  # FLAW
    shoot()
    Camera().frame()


@pytest.mark.parametrize("size", [1, 2])
async def test_shoots_sizes(size, camera, caplog):  # FLAW
    result = await camera.shoot(size)
    print(result)


class TestCamera:
    def test_frames(self):  # FLAW
        self.prepare()
        _ = Camera().depth == 8

    def prepare(self):
        self.camera = Camera()
""",
            "calls alone, and a comparison that nobody looks at",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/camera.py", "class Camera:\n    depth = 8\n    def frame(self): ...\n\n\ndef shoot(): ...\n"),
            ),
        ),
        Example(
            """from tests.helpers import check_frame


def test_frames():  # FLAW
    check_frame(b"")


def test_sizes():  # FLAW
    def verify():
        assert False

    _verify_nothing(1)


def _verify_nothing(size):
    print(size)
""",
            "helpers that only look like assertions, and an assertion in a function that nobody calls",
            files=(
                ("tests/__init__.py", ""),
                ("tests/helpers.py", "def check_frame(frame):\n    return frame == b''\n"),
            ),
        ),
        Example(
            """import unittest


class CameraTest(unittest.TestCase):
    def setUp(self):
        self.camera = object()

    def test_frames(self):  # FLAW
        repr(self.camera)
""",
            "unittest",
        ),
    )
    good = (
        Example(
            """import numpy as np
import pytest
from pytest import raises as expects_error
from unittest import TestCase


def test_plain(mocker, snapshot):
    assert 1 + 1 == 2


def test_raises():
    with pytest.raises(ValueError):
        int("x")


def test_raises_under_another_name():
    with expects_error(ValueError):
        int("x")


def test_fails(reach):
    if not reach("there"):
        pytest.fail("not there")


def test_fails_by_hand(frame):
    if frame != b"":
        raise AssertionError(frame)


def test_calls(mocker):
    sender = mocker.Mock()
    sender(1)
    sender.assert_called_once_with(1)


def test_arrays():
    np.testing.assert_allclose([1.0], [1.0])


def test_named(response):
    expect(response).to_have_status(200)
    response.should_be_fine()


class FrameTest(TestCase):
    def test_equal(self):
        self.assertEqual(1, 1)

    def test_fail(self):
        self.fail("never")
""",
            "assertions of all kinds in the test itself",
        ),
        Example(
            """import asyncio

import pytest

from tests.helpers import Harness, compared


def test_here():
    first(1)


def first(value):
    second(value)


def second(value):
    assert value


def test_elsewhere():
    compared(1, 1)


def test_object():
    harness = Harness()
    harness.run()


def test_inside():
    async def run():
        assert True

    asyncio.run(run())


def test_handed_on(pool):
    pool.map(second, [1, 2])


class Base:
    def compare(self):
        second(1)


class TestHeir(Base):
    def test_inherited(self):
        self.compare()
""",
            "assertions in helpers: here, in another file, of an object, inside of the test, handed on, and of a base",
            files=(
                ("tests/__init__.py", ""),
                (
                    "tests/helpers.py",
                    """def compared(a, b):
    if a != b:
        raise AssertionError(a)


class Harness:
    def run(self):
        self._finish()

    def _finish(self):
        assert self
""",
                ),
            ),
        ),
        Example(
            """import pytest


@pytest.fixture
def log():
    lines = []
    yield lines
    assert not lines


def test_asks(log):
    print("x")


@pytest.mark.usefixtures("no_warnings")
def test_uses():
    print("x")


class TestAround:
    def teardown_method(self):
        assert self

    def test_prints(self):
        print("x")
""",
            "assertions in what runs around the test",
            files=(
                (
                    "tests/conftest.py",
                    "import pytest\n\n\n@pytest.fixture\ndef no_warnings(recwarn):\n    yield\n    assert not recwarn\n",
                ),
            ),
        ),
        Example(
            """import pytest

from app.port import validate


def test_refuses_zero():
    with pytest.raises(ValueError):
        validate(0)


def test_takes_one():
    validate(1)


def test_closing_twice_does_not_raise(port):
    port.close()
    port.close()


def test_closes(port):
    \"\"\"Closing an open port must not raise.\"\"\"
    port.close()


def test_parses(port):
    port.parse("8080")  # raises if it is no number


@pytest.mark.skip(reason="needs a device")
def test_device(port):
    port.open()
""",
            "tests about nothing being raised, and one that never runs",
            files=(("src/app/__init__.py", ""), ("src/app/port.py", "def validate(port): ...\n")),
        ),
        Example(
            """from foreign import Suite


class TestForeign(Suite):
    def test_runs(self):
        self.run_all()
""",
            "a method of a base that nobody knows may assert",
        ),
        Example(
            """def test_reads(page):
    page.must_show("x")
""",
            "another name for assertions",
            options=(("assertions", ("must_*",)),),
        ),
    )


def _is_named(test: FunctionFacts, globs: Sequence[str]) -> bool:
    name = test.name.rpartition(".")[2]
    return any(fnmatchcase(name, glob) for glob in globs)


def _test_of(index: "Index", candidate: Candidate) -> FunctionFacts | None:
    facts = index.facts_of(candidate.place.path)
    functions = facts.functions if facts is not None else ()
    place = candidate.place
    return next((item for item in functions if (item.line, item.column) == (place.line, place.column)), None)
