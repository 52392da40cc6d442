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

_ALIAS = re.compile(rb"\bmark\s+as\s+(\w+)|\b(\w+)\s*=\s*(?:\w+\s*\.\s*)?mark\s*(?:[#;\r\n]|\Z)")


class Mark(NamedTuple):
    """One use of a mark: its name, and the reference of what it is an attribute of."""

    place: Place
    name: str
    maker: str


def marks_of(file: "PythonFile") -> Iterator[Mark]:
    """The uses of marks in a file, in order, as far as the file itself can tell."""
    data = file.text.data
    names = {b"mark", *(alias for found in _ALIAS.findall(data) for alias in found if alias)}
    pattern = re.compile(rb"\b(?:%b)\b[\s\\)]*(?:\.[\s\\]*|,\s*[\"'])(\w+)" % b"|".join(map(re.escape, sorted(names))))
    offsets = [match.start(1) for match in pattern.finditer(data)]
    for chain in chains_at(file.root, offsets):
        found = _mark_at(file, chain)
        if found is not None:
            yield found


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
