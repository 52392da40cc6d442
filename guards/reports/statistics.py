"""How often each rule was found."""

from collections import Counter

from guards.findings.result import RunResult
from guards.reports import Sources, Style
from guards.reports.summary import summary


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """The rules by how often they were found, then the summary."""
    del sources, style
    counts = Counter((finding.rule, finding.code, finding.severity) for finding in result.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    lines = [f"{count:6}  {code:6}  {severity:7}  {rule}" for (rule, code, severity), count in rows]
    return "".join(f"{line}\n" for line in (*lines, *summary(result)))
