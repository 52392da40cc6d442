"""The calls that matter to somebody, chosen by their text: a test file has hundreds that do not."""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from guards.languages.python.nodes import source
from guards.languages.python.scope import Scope
from guards.languages.python.scopes import Scopes
from guards.languages.syntax import Node
from guards.project.model import Unit

# Last names of the calls of patchers: ``mocker.patch.object``, ``monkeypatch.setattr`` …
PATCHER_NAMES = frozenset(
    {
        "patch", "object", "dict", "multiple", "context_manager", "setattr", "delattr", "setitem", "delitem",
        "create_autospec", "partial",
    }
)  # fmt: skip
# Last names of the calls that make doubles without putting them anywhere.
DOUBLE_NAMES = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock"})
_IMPORTER_NAMES = frozenset({"import_module", "__import__", "importorskip"})
REGISTER_NAMES = frozenset({"addinivalue_line"})
_ALL_NAMES = PATCHER_NAMES | DOUBLE_NAMES | _IMPORTER_NAMES | REGISTER_NAMES
_NAMES = frozenset(name.encode() for name in _ALL_NAMES)
# Modules that no helper of a project's own comes from: most calls of tests lead to one of them.
NEVER_OWNED = sys.stdlib_module_names | {"pytest", "mock", "pytest_mock"}
_OBJECTS = frozenset({b"self", b"cls"})
# A chain of names with its bracket right behind it, as nearly all calls are written.
_CHAIN = re.compile(rb"([A-Za-z_]\w*)(?:\.((?:[A-Za-z_]\w*\.)*)([A-Za-z_]\w*))?\(")
# What a call of a wrapper is given: a name as a text, or an object and a name.
_NAME = rb"\s*(?:\w+\s*=\s*)?[\"'][A-Za-z_]\w*(?:\.\w+)*"
_GIVEN_NAME = re.compile(rb"(?:%b|[^\"'()#]{1,80},%b)[\"']\s*[,)]" % (_NAME, _NAME))


class Call(NamedTuple):
    """One call.

    ``callee`` is the reference of what is called, and ``name`` its last name as written.
    ``opening`` is the offset behind the bracket that follows a plain chain of names; -1 where
    the call is written in another way.
    """

    node: Node
    scope: Scope
    callee: str
    name: str
    opening: int


def calls_in(data: bytes, scopes: Scopes, nodes: Sequence[Node], unit: Unit) -> Iterator[Call]:
    """The calls that can be a patcher's, an import or a test helper's, by where they begin.

    What a test calls of the code under test is most of the rest, and left out as far as ``unit`` tells.
    """
    wanted = scopes.helper_names(no_helpers(unit), _ALL_NAMES)
    last = -1
    for node in sorted(nodes, key=_range):
        start = node.start_byte
        # The call of what a call returns begins where that one does, and comes after it.
        match = _CHAIN.match(data, start) if start != last else None
        last = start
        if match is None:
            function = node.child_by_field_name("function")
            name = function.child_by_field_name("attribute") or function if function is not None else None
            if function is not None and name is not None and _is_wanted(function, name, data):
                scope = scopes.at(start)
                yield Call(node, scope, scopes.expression(function, scope), source(name, data), -1)
        elif _matters(match, wanted) or _GIVEN_NAME.match(data, match.end()):
            scope = scopes.at(start)
            written = match[0][:-1].decode()
            yield Call(node, scope, scopes.chain(written, scope), written.rpartition(".")[2], match.end())


def no_helpers(unit: Unit) -> frozenset[str]:
    """The modules from which no test helper comes: Python's, other people's, and the code under test."""
    return NEVER_OWNED | {name.replace("-", "_") for name in (unit.name, *unit.fact("dependencies"))}


def is_given_a_name(call: Call, data: bytes) -> bool:
    """Whether a call is given a name as a text, or an object and a name, as one that wraps a patcher is."""
    return call.opening >= 0 and _GIVEN_NAME.match(data, call.opening) is not None


def is_helper(call: Call) -> bool:
    """Whether a call can be one of a test helper of the project's own."""
    return call.opening >= 0 and call.callee[:1] not in ("", "$") and call.callee.partition(".")[0] not in NEVER_OWNED


def _matters(match: re.Match[bytes], wanted: frozenset[bytes]) -> bool:
    first, between, last = match.groups()
    if first in _OBJECTS and last is not None and not between:
        return last in wanted or last in _NAMES
    return first in wanted or (last or first) in _NAMES


def _is_wanted(function: Node, name: Node, data: bytes) -> bool:
    """Whether a call that is no plain chain matters: ``getattr(mocker, "patch")(…)`` is one such."""
    return function.type == "call" or data[name.start_byte : name.end_byte] in _NAMES


def _range(node: Node) -> tuple[int, int]:
    return node.byte_range
