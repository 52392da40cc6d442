"""Inventory: the tests that ran are the tests that stand in the sources, and did what those must do."""

from collections import Counter
from collections.abc import Iterator

from guards.evidence.condition import INCOMPLETE, REJECT, Condition, NotEvaluated, condition
from guards.evidence.contracts.godot.completion import result_of
from guards.evidence.contracts.godot.counting import rows_of
from guards.evidence.contracts.godot.matching import ended_suites, missing_tests
from guards.evidence.expectations import Expectations
from guards.evidence.inventory import Inventory, SourceTest
from guards.evidence.model import Reason
from guards.evidence.readers.godot.reader import GodotRun
from guards.evidence.readers.godot.result import SUITE_SETUP

_STALE = "run the tests of these sources, all of them, and judge that reply"


def _inventory(run: GodotRun) -> Inventory:
    if run.inventory is None:
        raise NotEvaluated("no inventory of the sources was given")
    return run.inventory


def _tests(run: GodotRun) -> dict[tuple[str, str], list[SourceTest]]:
    """The tests of the sources by suite and name; suites that share a name can have several of one."""
    tests: dict[tuple[str, str], list[SourceTest]] = {}
    for suite in _inventory(run).suites:
        for test in suite.tests:
            tests.setdefault((suite.name, test.name), []).append(test)
    return tests


