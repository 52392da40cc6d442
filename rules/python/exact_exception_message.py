r"""An assertion that pins the whole message of an exception.

## What it does

Reports an assertion that a whole exception message equals a literal text. That is an `assert` with `==`, or one of
unittest's `assertEqual`, between a text and `str(e)`, `repr(e)`, `e.args[0]`, `e.args`, `excinfo.exconly()` or a text
made of them by an f-string, `format` or `%`; and a pattern that can only match one text, `^` or `\A` in front, `$` or
`\Z` at the end and nothing but characters between, also by `re.escape`: in `match=` of `pytest.raises`, in
`excinfo.match` and in `assertRaisesRegex`. An exception is what `except` or `pytest.raises` or `assertRaises` binds, what
caused such a one, and what is made by calling a class of exceptions.

## Why is this bad?

The wording of a message is nobody's contract. Whoever mends a comma in it breaks a test, and mends the test by copying
the new text, so the test says what the code says and proves nothing.

## Use instead

The type of the exception, and of the text only what the caller needs: `match="port"`, or `assert "port" in str(e)`.
Better an attribute that the exception has for it, such as `e.errno`.

## Fix

Turns a comparison with a literal text into a search for it: `"port" in str(e)`. It asserts less, so it is unsafe, and the
part of the text that matters is still to be chosen. Patterns, `assertEqual` and `args` as a whole are left alone.

## Known limits

- A text with parts that this file does not know (`f"{name} is missing"`, a constant of another module) is not compared
  with letters alone, and is not reported.
- Attributes for texts, such as `e.strerror` or `e.msg`, can be a contract, and are not reported.
- What a helper returns, a parameter, or what is compared outside of the assertion is not followed.
- In files that pin a contract on purpose (`contract-paths`) and in tests that are marked so (`contract-markers`) all is
  allowed. The mark is seen on the test, its class and in the module's `pytestmark`.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from guards.config.globs import matches_any
from guards.languages.python import PythonFile
from guards.languages.python.classes import is_exception
from guards.languages.python.marked import marked
from guards.languages.python.messages import SURE, exact_messages
from guards.rule import WARNING, Candidate, Example, Finding, Fix, Option, Options, Project, Rule
from guards.source.text import SourceText

if TYPE_CHECKING:
    from guards.source.place import Place

_FIX = Fix("assert that the message contains the text", safe=False)


class ExactExceptionMessage(Rule[PythonFile]):
    """One finding for each assertion."""

    name = "exact-exception-message"
    code = "SGP005"
    language = "python"
    severity = WARNING
    needs = ("call",)
    options: ClassVar = {
        "contract-paths": Option(
            ("test_api_contract.py", "test_proto_contract.py"),
            "Globs of the files that pin a contract, messages among it.",
            paths=True,
        ),
        "contract-markers": Option(("api_contract",), "Names of the marks of tests that pin a contract."),
    }
    why = "whoever rewords the message breaks the test, and mends it by copying the new text"
    instead = 'assert the type, and of the text only the part that a caller needs, such as `match="port"`'

    def check(self, file: PythonFile, options: Options) -> Iterator[Finding | Candidate]:
        """Comparisons of what surely is an exception, and candidates where other files define the class."""
        if matches_any(options.names("contract-paths"), file.info.path):
            return
        contract = marked(file, options.names("contract-markers"))
        for found in exact_messages(file):
            if found.offset in contract:
                continue
            start, end = file.text.span(found.place)
            is_compared = found.message and not found.message.endswith(".args") and b"==" in file.text.data[start:end]
            fix = _FIX if is_compared else None
            if found.exception == SURE:
                yield self._flaw(found.place, found.message, fix)
            else:
                yield self.candidate(found.place, "message", found.exception, found.message, fix=fix)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """Those whose class is one of exceptions."""
        for candidate in candidates:
            reference, message = candidate.words
            if is_exception(project.python, reference, candidate.place.path):
                yield self._flaw(candidate.place, message, candidate.fix)

    def rewrite(self, text: SourceText, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Fix]]:
        """Comparisons of which the text is a literal, turned round."""
        from guards.languages.python.containment import Containment
        from guards.languages.python.rewriting import Source, Unfit

        try:
            containment = Containment(Source(text))
        except Unfit:
            return
        for finding in findings:
            yield finding, _FIX._replace(edits=containment.edits(*text.span(finding.place)))

    def silence(self, candidate: Candidate, project: Project) -> str:
        """That the class is none of exceptions, or not known to be one."""
        reference, _ = candidate.words
        return (
            ""
            if is_exception(project.python, reference, candidate.place.path)
            else "what it compares is not known to be an exception's message"
        )

    def _flaw(self, place: "Place", message: str, fix: Fix | None) -> Finding:
        named = f"of `{message}` " if message else ""
        return self.finding(place, f"the whole message {named}is pinned", fix=fix)

    bad = (
        Example(
            """import pytest


def test_parses():
    with pytest.raises(ValueError) as caught:
        int("x")
    assert str(caught.value) == "invalid literal"  # FLAW
    assert caught.value.args[0] == "invalid literal"  # FLAW
    assert caught.value.args == ("invalid literal",)  # FLAW
    assert caught.exconly() == "ValueError: invalid literal"  # FLAW
    assert f"{type(caught.value).__name__}: {caught.value}" == "ValueError: invalid literal"  # FLAW
    message = str(caught.value).strip()
    assert caught.type is ValueError and "invalid literal" == message  # FLAW
""",
            "every way to the text of what `raises` caught, on either side",
            fixed="""import pytest


