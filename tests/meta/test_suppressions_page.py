"""The page about suppressions and the baseline is a story, and what it shows is what happens."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "suppressions.md").read_text(encoding="utf-8")
# A file with its path above it, or commands with what they print.
STEP = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$|^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ suiteguard (.*)\n", re.MULTILINE)
WRITTEN_BY_US = "suiteguard-baseline.json"


def suiteguard(arguments: str, folder: Path) -> str:
    command = [sys.executable, "-m", "guards", *shlex.split(arguments)]
    environment = os.environ | {"SUITEGUARD_CACHE_DIR": str(folder.parent / "cache")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return (done.stdout + done.stderr).decode()


def test_the_story_is_true_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "tests").mkdir(parents=True)
    (folder / "suiteguard.toml").write_text("")
    commands = 0
    for path, text, console in STEP.findall(PAGE):
        if path == WRITTEN_BY_US:
            assert (folder / path).read_text(encoding="utf-8") == text
        elif path:
            (folder / path).write_text(text, encoding="utf-8")
        else:
            _, *pairs = COMMAND.split(console)
            for arguments, output in zip(pairs[::2], pairs[1::2], strict=True):
                assert suiteguard(arguments, folder) == output
                commands += 1
    assert commands == 6
