"""``check --fix``: rounds of fixing and checking again, until there is nothing left to fix.

Whatever a round makes is laid over the project for the next one; files are written at the end.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from guards.engine.collect import bug_of_ours
from guards.engine.loader import catalogue, rule_class
from guards.engine.patching import patch
from guards.engine.run import Request, check
from guards.engine.task import content_key
from guards.engine.writing import NotWritten, objection, replace
from guards.findings.model import Finding
from guards.findings.result import BASELINE, Fixes, Refused, RunResult
from guards.project.files import Unread
from guards.source.edits import Fix
from guards.source.text import SourceText, Unreadable, decode

# A fix can make room for one that it was in the way of, and uncover what another rule fixes. Fixes that undo each
# other would go on for ever.
_ROUNDS = 10

CHANGED = "the file changed meanwhile"
WAS_HELD = "the baseline held it back until a fix changed a line beside it"
NOT_NAMED = "it would change a file that is not named"

# The decoded text of a file of the project, or None where it cannot be read any more.
Sources: TypeAlias = Callable[[str], SourceText | None]
# What a rule made of its findings in a text, by its code.
Known: TypeAlias = dict[tuple[str, bytes, tuple[Finding, ...]], dict[Finding, Fix]]


class FixedFile(NamedTuple):
    """One file with other bytes than before."""

    path: str
    before: bytes
    after: bytes


class Fixed(NamedTuple):
    """What came of fixing: ``found`` is what a check alone says, ``left`` what it says of the fixed files."""

    found: RunResult
    left: RunResult
    files: tuple[FixedFile, ...]


def fix(request: Request, *, unsafe: bool) -> Fixed:
    """Checks a project, and works out what it would be with the findings fixed; nothing is written.

    Args:
        request: what to check; findings in files that it does not name are left alone.
        unsafe: whether fixes are made, too, that a person should look at.

    Raises:
        ConfigError: the configuration cannot be used; nothing was run.
        BadPaths: a path does not exist or lies outside of the project; nothing was run.
    """
    found = left = check(request)
    fixing = _Fixing(request, found, unsafe=unsafe)
    known: Known = {}
    for _ in range(_ROUNDS):
        left = with_edits(left, fixing.source, known)
        if not fixing.round(left):
            break
        left = check(request._replace(fixed=fixing.after))
    return Fixed(found, left._replace(fixes=fixing.fixes), fixing.files())


def written(fixed: Fixed, request: Request) -> Fixed:
    """The same after the fixed files are written; what could not be written is not fixed."""
    failed: dict[str, str] = {}
    for path, before, after in fixed.files:
        try:
            replace(request.root, path, before, after)
        except NotWritten as error:
            failed[path] = str(error)
    if not failed or fixed.left.fixes is None:
        return fixed
    files = tuple(file for file in fixed.files if file.path not in failed)
    made, refused, _ = fixed.left.fixes
    fixes = Fixes(
        tuple(finding for finding in made if finding.place.path not in failed),
        (*refused, *(Refused(f, failed[f.place.path]) for f in made if f.place.path in failed)),
    )
    left = check(request._replace(fixed={file.path: file.after for file in files}))
    return Fixed(fixed.found, left._replace(fixes=fixes), files)


def with_edits(result: RunResult, sources: Sources, known: Known | None = None) -> RunResult:
    """The result with the edits of every fix, those too that rules work out only when somebody wants them.

    A fix that turns out impossible is taken from its finding. ``known`` is filled with what was worked out, and spares
    doing that again for a file that stays as it is.
    """
    known = {} if known is None else known
    edited: dict[Finding, Fix] = {}
    notices: list[str] = []
    lazy = [finding for finding in result.findings if finding.fix and not finding.fix.edits]
    for (path, code), group in groupby(sorted(lazy, key=_by_rule), _by_rule):
        text = sources(path)
        if text is not None:
            key = (code, text.data, tuple(group))
            try:
                if key not in known:
                    known[key] = dict(_rewritten(code, text, key[-1]))
                edited.update(known[key])
            except Exception as error:  # noqa: BLE001 whatever one rule does to us, the others fix
                notices.append(f"nothing of `{code}` was fixed in {path}: {bug_of_ours(error)}")
    findings = tuple(f._replace(fix=edited.get(f)) if f.fix and not f.fix.edits else f for f in result.findings)
    return result._replace(findings=findings, notices=(*result.notices, *notices))


def _by_rule(finding: Finding) -> tuple[str, str]:
    return finding.place.path, finding.code


def _rewritten(code: str, text: SourceText, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Fix]]:
    entry = next((entry for entry in catalogue().entries if entry.code == code), None)
    if entry is not None:
        yield from ((finding, fix) for finding, fix in rule_class(entry)().rewrite(text, findings) if fix.edits)


class _Fixing:
    """The files of one run as they were and as they are now, and what was done to them."""

    def __init__(self, request: Request, found: RunResult, *, unsafe: bool) -> None:
        self._request = request
        self._unsafe = unsafe
        self._held = _held_back(found)
        self._files = request.files()
        self._named = _named(request)
        self._before: dict[str, bytes] = {}
        self._made: list[Finding] = []
        self._refused: tuple[Refused, ...] = ()
        self.after: dict[str, bytes] = {}

    @property
    def fixes(self) -> Fixes:
        """What was done, and what the last round refused."""
        return Fixes(tuple(self._made), self._refused)

    def files(self) -> tuple[FixedFile, ...]:
        """The files that are others now."""
        return tuple(
            FixedFile(path, self._before[path], after)
            for path, after in sorted(self.after.items())
            if after != self._before[path]
        )

    def source(self, path: str) -> SourceText | None:
        """The text of a file as it is now."""
        try:
            return decode(path, self._now(path), python=path.endswith(".py"))
        except (Unread, Unreadable):
            return None

    def round(self, result: RunResult) -> bool:
        """Makes what fixes of a result can be made together; whether there were any."""
        judged = dict(result.judged)
        wanted = [f for f in result.findings if f.fix and f.fix.edits and (f.fix.safe or self._unsafe)]
        let_go = self._held - _held_back(result)
        refused = [Refused(finding, WAS_HELD) for finding in wanted if _by_rule(finding) in let_go]
        wanted = [finding for finding in wanted if _by_rule(finding) not in let_go]
        progress = False
        for path, group in groupby(sorted(wanted, key=_by_rule), lambda finding: finding.place.path):
            findings = list(group)
            if reason := self._objection(path, judged.get(path)):
                refused.extend(Refused(finding, reason) for finding in findings)
                continue
            patched = patch(self._files.info(path), self._now(path), findings)
            refused.extend(patched.refused)
            if patched.raw != self._now(path):
                self._made.extend(patched.made)
                self.after[path] = patched.raw
                progress = True
        self._refused = tuple(refused)
        return progress

    def _objection(self, path: str, judged: bytes | None) -> str:
        """Why nothing in a file must be fixed; empty where that may be."""
        if self._named is not None and path not in self._named:
            return NOT_NAMED
        if path not in self._request.overlay and (reason := objection(self._request.root, path)):
            return reason
        try:
            return "" if content_key(self._now(path)) == judged else CHANGED
        except Unread as error:
            return str(error)

    def _now(self, path: str) -> bytes:
        if path not in self._before:
            self._before[path] = self._files.read(path)
        return self.after.get(path, self._before[path])


def _held_back(result: RunResult) -> Counter[tuple[str, str]]:
    """How many findings the baseline holds back, by file and rule."""
    return Counter(_by_rule(excused.finding) for excused in result.excused if excused.by == BASELINE)


def _named(request: Request) -> frozenset[str] | None:
    """The files that may be fixed; None for all."""
    if request.overlay:
        return frozenset(request.overlay)
    return frozenset(request.files().named(request.paths).files) if request.paths else None
