"""The types of what the fixtures of end-to-end tests hand out."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

ProjectWriter: TypeAlias = Callable[[Mapping[str, str | bytes]], Path]


class Run(Protocol):
    """Runs the program in a folder."""

    def __call__(
        self,
        arguments: Sequence[str | Path],
        folder: Path,
        *,
        stdin: bytes = b"",
        timeout: float = 120,
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        """What it printed, and its exit code."""
