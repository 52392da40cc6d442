"""``suiteguard check``: look for tests that cannot be trusted."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from guards.cli import CLEAN, FINDINGS, INCOMPLETE, fix, refuse
from guards.cli.options import add_configuration, add_means, add_output, command_line, means, project_root

if TYPE_CHECKING:
    from guards.engine.run import Request
    from guards.findings.result import RunResult

_EPILOG = """\
examples:
  suiteguard check
  suiteguard check --output text --output json=report.json
  suiteguard check --select thread-sleep,async-void Assets/Tests
  suiteguard check --changed-since main
  suiteguard check --diff --unsafe-fixes
  cat Player.cs | suiteguard check --stdin-filename Assets/Tests/Player.cs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = _EPILOG
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: the whole project)")
    parser.add_argument(
        "--explain-silence",
        metavar="PATH:LINE",
        help="say of a line why it is no finding, rule by rule, and report nothing else",
    )
    parser.add_argument(
        "--changed-since",
        metavar="REF",
        help="only what is new since the work here left the history of REF, as `main` or `HEAD`",
    )
    add_configuration(parser.add_argument_group("rules and configuration"))
    output = parser.add_argument_group("output")
    add_output(output)
    output.add_argument("--statistics", action="store_true", help="count findings by rule instead of showing each")
    output.add_argument("--exit-zero", action="store_true", help="exit 0 in spite of findings")
    fix.add_arguments(parser.add_argument_group("fixes"))
    how = parser.add_argument_group("how to run")
    how.add_argument("--stdin-filename", metavar="PATH", help="check standard input as if it stood in this file")
    add_means(how)


def run(args: argparse.Namespace) -> int:
    """Checks, reports, and says by the exit code how it went."""
    from guards.cli.outputs import BadOutput, Outputs
    from guards.config.model import ConfigError
    from guards.engine.garbage import look_rarely
    from guards.engine.run import BadPaths, check
    from guards.project.git import GitFailed

    if args.changed_since is not None and fix.is_wanted(args):
        return refuse("--changed-since shows what is new, and fixes do not tell new from old: use one of both")
    look_rarely()
    try:
        outputs = Outputs(args.output, statistics=args.statistics)
        request = _request(args)
        if args.explain_silence is not None:
            return _explain_silence(args.explain_silence, args)
        if fix.is_wanted(args):
            result = fix.fix_and_report(args, outputs, request)
        else:
            result = check(request) if args.changed_since is None else _check_since(args.changed_since, request)
            outputs.write(result, request)
    except (ConfigError, BadPaths, BadOutput) as error:
        return refuse(error)
    except GitFailed as error:
        return refuse(f"--changed-since: {error}")
    return exit_code(result, forgive=args.exit_zero)


def _explain_silence(where: str, args: argparse.Namespace) -> int:
    """Prints what there is to say of a line; it fails only where there is no such line."""
    from guards.engine.run import BadPaths, Request
    from guards.engine.silence import explain_silence
    from guards.reports import write
    from guards.reports.escape import visible

    path, _, line = where.rpartition(":")
    if not path or not line.isdecimal() or int(line) < 1:
        raise BadPaths((f"`{where}` is no PATH:LINE, as in `tests/test_a.py:12`",))
    request = Request(project_root(path), command_line=command_line(args), means=means(args))
    silence = explain_silence(request, path, int(line))
    lines = [f"{silence.path}:{silence.line}", *(f"  {said}" for said in silence.file)]
    for said, rules in silence.rules:
        lines += [f"  {said}", f"    {', '.join(rules)}"]
    write(sys.stdout, "".join(f"{visible(text)}\n" for text in lines))
    return CLEAN


def _check_since(reference: str, request: "Request") -> "RunResult":
    from guards.engine.since import check_since
    from guards.project.changes import commit_named

    return check_since(request, commit_named(request.root, reference))


def exit_code(result: "RunResult", *, forgive: bool = False) -> int:
    """How a run went; ``forgive`` lets findings pass, but not what could not be read."""
    if not forgive and any(finding.severity != "note" for finding in result.findings):
        return FINDINGS
    return INCOMPLETE if result.skipped else CLEAN


def _request(args: argparse.Namespace) -> "Request":
    from guards.engine.run import BadPaths, Request

    root = project_root(next(iter(args.paths), args.stdin_filename or os.curdir))
    overlay = {}
    if args.stdin_filename is not None:
        if args.paths:
            raise BadPaths(("--stdin-filename checks standard input alone: name no paths beside it",))
        path = os.path.relpath(os.path.abspath(args.stdin_filename), root).replace(os.sep, "/")
        overlay[path] = sys.stdin.buffer.read()
    return Request(root, tuple(args.paths), command_line(args), overlay, means(args))
