"""``suiteguard check``: look for tests that cannot be trusted."""

import argparse
import os
import sys

from guards.cli import CLEAN, FINDINGS, INCOMPLETE, USAGE

_EPILOG = """\
examples:
  suiteguard check
  suiteguard check --output text --output json=report.json
  suiteguard check --select thread-sleep,async-void Assets/Tests
  cat Player.cs | suiteguard check --stdin-filename Assets/Tests/Player.cs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders to check (default: the whole project)"
    )
    rules = parser.add_argument_group("rules and configuration")
    rules.add_argument("--config", metavar="FILE", help="use this configuration file, and no other")
    rules.add_argument(
        "--preset", action="append", metavar="NAME", help="use these presets instead of the configured ones"
    )
    rules.add_argument(
        "--select", action="append", metavar="RULES", help="only these rules: names, codes or globs, with commas"
    )
    rules.add_argument("--ignore", action="append", metavar="RULES", help="not these rules")
    output = parser.add_argument_group("output")
    output.add_argument(
        "--output",
        action="append",
        metavar="FORMAT[=FILE]",
        help="text, concise or json, to the terminal or a file; may be given several times (default: text)",
    )
    output.add_argument(
        "--statistics", action="store_true", help="print how often each rule was found instead of the findings"
    )
    output.add_argument("--exit-zero", action="store_true", help="exit 0 in spite of findings")
    run = parser.add_argument_group("how to run")
    run.add_argument("--stdin-filename", metavar="PATH", help="check standard input as if it stood in this file")
    run.add_argument("--jobs", type=_jobs, metavar="N", help="processes to use (default: one a core)")
    run.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    run.add_argument("--cache-dir", metavar="FOLDER", help="where the cache is (default: the user's cache folder)")


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Checks, reports, and says by the exit code how it went."""
    from guards.config.model import CommandLine, ConfigError
    from guards.engine.run import Request, check
    from guards.engine.store import Means
    from guards.project.discover import BadPath, find_root, resolve_paths
    from guards.reports import BadOutput, Outputs

    try:
        outputs = Outputs(args.output or ["text"], statistics=args.statistics)
        root = find_root(args.paths, args.stdin_filename)
        overlay = _standard_input(root, args.stdin_filename)
        request = Request(
            root,
            tuple(overlay) or resolve_paths(root, args.paths),
            CommandLine(args.config, _names(args.preset), _names(args.select), _names(args.ignore) or ()),
            overlay,
            Means(args.jobs or os.cpu_count() or 1, None, _cache_file(root, args), _progress()),
        )
        result = check(request)
        outputs.write(result, root, overlay)
    except (ConfigError, BadPath, BadOutput) as error:
        sys.stderr.write(f"suiteguard: {error}\n")
        return USAGE
    if any(finding.severity != NOTE for finding in result.findings) and not args.exit_zero:
        return FINDINGS
    return INCOMPLETE if result.skipped else CLEAN
