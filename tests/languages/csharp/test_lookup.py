"""What a name means: usings, namespaces, nesting, bases, shadowing."""

from time import process_time

import pytest
from languages.csharp.sample import UNIT, Sample, lines

from guards.project.model import Unit

SLEEP = "System.Threading.Thread.Sleep"
OTHER_UNIT = Unit("asmdef", "Game", "Runtime/Game.asmdef")


def sleeps(text: str, **more: str) -> list[tuple[int, tuple[str, ...]]]:
    """The lines on which something called ``Sleep`` is used, with what it can be."""
    found = Sample({"T.cs": text, **{f"{name}.cs": other for name, other in more.items()}}).meant("Sleep")
    return [(line, names) for line, _, names in found]


@pytest.mark.parametrize(
    ("head", "expression"),
    [
        ("using System.Threading;", "Thread.Sleep(1)"),
        ("", "System.Threading.Thread.Sleep(1)"),
        ("", "global::System.Threading.Thread.Sleep(1)"),
        ("", "System . /* here */ Threading\n.Thread\n.Sleep(1)"),
        ("using System.Threading;", "@Thread.@Sleep(1)"),
        ("using System.Threading;", "Thr\\u0065ad.Sl\\U00000065ep(1)"),
        ("using System.Threading;", "(Thread).Sleep(1)"),
        ("using System.Threading;", "if (x is { A: 1 }) Thread.Sleep(1)"),
        ("using System.Threading;", 'Log($"{Run(() => { Thread.Sleep(1); return 1; })}")'),
        ("using T2 = System.Threading.Thread;", "T2.Sleep(1)"),
        ("using T2 = global::System.Threading.Thread;", "T2.Sleep(1)"),
        ("using ST = System.Threading;", "ST.Thread.Sleep(1)"),
        ("using ST = System.Threading;", "ST::Thread.Sleep(1)"),
        ("using static System.Threading.Thread;", "Sleep(1)"),
        ("namespace System;", "Threading.Thread.Sleep(1)"),
        ("namespace System.Threading.Tests;", "Thread.Sleep(1)"),
        ("namespace N; using System.Threading;", "Thread.Sleep(1)"),
        ("namespace N { } namespace System; using Threading;", "Thread.Sleep(1)"),
        ("extern alias Core;", "Core::System.Threading.Thread.Sleep(1)"),
    ],
)
def test_every_spelling_of_a_static_member(head: str, expression: str) -> None:
    found = sleeps(f"{head}\nclass T {{ void A() {{ {expression}; }} }}\n")
    assert [names for _, names in found] == [(SLEEP,)]


def test_an_alias_inside_a_namespace_counts_there_alone() -> None:
    text = lines(
        "namespace A { using Th = System.Threading.Thread; class T { void M() { Th.Sleep(1); } } }",
        "namespace B { class T { void M() { Th.Sleep(1); } } }",
    )
    assert [(line, SLEEP in names) for line, names in sleeps(text)] == [(1, True), (2, False)]


@pytest.mark.parametrize("using", ["global using System.Threading;", "global using Thread = System.Threading.Thread;"])
def test_global_usings_hold_in_the_other_files_of_their_unit(using: str) -> None:
    text = "class T { void A() { Thread.Sleep(1); } }"
    assert sleeps(text, Usings=using) == [(1, (SLEEP,))]
    elsewhere = Sample({"T.cs": text, "Usings.cs": using}, {"Usings.cs": OTHER_UNIT})
    assert elsewhere.lines("Sleep", SLEEP) == []


def test_a_global_static_using() -> None:
    assert sleeps("class T { void A() { Sleep(1); } }", U="global using static System.Threading.Thread;") == [
        (1, (SLEEP,))
    ]


