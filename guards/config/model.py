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
