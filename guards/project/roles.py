"""What is known of a file before it is parsed: language, role and unit."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from guards.project.disk import Disk
from guards.project.kinds import CSHARP, GDSCRIPT, PROJECT, PYTHON, language_of
from guards.project.model import PRODUCT, PROJECT_FILE, UNDECIDED, FileInfo

if TYPE_CHECKING:
    from guards.project.csharp_units import CSharpUnits
    from guards.project.godot import GodotUnits
    from guards.project.python_units import PythonUnits


class Roles:
    """Answers for one project. What a folder's project files say is read once."""

    def __init__(self, disk: Disk, listing: Callable[[], Sequence[str]]) -> None:
        self._disk = disk
        self._listing = listing

    def info(self, path: str) -> FileInfo:
        """The language, role and unit of a file; the language is empty where it is not a guarded one."""
        language = language_of(path)
        if language == CSHARP:
            return FileInfo(path, language, *self._csharp.role_and_unit(path))
        if language == PYTHON:
            return FileInfo(path, language, *self._python.role_and_unit(path))
        if language == GDSCRIPT:
            return FileInfo(path, language, UNDECIDED, self._godot.unit(path))
        if language == PROJECT:
            return FileInfo(path, language, PROJECT_FILE, self._csharp.declared_by(path))
        return FileInfo(path, language, PRODUCT)

    @cached_property
    def _csharp(self) -> "CSharpUnits":
        from guards.project.csharp_units import CSharpUnits

        return CSharpUnits(self._disk, self._listing)

    @cached_property
    def _python(self) -> "PythonUnits":
        from guards.project.python_units import PythonUnits

        return PythonUnits(self._disk)

    @cached_property
    def _godot(self) -> "GodotUnits":
        from guards.project.godot import GodotUnits

        return GodotUnits(self._disk)
