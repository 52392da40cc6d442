"""The facts of a file: what it declares, in all its preprocessor variants."""

import msgspec
from languages.csharp.sample import Sample, lines

from guards.languages.csharp import Facts, outline
from guards.languages.csharp.facts import Function, Type


def facts(*text: str) -> Facts:
    return Sample({"T.cs": lines(*text)}).files["T.cs"].facts()


def function(*text: str) -> Function:
    (found,) = facts(*text).functions
    return found


def declared(*text: str) -> Type:
    (found,) = facts(*text).types
    return found


def test_namespaces_and_usings() -> None:
    found = facts(
        "extern alias EA;",
        "global using static System.Math;",
        "using X = System.Collections.Generic.List<int>; // comment",
        "using /* here */ System . Threading ;",
        "namespace A.B { using Q = EA::C.D; namespace C { } }",
    ).namespaces
    assert [(row.name, row.parent) for row in found] == [("", -1), ("A.B", 0), ("A.B.C", 1)]
    assert [(u.kind, u.name, u.alias, u.is_global) for row in found for u in row.usings] == [
        ("extern", "", "EA", False),
        ("static", "System.Math", "", True),
        ("alias", "System.Collections.Generic.List<int>", "X", False),
        ("namespace", "System.Threading", "", False),
        ("alias", "EA::C.D", "Q", False),
    ]


def test_a_file_scoped_namespace_holds_the_rest_of_the_file() -> None:
    found = facts("namespace A;", "using B;", "class T { class U { } }")
    assert [(row.full, row.namespace, row.outer) for row in found.types] == [("A.T", 1, -1), ("A.T.U", 1, 0)]
    assert found.namespaces[1].usings[0].name == "B"


def test_types() -> None:
    found = declared(
        '[Serializable, Obsolete("x")]',
        "public abstract partial class Pool<TKey, TValue>(int size) : Base<TKey>(size), global::N.IFace where TKey : class",
        '{ const string Name = "a" + "b"; int x, y = 1; event Action Done; }',
    )
    assert (found.name, found.full, found.kind) == ("Pool", "Pool`2", "class")
    assert found.modifiers == ("public", "abstract", "partial")
    assert found.type_parameters == ("TKey", "TValue")
    assert found.bases == ("Base<TKey>", "global::N.IFace")
    assert [attribute.name for attribute in found.attributes] == ["Serializable", "Obsolete"]
    assert [(m.name, m.kind, m.type, m.value) for m in found.members] == [
        ("size", "parameter", "int", ()),
        ("Name", "constant", "string", ('"ab',)),
        ("x", "field", "int", ()),
        ("y", "field", "int", ()),
        ("Done", "event", "Action", ()),
    ]
    assert (found.spot.line, found.spot.column, found.spot.end_column) == (2, 31, 35)


def test_kinds_of_types() -> None:
    found = facts(
        "struct A { } interface B { } enum C : byte { X } record D; record struct E; delegate void F(int a); class G { }"
    )
    assert [(row.name, row.kind) for row in found.types] == [
        ("A", "struct"), ("B", "interface"), ("C", "enum"), ("D", "record"), ("E", "record struct"), ("F", "delegate"), ("G", "class"),
    ]  # fmt: skip
    assert found.types[2].bases == ()
    assert [(member.name, member.kind) for member in found.types[2].members] == [("X", "enum member")]


def test_functions() -> None:
    found = function(
        "class T {",
        '[Test, Category(nameof(T), Name = "n")]',
        "async public Task < int > /* why */ M<U>(this ref int a, string? b = null, params int[] rest) => Other();",
        "}",
    )
    assert (found.name, found.kind, found.returns) == ("M", "method", "Task<int>")
    assert found.modifiers == ("async", "public")
    assert found.type_parameters == ("U",)
    assert [(p.name, p.type, p.modifiers, p.optional) for p in found.parameters] == [
        ("a", "int", ("this", "ref"), False),
        ("b", "string?", (), True),
        ("rest", "int[]", ("params",), False),
    ]
    assert found.attributes[1].arguments == (("0", "T"), ("Name", "n"))
    assert found.calls == ("Other",)
    assert (found.owner, found.outer, found.has_body) == (0, -1, True)


def test_kinds_of_functions() -> None:
    found = facts(
        "class T { T() { } ~T() { } int P => 1; int this[int i] => i; event A E { add { } remove { } } void M() { void L() { } }",
        "public static T operator +(T a) => a; IEnumerator IEnumerable.GetEnumerator() => null; void Abstract(); }",
    )
    assert [(row.name, row.kind, row.interface, row.has_body) for row in found.functions] == [
        ("T", "constructor", "", True),
        ("T", "destructor", "", True),
        ("P", "property", "", True),
        ("", "indexer", "", True),
        ("E", "event", "", True),
        ("M", "method", "", True),
        ("L", "local", "", True),
        ("", "operator", "", True),
        ("GetEnumerator", "method", "IEnumerable", True),
        ("Abstract", "method", "", False),
    ]
    assert found.functions[6].outer == 5


def test_a_declaration_in_several_variants_is_one() -> None:
    found = facts(
        "class T",
        "#if A",
        "    : Base",
        "#endif",
        "{",
        "#if A",
        "    [Test]",
        "#else",
        "    [Fact]",
        "#endif",
        "    public void M() { }",
        "#if A",
        "    void OnlyA() { }",
        "#endif",
        "}",
    )
    assert [row.bases for row in found.types] == [("Base",)]
    assert [(row.name, [a.name for a in row.attributes]) for row in found.functions] == [
        ("M", ["Test", "Fact"]),
        ("OnlyA", []),
    ]


def test_calls_are_those_of_own_members() -> None:
    found = function(
        "class T { void M(Action given) {",
        "Own(); this.Mine(); base.Theirs<int>(); T.Static(); other.Foreign(); Other.Foreign(); given(); var local = X(); local();",
        "Run(Handed); a += Added; Action b = Assigned; return Returned; } }",
    )
    assert found.calls == (
        "Own",
        "this.Mine",
        "base.Theirs",
        "T.Static",
        "X",
        "Run",
        "Handed",
        "Added",
        "Assigned",
        "Returned",
    )


def test_places_count_characters() -> None:
    (row,) = facts("class T { /* é😀 */ void M() { } }").functions
    assert (row.spot.line, row.spot.column) == (1, 25)


def test_facts_go_through_the_cache_unchanged() -> None:
    found = facts("namespace N; class T : B { [Test(1)] void M(int a) { Help(); } const int X = 1; }")
    encoded = msgspec.msgpack.encode(found)
    assert msgspec.msgpack.decode(encoded, type=Facts) == found


def test_the_outline_names_what_a_lookup_begins_with() -> None:
    text = """global using System; global using Short = A.B.Long<int>; using Own = X.Other;
namespace A.B { file class T : N.Base<int>, Own { [Test] void C() { } void D() { } static void E() { } }
static class U<V> { public static void F(this int a, V b) { } } }"""
    found = outline(facts(text))
    assert found.namespaces == ("A.B",)
    assert found.types == ("A.B.T", "A.B.U`1")
    assert found.bases == (("Base", "Own", "Other"), ())
    assert found.file_local == (0,)
    assert found.has_global_usings
    assert found.aliases == (("Short", "Long"),)
    assert found.extensions == (("F", 3),)
