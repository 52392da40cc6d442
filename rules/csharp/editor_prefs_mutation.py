"""A direct write to the editor's preferences in test code.

## What it does

Reports every use of a member of `UnityEditor.EditorPrefs` that writes or deletes, in test code and however it is
spelled. The option `include` adds `PlayerPrefs` and `SessionState`.

## Why is this bad?

The preferences belong to the person at the machine and outlive the run: a test that fails half-way leaves them changed,
and the next test, or tomorrow's work in the editor, starts from what it left.

## Use instead

Write through a helper of the common fixture base that records the old value and restores it, whatever happens.

## Fix

Calls `SetEditorPrefString` and its kin instead, where the type inherits that helper: from a base in the project that
declares it, or from one of `helper-bases`. A key whose type the file shows is deleted with `DeleteEditorPrefString` and its
kin, which is unsafe, since the type is a guess. There is no fix in static members, constructors and initialisers, where there
is no object with a helper, nor for `DeleteAll`, nor for writes that are handed on.

## Known limits

A write through a wrapper outside of test code is not followed. Reads are fine and are not reported.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.config.catalogue import Forbid
from guards.languages.base import CALL, LanguageFile
from guards.languages.csharp import CSharpFile, Index
from guards.languages.csharp.callees import callee_at
from guards.languages.csharp.facts import Function
from guards.languages.csharp.names import is_named
from guards.rule import Candidate, Edit, Example, Finding, Fix, Option, Options, Project
from guards.rule.forbidden import ForbiddenApi

_DELETE = ("DeleteAll", "DeleteKey")
_WRITERS = {
    "UnityEditor.EditorPrefs": ("SetBool", "SetFloat", "SetInt", "SetString", *_DELETE),
    "UnityEngine.PlayerPrefs": ("SetFloat", "SetInt", "SetString", *_DELETE),
    "UnityEditor.SessionState": tuple(
        verb + noun for verb in ("Set", "Erase") for noun in ("Bool", "Float", "Int", "IntArray", "String", "Vector3")
    ),
}
_TYPES = ("Bool", "Float", "Int", "String")
_SETTERS = {f"Set{type_}": type_ for type_ in _TYPES}
_MEMBERS = sorted({member for members in _WRITERS.values() for member in members})


class EditorPrefsMutation(ForbiddenApi):
    """One finding for each use."""

    name = "editor-prefs-mutation"
    code = "SGC003"
    language = "csharp"
    needs = tuple(f"name:{member}" for member in _MEMBERS)
    options: ClassVar = {
        "include": Option((), "Further stores that tests must not write to.", choices=("PlayerPrefs", "SessionState")),
        "allow-paths": Option((), "Globs of files that own the preferences.", paths=True),
        "helper-bases": Option(
            (), "Bases that offer `SetEditorPrefString` and its kin, where no file of the project declares them."
        ),
    }
    why = "the value outlives the test and the run, and the next one starts from it"
    instead = "use a helper of the fixture base that restores the old value"

    def active_rows(self, options: Options) -> tuple[Forbid, ...]:
        """One row for each member that writes."""
        stores = ("EditorPrefs", *options.names("include"))
        return tuple(
            Forbid(self.name, f"{owner}.{member}", self.language, allow_paths=options.names("allow-paths"))
            for owner, members in _WRITERS.items()
            if owner.rpartition(".")[2] in stores
            for member in members
        )

    def message(self, row: Forbid, name: str) -> str:
        """What is written to."""
        del row
        owner, _, member = name.rpartition(".")
        return f"`{owner.rpartition('.')[2]}.{member}` changes preferences that are not the test's own"

    def check(self, file: LanguageFile[object], options: Options) -> Iterator[Candidate]:
        """One candidate for each use, with the call of a helper that could stand for it."""
        keys = _Keys(file) if isinstance(file, CSharpFile) else None
        for candidate in super().check(file, options):
            yield candidate._replace(fix=_fix(keys, candidate) if keys else None)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The uses that are forbidden, fixed where the type derives from a base with the helper."""
        fixes = {candidate.place: candidate for candidate in candidates if candidate.fix}
        for finding in super().judge(candidates, project):
            candidate = fixes.get(finding.place)
            # Other stores have members of the same names.
            if candidate is not None and "`EditorPrefs." in finding.message:
                bases = project.options_for(self.name, finding.place.path).names("helper-bases")
                yield finding._replace(fix=candidate.fix if _is_offered(project.csharp, candidate, bases) else None)
            else:
                yield finding

    bad = (
        Example(
            "using NUnit.Framework;\nusing UnityEditor;\nusing EP = UnityEditor.EditorPrefs;\n\n"
            "public class PrefsTests\n{\n    [Test]\n    public void Remembers()\n    {\n"
            '        EditorPrefs.SetString("theme", "dark");  // FLAW\n'
            '        EP.SetInt("count", 1);  // FLAW\n'
            '        EditorPrefs.DeleteKey("theme");  // FLAW\n'
            "        Cleanup(EditorPrefs.DeleteAll);  // FLAW\n    }\n}\n",
            "writes, a deletion, and a deletion handed on as a method group",
        ),
        Example(
            "using static UnityEditor.EditorPrefs;\n\npublic class PrefsTests\n{\n"
            "    private readonly System.Action<string, bool> _set = SetBool;  // FLAW\n"
            '    void Forget() => DeleteKey("theme");  // FLAW\n}\n',
            "`using static` hides the owner",
        ),
        Example(
            'using UnityEngine;\n\npublic class PrefsTests\n{\n    void A() => PlayerPrefs.SetInt("level", 3);  // FLAW\n}\n',
            "the player's preferences, by option",
            options=(("include", ("PlayerPrefs",)),),
        ),
        Example(
            "using NUnit.Framework;\nusing UnityEditor;\n\npublic class PrefsTests : SampleTestBase\n{\n    [Test]\n    public void Remembers()\n    {\n"
            '        EditorPrefs.SetString("theme", "dark");  // FLAW\n'
            '        UnityEditor . EditorPrefs.SetInt("count", 1);  // FLAW\n'
            '        EditorPrefs.DeleteKey("theme");  // FLAW\n    }\n}\n',
            "where the base has a helper",
            files=(
                (
                    "Tests/SampleTestBase.cs",
                    (
                        "public abstract class SampleTestBase\n{\n    protected void SetEditorPrefString(string key, string value) { }\n"
                        "    protected void SetEditorPrefInt(string key, int value) { }\n"
                        "    protected void DeleteEditorPrefString(string key) { }\n}\n"
                    ),
                ),
            ),
            fixed="using NUnit.Framework;\nusing UnityEditor;\n\npublic class PrefsTests : SampleTestBase\n{\n    [Test]\n    public void Remembers()\n    {\n"
            '        SetEditorPrefString("theme", "dark");\n'
            '        SetEditorPrefInt("count", 1);\n'
            '        DeleteEditorPrefString("theme");\n    }\n}\n',
        ),
    )
    good = (
        Example(
            "using NUnit.Framework;\n\npublic class PrefsTests\n{\n    [Test]\n    public void Says()\n    {\n"
            '        // EditorPrefs.SetString("theme", "dark") would outlive the run\n'
            '        Assert.That("EditorPrefs.DeleteAll()", Is.Not.Empty);\n    }\n}\n',
            "text about such a write",
        ),
        Example(
            "using NUnit.Framework;\nusing UnityEditor;\n\npublic class PrefsTests\n{\n    [Test]\n    public void Reads()\n    {\n"
            '        Assert.That(EditorPrefs.GetString("theme", ""), Is.EqualTo("dark"));\n'
            '        Assert.That(EditorPrefs.HasKey("theme"), Is.True);\n    }\n}\n',
            "reading changes nothing",
        ),
        Example(
            "using NUnit.Framework;\n\npublic class PrefsTests : SampleTestBase\n{\n    [Test]\n    public void Remembers()\n    {\n"
            '        SetEditorPrefString("theme", "dark");\n        DeleteEditorPrefInt("count");\n    }\n}\n',
            "helpers that restore what they change",
        ),
        Example(
            'using UnityEditor;\nusing UnityEngine;\n\npublic class PrefsTests\n{\n    void A()\n    {\n        PlayerPrefs.SetInt("level", 3);\n'
            '        SessionState.SetBool("seen", true);\n    }\n}\n',
            "other stores are reported only by option",
        ),
        Example(
            "public class PrefsTests\n{\n    private readonly Preferences EditorPrefs = new Preferences();\n"
            '    void A() => EditorPrefs.SetString("theme", "dark");\n\n'
            "    private sealed class Preferences { public void SetString(string key, string value) { } }\n}\n",
            "a field of the test that happens to be called like the API",
        ),
    )


