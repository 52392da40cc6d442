"""The baseline of a project in one run: read from its file, held against the findings."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from guards.config.load import ConfigSet
from guards.config.model import ConfigError, ProblemAt
from guards.findings.baseline import Baseline, Entry, Matched, loads, match
from guards.findings.fingerprint import place_fingerprint
from guards.findings.model import Finding
from guards.findings.result import BASELINE, Excused
from guards.project.files import ProjectFiles, Unread
from guards.source.text import SourceText, Unreadable, decode

STALE = "stale-baseline"


class Held(NamedTuple):
    """What the baseline did in a run.

    ``judged`` are the entries about which the run can say whether they are needed, those among them
    that are not needed in full being stale. ``unknown`` are entries of rules that there are not.
    """

    baseline: Baseline
    matched: Matched
    judged: frozenset[Entry] = frozenset()
    unknown: tuple[Entry, ...] = ()

    def excused(self) -> Iterator[Excused]:
        """The findings that are held back, in order."""
        return (Excused(finding, BASELINE, entry.reason) for finding, entry in self.matched.held)

    def stale(self) -> Iterator[tuple[Entry, int]]:
        """The entries that hold back less than they say, each with what it holds back."""
        for entry in self.baseline.entries:
            _, held = self.matched.paths.get(entry, ("", 0))
            if entry in self.judged and held < entry.times:
                yield entry, held


def read(files: ProjectFiles, configs: ConfigSet) -> Baseline:
    """The baseline of a project, tracked by git or not, as configuration is; its rules are not looked at yet.

    Raises:
        ConfigError: it cannot be read.
    """
    path = configs.baseline()
    file, root = os.path.realpath(os.path.join(files.root, path)), os.path.realpath(files.root)
    if not file.startswith(os.path.join(root, "")):
        reason = "is reached by a link that leads out of the project"
    elif os.path.isdir(file):
        reason = "is a folder, not a file"
    else:
        try:
            return loads(files.read(path), path)
        except Unread as error:
            reason = f"cannot be read: {error}"
    raise ConfigError((ProblemAt(path, 0, "", reason),))


def hold_back(
    baseline: Baseline,
    findings: Sequence[Finding],
    files: ProjectFiles,
    configs: ConfigSet,
    is_judged: Callable[[Entry], bool],
) -> Held:
    """Which findings of a run the baseline holds back, and what of it that leaves.

    Args:
        baseline: as it was read.
        findings: in order.
        files: what they were found in.
        configs: where rules have their names from.
        is_judged: whether all was looked at that could show the need of an entry.
    """
    entries, unknown = [], []
    root = configs.config_for("")
    for entry in baseline.entries:
        # Rows of a folder's own configuration are rules there.
        name = root.rule_called(entry.rule) or configs.config_for(entry.path).rule_called(entry.rule)
        if name:
            entries.append(entry._replace(rule=name))
        else:
            unknown.append(entry)
    baseline = Baseline(baseline.path, tuple(entries))
    matched = match(findings, marks(findings, files), entries, files.is_file)
    return Held(baseline, matched, frozenset(filter(is_judged, entries)), tuple(unknown))


def refuse_unknown(held: Held) -> None:
    """Stops where the baseline names rules that there are not: what it says of them is no help.

    Raises:
        ConfigError: with their places.
    """
    if held.unknown:
        hint = "; `suiteguard baseline update` removes entries of rules that are gone"
        raise ConfigError(
            tuple(
                ProblemAt(held.baseline.path, entry.place.line, "rule", f"there is no rule `{entry.rule}`{hint}")
                for entry in held.unknown
            )
        )


def marks(findings: Sequence[Finding], files: ProjectFiles) -> list[str]:
    """The fingerprints of findings; each file is read once where they come in the order of their paths."""
    text = SourceText("", b"")
    found = []
    for finding in findings:
        if finding.place.path != text.path:
            text = _text(finding.place.path, files)
        found.append(place_fingerprint(finding.place, text))
    return found


def entries_for(findings: Sequence[Finding], files: ProjectFiles, reason: str) -> tuple[Entry, ...]:
    """The entries that hold findings back, one for all on equal lines."""
    counts = Counter((f.rule, f.place.path, mark) for f, mark in zip(findings, marks(findings, files), strict=True))
    return tuple(Entry(*key, count, reason) for key, count in counts.items())


def _text(path: str, files: ProjectFiles) -> SourceText:
    try:
        return decode(path, files.read(path), python=path.endswith(".py"))
    except (Unread, Unreadable):
        return SourceText(path, b"")  # it went or changed meanwhile: its lines are known no more
