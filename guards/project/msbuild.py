"""As much of MSBuild as tells what a project is made of: properties, items, conditions, imports.

A condition is true, false or unknown. What stands under an unknown one counts in the project
file itself, where it mostly asks for the target framework, and does not count in imported
files, where it mostly asks which project this is.
"""

import posixpath
import re
from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple

from guards.project.disk import Disk, Unread
from guards.project.msbuild_condition import expand, holds
from guards.source.text import Unreadable, decode

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_FILES = 64
_MOST_ELEMENTS = 50_000
# Folders are absolute to MSBuild; here the root of the repository stands for the root of all.
_ROOT = "/root"
_DECLARATION = re.compile(rb"\A\s*<\?xml[^>]*\?>")
_FORBIDDEN = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_FILE_ABOVE = re.compile(
    r"\$\(\s*\[MSBuild\]::GetPathOfFileAbove\(\s*['\"`]?([\w.-]+)['\"`]?\s*(?:,\s*['\"`]?([^'\"`()]*)['\"`]?\s*)?\)\s*\)",
    re.IGNORECASE,
)
_FOLDER_ABOVE = re.compile(
    r"\$\(\s*\[MSBuild\]::GetDirectoryNameOfFileAbove\(\s*['\"`]?([^'\"`(),]*)['\"`]?\s*,\s*['\"`]?([\w.-]+)['\"`]?\s*\)\s*\)",
    re.IGNORECASE,
)


class Item(NamedTuple):
    """One item: its kind, and its attributes and metadata by lower-cased name, with properties expanded."""

    kind: str
    values: dict[str, str]

    def value(self, name: str) -> str:
        """An attribute or metadata of the item, or nothing."""
        return self.values.get(name.lower(), "")


