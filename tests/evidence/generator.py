"""Valid durable runs of any size: what the editor's writer would have written, made from a few choices."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from evidence.durable import STAMPED, Json, Object

EDITOR, FRAMEWORK, REVISION = "6000.0.65f1", "1.6.0", "a18e2220bd50"
PROJECT = "/srv/demo/grove-worker"
_STATES = {"passed": "Passed", "skipped": "Skipped", "failed": "Failed"}


class Chosen(NamedTuple):
    """A leaf: its full name, how it ends, what it says, whether the domain reloads behind it, and its category."""

    name: str
    outcome: str = "passed"
    message: str = ""
    reload: bool = False
    seconds: float = 0.01
    category: str = ""


class Identity(NamedTuple):
    """What tells one run from another."""

    request: str = "standalone-" + "1" * 32
    run: str = "run-" + "2" * 32
    guid: str = "5e2c9a14-7b3d-4f60-8a91-c4d7e0b6f238"
    filter: str = "Grove"
    began: int = 0
    assembly: str = "Grove.dll"


class _Clock:
    """Times that only go forward, a tick each."""

    def __init__(self, began: int) -> None:
        self._ticks = began * 10_000_000

    def __call__(self) -> str:
        self._ticks += 1
        seconds, rest = divmod(self._ticks, 10_000_000)
        hours, minutes = divmod(seconds // 60, 60)
        return f"2026-08-05T{hours % 24:02}:{minutes:02}:{seconds % 60:02}.{rest:07}Z"


def generate(project: Path, leaves: Sequence[Chosen], identity: Identity = Identity()) -> Path:  # noqa: B008 it is a value
    """Writes a run into the store of a project; the run's folder."""
    made = _Run(leaves, identity)
    store = project / "Library" / "UnityMCP" / "TestRuns"
    folder = store / "runs" / identity.run
    (store / "requests").mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True)
    _write_lines(folder / "expected-tests.jsonl", made.manifest)
    _write_lines(folder / "events.jsonl", made.events)
    _write(folder / "run.json", made.record)
    _write(folder / "environment.json", made.environment)
    (folder / "utf-results.xml").write_text(made.document(), encoding="utf-8", newline="\n")
    sizes: Object = {f"{stamp}_evidence_bytes": (folder / name).stat().st_size for stamp, name in STAMPED.items()}
    times: Object = {f"{stamp}_write_utc_ticks": 0 for stamp in STAMPED}
    _write(folder / "summary.json", {**made.summary(), **sizes, **times})
    _write(store / "requests" / f"{identity.request}.json", made.request)
    pointer: Object = {
        "schema_version": 1,
        "run_id": identity.run,
        "request_id": identity.request,
        "updated_utc": made.record["finished_utc"],
    }
    _write(store / "active.json", pointer)
    _write(store / "latest.json", pointer)
    _pin_framework(project)
    return folder


def _pin_framework(project: Path) -> None:
    name = "com.unity.test-framework"
    (project / "Packages").mkdir(exist_ok=True)
    _write(project / "Packages" / "manifest.json", {"dependencies": {name: FRAMEWORK}})
    locked: Object = {"version": FRAMEWORK, "depth": 0, "source": "builtin", "dependencies": {}}
    _write(project / "Packages" / "packages-lock.json", {"dependencies": {name: locked}})


