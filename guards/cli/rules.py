"""``suiteguard rules``: all rules, and where they are on."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from guards.cli import CLEAN, refuse

if TYPE_CHECKING:
    from guards.reports import Style
    from guards.rule.page import ListedRule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--output", choices=("text", "json"), default="text", help="text (default) or json")


def run(args: argparse.Namespace) -> int:
    """Prints every rule, once for each of its languages."""
    from guards.config.model import ConfigError
    from guards.engine.loader import catalogue
    from guards.engine.pages import Pages
    from guards.reports import terminal_style, write

    try:
        rules = Pages(catalogue()).listed()
    except ConfigError as error:
        return refuse(error)
    if args.output == "json":
        write(sys.stdout, _json(rules))
    else:
        write(sys.stdout, "".join(f"{line}\n" for line in _lines(rules, terminal_style(sys.stdout))))
    return CLEAN


def _json(rules: "Sequence[ListedRule]") -> str:
    from guards.reports.json_report import dumps

    return dumps({
        "version": 1,
        "rules": [
            {
                "name": rule.name,
                "code": rule.code,
                "language": rule.language,
                "severity": rule.severity,
                "presets": dict(rule.presets),
                "summary": rule.summary,
            }
            for rule in rules
        ],
    })  # fmt: skip


def _lines(rules: "Sequence[ListedRule]", style: "Style") -> Iterator[str]:
    """Two lines a rule: where it is on, and what it finds."""
    from guards.rule.page import LANGUAGE_NAMES

    width = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        name = style.paint(rule.name, "strong") + " " * (width - len(rule.name))
        severity = style.paint(f"{rule.severity:7}", rule.severity)
        on = [preset if said == rule.severity else f"{preset} ({said})" for preset, said in rule.said.items()]
        yield f"{name}  {rule.code:6}  {LANGUAGE_NAMES[rule.language]:14}  {severity}  {', '.join(on) or 'no preset'}"
        yield f"    {rule.summary}"
    yield ""
    yield f"{len(rules)} rules. Behind each: severity, and the presets that turn it on (with another severity);"
    yield "presets that build on these turn it on, too. `suiteguard explain RULE` says more."
