"""SARIF 2.1.0, which code hosts and editors read; ``docs/reports.md`` says which parts of it are used."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from guards import __version__
from guards.findings.model import Finding
from guards.findings.result import SUPPRESSION, Excused, RuleText, RunResult
from guards.reports.escape import encodable
from guards.reports.json_report import Json, dumps
from guards.reports.model import Sources, Style
from guards.reports.recognise import Recognised, recognised
from guards.reports.summary import unchecked
from guards.source.edits import Edit, Fix
from guards.source.place import Place
from guards.source.text import SourceText

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# The value is versioned: another way to make it needs another name.
FINGERPRINT = "suiteguardLineHash/v1"
ROOT = "%SRCROOT%"
NOT_CHECKED, NOTICE = "not-checked", "notice"

# What GitHub sorts by.
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}
_LONGEST_DESCRIPTION = 1000
_NOT_IN_URIS = re.compile(rb"[^A-Za-z0-9/._~-]")
_LINK = re.compile(r"(\\*)\](?=\()")


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """One run, its results in the order of their places, excused findings among them as suppressed."""
    del style
    source = lru_cache(1)(sources)
    texts = {text.name: text for text in result.rules}
    names = sorted({f.rule for f in (*result.findings, *(excused.finding for excused in result.excused))})
    index = {name: number for number, name in enumerate(names)}
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "Suiteguard",
                "version": __version__,
                "rules": [_rule(name, texts.get(name)) for name in names],
                "notifications": [
                    {"id": NOT_CHECKED, "shortDescription": {"text": "Something was not checked."}},
                    {"id": NOTICE, "shortDescription": {"text": "A remark about the run."}},
                ],
            }
        },
        "invocations": [
            {"executionSuccessful": not result.skipped, "toolExecutionNotifications": list(_notifications(result))}
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the checked project."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, index, source) for found in recognised(result, source)],
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(name: str, text: RuleText | None) -> Json:
    rule: dict[str, Json] = {"id": encodable(name)}
    if text is None:
        return rule
    if text.aliases:
        rule["deprecatedIds"] = list(text.aliases)
    rule["shortDescription"] = {"text": text.summary}
    rule["fullDescription"] = {"text": _beginning(_plain(text.meaning)) or text.summary}
    rule["help"] = {"text": _plain(text.page), "markdown": text.page}
    rule["defaultConfiguration"] = {"level": text.severity}
    rule["properties"] = {
        "tags": ["tests", *text.languages],
        "codes": list(text.codes),
        "problem.severity": _PROBLEM[text.severity],
        **({"precision": text.confidence} if text.confidence else {}),
    }
    return rule


def _result(found: Recognised, index: Mapping[str, int], source: Sources) -> Json:
    finding = found.finding
    result: dict[str, Json] = {
        "ruleId": encodable(finding.rule),
        "ruleIndex": index[finding.rule],
        "level": finding.severity,
        "message": _message(finding.message),
        "locations": [_location(finding.place)],
        "partialFingerprints": {FINGERPRINT: found.mark},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.place, related.message)}
            for number, related in enumerate(finding.related, 1)
        ]
    if len(finding.related) > 1:
        result["codeFlows"] = [{"threadFlows": [{"locations": [{"location": step} for step in _way(finding)]}]}]
    if found.excused:
        result["suppressions"] = [_suppression(found.excused)]
    if finding.fix and finding.fix.edits and (text := source(finding.place.path)):
        result["fixes"] = [_fix(finding.fix, text)]
    properties: dict[str, Json] = {
        name: encodable(value)
        for name, value in (("code", finding.code), ("why", finding.why), ("instead", finding.instead))
        if value
    }
    if properties:
        result["properties"] = properties
    return result


def _way(finding: Finding) -> Iterator[Json]:
    """The way to a finding, which ends at its own place."""
    yield from (_location(related.place, related.message) for related in finding.related)
    yield _location(finding.place, finding.message)


def _location(place: Place, message: str = "") -> dict[str, Json]:
    _, line, column, end_line, end_column = place
    location: dict[str, Json] = {
        "physicalLocation": {
            "artifactLocation": _artifact(place.path),
            "region": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
        }
    }
    return {**location, "message": _message(message)} if message else location


def _artifact(path: str) -> Json:
    return {"uri": _uri(path), "uriBaseId": ROOT}


def _uri(path: str) -> str:
    """A path as a relative reference: its bytes, escaped where they are not plain in every URI."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a pair, as a file name on Windows can hold it
        raw = path.encode("utf-8", "surrogatepass")
    return _NOT_IN_URIS.sub(lambda match: b"%%%02X" % match[0][0], raw).decode("ascii")


def _message(text: str) -> Json:
    """A message in which nothing is a link: that is what brackets before parentheses would be."""
    return {"text": _LINK.sub(r"\1\1\\]", encodable(text))}


def _suppression(excused: Excused) -> Json:
    suppression: dict[str, Json] = {
        "kind": "inSource" if excused.by == SUPPRESSION else "external",
        "status": "accepted",
    }
    return {**suppression, "justification": encodable(excused.reason)} if excused.reason else suppression


def _fix(fix: Fix, text: SourceText) -> Json:
    return {
        "description": _message(fix.title),
        "artifactChanges": [
            {
                "artifactLocation": _artifact(text.path),
                "replacements": [_replacement(edit, text) for edit in sorted(fix.edits)],
            }
        ],
        "properties": {"safe": fix.safe},
    }


def _replacement(edit: Edit, text: SourceText) -> Json:
    _, line, column, end_line, end_column = text.place(edit.start, edit.end)
    return {
        "deletedRegion": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
        "insertedContent": {"text": encodable(edit.text)},
    }


def _notifications(result: RunResult) -> Iterator[Json]:
    """What was not checked, and what else there is to say about the run."""
    for path, reason in result.skipped:
        yield {
            "descriptor": {"id": NOT_CHECKED, "index": 0},
            "level": "error",
            "message": _message(reason),
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(path)}}],
        }
    for line in unchecked(result):
        yield {"descriptor": {"id": NOT_CHECKED, "index": 0}, "level": "warning", "message": _message(line)}
    for notice in result.notices:
        yield {"descriptor": {"id": NOTICE, "index": 1}, "level": "note", "message": _message(notice)}


def _plain(markdown: str) -> str:
    """A page for readers that know no Markdown: code is indented, and the marks of headings and of code are gone."""
    return "\n".join(_plain_lines(markdown.splitlines()))


def _plain_lines(lines: Iterable[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if fence:
            if line == fence:
                fence = ""
            else:
                yield f"    {line}".rstrip()
        elif len(ticks) > 2:
            fence = ticks
        else:
            yield re.sub(r"^#+ ", "", line).replace("`", "")


def _beginning(text: str) -> str:
    return text if len(text) <= _LONGEST_DESCRIPTION else f"{text[:_LONGEST_DESCRIPTION].rpartition(' ')[0]} ..."
