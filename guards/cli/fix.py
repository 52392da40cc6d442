"""``suiteguard check --fix``, ``--unsafe-fixes`` and ``--diff``: what becomes of findings that can be fixed."""

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guards.cli.outputs import Outputs
    from guards.engine.fixing import Fixed
    from guards.engine.run import Request
    from guards.findings.result import RunResult


def add_arguments(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """What the command takes."""
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes, and report what is left")
    parser.add_argument(
        "--unsafe-fixes", action="store_true", help="apply all fixes, those too that a person should look at"
    )
    parser.add_argument(
        "--diff", action="store_true", help="show what --fix or --unsafe-fixes would change, and write nothing"
    )


def is_wanted(args: argparse.Namespace) -> bool:
    """Whether any fix is to be made or shown."""
    return bool(args.fix or args.unsafe_fixes or args.diff)


def fix_and_report(args: argparse.Namespace, outputs: "Outputs", request: "Request") -> "RunResult":
    """Makes the fixes or shows them, reports, and gives the result that the exit code is of.

    Standard output is for the diff, or for the fixed text of what came from standard input; reports without a file
    go to standard error then. Beside a diff there is but the summary, unless a report is asked for.

    Raises:
        ConfigError: the configuration cannot be used; nothing was done.
        BadPaths: a path does not exist or lies outside of the project; nothing was done.
        BadOutput: a report cannot be written.
    """
    from guards.engine.fixing import fix, written

    fixed = fix(request, unsafe=args.unsafe_fixes)
    if args.diff:
        _show(fixed)
        fixes = fixed.left.fixes._replace(shown_only=True) if fixed.left.fixes else None
        result = fixed.found._replace(fixes=fixes)
        if args.output:
            outputs.write(result, request, sys.stderr)
        else:
            _summarise(result)
        return result
    if request.overlay:
        sys.stdout.buffer.write(_of_standard_input(fixed, request))
        sys.stdout.flush()
        outputs.write(fixed.left, request._replace(fixed={f.path: f.after for f in fixed.files}), sys.stderr)
        return fixed.left
    fixed = written(fixed, request)
    outputs.write(fixed.left, request)
    return fixed.left


def _show(fixed: "Fixed") -> None:
    from guards.reports import terminal_style, write
    from guards.reports.diff import render
    from guards.source.text import SourceText, decode

    def text(path: str, raw: bytes) -> SourceText:
        return decode(path, raw, python=path.endswith(".py"))

    changes = [(text(path, before), text(path, after)) for path, before, after in fixed.files]
    write(sys.stdout, render(changes, terminal_style(sys.stdout), terminal=sys.stdout.isatty()))


def _summarise(result: "RunResult") -> None:
    from guards.reports import terminal_style, write
    from guards.reports.escape import joined
    from guards.reports.summary import summary

    write(sys.stderr, joined(summary(result, terminal_style(sys.stderr))))


def _of_standard_input(fixed: "Fixed", request: "Request") -> bytes:
    [(path, given)] = request.overlay.items()
    return next((file.after for file in fixed.files if file.path == path), given)
