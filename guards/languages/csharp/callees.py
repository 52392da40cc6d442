"""What is called at a place, as the source has it: for fixes that call something else instead."""

from typing import TYPE_CHECKING, NamedTuple

from guards.languages.csharp.reading import Variant
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile


class Callee(NamedTuple):
    """The byte range of ``A.B.M`` in ``A.B.M(x, y)``, and its arguments as they are written.

    ``is_plain`` says that all arguments go by position and by value.
    """

    start: int
    end: int
    arguments: tuple[str, ...]
    is_plain: bool


def callee_at(file: "CSharpFile", place: Place) -> Callee | None:
    """The callee whose last name stands at a place; None where it is not called, or not alike in all variants."""
    start = file.text.offset(place.line, place.column)
    found = {callee for variant in file.reading.variants if (callee := _in_variant(variant, start)) is not None}
    return found.pop() if len(found) == 1 else None


def _in_variant(variant: Variant, start: int) -> Callee | None:
    data = variant.data
    function = variant.tree.root_node.descendant_for_byte_range(start, start + 1)
    if function is None or function.type != "identifier":
        return None
    parent = function.parent
    if (
        parent is not None
        and parent.type == "member_access_expression"
        and parent.child_by_field_name("name") == function
    ):
        function, parent = parent, parent.parent
    if parent is None or parent.type != "invocation_expression" or parent.child_by_field_name("function") != function:
        return None
    listed = parent.child_by_field_name("arguments")
    arguments = [child for child in listed.named_children if child.type == "argument"] if listed is not None else []
    sources = tuple(data[node.start_byte : node.end_byte].decode("utf-8", "replace") for node in arguments)
    plain = all(len(node.children) == 1 for node in arguments)
    return Callee(function.start_byte, function.end_byte, sources, plain)
