"""A test that asserts nothing.

## What it does

Reports a test that reaches no assertion. An assertion is

- one of NUnit, Unity Test Framework, xUnit, MSTest or TUnit: their `Assert` classes, `Warn`, `LogAssert.Expect`,
  `Record.Exception`, `ExpectedException`, and a test whose returned value the runner compares (`ExpectedResult`, `Returns`);
- one of another library: `Should…`, `Verify…`, `MustHaveHappened`, `Received`, `MatchSnapshot` and the like;
- a call of a method of a name in `assertions` that no file of the project declares;
- a `throw`.

It may stand in the test, in lambdas that it hands on, in methods and local functions that it calls: those of its class, of
bases, of other parts of a partial class, of helpers, extensions and doubles in other files of the test code, and in what
overrides them. What the test's fixture tears down counts as well. A call of product code is no assertion, however it is named.

## Why is this bad?

Such a test only fails where something throws. Whatever the code gives back or leaves behind, the test is green, and it
counts as coverage.

## Use instead

An assertion about what the code gives back or changes. Where the point is that nothing is thrown, say so with
`Assert.DoesNotThrow` or `Record.Exception`.

## Known limits

- Where nobody can tell, nothing is reported: after a call of a member that only a base from outside of the project can have,
  of a delegate that comes from elsewhere, of an object of a test library that the rule does not know.
- A test that is always ignored, explicit or skipped is not judged, nor a performance test (`[Performance]`), whose result
  is a measurement, nor one next to a region that could not be read.
- `Assume`, `Assert.Ignore` and `Assert.Inconclusive` fail no test and are no assertions.
- Whether an assertion is reached on every way, and whether it can fail, is not looked at here.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.csharp import CSharpFile
from guards.languages.csharp.asserting_tests import Judged, may_lack_assertion
from guards.languages.csharp.assertions import ASSERTION_NAMES, Named
from guards.languages.flow import NO, UNKNOWN
from guards.rule import WARNING, Candidate, Example, Finding, Option, Options, Project, Rule


class TestWithoutAssertion(Rule[CSharpFile]):
    """One finding for each test, at its name."""

    name = "test-without-assertion"
    code = "SGC012"
    language = "csharp"
    severity = WARNING
    needs = ("attribute", "name:override")
    options: ClassVar = {
        "assertions": Option(
            ASSERTION_NAMES,
            "Globs of the names of methods that assert. Those of the default count where no file of the project "
            "declares the method, all others everywhere.",
        ),
        "unknown": Option(False, "Whether to report tests, too, of which nobody can tell."),  # noqa: FBT003 an option's default
    }
    why = "it only fails where something throws, whatever the code gives back or leaves behind"
    instead = "assert what the code gives back or changes; if only that nothing is thrown, with `Assert.DoesNotThrow`"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Candidate]:  # noqa: ARG002 other files have a say
        """A candidate for each method with an attribute, or that overrides one, that does not assert itself."""
        for row in may_lack_assertion(file.facts()):
            yield self.candidate(file.functions[row].spot.place(file.info.path), "test", function=str(row))

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The tests that certainly come to no assertion."""
        judged = Judged(project.csharp)
        for candidate in candidates:
            path = candidate.place.path
            options = project.options_for(self.name, path)
            given = options.names("assertions")
            named = Named(
                tuple(glob for glob in given if glob not in ASSERTION_NAMES),
                tuple(glob for glob in given if glob in ASSERTION_NAMES),
            )
            found = judged.assertion(path, int(candidate.function), named)
            name = project.csharp.function(path, candidate.function).name
            if found == NO:
                yield self.finding(candidate.place, f"`{name}` comes to no assertion")
            elif found == UNKNOWN and options.flag("unknown"):
                yield self.finding(candidate.place, f"`{name}` comes to no assertion that can be seen")

    bad = (
        Example(
            "using System.Threading.Tasks;\nusing NUnit.Framework;\n\npublic class RunnerTests\n{\n    private readonly Runner _runner = new Runner();\n\n"
            "    [Test]\n    public void Runs() { _runner.Run(); }  // FLAW\n\n"
            "    [Test]\n    public async Task RunsLater() { await _runner.RunAsync(); }  // FLAW\n\n"
            "    [TestCase(1)]\n    public void Gives(int number)  // FLAW\n    {\n        var given = _runner.Give(number) == number;\n"
            "        TestContext.WriteLine(given);\n    }\n}\n",
            "an act of which nothing is asked",
            files=(
                (
                    "Runtime/Runner.cs",
                    "using System.Threading.Tasks;\n\npublic class Runner\n{\n    public void Run() { }\n    public Task RunAsync() => Task.CompletedTask;\n    public int Give(int number) => number;\n}\n",
                ),
            ),
        ),
        Example(
            "using NUnit.Framework;\n\npublic class RunnerTests\n{\n    [Test]\n    public void Runs()  // FLAW\n    {\n"
            "        void Never() { Assert.Fail(); }\n        Begin();\n        return;\n        Assert.Pass();\n    }\n\n"
            "    [Test]\n    public void Stops() { AssertStopped(); }  // FLAW\n\n"
            "    private void Begin() => new Runner().Run();\n    private void AssertStopped() => Begin();\n}\n",
            "assertions that nothing comes to, and a helper that only claims to assert",
        ),
        Example(
            "using NUnit.Framework;\n\npublic class MailTests\n{\n    [Test]\n    public void Verifies() { new Mail().Verify(); }  // FLAW\n\n"
            "    [Test]\n    public void NeedsThree([Values(1, 2)] int number)  // FLAW\n    {\n        Assume.That(number, Is.EqualTo(3));\n        new Mail().Send();\n    }\n}\n",
            "product code is no assertion, however it is named, and an assumption fails no test",
            files=(
                (
                    "Runtime/Mail.cs",
                    "public class Mail\n{\n    public bool Verify() => true;\n    public void Send() { }\n}\n",
                ),
            ),
        ),
        Example(
            "using NUnit.Framework;\n\npublic class RunnerTests : Vendor.TestBase\n{\n    [Test]\n    public void Runs() { RunAndCompare(1); }  // FLAW\n}\n",
            "a member that only a base from elsewhere can have, where it is asked for",
            options=(("unknown", True),),
        ),
    )
    good = (
        Example(
            "using System;\nusing NUnit.Framework;\n\npublic class RunnerTests\n{\n    [Test]\n    public void Runs() { Assert.That(new Runner().Run(), Is.True); }\n\n"
            "    [Test]\n    public void DoesNotThrow() { Assert.DoesNotThrow(() => new Runner().Run()); }\n\n"
            "    [Test]\n    public void Stops() { if (!new Runner().Stop()) { throw new InvalidOperationException(); } }\n\n"
            "    [TestCase(1, ExpectedResult = 2)]\n    public int Doubles(int number) => new Runner().Double(number);\n}\n",
            "an assertion, a throw, and a value that the runner compares",
        ),
        Example(
            "using System;\nusing NUnit.Framework;\n\npublic partial class RunnerTests : RunnerTestBase\n{\n    [Test]\n    public void Runs() { Begin(); CompareAll(1); }\n\n"
            "    [Test]\n    public void Stops() { Page.Open().Stopped(); }\n\n    [Test]\n    public void Begins() { Within(() => Assert.Pass()); }\n\n"
            "    [Test]\n    public void Ends()\n    {\n        void Compare(int number) => Assert.That(number, Is.Zero);\n        new Runner().ForEach(Compare);\n    }\n\n"
            "    private void Begin() { }\n    private void Within(Action action) => action();\n}\n",
            "helpers of a base, of a class beside, and those that are handed on",
            files=(
                (
                    "Tests/RunnerTestBase.cs",
                    "using NUnit.Framework;\n\npublic abstract class RunnerTestBase\n{\n    protected void CompareAll(int number) => Assert.That(number, Is.Zero);\n}\n",
                ),
                (
                    "Tests/Page.cs",
                    "using NUnit.Framework;\n\npublic class Page\n{\n    public static Page Open() => new Page();\n    public void Stopped() { Assert.Pass(); }\n}\n",
                ),
            ),
        ),
        Example(
            "using Moq;\nusing NSubstitute;\nusing FakeItEasy;\nusing FluentAssertions;\nusing Xunit;\n\npublic class RunnerTests\n{\n"
            "    [Fact]\n    public void Asks() { var runner = new Mock<IRunner>(); new Host(runner.Object).Run(); runner.Verify(x => x.Run()); }\n\n"
            "    [Fact]\n    public void AsksAgain() { var runner = Substitute.For<IRunner>(); runner.Received().Run(); }\n\n"
            "    [Fact]\n    public void AsksLater() { var runner = A.Fake<IRunner>(); A.CallTo(() => runner.Run()).MustHaveHappened(); }\n\n"
            "    [Fact]\n    public void Gives() { new Runner().Give().Should().Be(1); }\n}\n",
            "assertions of other libraries",
        ),
        Example(
            "using NUnit.Framework;\n\npublic class RunnerTests\n{\n    private Mocks _mocks;\n\n    [Test]\n    public void Runs() { new Runner(_mocks).Run(); }\n\n"
            "    [TearDown]\n    public void Close() { _mocks.VerifyAll(); }\n}\n",
            "what the fixture tears down",
        ),
        Example(
            "using System;\nusing NUnit.Framework;\n\npublic class RunnerTests : Vendor.TestBase\n{\n    private readonly Action _compare;\n\n"
            "    [Test]\n    public void Runs() { RunAndCompare(1); }\n\n    [Test]\n    public void Begins() { _compare(); }\n}\n",
            "what nobody can tell: a member of a base from elsewhere, a delegate",
        ),
        Example(
            'using NUnit.Framework;\nusing Unity.PerformanceTesting;\n\npublic class RunnerTests\n{\n    [Test, Ignore("needs a device")]\n    public void Runs() { new Runner().Run(); }\n\n'
            '    [Test]\n    public void Begins() { Assert.Ignore("needs a device"); }\n\n'
            "    [Test, Performance]\n    public void Measures() { Measure.Method(() => new Runner().Run()).Run(); }\n}\n",
            "tests that never run, and one whose result is a measurement",
        ),
    )
