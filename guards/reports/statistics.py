"""How often each rule was found."""

from collections import Counter

from guards.findings.result import RunResult
from guards.reports.escape import joined, visible
from guards.reports.model import Sources, Style
from guards.reports.summary import summary


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """The rules by how often they were found, then the summary; a rule of two severities has two lines."""
    del sources
    counts = Counter((finding.rule, finding.severity) for finding in result.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    digits = len(str(max(counts.values(), default=0)))
    lines = [
        f"{count:>{digits}}  {style.paint(f'{severity:7}', severity)}  {visible(rule)}"
        for (rule, severity), count in rows
    ]
    return joined((*lines, *summary(result, style)))
