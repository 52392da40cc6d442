"""Files of evidence: read with limits, never through a link out of the bundle, and watched while they are read."""

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from io import BufferedReader

# A journal of 100,000 leaves has about 200 MB.
SIZE_LIMIT = 1 << 30
# A line longer than this is no record of one test.
LINE_LIMIT = 16 << 20


class Unreadable(Exception):
    """A file that is there and cannot be read as evidence; ``str()`` is the reason."""


class Missing(Exception):
    """A file that is not there."""


class Seen(NamedTuple):
    """What a file was when it was first looked at."""

    size: int
    modified_ns: int
    inode: int


class Bundle:
    """The files below one folder, or one file alone; paths are relative and have forward slashes."""

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)
        self._real_root = os.path.realpath(root)
        self._seen: dict[str, Seen] = {}

    def read(self, path: str, limit: int = SIZE_LIMIT) -> bytes:
        """The bytes of a file.

        Raises:
            Missing: it is not there.
            Unreadable: it is no regular file, a link out of the bundle, not permitted or too large.
        """
        with self._opened(path, limit) as stream:
            # A file that grows meanwhile is told of by `changed`; to ask for more than there is costs memory at once.
            return stream.read(self._seen[path].size)

    def head(self, path: str, length: int) -> bytes:
        """The first bytes of a file.

        Raises:
            Missing, Unreadable: as ``read``.
        """
        with self._opened(path, SIZE_LIMIT) as stream:
            return stream.read(length)

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of a file, each with its line feed; only the last may lack it.

        Raises:
            Missing, Unreadable: as ``read``; also for a line that nobody would call a record.
        """
        with self._opened(path, SIZE_LIMIT) as stream:
            while line := stream.readline(LINE_LIMIT + 1):
                if len(line) > LINE_LIMIT:
                    raise Unreadable(f"it has a line of more than {LINE_LIMIT} bytes")
                yield line

    def opened(self, path: str) -> "BufferedReader":
        """A file, open to be read in parts; the caller closes it.

        Raises:
            Missing, Unreadable: as ``read``.
        """
        return self._opened(path, SIZE_LIMIT)

    def seen(self, path: str) -> Seen:
        """Size and time of a file, as they were when it was first looked at.

        Raises:
            Missing, Unreadable: as ``read``.
        """
        if path not in self._seen:
            self._look(path, SIZE_LIMIT)
        return self._seen[path]

    def has(self, path: str) -> bool:
        """Whether anything stands at a path, be it a file, a folder or a link that leads nowhere."""
        return os.path.lexists(self._absolute(path))

    def names(self, folder: str) -> tuple[str, ...]:
        """What stands in a folder, sorted; nothing where there is none, or only a link out of the bundle."""
        absolute = self._absolute(folder)
        if not self._inside(os.path.realpath(absolute)):
            return ()
        try:
            return tuple(sorted(os.listdir(absolute)))
        except OSError:
            return ()

    def below(self, folder: str) -> tuple[str, ...]:
        """All files below a folder, relative to it and sorted part by part; no link to a folder is followed."""
        found: list[tuple[str, ...]] = []
        top = self._absolute(folder)
        if not self._inside(os.path.realpath(top)):
            return ()
        for at, _, files in os.walk(top):
            relative = os.path.relpath(at, top)
            parts = () if relative == os.curdir else tuple(relative.split(os.sep))
            found.extend((*parts, name) for name in files)
        return tuple("/".join(parts) for parts in sorted(found))

    def changed(self) -> tuple[str, ...]:
        """The files that are no longer what they were when they were first looked at, sorted."""
        changed = []
        for path, before in self._seen.items():
            try:
                now = self._status(path)
            except (Missing, Unreadable):
                changed.append(path)
            else:
                if before != _seen(now):
                    changed.append(path)
        return tuple(sorted(changed))

    def _opened(self, path: str, limit: int) -> "BufferedReader":
        self._look(path, limit)
        try:
            return open(self._absolute(path), "rb")
        except OSError as error:
            raise Unreadable(error.strerror or str(error)) from None

    def _look(self, path: str, limit: int) -> None:
        status = self._status(path)
        if status.st_size > limit:
            raise Unreadable(f"it has {status.st_size} bytes; the limit is {limit}")
        self._seen.setdefault(path, _seen(status))

    def _status(self, path: str) -> os.stat_result:
        absolute = self._absolute(path)
        try:
            if not self._inside(os.path.realpath(absolute)):
                raise Unreadable("it is a link out of the bundle")
            status = os.stat(absolute)
        except FileNotFoundError:
            if os.path.lexists(absolute):
                raise Unreadable("it is a link that leads nowhere") from None
            raise Missing(path) from None
        except (OSError, ValueError) as error:
            raise Unreadable(getattr(error, "strerror", None) or "its name cannot be looked up") from None
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("it is a folder" if stat.S_ISDIR(status.st_mode) else "it is no regular file")
        return status

    def _absolute(self, path: str) -> str:
        return os.path.join(self.root, path) if path else self.root

    def _inside(self, real: str) -> bool:
        return real == self._real_root or real.startswith(self._real_root.rstrip(os.sep) + os.sep)


def _seen(status: os.stat_result) -> Seen:
    return Seen(status.st_size, status.st_mtime_ns, status.st_ino)
