"""Text to a stream that may not be able to show all of it."""

import codecs
from typing import TextIO

_HANDLER = "suiteguard.escape"


def write(stream: TextIO, text: str) -> None:
    r"""Writes text: in the encoding of a terminal, else as UTF-8 with bare newlines, the same on every platform.

    What an encoding lacks is written as ``\uXXXX``, which is valid in JSON, too.
    """
    binary = None if stream.isatty() else getattr(stream, "buffer", None)
    if binary is None:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, _HANDLER).decode(encoding))
    else:
        stream.flush()
        binary.write(text.encode("utf-8", _HANDLER))
    stream.flush()


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end


codecs.register_error(_HANDLER, _escape)
