"""Start-up time is a feature: what a run imports is a list, and each command has its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from e2e.program import ProjectWriter

# Modules that are slow to import, or bring many others.
HEAVY = {
    "ast", "asyncio", "concurrent.futures", "csv", "dataclasses", "difflib", "dis", "email", "hashlib", "html", "http",
    "importlib.metadata", "importlib.resources", "inspect", "ipaddress", "json", "logging", "multiprocessing", "pathlib",
    "pickle", "platform", "queue", "random", "shutil", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading",
    "tokenize", "tomllib", "traceback", "typing", "unittest", "urllib.parse", "urllib.request", "uuid", "xml", "zipfile",
}  # fmt: skip
# Of a grammar only the compiled part is loaded, which may make its package known.
GRAMMARS = {"tree_sitter_c_sharp", "tree_sitter_gdscript", "tree_sitter_python"}
PROGRAM = """
import sys
before = set(sys.modules)
from guards.cli import main
try:
    main({arguments!r})
except SystemExit:
    pass
print("\\n", *sorted(set(sys.modules) - before))
"""
CLEAN_PYTHON = "def test_sum() -> None:\n    assert sum([1, 2]) == 3\n"
CLEAN_CSHARP = "public class T { [NUnit.Framework.Test] public void A() { NUnit.Framework.Assert.Pass(); } }\n"
CLEAN_GDSCRIPT = "extends McpTestSuite\n\n\nfunc test_sum() -> void:\n\tassert_eq(1 + 2, 3)\n"


def imported(folder: Path, *arguments: str) -> set[str]:
    """What one run imports beyond what a bare Python has."""
    program = PROGRAM.format(arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def third_party(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules} - set(sys.stdlib_module_names) - {"guards"}


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_imports_nothing_that_is_slow(tmp_path: Path, word: str) -> None:
    modules = imported(tmp_path, word)
    assert third_party(modules) == set()
    assert modules & HEAVY == set()


@pytest.mark.parametrize("command", ["init", "check", "baseline", "rules", "explain", "config", "test", "cache"])
def test_the_help_of_a_command_does_not_load_what_the_command_needs(tmp_path: Path, command: str) -> None:
    modules = imported(tmp_path, command, "--help")
    assert third_party(modules) == set()
    assert not any(module.startswith(("guards.engine", "guards.languages", "guards.rules")) for module in modules)


@pytest.mark.parametrize(
    ("path", "text"),
    [("tests/test_a.py", CLEAN_PYTHON), ("Tests/T.cs", CLEAN_CSHARP), ("tests/test_a.gd", CLEAN_GDSCRIPT)],
)
@pytest.mark.parametrize("cache", [True, False], ids=["cache", "no-cache"])
def test_one_clean_file_needs_the_parser_and_little_else(
    project: ProjectWriter, tmp_path: Path, path: str, text: str, *, cache: bool
) -> None:
    folder = project({path: text, "project.godot": "config_version=5\n"})
    options = ("--cache-dir", str(tmp_path / "cache")) if cache else ("--no-cache",)
    modules = imported(folder, "check", *options, path)
    assert third_party(modules) - GRAMMARS == {"tree_sitter"}
    # Git lists the project's files, where other files have a say.
    assert modules & HEAVY <= {"subprocess", "threading", "typing"}
    assert not any(module.startswith("guards.rules.") and _is_of_other_language(module, path) for module in modules)


def _is_of_other_language(module: str, path: str) -> bool:
    own = {".py": "python", ".cs": "csharp", ".gd": "gdscript"}[Path(path).suffix]
    return any(f".{language}." in module for language in {"python", "csharp", "gdscript"} - {own})
