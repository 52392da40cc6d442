from collections.abc import Callable
from pathlib import Path

import pytest

from guards.project.files import ProjectFiles

Write = Callable[[dict[str, str | bytes]], ProjectFiles]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files below a folder of the test's own and opens that as a project."""

    def into(files: dict[str, str | bytes]) -> ProjectFiles:
        for path, content in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        return ProjectFiles(str(tmp_path))

    return into
