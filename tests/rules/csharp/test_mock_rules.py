"""Doubles of mock libraries: whose types they are of."""

import pytest
from languages.csharp.judged import findings, places

from guards.rules.csharp.mock_of_concrete_type import MockOfConcreteType
from guards.rules.csharp.unowned_mock import UnownedMock

USINGS = (
    "using System; using Moq; using NSubstitute; using FakeItEasy; using Grpc.Core; using Core; "
    "using Cam = Core.ICamera; using CallMock = Moq.Mock<Grpc.Core.ServerCallContext>; using M = Moq;\n"
)
CORE = (
    "namespace Core { public interface ICamera { } public class Camera { } public abstract class CameraBase { } "
    "public class Box<T> { } public interface IBox<T> { } public delegate void Shot(); public struct Point { } }\n"
)
FIELDS = "MockRepository repo = new(MockBehavior.Strict); Mock<ICamera> own = new(); Mock<ICamera>[] several;\n"


def lines(rule: UnownedMock | MockOfConcreteType, members: str, more: str = "") -> list[int]:
    """The lines of the findings in a class with some members, which begin on line 3."""
    files = {"T.cs": f"{USINGS}class T {{ {FIELDS}{members}\n}}\n{more}", "Runtime/Core.cs": CORE}
    return [found.place.line for found in findings(rule, files) if found.place.path == "T.cs"]


FOREIGN = [
    "void A() { new Mock<IServiceProvider>(); }",
    "void A() { new Moq.Mock<ServerCallContext>(MockBehavior.Loose); }",
    "void A() { new M.Mock<ServerCallContext>() { CallBase = true }; }",
    "void A() { new global::Moq.Mock<ServerCallContext>(); }",
    "void A() { new CallMock(); }",
    "Mock<ServerCallContext> f = new();",
    "Mock<ServerCallContext> P { get; } = new(MockBehavior.Strict);",
    "Mock<ServerCallContext> P => new();",
    "Mock<ServerCallContext> A() { return new(); }",
    "Mock<ServerCallContext> A(bool b) => b ? null : new();",
    "CallMock f = new();",
    "void A() { Mock<ServerCallContext> x; x = new(); }",
    "void A() { Mock<ServerCallContext>? x = null; x ??= new(); }",
    "void A() { Mock<ServerCallContext>[] x = { new() }; }",
    "void A() { Mock.Of<ServerCallContext>(c => c.Host == null); }",
    "void A() { var x = @Mock . Of < ServerCallContext > (); }",
    "void A() { repo.Create<ServerCallContext>(); }",
    "void A() { this.repo?.Create<ServerCallContext>(); }",
    "void A() { new MockRepository(MockBehavior.Loose).Create<ServerCallContext>(); }",
    "void A() { var local = repo; local.Of<ServerCallContext>(); }",
    "void A() { own.As<ServerCallContext>(); }",
    "void A() { several[0].As<ServerCallContext>(); foreach (var one in several) { } }",
    "void A() { foreach (var one in several) one.As<ServerCallContext>(); }",
    "void A() { Substitute.For<IDisposable>(); }",
    "void A() { Substitute.For<ServerCallContext, ICamera>(); }",
    "void A() { Substitute.For<ICamera, ServerCallContext>(); }",
    "void A() { Substitute.ForPartsOf<ServerCallContext>(1); }",
    "void A() { Substitute.ForTypeForwardingTo<IServerStreamWriter<int>, Camera>(); }",
    "void A() { Substitute.For(new[] { typeof(ServerCallContext) }, new object[0]); }",
    "void A() { Substitute.For(new Type[] { typeof(ICamera), typeof(ServerCallContext) }, null); }",
    "void A() { FakeItEasy.A.Fake<ServerCallContext>(); }",
    "void B() { A.Dummy<ServerCallContext>(); }",
    "void B() { A.CollectionOfFake<ServerCallContext>(3); }",
    "void A() { Telerik.JustMock.Mock.Create<ServerCallContext>(); }",
    "void A() { Telerik.JustMock.Mock.Create(typeof(ServerCallContext)); }",
    "void A() { Rocks.Rock.Create<ServerCallContext>(); }",
    "#if NEVER\nvoid A() { new Mock<ServerCallContext>(); }\n#endif",
    "void A() { Func<object> f = () => Mock.Of<ServerCallContext>(); }",
    'void A() { var text = $"{Mock.Of<ServerCallContext>()}"; }',
]


