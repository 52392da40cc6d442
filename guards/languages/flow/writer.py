"""Writes the program of one function, step by step.

A language walks over the statements of a function and says what happens, in the order in which it
happens. Conditions are jumping code: ``a and b`` is "leave for the label if ``a`` is false, leave
for it if ``b`` is false, go on", and whatever is not known is a ``branch``. What turns out to
change nothing is left out at once, so a function without anything that matters gets an empty
program.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

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
    LARGEST,
    LOOP,
    MAYBE,
    OUTCOME,
    RAISE,
    RETURN,
    STEPS,
    TEST,
    TRY,
    Program,
)

# A longer function is not followed: it is undecided.
_MAX_STEPS: Final = 6000
_EFFECTS: Final = frozenset({OUTCOME, MAYBE, CALL, HAND, ASK})
_LEAVES: Final = frozenset({JUMP, RETURN, RAISE})
# Those that change nothing where what they may jump over is empty.
_IDLE: Final = frozenset({BRANCH, JUMP, TEST, LOOP})
_UNDECIDED: Final = chr(MAYBE) + chr(RETURN) + chr(EITHER) + chr(END)


class Label:
    """A place in a program, to be jumped to before or after it is known."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = 0


class Loop(NamedTuple):
    """A loop that is open: where ``continue`` goes to, the body, the end without and with ``break``."""

    again: Label
    body: Label
    done: Label
    out: Label
    cleanups: int


class Names:
    """The functions that the programs of a file call, by number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a name."""
        return self._numbers.setdefault(name, len(self._numbers))

    def all(self) -> tuple[str, ...]:
        """The names by their numbers."""
        return tuple(self._numbers)


class _Step(NamedTuple):
    """A step: its operands are numbers, then places."""

    kind: int
    numbers: tuple[int, ...] = ()
    places: tuple[Label, ...] = ()


