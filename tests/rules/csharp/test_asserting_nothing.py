"""Tests that assert nothing: what counts as an assertion, and how far it is followed."""

import pytest
from languages.csharp.judged import findings

from guards.rules.csharp.test_without_assertion import TestWithoutAssertion

NUNIT = "using System;\nusing System.Collections.Generic;\nusing System.Threading.Tasks;\nusing NUnit.Framework;\n"
RUNNER = "public class Runner { public int Run() => 1; public void Verify() { throw new Exception(); } }\n"


def found(text: str, more: dict[str, str] | None = None, /, **options: object) -> list[str]:
    """The tests that are reported, in a file of its own beside others."""
    files = {"T.cs": text, "Runtime/Runner.cs": RUNNER, **(more or {})}
    names = []
    for finding in findings(TestWithoutAssertion(), files, **options):  # type: ignore[arg-type]
        line = files[finding.place.path].splitlines()[finding.place.line - 1]
        names.append(line[finding.place.column - 1 : finding.place.end_column - 1])
    return names


def in_fixture(members: str, usings: str = NUNIT) -> str:
    """A fixture with some members."""
    return f"{usings}public class T\n{{\n    private readonly Runner _runner = new Runner();\n{members}\n}}\n"


def body(statements: str, usings: str = NUNIT) -> str:
    """A fixture with one test."""
    return in_fixture(f"    [Test] public async Task Tests(int n)\n    {{\n{statements}\n    }}\n", usings)


ASSERTIONS = [
    "Assert.That(n, Is.EqualTo(1));",
    "NUnit.Framework.Assert.That(n, Is.EqualTo(1));",
    "global::NUnit.Framework.Assert.True(n == 1);",
    "Assert\n    .That(n, Is.EqualTo(1));",
    "CollectionAssert.IsEmpty(list);",
    'StringAssert.Contains("a", text);',
    "FileAssert.Exists(path);",
    "DirectoryAssert.Exists(path);",
    "Warn.If(n > 1);",
    "Assert.Multiple(() => { Assert.That(n, Is.Zero); });",
    "using (Assert.EnterMultipleScope()) { Assert.That(n, Is.Zero); }",
    "Assert.DoesNotThrow(() => _runner.Run());",
    "Assert.Fail();",
    "Assert.Pass();",
    'UnityEngine.TestTools.LogAssert.Expect(LogType.Error, "x");',
    "UnityEngine.Assertions.Assert.IsTrue(n > 1);",
    "await Assert.That(n).IsEqualTo(1);",
    "var error = Record.Exception(() => _runner.Run());",
    "n.Should().Be(1);",
    "n.ShouldBe(1);",
    "act.Should().Throw<Exception>();",
    "(await Find()).Should().BeTrue();",
    "mock.Verify(x => x.Run());",
    "mock.VerifyAll();",
    "mock.VerifyNoOtherCalls();",
    "Mock.Get(runner).Verify(x => x.Run(), Times.Once);",
    "runner.Received().Run();",
    "runner.Received(2).Run();",
    "runner.DidNotReceive().Run();",
    "A.CallTo(() => runner.Run()).MustHaveHappened();",
    "await Verifier.Verify(n);",
    "Approvals.Verify(n);",
    "view.MatchSnapshot();",
    "await VerifyCS.VerifyAnalyzerAsync(source);",
    "await new VerifyCS.Test { TestCode = source }.RunAsync();",
    "var test = new CSharpAnalyzerTest<A, V> { TestCode = source };\n        await test.RunAsync();",
    'if (n > 1) { throw new Exception("too many"); }',
    "var value = Find() ?? throw new Exception();",
    'var name = n switch { 1 => "a", _ => throw new Exception() };',
    "foreach (var each in list) { Assert.That(each, Is.Positive); }",
    "try { _runner.Run(); } catch (Exception e) { Assert.Fail(e.Message); }",
    "list.ForEach(each => Assert.That(each, Is.Positive));",
    "_runner.Done += () => Assert.That(n, Is.Zero);",
    "Action check = () => Assert.That(n, Is.Zero);\n        check();",
    "void Check() { Assert.That(n, Is.Zero); }\n        Check();",
    "void Check() => Assert.That(n, Is.Zero);\n        list.ForEach(_ => Check());",
    "void Check(int m) => Assert.That(m, Is.Zero);\n        list.ForEach(Check);",
    "Debug.Assert(n == 1);",
    "Exception error = null;\n        throw error;",
    "expectation.CheckNow();",
]


