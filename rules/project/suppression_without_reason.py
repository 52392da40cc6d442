"""A suppression that gives no reason, and therefore suppresses nothing.

## What it does

Reports `suiteguard: allow[RULE]` without a reason after the bracket. Punctuation alone is no reason. The comment then
has no effect: what it wanted to silence is reported too.

## Why is this bad?

Whoever reads the line later, or lets a tool add such comments in bulk, cannot tell a considered exception from a flaw
that was silenced to get green.

## Use instead

`allow[thread-sleep] the driver polls on a thread of its own`: one short reason that a reviewer can agree or disagree with.

## Known limits

Whether a reason is a good one is for people to judge.
"""

from collections.abc import Iterator

from guards.findings.suppressions import find_suppressions
from guards.languages.base import LanguageFile
from guards.rule import ALL_CODE, Example, Finding, Options, Rule


class SuppressionWithoutReason(Rule[LanguageFile[object]]):
    """One finding for each suppression that says no reason."""

    name = "suppression-without-reason"
    code = "SGX002"
    language = "any"
    roles = ALL_CODE
    triggers = ("suiteguard",)
    why = "an exception that nobody explains cannot be told from a flaw that was hidden"
    instead = "add the reason behind the bracket: `allow[RULE] why this is right here`"

    def check(self, file: LanguageFile[object], options: Options) -> Iterator[Finding]:
        """The suppressions of the file that have no reason."""
        del options
        for suppression in find_suppressions(file):
            if suppression.understood and not suppression.has_reason:
                yield self.finding(suppression.place, "this suppression gives no reason, so it suppresses nothing")

    bad = (
        Example(
            "import os\n\n\ndef test_home():\n    # suiteguard: allow[unowned-patch]\n    assert os.name\n",
            "no word behind the bracket",
            path="tests/test_home.py",
            expect=(("tests/test_home.py", 5),),
        ),
        Example(
            "public class T\n{\n    int a; // suiteguard: allow[async-void] - ...\n}\n",
            "a dash and dots are no reason",
            path="Tests/T.cs",
            expect=(("Tests/T.cs", 3),),
        ),
    )
    good = (
        Example(
            "def test_home():\n    # suiteguard: allow[unowned-patch] the shim is ours\n    assert True\n",
            "a reason in a few words",
            path="tests/test_home.py",
        ),
        Example(
            "def test_text():\n    assert 'suiteguard: allow[unowned-patch]'\n",
            "a string is no comment",
            path="tests/test_text.py",
        ),
        Example(
            "# See the guide of suiteguard on how to allow one line.\nX = 1\n",
            "a comment that only mentions the tool",
            path="tests/test_mention.py",
        ),
        Example(
            "def test_home():\n    # suiteguard: allow[unowned-patch] 起動時のみ\n    assert True\n",
            "a reason in any script",
            path="tests/test_script.py",
        ),
    )
