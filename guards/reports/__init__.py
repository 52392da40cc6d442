"""Reports, one module a format: a run's result and its sources in, text out."""

from importlib import import_module

from guards.reports.model import Render, Sources, Style, terminal_style
from guards.reports.writer import write

__all__ = [
    "FORMATS", "FOR_PEOPLE", "SHOWING_EDITS", "SHOWING_RULES",
    "Render", "Sources", "Style", "renderer", "terminal_style", "write",
]  # fmt: skip

FORMATS = ("concise", "github", "gitlab", "json", "junit", "sarif", "text")
# Those that `--statistics` replaces by counts, and those that want `RunResult.rules`.
FOR_PEOPLE = ("concise", "text")
SHOWING_RULES = ("sarif",)
# Those that show what fixes would change.
SHOWING_EDITS = ("sarif",)
_MODULES = {
    "concise": "guards.reports.concise",
    "github": "guards.reports.github",
    "gitlab": "guards.reports.gitlab",
    "json": "guards.reports.json_report",
    "junit": "guards.reports.junit",
    "sarif": "guards.reports.sarif",
    "statistics": "guards.reports.statistics",
    "text": "guards.reports.text",
}


def renderer(name: str) -> Render:
    """The function that renders a format, or ``statistics``; only its own module is imported."""
    render: Render = import_module(_MODULES[name]).render
    return render
