"""What a test run's reply is wrapped in, opened down to what the runner said.

The same reply is kept by clients as the plug-in sent it, as an answer on its socket, as the result of
a tool call, or as a line of an event stream; each wrapper is opened once, and never by guessing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from guards.evidence.found import Found
from guards.evidence.model import Reason, Where
from guards.source.json_tree import Value, parse_json

_BOM: Final = b"\xef\xbb\xbf"
_STREAM = re.compile(rb"\s*(?:data|event|id|retry)?:")
# The conditions of the contract that are judged here.
WHOLE, KEYS_ONCE, WRAPPER, UNKNOWN = "1", "1-keys", "2", "4"
DATA_KEYS: Final = frozenset(
    {
        "passed", "failed", "skipped", "total", "duration_ms", "suites_run", "suite_count", "failures", "results",
        "load_errors", "edited_scene", "scene_warning", "cache_warning", "aborted", "tests_not_run",
    }
)  # fmt: skip
_SOCKET, _HANDLER, _TOOL, _RPC, _BOXED = "socket", "handler", "tool", "rpc", "result"
_KEYS: Final = {
    _SOCKET: frozenset({"request_id", "status", "data", "error", "readiness", "error_watermark"}),
    _HANDLER: frozenset({"data", "error"}),
    _TOOL: frozenset({"content", "structuredContent", "isError", "_meta"}),
    _RPC: frozenset({"jsonrpc", "id", "result", "error"}),
    _BOXED: frozenset({"result"}),
}


class Lines:
    """The line of each offset; of a text within a text it is the line where that begins."""

    def __init__(self, raw: bytes, fixed: int = 0) -> None:
        self._fixed = fixed
        self._starts = [] if fixed else [0, *accumulate(len(line) + 1 for line in raw.split(b"\n"))]

    def of(self, offset: int) -> int:
        """The line, from 1."""
        return self._fixed or bisect_right(self._starts, offset)


class Opened(NamedTuple):
    """What the wrappers held: the runner's own object, or the error that came instead of it."""

    data: Value | None
    error: Value | None
    lines: Lines
    request_id: str = ""


class _Layer(NamedTuple):
    """A value on the way in."""

    value: Value
    lines: Lines
    failed: bool = False
    request_id: str = ""


class _Closed(Exception):
    """There is no way in; the reason has been written down."""


def open_reply(raw: bytes, path: str, found: Found) -> Opened | None:
    """What the runner said, or None where nothing can be made of the file; then ``found`` says why."""
    try:
        return _Opener(path, found).open(raw)
    except _Closed:
        return None


def present(value: Value | None) -> Value | None:
    """A value that is there and not null."""
    return None if value is None or (value.kind == "word" and value.text == "null") else value


