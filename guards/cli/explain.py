"""``suiteguard explain``: what a rule means, why, and what to do instead."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from guards.cli import CLEAN, refuse
from guards.cli.options import project_root

if TYPE_CHECKING:
    from guards.config.catalogue import Catalogue, Forbid
    from guards.engine.pages import Pages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("rule", metavar="RULE", help="the name or the code of a rule")


def run(args: argparse.Namespace) -> int:
    """Prints the page of a rule: laid out on a terminal that has colours, else as Markdown."""
    from guards.config.model import ConfigError
    from guards.engine.loader import catalogue
    from guards.engine.pages import Pages
    from guards.reports import terminal_style, write
    from guards.reports.escape import visible_lines

    known = catalogue()
    name = next((e.name for e in known.entries if args.rule in (e.name, e.code, *e.aliases)), args.rule)
    try:
        pages = Pages(known)
        if name not in pages.names():
            pages = Pages(known, _own_rows(known))
    except ConfigError as error:
        return refuse(error)
    if name not in pages.names():
        return refuse(_refusal(args.rule, known, pages))
    text, style = visible_lines(pages.page(name)), terminal_style(sys.stdout)
    write(sys.stdout, _laid_out(text, style.width) if style.colour and _has_boxes(sys.stdout.encoding) else text)
    return CLEAN


def _own_rows(known: "Catalogue") -> "tuple[Forbid, ...]":
    """The rows of the project that we stand in.

    Raises:
        ConfigError: its configuration is wrong.
    """
    from guards.config.load import ConfigSet
    from guards.config.model import CommandLine

    root = project_root(os.curdir)
    here = os.path.relpath(os.path.realpath(os.curdir), os.path.realpath(root)).replace(os.sep, "/")
    return ConfigSet.load(root, known, CommandLine()).settings_for(f"{here}/*".removeprefix("./")).forbid


def _refusal(word: str, known: "Catalogue", pages: "Pages") -> str:
    from difflib import get_close_matches

    if any(character in word for character in "*?["):
        return f"`{word}` is a pattern; name one rule (`suiteguard rules` lists all)"
    words = {*pages.names(), *(other for entry in known.entries for other in (entry.code, *entry.aliases))}
    near = get_close_matches(word, sorted(words), n=1)
    return f"there is no rule `{word}`; {f'did you mean `{near[0]}`?' if near else '`suiteguard rules` lists all'}"


def _has_boxes(encoding: str | None) -> bool:
    """Whether the characters that the layout draws with can be written."""
    return (encoding or "").lower().replace("-", "") == "utf8"


def _laid_out(text: str, width: int) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    # A background of its own would be a black box on a light terminal.
    theme = Theme({"markdown.code": "bold cyan"})
    console = Console(
        file=StringIO(), force_terminal=True, color_system="standard", width=width, legacy_windows=False, theme=theme
    )
    with console.capture() as capture:
        console.print(Markdown(text, code_theme="ansi_dark", hyperlinks=False))
    return capture.get()
