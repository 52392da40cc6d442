"""Loading without a file costs next to nothing: a list of what must not be imported."""

import subprocess
import sys
from pathlib import Path

import guards

SLOW = {"msgspec", "dataclasses", "difflib", "pathlib", "tomllib", "json", "inspect", "fnmatch"}
PROGRAM = """
import sys
sys.path.insert(0, {guards!r})
before = set(sys.modules)
from guards.config.load import ConfigSet
from guards.config.catalogue import Catalogue, RuleEntry
from guards.config.model import CommandLine
catalogue = Catalogue(
    (RuleEntry("a-rule", "SGC001", "csharp", "m", "C", "error", "s"),),
    {{"recommended": {{"rules": {{"a-rule": {{"severity": "note"}}}}}}}},
)
configs = ConfigSet.load({root!r}, catalogue, CommandLine(select=("a-rule",)))
assert configs.settings_for("x/y.cs").rules
print(*sorted(set(sys.modules) - before))
"""


def imported(root: Path) -> set[str]:
    program = PROGRAM.format(root=str(root), guards=str(Path(guards.__file__).parents[1]))
    run = subprocess.run([sys.executable, "-S", "-c", program], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_without_a_file_nothing_slow_is_imported(tmp_path: Path) -> None:
    assert imported(tmp_path) & SLOW == set()


def test_with_a_file_only_the_toml_reader_is(tmp_path: Path) -> None:
    (tmp_path / "suiteguard.toml").write_text("[[overrides]]\npaths = ['*']\nignore = ['a-rule']\n[rules.a-rule]\n")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "suiteguard.toml").write_text("")
    assert imported(tmp_path) & (SLOW - {"tomllib"}) == set()
