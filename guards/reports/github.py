"""Workflow commands of GitHub Actions, which become annotations of the lines that they name."""

from collections import Counter
from collections.abc import Iterator

from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports.escape import joined, sentence, visible
from guards.reports.model import Sources, Style
from guards.reports.snippet import last_line
from guards.reports.summary import counted, summary
from guards.source.place import Place

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
# GitHub shows so many annotations of a kind for one step, and keeps the rest to itself.
_SHOWN = 10
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """A command for each finding and each file that was not checked, then the summary."""
    del sources, style
    commands = [
        *(command(_COMMANDS[f.severity], _where(f.place), f"Suiteguard: {f.rule}", _text(f)) for f in result.findings),
        *(
            command(
                "error",
                f"file={file_property(path)}",
                "Suiteguard: not checked",
                f"{visible(path)}: {sentence(reason)}",
            )
            for path, reason in result.skipped
        ),
    ]
    return "".join(f"{command}\n" for command in commands) + joined((*_hidden(result), *summary(result, Style())))


def command(name: str, where: str, title: str, text: str) -> str:
    """One workflow command; ``where`` is made of properties already, ``text`` may have several lines."""
    return f"::{name} {where},title={file_property(title)}::{text.translate(_DATA)}"


def _where(place: Place) -> str:
    path, line, column, _, end_column = place
    last = last_line(place)
    # Columns are allowed only where all is in one line.
    columns = f",col={column},endColumn={end_column}" if place.end_line == line else ""
    return f"file={file_property(path)},line={line},endLine={last}{columns}"


def file_property(text: str) -> str:
    """A value of a property, in which nothing can begin another."""
    return visible(text).translate(_PROPERTY)


def _text(finding: Finding) -> str:
    """What the annotation says; the log shows nothing else of it, so that it names the place, too."""
    lines = [f"{_spot(finding.place)}: {sentence(finding.message)}"]
    lines += [f"{_spot(related.place)}: {sentence(related.message)}" for related in finding.related]
    lines += [f"Instead: {sentence(finding.instead)}"] if finding.instead else []
    return "\n".join(lines)


def _spot(place: Place) -> str:
    return f"{visible(place.path)}:{place.line}:{place.column}"


def _hidden(result: RunResult) -> Iterator[str]:
    counts = Counter(finding.severity for finding in result.findings)
    counts["error"] += len(result.skipped)
    over = [counted(counts[name], name) for name in _COMMANDS if counts[name] > _SHOWN]
    if over:
        yield f"GitHub shows {_SHOWN} annotations of a kind for a step; this log has all of the {' and '.join(over)}."
