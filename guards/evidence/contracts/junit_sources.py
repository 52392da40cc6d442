"""Inventory: what the sources of Godot's suites say, held against the JUnit XML of GUT and gdUnit4."""

from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, NotEvaluated, condition
from guards.evidence.contracts.junit_cases import at, cases_of, suites_of
from guards.evidence.expectations import Expectations
from guards.evidence.inventory import Inventory
from guards.evidence.model import PASSED, Reason
from guards.evidence.readers.junit import GUT, JUnitFile, Suite

_SCRIPT = ".gd"


def _inventory(file: JUnitFile) -> Inventory:
    if file.inventory is None:
        raise NotEvaluated("no inventory of the sources was given")
    return file.inventory


def _script(file: JUnitFile, suite: Suite) -> str:
    """The script that a suite stands for: GUT names it, perhaps with a class in it; gdUnit4 says folder and name."""
    if file.made_by == GUT:
        path, dot, _ = suite.name.partition(f"{_SCRIPT}.")
        return f"{path}{_SCRIPT}" if dot else path
    folder = suite.attributes.get("package", "")
    return f"{folder}/{suite.name}{_SCRIPT}" if folder else f"{suite.name}{_SCRIPT}"


@condition(
    "EVD463",
    "scripts-ran",
    {"SUITE_NEVER_RAN": INCOMPLETE},
    "look into the log: a script that could not be loaded is not in the file, and the process ends with 0",
    source="41",
)
def scripts_ran(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """Every script of the sources that has a test is there.

    Only an inventory of the sources can break it.
    """
    del expected
    inventory = _inventory(file)
    ran = {_script(file, suite) for suite in suites_of(file)}
    for suite in inventory.suites:
        if suite.tests and suite.file not in ran:
            yield Reason("SUITE_NEVER_RAN", at(file, file.root), suite.file, "nothing of it is there")


@condition(
    "EVD464",
    "tests-provable",
    {"TEST_NOT_PROVABLE": INCOMPLETE},
    "mend what the rule finds in the test's source",
    source="41",
)
def tests_provable(file: JUnitFile, expected: Expectations) -> Iterator[Reason]:
    """A test that passed proves something: no rule says that it cannot.

    Only an inventory of the sources can break it. gdUnit4 counts no assertions, so that a test
    without any looks like all others.
    """
    del expected
    doubts = {
        (suite.file, test.name): test.doubt for suite in _inventory(file).suites for test in suite.tests if test.doubt
    }
    for case in cases_of(file):
        name, _, _ = case.name.partition(":")  # what follows are the arguments of gdUnit4
        doubt = doubts.get((_script(file, file.suites[case.suite]), name))
        if doubt and case.outcome == PASSED:
            yield Reason("TEST_NOT_PROVABLE", at(file, case), case.identity, f"`{doubt}` is found in its source")
