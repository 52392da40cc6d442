"""What counts as a use of a member, as what, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from languages.csharp.sample import Sample, lines

from guards.languages.csharp import Index, open_file
from guards.project.model import TEST, FileInfo
from guards.source.text import SourceText

HEAD = "using System;\nusing UnityEditor;\n"
REFRESH = "UnityEditor.AssetDatabase.Refresh"


def kinds(expression: str, member: str = "Refresh", head: str = HEAD) -> list[str]:
    """As what a statement in a method uses a member."""
    text = f"{head}class T {{ object A() {{ {expression} }} }}\n"
    return [
        kind for _, kind, names in Sample({"T.cs": text}).meant(member) if any(n.endswith(f".{member}") for n in names)
    ]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("AssetDatabase.Refresh();", "call"),
        ("AssetDatabase?.Refresh();", "call"),
        ("AssetDatabase!.Refresh();", "call"),
        ("_ = AssetDatabase.Refresh;", "read/reference"),
        ("EditorApplication.delayCall += AssetDatabase.Refresh;", "read/reference"),
        ("Run(AssetDatabase.Refresh);", "read/reference"),
        ("Run(new Action(AssetDatabase.Refresh));", "read/reference"),
        ("Run((Action)AssetDatabase.Refresh);", "read/reference"),
        ("return AssetDatabase.Refresh;", "read/reference"),
        ("Action a = AssetDatabase.Refresh, b;", "read/reference"),
        ("Action[] a = [AssetDatabase.Refresh];", "read/reference"),
        ("var p = (delegate*<void>)&AssetDatabase.Refresh;", "reference"),
        ("AssetDatabase.Refresh = 1;", "write"),
        ("AssetDatabase.Refresh += 1;", "write"),
        ("AssetDatabase.Refresh ??= 1;", "write"),
        ("AssetDatabase.Refresh++;", "write"),
        ("Swap(ref AssetDatabase.Refresh);", "write"),
        ("Get(out AssetDatabase.Refresh);", "write"),
        ("(AssetDatabase.Refresh, x) = two;", "write"),
        ("AssetDatabase.Refresh.Invoke();", "read"),
        ("AssetDatabase.Refresh?.Invoke();", "read"),
        ("if (!AssetDatabase.Refresh) { }", "read"),
    ],
)
def test_kinds_of_use(statement: str, kind: str) -> None:
    assert kinds(statement) == [kind]


@pytest.mark.parametrize(
    "statement",
    [
        'typeof(AssetDatabase).GetMethod("Refresh", Type.EmptyTypes).Invoke(null, null);',
        'typeof(AssetDatabase).GetMethod(name: "Refresh");',
        'typeof(AssetDatabase).GetMethod(@"Refresh");',
        'typeof(AssetDatabase).GetMethod("""Refresh""");',
        'typeof(AssetDatabase)?.GetMethod("Refresh");',
        "typeof(AssetDatabase).GetMethod(nameof(AssetDatabase.Refresh));",
        'typeof(AssetDatabase).InvokeMember("Refresh", flags, null, null, null);',
        'typeof(AssetDatabase).GetTypeInfo().GetDeclaredMethod("Refresh");',
        'typeof(AssetDatabase).GetRuntimeMethod("Refresh", null);',
        'Type.GetType("UnityEditor.AssetDatabase, UnityEditor").GetMethod("Refresh");',
        'Type.GetType("UnityEditor.AssetDatabase, UnityEditor")?.GetMethod("Refresh");',
        'Type.GetType("UnityEditor." + "AssetDatabase").GetMethod("Refresh");',
        'typeof(Editor).Assembly.GetType("UnityEditor.AssetDatabase").GetMethod("Refresh");',
        'Delegate.CreateDelegate(typeof(Action), typeof(AssetDatabase), "Refresh");',
        'var type = typeof(AssetDatabase); type.GetMethod("Refresh");',
        'const string Name = "Refresh"; typeof(AssetDatabase).GetMethod(Name);',
    ],
)
def test_reflection_is_a_use(statement: str) -> None:
    text = f"{HEAD}class T {{ void A() {{ {statement} }} }}\n"
    assert [(kind, REFRESH in names) for _, kind, names in Sample({"T.cs": text}).meant("Refresh")] == [
        ("reference", True)
    ]


@pytest.mark.parametrize(
    "member",
    [
        "void A() { _ = nameof(AssetDatabase.Refresh); }",
        "void A() { Log(nameof(AssetDatabase.Refresh)); }",
        "[TestCaseSource(nameof(AssetDatabase.Refresh))] void A() { }",
        "void A() { _ = typeof(AssetDatabase); }",
        '/// <see cref="AssetDatabase.Refresh"/>\nvoid A() { }',
        "void A() { /* AssetDatabase.Refresh(); */ // AssetDatabase.Refresh();\n }",
        'string A() => "AssetDatabase.Refresh()";',
        'string A() => @"AssetDatabase.Refresh()";',
        'string A() => $"AssetDatabase.Refresh() {1}";',
        'string A() => """AssetDatabase.Refresh()""";',
        'void A() { Assert.That(text, Does.Contain("Refresh")); }',
        'void A() { Find("Refresh"); }',
        'void A() { typeof(AssetDatabase).GetMethod("RefreshAll"); }',
        'void A() { typeof(AssetDatabase).GetCustomAttribute("Refresh"); }',
        "void AssetDatabase() { } void Refresh() { }",
        "void A() { Run(Refresh: 1); }",
        "void A() { var x = new { Refresh = 1 }; }",
        "void A() { var x = new Options { Refresh = true }; }",
        "void A() { var x = options with { Refresh = true }; }",
        "void A() { Refresh: goto Refresh; }",
        "Refresh A() => null;",
        "void A(Refresh r) { var x = (Refresh)r; var y = r as Refresh; var z = new Refresh(); var w = new List<Refresh>(); }",
        "void A() { var t = (Refresh: 1, x); }",
        "enum E { Refresh }",
        "int Refresh { get; set; }",
        "event Action Refresh;",
    ],
)
def test_no_use(member: str) -> None:
    text = f"{HEAD}using static UnityEditor.AssetDatabase;\nclass T {{ {member} }}\n"
    assert Sample({"T.cs": text}).lines("Refresh", REFRESH) == []


@pytest.mark.parametrize(
    "statement",
    [
        "Refresh();",
        "Run(Refresh);",
        "Action a = Refresh;",
        "a += Refresh;",
        "return Refresh;",
        "_ = x ? Refresh : null;",
        "_ = x ?? Refresh;",
        "Run(() => Refresh());",
        "Action[] all = { Refresh };",
        "var o = new Options { Done = Refresh };",
        "var o = new { Refresh };",
        "_ = x switch { 1 => Refresh, _ => null };",
        "typeof(UnityEditor.AssetDatabase).GetMethod(nameof(Refresh));",
    ],
)
def test_bare_names_through_a_static_using(statement: str) -> None:
    assert kinds(statement, head="using static UnityEditor.AssetDatabase;\n")


def test_the_place_is_the_members_name() -> None:
    text = lines("class T { void A() {", "System", "  .Threading.Thread", "    .Sleep(", "1); } }")
    (use,) = Sample({"T.cs": text}).files["T.cs"].uses("Sleep")
    assert (use.place.line, use.place.column, use.place.end_column) == (4, 6, 11)


def test_generic_calls_end_at_the_name() -> None:
    (use,) = Sample({"T.cs": "class T { void A() { W.Get<W>(1); } }"}).files["T.cs"].uses("Get")
    assert (use.name, use.place.column, use.place.end_column, use.arguments) == ("W.Get", 24, 27, (("0", "1"),))


def test_arguments_that_fold() -> None:
    text = lines(
        'class T { const string Key = "a" + "b"; static readonly string Path = Key + "/c"; void A(string s) {',
        'P.Set(Key, $"{Path}.txt", s, value: -1, flags: HideFlags.None | HideFlags.DontSave, n: nameof(T.A), all: new[] { "x", Key });',
        "} }",
    )
    (use,) = Sample({"T.cs": text}).files["T.cs"].uses("Set")
    assert dict(use.arguments) == {
        "0": "ab",
        "1": "ab/c.txt",
        "value": "-1",
        "flags": "HideFlags.None|HideFlags.DontSave",
        "n": "A",
        "all": "x;ab",
    }


def test_globs_find_every_member() -> None:
    text = "using UnityEditor;\nclass T { void A() { EditorPrefs.SetInt(1); EditorPrefs.GetInt(1); EditorPrefs.SetBool(1); } }\n"
    uses = Sample({"T.cs": text}).files["T.cs"].uses("Set*")
    assert [use.name for use in uses] == ["EditorPrefs.SetInt", "EditorPrefs.SetBool"]


def test_branches_of_directives_are_one_file() -> None:
    text = lines(
        "using UnityEditor;",
        "class T { void A() {",
        "AssetDatabase.Refresh();",
        "#if A",
        "AssetDatabase.Refresh();",
        "#elif B",
        "AssetDatabase.Refresh();",
        "#else",
        "AssetDatabase.Refresh();",
        "#endif",
        "} }",
    )
    uses = list(Sample({"T.cs": text}).files["T.cs"].uses("Refresh"))
    assert [use.place.line for use in uses] == [3, 5, 7, 9]


def test_the_kinds_tell_whether_a_rule_is_worth_loading() -> None:
    kinds_of = Sample(
        {"A.cs": "class A { int Sl\\u0065ep; }", "B.cs": "#region x\n[Test] class B { }\n#endregion\n"}
    ).files
    assert "name:Sleep" in kinds_of["A.cs"].kinds()
    assert "name:Slee" not in kinds_of["A.cs"].kinds()
    assert {"attribute", "directive", "name:Test"} <= kinds_of["B.cs"].kinds()


TEXT = """T class { } ( ) [ ] < > , ; . :: ? ! = => & using static namespace Sleep Thread @Sleep typeof GetMethod nameof
    "Sleep" @"Sleep" $"{Sleep}" new async void this base #if #else #endif global async record with is case 1 foreach in
    from let var out ref delegate switch \u200b é \\u0053leep"""
WORDS = st.sampled_from([*TEXT.split(), "\n", ""])


@given(st.lists(WORDS, max_size=60))
def test_any_text_at_all(words: list[str]) -> None:
    info = FileInfo("T.cs", "csharp", TEST)
    file = open_file(SourceText("T.cs", " ".join(words).encode()), info)
    index = Index({"T.cs": file.facts()}, {"T.cs": info})
    for member in ("Sleep", "*"):
        for use in file.uses(member):
            index.full_names("T.cs", use)
            index.reach("T.cs", use.function, "test")
    assert file.kinds() == frozenset(file.kinds())


@pytest.mark.parametrize(
    "broken",
    [
        "class T { void A() { foo bar baz ; ) AssetDatabase.Refresh(); } }",
        "class T { void A() { AssetDatabase.Refresh(); } } ) ) class {",
        "class T { void A() { if ( AssetDatabase.Refresh(); } }",
        "class T { void A() { AssetDatabase\u200b.Refresh(); } }",
        "class T { void A() { Asset\u200bDatabase.Refresh(); } }",
        "class T { void A() { AssetDatabase.Ref\u200bresh(); } }",
        "class T { void A() { ??? AssetDatabase.Refresh } }",
    ],
)
def test_nothing_hides_in_a_region_that_does_not_parse(broken: str) -> None:
    assert Sample({"T.cs": f"{HEAD}{broken}\n"}).lines("Refresh", REFRESH) == [3]


@pytest.mark.parametrize(
    "broken",
    [
        "class T { void A() { ) ) // AssetDatabase.Refresh();\n } }",
        'class T { void A() { ) ) "AssetDatabase.Refresh()"; } }',
        "class T { void A() { ) ) x = nameof(AssetDatabase.Refresh); } }",
        "class T { void A() { ) ) panel.Refresh(); } }",
    ],
)
def test_near_misses_in_a_region_that_does_not_parse(broken: str) -> None:
    assert Sample({"T.cs": f"{HEAD}{broken}\n"}).lines("Refresh", REFRESH) == []
