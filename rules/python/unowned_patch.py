"""A patch of something that is not the project's own.

## What it does

Reports each call that replaces an attribute or item of the standard library or of a third party for the length of a
test. It knows `unittest.mock` and the `mock` package under any name (`patch`, `patch.object`, `patch.dict`,
`patch.multiple`; as call, decorator, context manager or with `.start()`), the fixtures of pytest-mock in every scope,
`monkeypatch`, `pytest.MonkeyPatch`, parameters that are annotated with their types, fixtures of the project that hand
one on, and helpers of the project that pass a parameter to one of them. Targets are resolved as Python would: through
aliases, constants, f-strings and the project's own modules. A test is what pytest collects, and what lies beside it.

## Why is this bad?

The double repeats what the test's author believes of somebody else's code. When that code changes, or never did what
was believed, the test stays green and the program fails.

## Use instead

The real thing at a small scale: `tmp_path` for files, a server on the loopback for the network, a child process that
really runs. Where that is impossible, an interface of your own in front of the foreign one, and a fake of yours.

## Known limits

- Reported elsewhere, hence not here: clocks and sleeping, `sys.modules`, the standard streams, and names that the test
  reaches through an import in one of the project's own modules.
- `wraps=` and `mocker.spy` call the original and are no replacement; `setenv`, `delenv`, `chdir` and `syspath_prepend`
  change real state of the process.
- A target that is computed at run time, or an attribute of an object of unknown type, is not reported.
- A top-level name that only a loose script of the project has could be that script, since any folder can be put on
  `sys.path`. It is left alone unless the project declares a dependency of that name.
- Where a name can mean several things (`try` and `except ImportError`), all of them must be foreign.
"""

from typing import ClassVar

from guards.languages.python import Index
from guards.languages.python.handles import INTERNAL, OWNED, UNOWNED, Patch
from guards.rule import Example, Option, Options
from guards.rule.patching import ALLOW, ALLOW_PATHS, PatchRule


