"""What happens in the functions of a file that may matter to a suite: calls of its own functions, however spelled.

A callee is named as its class sees it:

- ``name`` for a function of the class or of a base, or an assertion of the framework;
- ``super.name`` for what the class overrides;
- ``&name`` for a function that is called through a value of that name, which may be no function;
- ``#3`` for the fourth lambda of the file;
- ``.name`` for a method of another object that a framework may count as an outcome;
- ``~callee`` for one that is called later, at the end of the frame.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from guards.languages.gdscript.facts import NOWHERE
from guards.languages.gdscript.frameworks import OUTCOME_METHOD_PREFIX, OUTCOME_PREFIX
from guards.languages.gdscript.nodes import called, first_child, parts_of
from guards.languages.syntax import Node

if TYPE_CHECKING:
    from guards.languages.gdscript.file import GDScriptFile

# How a callee gets to run.
CALLED: Final = "called"
PERHAPS_CALLED: Final = "perhaps called"  # for each element of an array that may hold none, or is not looked through
HANDED: Final = "handed"  # to somebody who may call it
ANYTHING: Final = "anything"  # a call of nobody knows what

LATER: Final = "~"
VALUE: Final = "&"
LAMBDA: Final = "#"
METHOD: Final = "."
OVERRIDDEN: Final = "super."

_NAME = rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*)"
# Between brackets, or behind a backslash, an expression goes on on the next line.
_SPACE = rb"(?:[\s\\]|\#[^\n]*\n)*"
_BARE_CALL = re.compile(_NAME + _SPACE + rb"\(")
_OWN_CALL = re.compile(rb"(self|super)" + _SPACE + rb"\." + _SPACE + _NAME + _SPACE + rb"\(")
_SELF_IN_BRACKETS = re.compile(rb"\(" + _SPACE + rb"self\b")
_CALL_BY_NAME: Final = frozenset({"call", "callv"})
_CALL_LATER: Final = frozenset({"call_deferred", "call_thread_safe"})
_BINDS: Final = frozenset({"bind", "bindv", "unbind"})
_FOR_EACH: Final = frozenset({"map", "filter", "any", "all", "reduce"})
_FOR_EVERY: Final = frozenset({"map", "filter"})  # these look at every element
# Of other objects these may be outcomes.
_OUTCOME_METHODS: Final = (OUTCOME_METHOD_PREFIX, OUTCOME_PREFIX)
_THROUGH = re.compile(
    rb"\."
    + _SPACE
    + rb"(call|callv|call_deferred|call_thread_safe|bind|bindv|unbind|map|filter|any|all|reduce|"
    + rb"|".join(prefix.encode() + rb"\w+" for prefix in _OUTCOME_METHODS)
    + rb")"
    + _SPACE
    + rb"\("
)
# Functions of GDScript that tests call often: none of a class. To know them saves room, no more.
_OF_THE_LANGUAGE: Final = frozenset((
    "abs", "absf", "absi", "assert", "bool", "ceil", "clamp", "error_string", "float", "floor", "hash",
    "inst_to_dict", "instance_from_id", "int", "is_equal_approx", "is_instance_of", "is_instance_valid",
    "is_nan", "is_zero_approx", "len", "lerp", "load", "max", "maxf", "maxi", "min", "minf", "mini",
    "preload", "print", "print_debug", "print_rich", "printerr", "prints", "push_error", "push_warning",
    "randf", "randi", "range", "round", "snapped", "sqrt", "str", "str_to_var", "type_string", "typeof",
    "var_to_str", "weakref",
))  # fmt: skip
# Methods that take an object and never call a function of it that its class does not know of.
_TAKES_OBJECT: Final = frozenset({"add_child", "remove_child", "connect", "disconnect", "is_connected"})
_MAX_DEPTH: Final = 8


class Event(NamedTuple):
    """A callee that runs, or may run, at a place: the range of the call, or of what is handed on."""

    start: int
    end: int
    how: str
    callee: str = ""


class Events:
    """The events of the functions that are asked for, and of the lambdas in them.

    Args:
        file: the file.
        names: the names of its functions, by their rows.
        rows: the rows of the functions that are asked for.
    """

    def __init__(self, file: "GDScriptFile", names: Sequence[str], rows: frozenset[int]) -> None:
        self._file = file
        self._types = file.types
        self._structure = file.structure
        self._data = file.text.data
        self._rows = rows
        self._names = names
        self._own = frozenset(names)
        # Where callables stand that an event has been made of, or that are bound to a name.
        self._consumed: set[int] = set()
        self._found: dict[int, list[Event]] = {}
        # Whether something that may assert stands in no function: in a setter, or in a lambda that a member holds.
        self.outside = False
        for start, end, how, callee in [*self._of_calls(), *self._of_own_members(), *self._through_methods()]:
            self._add(start, end, how, callee)
        for start, end, how, callee in [*self._of_lambdas(), *self._of_callables(), *self._of_handed_names()]:
            self._add(start, end, how, callee)
        for events in self._found.values():
            events.sort()

    def of_function(self, row: int) -> Sequence[Event]:
        """The events of a function itself, in source order."""
        return self._found.get(row, ())

    def of_lambda(self, row: int) -> Sequence[Event]:
        """The events of a lambda itself."""
        return self._found.get(-2 - row, ())

    def _add(self, start: int, end: int, how: str, callee: str) -> None:
        row = self._structure.function_at(start)
        if row in self._rows:
            # What is handed on stands where the lambda stands, not in it.
            inside = self._structure.lambda_around(start, end)
            body = row if inside == NOWHERE else -2 - inside
            self._found.setdefault(body, []).append(Event(start, end, how, callee))
        elif row == NOWHERE and (how == ANYTHING or callee.startswith(OUTCOME_PREFIX)):
            self.outside = True

    def _of_calls(self) -> Iterator[Event]:
        """``helper()``, ``super()``, ``call("helper")``."""
        for node in self._file.nodes("call"):
            start = node.start_byte
            match = _BARE_CALL.match(self._data, start)
            if match is None:
                continue
            name = match[1].decode("utf-8", "replace")
            if name in _OF_THE_LANGUAGE or (name[:1].isupper() and name not in self._own):
                continue
            if name in _CALL_BY_NAME or name in _CALL_LATER:
                yield self._by_name(node, start, node.end_byte, name)
            elif name == "super":
                row = self._structure.function_at(start)
                if row != NOWHERE:
                    yield Event(start, node.end_byte, CALLED, OVERRIDDEN + self._names[row])
            else:
                yield Event(start, node.end_byte, CALLED, name)

    def _of_own_members(self) -> Iterator[Event]:
        """``self.helper()`` and ``super.helper()``."""
        for node in self._file.nodes("attribute"):
            match = _OWN_CALL.match(self._data, node.start_byte)
            if match is None:
                if _SELF_IN_BRACKETS.match(self._data, node.start_byte):
                    yield Event(*node.byte_range, ANYTHING)
                continue
            name = match[2].decode("utf-8", "replace")
            part = parts_of(node)[1]
            if name in _CALL_BY_NAME or name in _CALL_LATER:
                yield self._by_name(part, node.start_byte, part.end_byte, name)
            else:
                prefix = OVERRIDDEN if match[1] == b"super" else ""
                yield Event(node.start_byte, part.end_byte, CALLED, prefix + name)

    def _by_name(self, node: Node, start: int, end: int, method: str) -> Event:
        """``call("helper")``."""
        _, arguments = called(node)
        name = self._method_name(arguments[0]) if arguments else None
        if name is None or name in _CALL_BY_NAME or name in _CALL_LATER:
            return Event(start, end, ANYTHING)
        return Event(start, end, HANDED, LATER + name) if method in _CALL_LATER else Event(start, end, CALLED, name)

    def _through_methods(self) -> Iterator[Event]:
        """What runs, or is made, through a method of a Callable or of an array."""
        for match in _THROUGH.finditer(self._data):
            method = match[1].decode()
            name = self._file.root.descendant_for_byte_range(*match.span(1))
            call = name.parent if name is not None and name.type == "identifier" else None
            node = call.parent if call is not None and call.type == "attribute_call" else None
            if call is None or node is None or node.type != "attribute":
                continue
            parts = parts_of(node)
            position = next((index for index, part in enumerate(parts) if part.start_byte == call.start_byte), 0)
            if position:
                yield from self._through_method(parts, position, method)

    def _through_method(self, parts: Sequence[Node], position: int, method: str) -> Iterator[Event]:
        start, end = parts[0].start_byte, parts[position].end_byte
        before = parts[:position]
        is_self = position == 1 and self._types.text(parts[0]) in ("self", "super")
        _, arguments = called(parts[position])
        if method in _FOR_EACH:
            yield from self._for_each(before, arguments, method, start, end)
        elif method in _BINDS:
            callee = self._callable(before) if position == len(parts) - 1 and not self._is_bound(parts[0]) else None
            if callee is not None:
                yield Event(start, end, HANDED, callee)
        elif method.startswith(_OUTCOME_METHODS):
            if not is_self:
                yield Event(start, end, CALLED, METHOD + method)
        elif not is_self:
            callee = self._callable(before)
            if callee is None:
                # Of an object that is none of ours ``call("name")`` runs a method of it.
                is_named = bool(arguments) and self._method_name(arguments[0]) is not None
                if not is_named or self._types.of_chain(before, len(before)) == "Callable":
                    yield Event(start, end, ANYTHING)
            elif method in _CALL_LATER:
                yield Event(start, end, HANDED, LATER + callee)
            else:
                yield Event(start, end, CALLED, callee)

    def _for_each(
        self, before: Sequence[Node], arguments: Sequence[Node], method: str, start: int, end: int
    ) -> Iterator[Event]:
        """``[1, 2].map(check)``."""
        callee = self._callable_of(arguments[0]) if arguments else None
        if callee is None:
            return
        if len(before) > 1 or before[0].type != "array":
            yield Event(start, end, HANDED, callee)
        elif parts_of(before[0]):
            yield Event(start, end, CALLED if method in _FOR_EVERY else PERHAPS_CALLED, callee)

    def _of_lambdas(self) -> Iterator[Event]:
        """Lambdas that are neither called on the spot nor bound to a local name: somebody gets them."""
        for row, node in enumerate(self._structure.lambdas):
            if node.type == "lambda" and node.start_byte not in self._consumed and not self._is_bound(node):
                yield Event(*node.byte_range, HANDED, f"{LAMBDA}{row}")

    def _of_callables(self) -> Iterator[Event]:
        """``Callable(self, "helper")``, likewise."""
        for node in self._file.nodes("call"):
            if not self._data.startswith(b"Callable", node.start_byte) or self._is_bound(node):
                continue
            _, arguments = called(node)
            if arguments and arguments[0].start_byte not in self._consumed and self._types.text(arguments[0]) == "self":
                callee = self._from_callable(arguments)
                yield Event(
                    *node.byte_range, ANYTHING if callee is None else HANDED, (callee or "").removeprefix(VALUE)
                )

    def _is_bound(self, node: Node) -> bool:
        """Whether a value is that of a local name, which is written nowhere else."""
        parent = node.parent
        while parent is not None and parent.type in ("parenthesized_expression", "attribute"):
            parent = parent.parent
        return parent is not None and parent.type == "variable_statement" and self._types.is_settled(parent)

    def _of_handed_names(self) -> Iterator[Event]:
        """Functions, and names that hold one, which are arguments, elements, results or are stored; and the suite."""
        for node in self._file.nodes("initial"):
            if self._types.text(node) == "self":
                yield Event(*node.byte_range, ANYTHING)
        known: dict[tuple[int, str], str | None] = {}
        for kind in ("argument", "handed"):
            for node in self._file.nodes(kind):
                start = node.start_byte
                if start in self._consumed:
                    continue
                name = self._types.text(node)
                if name == "self":
                    if kind == "handed" or self._takes_self(node):
                        yield Event(start, node.end_byte, ANYTHING)
                    continue
                key = (self._structure.function_at(start), name)
                if key not in known:
                    known[key] = self._handed(node, name)
                callee = known[key]
                if callee is not None:
                    yield Event(start, node.end_byte, HANDED, callee)

    def _handed(self, node: Node, name: str) -> str | None:
        """The function that a name holds, or that it may be: one that nothing declares here may be one of a base."""
        if name[:1].isupper() and name not in self._own:
            return None
        callee = self._callable_of(node)
        return callee.removeprefix(VALUE) if callee is not None else None

    def _takes_self(self, node: Node) -> bool:
        """Whether the suite goes to somebody who could call its assertions."""
        arguments = node.parent
        method, _ = called(arguments.parent) if arguments is not None and arguments.parent is not None else (None, [])
        name = self._types.text(method) if method is not None else ""
        return name not in _TAKES_OBJECT and name not in _OF_THE_LANGUAGE

    def _callable(self, parts: Sequence[Node], depth: int = 0) -> str | None:
        """The function that the parts of ``a.b`` are, as a value; None where nobody can tell."""
        if len(parts) == 1:
            return self._callable_of(parts[0], depth)
        method, arguments = called(parts[-1])
        name = self._types.text(method) if method is not None else ""
        if name in _BINDS:
            return self._callable(parts[:-1], depth)
        owner = self._types.text(parts[0]) if len(parts) == 2 else ""
        if owner == "Callable" and name == "create":
            return self._from_callable(arguments)
        if owner in ("self", "super") and parts[1].type == "identifier":
            return (VALUE if owner == "self" else OVERRIDDEN) + self._types.text(parts[1])
        return None

    def _callable_of(self, node: Node, depth: int = 0) -> str | None:
        """The function that an expression is, as a value; None where nobody can tell."""
        kind = node.type if depth <= _MAX_DEPTH else ""
        if kind == "lambda":
            self._consumed.add(node.start_byte)
            return f"{LAMBDA}{self._structure.lambda_at(node.start_byte)}"
        if kind == "identifier":
            self._consumed.add(node.start_byte)
            return self._callable_of_name(node, depth)
        if kind == "attribute":
            return self._callable(parts_of(node), depth + 1)
        if kind == "parenthesized_expression":
            inner = first_child(node)
            return self._callable_of(inner, depth + 1) if inner is not None else None
        method, arguments = called(node)
        is_callable = kind == "call" and method is not None and self._types.text(method) == "Callable"
        return self._from_callable(arguments) if is_callable else None

    def _callable_of_name(self, node: Node, depth: int) -> str | None:
        name = self._types.text(node)
        declared = self._types.local(node)
        if declared:
            value = declared[0].child_by_field_name("value") if self._types.is_settled(declared[0]) else None
            return self._callable_of(value, depth + 1) if value is not None and len(declared) == 1 else None
        if name in self._own:
            return name
        return None if self._types.declares(node) else VALUE + name

    def _from_callable(self, arguments: Sequence[Node]) -> str | None:
        """``Callable(self, "name")``."""
        if len(arguments) != 2 or self._types.text(arguments[0]) != "self":
            return None
        self._consumed.add(arguments[0].start_byte)
        name = self._method_name(arguments[1])
        return VALUE + name if name is not None else None

    def _method_name(self, node: Node) -> str | None:
        """The name of a function that an expression holds: a text, or a constant that is one."""
        name = self._types.constant(node) if node.type in ("string", "string_name", "identifier") else None
        return name if name is not None and name.isidentifier() else None
