"""Files of the project are written in one place: whole or not at all, and only where nobody is surprised."""

import os
import stat
from contextlib import suppress


class NotWritten(Exception):
    """A file was left alone; ``str()`` is the reason."""


def objection(root: str, path: str) -> str:
    """Why a file of the project must not be written to; empty where it may."""
    file = _absolute(root, path)
    try:
        status = os.lstat(file)
    except (OSError, ValueError) as error:
        return f"it cannot be looked at: {getattr(error, 'strerror', None) or error}"
    straight = os.path.join(os.path.realpath(root), *path.split("/"))
    if os.path.normcase(os.path.realpath(file)) != os.path.normcase(straight):
        return "it is a link, or reached through one"
    if not stat.S_ISREG(status.st_mode):
        return "it is no regular file"
    if status.st_nlink > 1:
        return "it has several names (hard links), which writing would part"
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(file, os.W_OK):
        return "it is read-only"
    return ""


def replace(root: str, path: str, before: bytes, after: bytes) -> None:
    """Gives a file other bytes; whoever reads it meanwhile gets the old ones or the new ones.

    Raises:
        NotWritten: it must not be written to, or does not hold ``before`` any more, or writing failed.
    """
    if reason := objection(root, path):
        raise NotWritten(reason)
    file = _absolute(root, path)
    try:
        with open(file, "rb") as stream:
            if stream.read() != before:
                raise NotWritten("it changed meanwhile")
        _replace(file, after)
    except OSError as error:
        raise NotWritten(f"writing it failed: {error.strerror or error}") from None


def create(root: str, path: str, data: bytes) -> None:
    """Makes a file that nobody sees before it is whole; one that is there is never overwritten.

    Raises:
        NotWritten: there is something at the path, its folder is none of the project, or writing failed.
    """
    file = _absolute(root, path)
    if os.path.lexists(file):
        raise NotWritten("it exists")
    folder = os.path.join(os.path.realpath(root), *path.split("/")[:-1])
    if not os.path.isdir(folder) or os.path.realpath(folder) != folder:
        raise NotWritten("its folder does not exist, or is reached through a link")
    temporary = f"{folder}{os.sep}.suiteguard-{os.getpid()}"
    try:
        with os.fdopen(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666), "wb") as stream:
            stream.write(data)
        try:
            _take_place(temporary, file)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
    except OSError as error:
        raise NotWritten(f"writing it failed: {error.strerror or error}") from None


def _take_place(temporary: str, file: str) -> None:
    """Gives a file its name, unless another has it by now."""
    try:
        os.link(temporary, file)
    except FileExistsError:
        raise
    except OSError:
        os.rename(temporary, file)  # a file system without hard links


def _replace(file: str, after: bytes) -> None:
    from tempfile import mkstemp

    status = os.stat(file)
    # The dot keeps it from file watchers and from Unity's importer.
    handle, temporary = mkstemp(prefix=".suiteguard-", dir=os.path.dirname(file))
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(after)
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(temporary, status.st_uid, status.st_gid)
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, file)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _absolute(root: str, path: str) -> str:
    return os.path.join(os.path.abspath(root), *path.split("/"))
