"""A suppression that names no rule that exists.

## What it does

Reports each name in `suiteguard: allow[NAME] reason` that is neither a rule nor a name of a `[[forbid]]` row, and each
comment that addresses suiteguard but is not of the form `allow[RULE] reason`.

## Why is this bad?

A misspelt suppression suppresses nothing, and whoever wrote it believes that it does.

## Use instead

The rule's name as the report prints it, in brackets: `allow[thread-sleep] reason`.

## Known limits

Names of rules are known across languages: a C# rule named in a Python file is no unknown name.
"""

from collections.abc import Iterator, Sequence

from guards.findings.suppressions import find_suppressions
from guards.languages.base import LanguageFile
from guards.rule import ALL_CODE, Candidate, Example, Finding, Options, Project, Rule


class UnknownRuleInSuppression(Rule[LanguageFile[object]]):
    """One finding for each unknown name, at the name."""

    name = "unknown-rule-in-suppression"
    code = "SGX004"
    language = "any"
    roles = ALL_CODE
    triggers = ("suiteguard",)
    why = "a suppression that names nothing suppresses nothing"
    instead = "write `allow[RULE] reason` with the rule's name as the report prints it"

    def check(self, file: LanguageFile[object], options: Options) -> Iterator[Finding | Candidate]:
        """Malformed comments, and every name as a candidate: only the project knows all rules."""
        del options
        for suppression in find_suppressions(file):
            if not suppression.understood:
                yield self.finding(
                    suppression.place, "this comment addresses suiteguard but is no `allow[RULE] reason`"
                )
            for name, place in zip(suppression.names, suppression.name_places, strict=True):
                yield self.candidate(place, "name", name)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The names that no rule has."""
        for candidate in candidates:
            (name,) = candidate.words
            if name not in project.rule_names:
                yield self.finding(
                    candidate.place, f"no rule is called `{name}`{_suggestion(name, project.rule_names)}"
                )

    bad = (
        Example(
            "def test_total():\n    # suiteguard: allow[unitest-mock] the shim is ours\n    assert sum([1, 2]) == 3\n",
            "a typo",
            path="tests/test_total.py",
            expect=(("tests/test_total.py", 2),),
        ),
        Example(
            "def test_total():\n    # suiteguard: ignore unittest-mock\n    assert sum([1, 2]) == 3\n",
            "another tool's syntax",
            path="tests/test_total.py",
            expect=(("tests/test_total.py", 2),),
        ),
    )
    good = (
        Example(
            "def test_total():\n    # suiteguard: allow[unittest-mock] the shim is ours\n    assert sum([1, 2]) == 3\n",
            "a rule that exists, needed or not",
            path="tests/test_total.py",
        ),
        Example(
            "def test_total():\n    # suiteguard: allow[thread-sleep] a rule of another language\n    assert sum([1, 2]) == 3\n",
            "names are known across languages",
            path="tests/test_total.py",
        ),
        Example(
            "def test_total():\n    # checked with suiteguard; allow nothing here\n    assert sum([1, 2]) == 3\n",
            "a comment that only mentions the tool",
            path="tests/test_total.py",
        ),
    )


def _suggestion(name: str, known: frozenset[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, sorted(known), 1)
    return f"; did you mean `{close[0]}`?" if close else ""
