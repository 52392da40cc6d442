"""The one door to py-tree-sitter: nothing else in the program imports it.

The binding has traps that are shut here, once: queries yield matches out of order, sets of
captures lose their grouping, predicates fail in silence, a cancelled parse resumes with the
old text, and one kept node keeps a tree 25 times its source alive. So: no predicates, at
most three captures on a node, matches sorted by place, a new parser for each file, and
nothing but plain values leaves the functions that hold nodes.
"""

import time
from collections.abc import Iterator
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import NamedTuple

import tree_sitter
from tree_sitter import Node, Tree

__all__ = [
    "CPU_LIMIT_SECONDS", "GaveUp", "GrammarMissing", "Node", "Query", "Tree",
    "depth", "error_nodes", "error_spans", "matches", "parse", "text_of", "walk",
]  # fmt: skip

CPU_LIMIT_SECONDS = 20.0
_CHUNK = 1 << 16
_GRAMMARS = {"csharp": "tree_sitter_c_sharp", "gdscript": "tree_sitter_gdscript", "python": "tree_sitter_python"}


class GrammarMissing(Exception):
    """The grammar of this language is not installed; ``str()`` is the language."""


class GaveUp(Exception):
    """The CPU limit was reached while parsing."""


class Query(NamedTuple):
    """The text of a query without predicates, for one language."""

    language: str
    source: str


@cache
def _language(name: str) -> tree_sitter.Language:
    """The grammar of a language, from the compiled part of its package alone.

    The packages' own ``__init__`` imports ``importlib.resources`` for queries that nobody here
    reads, which costs more than all the rest of a run on one file.
    """
    package = find_spec(_GRAMMARS[name])
    binding = package and PathFinder.find_spec(f"{package.name}._binding", package.submodule_search_locations)
    if binding is None or binding.loader is None:
        raise GrammarMissing(name)
    module = module_from_spec(binding)
    binding.loader.exec_module(module)
    return tree_sitter.Language(module.language())


@cache
def _compiled(query: Query) -> tree_sitter.Query:
    if "#" in query.source:
        raise ValueError("queries here have no predicates: they fail in silence")
    return tree_sitter.Query(_language(query.language), query.source)


def parse(language: str, data: bytes, *, cpu_limit: float = CPU_LIMIT_SECONDS) -> Tree:
    """Parses UTF-8 bytes.

    The limit is asked for between steps of the parser. A single step can be quadratic in the
    length of a hostile file (``a<a<a<…`` in C#), so such files are parsed in a process of
    their own that can be killed: see ``guards.engine.isolation``.

    Raises:
        GrammarMissing: the grammar is an optional package that is not installed.
        GaveUp: the parse took more than ``cpu_limit`` seconds of CPU time.
    """
    # Only a read callback makes the binding ask the progress callback, and a new parser
    # is what keeps a cancelled parse from going on with the text of the file before.
    parser = tree_sitter.Parser(_language(language))
    deadline = time.process_time() + cpu_limit

    def read(offset: int, _point: object) -> bytes:
        return data[offset : offset + _CHUNK]

    def out_of_time(_offset: int, _has_error: object) -> bool:
        return time.process_time() > deadline

    try:
        return parser.parse(read, progress_callback=out_of_time)
    except ValueError:
        raise GaveUp from None


def matches(query: Query, node: Node) -> list[tuple[int, dict[str, list[Node]]]]:
    """All matches below ``node`` as (pattern index, nodes by capture name), in source order."""
    found = tree_sitter.QueryCursor(_compiled(query)).matches(node)
    found.sort(key=_match_order)
    return found


def captures(query: Query, node: Node) -> dict[str, list[Node]]:
    """All captured nodes below ``node`` by capture name, each list in source order.

    The binding collects captures into a set and loses which belong together, so this is for
    queries in which every pattern captures one node; there it is the quickest way.
    """
    found = tree_sitter.QueryCursor(_compiled(query)).captures(node)
    for nodes in found.values():
        nodes.sort(key=_start_byte)
    return found


def _match_order(match: tuple[int, dict[str, list[Node]]]) -> tuple[int, int, int]:
    pattern, captures = match
    first = min((nodes[0] for nodes in captures.values() if nodes), key=_start_byte)
    return first.start_byte, -first.end_byte, pattern


def _start_byte(node: Node) -> int:
    return node.start_byte


def text_of(node: Node, data: bytes) -> str:
    """The source text of a node; ``data`` is what was parsed."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def walk(node: Node) -> Iterator[Node]:
    """``node`` and all below it, in source order, without recursion (trees can be very deep)."""
    cursor = node.walk()
    depth = 0
    while True:
        if cursor.node is not None:
            yield cursor.node
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if depth == 0:
                return
            cursor.goto_parent()
            depth -= 1


def depth(root: Node) -> int:
    """How deep the tree is."""
    cursor = root.walk()
    deepest = level = 1
    while True:
        if cursor.goto_first_child():
            level += 1
            deepest = max(deepest, level)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return deepest
            level -= 1


def error_nodes(root: Node) -> list[Node]:
    """The nodes that did not parse, in order and none inside another.

    A tree can have an error with no ERROR or MISSING node to be reached, so the deepest
    node that has an error, with no child that has one, is the place.
    """
    found: list[Node] = []
    pending = [root] if root.has_error else []
    while pending:
        node = pending.pop()
        inner = [child for child in node.children if child.has_error]
        if node.is_error or node.is_missing or not inner:
            found.append(node)
        else:
            pending.extend(reversed(inner))
    return found


def error_spans(root: Node) -> list[tuple[int, int]]:
    """Byte ranges that did not parse: those of ``error_nodes``."""
    return [node.byte_range for node in error_nodes(root)]
