import os
import subprocess
import sys
from pathlib import Path

import pytest

from guards.cli import main


def test_a_rule_is_explained_by_name_or_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "thread-sleep"]) == 0
    by_name = capsys.readouterr()
    assert by_name.out.startswith("# thread-sleep\n\n")
    assert "code `SGC001`" in by_name.out
    assert "## Use instead" in by_name.out
    assert by_name.err == ""
    assert main(["explain", "SGC001"]) == 0
    assert capsys.readouterr() == by_name


def test_all_languages_of_a_rule_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "SGX005"]) == 0
    out = capsys.readouterr().out
    assert "## In C#" in out
    assert "## In project files" in out


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("tread-sleep", "there is no rule `tread-sleep`; did you mean `thread-sleep`?"),
        ("xyzzy", "there is no rule `xyzzy`; `suiteguard rules` lists all"),
        ("thread-*", "`thread-*` is a pattern; name one rule (`suiteguard rules` lists all)"),
        ("[a-z]", "`[a-z]` is a pattern; name one rule (`suiteguard rules` lists all)"),
        ("\x1b[31m", "`\\x1b[31m` is a pattern; name one rule (`suiteguard rules` lists all)"),
    ],
)
def test_what_is_no_rule_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["explain", word]) == 2
    assert capsys.readouterr() == ("", f"suiteguard: {message}\n")


ROWS = """\
[[forbid]]
name = "wall-clock"
api = "time.time"
language = "python"
why = "the clock is no input\\u001b[31m"
"""


def test_rows_of_the_project_are_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "suiteguard.toml").write_text(ROWS)
    (tmp_path / "tests").mkdir()
    for folder in (tmp_path, tmp_path / "tests"):
        monkeypatch.chdir(folder)
        assert main(["explain", "wall-clock"]) == 0
        out = capsys.readouterr().out
        assert "- `time.time`: any use in test code" in out
        assert "The clock is no input\\x1b[31m." in out


def test_a_wrong_configuration_hides_no_built_in_rule(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "suiteguard.toml").write_text("selekt = []\n")
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "thread-sleep"]) == 0
    assert main(["explain", "wall-clock"]) == 2
    assert "suiteguard.toml:1" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("variables", "laid_out"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"PYTHONIOENCODING": "ascii"}, False)],
)
def test_a_terminal_with_colours_gets_a_layout(variables: dict[str, str], laid_out: bool) -> None:  # noqa: FBT001 a parameter of the test
    import pty

    names = ("NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    environment |= {"TERM": "xterm", "PYTHONUTF8": "1", "COLUMNS": "80", **variables}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "guards", "explain", "parse-incomplete"]
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 65536):
            output += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=30) == 0
    assert b"parse-incomplete" in output
    assert (b"## What it does" in output) is not laid_out
    assert (b"\x1b[" in output) is laid_out
