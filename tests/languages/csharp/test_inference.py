"""The types of expressions: evidence in one file, followed over the project."""

import pytest
from languages.csharp.sample import Sample

USINGS = (
    "using System; using System.Linq; using System.Collections.Generic; using System.Threading.Tasks; "
    "using NUnit.Framework; using Sample; using Odd = Sample.OddException; using Bag = System.Collections.Generic.List<Odd>;\n"
)
SHAPES = """namespace Sample {
public class OddException : System.Exception { public Detail Info; public OddException Twin => null; }
public class Detail { public string Text { get; } public System.Exception Cause; public Level Level; }
public enum Level { Low }
public class Box<T> { public T Value; public Box<T> Next { get; } public T Get() => Value; public U Turn<U>() => default; }
public class OddBox : Box<OddException> { }
public static class Tools {
    public static readonly OddException Shared = null;
    public static OddException Find() => null;
    public static Detail Find(int a) => null;
    public static int Many(int a) => 0;
    public static string Many(string a) => "";
    public static int Some(params int[] a) => 0;
    public static System.Threading.Tasks.Task<OddException> Later() => null;
    public static OddException More(int a, int b = 0) => null;
}
}
"""


def type_of(
    body: str, members: str = "", *, more: str = "", usings: str = "", with_arguments: bool = False
) -> tuple[str, ...] | None:
    """The names of the type of what ``Probe(…)`` is given in a method, with those of its type arguments in ``<>``."""
    text = f"{usings}{USINGS}class Base {{ protected OddException inherited; }}\nclass T : Base {{ OddException field; {members}\nvoid M(Odd given) {{ {body} }} }}\n"
    sample = Sample({"T.cs": text, "S.cs": SHAPES + more})
    file = sample.files["T.cs"]
    evidence = file.evidence[0]
    call = next(node.parent for node in evidence.nodes_of("Probe") if node.parent is not None)
    arguments = call.child_by_field_name("arguments")
    assert arguments is not None
    scope, function = file.where(call.start_byte)
    open_types = dict.fromkeys(sample.index.type_parameters("T.cs", function))
    chain = evidence.of(arguments.named_children[0].named_children[0], with_arguments=with_arguments)
    known = sample.index.inference.type_of(sample.index.scope("T.cs", scope), chain, open_types)
    return known.names if known is not None else None


