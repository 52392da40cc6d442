"""The expressions behind names: what a name is assigned, where it is assigned once."""

from collections import defaultdict
from typing import TYPE_CHECKING

from guards.languages.python.bindings import Bound, bound_names
from guards.languages.python.nodes import bracketed, source

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.python.scope import Scope
    from guards.languages.syntax import Node

_MOST_HOPS = 5


class Values:
    """The names of one file by the scopes that bind them, each scope read when it is first asked for."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._bound: dict[int, dict[str, list[Bound]]] = {}

    def behind(self, node: "Node") -> "Node":
        """The expression that a name stands for, without brackets; the expression itself where it is no such name."""
        for _ in range(_MOST_HOPS):
            while node.type == "parenthesized_expression":
                inner = bracketed(node)
                if inner is None:
                    return node
                node = inner
            value = self._assigned(node) if node.type == "identifier" else None
            if value is None:
                return node
            node = value
        return node

    def _assigned(self, name: "Node") -> "Node | None":
        written = source(name, self._file.text.data)
        scope: Scope | None = self._file.scopes.at(name.start_byte)
        while scope is not None:
            found = self._names(scope).get(written, [])
            if found:
                # What a name is before anything is known is none of its values.
                values = [bound.value for bound in found if bound.value is None or bound.value.type != "none"]
                plain = len(values) == 1 and not any(bound.entered for bound in found)
                return values[0] if plain else None
            if written in self._file.scopes.parameter_names(scope):
                return None
            scope = scope.parent
        return None

    def _names(self, scope: "Scope") -> dict[str, list[Bound]]:
        key = id(scope)
        if key not in self._bound:
            names: dict[str, list[Bound]] = defaultdict(list)
            for binder in scope.binders:
                for bound in bound_names(binder, self._file.text.data, self._file.text.path):
                    names[bound.name].append(bound)
            self._bound[key] = names
        return self._bound[key]
