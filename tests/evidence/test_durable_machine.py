"""Any honest run is accepted, and no single change of one is."""

import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from evidence.durable import STAMPED, Object
from evidence.generator import PROJECT, Chosen, Identity, generate
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from guards.evidence.contracts import judged
from guards.evidence.expectations import expectations
from guards.evidence.taken import taken
from guards.evidence.verdict import Verdict

EXAMPLES = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 200
MACHINE = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
STATED = (
    "mode=EditMode",
    "filter=Grove",
    "group=",
    "framework-version=1.6.0",
    "editor-version=6000.0.65f1",
    f"project={PROJECT}",
)

letters = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufffe\uffff")
names = st.builds(
    lambda method, arguments: f"Grove.Tests.{method}{f'({arguments})' if arguments else ''}",
    st.text(letters, min_size=1, max_size=12),
    st.text(letters, max_size=8),
)
leaves = st.builds(
    Chosen,
    names,
    st.sampled_from(("passed", "passed", "passed", "skipped")),
    st.text(letters, max_size=12),
    st.just(value=False),
    st.floats(0, 100).map(lambda seconds: round(seconds, 6)),
    st.sampled_from(("", "Slow")),
)


@st.composite
def runs(draw: st.DrawFn) -> list[Chosen]:
    chosen = draw(st.lists(leaves, min_size=1, max_size=6))
    chosen[0] = chosen[0]._replace(outcome="passed")
    for number in draw(st.sets(st.integers(0, len(chosen) - 1), max_size=3)):
        chosen[number] = chosen[number]._replace(reload=True)
    return chosen


def judge(project: Path) -> Verdict:
    return judged(taken(str(project)), expectations({}, STATED))


@MACHINE
@given(runs())
@example([Chosen("Grove.Tests.A(1)"), Chosen("Grove.Tests.A(1)"), Chosen("Grove.Tests.B", "skipped", "'<>&\"\u0085")])
def test_every_honest_run_is_accepted(chosen: list[Chosen]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder), chosen)
        verdict = judge(Path(folder))
        assert [reason for _, reason, _ in verdict.reasons()] == []
        assert verdict.verdict == "accepted"


@pytest.mark.parametrize("count", [1, 1000])
def test_runs_of_any_size_are_accepted(tmp_path: Path, count: int) -> None:
    generate(tmp_path, [Chosen(f"Grove.Tests.T{number}", reload=number in {5, 70, 800}) for number in range(count)])
    verdict = judge(tmp_path)
    assert (verdict.verdict, verdict.run.counts.total) == ("accepted", count)


# Facts that nothing else in the bundle repeats, so that no reader of files can tell a change; see the page of the contract.
UNPROTECTED = {
    "run.json": {
        "assembly_path",
        "source_path",
        "assembly_write_utc",
        "source_write_utc",
        "utf_guid",
        "dispatched_utc",
    },
    "environment.json": {"scene_paths", "active_scene_path", "preview_scene_count", "prepared_utc", "restored_utc"},
    "request": {"acknowledged_utc"},
    "active.json": {"updated_utc", "run_id"},
    "latest.json": {"updated_utc", "run_id"},
    "events.jsonl": {
        "event_id",
        "occurred_utc",
        "observer_generation",
        "unique_name",
        "full_name",
        "test_id",
        "stack_trace",
    },
    "expected-tests.jsonl": {"assembly_name"},
    "summary.json": set(),
}
FILES = ("run.json", "environment.json", "request", "active.json", "summary.json")
LINE_FILES = ("events.jsonl", "expected-tests.jsonl")
# A pointer that cannot be read is worth a warning and no more.
NEEDED = ("run.json", "environment.json", "request", "summary.json", *LINE_FILES, "utf-results.xml")


class Opened(NamedTuple):
    """A generated run, open for one change."""

    project: Path
    run: Path

    def path(self, name: str) -> Path:
        if name == "request":
            return next((self.run.parents[1] / "requests").iterdir())
        return (self.run.parents[1] if name == "active.json" else self.run) / name

    def refresh(self) -> None:
        """What a forger does who knows of the stamps."""
        path = self.path("summary.json")
        with suppress(FileNotFoundError, UnicodeDecodeError, json.JSONDecodeError):
            summary: Object = json.loads(path.read_text(encoding="utf-8"))
            sizes: Object = {
                f"{stamp}_evidence_bytes": file.stat().st_size if (file := self.run / name).exists() else -1
                for stamp, name in STAMPED.items()
            }
            path.write_text(
                json.dumps({**summary, **sizes}, indent=4, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
            )


Change = Callable[[Opened, random.Random], bool]


def other(value: object, chance: random.Random) -> object:
    """Another value of the same or of another type."""
    if isinstance(value, bool):
        return chance.choice([not value, int(value), str(value)])
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, value + 0.5, str(value), bool(value) if value > 1 else value + 2])
    if isinstance(value, float):
        return chance.choice([value + 0.25, str(value), True])
    if isinstance(value, str):
        return chance.choice([value + "x", value[:-1] + "y", 7, None])
    return chance.choice([None, "x", {}])


