"""K-01 to K-06: the worker, a project that may be thrown away, and what its marker says about it."""

import hashlib
from collections.abc import Iterator
from typing import Final

import msgspec

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.condition import INCOMPLETE, REJECT, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.durable_run.surroundings import is_scene
from guards.evidence.contracts.lane import Lane
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.strict_json import repeated_key

_VERSION = "ProjectSettings/ProjectVersion.txt"
_MARKER = "*/disposable-worker.json"
_AGAIN = "create the worker anew from its source, and run the lane in it"
_LIMIT: Final = 1 << 20
_NUMBER_BYTES: Final = 4


class Marker(msgspec.Struct):
    """What is read of the marker; hashes are read by name."""

    schema_version: int = 0
    disposable: bool = False
    unity_version: str = ""
    unity_revision: str = ""
    utf_version: str = ""
    bootstrap_scene: str = ""


def _raw(lane: Lane) -> bytes:
    """The marker's bytes.

    Raises:
        NotEvaluated: the project is not at hand, or has no marker; the latter is a reason of its own.
    """
    if not lane.project:
        raise NotEvaluated("the project is not at hand")
    try:
        return lane.bundle.read(lane.lanes.marker, _LIMIT)
    except (Missing, Unreadable):
        raise NotEvaluated("the worker has no marker that could be read") from None


def _marker(lane: Lane) -> Marker:
    try:
        return msgspec.json.decode(_raw(lane), type=Marker)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotEvaluated("the worker has no marker that could be read") from None


def _invalid(lane: Lane, field: str, detail: str) -> Reason:
    return Reason("WORKER_MARKER_INVALID", Where(lane.lanes.marker, 0, field), detail=detail)


