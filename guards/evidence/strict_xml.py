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
    for chunk in (*_chunks(raw), b""):
        error = reader.parse(bytes(chunk), last=not chunk)
        yield from reader.events
        if error is not None:
            raise error


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
        self.events: list[Start | End] = []
        self._texts: list[list[str]] = []

    def parse(self, data: bytes, *, last: bool) -> XmlError | None:
        """Reads on; ``events`` are then those of this part, up to the error if there is one."""
        self.events.clear()
        try:
            self._parser.Parse(data, last)
        except ExpatError as error:
            return XmlError(str(error).partition(":")[0], error.lineno)
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            return XmlError(str(error), 1)
        except XmlError as error:
            return error
        return None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._texts) >= MOST_LEVELS:
            raise XmlError(f"elements are nested deeper than {MOST_LEVELS}", self._parser.CurrentLineNumber)
        self._texts.append([])
        self.events.append(Start(name, attributes, self._parser.CurrentLineNumber))

    def _end(self, name: str) -> None:
        self.events.append(End(name, "".join(self._texts.pop()), self._parser.CurrentLineNumber))

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)

    def _doctype(self, *_: object) -> None:
        raise Forbidden("it has a document type", self._parser.CurrentLineNumber)

    def _entity(self, *_: object) -> None:
        raise Forbidden("it declares an entity", self._parser.CurrentLineNumber)
