"""Which functions are tests and lifecycle methods, and how they get to others."""

import pytest
from languages.csharp.sample import UNIT, Sample, lines

from guards.project.model import PRODUCT, FileInfo, Unit

NUNIT = "using NUnit.Framework;\n"


def roots(text: str, kind: str, unit: Unit = UNIT, **more: str) -> set[str]:
    """The names of the functions that are roots of a kind."""
    files = {"T.cs": text, **{f"{name}.cs": other for name, other in more.items()}}
    found = Sample(files, dict.fromkeys(files, unit))
    rows = found.files["T.cs"].facts().functions
    return {row.name for number, row in enumerate(rows) if found.index.reach("T.cs", str(number), kind) == ()}


@pytest.mark.parametrize(
    "attribute",
    [
        "Test",
        "TestAttribute",
        "NUnit.Framework.Test",
        "global::NUnit.Framework.TestAttribute",
        'Category("x"), Test',
        "method: Test",
        "TestCase(1)",
        "TestCaseSource(nameof(All))",
        "Theory",
        "UnityEngine.TestTools.UnityTest",
        "Fast",
        "Slow",
    ],
)
def test_attributes_of_tests(attribute: str) -> None:
    text = f"{NUNIT}using Fast = NUnit.Framework.TestAttribute;\nclass T {{ [{attribute}] public void A() {{ }} void B() {{ }} }}\n"
    own = "class SlowAttribute : MiddleAttribute { } class MiddleAttribute : NUnit.Framework.TestAttribute { }"
    assert roots(text, "test", Own=own) == {"A"}


@pytest.mark.parametrize("attribute", ["Tests", "TestRunnerAware", "Category", "Sample.Test", "SetUp", "return: Other"])
def test_other_attributes(attribute: str) -> None:
    own = "namespace Sample { class TestAttribute : System.Attribute { } }"
    assert roots(f"{NUNIT}class T {{ [{attribute}] public void A() {{ }} }}\n", "test", Own=own) == set()


def test_the_units_frameworks_decide_where_no_using_does() -> None:
    text = "class T { [Test] public void A() { } [Fact] public void B() { } }\n"
    assert roots(text, "test") == {"A"}
    assert roots(
        text, "test", Unit("csproj", "X", "X.csproj", test=True, facts=(("test-frameworks", ("xunit",)),))
    ) == {"B"}
    assert roots(text, "test", Unit("csproj", "X", "X.csproj", test=True)) == set()


def test_lifecycle_attributes() -> None:
    text = f"{NUNIT}using UnityEngine.TestTools;\nclass T {{ [SetUp] void A() {{ }} [OneTimeTearDown] void B() {{ }} [UnitySetUp] IEnumerator C() {{ }} void D() {{ }} }}\n"
    assert roots(text, "lifecycle") == {"A", "B", "C"}


def test_the_lifecycle_of_xunit_is_in_the_names() -> None:
    unit = Unit("csproj", "X", "X.csproj", test=True, facts=(("test-frameworks", ("xunit",)),))
    text = "using Xunit;\nclass T : IAsyncLifetime { public T() { } static T() { } public Task InitializeAsync() { } public void Dispose() { } void Other() { } [Fact] void F() { } }\n"
    assert roots(text, "lifecycle", unit) == {"T", "InitializeAsync", "Dispose"}
    assert roots(text.replace("[Fact]", ""), "lifecycle", unit) == set()


def test_an_override_of_a_test_is_the_test() -> None:
    text = f"{NUNIT}class T : Base {{ public override void A() {{ Help(); }} void Help() {{ }} }}\n"
    base = f"{NUNIT}abstract class Base {{ [Test] public abstract void A(); }}"
    assert Sample({"T.cs": text, "B.cs": base}).way("Help") == ["the test `A` calls `Help`"]


