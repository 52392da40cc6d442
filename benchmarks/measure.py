"""Measures commands: wall time, CPU time with all children, and the largest process."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from threading import Timer
from typing import NamedTuple

# Linux takes two megabytes of arguments and environment together; other systems take less.
_ARGUMENT_BYTES = 500_000
_LIMIT_SECONDS = 900.0
_LONG_CPU_SECONDS = 30.0
_TAIL = 300


class Command(NamedTuple):
    """A command to measure.

    ``files`` follow ``argv``; a list too long for one command line is handed over in several, and
    their times are added. ``before`` runs ahead of the clock. ``accepted`` are the exit codes of
    a run that did its work.
    """

    argv: tuple[str, ...]
    folder: str
    files: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}
    accepted: tuple[int, ...] = (0,)
    before: Callable[[], None] = lambda: None


class Sample(NamedTuple):
    """One run: seconds, seconds, and the size of its largest process in kilobytes."""

    wall: float
    cpu: float
    peak: int


class Series(NamedTuple):
    """The runs of one command."""

    samples: tuple[Sample, ...]

    @property
    def wall(self) -> float:
        """The median wall time."""
        return median(sample.wall for sample in self.samples)

    @property
    def cpu(self) -> float:
        """The median CPU time."""
        return median(sample.cpu for sample in self.samples)

    @property
    def peak(self) -> float:
        """The median of the largest processes, in megabytes."""
        return median(sample.peak for sample in self.samples) / 1024

    @property
    def spread(self) -> tuple[float, float]:
        """The shortest and the longest wall time."""
        walls = [sample.wall for sample in self.samples]
        return min(walls), max(walls)


class Failed(Exception):
    """A command that did not do its work; ``str()`` says how it ended."""


def alternate(commands: Mapping[str, Command], runs: int) -> tuple[dict[str, Series], dict[str, str]]:
    """Runs every command once a round, so that whatever else the machine does falls on all of them alike.

    Each round begins with another command. One that fails, or that takes very long, is not run again.

    Returns:
        the series by name, and for each that failed the reason.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    failed: dict[str, str] = {}
    for number in range(runs):
        names = list(commands)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            if name not in failed and not any(sample.cpu > _LONG_CPU_SECONDS for sample in samples[name]):
                try:
                    samples[name].append(run(commands[name]))
                except Failed as error:
                    failed[name] = str(error)
    return {name: Series(tuple(samples[name])) for name in commands if name not in failed}, failed


def run(command: Command) -> Sample:
    """Measures one run.

    Raises:
        Failed: it could not be started, took too long, or ended with a code that it should not.
    """
    command.before()
    parts = [_run(command, (*command.argv, *files)) for files in _portions(command.files)]
    return Sample(sum(part.wall for part in parts), sum(part.cpu for part in parts), max(part.peak for part in parts))


def _portions(files: Sequence[str]) -> list[Sequence[str]]:
    """The files in runs that fit a command line; one empty run where there are none."""
    portions: list[Sequence[str]] = []
    start, size = 0, 0
    for end, file in enumerate(files):
        size += len(os.fsencode(file)) + 1
        if size > _ARGUMENT_BYTES:
            portions.append(files[start:end])
            start, size = end, len(os.fsencode(file)) + 1
    return [*portions, files[start:]]


def _run(command: Command, argv: Sequence[str]) -> Sample:
    began = time.perf_counter()
    try:
        process = subprocess.Popen(  # noqa: S603 the tools that we compare
            argv,
            cwd=command.folder,
            env={**os.environ, **command.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise Failed(str(error)) from None
    timer = Timer(_LIMIT_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    try:
        said = process.stderr.read() if process.stderr else b""
        _, status, used = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.stderr:
        process.stderr.close()
    if process.returncode not in command.accepted:
        tail = " ".join(said.decode("utf-8", "replace").split())[-_TAIL:]
        raise Failed(f"exit code {process.returncode}: {tail}" if tail else f"exit code {process.returncode}")
    return Sample(wall, used.ru_utime + used.ru_stime, used.ru_maxrss)
