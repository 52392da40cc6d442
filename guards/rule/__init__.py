"""The base of every rule, and all that a rule may touch.

A rule is one module with one class. Its docstring has fixed headings and is its page; its
examples are its tests. ``check`` sees one file while its tree is alive and yields findings
where the file alone decides and candidates where other files have a say; ``judge`` turns
candidates into findings on the whole project and never opens a file.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from guards.config.catalogue import ERROR, NOTE, WARNING, Option, OptionValue
from guards.findings.model import Candidate, Finding, Related
from guards.project.model import ALL_CODE, MAYBE_TEST_CODE, PRODUCT, PROJECT_FILE, SUPPORT, TEST, TEST_CODE
from guards.rule.project import Options, Project
from guards.source.edits import Edit, Fix
from guards.source.place import Place, file_place
from guards.source.text import SourceText

__all__ = [
    "ALL_CODE", "ERROR", "MAYBE_TEST_CODE", "NOTE",
    "PRODUCT", "PROJECT_FILE", "SUPPORT", "TEST", "TEST_CODE", "WARNING",
    "Candidate", "Edit", "Example", "Finding", "Fix", "Option", "OptionValue", "Options", "Place", "Project", "Related",
    "Rule", "file_place",
]  # fmt: skip

FileT = TypeVar("FileT")


class Example(NamedTuple):
    """A piece of source that shows a rule, and is a test of it.

    A line that must be reported ends with a comment ``FLAW``; files that cannot hold comments
    name their lines in ``expect``. A near-miss has neither: the rule stays silent. ``path`` is
    where the text stands (empty: the language's usual test file, in its usual test project);
    ``files`` are further files. ``options`` are those of the rule. ``fixed`` is the text after all
    fixes, the unsafe ones too, without the marks of lines that are no flaws any more; empty where
    no fix changes anything.
    """

    text: str
    why: str
    path: str = ""
    files: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()
    expect: tuple[tuple[str, int], ...] = ()
    fixed: str = ""


class Rule(Generic[FileT]):
    """What a rule says of itself, and what it does."""

    name: str
    code: ClassVar[str]
    language: ClassVar[str]
    severity: ClassVar[str] = ERROR
    confidence: ClassVar[str] = "high"
    roles: ClassVar[tuple[str, ...]] = TEST_CODE
    needs: ClassVar[tuple[str, ...]] = ()
    triggers: ClassVar[tuple[str, ...]] = ()
    related_places: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Option]] = {}
    aliases: ClassVar[tuple[str, ...]] = ()
    why: ClassVar[str] = ""
    instead: ClassVar[str] = ""
    bad: ClassVar[tuple[Example, ...]] = ()
    good: ClassVar[tuple[Example, ...]] = ()

    def check(self, file: FileT, options: Options) -> Iterator[Finding | Candidate]:  # noqa: ARG002 for rules to override
        """Findings and candidates of one file."""
        yield from ()

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:  # noqa: ARG002 likewise
        """Findings that the whole project decides; candidates come in the order of their places."""
        yield from ()

    def silence(self, candidate: Candidate, project: Project) -> str:  # noqa: ARG002 likewise
        """Why a candidate is no finding, as a clause; empty where the rule has no more to say than that it is none."""
        return ""

    def rewrite(self, text: SourceText, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Fix]]:  # noqa: ARG002 likewise
        """The fixes of findings of one file whose fix has no edits yet; those that cannot be made are left out."""
        yield from ()

    def finding(  # noqa: PLR0913 what a finding is made of
        self,
        place: Place,
        message: str,
        *,
        related: Sequence[Related] = (),
        why: str = "",
        instead: str = "",
        fix: Fix | None = None,
    ) -> Finding:
        """A finding of this rule, with the rule's own why and instead unless others are given."""
        return Finding(self.name, place, message, why or self.why, instead or self.instead, tuple(related), fix=fix)

    def candidate(self, place: Place, kind: str, *words: str, function: str = "", fix: Fix | None = None) -> Candidate:
        """A candidate of this rule."""
        return Candidate(self.name, place, kind, words, function, fix)
