"""Every spelling of a patch of foreign code, and what only looks like one."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

CASES: Mapping[str, Mapping[str, str]] = {
    "target as a keyword": {
        USUAL: """from unittest.mock import patch
def test_a():
    with patch(target="os.replace"):  # FLAW
        pass
""",
    },
    "object and attribute as keywords": {
        USUAL: """import os
from unittest import mock
def test_a():
    mock.patch.object(target=os, attribute="replace").start()  # FLAW
""",
    },
    "monkeypatch keywords": {
        USUAL: """import os
def test_a(monkeypatch):
    monkeypatch.setattr(target=os, name="getcwd", value=1)  # FLAW
    monkeypatch.setattr(os, name="getcwd", value=1)  # FLAW
    monkeypatch.setattr(os, "getcwd", value=1)  # FLAW
    monkeypatch.setattr(target="os.getcwd", name=1)  # FLAW
    monkeypatch.delattr(os, "getcwd")  # FLAW
    monkeypatch.delattr("os.getcwd", raising=False)  # FLAW
""",
    },
    "several attributes at once": {
        USUAL: """from unittest.mock import patch
import os
@patch.multiple("os", replace=1, rename=2)  # FLAW
@patch.multiple(os, replace=1)  # FLAW
def test_a(): pass
""",
    },
    "dictionaries": {
        USUAL: """from unittest.mock import patch
import logging.config as lc
import mimetypes
def test_a(monkeypatch):
    with patch.dict("mimetypes.types_map", {}):  # FLAW
        monkeypatch.setitem(mimetypes.types_map, "a", "b")  # FLAW
        monkeypatch.delitem(mimetypes.types_map, "a")  # FLAW
    with patch.dict("os.environ", {}): pass
    with patch.dict(in_dict=mimetypes.types_map, values={}): pass  # FLAW
""",
    },
    "local imports": {
        USUAL: """def test_a(mocker):
    import subprocess as sp
    mocker.patch.object(sp, "run")  # FLAW
    from shutil import which
    mocker.patch.object(which, "x")  # FLAW
""",
    },
    "a parameter hides a module": {
        USUAL: """import os
def test_a(mocker, os):
    mocker.patch.object(os, "run")
""",
    },
    "started by hand, over several lines": {
        USUAL: """from unittest.mock import patch
def test_a():
    p = patch(  # FLAW
        "os.replace",
    )
    p.start()
""",
    },
    "alias of mocker.patch": {
        USUAL: """def test_a(mocker):
    p = mocker.patch
    p("os.replace")  # FLAW
    q = mocker.patch.object
    import os
    q(os, "replace")  # FLAW
""",
    },
    "alias of monkeypatch.setattr": {
        USUAL: """import os
def test_a(monkeypatch):
    s = monkeypatch.setattr
    s(os, "getcwd", 1)  # FLAW
""",
    },
    "twice assigned": {
        USUAL: """import os
def test_a(monkeypatch, x):
    m = os
    m = x
    monkeypatch.setattr(m, "getcwd", 1)
""",
    },
    "texts that fold": {
        USUAL: 'from unittest.mock import patch\nM = "os"\nN = "replace"\ndef test_a():\n    patch(M + "." + N).start()  # FLAW\n    patch("%s.%s" % (M, N)).start()  # FLAW\n    patch("{}.{}".format(M, N)).start()  # FLAW\n    patch("{m}.{0}".format(N, m=M)).start()  # FLAW\n    patch(f"{M}.{N}").start()  # FLAW\n    patch("os" ".replace").start()  # FLAW\n    patch(".".join([M, N])).start()  # FLAW\n    patch(("os.replace")).start()  # FLAW\n    patch(r"os.replace").start()  # FLAW\n    patch("os\\x2ereplace").start()  # FLAW\n',
    },
    "texts that name modules": {
        USUAL: """from unittest.mock import patch
