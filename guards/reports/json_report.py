"""The report for programs; ``docs/json.md`` describes it field by field."""

import json
from typing import TypeAlias

from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports import Sources, Style
from guards.source.place import Place

VERSION = 1

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """The whole result; keys in a fixed order, ASCII only, so that no terminal can be told anything."""
    del sources, style
    report: dict[str, Json] = {
        "version": VERSION,
        "findings": [_finding(finding) for finding in result.findings],
        "checked": {"files": result.files_checked, "languages": dict(result.files_by_language)},
        "skipped": [{"path": skipped.path, "reason": skipped.reason} for skipped in result.skipped],
        "allowed_unanalysed": result.allowed_unanalysed,
        "unread_regions": result.unread_regions,
        "suppressed": result.suppressed,
        "notices": list(result.notices),
    }
    return json.dumps(report, indent=2).replace("\x7f", "\\u007f") + "\n"


def _finding(finding: Finding) -> Json:
    return {
        "rule": finding.rule,
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "why": finding.why,
        "instead": finding.instead,
        "place": _place(finding.place),
        "related": [{"message": related.message, "place": _place(related.place)} for related in finding.related],
    }


def _place(place: Place) -> Json:
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }
