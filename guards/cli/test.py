"""``suiteguard test``: run the examples of rules, and case files."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from guards.cli import CLEAN, FINDINGS, refuse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.engine.cases import Case, Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="CASES.jsonl | RULE_FOLDER",
        help="case files, and folders of rules whose examples to run (default: the examples of all rules)",
    )
    parser.add_argument(
        "--disputed",
        metavar="FILE",
        help="a TOML file with a table for each case that is known to be wrong "
        "(default: disputed.toml beside each case file)",
    )


def run(args: argparse.Namespace) -> int:
    """Prints each case that failed, then the counts; fails only when a built rule failed an undisputed case."""
    from guards.engine.cases import DISPUTED, FAILED, NO_RULE, PASSED, BadCases, run_cases
    from guards.reports import write
    from guards.reports.escape import visible_lines

    counts = dict.fromkeys((PASSED, FAILED, NO_RULE, DISPUTED), 0)
    try:
        for cases, disputed in [_source(source, args.disputed) for source in args.sources or [None]]:
            for outcome in run_cases(cases, disputed):
                counts[outcome.result] += 1
                if outcome.result in (FAILED, DISPUTED):
                    write(sys.stdout, visible_lines(_describe(outcome)))
    except BadCases as error:
        return refuse(error)
    sys.stdout.write(f"{counts[FAILED]} failed, {counts[NO_RULE]} without a rule yet, {counts[DISPUTED]} disputed\n")
    sys.stdout.write(f"passed {counts[PASSED]} of {sum(counts.values())}\n")
    return FINDINGS if counts[FAILED] else CLEAN


def _source(source: str | None, disputed_file: str | None) -> "tuple[Iterable[Case], frozenset[str]]":
    """The cases of a case file or of a folder of rules, and the ids that are disputed."""
    from guards.engine.cases import built_in_examples, read_cases, read_disputed

    if source is None or os.path.isdir(source):
        return built_in_examples(source), frozenset()
    beside = os.path.join(os.path.dirname(source), "disputed.toml")
    return read_cases(source), read_disputed(disputed_file or (beside if os.path.exists(beside) else None))


def _describe(outcome: "Outcome") -> str:
    case = outcome.case
    lines = [f"{outcome.result.upper()} {case.id} ({case.rule}): {case.why}"]
    lines.extend(f"  missing    {path}:{line}" for path, line in sorted(case.expect - outcome.found))
    lines.extend(f"  unexpected {path}:{line}" for path, line in sorted(outcome.found - case.expect))
    if outcome.problem:
        lines.append(f"  {outcome.problem}")
    return "\n".join(lines) + "\n"
