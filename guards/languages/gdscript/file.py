"""One parsed GDScript file: what stands in it, and where."""

from bisect import bisect_left
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property

from guards.findings.model import UnreadRegion
from guards.languages.base import Use
from guards.languages.gdscript.declarations import facts_of
from guards.languages.gdscript.facts import Facts
from guards.languages.gdscript.gaps import known_gap
from guards.languages.gdscript.readable import comments, readable
from guards.languages.gdscript.structure import Structure
from guards.languages.gdscript.types import Types
from guards.languages.gdscript.uses import Uses
from guards.languages.syntax import Node, Query, captures, error_nodes, parse
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
    (augmented_assignment left: (attribute) @written)
    (await_expression) @await
    (call) @call
    (attribute) @attribute
    (arguments (identifier) @argument)
    """,
)


class GDScriptFile:
    """A parsed file, alive only while its rules run."""

    def __init__(self, text: SourceText, info: FileInfo) -> None:
        self.text = text
        self.info = info
        self.comments = comments(text.data)
        self._parsed = readable(text.data, self.comments)
        self.root = parse("gdscript", self._parsed).root_node
        self._nodes = captures(QUERY, self.root)

    def nodes(self, kind: str) -> list[Node]:
        """The captured nodes of a kind, in source order."""
        return self._nodes.get(kind, [])

    @cached_property
    def unread(self) -> tuple[UnreadRegion, ...]:
        """The regions that did not parse, in order; those that share a line are one."""
        regions: list[UnreadRegion] = []
        last_line = 0
        for node in self._error_nodes:
            region = self._unread_region(node)
            if region.place.line > last_line:
                regions.append(region)
            last_line = max(last_line, region.place.end_line)
        return tuple(regions)

    @cached_property
    def _error_nodes(self) -> list[Node]:
        return error_nodes(self.root)

    def _unread_region(self, node: Node) -> UnreadRegion:
        """The region of an error, from where the parser lost the thread."""
        start, end = node.byte_range
        if not (node.is_error or node.is_missing):
            # The error has no node: it is somewhere in what it makes wrong.
            space = self._parsed[start:end]
            return self._region(start + len(space) - len(space.lstrip()), end, end)
        deepest = node
        while inner := next((child for child in deepest.children if child.has_error), None):
            deepest = inner
        # What is wrong is the end of what stands before it, as Godot says too.
        before = self._parsed[start : deepest.start_byte].rstrip()
        start += max(0, len(before) - 1)
        return self._region(start, end, self._parsed.find(b"\n", start) + 1)

    def _region(self, start: int, end: int, gap_end: int) -> UnreadRegion:
        """A region; at a known gap where the lines from its start to that of ``gap_end`` hold one."""
        first, last = self.text.line_of(start), self.text.line_of(max(start, min(gap_end, end)))
        first_start = self.text.line_starts[first - 1]
        last_end = self.text.line_starts[last - 1] + len(self.text.line_bytes(last))
        text = self._parsed[first_start:last_end].decode("utf-8", "replace")
        gap = known_gap(text)
        if gap is not None:
            start = max(start, first_start + len(text[:gap].encode()))
        return UnreadRegion(self.text.place(start, max(start, end)), gap is not None)

    @cached_property
    def unread_spans(self) -> tuple[tuple[int, int], ...]:
        """The byte ranges that did not parse, in order and not overlapping."""
        return tuple(node.byte_range for node in self._error_nodes)

    @cached_property
    def _unread_lines(self) -> tuple[list[int], list[int]]:
        """The first and the last lines of the ranges that did not parse."""
        line_of = self.text.line_of
        spans = self.unread_spans
        return [line_of(start) for start, _ in spans], [line_of(max(start, end - 1)) for start, end in spans]

    def is_unread(self, start: int, end: int) -> bool:
        """Whether a byte range shares a line with a region that did not parse."""
        firsts, lasts = self._unread_lines
        index = bisect_left(lasts, self.text.line_of(start))
        return index < len(firsts) and firsts[index] <= self.text.line_of(max(start, end - 1))

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
