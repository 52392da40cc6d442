"""An import of `unittest.mock`, or of the `mock` package that it came from, in test code.

## What it does

Reports every import of the two, whole or in part, under any name and at any level: in functions, in `try`, by
`importlib.import_module`, `__import__` and `pytest.importorskip` with a constant name. Not reported is what stands under
`if TYPE_CHECKING:`, since pytest-mock has no public types for its doubles, and a module of the project called `mock`.

## Why is this bad?

A patch by hand has to be undone by hand: a `start()` without its `stop()`, or a decorator in the wrong order, leaks a
double into the next test. It also makes two ways to do one thing in a suite that has pytest-mock.

## Use instead

The fixtures of pytest-mock (`mocker.patch`, `mocker.create_autospec`, `mocker.ANY`): they undo everything when the test
ends. Better still no double: a real resource at a small scale, or a fake of an interface of your own.

## Fix

In a test function a `with` block of `patch`, and a decorator that injects nothing into the function, become a statement
with `mocker`, which the function gets as a parameter. An import that nothing else needs goes. Left alone are helpers and
fixtures, nested functions, decorated classes, `start()`, tests that are called by others or have decorators other than
pytest's marks, and blocks in loops and branches.

The fix needs pytest-mock and is safe where the project declares it, the block is the last statement of the test, and the
decorator calls nothing: elsewhere the patch would last longer than the block, or make a value for each run of the test
that all runs shared.

## Known limits

The rule looks at test code alone: at what pytest collects and at what lies beside it. Where a loose script of the
project is called `mock.py`, `import mock` may mean that and is not reported, unless the project declares the package.
"""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.python import PythonFile
from guards.languages.python.imports import imports_of
from guards.rule import TEST, Candidate, Example, Finding, Fix, Option, Options, Project, Rule
from guards.source.text import SourceText

# A line with a patch that could be rewritten.
_PATCH = re.compile(rb"^[ \t]*(?:with\b|@)[^\r\n]*(?:\bpatch\b|\([ \t]*\r?$)", re.MULTILINE)


class UnittestMock(Rule[PythonFile]):
    """One finding for each import."""

    name = "unittest-mock"
    code = "SGP002"
    language = "python"
    needs = ("import",)
    options: ClassVar = {"allowed-names": Option((), "Names that may be imported from it, such as `ANY`.")}
    why = "what is patched by hand has to be undone by hand, or it leaks into the next test"
    instead = "use the `mocker` fixture of pytest-mock, which undoes everything at the end of the test"

    def check(self, file: PythonFile, options: Options) -> Iterator[Finding | Candidate]:
        """Imports of `unittest.mock`; those of `mock` are candidates, since the project can have a module of that name."""
        if b"mock" not in file.text.data:
            return
        allowed = frozenset(options.names("allowed-names"))
        fix = _fix(file)
        for found in imports_of(file):
            names = [name for name, _ in found.names]
            if names and allowed.issuperset(names):
                continue
            if _is(found.module, "unittest.mock"):
                yield self.finding(found.place, "`unittest.mock` is imported", fix=_for(fix, names))
            elif _is(found.module, "mock"):
                yield self.candidate(found.place, "import", fix=_for(fix, names))
            elif found.module == "unittest" and "mock" in names:
                yield self.finding(dict(found.names)["mock"], "`unittest.mock` is imported", fix=fix)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """Imports of a `mock` that is not the project's own."""
        for candidate in candidates:
            if project.python.is_third_party("mock", candidate.place.path):
                yield self.finding(candidate.place, "the package `mock` is imported", fix=candidate.fix)

    def rewrite(self, text: SourceText, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Fix]]:
        """The patches of tests made by `mocker`, as far as that is plain."""
        from guards.languages.python.mocker import Mocker
        from guards.languages.python.rewriting import Source, Unfit

        try:
            mocker = Mocker(Source(text))
        except Unfit:
            return
        for finding in findings:
            rewritten = mocker.rewrite(text.span(finding.place)[0])
            if rewritten is not None and finding.fix is not None:
                safe = finding.fix.safe and rewritten.exact
                yield finding, finding.fix._replace(safe=safe, edits=rewritten.edits)

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whose module it is."""
        del candidate, project
        return "`mock` is the project's own, or whose it is is not known"

    bad = (
        Example(
            """import os
