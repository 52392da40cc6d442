import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.source.json_tree import MOST_LEVELS, Value, parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


def plain(value: Value) -> object:
    """What the standard library makes of the same value."""
    if value.kind == "object":
        return {member.key: plain(member.value) for member in value.members}
    if value.kind == "array":
        return [plain(item) for item in value.items]
    return value.text if value.kind == "string" else json.loads(value.text)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_reads_what_others_write(value: object, indent: int | None, ensure_ascii: bool) -> None:  # noqa: FBT001 hypothesis fills it in
    data = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii).encode("utf-8", "replace")
    document = parse_json(data)
    assert document.error is None
    assert document.root is not None
    if b"\\ud" not in data:
        assert plain(document.root) == json.loads(data)
    assert (document.root.start, document.root.end) == (0, len(data))


@given(st.text(alphabet='{}[]:,"\\ u0a1-.etrufalsn\n', max_size=40))
def test_agrees_with_others_on_what_is_no_json(text: str) -> None:
    try:
        json.loads(text, parse_constant=lambda _name: 1 / 0)
    except (ValueError, ZeroDivisionError):
        assert parse_json(text.encode()).error is not None
    else:
        assert parse_json(text.encode()).error is None


def test_every_key_and_value_has_its_place() -> None:
    data = b'{ "a": [1, "b"],\n  "\\u00e9": {"c": true} }'
    root = parse_json(data).root
    assert root is not None
    (first, second) = root.members
    assert data[first.start : first.end] == b'"a"'
    assert [data[item.start : item.end] for item in first.value.items] == [b"1", b'"b"']
    assert second.key == "é"
    assert data[second.value.start : second.value.end] == b'{"c": true}'


def test_of_two_equal_keys_the_last_is_the_one_that_readers_take() -> None:
    root = parse_json(b'{"a": 1, "a": 2}').root
    assert root is not None
    value = root.get("a")
    assert value is not None
    assert value.text == "2"
    assert len(root.members) == 2


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", 0),
        (b"{", 1),
        (b'{"a": 1,}', 8),
        (b'{"a" 1}', 5),
        (b"[1 2]", 3),
        (b"[1,]", 3),
        (b"[1]]", 3),
        (b"[1}", 2),
        (b"// x\n{}", 0),
        (b'{"a": "x\n"}', 6),
        (b"[01]", 1),
        (b"truest", 0),
        (b'"\\x"', 0),
        (b"\xff", 0),
    ],
)
def test_an_error_has_a_place(data: bytes, error: int) -> None:
    assert parse_json(data).error == error


def test_what_stands_before_an_error_is_kept() -> None:
    root = parse_json(b'{"a": ["x", "y"], "b": {"c": 1, oops').root
    assert root is not None
    assert [value.text for value in root.strings("a")] == ["x", "y"]
    assert [member.key for member in root.members] == ["a", "b"]


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_nesting_is_an_error_at_its_place(opening: bytes) -> None:
    document = parse_json(opening * 100_000)
    assert document.error == len(opening) * MOST_LEVELS


def test_halves_of_characters_can_be_written_anywhere() -> None:
    root = parse_json(b'["\\ud83d\\ude00", "\\ud83d", "\\ude00x"]').root
    assert root is not None
    first, *others = (item.text for item in root.items)
    assert first == "😀"
    for text in others:
        text.encode()


def test_a_large_document_takes_a_moment() -> None:
    item = b'{"name": "\\"' + b"x" * 100 + b'", "list": [1, 2, 3]},'
    data = b"[" + item * 10_000 + b"0]"
    assert parse_json(data).error is None
    assert parse_json(b'"' + b"\\\\" * 1_000_000).error == 0
