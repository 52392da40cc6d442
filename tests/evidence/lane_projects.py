"""Workers whose lanes ran well, as small as they can be."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from evidence.durable import Object
from evidence.generator import EDITOR, FRAMEWORK, PROJECT, Chosen, Identity, generate, worker

from guards.evidence.lanes import LANES, Scenario

NAME = "unity-biome"
BIOME = LANES[NAME]
SYNC = BIOME.scenarios[0]


def identity(digit: str, prefix: str, filter_: str, minute: int, assembly: str = "Grove.dll") -> Identity:
    """Names of which nothing is ever the same as in another run."""
    guid = f"{digit * 8}-7b3d-4f60-8a91-c4d7e0b6f238"
    return Identity(f"{prefix}{digit * 32}", f"run-{digit * 32}", guid, filter_, 60 * minute, assembly)


def fault_pair(project: Path, scenario: Scenario = SYNC, digits: str = "12") -> tuple[str, str]:
    """Writes a fault run and its canary into a worker; their requests."""
    worker(project)
    minute = int(digits[0], 16)
    fault = identity(digits[0], "fault-", scenario.fault, minute)
    canary = identity(digits[1], "fault-", scenario.canary, minute + 1)
    message = f"Expected: clean\n{scenario.marker}: on purpose"
    generate(project, [Chosen(scenario.fault, "failed", message)], fault)
    generate(project, [Chosen(scenario.canary)], canary)
    sentinel = project / BIOME.faults / scenario.sentinel
    sentinel.parent.mkdir(parents=True, exist_ok=True)
    sentinel.write_text("".join(f"{line}\n" for line in scenario.lines), encoding="utf-8", newline="\n")
    return fault.request, canary.request


def reload_run(project: Path, reloads: int = 1, digit: str = "5", message: str = "", port: int = 57201) -> Identity:
    """Writes a run with reloads into a worker, with its trace and its archived control record."""
    worker(project)
    fixture = BIOME.fixture
    request = identity(digit, f"domain-reload-{reloads}-", fixture.filter, int(digit, 16), fixture.assembly)
    leaves = [Chosen(name, reload=number < reloads) for number, name in enumerate(fixture.leaves)]
    leaves[0] = leaves[0]._replace(message=message)
    generate(project, leaves, request)
    scenario, generations = f"reload-{reloads}-{digit * 32}", [mark * 32 for mark in "abc"]
    steps = [("leaf_before", 0, 0), ("queued", 1, 0), ("resumed", 1, 1)]
    steps += [("queued", 2, 1), ("resumed", 2, 2)] if reloads == 2 else []
    steps.append(("leaf_after", 0, reloads))
    folder = project / BIOME.reloads
    folder.mkdir(parents=True, exist_ok=True)
    trace = "".join(f"{kind}|{ordinal}|{generations[at]}|{scenario}\n" for kind, ordinal, at in steps)
    (folder / "harness-events.log").write_text(trace, encoding="utf-8", newline="\n")
    control = {
        "schema_version": 1,
        "scenario_id": scenario,
        "target_reloads": reloads,
        "allow_second_reload": True,
        "reload_port_1": port,
        "reload_chat_port_1": port + 1,
        "reload_port_2": port + 2 if reloads == 2 else 0,
        "reload_chat_port_2": port + 3 if reloads == 2 else 0,
    }
    (folder / "control.completed.json").write_text(json.dumps(control, indent=2) + "\n", encoding="utf-8", newline="\n")
    installed = project / fixture.folder
    installed.mkdir(parents=True, exist_ok=True)
    for name in fixture.files:
        (installed / name).write_text(f"// {name}\n", encoding="utf-8", newline="\n")
    return request


LEAVES = (Chosen("Grove.Tests.A"), Chosen("Grove.Tests.B"))
_PAID = ["tests/live/test_paid.py::test_backend", "tests/live/test_paid.py::test_diff"]
_PINS: Object = {
    "worker_project": PROJECT,
    "unity_version": EDITOR,
    "utf_version": FRAMEWORK,
    "utf_source": "builtin",
}


def _gate(name: str, minute: int, command: str = "pytest -q", **counts: int) -> Object:
    ended = {"passed": 0, "failed": 0, "skipped": 0, "deselected": 0, "errors": 0, **counts}
    return {
        "name": name,
        "command": command,
        "started_utc": f"2026-08-05T00:{minute:02}:00Z",
        "finished_utc": f"2026-08-05T00:{minute + 4:02}:00Z",
        "exit_code": 0,
        "counts": {"collected": sum(ended.values()), **ended},
    }


def _listed(gate: str, bundle: str, folder: Path, name: Identity) -> Object:
    run = json.loads((folder / "Library" / "UnityMCP" / "TestRuns" / "runs" / name.run / "run.json").read_text())
    summary = json.loads(
        (folder / "Library" / "UnityMCP" / "TestRuns" / "runs" / name.run / "summary.json").read_text()
    )
    same = ("request_id", "run_id", "utf_guid", "mode", "filter", "outcome", "build_fingerprint")
    counts = {"expected": summary["expected_count"], "passed": summary["passed"], "skipped": summary["skipped"]}
    return {"gate": gate, **{field: run[field] for field in same}, **counts, "bundle": bundle}


def _record(profile: str, gates: list[Object], runs: list[Object], ports: list[int], **more: object) -> Object:
    snapshot: Object = {"sha256": "4b" * 32, "file_count": 120}
    record = {
        "schema_version": 1,
        "profile": profile,
        "date_utc": "2026-08-05T01:00:00Z",
        **_PINS,
        "executable_snapshot": {"before": snapshot, "after": snapshot},
        "gates": gates,
        "runs": runs,
        **more,
        "port_history": ports,
        "live": {"collected": 287, "passed": 285, "skipped": 2, "paid_skips": _PAID},
        "skips": [
            {"gate": "python-unit", "id": "tests/test_paths.py::test_case", "reason": "needs a case-sensitive disk"}
        ],
        "final_state": {"final_port": ports[-1], "project_verified": True, "non_terminal_runs": []},
    }
    return json.loads(json.dumps(record))  # type: ignore[no-any-return] # JSON


def _live(minute: int, port: int) -> Object:
    return _gate("live", minute, f"UNITY_MCP_PORT={port} pytest tests/live -q", passed=285, skipped=2)


def write_record(folder: Path, record: Object) -> None:
    """Writes a record beside its bundles."""
    text = json.dumps(record, indent=2) + "\n"
    (folder / "acceptance-record.json").write_text(text, encoding="utf-8", newline="\n")


def complete_run(project: Path, digit: str, leaves: Sequence[Chosen] = LEAVES) -> Identity:
    """Writes a run without a filter."""
    name = identity(digit, "standalone-", "", int(digit, 16))
    generate(project, leaves, name)
    return name


def task_record(folder: Path) -> Object:
    """Writes a record of a task with its one run."""
    name = complete_run(folder / "editmode", "7")
    runs = [_listed("editmode", "editmode", folder / "editmode", name)]
    gates = [_gate("python-unit", 5, passed=40, skipped=1), _gate("editmode", 10, passed=2), _live(40, 57131)]
    record = _record("task", gates, runs, [57131])
    write_record(folder, record)
    return record


def release_record(folder: Path) -> Object:
    """Writes a record of a release with all of its runs."""
    runs = [
        _listed("editmode", "editmode", folder / "editmode", complete_run(folder / "editmode", each)) for each in "78"
    ]
    pairs = []
    for number, scenario in enumerate(BIOME.scenarios):
        digits = "123456"[2 * number : 2 * number + 2]
        fault_pair(folder / "faults", scenario, digits)
        names = [identity(digit, "fault-", "", 0) for digit in digits]
        runs += [_listed("fault-lane", "faults", folder / "faults", name) for name in names]
        ids = dict(zip(("fault_run_id", "canary_run_id"), (name.run for name in names), strict=True))
        sentinel = (folder / "faults" / BIOME.faults / scenario.sentinel).read_bytes()
        pairs.append({"scenario": scenario.name, **ids, "sentinel_sha256": hashlib.sha256(sentinel).hexdigest()})
    scenarios = []
    ports = [57131]
    for reloads, digit in ((1, "9"), (2, "a")):
        bundle = f"reload-{reloads}"
        (folder / bundle).mkdir()
        name = reload_run(folder / bundle, reloads, digit, port=57200 + 10 * reloads)
        runs.append(_listed("reload-lane", bundle, folder / bundle, name))
        new = [57200 + 10 * reloads + 2 * number for number in range(reloads)]
        scenarios.append({"target_reloads": reloads, "run_id": name.run, "ports": [ports[-1], *new]})
        ports += new
    gates = [
        _gate("python-unit", 0, passed=40, skipped=1),
        _gate("installer", 5, passed=3),
        _gate("server", 10, passed=7, deselected=2),
        _gate("editmode", 15, passed=4),
        _gate("fault-lane", 25, passed=6),
        _gate("reload-lane", 30, passed=6),
        _live(40, ports[-1]),
    ]
    record = _record("release", gates, runs, ports, fault_pairs=pairs, reload_scenarios=scenarios)
    write_record(folder, record)
    return record
