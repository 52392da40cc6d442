"""One file in a process of its own, for files that could hold up or kill a run.

The parser asks whether to stop between its steps, but one step of the C# grammar is quadratic
in the number of ``<`` still open: 48 KB of ``a<`` cost 19 s in one piece. Only another process
can be stopped then. Starting one costs about a tenth of a second, so honest files go there
only when they are very large.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from guards.engine.collect import collect
from guards.engine.task import Collected, FileTask, RulePlan

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LARGE_FILE_BYTES = 1 << 20
MANY_OPEN_ANGLES = 3000
CPU_LIMIT_SECONDS = 20
_WALL_LIMIT_SECONDS = 120


def needs_isolation(task: FileTask) -> bool:
    """Whether a file is large or has the one shape that the parser cannot be stopped in."""
    if len(task.raw) > LARGE_FILE_BYTES:
        return True
    return task.info.language == "csharp" and task.raw.count(b"<") > MANY_OPEN_ANGLES


def collect_isolated(
    task: FileTask, plans: Sequence[RulePlan], cpu_limit: int = CPU_LIMIT_SECONDS
) -> tuple[Collected, object]:
    """As ``collect``, in another process that is killed when it takes too long or dies."""
    from multiprocessing import get_context

    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(theirs, task, tuple(plans), cpu_limit), daemon=True)
    process.start()
    theirs.close()
    try:
        if ours.poll(_WALL_LIMIT_SECONDS):
            result: tuple[Collected, object] = ours.recv()
            return result
    except EOFError:
        pass  # it died, most likely of the CPU limit
    finally:
        process.kill()
        process.join()
        ours.close()
    failure = f"given up: reading it takes more than {cpu_limit} s of CPU time"
    return Collected(task.info.path, task.info.language, failure=failure), None


def _serve(
    pipe: "Connection[tuple[Collected, object], object]", task: FileTask, plans: tuple[RulePlan, ...], cpu_limit: int
) -> None:
    try:
        import resource
    except ImportError:
        pass  # Windows: the wall limit alone holds
    else:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit + 1))
    pipe.send(collect(task, plans))
