"""Which files are guarded: what git knows, or a walk where there is no git."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from guards.project.disk import FOLDER_ITSELF, LINK_FOLDER, NOT_PERMITTED, Disk, Folder, Inherited
from guards.project.git import GitFailed, git_paths
from guards.project.kinds import UNITY_PACKAGE, language_of

# Folders of other programs: never source, whatever project they stand in.
_PRUNED = frozenset(
    {".git", ".hg", ".svn", ".godot", ".nox", ".tox", ".venv", "node_modules"}
    | {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)
# `Library` is Unity's cache only where Unity's settings stand beside it; elsewhere it is source.
_PRUNED_IN_UNITY = frozenset({"Library", "Temp", "Logs", "UserSettings", "obj"})
_PRUNED_IN_DOTNET = frozenset({"bin", "obj"})

OTHER_KIND = "files of other kinds"
NO_UTF8 = "names that are not UTF-8"
SUBMODULES = "submodules"
PRUNED = "files in folders of caches and build results"
PRUNED_FOLDERS = "folders of caches and build results"
GIT_FAILED = "git could not list the files ({}); the folders were walked instead"
_STAGED = re.compile(r"([0-7]{6}) [0-9a-f]{40,64} \d\t")
_SUBMODULE_MODE = "160000"


class Discovered(NamedTuple):
    """The guarded files, sorted, and what else was met.

    ``skipped`` counts by reason what was left out. ``problems`` are messages about paths that
    were named and cannot be checked: then nothing should be run. ``note`` says that git should
    have listed the files and could not.
    """

    files: tuple[str, ...]
    skipped: tuple[tuple[str, int], ...] = ()
    problems: tuple[str, ...] = ()
    note: str = ""


def find_root(start: str, is_root: Callable[[str], bool] = lambda _folder: False) -> str:
    """The nearest folder, from ``start`` upward, that holds ``.git``; else the nearest for which ``is_root`` says yes.

    Where there is neither, ``start`` itself.
    """
    folders = [os.path.abspath(start)]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    for folder in folders:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
    return next((folder for folder in folders if is_root(folder)), folders[0])


def discover(disk: Disk) -> Discovered:
    """All guarded files of a project."""
    search = _Search(disk)
    note = ""
    if disk.only is not None:
        search.take_listing(sorted(disk.only))
        return search.result()
    if _in_git(disk.root):
        try:
            # Tracked entries with their mode, then untracked ones that are not ignored.
            listed = git_paths(disk.root, "ls-files", "-z", "-s", "-c", "-o", "--exclude-standard")
        except GitFailed as error:
            note = GIT_FAILED.format(error)
        else:
            # Git lists nothing at all in a folder that it ignores.
            if listed or os.path.lexists(disk.absolute(".git")):
                search.take_listing(listed)
                return search.result()
    search.walk("")
    return search.result(note)


def discover_named(disk: Disk, paths: Sequence[str], listing: Callable[[], Sequence[str]]) -> Discovered:
    """The guarded files among paths from the command line, and in folders named there.

    Args:
        disk: the project.
        paths: absolute, or relative to the current folder.
        listing: gives all guarded files; called only where a folder is named.
    """
    search = _Search(disk)
    problems = []
    for given in paths:
        path = disk.relative(given)
        if path is None:
            problems.append(f"`{given}` lies outside of the project `{disk.root}`")
        elif disk.is_folder(path):
            below = f"{path}/" if path else ""
            listed = [file for file in listing() if file.startswith(below)]
            search.files.update(listed)
            if not listed:  # git ignores the folder, but it was named
                search.walk(path)
        elif disk.is_file(path):
            search.take(path)
        else:
            reason = disk.folder(path.rpartition("/")[0]).left_out.get(path.rpartition("/")[2])
            problems.append(f"`{given}` is not checked, like all {reason}" if reason else f"`{given}` does not exist")
    return search.result()._replace(problems=tuple(problems))


class _Search:
    """Collects guarded files and counts the rest."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.files: set[str] = set()
        self.skipped: Counter[str] = Counter()
        self._pruned = Inherited(False, self._is_pruned)  # noqa: FBT003 the value above the root

    def result(self, note: str = "") -> Discovered:
        return Discovered(tuple(sorted(self.files)), tuple(sorted(self.skipped.items())), note=note)

    def take(self, path: str) -> None:
        """Takes a file that is there, if its name says that it is guarded."""
        if language_of(path):
            self._take_guarded(path)
        else:
            self.skipped[OTHER_KIND] += 1

    def take_listing(self, listed: Sequence[str]) -> None:
        """Takes what git knows and the disk still has."""
        for path in _plain_files(listed, self.skipped):
            if not language_of(path):
                self.skipped[OTHER_KIND] += 1
                continue
            folder, _, name = path.rpartition("/")
            there = self.disk.folder(folder)
            if reason := there.left_out.get(name) or there.left_out.get(FOLDER_ITSELF):
                self.skipped[reason] += 1
            elif self._pruned.of(folder):
                self.skipped[PRUNED] += 1
            elif name in there.files or self._spelled_otherwise(path):
                self._take_guarded(path)

    def _take_guarded(self, path: str) -> None:
        if path.endswith(UNITY_PACKAGE) and not _is_unity_package(self.disk, path):
            self.skipped[OTHER_KIND] += 1
        elif not path.isascii() and not _is_utf8(path):
            self.skipped[NO_UTF8] += 1
        else:
            self.files.add(path)

    def walk(self, start: str) -> None:
        """Takes all guarded files below a folder, without those of caches and build results."""
        waiting = [start]
        while waiting:
            path = waiting.pop()
            folder = self.disk.folder(path)
            prefix = f"{path}/" if path else ""
            for name in folder.files:
                self.take(prefix + name)
            for name, reason in folder.left_out.items():
                if language_of(prefix + name) or reason in {LINK_FOLDER, NOT_PERMITTED}:
                    self.skipped[reason] += 1
            for name in folder.folders:
                if self._prunes(folder, prefix + name, name):
                    self.skipped[PRUNED_FOLDERS] += 1
                else:
                    waiting.append(prefix + name)

    def _is_pruned(self, folder: str, above: bool) -> bool:  # noqa: FBT001 the value of the folder above
        parent, _, name = folder.rpartition("/")
        return above or (folder != "" and self._prunes(self.disk.folder(parent), folder, name))

    def _prunes(self, parent: Folder, path: str, name: str) -> bool:
        if name in _PRUNED:
            return True
        if name in _PRUNED_IN_UNITY and "ProjectSettings" in parent.folders:
            return True
        if name in _PRUNED_IN_DOTNET and any(file.endswith(".csproj") for file in parent.files):
            return True
        return "pyvenv.cfg" in self.disk.folder(path).files

    def _spelled_otherwise(self, path: str) -> bool:
        """Whether a file system that folds names knows the file under another spelling than git."""
        real = os.path.realpath(self.disk.absolute(path))
        return os.path.isfile(real) and self.disk.inside(real)


def _is_unity_package(disk: Disk, path: str) -> bool:
    """Whether a ``package.json`` stands beside assemblies of Unity, or one folder above them."""
    folder = path.rpartition("/")[0]
    here = disk.folder(folder)
    prefix = f"{folder}/" if folder else ""
    return bool(here.ending(".asmdef")) or any(disk.folder(prefix + name).ending(".asmdef") for name in here.folders)


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _in_git(root: str) -> bool:
    return os.path.lexists(os.path.join(find_root(root), ".git"))


def _plain_files(listed: Sequence[str], skipped: Counter[str]) -> Iterator[str]:
    """The paths of git's entries, each once, without other repositories."""
    for entry in dict.fromkeys(listed):
        staged = _STAGED.match(entry)
        if (staged is not None and staged[1] == _SUBMODULE_MODE) or entry.endswith("/"):
            skipped[SUBMODULES] += 1
        else:
            yield entry[staged.end() :] if staged else entry
