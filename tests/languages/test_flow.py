"""Flow programs against an interpreter of their own: it knows no jumps, and follows statements by what they are."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.languages.flow import (
    ALWAYS_TRUE,
    EITHER,
    END,
    FALSE,
    GUARD,
    LIMIT,
    NO,
    NOTHING,
    OUTCOME_AND_OUT,
    OUTCOME_ONCE,
    TRUE,
    UNKNOWN,
    YES,
    Answer,
    Label,
    Loop,
    Names,
    Program,
    Solver,
    Summary,
    Writer,
)
from guards.languages.flow.program import calls_on_ways, describe


class Node(NamedTuple):
    """A statement or a condition: its kind, a number or a truth, and what is in it."""

    kind: str
    value: int = 0
    blocks: tuple[tuple["Node", ...], ...] = ()


Block = tuple[Node, ...]
_FUNCTIONS = 2
_NAMES = 2


# Random functions.


class Drawn:
    """Draws a function by plain recursion: nested strategies would soon be too deep for hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, below: int) -> int:
        return self._draw(st.integers(0, below - 1))

    def block(self, depth: int) -> Block:
        return tuple(self.statement(depth) for _ in range(self.number(4)))

    def statement(self, depth: int) -> Node:  # noqa: PLR0911 a case a kind
        kind = self._draw(st.sampled_from(SIMPLE if depth == 0 else (*SIMPLE, "if", "while", "for", "try")))
        inner = depth - 1
        match kind:
            case "call" | "hand":
                return Node(kind, self.number(_FUNCTIONS))
            case "return":
                return Node(kind, self.number(3))
            case "know":
                return Node(kind, self.number(_NAMES * 3))
            case "if" | "while":
                return Node(kind, 0, ((self.condition(2),), self.block(inner), self.block(inner)))
            case "for":
                return Node(kind, self.number(2), (self.block(inner), self.block(inner)))
            case "try":
                return Node(kind, self.number(8), tuple(self.block(inner) for _ in range(4)))
        return Node(kind)

    def condition(self, depth: int) -> Node:
        kind = self._draw(st.sampled_from(ATOMS if depth == 0 else (*ATOMS, "not", "and", "or")))
        operands = {"not": 1, "and": 2, "or": 2}.get(kind, 0)
        below = {"literal": 2, "ask": _FUNCTIONS, "test": _NAMES}.get(kind, 1)
        return Node(kind, self.number(below), tuple((self.condition(depth - 1),) for _ in range(operands)))


SIMPLE = ("outcome", "maybe", "pass", "raise", "break", "continue", "call", "hand", "return", "know")
ATOMS = ("?", "literal", "ask", "test")


@st.composite
def functions(draw: st.DrawFn) -> list[Block]:
    return [Drawn(draw).block(2) for _ in range(_FUNCTIONS + 1)]


# To programs.


