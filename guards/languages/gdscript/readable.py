"""What the parser is given: the text made readable for the grammar, byte for byte of the same length.

The grammar takes the indent of a comment for that of code, so a comment at the start of a line
ends the class or the branch around it, often without any error; to Godot comments have no indent.
And it knows no letters but ASCII ones in names. Both are written over; whoever wants the text of
a node reads it from the file.
"""

import re
from collections.abc import Sequence

from guards.findings.model import Comment

# A string without an end takes the rest of the file with it, as in Godot. The alternatives
# differ in their first byte, so that the search skips to it.
_TOKEN = re.compile(
    rb"""
      (\#[^\r\n]*)
    | " (?: "" [^"\\]* (?: (?: \\. | "(?!"") ) [^"\\]* )* (?: "{3} | \\?\Z )
          | [^"\\]* (?: \\. [^"\\]* )* (?: " | \\?\Z ) )
    | ' (?: '' [^'\\]* (?: (?: \\. | '(?!'') ) [^'\\]* )* (?: '{3} | \\?\Z )
          | [^'\\]* (?: \\. [^'\\]* )* (?: ' | \\?\Z ) )
    """,
    re.VERBOSE | re.DOTALL,
)
_OTHER_SCRIPT = re.compile(r"[^\x00-\x7f]+")


def comments(data: bytes) -> list[Comment]:
    """The comments of a text, in order."""
    found = []
    for token in _TOKEN.finditer(data):
        if token[1] is not None:
            start, end = token.span()
            own_line = not data[data.rfind(b"\n", 0, start) + 1 : start].strip()
            found.append(Comment(token[1].decode("utf-8", "replace"), start, end, own_line))
    return found


def readable(data: bytes, comments: Sequence[Comment]) -> bytes:
    """The text for the parser: without the comments that stand on lines of their own, with ASCII names."""
    parts: list[bytes] = []
    done = 0
    for comment in comments:
        if comment.own_line:
            parts += (data[done : comment.start], b" " * (comment.end - comment.start))
            done = comment.end
    text = b"".join((*parts, data[done:]))
    return text if text.isascii() else _OTHER_SCRIPT.sub(_as_ascii, text.decode("utf-8", "replace")).encode()


def _as_ascii(run: re.Match[str]) -> str:
    """Letters as ASCII ones, each byte one; what can stand in no name stays."""
    return "".join("x" * len(c.encode()) if f"x{c}".isidentifier() else c for c in run[0])
