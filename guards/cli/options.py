"""Options that several commands share, and what they mean."""

import argparse
import os

from guards.config.model import CommandLine


def project_root(path: str) -> str:
    """The project that a file or folder belongs to.

    That is the repository it lies in; without one the nearest folder with a configuration; without
    either the current folder, or the folder named where it lies elsewhere.
    """
    from guards.project.discover import find_root

    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path)))
    root = find_root(folder, _is_configured)
    here = os.path.abspath(os.curdir)
    unmarked = root == folder and not os.path.lexists(os.path.join(root, ".git")) and not _is_configured(root)
    return here if unmarked and folder.startswith(os.path.join(here, "")) else root


def _is_configured(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name)) for name in ("suiteguard.toml", "pyproject.toml"))


def add_configuration(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """The options that say which configuration holds."""
    parser.add_argument("--config", metavar="FILE", help="use this configuration file, and no other")
    parser.add_argument("--preset", action="append", metavar="NAMES", help="use these presets, not the configured ones")
    parser.add_argument("--select", action="append", metavar="RULES", help="only these rules: names, codes or globs")
    parser.add_argument("--ignore", action="append", metavar="RULES", help="not these rules")


def command_line(args: argparse.Namespace) -> CommandLine:
    """What these options say; each may be given several times, and with commas."""
    return CommandLine(args.config, _names(args.preset), _names(args.select), _names(args.ignore) or ())


def _names(given: list[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    return tuple(name.strip() for item in given for name in item.split(",") if name.strip())