from pathlib import Path
import urllib.request as r
import os
def test_a():
    patch(f"{Path.__module__}.Path.home").start()  # FLAW
    patch(f"{r.__name__}.urlopen").start()  # FLAW
    patch(f"os.{os.replace.__name__}").start()  # FLAW
    patch(f"{Path.__module__}.{Path.__name__}.home").start()  # FLAW
""",
    },
    "a constant of the project's": {
        "src/app/__init__.py": "",
        "src/app/camera.py": """import asyncio
import time as _t
from datetime import datetime
from grpclib.client import Channel
import numpy as np
import socket
create = socket.create_connection
TARGET = "os.replace"
class CameraClient:
    async def shot(self): ...
def public(x): return x
""",
        "src/app/asyncio.py": "def sleep(n): return n\n",
        USUAL: """from unittest.mock import patch
from app.camera import TARGET
from app import camera
def test_a():
    patch(TARGET).start()  # FLAW
    patch(camera.TARGET).start()  # FLAW
""",
    },
    "a constant of a test module": {
        "tests/consts.py": 'X = "glob." + "glob"\n',
        "tests/__init__.py": "",
        USUAL: """from tests.consts import X
def test_a(mocker):
    mocker.patch(X)  # FLAW
""",
    },
    "through import is another rule": {
        "src/app/__init__.py": "",
        "src/app/camera.py": """import asyncio
import time as _t
from datetime import datetime
from grpclib.client import Channel
import numpy as np
import socket
create = socket.create_connection
TARGET = "os.replace"
class CameraClient:
    async def shot(self): ...
def public(x): return x
""",
        "src/app/asyncio.py": "def sleep(n): return n\n",
        USUAL: """from app import camera
def test_a(mocker):
    mocker.patch("app.camera.Channel")
    mocker.patch("app.camera.np.array")
    mocker.patch("app.camera.create")
    mocker.patch.object(camera.socket, "socket")
    mocker.patch("app.camera.open")
""",
    },
    "owned targets": {
        "src/app/__init__.py": "",
        "src/app/camera.py": """import asyncio
import time as _t
from datetime import datetime
from grpclib.client import Channel
import numpy as np
import socket
create = socket.create_connection
TARGET = "os.replace"
class CameraClient:
    async def shot(self): ...
def public(x): return x
""",
        "src/app/asyncio.py": "def sleep(n): return n\n",
        USUAL: """from app import camera
from app.camera import CameraClient
def test_a(mocker):
    mocker.patch("app.camera.public")
    mocker.patch("app.camera.CameraClient.shot")
    mocker.patch.object(CameraClient, "shot")
    mocker.patch("app.asyncio.sleep")
    mocker.patch("app.camera.missing")
""",
    },
    "clocks, streams and sys.modules": {
        USUAL: """import sys, time, asyncio
def test_a(mocker, monkeypatch):
    mocker.patch("time.sleep")
    mocker.patch("asyncio.sleep")
    mocker.patch("datetime.datetime")
    monkeypatch.setattr(time, "monotonic", 1)
    monkeypatch.setattr(sys, "stdout", 1)
    monkeypatch.setitem(sys.modules, "x", 1)
    mocker.patch.dict("sys.modules", x=1)
    mocker.patch.dict(sys.modules, {"x": 1})
    monkeypatch.setattr("sys.stderr", 1)
    mocker.patch("logging.Logger.handle")
    mocker.patch("warnings.showwarning")
""",
    },
    "fixture returning mocker": {
        USUAL: """import pytest
@pytest.fixture
def patcher(mocker):
    return mocker
@pytest.fixture
def mp():
    m = pytest.MonkeyPatch()
    yield m
    m.undo()
@pytest.fixture(name="swap")
def _swap(monkeypatch):
    return monkeypatch.setattr
def test_a(patcher, mp, swap):
    patcher.patch("os.replace")  # FLAW
    mp.setattr("os.replace", 1)  # FLAW
    swap("os.replace", 1)  # FLAW