@pytest.mark.parametrize("statement", ASSERTIONS)
def test_an_assertion_is_enough(statement: str) -> None:
    assert found(body(f"        {statement}")) == []


NONE = [
    "",
    "_runner.Run();",
    "await Task.Delay(1);",
    "var result = _runner.Run();\n        Console.WriteLine(result);",
    "var result = _runner.Run() == 1;",
    "_runner.Verify();",
    "new Runner().Verify();",
    "Runner runner = new();\n        runner.Verify();",
    "void Never() { Assert.Fail(); }\n        _runner.Run();",
    "void Never() { Assert.Fail(); }\n        void NeverEither() { Never(); }\n        _runner.Run();",
    "_runner.Run();\n        return;\n        Assert.Fail();",
    "if (false) { Assert.Fail(); }",
    "while (false) { Assert.Fail(); }",
    "Action never = () => Assert.Fail();\n        _runner.Run();",
    "// Assert.That(n, Is.EqualTo(1));\n        _runner.Run();",
    "_runner.Run();  /* Assert.Fail(); */",
    'var text = "Assert.That(1, Is.EqualTo(1))";',
    "Assume.That(n, Is.EqualTo(1));",
    'if (n > 1) { Assert.Ignore("not here"); }\n        _runner.Run();',
    'if (n > 1) { throw new IgnoreException("not here"); }',
    "Assert.Multiple(() => { _runner.Run(); });",
    "var name = nameof(Assert.Fail);",
    "try { _runner.Run(); } catch (Exception) { Console.WriteLine(1); throw; }",
    "GetType();",
    "mock.Setup(x => x.Run()).Returns(1);",
    'TestContext.WriteLine("done");',
]


@pytest.mark.parametrize("statement", NONE)
def test_what_asserts_nothing_is_reported(statement: str) -> None:
    assert found(body(f"        {statement}")) == ["Tests"]


