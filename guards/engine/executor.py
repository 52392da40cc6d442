"""Who collects: this process, processes of our own, or an executor that somebody hands in."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from guards.engine.collect import collect, collect_chunk
from guards.engine.isolation import collect_isolated, needs_isolation
from guards.engine.task import Chunk, Collected, FileTask, RulePlan

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor
    from types import TracebackType

# Starting processes costs what collecting from about this much costs.
PARALLEL_ABOVE_BYTES = 1 << 21
_CHUNK_BYTES = 1 << 17

Result = tuple[Collected, object]
Plans = Sequence[tuple[RulePlan, ...]]


class Workers:
    """This process, processes of our own, or an executor that somebody hands in.

    Processes are started when there is first enough to do, and kept for all that comes until the
    end. A context manager; one that leaves with an exception ends them in whatever they do.
    """

    def __init__(self, jobs: int = 1, executor: "Executor | None" = None) -> None:
        """How many processes of our own to use, where 1 means none; or any executor (PEP 3148) to use instead."""
        self._jobs = jobs
        self._given = executor
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        if self._pool is None:
            return
        self._pool.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:
            # Nobody waits for the result any more; a worker may be deep in a file and would not hear.
            from multiprocessing import active_children

            for process in active_children():
                process.kill()

    def for_bytes(self, size: int) -> "Executor | None":
        """Who collects from files of this size together; None means this process."""
        if self._given is not None:
            return self._given
        if self._pool is None and self._jobs > 1 and size >= PARALLEL_ABOVE_BYTES:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            workers = min(self._jobs, 1 + size // PARALLEL_ABOVE_BYTES)
            self._pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin_worker)
        return self._pool

    def replace_broken(self) -> None:
        """After a worker died, what comes next is done by new ones."""
        self._pool = None


def collect_all(
    tasks: Sequence[FileTask],
    plans: Plans,
    workers: Workers,
    progress: Callable[[int], None] = lambda _count: None,
) -> Iterator[Result]:
    """Collects from all files, in the order of the tasks.

    Args:
        tasks: the files; each names its plan by its index in ``plans``.
        plans: the plans that the tasks share.
        workers: who does it.
        progress: called with the number of files that were just finished.
    """
    isolated = {task.info.path for task in tasks if needs_isolation(task)}
    plain = [task for task in tasks if task.info.path not in isolated]
    executor = workers.for_bytes(sum(len(task.raw) for task in plain))
    if executor is None:
        results: Iterator[Result] = (collect(task, plans[task.plan]) for task in plain)
    else:
        results = _in_order(executor, workers, plain, plans)
    for task in tasks:
        yield collect_isolated(task, plans[task.plan]) if task.info.path in isolated else next(results)
        progress(1)


def _begin_worker() -> None:
    """Interrupts are left to the parent."""
    import signal

    from guards.engine.garbage import look_rarely

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    look_rarely()


def _in_order(executor: "Executor", workers: Workers, tasks: Sequence[FileTask], plans: Plans) -> Iterator[Result]:
    chunks = list(_chunks(tasks, plans))
    with _interrupts_held():
        futures = [_submitted(executor, chunk) for chunk in chunks]
    for chunk, future in zip(chunks, futures, strict=True):
        yield from _result(future, workers, chunk)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Workers that start meanwhile never see an interrupt, not even before they can say so; we see it afterwards.

    Without this, one that is interrupted while it imports dies with a traceback, or leaves us waiting.
    """
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _submitted(executor: "Executor", chunk: Chunk) -> "Future[list[Result]]":
    from concurrent.futures import BrokenExecutor, Future

    try:
        return executor.submit(collect_chunk, chunk)
    except BrokenExecutor as error:
        refused: Future[list[Result]] = Future()
        refused.set_exception(error)
        return refused


def _result(future: "Future[list[Result]]", workers: Workers, chunk: Chunk) -> Iterable[Result]:
    from concurrent.futures import BrokenExecutor

    try:
        return future.result()
    except BrokenExecutor:
        # A worker was killed (out of memory, most likely): one file of some chunk did it, and
        # alone each file can only take down itself.
        workers.replace_broken()
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
