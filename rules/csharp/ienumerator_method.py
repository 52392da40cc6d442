"""A method in test code that returns `IEnumerator`.

## What it does

Reports methods and local functions in test code whose return type is the non-generic `System.Collections.IEnumerator`,
also nullable or under an alias. With `include-generic` the generic one counts as well, with `include-property` properties.

These are fine: explicit implementations of an interface, `GetEnumerator` of a type that is enumerable, and implementations
of an interface's or an abstract member that has this type. With `allow-unity-messages` so are messages of a `MonoBehaviour`, such as
`Start`, that Unity runs as coroutines.

## Why is this bad?

A coroutine does nothing until somebody drives it. A helper that is called and not driven runs not one line, and the test
that called it is green. Whoever drives it by hand does so without a bound.

## Use instead

Return `Task` from an `async` method and await the call.

## Known limits

Where a type has an interface that no file of the project declares, its public methods may implement it and are not
reported; neither are overrides of a member that the project does not declare.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.csharp import CSharpFile, Index
from guards.languages.csharp.facts import Function
from guards.languages.csharp.frameworks import is_known
from guards.languages.csharp.types import Declared
from guards.rule import Candidate, Example, Finding, Option, Options, Project, Rule

_SIMPLE = frozenset({"IEnumerator"})
_PLAIN, _GENERIC = "System.Collections.IEnumerator", "System.Collections.Generic.IEnumerator"
_FUNCTION, _GLOBAL_ALIAS = "function", "global alias"
_ENUMERABLE = frozenset(
    [
        "ArrayList", "BitArray", "Collection", "ConcurrentBag", "ConcurrentDictionary", "ConcurrentQueue", "ConcurrentStack",
        "Dictionary", "HashSet", "Hashtable", "ICollection", "IDictionary", "IEnumerable", "IList", "ILookup", "IQueryable",
        "IReadOnlyCollection", "IReadOnlyDictionary", "IReadOnlyList", "ISet", "LinkedList", "List", "Queue",
        "SortedDictionary", "SortedList", "SortedSet", "Stack", "TheoryData",
    ]
)  # fmt: skip
# Members of interfaces outside of the project that return the type.
_DECLARED_OUTSIDE = {
    "UnityEngine.TestTools.IEditModeTestYieldInstruction": ("Perform",),
    "UnityEngine.TestTools.IOuterUnityTestAction": ("AfterTest", "BeforeTest"),
}
_MONO_BEHAVIOUR = "UnityEngine.MonoBehaviour"
_COROUTINE_MESSAGES = frozenset(
    [
        "OnBecameInvisible", "OnBecameVisible", "OnCollisionEnter", "OnCollisionExit", "OnCollisionStay", "OnMouseDown",
        "OnMouseUp", "OnTriggerEnter", "OnTriggerExit", "OnTriggerStay", "Start",
    ]
)  # fmt: skip


class IenumeratorMethod(Rule[CSharpFile]):
    """One finding for each method, at its name."""

    name = "ienumerator-method"
    code = "SGC006"
    language = "csharp"
    options: ClassVar = {
        "include-generic": Option(default=False, doc="Whether `IEnumerator<T>` counts as well."),
        "include-property": Option(default=False, doc="Whether properties count as well."),
        "allow-unity-messages": Option(default=False, doc="Whether messages of a `MonoBehaviour` may be coroutines."),
    }
    why = "a coroutine that nobody drives runs not one line, and the test that called it is green"
    instead = "return `Task` from an `async` method and await it"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Candidate]:
        """A candidate for each method whose return type may be the enumerator."""
        kinds = ("method", "local", "property") if options.flag("include-property") else ("method", "local")
        for alias in file.global_aliases(_SIMPLE):
            yield self.candidate(file.place(0, 0), _GLOBAL_ALIAS, alias, *kinds)
        for row, function in enumerate(file.facts().functions):
            if function.kind in kinds and not function.interface and file.may_mean(function.returns, _SIMPLE):
                yield self.candidate(function.spot.place(file.info.path), _FUNCTION, function=str(row))

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The methods that return the enumerator because they want to."""
        index = project.csharp
        functions = {}
        for candidate in candidates:
            path = candidate.place.path
            if candidate.kind == _FUNCTION:
                functions[candidate.place] = index.function(path, candidate.function)
                continue
            alias, *kinds = candidate.words
            for other, function in index.functions_beside(path):
                if function.kind in kinds and not function.interface and function.returns.rstrip("?") == alias:
                    functions[function.spot.place(other)] = function
        for place, function in sorted(functions.items()):
            options = project.options_for(self.name, place.path)
            if _returns_enumerator(index, place.path, function, options) and not _must(
                index, place.path, function, options
            ):
                yield self.finding(place, f"`{function.name}` is a coroutine: it returns `{function.returns}`")

    bad = (
        Example(
            "using System.Collections;\nusing NUnit.Framework;\nusing Steps = System.Collections.IEnumerator;\n\npublic class MoveTests\n{\n"
            "    private IEnumerator Settle() { yield return null; }  // FLAW\n"
            "    private static Steps Walk() => null;  // FLAW\n"
            "    public System.Collections.IEnumerator\n        Run() { yield break; }  // FLAW\n\n"
            "    [Test]\n    public void Moves()\n    {\n        IEnumerator Later() { yield return null; }  // FLAW\n"
            "        Later();\n    }\n}\n",
            "helpers under several spellings, and a local function",
        ),
        Example(
            "#nullable enable\nusing System.Collections;\n\npublic abstract class MoveTestBase\n{\n"
            "    protected abstract IEnumerator? Prepare();  // FLAW\n"
            "    public IEnumerator GetEnumerator() { yield break; }  // FLAW\n}\n",
            "an abstract helper, and `GetEnumerator` of a type that is not enumerable",
        ),
        Example(
            "using System.Collections;\n\npublic class MoveTestBase\n{\n"
            "    protected virtual IEnumerator Prepare() { yield break; }  // FLAW\n}\n\n"
            "public class MoveTests : MoveTestBase\n{\n"
            "    protected override IEnumerator Prepare() { yield return null; }  // FLAW\n}\n",
            "a member that could be anything, and its override",
        ),
        Example(
            "using System.Collections.Generic;\n\npublic class MoveTests\n{\n"
            "    private IEnumerator<int> Steps() { yield return 1; }  // FLAW\n"
            "    private IEnumerator<int> Walk => Steps();  // FLAW\n}\n",
            "the generic one, and a property, by option",
            options=(("include-generic", True), ("include-property", True)),
        ),
    )
    good = (
        Example(
            "using System.Collections;\nusing System.Collections.Generic;\n\npublic class MoveTests\n{\n"
            "    private sealed class Bag : IEnumerable<int>\n    {\n"
            "        public IEnumerator<int> GetEnumerator() { yield return 1; }\n"
            "        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();\n    }\n\n"
            "    private sealed class Old : IEnumerable\n    {\n        public IEnumerator GetEnumerator() { yield break; }\n    }\n}\n",
            "doubles that are enumerable",
        ),
        Example(
            "using System.Collections;\n\npublic class MoveTests\n{\n    private sealed class FakeRoutine : IRoutine\n    {\n"
            "        public IEnumerator Play() { yield break; }\n    }\n}\n",
            "an interface of the product asks for the coroutine",
            files=(
                ("Runtime/Sample.asmdef", '{"name": "Sample"}'),
                ("Runtime/IRoutine.cs", "public interface IRoutine { System.Collections.IEnumerator Play(); }\n"),
            ),
        ),
        Example(
            "using System;\nusing System.Collections;\n\npublic class MoveTests\n{\n    private Func<IEnumerator> _factory;\n\n"
            "    public void Moves()\n    {\n        IEnumerator routine = new Mover().Run();\n        while (routine.MoveNext()) { }\n    }\n}\n",
            "a coroutine of the product is driven, none is declared",
        ),
        Example(
            "using System.Collections.Generic;\n\npublic class MoveTests\n{\n"
            "    private IEnumerator<int> Steps() { yield return 1; }\n"
            "    private IEnumerable<int> Numbers() { yield return 1; }\n}\n",
            "other types; the generic one counts only by option",
        ),
        Example(
            "namespace Sample\n{\n    public interface IEnumerator { }\n\n    public class MoveTests\n    {\n"
            "        private IEnumerator Own() => null;\n    }\n}\n",
            "a type of the project's own with the same name",
        ),
        Example(
            "using System.Collections;\nusing UnityEngine;\n\npublic class Probe : MonoBehaviour\n{\n"
            "    private IEnumerator Start() { yield return null; }\n}\n",
            "a message that Unity runs as a coroutine, by option",
            options=(("allow-unity-messages", True),),
        ),
    )


