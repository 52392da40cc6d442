"""X: the result document of the framework."""

from collections import Counter
from collections.abc import Iterator, Mapping

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition, NotEvaluated, condition
from guards.evidence.contracts.durable_run.claim import Words, claim
from guards.evidence.expectations import Expectations
from guards.evidence.model import Reason, Where
from guards.evidence.readers.durable import journal as kinds
from guards.evidence.readers.durable.document import wrong_counts
from guards.evidence.readers.durable.reader import DurableRun

_AGAIN = "keep the bundle as it is, find out what wrote the document, and run again"
_STATUSES = ("passed", "failed", "skipped", "inconclusive")
_HALF_A_MICROSECOND = 0.5e-6 + 1e-12


def _where(run: DurableRun, line: int = 0, field: str = "") -> Where:
    return Where(run.document.path, line, field)


@condition(
    "EVD171",
    "document-there",
    {"XML_MISSING": INCOMPLETE},
    "run again; the capture of the document failed",
    source="X-01",
    broken=(Change("*/utf-results.xml", "", "", "the framework's own word is gone", ("XML_MISSING",)),),
)
def document_there(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """A run that finished has the framework's result document."""
    del expected
    if kinds.FINISHED in run.journal.boundaries and not run.document.exists:
        yield Reason("XML_MISSING", _where(run), run.located.run_id, "it is not there")


WELL_FORMED = claim(
    "EVD172",
    "document-well-formed",
    "X-02",
    {"XML_CORRUPT": REJECT, "XML_ROOT_INVALID": REJECT},
    Words(
        "The document is well-formed XML with the root `test-run`.",
        "A document type and entities are refused, since no result file needs them.",
        _AGAIN,
    ),
    (
        Change("*/utf-results.xml", "</test-run>", "", "it is cut off", ("XML_CORRUPT",)),
        Change("*/utf-results.xml", "<?xml", "<!DOCTYPE x><?xml", "it has a document type", ("XML_CORRUPT",)),
    ),
)


@condition(
    "EVD173",
    "cases-expected",
    {"XML_UNEXPECTED_CASE": REJECT},
    _AGAIN,
    source="X-03",
    broken=(
        Change(
            "*/utf-results.xml",
            'fullname="Grove.Inventory.Tests.CrateLedgerTests.AddCrate_IncreasesCount"',
            'fullname="Grove.Inventory.Tests.CrateLedgerTests.Other"',
            "a case that no leaf explains",
            ("XML_UNEXPECTED_CASE", "XML_MISSING_CASE"),
        ),
    ),
)
def cases_expected(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Every case of the document is a leaf of the manifest."""
    del expected
    for name, cases in run.document.cases.items():
        if name not in run.names:
            yield Reason("XML_UNEXPECTED_CASE", _where(run, cases[0].line, "fullname"), name, "no leaf has this name")


@condition(
    "EVD174",
    "cases-once",
    {"XML_DUPLICATE_CASE": REJECT},
    _AGAIN,
    source="X-04",
    broken=(
        Change(
            "*/utf-results.xml",
            'fullname="Grove.Inventory.Tests.CrateLedgerTests.Capacity_IsClamped(9)"',
            'fullname="Grove.Inventory.Tests.CrateLedgerTests.Capacity_IsClamped(4)"',
            "one case twice",
            ("XML_DUPLICATE_CASE",),
        ),
    ),
)
def cases_once(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """No case stands there more often than in the manifest."""
    del expected
    for name, cases in run.document.cases.items():
        leaves = run.names.get(name, ())
        if leaves and len(cases) > len(leaves):
            detail = f"{len(cases)} cases, and {len(leaves)} in the manifest"
            yield Reason("XML_DUPLICATE_CASE", _where(run, cases[-1].line), name, detail)


@condition(
    "EVD175",
    "cases-complete",
    {"XML_MISSING_CASE": REJECT},
    _AGAIN,
    source="X-05",
    broken=(
        Change(
            "*/utf-results.xml",
            'fullname="Grove.Inventory.Tests.CrateLedgerTests.Capacity_IsClamped(9)"',
            'fullname="Grove.Inventory.Tests.CrateLedgerTests.Capacity_IsClamped(4)"',
            "a leaf has no case",
            ("XML_MISSING_CASE",),
        ),
    ),
)
def cases_complete(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """A document of the whole run has every leaf.

    After a reload of the domain the framework may hand over a part only; then the journal decides.
    """
    del expected
    if run.scope != "complete" or not run.document.readable:
        return
    for name, leaves in run.names.items():
        cases = run.document.cases.get(name, ())
        if len(cases) < len(leaves):
            detail = f"{len(cases)} cases, and {len(leaves)} in the manifest"
            yield Reason("XML_MISSING_CASE", _where(run), name, detail)


@condition(
    "EVD176",
    "results-agree",
    {"XML_RESULT_MISMATCH": REJECT},
    _AGAIN,
    source="X-06",
    broken=(
        Change(
            "*/utf-results.xml",
            'seed="1411907325" result="Passed"',
            'seed="1411907325" result="Failed"',
            "the document says that it failed",
            ("XML_RESULT_MISMATCH",),
        ),
    ),
)
def results_agree(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """Every case ended as its leaf did; cases of one name are compared as a whole.

    Of a leaf that never ended in the journal nothing can be said here.
    """
    del expected
    for name, cases in run.document.cases.items():
        leaves = run.names.get(name, ())
        if len(cases) == len(leaves) == 1 and leaves[0].terminal and leaves[0].terminal.result_state == cases[0].state:
            continue  # nearly all are like this
        ends = Counter(leaf.terminal.result_state for leaf in leaves if leaf.terminal is not None)
        other = Counter(case.state for case in cases) - ends
        if leaves and other.total() > len(leaves) - ends.total():
            detail = f"`{', '.join(sorted(other))}`, in the journal `{', '.join(sorted(ends))}`"
            yield Reason("XML_RESULT_MISMATCH", _where(run, cases[0].line, "result"), name, detail)


@condition(
    "EVD177",
    "ids-agree",
    {"XML_ID_MISMATCH": REJECT},
    _AGAIN,
    source="X-07",
    broken=(
        Change(
            "*/utf-results.xml",
            '<test-case id="1006"',
            '<test-case id="1007"',
            "the id of another test",
            ("XML_ID_MISMATCH",),
        ),
    ),
)
def ids_agree(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """In a document of the whole run every case has the id of a leaf of its name."""
    del expected
    if run.scope != "complete":
        return
    for name, cases in run.document.cases.items():
        ids = {leaf.test_id for leaf in run.names.get(name, ())}
        for case in cases:
            if ids and case.test_id not in ids:
                detail = f"`{case.test_id}`, in the manifest `{', '.join(sorted(ids))}`"
                yield Reason("XML_ID_MISMATCH", _where(run, case.line, "id"), name, detail)


@condition(
    "EVD178",
    "root-counts",
    {"XML_ROOT_COUNTS": REJECT},
    _AGAIN,
    source="X-08",
    broken=(
        Change(
            "*/utf-results.xml",
            'total="6" passed="5"',
            'total="6" passed="6"',
            "the root counts one too many",
            ("XML_ROOT_COUNTS",),
        ),
    ),
)
def root_counts(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """In a document of the whole run the root counts what is there, and what the journal's root counts."""
    del expected
    root, finished = run.document.root, run.journal.first(kinds.FINISHED)
    if run.scope != "complete" or root is None or finished is None or not run.document.readable:
        return
    wrong = wrong_counts(root.attributes, run.document.tally, ("total", "testcasecount", *_STATUSES))
    for detail in wrong[1:]:
        yield Reason("XML_ROOT_COUNTS", _where(run, root.line, wrong[0]), run.located.run_id, detail)
    for field, number in _by_status(run).items():
        if root.attributes.get(field) != str(number):
            detail = f"{field} is {root.attributes.get(field, 'missing')}, and the journal's root counts {number}"
            yield Reason("XML_ROOT_COUNTS", _where(run, root.line, field), run.located.run_id, detail)


def _by_status(run: DurableRun) -> Mapping[str, int]:
    """The counts of the journal's root by the status of the document, which knows fewer words."""
    finished = run.journal.first(kinds.FINISHED)
    if finished is None:
        return {}
    other = Counter(
        leaf.terminal.result_state.partition(":")[0].partition("(")[0].lower()
        for leaf in run.leaves()
        if leaf.terminal is not None and leaf.terminal.outcome in {"cancelled", "invalid"}
    )
    return {
        "passed": finished.aggregate_passed,
        "failed": finished.aggregate_failed + other["failed"],
        "skipped": finished.aggregate_skipped + other["skipped"],
        "inconclusive": finished.aggregate_inconclusive + other["inconclusive"],
        "total": finished.aggregate_total,
    }


@condition(
    "EVD179",
    "root-result",
    {"XML_ROOT_RESULT_MISMATCH": REJECT},
    _AGAIN,
    source="X-09",
    broken=(
        Change(
            "*/utf-results.xml",
            'testcasecount="6" result="Passed"',
            'testcasecount="6" result="Failed(Child)"',
            "the root failed",
            ("XML_ROOT_RESULT_MISMATCH",),
        ),
    ),
)
def root_result(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """In a document of the whole run the root's result is that of the journal."""
    del expected
    root, finished = run.document.root, run.journal.first(kinds.FINISHED)
    if run.scope != "complete" or root is None or finished is None or not run.document.readable:
        return
    result = root.attributes.get("result", "")
    if result != finished.result_state:
        detail = f"`{result}`, in the journal `{finished.result_state}`"
        yield Reason("XML_ROOT_RESULT_MISMATCH", _where(run, root.line, "result"), run.located.run_id, detail)


@condition(
    "EVD180",
    "suite-counts",
    {"XML_SUITE_COUNTS": REJECT},
    _AGAIN,
    source="X-10",
    broken=(
        Change(
            "*/utf-results.xml",
            'total="4" passed="4"',
            'total="4" passed="3"',
            "a suite counts one too few",
            ("XML_SUITE_COUNTS",),
        ),
    ),
)
def suite_counts(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """In a document of the whole run every suite counts the cases below it."""
    del expected
    if run.scope == "complete":
        yield from run.document.wrong_suites


@condition(
    "EVD181",
    "durations-agree",
    {"XML_DURATION_DRIFT": WARNING},
    "nothing has to be done",
    source="X-11",
    broken=(
        Change(
            "*/utf-results.xml",
            'duration="0.011826"',
            'duration="0.031826"',
            "the document says that it took longer",
            ("XML_DURATION_DRIFT",),
        ),
    ),
)
def durations_agree(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """A case took as long as its leaf, to the microsecond."""
    del expected
    for name, cases in run.document.cases.items():
        leaves = run.names.get(name, ())
        if len(cases) != 1 or len(leaves) != 1 or leaves[0].terminal is None:
            continue
        try:
            took = float(cases[0].duration)
        except ValueError:
            continue
        if abs(took - leaves[0].terminal.duration) > _HALF_A_MICROSECOND:
            detail = f"{cases[0].duration}, in the journal {leaves[0].terminal.duration}"
            yield Reason("XML_DURATION_DRIFT", _where(run, cases[0].line, "duration"), name, detail)


@condition(
    "EVD158",
    "worker-only-skipped",
    {"WORKER_ONLY_RAN": REJECT},
    "find out what started them: in a project that somebody needs they must never run",
)
def worker_only_skipped(run: DurableRun, expected: Expectations) -> Iterator[Reason]:
    """No test passed that may run in a worker alone.

    Their categories are what `worker-only-categories` says; the document must name the categories
    of its cases. What breaks this is a case of such a category that was not skipped.
    """
    if not expected.worker_only_categories:
        raise NotEvaluated("nobody stated which categories these are; `worker-only-categories`")
    wanted = frozenset(expected.worker_only_categories)
    named = False
    for name, cases in run.document.cases.items():
        for case in cases:
            named = named or bool(case.categories)
            if case.state.startswith("Passed") and wanted & case.categories:
                detail = f"it has the category `{min(wanted & case.categories)}` and passed"
                yield Reason("WORKER_ONLY_RAN", _where(run, case.line), name, detail)
    if not named:
        raise NotEvaluated("the document names no category of any case")


DOCUMENT: tuple[Condition[DurableRun], ...] = (
    document_there,
    WELL_FORMED,
    cases_expected,
    cases_once,
    cases_complete,
    results_agree,
    ids_agree,
    root_counts,
    root_result,
    suite_counts,
    durations_agree,
    worker_only_skipped,
)
