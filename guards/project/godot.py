"""Godot: a script belongs to the nearest ``project.godot`` above it."""

import re

from guards.project.disk import Disk, Inherited, Unread
from guards.project.model import Unit

_NAME = re.compile(rb'^config/name[ \t]*=[ \t]*"([^"\r\n]{0,200})"', re.MULTILINE)


class GodotUnits:
    """The Godot projects of one repository."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._units = Inherited(Unit(), self._step)

    def unit(self, path: str) -> Unit:
        """The Godot project that a script belongs to."""
        return self._units.of(path.rpartition("/")[0])

    def _step(self, folder: str, above: Unit) -> Unit:
        if "project.godot" not in self._disk.folder(folder).files:
            return above
        path = f"{folder}/project.godot" if folder else "project.godot"
        try:
            name = _NAME.search(self._disk.read_project_file(path))
        except Unread:
            name = None
        return Unit("godot", name[1].decode("utf-8", "replace") if name else "", path)
