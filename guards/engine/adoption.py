"""Making a baseline, and bringing one up to date: what ``suiteguard baseline`` does."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from guards.config.load import ConfigSet
from guards.engine.baseline import STALE, Held, entries_for, read
from guards.engine.loader import catalogue
from guards.engine.run import Request, examine
from guards.engine.writing import NotWritten, create, replace
from guards.findings.baseline import NEVER_HELD, Baseline, Entry, dumps
from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.project.files import Unread


class Moved(NamedTuple):
    """An entry that followed its file, and where the file is now."""

    entry: Entry
    path: str


class Shrunk(NamedTuple):
    """An entry that nothing needs any more, or not in full, and how many findings it still holds back."""

    entry: Entry
    left: int


class Change(NamedTuple):
    """What became of a baseline.

    ``left_alone`` are the entries that the run could not judge, ``not_held`` the findings that are
    not in the baseline now, ``unfit`` those of them that cannot be. ``written`` is false where the
    file was as it should be.
    """

    path: str
    entries: tuple[Entry, ...]
    result: RunResult
    added: tuple[Entry, ...] = ()
    shrunk: tuple[Shrunk, ...] = ()
    moved: tuple[Moved, ...] = ()
    left_alone: tuple[Entry, ...] = ()
    not_held: tuple[Finding, ...] = ()
    unfit: tuple[Finding, ...] = ()
    written: bool = True


class CannotWrite(Exception):
    """The baseline cannot be written; ``str()`` says which file and why."""


def make(request: Request, reason: str) -> Change:
    """Writes a baseline of all that is found now; without findings there is none to write.

    Raises:
        CannotWrite: there is a baseline, or it cannot be written.
        ConfigError: as ``check``.
    """
    path = _path(request)
    if os.path.lexists(os.path.join(request.root, path)):
        raise CannotWrite(
            f"{path} exists and is not overwritten; `suiteguard baseline update` takes away what is not needed, "
            "with `--add` it takes in what is found now"
        )
    result, _ = examine(request)
    fit, unfit = _fit(result)
    added = entries_for(fit, request.files(), reason)
    if added:
        try:
            create(request.root, path, dumps(added).encode())
        except NotWritten as error:
            raise CannotWrite(f"{path}: {error}") from None
    return Change(path, added, result, added, not_held=unfit, unfit=unfit, written=bool(added))


def update(request: Request, add_with: str | None) -> Change:
    """Takes away from the baseline what nothing needs, and follows renamed files.

    Args:
        request: a run; what it does not judge stays.
        add_with: the reason with which findings are taken in; None takes in none.

    Raises:
        CannotWrite: there is no baseline, or it cannot be written.
        ConfigError: as ``check``; but entries of unknown rules are taken away.
    """
    path = current(request).path
    try:
        before = request.files().read(path)
    except Unread as error:
        raise CannotWrite(f"{path}: {error}") from None
    result, held = examine(request)
    if held is None:
        raise CannotWrite(f"{path}: it was removed meanwhile")
    fit, unfit = _fit(result)
    added = () if add_with is None else entries_for(fit, request.files(), add_with)
    stay = tuple(_still_needed(held))
    after = dumps((*stay, *added)).encode()
    if after != before:
        try:
            replace(request.root, path, before, after)
        except NotWritten as error:
            raise CannotWrite(f"{path}: {error}") from None
    return Change(
        path,
        (*stay, *added),
        result,
        added,
        (*(Shrunk(entry, 0) for entry in held.unknown), *(Shrunk(*stale) for stale in held.stale())),
        tuple(Moved(entry, where) for entry, (where, _) in held.matched.paths.items() if where != entry.path),
        tuple(entry for entry in held.baseline.entries if entry not in held.judged),
        unfit if add_with is not None else (*fit, *unfit),
        unfit,
        after != before,
    )


def current(request: Request) -> Baseline:
    """The baseline as it is.

    Raises:
        CannotWrite: there is none.
        ConfigError: it, or the configuration, cannot be used.
    """
    configs = ConfigSet.load(request.root, catalogue(), request.command_line)
    path = configs.baseline()
    if not os.path.lexists(os.path.join(request.root, path)):
        raise CannotWrite(f"{path} does not exist; `suiteguard baseline create` makes a baseline")
    return read(request.files(), configs)


def _path(request: Request) -> str:
    return ConfigSet.load(request.root, catalogue(), request.command_line).baseline()


def _fit(result: RunResult) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings that a baseline can hold back, and those that it cannot."""
    return (
        tuple(finding for finding in result.findings if finding.rule not in NEVER_HELD),
        tuple(finding for finding in result.findings if finding.rule in NEVER_HELD and finding.rule != STALE),
    )


def _still_needed(held: Held) -> Iterator[Entry]:
    """The entries as they should be: under the names that files have now, and with as much as they hold back."""
    for entry in held.baseline.entries:
        path, found = held.matched.paths.get(entry, (entry.path, 0))
        if entry not in held.judged:
            yield entry
        elif found:
            yield entry._replace(path=path, times=found)
