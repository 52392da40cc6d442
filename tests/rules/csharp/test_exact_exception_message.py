"""Whole messages of exceptions in assertions."""

import pytest
from languages.csharp.judged import findings, places

from guards.rules.csharp.exact_exception_message import ExactExceptionMessage

NUNIT = "using System; using NUnit.Framework; using A = NUnit.Framework.Assert;"
XUNIT = "using System; using Xunit; using A = Xunit.Assert;"
FLUENT = "using System; using FluentAssertions; using Shouldly;"


def columns(usings: str, body: str, **options: tuple[str, ...]) -> list[int]:
    """Where on its line the body of a method is reported."""
    text = (
        f"{usings} using static Xunit.Assert;\n"
        'class T { const string Text = "a"; Exception field; Step step; Exception[] several; \nvoid M(Exception error, string other) {\n'
        f"{body}\n}} }}\n"
        "class Step { public string Message; public Exception Cause; public Exception Find() => null; }\n"
    )
    found = places(ExactExceptionMessage(), text, **options)
    assert all(line == 4 for line, _ in found)
    return [column for _, column in found]


EQUALITIES = [
    (XUNIT, 'Assert.Equal("a", error.Message);'),
    (XUNIT, 'Assert.Equal(error.Message, "a");'),
    (XUNIT, 'Assert.Equal(expected: "a", actual: error.Message);'),
    (XUNIT, 'Assert.Equal("a", error.Message, ignoreCase: true);'),
    (XUNIT, 'Assert.StrictEqual("a", error.Message);'),
    (XUNIT, 'Assert.Equal<string>("a", error.Message);'),
    (XUNIT, 'A.Equal("a", error.Message);'),
    (XUNIT, 'Equal("a", error.Message);'),
    (XUNIT, 'Xunit.Assert.Equal("a", error.Message);'),
    (XUNIT, 'Assert.Equal(@"a", error.Message);'),
    (XUNIT, 'Assert.Equal("""a""", error.Message);'),
    (XUNIT, 'Assert.Equal($"a{1}", error.Message);'),
    (XUNIT, 'Assert.Equal("a" + "b", error.Message);'),
    (XUNIT, "Assert.Equal(Text, error.Message);"),
    (XUNIT, "Assert.Equal(string.Empty, error.Message);"),
    (XUNIT, 'var text = "a"; Assert.Equal(text, error.Message);'),
    (XUNIT, 'Assert.True(error.Message == "a");'),
    (XUNIT, 'Assert.True(other != null && "a" == error.Message);'),
    (XUNIT, 'Assert.False(error.Message != "a");'),
    (XUNIT, 'Assert.True(error.Message.Equals("a"));'),
    (XUNIT, 'Assert.True(string.Equals(error.Message, "a", StringComparison.Ordinal));'),
    (XUNIT, 'Assert.True(error.Message is "a");'),
    (XUNIT, 'Assert.Equal("a", error.InnerException.Message);'),
    (XUNIT, 'Assert.Equal("a", error?.InnerException?.Message);'),
    (XUNIT, 'Assert.Equal("a", error!.GetBaseException().Message);'),
    (XUNIT, 'Assert.Equal("a", field.Message);'),
    (XUNIT, 'Assert.Equal("a", this.field.Message);'),
    (XUNIT, 'Assert.Equal("a", several[0].Message);'),
    (XUNIT, 'Assert.Equal("a", step.Cause.Message);'),
    (XUNIT, 'Assert.Equal("a", step.Find().Message);'),
    (XUNIT, 'Assert.Equal("a", ((LinkException)step.Object).Message);'),
    (XUNIT, 'var x = Assert.Throws<LinkException>(Run); Assert.Equal("a", x.Message);'),
    (XUNIT, 'var x = await Assert.ThrowsAsync<LinkException>(Run); Assert.Equal("a", x.Message);'),
    (XUNIT, 'Assert.Equal("a", (await Assert.ThrowsAnyAsync<LinkException>(Run)).Message);'),
    (XUNIT, 'var x = Record.Exception(Run); Assert.Equal("a", x.Message);'),
    (XUNIT, 'var x = Assert.IsType<LinkException>(other); Assert.Equal("a", x.Message);'),
    (XUNIT, 'if (step.Object is LinkException x) Assert.Equal("a", x.Message);'),
    (XUNIT, 'foreach (var x in several) Assert.Equal("a", x.Message);'),
    (XUNIT, 'Assert.All(several, x => Assert.Equal("a", x.Message));'),
    (XUNIT, 'try { } catch (LinkException x) { Assert.Equal("a", x.Message); }'),
    (XUNIT, 'var x = new AggregateException(); Assert.Equal("a", x.InnerExceptions[0].Message);'),
    (NUNIT, 'Assert.AreEqual("a", error.Message);'),
    (NUNIT, 'NUnit.Framework.Legacy.ClassicAssert.AreEqual("a", error.Message);'),
    (NUNIT, 'StringAssert.AreEqualIgnoringCase("a", error.Message);'),
    (NUNIT, 'Assert.That(error.Message, Is.EqualTo("a"));'),
    (NUNIT, 'A.That(error.Message, NUnit.Framework.Is.EqualTo("a").IgnoreCase);'),
    (NUNIT, 'Assert.That(error.Message == "a");'),
    (NUNIT, 'Assert.That(error.Message == "a", Is.True);'),
    (NUNIT, 'Assert.IsTrue(error.Message == "a");'),
    (NUNIT, 'Assert.AreEqual("a", Assert.Throws<LinkException>(Run).Message);'),
    (NUNIT, 'Assert.AreEqual("a", Assert.Catch(Run).Message);'),
    (NUNIT, 'Assert.That(Assert.ThrowsAsync<LinkException>(Run).Message, Is.EqualTo("a"));'),
    (NUNIT, 'Assert.That(Run, Throws.Exception.With.Message.EqualTo("a"));'),
    (NUNIT, 'Assert.That(Run, Throws.TypeOf<LinkException>().And.Message.EqualTo("a"));'),
    (NUNIT, 'Assert.That(error, Has.Message.EqualTo("a"));'),
    (NUNIT, 'Assert.Throws(Is.TypeOf<LinkException>().And.Message.EqualTo("a"), Run);'),
    (FLUENT, 'error.Message.Should().Be("a");'),
    (FLUENT, 'error.Message.ShouldBe("a");'),
    (FLUENT, 'Should.Throw<LinkException>(Run).Message.ShouldBe("a");'),
    (FLUENT, 'act.Should().Throw<LinkException>().And.Message.Should().Be("a");'),
    (FLUENT, 'new LinkException("a").Message.ShouldBe("a");'),
    (FLUENT, 'new LinkException("a").Message.Should().Be("a");'),
    (XUNIT, 'Assert.True(new LinkException("a").Message.Equals("a"));'),
]


