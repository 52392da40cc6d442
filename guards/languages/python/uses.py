"""Uses of a member, for rows that forbid an API: found by its name, then read where it stands."""

import re
from collections.abc import Iterator
from fnmatch import translate
from typing import TYPE_CHECKING

from guards.languages.base import CALL, READ, REFERENCE, WRITE, Use
from guards.languages.python.bindings import IMPORT
from guards.languages.python.nodes import chains_at, source, string_value
from guards.languages.python.references import UNKNOWN, attribute, constant, tail

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

_WORD = re.compile(rb"[A-Za-z_]\w*")
_CONSTANTS = frozenset({"integer", "float", "true", "false", "none"})
_BY_NAME = {"getattr": REFERENCE, "setattr": WRITE, "delattr": WRITE}
_ASSIGNING = frozenset({"assignment", "augmented_assignment", "for_statement", "for_in_clause"})
_TARGETS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"})
# Where an identifier can be a name that is given.
_NAMING = frozenset(
    {
        "class_definition", "default_parameter", "function_definition", "keyword_argument", "named_expression",
        "typed_default_parameter", "typed_parameter", "as_pattern_target",
    }
)  # fmt: skip
# Where an identifier is no expression.
_NO_USES = frozenset(
    {"dotted_name", "aliased_import", "parameters", "lambda_parameters", "global_statement", "nonlocal_statement"}
)


def find_uses(file: "PythonFile", member: str) -> Iterator[Use]:
    """Uses of what is called ``member``, a name or a glob, under any alias, in source order.

    The name of a use is a reference; an attribute that is handed on as an argument is both read
    and referred to.
    """
    pattern = re.compile(translate(member))
    aliases = {alias.encode() for alias in _aliases(file, pattern)}
    words = _WORD.finditer(file.text.data)
    offsets = [word.start() for word in words if word[0] in aliases or pattern.match(word[0].decode())]
    for chain in chains_at(file.root, offsets):
        if chain[-1].start_byte not in file.type_only:
            yield from _use_at(file, chain, pattern)


def _aliases(file: "PythonFile", pattern: re.Pattern[str]) -> Iterator[str]:
    """Names that stand for a member of another name, in any scope."""
    for bound in file.scopes.bound_anywhere():
        if bound.kind == IMPORT:
            if pattern.match(tail(bound.reference)):
                yield bound.name
        elif bound.value is not None and bound.value.type in ("attribute", "identifier", "call"):
            scope = file.scopes.at(bound.value.start_byte)
            if pattern.match(tail(file.scopes.expression(bound.value, scope))):
                yield bound.name


def _use_at(file: "PythonFile", chain: "list[Node]", pattern: re.Pattern[str]) -> Iterator[Use]:
    leaf, around = chain[-1], chain[:-1]
    if leaf.type == "string_content":
        yield from _by_name(file, chain, pattern)
        return
    if leaf.type != "identifier" or not around or around[-1].type in _NO_USES:
        return
    expression = leaf
    if around[-1].type == "attribute" and around[-1].child_by_field_name("attribute") == leaf:
        expression = around.pop()
    elif around[-1].type in _NAMING and any(
        around[-1].child_by_field_name(field) == leaf for field in ("name", "alias")
    ):
        return
    kinds = _kinds(expression, around)
    if WRITE in kinds and expression is leaf and around[-1].type != "subscript":
        return  # a name that is bound here is no longer what it was elsewhere
    scope = file.scopes.at(expression.start_byte)
    reference = file.scopes.expression(expression, scope)
    if pattern.match(tail(reference)) and tail(reference):
        arguments = tuple(_arguments(file, around[-1])) if kinds == (CALL,) else ()
        for kind in kinds:
            yield _use(file, leaf, reference, kind, arguments)


def _kinds(expression: "Node", around: "list[Node]") -> tuple[str, ...]:
    """What is done to an expression, from the nodes around it."""
    parent = around[-1]
    if parent.type == "decorator" or (parent.type == "call" and parent.child_by_field_name("function") == expression):
        return (CALL,)
    inner, depth = expression, 1
    if parent.type == "subscript" and parent.child_by_field_name("value") == expression and len(around) > 1:
        inner, depth = parent, 2
    while around[-depth].type in _TARGETS and depth < len(around):
        inner, depth = around[-depth], depth + 1
    outer = around[-depth]
    if outer.type == "delete_statement" or (outer.type in _ASSIGNING and outer.child_by_field_name("left") == inner):
        return (WRITE,)
    if outer.type == "expression_list" and len(around) > depth and around[-depth - 1].type == "delete_statement":
        return (WRITE,)
    if parent.type in ("argument_list", "keyword_argument"):
        return (READ, REFERENCE)
    return (READ,)


def _by_name(file: "PythonFile", chain: "list[Node]", pattern: re.Pattern[str]) -> Iterator[Use]:
    """``getattr(x, "name")`` and its kin."""
    data = file.text.data
    if len(chain) < 4 or chain[-3].type != "argument_list" or chain[-4].type != "call":
        return
    name, given, call = chain[-2], chain[-3].named_children, chain[-4]
    function = call.child_by_field_name("function")
    written = string_value(name, data)
    kind = _BY_NAME.get(source(function, data)) if function is not None else None
    if kind is None or written is None or not pattern.match(written) or len(given) < 2 or given[1] != name:
        return
    reference = attribute(file.scopes.expression(given[0], file.scopes.at(call.start_byte)), written)
    if reference:
        yield _use(file, name, reference, kind)


def _use(
    file: "PythonFile", name: "Node", reference: str, kind: str, arguments: tuple[tuple[str, str], ...] = ()
) -> Use:
    function = file.scopes.function_at(name.start_byte)
    place = file.text.place(name.start_byte, name.end_byte)
    return Use(place, reference, kind, "", function.path if function is not None else "", arguments)


def _arguments(file: "PythonFile", call: "Node") -> Iterator[tuple[str, str]]:
    """The arguments that are constants, by position and keyword."""
    listed = call.child_by_field_name("arguments") if call.type == "call" else None
    position = 0
    for node in listed.named_children if listed is not None else ():
        if node.type in ("list_splat", "dictionary_splat"):
            return
        if node.type == "comment":
            continue
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        is_keyword = node.type == "keyword_argument" and name is not None and value is not None
        key = source(name, file.text.data) if is_keyword and name is not None else str(position)
        position += not is_keyword
        given = value if is_keyword and value is not None else node
        written = source(given, file.text.data) if given.type in _CONSTANTS else _text(file, given)
        if written is not None:
            yield key, written


def _text(file: "PythonFile", node: "Node") -> str | None:
    return constant(file.scopes.expression(node, file.scopes.at(node.start_byte)) or UNKNOWN)