ODD = ("Sample.OddException",)
ERROR = ("System.Exception",)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Probe(given);", ODD),
        ("Probe(field);", ODD),
        ("Probe(this.field);", ODD),
        ("Probe(inherited);", ODD),
        ("Probe((Odd)null);", ODD),
        ("Probe(x as Odd);", ODD),
        ("Probe(new Odd());", ODD),
        ("Probe(default(Odd));", ODD),
        ('Probe("text");', ("System.String",)),
        ("Probe(1);", ("System.Int32",)),
        ("var x = given; var y = x; Probe(y);", ODD),
        ("Odd x = new(); Probe(x);", ODD),
        ("Odd x; Probe(x = new());", None),
        ("foreach (var x in new Odd[3]) Probe(x);", ODD),
        ("foreach (Odd x in things) Probe(x);", ODD),
        ("var all = new List<Odd>(); Probe(all[0]);", ODD),
        ("var all = new List<Odd>(); Probe(all.First(e => true).Twin);", ODD),
        ("var all = new List<Odd>(); foreach (var x in all.Where(e => true)) Probe(x);", ODD),
        ("var all = new List<Odd>(); all.ForEach(e => Probe(e));", ODD),
        ("var all = new List<Odd>(); Assert.All(all, e => Probe(e));", ODD),
        ("Bag all = null; Probe(all[0]);", ODD),
        ("Dictionary<int, Odd> all = null; Probe(all[1]);", ODD),
        ("Dictionary<int, Odd> all = null; foreach (var pair in all) Probe(pair.Value);", ODD),
        ("if (o is Odd x) Probe(x);", ODD),
        ("if (given is { } x) Probe(x);", ODD),
        ("switch (o) { case Odd x: Probe(x); break; }", ODD),
        ("try { } catch (Odd x) when (x != null) { Probe(x); }", ODD),
        ("try { } catch (Exception x) { Probe(x.InnerException); }", ERROR),
        ("F(out Odd x); Probe(x);", ODD),
        ("using var x = new Odd(); Probe(x!);", ODD),
        ("Action<Odd> f = delegate(Odd x) { Probe(x); };", ODD),
        ("Action<Odd> f = (Odd x) => Probe(x);", ODD),
        ("Probe(given.Twin.Info.Cause);", ERROR),
        ("Probe(given?.Twin?.Info?.Text);", ("System.String",)),
        ("Probe(given.Info.Level);", ("Sample.Level",)),
        ("Probe(Level.Low);", ("Sample.Level",)),
        ("Probe(given.GetBaseException());", ERROR),
        ("Probe(given ?? new Odd());", ODD),
        ("Probe(b ? given : null);", ODD),
        ("Probe(Tools.Shared);", ODD),
        ("Probe(Sample.Tools.Shared);", ODD),
        ("Probe(global::Sample.Tools.Find());", ODD),
        ("Probe(Tools.Find(1).Cause);", ERROR),
        ("Probe(Tools.Some(1, 2, 3));", ("System.Int32",)),
        ("Probe(Tools.More(1));", ODD),
        ("Probe(await Tools.Later());", ODD),
        ("Probe(await Tools.Later().ConfigureAwait(false));", ODD),
        ("Probe(Tools.Later().Result);", ODD),
        ("Probe(new Box<Odd>().Next.Next.Value);", ODD),
        ("Probe(new OddBox().Get());", ODD),
        ("Probe(new Box<int>().Turn<Odd>());", ODD),
        ("Odd Local() => null; Probe(Local());", ODD),
        ("X Local<X>() => default; Probe(Local<Odd>());", ODD),
        ("Probe(Assert.Throws<Odd>(() => { }));", ODD),
        ("Probe(Assert.Throws(typeof(Odd), () => { }));", ERROR),
        ("Probe(f.Should().Throw<Odd>().Which);", ODD),
        ("Probe((await f.Should().ThrowAsync<Odd>()).And);", ODD),
    ],
)
def test_what_is_known(body: str, expected: tuple[str, ...] | None) -> None:
    assert type_of(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "Probe(unheard);",
        "Probe(null);",
        "Probe(given.Unheard);",
        "Probe(given.Unheard.Message);",
        "Probe(Tools.Many(1));",
        "Probe(Tools.Find(1, 2));",
        "F(out var x); Probe(x);",
        "var (x, y) = Pair(); Probe(x);",
        "Func<Odd, int> f = x => Probe(x);",
        "Probe(b ? given : 1);",
        "Probe(new Box<Odd>().Turn());",
        "X Local<X>() => default; Probe(Local());",
        "Probe(Generic<int>().Value);",
        "Probe(nameof(given));",
        "var x = x; Probe(x);",
        "void field() { } Probe(field);",
    ],
)
def test_what_nobody_can_tell(body: str) -> None:
    assert type_of(body) is None


