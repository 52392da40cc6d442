"""What configuration relies on in the rule table that ships."""

import re

import pytest

from guards.config.catalogue import LANGUAGES, Option, RuleEntry
from guards.rules._table import CATALOGUE

OPTIONS = [
    pytest.param(entry, name, option, id=f"{entry.code}-{name}")
    for entry in CATALOGUE.entries
    for name, option in entry.options
]


@pytest.mark.parametrize("entry", CATALOGUE.entries, ids=lambda entry: entry.code)
def test_a_name_is_kebab_case_and_a_code_is_one_rule_s(entry: RuleEntry) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.name)
    assert re.fullmatch(r"SG[CGPX]\d{3}", entry.code)
    assert [other.code for other in CATALOGUE.entries].count(entry.code) == 1
    assert len([other for other in CATALOGUE.entries_for(entry.name) if other.language == entry.language]) == 1


@pytest.mark.parametrize("entry", CATALOGUE.entries, ids=lambda entry: entry.code)
def test_an_alias_is_no_rule(entry: RuleEntry) -> None:
    assert set(entry.aliases).isdisjoint(CATALOGUE.names())


@pytest.mark.parametrize(("entry", "name", "option"), OPTIONS)
def test_an_option_can_be_told_from_a_severity_and_a_language(entry: RuleEntry, name: str, option: Option) -> None:
    del entry, option
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert name not in {"severity", "any", "project", *LANGUAGES}


@pytest.mark.parametrize(("entry", "name", "option"), OPTIONS)
def test_globs_of_paths_are_declared_as_such(entry: RuleEntry, name: str, option: Option) -> None:
    del entry
    assert option.paths == name.endswith("paths")


@pytest.mark.parametrize(("entry", "name", "option"), OPTIONS)
def test_a_default_is_one_of_the_choices(entry: RuleEntry, name: str, option: Option) -> None:
    del entry, name
    defaults = option.default if isinstance(option.default, tuple) else (option.default,)
    assert not option.choices or set(defaults) <= set(option.choices)
