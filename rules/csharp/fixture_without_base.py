"""A fixture that does not derive from the project's common base.

## What it does

Reports each fixture that reaches none of the classes in the option `bases`. A fixture is a class that is not abstract
and has a test of its own or an inherited one. Bases are followed through all parts of partial classes, through aliases,
generic classes and other assemblies. A base without a namespace in the option is any class of that simple name.

Where the chain ends in a class that no file of the project declares, the finding says that the rule cannot see further.
Set-up fixtures and static classes are left alone.

## Why is this bad?

The common base undoes what a test changed: open scenes, preferences, global hooks. A fixture without it leaves its changes
to whatever runs next.

## Use instead

Derive the fixture from the common base, and put its own preparations into the hooks that the base offers.

## Known limits

Without the option `bases` the rule says nothing. A class whose tests are in an unread region is not seen as a fixture.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.csharp import CSharpFile, Index
from guards.languages.csharp.frameworks import is_known
from guards.languages.csharp.names import is_named, plain
from guards.languages.csharp.testing import TEST_ATTRIBUTES
from guards.languages.csharp.types import Declared
from guards.rule import MAYBE_TEST_CODE, Candidate, Example, Finding, Option, Options, Project, Rule

_SETUP_FIXTURE = "NUnit.Framework.SetUpFixtureAttribute"
_EXEMPT = frozenset({"abstract", "static"})


class FixtureWithoutBase(Rule[CSharpFile]):
    """One finding for each fixture, at its name."""

    name = "fixture-without-base"
    code = "SGC008"
    language = "csharp"
    roles = MAYBE_TEST_CODE
    options: ClassVar = {
        "bases": Option(
            (), "Names, or globs of them, of the classes of which a fixture must reach one; none turns the rule off."
        ),
    }
    why = "nothing undoes what its tests change, so they are the cause when others fail"
    instead = "derive it from the common base"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Candidate]:
        """A candidate for each class that can be a fixture."""
        if not options.names("bases"):
            return
        facts = file.facts()
        with_attributes = {function.owner for function in facts.functions if function.attributes}
        for row, declared in enumerate(facts.types):
            is_class = declared.kind in ("class", "record") and _EXEMPT.isdisjoint(declared.modifiers)
            if is_class and (row in with_attributes or declared.bases):
                yield self.candidate(declared.spot.place(file.info.path), "class", str(row))

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The fixtures that reach no base, each once."""
        index = project.csharp
        parts: dict[Declared, list[Candidate]] = {}
        for candidate in candidates:
            parts.setdefault(index.types.at(candidate.place.path, int(candidate.words[0])), []).append(candidate)
        for declared, of_type in parts.items():
            candidate = next((part for part in of_type if _has_test(index, part)), of_type[0])
            bases = project.options_for(self.name, candidate.place.path).names("bases")
            if _must_derive(index, declared) and not _reaches(index, declared, bases):
                yield self.finding(candidate.place, _message(index, declared, bases))

    bad = (
        Example(
            "using NUnit.Framework;\n\npublic class LooseTests  // FLAW\n{\n    [Test]\n    public void Moves() { }\n}\n\n"
            "[TestFixture]\npublic partial class MoreTests : System.IDisposable  // FLAW\n{\n    [TestCase(1)]\n    public void Counts(int n) { }\n"
            "    public void Dispose() { }\n}\n",
            "no base at all, and none but an interface",
            options=(("bases", ("CommonTestBase",)),),
        ),
        Example(
            "public class InheritedTests : SharedTests { }  // FLAW\n\npublic class VendorTests : Vendor.TestBase  // FLAW\n{\n"
            "    [NUnit.Framework.Test]\n    public void Moves() { }\n}\n",
            "tests that are inherited, and a base that nobody can see",
            files=(
                (
                    "Tests/SharedTests.cs",
                    "public abstract class SharedTests { [NUnit.Framework.Test] public void Moves() { } }\n",
                ),
            ),
            options=(("bases", ("CommonTestBase",)),),
        ),
        Example(
            "using NUnit.Framework;\nusing Other;\n\npublic class MoveTests : CommonTestBase  // FLAW\n{\n    [Test]\n    public void Moves() { }\n}\n",
            "a base of the same name, which is not the one that is meant",
            files=(
                ("Tests/Other.cs", "namespace Other { public abstract class CommonTestBase { } }\n"),
                ("Tests/Base.cs", "namespace Sample { public abstract class CommonTestBase { } }\n"),
            ),
            options=(("bases", ("Sample.CommonTestBase",)),),
        ),
    )
    good = (
        Example(
            "using NUnit.Framework;\nusing Common = Sample.Testing.CommonTestBase;\n\npublic class DirectTests : Common\n{\n"
            "    [Test]\n    public void Moves() { }\n}\n\npublic class FarTests : Generic<int>\n{\n    [Test]\n    public void Moves() { }\n}\n",
            "through an alias, and through a generic class of another assembly",
            files=(
                ("Support/Sample.Support.asmdef", '{"name": "Sample.Support"}'),
                (
                    "Support/Base.cs",
                    (
                        "public abstract class Generic<T> : Sample.Testing.CommonTestBase { }\n"
                        "namespace Sample.Testing { public abstract class CommonTestBase { } }\n"
                    ),
                ),
                ("Tests/Sample.Tests.asmdef", '{"name": "Sample.Tests", "defineConstraints": ["UNITY_INCLUDE_TESTS"]}'),
            ),
            options=(("bases", ("CommonTestBase",)),),
        ),
        Example(
            "using NUnit.Framework;\n\npublic partial class MoveTests\n{\n    [Test]\n    public void Moves() { }\n}\n",
            "another part names the base",
            files=(("Tests/MoveTests.Base.cs", "public partial class MoveTests : Vendor.CommonTestBase { }\n"),),
            options=(("bases", ("CommonTestBase",)),),
        ),
        Example(
            "using NUnit.Framework;\n\n[SetUpFixture]\npublic class Once\n{\n    [OneTimeSetUp]\n    public void Up() { }\n\n"
            "    [Test]\n    public void NeverRuns() { }\n}\n\npublic abstract class Shared\n{\n    [Test]\n    public void Moves() { }\n}\n\n"
            "public static class Helpers\n{\n    [Test]\n    public static void Moves() { }\n}\n",
            "a set-up fixture, an abstract and a static class",
            options=(("bases", ("CommonTestBase",)),),
        ),
        Example(
            "using NUnit.Framework;\n\npublic class Helper : System.IDisposable\n{\n    [System.Obsolete]\n    public void Dispose() { }\n}\n\n"
            "public class Attributes\n{\n    [SetUp]\n    public void Up() { }\n}\n",
            "classes without a test",
            options=(("bases", ("CommonTestBase",)),),
        ),
        Example(
            "using NUnit.Framework;\n\npublic class MoveTests\n{\n    [Test]\n    public void Moves() { }\n}\n",
            "no base is asked for",
        ),
    )


