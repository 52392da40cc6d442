"""``suiteguard completion``: shell completion."""

import argparse
import sys
from collections.abc import Iterator

from guards.cli import CLEAN, build_parser, refuse

_SHELLS = ("bash", "fish", "powershell", "tcsh", "zsh")
_FILES = ("FILE", "PATH", "PATH:LINE")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("shell", choices=_SHELLS, help="the shell to complete in")


def run(args: argparse.Namespace) -> int:
    """Prints the completion script of a shell, to be loaded by its start-up file."""
    try:
        import shtab
    except ImportError:
        return refuse("completion needs one more package: pip install 'suiteguard[completion]'")
    from guards.engine.loader import catalogue
    from guards.reports import write

    parser = build_parser()
    names = catalogue().names()
    for action in _actions(parser):
        if action.metavar == "RULE":
            action.choices = names
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # how shtab is told
        elif action.metavar == "FOLDER":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    write(sys.stdout, shtab.complete(parser, args.shell) + "\n")
    return CLEAN


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of all commands."""
    for action in parser._actions:  # noqa: SLF001 argparse has no other way to look at a parser
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 likewise
            for command in action.choices.values():
                yield from _actions(command)
