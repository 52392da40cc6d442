"""Functions into the programs of ``guards.languages.flow``: statements, and in expressions what may assert.

Statements are walked over one by one. Of expressions only those nodes are looked at that a query
picks out, as a forest: a call is above the calls in its arguments.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.csharp.bodies import Bodies, Body
from guards.languages.csharp.expressions import called_name, unwrapped
from guards.languages.csharp.steps import (
    ASSERTION,
    HANDED_IN,
    LAMBDA,
    SKIP,
    UNKNOWN,
    Steps,
    kind_of_assertion,
    may_be_group,
)
from guards.languages.csharp.words import words
from guards.languages.flow.program import EITHER, FALSE, LARGEST, TRUE
from guards.languages.flow.writer import Label, Names, Writer
from guards.languages.syntax import Node, Query, captures

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile

_FUNCTIONS = ("method_declaration", "constructor_declaration", "local_function_statement")
_LAMBDAS = ("lambda_expression", "anonymous_method_expression")
_LOCALS = """
(variable_declarator name: (identifier) @variable)
(parameter name: (identifier) @local)
(implicit_parameter) @local
(foreach_statement left: (identifier) @local)
(tuple_pattern (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(recursive_pattern name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause (identifier) @local)
"""
_DECLARING = frozenset({"local_declaration_statement", "for_statement", "using_statement", "fixed_statement"})
_SHORTCUTS = frozenset({"binary_expression", "assignment_expression"})
# What of an expression matters; one captured node a pattern. Patterns of shapes take long to compile, so there are few.
_QUERY = Query(
    "csharp",
    "\n".join(f"({kind}) @function" for kind in _FUNCTIONS)
    + """
(invocation_expression) @call
(object_creation_expression) @new
(throw_expression) @throw
(lambda_expression) @lambda
(anonymous_method_expression) @lambda
(conditional_expression) @conditional
["&&" "||" "??" "??="] @operator
(switch_expression) @switch
(query_expression) @query
(argument [(identifier) (member_access_expression)] @group)
(assignment_expression right: [(identifier) (member_access_expression)] @group)
(variable_declarator "=" . [(identifier) (member_access_expression)] @group)
(initializer_expression [(identifier) (member_access_expression)] @group)
(expression_element [(identifier) (member_access_expression)] @group)
"""
    + _LOCALS,
)
_DEEPEST = 50
# Calls that run the lambda that they are given, and once.
_RUN_IT = words("Multiple MultipleAsync ToCoroutine")
_NO_STATEMENTS = frozenset({"comment", "empty_statement", "local_function_statement"})
_FOLDED = {b"true": TRUE, b"false": FALSE}
_COUNTED = re.compile(rb"(?:int|var)\s+(\w+)\s*=\s*(\d+)\s*;\s*(\w+)\s*(<=?)\s*(\d+)\s*;")
_by_start = attrgetter("start")


class _Item:
    """A node that matters in an expression, and those inside it."""

    __slots__ = ("callee", "end", "inside", "kind", "known", "node", "start")

    def __init__(self, kind: str, node: Node, data: bytes) -> None:
        self.kind = kind
        self.node = node
        self.start = node.start_byte
        self.end = node.end_byte
        self.inside: list[_Item] = []
        self.callee = node.child_by_field_name("function") if kind == "call" else None
        self.known = kind_of_assertion(data, self.callee) if self.callee is not None else ""


def _is_local(name: Node) -> bool:
    """Whether the name of a variable is one of a local."""
    declarator = name.parent
    declaration = declarator.parent if declarator is not None else None
    statement = declaration.parent if declaration is not None else None
    return statement is not None and statement.type in _DECLARING


def _shortcuts(operators: Iterable[Node]) -> Iterator[Node]:
    """The expressions of operators that may leave out their right side."""
    for operator in operators:
        if operator.parent is not None and operator.parent.type in _SHORTCUTS:
            yield operator.parent


def _forest(found: dict[str, list[Node]], data: bytes) -> list[_Item]:
    found["group"] = [node for node in found.get("group", ()) if may_be_group(data, node)]
    items = [_Item(kind, node, data) for kind, nodes in found.items() for node in nodes]
    items.sort(key=lambda item: (item.start, -item.end))
    roots: list[_Item] = []
    stack: list[_Item] = []
    for item in items:
        while stack and stack[-1].end <= item.start:
            stack.pop()
        (stack[-1].inside if stack else roots).append(item)
        stack.append(item)
    return roots


def _within(items: Sequence[_Item], start: int, end: int) -> Sequence[_Item]:
    """The items that lie in a range, without those inside them."""
    while True:
        first = bisect_left(items, start, key=_by_start)
        last = bisect_left(items, end, lo=first, key=_by_start)
        if first < last and items[first].end > end:
            items = items[first].inside
        elif first == last and first > 0 and items[first - 1].end >= end:
            items = items[first - 1].inside
        else:
            return items[first:last]


class _Variant:
    """What the bodies of one variant have in common."""

    def __init__(self, data: bytes, steps: Steps, items: Sequence[_Item], names: Names) -> None:
        self.data = data
        self.steps = steps
        self.items = items
        self.names = names
        self._starts = [item.start for item in items]
        self.assertions = [item.start for item in _all(items) if item.known == ASSERTION]

    def within(self, start: int, end: int) -> Sequence[_Item]:
        """The items that lie in a range, without those inside them."""
        first = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end, lo=first)
        if (first < last and self.items[first].end <= end) or (
            first == last and (first == 0 or self.items[first - 1].end < end)
        ):
            return self.items[first:last]
        return _within(self.items, start, end)

    def has_something(self, node: Node) -> bool:
        """Whether a function does anything that matters."""
        start, end = node.start_byte, node.end_byte
        return bool(self.within(start, end)) or b"throw" in self.data[start:end]

    def asserts(self, node: Node) -> bool:
        """Whether an assertion stands in a node for all to see."""
        first = bisect_left(self.assertions, node.start_byte)
        return first < len(self.assertions) and self.assertions[first] < node.end_byte


def _all(items: Iterable[_Item]) -> list[_Item]:
    found = list(items)
    for item in found:
        found.extend(item.inside)
    return sorted(found, key=_by_start)


class Lowering:
    """The bodies of one file."""

    def __init__(self, file: "CSharpFile") -> None:
        self._file = file
        self._functions = file.functions
        self._names = Names()
        self._programs: dict[Body, None] = {}

    def bodies(self) -> Bodies:
        """All programs, and the names of what they call."""
        for variant, evidence in zip(self._file.reading.variants, self._file.evidence, strict=True):
            data = variant.data
            found = captures(_QUERY, variant.tree.root_node)
            functions = found.pop("function", [])
            local = [*found.pop("local", ()), *filter(_is_local, found.pop("variable", ()))]
            steps = Steps(data, evidence, {data[node.start_byte : node.end_byte] for node in local})
            found["shortcut"] = list(_shortcuts(found.pop("operator", ())))
            shared = _Variant(data, steps, _forest(found, data), self._names)
            for node in functions:
                self._add(node, shared)
        for row in self._next_to_unread():
            writer = Writer(self._names)
            writer.maybe()
            self._programs[Body(row, -1, writer.finish())] = None
        return Bodies(tuple(sorted(self._programs)), self._names.all())

    def _add(self, node: Node, variant: _Variant) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        row = self._file.row_of_function(name.start_byte) if name is not None else -1
        if row < 0 or body is None or not variant.has_something(node):
            return
        function = _Function(variant, _Whole(row, node, self._parameters(row), variant.asserts(node)))
        program = function.program(body)
        for lambda_body in (*function.lambdas, Body(row, -1, program)):
            if lambda_body.program:
                self._programs[lambda_body] = None

    def _parameters(self, row: int) -> frozenset[str]:
        """The parameters of a function and of those around it."""
        names: set[str] = set()
        while row >= 0:
            names.update(parameter.name for parameter in self._functions[row].parameters)
            row = self._functions[row].outer
        return frozenset(names)

    def _next_to_unread(self) -> set[int]:
        """The functions that an unreadable region lies in, or stands beside."""
        starts = [(function.spot.line, function.spot.column) for function in self._functions]
        rows: set[int] = set()
        for start, end in self._file.reading.unread:
            around = {self._file.row_of_function(start), self._file.row_of_function(max(start, end - 1))}
            if -1 in around:
                following = bisect_right(starts, self._file.text.position(start))
                around.update((following - 1, following))
            rows.update(row for row in around if 0 <= row < len(starts))
        return rows


class _Whole(NamedTuple):
    """A function with all the lambdas in it: its row, what it is given, and whether it asserts for all to see."""

    row: int
    node: Node
    parameters: frozenset[str]
    asserts: bool


class _Function:
    """A function or a lambda on its way into a program."""

    def __init__(self, variant: _Variant, whole: _Whole, depth: int = 0) -> None:
        self.lambdas: list[Body] = []
        self._variant = variant
        self._data = variant.data
        self._whole = whole
        self._depth = depth
        self._writer = Writer(variant.names)
        self._breaks: list[Label | None] = []  # where `break` goes to; None for a loop

    def program(self, body: Node) -> str:
        """The program of a body: a block, an arrow with its expression, or an expression."""
        if body.type == "block":
            self._statement(body)
            return self._writer.finish()
        self._expression(body)
        return self._writer.finish(EITHER)

    # -- statements

    def _statement(self, node: Node) -> None:
        kind = node.type
        if kind in _NO_STATEMENTS:
            return
        if self._depth > _DEEPEST:
            self._writer.maybe()
            return
        self._depth += 1
        lower = _STATEMENTS.get(kind)
        if lower is not None:
            lower(self, node)
        elif kind in _SIMPLE:
            self._expression(node)
        else:
            self._parts(node)
        self._depth -= 1

    def _parts(self, node: Node) -> None:
        """What a node holds, in order: a block, or a statement that runs others once, as ``using`` and ``lock`` do.

        What holds no other statement is taken together with what follows it.
        """
        start = end = 0
        for child in node.named_children:
            kind = child.type
            if kind != "block" and (kind in _SIMPLE or not kind.endswith("_statement")):
                start = start or child.start_byte
                end = child.end_byte
            else:
                if start:
                    self._emit(self._variant.within(start, end))
                    start = 0
                self._statement(child)
        if start:
            self._emit(self._variant.within(start, end))

    def lower_if(self, node: Node) -> None:
        otherwise, end = Label(), Label()
        following: Node | None = node
        while following is not None and following.type == "if_statement":
            self._condition(following.child_by_field_name("condition"), otherwise)
            self._field(following, "consequence")
            following = following.child_by_field_name("alternative")
            if following is not None:
                self._writer.jump(end)
            self._writer.place(otherwise)
            otherwise = Label()
        if following is not None:
            self._statement(following)
        self._writer.place(end)

    def _condition(self, node: Node | None, otherwise: Label) -> None:
        """Goes on if a condition is true, and to the label if not."""
        if node is None:
            return
        value, call = True, node
        while True:
            inner = unwrapped(call)
            if inner is None and call.type == "prefix_unary_expression" and call.children[0].type == "!":
                inner, value = call.named_children[0], not value
            elif inner is None and call.type == "await_expression" and call.named_children:
                inner = call.named_children[0]
            if inner is None:
                break
            call = inner
        folded = _FOLDED.get(self._data[call.start_byte : call.end_byte])
        if folded is not None:
            if (folded == TRUE) != value:
                self._writer.jump(otherwise)
            return
        asked = next(iter(self._items(call)), None) if call.type == "invocation_expression" else None
        if asked is not None and asked.kind == "call" and not asked.known and asked.node == call:
            self._emit(asked.inside)
            step = self._step(asked)
            if step and step not in (UNKNOWN, HANDED_IN):
                self._writer.ask(step, when=not value, to=otherwise)
                return
            self._write(step)
        else:
            self._expression(node)
        self._writer.branch(otherwise)

    def lower_while(self, node: Node) -> None:
        loop = self._writer.open_loop(_mark(node))
        self._writer.repeat(loop)
        self._condition(node.child_by_field_name("condition"), loop.done)
        self._loop_body(node)
        self._writer.close_loop(loop)

    def lower_do(self, node: Node) -> None:
        loop = self._writer.open_loop(_mark(node))
        self._writer.place(loop.body)
        self._loop_body(node)
        self._writer.place(loop.again)
        self._condition(node.child_by_field_name("condition"), loop.done)
        self._writer.jump(loop.body)
        self._writer.close_loop(loop)

    def lower_for(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        parts = [child for child in node.named_children if child != body]
        conditions = node.children_by_field_name("condition")
        updates = node.children_by_field_name("update")
        for part in parts:
            if part not in conditions and part not in updates:
                self._expression(part)
        loop = self._writer.open_loop(_mark(node))
        if _runs(_COUNTED.search(self._data, node.start_byte, body.start_byte if body is not None else node.end_byte)):
            self._writer.jump(loop.body)
        if conditions:
            self._writer.place(loop.again)
            self._condition(conditions[0], loop.done)
            self._writer.place(loop.body)
        else:
            self._writer.repeat(loop)
        self._loop_body(node)
        for part in updates:
            self._expression(part)
        self._writer.close_loop(loop)

    def lower_foreach(self, node: Node) -> None:
        source = node.child_by_field_name("right")
        if source is not None:
            self._expression(source)
        loop = self._writer.open_loop(_mark(node))
        if source is not None and _has_elements(source):
            self._writer.jump(loop.body)
        self._writer.each(loop)
        self._loop_body(node)
        self._writer.close_loop(loop)

    def _loop_body(self, node: Node) -> None:
        self._breaks.append(None)
        self._field(node, "body")
        self._breaks.pop()

    def lower_switch(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        for child in node.named_children:
            if child != body:
                self._expression(child)
        sections = [child for child in body.named_children if child.type == "switch_section"] if body else []
        sections.sort(key=_is_default)
        end = Label()
        self._breaks.append(end)
        for position, section in enumerate(sections):
            following = Label()
            if position < len(sections) - 1 or not _is_default(section):
                self._writer.branch(following)
            self._parts(section)
            self._writer.jump(end)
            self._writer.place(following)
        self._breaks.pop()
        self._writer.place(end)

    def lower_try(self, node: Node) -> None:
        clauses = [child for child in node.named_children if child.type == "catch_clause"]
        last = next((child for child in node.named_children if child.type == "finally_clause"), None)
        self._writer.attempt(
            lambda: self._field(node, "body"),
            [self._handler(clause) for clause in clauses],
            catches_all=any(map(self._catches_all, clauses)),
            cleanup=(lambda: self._parts(last)) if last is not None else None,
        )

    def _handler(self, clause: Node) -> Callable[[], None]:
        return lambda: self._parts(clause)

    def _catches_all(self, clause: Node) -> bool:
        declared = [child for child in clause.named_children if child.type.startswith("catch_")]
        if not declared:
            return True
        named = declared[0].child_by_field_name("type")
        text = self._data[named.start_byte : named.end_byte] if named is not None else b""
        return len(declared) == 1 and text.rpartition(b".")[2] == b"Exception"

    def lower_return(self, node: Node) -> None:
        self._expression(node)
        value = node.named_children[0] if node.named_children else None
        text = self._data[value.start_byte : value.end_byte] if value is not None else b""
        self._writer.returns(_FOLDED.get(text, EITHER), _mark(node))

    def lower_throw(self, node: Node) -> None:
        self._expression(node)
        self._write(self._variant.steps.throw(node))
        self._writer.raises()

    def lower_yield(self, node: Node) -> None:
        self._expression(node)
        if any(child.type == "break" for child in node.children):
            self._writer.returns(EITHER, _mark(node))

    def lower_break(self, node: Node) -> None:
        del node
        target = self._breaks[-1] if self._breaks else None
        if target is not None:
            self._writer.jump(target)
        else:
            self._writer.break_loop()

    def lower_continue(self, node: Node) -> None:
        del node
        self._writer.continue_loop()

    def lower_goto(self, node: Node) -> None:
        del node
        self._writer.maybe()

    def _field(self, node: Node, name: str) -> None:
        child = node.child_by_field_name(name)
        if child is not None:
            self._statement(child)

    # -- expressions

    def _items(self, node: Node) -> Sequence[_Item]:
        return self._variant.within(node.start_byte, node.end_byte)

    def _expression(self, node: Node) -> None:
        self._emit(self._items(node))

    def _emit(self, items: Sequence[_Item]) -> None:
        """Items in the order in which they run: what is inside first."""
        if len(items) == 1 and not items[0].inside and items[0].kind not in _EXPRESSIONS:
            self._plain(items[0])
            return
        pending = [(item, False) for item in reversed(items)]
        while pending:
            item, done = pending.pop()
            lower = _EXPRESSIONS.get(item.kind)
            if lower is not None:
                self._deeper(lower, item)
            elif item.inside and not done:
                pending.append((item, True))
                pending.extend((inner, False) for inner in reversed(item.inside))
            else:
                self._plain(item)

    def _deeper(self, lower: "Callable[[_Function, _Item], None]", item: _Item) -> None:
        if self._depth > _DEEPEST:
            self._writer.maybe()
            return
        self._depth += 1
        lower(self, item)
        self._depth -= 1

    def _plain(self, item: _Item) -> None:
        if item.known == SKIP:
            self._writer.raises()
            return
        step = item.known or self._step(item)
        callee = item.callee
        if callee is not None and step and b"?." in self._data[callee.start_byte : callee.end_byte]:
            without = Label()
            self._writer.branch(without)
            self._write(step)
            self._writer.place(without)
        else:
            self._write(step)

    def _step(self, item: _Item) -> str:
        steps = self._variant.steps
        if item.kind == "new":
            return steps.creation(item.node)
        if item.kind == "group":
            return steps.group(item.node)
        if item.callee is None:
            return ""
        return steps.call(item.node, item.callee, self._whole.parameters, briefly=self._whole.asserts)

    def _write(self, step: str) -> None:
        if step == ASSERTION:
            self._writer.outcome()
        elif step == UNKNOWN:
            self._writer.maybe()
        elif step.startswith("&"):
            self._writer.hand(step)
        elif step:
            self._writer.call(step)

    def lower_conditional(self, item: _Item) -> None:
        otherwise, end = Label(), Label()
        self._condition(item.node.child_by_field_name("condition"), otherwise)
        self._part(item, "consequence")
        self._writer.jump(end)
        self._writer.place(otherwise)
        self._part(item, "alternative")
        self._writer.place(end)

    def lower_shortcut(self, item: _Item) -> None:
        right = item.node.child_by_field_name("right")
        border = right.start_byte if right is not None else item.end
        self._emit([inner for inner in item.inside if inner.start < border])
        without = Label()
        self._writer.branch(without)
        self._emit([inner for inner in item.inside if inner.start >= border])
        self._writer.place(without)

    def lower_switch_expression(self, item: _Item) -> None:
        """A switch expression."""
        arms = [child for child in item.node.named_children if child.type == "switch_expression_arm"]
        border = arms[0].start_byte if arms else item.end
        self._emit([inner for inner in item.inside if inner.start < border])
        end = Label()
        for position, arm in enumerate(arms):
            following = Label()
            if position < len(arms) - 1:
                self._writer.branch(following)
            self._emit(_within(item.inside, arm.start_byte, arm.end_byte))
            self._writer.jump(end)
            self._writer.place(following)
        self._writer.place(end)

    def lower_query(self, item: _Item) -> None:
        """What runs when somebody wants its values, if ever."""
        without = Label()
        self._writer.branch(without)
        self._emit(item.inside)
        self._writer.place(without)

    def lower_throw_expression(self, item: _Item) -> None:
        self._emit(item.inside)
        self._write(self._variant.steps.throw(item.node))
        self._writer.raises()

    def lower_lambda(self, item: _Item) -> None:
        """A function of its own, which whoever gets it may call."""
        body = item.node.child_by_field_name("body") or item.node.named_children[-1]
        inner = _Function(self._variant, self._whole, self._depth)
        program = inner.program(body)
        self.lambdas.extend(inner.lambdas)
        if not program:
            return
        self.lambdas.append(Body(self._whole.row, item.start, program))
        name = f"{LAMBDA}{item.start}"
        parent = item.node.parent
        if parent is not None and parent.type == "argument":
            arguments = parent.parent
            call = arguments.parent if arguments is not None else None
            callee = call.child_by_field_name("function") if call is not None else None
            if callee is not None and called_name(callee, self._data) in _RUN_IT:
                self._writer.call(name)
                return
        if parent is None or parent.type != "variable_declarator" or self._is_used(parent):
            self._writer.hand(name)

    def _is_used(self, declarator: Node) -> bool:
        """Whether a local is named again."""
        name = declarator.child_by_field_name("name")
        if name is None:
            return True
        word = re.escape(self._data[name.start_byte : name.end_byte])
        text = self._data[self._whole.node.start_byte : self._whole.node.end_byte]
        return len(re.findall(rb"\b" + word + rb"\b", text)) > 1

    def _part(self, item: _Item, field: str) -> None:
        child = item.node.child_by_field_name(field)
        if child is not None:
            self._emit(_within(item.inside, child.start_byte, child.end_byte))


def _mark(node: Node) -> int:
    """The line on which a node begins, as the mark of its place."""
    return min(node.start_point.row + 1, LARGEST)


def _is_default(section: Node) -> bool:
    return any(child.type == "default" for child in section.children)


def _runs(counted: "re.Match[bytes] | None") -> bool:
    """Whether a counting loop runs once at least."""
    if counted is None or counted[1] != counted[3] or max(len(counted[2]), len(counted[5])) > 9:
        return False
    first, last = int(counted[2]), int(counted[5])
    return first <= last if counted[4] == b"<=" else first < last


def _has_elements(source: Node) -> bool:
    """Whether what a loop goes through is written out, and is not empty."""
    if source.type in ("array_creation_expression", "implicit_array_creation_expression"):
        source = next((child for child in source.named_children if child.type == "initializer_expression"), source)
    elif source.type != "collection_expression":
        return False
    return any(child.type not in ("comment", "spread_element") for child in source.named_children) and (
        source.type in ("initializer_expression", "collection_expression")
    )


_SIMPLE = frozenset({"expression_statement", "local_declaration_statement"})
_STATEMENTS: dict[str, Callable[[_Function, Node], None]] = {
    "break_statement": _Function.lower_break,
    "continue_statement": _Function.lower_continue,
    "do_statement": _Function.lower_do,
    "for_statement": _Function.lower_for,
    "foreach_statement": _Function.lower_foreach,
    "goto_statement": _Function.lower_goto,
    "if_statement": _Function.lower_if,
    "return_statement": _Function.lower_return,
    "switch_statement": _Function.lower_switch,
    "throw_statement": _Function.lower_throw,
    "try_statement": _Function.lower_try,
    "while_statement": _Function.lower_while,
    "yield_statement": _Function.lower_yield,
}
_EXPRESSIONS: dict[str, Callable[[_Function, _Item], None]] = {
    "conditional": _Function.lower_conditional,
    "lambda": _Function.lower_lambda,
    "query": _Function.lower_query,
    "shortcut": _Function.lower_shortcut,
    "switch": _Function.lower_switch_expression,
    "throw": _Function.lower_throw_expression,
}
