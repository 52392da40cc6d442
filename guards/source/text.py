"""Decoded source text, and the way from byte offsets to lines and columns."""

import re
from bisect import bisect_right
from itertools import accumulate

from guards.source.place import Place

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# PEP 263: the declaration stands in the first two lines, the first being blank or a comment.
_CODING = re.compile(rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")


class Unreadable(Exception):
    """The bytes are no text that a person would call source; ``str()`` is the reason."""


class SourceText:
    """The text of one file.

    ``data`` is the text as UTF-8 without a byte-order mark, whatever the file's own
    encoding was: parsers see these bytes, and every offset in the program counts them.
    ``note`` says how the text was decoded where that was a guess.
    """

    __slots__ = ("_starts", "data", "encoding", "has_bom", "note", "path")

    def __init__(
        self, path: str, data: bytes, encoding: str = "utf-8", *, has_bom: bool = False, note: str = ""
    ) -> None:
        self.path = path
        self.data = data
        self.encoding = encoding
        self.has_bom = has_bom
        self.note = note
        self._starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first byte of each line; LF, CR LF and a lone CR end a line."""
        if self._starts is None:
            lines = self.data.splitlines(keepends=True)
            self._starts = [0, *accumulate(map(len, lines))]
            if lines and not lines[-1].endswith((b"\n", b"\r")):
                self._starts.pop()
        return self._starts

    def line_of(self, offset: int) -> int:
        """The 1-based line that the byte at ``offset`` stands in."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and the 1-based column, in characters, of a byte offset."""
        line = self.line_of(offset)
        start = self.line_starts[line - 1]
        return line, len(self.data[start:offset].decode("utf-8", "replace")) + 1

    def place(self, start: int, end: int) -> Place:
        """The range between two byte offsets."""
        return Place(self.path, *self.position(start), *self.position(end))

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a 1-based line and column, as ``position`` gives them."""
        start = self.line_starts[line - 1]
        following = self.line_starts[line] if line < len(self.line_starts) else len(self.data)
        return start + len(self.data[start:following].decode("utf-8", "replace")[: column - 1].encode())

    def span(self, place: Place) -> tuple[int, int]:
        """The byte offsets of a place in this file."""
        return self.offset(place.line, place.column), self.offset(place.end_line, place.end_column)

    def line_bytes(self, line: int) -> bytes:
        """The bytes of a 1-based line, without its end; empty where there is no such line."""
        starts = self.line_starts
        if not 1 <= line <= len(starts):
            return b""
        end = starts[line] if line < len(starts) else len(self.data)
        return self.data[starts[line - 1] : end].rstrip(b"\r\n")

    def line_end(self, line: int) -> str:
        """How a 1-based line ends; for one that nothing ends, as the first line does, and LF where that is the last."""
        for number in (line, 1):
            end = self._end_of(number)
            if end:
                return end.decode()
        return "\n"

    def _end_of(self, line: int) -> bytes:
        starts = self.line_starts
        end = starts[line] if line < len(starts) else len(self.data)
        return self.data[starts[line - 1] + len(self.line_bytes(line)) : end]

    def encoded(self, data: bytes) -> bytes:
        """Other text as the bytes of this file: in its encoding, with its byte-order mark.

        Raises:
            UnicodeEncodeError: the encoding lacks a character.
        """
        mark = next(bom for bom, encoding in _BOMS if encoding == self.encoding) if self.has_bom else b""
        return mark + data.decode().encode(self.encoding)


def decode(path: str, raw: bytes, *, python: bool = False) -> SourceText:
    """Decodes a file by its byte-order mark, a PEP 263 declaration (``python``) or as UTF-8.

    Bytes that are no UTF-8 are read as Windows-1252, with a note, since that keeps every
    ASCII token in place.

    Raises:
        Unreadable: NUL bytes, or a declared or marked encoding that the bytes contradict.
    """
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return _decode_as(path, raw[len(bom) :], encoding, has_bom=True)
    if b"\0" in raw:
        raise Unreadable("it holds NUL bytes, so it is binary and no source text")
    if python and (declared := _CODING.match(raw)):
        return _decode_as(path, raw, declared[1].decode("ascii", "replace"))
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        note = f"byte {error.start} is not UTF-8; read as Windows-1252"
        return SourceText(path, raw.decode("cp1252", "replace").encode(), "cp1252", note=note)
    return SourceText(path, raw)


def _decode_as(path: str, raw: bytes, encoding: str, *, has_bom: bool = False) -> SourceText:
    try:
        text = raw.decode(encoding)
    except LookupError:
        raise Unreadable(f"it declares the unknown encoding {encoding!r}") from None
    except (UnicodeError, ValueError) as error:
        raise Unreadable(f"it claims to be {encoding} but is not: {error}") from None
    if "\0" in text:
        raise Unreadable("it holds NUL characters, so it is binary and no source text")
    return SourceText(path, text.encode("utf-8", "replace"), encoding, has_bom=has_bom)
