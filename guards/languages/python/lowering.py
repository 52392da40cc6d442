"""What happens on the ways through a function, as a program of ``guards.languages.flow``.

Only what matters is looked at: assertions and calls that may be some, and the statements that say
which of them are reached. Expressions run from left to right; what stands behind ``and``, ``or``
and ``if`` in one, in a lambda or in a comprehension may run or not.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from guards.languages.flow import Label, Program, Writer
from guards.languages.flow.program import (
    ASK,
    BRANCH,
    CALL,
    EITHER,
    END,
    FALSE,
    HAND,
    JUMP,
    LARGEST,
    LOOP,
    MAYBE,
    OUTCOME,
    RAISE,
    RETURN,
    STEPS,
    TEST,
    TRY,
)
from guards.languages.flow.writer import Names
from guards.languages.python.scope import COMPREHENSION, LAMBDA, Scope

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

# What happens at a place.
STATES, ASSERTS, FAILS, LEAVES, CALLS = "states", "asserts", "fails", "leaves", "calls"
# Behind these it goes on.
_GOES_ON = frozenset({STATES, ASSERTS, CALLS})
_OUTCOME, _MAYBE = chr(OUTCOME), chr(MAYBE)
_COMES_BACK = chr(RETURN) + chr(FALSE) + chr(END)
_UNDECIDED = _MAYBE + chr(RETURN) + chr(EITHER) + chr(END)
# Deeper nests are not followed.
_DEEPEST = 25
_MOST_STEPS = 6000
_LOOKED_BACK = 200
_SOMETIMES = re.compile(rb"\S\s+(?:and|or|if|else)\s")
_CATCHES = re.compile(
    rb"(?:async\s+)?with\s+(?:[^:]*[\s,(.])?(?:suppress|raises|assertRaises\w*|RaisesGroup|ShouldRaise)\s*\("
)
_CATCHES_ALL = re.compile(rb"except\s*(?::|\(?\s*(?:Base)?Exception\b)")
_TRUE = frozenset({b"True", b"1"})
_COUNTED = re.compile(rb"range\(\s*[1-9]\d*\s*\)")
_FILLED = frozenset({"tuple", "list", "set", "dictionary", "expression_list"})

_COMPOUND = frozenset(
    {"if_statement", "for_statement", "while_statement", "try_statement", "with_statement", "match_statement"}
)
_LAST_LINE = 0xD000


class Event(NamedTuple):
    """Something that matters.

    That is the statement of an assertion, another assertion, a failure, a way out, or a call, by
    reference, that may lead to some of them.
    """

    offset: int
    what: str
    reference: str = ""


_Item: TypeAlias = "tuple[int, Event | None, Node | None]"


class Lowering:
    """The programs of the functions of one file; ``events`` are what happens in each."""

    def __init__(self, file: "PythonFile", events: Iterable[tuple[Scope, Event]]) -> None:
        self._file = file
        self._data = file.text.data
        self._names = Names()
        self._programs: dict[Program, Program] = {}  # many functions have the same
        self._items: dict[Scope, list[_Item]] = defaultdict(list)
        happens: set[Scope] = set()
        for scope, event in events:
            self._items[scope].append((event.offset, event, None))
            happens.add(scope)
        for node in file.nodes("flow") if happens else ():
            function = file.scopes.function_at(node.start_byte)
            if function is not None and function in happens:
                self._items[function].append((node.start_byte, None, node))
        for items in self._items.values():
            items.sort(key=_order)

    def names(self) -> tuple[str, ...]:
        """The references that the programs so far call by number."""
        return self._names.all()

    def program(self, scope: Scope) -> Program:
        """The program of a function; empty where nothing happens in it."""
        items = self._items.get(scope)
        if not items:
            return ""
        events = [event for _, event, _ in items if event is not None and event.what in _GOES_ON]
        if len(events) == len(items):
            program = "".join(map(self._step, events)) + _COMES_BACK if len(events) < _MOST_STEPS else _UNDECIDED
        else:
            program = _Function(self._file, self._names, items).program(scope)
        return self._programs.setdefault(program, program)

    def _step(self, event: Event) -> str:
        """What a function does that does one thing after the other, without a writer's help."""
        if event.what == STATES:
            return _OUTCOME
        sometimes = may_not_run(self._file, event.offset)
        if not event.reference:
            return _MAYBE if sometimes else _OUTCOME
        number = self._names.number(event.reference)
        return chr(HAND if sometimes else CALL) + chr(number) if number <= LARGEST else _MAYBE