def _write(path: Path, value: Object) -> None:
    path.write_text(json.dumps(value, indent=4, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def _write_lines(path: Path, records: Sequence[Object]) -> None:
    text = "".join(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n" for record in records)
    path.write_text(text, encoding="utf-8", newline="\n")


class _Run:
    """The records of one run, in the order in which they come to be."""

    def __init__(self, leaves: Sequence[Chosen], identity: Identity) -> None:
        self._leaves = leaves
        self._identity = identity
        self._clock = _Clock(identity.began)
        self._generation = 0
        self._number = 0
        self.events: list[Object] = []
        created, prepared, dispatched = self._clock(), self._clock(), self._clock()
        self.manifest = [self._expected(number, leaf) for number, leaf in enumerate(leaves)]
        self._play()
        restored, finalized = self._clock(), ""
        self._event("run_finalized", outcome=self._outcome)
        finalized = str(self.events[-1]["occurred_utc"])
        self.record = self._record(created, dispatched)
        self.environment = self._environment(prepared, restored)
        self.request: Object = {
            "schema_version": 1,
            "request_id": identity.request,
            "run_id": identity.run,
            "intent_complete": True,
            "mode": "EditMode",
            "group": "",
            "filter": identity.filter,
            "state": "terminal",
            "created_utc": created,
            "acknowledged_utc": dispatched,
        }
        self._last = finalized

    @property
    def _outcome(self) -> str:
        return "failed" if any(leaf.outcome == "failed" for leaf in self._leaves) else "passed"

    @property
    def _trusted(self) -> bool:
        return not any(leaf.reload for leaf in self._leaves)

    def _count(self, outcome: str) -> int:
        return sum(leaf.outcome == outcome for leaf in self._leaves)

    def _expected(self, number: int, leaf: Chosen) -> Object:
        return {
            "schema_version": 1,
            "run_id": self._identity.run,
            "unique_name": f"{self._identity.assembly}/{number}/[Grove][{leaf.name}]",
            "test_id": str(1003 + number),
            "full_name": leaf.name,
            "assembly_name": self._identity.assembly,
            "mode": "EditMode",
        }

    def _event(self, kind: str, **fields: Json) -> None:
        self._number += 1
        plain: Object = {
            "schema_version": 1,
            "run_id": self._identity.run,
            "event_id": hashlib.sha256(f"{self._identity.run}/{self._number}".encode()).hexdigest()[:32],
            "event_type": kind,
            "occurred_utc": self._clock(),
            "observer_generation": f"{0xA0 + self._generation:032x}",
            **dict.fromkeys(("unique_name", "test_id", "full_name", "outcome", "result_state", "label"), ""),
            **dict.fromkeys(("message", "stack_trace"), ""),
            "duration_seconds": 0.0,
            "expected_count": 0,
            "has_aggregate": False,
            "root_trusted": False,
            **dict.fromkeys((f"aggregate_{name}" for name in ("passed", "failed", "skipped", "inconclusive")), 0),
            **dict.fromkeys(("aggregate_cancelled", "aggregate_invalid", "aggregate_total"), 0),
        }
        self.events.append({**plain, **fields})

    def _play(self) -> None:
        count = len(self._leaves)
        root: Object = {"unique_name": "[grove][suite]", "full_name": "grove"}
        self._event("run_started", **root, expected_count=count)
        self._event("manifest_sealed", expected_count=count)
        for leaf, expected in zip(self._leaves, self.manifest, strict=True):
            names: Object = {name: expected[name] for name in ("unique_name", "test_id", "full_name")}
            self._event("test_started", **names)
            self._event("test_finished", **{**names, **self._end(leaf)})
            if leaf.reload:
                self._event("domain_reloading")
                self._generation += 1
        aggregate: Object = {
            "has_aggregate": True,
            "root_trusted": True,
            "aggregate_passed": self._count("passed"),
            "aggregate_failed": self._count("failed"),
            "aggregate_skipped": self._count("skipped"),
            "aggregate_total": count,
        }
        state = "Failed(Child)" if self._outcome == "failed" else "Passed"
        ended: Object = {"test_id": "1000", "outcome": self._outcome, "result_state": state, "duration_seconds": 0.5}
        self._event("run_finished", **root, **ended, **(aggregate if self._trusted else {}))

    def _end(self, leaf: Chosen) -> Object:
        return {
            "outcome": leaf.outcome,
            "result_state": _STATES[leaf.outcome],
            "message": leaf.message,
            "duration_seconds": leaf.seconds,
        }

    def _record(self, created: str, dispatched: str) -> Object:
        return {
            "schema_version": 1,
            "run_id": self._identity.run,
            "request_id": self._identity.request,
            "utf_guid": self._identity.guid,
            "source": "mcp",
            "lifecycle": "terminal",
            "outcome": self._outcome,
            "health": "healthy",
            "created_utc": created,
            "dispatched_utc": dispatched,
            "started_utc": self.events[0]["occurred_utc"],
            "finished_utc": self._clock(),
            "project_identity": PROJECT,
            "editor_process_identity": f"{EDITOR}:48213:639215218726431200",
            "editor_session_id": "0d9e3b7a61c24f85a7d2e4c8b1f6095a",
            "build_fingerprint": f"sha256={'17' * 32};assemblies=7;utf={FRAMEWORK}",
            "utf_version": FRAMEWORK,
            "assembly_path": f"{PROJECT}/Library/ScriptAssemblies/Editor.dll",
            "source_path": f"{PROJECT}/Editor/Runner.cs",
            "assembly_write_utc": "2026-08-04T10:18:44.2190000Z",
            "source_write_utc": "2026-08-04T09:40:02.0000000Z",
            "build_coherent": True,
            "build_error": "",
            "mode": "EditMode",
            "group": "",
            "filter": self._identity.filter,
        }

    def _environment(self, prepared: str, restored: str) -> Object:
        return {
            "schema_version": 1,
            "run_id": self._identity.run,
            "scene_paths": ["Assets/Scenes/GridTest.unity"],
            "active_scene_path": "Assets/Scenes/GridTest.unity",
            "restore_single_untitled": False,
            "untitled_scene_setup": "",
            "owned_scene_path": f"Assets/TestsTemp/__mcp_test_run_{self._identity.run}.unity",
            "preview_scene_baseline_captured": True,
            "preview_scene_count": 0,
            "scene_restore_delegated_to_utf": False,
            "prepared_utc": prepared,
            "restored_utc": restored,
        }

    def summary(self) -> Object:
        count = len(self._leaves)
        same = {name: self.record[name] for name in ("run_id", "request_id", "utf_guid")}
        build = ("project_identity", "editor_process_identity", "editor_session_id", "build_fingerprint", "utf_version")
        flags = ("is_terminal", "execution_finished", "cleanup_complete", "run_started_observed", "manifest_complete")
        full = (
            "expected_count", "declared_expected_count", "readable_manifest_count", "unmaterialized_expected_count",
            "completed_expected_count", "unique_terminal_count", "started_attempt_count", "finished_attempt_count",
            "test_started_callback_count", "finish_without_start_count",
        )  # fmt: skip
        zero = {"unmaterialized_expected_count", "finish_without_start_count"}
        return {
            "schema_version": 1,
            **same,
            "lifecycle": "terminal",
            "state": "terminal",
            **{name: self.record[name] for name in ("outcome", "health", "source", "mode", "group", "filter")},
            **{name: self.record[name] for name in (*build, "build_coherent", "build_error")},
            **dict.fromkeys((*flags, "run_finished_observed"), True),
            "utf_xml_scope": "complete" if self._trusted else "partial",
            **{name: self.record[name] for name in ("created_utc", "started_utc", "finished_utc")},
            "last_event_utc": self._last,
            "current_test": "",
            "duration_seconds": 0.5 if self._trusted else sum(leaf.seconds for leaf in self._leaves),
            **{name: 0 if name in zero else count for name in full},
            **{name: self._count(name) for name in ("passed", "failed", "skipped")},
            **dict.fromkeys(("inconclusive", "cancelled", "invalid"), 0),
            **dict.fromkeys(("missing_count", "unexpected_count", "conflict_count"), 0),
            "missing_tests": [],
            "unexpected_tests": [],
            "conflicting_tests": [],
            "leaves": [self._summary_leaf(*pair) for pair in zip(self._leaves, self.manifest, strict=True)],
            "issues": [],
        }

    def _summary_leaf(self, leaf: Chosen, expected: Object) -> Object:
        end = self._end(leaf)
        said: Object = {
            "outcome": end["outcome"],
            "result_state": end["result_state"],
            "label": "",
            "message": end["message"],
            "stack_trace": "",
            "duration_seconds": end["duration_seconds"],
        }
        names: Object = {name: expected[name] for name in ("unique_name", "test_id", "full_name")}
        return {**names, "expected": True, **said, "attempt_count": 1, "attempts": [{"attempt": 1, **said}]}

    def document(self) -> str:
        tally = (
            f'total="{len(self._leaves)}" passed="{self._count("passed")}" failed="{self._count("failed")}" '
            f'inconclusive="0" skipped="{self._count("skipped")}" asserts="0"'
        )
        state = "Failed(Child)" if self._outcome == "failed" else "Passed"
        count = f'testcasecount="{len(self._leaves)}"'
        cases = "".join(map(self._case, self._leaves, self.manifest))
        return (
            f'<?xml version="1.0" encoding="utf-8"?>\n<test-run id="2" {count} result="{state}" {tally} duration="0,5">\n'
            f'<test-suite type="Assembly" id="1001" name="Grove.dll" fullname="/Grove.dll" {count} {tally}>\n'
            f"{cases}</test-suite>\n</test-run>\n"
        )

    def _case(self, leaf: Chosen, expected: Object) -> str:
        name = quoteattr(leaf.name)
        return (
            f'<test-case id="{expected["test_id"]}" name={name} fullname={name} result="{_STATES[leaf.outcome]}" '
            f'duration="{leaf.seconds:.6f}">{_categories(leaf)}{_failure(leaf)}</test-case>\n'
        )


def _categories(leaf: Chosen) -> str:
    if not leaf.category:
        return ""
    return f'<properties><property name="Category" value={quoteattr(leaf.category)}/></properties>'


def _failure(leaf: Chosen) -> str:
    return f"<failure><message>{escape(leaf.message)}</message></failure>" if leaf.outcome == "failed" else ""


def worker(project: Path) -> None:
    """Makes a project a worker: its marker, its pinned editor, a local package and a scene to start with."""
    package = {"LocalPackages/unity-plugin/package.json": '{"name": "grove.editor", "version": "1.0.0"}\n'}
    texts = {
        "Assets/Scenes/GridTest.unity": "%YAML 1.1\n",
        "ProjectSettings/ProjectVersion.txt": (
            f"m_EditorVersion: {EDITOR}\nm_EditorVersionWithRevision: {EDITOR} ({REVISION})\n"
        ),
        **package,
    }
    for name, text in texts.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8", newline="\n")
    digest = hashlib.sha256()
    for name, text in package.items():
        relative = name.removeprefix("LocalPackages/unity-plugin/").encode()
        digest.update(len(relative).to_bytes(4, "big") + relative + text.encode())
    marker: Object = {
        "schema_version": 1,
        "disposable": True,
        "unity_version": EDITOR,
        "unity_revision": REVISION,
        "utf_version": FRAMEWORK,
        "bootstrap_scene": "Assets/Scenes/GridTest.unity",
        "editor_package_sha256": digest.hexdigest(),
    }
    (project / "Library" / "UnityMCP").mkdir(parents=True, exist_ok=True)
    _write(project / "Library" / "UnityMCP" / "disposable-worker.json", marker)
