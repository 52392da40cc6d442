"""Runs one C# rule on a few files in memory, as the engine would."""

from collections.abc import Mapping

from languages.csharp.sample import UNIT

from guards.findings.model import Candidate, Finding
from guards.languages.base import ProjectFacts
from guards.languages.csharp import CSharpFile, open_file
from guards.project.model import PRODUCT, TEST, FileInfo, Unit
from guards.rule import Options, OptionValue, Project, Rule
from guards.rule.forbidden import ForbiddenApi
from guards.source.text import SourceText

GAME = Unit("asmdef", "Game", "Runtime/Game.asmdef")


def findings(rule: Rule[CSharpFile] | ForbiddenApi, files: Mapping[str, str], **options: OptionValue) -> list[Finding]:
    """The findings in some files, in order; those below ``Runtime`` are product code."""
    infos = {
        path: FileInfo(path, "csharp", *((PRODUCT, GAME) if path.startswith("Runtime/") else (TEST, UNIT)))
        for path in files
    }
    opened = {path: open_file(SourceText(path, text.encode()), infos[path]) for path, text in files.items()}
    defaults = {name: option.default for name, option in rule.options.items()}
    given = Options(defaults | {name.replace("_", "-"): value for name, value in options.items()})
    found: list[Finding] = []
    candidates: list[Candidate] = []
    for path in sorted(opened):
        if infos[path].role not in rule.roles or (rule.needs and opened[path].kinds().isdisjoint(rule.needs)):
            continue
        for item in rule.check(opened[path], given):
            if isinstance(item, Finding):
                found.append(item)
            else:
                candidates.append(item)
    facts = {path: file.facts() for path, file in opened.items()}
    project = Project(lambda _language: ProjectFacts(infos, facts), lambda _rule, _path: given, frozenset({rule.name}))
    found.extend(rule.judge(candidates, project))
    return sorted(found, key=lambda finding: finding.place)


def places(rule: Rule[CSharpFile] | ForbiddenApi, text: str, **options: OptionValue) -> list[tuple[int, int]]:
    """Line and column of each finding in one test file."""
    return [(found.place.line, found.place.column) for found in findings(rule, {"T.cs": text}, **options)]
