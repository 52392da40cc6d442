"""Members that are named to reflection: ``typeof(T).GetMethod("M")`` and its relatives."""

from collections.abc import Mapping

from guards.languages.csharp.constants import LookUp, fold
from guards.languages.csharp.evidence import Evidence
from guards.languages.csharp.expressions import call_of_argument, called_name, receiver_of, unwrapped
from guards.languages.csharp.names import compact
from guards.languages.csharp.words import words
from guards.languages.syntax import Node

LOOKUPS = words(
    "CreateDelegate GetDeclaredEvent GetDeclaredField GetDeclaredMethod GetDeclaredMethods GetDeclaredProperty "
    "GetEvent GetField GetMember GetMethod GetProperty GetRuntimeEvent GetRuntimeField GetRuntimeMethod "
    "GetRuntimeProperty InvokeMember"
)


class Reflection:
    """Looks through one variant; ``initialisers`` are the values of variables whose name is declared once."""

    def __init__(self, data: bytes, constants: LookUp, evidence: Evidence, initialisers: Mapping[str, Node]) -> None:
        self._data = data
        self._constants = constants
        self._evidence = evidence
        self._initialisers = initialisers

    def owner(self, name: Node) -> str | None:
        """The type whose member an argument names to reflection, as written; None where it names nothing."""
        call = call_of_argument(name)
        function = call.child_by_field_name("function") if call is not None else None
        if call is None or function is None or called_name(function, self._data) not in LOOKUPS:
            return None
        receiver = receiver_of(function)
        owner = self._type(receiver) if receiver is not None else None
        return owner or self._type_argument(call, name)

    def _type_argument(self, call: Node, name: Node) -> str | None:
        """The last type before the name: ``CreateDelegate(typeof(Action), typeof(T), "M")``."""
        arguments = call.child_by_field_name("arguments")
        owner = None
        for argument in arguments.named_children if arguments is not None else ():
            if argument.start_byte >= name.start_byte:
                break
            owner = self._type(argument.named_children[-1]) or owner if argument.named_children else owner
        return owner

    def _type(self, node: Node) -> str | None:
        """The type that an expression of type ``Type`` means."""
        for _ in range(8):
            if node.type == "typeof_expression":
                named = node.child_by_field_name("type")
                return compact(self._data[named.start_byte : named.end_byte]) if named is not None else None
            inner = self._through(node) if node.type == "invocation_expression" else None
            if isinstance(inner, str):
                return inner
            if node.type == "identifier":
                inner = self._initialisers.get(compact(self._data[node.start_byte : node.end_byte]))
            following = inner or unwrapped(node)
            if following is None:
                return None
            node = following
        return None

    def _through(self, call: Node) -> Node | str | None:
        """What ``x.GetTypeInfo()`` is asked of, and the name in ``Type.GetType("N.T, Assembly")``."""
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or arguments is None:
            return None
        called = called_name(function, self._data)
        if called == "GetTypeInfo":
            return receiver_of(function)
        first = next((child for child in arguments.named_children if child.type == "argument"), None)
        if called != "GetType" or first is None:
            return None
        name = fold(first.named_children[-1], self._data, self._constants, self._evidence)
        return "global::" + name.partition(",")[0].partition("`")[0].replace("+", ".").strip() if name else None
