"""What a command says of words from outside is shown, and obeyed by no terminal."""

from pathlib import Path

import pytest

from guards.cli import main

HOSTILE = "\x1b]0;title\x07\u202e"
SHOWN = "\\x1b]0;title\\x07\\u202e"


@pytest.mark.parametrize(
    "command",
    [
        ("check", "--select", HOSTILE),
        ("check", "--preset", HOSTILE),
        ("check", "--output", HOSTILE),
        ("check", "--no-cache", HOSTILE),
        ("config", HOSTILE),
        ("config", "--ignore", HOSTILE),
        ("explain", HOSTILE),
        ("test", HOSTILE),
    ],
)
def test_a_refusal_shows_the_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert SHOWN in err
    assert "\x1b" not in err


def test_a_hostile_configuration_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "suiteguard.toml").write_text('"\\u001b[2J\\u202e" = 1\n')
    monkeypatch.chdir(tmp_path)
    for command in ("check", "config"):
        assert main([command]) == 2
        assert "\\x1b[2J\\u202e" in capsys.readouterr().err
