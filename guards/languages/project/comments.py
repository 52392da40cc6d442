"""Comments of project files, as far as their formats have any."""

import re
from collections.abc import Iterator

from guards.findings.model import Comment
from guards.source.text import SourceText

# Each alternative that is no comment is a string in which the comment's sign means nothing.
_TOML = re.compile(
    rb"""(?P<comment>\#[^\r\n]*)
    | \"{3}(?:[^\\\"]++|\\.|\"(?!\"\"))*+(?:\"{3,5}|\Z)
    | '{3}(?:[^']++|'(?!''))*+(?:'{3,5}|\Z)
    | \"(?:[^\\\"\r\n]++|\\.)*+\"?
    | '[^'\r\n]*'?""",
    re.VERBOSE | re.DOTALL,
)
_RSP = re.compile(rb"""(?P<comment>(?<![^\s])\#[^\r\n]*)|\"[^\"\r\n]*\"?""")
_INI = re.compile(rb"^[ \t]*(?P<comment>[#;][^\r\n]*)", re.MULTILINE)
_GODOT = re.compile(rb"""^[ \t]*(?P<comment>;[^\r\n]*)|\"(?:[^\\\"]++|\\.)*+\"?""", re.MULTILINE | re.DOTALL)
_XML = re.compile(rb"(?P<comment><!--.*?-->)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
_FORMATS = {
    "csproj": _XML,
    "props": _XML,
    "targets": _XML,
    "rsp": _RSP,
    "toml": _TOML,
    "ini": _INI,
    "godot": _GODOT,
}


def find_comments(text: SourceText, form: str) -> Iterator[Comment]:
    """The comments of a file in one of the formats that have comments."""
    pattern = _FORMATS.get(form)
    for match in pattern.finditer(text.data) if pattern else ():
        if match["comment"] is not None:
            start, end = match.span("comment")
            before = text.data[text.line_starts[text.line_of(start) - 1] : start]
            yield Comment(text.data[start:end].decode("utf-8", "replace"), start, end, not before.strip())
