"""The two hooks of a commit: what a change brings in its own files, and what it brings about elsewhere."""

from guards.engine.run import Request, check
from guards.engine.since import check_since
from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.project.changes import proposed_change


def check_files(request: Request) -> RunResult:
    """The findings that have a place in the named files, each in one of the runs that a long list is cut into.

    Raises:
        GitFailed: git cannot say what the change is.
        ConfigError, BadPaths: as ``check``.
    """
    result = check(request)
    named = frozenset(request.files().named(request.paths).files)
    change = proposed_change(request.root).changed
    # Where every file is named, as by `--all-files`, the run that has the finding's own file reports it.
    elsewhere = change if named <= change else request.only or frozenset()

    def ours(finding: Finding) -> bool:
        return finding.place.path in named or finding.place.path not in elsewhere

    return result._replace(findings=tuple(filter(ours, result.findings)))


def check_elsewhere(request: Request) -> RunResult:
    """The findings that the change brings about in files that it does not hold.

    Raises:
        GitFailed: git cannot say what the change is.
        ConfigError: as ``check``.
    """
    base, changed = proposed_change(request.root)
    result = check_since(request, base)
    return result._replace(
        findings=tuple(f for f in result.findings if changed.isdisjoint(place.path for place in f.places())),
        skipped=tuple(skipped for skipped in result.skipped if skipped.path not in changed),
    )
