"""Marks: every use of ``pytest.mark.NAME``, under whatever name ``pytest`` and ``mark`` go."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.python.nodes import chains_at, source, string_value
from guards.languages.python.references import tail
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

# ``mark as m``, and ``m = pytest.mark`` with nothing behind it.
_RENAMED = re.compile(rb"mark\s+as\s+(\w+)")
_ENDS_LINE = re.compile(rb"mark[ \t]*(?:[#;\r\n]|\Z)")
_ASSIGNED = re.compile(rb"(\w+)\s*=\s*(?:\w+\s*\.\s*)?\Z")
_NAMED = rb"\b[\s\\)]*(?:\.[\s\\]*|,\s*[\"'])(\w+)"
_MARK = re.compile(rb"mark" + _NAMED)


class Mark(NamedTuple):
    """One use of a mark: its name, and the reference of what it is an attribute of."""

    place: Place
    name: str
    maker: str


def marks_of(file: "PythonFile") -> Iterator[Mark]:
    """The uses of marks in a file, in order, as far as the file itself can tell."""
    data = file.text.data
    patterns = [_MARK, *(re.compile(rb"\b" + name + _NAMED) for name in sorted(_aliases(data)))]
    offsets = sorted({match.start(1) for pattern in patterns for match in pattern.finditer(data)})
    for chain in chains_at(file.root, offsets):
        found = _mark_at(file, chain)
        if found is not None:
            yield found


def _aliases(data: bytes) -> set[bytes]:
    names = set(_RENAMED.findall(data))
    for end in _ENDS_LINE.finditer(data):
        line = data[data.rfind(b"\n", 0, end.start()) + 1 : end.start()]
        assigned = _ASSIGNED.search(line[-200:])
        if assigned is not None:
            names.add(assigned[1])
    return names


def _mark_at(file: "PythonFile", chain: "list[Node]") -> Mark | None:
    """The mark whose name is the leaf of a chain: ``mark.NAME`` or ``getattr(mark, "NAME")``."""
    leaf = chain[-1]
    around = next((node for node in reversed(chain[:-1]) if node.type not in ("string", "argument_list")), None)
    if around is None:
        return None
    if around.type == "attribute" and leaf == around.child_by_field_name("attribute"):
        made = around.child_by_field_name("object")
        name = source(leaf, file.text.data)
    elif around.type == "call" and leaf.type == "string_content":
        made, name = _looked_up(file, around, chain[-2])
    else:
        return None
    if made is None or not name:
        return None
    maker = file.scopes.expression(made, file.scopes.at(made.start_byte))
    place = file.text.place(leaf.start_byte, leaf.end_byte)
    return Mark(place, name, maker) if tail(maker) in ("mark", "MARK_GEN") else None


def _looked_up(file: "PythonFile", call: "Node", name: "Node") -> "tuple[Node | None, str]":
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if function is None or source(function, file.text.data) != "getattr" or len(given) < 2 or given[1] != name:
        return None, ""
    return given[0], string_value(name, file.text.data) or ""
