"""Workers whose lanes ran well, as small as they can be."""

import json
from pathlib import Path

from evidence.generator import Chosen, Identity, generate, worker

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


def reload_run(project: Path, reloads: int = 1, digit: str = "5", message: str = "") -> Identity:
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
        "reload_port_1": 57201,
        "reload_chat_port_1": 57202,
        "reload_port_2": 57203 if reloads == 2 else 0,
        "reload_chat_port_2": 57204 if reloads == 2 else 0,
    }
    (folder / "control.completed.json").write_text(json.dumps(control, indent=2) + "\n", encoding="utf-8", newline="\n")
    installed = project / fixture.folder
    installed.mkdir(parents=True, exist_ok=True)
    for name in fixture.files:
        (installed / name).write_text(f"// {name}\n", encoding="utf-8", newline="\n")
    return request
