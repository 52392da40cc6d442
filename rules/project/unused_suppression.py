"""A suppression that suppresses nothing.

## What it does

Reports each rule named in a `suiteguard: allow[RULE] reason` that had no finding to take away on the lines it covers.

## Why is this bad?

The flaw is gone but its excuse stays, and will silently cover the next one that lands on the line.

## Use instead

Delete the comment, or the one rule in its list that is not needed any more.

## Fix

Takes the names that are unused off the list, and with the last one the comment, and its line where nothing else stands
there. What the comment says before its suppression stays. Safe: comments do nothing when tests run.

## Known limits

Only rules that are on for the file are judged, and only in files that were fully looked at. A suppression without a
reason is another rule's finding, and so is a rule name that does not exist.
"""

from guards.languages.base import LanguageFile
from guards.rule import ALL_CODE, WARNING, Example, Rule


class UnusedSuppression(Rule[LanguageFile[object]]):
    """Found while suppressions are applied: see ``guards.engine.settle``."""

    name = "unused-suppression"
    code = "SGX003"
    language = "any"
    severity = WARNING
    roles = ALL_CODE
    why = "an excuse without a flaw will cover the next flaw that lands here"
    instead = "delete it"

    bad = (
        Example(
            "def test_total():\n    # suiteguard: allow[unregistered-marker] an old mark stood here\n    assert sum([1, 2]) == 3\n",
            "nothing on the line is a finding of that rule",
            path="tests/test_total.py",
            expect=(("tests/test_total.py", 2),),
            fixed="def test_total():\n    assert sum([1, 2]) == 3\n",
        ),
        Example(
            "import pytest\n\n\n# suiteguard: allow[unregistered-marker, test-without-assertion] a plug-in of ours registers it\n"
            "@pytest.mark.nightly\ndef test_total():\n    assert sum([1, 2]) == 3\n",
            "of two names one is needed",
            path="tests/test_total.py",
            expect=(("tests/test_total.py", 4),),
            fixed="import pytest\n\n\n# suiteguard: allow[unregistered-marker] a plug-in of ours registers it\n"
            "@pytest.mark.nightly\ndef test_total():\n    assert sum([1, 2]) == 3\n",
        ),
    )
    good = (
        Example(
            "import pytest\n\n\n# suiteguard: allow[unregistered-marker] a plug-in of ours registers it\n"
            "@pytest.mark.nightly\ndef test_total():\n    assert sum([1, 2]) == 3\n",
            "it takes a finding away",
            path="tests/test_total.py",
        ),
        Example(
            "def test_total():\n    # suiteguard: allow[unittest-mock]\n    assert sum([1, 2]) == 3\n",
            "without a reason it is another rule's finding",
            path="tests/test_total.py",
        ),
        Example(
            "def test_total():\n    # suiteguard: allow[no-such-rule] a typo\n    assert sum([1, 2]) == 3\n",
            "an unknown name is another rule's finding",
            path="tests/test_total.py",
        ),
    )
