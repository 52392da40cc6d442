import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from e2e.program import ProjectWriter, Run


@pytest.fixture
def suiteguard(tmp_path: Path) -> Run:
    """Runs the real program in a process of its own, in a folder, with a cache of the test's own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SUITEGUARD_", "FORCE_"))}
    environment["SUITEGUARD_CACHE_DIR"] = str(tmp_path / "cache-of-the-user")

    def run(
        arguments: Sequence[str | Path], folder: Path, *, stdin: bytes = b"", timeout: float = 120, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "guards", *map(str, arguments)],
            cwd=folder,
            env=environment | variables,
            input=stdin,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        output = subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        )
        assert "Traceback" not in output.stderr, output.stderr
        return output

    return run


@pytest.fixture
def project(tmp_path: Path) -> ProjectWriter:
    """Writes files into a folder that is a project of its own."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        folder = tmp_path / "project"
        if not folder.exists():
            subprocess.run(["git", "init", "-q", str(folder)], check=True)  # noqa: S607 git of the search path
        for path, content in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write


SLEEPING_TEST = """\
using System.Threading;
using NUnit.Framework;
public class T
{
    [Test] public void A() {
        Thread.Sleep(10);
        Assert.That(Thread.CurrentThread.IsAlive, Is.True);
    }
}
"""
ASMDEF = """\
{
    "name": "Sample.Tests",
    "references": ["UnityEngine.TestRunner", "UnityEditor.TestRunner"],
    "includePlatforms": ["Editor"],
    "overrideReferences": true,
    "precompiledReferences": ["nunit.framework.dll"],
    "autoReferenced": false,
    "defineConstraints": ["UNITY_INCLUDE_TESTS"]
}
"""


@pytest.fixture
def flawed(project: ProjectWriter) -> ProjectWriter:
    """A project with one flaw, ``Tests/T.cs:6``, that must be found whatever stands beside it."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        return project({"Tests/Sample.Tests.asmdef": ASMDEF, "Tests/T.cs": SLEEPING_TEST, **files})

    return write
