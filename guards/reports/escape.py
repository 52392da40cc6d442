"""Text from outside is hostile: names, messages and source lines may hold what a terminal or a CI server would obey.

The set of characters is written out, so that it is the same under every version of Python.
"""

import re
from collections.abc import Callable, Iterable

# What nobody sees or what turns the direction of writing, beside the controls of ASCII: those of C1, formatting
# characters, fillers, tags and lone surrogates. The joiners U+200C and U+200D stay: scripts and emoji need them.
UNSEEN = (
    "\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f\ud800-\udfff"
)
_HIDDEN = re.compile(f"[\x00-\x1f{UNSEEN}]")
_HIDDEN_IN_LINES = re.compile(f"[\x00-\x08\x0b-\x1f{UNSEEN}]")
_ALONE = re.compile("[\ud800-\udfff]")
# What servers that read a log take for a command: GitHub a line that begins with `::`, and like others, wherever it
# stands, what is in brackets behind `##`, `##vso` or `##teamcity`.
_COMMAND_LINE = re.compile(r"^([^\S\n]*):(?=:[^:])", re.MULTILINE)
_COMMAND = re.compile(r"(?<=#)#(?=(?:vso|teamcity)?\[)", re.IGNORECASE)
_LONGEST = 1000
_USUAL = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def visible(text: str) -> str:
    """The text on one line, with everything that a person would not see written as an escape."""
    return _HIDDEN.sub(_escaped, text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines, which keeps its line ends and tabs."""
    return _HIDDEN_IN_LINES.sub(_escaped, text)


def sentence(text: str) -> str:
    """A message, visible; of one that a hostile name made huge, the beginning."""
    return visible(text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ...")


def encodable(text: str) -> str:
    """The text with halves of surrogate pairs as escapes: what no encoding has, strict readers refuse."""
    return _ALONE.sub(_escaped, text)


def inert(report: str, escape: Callable[[str], str]) -> str:
    """A whole report in which no CI server finds a command.

    Args:
        report: its text, which is `visible` or encoded already.
        escape: how the format writes one ASCII character that it must not show as it is.
    """
    report = _COMMAND.sub(lambda match: escape(match[0]), report)
    return _COMMAND_LINE.sub(lambda match: f"{match[1]}{escape(':')}", report)


def joined(lines: Iterable[str]) -> str:
    """The lines of a report for people."""
    return inert("".join(f"{line}\n" for line in lines), lambda character: f"\\x{ord(character):02x}")


def _escaped(match: "re.Match[str]") -> str:
    character = match[0]
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is no UTF-8, as Python carries it
        number -= 0xDC00
    if number < 0x100:
        return _USUAL.get(character, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
