from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from guards.engine.executor import PARALLEL_ABOVE_BYTES, collect_all
from guards.engine.task import FileTask
from guards.project.model import TEST, FileInfo

SIZE = PARALLEL_ABOVE_BYTES // 16


def tasks(count: int, size: int = 100) -> list[FileTask]:
    """Files of which every third is binary, so that each result shows which file it belongs to."""
    return [
        FileTask(
            FileInfo(f"tests/test_{n}.py", "python", TEST),
            b"\0" * size if n % 3 == 0 else f"x = {n}\n".encode() + b"#" * size,
            0,
            with_facts=True,
        )
        for n in range(count)
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_files(jobs: int) -> None:
    given = tasks(40, SIZE)
    results = [collected for collected, _ in collect_all(given, [()], jobs=jobs)]
    assert [collected.path for collected in results] == [task.info.path for task in given]
    assert [bool(collected.failure) for collected in results] == [n % 3 == 0 for n in range(40)]


@pytest.mark.parametrize(
    "executor",
    [ThreadPoolExecutor(2), ProcessPoolExecutor(1, mp_context=get_context("spawn"))],
    ids=["threads", "processes"],
)
def test_any_executor_can_do_the_work(executor: Executor) -> None:
    given = tasks(10)
    with executor:
        results = list(collect_all(given, [()], jobs=1, executor=executor))
    assert results == list(collect_all(given, [()], jobs=1))


def test_a_worker_that_dies_costs_no_result() -> None:
    class Dying(Executor):
        """Stands for a pool whose workers were killed."""

        def submit(self, *_arguments: object, **_more: object) -> "Future[object]":  # type: ignore[override]
            from concurrent.futures.process import BrokenProcessPool

            future: Future[object] = Future()
            future.set_exception(BrokenProcessPool("a worker was killed"))
            return future

    given = tasks(2)
    results = [collected for collected, _ in collect_all(given, [()], jobs=1, executor=Dying())]
    assert [bool(collected.failure) for collected in results] == [True, False]


def test_progress_counts_every_file() -> None:
    seen: list[int] = []
    list(collect_all(tasks(5), [()], jobs=1, progress=seen.append))
    assert sum(seen) == 5
