"""Constants: folded in one file, and over the project where other files declare them."""

import pytest
from languages.csharp.sample import Sample

CONSTANTS = """namespace Shop {
public static class Paths {
    public const string Root = "Assets";
    public static readonly string Tests = Root + "/Tests";
    public const string Deep = Tests + "/" + Names.Leaf, Twice = Root + Root;
    public static string Mutable = "a";
    public static readonly string Computed = Compute();
    public const string Loop = Other; public const string Other = Loop;
    public const int Two = 1 + 1, Hex = 0x10, Neg = -Two;
    public const char Sign = '%';
    public const Level Low = Level.Low;
    public class Inner { public const string Name = "inner" + Root; }
    static string Compute() => "x";
}
public static class Names { public const string Leaf = nameof(Leaf); public static string Property => "p"; }
public class Base { protected const string Inherited = "inherited"; public readonly string Later = "later"; }
public class Box<T> { public const string Name = "box"; }
public enum Level { Low, High }
public partial class Split { const string One = "one"; }
public partial class Split { const string Both = One + "two"; }
}
"""
USINGS = (
    "using System; using System.IO; using Shop; using P = Shop.Paths; using Disk = System.IO.Path; "
    "using static Shop.Names;\n"
)


def folded(argument: str, members: str = "", before: str = "") -> str | None:
    """What the argument of a call folds to over the project."""
    text = (
        f'{USINGS}class T : Base {{ const string Own = "own"; {members}\n'
        f"void M(string given) {{ {before} Probe({argument}); }} void Probe(object o) {{ }} }}\n"
    )
    sample = Sample({"T.cs": text, "S.cs": CONSTANTS})
    (use,) = [use for use in sample.files["T.cs"].uses("Probe") if use.kind == "call"]
    return dict(sample.index.folded("T.cs", use)).get("0")


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ('"a" + "b" + \'c\'', "abc"),
        ('"a" + 1', "a1"),
        ("1 + 2", "3"),
        ("0x10 + 1", "17"),
        ("-1", "-1"),
        ("true", "true"),
        ("null", "null"),
        ('"" + null + true', "True"),
        ("'c'", "c"),
        (r'"\ud83d\ude00!"', "\U0001f600!"),
        (r'"a\ud800"', "a\ufffd"),
        ('(("a"))', "a"),
        ("Own", "own"),
        ("this.Own", "own"),
        ("T.Own", "own"),
        ('$"{Own}-{{x}}"', "own-{x}"),
        ("nameof(Paths.Root)", "Root"),
        ("string.Empty", ""),
        ("System.String.Empty", ""),
        ("Inherited", "inherited"),
        ("Paths.Root", "Assets"),
        ("Paths.Tests", "Assets/Tests"),
        ("Paths.Deep", "Assets/Tests/Leaf"),
        ("Shop.Paths.Root", "Assets"),
        ("global::Shop.Paths.Root", "Assets"),
        ("P.Root", "Assets"),
        ("Leaf", "Leaf"),
        ("Paths.Inner.Name", "innerAssets"),
        ("Paths.Two", "2"),
        ("Paths.Two + 1", "3"),
        ("Paths.Hex", "0x10"),
        ("Paths.Neg", "-2"),
        ('$"{Paths.Root}{Paths.Sign}{Paths.Hex}"', "Assets%16"),
        ("Level.Low", "Level.Low"),
        ("Paths.Low", "Level.Low"),
        ("Level.Low | Level.High", "Level.Low|Level.High"),
        ("Box<int>.Name", "box"),
        ('Path.Combine(Paths.Root, "x")', "Assets/x"),
        ('Path.Combine("a/", Own, "c")', "a/own/c"),
        ('Path.Combine("a", "/b")', "/b"),
        ("System.IO.Path.Combine(Paths.Root, Leaf)", "Assets/Leaf"),
        ("Disk.Combine(Paths.Root, Leaf)", "Assets/Leaf"),
        ('new[] { Paths.Root, "x" }', "Assets;x"),
        ("(string)Paths.Root", "Assets"),
    ],
)  # fmt: skip
def test_what_folds(argument: str, value: str) -> None:
    assert folded(argument) == value


