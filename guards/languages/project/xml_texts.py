"""The texts between the tags of an XML file, each with its places."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")


class XmlText(NamedTuple):
    """The text directly in one element, in pieces: each a byte offset and what the text there means."""

    element: str
    pieces: tuple[tuple[int, str], ...]

    def find(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
        """Matches in the text as a whole, none of them empty, each with its byte range in the file."""
        starts = list(accumulate((len(text) for _, text in self.pieces), initial=0))
        number, index, offset = 0, 0, self.pieces[0][0]
        for match in pattern.finditer("".join(text for _, text in self.pieces)):
            ends = []
            for wanted in (match.start(), match.end() - 1):
                piece = bisect_right(starts, wanted) - 1
                if piece != number:
                    number, index, offset = piece, starts[piece], self.pieces[piece][0]
                between = self.pieces[piece][1][index - starts[piece] : wanted - starts[piece]]
                index, offset = wanted, offset + len(between.encode())
                ends.append(offset)
            yield match[0], ends[0], ends[1] + len(match[0][-1].encode())


class XmlDocument(NamedTuple):
    """Texts in the order in which their elements end; ``error`` is the offset of the first error."""

    texts: tuple[XmlText, ...]
    error: int | None = None


class _Refused(Exception):
    """A document type or an entity: project files never need them."""


class _Reader:
    """Handlers of one parse."""

    def __init__(self, parser: "XMLParserType", shift: int) -> None:
        self.texts: list[XmlText] = []
        self._open: list[tuple[str, list[tuple[int, str]]]] = []
        self._parser = parser
        self._shift = shift
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._refuse

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self._open.append((name.rpartition(":")[2], []))

    def _end(self, _name: str) -> None:
        name, pieces = self._open.pop()
        if any(not text.isspace() for _, text in pieces):
            self.texts.append(XmlText(name, tuple(pieces)))

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1][1].append((self._parser.CurrentByteIndex + self._shift, text))

    def _refuse(self, *_declaration: object) -> None:
        raise _Refused


def parse_xml(data: bytes) -> XmlDocument:
    """Parses UTF-8 text, whatever encoding it declares."""
    from xml.parsers.expat import ExpatError, ParserCreate

    declaration = _DECLARATION.match(data)
    shift = declaration.end() if declaration else 0
    parser = ParserCreate("utf-8")
    reader = _Reader(parser, shift)
    try:
        parser.Parse(data[shift:], True)  # noqa: FBT003 the parser's own way to say that this is all
    except (ExpatError, _Refused):
        return XmlDocument(tuple(reader.texts), max(parser.ErrorByteIndex, 0) + shift)
    return XmlDocument(tuple(reader.texts))