""",
    },
    "conftest fixture": {
        "tests/conftest.py": """import pytest
@pytest.fixture
def patcher(mocker):
    yield mocker
@pytest.fixture
def mocked(mocker):
    return mocker.patch("os.replace")  # FLAW
""",
        USUAL: """def test_a(patcher, mocked):
    patcher.patch("os.replace")  # FLAW
    mocked.patch("os.rename")
""",
    },
    "conftest session monkeypatch": {
        "tests/conftest.py": """import pytest
from _pytest.monkeypatch import MonkeyPatch
@pytest.fixture(scope="session")
def monkeysession():
    with pytest.MonkeyPatch.context() as mp:
        yield mp
@pytest.fixture
def m2():
    with MonkeyPatch.context() as mp:
        yield mp
""",
        USUAL: """def test_a(monkeysession, m2):
    monkeysession.setattr("os.replace", 1)  # FLAW
    m2.setattr("os.replace", 1)  # FLAW
""",
    },
    "overridden mocker": {
        "tests/conftest.py": """import pytest
class Own:
    def patch(self, x): ...
@pytest.fixture
def mocker():
    return Own()
""",
        USUAL: """def test_a(mocker):
    mocker.patch("os.replace")
""",
    },
    "overriding that passes on": {
        "tests/conftest.py": """import pytest
@pytest.fixture
def monkeypatch(monkeypatch):
    return monkeypatch
""",
        USUAL: """def test_a(monkeypatch):
    monkeypatch.setattr("os.replace", 1)  # FLAW
""",
    },
    "imported fixture": {
        "tests/__init__.py": "",
        "tests/fx.py": """import pytest
@pytest.fixture
def patcher(mocker):
    return mocker
""",
        USUAL: """from tests.fx import patcher
def test_a(patcher):
    patcher.patch("os.replace")  # FLAW
""",
    },
    "plugin fixture": {
        "tests/__init__.py": "",
        "tests/conftest.py": 'pytest_plugins = ["tests.fx"]\n',
        "tests/fx.py": """import pytest
@pytest.fixture
def patcher(mocker):
    return mocker
""",
        USUAL: """def test_a(patcher):
    patcher.patch("os.replace")  # FLAW
""",
    },
    "monkeypatch.context": {
        USUAL: """import os
def test_a(monkeypatch):
    with monkeypatch.context() as m:
        m.setattr(os, "getcwd", 1)  # FLAW
""",
    },
    "annotation quoted & TYPE_CHECKING": {
        USUAL: """from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from pytest_mock import MockerFixture
    import pytest
def test_a(m: "MockerFixture", mp: pytest.MonkeyPatch):
    m.patch("os.replace")  # FLAW
    mp.setattr("os.replace", 1)  # FLAW
""",
    },
    "wrapper": {
        USUAL: """from unittest.mock import patch
def fake(target):
    return patch(target)
def fake_os(name):
    return patch("os." + name)
def fake_os2(name):
    return patch(f"os.{name}")
def test_a():
    with fake("os.replace"):  # FLAW
        pass
    with fake_os("replace"):  # FLAW
        pass
    with fake_os2(name="replace"):  # FLAW
        pass
""",
    },
    "wrapper in helper": {
        "tests/__init__.py": "",
        "tests/helpers.py": 'from unittest.mock import patch\nfrom contextlib import contextmanager\ndef swap(mp, target, value):\n    mp.setattr(target, value)\n@contextmanager\ndef fake(target, attr):\n    """doc"""\n    with patch.object(target, attr) as m:\n        yield m\n',
        USUAL: """from tests.helpers import swap, fake
from tests import helpers
import os
def test_a(monkeypatch):
    swap(monkeypatch, "os.replace", 1)  # FLAW
    with fake(os, "replace"): pass  # FLAW
    with helpers.fake(target=os, attr="replace"): pass  # FLAW
