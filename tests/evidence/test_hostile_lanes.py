"""Whatever stands in the files of a lane or a record, there is a verdict, and a torn file is never accepted."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from evidence.generator import PROJECT
from evidence.lane_projects import BIOME, NAME, fault_pair, reload_run, task_record

from guards.evidence.contracts import judged
from guards.evidence.expectations import expectations
from guards.evidence.taken import taken
from guards.evidence.verdict import Verdict

STATED = ("editor-version=6000.0.65f1", "framework-version=1.6.0", f"project={PROJECT}")
MAKERS: dict[str, Callable[[Path], object]] = {
    "fault-lane": fault_pair,
    "reload-lane": reload_run,
    "record": task_record,
}
PAIR = (f"fault-{'1' * 32}", f"fault-{'2' * 32}")
# What a bundle can lack: other contracts or nobody asks for it.
OPTIONAL = {"active.json", "latest.json", "GridTest.unity", *BIOME.fixture.files}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lanes")
    for name, make in MAKERS.items():
        (folder / name).mkdir()
        make(folder / name)
    return folder


def judge(folder: Path, contract: str) -> Verdict:
    pair = PAIR if contract == "fault-lane" else None
    return judged(taken(str(folder), contract), expectations({}, STATED)._replace(lanes=NAME, pair=pair))


def damaged(data: bytes, chance: random.Random) -> bytes:
    at, length = chance.randrange(len(data)), chance.randrange(1, 60)
    return chance.choice([
        data[:at] + data[at + length :], data[:at] + data[at : at + length] + data[at:], data[:at],
        data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :],
        data[:at] + b"\x00\xff{[" + data[at:], data[:at] + b"[" * 5000 + data[at:],
    ])  # fmt: skip


@pytest.mark.parametrize("contract", MAKERS)
@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_gets_a_verdict(examples: Path, tmp_path: Path, contract: str, seed: int) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(examples / contract, folder)
    chance = random.Random(seed)  # noqa: S311 a test draws the same each time
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    path = chance.choice(files)
    path.write_bytes(damaged(path.read_bytes(), chance))
    assert judge(folder, contract).verdict in {"accepted", "rejected", "incomplete"}


@pytest.mark.parametrize("contract", MAKERS)
def test_no_file_can_be_cut_off(examples: Path, tmp_path: Path, contract: str) -> None:
    for number, original in enumerate(sorted((examples / contract).rglob("*"))):
        if not original.is_file() or original.name in OPTIONAL:
            continue
        folder = tmp_path / str(number)
        shutil.copytree(examples / contract, folder)
        path = folder / original.relative_to(examples / contract)
        path.write_bytes(original.read_bytes()[: original.stat().st_size // 2])
        assert judge(folder, contract).verdict != "accepted", path


DEEP = "[" * 100_000
ODD = [
    DEEP,
    "null",
    "[]",
    '"x"',
    "{}",
    '{"schema_version": 1, "gates": [[]]}',
    '{"runs": {}}',
    '{"live": 7}',
    "\x00",
    '{"date_utc": "\\ud800"}',
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_a_record_of_anything(tmp_path: Path, text: str) -> None:
    (tmp_path / "acceptance-record.json").write_text(text, encoding="utf-8")
    assert judge(tmp_path, "record").verdict in {"rejected", "incomplete"}


@pytest.mark.parametrize("bundle", ["\x00", "a" * 5000, ".." * 50, "/", "~", "runs/../.."], ids=range(6))
def test_a_bundle_at_any_place(tmp_path: Path, bundle: str) -> None:
    record = {"schema_version": 1, "runs": [{"gate": "editmode", "run_id": "x", "bundle": bundle}]}
    (tmp_path / "acceptance-record.json").write_text(json.dumps(record), encoding="utf-8")
    verdict = judge(tmp_path, "record")
    assert "RUN_BUNDLE_MISSING" in {reason.code for _, reason, _ in verdict.reasons()}
