"""Where a function's return type stands, and whether those that call it in its own file could await it."""

from typing import TYPE_CHECKING

from guards.languages.csharp.facts import Function
from guards.languages.csharp.names import compact
from guards.languages.csharp.spans import Span
from guards.languages.csharp.words import words
from guards.languages.syntax import Node

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile

_METHODS = {"method_declaration": "returns", "local_function_statement": "type"}
_LAMBDAS = words("anonymous_method_expression lambda_expression")
# No function to await in, or a place where the language forbids it.
_NO_AWAIT = words(
    "accessor_declaration catch_filter_clause constructor_declaration destructor_declaration lock_statement "
    "operator_declaration property_declaration unsafe_statement"
)
_AWAITED = frozenset({"", "void", "Task", "ValueTask"})


def return_type(file: "CSharpFile", function: Function) -> Span | None:
    """The byte range of the return type of a method or local function."""
    start = file.text.offset(function.spot.line, function.spot.column)
    for variant in file.reading.variants:
        node = variant.tree.root_node.descendant_for_byte_range(start, start + 1)
        declared = _declared(node) if node is not None else None
        if declared is not None:
            return declared.byte_range
    return None


def awaiting_calls(file: "CSharpFile", name: str) -> tuple[int, ...] | None:
    """Where an ``await`` would have to stand before each call of an own function in its file.

    None where that cannot be: the name is used for anything but the function and its plain calls, one of these stands
    where nothing can be awaited, or parts of the file could not be read.
    """
    if file.reading.unread:
        return None
    calls: dict[int, set[int | None]] = {}
    for variant, evidence in zip(file.reading.variants, file.evidence, strict=True):
        for node in evidence.nodes_of(name):
            if not _is_no_use(node, name, variant.data):
                calls.setdefault(node.start_byte, set()).add(_awaitable(node, variant.data))
    found = [call for every in calls.values() for call in every]
    return None if None in found else tuple(sorted(call for call in found if call is not None))


def _declared(name: Node) -> Node | None:
    """The return type of the function that a name declares, if it does."""
    method = name.parent
    if method is None or method.type not in _METHODS or method.child_by_field_name("name") != name:
        return None
    return method.child_by_field_name(_METHODS[method.type])


def _is_no_use(node: Node, name: str, data: bytes) -> bool:
    """Whether a name is the declaration, that of an attribute, or but a word among others in a comment or a text.

    A text that is the name and nothing else can be meant for reflection.
    """
    if "string" in node.type:
        return data[node.start_byte : node.end_byte].strip(b'$@"') != name.encode()
    is_attribute = node.parent is not None and node.parent.type == "attribute"
    return node.type == "comment" or is_attribute or _declared(node) is not None


def _awaitable(node: Node, data: bytes) -> int | None:
    """Where the call of a named function begins, if nobody uses its value and it could be awaited."""
    function: Node | None = node
    if node.parent is not None and node.parent.type == "member_access_expression":
        function = (
            node.parent if data[node.parent.start_byte : node.start_byte].rstrip(b". \t\r\n") == b"this" else None
        )
    call = function.parent if function is not None else None
    holder = call.parent if call is not None and call.type == "invocation_expression" else None
    if call is None or holder is None or call.child_by_field_name("function") != function:
        return None
    if holder.type == "expression_statement":
        return call.start_byte if _can_await(holder, data) else None
    method = holder.parent if holder.type == "arrow_expression_clause" else None
    return call.start_byte if method is not None and _is_awaited(method, data) else None


def _can_await(statement: Node, data: bytes) -> bool:
    node = statement.parent
    while node is not None:
        if node.type in _NO_AWAIT:
            return False
        if node.type in _METHODS or node.type in _LAMBDAS:
            return _is_async(node, data)
        node = node.parent
    return False


def _is_async(function: Node, data: bytes) -> bool:
    return any(data[child.start_byte : child.end_byte] == b"async" for child in function.children)


def _is_awaited(function: Node, data: bytes) -> bool:
    """Whether a method whose body is one expression may await it and drop what it gives back."""
    declared = function.child_by_field_name(_METHODS.get(function.type, "type"))
    returned = compact(data[declared.start_byte : declared.end_byte]) if declared is not None else ""
    return function.type in _METHODS and _is_async(function, data) and returned.rpartition(".")[2] in _AWAITED
