"""What files said last time, so that unchanged ones are not parsed again.

One SQLite file a project and tool version, in the user's cache folder and never inside the
guarded repository: whoever could commit a cache could make a red run green. Only the parent
reads and writes it. Any trouble with it means to go on without.
"""

import os
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from guards import __version__
from guards.engine.task import Collected, RulePlan

if TYPE_CHECKING:
    from guards.project.model import FileInfo

# A file changed within the clock's coarse tick after we read it would look unchanged.
_RACY_NS = 2_000_000_000
_SCHEMA = """
create table if not exists file (
    path text primary key, size integer, mtime integer, content blob, plan blob, collected blob, facts blob
) without rowid
"""


class Stamp(NamedTuple):
    """What tells that a file on disk is still the one that was read."""

    size: int
    mtime_ns: int


class Entry(NamedTuple):
    """One file's row to be written."""

    path: str
    stamp: Stamp | None
    content: bytes
    plan: bytes
    collected: Collected
    facts: object


def content_key(raw: bytes) -> bytes:
    """The identity of a file's bytes."""
    return blake2b(raw, digest_size=16).digest()


def plan_key(info: "FileInfo", plans: Iterable[RulePlan]) -> bytes:
    """The identity of all that decides what a file says, beside its bytes."""
    return blake2b(repr((_tool_key(), info, [_stable(plan) for plan in plans])).encode(), digest_size=16).digest()


def _stable(plan: RulePlan) -> tuple[object, ...]:
    return (*plan._replace(options={}), sorted((name, repr(value)) for name, value in plan.options.items()))


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


def default_folder() -> str:
    """The user's cache folder, by the platform's custom; ``SUITEGUARD_CACHE_DIR`` wins."""
    named = os.environ.get("SUITEGUARD_CACHE_DIR")
    if named:
        return named
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "suiteguard")


def cache_file(root: str, folder: str | None = None) -> str | None:
    """Where the cache of a project is; None where that would be inside the project."""
    root = os.path.realpath(root)
    folder = os.path.realpath(folder or default_folder())
    if folder == root or folder.startswith(root + os.sep):
        return None
    name = blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return os.path.join(folder, f"{name}-{__version__}.sqlite")


class Cache:
    """The open cache of one project; a context manager that writes what it was given at its end."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._pending: dict[str, Entry] = {}
        self.trouble = ""

    def __enter__(self) -> Self:
        try:
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            self._connection = sqlite3.connect(self._file, timeout=1.0, isolation_level=None)
            self._connection.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self._write()
        if self._connection is not None:
            self._connection.close()

    def stamps(self) -> Mapping[str, tuple[Stamp, bytes, bytes]]:
        """Of every known file its stamp, content key and plan key."""
        rows = self._rows("select path, size, mtime, content, plan from file")
        return {path: (Stamp(size, mtime), content, plan) for path, size, mtime, content, plan in rows}

    def collected(self, path: str) -> Collected | None:
        """What a file said, or None where that cannot be read."""
        for (blob,) in self._rows("select collected from file where path = ?", path):
            try:
                return _COLLECTED.decode(blob)
            except (msgspec.DecodeError, TypeError):
                return None
        return None

    def facts(self, path: str, language: str) -> object | None:
        """The facts of a file, or None where there are none or they cannot be read."""
        for (blob,) in self._rows("select facts from file where path = ?", path):
            try:
                return _facts_decoder(language).decode(blob) if blob else None
            except (msgspec.DecodeError, TypeError):
                return None
        return None

    def put(self, entry: Entry) -> None:
        """Remembers a file at the end of the run."""
        self._pending[entry.path] = entry

    def _rows(self, query: str, *values: str) -> list[tuple[object, ...]]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    def _write(self) -> None:
        if self._connection is None or not self._pending:
            return
        try:
            self._connection.execute("begin immediate")
            self._connection.executemany(
                "insert or replace into file values (?, ?, ?, ?, ?, ?, ?)",
                [_row(entry) for entry in self._pending.values()],
            )
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
            try:
                os.unlink(self._file)
            except OSError:
                pass


_COLLECTED = msgspec.msgpack.Decoder(Collected)
_ENCODER = msgspec.msgpack.Encoder()


@cache
def _facts_decoder(language: str) -> "msgspec.msgpack.Decoder[object]":
    return msgspec.msgpack.Decoder(import_module(f"guards.languages.{language}").Facts)


def _row(entry: Entry) -> tuple[object, ...]:
    from time import time_ns

    stamp = entry.stamp
    if stamp is None or stamp.mtime_ns > time_ns() - _RACY_NS:
        stamp = Stamp(-1, -1)
    facts = b"" if entry.facts is None else _ENCODER.encode(entry.facts)
    return (entry.path, *stamp, entry.content, entry.plan, _ENCODER.encode(entry.collected), facts)
