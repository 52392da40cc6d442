"""GitLab's Code Quality report: findings that a merge request shows, and whether they are new."""

from collections.abc import Iterator
from hashlib import blake2b

from guards.findings.result import RunResult
from guards.reports.escape import encodable
from guards.reports.json_report import Json, dumps
from guards.reports.model import Sources, Style
from guards.reports.recognise import recognised

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}
NOT_CHECKED = "not-checked"


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """An entry for each finding that counts, and for each file that could not be checked."""
    del style
    return dumps([*_findings(result, sources), *_skipped(result)])


def _findings(result: RunResult, sources: Sources) -> Iterator[Json]:
    for finding, excused, mark in recognised(result, sources):
        if not excused:
            path, line, *_ = finding.place
            yield _entry(finding.message, finding.rule, _SEVERITIES[finding.severity], (path, line), mark)


def _skipped(result: RunResult) -> Iterator[Json]:
    for path, reason in result.skipped:
        yield _entry(f"not checked: {reason}", NOT_CHECKED, "critical", (path, 1), reason)


def _entry(description: str, name: str, severity: str, where: tuple[str, int], mark: str) -> Json:
    path, line = where
    return {
        "description": encodable(description),
        "check_name": encodable(name),
        "fingerprint": _fingerprint(name, path, mark),
        "severity": severity,
        "location": {"path": encodable(path), "lines": {"begin": line}},
    }


def _fingerprint(*words: str) -> str:
    """Of two entries with one fingerprint, GitLab shows only one."""
    return blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
