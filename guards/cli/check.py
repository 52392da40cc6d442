"""``suiteguard check``: look for tests that cannot be trusted."""

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from guards.cli import CLEAN, FINDINGS, INCOMPLETE, refuse
from guards.cli.options import add_configuration, command_line, project_root

if TYPE_CHECKING:
    from guards.engine.run import Request

_EPILOG = """\
examples:
  suiteguard check
  suiteguard check --output text --output json=report.json
  suiteguard check --select thread-sleep,async-void Assets/Tests
  cat Player.cs | suiteguard check --stdin-filename Assets/Tests/Player.cs
"""
# People wonder after about this long whether something hangs.
_PROGRESS_AFTER_SECONDS = 1.0
_PROGRESS_EVERY_SECONDS = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = _EPILOG
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: the whole project)")
    add_configuration(parser.add_argument_group("rules and configuration"))
    output = parser.add_argument_group("output")
    output.add_argument(
        "--output",
        action="append",
        metavar="FORMAT[=FILE]",
        help="text, concise or json, to the terminal or to a file; may be given several times (default: text)",
    )
    output.add_argument("--statistics", action="store_true", help="count findings by rule instead of showing each")
    output.add_argument("--exit-zero", action="store_true", help="exit 0 in spite of findings")
    how = parser.add_argument_group("how to run")
    how.add_argument("--stdin-filename", metavar="PATH", help="check standard input as if it stood in this file")
    how.add_argument("--jobs", type=_count, metavar="N", help="processes to use (default: one a core)")
    how.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    how.add_argument("--cache-dir", metavar="FOLDER", help="where the cache is (default: the user's cache folder)")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Checks, reports, and says by the exit code how it went."""
    from guards.cli.outputs import BadOutput, Outputs
    from guards.config.model import ConfigError
    from guards.engine.run import BadPaths, check

    try:
        outputs = Outputs(args.output, statistics=args.statistics)
        request = _request(args)
        result = check(request)
        outputs.write(result, request)
    except (ConfigError, BadPaths, BadOutput) as error:
        return refuse(error)
    failing = any(finding.severity != "note" for finding in result.findings)
    if failing and not args.exit_zero:
        return FINDINGS
    return INCOMPLETE if result.skipped else CLEAN


def _request(args: argparse.Namespace) -> "Request":
    from guards.engine.run import BadPaths, Request
    from guards.engine.store import Means

    root = project_root(next(iter(args.paths), args.stdin_filename or os.curdir))
    overlay = {}
    if args.stdin_filename is not None:
        if args.paths:
            raise BadPaths(("--stdin-filename checks standard input alone: name no paths beside it",))
        path = os.path.relpath(os.path.abspath(args.stdin_filename), root).replace(os.sep, "/")
        overlay[path] = sys.stdin.buffer.read()
    means = Means(args.jobs or os.cpu_count() or 1, None, _progress(), not args.no_cache, args.cache_dir)
    return Request(root, tuple(args.paths), command_line(args), overlay, means)


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
