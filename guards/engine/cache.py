"""What files said last time, so that unchanged ones are not parsed again.

One SQLite file a project and tool version, in the user's cache folder and never inside the
guarded repository: whoever could commit a cache could make a red run green. Only the parent
reads and writes it. Any trouble with it means to go on without.
"""

import os
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from time import time_ns
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

import msgspec

from guards import __version__
from guards.engine.packing import FACTS, OUTLINE_TYPE, decoded, encoded, unpacked
from guards.engine.task import Collected, RulePlan
from guards.project.model import Stamp

if TYPE_CHECKING:
    from guards.project.model import FileInfo, Unit

# Of the text, integer and blob columns of a query; each query knows which it asked for.
Row: TypeAlias = "tuple[str | int | bytes, ...]"

# A file changed within the clock's coarse tick after we read it would look unchanged.
_RACY_NS = 2_000_000_000
# All rows of a kind are read at once. Facts are large and few are asked for, so they stand apart.
_SCHEMA = """
create table if not exists known (
    kind text, path text, size integer, mtime integer, content blob, basis blob, value blob, primary key (kind, path)
) without rowid;
create table if not exists facts (path text primary key, content blob, basis blob, value blob);
"""
_KNOWN = "select path, size, mtime, content, basis, value from known where kind = ?"
_FACTS = "select value from facts where path = ? and content = ? and basis = ?"
_PUT = "insert or replace into known values (?, ?, ?, ?, ?, ?, ?)"
_PUT_FACTS = "insert or replace into facts values (?, ?, ?, ?)"
_RESTAMP = "update known set size = ?, mtime = ? where kind = ? and path = ?"
# What a file said to its rules, and the outline of its facts for others: they are asked for at different times.
SAID = "said"
OUTLINE = "outline"


class Known(NamedTuple):
    """A row: what it was made from, and its value as it is stored. What is broken in it fits nothing."""

    path: str
    size: int
    mtime_ns: int
    content: bytes
    basis: bytes
    value: bytes

    def has_stamp(self, stamp: Stamp) -> bool:
        """Whether the file looked so then."""
        return self[1:3] == stamp


class Entry(NamedTuple):
    """A row to be written. ``stamp`` is None for text that is on no disk; ``facts`` come with an outline."""

    path: str
    stamp: Stamp | None
    content: bytes
    basis: bytes
    value: object
    facts: object = None


def plan_key(plans: Iterable[RulePlan]) -> bytes:
    """The identity of a plan: its rules, their rows and their options."""
    said = [
        (*plan._replace(options={}), sorted((name, repr(value)) for name, value in plan.options.items()))
        for plan in plans
    ]
    return blake2b(repr(said).encode(), digest_size=16).digest()


def basis_key(info: "FileInfo", plan: bytes) -> bytes:
    """The identity of all that decides what a file says, beside its bytes; an empty plan for its facts."""
    return _kind_key(*info[1:]) + plan


@cache
def _kind_key(language: str, role: str, unit: "Unit") -> bytes:
    return blake2b(repr((_tool_key(), language, role, unit)).encode(), digest_size=16).digest()


@cache
def _tool_key() -> str:
    """The tool, the grammars and the interpreter; in a checkout, the state of our own source too."""
    import guards

    digest = blake2b(digest_size=16)
    for folder, folders, names in os.walk(os.path.dirname(guards.__file__), followlinks=True):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".py", ".toml")):
                status = os.stat(os.path.join(folder, name))
                digest.update(f"{name}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    grammars = [_file_stamp(name) for name in ("tree_sitter_c_sharp", "tree_sitter_python", "tree_sitter_gdscript")]
    return repr((__version__, sys.version_info[:2], grammars, digest.hexdigest()))


def _file_stamp(module: str) -> str:
    from importlib.util import find_spec

    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return ""
    status = os.stat(spec.origin)
    return f"{status.st_size}:{status.st_mtime_ns}"


class Cache:
    """The open cache of one project; a context manager that writes what it was given at its end."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._pending: dict[str, list[Entry]] = {SAID: [], OUTLINE: []}
        self._restamped: list[tuple[int, int, str, str]] = []
        self.trouble = ""

    def __enter__(self) -> Self:
        try:
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            self._connection = sqlite3.connect(self._file, timeout=1.0, isolation_level=None)
            self._connection.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._write()
        if self._connection is not None:
            self._connection.close()

    def known(self, kind: str) -> Mapping[str, Known]:
        """Every row of a kind by path."""
        return {known.path: known for known in map(Known._make, self._rows(_KNOWN, kind))}

    def facts(self, path: str, language: str, outline: Known) -> object | None:
        """The facts of a file that belong to an outline, or None where there are none or they cannot be read."""
        for (value,) in self._rows(_FACTS, path, outline.content, outline.basis):
            if isinstance(value, bytes):
                return unpacked(language, FACTS, value)
        return None

    def put(self, kind: str, entry: Entry) -> None:
        """Remembers a row until the end of the run."""
        self._pending[kind].append(entry)

    def restamp(self, kind: str, path: str, stamp: Stamp) -> None:
        """Renews the stamp of a row whose content is the same."""
        if stamp.mtime_ns <= time_ns() - _RACY_NS:
            self._restamped.append((*stamp, kind, path))

    def _rows(self, query: str, *values: str | bytes) -> list[Row]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    def _write(self) -> None:
        if self._connection is None or not (any(self._pending.values()) or self._restamped):
            return
        try:
            self._connection.execute("begin immediate")
            for kind, entries in self._pending.items():
                rows = [row for row in map(_row, entries) if row is not None]
                self._connection.executemany(_PUT, [(kind, *known) for known, _ in rows])
                self._connection.executemany(_PUT_FACTS, [facts for _, facts in rows if facts[-1]])
            self._connection.executemany(_RESTAMP, self._restamped)
            self._connection.execute("commit")
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        """Goes on without; a file that is no database is removed, so that the next run has one again."""
        self.trouble = f"the cache could not be used ({error}); the run went on without it"
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                os.unlink(self._file)


_SAID_DECODER = msgspec.msgpack.Decoder(Collected)


def said(known: Known) -> Collected | None:
    """What a file said, or None where that cannot be read."""
    return decoded(_SAID_DECODER, known.value)


def outline(language: str, known: Known) -> object | None:
    """The outline of a file's facts, or None where that cannot be read."""
    return unpacked(language, OUTLINE_TYPE, known.value)


def _row(entry: Entry) -> tuple[tuple[object, ...], tuple[object, ...]] | None:
    """The columns of an entry and of its facts; None where no encoding knows them, such as a lone surrogate."""
    stamp = entry.stamp
    if stamp is None or stamp.mtime_ns > time_ns() - _RACY_NS:
        stamp = Stamp(-1, -1)
    value = encoded(entry.value) if entry.value is not None else b""
    facts = encoded(entry.facts) if entry.facts is not None else b""
    if value is None or facts is None:
        return None
    path, _, content, basis, *_ = entry
    return (path, *stamp, content, basis, value), (path, content, basis, facts)
