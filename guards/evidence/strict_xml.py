"""XML of result files, read as a stream: no document type, no entities, bounded depth, every element with its line."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType

MOST_LEVELS = 200
_CHUNK = 1 << 16


class XmlError(Exception):
    """The document cannot be read; ``str()`` says why, ``line`` where."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


class Forbidden(XmlError):
    """It has a document type or an entity, which no result file needs and which can read other files."""


class Start(NamedTuple):
    """An element begins; names are as written, with their prefix."""

    name: str
    attributes: Mapping[str, str]
    line: int


class End(NamedTuple):
    """An element ends; ``text`` is what stands directly in it, without that of its children."""

    name: str
    text: str
    line: int


def xml_events(raw: bytes) -> Iterator[Start | End]:
    """The elements of a document in the order in which they begin and end.

    Raises:
        Forbidden: a document type or an entity.
        XmlError: the document is not well-formed, or nested deeper than ``MOST_LEVELS``.
    """
    reader = _Reader()
    for chunk in _chunks(raw):
        yield from reader.feed(chunk)
    yield from reader.close()


def _chunks(raw: bytes) -> Iterable[memoryview]:
    view = memoryview(raw)
    return (view[start : start + _CHUNK] for start in range(0, len(view), _CHUNK))


class _Reader:
    """The handlers of one parse, and what they have seen since the last look."""

    def __init__(self) -> None:
        self._parser: XMLParserType = ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity
        self._events: list[Start | End] = []
        self._texts: list[list[str]] = []

    def feed(self, chunk: memoryview) -> list[Start | End]:
        return self._parse(bytes(chunk), last=False)

    def close(self) -> list[Start | End]:
        return self._parse(b"", last=True)

    def _parse(self, data: bytes, *, last: bool) -> list[Start | End]:
        try:
            self._parser.Parse(data, last)
        except ExpatError as error:
            raise XmlError(str(error).partition(":")[0], error.lineno) from None
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise XmlError(str(error), 1) from None
        events, self._events = self._events, []
        return events

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._texts) >= MOST_LEVELS:
            raise XmlError(f"elements are nested deeper than {MOST_LEVELS}", self._parser.CurrentLineNumber)
        self._texts.append([])
        self._events.append(Start(name, attributes, self._parser.CurrentLineNumber))

    def _end(self, name: str) -> None:
        self._events.append(End(name, "".join(self._texts.pop()), self._parser.CurrentLineNumber))

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)

    def _doctype(self, *_: object) -> None:
        raise Forbidden("it has a document type", self._parser.CurrentLineNumber)

    def _entity(self, *_: object) -> None:
        raise Forbidden("it declares an entity", self._parser.CurrentLineNumber)
