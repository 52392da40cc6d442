"""Fixes made in one file: those that get into each other's way or would break it are left out.

What no edit covers stays as it is, byte for byte, and the result must parse where the file did.
"""

import re
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from guards.engine.executor import Workers, collect_all
from guards.engine.task import FileTask
from guards.findings.model import Finding
from guards.findings.result import Refused
from guards.project.model import FileInfo
from guards.source.edits import Edit, apply
from guards.source.text import SourceText, Unreadable, decode

_LONE_CR = re.compile(rb"\r(?!\n)")
_BRANCH = re.compile(rb"(?:\A|(?<=[\r\n]))[ \t]*(#)[ \t]*(if|elif|else|endif)\b")

UNREAD = "the file cannot be read: {}"
LOSSY = "the file cannot be written back as it was: its bytes are not what its encoding, {}, makes of its text"
LACKS = "the file's encoding, {}, lacks a character of it"
ODD_LINES = "some of its lines end with a lone carriage return, which its parser does not take for an end"
IN_UNREAD = "it would change a part of the file that did not parse"
ACROSS_BRANCHES = "it would reach across an `#if`, `#else` or `#endif`"
BREAKS = "the file would not parse any more"
UNPROVED = "too many fixes would break the file to find out which do not"

# Each parses the whole file.
MOST_CHECKS = 64


class Patched(NamedTuple):
    """What came of the fixes of one file.

    ``waiting`` are the findings whose fix was in the way of another's, and may be made in the result.
    """

    raw: bytes
    made: tuple[Finding, ...] = ()
    refused: tuple[Refused, ...] = ()
    waiting: tuple[Finding, ...] = ()


def patch(info: FileInfo, raw: bytes, findings: Iterable[Finding]) -> Patched:
    """Makes the fixes of findings, whose edits are known, in one file.

    Of fixes that overlap or touch, the first by place and rule is made; edits that are the same are made once.
    """
    findings = sorted(findings, key=_order)
    try:
        text = _text(info, raw)
        if not _comes_back(text, raw):
            return Patched(raw, refused=_all(findings, LOSSY.format(text.encoding)))
        if info.language != "csharp" and _LONE_CR.search(text.data):
            return Patched(raw, refused=_all(findings, ODD_LINES))
        unread = _unread(info, text, raw)
    except Unreadable as error:
        return Patched(raw, refused=_all(findings, UNREAD.format(error)))
    refused, able = [], []
    branches = _Branches(info, text.data)
    for finding in findings:
        reason = _objection(text, unread, branches, _edits(finding))
        if reason:
            refused.append(Refused(finding, reason))
        else:
            able.append(finding)
    chosen, waiting = _without_conflicts(able)
    made, broken = _sound(_Soundness(info, text, unread), chosen)
    refused.extend(broken)
    return Patched(
        text.encoded(_applied(text, made)),
        tuple(made),
        tuple(sorted(refused, key=lambda item: _order(item.finding))),
        tuple(waiting),
    )


def _order(finding: Finding) -> tuple[object, ...]:
    return (*finding.place, finding.rule, finding.message, _edits(finding))


def _edits(finding: Finding) -> tuple[Edit, ...]:
    return finding.fix.edits if finding.fix else ()


def _all(findings: Iterable[Finding], reason: str) -> tuple[Refused, ...]:
    return tuple(Refused(finding, reason) for finding in findings)


def _text(info: FileInfo, raw: bytes) -> SourceText:
    return decode(info.path, raw, python=info.language == "python")


def _comes_back(text: SourceText, raw: bytes) -> bool:
    """Whether a file's text, written in its encoding, is the file."""
    try:
        return text.encoded(text.data) == raw
    except UnicodeError:
        return False


def _unread(info: FileInfo, text: SourceText, raw: bytes) -> list[tuple[int, int]]:
    """The ranges that did not parse.

    Raises:
        Unreadable: nothing of it can be read.
    """
    [(collected, _)] = collect_all([FileTask(info, raw, 0, with_facts=True)], [()], Workers())
    if collected.failure:
        raise Unreadable(collected.failure)
    return sorted(text.span(region.place) for region in collected.unread)


