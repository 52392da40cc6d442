"""One parsed Python file, alive only while its rules run."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from guards.findings.model import Comment, UnreadRegion
from guards.languages.base import Use
from guards.languages.python.calls import Call, calls_in
from guards.languages.python.facts import Facts, PatchCall
from guards.languages.python.nodes import Spans, definition_of, type_checking_spans
from guards.languages.python.scopes import Scopes
from guards.languages.syntax import Node, Query, captures, error_spans, parse, text_of
from guards.project.model import FileInfo
from guards.source.text import SourceText

# Facts by the kind of their node alone. Each pattern captures one whole node: what is inside of
# it is only looked at when somebody asks.
_FACTS = Query(
    "python",
    """
    [(import_statement) (import_from_statement)] @binder
    [(assignment) (augmented_assignment) (named_expression) (for_statement) (for_in_clause)] @binder
    (with_item value: (as_pattern)) @binder
    (except_clause value: (as_pattern)) @binder
    [(global_statement) (nonlocal_statement)] @binder
    [(function_definition) (class_definition) (lambda)] @scope
    [(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
    [(call)] @call
    [(decorated_definition)] @decorated
    [(assert_statement) (raise_statement)] @outcome
    [(if_statement) (for_statement) (while_statement) (try_statement) (with_statement) (match_statement)] @flow
    [(return_statement) (raise_statement) (break_statement) (continue_statement)] @flow
    """,
)
_COMMENTS = Query("python", "(comment) @comment")
_CONDITIONALS = Query("python", "[(if_statement) (elif_clause)] @conditional")
# The kinds of fact that a file can have, each by a word without which it has none.
_KINDS = {"import": b"import", "call": b"(", "mark": b"mark"}


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
        for node in captures(_COMMENTS, self.root).get("comment", ()):
            start, end = node.start_byte, node.end_byte
            line_start = self.text.line_starts[self.text.line_of(start) - 1]
            found.append(Comment(text_of(node, data), start, end, not data[line_start:start].strip()))
        return tuple(found)

    @cached_property
    def unread(self) -> Sequence[UnreadRegion]:
        """The regions that did not parse, in order."""
        return tuple(UnreadRegion(self.text.place(start, end)) for start, end in error_spans(self.root))

    def kinds(self) -> frozenset[str]:
        """Which of ``import``, ``call`` and ``mark`` the file can have."""
        return frozenset(kind for kind, word in _KINDS.items() if word in self.text.data)

    def uses(self, member: str) -> Iterator[Use]:
        """Uses of members whose last name matches ``member``, a name or a glob."""
        from guards.languages.python.uses import find_uses

        return find_uses(self, member)

    def facts(self) -> Facts:
        """What other files may need to know of this one."""
        return self._known_facts

    @cached_property
    def _known_facts(self) -> Facts:
        from guards.languages.python.extract import extract_facts

        return extract_facts(self)

    @cached_property
    def scopes(self) -> Scopes:
        """What names mean where they stand."""
        return Scopes(self.text, self.root, self.nodes("scope"), self.nodes("binder"), self.type_only)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls that can be a patcher's, an import or a test helper's, by where they begin."""
        return tuple(calls_in(self.text.data, self.scopes, self.nodes("call"), self.info.unit))

    @cached_property
    def patches(self) -> tuple[PatchCall, ...]:
        """The calls that may replace something, in order."""
        from guards.languages.python.patches import patch_calls

        return tuple(patch_calls(self.text, self.scopes, self.calls))

    @cached_property
    def doubles(self) -> tuple[PatchCall, ...]:
        """The calls that may make a double in the likeness of something and put it nowhere, in order."""
        from guards.languages.python.patches import double_calls

        return tuple(double_calls(self.text, self.scopes, self.calls))

    @cached_property
    def type_only(self) -> Spans:
        """The byte ranges that only a type checker reads."""
        if b"TYPE_CHECKING" not in self.text.data:
            return Spans()
        conditionals = captures(_CONDITIONALS, self.root).get("conditional", ())
        return Spans(type_checking_spans(conditionals, self.text.data))

    @cached_property
    def decorated(self) -> dict[int, Node]:
        """The decorated definitions by where the function or class in them begins."""
        return {definition_of(node).start_byte: node for node in self.nodes("decorated")}

    def name_at(self, definition: Node) -> tuple[int, int]:
        """The line and column of a definition's name: nothing but ASCII stands before it on its line."""
        name = definition.child_by_field_name("name") or definition
        line = self.text.line_of(name.start_byte)
        return line, name.start_byte - self.text.line_starts[line - 1] + 1

    def nodes(self, kind: str) -> Sequence[Node]:
        """The nodes of a kind, in order: ``binder``, ``scope``, ``call``, ``decorated``, ``outcome`` and ``flow``."""
        return self._nodes.get(kind, ())

    @cached_property
    def _nodes(self) -> dict[str, list[Node]]:
        return captures(_FACTS, self.root)