TEST = "    [Test] public void Tests() { Act(); }\n"
WAYS = [
    ("its own method", TEST + "    void Act() { Assert.Pass(); }", {}),
    ("two methods on", TEST + "    void Act() => More();\n    static void More() { Assert.Pass(); }", {}),
    ("methods that call each other", TEST + "    void Act() { More(); }\n    void More() { Act(); Assert.Pass(); }", {}),
    ("a nested type", TEST.replace("Act", "Checks.Act") + "    static class Checks { public static void Act() { Assert.Pass(); } }", {}),
    ("a class beside", TEST.replace("Act", "Checks.Act"), {"C.cs": f"{NUNIT}static class Checks {{ public static void Act() {{ Assert.Pass(); }} }}"}),
    ("an object of one's own", TEST.replace("Act", "new Page(1).Act"), {"C.cs": f"{NUNIT}class Page {{ public Page(int n) {{ }} public void Act() {{ Assert.Pass(); }} }}"}),
    ("an object in a field", "    private readonly Page _page = new();\n" + TEST.replace("Act", "_page.Act"), {"C.cs": f"{NUNIT}class Page {{ public void Act() {{ Assert.Pass(); }} }}"}),
    ("a chain of calls", TEST.replace("Act()", "Page.Open().Click().Done()"), {"C.cs": f"{NUNIT}class Page {{ public static Page Open() => new Page(); public Page Click() => this; public void Done() {{ Assert.Pass(); }} }}"}),
    ("an extension", TEST.replace("Act()", "_runner.Act()"), {"C.cs": f"{NUNIT}static class More {{ public static void Act(this Runner runner) {{ Assert.Pass(); }} }}"}),
    ("an extension of what nobody knows", TEST.replace("Act()", "Vendor.Get().Act()"), {"C.cs": f"{NUNIT}static class More {{ public static void Act(this object it) {{ Assert.Pass(); }} }}"}),
    ("a helper imported as static", TEST, {"C.cs": f"{NUNIT}static class Checks {{ public static void Act() {{ Assert.Pass(); }} }}", "U.cs": "global using static Checks;"}),
    ("a constructor", TEST.replace("Act()", "new Page()"), {"C.cs": f"{NUNIT}class Page {{ public Page() {{ Assert.Pass(); }} }}"}),
    ("what disposes", TEST.replace("Act();", "using (new Page()) { }"), {"C.cs": f"{NUNIT}class Page : IDisposable {{ public void Dispose() {{ Assert.Pass(); }} }}"}),
    ("a double", TEST.replace("Act()", "_runner.Run(new Sink())"), {"C.cs": f"{NUNIT}class Sink : ISink {{ public void Write(string s) {{ Assert.That(s, Is.Empty); }} }}"}),
    ("a component", TEST.replace("Act()", "go.AddComponent<Probe>()"), {"C.cs": f"{NUNIT}class Probe : MonoBehaviour {{ void Update() {{ Assert.That(1, Is.Zero); }} }}"}),
    ("a throwing helper", TEST + "    void Act() { if (_runner.Run() != 1) throw new InvalidOperationException(); }", {}),
    ("a method that is handed on", TEST.replace("Act()", "_runner.Each(Act)") + "    void Act() { Assert.Pass(); }", {}),
    ("a method of a class that is handed on", TEST.replace("Act()", "_runner.Each(Checks.Act)"), {"C.cs": f"{NUNIT}static class Checks {{ public static void Act() {{ Assert.Pass(); }} }}"}),
    ("a helper that runs what it is given", TEST.replace("Act()", "Act(() => Assert.Pass())") + "    void Act(Action action) { action(); }", {}),
    ("a generic helper", TEST.replace("Act()", "Act<int>(1)") + "    void Act<V>(V value) { Assert.Pass(); }", {}),
    ("a coroutine", "    [UnityEngine.TestTools.UnityTest] public System.Collections.IEnumerator Tests() { yield return Act(); }\n    System.Collections.IEnumerator Act() { yield return null; Assert.Pass(); }", {}),
    ("what tears down", TEST + "    void Act() { }\n    [TearDown] public void Close() { Assert.Pass(); }", {}),
    ("what tears down by name", TEST.replace("Act", "_runner.Run") + "    [TearDown] public void Close() { _mocks.VerifyAll(); }", {}),
    ("what tears down in the end", TEST.replace("Act", "_runner.Run") + "    [OneTimeTearDown] public void Close() { Assert.Pass(); }", {}),
    ("a switch", TEST + "    void Act() { switch (_runner.Run()) { case 1: break; default: Assert.Fail(); break; } }", {}),
    ("what nobody can know: a delegate in a field", "    private Action _check;\n" + TEST.replace("Act", "_check"), {}),
    ("what nobody can know: a delegate that is given", "    [TestCaseSource(nameof(Cases))] public void Tests(Action<int> check) { check(1); }", {}),
    ("what nobody can know: a delegate that is invoked", "    [TestCaseSource(nameof(Cases))] public void Tests(Action<int> check) { check.Invoke(1); }", {}),
    ("what nobody can know: a delegate that somebody gives", TEST.replace("Act();", "var check = Checks.Get(); check();"), {}),
    ("what nobody can know: a method that no file has", TEST, {}),
    ("what nobody can know: an object of a test library", TEST.replace("Act()", "new TestHarness().Act()"), {}),
    ("what nobody can know: a class of a test library", TEST.replace("Act", "TestKit.Act"), {}),
    ("a value that is compared", "    [TestCase(1, ExpectedResult = 1)] public int Tests(int n) => _runner.Run();", {}),
    ("a value that a source compares", "    [TestCaseSource(nameof(Cases))] public int Tests(int n) => _runner.Run();", {}),
    ("a task's value", "    [TestCase(1, ExpectedResult = 1)] public async Task<int> Tests(int n) => _runner.Run();", {}),
    ("an expected exception", "    [Test, ExpectedException(typeof(Exception))] public void Tests() => _runner.Run();", {}),
    ("an attribute that checks", "    [Test, ExpectNoLogs] public void Tests() => _runner.Run();", {}),
    ("ignored", '    [Test, Ignore("later")] public void Tests() => _runner.Run();', {}),
    ("explicit", "    [Test, Explicit] public void Tests() => _runner.Run();", {}),
    ("ignored where it begins", '    [Test] public void Tests() { Assert.Ignore("later"); _runner.Run(); }', {}),
    ("measured", "    [Test, Unity.PerformanceTesting.Performance] public void Tests() { Measure.Method(() => _runner.Run()).Run(); }", {}),
    ("no test at all", "    public void Tests() => _runner.Run();", {}),
]  # fmt: skip


