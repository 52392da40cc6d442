"""Reports of verdicts, one module a format: what was judged and how it looks in, text out."""

from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from guards.evidence.verdict import Verdict
    from guards.reports.model import Style

FORMATS = ("github", "json", "junit", "markdown", "text")

Render: TypeAlias = "Callable[[Sequence[Verdict], Style], str]"


def renderer(name: str) -> Render:
    """The function that renders a format; only its own module is imported."""
    render: Render = import_module(f"guards.reports.verdicts.{name}").render
    return render
