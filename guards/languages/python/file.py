"""One parsed Python file, alive only while its rules run."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from guards.findings.model import Comment, UnreadRegion
from guards.languages.base import Use
from guards.languages.python.facts import Facts, PatchCall
from guards.languages.python.nodes import type_checking_spans
from guards.languages.python.scopes import Scopes
from guards.languages.syntax import Node, Query, error_spans, matches, parse, text_of
from guards.project.model import FileInfo
from guards.source.text import SourceText

# Facts by the kind of their node alone. Each pattern captures one whole node: what is inside of
# it is only looked at when somebody asks.
_FACTS = Query(
    "python",
    """
    [(import_statement) (import_from_statement)] @binder
    [(assignment) (augmented_assignment) (named_expression) (with_statement)] @binder
    [(for_statement) (for_in_clause) (except_clause)] @binder
    [(global_statement) (nonlocal_statement)] @binder
    [(function_definition) (class_definition) (lambda)] @scope
    [(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
    [(return_statement) (yield)] @result
    [(call)] @call
    [(decorated_definition)] @decorated
    """,
)
_COMMENTS = Query("python", "(comment) @comment")
_CONDITIONALS = Query("python", "[(if_statement) (elif_clause)] @conditional")
_KINDS = {
    "import": re.compile(rb"\bimport\b|__import__"),
    "patch": re.compile(rb"patch|(?:set|del)(?:attr|item)|create_autospec|mocker"),
    "mark": re.compile(rb"\bmark"),
    "call": re.compile(rb"\("),
}


def open_file(text: SourceText, info: FileInfo) -> "PythonFile":
    """Parses a Python file.

    Raises:
        GrammarMissing: the grammar is not installed.
        GaveUp: parsing took too long.
    """
    return PythonFile(text, info)


class PythonFile:
    """The tree of one file, and what its shape says."""

    def __init__(self, text: SourceText, info: FileInfo) -> None:
        self.text = text
        self.info = info
        self.root = parse("python", text.data).root_node

    @cached_property
    def comments(self) -> Sequence[Comment]:
        """Real comment tokens, in order."""
        data = self.text.data
        if b"#" not in data:
            return ()
        found = []
        for node in self._captured(_COMMENTS).get("comment", ()):
            start, end = node.start_byte, node.end_byte
            line_start = self.text.line_starts[self.text.line_of(start) - 1]
            found.append(Comment(text_of(node, data), start, end, not data[line_start:start].strip()))
        return tuple(found)

    @cached_property
    def unread(self) -> Sequence[UnreadRegion]:
        """The regions that did not parse, in order."""
        return tuple(UnreadRegion(self.text.place(start, end)) for start, end in error_spans(self.root))

    def kinds(self) -> frozenset[str]:
        """Which of ``import``, ``call``, ``patch`` and ``mark`` the file can have, by its words."""
        return frozenset(kind for kind, words in _KINDS.items() if words.search(self.text.data))

    def uses(self, member: str) -> Iterator[Use]:
        """Uses of members whose last name matches ``member``, a name or a glob."""
        from guards.languages.python.uses import find_uses

        return find_uses(self, member)

    def facts(self) -> Facts:
        """What other files may need to know of this one."""
        from guards.languages.python.extract import extract_facts

        return extract_facts(self)

    @cached_property
    def scopes(self) -> Scopes:
        """What names mean where they stand."""
        return Scopes(self.text, self.root, self.nodes("scope"), self.nodes("binder"), self.type_spans)

    @cached_property
    def patches(self) -> tuple[PatchCall, ...]:
        """The calls that may replace something, in order."""
        from guards.languages.python.patches import patch_calls

        return tuple(patch_calls(self.text, self.scopes, self.nodes("call")))

    @cached_property
    def type_spans(self) -> Sequence[tuple[int, int]]:
        """The byte ranges that only a type checker reads."""
        if b"TYPE_CHECKING" not in self.text.data:
            return ()
        return type_checking_spans(self._captured(_CONDITIONALS).get("conditional", []), self.text.data)

    def is_type_only(self, offset: int) -> bool:
        """Whether only a type checker reads what stands at an offset."""
        return any(start <= offset < end for start, end in self.type_spans)

    def nodes(self, kind: str) -> Sequence[Node]:
        """The nodes of one of the kinds ``binder``, ``scope``, ``result``, ``call`` and ``decorated``, in order."""
        return self._nodes.get(kind, ())

    @cached_property
    def _nodes(self) -> dict[str, list[Node]]:
        return self._captured(_FACTS)

    def _captured(self, query: Query) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for _, captures in matches(query, self.root):
            for name, nodes in captures.items():
                found.setdefault(name, []).extend(nodes)
        return found