def may_not_run(file: "PythonFile", offset: int) -> bool:
    """Whether a part of an expression runs only sometimes."""
    if file.scopes.at(offset).kind in (LAMBDA, COMPREHENSION):
        return True
    line_start = file.text.line_starts[file.text.line_of(offset) - 1]
    return _SOMETIMES.search(file.text.data, max(line_start, offset - _LOOKED_BACK), offset) is not None


def may_have_outcome(program: Program) -> bool:
    """Whether a way through a program, whatever it calls, leads to an outcome, or may."""
    pending, seen = [0], set()
    while pending:
        place = pending.pop()
        if place in seen or place >= len(program):
            continue
        seen.add(place)
        step = ord(program[place])
        if step in (OUTCOME, MAYBE):
            return True
        if step in _GOES_TO:
            pending.append(ord(program[place + _GOES_TO[step]]))
        if step not in _STOPS:
            pending.append(place + 1 + STEPS[step])
    return False


# Where the operand of a step is that says where it may go on, besides behind it; and those that do not.
_GOES_TO = {ASK: 2, BRANCH: 1, JUMP: 1, TEST: 2, TRY: 2, LOOP: 2}
_STOPS = frozenset({JUMP, RAISE, RETURN})


class _TooMuchError(Exception):
    """A function is longer than anybody follows."""