@pytest.mark.parametrize(
    ("fact", "call"),
    [
        ("System.Threading", "Thread.Sleep(1)"),
        ("static System.Threading.Thread", "Sleep(1)"),
        ("Th=System.Threading.Thread", "Th.Sleep(1)"),
    ],
)
def test_usings_of_the_project_file(fact: str, call: str) -> None:
    unit = Unit("csproj", "Sample", "Sample.csproj", test=True, facts=(("usings", (fact,)),))
    found = Sample({"T.cs": f"class T {{ void A() {{ {call}; }} }}"}, {"T.cs": unit})
    assert found.lines("Sleep", SLEEP) == [1]


def test_an_alias_of_a_closed_generic_type() -> None:
    text = lines("using Pools = Game.Pool<int>;", "class T { void A() { Pools.Clear(); Game.Pool<int>.Clear(); } }")
    found = Sample({"T.cs": text, "P.cs": "namespace Game { public class Pool<T> { public static void Clear() { } } }"})
    assert found.meant("Clear") == [(2, "call", ("Game.Pool.Clear",)), (2, "call", ("Game.Pool.Clear",))]


class TestShadowing:
    OWN = "public static class Thread { public static void Sleep(int ms) { } }"

    @pytest.mark.parametrize(
        ("namespace", "means"),
        [("Sample", "Sample.Thread.Sleep"), ("Sample.Tests", "Sample.Tests.Thread.Sleep"), ("Sample.Other", SLEEP)],
    )
    def test_a_type_of_the_project_wins_where_its_namespace_encloses(self, namespace: str, means: str) -> None:
        text = "using System.Threading;\nnamespace Sample.Tests { class T { void A() { Thread.Sleep(1); } } }\n"
        assert sleeps(text, Own=f"namespace {namespace} {{ {self.OWN} }}") == [(2, (means,))]

    def test_a_type_of_the_project_that_is_imported_while_the_frameworks_is_not(self) -> None:
        text = "using Sample;\nclass T { void A() { Thread.Sleep(1); } }\n"
        assert sleeps(text, Own=f"namespace Sample {{ {self.OWN} }}") == [(2, ("Sample.Thread.Sleep",))]

    def test_a_type_of_the_project_elsewhere(self) -> None:
        text = "using System.Threading;\nclass T { void A() { Thread.Sleep(1); } }\n"
        assert sleeps(text, Own=f"namespace Sample {{ {self.OWN} }}") == [(2, (SLEEP,))]

    def test_a_type_in_the_global_namespace_loses_to_a_using_of_an_inner_namespace(self) -> None:
        text = "namespace N { using System.Threading; class T { void A() { Thread.Sleep(1); } } }\n"
        assert sleeps(text, Own=self.OWN) == [(1, (SLEEP,))]

    def test_a_file_local_type_is_seen_in_its_file_alone(self) -> None:
        text = "using System.Threading;\nclass T { void A() { Thread.Sleep(1); } }\n"
        assert sleeps(text, Own=self.OWN.replace("public static class", "file static class")) == [(2, (SLEEP,))]
        assert sleeps(text + self.OWN.replace("public static class", "file static class")) == [(2, ("Thread.Sleep",))]

    def test_a_generic_type_of_the_same_name_is_another_type(self) -> None:
        text = "using System.Threading;\nclass T { void A() { Thread.Sleep(1); } }\nclass Thread<T> { }\n"
        assert sleeps(text) == [(2, (SLEEP,))]

    @pytest.mark.parametrize(
        "more",
        [
            "class T : Base { void A() { Thread.Sleep(1); } } class Base { protected class Thread { public static void Sleep(int i) { } } }",
            "class T { void A() { Thread.Sleep(1); } class Thread { public static void Sleep(int i) { } } }",
            "class O { class Thread { public static void Sleep(int i) { } } class T { void A() { Thread.Sleep(1); } } }",
            "partial class T { void A() { Thread.Sleep(1); } } partial class T { class Thread { public static void Sleep(int i) { } } }",
        ],
    )
    def test_nested_types_come_first(self, more: str) -> None:
        (found,) = sleeps(f"using System.Threading;\n{more}\n")
        assert found[1][0].endswith(".Thread.Sleep")
        assert SLEEP not in found[1]

    @pytest.mark.parametrize(
        "body",
        [
            "Fake Thread; void A() { Thread.Sleep(1); }",
            "Fake Thread { get; } void A() { Thread.Sleep(1); }",
            "event Fake Thread; void A() { Thread.Sleep(1); }",
            "void A(Fake Thread) { Thread.Sleep(1); }",
            "void A() { Fake Thread = null; Thread.Sleep(1); }",
            "void A() { var Thread = new Fake(); { Thread.Sleep(1); } }",
            "void A() { Run(Thread => Thread.Sleep(1)); }",
            "void A() { Run((Thread, other) => Thread.Sleep(1)); }",
            "void A() { Run(delegate(Fake Thread) { Thread.Sleep(1); }); }",
            "void A() { foreach (var Thread in all) Thread.Sleep(1); }",
            "void A() { foreach (var (Thread, i) in all) Thread.Sleep(1); }",
            "void A() { for (var Thread = First(); ;) Thread.Sleep(1); }",
            "void A() { using var Thread = First(); Thread.Sleep(1); }",
            "void A() { using (var Thread = First()) Thread.Sleep(1); }",
            "void A() { if (o is Fake Thread) Thread.Sleep(1); }",
            "void A() { if (o is { X: Fake Thread }) Thread.Sleep(1); }",
            "void A() { var (Thread, i) = Two(); Thread.Sleep(1); }",
            "void A() { Get(out var Thread); Thread.Sleep(1); }",
            "void A() { try { } catch (Fake Thread) { Thread.Sleep(1); } }",
            "void A() { _ = from Thread in all select Thread.Sleep(1); }",
            "void A() { _ = from x in all let Thread = x select Thread.Sleep(1); }",
            "void A() { _ = from x in all join Thread in others on x equals Thread select Thread.Sleep(1); }",
            "void A<Thread>() where Thread : IFake { Thread.Sleep(1); }",
            "int this[Fake Thread] => Thread.Sleep(1);",
        ],
    )
    def test_a_value_of_the_name_is_no_type(self, body: str) -> None:
        text = f"using System.Threading;\nclass T {{ {body} }}\n"
        assert Sample({"T.cs": text}).lines("Sleep", SLEEP) == []

    @pytest.mark.parametrize(
        "head", ["class T<Thread>", "class T(Fake Thread)", "record T(Fake Thread)", "struct T(Fake Thread)"]
    )
    def test_parameters_of_the_type_itself(self, head: str) -> None:
        text = f"using System.Threading;\n{head} {{ void A() {{ Thread.Sleep(1); }} }}\n"
        assert Sample({"T.cs": text}).lines("Sleep", SLEEP) == []

    def test_a_value_of_a_base_class(self) -> None:
        text = "using System.Threading;\nclass T : Base { void A() { Thread.Sleep(1); } }\n"
        assert Sample({"T.cs": text, "B.cs": "class Base { protected Fake Thread; }"}).lines("Sleep", SLEEP) == []

    @pytest.mark.parametrize(
        "body",
        [
            "Thread Thread; void A() { Thread.Sleep(1); }",
            "Thread Thread => null; void A() { Thread.Sleep(1); }",
            "void A(System.Threading.Thread Thread) { Thread.Sleep(1); }",
            "void A() { { Fake Thread = null; } Thread.Sleep(1); }",
            "void A() { Run(Thread => 1); Thread.Sleep(1); }",
            "void B() { Fake Thread = null; } void A() { Thread.Sleep(1); }",
            "class Inner { Fake Thread; } void A() { Thread.Sleep(1); }",
        ],
    )
    def test_a_value_that_is_named_as_its_type_or_stands_elsewhere_hides_nothing(self, body: str) -> None:
        assert Sample({"T.cs": f"using System.Threading;\nclass T {{ {body} }}\n"}).lines("Sleep", SLEEP) == [2]


