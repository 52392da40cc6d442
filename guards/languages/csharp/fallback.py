"""Names in text that no tree was made of."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from guards.languages.csharp.spans import Span

_LONGEST_NAME = 500


class DottedName(NamedTuple):
    """A name with all its parts as written, without space: ``Thread.Sleep``, ``global::A.B``, ``a?.B``.

    ``member`` is the offset of the last part. ``called`` says that a parenthesis follows.
    """

    name: str
    start: int
    member: int
    end: int
    called: bool


def dotted_names(code: bytes, spans: Sequence[Span]) -> Iterator[DottedName]:
    """The dotted names that lie in the given ranges, if only partly.

    A name that goes on from something that is no name (``f().Sleep``) is left out.

    Args:
        code: text without literals, comments and directives.
        spans: sorted, disjoint ranges.
    """
    left = iter(spans)
    span = next(left, None)
    for found in _dotted_name().finditer(code, _before_name(code, spans[0][0]) if spans else len(code)):
        start, end = found.span(2)
        while span is not None and span[1] <= start:
            span = next(left, None)
        if span is None:
            return
        if found[1] is None and end > span[0]:
            yield _as_dotted(found)


@cache
def _dotted_name() -> re.Pattern[bytes]:
    escape = rb"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
    part = rb"@?(?:[A-Za-z_\x80-\xff]|" + escape + rb")(?:\w|[\x80-\xff]|" + escape + rb")*+"
    joint = rb"\s*+(?:!\s*+)?(?:\?\.|\.|::|->)\s*+"
    goes_on = rb"(?<!\.)(?:\.|::|->)\s*+"
    return re.compile(rb"(?<!\w)(" + goes_on + rb")?+(" + part + rb"(?:" + joint + part + rb")*+)(\s*+\()?")


def _before_name(code: bytes, position: int) -> int:
    """A place before the name that may go on at ``position``: no name reaches over these signs."""
    earliest = max(0, position - _LONGEST_NAME)
    return max(earliest, *(code.rfind(sign, earliest, position) + 1 for sign in (b";", b"{", b"}", b"(", b",", b"=")))


def _as_dotted(found: re.Match[bytes]) -> DottedName:
    start, end = found.span(2)
    written = found[2]
    last = re.search(rb"[@\w\\\x80-\xff]+\Z", written)
    member = start + (last.start() if last else 0)
    name = re.sub(rb"\s+", b"", written).decode("utf-8", "replace")
    return DottedName(name, start, member, end, found[3] is not None)
