"""A mock of an own class that is not abstract.

## What it does

Reports a test double made of an own type that is no abstraction. That is each double that a mock library makes, in test
code, of a class or record that the project declares and that is neither an interface nor abstract. It knows the same libraries and spellings as `unowned-mock`, and like it follows
methods of the tests that make a double of their own type parameter.

## Why is this bad?

The double replaces some of the class's methods and keeps the others, so what is tested is a mixture that never runs
anywhere else. What it replaces are details, and the test breaks, or stays green, when they change.

## Use instead

The class itself. Where it talks to something slow or far away, an interface for that part, and a double of the interface.

## Known limits

Types that the project does not declare are the business of `unowned-mock`. Structs, delegates and types that are only
found in generated files are left alone.
"""

from guards.languages.csharp.mocks import OWN_CLASS, Double, ownership
from guards.rule import Example, Options, Project
from guards.rule.mocking import MockRule, simple_name

_CAMERA = ("src/Core/Camera.cs", "namespace Core { public class Camera { public virtual int Shoot() => 1; } }\n")


class MockOfConcreteType(MockRule):
    """One finding for each double, at the name of what makes it."""

    name = "mock-of-concrete-type"
    code = "SGC010"
    why = "it is a mixture of the class and of the test's beliefs that never runs anywhere else"
    instead = "use the class itself, or mock an interface for the part that is slow or far away"

    def flaw(self, double: Double, project: Project, options: Options) -> str:
        """Whether the type is a class of the project's own, and no abstract one."""
        del options
        known = double.type
        if known is None or ownership(project.csharp, known, project.owned) != OWN_CLASS:
            return ""
        return f"`{simple_name(known)}` is mocked, but is a concrete class"

    bad = (
        Example(
            "using Core;\nusing FakeItEasy;\nusing Moq;\nusing NSubstitute;\nusing Xunit;\n\npublic class ShootTests\n{\n"
            "    private readonly Mock<Camera> _camera = new();  // FLAW\n\n    [Fact]\n    public void Shoots()\n    {\n"
            "        var plain = new Mock<Core.Camera>();  // FLAW\n        var linq = Mock.Of<Camera>();  // FLAW\n"
            "        var partly = Substitute.ForPartsOf<Camera>();  // FLAW\n        var fake = A.Fake<Camera>();  // FLAW\n    }\n}\n",
            "the same class in all libraries",
            files=(_CAMERA,),
        ),
        Example(
            "using Core;\nusing Moq;\n\npublic class ShootTests\n{\n    private static Mock<T> Fake<T>() where T : class => new Mock<T>();\n\n"
            "    void Shoots() { var camera = Fake<Camera>(); }  // FLAW\n}\n",
            "a helper makes the mock, and its caller says of what",
            files=(_CAMERA,),
        ),
    )
    good = (
        Example(
            "using Core;\nusing Moq;\n\npublic class ShootTests\n{\n    private readonly Mock<ICamera> _interface = new();\n"
            "    private readonly Mock<CameraBase> _base = new();\n    private readonly Mock<Split> _split = new();\n}\n",
            "an interface, an abstract class, and one that is abstract in another part",
            files=(
                (
                    "src/Core/Camera.cs",
                    (
                        "namespace Core\n{\n    public interface ICamera { }\n    public abstract class CameraBase { }\n"
                        "    public partial class Split { }\n    public abstract partial class Split { }\n}\n"
                    ),
                ),
            ),
        ),
        Example(
            "using System.Net.Http;\nusing Moq;\n\npublic class ShootTests\n{\n    private readonly Mock<HttpClient> _client = new();\n}\n",
            "a foreign class: another rule knows it",
        ),
        Example(
            "using Core;\nusing Moq;\n\npublic class ShootTests\n{\n    void Shoots()\n    {\n        var camera = new Camera();\n"
            "        var list = new System.Collections.Generic.List<Camera>();\n        var number = It.IsAny<Camera>();\n    }\n}\n",
            "the class itself, and the class as a type argument of other things",
            files=(_CAMERA,),
        ),
    )