class _Function:
    """One function on its way to its program."""

    def __init__(self, file: "PythonFile", names: Names, items: "list[_Item]") -> None:
        self._file = file
        self._data = file.text.data
        self._items = items
        self._starts = [item[0] for item in items]
        self._writer = Writer(names)
        self._left = _MOST_STEPS
        self._depth = 0

    def program(self, scope: Scope) -> Program:
        """The whole of it."""
        try:
            self._range(scope.start, scope.end)
        except _TooMuchError:
            return _UNDECIDED
        return self._writer.finish()

    def _range(self, start: int, end: int) -> None:
        """What happens between two offsets, in order."""
        number = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end)
        if self._depth >= _DEEPEST:
            if number < last:
                self._writer.maybe()
            return
        self._depth += 1
        while number < last:
            # What runs on every way out of a `try` is written for each: that can be without end.
            self._left -= 1
            if not self._left:
                raise _TooMuchError
            offset, event, node = self._items[number]
            if event is not None:
                self._event(event)
                number += 1
            elif node is not None:
                self._statement(node)
                number = max(number + 1, bisect_left(self._starts, node.end_byte))
            else:
                number = bisect_left(self._starts, offset + 1)
        self._depth -= 1

    def _inside(self, node: "Node | None") -> None:
        if node is not None:
            self._range(node.start_byte, node.end_byte)

    def _holds_any(self, start: int, end: int) -> bool:
        return bisect_left(self._starts, end) > bisect_left(self._starts, start)

    def _event(self, event: Event) -> None:
        if event.what == LEAVES:
            self._writer.raises()
        elif event.what == STATES:
            self._writer.outcome()
        elif may_not_run(self._file, event.offset):
            if event.reference:
                self._writer.hand(event.reference)
            else:
                self._writer.maybe()
        elif event.what == CALLS:
            self._writer.call(event.reference)
        else:
            self._writer.outcome()
            if event.what == FAILS:
                self._writer.raises()

    # Statements

    def _statement(self, node: "Node") -> None:
        kind = node.type
        if kind in _COMPOUND:
            if self._holds_any(node.start_byte + 1, node.end_byte):
                self._compound(kind, node)
        elif kind == "break_statement":
            self._writer.break_loop()
        elif kind == "continue_statement":
            self._writer.continue_loop()
        else:
            self._range(node.start_byte + 1, node.end_byte)
            if kind == "return_statement":
                self._writer.returns(mark=self._line(node))
            else:
                self._writer.raises()

    def _compound(self, kind: str, node: "Node") -> None:
        match kind:
            case "if_statement":
                self._if(node)
            case "for_statement":
                self._for(node)
            case "while_statement":
                self._while(node)
            case "try_statement":
                self._try(node)
            case "with_statement":
                self._with(node)
            case "match_statement":
                self._match(node)

    def _if(self, node: "Node") -> None:
        clauses = node.children_by_field_name("alternative")
        self._check(node.child_by_field_name("consequence"), *clauses)
        done = Label()
        self._inside(node.child_by_field_name("condition"))
        self._one_of(node.child_by_field_name("consequence"), done)
        for clause in clauses:
            if clause.type == "elif_clause":
                self._inside(clause.child_by_field_name("condition"))
                self._one_of(clause.child_by_field_name("consequence"), done)
            else:
                self._inside(clause)
        self._writer.place(done)

    def _one_of(self, body: "Node | None", done: Label) -> None:
        otherwise = Label()
        self._writer.branch(otherwise)
        self._inside(body)
        self._writer.jump(done)
        self._writer.place(otherwise)

    def _check(self, *bodies: "Node | None") -> None:
        """A statement that fails in one of its bodies asserts: to come past it is to pass."""
        if any(body is not None and self._fails(body) for body in bodies):
            self._writer.outcome()

    def _fails(self, body: "Node") -> bool:
        """Whether a body fails on every way: one of the things that happen right in it is a failure."""
        number, last = bisect_left(self._starts, body.start_byte), bisect_left(self._starts, body.end_byte)
        while number < last:
            _, event, node = self._items[number]
            if event is not None and event.what == FAILS:
                return True
            number = bisect_left(self._starts, node.end_byte) if node is not None else number + 1
        return False

    def _for(self, node: "Node") -> None:
        right = node.child_by_field_name("right")
        self._check(node.child_by_field_name("alternative"))
        self._inside(right)
        loop = self._writer.open_loop(self._line(node))
        if right is not None and self._is_filled(right):
            self._writer.jump(loop.body)
        self._writer.each(loop)
        self._inside(node.child_by_field_name("body"))
        self._writer.close_loop(loop, self._otherwise(node))

    def _while(self, node: "Node") -> None:
        condition = node.child_by_field_name("condition")
        self._check(node.child_by_field_name("alternative"))
        loop = self._writer.open_loop(self._line(node))
        self._writer.repeat(loop)
        self._inside(condition)
        if condition is None or self._data[condition.start_byte : condition.end_byte] not in _TRUE:
            self._writer.branch(loop.done)
        self._inside(node.child_by_field_name("body"))
        self._writer.close_loop(loop, self._otherwise(node))

    def _otherwise(self, node: "Node") -> Callable[[], None] | None:
        clause = node.child_by_field_name("alternative")
        return _bound(self._inside, clause) if clause is not None and self._holds_any(*clause.byte_range) else None

    def _is_filled(self, node: "Node") -> bool:
        """Whether what a loop goes through has an element for certain."""
        if node.type in _FILLED:
            items = [child for child in node.named_children if child.type != "comment"]
            return any("splat" not in child.type for child in items)
        return _COUNTED.fullmatch(self._data, node.start_byte, node.end_byte) is not None

    def _try(self, node: "Node") -> None:
        handlers = [child for child in node.named_children if child.type.startswith("except")]
        parts = {child.type: child for child in node.named_children}
        otherwise, finally_ = parts.get("else_clause"), parts.get("finally_clause")
        self._check(*handlers, otherwise)
        self._writer.attempt(
            _bound(self._inside, node.child_by_field_name("body")),
            [_bound(self._inside, handler) for handler in handlers],
            catches_all=any(_CATCHES_ALL.match(self._data, handler.start_byte) for handler in handlers),
            otherwise=_bound(self._inside, otherwise) if otherwise is not None else None,
            cleanup=_bound(self._inside, finally_) if finally_ is not None else None,
        )

    def _with(self, node: "Node") -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        self._range(node.start_byte + 1, body.start_byte)
        if _CATCHES.match(self._data, node.start_byte, body.start_byte) and self._holds_any(*body.byte_range):
            # What is behind the thing that raises does not run.
            self._writer.attempt(_bound(self._inside, body), [lambda: None], catches_all=True)
        else:
            self._inside(body)

    def _match(self, node: "Node") -> None:
        self._inside(node.child_by_field_name("subject"))
        body = node.child_by_field_name("body") or node
        done = Label()
        for clause in body.named_children:
            if clause.type == "case_clause":
                self._one_of(clause.child_by_field_name("consequence"), done)
        self._writer.place(done)

    def _line(self, node: "Node") -> int:
        return min(self._file.text.line_of(node.start_byte), _LAST_LINE)


def _bound(lower: "Callable[[Node | None], None]", node: "Node | None") -> Callable[[], None]:
    return lambda: lower(node)


def _order(item: "_Item") -> tuple[int, int, int]:
    """By place; what happens comes before the statement that begins there, and the outer of two before the inner."""
    offset, _, node = item
    return (offset, 0, 0) if node is None else (offset, 1, -node.end_byte)
