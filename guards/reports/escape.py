"""Text from outside is hostile: names and messages may hold what a terminal would obey."""

import re

# Controls of C0 and C1, what turns the direction of writing, what is invisible, and lone surrogates.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """The text on one line, with everything that a person would not see written as an escape."""
    return _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