@pytest.mark.parametrize(("usings", "body"), EQUALITIES)
def test_comparisons_of_the_message(usings: str, body: str) -> None:
    assert columns(usings, body) == [body.rindex("Message") + 1]


@pytest.mark.parametrize(
    "body",
    [
        'act.Should().Throw<LinkException>().WithMessage("a");',
        'act.Should().ThrowExactly<LinkException>("b").WithMessage("a");',
        'await act.Should().ThrowAsync<LinkException>().WithMessage("a");',
        '(await act.Should().ThrowAsync<LinkException>()).WithMessage("a");',
        'var thrown = act.Should().Throw<LinkException>(); thrown.WithMessage("a");',
        'act.Should().Throw<LinkException>().WithInnerException<Exception>().WithMessage("a");',
    ],
)
def test_what_fluent_assertions_expect(body: str) -> None:
    assert columns(FLUENT, body) == [body.rindex("WithMessage") + 1]
    assert columns(FLUENT, body.replace('"a"', '"*a*"')) == []


def test_the_place_of_a_message_that_is_a_variable_or_a_property_by_name() -> None:
    assert columns(XUNIT, 'var m = error.Message; Assert.Equal("a", m);') == [42]
    assert columns(NUNIT, 'Assert.That(Run, Throws.Exception.With.Property("Message").EqualTo("a"));') == [40]
    assert columns(NUNIT, 'Assert.That(Run, Throws.Exception.With.Property(nameof(error.Message)).EqualTo("a"));') == [
        40
    ]


