"""The line of every key: checked against documents that know their own lines."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from guards.config.layer import Key
from guards.config.places import key_lines


class Written(NamedTuple):
    """Text, and the line of each key in it, counted from its own first line."""

    text: str
    lines: tuple[tuple[Key, int], ...] = ()

    def below(self, *start: str | int, line: int = 0) -> Iterator[tuple[Key, int]]:
        yield from (((*start, *key), line + own) for key, own in self.lines)


_SCALARS = st.sampled_from(
    [
        "1", "-1_000", "0xdead", "1e5", "inf", "true", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "07:32:00",
        '"a # b ] } , = x"', r'"\"[\\"', "'[a] = \"'", '""', "''", '"""a\n]\n"" b = 1\n"""', '""""x"""""',
        "'''\n[no]\n\\'''", "'''''x'''''", '"""\\\n   a\\""""', '"""#"""',
    ]
)  # fmt: skip
_NAMES = st.sampled_from(["a", "b-1", "_c", "2", '"d.e"', "'f g'", '"\\u00e9"', '"h\\"i"', '"j\'k"', '""'])
_SPACE = st.sampled_from(["", " ", "\t "])
_GAP = st.sampled_from(["", " ", "\n", "\n# x ] = [y]\n", '  # \' " """\n\n'])


def _plain(name: str) -> str:
    return next(iter(tomllib.loads(f"{name} = 1")))


def _lists(values: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    return st.lists(st.tuples(_GAP, values, _GAP), max_size=3).map(_list)


def _list(items: Sequence[tuple[str, Written, str]]) -> Written:
    text, lines = "[", []
    for number, (before, value, after) in enumerate(items):
        text += before
        line = text.count("\n")
        lines += [((number,), line), *value.below(number, line=line)]
        text += f"{value.text}{after},"
    return Written(f"{text}]", tuple(lines))


def _inlines(values: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    return st.lists(st.tuples(_NAMES, _SPACE, values), max_size=3, unique_by=lambda item: _plain(item[0])).map(_inline)


def _inline(items: Sequence[tuple[str, str, Written]]) -> Written:
    text, lines = "{", []
    for number, (name, space, value) in enumerate(items):
        text += "," * bool(number) + space + name + space + "=" + space
        line = text.count("\n")
        lines += [((_plain(name),), line), *value.below(_plain(name), line=line)]
        text += value.text + space
    return Written(f"{text}}}", tuple(lines))


_VALUES = st.recursive(_SCALARS.map(Written), lambda inner: _lists(inner) | _inlines(inner), max_leaves=8)
_PAIRS = st.lists(
    st.tuples(_GAP, st.lists(_NAMES, min_size=1, max_size=3), _SPACE, _VALUES),
    max_size=4,
    unique_by=lambda item: _plain(item[1][0]),
)


@st.composite
def documents(draw: st.DrawFn) -> Written:
    """A valid document: pairs, tables and arrays of tables, whose first names are their own."""
    lines: dict[Key, int] = {}
    text = _add_pairs(draw(_PAIRS), (), "", lines)
    for number in range(draw(st.integers(0, 3))):
        inner = draw(st.lists(_NAMES, max_size=2))
        space = draw(_SPACE)
        for index in range(draw(st.integers(0, 2))):
            header = f"{space}.{space}".join([f"t{number}", *inner])
            text = f"{text}\n{space}"
            path = [f"t{number}", *map(_plain, inner)]
            here = text.count("\n") + 1
            for depth in range(1, len(path) + 1):
                lines.setdefault(tuple(path[:depth]), here)
            lines[*path, index] = here
            text += f"[[{space}{header}{space}]]{space}# x\n"
            text = _add_pairs(draw(_PAIRS), (*path, index), text, lines)
        if draw(st.booleans()):
            text += f"\n[{space}s{number}{space}.{space}'x y'{space}]"
            here = text.count("\n") + 1
            lines[f"s{number}",] = lines[f"s{number}", "x y"] = here
            text = _add_pairs(draw(_PAIRS), (f"s{number}", "x y"), f"{text}\n", lines)
    return Written(text, tuple(lines.items()))


def _add_pairs(
    pairs: Sequence[tuple[str, Sequence[str], str, Written]], table: Key, text: str, lines: dict[Key, int]
) -> str:
    for gap, names, space, value in pairs:
        text += f"{gap}\n{space}"
        here = text.count("\n") + 1
        key = table
        for name in names:
            key = (*key, _plain(name))
            lines.setdefault(key, here)
        text += f"{space}.{space}".join(names) + f"{space}={space}"
        lines.update(value.below(*key, line=here))
        text += f"{value.text} # '\"\n"
    return text


def _keys(value: object, key: Key = ()) -> Iterator[Key]:
    if isinstance(value, Mapping):
        items: Iterator[tuple[str | int, object]] = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    else:
        return
    for name, item in items:
        yield (*key, name)
        yield from _keys(item, (*key, name))


@given(documents(), st.sampled_from(["\n", "\r\n"]))
def test_every_key_and_item_has_its_own_line(document: Written, end: str) -> None:
    parsed = tomllib.loads(document.text)
    found = key_lines(document.text.replace("\n", end))
    assert dict(found) == dict(document.lines)
    assert set(_keys(parsed)) == set(found)


def test_tables_below_an_array_of_tables_belong_to_its_last_table() -> None:
    text = "[[a]]\n[a.b]\nx = 1\n[[a]]\n[[a.c]]\ny = 1\n[[a.c]]\ny = 2\n[a.c.d]\nz = 1\n"
    lines = key_lines(text)
    assert (lines["a", 0, "b", "x"], lines["a", 1, "c", 0, "y"], lines["a", 1, "c", 1, "y"]) == (3, 6, 8)
    assert lines["a", 1, "c", 1, "d", "z"] == 10


@given(st.text("[]{}=.,\"'#\\ \nab1", max_size=60))
def test_what_is_no_toml_ends_all_the_same(text: str) -> None:
    assert all(1 <= line <= text.count("\n") + 1 for line in key_lines(text).values())
