"""Facts as bytes: whole when they are looked at, and not at all where no encoding knows them."""

import pytest

from guards.engine.packing import FACTS, OUTLINE_TYPE, packed, unpacked
from guards.languages.csharp import Facts, open_file, outline
from guards.project.model import TEST, FileInfo
from guards.source.text import SourceText


def facts(text: str) -> Facts:
    return open_file(SourceText("a.cs", text.encode()), FileInfo("a.cs", "csharp", TEST)).facts()


def test_facts_and_outline_come_back_whole() -> None:
    given = facts(
        'namespace N { [A("b", X.Y)] class C : D<int> { const string E = "e" + F; void G(params int[] h) { } } }'
    )
    waiting = packed(given, "csharp")
    assert waiting is not None
    assert unpacked("csharp", FACTS, waiting.facts) == given
    assert unpacked("csharp", OUTLINE_TYPE, waiting.outline) == outline(given)


@pytest.mark.parametrize("value", [b"", b"\xc1", b"\x90", b"text"])
def test_bytes_that_are_no_facts_give_none(value: bytes) -> None:
    assert unpacked("csharp", FACTS, value) is None


def test_what_no_encoding_knows_is_not_packed() -> None:
    assert packed(("\ud800",), "python") is None
