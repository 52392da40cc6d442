"""Verdicts for programs; ``docs/accept.md`` describes the fields."""

from collections.abc import Sequence

from guards import __version__
from guards.evidence.condition import WARNING
from guards.evidence.model import Counts, Reason
from guards.evidence.verdict import Judged, Verdict
from guards.reports.json_report import Json, dumps
from guards.reports.model import Style
from guards.reports.verdicts.words import not_evaluated

VERSION = 1


def render(verdicts: Sequence[Verdict], style: Style) -> str:
    """All verdicts, their keys in a fixed order."""
    del style
    return dumps(
        {
            "version": VERSION,
            "tool": {"name": "suiteguard", "version": __version__},
            "verdicts": [_verdict(verdict) for verdict in verdicts],
        }
    )


def _verdict(verdict: Verdict) -> Json:
    identity = dict(verdict.run.identity)
    declared = verdict.run.declared
    return {
        "path": verdict.path,
        "taken_for": verdict.took_for,
        "verdict": verdict.verdict,
        "contract": verdict.contract,
        "profile": verdict.expectations.profile,
        "format": verdict.run.format,
        "request_id": identity.get("request-id", ""),
        "run_id": identity.get("run-id", ""),
        "identity": dict(verdict.run.identity),
        "started": verdict.run.started,
        "finished": verdict.run.finished,
        "counts": _counts(verdict.run.counts),
        **({"declared_counts": _counts(declared)} if declared is not None else {}),
        "reasons": [_reason(*found) for found in verdict.reasons() if found[2] != WARNING],
        "warnings": [_reason(*found) for found in verdict.reasons(WARNING)],
        "not_evaluated": [
            {"condition": judged.code, "name": judged.name, "why": judged.missing} for judged in not_evaluated(verdict)
        ],
        "conditions": [
            {"code": judged.code, "name": judged.name, "source": judged.source, "state": judged.state}
            for judged in verdict.conditions
        ],
        "expectations": dict(verdict.expectations.stated_by),
        "unprovable": list(verdict.unprovable),
    }


def _counts(counts: Counts) -> Json:
    return {name: getattr(counts, name) for name in Counts._fields}


def _reason(judged: Judged, reason: Reason, class_: str) -> Json:
    return {
        "code": reason.code,
        "class": class_,
        "condition": judged.code,
        "name": judged.name,
        "file": reason.where.file,
        "line": reason.where.line,
        "field": reason.where.field,
        "identity": reason.identity,
        "detail": reason.detail,
        "next": judged.next_step,
    }
