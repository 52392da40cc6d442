"""One source of configuration, checked and resolved to rules: a preset, or a user's file."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from guards.config.catalogue import Forbid, OptionValue

# A rule in one language: its name and the language.
RuleId: TypeAlias = tuple[str, str]
# The way to a value in a TOML document: keys, and indexes in lists.
Key: TypeAlias = tuple[str | int, ...]


class RuleChange(NamedTuple):
    """What one table says of one rule in one language; an empty severity says nothing."""

    rule: RuleId
    severity: str
    options: Mapping[str, OptionValue]
    key: Key


class Step(NamedTuple):
    """Rules switched on, then changed, then switched off: the same at the top and in overrides."""

    select: tuple[tuple[RuleId, Key], ...] = ()
    changes: tuple[RuleChange, ...] = ()
    ignore: tuple[tuple[RuleId, Key], ...] = ()


class Override(NamedTuple):
    """A step that holds for some paths alone; ``paths`` are globs anchored at the root."""

    paths: tuple[str, ...]
    step: Step
    key: Key


class Layer(NamedTuple):
    """Everything one source says; None where it says nothing. Globs are anchored at the root."""

    presets: tuple[str, ...] | None = None
    step: Step = Step()
    overrides: tuple[Override, ...] = ()
    forbid: tuple[Forbid, ...] = ()
    owned: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    allow_unanalysed: tuple[str, ...] | None = None
    baseline: str | None = None
    acceptance: Mapping[str, OptionValue] = {}
