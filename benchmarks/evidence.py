"""A durable run of many leaves: judged, and decoded as records and nothing else, which is the floor."""

import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median

import msgspec

from benchmarks.table import Json
from guards.evidence.contracts import judged
from guards.evidence.expectations import Expectations
from guards.evidence.readers.durable.records import Event, Expected, Summary
from guards.evidence.taken import taken

_TESTS = Path(__file__).parents[1] / "tests"
_SKIPPED_EVERY = 50


def judge_large_runs(sizes: tuple[int, ...], runs: int, scratch: Path) -> tuple[str, dict[str, Json]]:
    """A table of CPU seconds and of bytes a leaf, for runs of several sizes; and the same as data."""
    rows: list[Json] = []
    table = [
        "| Leaves | decoded (s) | judged (s) | ratio | bytes a leaf, kept | at most |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for size in sizes:
        project = _generated(size, scratch)
        decoding = median(_timed(lambda: _decode(project)) for _ in range(runs))  # noqa: B023 called at once
        judging = median(_timed(lambda: judged(taken(str(project)), Expectations())) for _ in range(runs))  # noqa: B023
        kept, most = _weighed(project)
        numbers = (decoding, judging)
        ratio, weights = judging / decoding, (kept / size, most / size)
        table.append("| {} | {:.2f} | {:.2f} | {:.1f} | {:.0f} | {:.0f} |".format(size, *numbers, ratio, *weights))
        rows.append({"leaves": size, "decoded": decoding, "judged": judging, "kept": kept, "peak": most})
    return "\n".join(table) + "\n", {"evidence": rows}


def _generated(size: int, scratch: Path) -> Path:
    project = scratch / f"durable-run-{size}"
    if not project.exists():
        sys.path.insert(0, str(_TESTS))
        from evidence.generator import Chosen, generate

        names = (f"Grove.Tests.Fixture{number % 97}.Case_{number}({number})" for number in range(size))
        generate(project, [
            Chosen(name, "skipped" if number % _SKIPPED_EVERY == _SKIPPED_EVERY - 1 else "passed")
            for number, name in enumerate(names)
        ])  # fmt: skip
    return project


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _decode(project: Path) -> tuple[list[Event], list[Expected], Summary]:
    (run,) = (project / "Library" / "UnityMCP" / "TestRuns" / "runs").iterdir()
    events, expected = msgspec.json.Decoder(Event), msgspec.json.Decoder(Expected)
    return (
        [events.decode(line) for line in (run / "events.jsonl").read_bytes().splitlines()],
        [expected.decode(line) for line in (run / "expected-tests.jsonl").read_bytes().splitlines()],
        msgspec.json.decode((run / "summary.json").read_bytes(), type=Summary),
    )


def _weighed(project: Path) -> tuple[int, int]:
    """Bytes that a verdict keeps, and at most on the way to it."""
    tracemalloc.start()
    verdict = judged(taken(str(project)), Expectations())
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del verdict
    return kept, most