class Lowering:
    def __init__(self, names: Names) -> None:
        self.writer = Writer(names)
        self.marks = 0

    def program(self, block: Block) -> Program:
        self.block(block)
        return self.writer.finish()

    def writes(self, block: Block) -> Callable[[], None]:
        return lambda: self.block(block)

    def block(self, block: Block) -> None:
        for node in block:
            self.statement(node)

    def statement(self, node: Node) -> None:  # noqa: C901, PLR0912 a case a kind
        writer = self.writer
        match node.kind:
            case "outcome":
                writer.outcome()
            case "maybe":
                writer.maybe()
            case "raise":
                writer.raises()
            case "break":
                writer.break_loop()
            case "continue":
                writer.continue_loop()
            case "call":
                writer.call(f"f{node.value}")
            case "hand":
                writer.hand(f"f{node.value}")
            case "return":
                writer.returns(node.value, 1)
            case "know":
                writer.know(str(node.value // 3), node.value % 3)
            case "if":
                otherwise, done = Label(), Label()
                self.condition(node.blocks[0][0], when=False, to=otherwise)
                self.block(node.blocks[1])
                writer.jump(done)
                writer.place(otherwise)
                self.block(node.blocks[2])
                writer.place(done)
            case "while":
                loop = writer.open_loop(1)
                writer.repeat(loop)
                self.condition(node.blocks[0][0], when=False, to=loop.done)
                self.block(node.blocks[1])
                writer.close_loop(loop, self.writes(node.blocks[2]))
            case "for":
                loop = writer.open_loop(1)
                if node.value:
                    writer.jump(loop.body)
                writer.each(loop)
                self.block(node.blocks[0])
                writer.close_loop(loop, self.writes(node.blocks[1]))
            case "try":
                tried, handler, unless, cleanup = node.blocks
                writer.attempt(
                    self.writes(tried),
                    [self.writes(handler)] if node.value & 1 else [],
                    catches_all=bool(node.value & 2),
                    otherwise=self.writes(unless),
                    cleanup=self.writes(cleanup) if node.value & 4 else None,
                )

    def condition(self, node: Node, *, when: bool, to: Label) -> None:
        match node.kind:
            case "?":
                self.writer.branch(to)
            case "literal":
                if bool(node.value) == when:
                    self.writer.jump(to)
            case "ask":
                self.writer.ask(f"f{node.value}", when=when, to=to)
            case "test":
                self.writer.test(str(node.value), when=when, to=to)
            case "not":
                self.condition(node.blocks[0][0], when=not when, to=to)
            case _:
                left, right = node.blocks[0][0], node.blocks[1][0]
                if when == (node.kind == "or"):
                    self.condition(left, when=when, to=to)
                    self.condition(right, when=when, to=to)
                else:
                    skip = Label()
                    self.condition(left, when=not when, to=skip)
                    self.condition(right, when=when, to=to)
                    self.writer.place(skip)


# The interpreter.

State = tuple[int, tuple[int, ...]]  # what is known of outcomes and of names
States = dict[State, int]  # with the least number of outcomes on the way there


def merge(into: States, more: States) -> bool:
    changed = False
    for state, count in more.items():
        if count < into.get(state, LIMIT * 9):
            into[state] = count
            changed = True
    return changed


class Ways:
    """By how a block is left: ``on``, ``break``, ``continue``, ``raise`` or ``return 0..2``."""

    def __init__(self) -> None:
        self.by_kind: dict[str, States] = {}

    def add(self, kind: str, states: States) -> None:
        merge(self.by_kind.setdefault(kind, {}), states)

    def of(self, kind: str) -> States:
        return self.by_kind.get(kind, {})


class Meaning(NamedTuple):
    reached: int
    least: dict[tuple[int, int], int]  # by truth and level
    silent: frozenset[str]


class Interpreter:
    def __init__(self, functions: list[Meaning]) -> None:
        self.functions = functions
        self.reached = NO
        self.raised: list[States] = []  # what each open ``try`` may be left with from anywhere

    def meaning(self, block: Block) -> Meaning:
        ways = self.block(block, {(NO, (EITHER,) * _NAMES): 0}, in_loop=False)
        ways.add(f"return {FALSE}", {})
        least: dict[tuple[int, int], int] = {}
        silent = set()
        for kind, states in ways.by_kind.items():
            if kind != "on" and not kind.startswith("return"):
                continue
            value = FALSE if kind == "on" else int(kind[-1])
            for (level, _), count in states.items():
                if level == NO:
                    silent.add("end" if kind == "on" else "return")
                for truth in (FALSE, TRUE) if value == EITHER else (value,):
                    least[truth, level] = min(least.get((truth, level), LIMIT), count)
        return Meaning(self.reached, least, frozenset(silent))

    def seen(self, states: States) -> None:
        self.reached = max([self.reached, *(level for level, _ in states)])
        if self.raised:
            merge(self.raised[-1], states)

    def block(self, block: Block, states: States, *, in_loop: bool) -> Ways:
        ways = Ways()
        for node in block:
            if not states:
                break
            found = self.statement(node, states, in_loop=in_loop)
            states = found.by_kind.pop("on", {})
            for kind, left in found.by_kind.items():
                ways.add(kind, left)
        if states:
            ways.add("on", states)
        return ways

    def statement(self, node: Node, states: States, *, in_loop: bool) -> Ways:  # noqa: C901, PLR0912 a case a kind
        ways = Ways()
        match node.kind:
            case "outcome":
                ways.add("on", self.after(states, YES, 1))
            case "maybe":
                ways.add("on", self.after(states, UNKNOWN, 0))
            case "raise":
                ways.add("raise", states)
            case "break" | "continue":
                ways.add(node.kind if in_loop else "on", states)
            case "hand":
                level = UNKNOWN if self.functions[node.value].reached else NO
                ways.add("on", self.after(states, level, 0))
            case "call":
                for _, found in self.call(node.value, states):
                    ways.add("on", found)
            case "return":
                ways.add(f"return {node.value}", states)
            case "know":
                name, value = divmod(node.value, 3)
                changed: States = {}
                for (level, names), count in states.items():
                    merge(changed, {(level, (*names[:name], value, *names[name + 1 :])): count})
                self.seen(changed)
                ways.add("on", changed)
            case "if":
                yes, no = self.condition(node.blocks[0][0], states)
                for part, found in ((node.blocks[1], yes), (node.blocks[2], no)):
                    if found:
                        for kind, left in self.block(part, found, in_loop=in_loop).by_kind.items():
                            ways.add(kind, left)
            case "while" | "for":
                return self.loop(node, states, in_loop=in_loop)
            case "try":
                return self.attempt(node, states, in_loop=in_loop)
            case _:
                ways.add("on", states)
        return ways

    def after(self, states: States, level: int, more: int) -> States:
        self.seen(states)
        found: States = {}
        for (before, names), count in states.items():
            merge(found, {(max(before, level), names): min(count + more, LIMIT)})
        self.seen(found)
        return found

    def call(self, number: int, states: States) -> Iterator[tuple[int, States]]:
        called = self.functions[number]
        self.seen(states)
        if called.reached:
            self.after(states, called.reached, 1 if called.reached == YES else 0)
        for (truth, level), least in called.least.items():
            yield truth, self.after(states, level, least)

    def condition(self, node: Node, states: States) -> tuple[States, States]:  # noqa: C901 a case a kind
        yes: States = {}
        no: States = {}
        match node.kind:
            case "?":
                return states, states
            case "literal":
                return (states, {}) if node.value else ({}, states)
            case "ask":
                for truth, found in self.call(node.value, states):
                    merge(yes if truth else no, found)
            case "test":
                for (level, names), count in states.items():
                    for truth, into in ((TRUE, yes), (FALSE, no)):
                        if names[node.value] in (EITHER, truth):
                            learned = (*names[: node.value], truth, *names[node.value + 1 :])
                            merge(into, {(level, learned): count})
            case "not":
                no, yes = self.condition(node.blocks[0][0], states)
            case _:
                yes, no = self.condition(node.blocks[0][0], states)
                if node.kind == "and":
                    yes, more = self.condition(node.blocks[1][0], yes) if yes else ({}, {})
                    no = dict(no)
                    merge(no, more)
                else:
                    more, no = self.condition(node.blocks[1][0], no) if no else ({}, {})
                    yes = dict(yes)
                    merge(yes, more)
        return yes, no

    def loop(self, node: Node, states: States, *, in_loop: bool) -> Ways:
        ways, heads = Ways(), dict(states)
        bodies: States = {}
        done: States = {}
        body, otherwise = node.blocks[-2:]
        if node.kind == "for" and node.value:
            bodies, heads = dict(states), {}
        changed = True
        while changed:
            if node.kind == "while":
                yes, no = self.condition(node.blocks[0][0], heads) if heads else ({}, {})
            else:
                yes, no = heads, heads
            merge(bodies, yes)
            merge(done, no)
            found = self.block(body, bodies, in_loop=True) if bodies else Ways()
            changed = merge(heads, found.of("on")) | merge(heads, found.of("continue"))
            for kind, left in found.by_kind.items():
                if kind not in ("on", "continue"):
                    ways.add("on" if kind == "break" else kind, left)
            if not changed:
                merge(done, heads if node.kind == "for" else {})
        if done:
            for kind, left in self.block(otherwise, done, in_loop=in_loop).by_kind.items():
                ways.add(kind, left)
        return ways

    def attempt(self, node: Node, states: States, *, in_loop: bool) -> Ways:
        body, handler, otherwise, cleanup = node.blocks
        if not node.value & 4:
            return self.handled(node, body, handler, otherwise, states, in_loop=in_loop)
        self.raised.append(dict(states))
        inner = self.handled(node, body, handler, otherwise, states, in_loop=in_loop)
        inner.add("raise", self.raised.pop())
        ways = Ways()
        for kind, left in inner.by_kind.items():
            if left:
                for way, found in self.block(cleanup, left, in_loop=in_loop).by_kind.items():
                    ways.add(kind if way == "on" else way, found)
        return ways

    def handled(
        self, node: Node, body: Block, handler: Block, otherwise: Block, states: States, *, in_loop: bool
    ) -> Ways:
        has_handler = node.value & 1
        if has_handler:
            self.raised.append(dict(states))
        inner = self.block(body, states, in_loop=in_loop)
        ways = Ways()
        if has_handler:
            caught = self.raised.pop()
            merge(caught, inner.by_kind.pop("raise", {}))
            for kind, left in self.block(handler, caught, in_loop=in_loop).by_kind.items():
                ways.add(kind, left)
            if not node.value & 2:
                ways.add("raise", caught)
        on = inner.by_kind.pop("on", {})
        for kind, left in inner.by_kind.items():
            ways.add(kind, left)
        if on:
            for kind, left in self.block(otherwise, on, in_loop=in_loop).by_kind.items():
                ways.add(kind, left)
        return ways


# That both say the same.


def solver_of(programs: dict[str, Program], names: Names, known: dict[str, Summary] | None = None) -> Solver[str]:
    def called(_: str, number: int) -> str | Summary:
        name = names.all()[number]
        return (known or {}).get(name, name)

    return Solver(lambda name: programs[name], called)


@settings(max_examples=200, deadline=None)
@given(functions())
def test_solver_and_interpreter_agree(blocks: list[Block]) -> None:
    names = Names()
    for number in range(_FUNCTIONS):
        names.number(f"f{number}")
    # A function calls those before it: f0 nobody.
    meanings = [Meaning(NO, {(FALSE, NO): 0, (TRUE, NO): 0}, frozenset())] * _FUNCTIONS
    programs: dict[str, Program] = {}
    known = {f"f{number}": NOTHING for number in range(_FUNCTIONS)}
    for number, block in enumerate(blocks):
        name = f"f{number}" if number < _FUNCTIONS else "test"
        program = Lowering(names).program(block)
        meaning = Interpreter(meanings).meaning(block)
        solver = solver_of({name: program}, names, known)
        answer, summary = solver.answer(name), solver.summary(name)
        assert answer.outcome == meaning.reached, describe(program)
        assert answer.always == all(level == YES for _, level in meaning.least), describe(program)
        assert answer.least == min(meaning.least.values(), default=0), describe(program)
        if program:
            assert {"end" if mark == END else "return" for mark in answer.silent} == meaning.silent, describe(program)
            for truth, exits in ((TRUE, summary.true), (FALSE, summary.false)):
                expected = min((count for (t, _), count in meaning.least.items() if t == truth), default=LIMIT + 1)
                assert min(exits) == expected, describe(program)
        if number < _FUNCTIONS:
            programs[name] = program
            known[name] = summary
            meanings[number] = _as_meaning(summary)


def _as_meaning(summary: Summary) -> Meaning:
    least = {
        (truth, level): exits[level]
        for truth, exits in ((TRUE, summary.true), (FALSE, summary.false))
        for level in (NO, UNKNOWN, YES)
        if exits[level] <= LIMIT
    }
    return Meaning(summary.reached, least, frozenset())


# What people rely on.


def lowered(*writers: Callable[[Writer], None]) -> Solver[str]:
    """Functions ``f0``, ``f1``, …, which know each other, and ``skip``, ``assert_it`` and ``CASES``."""
    names = Names()
    programs: dict[str, Program] = {}
    for number, write in enumerate(writers):
        writer = Writer(names)
        write(writer)
        programs[f"f{number}"] = writer.finish()
    return solver_of(
        programs,
        names,
        {"gate": GUARD, "skip": OUTCOME_AND_OUT, "assert_it": OUTCOME_ONCE, "CASES": ALWAYS_TRUE, "print": NOTHING},
    )


def test_a_helper_that_skips_and_gives_back_false_guards_a_return() -> None:
    def helper(writer: Writer) -> None:
        ready = Label()
        writer.branch(ready)
        writer.call("assert_it")
        writer.returns(FALSE)
        writer.place(ready)
        writer.returns(TRUE)

    def test(writer: Writer) -> None:
        ready = Label()
        writer.ask("f0", when=True, to=ready)
        writer.returns(FALSE, 1)
        writer.place(ready)
        writer.call("assert_it")

    assert lowered(helper, test).answer("f1") == Answer(YES, always=True, least=1)


def test_a_guard_that_gives_back_the_wrong_truth_does_not() -> None:
    def test(writer: Writer) -> None:
        old = Label()
        writer.ask("gate", when=True, to=old)
        writer.returns(FALSE, 1)
        writer.place(old)
        writer.call("assert_it")

    assert lowered(test).answer("f0").silent == (1,)


def test_the_answer_of_a_guard_is_remembered_in_a_name() -> None:
    def test(writer: Writer) -> None:
        no, on, go = Label(), Label(), Label()
        writer.ask("gate", when=False, to=no)
        writer.know("old", TRUE)
        writer.jump(on)
        writer.place(no)
        writer.know("old", FALSE)
        writer.place(on)
        writer.call("print")
        writer.test("old", when=False, to=go)
        writer.returns(FALSE, 1)
        writer.place(go)
        writer.call("assert_it")

    assert lowered(test).answer("f0") == Answer(YES, always=True, least=1)


@pytest.mark.parametrize("order", [("f0", "f1"), ("f1", "f0")])
def test_functions_that_call_each_other_come_to_an_end(order: tuple[str, str]) -> None:
    def first(writer: Writer) -> None:
        more = Label()
        writer.branch(more)
        writer.call("assert_it")
        writer.returns()
        writer.place(more)
        writer.call("f1")

    def second(writer: Writer) -> None:
        writer.call("assert_it")
        writer.call("f0")

    solver = lowered(first, second)
    assert [solver.answer(name).least for name in order] == [1 + (name == "f1") for name in order]
    assert all(solver.answer(name).always for name in order)


def test_calls_that_never_come_back_have_no_way_out() -> None:
    solver = lowered(lambda writer: writer.call("f1"), lambda writer: writer.call("f0"))
    assert solver.answer("f0") == Answer(NO, always=True, least=0)


def test_an_outcome_that_nothing_comes_back_from_is_one() -> None:
    def test(writer: Writer) -> None:
        on = Label()
        writer.branch(on)
        writer.call("skip")
        writer.place(on)
        writer.call("assert_it")
        writer.call("assert_it")

    assert lowered(test).answer("f0") == Answer(YES, always=True, least=2)
    assert lowered(lambda writer: writer.call("skip")).answer("f0") == Answer(YES, always=True, least=0)


def test_numbers_end_at_the_limit() -> None:
    def twice(name: str) -> Callable[[Writer], None]:
        def write(writer: Writer) -> None:
            for _ in range(10):
                writer.call(name)

        return write

    solver = lowered(twice("assert_it"), *(twice(f"f{number}") for number in range(5)))
    assert [solver.answer(f"f{number}").least for number in range(6)] == [10, 100, 1000, LIMIT, LIMIT, LIMIT]


def test_the_outermost_loop_that_leaks_is_named() -> None:
    def test(writer: Writer) -> None:
        writer.close_loop(each(writer, 1))
        outer = each(writer, 2)
        inner = each(writer, 3)
        writer.call("assert_it")
        writer.close_loop(inner)
        writer.close_loop(outer)

    def each(writer: Writer, mark: int) -> Loop:
        loop = writer.open_loop(mark)
        writer.each(loop)
        return loop

    assert lowered(test).answer("f0") == Answer(YES, always=False, least=0, silent=(END,), leaks=(2,))


def test_a_loop_over_a_constant_that_is_not_empty_runs() -> None:
    def test(writer: Writer) -> None:
        loop = writer.open_loop(1)
        writer.ask("CASES", when=True, to=loop.body)
        writer.each(loop)
        writer.call("assert_it")
        writer.close_loop(loop)

    assert lowered(test).answer("f0") == Answer(YES, always=True, least=1)


def test_what_is_handed_on_may_be_called() -> None:
    solver = lowered(
        lambda writer: writer.hand("assert_it"),
        lambda writer: writer.hand("print"),
    )
    assert solver.answer("f0") == Answer(UNKNOWN, always=False, least=0)
    assert solver.answer("f1") == Answer(NO, always=False, least=0, silent=(END,))


def test_a_function_without_anything_that_matters_has_an_empty_program() -> None:
    def idle(writer: Writer) -> None:
        otherwise, done = Label(), Label()
        writer.know("x", TRUE)
        writer.branch(otherwise)
        loop = writer.open_loop(1)
        writer.each(loop)
        writer.continue_loop()
        writer.close_loop(loop)
        writer.jump(done)
        writer.place(otherwise)
        writer.returns(TRUE, 1)
        writer.place(done)

    writer = Writer(Names())
    idle(writer)
    assert writer.finish() == ""


def test_a_huge_function_is_undecided() -> None:
    def huge(writer: Writer) -> None:
        for _ in range(100_000):
            writer.call("print")

    assert lowered(huge).answer("f0").outcome == UNKNOWN


def test_many_names_that_nobody_knows_do_not_hang() -> None:
    def many(writer: Writer) -> None:
        for name in range(40):
            label = Label()
            writer.test(str(name), when=True, to=label)
            writer.call("print")
            writer.place(label)
        for name in range(40):
            label = Label()
            writer.test(str(name), when=True, to=label)
            writer.call("assert_it")
            writer.place(label)

    assert lowered(many).answer("f0").outcome == UNKNOWN


def test_the_calls_on_ways_are_those_that_can_be_reached() -> None:
    names = Names()
    writer = Writer(names)
    there, never = Label(), Label()
    writer.test("x", when=True, to=there)
    writer.ask("asked", when=False, to=there)
    writer.jump(there)
    writer.place(never)
    writer.call("unreached")
    writer.place(there)
    writer.attempt(writer.raises, [lambda: writer.call("caught")])
    found = calls_on_ways(writer.finish())
    assert {names.all()[number] for number in found} == {"asked", "caught"}
    assert calls_on_ways("") == frozenset()