class TestWays:
    def test_through_helpers(self) -> None:
        text = f"{NUNIT}class T {{ [Test] public void A() {{ B(); }} void B() {{ this.C(); }} void C() {{ }} void D() {{ }} }}\n"
        found = Sample({"T.cs": text})
        assert found.way("A") == []
        assert found.way("C") == ["the test `A` calls `B`", "`B` calls `C`"]
        assert found.way("D") is None

    @pytest.mark.parametrize(
        "body",
        [
            "B();",
            "B<int>();",
            "Run(() => B());",
            "Run(B);",
            "Action a = B;",
            "a += B;",
            "Action[] all = { B };",
            "T.B();",
            "_ = B() + 1;",
            "await B();",
            "if (x) { for (;;) { B(); } }",
        ],
    )
    def test_calls_and_what_is_handed_on(self, body: str) -> None:
        text = f"{NUNIT}class T {{ [Test] public void A() {{ {body} }} static int B() {{ }} }}\n"
        assert Sample({"T.cs": text}).way("B") == ["the test `A` calls `B`"]

    @pytest.mark.parametrize("body", ["other.B();", "Other.B();", "_ = nameof(other.B);", "void B() { } B();"])
    def test_members_of_others(self, body: str) -> None:
        text = f"{NUNIT}class T {{ [Test] public void A() {{ {body} }} }}\nclass Other {{ public static void C() {{ }} }}\n"
        files = {"T.cs": text, "O.cs": "partial class T { void B() { } }\nclass Other { public static void B() { } }\n"}
        found = Sample(files)
        rows = found.files["O.cs"].facts().functions
        assert [found.index.reach("O.cs", str(number), "test") for number in range(len(rows))] == [None, None]

    def test_across_bases_parts_and_files(self) -> None:
        files = {
            "T.cs": f"{NUNIT}partial class T : Base {{ [Test] public void A() {{ B(); }} protected override void Hook() {{ Deep(); }} void Deep() {{ }} }}\n",
            "Part.cs": "partial class T { void B() { Inherited(); } }\n",
            "Base.cs": f"{NUNIT}abstract class Base {{ [SetUp] public void Up() {{ Hook(); }} protected virtual void Hook() {{ }} protected void Inherited() {{ }} }}\n",
        }
        found = Sample(files)
        assert found.way("Inherited", path="Base.cs") == ["the test `A` calls `B`", "`B` calls `Inherited`"]
        assert found.way("Deep", "lifecycle") == ["the lifecycle method `Up` calls `Hook`", "`Hook` calls `Deep`"]
        assert found.way("Deep", "test") is None

    def test_base_calls_skip_the_own_override(self) -> None:
        files = {
            "T.cs": f"{NUNIT}class T : Base {{ [Test] public void A() {{ base.Hook(); }} protected override void Hook() {{ }} }}\n",
            "Base.cs": "class Base { protected virtual void Hook() { } }\n",
        }
        found = Sample(files)
        assert found.way("Hook", path="T.cs") is None
        assert found.way("Hook", path="Base.cs") == ["the test `A` calls `Hook`"]

    def test_local_functions(self) -> None:
        text = lines(
            NUNIT,
            "class T {",
            "  [Test] public void A() { void L() { M(); void M() { N(); } } L(); }",
            "  void N() { } void O() { void P() { } }",
            "}",
        )
        found = Sample({"T.cs": text})
        assert found.way("N") == ["the test `A` calls `L`", "`L` calls `M`", "`M` calls `N`"]
        assert found.way("P") is None

    def test_nested_types(self) -> None:
        text = f"{NUNIT}class T {{ [Test] public void A() {{ Nested.B(); }} static void Outer() {{ }} static class Nested {{ public static void B() {{ Outer(); }} }} }}\n"
        found = Sample({"T.cs": text})
        assert found.way("Outer") == ["the test `A` calls `B`", "`B` calls `Outer`"]

    def test_circles_end(self) -> None:
        text = f"{NUNIT}class T {{ [Test] public void A() {{ B(); }} void B() {{ C(); }} void C() {{ B(); A(); }} void D() {{ D(); }} }}\n"
        found = Sample({"T.cs": text})
        assert found.way("C") == ["the test `A` calls `B`", "`B` calls `C`"]
        assert found.way("D") is None

    def test_code_outside_of_functions_has_no_way(self) -> None:
        found = Sample({"T.cs": "class T { static int X = Get(); }"})
        (use,) = found.files["T.cs"].uses("Get")
        assert use.function == ""
        assert found.index.reach("T.cs", use.function, "test") is None


def test_fixtures() -> None:
    text = lines(
        NUNIT,
        "abstract class Base { [Test] public void A() { } }",
        "class Derived : Base { }",
        "static class Helpers { public static void A() { } }",
        "class Own { [Test] public void A() { } }",
    )
    index = Sample({"T.cs": text}).index
    declared = [index.types.at("T.cs", row) for row in range(4)]
    assert [each.name for each in declared if index.testing.is_fixture(each)] == ["Derived", "Own"]


def test_a_file_of_the_editors_assembly_is_a_test_if_it_holds_one() -> None:
    unit = Unit("unity", "Assembly-CSharp-Editor", "Assets")
    texts = {"T.cs": f"{NUNIT}class T {{ [Test] void A() {{ }} }}", "P.cs": "class P { }"}
    index = Sample(texts, dict.fromkeys(texts, unit)).index
    assert index.is_test("T.cs")  # by its role
    product = {path: FileInfo(path, "csharp", PRODUCT, unit) for path in texts}
    facts = {path: file.facts() for path, file in Sample(texts, dict.fromkeys(texts, unit)).files.items()}
    index = type(index)(facts, product)
    assert [index.is_test(path) for path in ("T.cs", "P.cs")] == [True, False]
