"""Characters that C# reads otherwise than the grammar: line ends, spaces, and characters of no width.

Each is written as ASCII of the same length, so that the parser sees what the compiler sees and no
offset moves. Plain ASCII files, which is nearly all of them, cost one test.
"""

import re
from functools import cache

from guards.languages.csharp.preprocessor import blank, texts
from guards.languages.csharp.spans import Span
from guards.languages.csharp.tokens import Tokens

# U+0085, U+2028 and U+2029 end a line, and so a comment: what follows is code.
_LINE_ENDS = ((b"\xc2\x85", b" \n"), (b"\xe2\x80\xa8", b"  \n"), (b"\xe2\x80\xa9", b"  \n"))
# The class Zs without U+00A0 and U+3000, which the grammar knows.
_SPACE = rb"\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f"
# The common ones of the class Cf: allowed in identifiers, and no part of the name.
_UNSEEN = (
    rb"\xc2\xad|\xd8\x9c|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4\xa6-\xaf]"
    rb"|\xef\xbb\xbf|\xf3\xa0[\x80-\x81][\x80-\xbf]"
)


def with_plain_line_ends(data: bytes) -> bytes:
    """The text with ASCII line ends only."""
    if not data.isascii():
        for written, plain in _LINE_ENDS:
            data = data.replace(written, plain)
    return data


def with_plain_code(data: bytes, tokens: Tokens) -> tuple[bytes, list[Span]]:
    """The code with ASCII space only and without characters that nobody sees.

    Args:
        data: the file's text.
        tokens: the file's tokens; literals and comments stay as they are.

    Returns:
        The plain text, and the identifiers that hold unseen characters: to a reader such a name
        looks like another one. What is left of it is moved together, so that it reads as that.
    """
    if data.isascii() or _odd().search(data) is None:
        return data, []
    code = blank(data, texts(tokens))
    plain = bytearray(data)
    for space in re.finditer(_SPACE, code):
        plain[space.start() : space.end()] = b" " * len(space[0])
    disguised = []
    code = re.sub(_SPACE, lambda space: b" " * len(space[0]), code)
    for word in re.finditer(rb"(?<![\w@\\\x80-\xff])[\w@\\]*+[\x80-\xff][\w@\\\x80-\xff]*", code):
        # Before a name, and alone, a byte-order mark is space: files get them when they are joined.
        written = re.sub(rb"\A(?:\xef\xbb\xbf)+", b"", word[0])
        start = word.end() - len(written)
        plain[word.start() : start] = b" " * (start - word.start())
        visible = re.sub(_UNSEEN, b"", written)
        if visible != written:
            plain[start : word.end()] = visible.ljust(len(written))
            disguised.append((start, word.end()))
    return bytes(plain), disguised


@cache
def _odd() -> re.Pattern[bytes]:
    return re.compile(_SPACE + rb"|" + _UNSEEN)
