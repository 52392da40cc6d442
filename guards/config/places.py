"""On which line of a TOML document a key stands; ``tomllib`` does not tell."""

import re
from collections.abc import Mapping
from contextlib import suppress

from guards.config.layer import Key

_SKIP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
# No key of ours is as long; without a limit, hostile keys would take quadratic space.
_DEEPEST = 64
_BLANK = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""(?:"{1,2})?'
    r"|'''(?:[^']|'(?!''))*'''(?:'{1,2})?"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


def key_lines(text: str) -> Mapping[Key, int]:
    """The line of each key and list item of a document that ``tomllib`` accepts.

    A table that several headers or dotted keys speak of stands where it is first spoken of. What
    stands behind lists nested to the interpreter's limit is not found.
    """
    scanner = _Scanner(text)
    with suppress(RecursionError):
        scanner.document()
    return scanner.lines


class _Scanner:
    """One pass over the text, without a tree: only the way to each key is kept."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n")
        self._at = 0
        self._line, self._counted = 1, 0
        self.lines: dict[Key, int] = {}
        self._tables: dict[Key, int] = {}

    def document(self) -> None:
        """Reads the whole document."""
        header: Key = ()
        while self._skip(_SKIP) < len(self._text):
            if self._text.startswith("[[", self._at):
                header = self._header(2)
            elif self._text[self._at] == "[":
                header = self._header(1)
            else:
                self._pair(header)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        if match := pattern.match(self._text, self._at):
            self._at = match.end()
        return self._at

    def _here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _header(self, brackets: int) -> Key:
        self._at += brackets
        line = self._here()
        *parents, last = self._dotted() or [""]
        self._at += brackets
        key = self._through_arrays(parents, line)
        if brackets == 1:
            return self._seen((*key, last), line)
        array = self._seen((*key, last), line)
        number = self._tables[array] = self._tables.get(array, -1) + 1
        return self._seen((*array, number), line)

    def _through_arrays(self, parents: list[str], line: int) -> Key:
        """The way to a header's parent: an array of tables on it means its last table."""
        key: Key = ()
        for part in parents:
            key = self._seen((*key, part), line)
            if key in self._tables:
                key = (*key, self._tables[key])
        return key

    def _seen(self, key: Key, line: int) -> Key:
        key = key[:_DEEPEST]
        self.lines.setdefault(key, line)
        return key

    def _pair(self, table: Key) -> None:
        line = self._here()
        key = table
        for part in self._dotted():
            key = self._seen((*key, part), line)
        self._at += 1
        self._skip(_BLANK)
        self._value(key)

    def _dotted(self) -> list[str]:
        """The parts of a key; the scanner stands behind it and the space after it."""
        parts: list[str] = []
        while True:
            self._skip(_BLANK)
            match = _STRING.match(self._text, self._at) or _BARE.match(self._text, self._at)
            if match is None:
                return parts
            self._at = match.end()
            parts.append(_unquoted(match[0]))
            self._skip(_BLANK)
            if not self._text.startswith(".", self._at):
                return parts
            self._at += 1

    def _value(self, key: Key) -> None:
        """Reads over a value; what stands in lists and inline tables is noted."""
        start = self._text[self._at : self._at + 1]
        if start == "[":
            self._list(key)
        elif start == "{":
            self._inline(key)
        else:
            self._skip(_STRING if start in {'"', "'"} else _SCALAR)

    def _list(self, key: Key) -> None:
        self._at += 1
        number = 0
        while self._skip(_SKIP) < len(self._text) and self._text[self._at] != "]":
            self._seen((*key, number), self._here())
            start = self._at
            self._value((*key, number))
            # A later TOML may allow what this scanner does not know: it must end all the same.
            self._at = max(self._at, start + 1)
            self._skip(_SKIP)
            self._at += self._text.startswith(",", self._at)
            number += 1
        self._at += 1

    def _inline(self, key: Key) -> None:
        self._at += 1
        while self._skip(_SKIP) < len(self._text) and self._text[self._at] != "}":
            self._pair(key)
            self._skip(_SKIP)
            self._at += self._text.startswith(",", self._at)
        self._at += 1


def _unquoted(word: str) -> str:
    if word[0] == '"':
        return _unescaped(word[1:-1])
    return word.strip("'")


_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        word = match[1]
        return _ESCAPES[word] if word in _ESCAPES else chr(int(word[1:], 16))

    return re.sub(r'\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[btnfr"\\])', one, text)
