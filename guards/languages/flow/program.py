"""The program of a function, and what is said of a function.

A program is a string of numbers, one character each: a step's number and its operands (``STEPS``
says how many; those that are places in the program are counted in characters from its start). An
empty program does nothing that matters and gives back anything.
"""

from typing import Final, NamedTuple

Program = str

# The truth of a value.
FALSE: Final = 0
TRUE: Final = 1
EITHER: Final = 2

# The steps.
OUTCOME: Final = 0  # an outcome
MAYBE: Final = 1  # something that may be an outcome, or have some: nobody can tell
CALL: Final = 2  # of a function, by number; what it gives back is not looked at
HAND: Final = 3  # a function, by number, is handed to somebody who may call it, once or often, or not
ASK: Final = 4  # calls a function, by number; goes on if it gives back something true, else jumps
BRANCH: Final = 5  # goes on, or jumps
JUMP: Final = 6
KNOW: Final = 7  # a name, by number, is true, false or, from here on, either
TEST: Final = 8  # goes on if a name, by number, is true, else jumps
RETURN: Final = 9  # a truth, and the mark of the place
RAISE: Final = 10  # leaves by an exception, or stops the run: no way out that counts
TRY: Final = 11  # from here to the first place, anything may go on at the second one
LOOP: Final = 12  # a loop, by its mark, begins here; it is left at the place

_NAMES: Final = (
    "outcome", "maybe", "call", "hand", "ask", "branch", "jump", "know", "test", "return", "raise", "try", "loop",
)  # fmt: skip

# How many operands a step has.
STEPS: Final = (0, 0, 1, 1, 2, 1, 1, 2, 2, 2, 0, 2, 2)
# The last character before those that no text may hold.
LARGEST: Final = 0xD7FF

# The mark of the end of a function, where no ``return`` stands.
END: Final = 0

# What is known at a place, and of a function as a whole. Larger ones win.
NO: Final = 0  # no outcome
UNKNOWN: Final = 1  # perhaps one
YES: Final = 2  # one at least

# Numbers of outcomes are counted up to here.
LIMIT: Final = 1000
# More than any number of outcomes: there is no such way.
NEVER: Final = LIMIT + 1

# The least number of outcomes on the ways that leave a function without an outcome, perhaps with
# one, with one.
Exits = tuple[int, int, int]
_NONE: Final = (NEVER, NEVER, NEVER)


class Summary(NamedTuple):
    """What calling a function means.

    Args:
        reached: whether there is a way to an outcome, also one that never comes back.
        true: the ways on which the function gives back something true.
        false: those on which it gives back something false; a value that nobody knows is in both.
    """

    reached: int
    true: Exits
    false: Exits


# What a language says of functions that it has no program of.
NOTHING: Final = Summary(NO, (0, NEVER, NEVER), (0, NEVER, NEVER))
OUTCOME_ONCE: Final = Summary(YES, (NEVER, NEVER, 1), (NEVER, NEVER, 1))
UNDECIDED: Final = Summary(UNKNOWN, (NEVER, 0, NEVER), (NEVER, 0, NEVER))
# An outcome where it gives back true, and nothing where not: ``if skip_on_godot_lt("4.5"): return``.
GUARD: Final = Summary(YES, (NEVER, NEVER, 1), (0, NEVER, NEVER))
# An outcome that nothing comes back from: ``pytest.skip()``.
OUTCOME_AND_OUT: Final = Summary(YES, _NONE, _NONE)
# What is always true, and always false: constants.
ALWAYS_TRUE: Final = Summary(NO, (0, NEVER, NEVER), _NONE)
ALWAYS_FALSE: Final = Summary(NO, _NONE, (0, NEVER, NEVER))
# Comes back on no way.
OUT: Final = Summary(NO, _NONE, _NONE)


class Answer(NamedTuple):
    """What is known of a function.

    Args:
        outcome: whether there is a way to an outcome (``YES``), perhaps (``UNKNOWN``) or certainly
            none (``NO``).
        always: every way on which it comes back has an outcome for certain.
        least: the least number of outcomes on any way on which it comes back, up to ``LIMIT``; what
            nobody can tell counts as none, and so does a function that never comes back.
        silent: the marks of the returns that a way without any outcome reaches, in order; ``END``
            is the end of the function. A way on which nobody can tell is none of these.
        leaks: the marks of the loops, outermost ones alone, that hold an outcome and on whose account
            a way without any reaches the end of the function.
    """

    outcome: int
    always: bool
    least: int
    silent: tuple[int, ...] = ()
    leaks: tuple[int, ...] = ()


def calls_on_ways(program: Program) -> frozenset[int]:
    """The functions, by number, that some way through a program calls.

    Calls are not followed, and what is known of names is not asked: a few ways may be none.
    """
    found: set[int] = set()
    seen: set[int] = set()
    pending = [0] if program else []
    while pending:
        place = pending.pop()
        if place in seen:
            continue
        seen.add(place)
        step = ord(program[place])
        operands = [ord(operand) for operand in program[place + 1 : place + 1 + STEPS[step]]]
        if step in (CALL, ASK):
            found.add(operands[0])
        if step not in (JUMP, RETURN, RAISE):
            pending.append(place + 1 + STEPS[step])
        if step in (BRANCH, JUMP):
            pending.append(operands[0])
        elif step in (ASK, TEST, TRY):
            pending.append(operands[1])
    return frozenset(found)


def describe(program: Program) -> str:
    """A program for people: a line a step. For tests and for looking at."""
    lines, place = [], 0
    while place < len(program):
        step = ord(program[place])
        operands = [str(ord(operand)) for operand in program[place + 1 : place + 1 + STEPS[step]]]
        lines.append(" ".join([f"{place}:", _NAMES[step], *operands]))
        place += 1 + STEPS[step]
    return "\n".join(lines)
