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
    if os.path.realpath(file) != os.path.join(os.path.realpath(root), *path.split("/")):
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
