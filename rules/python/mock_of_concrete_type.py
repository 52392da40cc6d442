"""A double of a class or function of the project's own that is no abstraction.

## What it does

Reports a test double made of an own type that is no abstraction. That is a patch of a class, of a method of one or of a
function that the project defines, in every spelling that [unowned-patch](unowned-patch.md) knows; and a double in the
likeness of such a class: `create_autospec`, the classes of `unittest.mock` and of pytest-mock with `spec` or `spec_set`,
and `spec`, `spec_set` and `autospec` of a patch. Abstractions are classes that derive from `abc.ABC` or `Protocol`
themselves, have a metaclass, or leave a method abstract.

## Why is this bad?

What is doubled is not a boundary that the design has, but one that the test needed. The test repeats what the class does
today, holds its callers to how they use it, and stays green when the two no longer fit together.

## Use instead

The class itself. Where it talks to something slow or far away, an abstraction for that part, and a fake that implements
it.

## Known limits

- Settings, whatever is no class and no function, may be replaced, and so may what is in a dictionary.
- What test code defines is not judged: a test may change its own fakes.
- A target that has a private name in its path is the business of another rule.
- `wraps=` and `mocker.spy` call the original and are no double, and what only takes something away is none, either.
- A class with a base that is not known, or with a foreign one that can be abstract, could be an abstraction.
- The likeness of a function (`create_autospec(function)`) is not reported.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import ClassVar

from guards.languages.python import Index, PythonFile
from guards.languages.python.bindings import CLASS, DEF
from guards.languages.python.classes import is_concrete, method_owner
from guards.languages.python.facts import PatchCall
from guards.languages.python.handles import AUTOSPEC, DELATTR, DELITEM, MOCK, MULTIPLE, OWNED, Patch
from guards.languages.python.resolver import INSTANCE, Meaning
from guards.rule import Example, Option, Options
from guards.rule.patching import ALLOW_PATHS, PatchRule

_PORTS = (
    "src/app/ports.py",
    """from abc import ABC, ABCMeta, abstractmethod
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Bridge(ABC):
    @abstractmethod
    def frame(self): ...


class Sink(Protocol[T]):
    def emit(self, item: T): ...


class Old(metaclass=ABCMeta): ...


class Half(Bridge):
    def size(self): ...
""",
)
_CAMERA = (
    "src/app/camera.py",
    """from app.ports import Bridge

TIMEOUT = 5


class Camera(Bridge):
    depth = 8

    def frame(self): ...


class Zoom(Camera): ...


def shoot(): ...
""",
)
_APP = ("src/app/__init__.py", "")


class MockOfConcreteType(PatchRule):
    """One finding for each call that makes a double."""

    name = "mock-of-concrete-type"
    code = "SGP006"
    options: ClassVar = {
        "strictness": Option(
            "abstract-only",
            "What may not be doubled: all but abstractions, or just functions.",
            choices=("abstract-only", "no-functions"),
        ),
        "abstractions": Option((), "Full names, or globs of them, of classes that count as abstractions."),
        "allow-paths": ALLOW_PATHS,
    }
    why = "the test repeats what the code does today, and stays green when its parts no longer fit together"
    instead = "use the real thing, or double an abstraction in front of what is slow or far away"

    def calls(self, file: PythonFile) -> tuple[PatchCall, ...]:
        """Patches, and the doubles that are put nowhere."""
        return (*file.patches, *file.doubles)

    def flaw(self, patch: Patch, index: Index, options: Options) -> str:
        """Whether something is doubled that is no abstraction."""
        if patch.calls_through or patch.form in (DELATTR, DELITEM):
            return ""
        replaced: list[str] = []
        if patch.kind == OWNED and patch.form not in (AUTOSPEC, MOCK):
            replaced = [_replaced(index, item, options) for item in patch.targets]
        liked = patch.targets if patch.form in (AUTOSPEC, MOCK) else patch.likeness
        found = replaced if any(replaced) else [_liked(index, item, options) for item in liked]
        certain = any(found) if patch.form == MULTIPLE else bool(found) and all(found)
        return next(filter(None, found)) if certain else ""

    bad = (
        Example(
            """from unittest.mock import patch

from app import camera


@patch("app.camera.shoot")  # FLAW
def test_shoots(shoot, mocker, monkeypatch):
    mocker.patch.object(camera, "Camera")  # FLAW
    monkeypatch.setattr(camera.Camera, "frame", None)  # FLAW
    mocker.patch.object(camera.Camera(), "frame")  # FLAW
    mocker.patch("app.camera.Zoom.frame")  # FLAW
    with patch.multiple(camera, TIMEOUT=1, shoot=None):  # FLAW
        pass
""",
            "a function, a class and a method, also one that is inherited",
            files=(_APP, _PORTS, _CAMERA),
        ),
        Example(
            """from unittest import mock
