"""Facts on their way from one process to another, and in wait: as bytes, until somebody looks at them.

Of most files nobody does, and bytes take a tenth of the room.
"""

from functools import cache
from importlib import import_module
from typing import TypeVar

import msgspec

from guards.engine.task import Packed
from guards.languages.base import outline_of

ValueT = TypeVar("ValueT")
FACTS, OUTLINE_TYPE = "Facts", "Outline"
_ENCODER = msgspec.msgpack.Encoder()


def packed(facts: object, language: str) -> Packed | None:
    """The facts of a file as bytes; None for those that no encoding knows, such as a lone surrogate in a text."""
    outline = outline_of(language)
    try:
        return Packed(_ENCODER.encode(facts), _ENCODER.encode(outline(facts)) if outline is not None else b"")
    except UnicodeEncodeError:
        return None


def as_values(waiting: Packed) -> tuple[msgspec.Raw, msgspec.Raw]:
    """The outline and the facts as values that are encoded already."""
    return msgspec.Raw(waiting.outline), msgspec.Raw(waiting.facts)


def encoded(value: object) -> bytes | None:
    """Plain values as bytes; None as for ``packed``."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return None


def decoded(decoder: "msgspec.msgpack.Decoder[ValueT]", value: bytes) -> ValueT | None:
    """The value in some bytes, or None where there is none or it cannot be read."""
    try:
        return decoder.decode(value) if value else None
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        return None


def unpacked(language: str, name: str, value: bytes) -> object | None:
    """The ``FACTS`` or the ``OUTLINE_TYPE`` in some bytes, or None as for ``decoded``."""
    return decoded(_decoder(language, name), value)


@cache
def _decoder(language: str, name: str) -> "msgspec.msgpack.Decoder[object]":
    return msgspec.msgpack.Decoder(getattr(import_module(f"guards.languages.{language}"), name))