class TestBareNames:
    USING = "using static System.Threading.Thread;\n"

    @pytest.mark.parametrize(
        "more",
        [
            "class T { void Sleep(int i) { } void A() { Sleep(1); } }",
            "class T { Action<int> Sleep; void A() { Sleep(1); } }",
            "class T { Action<int> Sleep => null; void A() { Sleep(1); } }",
            "class T { void A() { void Sleep(int i) { } Sleep(1); } }",
            "class T { void A() { Action<int> Sleep = null; Sleep(1); } }",
            "class T : Base { void A() { Sleep(1); } } class Base { protected void Sleep(int i) { } }",
            "class T : Middle { void A() { Sleep(1); } } class Middle : Base { } class Base { protected void Sleep(int i) { } }",
            "class O { static void Sleep(int i) { } class T { void A() { Sleep(1); } } }",
            "partial class T { void A() { Sleep(1); } } partial class T { void Sleep(int i) { } }",
        ],
    )
    def test_a_member_wins_over_a_static_using(self, more: str) -> None:
        assert Sample({"T.cs": self.USING + more}).lines("Sleep", SLEEP) == []

    @pytest.mark.parametrize(
        "more",
        [
            "class T : UnknownBase { void A() { Sleep(1); } }",
            "class T { void A() { Sleep(1); } class Inner { void Sleep(int i) { } } }",
            "class T { void A() { Sleep(1); } } class Other { void Sleep(int i) { } }",
            "class T { void A() { { void Sleep(int i) { } } Sleep(1); } }",
        ],
    )
    def test_a_member_of_another_type_does_not(self, more: str) -> None:
        assert Sample({"T.cs": self.USING + more}).lines("Sleep", SLEEP) == [2]

    def test_without_a_static_using_the_name_may_come_from_a_base_outside(self) -> None:
        text = "using UnityEditor;\nclass W : EditorWindow { void A() { GetWindow<W>(); } }\nclass O { void A() { GetWindow<W>(); } }\n"
        assert Sample({"T.cs": text}).meant("GetWindow") == [
            (2, "call", ("UnityEditor.EditorWindow.GetWindow",)),
            (3, "call", ()),
        ]

    def test_a_static_using_of_a_type_of_the_project_has_its_members_only(self) -> None:
        text = "using static Sample.Clock;\nusing static System.Threading.Thread;\nclass T { void A() { Sleep(1); Tick(); } }\n"
        found = Sample(
            {"T.cs": text, "C.cs": "namespace Sample { static class Clock { public static void Tick() { } } }"}
        )
        assert found.meant("Sleep") == [(3, "call", (SLEEP,))]
        assert found.lines("Tick", "Sample.Clock.Tick") == [3]