""",
    },
    "re-exported patch": {
        "tests/__init__.py": "",
        "tests/compat.py": """try:
    from unittest import mock
except ImportError:
    import mock
from unittest.mock import patch
""",
        USUAL: """from tests.compat import patch, mock
from tests import compat
def test_a():
    with patch("os.replace"): pass  # FLAW
    with mock.patch("os.replace"): pass  # FLAW
    with compat.mock.patch("os.replace"): pass  # FLAW
""",
    },
    "star import": {
        USUAL: """from unittest.mock import *
def test_a():
    with patch("os.replace"): pass  # FLAW
""",
    },
    "unittest.mock or mock": {
        USUAL: """try:
    from unittest import mock
except ImportError:
    import mock
def test_a():
    with mock.patch("os.replace"): pass  # FLAW
""",
    },
    "mock package": {
        USUAL: """import mock
import mock as m2
from mock import patch
def test_a():
    mock.patch("os.replace").start()  # FLAW
    m2.patch("os.replace").start()  # FLAW
    patch("os.replace").start()  # FLAW
""",
    },
    "through the attribute of unittest": {
        USUAL: """import unittest.mock
import unittest as u
def test_a():
    unittest.mock.patch("os.replace").start()  # FLAW
    u.mock.patch("os.replace").start()  # FLAW
""",
    },
    "class decorators": {
        USUAL: """from unittest.mock import patch
@patch("os.replace")  # FLAW
class TestA:
    @patch("os.rename")  # FLAW
    def test_a(self, a, b): pass
""",
    },
    "set-up of unittest": {
        USUAL: """import unittest
from unittest.mock import patch
class T(unittest.TestCase):
    def setUp(self):
        self.p = patch("os.replace")  # FLAW
        self.p.start()
        self.addCleanup(self.p.stop)
""",
    },
    "other things called patch": {
        USUAL: """import requests
def test_a(client, requests_mock):
    requests.patch("http://a.b")
    requests.patch("os.replace")
    client.patch("os.replace")
    client.setattr("os.replace", 1)
""",
    },
    "state of the process": {
        USUAL: """import os
def test_a(monkeypatch):
    monkeypatch.setenv("A", "b")
    monkeypatch.delenv("A")
    monkeypatch.chdir("a.b")
    monkeypatch.syspath_prepend("a.b")
    monkeypatch.setattr("sys.argv", [])
    import sys
    monkeypatch.setattr(sys, "argv", [])
""",
    },
    "names looked up by a constant": {
        USUAL: """import os
def test_a(mocker, monkeypatch, request):
    getattr(mocker, "patch")("os.replace")  # FLAW
    mocker.patch.object(getattr(os, "path"), "join")  # FLAW
    request.getfixturevalue("mocker").patch("os.replace")  # FLAW
    mp = request.getfixturevalue("monkeypatch")
    mp.setattr("os.replace", 1)  # FLAW
""",
    },
    "import_module": {
        USUAL: """import importlib, sys
def test_a(mocker):
    m = importlib.import_module("subprocess")
    mocker.patch.object(m, "run")  # FLAW
    mocker.patch.object(__import__("subprocess"), "run")  # FLAW
    mocker.patch.object(sys.modules["subprocess"], "run")  # FLAW
""",
    },
    "instance local": {
        USUAL: """import socket
import httpx
def test_a(mocker):
    s = socket.socket()
    mocker.patch.object(s, "send")  # FLAW
    c = httpx.Client()
    mocker.patch.object(c, "get")  # FLAW
    with httpx.Client() as d:
        mocker.patch.object(d, "get")  # FLAW
    x = make()
    mocker.patch.object(x, "get")
    mocker.patch.object(c.transport, "get")
""",
    },
    "instance owned": {
        "src/app/__init__.py": "",
        "src/app/camera.py": """import asyncio
