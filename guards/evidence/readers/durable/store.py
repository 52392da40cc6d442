"""What stands in a store, without judging it: each run with what tells what it was for."""

from typing import NamedTuple

import msgspec

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.readers.durable.locate import IDENTITY, store_of
from guards.evidence.taken import Taken

# The first line of a manifest is enough to tell what kind of run it is.
_BEGINNING = 1 << 16


class Entry(NamedTuple):
    """A run of a store. ``filters`` are all words that its files have for what was to run, the surest first."""

    run_id: str
    request_id: str
    filters: tuple[str, ...]
    created: str
    terminal: bool


class _Peeked(msgspec.Struct):
    request_id: str = ""
    filter: str = ""
    created_utc: str = ""
    lifecycle: str = ""
    full_name: str = ""


def entries(bundle: Bundle, taken: Taken) -> list[Entry]:
    """The runs of a store in the order in which they were made."""
    store = store_of(taken)
    prefix = f"{store}/" if store else ""
    found = (_entry(bundle, prefix, name) for name in bundle.names(f"{prefix}runs") if IDENTITY.fullmatch(name))
    return sorted(found, key=lambda entry: (entry.created, entry.run_id))


def request_run(bundle: Bundle, taken: Taken, request_id: str) -> str:
    """The run that a request names; empty where there is no such request, or it names none."""
    if not IDENTITY.fullmatch(request_id):
        return ""
    store = store_of(taken)
    raw = _beginning(bundle, f"{store}/requests/{request_id}.json" if store else f"requests/{request_id}.json")
    try:
        run_id = msgspec.json.decode(raw, type=dict[str, object]).get("run_id", "")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return run_id if isinstance(run_id, str) and IDENTITY.fullmatch(run_id) else ""


def _entry(bundle: Bundle, prefix: str, run_id: str) -> Entry:
    record = _peek(_beginning(bundle, f"{prefix}runs/{run_id}/run.json"))
    request = _Peeked()
    if IDENTITY.fullmatch(record.request_id):
        request = _peek(_beginning(bundle, f"{prefix}requests/{record.request_id}.json"))
    manifest = _beginning(bundle, f"{prefix}runs/{run_id}/expected-tests.jsonl")
    leaf = _peek(manifest.partition(b"\n")[0])
    filters = tuple(dict.fromkeys(filter(None, (record.filter, request.filter, leaf.full_name))))
    return Entry(run_id, record.request_id, filters, record.created_utc, record.lifecycle == "terminal")


def _peek(raw: bytes) -> _Peeked:
    try:
        return msgspec.json.decode(raw, type=_Peeked)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Peeked()


def _beginning(bundle: Bundle, path: str) -> bytes:
    try:
        return bundle.head(path, _BEGINNING)
    except (Missing, Unreadable):
        return b""
