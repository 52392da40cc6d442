"""What a change brings: the findings of now, without those that were there at a commit.

The project is judged twice, as it is and as it was then, by the rules and settings of now. So a
finding is new, too, where the change stands in another file than the finding.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache

from guards.engine.baseline import entries_for, marks
from guards.engine.run import Request, check
from guards.findings.baseline import match
from guards.findings.fingerprint import place_fingerprint
from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.project.changes import past
from guards.project.files import ProjectFiles, Unread
from guards.source.text import SourceText, Unreadable, decode

Key = Callable[[Finding], Hashable]


def check_since(request: Request, commit: str) -> RunResult:
    """The result of ``check``, with findings and unread files that are not of the time of ``commit``.

    Raises:
        GitFailed: there is no git, no repository, or no such commit.
        ConfigError, BadPaths: as ``check``.
    """
    now = check(request)
    if not now.findings and not now.skipped:
        return now
    before = past(request.root, commit)
    then = request._replace(paths=(), overlay={}, fixed=before.contents, only=before.only)
    old = check(then)
    known = frozenset(skipped.path for skipped in old.skipped)

    def old_name(path: str) -> str:
        return before.old_names.get(path, path)

    left, gone = _new(now.findings, request.files(), old.findings, then.files(), old_name)
    findings = _without_moved(left, request.files(), gone, then.files(), before.only)
    skipped = tuple(skipped for skipped in now.skipped if old_name(skipped.path) not in known)
    return now._replace(findings=findings, skipped=skipped, notices=(*now.notices, *_left_out(now, findings, skipped)))


def _left_out(now: RunResult, findings: tuple[Finding, ...], skipped: tuple[object, ...]) -> Iterator[str]:
    if hidden := len(now.findings) - len(findings):
        yield f"not shown: {hidden} {'finding that was' if hidden == 1 else 'findings that were'} there before"
    if hidden := len(now.skipped) - len(skipped):
        yield f"{hidden} {'file' if hidden == 1 else 'files'} could not be checked, now as before"


def _new(
    findings: Iterable[Finding],
    files: ProjectFiles,
    old_findings: Iterable[Finding],
    old_files: ProjectFiles,
    old_name: Callable[[str], str],
) -> tuple[list[Finding], list[Finding]]:
    """The findings that no old one accounts for, and the old ones that account for none.

    First by line and neighbours, then by the line alone.
    """
    here, there = _Lines(files), _Lines(old_files)
    keys: tuple[tuple[Key, Key], ...] = (
        (lambda f: (f.rule, old_name(f.place.path), here.mark(f)), lambda f: (f.rule, f.place.path, there.mark(f))),
        (lambda f: (f.rule, old_name(f.place.path), here.line(f)), lambda f: (f.rule, f.place.path, there.line(f))),
    )
    left, old_left = list(findings), list(old_findings)
    for key, old_key in keys:
        left, old_left = _without(left, key, old_left, old_key), _without(old_left, old_key, left, key)
    return left, old_left


def _without_moved(
    findings: list[Finding],
    files: ProjectFiles,
    gone: list[Finding],
    old_files: ProjectFiles,
    old_paths: frozenset[str],
) -> tuple[Finding, ...]:
    """The findings that did not come along with a file that was renamed and that git does not know yet."""
    in_new_files = [finding for finding in findings if finding.place.path not in old_paths]
    matched = match(in_new_files, marks(in_new_files, files), entries_for(gone, old_files, "old"), files.is_file)
    moved = {finding for finding, _ in matched.held}
    return tuple(finding for finding in findings if finding not in moved)


def _without(findings: list[Finding], key: Key, taken: list[Finding], taken_key: Key) -> list[Finding]:
    """The findings that remain when each of ``taken`` takes one away that has its key."""
    counts = Counter(map(taken_key, taken))
    remaining = []
    for finding in findings:
        if counts[key(finding)] > 0:
            counts[key(finding)] -= 1
        else:
            remaining.append(finding)
    return remaining


class _Lines:
    """The lines of findings, each file read once."""

    def __init__(self, files: ProjectFiles) -> None:
        self._files = files
        self._text = cache(self._decoded)

    def mark(self, finding: Finding) -> str:
        text = self._text(finding.place.path)
        return place_fingerprint(finding.place, text) if text else ""

    def line(self, finding: Finding) -> bytes:
        text = self._text(finding.place.path)
        return text.line_bytes(finding.place.line).strip() if text else b""

    def _decoded(self, path: str) -> SourceText | None:
        try:
            return decode(path, self._files.read(path), python=path.endswith(".py"))
        except (Unread, Unreadable):
            return None
