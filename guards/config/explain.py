"""What holds for a path, rule by rule, and who decided that: what ``suiteguard config`` shows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from guards.config.catalogue import OFF, OptionValue
from guards.config.layer import RuleId
from guards.config.names import Names
from guards.config.resolve import RuleState, Said


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


def explanations(
    found: Mapping[RuleId, RuleState], names: Names, place: Callable[[Said], str]
) -> tuple[RuleExplanation, ...]:
    """What is on, what is off, and why."""
    return tuple(
        RuleExplanation(
            name,
            language,
            names.rules[name, language].code,
            state.severity if state.on else OFF,
            place(state.on_said),
            place(state.severity_said),
            tuple(
                OptionExplanation(option, value, names.rules[name, language].options[option].default, place(said))
                for option, (value, said) in sorted(state.options.items())
                if value != names.rules[name, language].options[option].default
            ),
        )
        for (name, language), state in sorted(found.items())
    )
