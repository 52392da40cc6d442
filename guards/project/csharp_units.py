"""C#: the assembly or project that a file is compiled in, and whether that is test code."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from guards.project.disk import Disk, Inherited, Unread
from guards.project.model import PRODUCT, SUPPORT, TEST, Unit

if TYPE_CHECKING:
    from guards.project.dotnet import DotnetProjects
    from guards.project.unity import Assemblies

_EDITOR_ASSEMBLY = "Assembly-CSharp-Editor"
_UNITY_FRAMEWORKS = (("test-frameworks", ("nunit", "utf")),)
# Only asked of files that no test assembly claims, and both must hold.
_TEST_ATTRIBUTE = re.compile(rb"[\[,.]\s*(?:Test|TestCase|TestCaseSource|Theory|UnityTest)(?:Attribute)?\s*[\](,]")
_FRAMEWORK_USING = re.compile(
    rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[ \t]*"
    rb"(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?(?:global::)?"
    rb"(NUnit\.Framework|Xunit|UnityEngine\.TestTools|Microsoft\.VisualStudio\.TestTools\.UnitTesting|TUnit\.Core)\b",
    re.MULTILINE,
)
_FRAMEWORK_OF_NAMESPACE = {
    b"NUnit.Framework": "nunit",
    b"Xunit": "xunit",
    b"UnityEngine.TestTools": "utf",
    b"Microsoft.VisualStudio.TestTools.UnitTesting": "mstest",
    b"TUnit.Core": "tunit",
}


class CSharpUnits:
    """The assemblies and projects of one repository: the nearest one above a file owns it."""

    def __init__(self, disk: Disk, listing: Callable[[], Sequence[str]]) -> None:
        self._disk = disk
        self._listing = listing
        self._units = Inherited(Unit(), self._step)

    def role_and_unit(self, path: str) -> tuple[str, Unit]:
        """The role and the unit of a C# file."""
        unit = self._units.of(path.rpartition("/")[0])
        if unit.test:
            return TEST, unit
        if unit.kind == "csproj":
            return (SUPPORT if unit.fact("test-frameworks") else PRODUCT), unit
        if unit.name == _EDITOR_ASSEMBLY and unit.kind == "unity":
            return self._in_editor_assembly(path, unit)
        if not unit.kind:
            return self._without_unit(path)
        return PRODUCT, unit

    def declared_by(self, path: str) -> Unit:
        """The unit that a project file declares; an empty one for other project files."""
        if path.endswith(".asmdef"):
            return self._assemblies.declared(path)
        if path.endswith(".csproj"):
            return self._projects.unit(path)
        return Unit()

    def _step(self, folder: str, above: Unit) -> Unit:
        here = self._disk.folder(folder)
        prefix = f"{folder}/" if folder else ""
        name = folder.rpartition("/")[2]
        if declared := here.ending(".asmdef"):
            return self._assemblies.declared(prefix + declared[0])
        if references := here.ending(".asmref"):
            return self._assemblies.referred(prefix + references[0])
        # The editor writes .csproj files beside `Assets` for IDEs; they say nothing about assemblies.
        if not self._is_unity_project(folder) and (projects := here.ending(".csproj")):
            named_alike = [project for project in projects if project == f"{name}.csproj"]
            return self._projects.unit(prefix + (named_alike or projects)[0])
        parent = folder.rpartition("/")[0]
        if name == "Assets" and (not above.kind or self._is_unity_project(parent)):
            return Unit("unity", "Assembly-CSharp", parent, facts=_UNITY_FRAMEWORKS)
        if above.kind == "unity" and name.lower() == "editor":
            return above._replace(name=_EDITOR_ASSEMBLY)
        return above

    def _is_unity_project(self, folder: str) -> bool:
        return {"Assets", "ProjectSettings"} <= self._disk.folder(folder).folders

    def _in_editor_assembly(self, path: str, unit: Unit) -> tuple[str, Unit]:
        """A file with a test attribute is a test in the editor, without any test assembly."""
        source = self._source(path)
        if _TEST_ATTRIBUTE.search(source) and (b"NUnit" in source or b"UnityEngine.TestTools" in source):
            return TEST, unit._replace(test=True, mode="EditMode")
        return PRODUCT, unit

    def _without_unit(self, path: str) -> tuple[str, Unit]:
        frameworks = sorted({_FRAMEWORK_OF_NAMESPACE[name] for name in _FRAMEWORK_USING.findall(self._source(path))})
        if not frameworks:
            return PRODUCT, Unit()
        return TEST, Unit(test=True, facts=(("test-frameworks", tuple(frameworks)),))

    def _source(self, path: str) -> bytes:
        try:
            return self._disk.read(path).replace(b"\0", b"")  # so that UTF-16 is seen, too
        except Unread:
            return b""

    @cached_property
    def _assemblies(self) -> "Assemblies":
        from guards.project.unity import Assemblies

        return Assemblies(self._disk, self._listing)

    @cached_property
    def _projects(self) -> "DotnetProjects":
        from guards.project.dotnet import DotnetProjects

        return DotnetProjects(self._disk)
