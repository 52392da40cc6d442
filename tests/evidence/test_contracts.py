"""What holds for every contract: its conditions have words and codes of their own, and each breaks as its page says."""

import shutil
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from guards.evidence.condition import Change, Condition, Contract
from guards.evidence.contracts import MODULES, judged
from guards.evidence.expectations import Expectations, expectations
from guards.evidence.taken import taken

if TYPE_CHECKING:
    from guards.evidence.model import Evidence

EXAMPLES = Path(__file__).parents[2] / "examples" / "evidence"
DURABLE = ("framework-version=1.6.0", "editor-version=6000.0.65f1")
# What is stated where the accepted example of a contract is judged.
STATED: dict[str, tuple[str, ...]] = {
    "durable-run": DURABLE,
    "fault-lane": DURABLE,
    "reload-lane": DURABLE,
    "record": DURABLE,
    "godot": (),
    "gut": (),
    "gdunit4": (),
    "junit": (),
    "nunit": (),
    "trx": (),
    "xunit": (),
}
# What nobody takes a project for unless asked to.
ASKED = {"fault-lane": "fault-lane", "reload-lane": "reload-lane"}
PAIR = (f"fault-{'1' * 32}", f"fault-{'2' * 32}")
CONTRACTS = [name for name, module in MODULES.items() if name in STATED]


def contract(name: str) -> "Contract[Evidence]":
    found: Contract[Evidence] = import_module(f"guards.evidence.contracts.{MODULES[name]}").CONTRACT
    return found


class Case(NamedTuple):
    contract: str
    condition: str
    change: Change


CASES = [
    Case(name, condition.code, change)
    for name in CONTRACTS
    for condition in contract(name).conditions
    for change in condition.broken
]


def conditions() -> "list[Condition[Evidence]]":
    return [condition for name in CONTRACTS for condition in contract(name).conditions]


def example(name: str, folder: Path) -> tuple[Path, Path]:
    """A copy of the accepted example: its folder, and what is judged, which is its one file or the folder."""
    copy = folder / name
    shutil.copytree(EXAMPLES / name, copy)
    files = [path for path in copy.rglob("*") if path.is_file()]
    return copy, files[0] if len(files) == 1 else copy


def expected(name: str) -> Expectations:
    return expectations({}, STATED[name])._replace(lanes="unity-biome", pair=PAIR if name == "fault-lane" else None)


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_example_is_accepted(name: str, tmp_path: Path) -> None:
    _, path = example(name, tmp_path)
    verdict = judged(taken(str(path), ASKED.get(name, "auto")), expected(name))
    assert [reason for _, reason, _ in verdict.reasons()] == []
    assert verdict.verdict == "accepted"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.condition}-{case.change.why.replace(' ', '-')}")
def test_the_smallest_change_breaks_the_condition(case: Case, tmp_path: Path) -> None:
    folder, path = example(case.contract, tmp_path)
    change = case.change
    (file,) = (
        found
        for found in folder.rglob("*")
        if fnmatch(found.relative_to(tmp_path).as_posix(), f"*{change.file.removeprefix('*')}")
    )
    if change.old:
        data = file.read_bytes()
        assert change.old.encode() in data
        file.write_bytes(data.replace(change.old.encode(), change.new.encode("utf-8", "surrogateescape"), 1))
    else:
        file.unlink()
    verdict = judged(taken(str(path), ASKED.get(case.contract, "auto")), expected(case.contract))
    (broken,) = (judged_ for judged_ in verdict.conditions if judged_.code == case.condition)
    assert {reason.code for reason, _ in broken.reasons} & set(change.codes)
    assert set(change.codes) <= {reason.code for _, reason, _ in verdict.reasons()}


def test_codes_and_names_are_given_once() -> None:
    for name in CONTRACTS:
        codes = [condition.code for condition in contract(name).conditions]
        names = [condition.name for condition in contract(name).conditions]
        assert len(set(codes)) == len(codes)
        assert len(set(names)) == len(names)
    meaning = {(condition.code, condition.name) for condition in conditions()}
    assert len({code for code, _ in meaning}) == len(meaning)


def test_every_condition_has_words() -> None:
    for condition in conditions():
        assert condition.title.endswith("."), condition.code
        assert condition.next_step, condition.code
        assert not condition.next_step.endswith("."), condition.code
        # What no change of a file can break says so.
        assert condition.broken or condition.text, condition.code