@pytest.mark.parametrize(("members", "more"), [pytest.param(*way, id=name) for name, *way in WAYS])
def test_assertions_are_followed(members: str, more: dict[str, str]) -> None:
    assert found(in_fixture(members), more) == []


NO_WAYS = [
    ("its own method", TEST + "    void Act() { _runner.Run(); }", {}),
    ("a helper that is named as if it asserted", TEST.replace("Act", "AssertAll") + "    void AssertAll() { _runner.Run(); }", {}),
    ("a helper beside that is named as if it asserted", TEST.replace("Act", "Checks.AssertAll"), {"C.cs": f"{NUNIT}static class Checks {{ public static void AssertAll() {{ }} }}"}),
    ("methods that call each other", TEST + "    void Act() { More(); }\n    void More() { Act(); }", {}),
    ("a helper that is not called", TEST + "    void Act() { }\n    void More() { Assert.Pass(); }", {}),
    ("what sets up", TEST.replace("Act", "_runner.Run") + "    [SetUp] public void Open() { Assert.Pass(); }", {}),
    ("a test beside", TEST.replace("Act", "_runner.Run") + "    [Test] public void Other() { Assert.Pass(); }", {}),
    ("a double that does not assert", TEST.replace("Act()", "_runner.Run(new Sink())"), {"C.cs": f"{NUNIT}class Sink : ISink {{ public void Write(string s) {{ throw new NotImplementedException(); }} }}"}),
    ("a coroutine", "    [UnityEngine.TestTools.UnityTest] public System.Collections.IEnumerator Tests() { yield return null; }", {}),
    ("a source of cases", "    [TestCase(1)] [TestCase(2)] public void Tests(int n) { _runner.Run(); }", {}),
    ("a condition", "    [Test, UnityPlatform(RuntimePlatform.OSXEditor)] public void Tests() { _runner.Run(); }", {}),
    ("a helper that runs what it is given", TEST.replace("Act()", "Act(() => _runner.Run())") + "    void Act(Action action) { action(); }", {}),
    ("a product method of a telling name", TEST.replace("Act()", "_runner.Verify()"), {}),
    ("a product class of a telling name", TEST.replace("Act()", "new Verifier().Check(1)"), {"Runtime/V.cs": "public class Verifier { public bool Check(int n) => n > 0; }"}),
]  # fmt: skip


@pytest.mark.parametrize(("members", "more"), [pytest.param(*way, id=name) for name, *way in NO_WAYS])
def test_what_leads_to_no_assertion_is_reported(members: str, more: dict[str, str]) -> None:
    assert found(in_fixture(members), more) == ["Tests"]


