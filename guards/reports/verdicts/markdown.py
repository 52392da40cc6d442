"""Verdicts as Markdown, for the summary of a CI job; text from outside stands in code spans and can be nothing else."""

import re
from collections.abc import Iterator, Sequence

from guards.evidence.verdict import ACCEPTED, Judged, Verdict
from guards.reports.escape import joined, visible
from guards.reports.model import Style
from guards.reports.summary import counted
from guards.reports.verdicts.words import SHOWN, counts, failed, held, identity, label, not_evaluated, reason, warnings

_TICKS = re.compile(r"`+")
_SIGNS = {ACCEPTED: "✅"}


def render(verdicts: Sequence[Verdict], style: Style) -> str:
    """A section a verdict."""
    del style
    return joined(line for verdict in verdicts for line in _verdict(verdict))


def _verdict(verdict: Verdict) -> Iterator[str]:
    yield f"## {_SIGNS.get(verdict.verdict, '❌')} {verdict.verdict}: {code(verdict.path)}"
    yield ""
    yield f"{counts(verdict.run.counts)}. Contract `{verdict.contract}`, profile `{verdict.expectations.profile}`."
    yield ""
    yield from (f"- {name}: {code(value)}" for name, value in identity(verdict))
    for judged in failed(verdict):
        yield from _condition(judged)
    if warnings(verdict):
        yield from ("", "### Warnings", "")
        yield from (f"- {label(judged)}: {code(reason(found))}" for judged, found in warnings(verdict)[:SHOWN])
    yield from ("", f"{counted(held(verdict), 'condition')} held.", "")
    if not_evaluated(verdict):
        yield from ("### Not evaluated, so not proved", "")
        yield from (f"- {label(judged)}: {code(judged.missing)}" for judged in not_evaluated(verdict))
        yield ""


def _condition(judged: Judged) -> Iterator[str]:
    yield from ("", f"### {label(judged)}", "", judged.title, "")
    yield from (f"- {code(reason(found))}" for found, _ in judged.reasons[:SHOWN])
    if len(judged.reasons) > SHOWN:
        yield f"- and {len(judged.reasons) - SHOWN} more"
    yield from ("", f"Next: {judged.next_step}")


def code(text: str) -> str:
    """A code span that shows a text as it is, whatever it holds."""
    text = visible(text)
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{space}{text or ' '}{space}{fence}"
