"""Rule pages as text: what ``suiteguard explain`` prints and the site shows."""

from collections.abc import Mapping, Sequence

from guards.config.catalogue import Catalogue, RuleEntry
from guards.config.load import ConfigSet
from guards.config.model import CommandLine
from guards.engine.loader import rule_class


def rule_page(catalogue: Catalogue, entries: Sequence[RuleEntry]) -> str:
    """The Markdown page of one rule, whose entries are given."""
    from guards.rule.page import page

    return page([rule_class(entry) for entry in entries], presets_of(catalogue).get(entries[0].name, {}))


def presets_of(catalogue: Catalogue) -> Mapping[str, Mapping[str, str]]:
    """By rule name, the presets that enable it and with which severity."""
    found: dict[str, dict[str, str]] = {}
    for preset in catalogue.presets:
        configs = ConfigSet.load("", catalogue._replace(), CommandLine(presets=(preset,)))
        for setting in configs.settings_for("x").rules.values():
            found.setdefault(setting.name, {}).setdefault(preset, setting.severity)
    return found