def edit_whole(opened: Opened, chance: random.Random) -> bool:
    name = chance.choice(FILES)
    path = opened.path(name)
    record: Object = json.loads(path.read_text(encoding="utf-8"))
    field = chance.choice([field for field in record if field not in UNPROTECTED[name] and "ticks" not in field])
    changed = other(record[field], chance)
    if changed == record[field] and type(changed) is type(record[field]):
        return False
    text = json.dumps({**record, field: changed}, indent=4, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


def edit_line(opened: Opened, chance: random.Random) -> bool:
    name = chance.choice(LINE_FILES)
    path = opened.path(name)
    lines = path.read_bytes().split(b"\n")[:-1]
    number = chance.randrange(len(lines))
    record: Object = json.loads(lines[number])
    field = chance.choice([field for field in record if field not in UNPROTECTED[name]])
    if record.get("event_type") not in {"test_finished", "run_finished", "run_finalized"} and field not in {
        "schema_version",
        "run_id",
        "event_type",
    }:
        return False  # what other events leave empty means nothing
    if record.get("event_type") == "run_finalized" and field not in {
        "schema_version",
        "run_id",
        "event_type",
        "outcome",
    }:
        return False
    if record.get("event_type") == "test_finished" and field.startswith(("expected", "has_", "root_", "aggregate")):
        return False
    if record.get("event_type") == "run_finished" and field in {"expected_count", "message", "duration_seconds"}:
        return False
    record[field] = other(record[field], chance)  # type: ignore[assignment] # whatever JSON can hold
    lines[number] = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return True


def drop_line(opened: Opened, chance: random.Random) -> bool:
    path = opened.path(chance.choice(LINE_FILES))
    lines = path.read_bytes().split(b"\n")[:-1]
    del lines[chance.randrange(len(lines))]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return True


def repeat_line(opened: Opened, chance: random.Random) -> bool:
    path = opened.path(chance.choice(LINE_FILES))
    lines = path.read_bytes().split(b"\n")[:-1]
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return True


def swap_lines(opened: Opened, chance: random.Random) -> bool:
    path = opened.path("events.jsonl")
    lines = path.read_bytes().split(b"\n")[:-1]
    one, two = chance.sample(range(len(lines)), 2)
    lines[one], lines[two] = lines[two], lines[one]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return True


def truncate(opened: Opened, chance: random.Random) -> bool:
    path = opened.path(chance.choice(NEEDED))
    data = path.read_bytes()
    end = chance.randrange(len(data))
    if data[end:].strip() == b"" and path.suffix != ".jsonl":
        return False  # white space at the end of a document
    path.write_bytes(data[:end])
    return True


def delete(opened: Opened, chance: random.Random) -> bool:
    opened.path(chance.choice(NEEDED)).unlink()
    return True


def splice(opened: Opened, chance: random.Random) -> bool:
    """Takes a file, or lines, from another run of the same tests."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = opened.path("expected-tests.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
        foreign = [Chosen(json.loads(line)["full_name"]) for line in manifest]
        identity = Identity(
            "standalone-" + "3" * 32, "run-" + "4" * 32, "6e2c9a14-7b3d-4f60-8a91-c4d7e0b6f238", began=100
        )
        source = Opened(Path(folder), generate(Path(folder), foreign, identity))
        name = chance.choice(("run.json", "environment.json", "summary.json", "request", *LINE_FILES))
        shutil.copy(source.path(name), opened.path(name))
    return True


def change_document(opened: Opened, chance: random.Random) -> bool:
    path = opened.path("utf-results.xml")
    text = path.read_text(encoding="utf-8")
    old, new = chance.choice([
        ('result="Passed" duration', 'result="Failed" duration'), ("<test-run", "<test-rum"), ("</test-run>", ""),
        ("<?xml", "<!DOCTYPE x><?xml"), ('fullname="Grove.Tests.', 'fullname="Birch.Tests.'),
    ])  # fmt: skip
    if old not in text:
        return False
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")
    return True


CHANGES: list[Change] = [
    edit_whole, edit_whole, edit_line, edit_line, edit_line, drop_line, repeat_line, swap_lines, truncate, delete,
    splice, change_document,
]  # fmt: skip


@MACHINE
@given(runs(), st.sampled_from(CHANGES), st.randoms(use_true_random=False), st.booleans())
def test_no_single_change_of_a_run_is_accepted(
    chosen: list[Chosen],
    change: Change,
    chance: random.Random,
    refresh: bool,  # noqa: FBT001 drawn
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        opened = Opened(project, generate(project, chosen))
        if not change(opened, chance):
            return
        if refresh and change is not edit_whole:
            opened.refresh()
        verdict = judge(project)
        assert verdict.verdict != "accepted", change.__name__
