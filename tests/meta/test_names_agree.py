"""Code, pages, cases and changelog name the same rules."""

import re
from pathlib import Path

from guards.engine.cases import read_cases
from guards.engine.loader import catalogue
from guards.engine.pages import Pages

ROOT = Path(__file__).parents[2]
NAMES = set(catalogue().names())
# Rules of the tool's own hygiene are about comments and unreadable regions, in every language.
WITHOUT_CASES = {entry.name for entry in catalogue().entries if entry.language == "any"}


def test_every_module_of_a_rule_is_in_the_table() -> None:
    modules = {
        f"guards.rules.{path.parent.name}.{path.stem}"
        for folder in ("csharp", "gdscript", "project", "python")
        for path in (ROOT / "rules" / folder).glob("[!_]*.py")
    }
    assert {entry.module for entry in catalogue().entries} == modules


def test_a_module_is_called_as_its_rule() -> None:
    assert [
        entry for entry in catalogue().entries if entry.module.rpartition(".")[2] != entry.name.replace("-", "_")
    ] == []


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert pages == {"index", *Pages(catalogue()).names()}


def test_every_rule_has_cases() -> None:
    cases = {case.rule for file in (ROOT / "tests" / "cases").glob("*.jsonl") for case in read_cases(str(file))}
    assert NAMES - cases - WITHOUT_CASES == set()


def test_the_changelog_names_every_rule_and_none_that_is_not() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\(docs/rules/([a-z-]+)\.md\)", text))
    assert named == set(Pages(catalogue()).names())
