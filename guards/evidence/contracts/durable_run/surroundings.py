"""A-14 and A-20 to A-23: the project around the run, the editor's scenes before and after, and what was left over."""

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from guards.evidence.bundle import Missing, Unreadable
from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.durable_run.asked import record_of
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.readers.durable.records import Environment
from guards.evidence.readers.durable.times import is_time

FRAMEWORK = "com.unity.test-framework"
# Where tests may own assets, and the scene that a run owns while it is open.
_OWNED_ROOT = "Assets/TestsTemp"
_OWNED_SCENE = "Assets/TestsTemp/__mcp_test_run_{}.unity"
_LEDGERS = "Library/UnityMCP/TestOwnership"
_RECOVERED = "Assets/UnityMCPRecovery/TestRuns"
_AGAIN = "mend what kept the editor from restoring itself, and run again"


FileT = TypeVar("FileT", bound=msgspec.Struct)


class _Manifest(msgspec.Struct):
    dependencies: dict[str, str] = {}


class _Locked(msgspec.Struct):
    version: str = ""
    source: str = ""


class _Lock(msgspec.Struct):
    dependencies: dict[str, _Locked] = {}


@condition(
    "EVD124",
    "framework-locked",
    {"PACKAGE_LOCK_MISMATCH": REJECT},
    "pin the framework in `Packages/manifest.json`, let the editor resolve it, and run again",
    source="A-14",
    broken=(
        Change(
            "Packages/packages-lock.json",
            '"builtin"',
            '"registry"',
            "another copy of the framework",
            ("PACKAGE_LOCK_MISMATCH",),
        ),
    ),
)
def framework_locked(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The project asks for the expected framework, and its lock resolves it to the one built in."""
    yield from framework_pinned(run, expected)


def framework_pinned(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """What the project's package files say of the framework.

    Raises:
        NotEvaluated: the project is not at hand, or nobody stated a version.
    """
    version = expected.framework_version
    if not run.located.project:
        raise NotEvaluated("the project is not at hand")
    if version is None:
        raise NotEvaluated("nobody stated a version; `--expect framework-version=…`")
    manifest_path, lock_path = "Packages/manifest.json", "Packages/packages-lock.json"
    asked = _read(run, manifest_path, _Manifest()).dependencies.get(FRAMEWORK, "")
    if asked != version:
        where = Where(manifest_path, 0, f"dependencies.{FRAMEWORK}")
        yield Reason("PACKAGE_LOCK_MISMATCH", where, FRAMEWORK, f"`{asked}`, expected is `{version}`")
    locked = _read(run, lock_path, _Lock()).dependencies.get(FRAMEWORK, _Locked())
    if (locked.version, locked.source) != (version, "builtin"):
        where = Where(lock_path, 0, f"dependencies.{FRAMEWORK}")
        detail = f"`{locked.version}` from `{locked.source}`, expected is `{version}` from `builtin`"
        yield Reason("PACKAGE_LOCK_MISMATCH", where, FRAMEWORK, detail)


def _read(run: DurableRun, path: str, otherwise: FileT) -> FileT:
    """A package file; what cannot be read pins nothing."""
    try:
        return msgspec.json.decode(run.bundle.read(path), type=type(otherwise))
    except (Missing, Unreadable, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return otherwise


def _path(run: DurableRun) -> str:
    return run.located.run_file("environment.json")


@condition(
    "EVD130",
    "environment-there",
    {"ENVIRONMENT_MISSING": INCOMPLETE, "ENVIRONMENT_CORRUPT": REJECT, "ENVIRONMENT_IDENTITY": REJECT},
    _AGAIN,
    source="A-20",
    broken=(
        Change("*/environment.json", "", "", "nobody wrote what was there before", ("ENVIRONMENT_MISSING",)),
        Change(
            "*/environment.json",
            '"run_id": "run-7',
            '"run_id": "run-8',
            "that of another run",
            ("ENVIRONMENT_IDENTITY",),
        ),
    ),
)
def environment_there(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """What the editor looked like before the run was written down, for this run."""
    del expected
    yield from run.found.of("A-20")
    if _path(run) in run.absent:
        yield Reason("ENVIRONMENT_MISSING", Where(_path(run)), run.located.run_id, "it is not there")
    elif run.environment is not None and run.environment.run_id != run.located.run_id:
        detail = f"it is that of `{run.environment.run_id}`"
        yield Reason("ENVIRONMENT_IDENTITY", Where(_path(run), 0, "run_id"), run.located.run_id, detail)


@condition(
    "EVD131",
    "environment-shape",
    {"ENVIRONMENT_SHAPE": REJECT},
    _AGAIN,
    source="A-21",
    broken=(
        Change(
            "*/environment.json",
            "__mcp_test_run_run-7",
            "__mcp_test_run_run-8",
            "the scene of another run",
            ("ENVIRONMENT_SHAPE",),
        ),
        Change(
            "*/environment.json",
            '"preview_scene_baseline_captured": true',
            '"preview_scene_baseline_captured": false',
            "previews were not counted",
            ("ENVIRONMENT_SHAPE",),
        ),
        Change(
            "*/environment.json",
            '"Assets/Scenes/GridTest.unity"\n',
            '"Assets/TestsTemp/x.unity"\n',
            "a scene of tests for a baseline",
            ("ENVIRONMENT_SHAPE",),
        ),
    ),
)
def environment_shape(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The baseline has one of its legal shapes: named scenes, or one clean untitled scene.

    A baseline that is left to the framework is legal only for runs that somebody starts in the editor.
    """
    del expected
    environment = run.environment
    if environment is None:
        return
    for field, detail in _wrong_shape(environment, run.located.run_id, run.record.source if run.record else "mcp"):
        yield Reason("ENVIRONMENT_SHAPE", Where(_path(run), 0, field), run.located.run_id, detail)


def _wrong_shape(environment: Environment, run_id: str, source: str) -> Iterator[tuple[str, str]]:
    """The fields that fit none of the shapes, each with a sentence."""
    if environment.scene_restore_delegated_to_utf:
        yield from _wrong_delegated(environment, source)
        return
    if environment.owned_scene_path != _OWNED_SCENE.format(run_id):
        yield "owned_scene_path", f"`{environment.owned_scene_path}` is not the scene of this run"
    if not environment.preview_scene_baseline_captured:
        yield "preview_scene_baseline_captured", "preview scenes were not counted"
    if environment.preview_scene_count < 0:
        yield "preview_scene_count", f"it is {environment.preview_scene_count}"
    yield from (_wrong_untitled if environment.restore_single_untitled else _wrong_named)(environment)


def _wrong_delegated(environment: Environment, source: str) -> Iterator[tuple[str, str]]:
    if source == "mcp":
        yield "scene_restore_delegated_to_utf", "the framework was to restore the scenes"
    rest = (environment.scene_paths, environment.active_scene_path, environment.restore_single_untitled)
    if any((*rest, environment.untitled_scene_setup, environment.owned_scene_path)):
        yield "scene_restore_delegated_to_utf", "what is left to the framework has a baseline all the same"


def _wrong_untitled(environment: Environment) -> Iterator[tuple[str, str]]:
    if environment.untitled_scene_setup != "empty":
        yield "untitled_scene_setup", f"`{environment.untitled_scene_setup}` is no known setup"
    if environment.scene_paths or environment.active_scene_path:
        yield "scene_paths", "an untitled baseline has named scenes"


def _wrong_named(environment: Environment) -> Iterator[tuple[str, str]]:
    if environment.untitled_scene_setup:
        yield "untitled_scene_setup", "a named baseline has the setup of an untitled one"
    if environment.active_scene_path not in environment.scene_paths:
        yield "active_scene_path", f"`{environment.active_scene_path}` is none of the scenes"
    for number, path in enumerate(environment.scene_paths):
        if not is_scene(path):
            yield f"scene_paths[{number}]", f"`{path}` is no scene of the project's own"


def is_scene(path: str) -> bool:
    """Whether a path is a scene below ``Assets``, in its canonical form, and none of the tests'."""
    parts = path.split("/")
    canonical = "\\" not in path and not {"", ".", ".."} & set(parts)
    return (
        canonical and path.startswith("Assets/") and path.endswith(".unity") and not path.startswith(f"{_OWNED_ROOT}/")
    )


@condition(
    "EVD132",
    "environment-restored",
    {"ENVIRONMENT_NOT_RESTORED": INCOMPLETE, "TIME_ORDER": REJECT, "TIMESTAMP_MALFORMED": REJECT},
    _AGAIN,
    source="A-22",
    broken=(
        Change(
            "*/environment.json",
            '"restored_utc": "2026-08-05T10:20:32.4150077Z"',
            '"restored_utc": ""',
            "it was never restored",
            ("ENVIRONMENT_NOT_RESTORED",),
        ),
        Change(
            "*/environment.json",
            "10:20:32.4150077Z",
            "10:20:30.4150077Z",
            "restored before the tests ended",
            ("TIME_ORDER",),
        ),
    ),
)
def environment_restored(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The editor was restored after the tests and before the run was called final."""
    del expected
    environment = run.environment
    if environment is None:
        return
    prepared, restored = environment.prepared_utc, environment.restored_utc
    for field, time in (("prepared_utc", prepared), ("restored_utc", restored)):
        if not is_time(time) and (time or field == "prepared_utc"):
            yield Reason("TIMESTAMP_MALFORMED", Where(_path(run), 0, field), run.located.run_id, f"`{time}` is no time")
    if not restored:
        where = Where(_path(run), 0, "restored_utc")
        yield Reason("ENVIRONMENT_NOT_RESTORED", where, run.located.run_id, "it was not restored")
    finished, finalized = run.journal.first("run_finished"), run.journal.first("run_finalized")
    order = (
        ("prepared_utc", prepared, run.record.dispatched_utc if run.record else "", "the run was dispatched"),
        ("restored_utc", finished.occurred_utc if finished else "", restored, "it was restored"),
        ("restored_utc", restored, finalized.occurred_utc if finalized else "", "the run was final"),
        ("restored_utc", restored, run.record.finished_utc if run.record else "", "the run was finished"),
    )
    for field, earlier, later, what in order:
        if is_time(earlier) and is_time(later) and later < earlier:
            detail = f"{what} at {later}, which is before {earlier}"
            yield Reason("TIME_ORDER", Where(_path(run), 0, field), run.located.run_id, detail)


@condition(
    "EVD133",
    "nothing-left-over",
    {"OWNERSHIP_LEDGER_SURVIVES": REJECT, "STRAY_TEMP_FILE": WARNING},
    "find out what ended the editor's writer, remove what it left, and run again",
    source="A-23",
)
def nothing_left_over(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """No ledger of owned assets survives, and no file of a writer that died.

    A file has to be added to break this, so the smallest change is a new file: a ledger of the run
    in `Library/UnityMCP/TestOwnership`, or `run.json.<id>.tmp` in the folder of the run.
    """
    del expected
    for path in run.strays():
        yield Reason("STRAY_TEMP_FILE", Where(path), run.located.run_id, "a writer died here")
    record_of(run)
    if not run.located.project:
        raise NotEvaluated("the project is not at hand, so no ledger can be seen")
    name = f"{run.located.run_id}.assets"
    for found in run.bundle.names(_LEDGERS):
        if found == name or found.startswith(f"{name}.corrupt-"):
            detail = "assets of the run are still on the list"
            yield Reason("OWNERSHIP_LEDGER_SURVIVES", Where(f"{_LEDGERS}/{found}"), run.located.run_id, detail)


@condition(
    "EVD157",
    "nothing-recovered",
    {"RECOVERY_COPY_PRESENT": WARNING},
    "look at the copies: they are scenes that somebody had changed when the run began; keep or delete them",
)
def nothing_recovered(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """The run found no changed scene that it had to put aside.

    A file has to be added to break this: a copy of a scene below `Assets/UnityMCPRecovery/TestRuns`,
    in the folder that is called as the run is.
    """
    del expected
    if not run.located.project:
        raise NotEvaluated("the project is not at hand")
    folder = f"{_RECOVERED}/{run.located.run_id}"
    for name in run.bundle.below(folder):
        yield Reason("RECOVERY_COPY_PRESENT", Where(f"{folder}/{name}"), run.located.run_id, "it was put aside")


SURROUNDINGS: tuple[Condition[DurableRun], ...] = (
    framework_locked,
    environment_there,
    environment_shape,
    environment_restored,
    nothing_left_over,
    nothing_recovered,
)
