"""``suiteguard completion``: shell completion."""

import argparse
import sys

from guards.cli import CLEAN, USAGE, build_parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell to complete in")


def run(args: argparse.Namespace) -> int:
    """Prints the completion script of a shell, to be loaded by its start-up file."""
    try:
        import shtab
    except ImportError:
        sys.stderr.write("suiteguard: completion needs a package: pip install 'suiteguard[completion]'\n")
        return USAGE
    sys.stdout.write(shtab.complete(build_parser(), args.shell) + "\n")
    return CLEAN
