"""One line a finding, for people who read many and for tools that read lines."""

from guards.findings.result import RunResult
from guards.reports.escape import joined, sentence, visible
from guards.reports.model import Sources, Style
from guards.reports.summary import summary


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """``path:line:column: severity[rule] message``, then the summary."""
    del sources
    lines = []
    for finding in result.findings:
        path, line, column, *_ = finding.place
        name = style.paint(f"{finding.severity}[{visible(finding.rule)}]", finding.severity)
        lines.append(f"{visible(path)}:{line}:{column}: {name} {sentence(finding.message)}")
    return joined((*lines, *summary(result, style)))
