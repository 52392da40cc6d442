import io
import subprocess
import sys

import pytest

from guards.reports import FORMATS, Style, renderer, terminal_style

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there other variables tell what a terminal knows")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _no_words_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("terminal", "variables", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": ""}, False),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool, variables: dict[str, str], colour: bool
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal_style(Terminal() if terminal else io.StringIO()).colour is colour


def test_the_width_is_that_of_a_terminal_but_never_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert terminal_style(Terminal()).width == 72
    monkeypatch.setenv("COLUMNS", "5")
    assert terminal_style(Terminal()).width == 40


def test_off_a_terminal_nothing_decides_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert terminal_style(io.StringIO()) == Style()


def test_a_report_for_a_pipe_imports_nothing_heavy() -> None:
    formats = ["concise", "statistics", "text"]
    code = (
        "import sys; from guards.reports import renderer, Style; from guards.findings.result import RunResult; "
        f"[renderer(name)(RunResult((), 0, ()), lambda path: None, Style()) for name in {formats}]; "
        "print(sorted({'rich', 'json', 'shutil', 'textwrap', 'guards.engine'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_format_has_a_renderer() -> None:
    assert all(callable(renderer(name)) for name in (*FORMATS, "statistics"))
