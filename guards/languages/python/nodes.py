"""What the syntax tree of a Python file says by its shape alone."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from guards.languages.syntax import Node

_SIMPLE_ESCAPE = re.compile(r"\\(?:\n|[\\'\"abfnrtv]|[0-3]?[0-7]{1,2}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})")
_TYPE_CHECKING = re.compile(rb"(?:\w+\.)?TYPE_CHECKING")
_NOT_TYPE_CHECKING = re.compile(rb"not\s+(?:\w+\.)?TYPE_CHECKING")
# Statements whose bodies run, or may run, in the scope that the statement stands in; those whose
# bodies run once and always when the statement does are True.
_COMPOUND = {
    "if_statement": False,
    "elif_clause": False,
    "else_clause": False,
    "try_statement": False,
    "except_clause": False,
    "except_group_clause": False,
    "finally_clause": True,
    "with_statement": True,
    "for_statement": False,
    "while_statement": False,
    "match_statement": False,
    "case_clause": False,
    "block": True,
}

_CHAIN = 8
# A node and what is around it: long chains share their upper ends.
_Link: TypeAlias = "tuple[Node, _Link | None]"


def source(node: Node, data: bytes) -> str:
    """The text of a node."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def statements(body: Node) -> Iterator[tuple[Node, bool]]:
    """The statements that run in the scope of a body, in order, each with whether it always runs.

    Those inside compound statements follow the compound statement itself.
    """
    pending = [(child, True) for child in reversed(body.named_children)]
    while pending:
        node, always = pending.pop()
        kind = node.type
        if kind == "expression_statement":
            pending.extend((child, always) for child in reversed(node.named_children))
            continue
        yield node, always
        if kind in _COMPOUND:
            always = always and _COMPOUND[kind]
            pending.extend((child, always) for child in reversed(node.named_children) if _is_body(child))


def _is_body(node: Node) -> bool:
    return node.type in _COMPOUND or node.type.endswith("_statement") or node.type.endswith("_definition")


def definition_of(node: Node) -> Node:
    """The function or class of a decorated definition; any other node itself."""
    if node.type == "decorated_definition":
        return node.child_by_field_name("definition") or node
    return node


def bracketed(node: Node) -> Node | None:
    """What stands in brackets, where comments can stand, too."""
    return next((child for child in node.named_children if child.type != "comment"), None)


def decorators_of(node: Node) -> list[Node]:
    """The expressions behind the ``@`` of a decorated definition."""
    decorators = (child for child in node.named_children if child.type == "decorator")
    return [decorator.named_children[0] for decorator in decorators if decorator.named_children]


def string_value(node: Node, data: bytes) -> str | None:
    """The value of a string literal without interpolations; None for bytes and other nodes."""
    if node.type != "string":
        return None
    children = node.children
    prefix = source(children[0], data).lower() if children else "b"
    if "b" in prefix or any(child.type == "interpolation" for child in children):
        return None
    return "".join(
        content_value(child, data, raw="r" in prefix, template="f" in prefix or "t" in prefix)
        for child in children
        if child.type == "string_content"
    )


def content_value(node: Node, data: bytes, *, raw: bool, template: bool) -> str:
    """The value of a stretch of a string literal."""
    written = source(node, data)
    if template:
        written = written.replace("{{", "{").replace("}}", "}")
    return written if raw or "\\" not in written else _SIMPLE_ESCAPE.sub(_unescaped, written)


def _unescaped(match: re.Match[str]) -> str:
    if match[0] == "\\\n":
        return ""
    try:
        value = match[0].encode().decode("unicode_escape")
        value.encode()  # half of a surrogate pair is no text
    except UnicodeError:
        return match[0]
    return value


class Spans:
    """Byte ranges, asked for many offsets."""

    def __init__(self, ranges: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(ranges):
            if not self._ends or start >= self._ends[-1]:  # what lies inside of another adds nothing
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, offset: int) -> bool:
        number = bisect_right(self._starts, offset) - 1
        return number >= 0 and offset < self._ends[number]


def type_checking_spans(conditionals: Iterable[Node], data: bytes) -> Iterator[tuple[int, int]]:
    """The byte ranges that only a type checker reads, among ``if`` statements and ``elif`` clauses."""
    for node in conditionals:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or body is None:
            continue
        written = data[condition.start_byte : condition.end_byte].strip(b"()")
        if _TYPE_CHECKING.fullmatch(written):
            yield body.byte_range
        elif _NOT_TYPE_CHECKING.fullmatch(written):
            others = node.children_by_field_name("alternative")
            yield from (other.byte_range for other in others if other.type == "else_clause")


def chains_at(root: Node, offsets: Sequence[int]) -> Iterator[list[Node]]:
    """For each of some byte offsets, in order, the leaf that it lies in and the nodes around that.

    The leaf comes last; before it come the nearest of those around it, which is enough to see what
    it is part of. Asking each node for its parent would walk from the root again each time.
    """
    pending: list[tuple[int, int, _Link]] = [(0, len(offsets), (root, None))]
    while pending:
        first, last, link = pending.pop()
        inside: list[tuple[int, int, _Link]] = []
        begin = first
        for child in link[0].children if first < last else ():
            begin = bisect_left(offsets, child.start_byte, begin, last)
            end = bisect_left(offsets, child.end_byte, begin, last)
            if begin < end:
                inside.append((begin, end, (child, link)))
                begin = end
            if begin == last:
                break
        pending.extend(reversed(inside))
        if first < last and not inside:
            yield _nearest(link)


def _nearest(link: "_Link | None") -> list[Node]:
    chain: list[Node] = []
    while link is not None and len(chain) < _CHAIN:
        node, link = link
        chain.append(node)
    return chain[::-1]