@pytest.mark.parametrize(
    ("usings", "body"),
    [
        (XUNIT, 'Assert.Contains("a", error.Message);'),
        (XUNIT, 'Assert.NotEqual("a", error.Message);'),
        (XUNIT, 'Assert.True(error.Message != "a");'),
        (XUNIT, 'Assert.False(error.Message == "a");'),
        (XUNIT, 'Assert.True(error.Message == "a" || error.Message == "b");'),
        (XUNIT, "Assert.Equal(other, error.Message);"),
        (XUNIT, 'Assert.Equal($"a{other}", error.Message);'),
        (XUNIT, "Assert.Equal(error.InnerException.Message, error.Message);"),
        (XUNIT, "Assert.Equal(null, error.Message);"),
        (XUNIT, 'Assert.Equal("a", error.Source);'),
        (XUNIT, 'Assert.Equal("a", error.ToString());'),
        (XUNIT, 'Assert.Equal("a", error.Message.Trim().Substring(1));'),
        (XUNIT, 'Assert.Equal("a", step.Message);'),
        (XUNIT, 'Assert.Equal("a", new Step().Message);'),
        (XUNIT, 'Assert.Equal("a", unknown.Message);'),
        (XUNIT, 'Assert.Equal("a", unknown().Message);'),
        (XUNIT, 'Assert.Equal("a", unknown.Find().Message);'),
        (XUNIT, 'var error = step; { Step field = error; Assert.Equal("a", field.Message); }'),
        (XUNIT, 'Check.Equal("a", error.Message);'),
        (XUNIT, 'Unknown.Assert.Equal("a", error.Message);'),
        (XUNIT, 'if (error.Message == "a") { }'),
        (XUNIT, 'try { } catch (Exception e) when (e.Message == "a") { }'),
        (XUNIT, 'Assert.Equal("Assert.Equal(error.Message)", other); // Assert.Equal("a", error.Message)'),
        (XUNIT, 'Assert.Equal(1, "a", error.Message);'),
        (NUNIT, 'Assert.AreNotEqual("a", error.Message);'),
        (NUNIT, 'Assert.That(error.Message, Is.Not.EqualTo("a"));'),
        (NUNIT, 'Assert.That(error.Message, Does.Contain("a"));'),
        (NUNIT, 'Assert.That(error.Message == "a", Is.False);'),
        (NUNIT, 'Assert.That(step.Message, Is.EqualTo("a"));'),
        (NUNIT, 'Assert.That(step, Has.Message.EqualTo("a"));'),
        (NUNIT, 'Assert.That(unknown, Has.Message.EqualTo("a"));'),
        (NUNIT, 'Assert.That(Run, Throws.Exception.With.Message.Contains("a"));'),
        (NUNIT, 'Assert.That(Run, Throws.Exception.With.Message.Not.EqualTo("a"));'),
        (NUNIT, "Assert.That(Run, Throws.Exception.With.Message.EqualTo(other));"),
        (NUNIT, 'Assert.That(Run, Throws.Exception.With.Property("Code").EqualTo("a"));'),
        (NUNIT, 'Assert.That(Run, Other.Throws.Exception.With.Message.EqualTo("a"));'),
        (NUNIT, 'Assert.That(step, Is.TypeOf<Step>().With.Message.EqualTo("a"));'),
        (FLUENT, 'error.Message.Should().Contain("a");'),
        (FLUENT, 'error.Message.Should().NotBe("a");'),
        (FLUENT, 'step.Message.Should().Be("a");'),
        (FLUENT, 'builder.WithMessage("a");'),
        (FLUENT, 'new Builder().Should().WithMessage("a");'),
        (FLUENT, 'act.Should().Throw<LinkException>().WithMessage("a?");'),
        (FLUENT, "act.Should().Throw<LinkException>().WithMessage(other);"),
    ],
)
def test_what_leaves_the_message_room_or_is_no_exception(usings: str, body: str) -> None:
    assert columns(usings, body) == []


def test_own_exceptions_and_own_messages() -> None:
    files = {
        "Runtime/Errors.cs": "public class LinkError : Middle { } public class Middle : System.Exception { }\n"
        'public class FakeException { public string Message; }\npublic static class Texts { public const string Lost = "lost"; }\n',
        "Texts.cs": 'public static class TestTexts { public const string Lost = "lost"; public static string Found => "x"; }\n',
        "T.cs": "using Xunit;\nclass T { void M(LinkError error, FakeException fake) {\n"
        'Assert.Equal("a", error.Message);\nAssert.Equal("a", fake.Message);\nAssert.Equal(Texts.Lost, error.Message);\n'
        "Assert.Equal(TestTexts.Lost, error.Message);\nAssert.Equal(TestTexts.Found, error.Message);\n} }\n",
    }
    assert [found.place.line for found in findings(ExactExceptionMessage(), files)] == [3, 6]


def test_a_part_of_the_frameworks_assert_in_the_project() -> None:
    files = {
        "Assert.cs": "namespace Xunit { public partial class Assert { public static void Fine() { } } }\n",
        "T.cs": 'using Xunit;\nclass T { void M() {\nvar e = Assert.Throws<LinkException>(M);\nAssert.Equal("a", e.Message);\n} }\n',
    }
    assert [found.place.line for found in findings(ExactExceptionMessage(), files)] == [4]