def _has_test(index: Index, candidate: Candidate) -> bool:
    """Whether this part of a class has a test of its own."""
    path, row = candidate.place.path, int(candidate.words[0])
    own = (f for f in index.types.at(path, row).all_functions() if f.path == path)
    return any(
        index.types.function(function).owner == row and index.testing.is_marked(function, TEST_ATTRIBUTES)
        for function in own
    )


def _must_derive(index: Index, declared: Declared) -> bool:
    """Whether a type is a fixture of test code that runs tests for itself."""
    if "static" in declared.modifiers or not any(index.is_test(path) for path, _, _ in declared.parts):
        return False
    return index.testing.is_fixture(declared) and not any(
        _SETUP_FIXTURE in index.attribute_names(path, f"t{row}", attribute.name)
        for path, row, part in declared.parts
        for attribute in part.attributes
    )


def _reaches(index: Index, declared: Declared, bases: Sequence[str]) -> bool:
    names = (plain(base.full) for base in index.resolver.chain(declared))
    everything = (*names, *index.resolver.external_bases(declared))
    return any(is_named(full, base) for full in everything for base in bases)


def _message(index: Index, declared: Declared, bases: Sequence[str]) -> str:
    wanted = " or ".join(f"`{base}`" for base in bases)
    unseen = next((full for full in index.resolver.external_bases(declared) if _may_have_bases(full)), None)
    if unseen is None:
        return f"`{declared.name}` does not derive from {wanted}"
    simple = unseen.rpartition(".")[2]
    return f"whether `{declared.name}` derives from {wanted} cannot be seen: `{simple}` is in no file of the project"


def _may_have_bases(full: str) -> bool:
    """Whether a type outside of the project is a class that nobody knows."""
    namespace, _, name = full.rpartition(".")
    is_interface = len(name) > 1 and name[0] == "I" and name[1].isupper()
    return not is_interface and not any(is_known(namespace, name, arity) for arity in (0, 1))
