"""One module a family of conditions: ``CONTRACT``, and ``judged`` that reads and judges what a path was taken for."""

from importlib import import_module
from typing import TYPE_CHECKING

from guards.evidence.contracts.reading import judged as nothing
from guards.evidence.expectations import Expectations
from guards.evidence.taken import NOTHING, BadPath, Taken
from guards.evidence.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

_PACKAGE = "guards.evidence.contracts"
# The contracts that exist, each with its module.
MODULES = {
    "durable-run": "durable_run",
    "fault-lane": "fault_lane",
    "reload-lane": "reload_lane",
    "record": "record",
    "godot": "godot",
    "gut": "gut",
    "gdunit4": "gdunit4",
    "junit": "junit",
    "nunit": "nunit",
    "trx": "trx",
    "xunit": "xunit",
}


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads evidence and judges it by its contract.

    Raises:
        BadPath: what was named cannot be judged at all; nothing was.
    """
    if taken.contract == NOTHING:
        return nothing(taken, expected)
    if taken.contract not in MODULES:
        raise BadPath(f"it is {taken.why}, which no contract judges yet")
    judge: Callable[[Taken, Expectations], Verdict] = import_module(f"{_PACKAGE}.{MODULES[taken.contract]}").judged
    return judge(taken, expected)