@condition(
    "EVD300",
    "worker-marked",
    {"WORKER_MARKER_MISSING": INCOMPLETE, "WORKER_MARKER_INVALID": REJECT},
    _AGAIN,
    source="K-01",
    broken=(Change(_MARKER, "", "", "nothing says that the project may be thrown away", ("WORKER_MARKER_MISSING",)),),
)
def worker_marked(lane: Lane, expected: Expectations) -> Iterator[Reason]:
    """The project is marked as a worker that may be thrown away."""
    del expected
    if not lane.project:
        raise NotEvaluated("the project is not at hand")
    try:
        raw = lane.bundle.read(lane.lanes.marker, _LIMIT)
        msgspec.json.decode(raw, type=Marker)
        if key := repeated_key(raw):
            yield _invalid(lane, key, "the key stands there twice")
    except Missing:
        yield Reason("WORKER_MARKER_MISSING", Where(lane.lanes.marker), detail="it is not there")
    except (Unreadable, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        yield _invalid(lane, "", str(error))


@condition(
    "EVD301",
    "worker-pinned",
    {"WORKER_MARKER_INVALID": REJECT},
    _AGAIN,
    source="K-02",
    broken=(
        Change(_MARKER, '"disposable": true', '"disposable": false', "somebody needs it", ("WORKER_MARKER_INVALID",)),
        Change(
            _MARKER,
            '"utf_version": "1.6.0"',
            '"utf_version": "1.7.0"',
            "made for another framework",
            ("WORKER_MARKER_INVALID",),
        ),
    ),
)
def worker_pinned(lane: Lane, expected: Expectations) -> Iterator[Reason]:
    """The marker pins the editor, its revision and the framework that are expected."""
    marker = _marker(lane)
    if marker.schema_version != 1:
        yield _invalid(lane, "schema_version", f"it is {marker.schema_version}")
    if not marker.disposable:
        yield _invalid(lane, "disposable", "it is not true")
    pins = (
        ("unity_version", marker.unity_version, expected.editor_version),
        ("unity_revision", marker.unity_revision, dict(lane.lanes.revisions).get(expected.editor_version or "")),
        ("utf_version", marker.utf_version, expected.framework_version),
    )
    for field, pinned, wanted in pins:
        if wanted is not None and pinned != wanted:
            yield _invalid(lane, field, f"`{pinned}`, expected is `{wanted}`")
    if unstated := [field for field, _, wanted in pins if wanted is None]:
        raise NotEvaluated(
            f"nobody stated {', '.join(unstated)}; `--expect editor-version=…` and `framework-version=…`"
        )


@condition(
    "EVD302",
    "worker-scene",
    {"WORKER_MARKER_INVALID": REJECT},
    _AGAIN,
    source="K-03",
    broken=(Change("*/GridTest.unity", "", "", "the first scene is gone", ("WORKER_MARKER_INVALID",)),),
)
def worker_scene(lane: Lane, expected: Expectations) -> Iterator[Reason]:
    """The scene that the worker starts with is one of its own, and there.

    Where evidence was copied without the assets of the project, only the path is looked at.
    """
    del expected
    scene = _marker(lane).bootstrap_scene
    if not is_scene(scene):
        yield _invalid(lane, "bootstrap_scene", f"`{scene}` is no scene of the project's own")
    elif not lane.bundle.has("Assets"):
        raise NotEvaluated("the assets of the project are not at hand")
    elif not lane.bundle.has(scene):
        yield _invalid(lane, "bootstrap_scene", f"`{scene}` is not there")


@condition(
    "EVD303",
    "worker-editor",
    {"EDITOR_VERSION_MISMATCH": REJECT},
    _AGAIN,
    source="K-04",
    broken=(
        Change(
            "*/ProjectVersion.txt",
            "(a18e2220bd50)",
            "(b18e2220bd50)",
            "an editor of another revision",
            ("EDITOR_VERSION_MISMATCH",),
        ),
    ),
)
def worker_editor(lane: Lane, expected: Expectations) -> Iterator[Reason]:
    """The project was last saved by the editor that the marker pins."""
    del expected
    marker = _marker(lane)
    try:
        lines = lane.bundle.read(_VERSION, _LIMIT).decode("utf-8", "replace").splitlines()
    except (Missing, Unreadable):
        lines = []
    wanted = (
        f"m_EditorVersion: {marker.unity_version}",
        f"m_EditorVersionWithRevision: {marker.unity_version} ({marker.unity_revision})",
    )
    for line in wanted:
        if line not in lines:
            yield Reason("EDITOR_VERSION_MISMATCH", Where(_VERSION), detail=f"it has no line `{line}`")


@condition(
    "EVD304",
    "worker-sources",
    {"WORKER_SOURCE_DRIFT": REJECT},
    _AGAIN,
    source="K-06",
    broken=(
        Change(
            "*/unity-plugin/package.json",
            '"version": "1.0.0"',
            '"version": "1.0.1"',
            "a package was changed in the worker",
            ("WORKER_SOURCE_DRIFT",),
        ),
    ),
)
def worker_sources(lane: Lane, expected: Expectations) -> Iterator[Reason]:
    """The local packages of the worker are those that were copied into it.

    The marker holds a hash of each; what it has no hash for, or what is not there, cannot be compared.
    """
    del expected
    try:
        said = msgspec.json.decode(_raw(lane), type=dict[str, object])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotEvaluated("the worker has no marker that could be read") from None
    compared = False
    for folder, key in lane.lanes.packages:
        recorded = said.get(key)
        if isinstance(recorded, str) and lane.bundle.has(folder):
            compared = True
            found = tree_hash(lane.bundle, folder)
            if found != recorded:
                where = Where(lane.lanes.marker, 0, key)
                yield Reason("WORKER_SOURCE_DRIFT", where, folder, f"its files have {found or 'no hash'}")
    if not compared:
        raise NotEvaluated("no local package with a recorded hash is at hand")


def tree_hash(bundle: Bundle, folder: str) -> str:
    """The hash of a folder, of each file's name, led by its length, and content; empty where one is unreadable."""
    digest = hashlib.sha256()
    for name in bundle.below(folder):
        encoded = name.encode("utf-8", "surrogateescape")
        digest.update(len(encoded).to_bytes(_NUMBER_BYTES, "big"))
        digest.update(encoded)
        try:
            digest.update(bundle.read(f"{folder}/{name}"))
        except (Missing, Unreadable):
            return ""
    return digest.hexdigest()


WORKER: tuple[Condition[Lane], ...] = (worker_marked, worker_pinned, worker_scene, worker_editor, worker_sources)