@pytest.mark.parametrize("members", FOREIGN)
def test_doubles_of_foreign_types(members: str) -> None:
    assert lines(UnownedMock(), members) == [3 if members.startswith("#") is False else 4]
    assert lines(MockOfConcreteType(), members) == []


@pytest.mark.parametrize(
    "members",
    [
        "void A() { new Mock<ICamera>(); new Mock<Core.ICamera>(); new Mock<global::Core.ICamera>(); }",
        "void A() { Mock.Of<Cam>(); repo.Create<CameraBase>(); Substitute.For<IBox<ServerCallContext>>(); }",
        "void A() { Substitute.For<ICamera, IDisposable>(); own.As<IDisposable>(); own.As<IBox<int>>(); }",
        "void A() { Substitute.For<Shot>(); }",
        "Mock<ICamera> f = new(); Mock<Cam> P => new(); Mock<ServerCallContext> empty; Lazy<Mock<ServerCallContext>> l;",
        "void A(Mock<ServerCallContext> given) { var same = given; given.Setup(c => c.Host); }",
        "void A() { It.IsAny<ServerCallContext>(); Arg.Any<ServerCallContext>(); Mock.Get<ServerCallContext>(null); }",
        "void A(Factory factory, object o) { factory.Create<ServerCallContext>(); o.As<ServerCallContext>(); }",
        "void A<X>() { new Mock<X>(); Mock.Of<X>(); Substitute.For<X>(); }",
        "class Inner<X> { Mock<X> m = new(); void A() { Mock.Of<X>(); } }",
        "void B() { A.Dummy<string>(); A.Dummy<System.Threading.CancellationToken>(); A.Dummy<int>(); }",
        "void A() { new Mock<Missing.Type[]>(); new Mock(); Mock.Of<>(); }",
        '// new Mock<ServerCallContext>()\nstring s = "Mock.Of<ServerCallContext>()";',
        "ServerCallContext P => new(); void A() { Of<ServerCallContext>(); For<ServerCallContext>(); }",
        "void A() { var t = typeof(Mock<ServerCallContext>); object o = default(Mock<ServerCallContext>); }",
        "void A() { Mock<ICamera> own = null; { own.As<Cam>(); } }",
    ],
)
def test_what_is_own_or_no_double(members: str) -> None:
    assert lines(UnownedMock(), members) == []


@pytest.mark.parametrize(
    "text",
    [
        "class Mock<X> { } class T { void A() { new Mock<System.IDisposable>(); } }\n",
        "using Moq;\nclass T { class Mock<X> { } Mock<System.IDisposable> m = new(); }\n",
        "class Substitute { public static X For<X>() => default; } class T { void A() { Substitute.For<System.IDisposable>(); } }\n",
        "class T { X Of<X>() => default; void A() { Of<System.IDisposable>(); } }\n",
    ],
)
def test_own_types_that_are_called_like_a_library(text: str) -> None:
    assert places(UnownedMock(), text) == []


def test_a_type_is_the_vendors_where_its_namespace_is_imported() -> None:
    files = {
        "Runtime/Core.cs": CORE,
        "T.cs": "using Moq;\nusing Vendor;\nclass T { Mock<ICamera> m = new(); }\n",
        "U.cs": "using Moq;\nusing System;\nclass U { Mock<ICamera> m = new(); }\n",
        "V.cs": "using Moq;\nusing Vendor;\nusing Core;\nclass V { Mock<ICamera> m = new(); }\n",
    }
    assert [found.place.path for found in findings(UnownedMock(), files)] == ["T.cs"]


def test_generated_types_are_nobodys_own() -> None:
    files = {
        "Runtime/Wire.g.cs": "namespace Wire { public interface IClient { } public class Client { } }\n",
        "T.cs": "using Moq; using Wire;\nclass T {\nMock<IClient> m = new();\nMock<Client> n = new();\n}\n",
    }
    assert [found.place.line for found in findings(UnownedMock(), files)] == [3, 4]
    assert findings(MockOfConcreteType(), files) == []