def test_other_members_by_option() -> None:
    body = 'RpcException rpc = null; Assert.Equal("a", rpc.Status.Detail);'
    assert columns(XUNIT, body) == [body.index("Detail") + 1]
    assert columns(XUNIT, body, message_members=()) == []
    assert columns(XUNIT, body, message_members=("Detail",)) == []
    assert columns(XUNIT, 'Assert.Equal("a", error.HelpLink);', message_members=("HelpLink",)) == [25]
    assert columns(XUNIT, 'Assert.Equal("a", step.HelpLink);', message_members=("HelpLink",)) == []


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ('ExpectedException(typeof(Exception), ExpectedMessage = "a")', [(3, 2)]),
        ('ExpectedException(typeof(Exception), "a")', [(3, 2)]),
        ('ExpectedException(typeof(Exception), ExpectedMessage = "a", MatchType = MessageMatch.Exact)', [(3, 2)]),
        ('ExpectedException(typeof(Exception), ExpectedMessage = "a", MatchType = MessageMatch.Contains)', []),
        ("ExpectedException(typeof(Exception))", []),
        ('Microsoft.VisualStudio.TestTools.UnitTesting.ExpectedException(typeof(Exception), "report")', []),
    ],
)
def test_expected_exceptions(attribute: str, expected: list[tuple[int, int]]) -> None:
    text = f"using System; using NUnit.Framework;\nclass T {{\n[{attribute}] void A() {{ }}\n}}\n"
    assert places(ExactExceptionMessage(), text) == expected


def test_comparisons_in_every_branch_and_hole() -> None:
    text = 'using System; using Xunit;\nclass T { void M(Exception e) {\n#if NEVER\nAssert.Equal("a", e.Message);\n#endif\nAssert\n.Equal(\n"a",\ne\n.Message);\n} }\n'
    assert places(ExactExceptionMessage(), text) == [(4, 21), (10, 2)]


TEXTS = {
    "Tests/Texts.cs": 'namespace Sample { public static class Texts { public const string Gone = "gone"; '
    'public const string Any = "*" + Gone; public const string Shown = Errors.Gone; public static string Changing = "x"; } '
    'public class Bases { protected const string Inherited = "inherited"; } }',
    "Runtime/Errors.cs": 'namespace Sample { public static class Errors { public const string Gone = "gone"; } }',
}


def reported(body: str) -> bool:
    """Whether a comparison is reported in a project with constants in other files."""
    usings = "using System; using NUnit.Framework; using FluentAssertions; using Sample; using static Sample.Texts;"
    text = f"{usings} class T : Bases {{ void M(Exception error, string other, Action act) {{ {body} }} }}"
    found = findings(ExactExceptionMessage(), {**TEXTS, "T.cs": text})
    assert {finding.place.path for finding in found} <= {"T.cs"}
    return bool(found)


@pytest.mark.parametrize(
    "body",
    [
        "Assert.AreEqual(Texts.Gone, error.Message);",
        "Assert.AreEqual(Gone, error.Message);",
        "Assert.AreEqual(Inherited, error.Message);",
        'Assert.That(error.Message, Is.EqualTo(Texts.Gone + "!"));',
        'Assert.That(error.Message, Is.EqualTo($"{Texts.Gone}!"));',
        "Assert.That(error, Has.Message.EqualTo(Sample.Texts.Gone));",
        "act.Should().Throw<Exception>().WithMessage(Texts.Gone);",
        "} [ExpectedException(typeof(Exception), Texts.Gone)] void N() {",
    ],
)
def test_a_constant_that_another_file_of_the_tests_declares(body: str) -> None:
    assert reported(body)


@pytest.mark.parametrize(
    "body",
    [
        "Assert.AreEqual(Errors.Gone, error.Message);",
        'Assert.AreEqual(Errors.Gone + "!", error.Message);',
        "Assert.AreEqual(Texts.Shown, error.Message);",
        "Assert.AreEqual(Texts.Changing, error.Message);",
        "Assert.AreEqual(Texts.Unheard, error.Message);",
        'string Gone = other + "a"; Assert.AreEqual(Gone, error.Message);',
        'var text = "a"; text += other; Assert.AreEqual(text, error.Message);',
        "act.Should().Throw<Exception>().WithMessage(Texts.Any);",
        "act.Should().Throw<Exception>().WithMessage(Errors.Gone);",
        "} [ExpectedException(typeof(Exception), Errors.Gone)] void N() {",
        "} [ExpectedException(typeof(Exception), Texts.Unheard)] void N() {",
    ],
)
def test_a_text_of_the_product_or_one_that_is_no_constant(body: str) -> None:
    assert not reported(body)
