"""A test or a lifecycle method that Unity drives as a coroutine.

## What it does

Reports the attributes `UnityTest`, `UnitySetUp` and `UnityTearDown` of `UnityEngine.TestTools` in test code: in any place
of any attribute list, on abstract bases and in every branch of `#if`, under an alias, and as an attribute of the project
that derives from one of them.

## Why is this bad?

A coroutine test runs in slices between other work of the editor. An exception in a nested enumerator can be lost, a
`yield` of something that Unity does not know waits for one frame and no more, and a domain reload starts the method anew.
Such a test can be green without having done what it says.

## Use instead

Write `[Test] async Task`, with `[SetUp]` and `[TearDown]`, and await what is waited for.

## Known limits

An attribute whose base is in no file of the project is not recognised.
"""

from collections.abc import Iterator, Sequence

from guards.languages.csharp import CSharpFile
from guards.languages.csharp.frameworks import is_attribute
from guards.rule import Candidate, Example, Finding, Options, Project, Rule

_NAMES = ("UnityTest", "UnitySetUp", "UnityTearDown")
_SIMPLE = frozenset((*_NAMES, *(f"{name}Attribute" for name in _NAMES)))
_FULL = frozenset(f"UnityEngine.TestTools.{name}Attribute" for name in _NAMES)
_ATTRIBUTE, _GLOBAL_ALIAS = "attribute", "global alias"


class UnityCoroutineTest(Rule[CSharpFile]):
    """One finding for each attribute, at its name."""

    name = "unity-coroutine-test"
    code = "SGC005"
    language = "csharp"
    needs = ("attribute", *(f"name:{name}" for name in sorted(_SIMPLE)))
    why = "it runs in slices between other work of the editor and can be green without having done what it says"
    instead = "write `[Test] async Task` (`[SetUp]`, `[TearDown]`) and await what is waited for"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Candidate]:
        """A candidate for each attribute of a function that can be one of the three."""
        del options
        for alias in file.global_aliases(_SIMPLE):
            yield self.candidate(file.place(0, 0), _GLOBAL_ALIAS, alias)
        for function in file.facts().functions:
            for attribute in function.attributes:
                simple = attribute.name.rpartition(".")[2]
                # What is in no table may be an attribute of the project that derives from one.
                if file.may_mean(attribute.name, _SIMPLE) or not is_attribute(simple):
                    place = attribute.spot.place(file.info.path)
                    yield self.candidate(place, _ATTRIBUTE, attribute.name, function.scope)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The attributes that are one of the three, each once."""
        index = project.csharp
        attributes = {}
        for candidate in candidates:
            path = candidate.place.path
            if candidate.kind == _ATTRIBUTE:
                attributes[candidate.place] = candidate.words
                continue
            for other, function in index.functions_beside(path):
                for attribute in function.attributes:
                    if attribute.name == candidate.words[0]:
                        attributes[attribute.spot.place(other)] = (attribute.name, function.scope)
        for place, (name, scope) in sorted(attributes.items()):
            meant = _FULL.intersection(index.attribute_names(place.path, scope, name))
            if meant:
                simple = min(meant).rpartition(".")[2].removesuffix("Attribute")
                yield self.finding(place, f"`{simple}` drives this method as a coroutine")

    def silence(self, candidate: Candidate, project: Project) -> str:
        """What the attribute means."""
        if candidate.kind != _ATTRIBUTE:
            return ""
        name, scope = candidate.words
        meant = project.csharp.attribute_names(candidate.place.path, scope, name)
        return f"`{name}` means `{meant[0]}` here" if meant else f"what `{name}` means here is not known"

    bad = (
        Example(
            "using System.Collections;\nusing NUnit.Framework;\nusing UnityEngine.TestTools;\n\npublic class MoveTests\n{\n"
            "    [UnityTest]  // FLAW\n    public IEnumerator Moves() { yield return null; }\n\n"
            "    [Test, UnityTest]  // FLAW\n    public IEnumerator Stops() { yield return null; }\n}\n",
            "alone, and second in its list",
        ),
        Example(
            "using System.Collections;\nusing Slow = UnityEngine.TestTools.UnityTestAttribute;\n\npublic abstract class MoveTestBase\n{\n"
            "    [UnityEngine.TestTools.UnitySetUp]  // FLAW\n    public IEnumerator Up() { yield return null; }\n\n"
            "    [global::UnityEngine.TestTools.UnityTearDownAttribute]  // FLAW\n    public IEnumerator Down() { yield return null; }\n\n"
            "#if NEVER\n    [Slow]  // FLAW\n    public IEnumerator Moves() { yield return null; }\n#endif\n}\n",
            "qualified names, an alias and a branch that is not compiled today, on a base without tests",
        ),
        Example(
            "using System.Collections;\n\npublic class MoveTests\n{\n    [FrameTest]  // FLAW\n"
            "    public IEnumerator Moves() { yield return null; }\n}\n",
            "an attribute of the project that derives from one",
            files=(
                (
                    "Tests/FrameTestAttribute.cs",
                    "public class FrameTestAttribute : UnityEngine.TestTools.UnityTestAttribute { }\n",
                ),
            ),
        ),
        Example(
            "using System.Collections;\n\npublic class MoveTests\n{\n    [Test]  // FLAW\n"
            "    public IEnumerator Moves() { yield return null; }\n}\n",
            "a global alias in another file of the assembly",
            files=(("Tests/Usings.cs", "global using Test = UnityEngine.TestTools.UnityTestAttribute;\n"),),
        ),
    )
    good = (
        Example(
            "using System.Threading.Tasks;\nusing NUnit.Framework;\nusing UnityEngine.TestTools;\n\npublic class MoveTests\n{\n"
            "    [SetUp]\n    public async Task Up() { await Task.Yield(); }\n\n"
            "    [Test, UnityPlatform(RuntimePlatform.LinuxEditor)]\n    public async Task Moves() { await Task.Yield(); }\n}\n",
            "an asynchronous test; another attribute with the same first letters",
        ),
        Example(
            "using NUnit.Framework;\n\npublic class MoveTests\n{\n    // [UnityTest] was here\n"
            '    [Test]\n    public void Moves() { Assert.Pass("[UnityTest]"); }\n\n'
            "    [UnityTestRunnerAware]\n    public void Helps() { }\n}\n",
            "a comment, a string, and an attribute that nobody declares",
        ),
        Example(
            "using System.Collections;\nusing UnityEngine;\n\npublic class Probe : MonoBehaviour\n{\n"
            "    private IEnumerator Start() { yield return null; }\n}\n",
            "a coroutine of a component is no test",
        ),
        Example(
            "using NUnit.Framework;\nusing UnityEngine.TestTools;\n\n[PrebuildSetup(typeof(MoveTests))]\npublic class MoveTests\n{\n"
            "    [Test]\n    public void Moves() { LogAssert.Expect(typeof(UnityTestAttribute).Name); }\n}\n",
            "other attributes of the same namespace, and the type as a value",
        ),
        Example(
            "namespace Sample\n{\n    public class UnityTestAttribute : System.Attribute { }\n\n"
            "    public class MoveTests\n    {\n        [UnityTest]\n        public void Moves() { }\n    }\n}\n",
            "an attribute of the project's own with the same name",
        ),
    )