class UnownedPatch(PatchRule):
    """One finding for each call of a patcher."""

    name = "unowned-patch"
    code = "SGP001"
    options: ClassVar = {
        "allow": ALLOW,
        "extra-unowned": Option(
            (), "Full names, or globs of them, that count as foreign although the project holds them."
        ),
        "allow-paths": ALLOW_PATHS,
    }
    why = "the double repeats what the test believes of somebody else's code, and stays green when that code changes"
    instead = "use the real thing at a small scale, or put an interface of your own in front of it and fake that"

    def flaw(self, patch: Patch, index: Index, options: Options) -> str:
        """Whether the target is somebody else's."""
        del index
        foreign = patch.kind == UNOWNED or (
            patch.kind in (INTERNAL, OWNED) and patch.is_named(options.names("extra-unowned"))
        )
        flawed = foreign and patch.replaces and not patch.is_named(options.names("allow"))
        return f"`{patch.name}` is patched, but is not the project's own" if flawed else ""

    bad = (
        Example(
            """import shutil as sh
from unittest import mock as m
from unittest.mock import patch as p


@p("socket.create_connection")  # FLAW
def test_connects(connection, monkeypatch):
    with m.patch("subprocess.run"):  # FLAW
        monkeypatch.setattr(sh, "which", lambda name: None)  # FLAW
        monkeypatch.setattr("pathlib.Path.home", lambda: "/x")  # FLAW
""",
            "every spelling of a patcher is one thing",
        ),
        Example(
            """import os
from unittest.mock import patch

TARGET = "os.replace"


def test_saves():
    patch(target=TARGET).start()  # FLAW
    patch(f"{os.__name__}.rename").start()  # FLAW
    patch.object(target=os, attribute="fsync").start()  # FLAW
    patch.multiple(os, link=None, symlink=None).start()  # FLAW
""",
            "keywords, constants and f-strings say the same; several attributes in one call are one flaw",
        ),
        Example(
            """import pytest
from pytest_mock import MockerFixture


@pytest.fixture
def patcher(mocker):
    return mocker


def test_lists(patcher, session_mocker, m: MockerFixture):
    patcher.patch("glob.glob")  # FLAW
    session_mocker.patch("glob.iglob")  # FLAW
    m.patch("os.listdir")  # FLAW
    with pytest.MonkeyPatch.context() as mp:
        mp.setattr("os.getcwd", lambda: "/")  # FLAW
""",
            "handles by fixture, by annotation and by context manager",
        ),
        Example(
            """from tests.helpers import fake_os


def test_saves():
    with fake_os("replace"):  # FLAW
        pass
""",
            "a helper that hands its parameter on to a patcher is one itself",
            files=(
                ("tests/__init__.py", ""),
                (
                    "tests/helpers.py",
                    'from unittest.mock import patch\n\n\ndef fake_os(name):\n    return patch("os." + name)\n',
                ),
            ),
        ),
        Example(
            """import httpx


def test_asks(mocker):
    client = httpx.Client()
    mocker.patch.object(client, "get")  # FLAW
""",
            "an object made from a foreign class is foreign",
        ),
    )
    good = (
        Example(
            """import os
import sys
from unittest.mock import patch


def test_reads_its_environment(monkeypatch):
    with patch.dict(os.environ, {"APP_X": "1"}):
        monkeypatch.setitem(os.environ, "APP_Y", "2")
    monkeypatch.setenv("APP_Z", "3")
    monkeypatch.chdir("/")
    monkeypatch.setattr(sys, "argv", ["app"])
""",
            "real state of the process, set for the length of a test",
        ),
        Example(
            """import os


def test_saves(mocker):
    mocker.spy(os, "replace")
    mocker.patch("os.rename", wraps=os.rename)
""",
            "both call the real function",
        ),
        Example(
            """from app import camera
from app.camera import Camera


def test_shoots(mocker):
    mocker.patch("app.camera.shoot")
    mocker.patch.object(camera, "shoot")
    mocker.patch.object(Camera(), "frame")
    mocker.patch("app.json.loads")
""",
            "the project's own code, even where it is called like a module of the standard library",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/camera.py", "class Camera:\n    def frame(self): ...\ndef shoot(): ...\n"),
                ("src/app/json.py", "def loads(text): ...\n"),
            ),
        ),
        Example(
            """def test_shoots(mocker):
    mocker.patch("app.camera.socket.create_connection")
    mocker.patch("app.camera.sleep")
""",
            "reached through an import of the project's own, or a clock: other rules know them",
            files=(("src/app/__init__.py", ""), ("src/app/camera.py", "import socket\nfrom time import sleep\n")),
        ),
        Example(
            """import sys


def test_prints(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setitem(sys.modules, "cv2", None)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
""",
            "streams, `sys.modules` and clocks are other rules' business",
        ),
        Example(
            """import requests


class Patcher:
    def patch(self, name):
        return name


def test_patches(client):
    Patcher().patch("os.replace")
    client.patch("os.replace")
    requests.patch("http://localhost/os.replace")
    assert "mocker.patch('os.replace')"
""",
            "other things that are called patch, and text",
        ),
        Example(
            """from app import patching as mock


def test_patches():
    mock.patch("os.replace")
""",
            "a name `mock` that is something else",
        ),
        Example(
            """import os


def test_saves(monkeypatch, os, name):
    monkeypatch.setattr(os, "replace", None)
    monkeypatch.setattr(name, None)
""",
            "a parameter hides the module, and what it is nobody can tell",
        ),
        Example(
            """try:
    import numpy as lib
except ImportError:
    from app import plain as lib


def test_sums(mocker):
    mocker.patch.object(lib, "sum")
""",
            "one of the two is the project's own",
            files=(("src/app/__init__.py", ""), ("src/app/plain.py", "def sum(values): ...\n")),
        ),
        Example(
            """import check


def test_checks(mocker):
    mocker.patch.object(check, "run")
""",
            "it can be the script, if its folder is put on the path",
            files=(("scripts/check.py", "def run(): ...\n"),),
        ),
        Example(
            """def test_saves(mocker):
    mocker.patch("os.replace")
""",
            "allowed by name",
            options=(("allow", ("os.*",)),),
        ),
    )
