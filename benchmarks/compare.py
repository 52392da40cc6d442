"""One comparison: every tool on the same files of one language in one project."""

from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import Corpus
from benchmarks.measure import Command, Failed, Series, alternate, run
from benchmarks.tools import (
    BARE,
    COLD,
    FLOOR,
    NOT_COMPARABLE,
    ONE,
    TOOLS,
    WARM,
    Installed,
    NotInstalled,
    command_of,
    floors,
    install,
    ours,
)
from guards import __version__


class Target(NamedTuple):
    """A ratio of wall times that ours should not exceed."""

    language: str
    ours: str
    theirs: str
    most: float


class Budget(NamedTuple):
    """Milliseconds over bare Python that one file may take."""

    language: str
    most: float


TARGETS = (
    Target("csharp", COLD, "ast-grep", 2.5),
    Target("csharp", WARM, "ast-grep", 0.5),
    Target("gdscript", COLD, "gdlint", 0.05),
    Target("python", COLD, "flake8", 0.2),
)
BUDGETS = (Budget("csharp", 90), Budget("python", 60))


class Comparison(NamedTuple):
    """What was measured on a corpus: the series and the versions by tool, and why a tool was not measured."""

    corpus: Corpus
    series: dict[str, Series]
    versions: dict[str, str]
    not_measured: dict[str, str]


class Verdict(NamedTuple):
    """A target, what was measured as wall and as CPU time, and the wall time of the floor where there is one."""

    what: str
    measured: str
    cpu: str
    floor: str
    held: bool


def compare(corpus: Corpus, scratch: Path, preset: str, runs: int, wanted: tuple[str, ...]) -> Comparison:
    """Measures all tools that read the language; ``wanted`` leaves the named ones, or all where it is empty."""
    installed, not_measured = _installed(corpus.language, scratch, wanted)
    commands: dict[str, Command] = {**ours(corpus, scratch, preset), **floors(corpus)}
    commands.update({name: command_of(tool, corpus) for name, tool in installed.items()})
    try:
        run(commands[WARM])  # fills the cache
    except Failed as error:
        not_measured[WARM] = str(error)
    series, failed = alternate({name: command for name, command in commands.items() if name not in not_measured}, runs)
    versions = {name: tool.version for name, tool in installed.items()}
    versions.update(dict.fromkeys((COLD, WARM, ONE), __version__))
    return Comparison(corpus, series, versions, not_measured | failed)


def _installed(language: str, scratch: Path, wanted: tuple[str, ...]) -> tuple[dict[str, Installed], dict[str, str]]:
    installed: dict[str, Installed] = {}
    reasons = dict(NOT_COMPARABLE[language])
    for tool in TOOLS:
        if language not in tool.languages:
            continue
        if wanted and tool.name not in wanted:
            reasons[tool.name] = "was left out of this run"
            continue
        try:
            installed[tool.name] = install(tool, scratch)
        except NotInstalled as error:
            reasons[tool.name] = f"cannot be installed here: {error}"
    return installed, reasons


def verdicts(comparison: Comparison) -> list[Verdict]:
    """How the targets of the language were met, as far as both sides were measured."""
    series, language = comparison.series, comparison.corpus.language
    found = []
    for target in TARGETS:
        if target.language == language and target.ours in series and target.theirs in series:
            theirs = series[target.theirs].wall
            ratio = series[target.ours].wall / theirs
            cpu = series[target.ours].cpu / series[target.theirs].cpu
            floor = f"{series[FLOOR].wall / theirs:.3g}" if FLOOR in series and target.ours == COLD else ""
            what = f"{target.ours} ÷ {target.theirs} at most {target.most:g}"
            found.append(Verdict(what, f"{ratio:.3g}", f"{cpu:.3g}", floor, ratio <= target.most))
    for budget in BUDGETS:
        if budget.language == language and ONE in series and BARE in series:
            over = 1000 * (series[ONE].wall - series[BARE].wall)
            cpu = 1000 * (series[ONE].cpu - series[BARE].cpu)
            what = f"{ONE}, at most {budget.most:g} ms over bare Python"
            found.append(Verdict(what, f"{over:.0f} ms", f"{cpu:.0f} ms", "", over <= budget.most))
    return found
