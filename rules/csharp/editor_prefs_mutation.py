"""A direct write to the editor's preferences in test code.

## What it does

Reports every use of a member of `UnityEditor.EditorPrefs` that writes or deletes, in test code and however it is
spelled. The option `include` adds `PlayerPrefs` and `SessionState`.

## Why is this bad?

The preferences belong to the person at the machine and outlive the run: a test that fails half-way leaves them changed,
and the next test, or tomorrow's work in the editor, starts from what it left.

## Use instead

Write through a helper of the common fixture base that records the old value and restores it, whatever happens.

## Known limits

A write through a wrapper outside of test code is not followed. Reads are fine and are not reported.
"""

from typing import ClassVar

from guards.config.catalogue import Forbid
from guards.rule import Example, Option, Options
from guards.rule.forbidden import ForbiddenApi

_DELETE = ("DeleteAll", "DeleteKey")
_WRITERS = {
    "UnityEditor.EditorPrefs": ("SetBool", "SetFloat", "SetInt", "SetString", *_DELETE),
    "UnityEngine.PlayerPrefs": ("SetFloat", "SetInt", "SetString", *_DELETE),
    "UnityEditor.SessionState": tuple(
        verb + noun for verb in ("Set", "Erase") for noun in ("Bool", "Float", "Int", "IntArray", "String", "Vector3")
    ),
}
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
    )
    good = (
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
