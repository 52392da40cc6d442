"""What happens on the ways through functions: outcomes, such as assertions, on all of them, on some or on none.

A language lowers the body of a function to a *program* while the tree lives, with a ``Writer``:
plain text, a few bytes for each thing that matters, fit for facts. A ``Solver`` follows the
ways through programs, and through what they call, when the whole project is known.

A program knows outcomes, calls and jumps, and of values nothing but the truth of some names: what
was found out of a name holds until it is written. All else that a function does is left out.
"""

from guards.languages.flow.program import (
    ALWAYS_FALSE,
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
    UNDECIDED,
    UNKNOWN,
    YES,
    Answer,
    Program,
    Summary,
)
from guards.languages.flow.solver import Solver
from guards.languages.flow.writer import Label, Loop, Names, Writer

__all__ = [
    "ALWAYS_FALSE", "ALWAYS_TRUE", "EITHER", "END", "FALSE", "GUARD", "LIMIT", "NO", "NOTHING",
    "OUTCOME_AND_OUT", "OUTCOME_ONCE", "TRUE", "UNDECIDED", "UNKNOWN", "YES",
    "Answer", "Label", "Loop", "Names", "Program", "Solver", "Summary", "Writer",
]  # fmt: skip
