"""``suiteguard explain``: what a rule means, why, and what to do instead."""

import argparse
import sys

from guards.cli import CLEAN, USAGE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("rule", metavar="RULE", help="the name or the code of a rule")


def run(args: argparse.Namespace) -> int:
    """Prints the page of a rule; on a terminal it is laid out, elsewhere it is Markdown."""
    from guards.engine.loader import catalogue
    from guards.engine.pages import rule_page
    from guards.reports import write

    rules = catalogue()
    entries = [entry for entry in rules.entries if args.rule in (entry.name, entry.code, *entry.aliases)]
    if not entries:
        sys.stderr.write(f"suiteguard: no rule is called `{args.rule}`{_suggestion(args.rule, rules.names())}\n")
        return USAGE
    text = rule_page(rules, rules.entries_for(entries[0].name))
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        write(sys.stdout, text)
    return CLEAN


def _suggestion(word: str, names: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, names, 1)
    return f"; did you mean `{close[0]}`?" if close else "; `suiteguard rules` lists all"