from unittest.mock import MagicMock as Double

from app.camera import Camera, Zoom


def test_shoots(mocker):
    mocker.create_autospec(Camera, instance=True)  # FLAW
    mocker.Mock(spec=Camera)  # FLAW
    Double(Zoom)  # FLAW
    mock.AsyncMock(spec_set=Camera())  # FLAW
    mocker.patch("app.camera.TIMEOUT", spec=Camera)  # FLAW
""",
            "doubles in the likeness of a class",
            files=(_APP, _PORTS, _CAMERA),
        ),
    )
    good = (
        Example(
            """from app.ports import Bridge, Half, Old, Sink


def test_shoots(mocker):
    mocker.create_autospec(Bridge, instance=True)
    mocker.Mock(spec=Sink)
    mocker.MagicMock(Old)
    mocker.Mock(spec_set=Half)
    mocker.patch("app.ports.Bridge")
    mocker.patch.object(Sink, "emit")
""",
            "abstractions, each in its way",
            files=(_APP, _PORTS),
        ),
        Example(
            """from app import camera


def test_shoots(monkeypatch, mocker):
    monkeypatch.setattr(camera, "TIMEOUT", 0.1)
    monkeypatch.setattr(camera.Camera, "depth", 16)
    mocker.patch.dict(camera.__dict__, {"TIMEOUT": 1})
""",
            "settings",
            files=(_APP, _PORTS, _CAMERA),
        ),
        Example(
            """from app import camera


def test_shoots(mocker, monkeypatch):
    mocker.spy(camera, "shoot")
    mocker.patch("app.camera.shoot", wraps=camera.shoot)
    monkeypatch.delattr(camera, "shoot")
    mocker.Mock()
    mocker.Mock(name="camera", return_value=3)
    mocker.Mock(["frame"])
""",
            "calls of the original, what takes something away, and doubles of nothing",
            files=(_APP, _PORTS, _CAMERA),
        ),
        Example(
            """import subprocess


def test_runs(mocker):
    mocker.patch("subprocess.run")
    mocker.Mock(spec=subprocess.Popen)
""",
            "foreign code is another matter",
        ),
        Example(
            """from app.ports import Bridge


class Fake(Bridge):
    def frame(self):
        return b""


def _helper(): ...


def test_shoots(monkeypatch):
    monkeypatch.setattr(Fake, "frame", lambda self: b"x")
    monkeypatch.setattr(__name__ + "._helper", None)
""",
            "what the test itself defines",
            files=(_APP, _PORTS),
        ),
        Example(
            """from app.models import Row, Table


def test_reads(mocker):
    mocker.Mock(spec=Row)
    mocker.Mock(spec=Table)
""",
            "bases that are not known, or that can be abstract",
            files=(
                _APP,
                (
                    "src/app/models.py",
                    "import orm\nfrom collections import abc\n\n\nclass Row(orm.base()): ...\n\n\nclass Table(abc.Set): ...\n",
                ),
            ),
        ),
        Example(
            """from app.camera import Camera


def test_shoots(mocker):
    mocker.Mock(spec=Camera)
""",
            "an abstraction by decision",
            files=(_APP, _PORTS, _CAMERA),
            options=(("abstractions", ("app.camera.*",)),),
        ),
        Example(
            """from app.camera import Camera


def test_shoots(mocker):
    mocker.Mock(spec=Camera)
    mocker.patch("app.camera.Camera")
""",
            "just functions may not be doubled here",
            files=(_APP, _PORTS, _CAMERA),
            options=(("strictness", "no-functions"),),
        ),
    )


def _replaced(index: Index, item: Meaning, options: Options) -> str:
    """What is wrong with replacing something; empty where nothing is."""
    if not item.location or index.is_test(item.location):
        return ""
    if item.kind == DEF:
        return f"`{item.name}` is replaced, but is a function of the project's own"
    owner = method_owner(index, item)
    if owner is not None and _is_flaw(index, owner, options):
        return f"`{item.name}` is replaced, but is a method of a concrete class"
    if item.kind == CLASS and _is_flaw(index, item, options):
        return f"`{item.name}` is replaced, but is a concrete class"
    return ""


def _liked(index: Index, item: Meaning, options: Options) -> str:
    """What is wrong with a double in the likeness of something; empty where nothing is."""
    if item.kind not in (CLASS, INSTANCE) or index.is_test(item.location) or not _is_flaw(index, item, options):
        return ""
    return f"`{item.name}` is doubled, but is a concrete class"


def _is_flaw(index: Index, item: Meaning, options: Options) -> bool:
    if options.text("strictness") == "no-functions" or _is_named(item.name, options.names("abstractions")):
        return False
    return is_concrete(index, item)


def _is_named(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
