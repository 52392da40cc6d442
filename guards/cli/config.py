"""``suiteguard config``: what holds for a path, and why."""

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from guards.cli import CLEAN, refuse
from guards.cli.options import add_configuration, command_line, project_root

if TYPE_CHECKING:
    from guards.config.explain import Explanation, RuleExplanation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "path", nargs="?", default=os.curdir, metavar="PATH", help="a file or folder (default: this one)"
    )
    add_configuration(parser)
    parser.add_argument("--all", action="store_true", help="show the rules that are off, too")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of the configuration")


def run(args: argparse.Namespace) -> int:
    """Prints the governing file, then each rule with its severity and who decided that."""
    from guards.config.load import ConfigSet
    from guards.config.model import ConfigError
    from guards.engine.loader import catalogue
    from guards.reports import write
    from guards.reports.escape import visible

    if args.schema:
        return _print_schema()
    if not os.path.exists(args.path):
        return refuse(f"`{args.path}` does not exist")
    root = project_root(args.path)
    path = os.path.relpath(os.path.realpath(args.path), os.path.realpath(root)).replace(os.sep, "/")
    # A folder is governed as a file in it would be.
    asked = f"{path}/*".removeprefix("./") if os.path.isdir(args.path) else path
    try:
        configs = ConfigSet.load(root, catalogue(), command_line(args))
        explanation = configs.describe(asked)
    except ConfigError as error:
        return refuse(error)
    baseline = configs.baseline() if os.path.lexists(os.path.join(root, configs.baseline())) else "none"
    lines = _lines(explanation, path, baseline, show_all=args.all)
    write(sys.stdout, "".join(f"{visible(line)}\n" for line in lines))
    return CLEAN


def _print_schema() -> int:
    import json

    from guards.config.schema import schema
    from guards.engine.loader import catalogue
    from guards.reports import write

    write(sys.stdout, json.dumps(schema(catalogue()), indent=2, ensure_ascii=False) + "\n")
    return CLEAN


def _lines(explanation: "Explanation", path: str, baseline: str, *, show_all: bool) -> Iterator[str]:
    yield f"path:     {path}"
    yield f"governed: {explanation.config or 'by defaults; no configuration file was found'}"
    yield f"presets:  {', '.join(explanation.presets) or 'none'}"
    yield f"baseline: {baseline}"
    for place in explanation.overrides:
        yield f"override: {place}"
    if explanation.excluded:
        yield "excluded: this path is not checked"
    if explanation.owned:
        yield f"owned:    {', '.join(explanation.owned)}"
    shown = [rule for rule in explanation.rules if show_all or rule.severity != "off"]
    yield ""
    yield f"rules ({sum(rule.severity != 'off' for rule in explanation.rules)} of {len(explanation.rules)} are on):"
    width = max((len(rule.name) for rule in shown), default=0)
    for rule in shown:
        yield f"  {rule.name:{width}}  {rule.language:8}  {rule.severity:7}  {_origin(rule)}"
        for option in rule.options:
            yield f"  {'':{width}}  {option.name} = {option.value!r} ({option.origin})"


def _origin(rule: "RuleExplanation") -> str:
    if rule.severity == "off" or rule.severity_origin in {rule.origin, "default"}:
        return rule.origin
    return f"{rule.origin}; severity: {rule.severity_origin}"
