"""Makes projects of any number of files: the same bytes every time, with flaws in known places.

Each language is a module that offers ``settings`` (the files that make the folder a project, for a
number of numbered files) and ``source`` (one numbered file). A third of the files are product code
that the tests use; tests differ in length and in what they do.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.synthetic import csharp, gdscript, python
from benchmarks.synthetic.model import Planted, Source

__all__ = ["LANGUAGES", "Planted", "generate"]

# Long ago: what changed a moment before it was read is looked at once more, which nobody wants to measure.
_MODIFIED_NS = 1_500_000_000 * 10**9


class _Language(NamedTuple):
    settings: Callable[[int], Iterator[Source]]
    source: Callable[[int, Random], Source]


LANGUAGES = {
    "csharp": _Language(csharp.settings, csharp.source),
    "gdscript": _Language(gdscript.settings, gdscript.source),
    "python": _Language(python.settings, python.source),
}


def generate(language: str, count: int, folder: Path) -> tuple[Planted, ...]:
    """Writes a project of ``count`` numbered files, and says where its flaws are, in order.

    A smaller project is a part of a larger one: file 17 is the same in both.
    """
    made = LANGUAGES[language]
    planted: list[Planted] = []
    numbered = (made.source(number, Random(f"{language} {number}")) for number in range(count))  # noqa: S311 no secrets
    for source in (*made.settings(count), Source("suiteguard.toml", 'presets = ["strict"]\n'), *numbered):
        path = folder / source.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.text, encoding="utf-8", newline="\n")
        os.utime(path, ns=(_MODIFIED_NS, _MODIFIED_NS))
        planted.extend(source.planted)
    return tuple(sorted(planted))