from unittest.mock import ANY, patch  # FLAW

import pytest


@pytest.mark.slow
@patch.dict(os.environ, {"MODE": "test"})
def test_starts():
    assert app.start(ANY)


class TestSave:
    def test_saves(self, tmp_path):
        with patch("app.disk.free", return_value=0) as free, pytest.raises(DiskFull):
            app.save(tmp_path)
            free.assert_called_once()
""",
            "patches that become statements",
            fixed="""import os
from unittest.mock import ANY  # FLAW

import pytest


@pytest.mark.slow
def test_starts(mocker):
    mocker.patch.dict(os.environ, {"MODE": "test"})
    assert app.start(ANY)


class TestSave:
    def test_saves(self, tmp_path, mocker):
        free = mocker.patch("app.disk.free", return_value=0)
        with pytest.raises(DiskFull):
            app.save(tmp_path)
            free.assert_called_once()
""",
        ),
        Example(
            """from unittest import mock  # FLAW


def test_loads():
    with mock.patch("app.clock.now", new=lambda: 0):
        # The file is new.
        assert app.load("a") == 0
    assert app.loaded
""",
            "the last use of an import",
            fixed="""def test_loads(mocker):
    mocker.patch("app.clock.now", new=lambda: 0)
    # The file is new.
    assert app.load("a") == 0
    assert app.loaded
""",
        ),
        Example(
            """import unittest.mock  # FLAW
import unittest.mock as m  # FLAW
from unittest.mock import ANY, patch  # FLAW
from unittest import TestCase, mock  # FLAW
import mock as k  # FLAW
from mock import Mock  # FLAW
""",
            "in whole or in part, under any name",
        ),
        Example(
            """import importlib

import pytest


def test_saves():
    from unittest.mock import patch  # FLAW

    importlib.import_module("unittest.mock")  # FLAW
    __import__("mock")  # FLAW
    pytest.importorskip("mock")  # FLAW
""",
            "at any level, and by name",
        ),
        Example(
            """from unittest.mock import ANY
from unittest.mock import ANY, patch  # FLAW
""",
            "one allowed name does not allow the other",
            options=(("allowed-names", ("ANY",)),),
        ),
    )
    good = (
        Example(
            """def test_saves(mocker):
    free = mocker.patch("app.disk.free", return_value=0)
    patch = mocker.patch.object
    patch(app.clock, "now", mocker.create_autospec(app.clock.now))
    app.save(mocker.ANY)
    free.assert_called_once()
""",
            "the fixture of pytest-mock, whatever it makes",
        ),
        Example(
            """from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unittest.mock import MagicMock


def test_saves(mocker):
    double: "MagicMock" = mocker.MagicMock(spec=int)
    assert double
""",
            "an import for the type checker alone",
        ),
        Example(
            """import unittest
from unittest import TestCase

from pytest_mock import MockerFixture
""",
            "unittest without its doubles, and pytest-mock",
        ),
        Example(
            """from app import mock
from app.mock import X
""",
            "a module of the project's own",
            files=(("src/app/__init__.py", ""), ("src/app/mock.py", "X = 1\n")),
        ),
        Example(
            """import mock
""",
            "the file beside the test",
            files=(("tests/mock.py", "X = 1\n"),),
        ),
        Example(
            """TEXT = "from unittest import mock"
# import mock
import mockery
""",
            "text, a comment and another package",
        ),
    )


def _fix(file: PythonFile) -> Fix | None:
    """The fix of imports of a file in which a test may be rewritten; its edits are made by ``rewrite``."""
    unit = file.info.unit
    usual = all(pattern.rstrip("*").rstrip("_") == "test" for pattern in unit.fact("python_functions"))
    if file.info.role != TEST or not usual or not _PATCH.search(file.text.data):
        return None
    return Fix("patch through the `mocker` fixture", safe="pytest-mock" in unit.fact("dependencies"))


def _for(fix: Fix | None, names: Sequence[str]) -> Fix | None:
    return fix if not names or "patch" in names else None


def _is(module: str, wanted: str) -> bool:
    return module == wanted or module.startswith(f"{wanted}.")
