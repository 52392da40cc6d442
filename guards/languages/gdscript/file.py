"""One parsed GDScript file: what stands in it, and where."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property

from guards.findings.model import Comment, UnreadRegion
from guards.languages.base import Use
from guards.languages.gdscript.declarations import Declarations
from guards.languages.gdscript.facts import Facts
from guards.languages.gdscript.gaps import is_known_gap
from guards.languages.gdscript.uses import Uses
from guards.languages.syntax import Node, Query, captures, error_spans, parse
from guards.project.model import FileInfo
from guards.source.text import SourceText

# Every pattern captures one node: see ``captures``.
QUERY = Query(
    "gdscript",
    """
    (annotation) @annotation
    (class_name_statement) @class_name
    (extends_statement) @extends
    (class_definition) @class
    (function_definition) @function
    (constructor_definition) @function
    (lambda) @lambda
    (const_statement) @const
    (variable_statement) @variable
    (await_expression) @await
    (call) @call
    (attribute) @attribute
    (comment) @comment
    (return_statement) @return
    """,
)


class GDScriptFile:
    """A parsed file, alive only while its rules run."""

    def __init__(self, text: SourceText, info: FileInfo) -> None:
        self.text = text
        self.info = info
        self._root = parse("gdscript", text.data).root_node
        self._nodes = captures(QUERY, self._root)

    def nodes(self, kind: str) -> list[Node]:
        """The captured nodes of a kind, in source order."""
        return self._nodes.get(kind, [])

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Comment tokens, in order."""
        return tuple(self._comment(node) for node in self.nodes("comment"))

    def _comment(self, node: Node) -> Comment:
        start, end = node.byte_range
        data = self.text.data
        line_start = data.rfind(b"\n", 0, start) + 1
        own_line = not data[line_start:start].strip()
        return Comment(data[start:end].decode("utf-8", "replace"), start, end, own_line)

    @cached_property
    def unread(self) -> tuple[UnreadRegion, ...]:
        """The regions that did not parse, each at its first line; regions that share a line are one."""
        regions: list[UnreadRegion] = []
        last = 0
        for start, end in error_spans(self._root):
            place = self.text.place(start, max(start, end))
            if place.line > last:
                lines = b"\n".join(self.text.line_bytes(line) for line in range(place.line, place.end_line + 1))
                regions.append(UnreadRegion(place, is_known_gap(lines.decode("utf-8", "replace"))))
            last = max(last, place.end_line)
        return tuple(regions)

    def is_unread(self, start: int, end: int) -> bool:
        """Whether a byte range touches a region that did not parse."""
        first, last = self.text.line_of(start), self.text.line_of(max(start, end - 1))
        return any(r.place.line <= last and r.place.end_line >= first for r in self.unread)

    def kinds(self) -> frozenset[str]:
        """Which of the captured kinds the file has, and ``script``."""
        return frozenset((*(kind for kind, nodes in self._nodes.items() if nodes), "script"))

    def uses(self, member: str) -> Iterator[Use]:
        """Uses of members whose last name matches, in calls, reads, writes and literal dynamic forms."""
        for name, found in self._uses.by_member.items():
            if fnmatchcase(name, member):
                yield from found

    def facts(self) -> Facts:
        """Classes, functions and preloaded scripts."""
        return self.declarations.facts

    @cached_property
    def declarations(self) -> Declarations:
        """Classes and functions, with the functions that enclose a place."""
        return Declarations(self)

    @cached_property
    def _uses(self) -> Uses:
        return Uses(self)
