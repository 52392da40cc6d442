"""Reports, one module a format: a run's result and its sources in, text out."""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple, TextIO

from guards.findings.result import RunResult
from guards.source.text import SourceText

Sources = Callable[[str], SourceText | None]

# Off a terminal nobody's window decides how a report looks.
FIXED_WIDTH = 100

_MODULES = {
    "text": "guards.reports.text",
    "concise": "guards.reports.concise",
    "json": "guards.reports.json_report",
    "statistics": "guards.reports.statistics",
}
FORMATS = ("concise", "json", "text")


class Style(NamedTuple):
    """How a report may look: with colour or without, and how wide."""

    colour: bool = False
    width: int = FIXED_WIDTH


Render = Callable[[RunResult, Sources, Style], str]


def renderer(name: str) -> Render:
    """The function that renders a format; only its own module is imported."""
    render: Render = import_module(_MODULES[name]).render
    return render


def terminal_style(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Style:
    """Colour on a terminal only, unless ``NO_COLOR`` or ``FORCE_COLOR`` say otherwise."""
    terminal = stream.isatty()
    colour = terminal and environment.get("TERM") != "dumb"
    if environment.get("FORCE_COLOR"):
        colour = True
    if environment.get("NO_COLOR"):
        colour = False
    try:
        width = os.get_terminal_size(stream.fileno()).columns if terminal else FIXED_WIDTH
    except OSError:
        width = FIXED_WIDTH
    return Style(colour, max(40, width))


def write(stream: TextIO, text: str) -> None:
    """Writes text to a stream that may not know all characters: those it cannot encode are escaped."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
