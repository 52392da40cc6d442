"""Memory for what is remembered of each file, and the share of the join in a cold run."""

import os
from collections.abc import Sequence

from benchmarks.probe import Probe, probe
from benchmarks.table import LANGUAGE_NAMES, Json, rows

FACTS_KILOBYTES = 15
JOIN_SHARE = 0.25


def weigh(roots: Sequence[str], languages: Sequence[str], preset: str) -> tuple[str, dict[str, Json]]:
    """Two tables, and the same as data."""
    probes: dict[str, Probe] = {}
    for root in roots:
        probe(root, preset)
        probes[os.path.basename(os.path.abspath(root))] = probe(root, preset)
    weights = [
        (project, language, sizes)
        for project, one in probes.items()
        for language in LANGUAGE_NAMES
        if (not languages or language in languages) and (sizes := weights_of(one, language))
    ]
    markdown = "\n\n".join((_weights_table(weights), join_table(probes)))
    data: list[Json] = [
        {
            "project": project,
            "language": language,
            "files": len(sizes),
            "average_bytes": sum(sizes.values()) / len(sizes),
            "largest_bytes": max(sizes.values()),
        }
        for project, language, sizes in weights
    ]
    return markdown + "\n", {"facts": data, "joins": {project: _join_json(one) for project, one in probes.items()}}


def weights_of(one: Probe, language: str) -> dict[str, int]:
    """Bytes by path for the files of a language."""
    return {path: size for (of, path), size in one.facts.items() if of == language}


def _weights_table(weights: Sequence[tuple[str, str, dict[str, int]]]) -> str:
    body = []
    for project, language, sizes in weights:
        average = sum(sizes.values()) / len(sizes) / 1024
        path, largest = max(sizes.items(), key=lambda item: (item[1], item[0]))
        held = "yes" if average <= FACTS_KILOBYTES else "**no**"
        name = f"{project}, {LANGUAGE_NAMES[language]}"
        body.append((name, str(len(sizes)), f"{average:.1f}", held, f"{largest / 1024:.0f}", f"`{path}`"))
    header = ("Facts", "Files", "Average KB", f"At most {FACTS_KILOBYTES}", "Largest KB", "Which")
    return rows(header, body)


def join_table(probes: dict[str, Probe]) -> str:
    """Where the time of one process goes, by project."""
    body = [
        (
            project,
            f"{one.total:.2f}",
            f"{one.discovering:.2f}",
            f"{one.collecting:.2f}",
            f"{one.joining:.2f}",
            f"{one.join_share:.1%}",
            "yes" if one.join_share <= JOIN_SHARE else "**no**",
        )
        for project, one in probes.items()
    ]
    header = (
        "One process, no cache",
        "Total s",
        "Discover s",
        "Collect s",
        "Join s",
        "Join",
        f"At most {JOIN_SHARE:.0%}",
    )
    return rows(header, body)


def _join_json(one: Probe) -> Json:
    return {
        "total": one.total,
        "discovering": one.discovering,
        "collecting": one.collecting,
        "joining": one.joining,
        "join_share": one.join_share,
    }