class Writer:
    """The program of one function.

    Args:
        names: the names of functions that the programs of the file share.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: dict[str, int] = {}
        self._steps: list[_Step] = []
        # The labels before each step, and those at the end.
        self._labels: list[list[Label]] = [[]]
        # What runs on the way out of a place, and the loops around it.
        self._cleanups: list[tuple[Callable[[], None], list[Loop]]] = []
        self._loops: list[Loop] = []

    # What happens.

    def outcome(self) -> None:
        """An outcome."""
        self._add(_Step(OUTCOME))

    def maybe(self) -> None:
        """Something of which nobody can tell whether it is an outcome, or has some."""
        self._add(_Step(MAYBE))

    def call(self, name: str) -> None:
        """A function is called; what it gives back is not looked at."""
        self._add(_Step(CALL, (self._names.number(name),)))

    def hand(self, name: str) -> None:
        """A function is handed to somebody who may call it."""
        self._add(_Step(HAND, (self._names.number(name),)))

    def know(self, name: str, value: int) -> None:
        """A name is ``TRUE`` or ``FALSE`` from here on, or was written and is ``EITHER``."""
        self._add(_Step(KNOW, (self._known.setdefault(name, len(self._known)), value)))

    def raises(self) -> None:
        """The function is left by an exception, or for a handler around this place."""
        self._add(_Step(RAISE))

    def returns(self, value: int = EITHER, mark: int = END) -> None:
        """The function comes back, with a truth; cleanups around this place run before."""
        self._leave(0)
        self._add(_Step(RETURN, (value, mark)))

    # Where it goes on.

    def place(self, label: Label) -> None:
        """The label is here."""
        self._labels[-1].append(label)
        while self._steps and self._steps[-1].places and self._steps[-1].places[0] in self._labels[-1]:
            step = self._steps[-1]
            if step.kind == ASK:
                self._steps[-1] = _Step(CALL, step.numbers)
            elif step.kind in _IDLE:
                self._drop()
            else:
                return

    def _drop(self) -> None:
        """Takes the last step away; what is behind it is where it was."""
        self._steps.pop()
        behind = self._labels.pop()
        self._labels[-1].extend(behind)

    def jump(self, label: Label) -> None:
        """Goes on at the label."""
        self._add(_Step(JUMP, (), (label,)))

    def branch(self, label: Label) -> None:
        """Goes on here or at the label."""
        self._add(_Step(BRANCH, (), (label,)))

    def ask(self, name: str, *, when: bool, to: Label) -> None:
        """A function is called; goes on at the label if what it gives back is ``when``, else here."""
        self._decide(ASK, self._names.number(name), when=when, to=to)

    def test(self, name: str, *, when: bool, to: Label) -> None:
        """Goes on at the label if the name is ``when``, else here; and knows it from then on."""
        self._decide(TEST, self._known.setdefault(name, len(self._known)), when=when, to=to)

    def _decide(self, kind: int, number: int, *, when: bool, to: Label) -> None:
        if not when:
            self._add(_Step(kind, (number,), (to,)))
            return
        otherwise = Label()
        self._add(_Step(kind, (number,), (otherwise,)))
        self.jump(to)
        self.place(otherwise)

    # Loops.

    def open_loop(self, mark: int) -> Loop:
        """A loop begins. ``each`` or ``repeat`` follows, the body, and ``close_loop``.

        Between this and ``each`` a ``jump``, ``ask`` or ``test`` to ``body`` says that the body
        runs once at least. Of a loop that asks behind its body the language places ``body`` and
        ``again`` itself.
        """
        loop = Loop(Label(), Label(), Label(), Label(), len(self._cleanups))
        self._add(_Step(LOOP, (mark,), (loop.out,)))
        self._loops.append(loop)
        return loop

    def each(self, loop: Loop) -> None:
        """Here the next element is taken, if there is one: the body runs any number of times."""
        self.place(loop.again)
        self.branch(loop.done)
        self.place(loop.body)

    def repeat(self, loop: Loop) -> None:
        """Here each turn begins; a condition that leaves for ``done`` may follow."""
        self.place(loop.again)
        self.place(loop.body)

    def close_loop(self, loop: Loop, otherwise: Callable[[], None] | None = None) -> None:
        """The body ends; ``otherwise`` is what runs if no ``break`` left it."""
        self._loops.pop()
        self.jump(loop.again)
        turn = [(step.kind, step.places) for step in self._steps[-2:]]
        if turn == [(BRANCH, (loop.done,)), (JUMP, (loop.again,))] and loop.again in self._labels[-3]:
            self._drop()
        self.place(loop.done)
        if otherwise is not None:
            otherwise()
        self.place(loop.out)

    def break_loop(self, depth: int = 1) -> None:
        """``break``: of the innermost loop, or of the one ``depth`` loops outward; of none it is nothing."""
        if depth <= len(self._loops):
            loop = self._loops[-depth]
            self._leave(loop.cleanups)
            self.jump(loop.out)

    def continue_loop(self, depth: int = 1) -> None:
        """``continue``, likewise."""
        if depth <= len(self._loops):
            loop = self._loops[-depth]
            self._leave(loop.cleanups)
            self.jump(loop.again)

    # Exceptions.

    def attempt(
        self,
        body: Callable[[], None],
        handlers: Sequence[Callable[[], None]] = (),
        *,
        catches_all: bool = False,
        otherwise: Callable[[], None] | None = None,
        cleanup: Callable[[], None] | None = None,
    ) -> None:
        """``try``: its handlers may be entered from any point of the body.

        Args:
            body: writes what is tried.
            handlers: write what runs instead, one of them or, unless they catch all, none.
            catches_all: whether no exception passes the handlers.
            otherwise: writes what runs behind the body when nothing was raised.
            cleanup: writes what runs on every way out. It is written once for each.
        """
        if cleanup is None:
            self._handled(body, handlers, catches_all=catches_all, otherwise=otherwise)
            return
        end, pad, done = Label(), Label(), Label()
        self._add(_Step(TRY, (), (end, pad)))
        self._cleanups.append((cleanup, self._loops[:]))
        self._handled(body, handlers, catches_all=catches_all, otherwise=otherwise)
        self._cleanups.pop()
        self.place(end)
        cleanup()
        self.jump(done)
        self.place(pad)
        cleanup()
        self.raises()
        self.place(done)

    def _handled(
        self,
        body: Callable[[], None],
        handlers: Sequence[Callable[[], None]],
        *,
        catches_all: bool,
        otherwise: Callable[[], None] | None,
    ) -> None:
        end, entry, done = Label(), Label(), Label()
        if handlers:
            self._add(_Step(TRY, (), (end, entry)))
        body()
        self.place(end)
        if otherwise is not None:
            otherwise()
        if handlers:
            self.jump(done)
            self.place(entry)
            for position, handler in enumerate(handlers):
                following = Label()
                if not (catches_all and position == len(handlers) - 1):
                    self.branch(following)
                handler()
                self.jump(done)
                self.place(following)
            if not catches_all:
                self.raises()
        self.place(done)

    def _leave(self, depth: int) -> None:
        """Writes the cleanups that a way out passes, the innermost first."""
        kept, loops = self._cleanups, self._loops
        for index in range(len(kept) - 1, depth - 1, -1):
            self._cleanups = kept[:index]
            cleanup, around = kept[index]
            self._loops = around[:]
            cleanup()
        self._cleanups, self._loops = kept, loops

    # The end.

    def finish(self, value: int = FALSE) -> Program:
        """The program; at its end the function comes back with this truth."""
        self._add(_Step(RETURN, (value, END)))
        if len(self._steps) >= _MAX_STEPS:
            return _UNDECIDED
        tested = {step.numbers[0] for step in self._steps if step.kind == TEST}
        if any(step.kind == KNOW and step.numbers[0] not in tested for step in self._steps):
            return self._without_knowing(tested).finish(value)
        kinds = {step.kind for step in self._steps}
        if not kinds & {*_EFFECTS, RAISE, LOOP}:  # a loop may have no end
            return ""
        return self._encoded()

    def _without_knowing(self, tested: set[int]) -> "Writer":
        """The same without what is said of names that nothing asks for."""
        again = Writer(self._names)
        for step, labels in zip(self._steps, self._labels, strict=False):
            for label in labels:
                again.place(label)
            if step.kind != KNOW or step.numbers[0] in tested:
                again._add(step)
        return again

    def _encoded(self) -> Program:
        place = 0
        for step, labels in zip(self._steps, self._labels, strict=False):
            for label in labels:
                label.at = place
            place += 1 + STEPS[step.kind]
        for label in self._labels[-1]:
            label.at = place
        if place > LARGEST:
            return _UNDECIDED
        parts: list[int] = []
        for step in self._steps:
            parts.append(step.kind)
            parts.extend(step.numbers)
            parts.extend(label.at for label in step.places)
        if max(parts) > LARGEST:
            return _UNDECIDED
        return "".join(map(chr, parts))

    def _add(self, step: _Step) -> None:
        """Adds a step, unless no way leads here."""
        unreached = bool(self._steps) and self._steps[-1].kind in _LEAVES and not self._labels[-1]
        if not unreached and len(self._steps) < _MAX_STEPS:
            self._steps.append(step)
            self._labels.append([])
