"""The verdict for people: what it is, what it is about, what was found where, and what was not proved."""

from collections.abc import Iterator, Sequence

from guards.evidence.condition import WARNING
from guards.evidence.verdict import ACCEPTED, REJECTED, Judged, Verdict
from guards.reports.escape import joined, sentence, visible
from guards.reports.model import Style
from guards.reports.summary import counted
from guards.reports.verdicts.words import SHOWN, counts, failed, held, identity, label, not_evaluated, reason, warnings

_LOOKS = {ACCEPTED: "strong", REJECTED: "error"}


def render(verdicts: Sequence[Verdict], style: Style) -> str:
    """Each verdict in the order of the paths, with an empty line between two."""
    lines: list[str] = []
    for number, verdict in enumerate(verdicts):
        lines += [""] * bool(number)
        lines += _verdict(verdict, style)
    return joined(lines)


def _verdict(verdict: Verdict, style: Style) -> Iterator[str]:
    word = style.paint(verdict.verdict, _LOOKS.get(verdict.verdict, "warning"))
    yield f"{word}: {visible(verdict.path)}"
    yield f"  taken for {verdict.took_for}; contract {verdict.contract}, profile {verdict.expectations.profile}"
    for name, value in identity(verdict):
        yield f"  {name}: {value}"
    yield f"  {counts(verdict.run.counts)}"
    for judged in failed(verdict):
        yield from _condition(judged, style)
    for judged, found in warnings(verdict)[:SHOWN]:
        yield f"{style.paint('warning', 'warning')} {label(judged)}: {reason(found)}"
    if (more := len(warnings(verdict)) - SHOWN) > 0:
        yield f"  and {counted(more, 'warning')} more; `--output json` has all"
    yield from _not_proved(verdict)


def _condition(judged: Judged, style: Style) -> Iterator[str]:
    yield f"{style.paint('failed', 'error')} {label(judged)}: {style.paint(judged.title, 'strong')}"
    found = [item for item, class_ in judged.reasons if class_ != WARNING]
    yield from (f"  {reason(item)}" for item in found[:SHOWN])
    if len(found) > SHOWN:
        yield f"  and {len(found) - SHOWN} more; `--output json` has all"
    yield f"  next: {judged.next_step}"


def _not_proved(verdict: Verdict) -> Iterator[str]:
    yield f"{counted(held(verdict), 'condition')} held."
    open_ = not_evaluated(verdict)
    if open_:
        yield f"Not evaluated, so not proved: {counted(len(open_), 'condition')}."
        yield from (f"  {label(judged)}: {sentence(judged.missing)}" for judged in open_)
    if verdict.unprovable:
        yield "What evidence of this kind can never prove:"
        yield from (f"  {text}" for text in verdict.unprovable)
