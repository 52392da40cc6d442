"""Imports, as statements and as calls with a constant name, at any level of a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.python.bindings import dotted
from guards.languages.python.calls import Call
from guards.languages.python.nodes import source
from guards.languages.python.references import constant
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.python.file import PythonFile
    from guards.languages.syntax import Node

_IMPORTERS = frozenset({"importlib.import_module", "builtins.__import__", "pytest.importorskip"})


class Import(NamedTuple):
    """One imported module as it is written; ``names`` are those that are taken out of it, each with its place."""

    place: Place
    module: str
    names: tuple[tuple[str, Place], ...] = ()


def imports_of(file: "PythonFile") -> Iterator[Import]:
    """The imports of a file that happen when it runs, in order; relative ones are left out."""
    found: list[Import] = []
    for node in file.nodes("binder"):
        if node.type in ("import_statement", "import_from_statement") and node.start_byte not in file.type_only:
            found.extend(_of_statement(file, node))
    for call in file.calls:
        if call.callee in _IMPORTERS:
            found.extend(_of_call(file, call))
    return iter(sorted(found))


def _of_statement(file: "PythonFile", node: "Node") -> Iterator[Import]:
    module = node.child_by_field_name("module_name")
    named = node.children_by_field_name("name")
    if node.type == "import_statement":
        for child in named:
            name = child.child_by_field_name("name") or child
            yield Import(_place(file, name), dotted(name, file.text.data))
    elif module is not None and module.type == "dotted_name":
        stars = [child for child in node.named_children if child.type == "wildcard_import"]
        names = [(child.child_by_field_name("name") or child) for child in named] + stars
        listed = tuple((source(name, file.text.data), _place(file, name)) for name in names)
        yield Import(_place(file, module), dotted(module, file.text.data), listed)


def _of_call(file: "PythonFile", call: Call) -> Iterator[Import]:
    arguments = call.node.child_by_field_name("arguments")
    for argument in arguments.named_children[:1] if arguments is not None else ():
        value = argument.child_by_field_name("value") if argument.type == "keyword_argument" else argument
        module = constant(file.scopes.expression(value, call.scope)) if value is not None else None
        if module:
            yield Import(_place(file, call.node), module)


def _place(file: "PythonFile", node: "Node") -> Place:
    return file.text.place(node.start_byte, node.end_byte)
