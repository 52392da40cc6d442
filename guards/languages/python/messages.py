"""Assertions about the messages of exceptions: what compares a whole message with a text."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.python.bindings import bound_names
from guards.languages.python.nodes import Spans, chains_at, content_value, source
from guards.languages.python.references import CALL, UNKNOWN, constant, is_text
from guards.languages.python.values import Values
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

SURE = "*"
_WORDS = (b"aises", b"except", b"xception", b"rror", b"str(", b"repr(")
# Where an assertion about a whole message begins: its operator, or the name of what asserts.
# Each begins with plain letters: that is how they are found quickly.
_SIGNS = tuple(
    re.compile(sign)
    for sign in (rb"==", rb"match\b(?=\s*[=(])", rb"assert(?:Equals?|MultiLineEqual|RaisesRegexp?)(?=\s*\()")
)
_WORD = re.compile(rb"\w")
_EQUAL = re.compile(r"assert(?:Equals?|MultiLineEqual)")
_MATCHERS = frozenset({"pytest.raises", "pytest.RaisesExc", "pytest.RaisesGroup"})
_INFO = re.compile(r"pytest\.(?:raises|RaisesExc|RaisesGroup)\(\)(?:\.__enter__\(\))?")
_CAUGHT = re.compile(
    rf"(?:{_INFO.pattern}\.value|[^']+\.assertRaises(?:Regexp?)?\(\)\.__enter__\(\)\.exception)"
    r"(?:\.__(?:cause|context)__)*"
)
# What leaves a message whole.
_PLAIN_METHODS = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "casefold"})
_TO_TEXT = frozenset({"builtins.str", "builtins.repr", "builtins.format"})
_OWN_TO_TEXT = frozenset({"__str__", "__repr__", "__format__"})
# Expressions that are no text, and those that are no message either.
_NO_TEXTS = frozenset(
    {"integer", "float", "true", "false", "none", "dictionary", "set", "list_comprehension", "unary_operator", "await"}
)
_NO_MESSAGES = _NO_TEXTS | {"tuple", "list", "concatenated_string"}
_JOINTS = frozenset({"boolean_operator", "parenthesized_expression"})
_DEEPEST = 20  # nobody writes longer chains; hostile files do
_LONGEST_NAME = 60
# A pattern that is one text from its first character to its last.
_PINNED = re.compile(r"(?:\^|\\A)(?:[^\\\[\](){}|*+?^$]|\\[^A-Za-z0-9]|\{(?!\d)|\}|\\[nrtfv])+(?:\$|\\[Zz])", re.DOTALL)
_ESCAPED = "\0"  # in a pattern: any text, escaped


class ExactMessage(NamedTuple):
    """An assertion that a whole message equals a text.

    It begins at ``offset``. ``message`` is how the message is written; empty where that is long, or
    where it is matched with a pattern. ``exception`` is ``SURE``, or the reference of what must be a
    class of exceptions for it to be one.
    """

    place: Place
    offset: int
    message: str
    exception: str


def exact_messages(file: "PythonFile") -> Iterator[ExactMessage]:
    """The assertions about whole messages in a file, in order."""
    data = file.text.data
    if not any(word in data for word in _WORDS):
        return
    reader = _Reader(file)
    starts = sorted(match.start() for sign in _SIGNS for match in sign.finditer(data))
    # An operator may stand right behind a name, which the end of a name may not.
    offsets = [start for start in starts if data[start : start + 1] == b"=" or not _WORD.match(data, start - 1)]
    for chain in chains_at(file.root, offsets):
        yield from reader.at(chain)


class _Reader:
    """Reads the expressions of one file."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._data = file.text.data
        self._values = Values(file)
        self._depth = 0  # of messages that are being read, through names and their values too
        clauses = defaultdict(list)
        for node in file.nodes("binder"):
            if node.type in ("except_clause", "except_group_clause"):
                for bound in bound_names(node, self._data, file.text.path):
                    clauses[bound.name].append(node.byte_range)
        self._caught = {name: Spans(ranges) for name, ranges in clauses.items()}

    def at(self, chain: "list[Node]") -> Iterator[ExactMessage]:
        """What stands at a sign, the last of a chain of nodes."""
        leaf, around = chain[-1], chain[:-1]
        if not around:
            return
        if around[-1].type == "comparison_operator":
            yield from self._comparison(leaf, around)
        elif around[-1].type == "keyword_argument":
            yield from self._keyword(around)
        elif around[-1].type == "attribute" and len(around) > 1 and around[-2].type == "call":
            yield from self._method(source(leaf, self._data), around[-1], around[-2])

    # Assertions

    def _comparison(self, leaf: "Node", around: "list[Node]") -> Iterator[ExactMessage]:
        comparison, outer = around[-1], around[:-1]
        if comparison.child_count > _DEEPEST:
            return
        inner = comparison
        while outer and outer[-1].type in _JOINTS:
            inner = outer.pop()
        if not outer or outer[-1].type != "assert_statement" or outer[-1].named_children[0] != inner:
            return
        children = [child for child in comparison.children if child.type != "comment"]
        position = children.index(leaf)
        if 0 < position < len(children) - 1:
            yield from self._equal(comparison, children[position - 1], children[position + 1])

    def _keyword(self, around: "list[Node]") -> Iterator[ExactMessage]:
        """``match=`` of what expects an exception."""
        keyword, call = around[-1], around[-3] if len(around) > 2 else None
        function = call.child_by_field_name("function") if call is not None and call.type == "call" else None
        pattern = keyword.child_by_field_name("value")
        if function is not None and pattern is not None and self._reference(function) in _MATCHERS:
            yield from self._pattern(keyword, pattern)

    def _method(self, name: str, function: "Node", call: "Node") -> Iterator[ExactMessage]:
        """``ei.match`` and the assertions of unittest."""
        receiver = function.child_by_field_name("object")
        if receiver is None or call.child_by_field_name("function") != function:
            return
        given = self._arguments(call)
        if name == "match":
            pattern = given.get("0", given.get("regexp"))
            if pattern is not None and _INFO.fullmatch(self._reference(receiver)):
                yield from self._pattern(call, pattern)
        elif _EQUAL.fullmatch(name):
            first, second = given.get("0", given.get("first")), given.get("1", given.get("second"))
            if first is not None and second is not None:
                yield from self._equal(call, first, second)
        else:
            pattern = given.get("1", given.get("expected_regex"))
            if pattern is not None:
                yield from self._pattern(call, pattern)

    def _equal(self, node: "Node", left: "Node", right: "Node") -> Iterator[ExactMessage]:
        for message, literal in ((left, right), (right, left)):
            if message.type in _NO_MESSAGES or literal.type in _NO_TEXTS:
                continue
            exception = self._arguments_of(message, literal) or (
                self._message(message) if self._is_literal(literal) else UNKNOWN
            )
            if exception:
                yield ExactMessage(
                    self._place(node), node.start_byte, _one_line(source(message, self._data)), exception
                )
                return

    def _pattern(self, node: "Node", pattern: "Node") -> Iterator[ExactMessage]:
        written = self._regex(pattern, 0)
        if written is not None and _PINNED.fullmatch(written):
            yield ExactMessage(self._place(node), node.start_byte, "", SURE)

    # Texts and patterns

    def _is_literal(self, node: "Node") -> bool:
        """Whether it is a text that is written in this file, and not an empty one."""
        return bool(constant(self._reference(node)))

    def _regex(self, node: "Node", depth: int) -> str | None:
        """The text of a regular expression; None where it is not known."""
        node = self._values.behind(node)
        if depth > _DEEPEST:
            return None
        if node.type == "call":
            return self._called_regex(node, depth)
        if node.type == "binary_operator":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = node.child_by_field_name("operator")
            if left is None or right is None or operator is None or operator.type != "+":
                return None
            return _joined([self._regex(left, depth + 1), self._regex(right, depth + 1)])
        if node.type == "concatenated_string":
            return _joined([self._regex(child, depth + 1) for child in node.named_children if child.type != "comment"])
        return self._string_regex(node, depth) if node.type == "string" else None

    def _string_regex(self, node: "Node", depth: int) -> str | None:
        prefix = source(node.children[0], self._data).lower()
        pieces: list[str | None] = []
        for child in node.children[1:-1]:
            if child.type == "string_content":
                pieces.append(content_value(child, self._data, raw="r" in prefix, template="f" in prefix))
            elif child.named_children:
                pieces.append(self._regex(child.named_children[0], depth + 1))
        return None if "b" in prefix else _joined(pieces)

    def _called_regex(self, call: "Node", depth: int) -> str | None:
        function, given = call.child_by_field_name("function"), self._arguments(call)
        reference = self._reference(function) if function is not None else UNKNOWN
        if reference == "re.escape":
            return _ESCAPED
        pattern = given.get("0", given.get("pattern"))
        return self._regex(pattern, depth + 1) if reference == "re.compile" and pattern is not None else None

    # Messages

    def _arguments_of(self, node: "Node", others: "Node") -> str:
        """The exception whose ``args`` are compared with a tuple that has a text in it."""
        node = self._values.behind(node)
        if node.type != "attribute" or not self._is_args(node) or others.type not in ("tuple", "list"):
            return UNKNOWN
        return self._owner(node) if any(map(self._is_literal, others.named_children)) else UNKNOWN

    def _message(self, node: "Node") -> str:
        """The exception whose message an expression is; unknown where it is none."""
        self._depth += 1
        found = self._message_of(self._values.behind(node)) if self._depth < _DEEPEST else UNKNOWN
        self._depth -= 1
        return found

    def _message_of(self, node: "Node") -> str:
        match node.type:
            case "call":
                return self._called_message(node)
            case "subscript":
                value, index = node.child_by_field_name("value"), node.child_by_field_name("subscript")
                indexed = value is not None and index is not None and index.type == "integer" and self._is_args(value)
                return self._owner(value) if value is not None and indexed else UNKNOWN
            case "string":
                holes = [child for child in node.named_children if child.type == "interpolation"]
                return self._shown([hole.named_children[0] for hole in holes if hole.named_children])
            case "binary_operator":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                if left is None or right is None or left.type != "string":
                    return UNKNOWN
                return self._shown(right.named_children if right.type == "tuple" else [right])
        return UNKNOWN

    def _called_message(self, call: "Node") -> str:
        function, given = call.child_by_field_name("function"), list(self._arguments(call).values())
        if function is None:
            return UNKNOWN
        receiver, name = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        if receiver is None or name is None:
            return self._exception(given[0]) if given and self._reference(function) in _TO_TEXT else UNKNOWN
        written = source(name, self._data)
        if written == "exconly":
            return SURE if _INFO.fullmatch(self._reference(receiver)) else UNKNOWN
        if written == "format" and receiver.type == "string":
            return self._shown(given)
        if written in _OWN_TO_TEXT:
            return self._exception(receiver)
        return self._message(receiver) if written in _PLAIN_METHODS and not given else UNKNOWN

    def _shown(self, nodes: "list[Node]") -> str:
        """The exception that one of some expressions shows in a text."""
        return next(filter(None, (self._exception(node) or self._as_text(node) for node in nodes[:_DEEPEST])), UNKNOWN)

    def _as_text(self, node: "Node") -> str:
        """The exception of ``str(e)``, ``repr(e)`` or ``e.args[0]``, inside a larger text."""
        node = self._values.behind(node)
        return self._message(node) if node.type in ("call", "subscript") else UNKNOWN

    def _exception(self, node: "Node") -> str:
        """``SURE`` for an exception, a reference for what is made by calling it; unknown for anything else."""
        if self._is_caught(node):
            return SURE
        node = self._values.behind(node)
        if self._is_caught(node):
            return SURE
        reference = self._reference(node)
        if _CAUGHT.fullmatch(reference):
            return SURE
        made = reference.removesuffix(CALL)
        return made if made != reference and CALL not in made and not is_text(made) and made[:1] != "$" else UNKNOWN

    def _is_caught(self, node: "Node") -> bool:
        """Whether ``except`` binds a name, or whether it is what caused such a thing."""
        for _ in range(_DEEPEST):
            if node.type != "attribute":
                break
            name, owner = node.child_by_field_name("attribute"), node.child_by_field_name("object")
            if name is None or owner is None or source(name, self._data) not in ("__cause__", "__context__"):
                return False
            node = owner
        return node.type == "identifier" and node.start_byte in self._caught.get(source(node, self._data), Spans())

    # What the tree says

    def _is_args(self, node: "Node") -> bool:
        name = node.child_by_field_name("attribute") if node.type == "attribute" else None
        return name is not None and source(name, self._data) == "args"

    def _owner(self, attribute: "Node") -> str:
        owner = attribute.child_by_field_name("object")
        return self._exception(owner) if owner is not None else UNKNOWN

    def _arguments(self, call: "Node") -> "dict[str, Node]":
        """The arguments by position ("0") or keyword, up to what is unpacked."""
        found: dict[str, Node] = {}
        arguments = call.child_by_field_name("arguments")
        for node in arguments.named_children if arguments is not None else ():
            if node.type in ("list_splat", "dictionary_splat"):
                break
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if node.type == "keyword_argument" and name is not None and value is not None:
                found[source(name, self._data)] = value
            elif node.type != "comment":
                found[str(len(found))] = node
        return found

    def _reference(self, node: "Node") -> str:
        return self._file.scopes.expression(node, self._file.scopes.at(node.start_byte))

    def _place(self, node: "Node") -> Place:
        return self._file.text.place(node.start_byte, node.end_byte)


def _one_line(written: str) -> str:
    """A short expression as it is written; empty for one that is too long to be named."""
    written = " ".join(written.split())
    return written if len(written) <= _LONGEST_NAME else ""


def _joined(pieces: list[str | None]) -> str | None:
    return None if None in pieces else "".join(filter(None, pieces))
