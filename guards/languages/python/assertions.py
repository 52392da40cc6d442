"""What functions assert, and what they call that may: as far as one file can tell.

An assertion is certain (``assert``, ``raise AssertionError``, ``pytest.raises``, those of unittest, of
mocks and of well-known libraries), or it is a call that may turn out to be one: of a function that
asserts, or of one that is named so.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.python.calls import NEVER_OWNED
from guards.languages.python.nodes import decorators_of, definition_of, source
from guards.languages.python.references import CALL, tail
from guards.languages.python.scope import CLASS_BODY, FUNCTION, LAMBDA, MODULE, Scope

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

# In front of the name of a call of something that nobody knows.
NAMED = "?"

# How statements begin that may assert for certain.
ASSERTING = (b"assert", b"raise AssertionError")
_RAISES_ASSERTION = re.compile(rb"raise\s*\(?\s*(?:\w+\s*\.\s*)*(?:AssertionError|failureException|fail\.Exception)\b")
# Calls that may assert, by how their names begin.
_BEGINNINGS = (b"assert", b"check", b"expect", b"should", b"verify")
_NAMES = frozenset({b"raises", b"warns", b"fail", b"deprecated_call", b"RaisesExc", b"RaisesGroup"})
# Methods that nothing but an assertion is called like: of unittest, of mocks and of pytester.
_METHOD = re.compile(
    rb"assert[A-Z]\w*|fail(?:If|Unless)\w*|assert_(?:called\w*|not_called|any_call|has_calls|awaited\w*|not_awaited"
    rb"|any_await|has_awaits)|(?:no_)?(?:fn|re_)match_lines?\w*"
)
_LIBRARY = re.compile(
    r"(?:pytest|py\.test|_pytest\.\w+)\.(?:raises|warns|fail|deprecated_call|RaisesExc|RaisesGroup)"
    r"|(?:numpy|pandas|pandas\.util|torch|jax\.numpy|polars|xarray|sympy)\.testing\.\w+(?:\.\w+)*"
    r"|hypothesis\.stateful\.run_state_machine_as_test|jsonschema\.validate"
    r"|testfixtures\.(?:compare|Should\w+|should_\w+)|pytest_check\..+|nose\.tools\.\w+"
)
_FOREIGN_NAMES = frozenset({"raises", "warns", "deprecated_call", "fail", "RaisesExc", "RaisesGroup"})
# An expression that is handed on: an argument, an item of a list.
_HANDED = re.compile(rb"[(,=\[]\s*((?:[A-Za-z_]\w*\.){0,3}[A-Za-z_]\w*)\s*(?=[,)\]])")
_ASKED = re.compile(rb"getfixturevalue\s*\(\s*[\"'](\w+)")
_USED = re.compile(rb"usefixtures\s*\(([^()]*)\)")
_TEXT = re.compile(rb"[\"'](\w+)[\"']")
_XFAIL = re.compile(rb"xfail\s*\([^@]*?\braises\s*=")
_IMAGE = b"mpl_image_compare"
_MOST_WORDS = 100_000


class Summary(NamedTuple):
    """What a function does.

    ``asserts`` counts the certain assertions in it; ``raises`` says that it raises something.
    ``calls`` are references of what may assert for it: of all that it calls where nothing is
    certain, of what is named so and of test helpers otherwise. ``asks`` are the fixtures that it
    asks for.
    """

    asserts: int = 0
    raises: bool = False
    calls: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


class Summaries:
    """The functions of one file."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._data = file.text.data
        self._scopes = file.scopes
        self._asserts: dict[Scope, int] = defaultdict(int)
        self._raising: set[Scope] = set()
        self._named: dict[Scope, dict[str, None]] = defaultdict(dict)
        self._paths = {scope.path for scope in self._scopes.of_kind(FUNCTION)}
        self._calls = sorted(file.nodes("call"), key=_start)
        self._starts = [node.start_byte for node in self._calls]
        self._decorated = {definition_of(node).start_byte: node for node in file.nodes("decorated")}
        self._inner: dict[Scope, list[tuple[str, Scope]]] = defaultdict(list)
        for scope in self._scopes.of_kind(FUNCTION):
            self._add_inner(scope)
        for node in file.nodes("outcome"):
            self._add_statement(node)
        for node in self._calls:
            self._add_call(node)
        self._fixtures_used = tuple(self._use_fixtures())

    def of(self, scope: Scope, *, is_test: bool) -> Summary:
        """The summary of a function; what decorates a test is part of it."""
        asserts, raises = self._asserts[scope], scope in self._raising
        helpers = dict(self._named[scope])
        if asserts:
            return Summary(asserts, raises, tuple(helpers))
        start, end = self._range(scope) if is_test else (scope.start, scope.end)
        for reference in self._all_calls(scope, start, end):
            asserts += not reference
            helpers[reference] = None
        written = self._data[start:end]
        if is_test and ((b"xfail" in written and _XFAIL.search(written)) or _IMAGE in written):
            asserts += 1
        helpers.update(dict.fromkeys(self._handed_on(scope, start, end)))
        if is_test:
            helpers.update(dict.fromkeys(self._decorators(scope)))
        helpers.update((f":{inner.path}", None) for name, inner in self._inner[scope] if self._is_used(name, scope))
        helpers.pop("", None)
        asks = dict.fromkeys(name for name in self._scopes.parameter_names(scope) if name not in ("self", "cls"))
        asks.update((name.decode(), None) for name in _ASKED.findall(written))
        if is_test:
            for first, last, names in self._fixtures_used:
                asks.update(dict.fromkeys(names if first <= scope.node.start_byte < last else ()))
        return Summary(asserts, raises, tuple(helpers), tuple(asks))

    # One pass over the file

    def _add_inner(self, scope: Scope) -> None:
        """Remembers a function that stands in another, with the name that it is used by there."""
        used, around = scope, scope.parent
        while around is not None and around.kind in (CLASS_BODY, LAMBDA):
            used, around = (around if around.kind == CLASS_BODY else used), around.parent
        if around is not None and around.kind == FUNCTION:
            self._inner[around].append((used.path.rpartition(".")[2], scope))

    def _add_statement(self, node: "Node") -> None:
        scope = self._scopes.function_at(node.start_byte)
        if scope is None:
            return
        if node.type == "assert_statement" or _RAISES_ASSERTION.match(self._data, node.start_byte):
            self._asserts[scope] += 1
        else:
            self._raising.add(scope)

    def _add_call(self, node: "Node") -> None:
        """Counts a call by its name, or remembers it as one that may assert."""
        function = node.child_by_field_name("function")
        if function is None:
            return
        start, end = function.start_byte, function.end_byte
        dot = self._data.rfind(b".", start, end)
        name = self._data[max(dot + 1, start) : end].strip()
        if not name.lstrip(b"_").startswith(_BEGINNINGS) and name not in _NAMES and not _METHOD.fullmatch(name):
            return
        scope = self._scopes.at(start)
        inside = scope.function()
        if inside is None:
            return
        if dot >= 0 and (_METHOD.fullmatch(name) or self._data[start:end] == b"self.fail"):
            self._asserts[inside] += 1
            return
        reference = self._reference(function, name.decode("utf-8", "replace"), scope)
        if reference:
            self._named[inside][reference] = None
        else:
            self._asserts[inside] += 1

    def _use_fixtures(self) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """The ranges in which tests use fixtures without asking for them, each with their names."""
        for match in _USED.finditer(self._data) if b"usefixtures" in self._data else ():
            names = tuple(name.decode() for name in _TEXT.findall(match[1]))
            around = [node for node in self._decorated.values() if node.start_byte <= match.start() < node.end_byte]
            inside = [node for node in around if any(_holds(item, match.start()) for item in decorators_of(node))]
            scope = self._scopes.at(match.start())
            if inside:
                yield (*inside[-1].byte_range, names)
            elif scope.kind in (MODULE, CLASS_BODY):
                yield scope.start, scope.end, names

    # One function

    def _range(self, scope: Scope) -> tuple[int, int]:
        decorated = self._decorated.get(scope.node.start_byte)
        return (decorated or scope.node).start_byte, scope.end

    def _all_calls(self, scope: Scope, start: int, end: int) -> Iterator[str]:
        """What a function calls, by reference; empty for a certain assertion."""
        for number in range(bisect_left(self._starts, start), len(self._starts)):
            offset = self._starts[number]
            if offset >= end:
                break
            inner = self._scopes.at(offset)
            function = self._calls[number].child_by_field_name("function")
            if function is not None and (inner.function() is scope or offset < scope.start):
                name = function.child_by_field_name("attribute") or function
                yield self._reference(function, source(name, self._data), inner)

    def _reference(self, function: "Node", name: str, scope: Scope) -> str:
        """The reference of what is called; empty for a certain assertion."""
        reference = self._scopes.expression(function, scope)
        if not reference or reference[0] == "'":
            return f"{NAMED}{name}" if name.isidentifier() else NAMED
        if ":" not in reference and (_LIBRARY.fullmatch(reference) or tail(reference) in _FOREIGN_NAMES):
            return "" if reference[0] != "$" else reference
        return reference

    def _handed_on(self, scope: Scope, start: int, end: int) -> Iterator[str]:
        """Functions, by reference, that a function hands on to something that may call them."""
        for match in _HANDED.finditer(self._data, start, end):
            offset = match.start(1)
            inner = self._scopes.at(offset)
            # Between what decorates a function and its body stand its parameters.
            if inner.function() is not scope and not start <= offset < scope.node.start_byte:
                continue
            reference = self._scopes.chain(match[1].decode(), inner)
            if reference[:1] == ":":
                if reference[1:].replace(CALL, "") in self._paths or "()." in reference:
                    yield reference
            elif _is_imported_function(reference):
                yield reference

    def _decorators(self, scope: Scope) -> Iterator[str]:
        """The references of what decorates a function and is not called for it."""
        decorated = self._decorated.get(scope.node.start_byte)
        for node in decorators_of(decorated) if decorated is not None else ():
            if node.type != "call":
                yield self._scopes.expression(node, scope.parent or scope)

    def _is_used(self, name: str, scope: Scope) -> bool:
        """Whether a function or class inside of a function is used there, besides being defined."""
        word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
        found = word.finditer(self._data, scope.start, scope.end)
        uses = [match.start() for match in found]
        return len(uses) > 1 or any(
            inner.node.start_byte in self._decorated for used, inner in self._inner[scope] if used == name
        )


def _is_imported_function(reference: str) -> bool:
    plain = reference[:1] not in ("", "'", "$") and CALL not in reference and "." in reference
    return plain and reference.partition(".")[0] not in NEVER_OWNED and not tail(reference)[:1].isupper()


def _holds(node: "Node", offset: int) -> bool:
    return node.start_byte <= offset < node.end_byte


def _start(node: "Node") -> int:
    return node.start_byte