def _returns_enumerator(index: Index, path: str, function: Function, options: Options) -> bool:
    meant = index.type_names(path, function.scope, function.returns)
    return _PLAIN in meant or (options.flag("include-generic") and _GENERIC in meant)


def _must(index: Index, path: str, function: Function, options: Options) -> bool:
    """Whether something else than the test's author decided on the return type."""
    owner = index.owner(path, function)
    if owner is None or function.kind == "local":
        return False
    external = index.resolver.external_bases(owner)
    if function.name == "GetEnumerator" and any(map(_may_be_enumerable, external)):
        return True
    if options.flag("allow-unity-messages") and _MONO_BEHAVIOUR in external and function.name in _COROUTINE_MESSAGES:
        return True
    if "override" in function.modifiers:
        return _is_asked_for(index, owner, function) is not False
    return bool(_is_asked_for(index, owner, function)) or _may_implement(external, function)


def _is_asked_for(index: Index, owner: Declared, function: Function) -> bool | None:
    """Whether a member above asks for this one: an interface's, or an abstract one; None where there is none in the project."""
    found = None
    for base in index.resolver.chain(owner)[1:]:
        for inherited in base.functions.get(function.name, ()):
            row = index.types.function(inherited)
            if len(row.parameters) == len(function.parameters):
                found = found or base.kind == "interface" or "abstract" in row.modifiers
    return found


def _may_be_enumerable(full: str) -> bool:
    """Whether a base outside of the project is enumerable, or nobody knows what it is."""
    namespace, _, name = full.rpartition(".")
    return name in _ENUMERABLE or not any(is_known(namespace, name, arity) for arity in (0, 1))


def _may_implement(external: Sequence[str], function: Function) -> bool:
    """Whether an interface outside of the project can ask for the member."""
    if "public" not in function.modifiers or "static" in function.modifiers:
        return False
    for full in external:
        namespace, _, name = full.rpartition(".")
        if function.name in _DECLARED_OUTSIDE.get(full, ()):
            return True
        is_interface = len(name) > 1 and name[0] == "I" and name[1].isupper()
        if is_interface and not any(is_known(namespace, name, arity) for arity in (0, 1)):
            return True
    return False
