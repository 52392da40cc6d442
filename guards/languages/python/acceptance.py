"""Tests that are about what does not happen: the code takes what it is given, and raises nothing."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from guards.languages.python.nodes import chains_at, source, string_value
from guards.languages.python.scope import Scope

if TYPE_CHECKING:
    from guards.findings.model import Comment
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

_RAISES = re.compile(rb"\b(?:raises|RaisesGroup|assertRaises\w*|ShouldRaise)\s*\(")
_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
# What is raised is left out of a sentence: it raises (ValueError) if …
_ERROR = re.compile(r"(?<=\braises )`?\w+(?:error|exception)`? |(?<=\braise )`?\w+(?:error|exception)`? ")


class Acceptance:
    """What the tests of one file say of errors."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._data = file.text.data
        self._calls = sorted(file.nodes("call"), key=_outermost_first)
        self._starts = [node.start_byte for node in self._calls]

    def says(self, scope: Scope, phrases: Sequence[str]) -> bool:
        """Whether the docstring of a function, or a comment in it or right above it, holds one of some phrases."""
        first = next((node for node in scope.body.named_children if node.type != "comment"), None)
        literal = first.named_children[0] if first is not None and first.type == "expression_statement" else None
        texts = [string_value(literal, self._data) or ""] if literal is not None else []
        texts.append(" ".join(self._comments(scope)))
        plain = [_ERROR.sub("", " ".join(text.lower().split()).replace(_APOSTROPHE, "'")) for text in texts]
        return any(phrase.lower() in text for phrase in phrases for text in plain)

    def is_paired(self, scope: Scope) -> bool:
        """Whether a function calls what is expected to raise somewhere in the file."""
        if not self._raising:
            return False
        return any(self._callee(call) in self._raising for call in self._inside(scope.start, scope.end))

    def _comments(self, scope: Scope) -> Iterator[str]:
        """The comments in a function, and those in the line above it."""
        comments = self._file.comments
        first = bisect_left(comments, scope.node.start_byte, key=_comment_start)
        line = self._file.text.line_of
        start = self._file.decorated.get(scope.node.start_byte, scope.node).start_byte
        above = bisect_left(comments, start, key=_comment_start) - 1
        if above >= 0 and comments[above].own_line and line(comments[above].start) == line(start) - 1:
            yield comments[above].text.lstrip("#")
        for comment in comments[first:]:
            if comment.start >= scope.end:
                break
            yield comment.text.lstrip("#")

    @cached_property
    def _raising(self) -> frozenset[str]:
        """What is called where an error is expected."""
        offsets = [match.start() for match in _RAISES.finditer(self._data)]
        return frozenset(
            name for chain in chains_at(self._file.root, offsets) for name in self._expected(chain) if name
        )

    def _expected(self, chain: "list[Node]") -> Iterator[str]:
        around = chain[-2::-1]
        call = next((node for node in around if node.type == "call"), None)
        if call is None or chain[-1].type != "identifier":
            return
        statement = next((node for node in around if node.type == "with_statement"), None)
        body = statement.child_by_field_name("body") if statement is not None else None
        if body is not None and not body.start_byte <= call.start_byte < body.end_byte:
            yield from (self._callee(inner) for inner in self._outermost(body.start_byte, body.end_byte))
        arguments = call.child_by_field_name("arguments")
        for node in arguments.named_children[1:2] if arguments is not None else ():
            if node.type == "lambda":
                yield from (self._callee(inner) for inner in self._outermost(node.start_byte, node.end_byte))
            elif node.type in ("identifier", "attribute"):
                yield self._name(node)

    def _outermost(self, start: int, end: int) -> "Iterator[Node]":
        """The calls in a range that are no part of another call."""
        reached = start
        for call in self._inside(start, end):
            if call.start_byte >= reached:
                yield call
                reached = call.end_byte

    def _inside(self, start: int, end: int) -> "list[Node]":
        return self._calls[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _callee(self, call: "Node") -> str:
        function = call.child_by_field_name("function")
        return self._name(function) if function is not None else ""

    def _name(self, function: "Node") -> str:
        """What is called: its reference, or its name where nobody knows whose it is; empty for what Python has."""
        reference = self._file.scopes.expression(function, self._file.scopes.at(function.start_byte))
        if reference.startswith("builtins.") or reference[:1] == "'":
            return ""
        name = function.child_by_field_name("attribute") or function
        return reference or f".{source(name, self._data)}"


def _comment_start(comment: "Comment") -> int:
    return comment.start


def _outermost_first(node: "Node") -> tuple[int, int]:
    return node.start_byte, -node.end_byte
