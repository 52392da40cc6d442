"""What no file of the repository may hold, and what no module may do."""

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Written in pieces, so that this file holds none of them either.
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"))]
MACHINE_PATHS = [
    "/".join(("", *parts)) for parts in (("work", "main"), ("work", "shared"), ("root", "."), ("opt", "pypi"))
]
GRAMMARS = {"tree_sitter", "tree_sitter_c_sharp", "tree_sitter_gdscript", "tree_sitter_python"}
NETWORK = {"ftplib", "http", "imaplib", "requests", "smtplib", "socket", "ssl", "urllib", "urllib3", "xmlrpc"}
MODULES = sorted(path for folder in ("guards", "rules") for path in (ROOT / folder).rglob("*.py"))


def committed() -> Iterator[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607 git of the search path
    for name in filter(None, done.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            yield ROOT / name


def test_every_package_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for folder in ("guards", "rules")
        for path in (ROOT / folder).rglob("__init__.py")
    }
    found = {f"guards.{name}" if name.split(".")[0] == "rules" else name for name in found}
    assert set(project["tool"]["setuptools"]["packages"]) == found


@pytest.mark.parametrize("word", [*HOSTS, *MACHINE_PATHS])
def test_no_file_knows_a_package_registry_or_the_machine_it_was_written_on(word: str) -> None:
    assert [path for path in committed() if word.encode() in path.read_bytes()] == []


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_one_module_alone_imports_the_parser() -> None:
    importing = {path for path in MODULES if GRAMMARS & {name.partition(".")[0] for name in imports(path)}}
    assert importing == {ROOT / "guards" / "languages" / "syntax.py"}


def test_no_module_can_reach_the_network() -> None:
    importing = {path: NETWORK & {name.partition(".")[0] for name in imports(path)} for path in MODULES}
    assert {path: found for path, found in importing.items() if found} == {}


def test_nobody_is_shown_a_stack() -> None:
    assert [path for path in MODULES if "traceback" in imports(path)] == []


def test_no_test_file_has_the_name_of_another() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
