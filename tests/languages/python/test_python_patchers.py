"""Patchers: which calls replace something, and the one class that each belongs to."""

import pytest
from languages.python.sample import indexed, opened

from guards.findings.model import Candidate
from guards.languages.python.handles import Patch, call_of, resolve_patch, words_of

TEST = "tests/app/test_camera.py"
PROJECT = {
    "src/app/__init__.py": "",
    "src/app/camera.py": "import asyncio\nimport time as _t\nimport numpy as np\nclass Camera:\n    def shot(self): ...\n",
    "tests/__init__.py": "",
    "tests/conftest.py": """import pytest
@pytest.fixture
def patcher(mocker):
    return mocker
@pytest.fixture
def swap(monkeypatch):
    yield monkeypatch.setattr
@pytest.fixture
def camera() -> "Camera":
    return make()
from app.camera import Camera
""",
    "tests/helpers.py": """from unittest.mock import patch
def fake(target):
    return patch(target)
def fake_os(name):
    return patch("os." + name)
def swap_in(mp, owner, name):
    mp.setattr(owner, name, None)
def fake_two(a, b):
    patch(a).start()
    patch(b).start()
""",
}


def patches(text: str) -> list[Patch]:
    """The patches of a test file, each handed on as a rule does: through a candidate."""
    index = indexed({**PROJECT, TEST: text})
    found = []
    for call in opened(text, TEST).patches:
        candidate = Candidate("unowned-patch", call.place, "patch", words_of(call), call.function)
        found.append(resolve_patch(index, TEST, call_of(candidate)))
    return [patch for patch in found if patch is not None]


@pytest.mark.parametrize(
    ("call", "form", "kind", "name"),
    [
        ("mocker.patch('os.replace')", "patch", "unowned", "os.replace"),
        ("mocker.patch(target='os.replace')", "patch", "unowned", "os.replace"),
        ("mocker.patch.object(os, 'replace')", "object", "unowned", "os.replace"),
        ("mocker.patch.object(target=os, attribute='replace')", "object", "unowned", "os.replace"),
        ("mocker.patch.context_manager(os, 'replace')", "object", "unowned", "os.replace"),
        ("mocker.patch.dict('mimetypes.types_map', {})", "dict", "unowned", "mimetypes.types_map"),
        ("mocker.patch.dict(in_dict=os.environ, values={})", "dict", "unowned", "os.environ"),
        ("mocker.patch.multiple('os', replace=1, rename=2)", "multiple", "unowned", "os.replace"),
        ("mocker.patch.multiple(os, spec=True, rename=2)", "multiple", "unowned", "os.rename"),
        ("mocker.create_autospec(os.replace)", "create_autospec", "unowned", "os.replace"),
        ("monkeypatch.setattr('os.replace', 1)", "setattr", "unowned", "os.replace"),
        ("monkeypatch.setattr(os, 'replace', 1)", "setattr", "unowned", "os.replace"),
        ("monkeypatch.setattr(os, name='replace', value=1)", "setattr", "unowned", "os.replace"),
        ("monkeypatch.delattr('os.replace', raising=False)", "delattr", "unowned", "os.replace"),
        ("monkeypatch.delattr(os, 'replace')", "delattr", "unowned", "os.replace"),
        ("monkeypatch.setitem(os.environ, 'A', '1')", "setitem", "unowned", "os.environ"),
        ("monkeypatch.delitem(dic=os.environ, name='A')", "delitem", "unowned", "os.environ"),
        ("patcher.patch('os.replace')", "patch", "unowned", "os.replace"),
        ("swap('os.replace', 1)", "setattr", "unowned", "os.replace"),
        ("fake('os.replace')", "patch", "unowned", "os.replace"),
        ("fake_os('replace')", "patch", "unowned", "os.replace"),
        ("fake_os(name='replace')", "patch", "unowned", "os.replace"),
        ("swap_in(monkeypatch, os, 'replace')", "setattr", "unowned", "os.replace"),
        ("partial(patch, 'os.replace')", "patch", "unowned", "os.replace"),
        ("getattr(mocker, 'patch')('os.replace')", "patch", "unowned", "os.replace"),
        ("m.patch('app.camera.np.array')", "patch", "through-import", "numpy.array"),
        ("m.patch.object(app.camera, 'np')", "object", "through-import", "numpy"),
        ("m.patch('time.sleep')", "patch", "clock", "time.sleep"),
        ("m.patch('app.camera._t.monotonic_ns')", "patch", "clock", "time.monotonic_ns"),
        ("m.patch('datetime.datetime')", "patch", "clock", "datetime.datetime"),
        ("m.patch('app.camera.asyncio.sleep')", "patch", "clock", "asyncio.sleep"),
        ("m.patch.dict('sys.modules', x=None)", "dict", "sys-modules", "sys.modules"),
        ("monkeypatch.setattr('sys.stdout', None)", "setattr", "stream", "sys.stdout"),
        ("m.patch('sys.stdin.isatty')", "patch", "unowned", "sys.stdin.isatty"),
        ("m.patch('app.camera.Camera.shot')", "patch", "owned", "app.camera.Camera.shot"),
        ("m.patch.object(camera, 'shot')", "object", "owned", "app.camera.Camera.shot"),
        ("m.patch('app.camera.Chanel', create=True)", "patch", "missing", "app.camera.Chanel"),
        ("m.patch(target)", "patch", "unresolved", ""),
        ("m.patch(*targets)", "patch", "unresolved", ""),
        ("m.patch.object(os, name)", "object", "unresolved", ""),
        ("m.patch.object(make(), 'x')", "object", "unresolved", ""),
        ("m.patch('replace')", "patch", "unresolved", ""),
    ],
)
def test_forms_and_classes(call: str, form: str, kind: str, name: str) -> None:
    (patch,) = patches(
        "import os\nimport app.camera\nfrom functools import partial\nfrom unittest import mock as m\n"
        "from unittest.mock import patch\nfrom tests.helpers import fake, fake_os, swap_in\n"
        f"def test_a(mocker, monkeypatch, patcher, swap, camera, name):\n    {call}\n"
    )
    assert (patch.form, patch.kind) == (form, kind)
    assert kind == "unresolved" or patch.name == name


