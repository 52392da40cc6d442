"""The one place that knows the built-in rules: only here is ``guards.rules`` imported."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guards.config.catalogue import Catalogue, RuleEntry
    from guards.languages.base import LanguageFile
    from guards.rule import Rule


def catalogue() -> "Catalogue":
    """What is known of all rules without importing one."""
    from guards.rules._presets import PRESETS
    from guards.rules._table import CATALOGUE

    return CATALOGUE._replace(presets=PRESETS)


def rule_class(entry: "RuleEntry") -> "type[Rule[LanguageFile[object]]]":
    """The class of one rule; this imports its module."""
    loaded: type[Rule[LanguageFile[object]]] = getattr(import_module(entry.module), entry.class_name)
    return loaded
