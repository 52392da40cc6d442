"""What can still run behind a statement, in the function around it."""

from collections.abc import Iterator

from guards.languages.syntax import Node

_BLOCKS = frozenset({"body", "match_body"})
_LOOPS = frozenset({"for_statement", "while_statement"})
# A part of a statement: what follows the statement follows the part.
_PARTS = frozenset({"elif_clause", "else_clause", "pattern_section"})
_FUNCTIONS = frozenset({"function_definition", "constructor_definition", "lambda"})
_BREAK, _CONTINUE, RETURN = "break_statement", "continue_statement", "return_statement"


def statement_of(node: Node) -> Node | None:
    """The statement that a node is in, if it stands in a block of a function."""
    inner: Node | None = node
    while inner is not None and inner.parent is not None and inner.parent.type not in _BLOCKS:
        inner = inner.parent
    return inner if inner is not None and inner.parent is not None else None


def following(statement: Node) -> Iterator[Node]:
    """The statements that can run behind one, in their order, up to a ``return``, which is the last.

    A loop around it comes as a whole, since it goes round again.
    """
    current: Node | None = statement
    while current is not None:
        sibling = current.next_named_sibling
        if sibling is None:
            current = _around(current)
            if current is not None and current.type in _LOOPS:
                yield current
            continue
        if sibling.type == _BREAK:
            current = _loop_around(sibling)
            continue
        if sibling.type == _CONTINUE:
            loop = _loop_around(sibling)
            if loop is not None:
                yield loop
            return
        if sibling.type != "comment":
            yield sibling
        if sibling.type == RETURN:
            return
        current = sibling


def _around(statement: Node) -> Node | None:
    """The statement whose last part ends with this one; None at the end of the function."""
    outer = statement.parent
    while outer is not None and (outer.type in _BLOCKS or outer.type in _PARTS):
        outer = outer.parent
    return None if outer is None or outer.type in _FUNCTIONS else outer


def _loop_around(statement: Node) -> Node | None:
    outer = _around(statement)
    while outer is not None and outer.type not in _LOOPS:
        outer = _around(outer)
    return outer