def test_allowed_types_and_third_parties() -> None:
    text = "using Moq;\nusing Grpc.Core;\nusing Logs;\nclass T {\nMock<ILogger<T>> l = new();\nMock<ServerCallContext> c = new();\n}\n"
    given = findings(UnownedMock(), {"T.cs": text}, allow=("ILogger<>",), third_party=("Grpc.*",))
    assert [found.message for found in given] == ["`ServerCallContext` is mocked, but is a third party's"]
    given = findings(UnownedMock(), {"T.cs": text}, allow=("Grpc.Core.Server*",), third_party=())
    assert [found.message for found in given] == ["`ILogger` is mocked, but is not the project's own"]


@pytest.mark.parametrize(
    "member",
    [
        "void A() { new Mock<Camera>(); }",
        "Mock<Core.Camera> f = new();",
        "void A() { Mock.Of<Camera>(); }",
        "void A() { repo.Create<Box<ServerCallContext>>(); }",
        "void A() { Substitute.ForPartsOf<Camera>(); }",
        "void A() { Substitute.For<Camera, IDisposable>(); }",
        "void B() { A.Fake<Camera>(); }",
    ],
)
def test_doubles_of_own_classes(member: str) -> None:
    assert lines(MockOfConcreteType(), member) == [3]
    assert lines(UnownedMock(), member) == []


@pytest.mark.parametrize(
    "member",
    [
        "void A() { new Mock<CameraBase>(); new Mock<ICamera>(); new Mock<Shot>(); new Mock<Point>(); }",
        "void A() { new Camera(); Mock.Get(new Camera()); It.IsAny<Camera>(); }",
        "void A() { own.As<Camera>(); Substitute.For<ICamera, Camera>(); Substitute.ForTypeForwardingTo<ICamera, Camera>(); }",
        "Mock<Camera> declared; void A(Mock<Camera> given) { }",
    ],
)
def test_what_is_no_double_of_an_own_class(member: str) -> None:
    assert lines(MockOfConcreteType(), member) == []


def test_the_callers_of_a_helper_choose_the_type() -> None:
    helpers = (
        "using Moq;\npublic class Kit {\n"
        "public static Mock<X> New<Y, X>() where X : class => Make<X>();\n"
        "static Mock<Z> Make<Z>() where Z : class { return new Mock<Z>(); }\n"
        "public static X Other<X>() => default;\n}\n"
    )
    test = (
        "using Core; using Grpc.Core;\nclass T : Kit {\nvoid A() {\nNew<int, ServerCallContext>();\nKit.New<Camera, ICamera>();\n"
        "New<ServerCallContext, ICamera>();\nOther<ServerCallContext>();\nNew<int, Camera>();\nNew<ServerCallContext>();\n}\n}\n"
    )
    files = {"Kit.cs": helpers, "T.cs": test, "Runtime/Core.cs": CORE}
    given = findings(UnownedMock(), files)
    assert [(found.place.line, found.place.column) for found in given] == [(4, 1)]
    assert [step.place.path for step in given[0].related] == ["Kit.cs"]
    assert [found.place.line for found in findings(MockOfConcreteType(), files)] == [8]


def test_rocks_names_its_types_in_attributes() -> None:
    text = "using Rocks;\n[assembly: Rock(typeof(System.IDisposable), BuildType.Create)]\n[assembly: RockMake<System.IDisposable>]\nclass T { }\n"
    assert places(UnownedMock(), text) == [(2, 12), (3, 12)]
    assert places(UnownedMock(), text.replace("using Rocks;", "// Rocks")) == []


def test_the_place_is_the_name_of_what_makes_the_double() -> None:
    text = "using Moq;\nclass T { void A() {\nvar a = new\n  Mock<System.IDisposable>();\nvar b = Mock\n  .Of<System.IDisposable>();\n} }\n"
    assert places(UnownedMock(), text) == [(4, 3), (6, 4)]
