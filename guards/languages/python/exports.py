"""Which names of a module others can have: its ``__all__``, and whether it has names that no statement binds."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from guards.languages.python.bindings import bound_names
from guards.languages.python.facts import Exports
from guards.languages.python.nodes import chains_at, source
from guards.languages.python.references import UNKNOWN, attribute, constant, tail
from guards.languages.python.scope import MODULE
from guards.languages.python.values import Values

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

_ALL = re.compile(rb"\b__all__\b")
_COLLECTIONS = frozenset({"list", "tuple", "set", "expression_list", "list_splat", "parenthesized_expression"})
_COPIES = frozenset({"builtins.list", "builtins.tuple", "builtins.sorted", "builtins.set", "builtins.frozenset"})
_ADDING = frozenset({"append", "extend"})
_CHANGING = frozenset({"clear", "insert", "pop", "remove", "__setitem__", "__delitem__", "__iadd__"})
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "as_pattern_target", "aliased_import"})
_MOST_ITEMS = 20_000

# What reads the names that there are makes none.
_NOT_READ = rb"(?!\s*\.\s*(?:copy|get|items|keys|values)\b)(?!\s*\[[^\[\]\n]*\](?!\s*=[^=]))"
# What makes names of a module at run time, each by a word without which a file has nothing of it.
_DYNAMIC = {
    b"globals": re.compile(rb"(?<!\bin )\bglobals\s*\(\s*\)" + _NOT_READ),
    b"vars": re.compile(rb"(?<!\bin )\bvars\s*\(\s*\)" + _NOT_READ),
    b"locals": re.compile(rb"\blocals\s*\(\s*\)\s*(?:\[[^\n]*\]\s*=[^=]|\.\s*(?:setdefault|update)\b)"),
    b"modules": re.compile(rb"\bmodules\s*(?:\[|\.\s*get\s*\()\s*__(?:name|package)__"),
    b"import": re.compile(rb"import(?:_module|__)\s*\(\s*__name__"),
    b"exec": re.compile(rb"(?<![.\w])(?<!def )exec\s*\("),
}
_OWN_NAME = re.compile(rb"\(\s*__name__\b")
# Helpers that are told the name of a module in order to put something in its place.
_REPLACER = re.compile(rb"(?:attach|deprecat|lazy|module)\w*\s*\Z")
_LONGEST_CALLEE = 60


def is_dynamic(data: bytes, names: Iterable[str]) -> bool:
    """Whether a module can have names that no statement binds; ``names`` are those that one does."""
    if "__getattr__" in names:
        return True
    if any(word in data and pattern.search(data) for word, pattern in _DYNAMIC.items()):
        return True
    starts = (match.start() for match in _OWN_NAME.finditer(data)) if b"__name__" in data else ()
    return any(_REPLACER.search(data[max(0, start - _LONGEST_CALLEE) : start]) for start in starts)


def exports_of(file: "PythonFile") -> Exports | None:
    """What a module says that ``import *`` takes of it; None where it does not."""
    offsets = [match.start() for match in _ALL.finditer(file.text.data)]
    if not offsets:
        return None
    reader = _Reader(file)
    for chain in chains_at(file.root, offsets):
        reader.at(chain)
    return reader.exports


class _Reader:
    """Follows what becomes of ``__all__`` from the top of a file to its end."""

    def __init__(self, file: "PythonFile") -> None:
        self._file = file
        self._data = file.text.data
        self._module = file.scopes.module
        self._values = Values(file)
        self.exports: Exports | None = None

    def at(self, chain: "list[Node]") -> None:
        """One mention of the name, the last of a chain of nodes."""
        leaf, around = chain[-1], chain[-2::-1]
        if leaf.type != "identifier" or len(around) < 2:
            return
        statement = around[0]
        match statement.type:
            case "assignment" if statement.child_by_field_name("left") == leaf:
                self._assigned(statement, around[1:])
            case "augmented_assignment" if statement.child_by_field_name("left") == leaf:
                self._added([statement.child_by_field_name("right")], around[1:])
            case "attribute" if statement.child_by_field_name("object") == leaf:
                self._method(statement, around[1:])
            case "dotted_name" if around[1].type == "import_from_statement":
                self._imported(around[1], around[2:])
            case "aliased_import" if statement.child_by_field_name("alias") != leaf:
                return
            case "subscript" if around[1].type in ("assignment", "delete_statement", "augmented_assignment"):
                self._unknown()
            case kind if kind in _PATTERNS or kind in ("delete_statement", "global_statement"):
                self._unknown()

    def _assigned(self, assignment: "Node", around: "list[Node]") -> None:
        if not self._is_of_module(assignment):
            return
        value = assignment.child_by_field_name("right")
        while value is not None and value.type == "assignment":
            value = value.child_by_field_name("right")
        if value is not None:
            self._become(self._value([value]), around)

    def _imported(self, statement: "Node", around: "list[Node]") -> None:
        if self._is_of_module(statement):
            for bound in bound_names(statement, self._data, self._file.text.path):
                if bound.name == "__all__":
                    self._become(Exports(modules=(bound.reference.rpartition(".")[0],)), around)

    def _become(self, exports: Exports, around: "list[Node]") -> None:
        if _is_certain(around):
            self.exports = exports
        else:
            self.exports = _joined(self.exports or Exports(), exports)._replace(whole=False)

    def _added(self, values: "list[Node | None]", around: "list[Node]") -> None:
        added = self._value([value for value in values if value is not None])
        certain = _is_certain(around) and all(values) and self.exports is not None
        found = _joined(self.exports or Exports(), added)
        self.exports = found if certain else found._replace(whole=False)

    def _method(self, function: "Node", around: "list[Node]") -> None:
        """``__all__.extend(…)`` and the like."""
        name, call = function.child_by_field_name("attribute"), around[0]
        written = source(name, self._data) if name is not None else ""
        arguments = call.child_by_field_name("arguments") if call.type == "call" else None
        if written in _ADDING and arguments is not None and self._is_of_module(call):
            self._added([child for child in arguments.named_children if child.type != "comment"], around[1:])
        elif written in _ADDING or written in _CHANGING:
            self._unknown()

    def _unknown(self) -> None:
        self.exports = (self.exports or Exports())._replace(whole=False)

    def _is_of_module(self, node: "Node") -> bool:
        return self._file.scopes.at(node.start_byte).kind == MODULE

    # Values

    def _value(self, nodes: "list[Node]") -> Exports:
        """The names in expressions of lists, and the modules whose ``__all__`` is in them."""
        names: dict[str, None] = {}
        modules: dict[str, None] = {}
        whole = True
        pending = list(reversed(nodes))
        for _ in range(_MOST_ITEMS):
            if not pending:
                break
            node = pending.pop()
            reference = self._reference(node)
            name = constant(reference)
            inner = self._parts(node) if name is None else []
            if name is not None:
                names[name] = None
            elif node.type == "identifier" and source(node, self._data) == "__all__" and self.exports is not None:
                names.update(dict.fromkeys(self.exports.names))
                modules.update(dict.fromkeys(self.exports.modules))
                whole = whole and self.exports.whole
            elif tail(reference) == "__all__" and "." in reference:
                modules[reference.rpartition(".")[0]] = None
            elif inner is None:
                whole = False
            else:
                pending.extend(reversed(inner))
        return Exports(tuple(names), tuple(modules), whole and not pending)

    def _reference(self, node: "Node") -> str:
        owner = node.child_by_field_name("object") if node.type == "attribute" else None
        if (
            owner is not None and owner.type == "list_splat" and owner.named_children
        ):  # as the grammar has `[*other.__all__]`
            name = node.child_by_field_name("attribute")
            inner = self._file.scopes.expression(owner.named_children[0], self._module)
            return attribute(inner, source(name, self._data)) if name is not None else UNKNOWN
        return self._file.scopes.expression(node, self._module)

    def _parts(self, node: "Node") -> "list[Node] | None":
        """The expressions that a list consists of; None for what is not understood."""
        if node.type in _COLLECTIONS:
            return [child for child in node.named_children if child.type != "comment"]
        if node.type == "binary_operator":
            operator = node.child_by_field_name("operator")
            return list(node.named_children) if operator is not None and operator.type in ("+", "|") else None
        if node.type == "call":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            given = arguments.named_children if arguments is not None else []
            copies = function is not None and self._file.scopes.expression(function, self._module) in _COPIES
            return list(given) if copies and len(given) < 2 else None
        behind = self._values.behind(node) if node.type == "identifier" else node
        return [behind] if behind != node and behind.start_byte < node.start_byte else None


def _joined(first: Exports, second: Exports) -> Exports:
    return Exports(
        tuple(dict.fromkeys((*first.names, *second.names))),
        tuple(dict.fromkeys((*first.modules, *second.modules))),
        first.whole and second.whole,
    )


def _is_certain(around: "list[Node]") -> bool:
    """Whether a statement runs whenever its module does: ``around`` is what is around it, the nearest first."""
    outer = [node.type for node in around if node.type not in ("assignment", "expression_statement")]
    return outer[:1] == ["module"]