import time as _t
from datetime import datetime
from grpclib.client import Channel
import numpy as np
import socket
create = socket.create_connection
TARGET = "os.replace"
class CameraClient:
    async def shot(self): ...
def public(x): return x
""",
        "src/app/asyncio.py": "def sleep(n): return n\n",
        USUAL: """from app.camera import CameraClient
def test_a(mocker):
    c = CameraClient()
    mocker.patch.object(c, "shot")
    mocker.patch.object(c.inner, "shot")
""",
    },
    "builtins": {
        USUAL: """import builtins
def test_a(mocker, monkeypatch):
    mocker.patch("builtins.open")  # FLAW
    monkeypatch.setattr(builtins, "input", 1)  # FLAW
    monkeypatch.setattr("builtins.print", 1)  # FLAW
""",
    },
    "one alternative is owned": {
        "src/app/__init__.py": "",
        "src/app/camera.py": """import asyncio
import time as _t
from datetime import datetime
from grpclib.client import Channel
import numpy as np
import socket
create = socket.create_connection
TARGET = "os.replace"
class CameraClient:
    async def shot(self): ...
def public(x): return x
""",
        "src/app/asyncio.py": "def sleep(n): return n\n",
        USUAL: """try:
    import numpy as lib
except ImportError:
    from app import camera as lib
def test_a(mocker):
    mocker.patch.object(lib, "x")
""",
    },
    "all alternatives are foreign": {
        USUAL: """try:
    import tomllib
except ImportError:
    import tomli as tomllib
def test_a(mocker):
    mocker.patch.object(tomllib, "load")  # FLAW
""",
    },
    "own test class": {
        USUAL: """class Foo:
    def bar(self): ...
def test_a(mocker):
    mocker.patch.object(Foo, "bar")
    mocker.patch(f"{__name__}.Foo.bar")
    f = Foo()
    mocker.patch.object(f, "bar")
""",
    },
    "non test product not looked": {
        "src/app/x.py": """from unittest.mock import patch
patch("os.replace").start()
""",
        "src/app/__init__.py": "",
    },
    "global handle": {
        USUAL: """from unittest.mock import patch
clock = patch("os.replace")  # FLAW
def setup_module():
    clock.start()
""",
    },
    "nested/lambda/comprehension": {
        USUAL: """def test_a(mocker):
    def inner():
        mocker.patch("os.replace")  # FLAW
    inner()
    f = lambda: mocker.patch("os.rename")  # FLAW
    f()
    [mocker.patch(t) for t in ["os.replace"]]
""",
    },
    "async": {
        USUAL: """async def test_a(mocker):
    with mocker.patch("os.replace"):  # FLAW
        pass
""",
    },
    "the option allow": {
        USUAL: """def test_a(mocker):
    mocker.patch("os.replace")
    mocker.patch("shutil.which")
    mocker.patch("os.environ.get")  # FLAW
""",
    },
    "the option extra-unowned": {
        "src/app/__init__.py": "",
        "src/app/vendor/__init__.py": "def x(): ...\n",
        "src/app/own.py": "def y(): ...\n",
        USUAL: """def test_a(mocker):
    mocker.patch("app.vendor.x")  # FLAW
    mocker.patch("app.own.y")
""",
    },
    "the option allow-paths": {
        "tests/shims/test_a.py": """def test_a(mocker):
    mocker.patch("os.replace")
""",
        "tests/test_b.py": """def test_a(mocker):
    mocker.patch("os.replace")  # FLAW
""",
    },
    "script on path": {
        "scripts/check.py": "import subprocess\n",
        "tests/test_check.py": """import sys
sys.path.insert(0, "scripts")
import check
def test_a(mocker):
    mocker.patch.object(check, "foo")
    mocker.patch("check.subprocess.run")
""",
    },
    "sibling helper": {
        "tests/app/helpers.py": "def f(): ...\n",
        USUAL: """import helpers
