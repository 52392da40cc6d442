"""Who collects: this process, processes of our own, or an executor that somebody hands in."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from guards.engine.collect import collect, collect_chunk
from guards.engine.isolation import collect_isolated, needs_isolation
from guards.engine.task import Chunk, Collected, FileTask, RulePlan

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

# Starting processes costs what parsing about this much costs.
PARALLEL_ABOVE_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 18

Result = tuple[Collected, object]
Plans = Sequence[tuple[RulePlan, ...]]


def collect_all(
    tasks: Sequence[FileTask],
    plans: Plans,
    *,
    jobs: int,
    executor: "Executor | None" = None,
    progress: Callable[[int], None] = lambda _count: None,
) -> Iterator[Result]:
    """Collects from all files, in the order of the tasks.

    Args:
        tasks: the files; each names its plan by its index in ``plans``.
        plans: the plans that the tasks share.
        jobs: how many processes of our own may be used; 1 means none.
        executor: any executor (PEP 3148) to use instead of processes of our own.
        progress: called with the number of files that were just finished.
    """
    plain = [task for task in tasks if not needs_isolation(task)]
    size = sum(len(task.raw) for task in plain)
    if executor is None and (jobs <= 1 or size < PARALLEL_ABOVE_BYTES):
        results: Iterator[Result] = (collect(task, plans[task.plan]) for task in plain)
    elif executor is None:
        results = _in_own_processes(plain, plans, min(jobs, 1 + size // PARALLEL_ABOVE_BYTES))
    else:
        results = _in_order(executor, plain, plans)
    for task in tasks:
        yield collect_isolated(task, plans[task.plan]) if needs_isolation(task) else next(results)
        progress(1)


def _in_own_processes(tasks: Sequence[FileTask], plans: Plans, workers: int) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_parent)
    try:
        yield from _in_order(pool, tasks, plans)
    except BaseException:
        # Nobody waits for the result any more; a worker may be deep in a file and would not hear.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.kill()
        raise
    pool.shutdown()


def _leave_interrupts_to_the_parent() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_order(executor: "Executor", tasks: Sequence[FileTask], plans: Plans) -> Iterator[Result]:
    chunks = list(_chunks(tasks, plans))
    futures = [executor.submit(collect_chunk, chunk) for chunk in chunks]
    for chunk, future in zip(chunks, futures, strict=True):
        yield from _result(future, chunk)


def _result(future: "Future[list[Result]]", chunk: Chunk) -> Iterable[Result]:
    from concurrent.futures import BrokenExecutor

    try:
        return future.result()
    except BrokenExecutor:
        # A worker was killed (out of memory, most likely): one file of some chunk did it, and
        # alone each file can only take down itself.
        return [collect_isolated(task, chunk.plans[task.plan]) for task in chunk.tasks]


def _chunks(tasks: Sequence[FileTask], plans: Plans) -> Iterator[Chunk]:
    """Runs of files of about equal size, each with just the plans that its files use."""
    start, size = 0, 0
    for end, task in enumerate(tasks, 1):
        size += len(task.raw)
        if size >= _CHUNK_BYTES or end == len(tasks):
            yield _chunk(tasks[start:end], plans)
            start, size = end, 0


def _chunk(tasks: Sequence[FileTask], plans: Plans) -> Chunk:
    used = sorted({task.plan for task in tasks})
    renumbered = {old: new for new, old in enumerate(used)}
    return Chunk(
        tuple(task._replace(plan=renumbered[task.plan]) for task in tasks),
        tuple(plans[old] for old in used),
    )
