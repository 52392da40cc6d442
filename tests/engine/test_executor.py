from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_context

import pytest

from guards.engine.executor import PARALLEL_ABOVE_BYTES, Workers, collect_all
from guards.engine.packing import FACTS, unpacked
from guards.engine.task import Collected, FileTask, Packed
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


def results_of(given: list[FileTask], workers: Workers) -> list[tuple[Collected, object]]:
    """What comes of some files, with all facts looked at."""
    return [
        (collected, unpacked("python", FACTS, facts.facts) if isinstance(facts, Packed) else facts)
        for collected, facts in collect_all(given, [()], workers)
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_files(jobs: int) -> None:
    given = tasks(40, SIZE)
    with Workers(jobs) as workers:
        results = [collected for collected, _ in collect_all(given, [()], workers)]
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
        results = results_of(given, Workers(1, executor))
    assert results == results_of(given, Workers())


def test_a_worker_that_dies_costs_no_result() -> None:
    class Dying(Executor):
        """Stands for a pool whose workers were killed."""

        def submit(self, *_arguments: object, **_more: object) -> "Future[object]":  # type: ignore[override]
            from concurrent.futures.process import BrokenProcessPool

            future: Future[object] = Future()
            future.set_exception(BrokenProcessPool("a worker was killed"))
            return future

    given = tasks(2)
    results = [collected for collected, _ in collect_all(given, [()], Workers(1, Dying()))]
    assert [bool(collected.failure) for collected in results] == [True, False]


def test_progress_counts_every_file() -> None:
    seen: list[int] = []
    list(collect_all(tasks(5), [()], Workers(), seen.append))
    assert sum(seen) == 5


def test_processes_are_kept_for_what_comes_later() -> None:
    with Workers(2) as workers:
        pool = workers.for_bytes(PARALLEL_ABOVE_BYTES)
        assert pool is not None
        assert workers.for_bytes(1) is pool


def test_little_is_not_worth_a_process() -> None:
    with Workers(2) as workers:
        assert workers.for_bytes(PARALLEL_ABOVE_BYTES - 1) is None


def test_processes_that_died_meanwhile_cost_no_result_and_are_replaced() -> None:
    given = tasks(20, SIZE)
    expected = results_of(given, Workers())
    with Workers(2) as workers:
        assert results_of(given, workers) == expected
        before = workers.for_bytes(1)
        for process in active_children():
            process.kill()
            process.join()
        assert results_of(given[:4], workers) == expected[:4]
        assert workers.for_bytes(PARALLEL_ABOVE_BYTES) is not before
