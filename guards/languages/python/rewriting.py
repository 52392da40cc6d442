"""A Python file as libcst reads it, for rules that work out edits: nodes, and the bytes that they stand in.

Nothing but ``Rule.rewrite`` imports this, and only when somebody wants edits: libcst takes longer to import than most
runs take.
"""

from collections.abc import Iterator

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from guards.languages.syntax import depth, parse
from guards.source.text import SourceText

# The parser of libcst recurses without a limit, so a file that nests deeper than any honest one is left alone.
_DEEPEST = 150

_SPACE = (cst.BaseParenthesizableWhitespace, cst.Comma, cst.Comment, cst.EmptyLine, cst.Newline, cst.TrailingWhitespace)
_WITH_TARGET = cst.AnnAssign | cst.AssignTarget | cst.AugAssign | cst.CompFor | cst.Del | cst.For | cst.NamedExpr
_WITH_NAME = (
    cst.AsName | cst.ClassDef | cst.FunctionDef | cst.MatchAs | cst.MatchStar | cst.NameItem
    | cst.Param | cst.TypeAlias | cst.TypeVar
)  # fmt: skip


class Unfit(Exception):
    """The file is none that can be rewritten."""


class Source:
    """One file, parsed.

    Raises:
        Unfit: it does not parse, or nests too deep.
    """

    def __init__(self, text: SourceText) -> None:
        if depth(parse("python", text.data).root_node) > _DEEPEST:
            raise Unfit
        try:
            module = cst.parse_module(text.data.decode())
        except cst.ParserSyntaxError:
            raise Unfit from None
        self.text = text
        self.data = text.data
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self.module = wrapper.module
        self._spans = wrapper.resolve(ByteSpanPositionProvider)
        self._children: dict[int, tuple[cst.CSTNode, ...]] = {}
        self._parents: dict[int, cst.CSTNode] = {}
        # By identity: nodes compare and hash so, but slowly.
        self._stored: set[int] = set()
        for node in self.nodes_in(self.module):
            self._stored.update(map(id, _stored_by(node)))
            if isinstance(node, cst.Name) and self.code(node) != node.value and not node.lpar:
                raise Unfit  # the positions are not those of this text

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """The byte range of a node, without the space and the comments around it."""
        span = self._spans[node]
        return span.start, span.start + span.length

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def nodes_in(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """A node and all that it holds, outer before inner, but for space and comments."""
        pending = [node]
        while pending:
            found = pending.pop()
            yield found
            pending.extend(self._children_of(found))

    def _children_of(self, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        known = self._children.get(id(node))
        if known is None:
            known = self._children[id(node)] = tuple(_children(node))
            for child in known:
                self._parents[id(child)] = node
        return known

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """What a node stands in."""
        return self._parents.get(id(node))

    def binds(self, name: cst.Name) -> bool:
        """Whether a name is assigned, deleted or declared where it stands; imports are not looked at."""
        return id(name) in self._stored

    def stored_names(self, node: cst.CSTNode) -> set[str]:
        """The names that are bound anywhere in a node."""
        return {name.value for name in self.nodes_in(node) if isinstance(name, cst.Name) and self.binds(name)}

    def indentation(self, offset: int) -> str | None:
        """The space before an offset on its line; None where anything else stands there."""
        start = self.line_start(offset)
        before = self.data[start:offset].decode()
        return None if before.strip() else before

    def line_start(self, offset: int) -> int:
        """Where the line of an offset begins."""
        return self.text.line_starts[self.text.line_of(offset) - 1]

    def next_line(self, offset: int) -> int:
        """Where the line after that of an offset begins, or the end of the file."""
        line = self.text.line_of(offset)
        return self.text.line_starts[line] if line < len(self.text.line_starts) else len(self.data)

    def line_end(self, offset: int) -> str:
        """How the line of an offset ends."""
        return self.text.line_end(self.text.line_of(offset))


def _children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What a node is made of: by its fields, since the library's own way visits all space, too."""
    for field in node.__dataclass_fields__:
        value: object = getattr(node, field)
        for item in value if isinstance(value, tuple | list) else (value,):
            if isinstance(item, cst.CSTNode) and not isinstance(item, _SPACE):
                yield item


def _stored_by(node: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that one node binds."""
    pending: list[cst.CSTNode] = []
    if isinstance(node, _WITH_TARGET):
        pending.append(node.target)
    elif isinstance(node, _WITH_NAME) and node.name is not None:
        pending.append(node.name)
    elif isinstance(node, cst.MatchMapping) and node.rest is not None:
        pending.append(node.rest)
    while pending:
        target = pending.pop()
        if isinstance(target, cst.Name):
            yield target
        elif isinstance(target, cst.Tuple | cst.List):
            pending.extend(element.value for element in target.elements)


def dotted(node: cst.CSTNode) -> str:
    """A name and its attributes as one text; empty for any other expression."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    return ".".join((node.value, *reversed(parts))) if isinstance(node, cst.Name) else ""


def root_name(node: cst.CSTNode) -> cst.Name | None:
    """The name that a chain of attributes begins with."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node if isinstance(node, cst.Name) else None
