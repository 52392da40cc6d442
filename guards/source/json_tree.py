"""JSON with the place of every key and value, read without recursion.

Strict JSON: no comments, no trailing commas. What stands before an error is kept, since it
stands there all the same; where the error is, the caller is told.
"""

import re
from typing import NamedTuple

MOST_LEVELS = 200

_SPACE = re.compile(rb"[ \t\r\n]*+")
_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_SCALAR = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])|(?:true|false|null)\b")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Value(NamedTuple):
    """One value: its kind (object, array, string, number, word), its byte range and what it holds.

    ``text`` is a string's content or a scalar as written; ``members`` belong to objects,
    ``items`` to arrays.
    """

    kind: str
    start: int
    end: int
    text: str = ""
    members: tuple["Member", ...] = ()
    items: tuple["Value", ...] = ()

    def get(self, key: str) -> "Value | None":
        """The value of a key; of several the last, which is the one that readers take."""
        return next((member.value for member in reversed(self.members) if member.key == key), None)

    def strings(self, key: str) -> tuple["Value", ...]:
        """The strings in the array of a key."""
        array = self.get(key)
        return tuple(item for item in array.items if item.kind == "string") if array else ()


class Member(NamedTuple):
    """One key with its byte range, and its value."""

    key: str
    start: int
    end: int
    value: Value


class Document(NamedTuple):
    """A parsed document; ``root`` is None where there is no value at all, ``error`` the offset of the first error."""

    root: Value | None
    error: int | None = None


def parse_json(data: bytes) -> Document:
    """Parses UTF-8 text; deeper nesting than ``MOST_LEVELS`` is an error at that place."""
    return _Reader(data).read()


class _Open:
    """An object or array that has not ended yet; ``key`` is one that waits for its value."""

    def __init__(self, start: int, *, is_object: bool) -> None:
        self.start = start
        self.is_object = is_object
        self.closer = b"}" if is_object else b"]"
        self.key: tuple[str, int, int] | None = None
        self.members: list[Member] = []
        self.items: list[Value] = []

    def add(self, value: Value) -> None:
        if self.key is not None:
            self.members.append(Member(*self.key, value))
            self.key = None
        elif not self.is_object:
            self.items.append(value)

    def value(self, end: int) -> Value:
        kind = "object" if self.is_object else "array"
        return Value(kind, self.start, end, members=tuple(self.members), items=tuple(self.items))


# What may come next: a first entry or the end of its container, an entry, or what follows an entry.
_FIRST, _ENTRY, _AFTER = "first", "entry", "after"


class _Reader:
    """One pass over one document."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._due = _ENTRY
        self._open: list[_Open] = []
        self._root: Value | None = None

    def read(self) -> Document:
        while self._root is None:
            if not self._step():
                error = self._at
                while self._open:
                    self._close()
                return Document(self._root, error)
        return Document(self._root, None if self._next() == b"" else self._at)

    def _step(self) -> bool:
        """Reads a key, a scalar or a sign; whether it was one that may stand here."""
        character = self._next()
        container = self._open[-1] if self._open else None
        if container is not None and character == container.closer and self._due != _ENTRY and container.key is None:
            self._at += 1
            self._close()
            return True
        if self._due == _AFTER:
            self._due = _ENTRY
            self._at += character == b","
            return character == b","
        if container is not None and container.is_object and container.key is None:
            self._due = _ENTRY
            return self._key(container)
        if character in {b"{", b"["}:
            if len(self._open) >= MOST_LEVELS:
                return False
            self._open.append(_Open(self._at, is_object=character == b"{"))
            self._at += 1
            self._due = _FIRST
            return True
        return self._scalar()

    def _next(self) -> bytes:
        """The next character that is no space, which stays to be read."""
        space = _SPACE.match(self._data, self._at)
        self._at = space.end() if space else self._at
        return self._data[self._at : self._at + 1]

    def _key(self, container: _Open) -> bool:
        match = _STRING.match(self._data, self._at)
        if match is None:
            return False
        self._at = match.end()
        if self._next() != b":":
            return False
        self._at += 1
        container.key = (_unescaped(match[0]), match.start(), match.end())
        return True

    def _scalar(self) -> bool:
        if match := _STRING.match(self._data, self._at):
            value = Value("string", match.start(), match.end(), _unescaped(match[0]))
        elif match := _SCALAR.match(self._data, self._at):
            kind = "word" if match[0].isalpha() else "number"
            value = Value(kind, match.start(), match.end(), match[0].decode())
        else:
            return False
        self._at = match.end()
        self._finish(value)
        return True

    def _close(self) -> None:
        self._finish(self._open.pop().value(self._at))

    def _finish(self, value: Value) -> None:
        self._due = _AFTER
        if self._open:
            self._open[-1].add(value)
        else:
            self._root = value


def _unescaped(literal: bytes) -> str:
    text = literal[1:-1].decode("utf-8", "replace")
    if "\\" not in text:
        return text
    text = _ESCAPE.sub(
        lambda escape: chr(int(escape[1], 16)) if escape[1] else _ESCAPED.get(escape[2], escape[2]), text
    )
    # Pairs of halves become one character; a half alone could not be written anywhere.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
