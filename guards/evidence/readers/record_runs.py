"""The bundles that a record lists: where each is, and the facts of its run that runs are compared by."""

import os
from typing import NamedTuple

from guards.evidence.model import SKIPPED
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.taken import NOTHING, RECORD, BadPath, Taken, taken

_AGGREGATES = (".xml", ".json", ".txt", ".trx", ".jsonl", ".md")
_EXPLICIT = "Explicit"


class NotAttached(Exception):
    """A bundle is not there; ``str()`` says why. ``aggregate`` means that counts were offered in its place."""

    def __init__(self, why: str, *, aggregate: bool = False) -> None:
        super().__init__(why)
        self.aggregate = aggregate


class Facts(NamedTuple):
    """What the files of a run say; ``unexplained`` are leaves that were skipped without a word.

    ``events`` are the ids of the events that begin and end it.
    """

    request_id: str
    run_id: str
    utf_guid: str
    mode: str
    filter: str
    expected: int
    passed: int
    skipped: int
    outcome: str
    build_fingerprint: str
    project: str
    process: str
    leaves: frozenset[str]
    unexplained: tuple[str, ...]
    events: tuple[str, ...]


def attached(root: str, folder: str, bundle: str) -> Taken:
    """What a bundle is taken for.

    Args:
        root: the folder that nothing may lead out of.
        folder: the folder of the record in it.
        bundle: the path that the record says.

    Raises:
        NotAttached: it leads out, is not there or holds no durable run.
    """
    path = os.path.join(root, folder, bundle)
    if not bundle or not bundle.isprintable():
        raise NotAttached("the record does not say where it is, or names no path")
    if os.path.isabs(bundle) or not _inside(path, root):
        raise NotAttached(f"`{bundle}` leads out of the folder of the record")
    if bundle.endswith(_AGGREGATES) and not os.path.isdir(path):
        raise NotAttached(f"`{bundle}` is one file: it has counts, and no run", aggregate=True)
    try:
        found = taken(path)
    except BadPath as error:
        alone = os.path.isdir(path) and any(name.endswith(".xml") for name in os.listdir(path))
        why = f"`{bundle}` has a result file, and no run" if alone else str(error).replace(path, bundle)
        raise NotAttached(why, aggregate=alone) from None
    if found.contract != "durable-run":
        why = f"`{bundle}` is {found.why}, and no durable run"
        raise NotAttached(why, aggregate=found.contract not in {RECORD, NOTHING})
    if not _inside(found.root, root):
        raise NotAttached(f"`{bundle}` belongs to a project outside the folder of the record")
    return found


def _inside(path: str, root: str) -> bool:
    real, top = os.path.realpath(path), os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def facts_of(run: DurableRun) -> Facts | None:
    """The facts of a run; None where it has no record."""
    record = run.record
    if record is None:
        return None
    unexplained = tuple(
        leaf.full_name
        for leaf in run.leaves()
        if leaf.terminal is not None
        and leaf.terminal.outcome == SKIPPED
        and leaf.terminal.label != _EXPLICIT
        and not leaf.terminal.message.strip()
    )
    return Facts(
        record.request_id,
        record.run_id,
        record.utf_guid,
        record.mode,
        record.filter,
        run.derived.declared,
        run.derived.counts["passed"],
        run.derived.counts["skipped"],
        record.outcome,
        record.build_fingerprint,
        record.project_identity,
        record.editor_process_identity,
        frozenset(run.manifest.leaves),
        unexplained,
        tuple(event.event_id for event, _ in run.journal.boundaries.values()),
    )
