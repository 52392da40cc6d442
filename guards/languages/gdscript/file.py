"""One parsed GDScript file: what stands in it, and where."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property

from guards.findings.model import UnreadRegion
from guards.languages.base import Use
from guards.languages.gdscript.declarations import facts_of
from guards.languages.gdscript.facts import Facts
from guards.languages.gdscript.readable import comments, readable
from guards.languages.gdscript.structure import Structure
from guards.languages.gdscript.types import Types
from guards.languages.gdscript.unread import Unread
from guards.languages.gdscript.uses import Uses
from guards.languages.syntax import Node, Query, captures, parse
from guards.project.model import FileInfo
from guards.source.text import SourceText

# Every pattern captures one node: see ``captures``.
QUERY = Query(
    "gdscript",
    """
    (function_definition) @function
    (lambda) @lambda
    (const_statement) @const
    (variable_statement) @variable
    (for_statement) @for
    (pattern_binding) @binding
    (assignment left: (identifier) @assigned)
    (assignment left: (attribute) @written)
    (augmented_assignment left: (identifier) @assigned)
    (augmented_assignment left: (attribute) @written)
    (await_expression) @await
    (call) @call
    (attribute) @attribute
    (arguments (identifier) @argument)
    (array (identifier) @handed)
    (pair value: (identifier) @handed)
    (assignment right: (identifier) @handed)
    (return_statement (identifier) @handed)
    (variable_statement value: (identifier) @initial)
    ["and" "&&" "or" "||"] @logic
    (conditional_expression) @ternary
    """,
)


class GDScriptFile:
    """A parsed file, alive only while its rules run."""

    def __init__(self, text: SourceText, info: FileInfo) -> None:
        self.text = text
        self.info = info
        self.comments = comments(text.data)
        parsed = readable(text.data, self.comments)
        self.root = parse("gdscript", parsed).root_node
        self.errors = Unread(self.root, parsed, text)
        self._nodes = captures(QUERY, self.root)

    def nodes(self, kind: str) -> list[Node]:
        """The captured nodes of a kind, in source order."""
        return self._nodes.get(kind, [])

    @property
    def unread(self) -> tuple[UnreadRegion, ...]:
        """The regions that did not parse, in order; those that share a line are one."""
        return self.errors.regions

    def kinds(self) -> frozenset[str]:
        """Which of the captured kinds the file has, and ``extends`` where the word occurs."""
        found = {kind for kind, nodes in self._nodes.items() if nodes}
        return frozenset(found | {"extends"} if b"extends" in self.text.data else found)

    def uses(self, member: str) -> Iterator[Use]:
        """Uses of members whose last name matches, in calls, reads, writes and literal dynamic forms."""
        for name, found in self._uses.by_member.items():
            if fnmatchcase(name, member):
                yield from found

    def facts(self) -> Facts:
        """Classes, functions, variables and aliases."""
        return self._facts

    @cached_property
    def _facts(self) -> Facts:
        return facts_of(self)

    @cached_property
    def structure(self) -> Structure:
        """The members of classes, and what encloses a place."""
        return Structure(self.root, self.text.data, self.nodes("function"), self.nodes("lambda"))

    @cached_property
    def types(self) -> Types:
        """The static types of expressions."""
        return Types(self)

    @cached_property
    def _uses(self) -> Uses:
        return Uses(self)