def test_other_parts_of_a_class_and_its_bases_are_looked_at() -> None:
    more = {
        "Part.cs": f"{NUNIT}public partial class T : Base {{ void InPart() {{ Assert.Pass(); }} }}",
        "Base.cs": f"{NUNIT}public abstract class Base : Root<int> {{ protected void InBase() => InRoot(1); }}",
        "Root.cs": f"{NUNIT}public class Root<V> {{ protected void InRoot(V value) {{ Assert.Pass(); }} protected void Idle() {{ }} }}",
    }
    text = (
        f"{NUNIT}public partial class T\n{{\n    [Test] public void A() {{ InPart(); }}\n    [Test] public void B() {{ InBase(); }}\n"
        "    [Test] public void C() { base.InRoot(1); }\n    [Test] public void D() { this.InBase(); }\n"
        "    [Test] public void E() { Idle(); }\n}\n"
    )
    assert found(text, more) == ["E"]


def test_what_a_derived_fixture_does_in_a_step_counts() -> None:
    base = (
        f"{NUNIT}public abstract class Steps\n{{\n    [Test] public void Tests() {{ Act(); Check(); }}\n"
        "    protected abstract void Act();\n    protected virtual void Check() { }\n}\n"
    )
    asserting = f"{NUNIT}public class T : Steps {{ protected override void Act() {{ }} protected override void Check() {{ Assert.Pass(); }} }}"
    idle = f"{NUNIT}public class T : Steps {{ protected override void Act() {{ }} }}"
    assert found(base, {"D.cs": asserting}) == []
    assert found(base, {"D.cs": idle}) == ["Tests"]
    assert found(base) == []  # whoever derives from it, nobody sees


def test_a_test_that_overrides_one_is_judged_itself() -> None:
    base = f"{NUNIT}public abstract class Steps {{ [Test] public virtual void Tests() {{ Assert.Pass(); }} }}"
    derived = f'{NUNIT}public class T : Steps {{ public override void Tests() {{ }} public override string ToString() => ""; }}'
    assert found(derived, {"Base.cs": base}) == ["Tests"]


def test_members_of_a_base_that_nobody_sees_are_unknown_and_those_of_interfaces_are_none() -> None:
    text = (
        f"{NUNIT}public class T : Vendor.TestBase, IDisposable\n{{\n    [Test] public void A() {{ OpenThing(); }}\n"
        "    [Test] public void B() { this.OpenThing(); }\n    [Test] public void C() { base.OpenThing(); }\n"
        "    [Test] public void D() { new Runner().Run(); }\n    public void Dispose() { }\n}\n"
    )
    assert found(text) == ["D"]


def test_ignored_classes_are_left_alone() -> None:
    ignored = f'{NUNIT}[Ignore("later")]\npublic class T\n{{\n    [Test] public void A() {{ }}\n    public class U {{ [Test] public void B() {{ }} }}\n}}\n'
    assert found(ignored) == []
    assert found("[System.Serializable]\n".join(ignored.split('[Ignore("later")]\n'))) == ["A", "B"]


FRAMEWORKS = [
    ("using Xunit;\n", "Fact"),
    ("using Xunit;\n", "Theory, InlineData(1)"),
    ("using Microsoft.VisualStudio.TestTools.UnitTesting;\n", "TestMethod"),
    ("using Microsoft.VisualStudio.TestTools.UnitTesting;\n", "DataTestMethod, DataRow(1)"),
    ("using TUnit.Core;\n", "Test"),
    ("using Fact = Xunit.FactAttribute;\n", "Fact"),
    ("", "NUnit.Framework.Test"),
]  # fmt: skip


@pytest.mark.parametrize(("usings", "attribute"), FRAMEWORKS)
def test_tests_of_all_frameworks_are_judged(usings: str, attribute: str) -> None:
    members = f"    [{attribute}] public void A(int n) {{ _runner.Run(); }}\n    [{attribute}] public void B(int n) {{ Assert.Equal(1, n); }}"
    assert found(in_fixture(members, usings)) == ["A"]


XUNIT = "using System;\nusing System.Threading.Tasks;\nusing Xunit;\n"


