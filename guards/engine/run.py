"""One run of ``check``: discover, plan, collect, join, settle.

Named files are judged on the whole project all the same: facts of other files come from the
cache, and only the findings that have a place in a named file are reported.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from guards.config.load import ConfigSet
from guards.config.model import CommandLine, RuleSetting
from guards.engine.collect import bug_of_ours, load_rule
from guards.engine.loader import catalogue, rule_class
from guards.engine.plan import Planner
from guards.engine.settle import UNUSED, order, settle, with_setting
from guards.engine.store import Means, Store
from guards.findings.model import Candidate, Finding
from guards.findings.result import Excused, RunResult, Skipped
from guards.project.discover import OTHER_KIND, PRUNED_FOLDERS
from guards.project.files import ProjectFiles
from guards.project.kinds import language_of

if TYPE_CHECKING:
    from guards.engine.baseline import Held
    from guards.engine.task import Collected, RulePlan
    from guards.findings.baseline import Baseline, Entry
    from guards.languages.base import ProjectFacts
    from guards.project.model import FileInfo
    from guards.rule.project import Options, Project
    from guards.source.edits import Fix
    from guards.source.place import Place

# What a listing meets that nobody would call unread.
_NEVER_SOURCE = frozenset({OTHER_KIND, PRUNED_FOLDERS})
LANGUAGES = ("csharp", "gdscript", "python")


class BadPaths(Exception):
    """Paths that cannot be checked; nothing was run."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(self.problems)


class Request(NamedTuple):
    """What to check and how.

    ``paths`` are files and folders as named on the command line; none means the whole project.
    ``overlay`` is unsaved text by path relative to ``root``; only these files are reported then.
    ``only`` are the files and folders that count, where not all do. ``fixed`` are the files as fixes
    leave them; unlike unsaved text they narrow nothing.
    """

    root: str
    paths: tuple[str, ...] = ()
    command_line: CommandLine = CommandLine()
    overlay: Mapping[str, bytes] = {}
    means: Means = Means()
    only: frozenset[str] | None = None
    fixed: Mapping[str, bytes] = {}

    def files(self) -> ProjectFiles:
        """The project with what is laid over it."""
        return ProjectFiles(self.root, {**self.overlay, **self.fixed}, self.only)


def check(request: Request) -> RunResult:
    """Checks a project, or named files of it.

    Raises:
        ConfigError: the configuration or the baseline cannot be used; nothing was run.
        BadPaths: a path does not exist or lies outside of the project; nothing was run.
    """
    result, held = examine(request)
    if held is not None:
        from guards.engine.baseline import refuse_unknown

        refuse_unknown(held)
    return result


def examine(request: Request) -> "tuple[RunResult, Held | None]":
    """The same with what the baseline did, where there is one; its entries of unknown rules are passed over.

    Raises:
        ConfigError, BadPaths: as ``check``.
    """
    configs = ConfigSet.load(request.root, catalogue(), request.command_line)
    run = Run(request, configs)
    with run.store:
        return run.result(), run.held


