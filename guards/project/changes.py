"""What git says of changes: what is tracked, what a commit is about to change, what a file was before."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guards.project.disk import SIZE_LIMIT
from guards.project.git import GitFailed, git, git_paths
from guards.project.kinds import language_of

# What pre-commit sets where it judges the commits between two references and not what is staged.
_FROM, _TO = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"
_SUBMODULE = "160000 "


class Change(NamedTuple):
    """A change: the commit that it starts from, and the files that are there after it and differ from before.

    ``base`` is the identity of a commit, or of the empty tree before the first one.
    """

    base: str
    changed: frozenset[str]


class Past(NamedTuple):
    """The project at a commit.

    ``only`` are its files and folders, ``contents`` the text of guarded files that are now
    another or gone, ``old_names`` the paths then of files that have another now.
    """

    only: frozenset[str]
    contents: dict[str, bytes]
    old_names: dict[str, str]


def tracked(root: str) -> frozenset[str]:
    """The files that git tracks below a root, and the folders they stand in.

    Raises:
        GitFailed: there is no git, or no repository.
    """
    entries = (entry.partition("\t") for entry in git_paths(root, "ls-files", "-z", "-s", "-c"))
    files = [path for mode, _, path in entries if not mode.startswith(_SUBMODULE)]
    return frozenset(files) | frozenset(_folders(files))


def proposed_change(root: str) -> Change:
    """The change that a hook is asked about: what is staged, or the commits that pre-commit names.

    Raises:
        GitFailed: there is no git, no repository, or no such commit.
    """
    base, target = os.environ.get(_FROM, ""), os.environ.get(_TO, "")
    if base and target:
        base = _line(git(root, "merge-base", "--end-of-options", base, target))
        return Change(base, _changed(root, base, _commit(root, target)))
    base = _head(root)
    return Change(base, _changed(root, "--cached", base))


def past(root: str, commit: str) -> Past:
    """The project as it was at a commit, against what is on disk now.

    Raises:
        GitFailed: there is no git, no repository, or no such commit.
    """
    blobs = dict(_blobs(root, commit))
    differing, old_names = _differences(root, commit)
    wanted = [path for path in differing if path in blobs and language_of(path)]
    contents = dict(zip(wanted, _contents(root, [blobs[path] for path in wanted]), strict=True))
    return Past(frozenset(blobs) | frozenset(_folders(blobs)), contents, old_names)


def commit_named(root: str, name: str) -> str:
    """The commit that a reference names, where the history of what is checked out left that of the reference.

    Raises:
        GitFailed: there is no git, no repository, no such commit, or no common history.
    """
    shallow = git(root, "rev-parse", "--is-shallow-repository").strip() == b"true"
    hint = "; the history here is cut off: fetch more of it, as with `git fetch --unshallow`" if shallow else ""
    try:
        commit = _commit(root, name)
    except GitFailed:
        raise GitFailed(f"there is no commit `{name}`{hint}") from None
    try:
        head = _commit(root, "HEAD")
    except GitFailed:
        raise GitFailed("nothing is committed here yet") from None
    try:
        return _line(git(root, "merge-base", "--end-of-options", commit, head))
    except GitFailed:
        raise GitFailed(f"`{name}` and what is checked out have no common history{hint}") from None


def _blobs(root: str, commit: str) -> Iterator[tuple[str, str]]:
    """Paths and identities of the regular files of a commit that are no data."""
    for entry in git_paths(root, "ls-tree", "-r", "-z", "-l", "--end-of-options", commit):
        facts, _, path = entry.partition("\t")
        mode, _, identity, size = facts.split()
        if mode.startswith("100") and int(size) <= SIZE_LIMIT:
            yield path, identity


def _differences(root: str, commit: str) -> tuple[list[str], dict[str, str]]:
    """Paths, then and now, of files whose text is another or gone; and names then by name now."""
    # What stands on disk is compared as it is: the programs that the repository's configuration names do not run.
    plain = ("--relative", "--no-ext-diff", "--ignore-submodules=all")
    words = iter(
        git_paths(root, *_no_filters(root), "diff", "-z", "--name-status", *plain, "--find-renames", commit, "--")
    )
    differing, old_names = [], {}
    for status in words:
        path = next(words)
        differing.append(path)
        if status[0] in "RC":
            new = next(words)
            differing.append(new)
            old_names[new] = path
    return differing, old_names


def _no_filters(root: str) -> Iterator[str]:
    """Options before a command of git by which it runs no filter of the repository.

    Raises:
        GitFailed: a filter has a name that cannot be spoken of so.
    """
    for key in git_paths(root, "config", "-z", "--name-only", "--includes", "--list"):
        section, _, variable = key.rpartition(".")
        if section.lower().startswith("filter.") and variable.lower() in {"clean", "process", "required"}:
            if "=" in section:
                raise GitFailed(f"a filter has the name `{section}`, which git cannot be told to leave alone")
            yield from ("-c", f"{section}.{'required=false' if variable == 'required' else variable + '='}")


def _contents(root: str, blobs: list[str]) -> Iterator[bytes]:
    """The bytes of blobs, in order."""
    output = git(root, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs).encode())
    at = 0
    for blob in blobs:
        head, _, _ = output[at : at + 200].partition(b"\n")
        if head.endswith(b" missing"):
            raise GitFailed(f"the object {blob} is missing here")
        start = at + len(head) + 1
        end = start + int(head.rpartition(b" ")[2])
        yield output[start:end]
        at = end + 1


def _changed(root: str, *what: str) -> frozenset[str]:
    # No renames: a file under a new name is a file of this change, with all that is in it.
    plain = ("--name-only", "--relative", "--no-ext-diff", "--no-renames")
    return frozenset(git_paths(root, "diff", "-z", *plain, "--diff-filter=d", *what, "--"))


def _head(root: str) -> str:
    try:
        return _commit(root, "HEAD")
    except GitFailed:
        # No commit yet, if this is a repository at all.
        return _line(git(root, "hash-object", "-t", "tree", "--stdin"))


def _commit(root: str, name: str) -> str:
    return _line(git(root, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}"))


def _line(output: bytes) -> str:
    return output.decode("ascii", "replace").strip()


def _folders(paths: Iterable[str]) -> Iterator[str]:
    seen = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in seen:
            seen.add(folder)
            yield folder
            folder = folder.rpartition("/")[0]
