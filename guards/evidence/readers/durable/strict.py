"""Strict reading of records: what is not as the writer writes it is an issue with its place.

A record is decoded and encoded again; where the bytes are the same, nothing can be wrong with its
form. Only what differs is read by the exact reader, which knows where each key stands.
"""

from bisect import bisect_right
from functools import cache, cached_property
from itertools import accumulate
from typing import Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable.records import Record
from guards.source.json_tree import Member, Value, parse_json

RecordT = TypeVar("RecordT", bound=Record)

BOM: Final = b"\xef\xbb\xbf"
ENCODING_INVALID, ENCODING_BOM = "ENCODING_INVALID", "ENCODING_BOM"
JSON_DUPLICATE_KEY, FIELD_MISSING, FIELD_TYPE, FIELD_UNKNOWN = (
    "JSON_DUPLICATE_KEY", "FIELD_MISSING", "FIELD_TYPE", "FIELD_UNKNOWN",
)  # fmt: skip
FORM_CODES = (ENCODING_INVALID, ENCODING_BOM, JSON_DUPLICATE_KEY, FIELD_MISSING, FIELD_TYPE, FIELD_UNKNOWN)
_INDENT: Final = 4
# Of one record: who needs more to see that it is broken?
_MOST_ISSUES: Final = 1000
_NOTHING: Final = object()
_encoder = msgspec.json.Encoder()


@cache
def _decoder(kind: type[RecordT]) -> "msgspec.json.Decoder[RecordT]":
    return msgspec.json.Decoder(kind)


def line_record(kind: type[RecordT], line: bytes) -> RecordT | None:
    """The record of a line without its line feed, where it is exactly as the writer writes it; else None."""
    try:
        record = _decoder(kind).decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return record if _encoder.encode(record) == line else None


def whole_record(kind: type[RecordT], raw: bytes) -> RecordT | None:
    """The record of a whole file, where it is exactly as the writer writes it; else None."""
    try:
        record = _decoder(kind).decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    written = msgspec.json.format(_encoder.encode(record), indent=_INDENT) + b"\n"
    return record if written == raw else None


def exact(kind: type[RecordT], raw: bytes, file: str, line: int, corrupt: str) -> tuple[RecordT | None, list[Reason]]:
    """A record as far as it can be read.

    Args:
        kind: what it should be.
        raw: its bytes.
        file: where it stands.
        line: the line of a line file; 0 for a whole file.
        corrupt: the code for what is no JSON object.
    """
    issues: list[Reason] = []
    if raw.startswith(BOM):
        issues.append(Reason(ENCODING_BOM, Where(file, line), detail="it begins with a byte-order mark"))
        raw = raw.removeprefix(BOM)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        at = line or raw.count(b"\n", 0, error.start) + 1
        issues.append(Reason(ENCODING_INVALID, Where(file, at), detail=f"byte {error.start} is not UTF-8"))
        return None, issues
    document = parse_json(raw)
    if document.error is not None or document.root is None or document.root.kind != "object":
        at = line or raw.count(b"\n", 0, document.error or 0) + 1
        issues.append(Reason(corrupt, Where(file, at), detail="it is no JSON object"))
        return None, issues
    reader = _Reader(raw, file, line)
    record = reader.record(kind, document.root, "")
    issues.extend(reader.issues)
    return record, issues


class _Reader:
    """Reads parsed values into records, and writes down what is wrong with them."""

    def __init__(self, raw: bytes, file: str, line: int) -> None:
        self._raw = raw
        self._file = file
        self._line = line
        self.issues: list[Reason] = []

    def record(self, kind: type[RecordT], value: Value, above: str) -> RecordT:
        types = get_type_hints(kind)
        found: dict[str, Member] = {}
        for member in value.members:
            if member.key in found:
                self._issue(JSON_DUPLICATE_KEY, member.start, f"{above}{member.key}", "the key stands there twice")
            elif member.key not in types:
                self._issue(FIELD_UNKNOWN, member.start, f"{above}{member.key}", "no such field is known")
            found[member.key] = member
        values = {}
        for name, type_ in types.items():
            member_ = found.get(name)
            if member_ is None:
                self._issue(FIELD_MISSING, value.start, f"{above}{name}", "the field is missing")
                continue
            read = self._value(type_, member_.value, f"{above}{name}")
            if read is not _NOTHING:
                values[name] = read
        return kind(**values)

    def _value(self, type_: object, value: Value, field: str) -> object:
        if get_origin(type_) is tuple:
            return self._items(get_args(type_)[0], value, field)
        if isinstance(type_, type) and issubclass(type_, Record):
            if value.kind == "object":
                return self.record(type_, value, f"{field}.")
        elif (plain := _plain(type_, value)) is not _NOTHING:
            return plain
        self._issue(FIELD_TYPE, value.start, field, f"it is no {getattr(type_, '__name__', type_)}")
        return _NOTHING

    def _items(self, type_: object, value: Value, field: str) -> object:
        if value.kind != "array":
            self._issue(FIELD_TYPE, value.start, field, "it is no array")
            return _NOTHING
        items = [self._value(type_, item, f"{field}[{number}]") for number, item in enumerate(value.items)]
        return tuple(item for item in items if item is not _NOTHING)

    def _issue(self, code: str, offset: int, field: str, detail: str) -> None:
        if len(self.issues) < _MOST_ISSUES:
            line = self._line or bisect_right(self._line_starts, offset)
            self.issues.append(Reason(code, Where(self._file, line, field), detail=detail))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self._raw.split(b"\n"))]


def _plain(type_: object, value: Value) -> object:
    """The value of a scalar that has its type, or nothing: a boolean is no integer, a fraction neither."""
    if type_ is str and value.kind == "string":
        return value.text
    if type_ is bool and value.text in {"true", "false"} and value.kind == "word":
        return value.text == "true"
    if value.kind == "number":
        if type_ is int and value.text.lstrip("-").isdecimal() and len(value.text) < 20:
            return int(value.text)
        if type_ is float:
            return float(value.text)
    return _NOTHING


_SOURCES = {
    ENCODING_INVALID: "J-01",
    ENCODING_BOM: "J-02",
    JSON_DUPLICATE_KEY: "J-03",
    FIELD_MISSING: "J-04",
    FIELD_TYPE: "J-05",
    FIELD_UNKNOWN: "J-06",
}


def source_of_form(code: str) -> str:
    """The condition on form that a code belongs to."""
    return _SOURCES[code]