class _Opener:
    def __init__(self, path: str, found: Found) -> None:
        self._path = path
        self._found = found

    def open(self, raw: bytes) -> Opened:
        if raw.startswith(_BOM):
            self._add(WHOLE, "ENCODING_BOM", 1, "it begins with a byte-order mark")
            raw = raw.removeprefix(_BOM)
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise self._closed(WHOLE, "ENCODING_INVALID", line, f"byte {error.start} is not UTF-8") from None
        layer = self._of_stream(raw) if _STREAM.match(raw) else self._parsed(raw, Lines(raw))
        seen: set[str] = set()
        while layer.value.kind == "object" and (wrapper := _wrapper(layer)):
            if wrapper in seen:
                line = layer.lines.of(layer.value.start)
                raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", line, "one wrapper is within another of its kind")
            seen.add(wrapper)
            self._check_keys(layer, wrapper)
            inner = self._inner(layer, wrapper)
            layer = inner._replace(request_id=inner.request_id or layer.request_id)
        if layer.failed:
            return Opened(None, layer.value, layer.lines, layer.request_id)
        if layer.value.kind != "object":
            raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", layer.lines.of(layer.value.start), "it is no object")
        return Opened(layer.value, None, layer.lines, layer.request_id)

    # Documents.

    def _parsed(self, raw: bytes, lines: Lines) -> _Layer:
        document = parse_json(raw)
        if document.root is None or document.error is not None:
            line = lines.of(document.error or 0)
            if document.root is not None and document.root.end <= (document.error or 0) < len(raw):
                raise self._closed(WHOLE, "JSON_INVALID", line, "something stands behind the document or breaks it")
            raise self._closed(WHOLE, "JSON_INVALID", line, "it is no whole JSON document")
        for key, offset in _twice(document.root):
            self._add(KEYS_ONCE, "JSON_DUPLICATE_KEY", lines.of(offset), "the key stands there twice", key)
        return _Layer(document.root, lines)

    def _of_stream(self, raw: bytes) -> _Layer:
        """The one answer in a stream of events; what has a ``method`` is a notice and no answer."""
        layers = [self._parsed(data, Lines(data, line)) for data, line in _events(raw)]
        answers = [layer for layer in layers if layer.value.get("method") is None]
        if len(answers) != 1:
            detail = f"it is a stream with {len(answers)} answers"
            raise self._closed(WHOLE, "JSON_INVALID", 1, detail)
        return answers[0]

    # Wrappers.

    def _check_keys(self, layer: _Layer, wrapper: str) -> None:
        for member in layer.value.members:
            if member.key in _KEYS[wrapper]:
                continue
            line = layer.lines.of(member.start)
            if member.key in DATA_KEYS:
                detail = "it stands beside the result that it belongs into"
                raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", line, detail, member.key)
            self._add(UNKNOWN, "FIELD_UNKNOWN", line, "no such field is known", member.key)

    def _inner(self, layer: _Layer, wrapper: str) -> _Layer:
        if wrapper == _TOOL:
            return self._of_tool(layer)
        if wrapper == _BOXED:
            return self._either(layer, layer.value.get("result"), None)
        if wrapper == _RPC:
            return self._either(layer, layer.value.get("result"), layer.value.get("error"))
        data, error = layer.value.get("data"), layer.value.get("error")
        if wrapper == _SOCKET:
            self._check_status(layer, present(data), present(error))
            request = present(layer.value.get("request_id"))
            layer = layer._replace(request_id=request.text if request else "")
        return self._either(layer, data, error)

    def _either(self, layer: _Layer, data: Value | None, error: Value | None) -> _Layer:
        data, error = present(data), present(error)
        if data is not None and error is not None and not _blank(data):
            self._contradiction(layer, "it has a result and an error")
        if error is not None:
            return layer._replace(value=error, failed=True)
        if data is None:
            line = layer.lines.of(layer.value.start)
            raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", line, "it has neither a result nor an error")
        return layer._replace(value=data)

    def _check_status(self, layer: _Layer, data: Value | None, error: Value | None) -> None:
        status = layer.value.get("status")
        word = status.text if status is not None and status.kind == "string" else ""
        if word not in {"ok", "error"}:
            raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", layer.lines.of(layer.value.start), f"status `{word}`")
        if word == "ok" and error is not None:
            self._contradiction(layer, "its status is `ok`, and it has an error")
        if word == "error" and error is None:
            if data is not None and not _blank(data):
                self._contradiction(layer, "its status is `error`, and it has a result")
            raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", layer.lines.of(layer.value.start), "an error without words")

    def _of_tool(self, layer: _Layer) -> _Layer:
        flag = layer.value.get("isError")
        failed = flag is not None and flag.kind == "word" and flag.text == "true"
        structured = present(layer.value.get("structuredContent"))
        text = self._text(layer)
        inner = None
        if text is not None and text.text.lstrip().startswith(("{", "[")):
            raw = text.text.encode()
            inner = self._parsed(raw, Lines(raw, layer.lines.of(text.start)))
            if structured is not None and not _same(structured, inner.value):
                self._contradiction(layer, "its structured content and its text differ")
        if structured is not None:
            return layer._replace(value=structured, failed=failed)
        if inner is not None:
            return inner._replace(failed=failed)
        if failed and text is not None:
            return layer._replace(value=text, failed=True)
        line = layer.lines.of(layer.value.start)
        raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", line, "it has no structured content and no text of JSON")

    def _text(self, layer: _Layer) -> Value | None:
        content = layer.value.get("content")
        texts = [
            text
            for item in (content.items if content is not None else ())
            if (text := item.get("text")) is not None and text.kind == "string"
        ]
        if len(texts) > 1:
            line = layer.lines.of(texts[1].start)
            raise self._closed(WRAPPER, "WRAPPER_UNKNOWN", line, "it has more than one text")
        return texts[0] if texts else None

    # Reasons.

    def _contradiction(self, layer: _Layer, detail: str) -> None:
        self._add(WRAPPER, "WRAPPER_CONTRADICTION", layer.lines.of(layer.value.start), detail)

    def _add(self, source: str, code: str, line: int, detail: str, field: str = "") -> None:
        self._found.add(source, Reason(code, Where(self._path, line, field), detail=detail))

    def _closed(self, source: str, code: str, line: int, detail: str, field: str = "") -> _Closed:
        self._add(source, code, line, detail, field)
        return _Closed()


def _wrapper(layer: _Layer) -> str:
    """What an object is a wrapper of; nothing for the runner's own object, and for an error."""
    value = layer.value
    keys = {member.key for member in value.members}
    if "jsonrpc" in keys:
        return _RPC
    if "structuredContent" in keys or ("content" in keys and not keys & DATA_KEYS):
        return _TOOL
    if keys == {"result"}:
        return _BOXED
    if layer.failed and "code" in keys:
        return ""
    if "status" in keys and keys & {"request_id", "readiness"}:
        return _SOCKET
    error = value.get("error")
    return _HANDLER if "data" in keys or (error is not None and error.kind == "object") else ""


def _blank(value: Value) -> bool:
    return value.kind == "object" and not value.members


def _twice(root: Value) -> Iterator[tuple[str, int]]:
    """The keys that an object has a second time, with their places."""
    rest = [root]
    while rest:
        value = rest.pop()
        seen: set[str] = set()
        for member in value.members:
            if member.key in seen:
                yield member.key, member.start
            seen.add(member.key)
            rest.append(member.value)
        rest.extend(value.items)


def _same(one: Value, other: Value) -> bool:
    """Whether two values are the same, in whatever order their keys stand; 12 and 12.0 are one number."""
    rest = [(one, other)]
    while rest:
        left, right = rest.pop()
        if left.kind != right.kind or len(left.items) != len(right.items):
            return False
        if left.kind == "number":
            if float(left.text) != float(right.text):
                return False
        elif left.text != right.text:
            return False
        members, others = ({member.key: member.value for member in value.members} for value in (left, right))
        if members.keys() != others.keys():
            return False
        rest.extend((members[key], others[key]) for key in members)
        rest.extend(zip(left.items, right.items, strict=True))
    return True


def _events(raw: bytes) -> Iterator[tuple[bytes, int]]:
    """The data of each event of a stream, and the line where it begins."""
    data: list[bytes] = []
    begun = 0
    for number, line in enumerate((*raw.splitlines(), b""), 1):
        if not line.strip():
            if data:
                yield b"\n".join(data), begun
            data, begun = [], 0
        elif line.startswith(b"data:"):
            data.append(line.removeprefix(b"data:").removeprefix(b" "))
            begun = begun or number
