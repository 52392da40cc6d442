"""Patches of what is private, by way of helpers and fixtures, and what only looks private."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

APP = {
    "src/app/__init__.py": "",
    "src/app/camera.py": "import socket as _socket\nclass Camera:\n    def _open(self): ...\nCAMERA = Camera()\n_rate = 1\n",
}
CASES: Mapping[str, str] = {
    "several attributes": "from unittest import mock\nfrom app import camera\ndef test_a():\n"
    "    mock.patch.multiple(camera, Camera=None, _rate=2)  # FLAW\n    mock.patch.multiple(camera, Camera=None)\n",
    "a helper": 'def fake(mocker, name):\n    return mocker.patch(f"app.camera.{name}")\n'
    'def test_a(mocker):\n    fake(mocker, "_rate")  # FLAW\n    fake(mocker, "CAMERA")\n',
    "an object in a module": "from app import camera\ndef test_a(mocker):\n"
    '    mocker.patch.object(camera.CAMERA, "_open")  # FLAW\n    mocker.patch.object(camera.CAMERA, "open")\n',
    "a name that nothing binds": 'def test_a(mocker):\n    mocker.patch("app.camera._gone")  # FLAW\n',
    "a private alias of what is foreign": 'def test_a(mocker):\n    mocker.patch("app.camera._socket.socket")\n',
    "a private fixture": "import pytest\nfrom app.camera import Camera\n@pytest.fixture\ndef _cam():\n    return Camera()\n"
    'def test_a(mocker, _cam):\n    mocker.patch.object(_cam, "_open")  # FLAW\n    mocker.patch.object(_cam, "open")\n',
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_just_the_marked_lines(tmp_path: Path, text: str) -> None:
    assert reported(tmp_path, "internal-mock", {**APP, USUAL: text}) == expected({USUAL: text})
