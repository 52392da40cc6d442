"""What every report is given, and how it may look."""

import os
from collections.abc import Callable
from typing import NamedTuple, TextIO, TypeAlias

from guards.findings.result import RunResult
from guards.source.text import SourceText

# Wide enough for a line of code that keeps to the usual limits.
_FIXED_WIDTH = 120
_NARROWEST = 40
_LOOKS = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "strong": "1",
    "frame": "94",
    "removed": "31",
    "added": "32",
}


class Style(NamedTuple):
    """How text may look: the columns it has, and whether it may be coloured.

    The default is that of files and pipes, which depends on nothing.
    """

    width: int = _FIXED_WIDTH
    colour: bool = False

    def paint(self, text: str, look: str) -> str:
        """The text in a look: a severity, ``strong``, ``frame``, ``removed`` or ``added``."""
        return f"\x1b[{_LOOKS[look]}m{text}\x1b[0m" if self.colour and text else text


# The decoded text of a file of the project, or None where it cannot be read any more.
Sources: TypeAlias = Callable[[str], SourceText | None]
Render: TypeAlias = Callable[[RunResult, Sources, Style], str]


def terminal_style(stream: TextIO) -> Style:
    """The style for a stream: that of its terminal, or the fixed one where it is none.

    ``NO_COLOR`` and ``FORCE_COLOR`` are obeyed, the former first.
    """
    terminal = stream.isatty()
    colour = bool(os.environ.get("FORCE_COLOR")) or (terminal and _knows_colours())
    if os.environ.get("NO_COLOR"):
        colour = False
    if not terminal:
        return Style(colour=colour)
    from shutil import get_terminal_size

    return Style(max(_NARROWEST, get_terminal_size((_FIXED_WIDTH, 24)).columns), colour)


def _knows_colours() -> bool:
    if os.environ.get("TERM") == "dumb":
        return False
    # The old console of Windows prints the codes; these are set by those that know better.
    return os.name != "nt" or any(os.environ.get(name) for name in ("WT_SESSION", "TERM", "TERM_PROGRAM", "ConEmuANSI"))
