"""What one call, creation, throw or method group is to an assertion's search: one text.

A step is a chain of words (see ``evidence``), one a line, for a call; or one of the words below
and then what it is about. What it leads to is found over the project.
"""

import re
from collections.abc import Collection

from guards.languages.csharp.evidence import Evidence
from guards.languages.csharp.expressions import called_name, receiver_of, unwrapped
from guards.languages.csharp.frameworks import TYPES
from guards.languages.csharp.names import compact
from guards.languages.csharp.words import words
from guards.languages.syntax import Node

THROW = "throw"  # and the type that is thrown
CREATION = "new"  # and the type of the object
GROUP = "&"  # a method that is handed on and not called
LAMBDA = "=>"  # and its number in the file
SKIP = "skip"  # the test ends here and did not run
# A step that is no text: an assertion, what nobody can tell, what the function itself is given.
ASSERTION, UNKNOWN, HANDED_IN = "!", "?", "^"
SEPARATOR = "\n"

_ASSERTION = re.compile(
    rb"(?:global::)?(?:[\w.]+\.)?(?:"
    rb"(?:Assert|Warn|(?:Classic|Collection|Directory|File|String)Assert)\s*\.\s*(\w+)"
    rb"|LogAssert\s*\.\s*(?:Expect|NoUnexpectedReceived)\b"
    rb"|Record\s*\.\s*Exception(?:Async)?\b)"
    rb"|.*\.\s*Should\w*",
    re.DOTALL,
)
# Members of the classes above that fail no test: these end it, those hold others.
_SKIPS = frozenset({b"Ignore", b"Inconclusive", b"Skip"})
_HOLDERS = frozenset({b"EnterMultipleScope", b"Multiple", b"MultipleAsync", b"SkipUnless", b"SkipWhen"})
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_GROUP = re.compile(rb"(?:this|base|[A-Z]\w*)(?:\.[A-Z]\w*)*")
_ASSERTING = re.compile(rb"[Aa]ssert|[Cc]heck|[Ee]nsure|[Ee]xpect|Must|Receive|Should|Throw|[Vv]alidat|[Vv]erif")
_NAMES = ("identifier", "generic_name")
_INVOKES = ("Invoke", "DynamicInvoke")
_FUNCTIONS = ("lambda_expression", "anonymous_method_expression")
_NO_HELPERS = frozenset(name for names in TYPES.values() for name in names) | words("Action Func")
_COLLECTIONS = frozenset(TYPES["System.Collections.Generic"]) | words("Action Func")


def kind_of_assertion(data: bytes, function: Node) -> str:
    """Whether what is called is an assertion of a framework (or ends the test), as far as its spelling tells."""
    match = _ASSERTION.match(data, function.start_byte, function.end_byte)
    if match is None or match[1] in _HOLDERS:
        return ""
    return SKIP if match[1] in _SKIPS else ASSERTION


def may_be_group(data: bytes, node: Node) -> bool:
    """Whether a name or a member can be a method that is handed on: by convention those begin with a capital."""
    start, end = node.start_byte, node.end_byte
    return 65 <= data[start] <= 90 or (
        node.type == "member_access_expression"
        and (data.startswith((b"this.", b"base."), start) or _ASSERTING.search(data, start, end) is not None)
    )


def count_arguments(call: Node) -> int:
    """The number of arguments of a call; comments between them are counted, too."""
    arguments = call.child_by_field_name("arguments")
    return arguments.named_child_count if arguments is not None else 0


class Steps:
    """The steps of one variant. ``locals`` is every name that the variant gives to a local or a parameter."""

    def __init__(self, data: bytes, evidence: Evidence, names: Collection[bytes]) -> None:
        self._data = data
        self._evidence = evidence
        self._locals = names

    def call(self, call: Node, function: Node, parameters: Collection[str], *, briefly: bool) -> str:
        """The step of a call; empty for what can be none.

        Args:
            call: the call.
            function: what it calls.
            parameters: the parameters of the functions around.
            briefly: leave out calls on locals, unless they are named as assertions are.
        """
        data, start, end = self._data, function.start_byte, function.end_byte
        if _DOTTED.fullmatch(data, start, end):
            names = data[start:end].split(b".")
            if names[0] not in self._locals:
                if names == [b"nameof"]:
                    return ""
                return SEPARATOR.join([names[0].decode(), *(f".{name.decode()}" for name in names[1:])]) + (
                    f"({count_arguments(call)}"
                )
        if function.type in _NAMES:
            return self._bare(call, function, parameters)
        if called_name(function, data) in _INVOKES:
            receiver = receiver_of(function)
            if receiver is not None and receiver.type == "identifier" and self._is_local(receiver):
                return self._delegate(receiver, parameters)
        if briefly and not _ASSERTING.search(data, start, end):
            return ""
        chain = self._evidence.of(call)
        return SEPARATOR.join(chain) if len(chain) > 1 or chain[0] != UNKNOWN else UNKNOWN

    def _is_local(self, name: Node) -> bool:
        return self._data[name.start_byte : name.end_byte] in self._locals

    def _bare(self, call: Node, function: Node, parameters: Collection[str]) -> str:
        """The call of something that is named without a receiver."""
        name = compact(self._data[function.start_byte : function.end_byte])
        if function.type == "identifier" and self._evidence.of(function) != (name,):
            return self._delegate(function, parameters)
        return f"{name}({count_arguments(call)}"

    def _delegate(self, name: Node, parameters: Collection[str]) -> str:
        """The call of what a local or a parameter holds."""
        value = self._evidence.local_value(name)
        if value is None:
            written = compact(self._data[name.start_byte : name.end_byte])
            return HANDED_IN if written in parameters else UNKNOWN
        while (inner := unwrapped(value)) is not None:
            value = inner
        if value.type == "cast_expression":
            value = value.child_by_field_name("value") or value
        if value.type in _FUNCTIONS:
            return f"{LAMBDA}{value.start_byte}"
        if value.type == "object_creation_expression":  # `new Action(…)`
            return ""
        return self.group(value) or UNKNOWN

    def group(self, node: Node) -> str:
        """The step of what may be a method that is handed on; empty where it is none."""
        data, start, end = self._data, node.start_byte, node.end_byte
        if _GROUP.fullmatch(data, start, end):
            names = data[start:end].decode().split(".")
            if names[0].encode() not in self._locals and names[-1] not in ("this", "base"):
                return SEPARATOR.join([GROUP, names[0], *(f".{name}" for name in names[1:])])
        if node.type == "member_access_expression" and _ASSERTING.search(data, start, end):
            return SEPARATOR.join([GROUP, *self._evidence.of(node)])
        return ""

    def creation(self, node: Node) -> str:
        """The step of the creation of an object; empty where it is one of the platform's."""
        declared = node.child_by_field_name("type")
        if declared is None:
            return ""
        name = compact(self._data[declared.start_byte : declared.end_byte])
        head, generic, _ = name.partition("<")
        is_known = head.rpartition(".")[2] in _NO_HELPERS and (not generic or head in _COLLECTIONS)
        return "" if is_known else f"{CREATION}{SEPARATOR}{name}"

    def throw(self, node: Node) -> str:
        """The step of a ``throw``; empty where it hands on what was caught."""
        thrown = node.named_children[0] if node.named_children else None
        if thrown is None:
            return ""
        created = thrown.child_by_field_name("type") if thrown.type == "object_creation_expression" else None
        name = compact(self._data[created.start_byte : created.end_byte]) if created is not None else ""
        return f"{THROW}{SEPARATOR}{name.partition('<')[0].rpartition('.')[2]}"
