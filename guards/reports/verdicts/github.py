"""Workflow commands of GitHub Actions: one for each condition that failed, then the verdicts as text."""

from collections.abc import Iterator, Sequence

from guards.evidence.verdict import Judged, Verdict
from guards.reports.github import command, file_property
from guards.reports.model import Style
from guards.reports.verdicts import text
from guards.reports.verdicts.words import failed, label, reason, warnings


def render(verdicts: Sequence[Verdict], style: Style) -> str:
    """Commands first, so that they are annotations; no name or message can be one."""
    del style
    commands = [line for verdict in verdicts for line in _commands(verdict)]
    return "".join(f"{line}\n" for line in commands) + text.render(verdicts, Style())


def _commands(verdict: Verdict) -> Iterator[str]:
    for judged in failed(verdict):
        yield command("error", _where(verdict), f"Suiteguard: {verdict.verdict}", _text(judged))
    for judged, found in warnings(verdict):
        yield command(
            "warning", _where(verdict), "Suiteguard: accepted with a warning", f"{label(judged)}: {reason(found)}"
        )


def _where(verdict: Verdict) -> str:
    return f"file={file_property(verdict.path)}"


def _text(judged: Judged) -> str:
    lines = [f"{label(judged)}: {judged.title}", *(reason(found) for found, _ in judged.reasons[:3])]
    return "\n".join([*lines, f"Next: {judged.next_step}"])
