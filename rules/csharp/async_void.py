"""An `async void` method or local function.

## What it does

Reports methods and local functions in test code that are `async` and return `void`, with any other modifiers in any
order: tests, helpers, overrides, event handlers and partial methods. With `product = "report"` product code is looked at
as well; there `allow-event-handlers` spares methods with the signature of an event handler and messages of Unity.

## Why is this bad?

Nobody can await such a method. A test runner takes it for finished at its first `await`, so that what fails afterwards
fails in no test, or takes down the process in the middle of another one.

## Use instead

Return `Task`, and await the call.

## Fix

Writes `Task` for `void`, and `await` before the calls in the same file. Safe for a test, which nobody but the runner
calls, and for a private method or local function that its own file calls; of any other method callers elsewhere would
drop the task, so it is unsafe. Where the type is not imported it is written with its namespace.

There is no fix for an override, a partial method, an explicit implementation of an interface or an event handler, nor for
a method that is handed on, or called where nothing can be awaited.

## Known limits

Lambdas are not looked at here: whether they become `async void` depends on the delegate that they are given to.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from guards.languages.csharp import CSharpFile
from guards.languages.csharp.awaiting import awaiting_calls, return_type
from guards.languages.csharp.facts import Function
from guards.rule import ALL_CODE, PRODUCT, Edit, Example, Finding, Fix, Option, Options, Rule

_NAMESPACE = "System.Threading.Tasks"
# What another file, or the runtime, says of the return type.
_RETURN_IS_FIXED = frozenset({"abstract", "extern", "override", "partial"})
_NOT_PRIVATE = frozenset({"internal", "protected", "public"})
_TESTS = frozenset(
    ["DataTestMethod", "Fact", "SkippableFact", "SkippableTheory", "Test", "TestCase", "TestCaseSource", "TestMethod", "Theory"]
)  # fmt: skip
_MESSAGES = frozenset(
    [
        "Awake", "FixedUpdate", "LateUpdate", "OnApplicationFocus", "OnApplicationPause", "OnApplicationQuit", "OnDestroy",
        "OnDisable", "OnEnable", "OnValidate", "Reset", "Start", "Update",
    ]
)  # fmt: skip


class AsyncVoid(Rule[CSharpFile]):
    """One finding for each method, at its name."""

    name = "async-void"
    code = "SGC004"
    language = "csharp"
    roles = ALL_CODE
    needs = ("name:async",)
    triggers = ("async",)
    options: ClassVar = {
        "product": Option("ignore", "Whether product code is looked at, too.", choices=("ignore", "report")),
        "allow-event-handlers": Option(
            default=True, doc="Whether event handlers and Unity's messages are fine in product code."
        ),
    }
    why = "the runner takes it for finished at its first `await`, and what fails later fails in no test"
    instead = "return `Task` and await the call"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Finding]:
        """The `async void` functions of one file."""
        in_product = file.info.role == PRODUCT
        names = _Names(file)
        for function in file.facts().functions:
            if (
                function.kind not in ("method", "local")
                or function.returns != "void"
                or "async" not in function.modifiers
            ):
                continue
            if in_product and options.flag("allow-event-handlers") and _is_called_by_events(function):
                continue
            place = function.spot.place(file.info.path)
            yield self.finding(place, f"`{function.name}` is `async void`", fix=_fix(file, function, names))

    bad = (
        Example(
            "using NUnit.Framework;\nusing System.Threading.Tasks;\n\npublic class LoadTests\n{\n"
            "    [Test]\n    public async void Loads()  // FLAW\n    {\n        await Task.Yield();\n    }\n\n"
            "    async protected static void Prepare() => await Task.Yield();  // FLAW\n}\n",
            "a test and a helper",
            fixed="using NUnit.Framework;\nusing System.Threading.Tasks;\n\npublic class LoadTests\n{\n"
            "    [Test]\n    public async Task Loads()\n    {\n        await Task.Yield();\n    }\n\n"
            "    async protected static Task Prepare() => await Task.Yield();\n}\n",
        ),
        Example(
            "using NUnit.Framework;\n\npublic class LoadTests\n{\n    [Test]\n    public async void Loads()  // FLAW\n    {\n"
            "        Prepare();\n        this.Prepare();\n    }\n\n"
            "    private async void Prepare() => await Loader.Load();  // FLAW\n}\n",
            "a helper that the tests of its file call",
            fixed="using NUnit.Framework;\n\npublic class LoadTests\n{\n"
            "    [Test]\n    public async System.Threading.Tasks.Task Loads()\n    {\n"
            "        await Prepare();\n        await this.Prepare();\n    }\n\n"
            "    private async System.Threading.Tasks.Task Prepare() => await Loader.Load();\n}\n",
        ),
        Example(
            "using System;\nusing System.Threading.Tasks;\n\npublic partial class LoadTests : LoadTestBase\n{\n"
            "    protected override async void OnReady() { await Task.Yield(); }  // FLAW\n"
            "    private async void OnClick(object sender, EventArgs e) { await Task.Yield(); }  // FLAW\n"
            "    async partial void Hook() { await Task.Yield(); }  // FLAW\n"
            "    public void A()\n    {\n        async void Later() { await Task.Yield(); }  // FLAW\n        Later();\n    }\n}\n",
            "an override, an event handler, a partial method and a local function",
        ),
        Example(
            "#if UNITY_EDITOR\nusing System.Threading.Tasks;\npublic class LoadTests\n{\n#if NEVER\n"
            "    async\n    void\n    Wait() { await Task.Yield(); }  // FLAW\n#endif\n}\n#endif\n",
            "a branch that is not compiled today, on several lines",
            fixed="#if UNITY_EDITOR\nusing System.Threading.Tasks;\npublic class LoadTests\n{\n#if NEVER\n"
            "    async\n    Task\n    Wait() { await Task.Yield(); }\n#endif\n}\n#endif\n",
        ),
        Example(
            "using System.Threading.Tasks;\n\npublic class Loader\n{\n    public async void Load() { await Task.Yield(); }  // FLAW\n}\n",
            "product code, by option",
            path="Runtime/Loader.cs",
            files=(("Runtime/Sample.asmdef", '{"name": "Sample"}'),),
            options=(("product", "report"),),
            fixed="using System.Threading.Tasks;\n\npublic class Loader\n{\n    public async Task Load() { await Task.Yield(); }\n}\n",
        ),
    )
    good = (
        Example(
            "using System.Threading.Tasks;\n\npublic class LoadTests\n{\n"
            "    public async ValueTask Loads() => await Task.Yield();\n    public async UniTask Waits() => await Task.Yield();\n}\n",
            "other types that can be awaited",
        ),
        Example(
            "using System.Threading.Tasks;\n\npublic class LoadTests\n{\n    public async Task Loads() => await Task.Yield();\n"
            "    public void Plain() { }\n    public async Task<int> Count() { await Task.Yield(); return 1; }\n}\n",
            "asynchronous with a task, or not asynchronous at all",
        ),
        Example(
            "public class LoadTests\n{\n    private delegate void Loaded(int count);\n    private interface ILoader { void Load(); }\n"
            "    private void Load(bool async) { var x = async; Use(async: async); }\n"
            "    private void Use(bool async) { }\n}\n",
            "a delegate, a member of an interface, and `async` as a name",
        ),
        Example(
            "public class LoadTests\n{\n    // public async void Loads()\n"
            '    private const string Source = "public async void Loads() { }";\n}\n',
            "text about such a method",
        ),
        Example(
            "using System.Threading.Tasks;\n\npublic class Loader\n{\n    public async void Load() { await Task.Yield(); }\n}\n",
            "product code is not looked at by default",
            path="Runtime/Loader.cs",
            files=(("Runtime/Sample.asmdef", '{"name": "Sample"}'),),
        ),
        Example(
            "using System;\nusing System.Threading.Tasks;\n\npublic class Loader\n{\n"
            "    private async void OnClick(object sender, EventArgs e) { await Task.Yield(); }\n"
            "    private async void Start() { await Task.Yield(); }\n}\n",
            "an event handler and a message of Unity in product code",
            path="Runtime/Loader.cs",
            files=(("Runtime/Sample.asmdef", '{"name": "Sample"}'),),
            options=(("product", "report"),),
        ),
    )


class _Names:
    """The functions of a file by name, each name looked at once."""

    def __init__(self, file: CSharpFile) -> None:
        self._file = file
        self._known: dict[str, tuple[int, ...] | None] = {}

    def calls(self, name: str) -> tuple[int, ...] | None:
        """Where an ``await`` belongs before the calls of a function; None where that cannot be told."""
        if name not in self._known:
            calls = awaiting_calls(self._file, name)
            is_shared = calls and self._counts[name] > 1
            self._known[name] = None if is_shared else calls
        return self._known[name]

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(function.name for function in self._file.facts().functions)


def _fix(file: CSharpFile, function: Function, names: _Names) -> Fix | None:
    """``Task`` for ``void``, and an ``await`` for each call; none where somebody needs the ``void``."""
    if not _RETURN_IS_FIXED.isdisjoint(function.modifiers) or function.interface or _is_called_by_events(function):
        return None
    declared = file.facts().types[function.owner] if function.owner >= 0 else None
    if declared is None or declared.kind == "interface":
        return None
    calls, span = names.calls(function.name), return_type(file, function)
    if calls is None or span is None:
        return None
    is_test = any(
        attribute.name.rpartition(".")[2].removesuffix("Attribute") in _TESTS for attribute in function.attributes
    )
    is_own = function.kind == "local" or (
        _NOT_PRIVATE.isdisjoint(function.modifiers) and "partial" not in declared.modifiers and not function.attributes
    )
    safe = "virtual" not in function.modifiers and (is_test or (is_own and bool(calls)))
    edits = (Edit(*span, _task(file)), *(Edit(call, call, "await ") for call in calls))
    title = "return `Task`" + (" and await it where it is called" if calls else "")
    return Fix(title, safe, edits)


def _task(file: CSharpFile) -> str:
    """How the file can write the type."""
    usings = [using for namespace in file.facts().namespaces for using in namespace.usings]
    imported = _NAMESPACE in {*(using.name for using in usings if not using.alias), *file.info.unit.fact("usings")}
    hidden = "Task" in {*(using.alias for using in usings), *(declared.name for declared in file.facts().types)}
    return "Task" if imported and not hidden else f"{_NAMESPACE}.Task"


def _is_called_by_events(function: Function) -> bool:
    """Whether a signature is that of an event handler, or of a message that Unity sends."""
    parameters = function.parameters
    if len(parameters) == 2:
        sender, event = (parameter.type.rstrip("?").rpartition(".")[2] for parameter in parameters)
        return sender.lower() == "object" and event.endswith("EventArgs")
    return function.name in _MESSAGES
