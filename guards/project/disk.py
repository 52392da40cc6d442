"""The project on disk: files read with a limit, folders listed once, links never followed out.

Everything here goes by paths relative to the root, with forward slashes; the root itself is
the empty path. What a folder holds is what the disk says, whatever git thinks of it, so that
a run on one file sees the same project files as a run on all.
"""

import os
import stat
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from guards.project.model import Stamp

# Far above any honest source file; what is larger is data.
SIZE_LIMIT = 16 << 20
# Project files are read whole while others wait for them.
PROJECT_FILE_LIMIT = 2 << 20

LINK_NOWHERE = "links that lead nowhere"
LINK_OUT = "links out of the project"
LINK_FOLDER = "links to folders"
NOT_PERMITTED = "folders that cannot be listed"
FOLDER_ITSELF = "."
NO_FILE = "neither files nor folders"


T = TypeVar("T")


class Unread(Exception):
    """A file could not be read; ``str()`` is the reason."""


class Folder(NamedTuple):
    """What stands in one folder: names of files (links to files of the project among them) and of real folders.

    ``left_out`` are the other names, each with the reason why nothing looks at it; where the
    folder cannot be listed, ``.`` is one of them.
    """

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    left_out: Mapping[str, str] = {}

    def ending(self, *suffixes: str) -> list[str]:
        """Names of files that end so, in order."""
        return sorted(name for name in self.files if name.endswith(suffixes))


class Inherited(Generic[T]):
    """A value for each folder, made from that of the folder above by ``step(folder, above)``; each is made once."""

    def __init__(self, outermost: T, step: Callable[[str, T], T]) -> None:
        self._outermost = outermost
        self._step = step
        self._known: dict[str, T] = {}

    def of(self, folder: str) -> T:
        """The value of a folder; the root is the empty path."""
        known = self._known
        if folder in known:
            return known[folder]
        waiting = [folder]
        while waiting[-1] and (above := waiting[-1].rpartition("/")[0]) not in known:
            waiting.append(above)
        value = known[above] if waiting[-1] else self._outermost
        for path in reversed(waiting):
            value = known[path] = self._step(path, value)
        return value


class Disk:
    """The files below one root, with unsaved text (``overlay``) laid over them.

    Where ``only`` is given, the project holds these files and folders and no others.
    """

    def __init__(
        self, root: str, overlay: Mapping[str, bytes] | None = None, only: frozenset[str] | None = None
    ) -> None:
        self.root = os.path.abspath(root)
        self._real_root = os.path.realpath(root)
        self._overlay = overlay or {}
        self.only = only
        self._overlaid_folders: dict[str, set[str]] = {}
        for path in self._overlay:
            folder, _, name = path.rpartition("/")
            self._overlaid_folders.setdefault(folder, set()).add(name)
        self._folders = Inherited(Folder(), self._scan)

    def absolute(self, path: str) -> str:
        """The path for the operating system."""
        return os.path.join(self.root, path) if path else self.root

    def read(self, path: str, limit: int = SIZE_LIMIT) -> bytes:
        """The bytes of a file.

        Raises:
            Unread: it is missing, no regular file, not permitted or larger than the limit.
        """
        if path in self._overlay:
            return self._overlay[path]
        try:
            status = os.stat(self.absolute(path))
            if not stat.S_ISREG(status.st_mode):
                raise Unread("it is a folder" if stat.S_ISDIR(status.st_mode) else "it is no regular file")
            if status.st_size > limit:
                raise Unread(f"it has {status.st_size} bytes; the limit is {limit}")
            with open(self.absolute(path), "rb") as stream:
                raw = stream.read(limit + 1)
        except (OSError, ValueError) as error:
            raise Unread(_reason(error)) from None
        if len(raw) > limit:
            raise Unread(f"it has more than {limit} bytes")
        return raw

    def read_project_file(self, path: str) -> bytes:
        """The bytes of a file that says something of others, which may be no link out of the project.

        Raises:
            Unread: as ``read``, with a lower limit.
        """
        if not self.is_file(path):
            raise Unread("it does not exist")
        return self.read(path, PROJECT_FILE_LIMIT)

    def stamp(self, path: str) -> Stamp | None:
        """What tells that a file is unchanged; None for unsaved text and for what cannot be looked at."""
        if path in self._overlay:
            return None
        try:
            status = os.stat(self.absolute(path))
        except (OSError, ValueError):
            return None
        return Stamp(status.st_size, status.st_mtime_ns)

    def folder(self, path: str) -> Folder:
        """What stands in a folder; empty where there is none, or none that is the project's."""
        return self._folders.of(path)

    def is_file(self, path: str) -> bool:
        """Whether a path is a file of the project."""
        folder, _, name = path.rpartition("/")
        return name in self.folder(folder).files

    def is_folder(self, path: str) -> bool:
        """Whether a path is a real folder of the project."""
        parent, _, name = path.rpartition("/")
        return not path or name in self.folder(parent).folders

    def inside(self, real_path: str) -> bool:
        """Whether an absolute path without links lies below the root."""
        return real_path == self._real_root or real_path.startswith(self._real_root.rstrip(os.sep) + os.sep)

    def relative(self, path: str) -> str | None:
        """The project's path of a path from the command line; None where it lies outside.

        Links among its folders are resolved, so that each file has one path.
        """
        folder, name = os.path.split(os.path.abspath(path))
        real = os.path.join(os.path.realpath(folder), name)
        if not self.inside(real):
            # The last part may itself be a link to the root or to a folder in it.
            real = os.path.realpath(real)
            if not self.inside(real):
                return None
        relative = os.path.relpath(real, self._real_root)
        return "" if relative == os.curdir else relative.replace(os.sep, "/")

    def _scan(self, path: str, above: Folder) -> Folder:
        files = list(self._overlaid_folders.get(path, ()))
        folders: list[str] = []
        left_out: dict[str, str] = {}
        if path and path.rpartition("/")[2] not in above.folders:
            return Folder(frozenset(files))
        try:
            with os.scandir(self.absolute(path)) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        if reason := self._link(entry.path):
                            left_out[entry.name] = reason
                        else:
                            files.append(entry.name)
                    elif entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        files.append(entry.name)
                    else:
                        left_out[entry.name] = NO_FILE
        except (OSError, ValueError):
            left_out[FOLDER_ITSELF] = NOT_PERMITTED
        return self._narrowed(path, Folder(frozenset(files), frozenset(folders), left_out))

    def _narrowed(self, path: str, folder: Folder) -> Folder:
        if self.only is None:
            return folder
        prefix = f"{path}/" if path else ""
        return Folder(
            frozenset(name for name in folder.files if prefix + name in self.only),
            frozenset(name for name in folder.folders if prefix + name in self.only),
            {name: why for name, why in folder.left_out.items() if name == FOLDER_ITSELF or prefix + name in self.only},
        )

    def _link(self, path: str) -> str:
        """Why a link is not looked at; empty where it leads to a file of the project."""
        try:
            target = os.path.realpath(path, strict=True)
        except (OSError, ValueError):
            return LINK_NOWHERE
        if not self.inside(target):
            return LINK_OUT
        if os.path.isdir(target):
            return LINK_FOLDER
        return "" if os.path.isfile(target) else NO_FILE


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it does not exist"
    if isinstance(error, PermissionError):
        return "reading it is not permitted"
    return (error.strerror if isinstance(error, OSError) else None) or "its name or content cannot be read"
