"""A blocked thread in test code: `Thread.Sleep`.

## What it does

Reports every use of `System.Threading.Thread.Sleep` in test code, however it is spelled: called, handed on as a method
group or looked up by reflection, through an alias, `using static`, a namespace or `global::`, in helpers, field
initialisers, lambdas and in every branch of `#if`.

## Why is this bad?

A sleep is a guess about how long something takes. On a slow machine the guess is too short and the test fails for no
reason, on a fast one it wastes time; in Unity's editor the very thing that is waited for runs on the blocked thread.

## Use instead

Wait for the event itself, with a bound: await a task or a signal, or poll a condition in a loop that gives up and fails.

## Known limits

A type called `Thread` that neither the project nor a using of the file declares is taken for the framework's when its
namespace is imported. A sleep behind a delegate or in code outside of the project is not seen. Product code is looked
at only with `product = "report"`.
"""

from typing import ClassVar

from guards.config.catalogue import Forbid
from guards.rule import ALL_CODE, WARNING, Example, Option, Options
from guards.rule.forbidden import ForbiddenApi

# What the option `include` may name shortly.
_SHORT_NAMES = {
    "SpinWait.SpinUntil": "System.Threading.SpinWait.SpinUntil",
    "Task.Delay(..).Wait": "System.Threading.Tasks.Task.Delay().Wait",
    "Thread.SpinWait": "System.Threading.Thread.SpinWait",
}


class ThreadSleep(ForbiddenApi):
    """One finding for each use."""

    name = "thread-sleep"
    code = "SGC001"
    language = "csharp"
    severity = WARNING
    roles = ALL_CODE
    options: ClassVar = {
        "include": Option(
            (), "Further members that block a thread, such as `SpinWait.SpinUntil` or `Task.Delay(..).Wait`."
        ),
        "allow-paths": Option((), "Globs of files that may block a thread.", paths=True),
        "product": Option("ignore", "Whether product code is looked at, too.", choices=("ignore", "report")),
    }
    why = "it blocks the thread for a guessed time: too short on a slow machine, wasted on a fast one"
    instead = "await the event itself, with a bound"

    def active_rows(self, options: Options) -> tuple[Forbid, ...]:
        """One row for `Thread.Sleep`, and one for each included API."""
        where = "any" if options.text("product") == "report" else "test"
        included = (_SHORT_NAMES.get(api, api) for api in options.names("include"))
        return tuple(
            Forbid(self.name, api, self.language, where=where, allow_paths=options.names("allow-paths"))
            for api in ("System.Threading.Thread.Sleep", *included)
        )

    def message(self, row: Forbid, name: str) -> str:
        """What blocks."""
        del row
        return f"`{name.removeprefix('System.Threading.').removeprefix('Tasks.')}` blocks the thread"

    bad = (
        Example(
            "using System.Threading;\nusing NUnit.Framework;\n\npublic class QueueTests\n{\n    [Test]\n    public void Drains()\n    {\n"
            "        new Queue().Start();\n        Thread.Sleep(100);  // FLAW\n    }\n}\n",
            "the plain call",
        ),
        Example(
            "using System;\nusing T = System.Threading.Thread;\nusing static System.Threading.Thread;\n\npublic class QueueTests\n{\n"
            "    private readonly Action _pause = () => T.Sleep(1);  // FLAW\n"
            "    private void Settle() => Sleep(10);  // FLAW\n"
            "    private int Tick { get { global::System.Threading.Thread.Sleep(1); return 1; } }  // FLAW\n"
            '    private string Text => $"{Run(() => T.@Sleep(3))}";  // FLAW\n'
            "    private readonly Action<int> _wait = T.Sleep;  // FLAW\n}\n",
            "an alias, `using static`, a full name, a hole of an interpolated string and a method group",
        ),
        Example(
            "using System.Threading;\n\npublic class QueueTests\n{\n    public void Drains()\n    {\n"
            "#if NEVER\n        Thread.Sleep(1);  // FLAW\n#else\n        Thr\\u0065ad.Sleep(2);  // FLAW\n#endif\n"
            '        typeof(Thread).GetMethod("Sleep", new[] { typeof(int) });  // FLAW\n    }\n}\n',
            "both branches of `#if`, an escape in the name, and reflection",
        ),
        Example(
            "using System.Threading;\nusing System.Threading.Tasks;\n\npublic class QueueTests\n{\n    public void Drains()\n    {\n"
            "        SpinWait.SpinUntil(() => Done);  // FLAW\n        Task.Delay(100).Wait();  // FLAW\n"
            "        SomeTask().Wait();\n    }\n}\n",
            "other ways to block, by option",
            options=(("include", ("SpinWait.SpinUntil", "Task.Delay(..).Wait")),),
        ),
        Example(
            "using System.Threading;\n\npublic class Queue\n{\n    public void Drain() => Thread.Sleep(1);  // FLAW\n}\n",
            "product code, by option",
            path="Runtime/Queue.cs",
            files=(("Runtime/Sample.asmdef", '{"name": "Sample"}'),),
            options=(("product", "report"),),
        ),
    )
    good = (
        Example(
            "using System.Threading;\n\npublic class QueueTests\n{\n    public void Drains()\n    {\n"
            "        var worker = new Thread(Work) { IsBackground = true };\n        worker.Start();\n        worker.Join(1000);\n"
            "        var name = nameof(Thread.Sleep);\n    }\n\n    private void Work() { }\n}\n",
            "other members of a thread; `nameof` calls nothing",
        ),
        Example(
            "using System.Threading;\n\npublic class QueueTests\n{\n"
            '    /// <summary>Never call <see cref="Thread.Sleep(int)"/>.</summary>\n    // Thread.Sleep(1);\n'
            '    private const string Text = "Thread.Sleep(1);";\n    private const string Raw = """Thread.Sleep(1);""";\n}\n',
            "comments and strings",
        ),
        Example(
            "namespace Sample\n{\n    public static class Thread { public static void Sleep(int ms) { } }\n\n"
            "    public class QueueTests\n    {\n        public void Drains() => Thread.Sleep(1);\n    }\n}\n",
            "a type of the project's own",
        ),
        Example(
            "using static System.Threading.Thread;\n\npublic class QueueTests : SampleBase\n{\n    public void Drains() => Sleep(1);\n}\n",
            "a method of a base class, which wins over `using static`",
            files=(("Tests/SampleBase.cs", "public class SampleBase { protected void Sleep(int frames) { } }\n"),),
        ),
        Example(
            "using System.Threading;\n\npublic class QueueTests\n{\n    public void Drains(FakeThread Thread) => Thread.Sleep(1);\n}\n",
            "a parameter that is called like the type",
        ),
        Example(
            "using System.Threading;\n\npublic class Queue\n{\n    public void Drain() => Thread.Sleep(1);\n}\n",
            "product code is not looked at by default",
            path="Runtime/Queue.cs",
            files=(("Runtime/Sample.asmdef", '{"name": "Sample"}'),),
        ),
    )
