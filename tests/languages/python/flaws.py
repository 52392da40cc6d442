"""Small Python projects, and the lines in them that a rule must report: those that end with ``# FLAW``."""

from collections.abc import Mapping
from pathlib import Path

from guards.config.model import CommandLine
from guards.engine.run import Request, check

USUAL = "tests/app/test_camera.py"
Places = set[tuple[str, int]]


def expected(files: Mapping[str, str]) -> Places:
    """The marked lines."""
    lines = ((path, number, line) for path, text in files.items() for number, line in enumerate(text.split("\n"), 1))
    return {(path, number) for path, number, line in lines if line.rstrip().endswith("# FLAW")}


def reported(folder: Path, rule: str, files: Mapping[str, str], options: str = "") -> Places:
    """The lines that a rule reports when the files lie in a folder."""
    configuration = f'presets = ["resonite-io"]\n[rules."{rule}"]\n{options}\n'
    for path, text in {**files, "suiteguard.toml": configuration}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    result = check(Request(str(folder), command_line=CommandLine(select=(rule,))))
    assert result.skipped == ()
    return {(finding.place.path, finding.place.line) for finding in result.findings}