@pytest.mark.parametrize(
    "argument",
    [
        "given",
        'given + "a"',
        "Paths.Mutable",
        "Paths.Computed",
        "Paths.Loop",
        "Paths.Unheard",
        "Unheard.Root",
        "Names.Property",
        "Paths",
        "Paths.Root.Length",
        "Paths.Root.Trim()",
        'Compute("a")',
        'String.Format("a")',
        "'a' + 'b'",
        "1 - 1",
        "1.5 + 1",
        'Delegate.Combine("a", "b")',
        "Path.Combine(given, Own)",
        "Path.GetFullPath(Own)",
        "Names.Leaf + Paths.Computed",
        "default",
        "typeof(Paths)",
        'true ? "a" : "b"',
    ],
)
def test_what_is_no_constant(argument: str) -> None:
    assert folded(argument) is None


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ('const string x = "a";', "a"),
        ('var x = "a" + Paths.Root;', "aAssets"),
        ('string x = "a"; var y = "b"; y = "c";', "a"),
        ('string x = "a"; x = "b";', None),
        ('string x = "a"; x += "b";', None),
        ('string x = "a"; Fill(ref x);', None),
        ('string x = "a"; Fill(out x);', None),
        ('string x = "a"; (x, _) = Two();', None),
        ("var x = 1; x++;", None),
        ("string x;", None),
        ('foreach (var x in new[] { "a" })', None),
        ("var x = x;", None),
        ('var a = "a"; var x = a + a;', "aa"),
    ],
)
def test_local_variables_that_never_change(before: str, value: str | None) -> None:
    assert folded("x", before=before) == value


def test_a_local_hides_a_constant() -> None:
    assert folded("Own", before='var Own = "mine";') == "mine"
    assert folded("Own", before="var Own = Compute();") is None
    assert folded("Paths.Root", before="var Paths = Compute();") is None


def test_the_nearest_declaration_counts() -> None:
    assert folded("Inherited", 'const string Inherited = "near";') == "near"
    assert folded("Leaf", 'const string Leaf = "near";') == "near"
    assert folded("Leaf", "string Leaf;") is None
    assert folded("Leaf", "string Leaf => null;") is None
    assert folded("Paths.Root", 'class Paths { public const string Root = "near"; }') == "near"
    assert folded("Name", 'class One { const string Name = "a"; } class Two { const string Name = "b"; }') is None


def test_a_name_with_two_values_under_directives_has_none() -> None:
    members = 'const string X =\n#if A\n"a"\n#else\n"b"\n#endif\n;'
    assert folded("X", members) is None
    assert folded("Own", members) == "own"


def test_order_does_not_matter_in_a_file() -> None:
    assert folded("One", 'const string One = Two + "1"; const string Two = Three; const string Three = "3";') == "31"


def test_partial_types_and_aliases_of_other_files() -> None:
    sample = Sample(
        {
            "T.cs": "namespace Shop { partial class Split { void M() { Probe(Both); Probe(C.Root); } void Probe(object o) { } } }",
            "S.cs": CONSTANTS,
            "G.cs": "global using C = Shop.Paths;",
        }
    )
    calls = [use for use in sample.files["T.cs"].uses("Probe") if use.kind == "call"]
    assert [dict(sample.index.folded("T.cs", use)) for use in calls] == [{"0": "onetwo"}, {"0": "Assets"}]


def test_arguments_of_attributes() -> None:
    text = 'using Shop; class T { const string Own = "own"; [Marked(Own, Paths.Root, Reason = Paths.Deep, Other = Compute())] void M() { } }'
    sample = Sample({"T.cs": text, "S.cs": CONSTANTS})
    (attribute,) = sample.files["T.cs"].facts().functions[0].attributes
    assert attribute.arguments == (("0", "own"),)
    values = {name: sample.index.constant("T.cs", "t0", formula) for name, formula in attribute.unsolved}
    assert {name: value.text for name, value in values.items() if value} == {
        "1": "Assets",
        "Reason": "Assets/Tests/Leaf",
    }
    assert values["1"] is not None
    assert values["1"].declared_in == {"S.cs"}


def test_hostile_constants_end() -> None:
    doubled = "".join(f"const string A{n} = A{n + 1} + A{n + 1};" for n in range(60))
    assert folded("A0", doubled + 'const string A60 = "x";') is None
    assert folded("A0", doubled + 'const string A60 = "";') == ""
    chain = "".join(f"const string B{n} = B{n + 1};" for n in range(2000))
    assert folded("B0", chain + 'const string B2000 = "x";') is None
    local = "".join(f"var c{n} = c{n + 1} + c{n + 1};" for n in range(60))
    assert folded("c0", before=local + 'var c60 = "";') is None
    assert folded(" + ".join(['"a"'] * 500)) == "a" * 500
    assert folded("(" * 500 + '"a"' + ")" * 500) is None