def test_parses():
    with pytest.raises(ValueError) as caught:
        int("x")
    assert "invalid literal" in str(caught.value)
    assert "invalid literal" in caught.value.args[0]
    assert caught.value.args == ("invalid literal",)  # FLAW
    assert "ValueError: invalid literal" in caught.exconly()
    assert "ValueError: invalid literal" in f"{type(caught.value).__name__}: {caught.value}"
    message = str(caught.value).strip()
    assert caught.type is ValueError and "invalid literal" in message
""",
        ),
        Example(
            """import re
from pytest import raises as expects

WHOLE = "^port must be positive$"


def test_refuses():
    with expects(ValueError, match=r"\\Aport must be positive\\.\\Z"):  # FLAW
        raise ValueError("port must be positive.")
    with expects(ValueError, match=WHOLE):  # FLAW
        raise ValueError("port must be positive")
    with expects(ValueError) as caught:
        raise ValueError("port (0) must be positive")
    caught.match("^" + re.escape("port (0) must be positive") + "$")  # FLAW
""",
            "a pattern that fits one text alone",
        ),
        Example(
            """import unittest

EXPECTED = "port must be positive"


class PortTest(unittest.TestCase):
    def test_refuses(self):
        with self.assertRaises(ValueError) as caught:
            raise ValueError("port must be positive")
        self.assertEqual(str(caught.exception), EXPECTED)  # FLAW
        with self.assertRaisesRegex(ValueError, "^port must be positive$"):  # FLAW
            raise ValueError("port must be positive")
        try:
            raise ValueError("port must be positive") from OSError("busy")
        except ValueError as error:
            self.assertEqual(first="busy", second=str(error.__cause__))  # FLAW
""",
            "unittest, a constant, `except` and a cause",
        ),
        Example(
            """from app.errors import Unusable


def test_says():
    error = Unusable(7)
    assert str(error) == "port 7 is unusable"  # FLAW
    assert "%s!" % error == "port 7 is unusable!"  # FLAW
""",
            "an exception of the project's own, made by the test",
            fixed="""from app.errors import Unusable


def test_says():
    error = Unusable(7)
    assert "port 7 is unusable" in str(error)
    assert "port 7 is unusable!" in "%s!" % error
""",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/errors.py", "class AppError(Exception): ...\n\n\nclass Unusable(AppError): ...\n"),
            ),
        ),
    )
    good = (
        Example(
            """import re

import pytest


def test_refuses():
    with pytest.raises(ValueError, match="must be positive"):
        raise ValueError("port must be positive")
    with pytest.raises(ValueError, match="^port"):
        raise ValueError("port must be positive")
    with pytest.raises(ValueError, match=r"^port \\d+ .*$"):
        raise ValueError("port 1 is bad")
    with pytest.raises(ValueError, match="^(port|host) is bad$"):
        raise ValueError("port is bad")
    with pytest.raises(ValueError, match=re.escape("port (0)")):
        raise ValueError("port (0) is bad")
""",
            "a part of the text, and patterns that fit many",
        ),
        Example(
            """import pytest


def test_refuses():
    with pytest.raises(ValueError) as caught:
        raise ValueError("port must be positive")
    assert "positive" in str(caught.value)
    assert str(caught.value).startswith("port")
    assert str(caught.value) != ""
    assert str(caught.value) == ""
    assert not str(caught.value) == "port must be negative"
""",
            "parts, and what says nothing of the wording",
        ),
        Example(
            """import errno

import pytest


def test_opens():
    with pytest.raises(OSError) as caught:
        open("nowhere")
    assert caught.value.errno == errno.ENOENT
    assert caught.value.args[0] == 2
    assert caught.value.filename == "nowhere"
    assert caught.type.__name__ == "FileNotFoundError"
""",
            "numbers and attributes, which are meant for callers",
        ),
        Example(
            """import re

import pytest

from app.errors import MESSAGE


def test_refuses(name):
    with pytest.raises(ValueError) as caught:
        raise ValueError(MESSAGE)
    assert str(caught.value) == MESSAGE
    assert str(caught.value) == f"{name} is bad"
""",
            "a constant of the code under test, and a text that is not known",
            files=(("src/app/__init__.py", ""), ("src/app/errors.py", 'MESSAGE = "port is bad"\n')),
        ),
        Example(
            """import pytest

from app.model import Element, render


def test_shows(e):
    element = Element("x")
    assert str(element) == "<x>"
    assert str(e) == "x"
    assert render("a") == "a"
    assert element.match("^x$")
    with pytest.warns(UserWarning, match="^old$"):
        render("b")
    try:
        render("c")
    except ValueError as e:
        assert str(element) == "<x>"
    e = render("d")
    assert str(e) == "d"
""",
            "things that are no exceptions, also under the name of one",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/model.py", "class Element: ...\n\n\ndef render(text): return text\n"),
            ),
        ),
        Example(
            """import pytest


@pytest.mark.api_contract
def test_wording():
    with pytest.raises(ValueError) as caught:
        int("x")
    assert str(caught.value) == "invalid literal"
""",
            "a contract that is pinned on purpose",
        ),
        Example(
            """import pytest

pytestmark = [pytest.mark.api_contract]


def test_wording():
    with pytest.raises(ValueError, match="^invalid literal$"):
        int("x")
""",
            "a module of such",
        ),
        Example(
            """import pytest


def test_wording():
    with pytest.raises(ValueError, match="^invalid literal$"):
        int("x")
""",
            "a file of such",
            path="tests/test_api_contract.py",
        ),
    )
