"""Version symbols in directives, attributes and calls."""

import pytest
from languages.csharp.judged import findings, places

from guards.rules.csharp.version_gate import VersionGate

GATE = "UNITY_6000_0_OR_NEWER"


@pytest.mark.parametrize(
    ("directive", "column"),
    [
        (f"#if {GATE}", 5),
        (f"  #  if  !({GATE})", 12),
        (f"#if UNITY_EDITOR && ({GATE} || X) // why", 22),
        (f"#if {GATE} == true", 5),
        (f"#if A\n#elif {GATE}", 7),
    ],
)
def test_directives(directive: str, column: int) -> None:
    line = directive.count("\n") + 1
    assert places(VersionGate(), f"{directive}\nclass A {{ }}\n#endif\n") == [(line, column)]
    assert places(VersionGate(), f"{directive}\r\nclass A {{ }}\r\n#endif") == [(line, column)]


@pytest.mark.parametrize(
    "text",
    [
        f"#if A // {GATE}\n#endif\n",
        f"#region {GATE}\n#endregion\n",
        f"#warning {GATE}\n",
        f"// #if {GATE}\n",
        f"/*\n#if {GATE}\n#endif\n*/\n",
        f'class A {{ string s = @"\n#if {GATE}\n#endif\n"; }}\n',
        f'class A {{ string s = $@"\n#if {GATE}\n#endif\n{{1}}"; }}\n',
        "#if UNITY_6000 || MY_UNITY_6000_0_OR_NEWER || UNITY_EDITOR\n#endif\n",
        f"class A {{ int {GATE} = 1; }}\n",
        f"class A {{ [Conditional({GATE})] void B() {{ }} }}\n",
        'class A { [System.Diagnostics.Conditional("DEBUG")] void B() { } }\n',
        f'class A {{ [Other("{GATE}")] void B() {{ }} }}\n',
        f'class A {{ void B() => Settings.SetScriptingDefineSymbols("{GATE}"); }}\n',
    ],
)
def test_no_gates(text: str) -> None:
    assert places(VersionGate(), text) == []


@pytest.mark.parametrize("attribute", ["System.Diagnostics.Conditional", "ConditionalAttribute", "C"])
def test_attributes_that_drop_calls(attribute: str) -> None:
    text = f'using System.Diagnostics;\nusing C = System.Diagnostics.ConditionalAttribute;\nclass A {{ const string Gate = "{GATE}";\n[{attribute}(Gate)] void B() {{ }} }}\n'
    (found,) = findings(VersionGate(), {"Runtime/A.cs": text})
    assert (found.place.line, found.message) == (4, f"calls are compiled only where `{GATE}` is defined")


@pytest.mark.parametrize(
    "call",
    [
        f'PlayerSettings.SetScriptingDefineSymbolsForGroup(BuildTargetGroup.Standalone, "{GATE}")',
        f'PlayerSettings.SetScriptingDefineSymbolsForGroup(BuildTargetGroup.Standalone, "A;" + "{GATE}")',
        f'PlayerSettings.SetScriptingDefineSymbols(target, new[] {{ "A", "{GATE}" }})',
        f'PlayerSettings.SetScriptingDefineSymbols(target, ["A", "{GATE}"])',
        f'UnityEditor.PlayerSettings.SetScriptingDefineSymbols(target, defines: "{GATE}")',
    ],
)
def test_calls_that_define_the_symbol(call: str) -> None:
    assert len(places(VersionGate(), f"using UnityEditor;\nclass A {{ void B() => {call}; }}\n")) == 1


def test_options() -> None:
    text = f"#if UNITY_2022_3\n#elif {GATE}\n#endif\n"
    assert [line for line, _ in places(VersionGate(), text, patterns=("UNITY_[0-9][0-9][0-9][0-9]_[0-9]",))] == [1]
    assert places(VersionGate(), text, allow_paths=("T.cs",)) == []


SYMBOLS = {
    "Runtime/Symbols.cs": f'public static class Symbols {{ public const string New = "{GATE}", Debug = "DEBUG"; public static string Any = "{GATE}"; }}\n'
}


@pytest.mark.parametrize(
    "member",
    [
        "[System.Diagnostics.Conditional(Symbols.New)] void B() { }",
        "[System.Diagnostics.Conditional(global::Symbols.New)] void B() { }",
        "void B() => UnityEditor.PlayerSettings.SetScriptingDefineSymbols(target, Symbols.New);",
        'void B() => UnityEditor.PlayerSettings.SetScriptingDefineSymbols(target, $"A;{Symbols.New}");',
    ],
)
def test_a_symbol_that_another_file_declares(member: str) -> None:
    found = findings(VersionGate(), SYMBOLS | {"Runtime/A.cs": f"class A {{ {member} }}\n"})
    assert [finding.place.path for finding in found] == ["Runtime/A.cs"]
    assert f"`{GATE}`" in found[0].message


@pytest.mark.parametrize(
    "member",
    [
        "[System.Diagnostics.Conditional(Symbols.Debug)] void B() { }",
        "[System.Diagnostics.Conditional(Symbols.Any)] void B() { }",
        "[System.Diagnostics.Conditional(Symbols.Unheard)] void B() { }",
        "[Other(Symbols.New)] void B() { }",
        "void B() => UnityEditor.PlayerSettings.SetScriptingDefineSymbols(target, Symbols.Debug);",
        "void B(string given) => UnityEditor.PlayerSettings.SetScriptingDefineSymbols(target, given + Symbols.New);",
        "void B() => Settings.SetScriptingDefineSymbols(target, Symbols.New);",
    ],
)
def test_another_symbol_and_one_that_nobody_knows(member: str) -> None:
    assert findings(VersionGate(), SYMBOLS | {"Runtime/A.cs": f"class A {{ {member} }}\n"}) == []