def test_a(mocker):
    mocker.patch.object(helpers, "f")
""",
    },
    "private third party": {
        USUAL: """def test_a(mocker):
    mocker.patch("grpclib._internal.x")  # FLAW
""",
    },
    "function-local in owned": {
        "src/app/__init__.py": "",
        "src/app/a.py": """def f():
    import requests
""",
        "tests/test_a.py": """def test_a(mocker):
    mocker.patch("app.a.requests.get", create=True)
""",
    },
    "relative import in owned": {
        "src/app/__init__.py": """from . import a
from .a import f
""",
        "src/app/a.py": """import requests
def f(): ...
""",
        "tests/test_a.py": """import app
from app import a
import requests as r
def test_a(mocker):
    mocker.patch("app.a.requests.get")
    mocker.patch.object(app.a, "f")
    mocker.patch("app.f")
    mocker.patch.object(r, "get")  # FLAW
""",
    },
    "import cycle": {
        "src/app/__init__.py": "",
        "src/app/a.py": "from app.b import x\n",
        "src/app/b.py": "from app.a import x\n",
        "tests/test_a.py": """def test_a(mocker):
    mocker.patch("app.a.x")
""",
    },
    "Python 2": {
        "tests/test_a.py": """import os
def test_a(mocker):
    print "x"
    mocker.patch("os.replace")  # FLAW
    exec "x" in d
""",
    },
    "comment between": {
        USUAL: """from unittest.mock import patch
def test_a():
    patch(  # FLAW
        # the file system
        "os.replace"
    ).start()
""",
    },
    "targets that are none": {
        USUAL: """def test_a(mocker):
    mocker.patch("replace")
    mocker.patch("os.")
    mocker.patch("")
    mocker.patch()
    mocker.patch(1)
    mocker.patch(*args)
    mocker.patch(**kw)
    mocker.patch.object()
    mocker.patch.dict()
    mocker.patch.multiple()
""",
    },
    "context_manager": {
        USUAL: """import os
def test_a(mocker):
    mocker.patch.context_manager(os, "replace")  # FLAW
    mocker.stopall()
    mocker.create_autospec(os.replace)
    mocker.stub()
""",
    },
    "functools.partial": {
        USUAL: """from functools import partial
from unittest.mock import patch
def test_a():
    partial(patch, "os.replace")().start()  # FLAW
""",
    },
    "ExitStack": {
        USUAL: """from contextlib import ExitStack
from unittest.mock import patch
def test_a():
    with ExitStack() as s:
        s.enter_context(patch("os.replace"))  # FLAW
""",
    },
    "self.mocker": {
        USUAL: """import pytest
class TestA:
    @pytest.fixture(autouse=True)
    def _s(self, mocker):
        self.mocker = mocker
    def test_a(self):
        self.mocker.patch("os.replace")  # FLAW
""",
    },
    "method wrapper": {
        USUAL: """from unittest.mock import patch
class TestA:
    def fake(self, t):
        return patch(t)
    def test_a(self):
        self.fake("os.replace")  # FLAW
""",
    },
    "walrus/with parens": {
        USUAL: """from unittest.mock import patch
def test_a():
    with (
        patch("os.replace") as a,  # FLAW
        patch("os.rename") as b,  # FLAW
    ):
        pass
    if (p := patch("os.remove")):  # FLAW
        p.start()
""",
    },
}
OPTIONS = {
    "the option allow": 'allow = ["os.replace", "shutil.*"]',
    "the option extra-unowned": 'extra-unowned = ["app.vendor.*"]',
    "the option allow-paths": 'allow-paths = ["tests/shims/**"]',
}


@pytest.mark.parametrize("case", CASES)
def test_case(tmp_path: Path, case: str) -> None:
    files = CASES[case]
    assert reported(tmp_path, "unowned-patch", files, OPTIONS.get(case, "")) == expected(files)
