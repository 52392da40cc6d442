"""What the project says of a file before anyone reads it: language, role and unit."""

from typing import NamedTuple

# Roles. A test file is one that the test runner itself would collect or compile as test
# code; support is code beside it (conftest.py, helpers) that only tests use.
# What only the classes in a file can tell (GDScript) is undecided before it is parsed.
PRODUCT = "product"
TEST = "test"
SUPPORT = "support"
UNDECIDED = "undecided"
PROJECT_FILE = "project-file"
TEST_CODE = (TEST, SUPPORT)
MAYBE_TEST_CODE = (*TEST_CODE, UNDECIDED)
ALL_CODE = (PRODUCT, *MAYBE_TEST_CODE)


class Unit(NamedTuple):
    """The assembly, project or package that a file is built or collected in.

    ``kind`` is ``asmdef``, ``unity`` (a predefined assembly), ``csproj``, ``godot``, ``python``
    or empty; ``path`` is the file that declares it, or its folder where nothing does.
    ``mode`` is ``EditMode`` or ``PlayMode`` for Unity test assemblies. ``facts`` holds what
    else the declaring files say, as sorted pairs, in the words of the unit's kind.
    """

    kind: str = ""
    name: str = ""
    path: str = ""
    test: bool = False
    mode: str = ""
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def fact(self, name: str) -> tuple[str, ...]:
        """The values of one fact, or nothing."""
        for key, values in self.facts:
            if key == name:
                return values
        return ()


class FileInfo(NamedTuple):
    """One guarded file: its path below the root, language, role and unit."""

    path: str
    language: str
    role: str
    unit: Unit = Unit()


class Stamp(NamedTuple):
    """What tells that a file on disk is still the one that was read."""

    size: int
    mtime_ns: int
