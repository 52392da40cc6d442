"""Lanes of projects: which runs belong to one, and what they leave behind. Data of a preset, by its name."""

from collections.abc import Iterable
from typing import NamedTuple

from guards.evidence.expectations import RELEASE, TASK


class Scenario(NamedTuple):
    """A test that must fail, and the canary that shows that it was cleaned up after.

    ``lines`` are what its sentinel holds, each ended by a line feed; ``marker`` stands in the
    message of the failure.
    """

    name: str
    fault: str
    canary: str
    marker: str
    sentinel: str
    lines: tuple[str, ...]


class Fixture(NamedTuple):
    """The tests of the reload lane: ``leaves`` in their order, of one assembly, installed as ``files``."""

    filter: str
    leaves: tuple[str, str, str]
    assembly: str
    folder: str
    files: tuple[str, ...]


class Gate(NamedTuple):
    """A step of a profile; ``runs`` says how many durable runs it has, ``live`` that it is the live lane."""

    name: str
    runs: int = 0
    live: bool = False


class Lanes(NamedTuple):
    """All that a project says about its lanes.

    ``faults`` is the folder of the sentinels, ``reloads`` that of trace and control records, both
    relative to the project. ``revisions`` are those of editors, by their versions; ``packages`` the
    local packages with the key of a worker's marker that holds the hash of each. ``gates`` are the steps
    of each profile, in order. ``port_variable`` names the port in the command of the live gate;
    ``paid_reason`` stands in the reason of every test that the live lane skips because it costs money, and
    ``live_stages`` are the kinds of its tests in the order in which they run.
    """

    mode: str
    scenarios: tuple[Scenario, ...]
    faults: str
    fixture: Fixture
    reloads: str
    marker: str
    revisions: tuple[tuple[str, str], ...]
    packages: tuple[tuple[str, str], ...]
    gates: tuple[tuple[str, tuple[Gate, ...]], ...]
    port_variable: str
    paid_reason: str
    live_stages: tuple[str, ...]


_TESTS = "UnityMCP.Editor.Tests.FaultInjection"
_HARNESS = "UnityMCP.Worker.DomainReloadAcceptance.DomainReloadHarness"
_CLEANED = ("local-base-teardown", "isolation-hook", "registered-cleanup")

LANES = {
    "unity-biome": Lanes(
        mode="EditMode",
        scenarios=(
            Scenario(
                "sync",
                f"{_TESTS}.SyncTearDownFailureProbe.FailsInDerivedTearDownAfterDirtyingScene",
                f"{_TESTS}.SyncTearDownCleanupCanary.SentinelAndSceneAreClean",
                "UNITYMCP_EXPECTED_SYNC_TEARDOWN_FAILURE",
                "sync-teardown.sentinel",
                ("test-body", "derived-teardown", *_CLEANED),
            ),
            Scenario(
                "async",
                f"{_TESTS}.AsyncTearDownFailureProbe.FaultsTaskTearDownAfterDirtyingScene",
                f"{_TESTS}.AsyncTearDownCleanupCanary.SentinelAndSceneAreClean",
                "UNITYMCP_EXPECTED_ASYNC_TEARDOWN_FAILURE",
                "async-teardown.sentinel",
                ("test-body", "derived-task-teardown", *_CLEANED),
            ),
            Scenario(
                "setup",
                f"{_TESTS}.SetUpFailureProbe.BodyMustNotRun",
                f"{_TESTS}.SetUpFailureCleanupCanary.SentinelAndSceneAreClean",
                "UNITYMCP_EXPECTED_SETUP_FAILURE",
                "setup-failure.sentinel",
                ("derived-setup", *_CLEANED),
            ),
        ),
        faults="Library/UnityMCP/FaultInjection",
        fixture=Fixture(
            _HARNESS,
            (
                f"{_HARNESS}.LeafBeforeReloadBoundary",
                f"{_HARNESS}.LeafBetweenReloadBoundaries",
                f"{_HARNESS}.LeafAfterReloadBoundaries",
            ),
            "UnityMCP.Worker.DomainReloadHarness.dll",
            "Assets/UnityMCPDomainReloadHarness",
            ("DomainReloadHarness.cs", "UnityMCP.Worker.DomainReloadHarness.asmdef"),
        ),
        reloads="Library/UnityMCP/DomainReloadAcceptance",
        marker="Library/UnityMCP/disposable-worker.json",
        revisions=(("6000.0.65f1", "a18e2220bd50"),),
        packages=(
            ("LocalPackages/unity-plugin", "editor_package_sha256"),
            ("LocalPackages/unity-plugin-reload", "reload_package_sha256"),
        ),
        gates=(
            (TASK, (Gate("python-unit"), Gate("editmode", runs=1), Gate("live", live=True))),
            (
                RELEASE,
                (
                    Gate("python-unit"),
                    Gate("installer"),
                    Gate("server"),
                    Gate("editmode", runs=2),
                    Gate("fault-lane", runs=6),
                    Gate("reload-lane", runs=2),
                    Gate("live", live=True),
                ),
            ),
        ),
        port_variable="UNITY_MCP_PORT",
        paid_reason="UNITY_MCP_RUN_LIVE_CLI=1",
        live_stages=("edit-mode", "play-mode", "reconnect"),
    ),
}


def lanes_of(presets: Iterable[str]) -> str:
    """The last of the presets in force that has lanes; empty where none does."""
    return next((name for name in reversed(tuple(presets)) if name in LANES), "")
