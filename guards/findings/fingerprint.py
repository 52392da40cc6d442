"""What a finding is recognised by when lines move: its line and the two beside it."""

from hashlib import blake2b

from guards.source.place import Place, file_place
from guards.source.text import SourceText

_NOTHING = b""


def fingerprint(text: SourceText, line: int) -> str:
    """16 hexadecimal digits for a 1-based line: a hash of it and its neighbours.

    Blank lines are no neighbours and space at the ends of a line does not count, so indenting a
    block, moving it, or an empty line more changes nothing.
    """
    lines = (_beside(text, line, -1), text.line_bytes(line).strip(), _beside(text, line, +1))
    return blake2b(b"\n".join(lines), digest_size=8).hexdigest()


def place_fingerprint(place: Place, text: SourceText) -> str:
    """The fingerprint of a place: of its line, and for a place that means a file as a whole that of the file's name."""
    if place == file_place(place.path):
        return blake2b(place.path.rpartition("/")[2].encode("utf-8", "replace"), digest_size=8).hexdigest()
    return fingerprint(text, place.line)


def _beside(text: SourceText, line: int, step: int) -> bytes:
    count = len(text.line_starts)
    beside = line + step
    while 1 <= beside <= count:
        content = text.line_bytes(beside).strip()
        if content:
            return content
        beside += step
    return _NOTHING
