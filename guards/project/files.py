"""The guarded project: its files, their bytes, and what is known of each before it is parsed."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from guards.project.disk import Disk, Unread
from guards.project.model import FileInfo, Stamp

if TYPE_CHECKING:
    from guards.project.discover import Discovered
    from guards.project.roles import Roles

__all__ = ["ProjectFiles", "Unread"]


class ProjectFiles:
    """The files below one root.

    Nothing is listed before it is asked for: one file's language, role and unit come from its
    folder and those above. ``overlay`` is unsaved text by path; ``only`` are the files and folders
    that count, where not all do.
    """

    def __init__(
        self, root: str, overlay: Mapping[str, bytes] | None = None, only: frozenset[str] | None = None
    ) -> None:
        self._disk = Disk(root, overlay, only)
        self.root = self._disk.root
        self._infos: dict[str, FileInfo] = {}

    @cached_property
    def discovered(self) -> "Discovered":
        """All guarded files, and what was left out."""
        from guards.project.discover import discover

        return discover(self._disk)

    def listing(self) -> tuple[str, ...]:
        """The paths of all guarded files, sorted."""
        return self.discovered.files

    def named(self, paths: Sequence[str]) -> "Discovered":
        """The guarded files that paths from the command line name; see ``discover_named``."""
        from guards.project.discover import discover_named

        return discover_named(self._disk, paths, self.listing)

    def read(self, path: str) -> bytes:
        """The bytes of a file, or its unsaved text.

        Raises:
            Unread: with the reason.
        """
        return self._disk.read(path)

    def is_file(self, path: str) -> bool:
        """Whether a path is a file of the project, guarded or not."""
        return self._disk.is_file(path)

    def stamp(self, path: str) -> Stamp | None:
        """What tells that a file is unchanged; None for unsaved text and for what cannot be looked at."""
        return self._disk.stamp(path)

    def info(self, path: str) -> FileInfo:
        """The language, role and unit of a guarded file."""
        if path not in self._infos:
            self._infos[path] = self._roles.info(path)
        return self._infos[path]

    @cached_property
    def _roles(self) -> "Roles":
        from guards.project.roles import Roles

        return Roles(self._disk, self.listing)
