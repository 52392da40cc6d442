"""What git says of a change that is about to be taken: what is tracked, what changed, since when."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guards.project.git import GitFailed, git, git_paths

# What pre-commit sets where it judges the commits between two references and not what is staged.
_FROM, _TO = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"
_SUBMODULE = "160000 "


class Change(NamedTuple):
    """A change: the commit that it starts from, and the files that are there after it and differ from before.

    ``base`` is the identity of a commit, or of the empty tree before the first one.
    """

    base: str
    changed: frozenset[str]


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
