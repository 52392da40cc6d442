"""Which files are guarded, told by their names alone."""

import re

CSHARP, GDSCRIPT, PYTHON, PROJECT = "csharp", "gdscript", "python", "project"

_SUFFIXES = {
    ".cs": CSHARP,
    ".gd": GDSCRIPT,
    ".py": PYTHON,
    ".asmdef": PROJECT,
    ".asmref": PROJECT,
    ".csproj": PROJECT,
    ".props": PROJECT,
    ".rsp": PROJECT,
    ".targets": PROJECT,
}
UNITY_PACKAGE = "package.json"
_NAMES = frozenset(
    {"project.godot", UNITY_PACKAGE, "pyproject.toml"}
    | {"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg"}
)
# Names that mean something only in a folder of a certain name.
_FOLDER_OF_NAME = {
    "manifest.json": "Packages",
    "packages-lock.json": "Packages",
    "ProjectSettings.asset": "ProjectSettings",
    "ProjectVersion.txt": "ProjectSettings",
}


def pattern() -> str:
    """A regular expression, to be searched in paths, that finds every guarded file (and some more of the same name)."""
    suffixes = "|".join(suffix[1:] for suffix in sorted(_SUFFIXES))
    names = sorted(_NAMES | {f"{folder}/{name}" for name, folder in _FOLDER_OF_NAME.items()})
    return rf"(?i:\.({suffixes}))$|(^|/)({'|'.join(map(re.escape, names))})$"


def language_of(path: str) -> str:
    """The language of a guarded file, ``project`` for project files, or nothing.

    ``package.json`` counts as a project file here; whether Unity or somebody else reads it,
    its folder tells.
    """
    folder, _, name = path.rpartition("/")
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot > 0 else ""
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if name in _NAMES:
        return PROJECT
    parent = _FOLDER_OF_NAME.get(name)
    return PROJECT if parent and folder.rpartition("/")[2] == parent else ""
