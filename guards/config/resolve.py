"""From layers to what holds for a path: presets, then the file, then its overrides, then the command line."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from guards.config.catalogue import OFF, Forbid, OptionValue
from guards.config.layer import Key, RuleId, Step
from guards.config.model import RuleSetting, Settings
from guards.config.names import KnownRule, Names

DEFAULT = "default"


class Said(NamedTuple):
    """Who said something: a preset, a file or an option of the command line, and at which key."""

    source: str
    key: Key = ()


class SourceStep(NamedTuple):
    """A step, what messages call its source, and whether it holds for some paths alone."""

    source: str
    step: Step
    for_paths: bool


class Chosen(NamedTuple):
    """What the command line says of rules, resolved; ``select`` None where it says nothing."""

    select: frozenset[RuleId] | None
    ignore: frozenset[RuleId]


class RuleState:
    """What holds for one rule in one language, and who said so.

    ``for_paths`` says that the last word on whether it is on was about some paths alone.
    """

    __slots__ = ("for_paths", "on", "on_said", "options", "severity", "severity_said")

    def __init__(self, rule: KnownRule) -> None:
        self.on = False
        self.on_said = Said(DEFAULT)
        self.for_paths = False
        self.severity = rule.severity
        self.severity_said = Said(DEFAULT)
        self.options: dict[str, tuple[OptionValue, Said]] = {}

    def switch(self, said: Said, *, on: bool, for_paths: bool = False) -> None:
        """Switches the rule on or off."""
        self.on, self.on_said, self.for_paths = on, said, for_paths


def states(names: Names, steps: Iterable[SourceStep], chosen: Chosen) -> dict[RuleId, RuleState]:
    """What holds after some steps, later ones winning, and the command line.

    What the command line selects is on and all else is off; but where an override switches a
    rule off for a path, it stays off there: it is no business of that path's.
    """
    found = {rule: RuleState(known) for rule, known in names.rules.items()}
    for step in steps:
        _apply(found, step)
    for rule, state in found.items():
        if chosen.select is not None and not (rule in chosen.select and state.for_paths):
            state.switch(Said("--select"), on=rule in chosen.select)
        if rule in chosen.ignore:
            state.switch(Said("--ignore"), on=False)
    return found


def _apply(found: Mapping[RuleId, RuleState], said: SourceStep) -> None:
    source, step, for_paths = said
    for rule, key in step.select:
        found[rule].switch(Said(source, key), on=True, for_paths=for_paths)
    for rule, severity, options, key in step.changes:
        state = found[rule]
        if severity:
            word = Said(source, (*key, "severity"))
            state.switch(word, on=severity != OFF, for_paths=for_paths)
            if severity != OFF:
                state.severity, state.severity_said = severity, word
        for name, value in options.items():
            state.options[name] = (value, Said(source, (*key, name)))
    for rule, key in step.ignore:
        found[rule].switch(Said(source, key), on=False, for_paths=for_paths)


def settings(found: Mapping[RuleId, RuleState], names: Names, rows: Iterable[Forbid]) -> Settings:
    """The enabled rules and rows."""
    rules = {
        (name, language): RuleSetting(
            name, language, state.severity, _values(names.rules[name, language], state), state.on_said.source
        )
        for (name, language), state in found.items()
        if state.on
    }
    forbid = tuple(
        row._replace(severity=rules[row.name, row.language].severity)
        for row in dict.fromkeys(rows)
        if (row.name, row.language) in rules
    )
    return Settings(rules, forbid, _key(rules, forbid))


def _values(rule: KnownRule, state: RuleState) -> dict[str, OptionValue]:
    values = {name: option.default for name, option in rule.options.items()}
    values.update((name, value) for name, (value, _) in state.options.items())
    return values


def _key(rules: Mapping[RuleId, RuleSetting], forbid: tuple[Forbid, ...]) -> str:
    """All of the settings as text: equal settings give equal text, and nothing has to be hashed for one file."""
    return repr(
        ([(rule, setting.severity, _canonical(setting.options)) for rule, setting in sorted(rules.items())], forbid)
    )


def _canonical(value: OptionValue) -> object:
    if isinstance(value, Mapping):
        return sorted((name, _canonical(item)) for name, item in value.items())
    return value