class Run:
    """The parts of one run, and what they need of each other."""

    def __init__(self, request: Request, configs: ConfigSet) -> None:
        self.configs = configs
        self.files = request.files()
        self.planner = Planner(catalogue())
        self.store = Store(self.files, self.planner.plans, request.means)
        self.named = self._named(request)
        self.excluded: set[str] = set()
        self.skipped: list[Skipped] = []
        self.unjudged_rules: set[str] = set()
        self.held: Held | None = None
        self.said: dict[str, Collected] = {}
        self.plan_of: dict[str, int] = {}

    def _named(self, request: Request) -> tuple[str, ...] | None:
        """The files to report on; None for all."""
        if request.overlay:
            return tuple(sorted(request.overlay))
        if not request.paths:
            return None
        named = self.files.named(request.paths)
        if named.problems:
            raise BadPaths(named.problems)
        return named.files

    def result(self) -> RunResult:
        """Collects, joins and settles."""
        wanted = self._wanted()
        baseline = self._baseline()
        said = self.said = self.store.said(wanted)
        self.plan_of = {info.path: plan for info, plan in wanted}
        read = {path: collected for path, collected in said.items() if not collected.failure}
        findings = [finding for collected in read.values() for finding in collected.findings]
        findings.extend(self._join(read))
        reported = frozenset(said if self.named is None else self.named)
        settled = settle(
            [finding for finding in findings if _touches(finding, reported)],
            {path: collected.suppressions for path, collected in read.items()},
            self._setting,
            self.planner.codes,
            self._unused_suppression,
        )
        # A suppression in a file that is not named counts where a finding stands, but is not judged itself.
        shown = tuple(finding for finding in settled.findings if _touches(finding, reported))
        excused = settled.excused
        if baseline is not None:
            from guards.engine.baseline import hold_back

            judged = self._judged_entry(said)
            self.held = hold_back(baseline, shown, self.files, self.configs, judged)
            shown = tuple(sorted((*self.held.matched.left, *self._stale(self.held)), key=order))
            excused = tuple(sorted((*excused, *self.held.excused()), key=lambda item: order(item.finding)))
        return self._summary(shown, excused, {path: said[path] for path in said if path in reported})

    def _baseline(self) -> "Baseline | None":
        """The baseline, if there is one."""
        if not os.path.lexists(os.path.join(self.files.root, self.configs.baseline())):
            return None
        from guards.engine.baseline import read

        return read(self.files, self.configs)

    def _judged_entry(self, said: "Mapping[str, Collected]") -> "Callable[[Entry], bool]":
        """Tells of which entries this run can say that nothing needs them: all was read that they are about."""
        incomplete = {path for path, collected in said.items() if collected.failure or collected.unread}

        def is_judged(entry: "Entry") -> bool:
            return (
                self.named is None
                and entry.path not in incomplete
                and entry.rule not in self.unjudged_rules
                and not self.configs.config_for(entry.path).excludes(entry.path)
                and self._setting(entry.rule, entry.path) is not None
            )

        return is_judged

    def _stale(self, held: "Held") -> Iterator[Finding]:
        from guards.engine.baseline import STALE

        rule = rule_class(self.planner.entry(STALE, "any"))()
        for entry, found in held.stale():
            what = f"only {found} of {entry.times} findings" if found else "no finding"
            message = f"{what} of `{entry.rule}` that this holds back {'are' if found else 'is'} left in `{entry.path}`"
            if finding := with_setting(rule.finding(entry.place, message), self._setting, self.planner.codes):
                yield finding

    def _wanted(self) -> "list[tuple[FileInfo, int]]":
        """The files to collect from, each with its plan."""
        self.configs.load_all(self.files.listing() if self.named is None else self.named)
        if self.named is None:
            return self._planned(self.files.listing())
        wanted = self._planned(self.named)
        languages = {
            info.language
            for info, plan in wanted
            if any(map(self.planner.reaches_other_files, self.planner.plans[plan]))
        }
        if languages:
            named = frozenset(self.named)
            wanted.extend(self._planned(path for path in self._of_languages(languages) if path not in named))
        return wanted

    def _of_languages(self, languages: Collection[str]) -> Iterator[str]:
        return (path for path in self.files.listing() if language_of(path) in languages)

    def _planned(self, paths: Iterable[str]) -> "list[tuple[FileInfo, int]]":
        planned = []
        for path in paths:
            if self.configs.config_for(path).excludes(path):
                self.excluded.add(path)
            else:
                info = self.files.info(path)
                planned.append((info, self.planner.plan(info, self.configs.settings_for(path))))
        return planned

    def _join(self, said: "Mapping[str, Collected]") -> Iterator[Finding]:
        """Turns candidates into findings: rule by rule, on the whole project.

        Candidates of a file that is not named are of interest only where their finding can have a place in one that is.
        """
        named = frozenset(said if self.named is None else self.named)
        groups: dict[tuple[str, ...], tuple[RulePlan, list[Candidate]]] = {}
        for path, collected in said.items():
            plans = {plan.name: plan for plan in self.planner.plans[self.plan_of[path]]}
            for candidate in collected.candidates:
                plan = plans[candidate.rule]
                if path not in named and not self.planner.reaches_other_files(plan):
                    continue
                _, candidates = groups.setdefault(_identity(plan), (plan, []))
                candidates.append(candidate)
        if not groups:
            return
        project = self.project()
        for _, (plan, candidates) in sorted(groups.items()):
            rule, _ = load_rule(plan)
            try:
                yield from rule.judge(sorted(candidates, key=_by_place), project)
            except Exception as error:  # noqa: BLE001 whatever one rule does to us, the others are judged
                self.unjudged_rules.add(plan.name)
                where = min(candidate.place.path for candidate in candidates)
                self.skipped.append(
                    Skipped(where, f"`{plan.name}` was not judged on the project: {bug_of_ours(error)}")
                )

    def project(self) -> "Project":
        """The project as rules see it."""
        from guards.rule.project import Project

        def load_facts(language: str) -> "ProjectFacts":
            return self.store.facts([self.files.info(path) for path in self._of_languages({language})])

        reported = frozenset(self.named) if self.named is not None else None
        return Project(load_facts, self._options_for, self.configs.known_rules(), self.configs.owned(), reported)

    def _setting(self, rule: str, path: str) -> RuleSetting | None:
        rules = self.configs.settings_for(path).rules
        return rules.get((rule, self.files.info(path).language)) or rules.get((rule, "any"))

    def _options_for(self, rule: str, path: str) -> "Options":
        from guards.rule.project import Options

        setting = self._setting(rule, path)
        return Options(setting.options if setting else {})

    def _unused_suppression(self, name: str, place: "Place", fix: "Fix") -> Finding:
        entry = self.planner.entry(UNUSED, "any")
        return rule_class(entry)().finding(place, f"nothing here is a finding of `{name}`", fix=fix)

    def _summary(
        self, findings: tuple[Finding, ...], excused: tuple[Excused, ...], said: "Mapping[str, Collected]"
    ) -> RunResult:
        skipped, allowed = list(self.skipped), 0
        by_language = dict.fromkeys(LANGUAGES, 0)
        for path in sorted(said):
            collected = said[path]
            if not collected.failure:
                by_language[collected.language] = by_language.get(collected.language, 0) + 1
            elif self.configs.config_for(path).allows_unanalysed(path, collected.language):
                allowed += 1
            else:
                skipped.append(Skipped(path, collected.failure))
        return RunResult(
            findings,
            sum(by_language.values()),
            tuple(sorted(item for item in by_language.items() if item[1])),
            tuple(sorted(skipped)),
            allowed,
            sum(len(collected.unread) for collected in said.values()),
            excused,
            tuple(self._notices(said)),
            self._judged(findings),
            checked=tuple(path for path in sorted(said) if not said[path].failure),
        )

    def _judged(self, findings: tuple[Finding, ...]) -> tuple[tuple[str, bytes], ...]:
        paths = sorted({finding.place.path for finding in findings if finding.fix})
        return tuple((path, self.store.judged[path]) for path in paths if path in self.store.judged)

    def _notices(self, said: "Mapping[str, Collected]") -> Iterator[str]:
        if self.named is None:
            discovered = self.files.discovered
            if discovered.note:
                yield discovered.note
            left_out = [f"{count} {reason}" for reason, count in discovered.skipped if reason not in _NEVER_SOURCE]
            if left_out:
                yield f"left out: {', '.join(left_out)}"
        if self.excluded:
            yield f"excluded by configuration: {len(self.excluded)} {'file' if len(self.excluded) == 1 else 'files'}"
        for problem in self.configs.notices():
            yield str(problem)
        if self.store.trouble:
            yield self.store.trouble
        guessed = sum(1 for collected in said.values() if collected.note)
        if guessed:
            yield f"{guessed} {'file is' if guessed == 1 else 'files are'} not UTF-8 and were read as Windows-1252"


def _identity(plan: "RulePlan") -> tuple[str, ...]:
    """Rows of configuration can differ from file to file; a rule module is one, whatever its options."""
    return (plan.name, plan.module, plan.class_name, *(repr(row) for row in plan.rows))


def _touches(finding: Finding, paths: frozenset[str]) -> bool:
    return any(place.path in paths for place in finding.places())


def _by_place(candidate: Candidate) -> tuple[object, ...]:
    return (*candidate.place, candidate.kind, candidate.words)
