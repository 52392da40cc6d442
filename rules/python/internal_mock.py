"""A patch of something private of the project's own.

## What it does

Reports each call of a patcher whose target is the project's own and has a private name in its path, one that begins with
an underscore: `app.camera._pick`, `app._wire.encode`, `app.camera.Camera._open`. What counts is the path as the test names
it, with the test's own aliases written out: `app.camera.encode` is not private because `app.camera` has it from
`app._wire`. Patchers are those of [unowned-patch](unowned-patch.md), in every spelling.

## Why is this bad?

A private name is how the code does its work, not what it promises. The test breaks when that changes, although nothing
that anybody relies on has changed, and it keeps the code from being mended.

## Use instead

The public way in, with real collaborators. Where something has to be put in the place of another, let the code be given
it: a parameter, or an abstraction that a fake implements.

## Known limits

- Names with two underscores on both sides are Python's own, and `_` alone is a translation.
- What test code defines is not judged: a test may change its own fakes, which are often private.
- Private names of other people's code are the business of [unowned-patch](unowned-patch.md).
- `wraps=` and `mocker.spy` call the original and are no replacement; reading a private name is no patch.
- An attribute of an object of unknown type is not reported.
"""

from typing import ClassVar

from guards.languages.python import Index
from guards.languages.python.handles import INTERNAL, Patch
from guards.rule import Example, Option, Options
from guards.rule.patching import ALLOW_PATHS, PatchRule

_FILES = (
    ("src/app/__init__.py", ""),
    ("src/app/_wire.py", "import socket\n\n\ndef encode(image): ...\n"),
    (
        "src/app/camera.py",
        """from app._wire import encode

_CACHE = {}
_ = str


class Camera:
    def __len__(self): ...
    def _open(self): ...


def _pick(): ...
""",
    ),
)


class InternalMock(PatchRule):
    """One finding for each call of a patcher."""

    name = "internal-mock"
    code = "SGP007"
    options: ClassVar = {
        "allow": Option((), "Full names, or globs of them, that may be patched, with all that is below them."),
        "allow-paths": ALLOW_PATHS,
    }
    why = "a private name is how the code works, not what it promises, so the test breaks when nothing is broken"
    instead = "go through the public interface, or let the code be given what the test wants to replace"

    def flaw(self, patch: Patch, index: Index, options: Options) -> str:
        """Whether the target is private, and no business of the test."""
        own = all(item.location and index.is_test(item.location) for item in patch.targets)
        if patch.kind != INTERNAL or own or not patch.replaces or patch.is_named(options.names("allow")):
            return ""
        path = patch.private_path
        return f"`{path if '.' in path else patch.name}` is patched, but is private"

    bad = (
        Example(
            """from unittest.mock import patch

from app import camera as cam
from app.camera import Camera


@patch("app.camera._pick")  # FLAW
def test_shoots(pick, mocker, monkeypatch):
    mocker.patch("app._wire.encode")  # FLAW
    mocker.patch.object(Camera, "_open")  # FLAW
    monkeypatch.setattr(cam, "_CACHE", {})  # FLAW
    monkeypatch.setitem(cam._CACHE, "x", 1)  # FLAW
    mocker.patch.object(target=Camera(), attribute="_open")  # FLAW
""",
            "functions, modules, methods and settings",
            files=_FILES,
        ),
    )
    good = (
        Example(
            """def test_shoots(mocker):
    mocker.patch("app.camera.encode")
    mocker.patch("app.camera.Camera.__len__")
    mocker.patch("app.camera._")
""",
            "public where the test finds it, a name of Python's own, and a translation",
            files=_FILES,
        ),
        Example(
            """from app import camera


def test_shoots(mocker):
    mocker.spy(camera, "_pick")
    mocker.patch("app.camera._pick", wraps=camera._pick)
    assert camera._pick() is None
""",
            "what calls the original, and what only reads",
            files=_FILES,
        ),
        Example(
            """from app import camera as _camera


class _Fake:
    def frame(self): ...
    def _size(self): ...


def test_shoots(mocker, monkeypatch, _client):
    monkeypatch.setattr(_camera, "encode", None)
    monkeypatch.setattr(_Fake, "frame", None)
    monkeypatch.setattr(_Fake(), "_size", None)
    monkeypatch.setattr(_client, "_send", None)
""",
            "names of the test's own, and a thing of unknown type",
            files=_FILES,
        ),
        Example(
            """def test_shoots(mocker):
    mocker.patch("grpclib._internal.send")
    mocker.patch("app._wire.socket.socket")
""",
            "private, or reached by a private way, but not the project's own",
            files=_FILES,
        ),
        Example(
            """def test_shoots(mocker):
    mocker.patch("app.camera._pick")
""",
            "allowed by name",
            files=_FILES,
            options=(("allow", ("app.camera.*",)),),
        ),
    )