class TestMembers:
    def test_a_static_member_through_a_derived_type(self) -> None:
        text = "class Base { public static void Stop() { } }\nclass Derived : Base { }\nclass T { void A() { Derived.Stop(); } }\n"
        assert Sample({"T.cs": text}).meant("Stop") == [(3, "call", ("Base.Stop",))]

    def test_through_a_type_that_derives_from_one_outside(self) -> None:
        text = "using UnityEditor;\nclass My : AssetDatabase { }\nclass T { void A() { My.Refresh(); } }\n"
        assert Sample({"T.cs": text}).lines("Refresh", "UnityEditor.AssetDatabase.Refresh") == [3]

    def test_this_and_base(self) -> None:
        text = lines(
            "class Base { protected void Stop() { } }",
            "class T : Base { void Stop() { } void A() {",
            "this.Stop();",
            "base.Stop();",
            "} }",
        )
        assert Sample({"T.cs": text}).meant("Stop") == [(3, "call", ("T.Stop",)), (4, "call", ("Base.Stop",))]

    def test_an_own_member_by_its_bare_name(self) -> None:
        text = "namespace N { class Server { static void Stop() { } void A() { Stop(); } } }\n"
        assert Sample({"T.cs": text}).meant("Stop") == [(1, "call", ("N.Server.Stop",))]

    def test_a_type_that_nobody_declares_is_guessed_from_all_usings(self) -> None:
        text = "using A;\nnamespace N { class T { void M() { Server.Stop(); } } }\n"
        assert Sample({"T.cs": text}).meant("Stop") == [(2, "call", ("N.Server.Stop", "A.Server.Stop", "Server.Stop"))]

    @pytest.mark.parametrize(
        "call",
        [
            "_panel.Stop()",
            "worker.Stop()",
            "this._panel.Stop()",
            "Get().Stop()",
            "all[0].Stop()",
            "new Server().Stop()",
            "((Server)x).Stop()",
        ],
    )
    def test_a_member_of_a_value_is_unknown(self, call: str) -> None:
        found = Sample({"T.cs": f"using A;\nclass T {{ private Server _panel; void M() {{ {call}; }} }}\n"}).meant(
            "Stop"
        )
        assert not [names for _, _, names in found if any(name.endswith("Server.Stop") for name in names)]

    def test_calls_stay_in_the_name(self) -> None:
        text = "using System.Threading.Tasks;\nclass T { void A() { Task.Delay(1).Wait(); } }\n"
        assert Sample({"T.cs": text}).meant("Wait") == [(2, "call", ("System.Threading.Tasks.Task.Delay().Wait",))]

    def test_keywords_are_types_of_the_framework(self) -> None:
        text = "class T { void A() { string.Join(null); } }\n"
        assert Sample({"T.cs": text}).meant("Join") == [(1, "call", ("System.String.Join",))]


