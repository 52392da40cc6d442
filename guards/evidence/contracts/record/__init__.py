"""Q and L: one record of several runs, the steps around them, and the live lane."""

from guards.evidence.condition import Contract
from guards.evidence.contracts.durable_run import RELEASE
from guards.evidence.contracts.lane import JUDGED
from guards.evidence.contracts.reading import unchanged
from guards.evidence.contracts.record.evidence import RecordEvidence
from guards.evidence.contracts.record.gates import GATES
from guards.evidence.contracts.record.live import LIVE
from guards.evidence.contracts.record.runs import RUNS
from guards.evidence.contracts.stated import nothing_unjudged
from guards.evidence.expectations import Expectations
from guards.evidence.lanes import LANES, Gate
from guards.evidence.taken import Taken
from guards.evidence.verdict import Verdict, judge


def _step(gate: Gate) -> str:
    return f"`{gate.name}`{f' ({gate.runs} runs)' if gate.runs else ''}"


_GATES = "\n".join(
    (
        "| Preset | Profile | Steps, in their order |",
        "| --- | --- | --- |",
        *(
            f"| `{preset}` | `{profile}` | {', '.join(_step(gate) for gate in gates)} |"
            for preset, lanes in LANES.items()
            for profile, gates in lanes.gates
        ),
    )
)

_TEXT = f"""What somebody did before a change or a release, step by step, in one file `acceptance-record.json`: the \
commands with their exit codes and counts, the durable runs with the folders of their files, the ports of the worker, \
and what the sources were before and after. Every run is judged by the contract of its lane, and then all of them \
together.

Paths of bundles are relative to the record, and none leads out of its folder. A bundle is a project, a store or the \
folder of one run. Which steps a profile has is data of a preset; the stricter one holds of the profile that the \
record says and the one that `--profile` says.

{_GATES}

`skips` lists tests that were skipped outside the live lane (`gate`, `id`, `reason`); `live.nodes` may list the tests \
of the live lane one by one, as they ran (`id`, `outcome`, `paid`, `reason`, `stage`)."""

CONTRACT: Contract[RecordEvidence] = Contract(
    "record",
    "Record of several runs",
    _TEXT,
    (unchanged, nothing_unjudged(*JUDGED), *GATES, *RUNS, *LIVE),
    (
        "That the commands were run as they are written down: exit codes and counts are what somebody says.",
        "That the hashes of the sources are those of the sources: no file of the record can be compared with them.",
        "That a bundle is what it was when the record was written: nothing here compares `bundle_sha256`.",
        "That the runs were not made up together: only a copy kept where the worker cannot write shows that.",
    ),
    release=RELEASE,
)


def judged(taken: Taken, expected: Expectations) -> Verdict:
    """Reads the record with its bundles and judges it."""
    evidence = RecordEvidence(taken, expected)
    verdict = judge(CONTRACT, evidence, expected._replace(profile=evidence.profile))
    return verdict._replace(took_for=f"{taken.why}; its profile is {evidence.profile}")
