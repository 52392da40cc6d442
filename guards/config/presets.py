"""Presets are TOML files for people; the program reads the module that this makes of them.

``tomllib`` takes longer to import than the rest of the configuration takes to load.
"""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

_HEAD = '''"""The presets by name, made from ``presets/*.toml`` by ``tools/generate.py``; change those."""

from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, object]] = '''
_WIDTH = 120


def compile_presets(folder: str) -> str:
    """The text of the module ``_presets.py`` for a folder of preset files.

    It is formatted as ``ruff format`` would, and the same wherever it is made.

    Raises:
        tomllib.TOMLDecodeError: a preset is no valid TOML.
    """
    presets = {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("*.toml"))
    }
    return f"{_HEAD}{_literal(presets, 0, len(_HEAD.rpartition(chr(10))[2]))}\n"


def _literal(value: object, depth: int, column: int) -> str:
    """A value as Python; on several lines where it does not fit behind ``column``."""
    flat = _flat(value)
    if column + len(flat) < _WIDTH or not isinstance(value, Mapping | list) or not value:
        return flat
    indent = " " * 4 * (depth + 1)
    if isinstance(value, Mapping):
        pairs = ((f"{_text(name)}: ", item) for name, item in value.items())
        lines = (f"{start}{_literal(item, depth + 1, len(indent) + len(start))}" for start, item in pairs)
        opening, closing = "{", "}"
    else:
        lines = (_literal(item, depth + 1, len(indent)) for item in value)
        opening, closing = "[", "]"
    return opening + "".join(f"\n{indent}{line}," for line in lines) + "\n" + " " * 4 * depth + closing


def _flat(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(name)}: {_flat(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    # The quotes that ruff prefers.
    return repr(text) if '"' in text else json.dumps(text, ensure_ascii=False)
