"""Why there is no finding on a line: what the run knows of the file, then of each rule."""

import os
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from guards.config.catalogue import OFF
from guards.config.globs import matches_any
from guards.config.load import ConfigSet
from guards.config.resolve import DEFAULT
from guards.engine.collect import load_rule, triggered
from guards.engine.loader import catalogue
from guards.engine.run import BadPaths, Request, Run
from guards.engine.task import Collected, FileTask, RulePlan
from guards.findings.model import Candidate, Finding
from guards.findings.result import SUPPRESSION, Excused, RunResult
from guards.project.model import PRODUCT, PROJECT_FILE, SUPPORT, TEST, UNDECIDED, FileInfo
from guards.source.place import Place
from guards.source.text import SourceText, decode

if TYPE_CHECKING:
    from guards.config.explain import RuleExplanation

_ROLES = {
    TEST: "test code",
    SUPPORT: "code that only tests use",
    PRODUCT: "product code",
    UNDECIDED: "a script that is a suite if its base classes say so",
    PROJECT_FILE: "a project file",
}
# In this order they are shown: what was said, what was looked at, what was not.
_NOTHING, _NOT_IN_FILE = (
    "looked at the file, and has nothing to say of this line",
    "has nothing to look at in this file",
)


class Silence(NamedTuple):
    """What there is to say of a line.

    ``file`` are sentences about the file, ``rules`` sentences about rules, each with the names of
    those that it holds for.
    """

    path: str
    line: int
    file: tuple[str, ...]
    rules: tuple[tuple[str, tuple[str, ...]], ...] = ()


def explain_silence(request: Request, path: str, line: int) -> Silence:
    """Why no rule, or not the one that was expected, says anything about a line.

    Raises:
        ConfigError: the configuration or the baseline cannot be used.
        BadPaths: there is no such file in the project, or no such line in it.
    """
    if os.path.isdir(path):
        raise BadPaths((f"`{path}` is a folder; a line stands in a file",))
    request = request._replace(paths=(path,))
    files = request.files()
    found = files.named((path,))
    if found.problems:
        raise BadPaths(found.problems)
    if not found.files:
        return Silence(path, line, ("It is no file that suiteguard reads.",))
    (name,) = found.files
    configs = ConfigSet.load(request.root, catalogue(), request.command_line)
    listed = name in files.listing()
    unlisted = (
        "A run on the whole project leaves it out: git ignores it, or it stands in a folder of caches or results."
    )
    config = configs.config_for(name)
    glob = next((glob for glob in config.exclude if matches_any((glob,), name)), None)
    if glob is not None:
        said = f"It is not checked: `exclude` holds `{glob}` in {config.path or 'a preset'}."
        return Silence(name, line, (said,) if listed else (unlisted, said))
    run = Run(request, configs)
    with run.store:
        silence = _Line(run, run.result(), name, line).silence()
    return silence if listed else silence._replace(file=(unlisted, *silence.file))