class _Branches:
    """Which branch of conditional compilation each place of a file stands in: a number for each, 0 outside of all."""

    def __init__(self, info: FileInfo, data: bytes) -> None:
        self._boundaries = [0]
        self._numbers = [0]
        around = [0]
        for number, match in enumerate(_BRANCH.finditer(data) if info.language == "csharp" else (), 1):
            if match[2] != b"if" and len(around) > 1:
                around.pop()
            if match[2] != b"endif":
                around.append(number)
            self._boundaries.append(match.start(1) + 1)
            self._numbers.append(around[-1])

    def of(self, edits: Iterable[Edit]) -> set[int]:
        """The branches that edits reach into."""
        return {number for edit in edits for number in self._between(edit.start, edit.end)}

    def _between(self, start: int, end: int) -> Sequence[int]:
        first, last = bisect_right(self._boundaries, start), bisect_right(self._boundaries, end)
        return self._numbers[first - 1 : last]


def _objection(
    text: SourceText, unread: Sequence[tuple[int, int]], branches: _Branches, edits: tuple[Edit, ...]
) -> str:
    """Why a fix must not be made, whatever the others do; empty where it may."""
    try:
        for edit in edits:
            edit.text.encode(text.encoding)
    except UnicodeEncodeError:
        return LACKS.format(text.encoding)
    if any(_touches(unread, edit) for edit in edits):
        return IN_UNREAD
    if len(branches.of(edits)) > 1:
        return ACROSS_BRANCHES
    return ""


def _without_conflicts(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings whose fixes are in nobody's way, the first coming first, and the others."""
    taken: list[tuple[int, int]] = []
    known: set[Edit] = set()
    chosen: list[Finding] = []
    waiting: list[Finding] = []
    for finding in findings:
        new = [edit for edit in _edits(finding) if edit not in known]
        if any(_touches(taken, edit) for edit in new):
            waiting.append(finding)
            continue
        chosen.append(finding)
        known.update(new)
        for edit in new:
            insort(taken, (edit.start, edit.end))
    return chosen, waiting


def _touches(taken: Sequence[tuple[int, int]], edit: Edit) -> bool:
    # The ranges are sorted and disjoint, so of those that start before the edit's end, the last reaches farthest.
    index = bisect_right(taken, (edit.end, edit.end)) - 1
    following = taken[index + 1] if index + 1 < len(taken) else None
    return (index >= 0 and taken[index][1] >= edit.start) or (following is not None and following[0] <= edit.end)


class _Soundness:
    """Whether a file reads as well as before."""

    def __init__(self, info: FileInfo, text: SourceText, unread: Sequence[tuple[int, int]]) -> None:
        self._info = info
        self._text = text
        self._before = Counter(text.data[start:end] for start, end in unread)

    def holds(self, findings: Sequence[Finding]) -> bool:
        """Whether nothing is unread after the fixes of findings that was read before."""
        data = _applied(self._text, findings)
        try:
            raw = self._text.encoded(data)
            text = _text(self._info, raw)
            if text.data != data:
                return False
            after = Counter(data[start:end] for start, end in _unread(self._info, text, raw))
        except (Unreadable, UnicodeError):
            return False
        return after <= self._before


def _sound(soundness: _Soundness, findings: list[Finding]) -> tuple[list[Finding], list[Refused]]:
    """The findings whose fixes leave the file as readable as it was, and the others: found by halves."""
    made: list[Finding] = []
    refused: list[Refused] = []
    pending = [findings] if findings else []
    checks = 0
    while pending:
        group = pending.pop()
        checks += 1
        if checks > MOST_CHECKS:
            refused.extend(_all(group, UNPROVED))
        elif soundness.holds([*made, *group]):
            made.extend(group)
        elif len(group) == 1:
            refused.append(Refused(group[0], BREAKS))
        else:
            half = len(group) // 2
            pending += group[half:], group[:half]
    return made, refused


def _applied(text: SourceText, findings: Iterable[Finding]) -> bytes:
    return apply(text.data, {edit for finding in findings for edit in _edits(finding)})
