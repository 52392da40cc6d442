"""A region of a file that could not be read, so that no rule saw it.

## What it does

Reports each region of a file that the parser could not make sense of, once, at its first line; regions that share a
line are one. Rules still look at the rest of the file; none of them reports that something is *missing* in or next to
such a region.

## Why is this bad?

A flaw inside an unread region goes unseen, and a file with a syntax error may not be compiled or collected at all: its
tests then never run, and the suite is green without them.

## Use instead

Mend the syntax error. Where the code is right and the grammar does not know the construct, write it another way or
allow the line with a reason.

## Known limits

Product code is read only for what tests need to know of it, and its unread regions are not reported. The grammars
accept some code that the languages refuse, so silence is no proof that a file compiles. Constructs that a
language accepts and its grammar is known not to read are worded differently: there the code may well be right.
"""

from collections.abc import Iterator

from guards.languages.base import LanguageFile
from guards.rule import MAYBE_TEST_CODE, NOTE, PROJECT_FILE, Example, Finding, Options, Rule


class ParseIncomplete(Rule[LanguageFile[object]]):
    """One finding for each unread region."""

    name = "parse-incomplete"
    code = "SGX001"
    language = "any"
    severity = NOTE
    roles = (*MAYBE_TEST_CODE, PROJECT_FILE)
    why = "rules did not see this region, so nothing is known of it"
    instead = "mend the syntax, or write the construct in a way that the grammar reads"

    def check(self, file: LanguageFile[object], options: Options) -> Iterator[Finding]:
        """The unread regions of the file."""
        del options
        last = 0
        for region in file.unread:
            if region.place.line <= last:
                continue
            last = region.place.end_line
            message = "this region could not be read"
            if region.known_gap:
                message += ": the construct is one that the grammar does not know yet"
            yield self.finding(region.place, message)

    bad = (
        Example(
            "def test_total():\n    assert total([1, 2) == 3  # FLAW\n",
            "a closing bracket of the wrong kind",
            path="tests/test_total.py",
        ),
        Example(
            "public class T\n{\n    void A() { foo bar baz ; ) }  // FLAW\n}\n",
            "no construct of the language",
            path="Tests/T.cs",
        ),
    )
    good = (
        Example("", "an empty file has nothing unread", path="tests/test_empty.py"),
        Example(
            "def test_text():\n    assert 'def broken(:' in open(__file__).read()\n",
            "broken code inside a string is text",
            path="tests/test_text.py",
        ),
        Example(
            "class Player:\n    # def broken(:\n    pass\n",
            "broken code inside a comment is a comment",
            path="tests/test_comment.py",
        ),
    )
