"""The accepted example, and what mutations of it are made of."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from guards.evidence.contracts import judged
from guards.evidence.expectations import RELEASE, TASK, expectations
from guards.evidence.taken import taken
from guards.evidence.verdict import Verdict

EXAMPLE = Path(__file__).parents[2] / "examples" / "evidence" / "durable-run"
STATED = (
    "mode=EditMode",
    "filter=Grove.Inventory.Tests",
    "group=",
    "framework-version=1.6.0",
    "editor-version=6000.0.65f1",
    "min-tests=1",
    "project=/srv/demo/grove-worker",
)
STAMPED = {
    "manifest": "expected-tests.jsonl",
    "event": "events.jsonl",
    "run": "run.json",
    "environment": "environment.json",
}
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json]"
Object: TypeAlias = dict[str, Json]


class Bundle:
    """A copy of the example that can be changed; ``refresh`` is what a forger does who knows of the stamps."""

    def __init__(self, folder: Path) -> None:
        shutil.copytree(EXAMPLE, folder)
        self.open(folder)

    def open(self, folder: Path, run: str = "*") -> None:
        """Takes the run of a project, or the one that is called that, for what is changed."""
        self.root = folder
        self.store = folder / "Library" / "UnityMCP" / "TestRuns"
        (self.run,) = (self.store / "runs").glob(run)
        request = json.loads((self.run / "run.json").read_text(encoding="utf-8"))["request_id"]
        self.request = self.store / "requests" / f"{request}.json"

    def path(self, name: str) -> Path:
        if name == "request":
            return self.request
        return (self.store if name in {"active.json", "latest.json"} else self.run) / name

    def json(self, name: str) -> Object:
        found: Object = json.loads(self.path(name).read_text(encoding="utf-8"))
        return found

    def write_json(self, name: str, value: Object) -> None:
        text = json.dumps(value, indent=4, ensure_ascii=False) + "\n"
        self.path(name).write_text(text, encoding="utf-8", newline="\n")

    def change(self, name: str, **fields: Json) -> None:
        self.write_json(name, {**self.json(name), **fields})

    def lines(self, name: str) -> list[Object]:
        return [json.loads(line) for line in self.path(name).read_text(encoding="utf-8").split("\n") if line]

    def write_lines(self, name: str, records: list[Object]) -> None:
        text = "".join(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n" for record in records)
        self.path(name).write_text(text, encoding="utf-8", newline="\n")

    def read_bytes(self, name: str) -> bytes:
        return self.path(name).read_bytes()

    def write_bytes(self, name: str, data: bytes) -> None:
        self.path(name).write_bytes(data)

    def replace(self, name: str, old: str, new: str, count: int = 1) -> None:
        data = self.read_bytes(name)
        assert old.encode() in data, (name, old)
        self.write_bytes(name, data.replace(old.encode(), new.encode("utf-8", "surrogateescape"), count))

    def refresh(self) -> None:
        if not self.path("summary.json").exists():
            return
        sizes: Object = {
            f"{stamp}_evidence_bytes": self.path(name).stat().st_size if self.path(name).exists() else -1
            for stamp, name in STAMPED.items()
        }
        self.change("summary.json", **sizes)

    def judge(self, profile: str = TASK, *stated: str) -> Verdict:
        expected = expectations({}, (*STATED, *stated))._replace(profile=profile)
        return judged(taken(str(self.root)), expected)

    def release(self) -> Verdict:
        return self.judge(RELEASE)


Mutation: TypeAlias = Callable[[Bundle], None]


def codes(verdict: Verdict) -> set[str]:
    return {reason.code for _, reason, _ in verdict.reasons()}
