"""What names and expressions mean where they stand."""

import pytest
from languages.python.sample import opened

from guards.languages.python import PythonFile


def meaning(file: PythonFile) -> str:
    """The reference of the argument of the one call of ``look``."""
    (call,) = (node for node in file.nodes("call") if node.children[0].text == b"look")
    argument = call.children[1].named_children[0]
    return file.scopes.expression(argument, file.scopes.at(argument.start_byte))


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("import os\nlook(os.path)", "os.path"),
        ("import os.path\nlook(os.path)", "os.path"),
        ("import os.path as p\nlook(p.join)", "os.path.join"),
        ("from os import path as p\nlook(p)", "os.path"),
        ("from os import (\n  path as p,  # the path\n  sep,\n)\nlook(sep)", "os.sep"),
        ("from os \\\n  import path\nlook(path)", "os.path"),
        ("from . import helper\nlook(helper.x)", "tests/:helper.x"),
        ("from .. import helper\nlook(helper)", "./:helper"),
        ("from .a.b import c\nlook(c)", "tests/:a.b.c"),
        ("from ..... import far\nlook(far)", ":far"),
        ("import os\ndef f():\n    p = os.path\n    q = p\n    look(q.join)", "os.path.join"),
        ("def f():\n    import os\n    look(os)", "os"),
        ("import os\ndef f(os):\n    look(os)", "$os"),
        ("import os\ndef f(*os):\n    look(os)", "$os"),
        ("import os\nf = lambda os: look(os)", "$os"),
        ("import os\n[look(os) for os in x]", ""),
        ("import os\ndef f():\n    for os in x: look(os)", ""),
        ("import os\ndef f():\n    os = 1\n    look(os)", ""),
        ("import os\ndef f():\n    global os\n    os = 1\n    look(os)", ":os"),
        ("import os\ndef f():\n    x = os\n    x = 1\n    look(x)", ""),
        ("import os\ndef f():\n    os.sep = 1\n    look(os)", "os"),
        ("import os\nclass A:\n    os = None\n    def f(self): look(os)", "os"),
        ("class A:\n    import os\n    look(os)", "os"),
        ("def f(x: 'httpx.Client'):\n    look(x.get)\nimport httpx", "httpx.Client().get"),
        ("import httpx\ndef f(x: httpx.Client | None): look(x)", "httpx.Client()"),
        ("import httpx\nfrom typing import Any\ndef f(x: Any): look(x)", "$x"),
        ("import httpx\ndef f(x: dict[str, httpx.Client]): look(x)", "$x"),
        ("import httpx\ndef f():\n    with httpx.Client() as c: look(c.get)", "httpx.Client().__enter__().get"),
        ("def f():\n    def g(): pass\n    look(g)", ":f.g"),
        ("class A:\n    def f(self): look(self.g)", ":A().g"),
        ("class A:\n    def f(self, m):\n        self.m = m\n    def g(self): look(self.m.x)", "$m.x"),
        ("def f():\n    a, b = one, two\n    look(b)\nimport two", "two"),
        ("import os\nif (p := os.path): look(p)", "os.path"),
        ("import os\ndef f():\n    if (p := os.path): look(p)", "os.path"),
        ("try:\n    import a\nexcept ImportError:\n    import b as a\nlook(a)", ":a"),
        ("try:\n    import a\nexcept ImportError:\n    a = None\nlook(a)", "a"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b as a\nlook(a)", "b"),
        ("look(open)", "builtins.open"),
        ("from x import *\nlook(open)", ":open"),
        ("import sys\nlook(sys.modules['a.b'].c)", "a.b.c"),
        ("import importlib\nlook(importlib.import_module('a.b').c)", "a.b.c"),
        ("look(__import__('a.b'))", "a"),
        ("import os\nlook(getattr(os, 'path'))", "os.path"),
        ("import os\nlook(getattr(os, name))", ""),
        ("def f(request): look(request.getfixturevalue('mocker'))", "$mocker"),
    ],
)
def test_names(text: str, reference: str) -> None:
    assert meaning(opened(text)) == reference


@pytest.mark.parametrize(
    ("expression", "reference"),
    [
        ("'os' '.replace'", "'os.replace"),
        ("'os.' + 'replace'", "'os.replace"),
        ("M + '.replace'", "'os.replace"),
        ("'%s.%s' % (M, 'x%%')", "'os.x%%"),
        ("'%s' % M", "'os"),
        ("'%s.%s' % (M,)", ""),
        ("'%d' % M", ""),
        ("'{}.{}'.format(M, 'x')", "'os.x"),
        ("'{1}.{a}'.format(1, M, a='x')", "'os.x"),
        ("'{!r}'.format(M)", ""),
        ("'{99999999999}'.format(M)", ""),
        ("'.'.join([M, 'x'])", "'os.x"),
        ("f'{M}.x'", "'os.x"),
        ("f'{{M}}.x'", "'{{M}}.x"),
        ("f'{M!r}.x'", ""),
        ("f'{M:>3}.x'", ""),
        ("f'{M=}.x'", ""),
        ("f'{f(1)}.x'", "'{builtins.f()}.x"),
        ("f'{sys.__name__}.x'", "'{sys.__name__}.x"),
        (r"'\x6fs.\u0072'", "'os.r"),
        (r"r'\x6f'", r"'\x6f"),
        ("b'os'", ""),
        ("'a' if M else 'b'", ""),
        ("('os')", "'os"),
        ("(x := 'os')", "'os"),
    ],
)
def test_constant_texts(expression: str, reference: str) -> None:
    assert meaning(opened(f"import sys\nM = 'os'\nlook({expression})\n")) == reference


def test_a_surrogate_does_not_get_into_a_reference() -> None:
    assert "\ud800" not in meaning(opened(r"look('\ud800.x')"))


def test_a_name_that_is_assigned_twice_is_unknown_to_others_too() -> None:
    bindings = {item.name: item.reference for item in opened("X = 'a'\nY = 'b'\n").facts().bindings}
    assert bindings == {"X": "'a", "Y": "'b"}
    assert meaning(opened("X = 'a'\nX = 'b'\nlook(X)\n")) == ":X"
