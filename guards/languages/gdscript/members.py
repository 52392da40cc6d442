"""The members of the classes of a file: each with its class and its annotations, in one pass over the class bodies.

Annotations of the script stand beside what they annotate, those in a class body inside it; and
where something did not parse, members can stand in an ERROR node or come loose from their class.
"""

from collections.abc import Iterator
from typing import NamedTuple

from guards.languages.gdscript.facts import NOWHERE, SCRIPT
from guards.languages.gdscript.nodes import first_child
from guards.languages.syntax import Node, text_of

CLASS_NAME, EXTENDS, CLASS = "class_name_statement", "extends_statement", "class_definition"
FUNCTIONS = ("function_definition", "constructor_definition")
CONSTANT, VARIABLE = "const_statement", "variable_statement"
_HEADS = (CLASS_NAME, EXTENDS)
_KINDS = frozenset({*_HEADS, CLASS, *FUNCTIONS, CONSTANT, VARIABLE, "signal_statement", "enum_definition"})


class Member(NamedTuple):
    """A statement of a class body; ``owner`` is the row of the class, ``annotations`` their names."""

    node: Node
    owner: int
    annotations: frozenset[str]


def members(root: Node, data: bytes) -> Iterator[Member]:
    """Declarations at the level of classes, in source order; the class of the n-th ``class`` statement has row n."""
    rows = SCRIPT
    above: set[str] = set()
    pending = [(SCRIPT, iter(root.named_children))]
    while pending:
        owner, siblings = pending[-1]
        node = next(siblings, None)
        if node is None:
            pending.pop()
            continue
        kind = node.type
        if kind == "annotation":
            above.add(_annotation_name(node, data))
        elif kind == "ERROR":
            above &= {"tool"}  # of the script, whatever could not be read behind it
            pending.append((owner, iter(node.named_children)))
        elif kind in _KINDS:
            loose = root.has_error and owner == SCRIPT and kind not in _HEADS and _is_indented(node, data)
            yield Member(node, NOWHERE if loose else owner, frozenset(above.union(_annotations(node, data))))
            above.clear()
            if kind == CLASS:
                rows += 1
                body = node.child_by_field_name("body")
                if body is not None:
                    pending.append((rows, iter(body.named_children)))
        elif kind != "comment":
            above.clear()


def _is_indented(node: Node, data: bytes) -> bool:
    start = node.start_byte
    return data[start - 1 : start] in (b" ", b"\t")


def _annotations(node: Node, data: bytes) -> Iterator[str]:
    first = first_child(node)
    if first is not None and first.type == "annotations":
        yield from (_annotation_name(child, data) for child in first.named_children)


def _annotation_name(node: Node, data: bytes) -> str:
    name = first_child(node)
    return text_of(name, data) if name is not None and name.type == "identifier" else ""