@pytest.mark.parametrize(
    ("attribute", "reported"),
    [
        ('Fact(Skip = "later")', False),
        ("Fact(Skip = Later)", False),
        ("Fact(Skip = null)", True),
        ('Fact(Skip = "no", SkipWhen = nameof(IsSlow))', True),
        ('Fact(DisplayName = "x")', True),
        ("Fact(Timeout = 10)", True),
        ('Theory(Skip = "later")', False),
    ],
)
def test_a_skipped_test_of_xunit_is_left_alone(attribute: str, *, reported: bool) -> None:
    text = in_fixture(
        f'    const string Later = "later";\n    [{attribute}] public void A() {{ _runner.Run(); }}', XUNIT
    )
    assert found(text) == ["A"] * reported


def test_what_xunit_disposes_counts() -> None:
    text = in_fixture(
        "    [Fact] public void A() { _runner.Run(); }\n    public void Dispose() { _mocks.VerifyAll(); }", XUNIT
    )
    assert found(text) == []


@pytest.mark.parametrize(
    "usings",
    ["using A = NUnit.Framework.Assert;\n", "using static NUnit.Framework.Assert;\n", "using A = NUnit.Framework;\n"],
)
def test_aliases_and_static_imports_of_assertions_are_seen(usings: str) -> None:
    call = {"using A = NUnit.Framework.Assert;\n": "A.That(1)", "using A = NUnit.Framework;\n": "A.Assert.That(1)"}
    text = in_fixture(f"    [NUnit.Framework.Test] public void A_() {{ {call.get(usings, 'That(1)')}; }}", usings)
    assert found(text) == []


def test_a_branch_of_a_directive_can_hold_the_assertion() -> None:
    text = in_fixture(
        "    [Test] public void A()\n    {\n        _runner.Run();\n#if UNITY_EDITOR\n        Assert.Pass();\n#endif\n    }\n"
        "    [Test] public void B()\n    {\n#if UNITY_EDITOR\n        _runner.Run();\n#else\n        _runner.Run();\n#endif\n    }\n"
        "    [Test] public void C()\n    {\n        _runner.Run();\n#if false\n        Assert.Pass();\n#endif\n    }"
    )
    assert found(text) == ["B", "C"]


def test_nothing_is_said_next_to_what_could_not_be_read() -> None:
    text = in_fixture(
        "    [Test] public void A() { _runner.Run(); }\n    [Test] public void B() { _runner.Run( ; ] }\n"
        "    [Test] public void C() { _runner.Run(); }\n    void D() { }\n    [Test] public void E() { _runner.Run(); }"
    )
    reported = found(text)
    assert "B" not in reported
    assert found(text.replace("_runner.Run( ; ]", "_runner.Run();")) == ["A", "B", "C", "E"]


def test_names_of_an_option_count_whoever_declares_them() -> None:
    own = in_fixture(TEST.replace("Act", "Confirm") + "    void Confirm() { }")
    assert found(own) == ["Tests"]
    assert found(own, assertions=("Confirm*",)) == []
    assert found(body("        _runner.Verify();"), assertions=("Verif*",)) == []


def test_names_that_are_left_out_of_the_option_do_not_count() -> None:
    text = body("        mock.Verify(x => x.Run());")
    assert found(text) == []
    assert found(text, assertions=("Assert*",)) == ["Tests"]
    assert found(body("        Assert.That(n, Is.Zero);"), assertions=()) == []


def test_deep_nesting_is_unknown_and_no_trouble() -> None:
    deep = "if (n > 1) {" * 300 + "_runner.Run();" + "}" * 300
    assert found(body(f"        {deep}")) == []
    chain = "_runner" + ".With(1)" * 2000 + ";"
    assert found(body(f"        {chain}")) == ["Tests"]
    either = "var x = " + "n > 1 ? Runner.Make() : " * 300 + "null;"
    assert found(body(f"        {either}")) == []


def test_what_nobody_can_tell_is_reported_on_demand() -> None:
    text = f"{NUNIT}public class T : Vendor.TestBase {{ [Test] public void A() {{ OpenThing(); }} [Test] public void B() {{ Assert.Pass(); }} }}"
    assert found(text) == []
    assert found(text, unknown=True) == ["A"]