class XmlFiles:
    """Project files as XML, each parsed once."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self._parsed: dict[str, Element | Unread] = {}

    def load(self, path: str) -> "Element":
        """The root element of a file.

        Raises:
            Unread: it is missing, too large, no XML, or declares entities.
        """
        if path not in self._parsed:
            try:
                self._parsed[path] = _parse(self.disk, path)
            except Unread as error:
                self._parsed[path] = error
        parsed = self._parsed[path]
        if isinstance(parsed, Unread):
            raise parsed
        return parsed


def _parse(disk: Disk, path: str) -> "Element":
    from xml.etree.ElementTree import ParseError, fromstring

    try:
        data = _DECLARATION.sub(b"", decode(path, disk.read_project_file(path)).data)
    except Unreadable as error:
        raise Unread(str(error)) from None
    if _FORBIDDEN.search(data):
        raise Unread("it declares a document type or entities, which project files never need")
    if data.count(b"<") > 2 * _MOST_ELEMENTS:
        raise Unread("it has too many elements")
    try:
        root = fromstring(data)  # noqa: S314 entities were refused above
    except (ParseError, ValueError, RecursionError):
        raise Unread("it is no XML") from None
    for element in root.iter():
        # Old project files have a namespace, new ones have none; nothing depends on it.
        element.tag = element.tag.rpartition("}")[2]
    return root


class Evaluation:
    """One project with all that it imports.

    ``properties`` has lower-cased names; None is a value that cannot be told. ``sdks`` are the
    SDKs that the project names, ``note`` says why its file could not be read.
    """

    def __init__(self, files: XmlFiles, path: str) -> None:
        self._files = files
        self._path = path
        self._item_groups: list[tuple[Element, bool]] = []
        self._met: set[str] = set()
        self.sdks: list[str] = []
        self.note = ""
        folder, _, name = path.rpartition("/")
        self.properties: dict[str, str | None] = {
            "msbuildprojectname": name.rpartition(".")[0],
            "msbuildprojectfile": name,
            "msbuildprojectextension": ".csproj",
            "msbuildprojectdirectory": posixpath.join(_ROOT, folder).rstrip("/"),
        }
        for imported in ("Directory.Build.props", "Directory.Packages.props"):
            self._load(self._above(folder, imported))
        self._load(path)
        self._load(self._above(folder, "Directory.Build.targets"))

    def flag(self, name: str) -> bool | None:
        """A property that is true or false; None where it is neither."""
        value = (self.properties.get(name.lower()) or "").strip().lower()
        return {"true": True, "enable": True, "false": False, "disable": False}.get(value)

    def items(self, *kinds: str, names: Container[str] | None = None) -> list[Item]:
        """The items of some kinds, in order; they see the last value of each property.

        ``names`` are the lower-cased ``Include`` values that matter: central lists of versions are long.
        """
        return [
            self._item(element)
            for group, own in self._item_groups
            if self._counts(group, own=own)
            for element in group
            if element.tag in kinds and (names is None or _may_be(element, names)) and self._counts(element, own=own)
        ]

    def _item(self, element: "Element") -> Item:
        values = {name.lower(): self._expanded(value) or "" for name, value in element.attrib.items()}
        for child in element:
            values.setdefault(child.tag.lower(), self._expanded((child.text or "").strip()) or "")
        return Item(element.tag, values)

    def _load(self, path: str | None) -> None:
        if path is None or path in self._met or len(self._met) >= _MOST_FILES:
            return
        self._met.add(path)
        try:
            root = self._files.load(path)
        except Unread as error:
            if path == self._path:
                self.note = str(error)
            return
        self.sdks.extend(sdk.strip() for sdk in root.get("Sdk", "").split(";") if sdk.strip())
        waiting = list(reversed(root))
        while waiting:
            self._enter(path)
            waiting.extend(reversed(self._run(waiting.pop(), path)))

    def _enter(self, path: str) -> None:
        folder, _, name = path.rpartition("/")
        self.properties["msbuildthisfiledirectory"] = posixpath.join(_ROOT, folder).rstrip("/") + "/"
        self.properties["msbuildthisfile"] = name

    def _run(self, element: "Element", path: str) -> "list[Element]":
        """Takes in one statement of a file; gives back the statements in it that hold."""
        own = path == self._path
        name = element.tag
        if name == "ItemGroup":
            # Its condition is looked at when all properties are known.
            self._item_groups.append((element, own))
            return []
        if not self._counts(element, own=own):
            return []
        if name == "PropertyGroup":
            for child in element:
                if self._counts(child, own=own):
                    self.properties[child.tag.lower()] = self._expanded((child.text or "").strip())
        elif name == "Sdk":
            self.sdks.append(element.get("Name", ""))
        elif name == "Import":
            self._import(element, path)
        elif name == "ImportGroup":
            return list(element)
        elif name == "Choose":
            chosen = (branch for branch in element if branch.tag == "Otherwise" or self._counts(branch, own=own))
            return list(next(chosen, ()))
        return []

    def _import(self, element: "Element", path: str) -> None:
        if sdk := element.get("Sdk"):
            self.sdks.append(sdk)
            return
        project = self._expanded(element.get("Project", ""))
        if project:
            folder = posixpath.join(_ROOT, path.rpartition("/")[0])
            self._load(_inside(posixpath.join(folder, project.replace("\\", "/"))))

    def _counts(self, element: "Element", *, own: bool) -> bool:
        condition = element.get("Condition")
        if not condition or not condition.strip():
            return True
        truth = holds(condition, self.properties, self._exists)
        return own if truth is None else truth

    def _expanded(self, text: str) -> str | None:
        if "::" in text:
            # Properties first, since a path to start from is mostly one.
            text = re.sub(
                r"\$\(\s*MSBuildThisFileDirectory\s*\)", self.properties["msbuildthisfiledirectory"] or "", text
            )
            text = _FILE_ABOVE.sub(lambda call: self._file_above(call[1], call[2] or ""), text)
            text = _FOLDER_ABOVE.sub(lambda call: self._file_above(call[2], call[1]).rpartition("/")[0], text)
        return expand(text, self.properties)

    def _file_above(self, name: str, start: str) -> str:
        here = self.properties["msbuildthisfiledirectory"] or _ROOT
        folder = _inside(posixpath.join(here, start.replace("\\", "/")))
        found = None if folder is None else self._above(folder, name)
        return "" if found is None else f"{_ROOT}/{found}"

    def _above(self, folder: str, name: str) -> str | None:
        """The nearest file of a name, from a folder upward."""
        while name not in self._files.disk.folder(folder).files:
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        return f"{folder}/{name}" if folder else name

    def _exists(self, path: str) -> bool | None:
        here = self.properties["msbuildprojectdirectory"] or _ROOT
        found = _inside(posixpath.join(here, path.replace("\\", "/")))
        return None if found is None else self._files.disk.is_file(found) or self._files.disk.is_folder(found)


def _may_be(element: "Element", names: Container[str]) -> bool:
    include = element.get("Include", "")
    return "$" in include or include.strip().lower() in names


def _inside(path: str) -> str | None:
    """The project's path of an absolute one; None where it leads out of the root."""
    normal = posixpath.normpath(path)
    if normal == _ROOT:
        return ""
    return normal.removeprefix(f"{_ROOT}/") if normal.startswith(f"{_ROOT}/") else None