class _Keys:
    """The types that a file shows of keys, by their source."""

    def __init__(self, file: CSharpFile) -> None:
        self.file = file
        self._types: dict[str, set[str]] | None = None

    def type_of(self, key: str) -> str:
        """The one type that a key is read or written with, or nothing."""
        if self._types is None:
            self._types = {}
            for type_ in _TYPES:
                for member in (f"Get{type_}", f"Set{type_}", f"SetEditorPref{type_}"):
                    for use in self.file.uses(member):
                        callee = callee_at(self.file, use.place)
                        if callee is not None and callee.arguments:
                            self._types.setdefault(callee.arguments[0], set()).add(type_)
        types = self._types.get(key, set())
        return next(iter(types)) if len(types) == 1 else ""


def _fix(keys: _Keys, candidate: Candidate) -> Fix | None:
    """The call of a helper in place of a write, or of the deletion of a key whose type the file shows."""
    member = candidate.words[1].rpartition(".")[2]
    callee = callee_at(keys.file, candidate.place) if candidate.kind == CALL else None
    if callee is None or not callee.is_plain:
        return None
    if member in _SETTERS and len(callee.arguments) == 2:
        helper = f"SetEditorPref{_SETTERS[member]}"
    elif member == "DeleteKey" and len(callee.arguments) == 1 and (type_ := keys.type_of(callee.arguments[0])):
        helper = f"DeleteEditorPref{type_}"
    else:
        return None
    return Fix(f"call `{helper}`", member in _SETTERS, (Edit(callee.start, callee.end, helper),))


def _is_offered(index: Index, candidate: Candidate, bases: Sequence[str]) -> bool:
    """Whether a call can be one of a helper that its type inherits."""
    path = candidate.place.path
    if not candidate.function or not candidate.fix:
        return False
    function = index.function(path, candidate.function)
    declared = index.owner(path, function)
    if declared is None or not _has_instance(index, path, function):
        return False
    helper = candidate.fix.edits[0].text
    if helper in declared.functions:
        return False  # the helper itself, perhaps, or one that hides that of the base
    inherited = [base for base in index.resolver.chain(declared) if base is not declared]
    if any(
        "private" not in index.types.function(offered).modifiers
        for base in inherited
        for offered in base.functions.get(helper, ())
    ):
        return True
    return any(is_named(full, base) for full in index.resolver.external_bases(declared) for base in bases)


def _has_instance(index: Index, path: str, function: Function) -> bool:
    """Whether a function, and those around it, run on an object that is made."""
    while True:
        if "static" in function.modifiers or function.kind in ("constructor", "destructor"):
            return False
        if function.outer < 0:
            return True
        function = index.function(path, str(function.outer))
