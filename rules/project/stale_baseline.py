"""An entry of the baseline that holds back nothing any more.

## What it does

Reports each entry of the baseline of which fewer findings are left than it says, at the entry's line in the
baseline's file. An entry follows its findings when lines move and when the file is renamed.

## Why is this bad?

The flaw is gone but its excuse stays, and will silently cover the next one that is written the same way. A baseline
is there to get shorter.

## Use instead

`suiteguard baseline update` takes away what is not needed, and nothing else.

## Known limits

Only what was judged is reported: entries of rules that are on, in files that are not excluded and that could be read
to the last region. A run on named files reports none.
"""

from guards.languages.base import LanguageFile
from guards.rule import ALL_CODE, WARNING, Example, Rule

_TEST = "import pytest\n\n\n@pytest.mark.nightly\ndef test_total():\n    assert sum([1, 2]) == 3\n"
_BASELINE = """\
{{
  "version": 1,
  "entries": [
    {{"rule": "{}", "path": "tests/test_total.py", "fingerprint": "{}", "count": {}, "reason": "older than the rule"}}
  ]
}}
"""
_MARKED_LINE = "b4881219d288f80c"


class StaleBaseline(Rule[LanguageFile[object]]):
    """Found while the baseline is held against the findings: see ``guards.engine.baseline``."""

    name = "stale-baseline"
    code = "SGX006"
    language = "any"
    severity = WARNING
    roles = ALL_CODE
    why = "an excuse without a flaw will cover the next flaw that is written the same way"
    instead = "say `suiteguard baseline update`, which removes what is not needed any more"

    bad = (
        Example(
            _BASELINE.format("unregistered-marker", "0123456789abcdef", 1),
            "no line has this fingerprint any more",
            path="suiteguard-baseline.json",
            files=(("tests/test_total.py", "def test_total():\n    assert sum([1, 2]) == 3\n"),),
            expect=(("suiteguard-baseline.json", 4),),
        ),
        Example(
            _BASELINE.format("unregistered-marker", _MARKED_LINE, 3),
            "three findings are held back, and one is left",
            path="suiteguard-baseline.json",
            files=(("tests/test_total.py", _TEST),),
            expect=(("suiteguard-baseline.json", 4),),
        ),
    )
    good = (
        Example(
            _BASELINE.format("unregistered-marker", _MARKED_LINE, 1),
            "the finding is still there",
            path="suiteguard-baseline.json",
            files=(("tests/test_total.py", _TEST),),
        ),
        Example(
            _BASELINE.format("unregistered-marker", _MARKED_LINE, 1),
            "the lines moved, and the file was renamed",
            path="suiteguard-baseline.json",
            files=(("tests/unit/test_sums.py", f'"""Sums."""\n\n{_TEST}'),),
        ),
        Example(
            _BASELINE.format("unregistered-marker", "0123456789abcdef", 1),
            "whether a file that could not be read to the end needs the entry is not known",
            path="suiteguard-baseline.json",
            files=(("tests/test_total.py", "def test_total():\n    assert sum([1, 2) == 3\n"),),
        ),
    )
