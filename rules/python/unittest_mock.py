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

## Known limits

The rule looks at test code alone: at what pytest collects and at what lies beside it. Where a loose script of the
project is called `mock.py`, `import mock` may mean that and is not reported, unless the project declares the package.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.python import PythonFile
from guards.languages.python.imports import imports_of
from guards.rule import Candidate, Example, Finding, Option, Options, Project, Rule


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
        for found in imports_of(file):
            names = [name for name, _ in found.names]
            if names and allowed.issuperset(names):
                continue
            if _is(found.module, "unittest.mock"):
                yield self.finding(found.place, "`unittest.mock` is imported")
            elif _is(found.module, "mock"):
                yield self.candidate(found.place, "import")
            elif found.module == "unittest" and "mock" in names:
                yield self.finding(dict(found.names)["mock"], "`unittest.mock` is imported")

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """Imports of a `mock` that is not the project's own."""
        for candidate in candidates:
            if project.python.is_third_party("mock", candidate.place.path):
                yield self.finding(candidate.place, "the package `mock` is imported")

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whose module it is."""
        del candidate, project
        return "`mock` is the project's own, or whose it is is not known"

    bad = (
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


def _is(module: str, wanted: str) -> bool:
    return module == wanted or module.startswith(f"{wanted}.")
