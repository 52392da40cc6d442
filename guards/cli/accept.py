"""``suiteguard accept``: does what a run left behind prove that it was a good one?"""

import argparse
import os
from typing import TYPE_CHECKING

from guards.cli import CLEAN, FINDINGS, INCOMPLETE, refuse
from guards.evidence.expectations import EXPECTED, PROFILES, TASK, BadExpectation, Expectations, expectations
from guards.evidence.taken import ASKED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guards.evidence.verdict import Verdict

_EPILOG = """\
examples:
  suiteguard accept TestResults.xml --expect min-tests=300
  suiteguard accept . --expect mode=EditMode --expect filter=Game.Tests
  suiteguard accept Library/UnityMCP/TestRuns --contract fault-lane --profile release
  suiteguard accept acceptance-record.json --preset unity-biome
  suiteguard accept results.json --output text --output markdown=summary.md

exit codes:
  0 accepted   1 rejected   2 wrong usage or configuration   3 incomplete evidence   130 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = _EPILOG
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a result file, a run's folder, a store or a project")
    what = parser.add_argument_group("what to judge by")
    what.add_argument("--contract", choices=ASKED, default="auto", help="what it is evidence of (default: auto)")
    what.add_argument("--profile", choices=PROFILES, default=TASK, help="release lets fewer warnings pass")
    what.add_argument(
        "--expect", action="append", default=[], metavar="KEY=VALUE", help=f"one of {', '.join(EXPECTED)}"
    )
    what.add_argument("--allow-skip", action="append", metavar="GLOB", help="tests that may be skipped")
    what.add_argument("--pair", nargs=2, metavar=("FAULT", "CANARY"), help="the requests of a fault run and its canary")
    what.add_argument(
        "--in-place", action="store_true", help="the files stand where the run left them: judge times, too"
    )
    what.add_argument("--config", metavar="FILE", help="use this configuration file, and no other")
    what.add_argument("--preset", action="append", metavar="NAMES", help="use these presets, not the configured ones")
    output = parser.add_argument_group("output")
    output.add_argument(
        "--output",
        action="append",
        metavar="FORMAT[=FILE]",
        help="text, json, junit, github or markdown, to the terminal or to a file; several times for several",
    )


def run(args: argparse.Namespace) -> int:
    """Judges each path, reports, and says by the exit code how it went."""
    from guards.cli.outputs import BadOutput, parse_outputs, write_outputs
    from guards.config.model import ConfigError
    from guards.evidence.taken import BadPath
    from guards.reports.verdicts import FORMATS, renderer

    try:
        outputs = parse_outputs(args.output, FORMATS)
        expected = _expected(args)
        verdicts = [_judged(path, args.contract, expected) for path in args.paths]
        write_outputs(outputs, lambda format_, style: renderer(format_)(verdicts, style))
    except (ConfigError, BadExpectation, BadPath, BadOutput) as error:
        return refuse(error)
    return _exit_code(verdicts)


def _judged(path: str, asked: str, expected: Expectations) -> "Verdict":
    from guards.evidence.contracts import judged
    from guards.evidence.taken import taken

    found = taken(path, asked)
    verdict = judged(found, expected)
    return verdict._replace(path=path, took_for=verdict.took_for or found.why)


def _expected(args: argparse.Namespace) -> Expectations:
    """What configuration and command line state, the latter over the former."""
    from guards.cli.options import names, project_root
    from guards.config.load import ConfigSet
    from guards.config.model import CommandLine
    from guards.engine.loader import catalogue
    from guards.evidence.lanes import lanes_of

    root = project_root(os.curdir)
    configs = ConfigSet.load(root, catalogue(), CommandLine(args.config, names(args.preset)))
    allow_skip = tuple(args.allow_skip) if args.allow_skip else None
    return expectations(configs.stated_acceptance(), args.expect, allow_skip)._replace(
        profile=args.profile,
        in_place=args.in_place,
        pair=tuple(args.pair) if args.pair else None,
        newest_source=_newest_source(root) if args.in_place else None,
        lanes=lanes_of(configs.presets()),
    )


def _newest_source(root: str) -> tuple[str, int] | None:
    """The source file of the project that was changed last, and when."""
    from guards.project.files import ProjectFiles
    from guards.project.kinds import PROJECT, language_of

    files = ProjectFiles(root)
    changed = (
        (stamp.mtime_ns, path)
        for path in files.listing()
        if language_of(path) != PROJECT and (stamp := files.stamp(path)) is not None
    )
    newest = max(changed, default=None)
    return (newest[1], newest[0]) if newest is not None else None


def _exit_code(verdicts: "Sequence[Verdict]") -> int:
    from guards.evidence.verdict import REJECTED, UNFINISHED

    found = {verdict.verdict for verdict in verdicts}
    if REJECTED in found:
        return FINDINGS
    return INCOMPLETE if UNFINISHED in found else CLEAN
