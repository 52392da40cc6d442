"""What tools that keep findings from run to run recognise them by."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from guards.findings.fingerprint import fingerprint
from guards.findings.model import Finding
from guards.findings.result import Excused, RunResult
from guards.reports.model import Sources
from guards.source.place import file_place
from guards.source.text import SourceText


class Recognised(NamedTuple):
    """One finding, whether it counts or is excused, and what it has the same value of in the next run.

    ``mark`` is unique among the findings of one rule in one file, and stays when lines move.
    """

    finding: Finding
    excused: Excused | None
    mark: str


def recognised(result: RunResult, sources: Sources) -> Iterator[Recognised]:
    """All findings, excused ones among them, in the order of their places.

    Findings on equal lines are told apart by a counter. Excused ones are counted, too: to excuse
    one finding must not make another of the next.
    """
    source = lru_cache(1)(sources)
    found: list[tuple[Finding, Excused | None]] = [(finding, None) for finding in result.findings]
    found += [(excused.finding, excused) for excused in result.excused]
    seen: Counter[tuple[str, str, str]] = Counter()
    for finding, excused in sorted(found, key=lambda item: (item[0].place, item[0].rule, item[0].message)):
        path, line, *_ = finding.place
        # What is said of a file as a whole does not depend on its first line.
        text = None if finding.place == file_place(path) else source(path)
        content = fingerprint(text or SourceText(path, b""), line)
        seen[finding.rule, path, content] += 1
        yield Recognised(finding, excused, f"{content}:{seen[finding.rule, path, content]}")
