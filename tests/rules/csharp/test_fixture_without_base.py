"""Fixtures and the base that they must reach."""

import pytest
from languages.csharp.judged import findings, places

from guards.rules.csharp.fixture_without_base import FixtureWithoutBase

NUNIT = "using NUnit.Framework;\n"
BASE = "namespace Sample.Testing { public abstract class CommonTestBase { } }\n"


def found(files: dict[str, str], *bases: str) -> list[tuple[str, int, int]]:
    """Where fixtures are reported that must reach some bases."""
    given = findings(FixtureWithoutBase(), files, bases=bases or ("CommonTestBase",))
    return [(finding.place.path, finding.place.line, finding.place.column) for finding in given]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("class T { [Test] void A() { } }", 7),
        ("public sealed class T { [TestCase(1)] void A(int x) { } }", 21),
        ("class T { [NUnit.Framework.Theory] void A() { } }", 7),
        ("record T { [Test] void A() { } }", 8),
        ("class O { class T { [Test] void A() { } } }", 17),
        ("class T : System.IDisposable { [Test] void A() { } }", 7),
        ("class T : T { [Test] void A() { } }", 7),
        ("class T : U { [Test] void A() { } } class U : V { } class V : U { }", 7),
        ("class T : U { } abstract class U { [Test] void A() { } }", 7),
        ("class T : CommonTestBases { [Test] void A() { } }", 7),
        ("class T : Holder<CommonTestBase> { [Test] void A() { } } class Holder<X> { }", 7),
        ("class T<X> where X : CommonTestBase { [Test] void A() { } }", 7),
        ("class T { CommonTestBase field; [Test] void A() { } }", 7),
    ],
)
def test_fixtures_outside_of_the_base(text: str, column: int) -> None:
    assert found({"T.cs": NUNIT + text + "\n", "Base.cs": BASE}) == [("T.cs", 2, column)]


@pytest.mark.parametrize(
    "text",
    [
        "class T : Sample.Testing.CommonTestBase { [Test] void A() { } }",
        "class T : global::Sample.Testing.CommonTestBase { [Test] void A() { } }",
        "class T : @CommonTestBase { [Test] void A() { } }",
        "class T : Common { [Test] void A() { } }",
        "class T : Middle<int> { [Test] void A() { } } abstract class Middle<X> : CommonTestBase { }",
        "class O : CommonTestBase { public class T : O { [Test] void A() { } } }",
        "partial class T { [Test] void A() { } } partial class T : CommonTestBase { }",
        "class T : Elsewhere.CommonTestBase { [Test] void A() { } }",
        "class T : System.IDisposable, CommonTestBase { [Test] void A() { } }",
    ],
)
def test_fixtures_that_reach_it(text: str) -> None:
    usings = f"{NUNIT}using Sample.Testing;\nusing Common = Sample.Testing.CommonTestBase;\n"
    assert found({"T.cs": usings + text + "\n", "Base.cs": BASE}) == []


@pytest.mark.parametrize(
    "text",
    [
        "[SetUpFixture] class T { [OneTimeSetUp] void U() { } [Test] void A() { } }",
        "[NUnit.Framework.SetUpFixtureAttribute] class T { [Test] void A() { } }",
        "abstract class T { [Test] void A() { } }",
        "partial class T { [Test] void A() { } } abstract partial class T { }",
        "static class T { [Test] static void A() { } }",
        "interface T { [Test] void A(); }",
        "struct T { [Test] void A() { } }",
        "class T { [SetUp] void A() { } }",
        "class T { [Tests] void A() { } }",
        "[TestFixture] class T { }",
        "class T : Outside { [System.Obsolete] void A() { } }",
    ],
)
def test_what_is_no_fixture(text: str) -> None:
    assert found({"T.cs": f"{NUNIT}{text}\n"}) == []


def test_nothing_is_asked_for_without_bases() -> None:
    assert places(FixtureWithoutBase(), f"{NUNIT}class T {{ [Test] void A() {{ }} }}\n") == []


def test_a_base_with_a_namespace_is_that_class_alone() -> None:
    files = {
        "Base.cs": BASE,
        "Other.cs": "namespace Other { public abstract class CommonTestBase { } }\n",
        "T.cs": f"{NUNIT}using Other;\nclass T : CommonTestBase {{ [Test] void A() {{ }} }}\n",
        "U.cs": f"{NUNIT}using Sample.Testing;\nclass U : CommonTestBase {{ [Test] void A() {{ }} }}\n",
    }
    assert found(files, "Sample.Testing.CommonTestBase") == [("T.cs", 3, 7)]
    assert found(files, "Other.*", "Sample.Testing.CommonTestBase") == []


def test_a_partial_class_is_reported_once_where_its_tests_are() -> None:
    files = {
        "A.cs": "public partial class T : System.IDisposable { }\n",
        "B.cs": f"{NUNIT}public partial class T {{ [Test] void A() {{ }} }}\n",
        "C.cs": f"{NUNIT}public partial class T {{ [Test] void B() {{ }} }}\n",
    }
    assert found(files) == [("B.cs", 2, 22)]


def test_what_cannot_be_seen_is_said() -> None:
    files = {"T.cs": f"{NUNIT}class T : Vendor.Kit {{ [Test] void A() {{ }} }}\n"}
    messages = [finding.message for finding in findings(FixtureWithoutBase(), files, bases=("CommonTestBase",))]
    assert messages == ["whether `T` derives from `CommonTestBase` cannot be seen: `Kit` is in no file of the project"]
    files = {"T.cs": f"{NUNIT}class T : IVendor {{ [Test] void A() {{ }} }}\n"}
    messages = [finding.message for finding in findings(FixtureWithoutBase(), files, bases=("A", "B"))]
    assert messages == ["`T` does not derive from `A` or `B`"]


def test_product_classes_are_none_of_its_business() -> None:
    assert found({"Runtime/T.cs": f"{NUNIT}class T {{ [Test] void A() {{ }} }}\n"}) == []