class TestUnits:
    def test_types_of_one_name_in_two_units_are_two(self) -> None:
        files = {
            "T.cs": "class T : Base { void A() { Stop(); } }",
            "Mine.cs": "class Base { protected void Stop() { } }",
            "Other.cs": "class Base { }",
        }
        units = {"T.cs": UNIT, "Mine.cs": UNIT, "Other.cs": OTHER_UNIT}
        assert Sample(files, units).meant("Stop") == [(1, "call", ("Base.Stop",))]
        assert Sample(files, {**units, "Mine.cs": OTHER_UNIT, "Other.cs": UNIT}).meant("Stop") == [(1, "call", ())]


def test_bases_that_lead_in_a_circle_end() -> None:
    text = "class A : B { class X { } void M() { Stop(); } }\nclass B : C { }\nclass C : A.X, A { }\n"
    assert Sample({"T.cs": text}).meant("Stop") == [(1, "call", ())]


def test_deep_nesting_and_long_chains_of_bases() -> None:
    nested = "".join(f"class N{i} : N{i + 1}.X {{ " for i in range(400)) + "void M() { Stop(); }" + "}" * 400
    chain = "".join(f"class C{i} : C{i + 1} {{ }}\n" for i in range(40)) + "class C40 { protected void Stop() { } }\n"
    found = Sample({"T.cs": nested, "C.cs": chain + "class T : C0 { void M() { Stop(); } }"})
    assert [line for line, _, _ in found.meant("Stop")] == [1]
    assert found.lines("Stop", "C40.Stop", "C.cs") == [42]


def test_very_many_usings_and_types() -> None:
    usings = "".join(f"using N{i};\n" for i in range(1000))
    types = "".join(f"class T{i} : T{i + 1} {{ [Test] void M() {{ Other.Stop(); }} }}\n" for i in range(400))
    started = process_time()
    found = Sample({"T.cs": usings + types})
    assert len(found.meant("Stop")) == 400
    assert found.index.reach("T.cs", "7", "test") == ()
    assert process_time() - started < 20
