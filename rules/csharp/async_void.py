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

## Known limits

Lambdas are not looked at here: whether they become `async void` depends on the delegate that they are given to.
"""

from collections.abc import Iterator
from typing import ClassVar

from guards.languages.csharp import CSharpFile
from guards.languages.csharp.facts import Function
from guards.rule import ALL_CODE, PRODUCT, Example, Finding, Option, Options, Rule

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
        for function in file.facts().functions:
            if (
                function.kind not in ("method", "local")
                or function.returns != "void"
                or "async" not in function.modifiers
            ):
                continue
            if in_product and options.flag("allow-event-handlers") and _is_called_by_events(function):
                continue
            yield self.finding(function.spot.place(file.info.path), f"`{function.name}` is `async void`")

    bad = (
        Example(
            "using NUnit.Framework;\nusing System.Threading.Tasks;\n\npublic class LoadTests\n{\n"
            "    [Test]\n    public async void Loads()  // FLAW\n    {\n        await Task.Yield();\n    }\n\n"
            "    async protected static void Prepare() => await Task.Yield();  // FLAW\n}\n",
            "a test and a helper",
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
        ),
        Example(
            "using System.Threading.Tasks;\n\npublic class Loader\n{\n    public async void Load() { await Task.Yield(); }  // FLAW\n}\n",
            "product code, by option",
            path="Runtime/Loader.cs",
            files=(("Runtime/Sample.asmdef", '{"name": "Sample"}'),),
            options=(("product", "report"),),
        ),
    )
    good = (
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


def _is_called_by_events(function: Function) -> bool:
    """Whether a signature is that of an event handler, or of a message that Unity sends."""
    parameters = function.parameters
    if len(parameters) == 2:
        sender, event = (parameter.type.rstrip("?").rpartition(".")[2] for parameter in parameters)
        return sender.lower() == "object" and event.endswith("EventArgs")
    return function.name in _MESSAGES