EXTENSIONS = """namespace Sample {
public static class Extensions {
    public static OddException Twice(this OddException e) => e;
    public static Detail Detailed(this string s, int a = 0) => null;
    public static T Same<T>(this T x) => x;
    public static T FirstOf<T>(this System.Collections.Generic.IEnumerable<T> xs) => default;
    public static Box<T> Boxed<T>(this Box<T> x) => x;
    public static int Unclear(this OddException e) => 0;
    public static string Unclear(this System.Exception e) => null;
    static OddException Hidden(this OddException e) => e;
    public static T Open<T>(this Detail d) => default;
}
public static class Generic {
    public static T Given<T>(T x) => x;
    public static T Made<T>(System.Func<T> f) => f();
    public static System.Threading.Tasks.Task<T> Later<T>(System.Func<T> f) => null;
    public static System.Threading.Tasks.Task<T> Awaited<T>(System.Func<System.Threading.Tasks.Task<T>> f) => null;
    public static T Any<T>(System.Collections.Generic.List<T> xs) => default;
    public static T Some<T>(params T[] xs) => default;
    public static System.Collections.Generic.List<T> All<T>(T a, T b) => null;
    public static V Turned<K, V>(System.Collections.Generic.Dictionary<K, V> all) => default;
    public static T Nothing<T>() => default;
}
public class Pair { public void Deconstruct(out OddException a, out Detail b) { a = null; b = null; } }
public record Point(OddException Left, Detail Right);
public class Filled {
    public bool TryGet(string name, out OddException found) { found = null; return true; }
    public static bool Find<T>(T like, out T found) { found = like; return true; }
    public (OddException First, Detail) Both() => default;
}
}
namespace Far { public static class Extensions { public static Sample.OddException FarAway(this Sample.OddException e) => e; } }
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Probe(given.Twice());", ODD),
        ("Probe(given.Twin.Twice().Twice());", ODD),
        ('Probe("a".Detailed().Cause);', ERROR),
        ('Probe("a".Detailed(1).Cause);', ERROR),
        ("Probe(given.Same());", ODD),
        ("Probe(given.Same<int>());", ("System.Int32",)),
        ("var all = new List<Odd>(); Probe(all.FirstOf());", ODD),
        ("var all = new Odd[1]; Probe(all.FirstOf());", ODD),
        ("Probe(new OddBox().Boxed().Value);", ODD),
        ("Probe(Sample.Extensions.Twice(given));", ODD),
        ("Probe(Generic.Given(given));", ODD),
        ("var x = Generic.Given(given); Probe(x.Twin);", ODD),
        ("Probe(Generic.Given<int>(given));", ("System.Int32",)),
        ("Probe(Generic.Made(() => given));", ODD),
        ("Probe(await Generic.Later(() => given));", ODD),
        ("Probe(await Generic.Awaited(async () => given));", ODD),
        ("Probe(await Generic.Awaited(() => Tools.Later()));", ODD),
        ("var all = new List<Odd>(); Probe(Generic.Any(all));", ODD),
        ("Probe(Generic.Some(given, null));", ODD),
        ("Probe(Generic.All(given, given)[0]);", ODD),
        ("Dictionary<int, Odd> all = null; Probe(Generic.Turned(all));", ODD),
        ("(Odd first, int) x = default; Probe(x.first);", ODD),
        ("(Odd first, int) x = default; Probe(x.Item1);", ODD),
        ("(Odd first, int) x = default; Probe(x.Item2);", ("System.Int32",)),
        ("var x = (1, given); Probe(x.Item2);", ODD),
        ("var x = (1, found: given); Probe(x.found);", ODD),
        ("var x = (given, 1); Probe(x.given);", ODD),
        ("var x = (1, given.Twin); Probe(x.Twin);", ODD),
        ("Probe(new Filled().Both().First);", ODD),
        ("Probe(new Filled().Both().Item2.Cause);", ERROR),
        ("var (x, y) = new Filled().Both(); Probe(x);", ODD),
        ("var (x, y) = new Filled().Both(); Probe(y.Cause);", ERROR),
        ("List<(int, (int, Odd))> all = null; foreach (var (x, (y, z)) in all) Probe(z);", ODD),
        ("(var x, var y) = new Filled().Both(); Probe(x);", ODD),
        ("(Odd x, var y) = Unheard(); Probe(x);", ODD),
        ("var (x, y) = new Pair(); Probe(x);", ODD),
        ("var (x, y) = new Point(null, null); Probe(x);", ODD),
        ("Dictionary<int, Odd> all = null; foreach (var (k, v) in all) Probe(v);", ODD),
        ("List<(int, Odd)> all = null; foreach (var (k, v) in all) Probe(v);", ODD),
        ("Tuple<int, Odd> x = null; Probe(x.Item2);", ODD),
        ('new Filled().TryGet("a", out var x); Probe(x);', ODD),
        ('if (new Filled().TryGet("a", out var x)) Probe(x.Twin);', ODD),
        ('new Filled().TryGet("a", out Exception x); Probe(x);', ERROR),
        ("Filled.Find(given, out var x); Probe(x);", ODD),
        ("Filled.Find<Odd>(null, out var x); Probe(x);", ODD),
        ("Dictionary<int, Odd> all = null; all.TryGetValue(1, out var x); Probe(x);", ODD),
        ("Queue<Odd> all = null; all.TryDequeue(out var x); Probe(x);", ODD),
        ("Take(out var x); Probe(x); void Take(out Odd a) { a = null; }", None),
    ],
)
def test_extensions_type_arguments_tuples_and_out_arguments(body: str, expected: tuple[str, ...] | None) -> None:
    assert type_of(body, more=EXTENSIONS, with_arguments=True) == expected


@pytest.mark.parametrize(
    "body",
    [
        "Probe(given.FarAway());",
        "Probe(given.Hidden());",
        "Probe(given.Unclear());",
        "Probe(given.Detailed());",
        "Probe(given.Info.Twice());",
        "Probe(given.Twice(1));",
        "Probe(unheard.Twice());",
        "Probe(unheard.Same());",
        "Probe(given.Info.Open());",
        "Probe(given.FirstOf());",
        "Probe(Generic.Given(unheard));",
        "Probe(Generic.Given(null));",
        "Probe(Generic.Made(() => { return given; }));",
        "Probe(Generic.Made(Make));",
        "Probe(Generic.Any(given));",
        "Probe(Generic.All(given, 1)[0]);",
        "Probe(Generic.Given(x: given));",
        "Probe(Generic.Nothing());",
        "var x = (1, given); Probe(x.Item3);",
        "var x = (1, given); Probe(x.Item0);",
        "var x = (1, given); Probe(x.other);",
        "var (x, y) = Unheard(); Probe(x);",
        "var (x, y) = given; Probe(x);",
        "var (x, _, z) = (given, 1); Probe(z);",
        "var (x, y) = (y, x); Probe(x);",
        "new Filled().Unheard(out var x); Probe(x);",
        'new Filled().TryGet("a", 1, out var x); Probe(x);',
        "given.Twice(out var x); Probe(x);",
        "Unheard(out var x); Probe(x);",
    ],
)
def test_what_nobody_can_tell_of_these(body: str) -> None:
    assert type_of(body, more=EXTENSIONS, with_arguments=True) is None


def test_extensions_of_a_namespace_that_is_imported() -> None:
    assert type_of("Probe(given.FarAway());", more=EXTENSIONS, usings="using Far;") == ODD
    assert type_of("Probe(given.FarAway());", more=EXTENSIONS, usings="using static Far.Extensions;") == ODD
    assert type_of("Probe(given.FarAway());", more=EXTENSIONS, usings="using F = Far.Extensions;") is None


def test_arguments_of_hostile_calls_end() -> None:
    nested = "Generic.Given(" * 200 + "given" + ")" * 200
    assert type_of(f"Probe({nested});", more=EXTENSIONS, with_arguments=True) is None
    tuples = "var t0 = (given, given);" + "".join(f"var t{n + 1} = (t{n}, t{n});" for n in range(50))
    assert type_of(f"{tuples} Probe(t50.Item1);", with_arguments=True) is None


def test_a_local_hides_a_field_only_in_its_scope() -> None:
    assert type_of("{ var field = 1; } Probe(field);") == ODD
    assert type_of("{ var field = 1; Probe(field); }") == ("System.Int32",)
    assert type_of("Probe(own);", "int own; class Inner { Odd own; }") == ("System.Int32",)


def test_type_parameters_are_unknown_unless_they_are_given() -> None:
    assert type_of("void G<Odd>(Odd x) { Probe(x); }") is None
    assert type_of("", "void G<X>(X x) { Probe(x); }") is None


def test_exceptions_by_what_they_derive_from() -> None:
    text = (
        "class A : Vendor.SpecialException { } class B : A { } class FakeException { } class C : Vendor.Thing { }\n"
        "class D : System.Exception { }\n"
    )
    index = Sample({"T.cs": text}).index
    scope = index.scope("T.cs", "n0")
    judged = {
        name: index.inference.is_exception(index.inference.named(scope, name))
        for name in ("A", "B", "C", "D", "FakeException", "Rpc.RpcException", "System.Exception", "string")
    }
    assert [name for name, holds in judged.items() if holds] == ["A", "B", "D", "Rpc.RpcException", "System.Exception"]
