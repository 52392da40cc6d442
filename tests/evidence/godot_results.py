"""Replies of a Godot editor's test run, built of rows, and judged."""

import json
from pathlib import Path
from typing import TypeAlias

from guards.evidence.contracts import judged
from guards.evidence.contracts.godot import CONTRACT
from guards.evidence.expectations import TASK, expectations
from guards.evidence.inventory import Inventory, SourceSuite, SourceTest
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.taken import taken
from guards.evidence.verdict import Verdict, judge

EXAMPLES = Path(__file__).parents[2] / "examples" / "evidence"
SAMPLES = Path(__file__).parent / "data" / "godot"
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Object: TypeAlias = "dict[str, Json]"


def row(
    suite: str, test: str, count: int = 1, message: str = "", *, passed: bool = True, skipped: bool = False
) -> Object:
    made: Object = {"assertion_count": count, "message": message, "passed": passed, "suite": suite, "test": test}
    if skipped:
        made["skipped"] = True
    return made


def green(suite: str, *tests: str) -> list[Object]:
    return [row(suite, test) for test in tests]


def red(suite: str, test: str, message: str = "Expected 1, got 2", count: int = 1) -> Object:
    return row(suite, test, count, message, passed=False)


def skipped(suite: str, test: str, reason: str = "needs a window") -> Object:
    return row(suite, test, 0, reason, skipped=True)


def result(rows: list[Object], *, verbose: bool = True, **changed: Json) -> Object:
    """The runner's object for some rows, all of it consistent, then changed; None takes a key away."""
    failed = [each for each in rows if not each["passed"]]
    skips = [each for each in rows if each.get("skipped")]
    suites = list(dict.fromkeys(str(each["suite"]) for each in rows))
    whole: Object = {
        "passed": len(rows) - len(failed) - len(skips),
        "failed": len(failed),
        "skipped": len(skips),
        "total": len(rows),
        "duration_ms": 40,
        "suites_run": list[Json](suites),
        "suite_count": len(suites),
        "edited_scene": "res://quay.tscn",
    }
    if failed:
        whole["failures"] = list[Json](failed)
    if verbose:
        whole["results"] = list[Json](rows)
    return {key: value for key, value in {**whole, **changed}.items() if value is not None}


def timeout(phase: str = "run", **counts: Json) -> Object:
    data: Object = {"phase": phase, "elapsed_ms": 30000, "budget_sec": 30, **counts}
    return {"error": {"code": "TEST_RUN_TIMEOUT", "message": "the budget is spent", "data": data}}


def inventory(*suites: SourceSuite) -> Inventory:
    return Inventory(suites)


def source(name: str, *tests: str | SourceTest) -> SourceSuite:
    made = (SourceTest(test) if isinstance(test, str) else test for test in tests)
    return SourceSuite(name, f"tests/test_{name}.gd", tuple(made))


def judge_text(
    folder: Path, text: str, *stated: str, profile: str = TASK, skips: tuple[str, ...] | None = None
) -> Verdict:
    path = folder / "result.txt"
    path.write_text(text, encoding="utf-8", newline="")
    return judge_path(path, *stated, profile=profile, skips=skips)


def judge_path(path: Path, *stated: str, profile: str = TASK, skips: tuple[str, ...] | None = None) -> Verdict:
    return judged(taken(str(path)), expectations({}, stated, skips)._replace(profile=profile))


def judge_reply(
    folder: Path, reply: Json, *stated: str, profile: str = TASK, skips: tuple[str, ...] | None = None
) -> Verdict:
    return judge_text(folder, json.dumps(reply), *stated, profile=profile, skips=skips)


def judge_with_sources(folder: Path, reply: Json, sources: Inventory, *stated: str) -> Verdict:
    (folder / "result.json").write_text(json.dumps(reply), encoding="utf-8")
    return judge(CONTRACT, GodotRun(str(folder), "result.json", sources), expectations({}, stated))


def codes(verdict: Verdict) -> set[str]:
    return {reason.code for _, reason, _ in verdict.reasons()}


def sources_of(verdict: Verdict) -> set[str]:
    """The numbers of the conditions that gave a reason."""
    return {judged_.source for judged_, _, _ in verdict.reasons()}
