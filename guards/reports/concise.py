"""One line a finding, for people who read many and for tools that read lines."""

from guards.findings.result import RunResult
from guards.reports import Sources, Style
from guards.reports.escape import visible
from guards.reports.summary import summary


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """``path:line:column: severity[rule] message``, then the summary."""
    del sources, style
    lines = [
        f"{visible(f.place.path)}:{f.place.line}:{f.place.column}: {f.severity}[{f.rule}] {visible(f.message)}"
        for f in result.findings
    ]
    return "".join(f"{line}\n" for line in (*lines, *summary(result)))
