"""Reading configuration files: which folder has one, and what its table is."""

import os
import re
from collections.abc import Mapping
from functools import cached_property
from stat import S_ISDIR, S_ISREG

from guards.config.layer import Key
from guards.config.model import ConfigError, ProblemAt

OWN_FILE, PYPROJECT = "suiteguard.toml", "pyproject.toml"
DEFAULT_BASELINE = "suiteguard-baseline.json"
_TOOL = ("tool", "suiteguard")
_LARGEST = 1 << 20
# tomllib takes quadratic time for keys of many parts.
_LONG_KEY = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")
_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


class ConfigFile:
    """One file with a table of ours: where it is, and what it says.

    ``path`` is what messages call it; ``folder`` is relative to the root, empty for the root.
    """

    def __init__(self, path: str, folder: str, table: Mapping[str, object], text: str, prefix: Key = ()) -> None:
        self.path = path
        self.folder = folder
        self.table = table
        self._text = text
        self._prefix = prefix

    @cached_property
    def _lines(self) -> Mapping[Key, int]:
        from guards.config.places import key_lines

        return key_lines(self._text)

    def line(self, key: Key) -> int:
        """The line of a key of ours, or of the nearest table around it that the file writes."""
        key = (*self._prefix, *key)
        while key and key not in self._lines:
            key = key[:-1]
        return self._lines.get(key, 0)

    def problem(self, key: Key, message: str) -> ProblemAt:
        """Something wrong at a key of ours."""
        return ProblemAt(self.path, self.line(key), _dotted((*self._prefix, *key)), message)


def file_in(root: str, folder: str) -> tuple[ConfigFile | None, ProblemAt | None]:
    """The file that governs a folder by standing in it, and a notice where a second is passed over.

    Raises:
        ConfigError: there is one, but it cannot be read.
    """
    own = _read(root, _join(folder, OWN_FILE), folder)
    project = _read(root, _join(folder, PYPROJECT), folder)
    if own is None or project is None:
        return own or project, None
    return own, project.problem((), f"this table is passed over: {own.path} stands beside it")


def named_file(root: str, path: str) -> ConfigFile:
    """The file that the command line names; its globs are anchored at the root.

    Raises:
        ConfigError: it cannot be read, or is a ``pyproject.toml`` without our table.
    """
    shown = os.path.relpath(path, root).replace(os.sep, "/") if _below(path, root) else path
    found = _read("", path, "", shown)
    if found is None:
        missing = "has no table [tool.suiteguard]" if os.path.exists(path) else "there is no such file"
        raise ConfigError((ProblemAt(shown, 0, "", missing),))
    return found


def _below(path: str, root: str) -> bool:
    return os.path.abspath(path).startswith(os.path.abspath(root).rstrip(os.sep) + os.sep)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _read(root: str, path: str, folder: str, shown: str = "") -> ConfigFile | None:
    """The file, or None where there is none or it has no table of ours."""
    shown = shown or path
    raw = _bytes(f"{root}/{path}" if root else path, shown)
    in_pyproject = os.path.basename(path) == PYPROJECT
    if raw is None or (in_pyproject and b"suiteguard" not in raw):
        return None
    try:
        text = raw.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        raise _error(shown, raw.count(b"\n", 0, error.start) + 1, f"byte {error.start} is not UTF-8") from None
    table = _parse(text, shown)
    if not in_pyproject:
        return ConfigFile(shown, folder, table, text)
    tool = table.get("tool")
    if not isinstance(tool, Mapping) or "suiteguard" not in tool:
        return None
    ours = tool["suiteguard"]
    if not isinstance(ours, Mapping):
        raise ConfigError((ConfigFile(shown, folder, {}, text, _TOOL).problem((), "must be a table"),))
    return ConfigFile(shown, folder, ours, text, _TOOL)


def _bytes(path: str, shown: str) -> bytes | None:
    """What stands in the file, or None where there is none. Devices and pipes are not opened."""
    # Most folders have none, and asking is far cheaper than an exception.
    if not _is_there(path):
        return None
    try:
        status = os.stat(path)
        if S_ISDIR(status.st_mode):
            # A folder of this name beside real projects would pass for "no configuration".
            raise _error(shown, 0, "is a folder, not a file")
        if not S_ISREG(status.st_mode):
            raise _error(shown, 0, "is no regular file")
        if status.st_size > _LARGEST:
            raise _error(shown, 0, "is larger than 1 MiB, which no configuration is")
        with open(path, "rb") as file:
            return file.read(_LARGEST)
    except FileNotFoundError:
        raise _error(shown, 0, "is a link to a file that does not exist") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _error(shown, 0, f"cannot be read: {reason}") from None


def _is_there(path: str) -> bool:
    """Whether there is anything at a path, be it a link to nowhere."""
    if os.access in os.supports_follow_symlinks:
        return os.access(path, os.F_OK, follow_symlinks=False)
    return os.path.lexists(path)


def _parse(text: str, shown: str) -> Mapping[str, object]:
    import tomllib

    if long := _LONG_KEY.search(text):
        raise _error(shown, text.count("\n", 0, long.start()) + 1, "a key has more than 64 parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _error(shown, 0, "it is nested too deeply") from None
    except ValueError as error:
        message = str(error)
        place = _SYNTAX_PLACE.search(message)
        line = int(place[1] or text.count("\n") + 1) if place else 0
        raise _error(shown, line, f"no valid TOML: {_SYNTAX_PLACE.sub('', message)}") from None


def _error(path: str, line: int, message: str) -> ConfigError:
    return ConfigError((ProblemAt(path, line, "", message),))


def _dotted(key: Key) -> str:
    """A key as people write it."""
    words = ""
    for part in key:
        if isinstance(part, int):
            words += f"[{part}]"
        else:
            words += "." * bool(words) + (part if re.fullmatch(r"[\w-]+", part) else f'"{part}"')
    return words
