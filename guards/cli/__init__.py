"""The command line: arguments in, exit code out."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from guards import __version__

CLEAN, FINDINGS, USAGE, INCOMPLETE, INTERRUPTED = 0, 1, 2, 3, 130

_COMMANDS = {
    "init": "a first configuration for a project",
    "check": "look for tests that cannot be trusted",
    "accept": "does what a run left behind prove that it was a good one?",
    "explain": "what a rule means, why, and what to do instead",
    "rules": "all rules, and where they are on",
    "config": "what holds for a path, and why",
    "baseline": "findings that are held back until somebody mends them",
    "hook": "what pre-commit calls: only what a commit brings",
    "test": "run the examples of rules, and case files",
    "cache": "where the cache is, and how to clear it",
    "completion": "shell completion",
}

_DESCRIPTION = (
    "Can this green test suite be trusted? Finds tests in C#, GDScript and Python that prove nothing, hang or lie."
)
_EPILOG = """\
start here:
  suiteguard check              check the project you stand in
  suiteguard check tests/       only what lies below tests/
  suiteguard explain RULE       what a finding means and what to write instead

exit codes:
  0 clean   1 findings   2 wrong usage or configuration   3 something could not be read   130 interrupted

Configuration is suiteguard.toml or [tool.suiteguard] in pyproject.toml. Nothing of the checked project is executed,
and there is no network access and no telemetry.
"""


def formatter(prog: str) -> argparse.HelpFormatter:
    """Help as wide as the terminal; asking here spares the import of ``shutil``, a third of the time of ``--help``."""
    try:
        width = os.get_terminal_size().columns
    except OSError:
        width = 100
    return argparse.RawDescriptionHelpFormatter(prog, width=max(40, min(width, 120) - 2))


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands, for completion; ``main`` builds only what it needs."""
    return _parser(tuple(_COMMANDS))


def _parser(full: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="suiteguard",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=formatter,
    )
    parser.add_argument("--version", action="version", version=f"suiteguard {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, summary in _COMMANDS.items():
        described = f"{summary[0].upper()}{summary[1:]}."
        command = commands.add_parser(name, help=summary, description=described, formatter_class=formatter)
        if name in full:
            add_arguments: Callable[[argparse.ArgumentParser], None] = import_module(f"guards.cli.{name}").add_arguments
            add_arguments(command)
    return parser


def refuse(problem: object) -> int:
    """Says on standard error what is wrong; names in it may hold what a terminal would obey, and are escaped."""
    from guards.reports.escape import visible_lines

    sys.stderr.write(f"suiteguard: {visible_lines(str(problem))}\n")
    return USAGE


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        arguments: as on the command line, without the program's name.

    Returns:
        The exit code: 0 clean, 1 findings, 2 usage, 3 incomplete, 130 interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser([word for word in given if word in _COMMANDS][:1])
    parsed = parser.parse_args(given)
    if parsed.command is None:
        parser.print_help()
        return USAGE
    run: Callable[[argparse.Namespace], int] = import_module(f"guards.cli.{parsed.command}").run
    try:
        return run(parsed)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was written\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone (``| head``): that is no error of ours.
        sys.stderr.close()
        return CLEAN
