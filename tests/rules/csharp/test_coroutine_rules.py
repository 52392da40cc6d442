"""Coroutines in tests: the attributes, and the methods."""

import pytest
from languages.csharp.judged import findings, places

from guards.rules.csharp.ienumerator_method import IenumeratorMethod
from guards.rules.csharp.unity_coroutine_test import UnityCoroutineTest

COLLECTIONS = "using System.Collections;\n"
UTF = "using UnityEngine.TestTools;\n"


@pytest.mark.parametrize(
    ("attributes", "columns"),
    [
        ("[UnityTest]", [12]),
        ("[ UnityTestAttribute ( ) ]", [13]),
        ('[Test, Category("a"), UnityTest]', [33]),
        ("[Test][UnityTest]", [18]),
        ("[method: UnityTest]", [20]),
        ("[UnityEngine.TestTools.UnityTest]", [34]),
        ("[global::UnityEngine.TestTools.UnitySetUp]", [42]),
        ("[@UnityTearDown]", [12]),
        ("[Unity\\u0054est]", [12]),
    ],
)
def test_the_attributes_name_is_the_place(attributes: str, columns: list[int]) -> None:
    text = f"{UTF}class T {{ {attributes} public IEnumerator A() {{ yield break; }} }}\n"
    assert places(UnityCoroutineTest(), text) == [(2, column) for column in columns]


@pytest.mark.parametrize(
    "text",
    [
        "class T { [UnityTest] void A() { } }\nclass UnityTestAttribute : System.Attribute { }\n",
        "class T { [Other.UnityTest] void A() { } }\n",
        "class T { [UnityTests] void A() { } [MyUnityTest] void B() { } [UnityPlatform] void C() { } }\n",
        "class T { UnityTest A() => new UnityTest(); }\n",
        "class T { /* [UnityTest] */ void A() { } }\n",
        "class T { class UnityTestAttribute : System.Attribute { } [UnityTest] void A() { } }\n",
    ],
)
def test_other_attributes(text: str) -> None:
    assert places(UnityCoroutineTest(), UTF + text) == []


def test_aliases_and_derived_attributes_of_other_files() -> None:
    files = {
        "T.cs": "class T {\n[Frames] void A() { }\n[Slow] void B() { }\n[Test] void C() { }\n}\n",
        "Usings.cs": "global using Slow = UnityEngine.TestTools.UnityTestAttribute;\n",
        "Frames.cs": f"{UTF}class FramesAttribute : Middle {{ }} class Middle : UnityTestAttribute {{ }}\n",
    }
    assert [found.place.line for found in findings(UnityCoroutineTest(), files)] == [2, 3]


@pytest.mark.parametrize(
    "member",
    [
        "IEnumerator A() { yield break; }",
        "IEnumerator? A() => null;",
        "System.Collections.IEnumerator A() => null;",
        "global::System.Collections.IEnumerator A() => null;",
        "E A() => null;",
        "E? A() => null;",
        "public static IEnumerator\n A<U>(int x) => null;",
        "void M() { IEnumerator A() { yield break; } }",
        "abstract IEnumerator A();",
        "interface I { IEnumerator A(); }",
        "class Loose { public IEnumerator GetEnumerator() => null; }",
        "class Twin : IEnumerable { public IEnumerator GetEnumerator() => null; IEnumerator Run() => null; }",
        "class Two : System.IDisposable { public IEnumerator Run() => null; }",
    ],
)
def test_methods_that_return_the_enumerator(member: str) -> None:
    text = f"{COLLECTIONS}using E = System.Collections.IEnumerator;\nclass T {{ {member} }}\n"
    assert len(places(IenumeratorMethod(), text)) == 1


@pytest.mark.parametrize(
    "member",
    [
        "IEnumerable A() => null;",
        "IEnumerator<int> A() => null;",
        "List<IEnumerator> A() => null;",
        "IEnumerator[] A() => null;",
        "Task<IEnumerator> A() => null;",
        "void A(IEnumerator routine) { IEnumerator local = routine; }",
        "IEnumerator field; IEnumerator Property => null; event Func<IEnumerator> Event;",
        "delegate IEnumerator D();",
        "Func<IEnumerator> A() => () => null;",
        "class Bag : IEnumerable { public IEnumerator GetEnumerator() => null; }",
        "class Bag : IEnumerable { IEnumerator IEnumerable.GetEnumerator() => null; }",
        "class Bag : List<int> { public new IEnumerator GetEnumerator() => null; }",
        "class Bag : Middle { public IEnumerator GetEnumerator() => null; } class Middle : IEnumerable { }",
        "class Bag : OutsideCollection { public IEnumerator GetEnumerator() => null; }",
        "class Fake : IOutside { public IEnumerator Run() => null; }",
        "class Fake : OutsideBase { protected override IEnumerator Run() => null; }",
        "class Wait : UnityEngine.TestTools.IEditModeTestYieldInstruction { public IEnumerator Perform() => null; }",
    ],
)
def test_what_is_no_choice_of_the_author_or_no_coroutine(member: str) -> None:
    assert places(IenumeratorMethod(), f"{COLLECTIONS}class T {{ {member} }}\n") == []


def test_doubles_of_product_types() -> None:
    files = {
        "Runtime/Api.cs": f"{COLLECTIONS}public interface IRoutine {{ IEnumerator Play(); }}\n"
        "public abstract class Routine { public abstract IEnumerator Run(int a); public virtual IEnumerator Stop() => null; }\n",
        "T.cs": f"{COLLECTIONS}class Fake : Routine, IRoutine {{\npublic IEnumerator Play() => null;\n"
        "public override IEnumerator Run(int a) => null;\npublic override IEnumerator Stop() => null;\n"
        "public IEnumerator Play(int more) => null;\n}\n",
    }
    assert [(found.place.path, found.place.line) for found in findings(IenumeratorMethod(), files)] == [
        ("T.cs", 5),
        ("T.cs", 6),
    ]


def test_options() -> None:
    text = f"{COLLECTIONS}using System.Collections.Generic;\nusing UnityEngine;\nclass T : MonoBehaviour {{\nIEnumerator Start() => null;\nIEnumerator<int> A() => null;\nIEnumerator P => null;\n}}\n"
    assert [line for line, _ in places(IenumeratorMethod(), text)] == [5]
    assert [line for line, _ in places(IenumeratorMethod(), text, include_generic=True)] == [5, 6]
    assert [line for line, _ in places(IenumeratorMethod(), text, include_property=True)] == [5, 7]
    assert places(IenumeratorMethod(), text, allow_unity_messages=True) == []


def test_a_global_alias_of_the_enumerator() -> None:
    files = {
        "T.cs": "class T { Steps A() => null; Other B() => null; }\n",
        "U.cs": "global using Steps = System.Collections.IEnumerator;\n",
    }
    assert [found.message for found in findings(IenumeratorMethod(), files)] == [
        "`A` is a coroutine: it returns `Steps`"
    ]
