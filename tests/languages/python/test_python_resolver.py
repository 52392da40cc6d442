"""What a dotted name means on the whole project."""

import pytest
from languages.python.sample import UNIT, LazyFacts, indexed, info_of

from guards.languages.python import Index
from guards.languages.python.modules import OWNED, STDLIB, THIRD_PARTY, UNDECIDED

TEST = "tests/app/test_camera.py"
PROJECT = {
    "src/app/__init__.py": "from . import camera\nfrom .camera import public\n",
    "src/app/camera.py": """import asyncio
import time as _t
from grpclib.client import Channel
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from httpx import Client
    from httpx import Request
class Request: ...
import socket
create = socket.create_connection
NAME = "cam"
_send = None
def lazy():
    from requests import get
    global late
    late = 1
class Camera:
    class Inner:
        def deep(self): ...
    def shot(self): ...
def public(x): ...
""",
    "src/app/asyncio.py": "def sleep(n): ...\n",
    "src/app/own.py": "from . import asyncio\n",
    "src/app/again.py": "from app.camera import Channel as Chan, Camera\nfrom app.camera import asyncio as aio\n",
    "src/app/stars.py": "from app.camera import *\n",
    "src/app/foreign.py": "from os.path import *\n",
    "src/app/magic.py": "def __getattr__(name): ...\n",
    "src/app/either.py": "try:\n    import numpy as np\nexcept ImportError:\n    from app import own as np\n",
    "src/app/perhaps.py": "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n",
    "src/app/one.py": "from app.two import x\n",
    "src/app/two.py": "from app.one import x\n",
    TEST: "",
}


@pytest.mark.parametrize(
    ("name", "full", "owner", "kind", "via"),
    [
        ("os.replace", "os.replace", STDLIB, "external", None),
        ("grpclib.client.Channel", "grpclib.client.Channel", THIRD_PARTY, "external", None),
        ("app.camera", "app.camera", OWNED, "module", None),
        ("app.camera.public", "app.camera.public", OWNED, "def", None),
        ("app.public", "app.camera.public", OWNED, "def", None),
        ("app.camera.Camera.shot", "app.camera.Camera.shot", OWNED, "member", None),
        ("app.camera.Camera.Inner.deep", "app.camera.Camera.Inner.deep", OWNED, "member", None),
        ("app.camera.Camera().shot", "app.camera.Camera.shot", OWNED, "member", None),
        ("app.camera.NAME", "app.camera.NAME", OWNED, "value", None),
        ("app.camera._send", "app.camera._send", OWNED, "value", None),
        ("app.camera.late", "app.camera.late", OWNED, "value", None),
        ("app.camera.Channel", "grpclib.client.Channel", THIRD_PARTY, "external", ("src/app/camera.py", 3)),
        ("app.camera._t.sleep", "time.sleep", STDLIB, "external", ("src/app/camera.py", 2)),
        ("app.camera.create", "socket.create_connection", STDLIB, "external", ("src/app/camera.py", 10)),
        ("app.again.Chan", "grpclib.client.Channel", THIRD_PARTY, "external", ("src/app/camera.py", 3)),
        ("app.again.aio.open_connection", "asyncio.open_connection", STDLIB, "external", ("src/app/camera.py", 1)),
        ("app.again.Camera", "app.camera.Camera", OWNED, "class", None),
        ("app.stars.Channel", "grpclib.client.Channel", THIRD_PARTY, "external", ("src/app/camera.py", 3)),
        ("app.stars.public", "app.camera.public", OWNED, "def", None),
        ("app.own.asyncio.sleep", "app.asyncio.sleep", OWNED, "def", None),
        ("app.camera.Request", "app.camera.Request", OWNED, "class", None),
        ("app.camera.Client", "app.camera.Client", OWNED, "missing", None),
        ("app.camera.get", "app.camera.get", OWNED, "missing", None),
        ("app.camera.Chanel", "app.camera.Chanel", OWNED, "missing", None),
        ("app.camra", "app.camra", OWNED, "missing", None),
        ("app.camera.__file__", "app.camera.__file__", OWNED, "value", None),
        ("app.perhaps.np.array", "numpy.array", THIRD_PARTY, "external", ("src/app/perhaps.py", 2)),
        ("app.foreign.anything", "", UNDECIDED, "unknown", None),
        ("app.magic.anything", "", UNDECIDED, "unknown", None),
        ("app.one.x", "", UNDECIDED, "unknown", None),
        ("builtins.no_such_name", "", UNDECIDED, "unknown", None),
        ("", "", UNDECIDED, "unknown", None),
    ],
)
def test_resolve(name: str, full: str, owner: str, kind: str, via: tuple[str, int] | None) -> None:
    (found,) = indexed(PROJECT).resolve(name, TEST)
    assert (found.name, found.owner, found.kind) == (full, owner, kind)
    assert (found.via[:2] if found.via else None) == via


def test_alternatives_are_all_told() -> None:
    found = indexed(PROJECT).resolve("app.either.np", TEST)
    assert sorted((item.name, item.owner) for item in found) == [("app.own", OWNED), ("numpy", THIRD_PARTY)]


def test_a_builtin_in_an_owned_module_is_reached_through_it() -> None:
    (found,) = indexed(PROJECT).resolve("app.camera.open", TEST)
    assert (found.name, found.owner, found.via is not None) == ("builtins.open", STDLIB, True)


def test_only_the_files_on_the_way_are_read() -> None:
    facts = LazyFacts(PROJECT, UNIT)
    Index(facts, {path: info_of(path) for path in PROJECT}).resolve("app.again.Chan", TEST)
    assert facts.asked == {"src/app/__init__.py", "src/app/again.py", "src/app/camera.py"}


def test_configured_names_are_owned() -> None:
    index = indexed(PROJECT, owned=("corp.*", "grpclib"))
    assert [index.resolve(name, TEST)[0].owner for name in ("corp.lib.x", "grpclib.client.Channel", "corpse.x")] == [
        OWNED, OWNED, THIRD_PARTY,
    ]  # fmt: skip


def test_texts_are_folded_across_files() -> None:
    index = indexed({**PROJECT, "tests/consts.py": "from app.camera import NAME\nFULL = f'os.{NAME}'\n"})
    assert index.resolver.text("tests.consts.FULL", TEST) == "os.cam"
    assert (
        index.resolver.text("'{app.camera.Camera.__module__}.{app.camera.Camera.__name__}", TEST) == "app.camera.Camera"
    )
    assert index.resolver.text("'{requests.__name__}.get", TEST) == "requests.get"
    assert index.resolver.text("'os.{os.replace.__name__}", TEST) == "os.replace"
    assert index.resolver.text("'{:__name__}.x", TEST) == "tests.app.test_camera.x"
    assert index.resolver.text("'{app.camera.public}.x", TEST) is None
    assert index.resolver.text("$name", TEST) is None


def test_a_long_chain_of_aliases_is_unknown_and_does_not_end_the_run() -> None:
    files = {f"src/app/m{n}.py": f"from app.m{n + 1} import x\n" for n in range(3000)}
    (found,) = indexed({**files, "src/app/__init__.py": ""}).resolve("app.m0.x", TEST)
    assert found.kind == "unknown"
