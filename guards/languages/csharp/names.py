"""Names as C# compares them: escapes resolved, space and comments gone, type arguments counted."""

import re
import unicodedata
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_PLAIN = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_SPACE_OR_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/|\s+", re.DOTALL)
_WORD = re.compile(r"@?(?:[\w\\]|[^\x00-\x7f])+")
_TWO_WORDS = re.compile(r"(?<=\w) (?=\w)")

GLOBAL = "global"


class Part(NamedTuple):
    """One part of a dotted name: ``Pool<K, V>`` is ``Pool`` with 2 type arguments."""

    name: str
    arity: int = 0

    def __str__(self) -> str:
        return f"{self.name}`{self.arity}" if self.arity else self.name


class Name(NamedTuple):
    """A dotted name; ``qualifier`` is what stands before ``::``, ``parts`` are empty for no name at all."""

    qualifier: str
    parts: tuple[Part, ...]


@lru_cache(maxsize=4096)
def identifier(text: bytes) -> str:
    """One identifier without ``@``, with escapes resolved and characters dropped that C# ignores."""
    decoded = text.decode("utf-8", "replace")
    return _canonical(decoded) if not text.isascii() or b"\\" in text or text[:1] == b"@" else decoded


@lru_cache(maxsize=4096)
def _canonical(text: str) -> str:
    text = _ESCAPE.sub(_unescaped, text.removeprefix("@"))
    text = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFC", text)


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1] or match[2], 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


@lru_cache(maxsize=4096)
def compact(text: bytes) -> str:
    """A name or type as written, with nothing in it that C# does not compare."""
    if _PLAIN.fullmatch(text):
        return text.decode()
    return _compact(text.decode("utf-8", "replace"))


@lru_cache(maxsize=4096)
def _compact(text: str) -> str:
    spaced = _SPACE_OR_COMMENT.sub(" ", text)
    canonical = _WORD.sub(lambda match: _canonical(match[0]), spaced)
    # `ref int` and tuple elements need their space, all others do not.
    return _TWO_WORDS.sub("\0", canonical.strip()).replace(" ", "").replace("\0", " ")


@lru_cache(maxsize=8192)
def parse(text: str) -> Name:
    """Takes a compact name apart; what is no name of a type (``int[]``, tuples) has no parts."""
    qualifier, separator, rest = text.partition("::")
    if not separator:
        qualifier, rest = "", text
    parts = []
    for piece in split(rest.rstrip("?"), "."):
        name, bracket, arguments = piece.partition("<")
        if not name.isidentifier() or (bracket and not arguments.endswith(">")):
            return Name(qualifier, ())
        parts.append(Part(name, len(split(arguments[:-1], ",")) if bracket else 0))
    return Name(qualifier, tuple(parts))


def last_name(text: str) -> str:
    """The name of the last part of a compact name; empty for what is no name."""
    parts = parse(text).parts
    return parts[-1].name if parts else ""


def type_arguments(text: str) -> tuple[str, ...]:
    """The type arguments of the last part of a compact name: ``K`` and ``V`` of ``Pool<K,V>``."""
    last = split(text.rstrip("?"), ".")[-1]
    _, bracket, arguments = last.partition("<")
    return tuple(split(arguments[:-1], ",")) if bracket and arguments.endswith(">") else ()


def split(text: str, separator: str) -> list[str]:
    """Splits at a separator that stands in no bracket."""
    if "<" not in text and "(" not in text and "[" not in text:
        return text.split(separator)
    pieces, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "<([":
            depth += 1
        elif character in ">)]":
            depth -= 1
        elif character == separator and depth == 0:
            pieces.append(text[start:position])
            start = position + 1
    pieces.append(text[start:])
    return pieces


def plain(full: str) -> str:
    """A full name without numbers of type parameters: ``A.Pool`2`` is ``A.Pool``."""
    return re.sub(r"`\d+", "", full) if "`" in full else full


def is_named(full: str, pattern: str) -> bool:
    """Whether a full name is the one that an option gives, which can be a glob.

    Without a namespace the pattern is about the simple name; type arguments count in neither.
    """
    pattern = pattern.partition("<")[0].removeprefix("global::")
    return fnmatchcase(full if "." in pattern else full.rpartition(".")[2], pattern)
