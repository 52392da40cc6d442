"""Every way to import unittest.mock, and what only looks like one."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

CASES: Mapping[str, Mapping[str, str]] = {
    "all forms": {
        USUAL: """from unittest import mock  # FLAW
import unittest.mock as m  # FLAW
from unittest.mock import patch, ANY  # FLAW
import mock  # FLAW
import mock as k  # FLAW
from mock import patch  # FLAW
from mock.mock import Mock  # FLAW
import os, unittest.mock  # FLAW
from unittest.mock import *  # FLAW
""",
    },
    "in function": {
        USUAL: """def test_a():
    from unittest.mock import patch  # FLAW
    if 1:
        import mock  # FLAW
    class X:
        from unittest import mock  # FLAW
""",
    },
    "by name": {
        USUAL: """import importlib
import pytest
from importlib import import_module as im
M = "unittest.mock"
importlib.import_module("unittest.mock")  # FLAW
m = im("mock")  # FLAW
__import__("unittest.mock")  # FLAW
pytest.importorskip("mock")  # FLAW
importlib.import_module(M)  # FLAW
importlib.import_module(name="unittest.mock")  # FLAW
importlib.import_module("unittest" + ".mock")  # FLAW
importlib.import_module("unittest.case")
""",
    },
    "multi line": {
        USUAL: """from unittest import (
    TestCase,
    mock,  # FLAW
)
from unittest.mock import (  # FLAW
    patch,
    ANY,
)
""",
    },
    "try": {
        USUAL: """try:
    from unittest import mock  # FLAW
except ImportError:
    import mock  # FLAW
""",
    },
    "typechecking": {
        USUAL: """import typing
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from unittest.mock import Mock
if typing.TYPE_CHECKING:
    import mock
if not TYPE_CHECKING:
    import mock  # FLAW
else:
    import mock
def f():
    if TYPE_CHECKING:
        from unittest.mock import Mock
    else:
        from unittest.mock import Mock  # FLAW
""",
    },
    "the option allowed-names": {
        USUAL: """from unittest.mock import ANY
from unittest.mock import ANY as A
from unittest.mock import ANY, patch  # FLAW
from unittest import mock  # FLAW
from mock import ANY
""",
    },
    "what only looks like one": {
        "src/app/__init__.py": "",
        "src/app/mock.py": "X=1\n",
        "tests/app/test_a.py": """import unittest
from unittest import TestCase
from app import mock
from app.mock import X
import app.mock as m
from . import mock as k
from .mock import Y
import pytest_mock
from pytest_mock import MockerFixture
S = "from unittest import mock"
# import mock
import mockery
import unittest.case
from mockito import mock
""",
        "tests/app/mock.py": "Y=1\n",
    },
    "own top-level mock beside": {
        "tests/mock.py": "Y=1\n",
        "tests/test_a.py": """import mock
from mock import Y
""",
    },
    "own mock under src": {
        "src/mock/__init__.py": "Y=1\n",
        "tests/test_a.py": """import mock
from mock import Y
""",
    },
    "product file": {
        "src/app/__init__.py": "from unittest import mock\n",
        "src/app/testing.py": "import mock\n",
    },
    "conftest and helper": {
        "tests/conftest.py": "from unittest import mock  # FLAW\n",
        "tests/helpers.py": "import mock  # FLAW\n",
    },
    "space": {
        USUAL: """from  unittest  import  mock  # FLAW
import unittest . mock  # FLAW
""",
    },
}
OPTIONS = {
    "the option allowed-names": 'allowed-names = ["ANY"]',
}


@pytest.mark.parametrize("case", CASES)
def test_case(tmp_path: Path, case: str) -> None:
    files = CASES[case]
    assert reported(tmp_path, "unittest-mock", files, OPTIONS.get(case, "")) == expected(files)