class _Line:
    """One line of one file, in a run on that file."""

    def __init__(self, run: Run, result: RunResult, path: str, line: int) -> None:
        self._run = run
        self._result = result
        self._line = line
        self._info = run.files.info(path)
        self._collected: Collected = run.said[path]
        self._plans = {plan.name: plan for plan in run.planner.plans[run.plan_of[path]]}

    def silence(self) -> Silence:
        """All sentences, those about several rules once."""
        file = tuple(self._about_file())
        if self._collected.failure:
            return Silence(self._info.path, self._line, file)
        sentences: dict[str, list[str]] = {}
        for rule in self._run.configs.describe(self._info.path).rules:
            if rule.language in (self._info.language, "any"):
                for sentence in self._about_rule(rule):
                    sentences.setdefault(sentence, []).append(rule.name)
        last = (_NOTHING, _NOT_IN_FILE)
        ordered = sorted(sentences, key=lambda said: (said.startswith("is off"), said in last, said))
        return Silence(
            self._info.path, self._line, file, tuple((said, tuple(dict.fromkeys(sentences[said]))) for said in ordered)
        )

    def _about_file(self) -> Iterator[str]:
        if self._collected.failure:
            yield f"It could not be read: {self._collected.failure}."
            return
        yield f"It is {_ROLES[self._info.role]}{_because(self._info)}."
        if self._info.role == UNDECIDED:
            is_suite = self._run.project().gdscript.is_test(self._info.path)
            yield (
                "Its base classes make it a suite."
                if is_suite
                else "Its base classes, as far as they are known, make it none."
            )
        count = len(self._text.line_starts)
        lines = count if self._text.line_bytes(count) else max(1, count - 1)  # what a line's end begins is none
        if self._line > lines:
            raise BadPaths((f"`{self._info.path}` has {lines} lines",))
        for region in self._collected.unread:
            if region.place.line - 1 <= self._line <= region.place.end_line + 1:
                where = f"lines {region.place.line} to {region.place.end_line}"
                yield f"Rules did not see {where}, which did not parse; none says near it that anything is missing."
        for suppression in self._collected.suppressions:
            if suppression.first_line <= self._line <= suppression.last_line and not suppression.has_reason:
                yield f"The comment in line {suppression.place.line} suppresses nothing, since it gives no reason."

    def _about_rule(self, rule: "RuleExplanation") -> Iterator[str]:
        """What is to be said of one rule; at least one sentence."""
        if rule.severity == OFF:
            yield "is off: nothing turns it on" if rule.origin == DEFAULT else f"is off by {rule.origin}"
            return
        said = [
            *(_reported(finding) for finding in self._result.findings if self._is_of(finding, rule)),
            *(self._excused(excused) for excused in self._result.excused if self._is_of(excused.finding, rule)),
        ]
        plan = self._plans.get(rule.name)
        if not said and plan is not None:
            said = [
                self._looked(plan, candidate)
                for candidate in self._collected.candidates
                if self._is_at(candidate, rule)
            ]
        yield from dict.fromkeys(said or [self._not_looked(plan)])

    def _is_of(self, finding: Finding, rule: "RuleExplanation") -> bool:
        return finding.rule == rule.name and any(self._covers(place) for place in finding.places())

    def _is_at(self, candidate: Candidate, rule: "RuleExplanation") -> bool:
        return candidate.rule == rule.name and self._covers(candidate.place)

    def _covers(self, place: Place) -> bool:
        return place.path == self._info.path and place.line <= self._line <= place.end_line

    def _excused(self, excused: Excused) -> str:
        finding, by, reason = excused
        if by != SUPPRESSION:
            entry = next((e for f, e in self._run.held.matched.held if f == finding), None) if self._run.held else None
            where = f", line {entry.place.line}" if entry else ""
            return f"is held back by the baseline{where}: {reason}"
        path, line = finding.place.path, finding.place.line
        comments = [s.place.line for s in self._run.said[path].suppressions if s.covers(finding.rule, line)]
        return (
            f"is suppressed by the comment in line {comments[0]}: {reason}" if comments else f"is suppressed: {reason}"
        )

    def _looked(self, plan: RulePlan, candidate: Candidate) -> str:
        rule, _ = load_rule(plan)
        why = rule.silence(candidate, self._run.project())
        return f"looked at this line and found no flaw{f': {why}' if why else ''}"

    def _not_looked(self, plan: RulePlan | None) -> str:
        if plan is None:
            return f"does not look at {_ROLES[self._info.role]}"
        task = FileTask(self._info, self._run.files.read(self._info.path), 0, with_facts=False)
        if not triggered(plan, task) or (plan.needs and self._kinds.isdisjoint(plan.needs)):
            return _NOT_IN_FILE
        return _NOTHING

    @cached_property
    def _kinds(self) -> frozenset[str]:
        kinds: frozenset[str] = (
            import_module(f"guards.languages.{self._info.language}").open_file(self._text, self._info).kinds()
        )
        return kinds

    @cached_property
    def _text(self) -> SourceText:
        raw = self._run.files.read(self._info.path)
        return decode(self._info.path, raw, python=self._info.language == "python")


def _reported(finding: Finding) -> str:
    place = finding.place
    return f"is not silent: {place.path}:{place.line}:{place.column}: {finding.message}"


def _because(info: FileInfo) -> str:
    """By what the project says, a file has its role."""
    unit = info.unit
    if info.language == "csharp":
        is_test = "a" if unit.test else "no"
        if unit.kind == "asmdef":
            return f": `{unit.path}` declares {is_test} test assembly"
        if unit.kind == "csproj":
            return f": `{unit.path}` refers to {is_test} test framework"
        return f", in Unity's predefined assembly `{unit.name}`" if unit.kind == "unity" else ": no assembly claims it"
    if info.language == "python":
        names = ", ".join(f"`{name}`" for name in unit.fact("python_files"))
        by = f" by `{unit.path}`" if unit.path else ""
        return f": pytest collects files called {names}{by}" if names else ""
    return ""
