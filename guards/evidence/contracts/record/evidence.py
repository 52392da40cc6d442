"""A record with the bundles it lists, each read once and judged by the contract of its lane."""

import hashlib
import os
from collections.abc import Iterator
from typing import NamedTuple

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.condition import REJECT, Contract, EvidenceT_contra
from guards.evidence.contracts.durable_run import CONTRACT as ORDINARY
from guards.evidence.contracts.fault_lane import CONTRACT as FAULTS
from guards.evidence.contracts.fault_lane import FaultLane
from guards.evidence.contracts.reload_lane import CONTRACT as RELOADS
from guards.evidence.contracts.reload_lane import ReloadLane
from guards.evidence.expectations import RELEASE, TASK, Expectations
from guards.evidence.lanes import LANES, Gate, Lanes
from guards.evidence.model import Counts, Reason, Run, Where
from guards.evidence.readers.durable.locate import locate
from guards.evidence.readers.durable.reader import DurableRun
from guards.evidence.readers.durable.reloads import LIVE
from guards.evidence.readers.durable.store import entries
from guards.evidence.readers.record import FaultPair, ListedRun, ReloadScenario, read_record
from guards.evidence.readers.record_runs import Facts, NotAttached, attached, facts_of
from guards.evidence.taken import STORE, BadPath, Taken
from guards.evidence.verdict import judge


class Judged(NamedTuple):
    """What the contract of a lane says; ``unjudged`` counts conditions that could not be judged."""

    reasons: tuple[Reason, ...] = ()
    unjudged: int = 0


