"""Doubles of own types in every spelling, and of what may be doubled."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

RULE = "mock-of-concrete-type"
APP = {
    "src/app/__init__.py": "",
    "src/app/api.py": "from app.camera import Camera as Cam, shoot\nfrom app.camera import *\n",
    "src/app/_wire.py": "def encode(): ...\n",
    "src/app/camera.py": """import abc
from abc import abstractmethod
from app.ports import Named, Port
class Camera(Port):
    name = "cam"
    def frame(self): ...
    close = frame
class Partly(Port):
    def frame(self): ...
class Listed(Named): ...
class Own:
    @property
    @abc.abstractmethod
    def size(self): ...
def shoot(): ...
def depth(): ...
depth = 3
CAMERA = Camera()
FACTORY = Camera
""",
    "src/app/ports.py": """from abc import ABC, abstractmethod
from typing_extensions import Protocol
class Named(Protocol):
    name: str
class Port(ABC):
    @property
    @abstractmethod
    def name(self): ...
    @abstractmethod
    def frame(self): ...
""",
}
CASES: Mapping[str, str] = {
    "under another name": 'def test_a(mocker):\n    mocker.patch("app.api.Cam")  # FLAW\n    mocker.patch("app.api.Listed")  # FLAW\n',
    "by way of a variable": 'def test_a(mocker):\n    mocker.patch("app.camera.FACTORY")  # FLAW\n    mocker.patch("app.camera.CAMERA")\n',
    "a method of an object in a module": 'from app import camera\ndef test_a(mocker):\n    mocker.patch.object(camera.CAMERA, "frame")  # FLAW\n',
    "fixture with an annotation": """import pytest
from app.camera import Camera
@pytest.fixture
def cam() -> Camera:
    return make()
def test_a(mocker, cam):
    mocker.patch.object(cam, "frame")  # FLAW
    mocker.patch.object(cam, "name")
    mocker.patch.object(cam, "close")
""",
    "what leaves something abstract": """from unittest import mock
from app.camera import Camera, Listed, Own, Partly
def test_a():
    mock.Mock(Partly)
    mock.Mock(Own)
    mock.Mock(Listed)  # FLAW
    mock.NonCallableMagicMock(spec=Camera)  # FLAW
    mock.create_autospec(spec=Camera)  # FLAW
    mock.patch("app.ports.Port", autospec=Camera)  # FLAW
    mock.patch("app.ports.Port", autospec=True)
    mock.Mock(spec=Camera, wraps=Camera())
""",
    "two definitions": 'def test_a(mocker):\n    mocker.patch("app.camera.depth")\n',
    "private is another matter": 'def test_a(mocker):\n    mocker.patch("app._wire.encode")\n',
    "things that are called so": "from app.camera import Camera\nclass Mock:\n    def __init__(self, spec): ...\n"
    "def test_a(client):\n    Mock(Camera)\n    client.Mock(spec=Camera)\n",
    "own class with a base of its own": "from app.camera import Camera\nclass Fake(Camera):\n    pass\n"
    "def test_a(mocker):\n    mocker.Mock(spec=Fake)\n    mocker.patch.object(Fake, 'frame')\n",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_just_the_marked_lines(tmp_path: Path, text: str) -> None:
    assert reported(tmp_path, RULE, {**APP, USUAL: text}) == expected({USUAL: text})


def test_bases_in_a_circle_end(tmp_path: Path) -> None:
    files = {**APP, "src/app/ring.py": "class A(B): ...\nclass B(A):\n    def run(self): ...\n"}
    text = "from app.ring import A\ndef test_a(mocker):\n    mocker.Mock(spec=A)  # FLAW\n    mocker.patch.object(A, 'run')  # FLAW\n"
    assert reported(tmp_path, RULE, {**files, USUAL: text}) == expected({USUAL: text})
