"""Options that several commands share, and what they mean."""

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from guards.config.model import CommandLine

if TYPE_CHECKING:
    from guards.engine.store import Means

# People wonder after about this long whether something hangs.
_PROGRESS_AFTER_SECONDS = 1.0
_PROGRESS_EVERY_SECONDS = 0.1


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
    return CommandLine(args.config, names(args.preset), names(args.select), names(args.ignore) or ())


def names(given: list[str] | None) -> tuple[str, ...] | None:
    """The words of an option that may be given several times, and with commas."""
    if given is None:
        return None
    return tuple(name.strip() for item in given for name in item.split(",") if name.strip())


def add_output(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """The option that says which reports go where."""
    parser.add_argument(
        "--output",
        action="append",
        metavar="FORMAT[=FILE]",
        help="text, concise, json, sarif, github, gitlab or junit, to the terminal or to a file; "
        "may be given several times (default: text)",
    )


def add_means(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """The options that say by what means to work."""
    parser.add_argument("--jobs", type=_count, metavar="N", help="processes to use (default: one a core)")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    parser.add_argument("--cache-dir", metavar="FOLDER", help="where the cache is (default: the user's cache folder)")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text)


def means(args: argparse.Namespace) -> "Means":
    """What the options say of the means."""
    from guards.engine.store import Means

    return Means(args.jobs or os.cpu_count() or 1, None, _progress(), not args.no_cache, args.cache_dir)


def _progress() -> Callable[[int, int], None]:
    """Shows how far long work is, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda _done, _of: None
    from time import monotonic

    began = shown = monotonic()

    def progress(done: int, of: int) -> None:
        nonlocal shown
        now = monotonic()
        if done == of and shown > began:
            sys.stderr.write("\r\x1b[K")
        elif now - began > _PROGRESS_AFTER_SECONDS and now - shown > _PROGRESS_EVERY_SECONDS:
            shown = now
            sys.stderr.write(f"\rreading {done} of {of} files\x1b[K")
        sys.stderr.flush()

    return progress
