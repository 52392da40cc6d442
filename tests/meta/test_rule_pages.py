"""Every rule has a page with the same headings, and one name means one thing in every language."""

import re
from collections import defaultdict

import pytest

from guards.config.catalogue import RuleEntry
from guards.engine.loader import catalogue, rule_class
from guards.rule.page import page_problems, sections

BY_NAME: dict[str, list[RuleEntry]] = defaultdict(list)
for _entry in catalogue().entries:
    BY_NAME[_entry.name].append(_entry)
IN_SEVERAL_LANGUAGES = [pytest.param(entries, id=name) for name, entries in BY_NAME.items() if len(entries) > 1]


@pytest.mark.parametrize("entry", catalogue().entries, ids=lambda entry: f"{entry.code}-{entry.name}")
def test_a_rule_s_page_is_complete(entry: RuleEntry) -> None:
    assert page_problems(rule_class(entry)) == []


@pytest.mark.parametrize("entries", IN_SEVERAL_LANGUAGES)
def test_languages_that_share_a_name_do_the_same(entries: list[RuleEntry]) -> None:
    does = {sections(rule_class(entry)).text("What it does") for entry in entries}
    first_sentences = {" ".join(re.split(r"(?<=[.:])\s", text, maxsplit=1)[0].split()) for text in does}
    assert len(first_sentences) == 1, first_sentences


@pytest.mark.parametrize("entry", catalogue().entries, ids=lambda entry: entry.code)
def test_a_rule_s_code_says_its_language(entry: RuleEntry) -> None:
    letters = {"csharp": "C", "gdscript": "G", "python": "P", "project": "X", "any": "X"}
    assert re.fullmatch(rf"SG{letters[entry.language]}\d{{3}}", entry.code)
