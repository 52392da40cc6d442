"""The tools that we are compared with, each in a virtual environment of its own, and how each is called.

Every tool is told to print one short line a finding, to keep no cache, and to leave the network
and the project's own configuration alone where it can.
"""

import subprocess
import sys
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from benchmarks.corpus import Corpus
from benchmarks.measure import Command

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent
COLD, WARM, ONE, FLOOR, BARE = "suiteguard, cold", "suiteguard, warm", "suiteguard, one file", "tree-sitter", "Python"
_INSTALL_SECONDS = 600
# Byte code is kept, as at any user's. Our own code is this checkout's, and nothing of the project is imported.
_BYTE_CODE = {"PYTHONDONTWRITEBYTECODE": ""}
_OURS = {**_BYTE_CODE, "PYTHONPATH": str(CHECKOUT)}
_PYTHON = (sys.executable, "-P", "-m")


class Tool(NamedTuple):
    """A tool from a package registry.

    The first of ``packages`` gives the version. In ``arguments``, ``{rules}`` is our rule file
    for the tool and the language.
    """

    name: str
    packages: tuple[str, ...]
    languages: tuple[str, ...]
    program: str
    arguments: tuple[str, ...]
    accepted: tuple[int, ...] = (0,)


TOOLS = (
    Tool(
        "ast-grep",
        ("ast-grep-cli",),
        ("csharp", "python"),
        "ast-grep",
        ("scan", "--rule", "{rules}", "--report-style", "short"),
    ),
    Tool(
        "semgrep",
        ("semgrep",),
        ("csharp", "python"),
        "semgrep",
        (
            *("scan", "--config", "{rules}", "--metrics=off", "--disable-version-check"),
            *("--oss-only", "--quiet", "--emacs", "--max-target-bytes=0"),
        ),
    ),
    Tool(
        "ruff",
        ("ruff",),
        ("python",),
        "ruff",
        ("check", "--isolated", "--no-cache", "--select", "PT", "--output-format", "concise", "--exit-zero"),
    ),
    Tool(
        "flake8",
        ("flake8", "flake8-pytest-style"),
        ("python",),
        "flake8",
        ("--isolated", "--select", "PT", "--exit-zero"),
    ),
    Tool("gdlint", ("gdtoolkit",), ("gdscript",), "gdlint", (), (0, 1)),
)
# What is missing from a comparison is named there, with the reason.
NOT_COMPARABLE = {
    "csharp": {
        "ruff": "reads Python alone",
        "flake8": "reads Python alone",
        "gdlint": "reads GDScript alone",
    },
    "gdscript": {
        "ast-grep": "has no GDScript grammar",
        "semgrep": "has no GDScript grammar",
        "ruff": "reads Python alone",
        "flake8": "reads Python alone",
    },
    "python": {"gdlint": "reads GDScript alone"},
}


class NotInstalled(Exception):
    """A tool that cannot be had here; ``str()`` is the reason."""


class Installed(NamedTuple):
    """A tool that is ready to run."""

    tool: Tool
    folder: Path
    version: str


def install(tool: Tool, scratch: Path) -> Installed:
    """The tool in an environment below ``scratch``, which is made at the first time.

    Raises:
        NotInstalled: with the last line of what the installation said.
    """
    folder = scratch / "tools" / tool.name
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        _say([sys.executable, "-m", "venv", "--clear", str(folder)])
        _say([str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", *tool.packages])
        ready.touch()
    ask = f"from importlib.metadata import version; print(*map(version, {tool.packages!r}), sep=', ')"
    return Installed(tool, folder, _say([str(python), "-c", ask]))


def _say(argv: list[str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 Python and pip
            argv, capture_output=True, text=True, errors="replace", timeout=_INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise NotInstalled(lines[-1])
    return done.stdout.strip()


def command_of(installed: Installed, corpus: Corpus) -> Command:
    """How a tool is called on the files of a corpus."""
    tool = installed.tool
    rules = str(HERE / "rules" / f"{tool.name}.{corpus.language}.yml")
    program = str(installed.folder / "bin" / tool.program)
    arguments = tuple(argument.replace("{rules}", rules) for argument in tool.arguments)
    environment = {**_BYTE_CODE, "SEMGREP_SETTINGS_FILE": str(installed.folder / "settings.yml")}
    return Command((program, *arguments), corpus.root, corpus.files, environment, tool.accepted)


def ours(corpus: Corpus, scratch: Path, preset: str) -> dict[str, Command]:
    """Suiteguard on the files of a corpus with an empty and with a full cache, and on the file of median size."""
    cache = scratch / "cache" / f"{corpus.project}-{corpus.language}"
    return {
        COLD: cold_check(corpus.root, corpus.files, scratch, preset),
        WARM: check(corpus.root, corpus.files, cache, preset),
        ONE: check(corpus.root, (corpus.typical(),), cache, preset),
    }


def check(root: str, files: tuple[str, ...], cache: Path, preset: str) -> Command:
    """``suiteguard check`` on files, or on the whole project where none are named."""
    options = ("--preset", preset, "--cache-dir", str(cache), "--output", "concise", "--exit-zero")
    # Exit code 3: something could not be read, which is said and costs nothing.
    return Command((*_PYTHON, "guards", "check", *options), root, files, _OURS, (0, 3))


def cold_check(root: str, files: tuple[str, ...], scratch: Path, preset: str) -> Command:
    """As ``check``, with an empty cache."""
    cache = scratch / "cache" / "cold"
    return check(root, files, cache, preset)._replace(before=partial(rmtree, cache, ignore_errors=True))


def floors(corpus: Corpus) -> dict[str, Command]:
    """What nobody can be quicker than: a raw parse of the same files, and Python that does nothing."""
    parse = (*_PYTHON, "benchmarks.floor", corpus.language)
    return {
        FLOOR: Command(parse, corpus.root, corpus.files, _OURS),
        BARE: Command((sys.executable, "-I", "-c", "pass"), corpus.root, environment=_BYTE_CODE),
    }
