"""What a rule says about a place, and what it leaves for the join."""

from collections.abc import Iterator
from typing import NamedTuple

from guards.source.edits import Fix
from guards.source.place import Place


class Related(NamedTuple):
    """Another place that explains a finding, such as a step of the way to it."""

    place: Place
    message: str


class Finding(NamedTuple):
    """One flaw at one place.

    ``message`` says in one sentence what is wrong here; ``why`` why that matters;
    ``instead`` what to write instead; ``fix`` edits the file of ``place``. Rules
    leave ``code`` and ``severity`` empty: they are the settings' business, and ``settle`` fills them in.
    """

    rule: str
    place: Place
    message: str
    why: str = ""
    instead: str = ""
    related: tuple[Related, ...] = ()
    code: str = ""
    severity: str = ""
    fix: Fix | None = None

    def places(self) -> Iterator[Place]:
        """The finding's own place, then the related ones."""
        yield self.place
        for related in self.related:
            yield related.place


class Candidate(NamedTuple):
    """What one file says of a possible finding that other files have a say in.

    ``kind`` and ``words`` mean what the rule that made it wants them to mean; ``function``
    is the identity of the enclosing function in the file's facts (empty outside of any); ``fix``
    is what the finding that may come of it would offer.
    """

    rule: str
    place: Place
    kind: str
    words: tuple[str, ...] = ()
    function: str = ""
    fix: Fix | None = None


class Comment(NamedTuple):
    """One comment token: its text with the comment signs, and its byte range in the decoded text.

    ``own_line`` says that nothing but space stands before it on its line.
    """

    text: str
    start: int
    end: int
    own_line: bool


class UnreadRegion(NamedTuple):
    """A part of a file that did not parse: rules did not see it.

    ``known_gap`` marks a construct that the language accepts and the grammar is known not to.
    """

    place: Place
    known_gap: bool = False
