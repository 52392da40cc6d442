"""Follows all ways through programs, and through the functions that they call.

A *state* is a place in a program, what is known of outcomes there (none, perhaps, one at least) and
of names. The ways through a function are the ways from state to state, the least number of outcomes
is the shortest way, and a function that calls itself, directly or through others, is worked out by
going round until nothing changes: a call that never comes back adds no way.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import Final, Generic, NamedTuple, TypeVar

from guards.languages.flow.program import (
    ASK,
    BRANCH,
    CALL,
    EITHER,
    END,
    FALSE,
    HAND,
    JUMP,
    KNOW,
    LIMIT,
    LOOP,
    MAYBE,
    NEVER,
    NO,
    NOTHING,
    OUT,
    OUTCOME,
    OUTCOME_ONCE,
    RAISE,
    RETURN,
    STEPS,
    TEST,
    TRUE,
    TRY,
    UNDECIDED,
    UNKNOWN,
    YES,
    Answer,
    Exits,
    Program,
    Summary,
)

# A function with more states beside two for each step, or calls that go round more often, is undecided.
_MAX_STATES: Final = 2_000
_MAX_ROUNDS: Final = 40
_LEVELS: Final = (NO, UNKNOWN, YES)

KeyT = TypeVar("KeyT", bound=Hashable)


class _Step(NamedTuple):
    """A step with its operands, the place behind it and the handler around it, if there is one."""

    kind: int
    first: int
    second: int
    following: int
    handler: int | None


class _State(NamedTuple):
    """``known`` has two bits for each name: whether something is known, and what."""

    place: int
    level: int
    known: int


_Calls = Callable[[int], Summary]
# Where a state goes on, and with how many outcomes more.
_Moves = Iterator[tuple[_State, int]]


class Solver(Generic[KeyT]):
    """Answers about functions, which the language knows by keys of its own.

    Args:
        program: the program of a function.
        called: what the function of a key calls by a number: another one, by its key, or what
            is known of it.
    """

    def __init__(self, program: Callable[[KeyT], Program], called: Callable[[KeyT, int], KeyT | Summary]) -> None:
        self._program = program
        self._called = called
        self._summaries: dict[KeyT, Summary] = {}
        self._answers: dict[KeyT, Answer] = {}

    def summary(self, key: KeyT) -> Summary:
        """What calling a function means."""
        if key not in self._summaries:
            self._solve(key)
        return self._summaries[key]

    def answer(self, key: KeyT) -> Answer:
        """What is known of a function."""
        if key not in self._answers:
            ways = None if key in self._summaries else self._solve(key)
            self._answers[key] = (ways or self._ways(key)).answer()
        return self._answers[key]

    def _solve(self, key: KeyT) -> "_Ways | None":
        """Works out a function and all that it reaches; the ways through it, unless that goes round too often."""
        order, callers = self._unsolved(key)
        for each in order:
            self._summaries[each] = OUT
        pending, waiting = deque(order), set(order)
        budget = _MAX_ROUNDS * len(order)
        last = None
        while pending and budget:
            budget -= 1
            each = pending.popleft()
            waiting.discard(each)
            ways = self._ways(each)
            last = ways if each == key else last
            found = ways.summary()
            if found != self._summaries[each]:
                self._summaries[each] = found
                again = [caller for caller in callers[each] if caller not in waiting]
                waiting.update(again)
                pending.extend(again)
        if pending:
            self._summaries.update(dict.fromkeys(order, UNDECIDED))
            return None
        return last

    def _ways(self, key: KeyT) -> "_Ways":
        return _Ways(self._program(key), self._calls_of(key))

    def _unsolved(self, key: KeyT) -> tuple[list[KeyT], dict[KeyT, list[KeyT]]]:
        """The functions that one reaches, callees first as far as that goes, and who calls them."""
        callers: dict[KeyT, list[KeyT]] = {key: []}
        order: list[KeyT] = []
        open_ = [(key, self._callees(key))]
        while open_:
            caller, callees = open_[-1]
            callee = next(callees, None)
            if callee is None:
                order.append(caller)
                open_.pop()
            elif callee in callers:
                callers[callee].append(caller)
            elif callee not in self._summaries:
                callers[callee] = [caller]
                open_.append((callee, self._callees(callee)))
        return order, callers

    def _callees(self, key: KeyT) -> Iterator[KeyT]:
        numbers = {step.first for step in _steps(self._program(key)).values() if step.kind in (CALL, HAND, ASK)}
        for number in sorted(numbers):
            found = self._called(key, number)
            if not isinstance(found, Summary):
                yield found

    def _calls_of(self, key: KeyT) -> _Calls:
        @cache
        def summary(number: int) -> Summary:
            found = self._called(key, number)
            return found if isinstance(found, Summary) else self._summaries[found]

        return summary


@lru_cache(4096)
def _steps(program: Program) -> dict[int, _Step]:
    """The steps by their places."""
    steps: dict[int, _Step] = {}
    regions: list[tuple[int, int]] = []
    place = 0
    while place < len(program):
        while regions and regions[-1][0] <= place:
            regions.pop()
        kind = ord(program[place])
        count = STEPS[kind]
        first = ord(program[place + 1]) if count else 0
        second = ord(program[place + 2]) if count > 1 else 0
        following = place + 1 + count
        if kind == TRY:
            regions.append((first, second))
        steps[place] = _Step(kind, first, second, following, regions[-1][1] if regions else None)
        place = following
    return steps


class _Ways:
    """The ways through one function."""

    def __init__(self, program: Program, calls: _Calls) -> None:
        self._program = program
        self._steps = _steps(program)
        self._calls = calls
        self._last_tests = self._tests() if any(step.kind == TEST for step in self._steps.values()) else {}
        # The least number of outcomes on a way to each state.
        self._least: dict[_State, int] = {}
        self._is_complete = not program or self._walk()

    def summary(self) -> Summary:
        """What calling it means."""
        if not self._program:
            return NOTHING
        if not self._is_complete:
            return UNDECIDED
        ways = {TRUE: [NEVER] * 3, FALSE: [NEVER] * 3}
        for state, least in self._least.items():
            step = self._steps[state.place]
            if step.kind == RETURN:
                for value in (TRUE, FALSE) if step.first == EITHER else (step.first,):
                    ways[value][state.level] = min(ways[value][state.level], least)
        return Summary(self._reached(), _exits(ways[TRUE]), _exits(ways[FALSE]))

    def answer(self) -> Answer:
        """What is known of it."""
        summary = self.summary()
        least = [min(pair) for pair in zip(summary.true, summary.false, strict=True)]
        always = least[NO] == NEVER and least[UNKNOWN] == NEVER
        fewest = min(least)
        fewest = 0 if fewest == NEVER else min(fewest, LIMIT)
        if not self._is_complete or not self._program:
            return Answer(summary.reached, always=always, least=fewest)
        silent = {
            self._steps[state.place].second
            for state in self._least
            if state.level == NO and self._steps[state.place].kind == RETURN
        }
        leaks = tuple(self._leaks()) if END in silent else ()
        return Answer(summary.reached, always, fewest, tuple(sorted(silent)), leaks)

    def _reached(self) -> int:
        level = max((state.level for state in self._least), default=NO)
        # What a call that never comes back does is seen in no state behind it.
        return max([level, *(self._effect(self._steps[state.place]).reached for state in self._least)])

    def _effect(self, step: _Step) -> Summary:
        """What happens at a step, whatever it goes on with."""
        if step.kind in (CALL, ASK):
            return self._calls(step.first)
        if step.kind == HAND:
            return UNDECIDED if self._calls(step.first).reached != NO else NOTHING
        return OUTCOME_ONCE if step.kind == OUTCOME else UNDECIDED if step.kind == MAYBE else NOTHING

    def _walk(self) -> bool:
        """Finds all states and the least numbers on the ways there; false where there are too many."""
        limit = _MAX_STATES + 2 * len(self._steps)
        start = _State(0, NO, 0)
        self._least[start] = 0
        pending = [(0, start)]
        while pending:
            least, state = heappop(pending)
            if least > self._least[state]:
                continue
            if len(self._least) > limit:
                return False
            for found, more in self._moves(state):
                count = min(least + more, LIMIT)
                if count < self._least.get(found, NEVER):
                    self._least[found] = count
                    heappush(pending, (count, found))
        return True

    def _moves(self, state: _State) -> _Moves:
        step = self._steps[state.place]
        on = self._at(state, step.following)
        match step.kind:
            case kind if kind in (OUTCOME, MAYBE, HAND, CALL, ASK):
                yield from self._called(state, step)
            case kind if kind == BRANCH:
                yield on, 0
                yield self._at(state, step.first), 0
            case kind if kind == JUMP:
                yield self._at(state, step.first), 0
            case kind if kind == KNOW:
                yield _learned(on, step.first, step.second), 0
                if step.handler is not None:
                    yield _learned(self._at(state, step.handler), step.first, step.second), 0
            case kind if kind == TEST:
                yield from self._tested(state, step)
            case kind if kind == TRY:
                yield on, 0
                yield self._at(state, step.second), 0
            case kind if kind == LOOP:
                yield on, 0
            case kind if kind == RAISE and step.handler is not None:
                yield self._at(state, step.handler), 0

    def _called(self, state: _State, step: _Step) -> _Moves:
        summary = self._effect(step)
        otherwise = step.second if step.kind == ASK else step.following
        for exits, place in ((summary.true, step.following), (summary.false, otherwise)):
            for level in _LEVELS:
                if exits[level] < NEVER:
                    yield self._at(state, place, level), exits[level]
        if step.handler is not None:
            yield self._at(state, step.handler), 0
            if summary.reached != NO:
                yield self._at(state, step.handler, summary.reached), 1 if summary.reached == YES else 0

    def _tested(self, state: _State, step: _Step) -> _Moves:
        known = state.known >> 2 * step.first & 3
        for value, place in ((TRUE, step.following), (FALSE, step.second)):
            if known in (0, 2 | value):
                yield self._forgotten(_learned(state._replace(place=place), step.first, value)), 0

    def _at(self, state: _State, place: int, level: int = NO) -> _State:
        return self._forgotten(_State(place, max(state.level, level), state.known))

    def _forgotten(self, state: _State) -> _State:
        """The state without what is known of names that no later step asks for: that only multiplies states."""
        if not state.known:
            return state
        known = state.known
        for number, last in self._last_tests.items():
            if state.place > last:
                known &= ~(3 << 2 * number)
        return state._replace(known=known)

    def _tests(self) -> dict[int, int]:
        """The last place of each name from which a test of it can be reached."""
        last: dict[int, int] = {}
        for place, step in self._steps.items():
            if step.kind == TEST:
                last[step.first] = place
        backward = [
            (step.first, place) for place, step in self._steps.items() if step.kind == JUMP and step.first <= place
        ]
        for target, place in sorted(backward):
            for number, end in last.items():
                if target <= end < place:
                    last[number] = place
        return last

    def _leaks(self) -> Iterator[int]:
        """The marks of outermost loops that hold an outcome, and lead a way without any to the end."""
        places = {state.place for state in self._least if self._effect(self._steps[state.place]).reached == YES}
        passed = 0
        for place, step in self._steps.items():
            if step.kind != LOOP or place < passed or not any(place < inner < step.second for inner in places):
                continue
            exits = [state for state in self._least if state.place == step.second and state.level == NO]
            if self._ends_silently(exits):
                passed = step.second
                yield step.first

    def _ends_silently(self, states: list[_State]) -> bool:
        """Whether a way without an outcome goes from one of the states to the end."""
        seen = set(states)
        pending = list(states)
        while pending:
            state = pending.pop()
            step = self._steps[state.place]
            if step.kind == RETURN and step.second == END:
                return True
            for found, _ in self._moves(state):
                if found.level == NO and found not in seen:
                    seen.add(found)
                    pending.append(found)
        return False


def _learned(state: _State, number: int, value: int) -> _State:
    known = state.known & ~(3 << 2 * number)
    return state._replace(known=known if value == EITHER else known | (2 | value) << 2 * number)


def _exits(ways: list[int]) -> Exits:
    no, perhaps, one = ways
    return no, perhaps, one
