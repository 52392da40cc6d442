"""Which files are guarded, told by their names alone."""

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
_NAMES = frozenset(
    {
        "project.godot",
        "pyproject.toml",
        "pytest.toml",
        ".pytest.toml",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "setup.cfg",
    }
)
# Names that mean something only in a folder of a certain name.
_IN_FOLDER = {
    ("Packages", "manifest.json"),
    ("Packages", "packages-lock.json"),
    ("ProjectSettings", "ProjectVersion.txt"),
}
UNITY_PACKAGE = "package.json"


def language_of(path: str) -> str:
    """The language of a guarded file, ``project`` for project files, or nothing.

    ``package.json`` counts as a project file here; whether Unity or somebody else reads it,
    its folder tells.
    """
    folder, _, name = path.rpartition("/")
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot > 0 else ""
    language = _SUFFIXES.get(suffix)
    if language is not None:
        return language
    if name in _NAMES or name == UNITY_PACKAGE:
        return PROJECT
    parent = folder.rpartition("/")[2]
    if (parent, name) in _IN_FOLDER or (parent == "ProjectSettings" and suffix == ".asset"):
        return PROJECT
    return ""
