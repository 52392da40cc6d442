"""``python -m benchmarks``: compare with other tools, grow synthetic projects, weigh facts."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.table import Json, environment

_DESCRIPTION = "How fast Suiteguard is. Without a command, compares it with other tools on the files of projects."


def main(arguments: list[str]) -> int:
    """Runs one command; the default one is ``compare``."""
    if not arguments or (
        arguments[0] not in {"compare", "grow", "facts", "evidence"} and arguments[0] not in {"-h", "--help"}
    ):
        arguments = ["compare", *arguments]
    args = _parser().parse_args(arguments)
    markdown, data = {"compare": _compare, "grow": _grow, "facts": _facts, "evidence": _evidence}[args.command](args)
    about = environment()
    print(f"{about['cores']} cores, {about['python']}, {about['system']}; preset `{args.preset}`.\n\n{markdown}")
    if args.json:
        args.json.write_text(json.dumps({"environment": about, **data}, indent=1) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=_DESCRIPTION)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    scratch = Path(tempfile.gettempdir()) / "suiteguard-benchmarks"
    for name, summary in (
        ("compare", "beside other tools, on the same files"),
        ("grow", "on generated projects of several sizes"),
        ("facts", "memory for what is remembered of each file, and the share of the join"),
        ("evidence", "durable runs of many leaves, beside their mere decoding"),
    ):
        command = commands.add_parser(name, help=summary)
        command.add_argument("--preset", default="strict", help="the rules that are on (default: all of them)")
        command.add_argument("--json", type=Path, metavar="FILE", help="write what was measured here, too")
        command.add_argument("--scratch", type=Path, default=scratch, help="for environments, caches and projects")
        if name == "grow":
            command.add_argument("--sizes", type=_sizes, default=(250, 500, 1000, 2500), metavar="N,N")
            command.add_argument("--runs", type=int, default=3)
        elif name == "evidence":
            command.add_argument("--sizes", type=_sizes, default=(1000, 100_000), metavar="N,N")
            command.add_argument("--runs", type=int, default=3)
        else:
            command.add_argument("paths", nargs="+", metavar="PATH", help="folders of projects")
            command.add_argument("--languages", type=_names, default=(), metavar="NAME,NAME")
        if name == "compare":
            command.add_argument("--runs", type=int, default=5)
            command.add_argument("--tools", type=_names, default=(), metavar="NAME,NAME", help="beside ours")
            command.add_argument("--tests-only", action="store_true", help="hand over no product code")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(size) for size in text.split(",")))


def _compare(args: argparse.Namespace) -> tuple[str, dict[str, Json]]:
    from benchmarks.compare import compare
    from benchmarks.corpus import corpora
    from benchmarks.table import comparison_json, comparison_markdown

    comparisons = [
        compare(corpus, args.scratch, args.preset, args.runs, args.tools)
        for path in args.paths
        for corpus in corpora(path, args.preset, tests_only=args.tests_only)
        if not args.languages or corpus.language in args.languages
    ]
    return "\n".join(map(comparison_markdown, comparisons)), {"comparisons": list(map(comparison_json, comparisons))}


def _grow(args: argparse.Namespace) -> tuple[str, dict[str, Json]]:
    from benchmarks.grow import grow

    return grow(args.sizes, args.runs, args.scratch, args.preset)


def _facts(args: argparse.Namespace) -> tuple[str, dict[str, Json]]:
    from benchmarks.facts import weigh

    return weigh(args.paths, args.languages, args.preset)


def _evidence(args: argparse.Namespace) -> tuple[str, dict[str, Json]]:
    from benchmarks.evidence import judge_large_runs

    return judge_large_runs(args.sizes, args.runs, args.scratch)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
