"""What literals of GDScript stand for."""

import re

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|\r?\n|.)", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
# A number that is longer is no argument that anybody means.
_NUMBER = re.compile(r"0x_*[0-9a-fA-F][0-9a-fA-F_]{0,40}|0b_*[01][01_]{0,80}|[0-9][0-9_]{0,40}")


def string_value(literal: str) -> str | None:
    """The text of a string literal of any kind: plain, ``&``, ``^``, raw, with one or three quotes."""
    text = literal.lstrip("&^")
    raw = text.startswith("r")
    text = text.removeprefix("r")
    for quotes in ('"""', "'''", '"', "'"):
        if text.startswith(quotes) and text.endswith(quotes) and len(text) >= 2 * len(quotes):
            inside = text[len(quotes) : len(text) - len(quotes)]
            return inside if raw or "\\" not in inside else _unescaped(inside)
    return None


def _unescaped(text: str) -> str | None:
    """The text without escapes; None for one that no character stands for, or half a pair of UTF-16."""
    result = _ESCAPE.sub(lambda found: _character(found[1]), text)
    return None if any("\ud800" <= character <= "\udfff" for character in result) else result


def _character(escape: str) -> str:
    if len(escape) > 1 and escape[0] in "uU":
        number = int(escape[1:], 16)
        return chr(number) if number <= 0x10FFFF else "\ud800"
    if escape.endswith("\n"):
        return ""
    return _PLAIN_ESCAPES.get(escape, escape)


def number_value(literal: str) -> str:
    """A number in one spelling: ``2_500`` and ``0x9c4`` are 2500."""
    if _NUMBER.fullmatch(literal) is None:
        return literal.replace("_", "")
    digits = literal.replace("_", "")
    if digits[1:2] in {"x", "b"}:
        return str(int(digits, 0))
    return digits.lstrip("0") or "0"
