"""The ways through the functions of test code, for the search for assertions.

Only test code has bodies, and what lies where its helpers may be: a call of product code is no
assertion, whatever the product does there.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from guards.project.model import TEST_CODE, FileInfo

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile

_TEST_WORD = re.compile(r"(?<![a-zA-Z])[Tt]est|[a-z0-9_]Test|Testing")
_TEST_LIBRARIES = (
    b"NUnit.Framework", b"UnityEngine.TestTools", b"UnityEngine.Assertions", b"Xunit", b"TestTools.UnitTesting",
    b"TUnit.", b"FluentAssertions", b"AwesomeAssertions", b"Shouldly",
)  # fmt: skip


class Body(NamedTuple):
    """The program of a function, or of a lambda in it.

    Args:
        function: the row of the function.
        begin: where the lambda begins, by which it is known in its file; -1 is the function itself.
        program: see ``guards.languages.flow``.
    """

    function: int
    begin: int
    program: str


class Bodies(NamedTuple):
    """The bodies of one file that do anything that matters.

    What stands in several variants of a file can have several programs. ``steps`` are the names
    that the programs give to what they call: see ``steps``.
    """

    functions: tuple[Body, ...]
    steps: tuple[str, ...]


NO_BODIES = Bodies((), ())


def has_bodies(info: FileInfo, plain: bytes) -> bool:
    """Whether a file is test code, or can hold helpers of tests: by its assembly, or by what it names."""
    if info.role in TEST_CODE or _TEST_WORD.search(info.unit.name):
        return True
    # The predefined assemblies of Unity can always use the test framework.
    if info.unit.kind != "unity" and info.unit.fact("test-frameworks"):
        return True
    return any(name in plain for name in _TEST_LIBRARIES)


def bodies(file: "CSharpFile") -> Bodies:
    """The bodies of the functions of one file."""
    if not has_bodies(file.info, file.reading.plain):
        return NO_BODIES
    from guards.languages.csharp.lowering import Lowering

    return Lowering(file).bodies()
