"""What literals of GDScript stand for."""

import pytest

from guards.languages.gdscript.engine_classes import SINGLETONS, ancestors
from guards.languages.gdscript.literals import number_value, string_value


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('""', ""),
        ('"a"', "a"),
        ("'a'", "a"),
        ('"""a"""', "a"),
        ("'''a\nb'''", "a\nb"),
        ('""""a"""', '"a'),
        ('&"a"', "a"),
        ("^'a/b'", "a/b"),
        ('r"\\n"', "\\n"),
        ('"\\n\\t\\\\\\""', '\n\t\\"'),
        ('"\\u00e9"', "é"),
        ('"\\U01F600"', "😀"),
        ('"a\\\nb"', "ab"),
        ('"\\q"', "q"),
        ('"\\uD83D"', None),
        ('"\\U110000"', None),
        ('"', None),
        ('"a', None),
        ("a", None),
        ("", None),
    ],
)
def test_the_text_of_a_string(literal: str, value: str | None) -> None:
    assert string_value(literal) == value


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("2500", "2500"),
        ("2_500", "2500"),
        ("0x9c4", "2500"),
        ("0b1_0", "2"),
        ("007", "7"),
        ("0", "0"),
        ("1.50", "1.50"),
        ("1_0.5", "10.5"),
        ("1e3", "1e3"),
        ("0x", "0x"),
        ("0x_", "0x"),
        ("0x" + "f" * 5000, "0x" + "f" * 5000),
    ],
)
def test_a_number_has_one_spelling(literal: str, value: str) -> None:
    assert number_value(literal) == value


def test_the_engine_s_classes_know_their_bases() -> None:
    assert ancestors("AcceptDialog") == ("AcceptDialog", "Window", "Viewport", "Node", "Object")
    assert ancestors("Object") == ("Object",)
    assert ancestors("Resource") == ("Resource", "RefCounted", "Object")
    assert ancestors("McpTestSuite") == ()
    assert {"OS", "EditorInterface", "DisplayServer", "Engine", "Time"} <= SINGLETONS
    assert all(ancestors(name)[-1:] == ("Object",) for name in SINGLETONS)
