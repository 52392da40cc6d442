"""``suiteguard rules``: all rules, and where they are on."""

import argparse
import sys

from guards.cli import CLEAN


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--output", choices=("text", "json"), default="text", help="text (default) or json")


def run(args: argparse.Namespace) -> int:
    """Prints one row a rule and language."""
    import json

    from guards.engine.loader import catalogue
    from guards.engine.pages import presets_of
    from guards.reports import write

    rules = catalogue()
    presets = presets_of(rules)
    if args.output == "json":
        rows = [
            {
                "name": entry.name,
                "code": entry.code,
                "language": entry.language,
                "severity": entry.severity,
                "confidence": entry.confidence,
                "presets": dict(presets.get(entry.name, {})),
                "summary": entry.summary,
            }
            for entry in rules.entries
        ]
        write(sys.stdout, json.dumps({"version": 1, "rules": rows}, indent=2) + "\n")
        return CLEAN
    width = max(len(entry.name) for entry in rules.entries)
    for entry in rules.entries:
        on = ", ".join(presets.get(entry.name, {})) or "nowhere by default"
        write(sys.stdout, f"{entry.code}  {entry.name:{width}}  {entry.language:8}  {entry.severity:7}  {on}\n")
        write(sys.stdout, f"        {entry.summary}\n")
    return CLEAN
