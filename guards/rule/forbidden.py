"""Forbidding an API is data: rows, whether a rule module, a preset or a user wrote them."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from guards.config.catalogue import Forbid
from guards.config.globs import matches_any
from guards.findings.model import Candidate, Finding, Related
from guards.languages.base import CALL, READ, REFERENCE, WRITE, LanguageFile, LanguageIndex, Use
from guards.project.model import PRODUCT, FileInfo
from guards.rule import Options, Project, Rule

# A reference (method group, reflection) hands the member on to be called later.
_KINDS = {"call": (CALL, REFERENCE), "read": (READ,), "write": (WRITE,), "any": (CALL, READ, WRITE, REFERENCE)}
_REACHED_FROM = {"lifecycle": "lifecycle", "reached-from-test": "test", "reached-from-lifecycle": "lifecycle"}
_WHERE_WORDS = {
    "any": "here",
    "test": "in test code",
    "lifecycle": "in set-up and tear-down",
    "reached-from-test": "where a test reaches it",
    "reached-from-lifecycle": "where set-up or tear-down reaches it",
}
_MODES = ("EditMode", "PlayMode")


class ForbiddenApi(Rule[LanguageFile[object]]):
    """A rule that consists of rows.

    ``check`` leaves a candidate for each use whose last name fits a row; what the name means,
    and whether a test reaches it, is decided by ``judge`` on the project.
    """

    rows: tuple[Forbid, ...] = ()

    def active_rows(self, options: Options) -> tuple[Forbid, ...]:
        """The rows that hold under these options."""
        del options
        return self.rows

    def message(self, row: Forbid, name: str) -> str:
        """What is wrong at a use; ``name`` is the full name of the API."""
        return f"`{short_name(name)}` is forbidden {_WHERE_WORDS[row.where]}"

    def check(self, file: LanguageFile[object], options: Options) -> Iterator[Candidate]:
        """One candidate for each use that a row may mean."""
        for number, row in enumerate(self.active_rows(options)):
            if not _holds_in(row, file.info):
                continue
            for use in file.uses(row.api.rpartition(".")[2]):
                if use.kind in _KINDS[row.use] and _arguments_may_fit(row, use):
                    said = (str(number), use.name, use.scope, *_unsolved_words(row, use))
                    yield self.candidate(use.place, use.kind, *said, function=use.function)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The uses that mean a row's API where the row forbids it, each place once."""
        reported = set()
        for candidate in candidates:
            if candidate.place in reported:
                continue
            row = self.active_rows(project.options_for(self.name, candidate.place.path))[int(candidate.words[0])]
            index = project.index(row.language)
            use = _use_of(candidate)
            name = _meant(row, index, use)
            way = _way(row, index, candidate) if name and _arguments_fit(row, index, use) else None
            if name is not None and way is not None:
                reported.add(candidate.place)
                yield self.finding(
                    candidate.place, self.message(row, name), related=way, why=row.why, instead=row.instead
                )

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whether the name means something else or nothing that is known, or stands where the row does not hold."""
        path = candidate.place.path
        row = self.active_rows(project.options_for(self.name, path))[int(candidate.words[0])]
        index, use = project.index(row.language), _use_of(candidate)
        names = index.full_names(path, use)
        if not names:
            return f"what `{use.name}` means here is not known"
        if _meant(row, index, use) is None:
            return f"`{use.name}` can mean `{names[0]}` here, and not `{row.api}`"
        if not _arguments_fit(row, index, use):
            return "its arguments are none that the row asks for, or not known"
        if row.where == "test":
            return "the file is no test code, or what its classes derive from is not known"
        return f"it is forbidden {_WHERE_WORDS[row.where]}, and no way to it is known"


class ConfiguredRows(ForbiddenApi):
    """The rows of one name that stand in presets or in the user's configuration."""

    def __init__(self, name: str, rows: tuple[Forbid, ...]) -> None:
        self.name = name
        self.rows = rows


def short_name(name: str) -> str:
    """The last two parts of a full name, as people say it."""
    return ".".join(name.rsplit(".", 2)[-2:])


def api_matches(row: Forbid, name: str) -> bool:
    """Whether a full name is the row's API.

    A C# API without a namespace (``MiniServer.Stop``) means a type of that name anywhere.
    """
    if fnmatchcase(name, row.api):
        return True
    return row.language == "csharp" and row.api.count(".") == 1 and fnmatchcase(short_name(name), row.api)


def _holds_in(row: Forbid, info: FileInfo) -> bool:
    if row.language != info.language or matches_any(row.allow_paths, info.path):
        return False
    if row.where != "any" and info.role == PRODUCT:
        return False
    if row.unit in _MODES:
        return info.unit.mode == row.unit
    return not row.unit or fnmatchcase(info.unit.name, row.unit)


def _arguments_may_fit(row: Forbid, use: Use) -> bool:
    """Whether the arguments that a row asks for fit, as far as the file can tell."""
    given, unsolved = dict(use.arguments), dict(use.unsolved)
    return all(fnmatchcase(given[name], glob) if name in given else name in unsolved for name, glob in row.arguments)


def _unsolved_words(row: Forbid, use: Use) -> Iterator[str]:
    """The arguments that are left to the index: the name of each, how many words it has, and these."""
    asked = dict(row.arguments)
    for name, words in use.unsolved:
        if name in asked:
            yield from (name, str(len(words)), *words)


def _use_of(candidate: Candidate) -> Use:
    _, name, scope, *rest = candidate.words
    unsolved = []
    while rest:
        end = 2 + int(rest[1])
        unsolved.append((rest[0], tuple(rest[2:end])))
        rest = rest[end:]
    return Use(candidate.place, name, candidate.kind, scope, candidate.function, unsolved=tuple(unsolved))


def _arguments_fit(row: Forbid, index: LanguageIndex, use: Use) -> bool:
    """Whether the arguments fit that the file left to the index."""
    if not use.unsolved:
        return True
    folded, asked = dict(index.folded(use.place.path, use)), dict(row.arguments)
    return all(name in folded and fnmatchcase(folded[name], asked[name]) for name, _ in use.unsolved)


def _meant(row: Forbid, index: LanguageIndex, use: Use) -> str | None:
    return next((full for full in index.full_names(use.place.path, use) if api_matches(row, full)), None)


def _way(row: Forbid, index: LanguageIndex, candidate: Candidate) -> tuple[Related, ...] | None:
    """How a test gets to the use, where the row asks for that; None where the row does not hold."""
    path = candidate.place.path
    if row.where == "any":
        return ()
    if row.where == "test":
        return () if index.is_test(path) else None
    way = index.reach(path, candidate.function, _REACHED_FROM[row.where])
    return None if row.where == "lifecycle" and way else way
