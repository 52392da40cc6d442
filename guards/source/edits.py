"""Edits of a file's text, and fixes made of them."""

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """The bytes from ``start`` to ``end`` of ``SourceText.data`` are replaced by ``text``.

    ``text`` ends its lines as the file does.
    """

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """What would mend one finding, in the file that it stands in.

    ``title`` says in the imperative what is done. A safe fix keeps the meaning of the test and
    may be applied unattended; any other wants a person to look. ``edits`` do not overlap; they
    are empty where the rule works them out only when they are wanted (``Rule.rewrite``).
    """

    title: str
    safe: bool
    edits: tuple[Edit, ...] = ()


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The text with edits made; they must not overlap, and may come in any order."""
    parts: list[bytes] = []
    done = 0
    for edit in sorted(edits):
        parts += data[done : edit.start], edit.text.encode()
        done = edit.end
    return b"".join((*parts, data[done:]))
