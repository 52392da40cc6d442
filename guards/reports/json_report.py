"""The report for programs; ``docs/json.md`` describes it field by field."""

import json
import re
from collections import Counter
from typing import TypeAlias

from guards import __version__
from guards.config.catalogue import SEVERITIES
from guards.findings.model import Finding
from guards.findings.result import Fixes, RunResult
from guards.reports.escape import UNSEEN, inert
from guards.reports.model import Sources, Style
from guards.source.edits import Fix
from guards.source.place import Place

VERSION = 1

Json: TypeAlias = "int | str | list[Json] | dict[str, Json]"

_UNSEEN = re.compile(f"[{UNSEEN}]")


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """The whole result, its keys in a fixed order; what nobody sees is escaped, so that no terminal obeys it."""
    del sources, style
    counts = Counter(finding.severity for finding in result.findings)
    report: dict[str, Json] = {
        "version": VERSION,
        "tool": {"name": "suiteguard", "version": __version__},
        "summary": {
            "findings": {severity: counts[severity] for severity in SEVERITIES},
            "suppressed": result.suppressed,
            "baselined": result.baselined,
            "files_checked": result.files_checked,
            "files_by_language": dict(result.files_by_language),
            "skipped": len(result.skipped),
            "allowed_unanalysed": result.allowed_unanalysed,
            "unread_regions": result.unread_regions,
            **({"fixes": _fixes(result.fixes)} if result.fixes else {}),
        },
        "findings": [_finding(finding) for finding in result.findings],
        "skipped": [{"path": path, "reason": reason} for path, reason in result.skipped],
        "notices": list(result.notices),
    }
    return dumps(report)


def dumps(value: Json) -> str:
    """JSON in which everything that a person would not see, and all that a CI server would obey, is an escape."""
    text = _UNSEEN.sub(_escaped, json.dumps(value, indent=2, ensure_ascii=False))
    return inert(text, lambda character: f"\\u{ord(character):04x}") + "\n"


def _finding(finding: Finding) -> Json:
    return {
        "rule": finding.rule,
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "place": _place(finding.place),
        "related": [{"message": message, "place": _place(place)} for place, message in finding.related],
        "why": finding.why,
        "instead": finding.instead,
        **({"fix": _fix(finding.fix)} if finding.fix else {}),
    }


def _fixes(fixes: Fixes) -> Json:
    return {"made": len(fixes.made), "refused": len(fixes.refused)}


def _fix(fix: Fix) -> Json:
    return {"title": fix.title, "safe": fix.safe}


def _place(place: Place) -> Json:
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def _escaped(match: "re.Match[str]") -> str:
    return json.dumps(match[0])[1:-1]
