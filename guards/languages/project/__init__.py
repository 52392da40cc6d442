"""Project files (.asmdef, .rsp, .csproj, …) as rules see them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from guards.findings.model import Comment, Related, UnreadRegion
from guards.languages.base import Use
from guards.project.model import FileInfo
from guards.source.text import SourceText

if TYPE_CHECKING:
    from guards.languages.project.xml_texts import XmlDocument
    from guards.source.json_tree import Document

# Kinds of project files, which are what their rules ask for.
ASMDEF, ASMREF, RSP = "asmdef", "asmref", "rsp"
CSPROJ, PROPS, TARGETS = "csproj", "props", "targets"
MANIFEST, LOCK, PACKAGE = "manifest", "packages-lock", "package"
PROJECT_SETTINGS, SETTINGS, EDITOR_VERSION = "project-settings", "settings", "project-version"
GODOT, TOML, INI = "godot", "toml", "ini"
JSON_KINDS = frozenset({ASMDEF, ASMREF, MANIFEST, LOCK, PACKAGE})
XML_KINDS = frozenset({CSPROJ, PROPS, TARGETS})

_BY_NAME = {
    "manifest.json": MANIFEST,
    "packages-lock.json": LOCK,
    "package.json": PACKAGE,
    "ProjectSettings.asset": PROJECT_SETTINGS,
    "ProjectVersion.txt": EDITOR_VERSION,
    "project.godot": GODOT,
}
_BY_SUFFIX = {
    "asmdef": ASMDEF,
    "asmref": ASMREF,
    "asset": SETTINGS,
    "cfg": INI,
    "csproj": CSPROJ,
    "ini": INI,
    "props": PROPS,
    "rsp": RSP,
    "targets": TARGETS,
    "toml": TOML,
}


class Facts(NamedTuple):
    """Nothing: what project files say of other files is known before those are read."""


class ProjectFile:
    """One project file. What it holds is parsed when a rule asks for it."""

    def __init__(self, text: SourceText, info: FileInfo) -> None:
        self.text = text
        self.info = info
        name = info.path.rpartition("/")[2]
        self.kind = _BY_NAME.get(name) or _BY_SUFFIX.get(name.rpartition(".")[2].lower(), "")

    @cached_property
    def comments(self) -> Sequence[Comment]:
        """Comments, in order; JSON and Unity's settings have none."""
        from guards.languages.project.comments import find_comments

        return tuple(find_comments(self.text, self.kind))

    @cached_property
    def unread(self) -> Sequence[UnreadRegion]:
        """From the first error on, nothing is known of a JSON or XML file."""
        error = self._document.error if self._document else None
        if error is None:
            return ()
        return (UnreadRegion(self.text.place(error, len(self.text.data))),)

    @cached_property
    def json(self) -> "Document | None":
        """The parsed document of a JSON file, None for others."""
        if self.kind not in JSON_KINDS:
            return None
        from guards.source.json_tree import parse_json

        return parse_json(self.text.data)

    @cached_property
    def xml(self) -> "XmlDocument | None":
        """The texts of an XML file, None for others."""
        if self.kind not in XML_KINDS:
            return None
        from guards.languages.project.xml_texts import parse_xml

        return parse_xml(self.text.data)

    @property
    def _document(self) -> "Document | XmlDocument | None":
        return self.json or self.xml

    def kinds(self) -> frozenset[str]:
        """The kind of the file, alone."""
        return frozenset({self.kind})

    def uses(self, member: str) -> Iterator[Use]:
        """Nothing: project files use no members."""
        del member
        yield from ()

    def facts(self) -> Facts:
        """Nothing."""
        return Facts()


class Index:
    """All project files together; there is nothing that they would have to be joined for."""

    def __init__(self, facts: Mapping[str, Facts], files: Mapping[str, FileInfo]) -> None:
        del facts, files

    def is_test(self, path: str) -> bool:
        """Never."""
        del path
        return False

    def full_names(self, path: str, use: Use) -> tuple[str, ...]:
        """None: there are no names."""
        del path, use
        return ()

    def reach(self, path: str, function: str, roots: str) -> tuple[Related, ...] | None:
        """No way: there are no functions."""
        del path, function, roots
        return None


def open_file(text: SourceText, info: FileInfo) -> ProjectFile:
    """Opens one project file."""
    return ProjectFile(text, info)