@pytest.mark.parametrize(
    "call",
    [
        "client.patch('os.replace')",
        "requests.patch('os.replace')",
        "setattr(os, 'replace', 1)",
        "monkeypatch.setenv('os.replace', '1')",
        "monkeypatch.syspath_prepend('a.b')",
        "mocker.spy(os, 'replace')",
        "mocker.stopall()",
        "mocker.Mock('os.replace')",
        "dict(a='os.replace')",
        "fake_two('os.replace', 'os.rename')",
        "logging.getLogger('os.replace')",
        "patch",
    ],
)
def test_other_calls(call: str) -> None:
    assert patches(
        "import os, requests, logging\nfrom tests.helpers import fake_two\n"
        f"def test_a(mocker, monkeypatch, client):\n    {call}\n"
    ) == []  # fmt: skip


def test_a_patch_says_that_it_calls_the_original() -> None:
    (patch,) = patches("import os\ndef test_a(mocker):\n    mocker.patch('os.replace', wraps=os.replace)\n")
    assert patch.calls_through


def test_a_call_over_several_lines_is_at_its_name() -> None:
    file = opened("def test_a(mocker):\n    (mocker\n        .patch(\n            'os.replace'))\n")
    assert [call.place.line for call in file.patches] == [3]


def test_a_handle_that_is_kept_on_the_object() -> None:
    (patch,) = patches(
        "import pytest\nclass TestA:\n    @pytest.fixture(autouse=True)\n    def _keep(self, mocker):\n"
        "        self.m = mocker\n    def test_a(self):\n        self.m.patch('os.replace')\n"
    )
    assert patch.kind == "unowned"


def test_a_fixture_that_overrides_mocker_is_no_patcher() -> None:
    text = "def test_a(mocker):\n    mocker.patch('os.replace')\n"
    conftest = (
        "import pytest\nclass Own:\n    def patch(self, name): ...\n@pytest.fixture\ndef mocker():\n    return Own()\n"
    )
    index = indexed({"tests/conftest.py": conftest, TEST: text})
    assert [resolve_patch(index, TEST, call) for call in opened(text, TEST).patches] == [None]
