"""``acceptance-record.json``: several runs, and what was done around them, in one record."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import msgspec

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.model import Reason, Where
from guards.evidence.strict_json import repeated_key

CORRUPT: Final = "RECORD_CORRUPT"
REPEATED: Final = "JSON_DUPLICATE_KEY"
_LIMIT: Final = 8 << 20


class GateCounts(msgspec.Struct):
    """What a runner counted."""

    collected: int = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    deselected: int = 0
    errors: int = 0
    xfailed: int = 0
    xpassed: int = 0
    reruns: int = 0

    @property
    def ended(self) -> int:
        """How many tests came to an end of any kind."""
        return self.passed + self.failed + self.skipped + self.errors + self.xfailed + self.xpassed


class Gate(msgspec.Struct):
    """A step that was taken."""

    name: str = ""
    command: str = ""
    started_utc: str = ""
    finished_utc: str = ""
    exit_code: int | None = None
    counts: GateCounts | None = None


class ListedRun(msgspec.Struct):
    """A durable run; ``bundle`` is where its files are, relative to the record."""

    gate: str = ""
    request_id: str = ""
    run_id: str = ""
    utf_guid: str = ""
    mode: str = ""
    filter: str = ""
    expected: int = 0
    passed: int = 0
    skipped: int = 0
    outcome: str = ""
    build_fingerprint: str = ""
    bundle: str = ""


class FaultPair(msgspec.Struct):
    """A pair of the fault lane; its runs are listed, too."""

    scenario: str = ""
    fault_run_id: str = ""
    canary_run_id: str = ""
    sentinel_sha256: str = ""


class ReloadScenario(msgspec.Struct):
    """A scenario of the reload lane; its run is listed, too."""

    target_reloads: int = 0
    request_id: str = ""
    run_id: str = ""
    ports: tuple[int, ...] = ()


class Snapshot(msgspec.Struct):
    """What the executable sources were."""

    sha256: str = ""
    file_count: int = 0


class Snapshots(msgspec.Struct):
    """What they were before the first gate and after the last."""

    before: Snapshot | None = None
    after: Snapshot | None = None


class Node(msgspec.Struct):
    """A test of the live lane; ``paid`` says that it costs money, ``stage`` what it needs of the editor."""

    id: str = ""
    outcome: str = ""
    paid: bool = False
    reason: str = ""
    stage: str = ""


class Live(GateCounts):
    """The live lane; ``nodes`` are its tests one by one, where somebody listed them."""

    paid_skips: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()
    port: int | None = None


class Skip(msgspec.Struct):
    """A test that was skipped in a gate, and why."""

    gate: str = ""
    id: str = ""
    reason: str = ""


class AcceptanceRecord(msgspec.Struct):
    """The record; ``final_state`` is looked into by name."""

    schema_version: int = 0
    profile: str = ""
    date_utc: str = ""
    worker_project: str = ""
    unity_version: str = ""
    utf_version: str = ""
    executable_snapshot: Snapshots | None = None
    gates: tuple[Gate, ...] = ()
    runs: tuple[ListedRun, ...] = ()
    fault_pairs: tuple[FaultPair, ...] = ()
    reload_scenarios: tuple[ReloadScenario, ...] = ()
    port_history: tuple[int, ...] = ()
    live: Live | None = None
    skips: tuple[Skip, ...] = ()
    final_state: dict[str, object] | None = None

    def state_number(self, name: str) -> int | None:
        """A number of the final state; of a list how long it is, None where nothing is said."""
        value = (self.final_state or {}).get(name)
        if isinstance(value, list):
            return len(value)
        return value if isinstance(value, int) else None


def read_record(bundle: Bundle, path: str) -> tuple[AcceptanceRecord, Reason | None]:
    """The record, and what is wrong with its form; one that cannot be read at all is empty."""
    try:
        raw = bundle.read(path, _LIMIT)
        record = msgspec.json.decode(raw, type=AcceptanceRecord)
        key = repeated_key(raw)
        return record, Reason(REPEATED, Where(path, 0, key), detail="the key stands there twice") if key else None
    except (Missing, Unreadable, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return AcceptanceRecord(), Reason(CORRUPT, Where(path), detail=str(error) or "it is not there")


def moment(text: str) -> datetime | None:
    """A time of the record; without a zone it is UTC, None where it is no time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def reused(record: AcceptanceRecord) -> Iterator[tuple[int, str, str]]:
    """The runs that have an identity of a run before them: number, field, identity."""
    for field in ("request_id", "run_id", "utf_guid"):
        known: set[str] = set()
        for number, run in enumerate(record.runs):
            identity = getattr(run, field)
            if identity and identity in known:
                yield number, field, identity
            known.add(identity)
