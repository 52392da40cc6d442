"""A patch of foreign code that the test reaches through an import in one of the project's own modules.

## What it does

Reports each call of a patcher whose target is named as if it were the project's own, `app.camera.Channel`, while that
name only comes from an import there: `from grpclib.client import Channel`. The message says where the import stands. It
makes no difference whether the target is a text or an object with the name of an attribute, whether the name is
imported, imported again by a second module, given a new name (`create = socket.create_connection`) or part of a star
import, and whether it is the foreign thing itself or something in it (`app.camera.np.frombuffer`). Patchers are those of
[unowned-patch](unowned-patch.md), in every spelling.

## Why is this bad?

It looks like a patch of one's own code, and is a double of somebody else's: what the test proves is that the program
works with what its author believes of the library. Where the name of a whole module is replaced in part, as in
`app.camera.os.replace`, everything else in the process is given the double as well.

## Use instead

The real thing at a small scale: `tmp_path` for files, a server on the loopback for the network. Where that is
impossible, an interface of your own in front of the foreign one, and a fake of yours.

## Known limits

- Clocks and sleeping, `sys.modules` and the standard streams are no business of this rule, however they are reached.
- What a module imports in the body of a function is no name of the module, so there is nothing to be patched.
- `wraps=` and `mocker.spy` call the original and are no replacement.
- A name of one of the project's own modules is the project's own, even where it is called like one of the standard
  library, and so is a name that the project defines besides an import under `if TYPE_CHECKING:`.
- Where a name can mean several things (`try` and `except ImportError`), all of them must be foreign.
"""

from typing import ClassVar

from guards.languages.python import Index
from guards.languages.python.handles import THROUGH_IMPORT, Patch
from guards.rule import Candidate, Example, Finding, Options, Place, Related
from guards.rule.patching import ALLOW, ALLOW_PATHS, PatchRule


class UnownedPatchThroughImport(PatchRule):
    """One finding for each call of a patcher, with the place of the import."""

    name = "unowned-patch-through-import"
    code = "SGP004"
    related_places = True
    options: ClassVar = {"allow": ALLOW, "allow-paths": ALLOW_PATHS}
    why = "it looks like a patch of the project's own code, and is a double of somebody else's"
    instead = "use the real thing at a small scale, or put an interface of your own in front of it and fake that"

    def flaw(self, patch: Patch, index: Index, options: Options) -> str:
        """Whether the target left the project's own code through an import."""
        del index
        via = patch.via
        if patch.kind != THROUGH_IMPORT or via is None or not patch.replaces or patch.is_named(options.names("allow")):
            return ""
        return f"`{patch.name}` is patched through `{via.name}` in {via.path}:{via.line}, but is not the project's own"

    def flaw_finding(self, candidate: Candidate, patch: Patch, message: str) -> Finding:
        """The finding, and where the import stands."""
        via = patch.via
        if via is None:
            return self.finding(candidate.place, message)
        place = Place(via.path, via.line, 1, via.line, 2)
        related = Related(place, f"`{via.name}` is `{patch.name}` or leads to it")
        return self.finding(candidate.place, message, related=(related,))

    bad = (
        Example(
            """from app import camera as cam
from unittest.mock import patch


@patch("app.camera.Channel")  # FLAW
def test_shoots(channel, mocker, monkeypatch):
    mocker.patch("app.camera.os.replace")  # FLAW
    mocker.patch.object(cam, "Channel")  # FLAW
    monkeypatch.setattr(cam.np, "frombuffer", None)  # FLAW
    with patch.multiple(cam, Channel=None, np=None):  # FLAW
        pass
""",
            "as a text or as an object, the thing itself or something in it",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/camera.py", "import os\nimport numpy as np\nfrom grpclib.client import Channel\n"),
            ),
        ),
        Example(
            """def test_connects(mocker):
    mocker.patch("app.api.Chan")  # FLAW
    mocker.patch("app.api.create")  # FLAW
    mocker.patch("app.stars.Channel")  # FLAW
""",
            "imported again under another name, given another name, and by a star",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/camera.py", "from grpclib.client import Channel\n"),
                (
                    "src/app/api.py",
                    "import socket\nfrom app.camera import Channel as Chan\n\ncreate = socket.create_connection\n",
                ),
                ("src/app/stars.py", "from .camera import *\n"),
            ),
        ),
    )
    good = (
        Example(
            """def test_waits(mocker):
    mocker.patch("app.camera.asyncio.open_connection")
""",
            "a module of the project's own that is called like one of the standard library",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/asyncio.py", "def open_connection(host): ...\n"),
                ("src/app/camera.py", "from . import asyncio\n"),
            ),
        ),
        Example(
            """def test_encodes(mocker):
    mocker.patch("app.camera.encode")
    mocker.patch("app.camera.Sink")
""",
            "imported names of the project's own, and one that only the type checker takes for foreign",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/wire.py", "def encode(image): ...\n"),
                ("src/app/camera.py", "from app.wire import encode\nfrom app.sinks import Sink\n"),
                (
                    "src/app/sinks.py",
                    "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from hid import Sink\n\n\nclass Sink: ...\n",
                ),
            ),
        ),
        Example(
            """import socket


def test_connects(mocker):
    mocker.patch("socket.create_connection")
    mocker.patch.object(socket, "socket")
""",
            "named as what it is: another rule knows it",
        ),
        Example(
            """def test_waits(mocker, monkeypatch):
    mocker.patch("app.camera.sleep")
    monkeypatch.setattr("app.camera.sys.stdout", None)
    monkeypatch.setitem("app.camera.sys.modules", "cv2", None)
    mocker.patch.dict("app.camera.os.environ", {"APP_X": "1"})
""",
            "clocks, streams and modules are other rules' business, and the environment is real state",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/camera.py", "import os\nimport sys\nfrom time import sleep\n"),
            ),
        ),
        Example(
            """def test_parses(mocker):
    mocker.patch("app.camera.loads")
""",
            "one of the two is the project's own",
            files=(
                ("src/app/__init__.py", ""),
                ("src/app/plain.py", "def loads(text): ...\n"),
                (
                    "src/app/camera.py",
                    "try:\n    from orjson import loads\nexcept ImportError:\n    from app.plain import loads\n",
                ),
            ),
        ),
        Example(
            """from app import camera


def test_saves(mocker):
    mocker.spy(camera.os, "replace")
    mocker.patch("app.camera.os.rename", wraps=camera.os.rename)
""",
            "both call the real function",
            files=(("src/app/__init__.py", ""), ("src/app/camera.py", "import os\n")),
        ),
        Example(
            """def test_connects(mocker):
    mocker.patch("app.camera.Channel")
    mocker.patch("app.camera.Channel.close")
""",
            "allowed by name",
            files=(("src/app/__init__.py", ""), ("src/app/camera.py", "from grpclib.client import Channel\n")),
            options=(("allow", ("grpclib.client.Channel",)),),
        ),
    )