class RecordEvidence:
    """All of it.

    ``facts`` are those of the runs by their number in the record, ``unattached`` why others have none.
    ``ordinary``, ``faults`` and ``reloads`` are what the contracts say, ``planned`` the ports that
    control records planned, by run.
    """

    def __init__(self, taken: Taken, expected: Expectations) -> None:
        self.path = taken.path
        self.bundle = Bundle(taken.root)
        self.record, self.broken = read_record(self.bundle, taken.path)
        self.lanes: Lanes | None = LANES.get(expected.lanes)
        release = RELEASE in {self.record.profile, expected.profile}
        self.profile = RELEASE if release else TASK
        self._expected = expected._replace(
            profile=self.profile,
            request_id=None,
            project=self.record.worker_project or expected.project,
            framework_version=expected.framework_version or self.record.utf_version or None,
            editor_version=expected.editor_version or self.record.unity_version or None,
            total=None,
            pair=None,
        )
        self.facts: dict[int, Facts] = {}
        self.unattached: dict[int, NotAttached] = {}
        self.planned: dict[str, tuple[int, ...]] = {}
        self.at_rest: list[Reason] = []
        self._taken = self._attach()
        # The first run of each name counts; that a name is there twice is a reason of its own.
        self._numbers = {self.record.runs[number].run_id: number for number in reversed(self._taken)}
        self._lane_runs = {each.run_id: RELOADS.name for each in self.record.reload_scenarios}
        for pair in self.record.fault_pairs:
            self._lane_runs |= dict.fromkeys((pair.fault_run_id, pair.canary_run_id), FAULTS.name)
        self._changed: list[Reason] = []
        self.faults = [self._fault_pair(pair) for pair in self.record.fault_pairs]
        self.reloads = [self._reload(scenario) for scenario in self.record.reload_scenarios]
        self.ordinary = [self._ordinary(number) for number in self._taken if number not in self.facts]
        self._look_around()

    # What the evidence comes down to.

    @property
    def run(self) -> Run:
        """The counts of all durable runs that are attached; their leaves are those of the bundles."""
        facts = self.facts.values()
        passed, skipped = sum(fact.passed for fact in facts), sum(fact.skipped for fact in facts)
        counts = Counts(sum(fact.expected for fact in facts), passed, skipped=skipped)
        identity = (("project", self.record.worker_project), ("profile", self.profile))
        return Run("acceptance record", counts=counts, identity=identity, finished=self.record.date_utc)

    @property
    def issues(self) -> Iterator[Reason]:
        """What changed while it was read."""
        for path in self.bundle.changed():
            yield Reason("CHANGED_WHILE_READ", Where(path), detail="it changed while it was read")
        yield from self._changed

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The steps of the profile; none where nobody says which there are."""
        return dict(self.lanes.gates).get(self.profile, ()) if self.lanes is not None else ()

    def where(self, field: str) -> Where:
        """A field of the record."""
        return Where(self.path, 0, field)

    def complete(self) -> list[tuple[int, Facts]]:
        """The runs that belong to no lane, as far as they are attached."""
        return [(number, facts) for number, facts in self.facts.items() if self.lane_of(number) == ""]

    def lane_of(self, number: int) -> str:
        """What lane a run is listed in: `fault-lane`, `reload-lane` or none."""
        return self._lane_runs.get(self.record.runs[number].run_id, "")

    # Bundles.

    def _attach(self) -> dict[int, Taken]:
        found = {}
        folder = os.path.dirname(self.path)
        for number, listed in enumerate(self.record.runs):
            try:
                found[number] = attached(self.bundle.root, folder, listed.bundle)
            except NotAttached as error:
                self.unattached[number] = error
        return found

    def _listed(self, run_id: str) -> tuple[int, ListedRun] | None:
        """A run that is listed and attached."""
        number = self._numbers.get(run_id)
        return (number, self.record.runs[number]) if number is not None else None

    def _note(self, number: int, run: DurableRun) -> None:
        facts = facts_of(run)
        if facts is not None:
            self.facts[number] = facts

    def _judge(
        self, contract: Contract[EvidenceT_contra], evidence: EvidenceT_contra, expected: Expectations, taken: Taken
    ) -> Judged:
        verdict = judge(contract, evidence, expected)
        above = os.path.relpath(taken.root, self.bundle.root).replace(os.sep, "/")
        reasons = []
        for _, reason, _ in verdict.reasons():
            file = reason.where.file if above == os.curdir else f"{above}/{reason.where.file}"
            reasons.append(reason._replace(where=reason.where._replace(file=file)))
        self._changed.extend(reason for reason in reasons if reason.code == "CHANGED_WHILE_READ")
        others = tuple(reason for reason in reasons if reason.code in _codes(contract))
        return Judged(others, sum(bool(judged.missing) for judged in verdict.conditions))

    def _ordinary(self, number: int) -> Judged:
        listed, taken = self.record.runs[number], self._taken[number]
        expected = self._expected._replace(
            run_id=listed.run_id, mode=listed.mode or self._expected.mode, filter=listed.filter
        )
        try:
            run = DurableRun(locate(taken, expected))
        except BadPath as error:
            self.unattached[number] = NotAttached(str(error))
            return Judged()
        self._note(number, run)
        return self._judge(ORDINARY, run, expected, taken)

    def _fault_pair(self, pair: FaultPair) -> Judged:
        listed = [self._listed(run_id) for run_id in (pair.fault_run_id, pair.canary_run_id)]
        fault, canary = listed
        if fault is None or canary is None or self.lanes is None:
            return Judged(() if self.lanes is None else (self._incomplete("fault_pairs", pair.scenario),))
        taken = self._taken[fault[0]]
        try:
            lane = FaultLane(taken, self.lanes, (fault[1].request_id, canary[1].request_id))
        except BadPath as error:
            return Judged((self._incomplete("fault_pairs", pair.scenario, str(error)),))
        by_run = {part.run.located.run_id: part.run for part in lane.parts}
        for number, run in (fault, canary):
            if run.run_id in by_run:
                self._note(number, by_run[run.run_id])
        judged = self._judge(FAULTS, lane, self._expected, taken)
        return judged._replace(reasons=(*judged.reasons, *self._wrong_sentinel(pair, lane)))

    def _wrong_sentinel(self, pair: FaultPair, lane: FaultLane) -> Iterator[Reason]:
        """What the record says of a pair, against what the bundle has."""
        for found in lane.pairs:
            if found.scenario.name != pair.scenario:
                detail = f"its runs are those of `{found.scenario.name}`"
                yield Reason("CALLER_EXPECTATION_MISMATCH", self.where("fault_pairs"), pair.scenario, detail)
            if not pair.sentinel_sha256:
                continue
            try:
                digest = hashlib.sha256(lane.bundle.read(lane.sentinel(found.scenario))).hexdigest()
            except (Missing, Unreadable):
                continue
            if digest != pair.sentinel_sha256:
                yield Reason("SENTINEL_MISMATCH", self.where("fault_pairs"), pair.scenario, f"the file has {digest}")

    def _reload(self, scenario: ReloadScenario) -> Judged:
        listed = self._listed(scenario.run_id)
        name = f"{scenario.target_reloads} reloads"
        if listed is None or self.lanes is None:
            return Judged(() if self.lanes is None else (self._incomplete("reload_scenarios", name),))
        taken = self._taken[listed[0]]
        expected = self._expected._replace(run_id=scenario.run_id)
        try:
            lane = ReloadLane(taken, self.lanes, expected)
        except BadPath as error:
            return Judged((self._incomplete("reload_scenarios", name, str(error)),))
        judged = self._judge(RELOADS, lane, expected, taken)
        wrong: list[Reason] = []
        for reloaded in lane.runs:
            self._note(listed[0], reloaded.part.run)
            if reloaded.traced and lane.control is not None:
                self.planned[scenario.run_id] = lane.control.ports
            if reloaded.reloads != scenario.target_reloads:
                detail = f"its run has {reloaded.reloads}"
                wrong.append(Reason("LANE_IDENTITY", self.where("reload_scenarios"), name, detail))
        return judged._replace(reasons=(*judged.reasons, *wrong))

    def _incomplete(self, field: str, identity: str, detail: str = "its runs are not listed with a bundle") -> Reason:
        return Reason("LANE_INCOMPLETE", self.where(field), identity, detail)

    def _look_around(self) -> None:
        """Looks at the stores of all bundles: whether anything still runs there."""
        for root, path in sorted({(taken.root, taken.path) for taken in self._taken.values()}):
            bundle = Bundle(root)
            for entry in entries(bundle, Taken("", root, path, "")):
                if not entry.terminal:
                    detail = "the run is not terminal"
                    where = Where(os.path.relpath(root, self.bundle.root).replace(os.sep, "/"))
                    self.at_rest.append(Reason("STORE_HAS_NONTERMINAL_RUN", where, entry.run_id, detail))
            if self.lanes is not None and path.startswith(STORE) and bundle.has(f"{self.lanes.reloads}/{LIVE}"):
                where = Where(f"{self.lanes.reloads}/{LIVE}")
                self.at_rest.append(Reason("CONTROL_NOT_ARCHIVED", where, detail="a scenario is still controlled"))


def _codes(contract: Contract[EvidenceT_contra]) -> frozenset[str]:
    """The reasons of a contract but those of the reading, which the record has itself."""
    return frozenset(classes_of(contract)) - {"CHANGED_WHILE_READ", "RESULT_OLDER_THAN_SOURCES"}


def classes_of(contract: Contract[EvidenceT_contra]) -> dict[str, str]:
    """The reasons of all conditions of a contract, each with its class there."""
    found = {code: class_ for condition in contract.conditions for code, class_ in condition.reasons.items()}
    return found | dict.fromkeys(contract.strict & found.keys(), REJECT)
