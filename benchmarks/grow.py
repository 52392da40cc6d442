"""How cold and warm runs grow with the number of files, on generated projects."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from benchmarks.facts import JOIN_SHARE
from benchmarks.measure import Series, alternate, run
from benchmarks.probe import probe
from benchmarks.synthetic import LANGUAGES, generate
from benchmarks.table import LANGUAGE_NAMES, Json, rows
from benchmarks.tools import COLD, WARM, check, cold_check

TEN_TIMES = 11.0


class Point(NamedTuple):
    """What was measured on a project of one size."""

    cold: Series
    warm: Series
    join_share: float


def grow(sizes: Sequence[int], runs: int, scratch: Path, preset: str) -> tuple[str, dict[str, Json]]:
    """A table a language, and the same as data."""
    tables: list[str] = []
    data: dict[str, Json] = {}
    for language in LANGUAGES:
        points = {size: _measure(language, size, runs, scratch, preset) for size in sizes}
        tables.append(f"### {LANGUAGE_NAMES[language]}, generated\n\n{growth_table(points)}\n")
        data[language] = [_json(size, point) for size, point in points.items()]
    return "\n".join(tables), {"growth": data}


def _measure(language: str, size: int, runs: int, scratch: Path, preset: str) -> Point:
    root = scratch / "projects" / f"{language}-{size}"
    rmtree(root, ignore_errors=True)
    generate(language, size, root)
    warm = check(str(root), (), scratch / "cache" / root.name, preset)
    run(warm)  # fills the cache
    series, _ = alternate({COLD: cold_check(str(root), (), scratch, preset), WARM: warm}, runs)
    return Point(series[COLD], series[WARM], _join_share(str(root), preset))


def _join_share(root: str, preset: str) -> float:
    """In another process: the system counts what this one needs to the peak of those that it starts."""
    with ProcessPoolExecutor(1, get_context("spawn")) as elsewhere:
        elsewhere.submit(probe, root, preset).result()
        return elsewhere.submit(probe, root, preset).result().join_share


def growth_table(points: Mapping[int, Point]) -> str:
    """One line a size; where a size is ten times another one, the ratio of their times, too."""
    body = []
    for size, point in points.items():
        tenth = points.get(size // 10) if size % 10 == 0 else None
        body.append(
            (
                str(size),
                f"{point.cold.wall:.2f}",
                f"{point.cold.cpu:.2f}",
                f"{point.warm.wall:.2f}",
                f"{point.join_share:.1%}{'' if point.join_share <= JOIN_SHARE else ' **over**'}",
                f"{point.cold.peak:.0f}",
                _times(point.cold.cpu, tenth and tenth.cold.cpu),
                _times(point.warm.cpu, tenth and tenth.warm.cpu),
            )
        )
    times = f"CPU to a tenth of the files (at most {TEN_TIMES:g})"
    header = ("Files", "Cold s", "Cold CPU s", "Warm s", f"Join (at most {JOIN_SHARE:.0%})", "Peak MB", times, "Warm")
    return rows(header, body)


def _times(large: float, small: float | None) -> str:
    if small is None:
        return ""
    return f"{large / small:.1f}{'' if large / small <= TEN_TIMES else ' **over**'}"


def _json(size: int, point: Point) -> Json:
    return {
        "files": size,
        "cold_wall": point.cold.wall,
        "cold_cpu": point.cold.cpu,
        "warm_wall": point.warm.wall,
        "warm_cpu": point.warm.cpu,
        "join_share": point.join_share,
        "peak_mb": point.cold.peak,
    }
