"""Q and L: one record of several runs, the steps around them, and the live lane."""

from guards.evidence.condition import Contract
from guards.evidence.contracts.durable_run import RELEASE
from guards.evidence.contracts.reading import unchanged
from guards.evidence.contracts.record.evidence import RecordEvidence
from guards.evidence.contracts.record.gates import GATES
from guards.evidence.contracts.record.live import LIVE
from guards.evidence.contracts.record.runs import RUNS
from guards.evidence.expectations import Expectations
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge

_TEXT = """What somebody did before a change or a release, step by step, in one file `acceptance-record.json`: the \
commands with their exit codes and counts, the durable runs with the folders of their files, the ports of the worker, \
and what the sources were before and after. Every run is judged by the contract of its lane, and then all of them \
together.

Paths of bundles are relative to the record, and none leads out of its folder. A bundle is a project, a store or the \
folder of one run. Which steps a profile has is data of a preset; the stricter one holds of the profile that the \
record says and the one that `--profile` says.

`skips` lists tests that were skipped outside the live lane (`gate`, `id`, `reason`); `live.nodes` may list the tests \
of the live lane one by one (`id`, `outcome`, `paid`, `reason`)."""

CONTRACT: Contract[RecordEvidence] = Contract(
    "record",
    "Record of several runs",
    _TEXT,
    (unchanged, *GATES, *RUNS, *LIVE),
    (
        "That the commands were run as they are written down: exit codes and counts are what somebody says.",
        "That the hashes of the sources are those of the sources: no file of the record can be compared with them.",
        "That the live tests ran in their order, the ones that need the editor at rest first.",
        "That the runs were not made up together: only a copy kept where the worker cannot write shows that.",
    ),
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the record with its bundles and judges it."""
    evidence = RecordEvidence(taken, expected)
    verdict = judge(CONTRACT, evidence, expected._replace(profile=evidence.profile))
    return verdict._replace(took_for=f"{taken.why}; its profile is {evidence.profile}")
