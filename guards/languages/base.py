"""What every language offers to the engine and to the rules.

A language is a package ``guards.languages.NAME`` with ``open_file(text, info)``, a type
``Facts`` (a NamedTuple of plain values: it is cached and crosses processes) and a class
``Index``. It may offer ``outline(facts)`` and a type ``Outline`` of the same sort: what the
index has to know of every file, so that the facts of most are never looked at. Nothing here
knows a rule.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple, Protocol, TypeVar

from guards.findings.model import Comment, Related, UnreadRegion
from guards.project.model import FileInfo
from guards.source.place import Place
from guards.source.text import SourceText

CALL = "call"
READ = "read"
WRITE = "write"
REFERENCE = "reference"  # a method group, reflection: neither call nor value, but a use

FactsT_co = TypeVar("FactsT_co", covariant=True)


class Use(NamedTuple):
    """One use of a member, as far as its own file can tell.

    ``name`` is the dotted name as written, unescaped (``AD.Refresh``), ``kind`` one of call,
    read, write, reference. ``scope`` and ``function`` are the language's own identities of
    the enclosing type or block and the enclosing function. ``arguments`` are those that fold
    to constants, by position ("0") and by keyword; ``unsolved`` those that other files may fold,
    as words of the language's own.
    """

    place: Place
    name: str
    kind: str
    scope: str = ""
    function: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    unsolved: tuple[tuple[str, tuple[str, ...]], ...] = ()


class ProjectFacts(NamedTuple):
    """All files of one language by path: what the project says of each, their facts, outlines if there are any."""

    files: Mapping[str, FileInfo]
    facts: Mapping[str, object]
    outlines: Mapping[str, object] | None = None


def outline_of(language: str) -> Callable[[object], object] | None:
    """What makes the outline of a file's facts, where a language offers that."""
    return getattr(import_module(f"guards.languages.{language}"), "outline", None)


class LanguageFile(Protocol[FactsT_co]):
    """One parsed file, alive only while its rules run."""

    @property
    def text(self) -> SourceText:
        """The decoded text."""

    @property
    def info(self) -> FileInfo:
        """What the project says of the file."""

    @property
    def comments(self) -> Sequence[Comment]:
        """Real comment tokens, in order."""

    @property
    def unread(self) -> Sequence[UnreadRegion]:
        """The regions that did not parse, in order."""

    def kinds(self) -> frozenset[str]:
        """The kinds of fact that the file has, in the language's own words."""

    def uses(self, member: str) -> Iterator[Use]:
        """Uses of members whose last name matches ``member``, a name or a glob."""

    def facts(self) -> FactsT_co:
        """What other files may need to know of this one."""


class LanguageIndex(Protocol):
    """All facts of one language in one project, merged."""

    def is_test(self, path: str) -> bool:
        """Whether the file is test code: by its role, or by what its classes derive from."""

    def full_names(self, path: str, use: Use) -> tuple[str, ...]:
        """The full names that a use can mean; nothing where that is unknown."""

    def folded(self, path: str, use: Use) -> tuple[tuple[str, str], ...]:
        """The arguments of a use that are constants over the project, by position and by keyword."""

    def reach(self, path: str, function: str, roots: str) -> tuple[Related, ...] | None:
        """The steps by which a function is reached from a ``test`` or ``lifecycle`` function.

        Empty for a root itself, None where no way is known.
        """
