"""A mock of a type that is not the project's own.

## What it does

Reports each double that a mock library makes, in test code, of a type that the project does not declare itself. It knows

- Moq: `new Mock<T>`, also as a plain `new()` for a `Mock<T>`, `Mock.Of<T>`, `MockRepository.Create<T>`, `.As<T>()`;
- NSubstitute: `Substitute.For`, `ForPartsOf`, `ForTypeForwardingTo`, with type arguments or `typeof`;
- FakeItEasy: `A.Fake`, `A.Dummy`, `A.CollectionOfFake`, `A.CollectionOfDummy`;
- JustMock: `Mock.Create`, `Mock.CreateLike`; Rocks: its attributes, `Rock.Create`, `Rock.Make`.

Types are looked up as C# does, so that a vendor's interface counts as the vendor's although the project has one of the
same simple name. Where a method of the tests makes a double of its own type parameter, its callers are reported. What a
double has beside its first type (`Substitute.For<IOwn, IDisposable>`, `.As<T>()`) may come from a `System` namespace.

Files that a generator wrote (`*.g.cs`) declare nothing that is the project's own. What the key `owned` of the
configuration names is the project's own although no file declares it.

## Why is this bad?

Such a mock answers as the test's author believes that the other side would. When that side changes, or never behaved so,
the test stays green and the program fails.

## Use instead

The real thing at a small scale, or an interface of your own in front of it, and a double of that.

## Known limits

- A double of an own class that is not abstract is the business of `mock-of-concrete-type`.
- A type whose namespace nothing tells is reported only where a namespace is imported that is neither the project's nor
  one of those that Suiteguard knows.
- A mock repository of unknown type, a `new` under an alias that another file declares for the whole assembly, the
  type parameters of classes, and containers that make mocks by themselves are not seen.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.csharp.inference import Known
from guards.languages.csharp.mocks import FOREIGN, Double, ownership
from guards.languages.csharp.names import is_named
from guards.rule import Example, Option, Options, Project
from guards.rule.mocking import MockRule, simple_name

_OWN = ("src/Core/ICamera.cs", "namespace Core { public interface ICamera { int Shoot(); } }\n")


class UnownedMock(MockRule):
    """One finding for each double, at the name of what makes it."""

    name = "unowned-mock"
    code = "SGC009"
    options: ClassVar = {
        "allow": Option((), "Names, or globs of them, of foreign types that may be mocked, such as `ILogger<>`."),
        "third-party": Option(
            (), "Globs of full names, such as `Grpc.*`, of which the message says that they are a third party's."
        ),
    }
    why = "it answers as the test believes that somebody else's code would, and stays green when that code changes"
    instead = "use the real thing at a small scale, or put an interface of your own in front of it and mock that"

    def flaw(self, double: Double, project: Project, options: Options) -> str:
        """Whether the type is somebody else's."""
        for known in _asked_for(double):
            is_foreign = ownership(project.csharp, known, project.owned) == FOREIGN
            if is_foreign and not _is_any(known, options.names("allow")):
                is_vendors = _is_any(known, options.names("third-party"))
                whose = "is a third party's" if is_vendors else "is not the project's own"
                return f"`{simple_name(known)}` is mocked, but {whose}"
        return ""

    bad = (
        Example(
            "using System;\nusing Microsoft.AspNetCore.Http;\nusing Moq;\nusing Xunit;\n\npublic class ShootTests\n{\n"
            "    private readonly Mock<HttpContext> _context = new();  // FLAW\n"
            "    private readonly MockRepository _mocks = new(MockBehavior.Strict);\n\n    [Fact]\n    public void Shoots()\n    {\n"
            "        var services = new Mock<IServiceProvider>();  // FLAW\n"
            "        var request = Mock.Of<HttpRequest>();  // FLAW\n"
            "        var response = _mocks.Create<HttpResponse>();  // FLAW\n    }\n}\n",
            "Moq in all its forms",
        ),
        Example(
            "using Core;\nusing FakeItEasy;\nusing Grpc.Core;\nusing NSubstitute;\nusing Xunit;\n\npublic class ShootTests\n{\n    [Fact]\n    public void Shoots()\n    {\n"
            "        var writer = Substitute.For<IServerStreamWriter<int>>();  // FLAW\n"
            "        var both = Substitute.For<ICamera, IServerStreamWriter<int>>();  // FLAW\n"
            "        var typed = Substitute.For(new[] { typeof(ServerCallContext) }, null);  // FLAW\n"
            "        var call = A.Fake<ServerCallContext>();  // FLAW\n    }\n}\n",
            "NSubstitute and FakeItEasy",
            files=(_OWN,),
        ),
        Example(
            "using Moq;\nusing Vendor.Camera;\nusing Xunit;\n\npublic class ShootTests\n{\n    [Fact]\n    public void Shoots()\n    {\n"
            "        var camera = new Mock<ICamera>();  // FLAW\n    }\n}\n",
            "the vendor's interface, although the project has one of the same name",
            files=(_OWN,),
            options=(("third-party", ("Vendor.*",)),),
        ),
        Example(
            "using System.Net.Http;\nusing Xunit;\n\npublic class ShootTests : MockedTests\n{\n    [Fact]\n    public void Shoots()\n    {\n"
            "        var client = Fake<HttpClient>();  // FLAW\n    }\n}\n",
            "a helper makes the mock, and its caller says of what",
            files=(
                (
                    "Tests/MockedTests.cs",
                    "using Moq;\n\npublic class MockedTests { protected T Fake<T>() where T : class => Mock.Of<T>(); }\n",
                ),
            ),
        ),
    )
    good = (
        Example(
            "using Core;\nusing Moq;\nusing NSubstitute;\nusing Xunit;\nusing Cam = Core.ICamera;\n\npublic class ShootTests\n{\n"
            "    private readonly Mock<ICamera> _camera = new();\n\n    [Fact]\n    public void Shoots()\n    {\n"
            "        var plain = new Mock<global::Core.ICamera>(MockBehavior.Loose);\n        var aliased = Mock.Of<Cam>();\n"
            "        var both = Substitute.For<ICamera, System.IDisposable>();\n    }\n}\n",
            "an own interface under every spelling, and a capability beside it",
            files=(_OWN,),
        ),
        Example(
            "public class Mock<T> { }\n\npublic class ShootTests\n{\n    void Shoots() { var own = new Mock<System.IDisposable>(); }\n}\n",
            "a class of the project's own that is called Mock",
        ),
        Example(
            "using Core;\nusing Moq;\n\npublic class ShootTests\n{\n    private static T Fake<T>() where T : class => Mock.Of<T>();\n\n"
            "    void Shoots() { var camera = Fake<ICamera>(); }\n}\n",
            "a helper, called for an own interface",
            files=(_OWN,),
        ),
        Example(
            "using Microsoft.Extensions.Logging;\nusing Moq;\n\npublic class ShootTests\n{\n"
            "    private readonly Mock<ILogger<ShootTests>> _log = new();\n}\n",
            "allowed by name",
            options=(("allow", ("ILogger<>",)),),
        ),
        Example(
            "using Core;\nusing Moq;\n\npublic class ShootTests\n{\n    private readonly Mock<Camera> _camera = new();\n}\n",
            "an own class that is not abstract: another rule knows it",
            files=(("src/Core/Camera.cs", "namespace Core { public class Camera { } }\n"),),
        ),
        Example(
            "using System.Collections.Generic;\n\npublic class ShootTests\n{\n    private readonly List<int> _list = new();\n\n"
            "    void Shoots(Factory factory, object any)\n    {\n        var made = factory.Create<System.IDisposable>();\n"
            "        var seen = any.As<System.IDisposable>();\n    }\n}\n",
            "other things that are created",
        ),
    )


def _asked_for(double: Double) -> Iterator[Known]:
    """The types of a double that have to be the project's own."""
    if double.type is not None:
        yield double.type
    yield from (known for known in double.more if not all(full.startswith("System.") for full in known.names))


def _is_any(known: Known, patterns: Sequence[str]) -> bool:
    return any(is_named(full, pattern) for full in known.names for pattern in patterns)