@condition("EVD430", "suites-ran", {"SUITE_NEVER_RAN": INCOMPLETE}, _STALE, source="27")
def suites_ran(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every suite of the sources that has a test ran.

    Only an inventory of the sources can break it.
    """
    del expected
    inventory, ran = _inventory(run), set(result_of(run).suites_run or ())
    for suite in inventory.suites:
        if suite.tests and suite.name not in ran:
            yield Reason("SUITE_NEVER_RAN", run.where("suites_run"), suite.name, f"its tests stand in `{suite.file}`")


@condition("EVD431", "tests-ran", {"TEST_MISSING": INCOMPLETE, "TEST_TWICE": REJECT}, _STALE, source="28")
def tests_ran(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every test of the sources has one row.

    Only an inventory of the sources can break it.
    """
    del expected
    inventory, tests = _inventory(run), _tests(run)
    counted = Counter((row.suite, row.test) for row in rows_of(run))
    for suite, test in missing_tests(run, inventory):
        yield Reason("TEST_MISSING", run.where("results"), f"{suite}::{test}", "it has no row")
    for (suite, test), number in counted.items():
        if (suite, test) in tests and number > len(tests[suite, test]):
            yield Reason("TEST_TWICE", run.where("results"), f"{suite}::{test}", f"it has {number} rows")


@condition("EVD432", "rows-known", {"TEST_UNKNOWN": REJECT}, _STALE, source="29")
def rows_known(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Every row is that of a test of the sources.

    Only an inventory of the sources can break it. A row that it does not know is of other sources,
    of another project, or invented.
    """
    del expected
    tests = _tests(run)
    suites = {suite.name for suite in _inventory(run).suites}
    for row in rows_of(run):
        known = row.suite in suites if row.test == SUITE_SETUP else (row.suite, row.test) in tests
        if not known:
            yield Reason("TEST_UNKNOWN", run.row_where(row), row.identity, "no source has it")


@condition("EVD433", "total-of-sources", {"TOTAL_NOT_OF_SOURCES": INCOMPLETE}, _STALE, source="30")
def total_of_sources(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A result without rows counts the tests of the sources.

    Only an inventory of the sources can break it.
    """
    del expected
    inventory, result = _inventory(run), result_of(run)
    if result.results is not None:
        return
    ended = {row.suite for row in result.failures or () if row.test == SUITE_SETUP}
    number = len(ended) + sum(len(suite.tests) for suite in inventory.suites if suite.name not in ended)
    if result.total != number:
        detail = f"it is {result.total}, and the sources have {number} tests"
        yield Reason("TOTAL_NOT_OF_SOURCES", run.where("total"), detail=detail)


@condition(
    "EVD434", "shared-names", {"SUITES_SHARE_NAME": INCOMPLETE}, "give each suite a name of its own", source="31"
)
def shared_names(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """Suites that share a name have together the rows of all of their tests.

    Only an inventory of the sources can break it.
    """
    del expected
    inventory = _inventory(run)
    named = Counter(suite.name for suite in inventory.suites)
    shared = {suite for suite, _ in missing_tests(run, inventory) if named[suite] > 1} if rows_of(run) else set()
    for suite in sorted(shared):
        detail = f"{named[suite]} suites have this name, and rows of their tests are missing"
        yield Reason("SUITES_SHARE_NAME", run.where("results"), suite, detail)


@condition(
    "EVD435",
    "tests-provable",
    {"TEST_NOT_PROVABLE": INCOMPLETE},
    "mend what the rule finds in the test's source",
    source="32",
)
def tests_provable(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A green row proves something about each test: no rule says that it cannot.

    Only an inventory of the sources can break it.
    """
    del expected
    tests = _tests(run)
    for row in rows_of(run):
        doubts = [test.doubt for test in tests.get((row.suite, row.test), ()) if test.doubt]
        if row.green and doubts:
            yield Reason("TEST_NOT_PROVABLE", run.row_where(row), row.identity, f"`{doubts[0]}` is found in its source")


@condition(
    "EVD436",
    "assertions-reached",
    {"ASSERTIONS_NOT_REACHED": REJECT},
    "find out what ended the test early: a script error, or an `await`",
    source="33",
)
def assertions_reached(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A green test made at least the assertions that its source cannot avoid.

    Only an inventory of the sources can break it. Older runners show a test as green that a script
    error ended after its first assertion.
    """
    del expected
    tests = _tests(run)
    for row in rows_of(run):
        leasts = [test.least for test in tests.get((row.suite, row.test), ())]
        known = [least for least in leasts if least is not None]
        if row.green and known and len(known) == len(leasts) and row.assertions < min(known):
            detail = f"it made {row.assertions} assertions, and cannot avoid {min(known)}"
            yield Reason("ASSERTIONS_NOT_REACHED", run.row_where(row, "assertion_count"), row.identity, detail)


@condition(
    "EVD437",
    "suites-went-on",
    {"SUITE_ENDED_EARLY": INCOMPLETE},
    "take the parameters off the test: the runner cannot call it, and ends its suite without a word",
    source="34",
)
def suites_went_on(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """No suite ended at a test that the runner cannot call.

    Only an inventory of the sources can break it.
    """
    del expected
    inventory = _inventory(run)
    ran = {(row.suite, row.test) for row in rows_of(run)}
    ended = ended_suites(run)
    for suite in inventory.suites:
        ends = [test.name for test in suite.tests if test.ends_suite and (suite.name, test.name) not in ran]
        if ends and suite.name not in ended:
            identity = f"{suite.name}::{min(ends)}"
            detail = "neither it nor what comes behind it by name has a row"
            yield Reason("SUITE_ENDED_EARLY", run.where("results"), identity, detail)


@condition(
    "EVD438",
    "skips-in-sources",
    {"SKIP_WITHOUT_CALL": REJECT},
    "find out who wrote the row: no path of the test's source skips it",
    source="35",
)
def skips_in_sources(run: GodotRun, expected: Expectations) -> Iterator[Reason]:
    """A test that was skipped can skip itself.

    Only an inventory of the sources can break it.
    """
    del expected
    tests = _tests(run)
    for row in rows_of(run):
        found = tests.get((row.suite, row.test), ())
        if row.skipped and found and all(test.skips is False for test in found):
            yield Reason("SKIP_WITHOUT_CALL", run.row_where(row, "skipped"), row.identity, "its source never skips")


SOURCES: tuple[Condition[GodotRun], ...] = (
    suites_ran,
    tests_ran,
    rows_known,
    total_of_sources,
    shared_names,
    tests_provable,
    assertions_reached,
    suites_went_on,
    skips_in_sources,
)
