"""What functions assert, and what they call that may: as far as one file can tell.

An assertion is certain (``assert``, ``raise AssertionError``, ``pytest.raises``, those of unittest, of
mocks and of well-known libraries), or it is a call that may turn out to be one: of a function that
asserts, or of one that is named so.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.python.calls import NEVER_OWNED, is_helper, no_helpers
from guards.languages.python.lowering import ASSERTS, CALLS, FAILS, LEAVES, STATES, Event, may_have_outcome
from guards.languages.python.nodes import Spans, decorators_of, source
from guards.languages.python.references import CALL, tail
from guards.languages.python.scope import CLASS_BODY, FUNCTION, LAMBDA, MODULE, Scope
from guards.languages.syntax import error_spans

if TYPE_CHECKING:
    from guards.languages.flow import Program
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

# What is called where a function could not be read as a whole.
UNREAD = "?assert"
# In front of the name of a call of something that nobody knows.
NAMED = "?"

# How statements begin that may assert for certain.
ASSERTING = (b"assert", b"raise AssertionError")
_RAISES_ASSERTION = re.compile(rb"raise\s*\(?\s*(?:\w+\s*\.\s*)*(?:AssertionError|failureException|fail\.Exception)\b")
# Calls that may assert, by how their names begin.
_BEGINNINGS = (b"assert", b"check", b"expect", b"should", b"verify")
_WAYS_OUT = frozenset({b"skip", b"skipTest", b"xfail", b"exit"})
_NAMES = _WAYS_OUT | frozenset({b"raises", b"warns", b"fail", b"deprecated_call", b"RaisesExc", b"RaisesGroup"})
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
    r"|matplotlib\.testing\..+|pytest_bdd\.scenario"
)
_LEAVING = frozenset({"pytest.skip", "pytest.xfail", "pytest.exit"})
_FOREIGN_NAMES = frozenset({"raises", "warns", "deprecated_call", "fail", "RaisesExc", "RaisesGroup"})
# An expression that is handed on: an argument, an item of a list, what is given back.
_HANDED = re.compile(
    rb"(?:[(,=\[:]|\b(?:return|yield))\s*((?:[A-Za-z_]\w*\.){0,3}[A-Za-z_]\w*)[ \t]*(?=[,)\]}#;\r\n]|\Z)"
)
_ASKED = re.compile(rb"getfixturevalue\s*\(\s*[\"'](\w+)")
_USED = re.compile(rb"usefixtures\s*\(([^()]*)\)")
_TEXT = re.compile(rb"[\"'](\w+)[\"']")
_XFAIL = re.compile(rb"xfail\s*\([^@]*?\braises\s*=")
_IMAGE = b"mpl_image_compare"
_WORD = re.compile(rb"\w+")


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
        self._no_helpers = no_helpers(file.info.unit)
        self._data = file.text.data
        self._scopes = file.scopes
        # What happens, by where: the same thing can come up twice.
        self._events: dict[int, tuple[Scope, Event]] = {}
        self._asserts: dict[Scope, int] = defaultdict(int)
        self._raising: set[Scope] = set()
        self._named: dict[Scope, dict[str, None]] = defaultdict(dict)
        self._calls = sorted(file.nodes("call"), key=_start)
        self._starts = [node.start_byte for node in self._calls]
        self._words: dict[Scope, Counter[bytes]] = {}
        self._inner: dict[Scope, list[tuple[Scope, Scope]]] = defaultdict(list)
        for scope in self._scopes.of_kind(FUNCTION):
            self._add_inner(scope)
        for node in file.nodes("outcome"):
            self._add_statement(node)
        for node in self._calls:
            self._add_call(node)
        self._fixtures_used = dict(self._use_fixtures()) if b"usefixtures" in self._data else {}
        # Where something ends that may go on in what could not be read.
        self._cut = frozenset(len(self._data[:start].rstrip()) for start, _ in error_spans(file.root))

    def of(self, scope: Scope, *, is_test: bool) -> Summary:
        """The summary of a function; what decorates a test is part of it."""
        asserts, raises = self._asserts[scope], scope in self._raising
        helpers = dict(self._named[scope])
        if asserts:
            return Summary(asserts, raises, tuple(helpers))
        start, end = self._range(scope) if is_test else (scope.start, scope.end)
        for offset, reference in self._all_calls(scope, start, end):
            helpers[reference] = None
            if not reference:
                asserts += 1
                self._events[offset] = scope, Event(offset, ASSERTS)
            elif offset not in self._events and self._can_be_helper(reference):
                self._events[offset] = scope, Event(offset, CALLS, reference)
        written = self._data[start:end]
        if is_test and ((b"xfail" in written and _XFAIL.search(written)) or _IMAGE in written):
            asserts += 1
        helpers.update(dict.fromkeys(self._handed_on(scope, start, end)))
        if is_test:
            helpers.update(dict.fromkeys(self._decorators(scope)))
        helpers.update(dict.fromkeys(self._used_inside(scope)))
        if scope.node.has_error or scope.end in self._cut:
            helpers[UNREAD] = None
        helpers.pop("", None)
        asks = dict.fromkeys(name for name in self._scopes.parameter_names(scope) if name not in ("self", "cls"))
        asks.update((name.decode(), None) for name in _ASKED.findall(written))
        if is_test:
            asks.update(dict.fromkeys(self._used_fixtures(scope)))
        return Summary(asserts, raises, tuple(helpers), tuple(asks))

    # One pass over the file

    def _add_inner(self, scope: Scope) -> None:
        """Remembers a function that stands in another, with the function or class that is used there."""
        used, around = scope, scope.parent
        while around is not None and around.kind in (CLASS_BODY, LAMBDA):
            used, around = (around if around.kind == CLASS_BODY else used), around.parent
        if around is not None and around.kind == FUNCTION:
            self._inner[around].append((used, scope))

    def _add_statement(self, node: "Node") -> None:
        scope = self._scopes.function_at(node.start_byte)
        if scope is None:
            return
        if node.type == "assert_statement":
            self._assert(scope, node.start_byte, STATES)
        elif _RAISES_ASSERTION.match(self._data, node.start_byte):
            self._assert(scope, node.start_byte, FAILS)
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
        what = FAILS if name == b"fail" else ASSERTS
        if dot >= 0 and (_METHOD.fullmatch(name) or self._data[start:end] == b"self.fail"):
            self._assert(inside, start, what)
            return
        reference = self._reference(function, name.decode("utf-8", "replace"), scope)
        if name in _WAYS_OUT:
            if reference in _LEAVING or (name == b"skipTest" and dot >= 0):
                self._events[start] = inside, Event(start, LEAVES)
        elif reference:
            self._named[inside][reference] = None
            self._events[start] = inside, Event(start, CALLS, reference)
        else:
            self._assert(inside, start, what)

    def forget_unreachable(self, scope: Scope, program: "Program") -> bool:
        """Forgets the assertions of a function where no way leads to one, as its program says."""
        if not self._asserts[scope] or may_have_outcome(program):
            return False
        self._asserts[scope] = 0
        return True

    def _assert(self, scope: Scope, offset: int, what: str) -> None:
        self._asserts[scope] += 1
        self._events[offset] = scope, Event(offset, what)

    def events(self) -> "Iterator[tuple[Scope, Event]]":
        """All that happens in the functions of the file: assertions, and calls that may lead to some."""
        for call in self._file.calls:
            function = call.scope.function()
            if function is not None and call.callee and is_helper(call) and call.node.start_byte not in self._events:
                yield function, Event(call.node.start_byte, CALLS, call.callee)
        yield from self._events.values()

    def _use_fixtures(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The fixtures that marks name, by where the function or class begins that they are for; -1 for the module."""
        ranges: list[tuple[int, int]] = []
        for start, node in self._file.decorated.items():
            written = b" ".join(self._data[item.start_byte : item.end_byte] for item in decorators_of(node))
            ranges.extend(item.byte_range for item in decorators_of(node))
            if b"usefixtures" in written:
                yield start, _names_in(_USED.findall(written))
        elsewhere: dict[int, list[bytes]] = defaultdict(list)
        decorators = Spans(ranges)
        for match in _USED.finditer(self._data):
            scope = self._scopes.at(match.start())
            if match.start() not in decorators and scope.kind in (MODULE, CLASS_BODY):
                elsewhere[scope.node.start_byte if scope.kind == CLASS_BODY else -1].append(match[1])
        for start, listed in elsewhere.items():
            yield start, _names_in(listed)

    def _used_fixtures(self, scope: Scope) -> Iterator[str]:
        """The fixtures that marks of a function, of its classes and of the module name."""
        around: Scope | None = scope
        while around is not None:
            yield from self._fixtures_used.get(-1 if around.kind == MODULE else around.node.start_byte, ())
            around = around.parent

    # One function

    def _range(self, scope: Scope) -> tuple[int, int]:
        decorated = self._file.decorated.get(scope.node.start_byte)
        return (decorated or scope.node).start_byte, scope.end

    def _all_calls(self, scope: Scope, start: int, end: int) -> Iterator[tuple[int, str]]:
        """What a function calls, by where and by reference; that is empty for a certain assertion."""
        for first, last in self._own_ranges(scope, start, end):
            for call in self._calls[bisect_left(self._starts, first) : bisect_left(self._starts, last)]:
                offset, function = call.start_byte, call.child_by_field_name("function")
                inner = self._scopes.at(offset)
                if function is not None and (inner.function() is scope or offset < scope.start):
                    name = function.child_by_field_name("attribute") or function
                    yield offset, self._reference(function, source(name, self._data), inner)

    def _own_ranges(self, scope: Scope, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a range that lie in no function inside of another."""
        for _, inner in self._inner[scope]:
            if start < inner.start:
                yield start, inner.start
            start = max(start, inner.end)
        yield start, end

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
        for first, last in self._own_ranges(scope, start, end):
            for match in _HANDED.finditer(self._data, first, last):
                offset = match.start(1)
                inner = self._scopes.at(offset)
                # Between what decorates a function and its body stand its parameters.
                if inner.function() is not scope and not start <= offset < scope.node.start_byte:
                    continue
                reference = self._scopes.chain(match[1].decode(), inner)
                if reference[:1] == ":" or _is_imported_function(reference):
                    yield reference

    def _can_be_helper(self, reference: str) -> bool:
        return reference[0] not in "$?" and reference.partition(".")[0] not in self._no_helpers

    def _decorators(self, scope: Scope) -> Iterator[str]:
        """The references of what decorates a function and is not called for it."""
        decorated = self._file.decorated.get(scope.node.start_byte)
        for node in decorators_of(decorated) if decorated is not None else ():
            if node.type != "call":
                yield self._scopes.expression(node, scope.parent or scope)

    def _used_inside(self, scope: Scope) -> Iterator[str]:
        """The functions inside of a function that are used there, besides being defined."""
        for used, inner in self._inner[scope]:
            name = used.path.rpartition(".")[2].encode()
            if self._words_around(scope)[name] > 1 or used.node.start_byte in self._file.decorated:
                yield f":{inner.path}"

    def _words_around(self, scope: Scope) -> "Counter[bytes]":
        """How often each word stands in a function, or in the outermost one that it is part of."""
        around: Scope | None = scope
        while around is not None:
            scope = around if around.kind == FUNCTION else scope
            around = around.parent
        if scope not in self._words:
            self._words[scope] = Counter(_WORD.findall(self._data, scope.start, scope.end))
        return self._words[scope]


def _is_imported_function(reference: str) -> bool:
    plain = reference[:1] not in ("", "'", "$") and CALL not in reference and "." in reference
    return plain and reference.partition(".")[0] not in NEVER_OWNED and not tail(reference)[:1].isupper()


def _names_in(listed: "list[bytes]") -> tuple[str, ...]:
    return tuple(name.decode() for arguments in listed for name in _TEXT.findall(arguments))


def _start(node: "Node") -> int:
    return node.start_byte
