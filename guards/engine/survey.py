"""What a project consists of, as far as its configuration depends on it: what ``suiteguard init`` looks at."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from guards.project.files import ProjectFiles, Unread
from guards.project.model import TEST, FileInfo

# Which preset is made for the suites of a framework of Godot, by the class that they derive from.
_GODOT_PRESETS = {"GdUnitTestSuite": "gdunit4", "GutTest": "gut", "McpTestSuite": "godot-mcp"}
_SUITE = re.compile(
    rb"^[ \t]*(?:class_name[ \t]+\w+[ \t]+)?extends[ \t]+(GdUnitTestSuite|GutTest|McpTestSuite)\b", re.MULTILINE
)
_ADDONS = "addons/"


class Survey(NamedTuple):
    """What was found.

    ``tests`` are sentences about the tests, such as ``12 C# test files in 3 Unity test assemblies``;
    ``presets`` fit them. ``unity`` says that tests of Unity are among them, ``gdscript`` that there are
    scripts of Godot.
    """

    tests: tuple[str, ...]
    presets: tuple[str, ...]
    unity: bool
    gdscript: bool


def survey(files: ProjectFiles) -> Survey:
    """Looks at all guarded files; nothing is parsed."""
    infos = [files.info(path) for path in files.listing()]
    csharp = [info for info in infos if info.language == "csharp" and info.role == TEST]
    python = [info for info in infos if info.language == "python" and info.role == TEST]
    suites = Counter(_suites(files, infos))
    return Survey(
        (*_csharp(csharp), *_godot(suites), *_python(python)),
        ("recommended", *(_GODOT_PRESETS[base] for base, _ in suites.most_common(1))),
        any(info.unit.kind == "asmdef" for info in csharp),
        any(info.language == "gdscript" for info in infos),
    )


def _csharp(tests: list[FileInfo]) -> Iterator[str]:
    for kind, where in (("asmdef", "Unity test assembl"), ("csproj", ".NET test project")):
        own = [info for info in tests if info.unit.kind == kind]
        units = len({info.unit.path for info in own})
        if own:
            ending = ("y" if units == 1 else "ies") if where.endswith("l") else "" if units == 1 else "s"
            yield f"{_counted(len(own), 'C# test file')} in {units} {where}{ending}"


def _godot(suites: Counter[str]) -> Iterator[str]:
    for base, count in suites.most_common():
        yield f"{_counted(count, 'GDScript suite')} of {base}"


def _python(tests: list[FileInfo]) -> Iterator[str]:
    if tests:
        named = sorted({info.unit.path for info in tests if info.unit.path})
        by = f", by {', '.join(named[:3])}{' and others' if len(named) > 3 else ''}" if named else ""
        yield f"{_counted(len(tests), 'Python test file')} that pytest collects{by}"


def _suites(files: ProjectFiles, infos: list[FileInfo]) -> Iterator[str]:
    """The base of each suite that says it in so many words, outside of add-ons."""
    for info in infos:
        if info.language == "gdscript" and f"/{_ADDONS}" not in f"/{info.path}":
            try:
                found = _SUITE.search(files.read(info.path))
            except Unread:
                continue
            if found is not None:
                yield found[1].decode()


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
