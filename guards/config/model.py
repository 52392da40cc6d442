"""What holds for a path, after presets, the user's tables, overrides and the command line."""

from collections.abc import Mapping
from typing import NamedTuple

from guards.config.catalogue import Forbid, OptionValue


class RuleSetting(NamedTuple):
    """One enabled rule in one language: its severity, and all its options with their values.

    ``origin`` names the preset or file that had the last word on whether it is on.
    """

    name: str
    language: str
    severity: str
    options: Mapping[str, OptionValue]
    origin: str = ""


class Settings(NamedTuple):
    """Everything that holds for one file.

    ``rules`` are the enabled rules by (name, language), those that consist of configured rows
    among them. ``forbid`` are the enabled rows of presets and of the user, each with its
    severity and with its globs anchored at the root; rows of rule modules come with their rule.
    ``key`` is equal for files with equal settings and fit for a cache key.
    """

    rules: Mapping[tuple[str, str], RuleSetting]
    forbid: tuple[Forbid, ...]
    key: str


class ProblemAt(NamedTuple):
    """One thing wrong in a configuration file; ``line`` is 0 where it cannot be told."""

    path: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return ": ".join(part for part in (place, self.key, self.message) if part)


class ConfigError(Exception):
    """The configuration cannot be used; nothing was run."""

    def __init__(self, problems: tuple[ProblemAt, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class CommandLine(NamedTuple):
    """What the command line says about configuration; None where it says nothing."""

    config: str | None = None
    presets: tuple[str, ...] | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()


class OptionExplanation(NamedTuple):
    """One option of a rule as it holds for a path, and where that comes from."""

    name: str
    value: OptionValue
    default: OptionValue
    origin: str


class RuleExplanation(NamedTuple):
    """One rule in one language as it holds for a path.

    ``severity`` is ``off`` for a rule that is off. ``origin`` says what had the last word on
    whether it is on, ``severity_origin`` on its severity: ``default``, ``preset NAME``,
    ``FILE:LINE`` or an option of the command line. ``options`` are those that differ from
    their defaults.
    """

    name: str
    language: str
    code: str
    severity: str
    origin: str
    severity_origin: str
    options: tuple[OptionExplanation, ...]


class Explanation(NamedTuple):
    """What holds for a path, and why.

    ``config`` is the governing file, empty where defaults hold; ``presets`` are those in
    force, in order, inherited ones before their heirs; ``overrides`` are the places of the
    matching ``[[overrides]]``, in order. ``rules`` are all rules, sorted by name and language.
    """

    path: str
    config: str
    excluded: bool
    presets: tuple[str, ...]
    overrides: tuple[str, ...]
    rules: tuple[RuleExplanation, ...]
    owned: tuple[str, ...]
    acceptance: Mapping[str, OptionValue]
