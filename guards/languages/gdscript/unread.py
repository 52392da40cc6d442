"""The regions of a file that did not parse: where they are, and what they touch."""

from bisect import bisect_left
from functools import cached_property

from guards.findings.model import UnreadRegion
from guards.languages.gdscript.gaps import known_gap
from guards.languages.syntax import Node, error_nodes
from guards.source.text import SourceText

_CLOSING = b")]} \t\r\n"


class Unread:
    """What did not parse in one file.

    Args:
        root: the tree.
        parsed: what was parsed, of the same length as the text.
        text: the text.
    """

    def __init__(self, root: Node, parsed: bytes, text: SourceText) -> None:
        self._nodes = error_nodes(root)
        self._parsed = parsed
        self._text = text

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The byte ranges, in order and not overlapping."""
        return tuple(node.byte_range for node in self._nodes)

    @cached_property
    def regions(self) -> tuple[UnreadRegion, ...]:
        """The regions, in order; those that share a line are one."""
        line_of = self._text.line_of
        regions: list[UnreadRegion] = []
        last_line = 0
        for node in self._nodes:
            start, end, gap_end = self._extent(node)
            if regions and regions[-1].known_gap and not self._parsed[start:end].strip(_CLOSING):
                regions[-1] = self._up_to(regions[-1], end)
            elif line_of(start) > last_line:
                regions.append(self._region(start, end, gap_end))
            last_line = max(last_line, line_of(end))
        return tuple(regions)

    def touches(self, start: int, end: int) -> bool:
        """Whether a byte range shares a line with a range that did not parse."""
        firsts, lasts = self._lines
        index = bisect_left(lasts, self._text.line_of(start))
        return index < len(firsts) and firsts[index] <= self._text.line_of(max(start, end - 1))

    @cached_property
    def _lines(self) -> tuple[list[int], list[int]]:
        """The first and the last lines of the ranges."""
        line_of = self._text.line_of
        return [line_of(s) for s, _ in self.spans], [line_of(max(s, e - 1)) for s, e in self.spans]

    def _extent(self, node: Node) -> tuple[int, int, int]:
        """Where the parser lost the thread, where it is found again, and up to where a known gap may be the reason."""
        start, end = node.byte_range
        if not (node.is_error or node.is_missing):
            # The error has no node: it is somewhere in what it makes wrong.
            space = self._parsed[start:end]
            return start + len(space) - len(space.lstrip()), end, end
        deepest = node
        while inner := next((child for child in deepest.children if child.has_error), None):
            deepest = inner
        # What is wrong is the end of what stands before it, as Godot says too.
        before = self._parsed[start : deepest.start_byte].rstrip()
        start += max(0, len(before) - 1)
        end = start + len(self._parsed[start:end].rstrip())
        return start, end, self._parsed.find(b"\n", start) + 1

    def _up_to(self, region: UnreadRegion, end: int) -> UnreadRegion:
        """A region whose construct is closed on a later line."""
        line, column = self._text.position(end)
        return region._replace(place=region.place._replace(end_line=line, end_column=column))

    def _region(self, start: int, end: int, gap_end: int) -> UnreadRegion:
        """A region; at a known gap where the lines from its start to that of ``gap_end`` hold one.

        The construct may begin before the region, on its line or with an annotation above it.
        """
        text = self._text
        first, last = text.line_of(start), text.line_of(max(start, gap_end))
        if text.line_bytes(first - 1).lstrip().startswith(b"@"):
            first -= 1
        first_start = text.line_starts[first - 1]
        last_end = text.line_starts[last - 1] + len(text.line_bytes(last))
        lines = self._parsed[first_start:last_end].decode("utf-8", "replace")
        gap = known_gap(lines)
        if gap is not None:
            space = len(lines) - gap - len(lines[gap:].lstrip())
            begin = first_start + len(lines[: gap + space].encode())
            start = begin if text.line_of(begin) >= text.line_of(start) else start
        return UnreadRegion(text.place(start, max(start, end)), gap is not None)
