"""Fixes of findings: edits are worked out, chosen, made, and kept only where the file still parses."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

from guards.engine.collect import bug_of_ours
from guards.engine.loader import catalogue, rule_class
from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.source.edits import Fix
from guards.source.text import SourceText

# The decoded text of a file of the project, or None where it cannot be read any more.
Sources: TypeAlias = Callable[[str], SourceText | None]


def with_edits(result: RunResult, sources: Sources) -> RunResult:
    """The result with the edits of every fix, those too that rules work out only when somebody wants them.

    A fix that turns out impossible is taken from its finding.
    """
    edited: dict[Finding, Fix] = {}
    notices: list[str] = []
    lazy = [finding for finding in result.findings if finding.fix and not finding.fix.edits]
    for (path, code), group in groupby(sorted(lazy, key=_by_rule), _by_rule):
        text = sources(path)
        if text is not None:
            try:
                edited.update(_rewritten(code, text, list(group)))
            except Exception as error:  # noqa: BLE001 whatever one rule does to us, the others fix
                notices.append(f"nothing of `{code}` was fixed in {path}: {bug_of_ours(error)}")
    findings = tuple(f._replace(fix=edited.get(f)) if f.fix and not f.fix.edits else f for f in result.findings)
    return result._replace(findings=findings, notices=(*result.notices, *notices))


def _by_rule(finding: Finding) -> tuple[str, str]:
    return finding.place.path, finding.code


def _rewritten(code: str, text: SourceText, findings: list[Finding]) -> Iterator[tuple[Finding, Fix]]:
    entry = next((entry for entry in catalogue().entries if entry.code == code), None)
    if entry is not None:
        yield from ((finding, fix) for finding, fix in rule_class(entry)().rewrite(text, findings) if fix.edits)
