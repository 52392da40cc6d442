"""An assertion that pins the whole message of an exception.

## What it does

Reports an assertion that a whole exception message equals a literal text. In test code that is

- `Assert.Equal`, `AreEqual`, `StrictEqual`, in either order of the arguments, and `==`, `Equals` or `is` in `Assert.True`,
  `IsTrue` and `That`;
- NUnit's constraints, `Is.EqualTo` on the message as well as `Throws….With.Message.EqualTo` and `Has.Message.EqualTo`;
- FluentAssertions' `.Should().Be` and `.WithMessage` without a wildcard, and Shouldly's `.ShouldBe`;
- NUnit's `ExpectedException` with a message.

What is an exception is found by type: what is caught or thrown for the assertion, declared variables, fields and results of
methods, `InnerException`, `GetBaseException()`, elements of collections, and what `var` makes of any of them. With
`message-members` other texts of an exception count as well.

## Why is this bad?

A message is for people, and who improves it breaks the test although nothing broke. Often it is not even the project's own,
and changes with the runtime, its version or its language.

## Use instead

Assert the type of the exception, and of its message only the word that matters: `Assert.Contains`, `Does.Contain`,
`WithMessage("*word*")`.

## Fix

Asserts that the message contains the text: `Contains` for xUnit's equalities, `Does.Contain` for NUnit's `Is.EqualTo` and
`AreEqual`, `Contains` for `….Message.EqualTo`. It asserts less, so it is unsafe, and the part of the text that matters is
still to be chosen. Conditions, fluent assertions, MSTest and attributes are left alone.

## Known limits

Where the type of the value is unknown nothing is reported, nor where the text is put together from values that are no
constants, or is a constant that product code declares. Property patterns and helpers that compare are not looked into.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.csharp import CSharpFile, Index
from guards.languages.csharp.comparisons import NAMES, Compared, compared, comparisons, text_of_tests
from guards.languages.csharp.constants import Formula
from guards.languages.csharp.containment import contained
from guards.languages.csharp.facts import Attribute
from guards.rule import Candidate, Example, Finding, Fix, Option, Options, Project, Rule

_MESSAGE = "Message"
_ATTRIBUTE = "attribute"
_EXPECTED = ("ExpectedException", "ExpectedExceptionAttribute")
_EXPECTED_MESSAGE = ("1", "ExpectedMessage")
_NUNIT_EXPECTED = "NUnit.Framework.ExpectedExceptionAttribute"
_MSTEST_EXPECTED = "Microsoft.VisualStudio.TestTools.UnitTesting.ExpectedExceptionAttribute"


class ExactExceptionMessage(Rule[CSharpFile]):
    """One finding for each comparison, at the name of the message."""

    name = "exact-exception-message"
    code = "SGC011"
    language = "csharp"
    needs = tuple(f"name:{name}" for name in (*NAMES, *_EXPECTED))
    options: ClassVar = {
        "message-members": Option(
            ("Status.Detail",), "Members of exceptions, or members of theirs, that hold a message beside `Message`."
        ),
    }
    why = "a message is for people: who improves it breaks the test although nothing broke"
    instead = "assert the type of the exception, and of its message only the word that matters"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Candidate]:
        """A candidate for each comparison of something that is called like a message."""
        members = (_MESSAGE, *(path.rpartition(".")[2] for path in options.names("message-members")))
        for comparison in comparisons(file, members):
            edits = contained(file, comparison.place)
            fix = Fix("assert that the message contains the text", safe=False, edits=edits) if edits else None
            yield self.candidate(
                comparison.place, comparison.kind, *comparison.words, function=comparison.function, fix=fix
            )
        if any(map(file.spellings, _EXPECTED)):
            for function in file.facts().functions:
                for attribute in function.attributes:
                    if _names_message(attribute):
                        place = attribute.spot.place(file.info.path)
                        yield self.candidate(place, _ATTRIBUTE, function.scope, attribute.name, *_unsolved(attribute))

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The comparisons of what belongs to an exception."""
        index = project.csharp
        comparing = [candidate for candidate in candidates if candidate.kind != _ATTRIBUTE]
        fixes = {candidate.place: candidate.fix for candidate in comparing}
        for comparison in compared(index, comparing):
            paths = (_MESSAGE, *project.options_for(self.name, comparison.place.path).names("message-members"))
            if _is_message(index, comparison, paths):
                member = ".".join(comparison.path)
                message = f"`{member}` of an exception is compared with a whole text"
                yield self.finding(comparison.place, message, fix=fixes.get(comparison.place))
        for candidate in candidates:
            if candidate.kind == _ATTRIBUTE and _is_nunit(index, candidate):
                yield self.finding(candidate.place, "`ExpectedException` expects a whole message")

    bad = (
        Example(
            'using System;\nusing Xunit;\n\npublic class ConnectTests\n{\n    private const string Text = "not connected";\n\n    [Fact]\n    public void Fails()\n    {\n'
            "        var error = Assert.Throws<InvalidOperationException>(() => Connect());\n"
            '        Assert.Equal("not connected", error.Message);  // FLAW\n'
            "        Assert.Equal(error.Message, Text);  // FLAW\n"
            '        Assert.True(error.InnerException!.Message == "timeout");  // FLAW\n'
            "        var message = error.GetBaseException().Message;\n"
            '        Assert.StrictEqual($"{Text}!", message);  // FLAW\n'
            '        try { Connect(); } catch (Exception e) { Assert.Equal("no", e?.Message); }  // FLAW\n    }\n}\n',
            "what is thrown, what is caught, and what lies within",
            fixed='using System;\nusing Xunit;\n\npublic class ConnectTests\n{\n    private const string Text = "not connected";\n\n    [Fact]\n    public void Fails()\n    {\n'
            "        var error = Assert.Throws<InvalidOperationException>(() => Connect());\n"
            '        Assert.Contains("not connected", error.Message);\n'
            "        Assert.Contains(Text, error.Message);\n"
            '        Assert.True(error.InnerException!.Message == "timeout");  // FLAW\n'
            "        var message = error.GetBaseException().Message;\n"
            '        Assert.Contains($"{Text}!", message);\n'
            '        try { Connect(); } catch (Exception e) { Assert.Contains("no", e?.Message); }\n    }\n}\n',
        ),
        Example(
            "using System;\nusing NUnit.Framework;\n\npublic class ConnectTests\n{\n    private Exception _error;\n\n    [Test]\n    public void Fails()\n    {\n"
            '        Assert.That(_error.Message, Is.EqualTo("not connected"));  // FLAW\n'
            '        Assert.That(_error, Has.Message.EqualTo("not connected"));  // FLAW\n'
            '        Assert.That(Connect, Throws.InvalidOperationException.With.Message.EqualTo("not connected"));  // FLAW\n'
            '        Assert.That(() => Connect(), Throws.TypeOf<LinkException>()\n            .With.Message  // FLAW\n            .EqualTo("not connected"));\n'
            '        Assert.AreEqual("not connected", Assert.Catch(Connect).Message);  // FLAW\n    }\n}\n',
            "constraints of NUnit",
            fixed="using System;\nusing NUnit.Framework;\n\npublic class ConnectTests\n{\n    private Exception _error;\n\n    [Test]\n    public void Fails()\n    {\n"
            '        Assert.That(_error.Message, Does.Contain("not connected"));\n'
            '        Assert.That(_error, Has.Message.Contains("not connected"));\n'
            '        Assert.That(Connect, Throws.InvalidOperationException.With.Message.Contains("not connected"));\n'
            '        Assert.That(() => Connect(), Throws.TypeOf<LinkException>()\n            .With.Message\n            .Contains("not connected"));\n'
            '        Assert.That(Assert.Catch(Connect).Message, Does.Contain("not connected"));\n    }\n}\n',
        ),
        Example(
            "using System;\nusing FluentAssertions;\nusing Xunit;\n\npublic class ConnectTests\n{\n    [Fact]\n    public void Fails()\n    {\n"
            "        Action act = () => Connect();\n"
            '        act.Should().Throw<LinkException>().WithMessage("not connected");  // FLAW\n'
            '        act.Should().Throw<LinkException>().Which.Message.Should().Be("not connected");  // FLAW\n    }\n}\n',
            "FluentAssertions",
        ),
        Example(
            "using Grpc.Core;\nusing Xunit;\n\npublic class ConnectTests\n{\n    void Fails(RpcException error)\n    {\n"
            '        Assert.Equal("not connected", error.Status.Detail);  // FLAW\n    }\n}\n',
            "another text of an exception, by option",
            fixed="using Grpc.Core;\nusing Xunit;\n\npublic class ConnectTests\n{\n    void Fails(RpcException error)\n    {\n"
            '        Assert.Contains("not connected", error.Status.Detail);\n    }\n}\n',
        ),
    )
    good = (
        Example(
            "using System;\nusing Xunit;\n\npublic class ConnectTests\n{\n    [Fact]\n    public void Fails()\n    {\n"
            "        var error = Assert.Throws<InvalidOperationException>(() => Connect());\n"
            '        Assert.Contains("connected", error.Message);\n        Assert.NotEqual("connected", error.Message);\n'
            '        Assert.True(error.Message != "");\n        Assert.StartsWith("not", error.Message);\n'
            '        Assert.Equal("socket", error.Source);\n    }\n}\n',
            "a word of the message, an inequality, another member",
        ),
        Example(
            "using Xunit;\n\npublic class Step\n{\n    public string Message;\n}\n\npublic class StepTests\n{\n    [Fact]\n    public void Says()\n    {\n"
            '        var step = new Step();\n        Assert.Equal("done", step.Message);\n        Assert.Equal("done", Find().Message);\n    }\n}\n',
            "a message that is no exception's, and one of which nobody knows whose it is",
        ),
        Example(
            "using NUnit.Framework;\n\npublic class StepTests\n{\n    [Test]\n    public void Says(Step step)\n    {\n"
            '        Assert.That(step, Has.Message.EqualTo("done"));\n'
            '        Assert.That(() => Run(), Throws.Exception.With.Message.Contains("done"));\n'
            '        Assert.That(() => Run(), Throws.Exception.With.Message.Not.EqualTo("done"));\n'
            '        Assert.That(() => Run(), Throws.Exception.With.Property("Code").EqualTo("done"));\n    }\n}\n',
            "constraints that leave the message room, or are about something else",
        ),
        Example(
            "using System;\nusing FluentAssertions;\n\npublic class ConnectTests\n{\n    void Fails(Action act, Builder builder)\n    {\n"
            '        act.Should().Throw<Exception>().WithMessage("*connected*");\n'
            '        builder.WithMessage("not connected");\n    }\n}\n',
            "a pattern, and a method of the same name",
        ),
        Example(
            "using System;\nusing Xunit;\n\npublic class ConnectTests\n{\n    void Fails(Exception error, string name)\n    {\n"
            '        Assert.Equal(Errors.NotConnected, error.Message);\n        Assert.Equal($"{name} failed", error.Message);\n'
            '        Check.Equal("not connected", error.Message);\n        if (error.Message == "not connected") { return; }\n    }\n}\n',
            "a constant of the product, a text of other values, an assertion of one's own, a condition",
            files=(
                (
                    "src/Errors.cs",
                    'public static class Errors { public const string NotConnected = "not connected"; }\n',
                ),
            ),
        ),
    )


def _names_message(attribute: Attribute) -> bool:
    """Whether an attribute may be an ``ExpectedException`` with a whole message."""
    given = dict(attribute.arguments)
    matches = given.get("MatchType", "MessageMatch.Exact") == "MessageMatch.Exact"
    return matches and any(name in given or name in dict(attribute.unsolved) for name in _EXPECTED_MESSAGE)


def _unsolved(attribute: Attribute) -> Formula:
    """The formula of a message that is no constant of the file."""
    return next((formula for name, formula in attribute.unsolved if name in _EXPECTED_MESSAGE), ())


def _is_nunit(index: Index, candidate: Candidate) -> bool:
    """Whether an attribute is NUnit's: the text that MSTest's takes is for its own report."""
    scope, name, *formula = candidate.words
    meant = index.attribute_names(candidate.place.path, scope, name)
    if _NUNIT_EXPECTED not in meant or _MSTEST_EXPECTED in meant:
        return False
    return not formula or text_of_tests(index, candidate.place.path, scope, tuple(formula)) is not None


def _is_message(index: Index, comparison: Compared, paths: Sequence[str]) -> bool:
    return ".".join(comparison.path) in paths and index.inference.is_exception(comparison.owner)
