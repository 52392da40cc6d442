"""The flow programs of a file's functions: what ``guards.languages.flow`` follows.

Only functions of classes that may belong to a suite have one: those whose base is named and no
class of the engine. The mark of a ``return`` is its number among those of its function, and that of
a loop its number among the loops, from 1 and in source order; what stands in a lambda is the lambda's.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from guards.languages.flow import EITHER, FALSE, TRUE, Label, Loop, Names, Program, Writer
from guards.languages.flow.program import calls_on_ways
from guards.languages.gdscript.engine_classes import ancestors
from guards.languages.gdscript.events import ANYTHING, CALLED, HANDED, Event, Events
from guards.languages.gdscript.facts import Class, Facts, Flows, Truth
from guards.languages.gdscript.frameworks import OUTCOME_PREFIX, OUTCOMES, SKIPS
from guards.languages.gdscript.members import CONSTANT
from guards.languages.gdscript.nodes import first_child, operator, parts_of
from guards.languages.gdscript.truth import CONSTANT_TRUTH, Truths
from guards.languages.syntax import Node

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

_BODY: Final = "body"
# Nested more deeply nobody writes: such a place is undecided.
_MAX_DEPTH: Final = 60
_OTHER_OUTCOMES: Final = frozenset().union(*SKIPS.values(), *OUTCOMES.values())
_ENOUGH: Final = 3
_IDLE: Final = frozenset({"comment", "pass_statement", "breakpoint_statement", "function_definition"})
_AND: Final = frozenset({"and", "&&"})
_LOGIC: Final = frozenset({*_AND, "or", "||"})


def flows_of(file: "GDScriptFile", classes: Sequence[Class], owners: Sequence[int], names: Sequence[str]) -> Flows:
    """The programs of the functions of a file.

    Args:
        file: the file.
        classes: its classes.
        owners: the rows of the classes of its functions, by the functions' rows.
        names: their names.
    """
    wanted = {row for row, declared in enumerate(classes) if _may_be_a_suite(declared)}
    rows = frozenset(row for row, owner in enumerate(owners) if owner in wanted)
    if not rows:
        return Flows((), (), (), ())
    return _File(file, names, rows).flows(wanted)


def own_outcomes(facts: Facts, row: int) -> tuple[str, ...]:
    """Assertions and skips that a function comes to by itself, unless its suite has functions of those names.

    They are those of any framework, and a few are enough: whoever wants all that there is asks the index.
    """
    flows = facts.flows
    program = flows.functions[row] if row < len(flows.functions) else ""
    names = sorted(flows.names[number] for number in calls_on_ways(program))
    return tuple(name for name in names if name.startswith(OUTCOME_PREFIX) or name in _OTHER_OUTCOMES)[:_ENOUGH]


def _may_be_a_suite(declared: Class) -> bool:
    return declared.base is not None and (bool(declared.base.path) or not ancestors(str(declared.base)))


class _File:
    """Lowers the functions of one file."""

    def __init__(self, file: "GDScriptFile", names: Sequence[str], rows: frozenset[int]) -> None:
        self._file = file
        self._rows = rows
        self._events = Events(file, names, rows)
        self._names = Names()
        self._optional = sorted(node.start_byte for kind in ("logic", "ternary") for node in file.nodes(kind))

    @cached_property
    def _undecided(self) -> Program:
        writer = Writer(self._names)
        writer.maybe()
        return writer.finish(EITHER)

    def flows(self, wanted: set[int]) -> Flows:
        structure = self._file.structure
        functions = [
            self._program(node, self._events.of_function(row)) if row in self._rows else ""
            for row, node in enumerate(structure.functions)
        ]
        lambdas = [self._program(node, self._events.of_lambda(row)) for row, node in enumerate(structure.lambdas)]
        return Flows(
            self._names.all(), tuple(functions), tuple(lambdas), tuple(self._truths(wanted)), self._events.outside
        )

    def _program(self, node: Node, events: Sequence[Event]) -> Program:
        body = node.child_by_field_name(_BODY)
        # Behind an error a body can come loose from its function, all of it or the end.
        if body is None or not body.named_children or (events and events[-1].end > body.end_byte):
            return self._undecided
        if not events:
            return ""
        truths = Truths(self._file)
        program = _Body(truths, events, self._optional, Writer(self._names)).program(body)
        if truths.asked:
            # What is known of a name matters only where somebody asks for it; now it is known who does.
            truths = Truths(self._file, frozenset(truths.asked))
            program = _Body(truths, events, self._optional, Writer(self._names)).program(body)
        return program

    def _truths(self, wanted: set[int]) -> Iterator[Truth]:
        """The constants of which it is known whether they are empty."""
        truths = Truths(self._file)
        for member in self._file.structure.members:
            name = member.node.child_by_field_name("name")
            if member.owner not in wanted or name is None:
                continue
            if member.node.type == CONSTANT:
                value = member.node.child_by_field_name("value")
                known = truths.of_literal(value) if value is not None else EITHER
            else:
                known = TRUE if member.node.type == "enum_definition" else EITHER
            if known != EITHER:
                yield Truth(truths.text(name), member.owner, is_true=known == TRUE)


class _Body:
    """Lowers the body of one function or lambda."""

    def __init__(self, truths: Truths, events: Sequence[Event], optional: Sequence[int], writer: Writer) -> None:
        self._truths = truths
        self._text = truths.text
        self._events = events
        self._optional = optional
        self._writer = writer
        self._returns = 0
        self._loops = 0
        self._depth = 0
        self._statements: dict[str, Callable[[Node], None]] = {
            "if_statement": self._if,
            "for_statement": self._for,
            "while_statement": self._while,
            "match_statement": self._match,
            "return_statement": self._return,
            "break_statement": lambda _: writer.break_loop(),
            "continue_statement": lambda _: writer.continue_loop(),
            "variable_statement": self._declaration,
            "const_statement": self._declaration,
            "expression_statement": self._expression,
        }

    def program(self, body: Node) -> Program:
        self._block(body)
        return self._writer.finish()

    # Statements.

    def _block(self, block: Node | None) -> None:
        if block is None:
            return
        if self._depth > _MAX_DEPTH:
            self._writer.maybe()
            return
        self._depth += 1
        for node in block.named_children:
            self._statement(node)
        self._depth -= 1

    def _statement(self, node: Node) -> None:
        lower = self._statements.get(node.type)
        if lower is not None:
            lower(node)
        elif node.type not in _IDLE:
            self._evaluate(node)

    def _expression(self, node: Node) -> None:
        inner = first_child(node) if self._truths.names else None
        if inner is not None and inner.type == "assignment":
            self._assignment(inner)
        else:
            self._evaluate(node)
            self._changes(inner)

    def _if(self, node: Node) -> None:
        done = Label()
        self._branch_of_if(node, done)
        for clause in node.named_children:
            if clause.type == "elif_clause":
                self._branch_of_if(clause, done)
            elif clause.type == "else_clause":
                self._block(clause.child_by_field_name(_BODY))
        self._writer.place(done)

    def _branch_of_if(self, node: Node, done: Label) -> None:
        otherwise = Label()
        self._condition(node.child_by_field_name("condition"), when=False, to=otherwise)
        self._block(node.child_by_field_name(_BODY))
        self._writer.jump(done)
        self._writer.place(otherwise)

    def _for(self, node: Node) -> None:
        collection = node.child_by_field_name("right")
        self._evaluate(collection)
        self._loops += 1
        loop = self._writer.open_loop(self._loops)
        if collection is not None:
            self._first_turn(collection, loop)
        self._writer.each(loop)
        self._forget(node.child_by_field_name("left"))
        self._block(node.child_by_field_name(_BODY))
        self._writer.close_loop(loop)

    def _first_turn(self, collection: Node, loop: Loop) -> None:
        """Where something is known of the collection: the body runs once at least, or never."""
        truth, name = self._truths.of_collection(collection)
        if truth == TRUE:
            self._writer.jump(loop.body)
        elif truth == FALSE:
            self._writer.jump(loop.done)
        elif name.startswith(CONSTANT_TRUTH):
            self._writer.ask(name, when=False, to=loop.done)
            self._writer.jump(loop.body)
        elif name:
            # One that was found to be empty may have been filled since.
            self._writer.test(name, when=True, to=loop.body)

    def _while(self, node: Node) -> None:
        self._loops += 1
        loop = self._writer.open_loop(self._loops)
        self._writer.repeat(loop)
        self._condition(node.child_by_field_name("condition"), when=False, to=loop.done)
        self._block(node.child_by_field_name(_BODY))
        self._writer.close_loop(loop)

    def _match(self, node: Node) -> None:
        self._evaluate(node.child_by_field_name("value"))
        done = Label()
        body = node.child_by_field_name(_BODY)
        for section in body.named_children if body is not None else ():
            if section.type == "pattern_section":
                self._section(section, done)
        self._writer.place(done)

    def _section(self, section: Node, done: Label) -> None:
        otherwise = Label()
        body = section.child_by_field_name(_BODY)
        guard = next((child for child in section.named_children if child.type == "pattern_guard"), None)
        patterns = [child for child in parts_of(section) if child not in (body, guard)]
        if not any(self._matches_all(pattern) for pattern in patterns):
            self._writer.branch(otherwise)
        for pattern in patterns:
            self._perhaps(pattern)
        if guard is not None:
            self._condition(first_child(guard), when=False, to=otherwise)
        self._block(body)
        self._writer.jump(done)
        self._writer.place(otherwise)

    def _matches_all(self, pattern: Node) -> bool:
        return pattern.type == "pattern_binding" or (pattern.type == "identifier" and self._text(pattern) == "_")

    def _return(self, node: Node) -> None:
        self._returns += 1
        value = first_child(node)
        if value is None:
            self._writer.returns(FALSE, self._returns)
        elif self._decides(value):
            mark, false = self._returns, Label()
            self._condition(value, when=False, to=false)
            self._writer.returns(TRUE, mark)
            self._writer.place(false)
            self._writer.returns(FALSE, mark)
        else:
            self._evaluate(value)
            self._writer.returns(self._truths.of_literal(value), self._returns)

    def _declaration(self, node: Node) -> None:
        if self._truths.names:
            self._writes(node.child_by_field_name("name"), node.child_by_field_name("value"))
        else:
            self._evaluate(node)

    def _assignment(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and left.type == "identifier":
            self._writes(left, right)
        else:
            self._evaluate(node)

    def _writes(self, name: Node | None, value: Node | None) -> None:
        """A name gets a value."""
        written = self._text(name) if name is not None else ""
        if written not in self._truths.names or value is None:
            self._evaluate(value)
            if written in self._truths.names:
                self._writer.know(written, EITHER)
        elif self._decides(value):
            false, done = Label(), Label()
            self._condition(value, when=False, to=false)
            self._writer.know(written, TRUE)
            self._writer.jump(done)
            self._writer.place(false)
            self._writer.know(written, FALSE)
            self._writer.place(done)
        else:
            self._evaluate(value)
            self._writer.know(written, self._truths.of_value(value))

    def _changes(self, node: Node | None) -> None:
        """A name that is written by an operator, or whose elements change."""
        if node is None:
            return
        if node.type == "augmented_assignment":
            self._forget(node.child_by_field_name("left"))
        elif node.type == "attribute":
            name, known = self._truths.of_change(node)
            if name:
                self._writer.know(name, known)

    def _forget(self, name: Node | None) -> None:
        if name is not None and self._text(name) in self._truths.names:
            self._writer.know(self._text(name), EITHER)

    # Expressions.

    def _in(self, start: int, end: int) -> Iterator[Event]:
        """The events in a range, in source order."""
        low = bisect_left(self._events, start, key=_start)
        while low < len(self._events) and self._events[low].start < end:
            if self._events[low].end <= end:
                yield self._events[low]
            low += 1

    def _has_events(self, node: Node) -> bool:
        return next(self._in(*node.byte_range), None) is not None

    def _evaluate(self, node: Node | None) -> None:
        """An expression, whatever it gives."""
        if node is None:
            return
        start, end = node.byte_range
        events = list(self._in(start, end))
        if not events:
            return
        index = bisect_left(self._optional, start)
        if index < len(self._optional) and self._optional[index] < end and self._depth <= _MAX_DEPTH:
            self._depth += 1
            self._by_parts(node, events)
            self._depth -= 1
        else:
            # Operands before what is done with them.
            for event in sorted(events, key=_end):
                self._happens(event)

    def _by_parts(self, node: Node, events: Sequence[Event]) -> None:
        """An expression some part of which may not run."""
        if self._is_logic(node):
            done = Label()
            self._condition(node, when=False, to=done)
            self._writer.place(done)
        elif node.type == "conditional_expression":
            otherwise, done = Label(), Label()
            self._condition(node.child_by_field_name("condition"), when=False, to=otherwise)
            self._evaluate(node.child_by_field_name("left"))
            self._writer.jump(done)
            self._writer.place(otherwise)
            self._evaluate(node.child_by_field_name("right"))
            self._writer.place(done)
        else:
            for child in node.named_children:
                self._evaluate(child)
            inner = [child.byte_range for child in node.named_children]
            for event in sorted(events, key=_end):
                if not any(start <= event.start and event.end <= end for start, end in inner):
                    self._happens(event)

    def _perhaps(self, node: Node) -> None:
        """An expression that may not be evaluated."""
        if self._has_events(node):
            done = Label()
            self._writer.branch(done)
            self._evaluate(node)
            self._writer.place(done)

    def _happens(self, event: Event) -> None:
        if event.how == ANYTHING:
            self._writer.maybe()
        elif event.how == HANDED:
            self._writer.hand(event.callee)
        elif event.how == CALLED:
            self._writer.call(event.callee)
        else:
            done = Label()
            self._writer.branch(done)
            self._writer.call(event.callee)
            self._writer.place(done)

    # Conditions.

    def _decides(self, node: Node) -> bool:
        """Whether the truth of an expression is known on some ways through it."""
        inner = _inner(node)
        if inner.type in ("true", "false"):
            return True
        if inner.type == "unary_operator" or self._is_logic(inner):
            return self._has_events(inner) or bool(self._truths.names)
        if inner.type == "identifier":
            return self._text(inner) in self._truths.names
        return self._asked(inner) is not None or self._truths.of_test(inner) is not None

    def _asked(self, node: Node) -> Event | None:
        """The call that an expression is, if it is one of a function that may be known."""
        if node.type not in ("call", "attribute"):
            return None
        start, end = node.byte_range
        return next((e for e in self._in(start, end) if (e.start, e.end, e.how) == (start, end, CALLED)), None)

    def _is_logic(self, node: Node) -> bool:
        return node.type == "binary_operator" and operator(node) in _LOGIC

    def _condition(self, node: Node | None, *, when: bool, to: Label) -> None:
        """Goes on at the label if the expression is ``when``, else behind it."""
        if node is None or self._depth > _MAX_DEPTH:
            self._writer.maybe()
            self._writer.branch(to)
            return
        self._depth += 1
        node = _inner(node)
        if node.type in ("true", "false"):
            if (node.type == "true") == when:
                self._writer.jump(to)
        elif node.type == "unary_operator" and operator(node) in ("not", "!"):
            self._condition(first_child(node), when=not when, to=to)
        elif self._is_logic(node):
            self._logic(node, when=when, to=to)
        else:
            self._simple_condition(node, when=when, to=to)
        self._depth -= 1

    def _logic(self, node: Node, *, when: bool, to: Label) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if when == (operator(node) not in _AND):
            self._condition(left, when=when, to=to)
            self._condition(right, when=when, to=to)
            return
        skip = Label()
        self._condition(left, when=not when, to=skip)
        self._condition(right, when=when, to=to)
        self._writer.place(skip)

    def _simple_condition(self, node: Node, *, when: bool, to: Label) -> None:
        compared = self._truths.compared_with_truth(node)
        if compared is not None:
            inner, value = compared
            self._condition(inner, when=when == value, to=to)
            return
        asked = self._asked(node)
        if asked is not None:
            for event in sorted(self._in(*node.byte_range), key=_end):
                if event is not asked:
                    self._happens(event)
            self._writer.ask(asked.callee, when=when, to=to)
            return
        self._evaluate(node)
        test = self._truths.of_test(node)
        if test is None:
            self._writer.branch(to)
        elif test.name.startswith(CONSTANT_TRUTH):
            self._writer.ask(test.name, when=when == test.value, to=to)
        elif test.is_exact:
            self._writer.test(test.name, when=when == test.value, to=to)
        else:
            self._half_known(test.name, known_when=test.value, when=when, to=to)

    def _half_known(self, name: str, *, known_when: bool, when: bool, to: Label) -> None:
        """``x.size() > 2``: true says that there is something in it, false says nothing."""
        otherwise = Label()
        self._writer.branch(otherwise)
        if known_when == when:
            self._writer.know(name, TRUE)
            self._writer.jump(to)
            self._writer.place(otherwise)
        else:
            self._writer.know(name, TRUE)
            done = Label()
            self._writer.jump(done)
            self._writer.place(otherwise)
            self._writer.jump(to)
            self._writer.place(done)


def _inner(node: Node) -> Node:
    """An expression without the parentheses and the ``await`` around it."""
    while node.type in ("parenthesized_expression", "await_expression"):
        inner = first_child(node)
        if inner is None:
            return node
        node = inner
    return node


def _start(event: Event) -> int:
    return event.start


def _end(event: Event) -> int:
    return event.end
