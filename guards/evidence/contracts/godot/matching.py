"""The rows of a result held against the tests that stand in the sources."""

from collections import Counter

from guards.evidence.inventory import Inventory
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.readers.godot.result import SUITE_SETUP


def ended_suites(run: GodotRun) -> frozenset[str]:
    """The suites whose one row says that their tests did not run."""
    return frozenset(row.suite for row in run.rows if row.test == SUITE_SETUP)


def missing_tests(run: GodotRun, inventory: Inventory) -> list[tuple[str, str]]:
    """The tests of an inventory that have no row, by suite and name, in its order.

    A test that stands there several times, in suites of one name, must have as many rows. The tests
    of a suite that ended with its setup are accounted for by the row that says so.
    """
    left = Counter((row.suite, row.test) for row in run.rows)
    ended = ended_suites(run)
    missing = []
    for suite in inventory.suites:
        for test in suite.tests:
            key = (suite.name, test.name)
            if left[key] > 0:
                left[key] -= 1
            elif suite.name not in ended:
                missing.append(key)
    return missing
