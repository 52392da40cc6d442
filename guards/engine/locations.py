"""Where caches are: found without opening one."""

import os
import re
import sys
from hashlib import blake2b

from guards import __version__

_CACHE_NAME = re.compile(r"[0-9a-f]{24}-[^/]+\.sqlite(?:-journal|-wal|-shm)?")


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


def cache_files(folder: str) -> list[str]:
    """The caches in a folder, of all projects and versions, with what SQLite keeps beside them."""
    if not os.path.isdir(folder):
        return []
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if _CACHE_NAME.fullmatch(name)]
