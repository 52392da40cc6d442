"""Where the files of a durable run are, and which run of a store is meant."""

import re
from typing import NamedTuple

import msgspec

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.expectations import Expectations
from guards.evidence.taken import STORE, BadPath, Taken

# What a request or a run may be called: it becomes a file name.
IDENTITY = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,200}", re.ASCII)
_FEW = 5


class Located(NamedTuple):
    """The places of one run, relative to ``root``.

    ``store`` is the folder with ``runs`` and ``requests`` (None: the run's folder stands alone),
    ``project`` says whether the root is a project. ``how`` tells how the run was chosen.
    """

    root: str
    store: str | None
    run_folder: str
    run_id: str
    request_id: str
    project: bool
    how: str

    def run_file(self, name: str) -> str:
        """A file of the run."""
        return f"{self.run_folder}/{name}" if self.run_folder else name

    def store_file(self, name: str) -> str:
        """A file of the store; empty where there is no store."""
        if self.store is None:
            return ""
        return f"{self.store}/{name}" if self.store else name

    @property
    def request_file(self) -> str:
        """The record of the request; empty where there is no store, or no request that could be a file."""
        known = IDENTITY.fullmatch(self.request_id)
        return self.store_file(f"requests/{self.request_id}.json") if known else ""


class _Named(msgspec.Struct):
    """What tells which run is meant, in any of the records."""

    run_id: str = ""
    request_id: str = ""


def locate(taken: Taken, expected: Expectations) -> Located:
    """The run that is meant: the one named, or expected, or the last one, or the only one.

    Raises:
        BadPath: there is no such run, or several and nothing says which.
    """
    bundle = Bundle(taken.root)
    store = store_of(taken)
    runs = f"{store}/runs" if store else "runs"
    if taken.path.startswith(f"{runs}/"):
        run_id = taken.path.removeprefix(f"{runs}/")
        return located_run(bundle, taken, run_id, "its folder was named")
    if not bundle.names(runs):
        if taken.path in {STORE, ""} and any(bundle.has(name) for name in ("run.json", "events.jsonl")):
            named = _peek(bundle, "run.json")
            return Located(
                taken.root, None, "", named.run_id, named.request_id, project=False, how="its folder was named"
            )
        raise BadPath(f"`{taken.root}` holds no run")
    run_id, how = _chosen(bundle, store, runs, expected)
    return located_run(bundle, taken, run_id, how)


def store_of(taken: Taken) -> str:
    """The folder of the store, relative to the root; empty where it is the root."""
    return STORE if taken.path == STORE or taken.path.startswith(f"{STORE}/") else ""


def located_run(bundle: Bundle, taken: Taken, run_id: str, how: str) -> Located:
    """A run of the store.

    Raises:
        BadPath: there is no such run.
    """
    store = store_of(taken)
    folder = f"{store}/runs/{run_id}" if store else f"runs/{run_id}"
    if not bundle.has(folder):
        raise BadPath(f"there is no run `{run_id}` in `{taken.root}`")
    prefix = f"{store}/" if store else ""
    # Where the record is gone, a pointer that names the run still knows who asked for it.
    records = (f"{folder}/run.json", f"{prefix}latest.json", f"{prefix}active.json")
    named = (_peek(bundle, path) for path in records)
    request = next((peeked.request_id for peeked in named if peeked.run_id == run_id), "")
    request = _peek(bundle, records[0]).request_id or request
    return Located(taken.root, store, folder, run_id, request, store == STORE, how)


def _chosen(bundle: Bundle, store: str, runs: str, expected: Expectations) -> tuple[str, str]:
    prefix = f"{store}/" if store else ""
    if expected.run_id is not None:
        if not IDENTITY.fullmatch(expected.run_id):
            raise BadPath(f"`{expected.run_id}` is no name of a run")
        return expected.run_id, "it is the run that is expected"
    if expected.request_id is not None:
        if not IDENTITY.fullmatch(expected.request_id):
            raise BadPath(f"`{expected.request_id}` is no name of a request")
        named = _peek(bundle, f"{prefix}requests/{expected.request_id}.json").run_id
        if not IDENTITY.fullmatch(named):
            raise BadPath(f"there is no request `{expected.request_id}` that names a run")
        return named, "it is the run of the request that is expected"
    latest = _peek(bundle, f"{prefix}latest.json").run_id
    names = [name for name in bundle.names(runs) if IDENTITY.fullmatch(name)]
    if latest in names:
        return latest, "it is the last run that ended, as `latest.json` says"
    if len(names) == 1:
        return names[0], "it is the only run"
    shown = ", ".join(names[:_FEW]) + (" …" if len(names) > _FEW else "")
    raise BadPath(
        f"there are {len(names)} runs ({shown}); say which with `--expect run-id=…` or `--expect request-id=…`"
    )


def _peek(bundle: Bundle, path: str) -> _Named:
    """What a record says of identities, without judging it."""
    try:
        return msgspec.json.decode(bundle.read(path), type=_Named)
    except (Missing, Unreadable, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Named()
