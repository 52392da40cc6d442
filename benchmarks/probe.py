"""One run in this process, with the time of its parts and the facts that it holds."""

import pickle
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import NamedTuple, ParamSpec, TypeVar

from guards.config.model import CommandLine
from guards.engine.run import Request, check
from guards.engine.store import Means
from guards.engine.task import Collected

P = ParamSpec("P")
T = TypeVar("T")


class Probe(NamedTuple):
    """CPU seconds of a cold run in one process, and the bytes that each file's facts take, by language and path.

    ``discovering`` ends when the first file is collected from, and holds planning and reading,
    too. ``joining`` is what is neither that nor collecting: the index, the judges, settling.
    """

    total: float
    discovering: float
    collecting: float
    facts: dict[tuple[str, str], int]

    @property
    def joining(self) -> float:
        """Seconds after and between the collecting."""
        return self.total - self.discovering - self.collecting

    @property
    def join_share(self) -> float:
        """The part of the whole that the join takes."""
        return self.joining / self.total


class _Watch(Executor):
    """Works at once, in this process, and keeps the time and what came of it."""

    def __init__(self) -> None:
        self.began = 0.0
        self.busy = 0.0
        self.facts: dict[tuple[str, str], object] = {}

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        began = time.process_time()
        self.began = self.began or began
        result = fn(*args, **kwargs)
        self.busy += time.process_time() - began
        if isinstance(result, list):
            self.facts.update({(c.language, c.path): f for c, f in result if isinstance(c, Collected) and f})
        future: Future[T] = Future()
        future.set_result(result)
        return future


def probe(root: str, preset: str) -> Probe:
    """Checks a project without a cache; run it twice where imports and queries should be loaded."""
    watch = _Watch()
    began = time.process_time()
    check(Request(root, (), CommandLine(None, (preset,)), {}, Means(1, watch)))
    ended = time.process_time()
    weights = {key: _weight(facts) for key, facts in watch.facts.items()}
    return Probe(ended - began, (watch.began or ended) - began, watch.busy, weights)


def _weight(facts: object) -> int:
    """The bytes of facts as the parent has them: they came out of a worker, so nothing is shared with other files."""
    packed = pickle.dumps(facts, pickle.HIGHEST_PROTOCOL)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = pickle.loads(packed)  # noqa: S301 our own
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return after - before
