"""The ordinary contract of a durable run: it was asked for, ran complete, passed, and cleaned up."""

from guards.evidence.condition import Contract
from guards.evidence.contracts.durable_run.asked import ASKED
from guards.evidence.contracts.durable_run.document import DOCUMENT
from guards.evidence.contracts.durable_run.form import FORM
from guards.evidence.contracts.durable_run.journal import JOURNAL
from guards.evidence.contracts.durable_run.summary import SUMMED
from guards.evidence.contracts.durable_run.surroundings import SURROUNDINGS
from guards.evidence.contracts.reading import newer_than_sources, unchanged
from guards.evidence.expectations import Expectations
from guards.evidence.readers.durable.locate import locate
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

# Warnings that a release does not let pass.
RELEASE = frozenset(
    {
        "CANCEL_REQUESTED",
        "RETRY_MASKED_FAILURE",
        "DUPLICATE_TERMINAL_DELIVERY",
        "DUPLICATE_START_DELIVERY",
        "PARTIAL_ROOT_NOT_PASSED",
        "POINTER_CORRUPT",
        "FINISH_WITHOUT_START",
    }
)

CONTRACT: Contract[DurableRun] = Contract(
    "durable-run",
    "Durable run of a Unity editor",
    "A run that writes what it is going to do before it does it, and what came of it as it goes: a request, a record, "
    "a manifest of leaves that is sealed before the first of them, a journal, the framework's own document, a summary.",
    (unchanged, newer_than_sources, *FORM, *ASKED, *SURROUNDINGS, *JOURNAL, *SUMMED, *DOCUMENT),
    (
        "That the framework which was loaded is the one whose version the record states.",
        "That any test body ran: journal, document and summary come from one process, and nothing is signed.",
        "That the scenes really were restored: there is a stamp, and no error.",
        "That the manifest is the whole catalogue of tests: only a number or a list from outside can tell.",
        "That the sources stayed the same while the tests ran, and that nothing else used the editor.",
    ),
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the run that is meant and judges it."""
    located = locate(taken, expected)
    verdict = judge(CONTRACT, DurableRun(located), expected)
    return verdict._replace(took_for=f"{taken.why}; run `{located.run_id}`, because {located.how}")
