"""What was measured, as Markdown for people and as JSON for machines."""

import os
import platform
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from benchmarks.compare import Comparison, verdicts
from benchmarks.measure import Series
from benchmarks.tools import BARE, COLD, FLOOR, ONE, WARM

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

LANGUAGE_NAMES = {"csharp": "C#", "gdscript": "GDScript", "python": "Python"}
# The last measures start-up, and a ratio to it says nothing about files.
_NO_RATIO = {BARE, ONE}


def environment() -> dict[str, str]:
    """The machine, as far as it matters for reading the numbers, and no date."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(cores),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def rows(header: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    rule = ["---", *("--:" for _ in header[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *body))


def comparison_markdown(comparison: Comparison) -> str:
    """One section: the files, the table of times and ratios, what was not measured, the targets."""
    corpus, series = comparison.corpus, comparison.series
    lines = [
        f"### {LANGUAGE_NAMES[corpus.language]}: {corpus.project}",
        "",
        f"{len(corpus.files)} files, {corpus.size / 1e6:.2f} MB; the tools take turns.",
        "",
        rows(
            (
                "Tool",
                "Version",
                "Runs",
                "Wall s",
                "Least to most",
                "CPU s",
                "Peak MB",
                "Cold ÷ it",
                "Warm ÷ it",
                "CPU: cold ÷ it",
            ),
            [_row(name, comparison) for name in series],
        ),
    ]
    if comparison.not_measured:
        lines += ["", "Not measured: " + "; ".join(f"{n} ({why})" for n, why in comparison.not_measured.items()) + "."]
    judged = [(v.what, v.measured, v.cpu, v.floor, "yes" if v.held else "**no**") for v in verdicts(comparison)]
    if judged:
        lines += ["", rows(("Target", "Wall time", "CPU time", "Floor: a raw parse", "Held"), judged)]
    return "\n".join([*lines, ""])


def _row(name: str, comparison: Comparison) -> tuple[str, ...]:
    one = comparison.series[name]
    least, most = one.spread
    figures = (f"{one.wall:.3f}", f"{least:.3f} to {most:.3f}", f"{one.cpu:.3f}", f"{one.peak:.0f}")
    shown = {BARE: "Python that does nothing", FLOOR: "tree-sitter, parse alone, one process"}.get(name, name)
    return (
        shown,
        comparison.versions.get(name, ""),
        str(len(one.samples)),
        *figures,
        *_ratios(name, comparison.series),
    )


def _ratios(name: str, series: dict[str, Series]) -> tuple[str, str, str]:
    if name in _NO_RATIO:
        return "", "", ""
    one, cold, warm = series[name], series.get(COLD), series.get(WARM)
    return (
        f"{cold.wall / one.wall:.3g}" if cold and name != COLD else "",
        f"{warm.wall / one.wall:.3g}" if warm and name != WARM else "",
        f"{cold.cpu / one.cpu:.3g}" if cold and name != COLD else "",
    )


def comparison_json(comparison: Comparison) -> Json:
    """The same for machines: every sample, in seconds and kilobytes."""
    corpus = comparison.corpus
    return {
        "project": corpus.project,
        "language": corpus.language,
        "files": len(corpus.files),
        "bytes": corpus.size,
        "tools": [
            {
                "name": name,
                "version": comparison.versions.get(name, ""),
                "wall": one.wall,
                "cpu": one.cpu,
                "samples": [{"wall": s.wall, "cpu": s.cpu, "peak_kb": s.peak} for s in one.samples],
            }
            for name, one in comparison.series.items()
        ],
        "not_measured": dict(comparison.not_measured),
        "targets": [
            {"target": v.what, "wall": v.measured, "cpu": v.cpu, "floor": v.floor, "held": v.held}
            for v in verdicts(comparison)
        ],
    }
