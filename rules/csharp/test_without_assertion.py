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
from guards.languages.csharp.assertions import Named
from guards.rule import WARNING, Candidate, Example, Finding, Option, Options, Project, Rule

_NAMES = (
    "Approv*", "Assert*", "Check*", "DidNotReceive*", "Ensure*", "Expect*", "MatchSnapshot*", "Must*", "Received*",
    "Should*", "Verify*",
)  # fmt: skip


class TestWithoutAssertion(Rule[CSharpFile]):
    """One finding for each test, at its name."""

    name = "test-without-assertion"
    code = "SGC012"
    language = "csharp"
    severity = WARNING
    needs = ("attribute",)
    options: ClassVar = {
        "assertions": Option(
            _NAMES,
            "Globs of the names of methods that assert. Those of the default count where no file of the project "
            "declares the method, all others everywhere.",
        ),
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
            given = project.options_for(self.name, path).names("assertions")
            named = Named(
                tuple(glob for glob in given if glob not in _NAMES), tuple(glob for glob in given if glob in _NAMES)
            )
            if judged.lacks_assertion(path, int(candidate.function), named):
                name = project.csharp.function(path, candidate.function).name
                yield self.finding(candidate.place, f"`{name}` comes to no assertion")

    bad = (
        Example(
            "using NUnit.Framework;\n\npublic class RunnerTests\n{\n    [Test]\n    public void Runs() { new Runner().Run(); }  // FLAW\n}\n",
            "an act, and nothing is asked of it",
        ),
    )
    good = (
        Example(
            "using NUnit.Framework;\n\npublic class RunnerTests\n{\n    [Test]\n    public void Runs() { Assert.That(new Runner().Run(), Is.True); }\n}\n",
            "an assertion",
        ),
    )
