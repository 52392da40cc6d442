"""Cases: small projects with the findings that one rule must give on them, no more and no fewer.

They come from the examples in rule modules and from files with one JSON object a line.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import NamedTuple, TypeAlias

from guards.config.catalogue import OptionValue, RuleEntry
from guards.config.model import CommandLine
from guards.engine.baseline import STALE
from guards.engine.loader import catalogue, rule_class
from guards.engine.run import Request, check
from guards.engine.settle import UNUSED
from guards.findings.result import RunResult
from guards.rule import Example

FLAW = "FLAW"
_MARK = re.compile(rf"[ \t]*(?://|#) {FLAW}[ \t]*$", re.MULTILINE)
PASSED, FAILED, NO_RULE, DISPUTED = "passed", "failed", "no rule yet", "disputed"

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_ASMDEF = json.dumps({
    "name": "Sample.Tests",
    "references": ["UnityEngine.TestRunner", "UnityEditor.TestRunner"],
    "includePlatforms": ["Editor"],
    "overrideReferences": True,
    "precompiledReferences": ["nunit.framework.dll"],
    "autoReferenced": False,
    "defineConstraints": ["UNITY_INCLUDE_TESTS"],
})  # fmt: skip
_USUAL_PATHS = {"csharp": "Tests/SampleTests.cs", "gdscript": "tests/test_sample.gd", "python": "tests/test_sample.py"}
_USUAL_PROJECTS = {
    ".cs": ("Tests/Sample.Tests.asmdef", _ASMDEF),
    ".gd": ("project.godot", "config_version=5\n"),
}


class Case(NamedTuple):
    """One small project, the rule that is judged, and where its findings must be.

    ``fixed`` are the files that fixes change, as they are then; None where that is not judged.
    """

    id: str
    rule: str
    language: str
    files: Mapping[str, str]
    expect: frozenset[tuple[str, int]]
    preset: str = "recommended"
    options: Mapping[str, Json] = {}
    why: str = ""
    fixed: Mapping[str, str] | None = None


class Outcome(NamedTuple):
    """How a case went; ``found`` is where the findings were."""

    case: Case
    result: str
    found: frozenset[tuple[str, int]] = frozenset()
    problem: str = ""


class BadCases(Exception):
    """A case file cannot be used; ``str()`` says where and why."""


def read_cases(file: str) -> list[Case]:
    """The cases of one file.

    Raises:
        BadCases: the file cannot be read, or a line is no case.
    """
    try:
        with open(file, "rb") as stream:
            lines = stream.read().decode().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCases(f"{file}: {error}") from None
    cases = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                cases.append(_case(json.loads(line)))
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise BadCases(f"{file}:{number}: this line is no case: {error!r}") from None
    return cases


def _case(data: Json) -> Case:
    if not isinstance(data, dict):
        raise TypeError("not an object")
    files, expect, options = data["files"], data["expect"], data.get("config", {})
    if not isinstance(files, dict) or not isinstance(expect, list) or not isinstance(options, dict):
        raise TypeError("files, expect and config must be an object, a list and an object")
    return Case(
        id=str(data["id"]),
        rule=str(data["rule"]),
        language=str(data["language"]),
        files={_inside(path): str(text) for path, text in files.items()},
        expect=frozenset(_expected(pair) for pair in expect),
        preset=str(data.get("preset", "recommended")),
        options=options,
        why=str(data.get("why", "")),
    )


def _inside(path: str) -> str:
    if not path or path.startswith("/") or ":" in path or "\\" in path or ".." in path.split("/"):
        raise ValueError(f"{path!r} does not stay inside the case's folder")
    return path


def _expected(pair: Json) -> tuple[str, int]:
    match pair:
        case [str(path), int(line)]:
            return path, line
    raise TypeError(f"{pair!r} is no [path, line]")


def example_cases(entry: RuleEntry) -> Iterator[Case]:
    """The examples of one rule in one language, as cases."""
    rule = rule_class(entry)
    for kind, examples in (("bad", rule.bad), ("good", rule.good)):
        for number, example in enumerate(examples, 1):
            yield _example_case(f"{entry.code}/{kind}-{number}", entry, example)


def _example_case(id_: str, entry: RuleEntry, example: Example) -> Case:
    path = example.path or _USUAL_PATHS[entry.language]
    files = dict(example.files)
    usual, text = _USUAL_PROJECTS.get(os.path.splitext(path)[1], ("", ""))
    has_own_project = any(name.endswith((".asmdef", ".csproj", "project.godot")) for name in files)
    if usual and not has_own_project:
        files[usual] = text
    files[path] = example.text
    flaws = ((name, number) for name, text in files.items() for number in _flawed_lines(text))
    return Case(
        id=id_,
        rule=entry.name,
        language=entry.language,
        files=files,
        expect=frozenset((*flaws, *example.expect)),
        options=dict(_plain(name, value) for name, value in example.options),
        why=example.why,
        fixed={path: example.fixed} if example.fixed else {},
    )


def _plain(name: str, value: OptionValue) -> tuple[str, Json]:
    result: Json = json.loads(json.dumps(value, default=dict))
    return name, result


def _flawed_lines(text: str) -> Iterator[int]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.rstrip().endswith((f"// {FLAW}", f"# {FLAW}")):
            yield number


def built_in_examples(folder: str | None = None) -> Iterator[Case]:
    """The examples of all built-in rules, or of those whose modules lie in a folder.

    Raises:
        BadCases: no built-in rule lies there.
    """
    entries = [entry for entry in catalogue().entries if folder is None or _lies_in(entry, folder)]
    if not entries:
        raise BadCases(f"{folder}: no built-in rule lies in this folder")
    for entry in entries:
        yield from example_cases(entry)


def _lies_in(entry: RuleEntry, folder: str) -> bool:
    spec = find_spec(entry.module)
    if spec is None or spec.origin is None:
        return False
    return os.path.realpath(spec.origin).startswith(os.path.realpath(folder) + os.sep)


def read_disputed(file: str | None) -> frozenset[str]:
    """The ids of disputed cases: the tables of a TOML file.

    Raises:
        BadCases: the file cannot be read.
    """
    if file is None:
        return frozenset()
    import tomllib

    try:
        with open(file, "rb") as stream:
            return frozenset(tomllib.load(stream))
    except (OSError, ValueError) as error:
        raise BadCases(f"{file}: {error}") from None


def run_cases(cases: Iterable[Case], disputed: frozenset[str] = frozenset()) -> Iterator[Outcome]:
    """Runs each case in a folder of its own; those whose rule is not built are only counted."""
    built = {(entry.name, entry.language) for entry in catalogue().entries}
    for case in cases:
        # A rule can be built for one language and not yet for another.
        if built.isdisjoint((case.rule, language) for language in (case.language, "any", "project")):
            yield Outcome(case, NO_RULE)
            continue
        result, problem = _check(case)
        found = frozenset((f.place.path, f.place.line) for f in result.findings if f.rule == case.rule)
        if found == case.expect and not problem:
            yield Outcome(case, PASSED, found)
        else:
            yield Outcome(case, DISPUTED if case.id in disputed else FAILED, found, problem)


def _check(case: Case) -> tuple[RunResult, str]:
    """The findings of a case, and what is wrong beside them."""
    with tempfile.TemporaryDirectory(prefix="suiteguard-case-") as folder:
        for path, text in {**case.files, "suiteguard.toml": _configuration(case)}.items():
            target = os.path.join(folder, *path.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as stream:
                stream.write(text.encode("utf-8", "surrogatepass"))
        # Whether an excuse is needed shows only where the rules that it names are on.
        select = None if case.rule in (UNUSED, STALE) else (case.rule,)
        request = Request(folder, command_line=CommandLine(select=select))
        result = check(request)
        problems = [f"{skipped.path}: {skipped.reason}" for skipped in result.skipped]
        if case.fixed or (case.fixed is not None and any(finding.fix for finding in result.findings)):
            problems.extend(_fix_problems(case, request, case.fixed))
    return result, "; ".join(problems)


def _fix_problems(case: Case, request: Request, expected: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the fixes of a case, whose files stand where they can be written to."""
    from guards.engine.fixing import fix, written

    fixed = written(fix(request, unsafe=True), request)
    refused = fixed.left.fixes.refused if fixed.left.fixes else ()
    yield from (f"{f.place.path}:{f.place.line} is not fixed: {reason}" for f, reason in refused)
    made = {file.path: file.after.decode() for file in fixed.files}
    for path in sorted({*made, *expected}):
        text = made.get(path, case.files[path])
        if _MARK.sub("", text) != _MARK.sub("", expected.get(path, case.files[path])):
            yield f"{path} is fixed to:\n{text}"
    remaining = {(f.place.path, f.place.line) for f in fixed.left.findings if f.rule == case.rule}
    files = {**case.files, **expected}
    marked = {(path, number) for path, text in files.items() for number in _flawed_lines(text)}
    if remaining != marked and expected:
        yield f"after the fixes findings stand at {sorted(remaining)}"
    if fix(request, unsafe=True).files:
        yield "a second time fixes change more"


def _configuration(case: Case) -> str:
    options = "".join(f"{json.dumps(name)} = {_toml(value)}\n" for name, value in case.options.items())
    head = f"presets = [{json.dumps(case.preset)}]\nselect = [{json.dumps(case.rule)}]\n"
    return f'{head}[rules."{case.rule}"]\n{options}'


def _toml(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
