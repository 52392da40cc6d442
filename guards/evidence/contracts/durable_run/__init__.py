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

_TEXT = """A run that writes what it is going to do before it does it, and what came of it as it goes: a request, \
a record, a manifest of leaves that is sealed before the first of them, a journal, the framework's own document, a \
summary.

What a single change is seen by, and what none is:

| Fact | Protected by |
| --- | --- |
| Which leaves there are, and how each ended | the files: manifest, journal, document and summary say it alike |
| Counts, outcome, lifecycle and health of the run | the files: they follow from the journal, and the summary has them |
| Mode, group, filter, names of request and run | the files: request, record, summary, folder and every line say them |
| Order of events, the domain that wrote each | the files: times never go back, a new domain is announced |
| Project, editor, framework, fingerprint, build state | the files against one change; `--expect` against several |
| Message and stack trace of a leaf | the files: journal and summary |
| That the manifest names all tests there are | an inventory only: `--expect min-tests=…`, `total=…`, a second run |
| That a test may be skipped, or needs a worker | an inventory only: `allow-skip`, `worker-only-categories` |
| The framework's own id of the run, ids of events | nothing within one run; a record compares them between runs |
| Assembly of a leaf, where it was built from and when | nothing: no second place says it |
| Scenes of the baseline, number of previews | nothing, beyond their form |
| Exact times of requests, dispatch, preparation and restoration | nothing, beyond their order |
| Which run was the last one | nothing: the pointers of a store name any of its runs |
| That any of it happened | nothing in the files: one process writes them all, and nothing is signed |"""

CONTRACT: Contract[DurableRun] = Contract(
    "durable-run",
    "Durable run of a Unity editor",
    _TEXT,
    (unchanged, newer_than_sources, *FORM, *ASKED, *SURROUNDINGS, *JOURNAL, *SUMMED, *DOCUMENT),
    (
        "That the framework which was loaded is the one whose version the record states.",
        "That any test body ran: journal, document and summary come from one process, and nothing is signed.",
        "That the scenes really were restored: there is a stamp, and no error.",
        "That the manifest is the whole catalogue of tests: only a number or a list from outside can tell.",
        "That no leaf was taken out of all files at once: `--expect total=…` and a second run show it.",
        "That no failed leaf was rewritten as passed in all files at once: only what the runner saw shows it.",
        "That the run is no copy of another one with other names: a record compares the ids of several runs.",
        "That the fingerprint is that of the build: other runs on the same build show it.",
        "That no error around the run was deleted, and all that followed from it derived anew.",
        "That the sources stayed the same while the tests ran, and that nothing else used the editor.",
    ),
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the run that is meant and judges it."""
    located = locate(taken, expected)
    verdict = judge(CONTRACT, DurableRun(located), expected)
    return verdict._replace(took_for=f"{taken.why}; run `{located.run_id}`, because {located.how}")
