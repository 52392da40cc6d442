"""Assertions that a member has one constant value: the frameworks' own, conditions, and constraints.

A file says what is written; whether an assertion is a framework's, and what the member belongs
to, is found over the project.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from guards.findings.model import Candidate
from guards.languages.csharp.chains import Words
from guards.languages.csharp.constants import Formula, fold, formula
from guards.languages.csharp.evidence import Evidence
from guards.languages.csharp.expressions import called_name, dotted_name, receiver_of, unwrapped
from guards.languages.csharp.inference import Known
from guards.languages.csharp.names import compact, type_arguments
from guards.languages.csharp.results import EXCEPTION_ASSERTIONS
from guards.languages.csharp.words import words
from guards.languages.syntax import Node
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile
    from guards.languages.csharp.index import Index

_MEMBER, _PATTERN = "member", "pattern"
_EQUALITIES = words("AreEqual AreEqualIgnoringCase Equal StrictEqual")
_HOLDS, _FAILS = words("IsTrue True"), words("False IsFalse")
_THROWS = words("Catch CatchAsync Throws ThrowsAsync")
_FLUENT = words("Be BeEquivalentTo ShouldBe")
_WITH_MESSAGE = "WithMessage"
NAMES = (*sorted((*_EQUALITIES, *_HOLDS, *_FAILS, *_THROWS, *_FLUENT)), "That", _WITH_MESSAGE)
_ASSERTS = frozenset({
    "Microsoft.VisualStudio.TestTools.UnitTesting.Assert", "Microsoft.VisualStudio.TestTools.UnitTesting.StringAssert",
    "NUnit.Framework.Assert", "NUnit.Framework.ClassicAssert", "NUnit.Framework.Legacy.ClassicAssert",
    "NUnit.Framework.Legacy.StringAssert", "NUnit.Framework.StringAssert", "TUnit.Assertions.Assert", "Xunit.Assert",
})  # fmt: skip
_NUNIT = "NUnit.Framework."
_THROWS_CONSTRAINT = "NUnit.Framework.Throws"
_EXPECTED = frozenset({"actual", "expected"})
_STRING = words("string String System.String")
_ROOTS = words("Has Is Iz Throws")
_ANY_EXCEPTION = ":global::System.Exception"
_LONGEST = 64
_WILDCARDS = frozenset("*?")


class Comparison(NamedTuple):
    """A member that is compared with a constant, as its file has it: fit to become a candidate."""

    place: Place
    kind: str
    words: tuple[str, ...]
    function: str


class Compared(NamedTuple):
    """A member that a test framework compares with a constant: its chain is ``owner`` and then ``path``."""

    place: Place
    owner: Known | None
    path: tuple[str, ...]


class _Step(NamedTuple):
    """One part of a chain of members and calls."""

    name: str
    node: Node
    call: Node | None


def comparisons(file: "CSharpFile", members: Sequence[str]) -> Iterator[Comparison]:
    """The comparisons of some members, given by their simple names, and of what ``WithMessage`` expects."""
    if not any(file.spellings(name) for name in (*members, _WITH_MESSAGE)):
        return
    endings = frozenset(f".{member}" for member in members)
    found: dict[int, Comparison] = {}
    for variant, evidence in zip(file.reading.variants, file.evidence, strict=True):
        for comparison in _Variant(file, variant.data, evidence, endings).comparisons():
            found.setdefault(*comparison)
    for start in sorted(found):
        yield found[start]


class _Variant:
    """One variant of a file; ``endings`` are the last words of the chains that are looked for."""

    def __init__(self, file: "CSharpFile", data: bytes, evidence: Evidence, endings: frozenset[str]) -> None:
        self._file = file
        self._data = data
        self._evidence = evidence
        self._endings = endings

    def comparisons(self) -> Iterator[tuple[int, Comparison]]:
        for name in NAMES:
            for node in self._evidence.nodes_of(name):
                call = _call_of(node)
                arguments = self._arguments(call) if call is not None else []
                if call is None or not arguments:
                    continue
                if name in _FLUENT:
                    yield from self._fluent(call, arguments[0])
                elif name == _WITH_MESSAGE:
                    yield from self._with_message(node, call, arguments[0])
                else:
                    callee = dotted_name(call.child_by_field_name("function"), self._data)
                    if callee is not None:
                        yield from self._asserted(name, callee, arguments)

    def _asserted(self, name: str, callee: str, arguments: Sequence[Node]) -> Iterator[tuple[int, Comparison]]:
        if name in _EQUALITIES and len(arguments) > 1:
            yield from self._pair(arguments[0], arguments[1], callee)
        elif name in _HOLDS or name in _FAILS:
            yield from self._condition(arguments[0], "==" if name in _HOLDS else "!=", callee)
        elif name == "That":
            steps = self._steps(arguments[1]) if len(arguments) > 1 else []
            yield from self._constraint(steps, arguments[0], callee)
            if len(arguments) == 1 or [step.name for step in steps] == ["Is", "True"]:
                yield from self._condition(arguments[0], "==", callee)
        elif name in _THROWS:
            yield from self._constraint(self._steps(arguments[0]), None, callee)

    def _arguments(self, call: Node) -> list[Node]:
        """The values that a call is given, named ones among them."""
        arguments = call.child_by_field_name("arguments")
        given = [child for child in arguments.named_children if child.type == "argument"] if arguments else []
        values = []
        for argument in given:
            name = argument.child_by_field_name("name")
            inner = [child for child in argument.named_children if child.type != "comment" and child != name]
            if inner and (name is None or self._text(name) in _EXPECTED or len(given) == 1):
                values.append(inner[-1])
        return values

    def _condition(self, node: Node, operator: str, callee: str) -> Iterator[tuple[int, Comparison]]:
        """Comparisons of which all must hold for a condition to hold, or to fail with ``!=``."""
        pending = [node]
        while pending:
            node = pending.pop()
            inner = unwrapped(node)
            if inner is not None:
                pending.append(inner)
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            signs = {child.type for child in node.children if not child.is_named}
            if node.type == "binary_expression" and left is not None and right is not None:
                if operator in signs:
                    yield from self._pair(left, right, callee)
                elif ("&&" if operator == "==" else "||") in signs:
                    pending += (left, right)
            elif operator == "==":
                yield from self._equals(node, callee)

    def _equals(self, node: Node, callee: str) -> Iterator[tuple[int, Comparison]]:
        """``a.Equals("…")``, ``string.Equals(a, "…")`` and ``a is "…"``."""
        if node.type == "is_pattern_expression":
            value, pattern = node.child_by_field_name("expression"), node.child_by_field_name("pattern")
            if value is not None and pattern is not None and pattern.type == "constant_pattern":
                yield from self._pair(value, pattern.named_children[0], callee)
            return
        receiver = self._receiver(node, "Equals")
        arguments = self._arguments(node) if receiver is not None else []
        if receiver is not None and self._text(receiver) in _STRING and len(arguments) > 1:
            yield from self._pair(arguments[0], arguments[1], callee)
        elif receiver is not None and arguments:
            yield from self._pair(receiver, arguments[0], callee)

    def _receiver(self, node: Node, name: str) -> Node | None:
        """What a member of a name is called on; None where the node is no such call."""
        function = node.child_by_field_name("function") if node.type == "invocation_expression" else None
        is_called = function is not None and called_name(function, self._data) == name
        return receiver_of(function) if function is not None and is_called else None

    def _pair(self, left: Node, right: Node, callee: str, root: str = "") -> Iterator[tuple[int, Comparison]]:
        """A comparison, where one side is one of the members and the other is a constant."""
        for value, other in ((left, right), (right, left)):
            chain = self._evidence.of(value, with_arguments=True)
            constant = self._constant(other) if chain[-1] in self._endings else ()
            if constant:
                yield self._comparison(_member_name(value), _MEMBER, constant, callee, root, *chain)
                return

    def _constant(self, node: Node) -> Formula:
        """The formula of what is a constant text, or may be one; empty for all else."""
        return formula(node, self._data, self._evidence) if node.type != "null_literal" else ()

    def _constraint(self, steps: Sequence[_Step], value: Node | None, callee: str) -> Iterator[tuple[int, Comparison]]:
        """``Is.EqualTo("…")`` for one of the members, and ``….Message.EqualTo("…")`` for what has one."""
        begin = next((p for p, step in enumerate(steps) if step.name in _ROOTS), 0)
        root = ".".join(step.name for step in steps[: begin + 1])
        steps = steps[begin:]
        position = next((p for p, step in enumerate(steps) if step.name == "EqualTo" and step.call is not None), -1)
        call = steps[position].call if position >= 0 else None
        arguments = self._arguments(call) if call is not None else []
        if not arguments:
            return
        root = root if position else ""
        before = steps[position - 1] if position else None
        if before is None or (position == 1 and before.call is None):
            if value is not None:
                yield from self._pair(value, arguments[0], callee, root)
            return
        member, constant = self._member(before), self._constant(arguments[0])
        if f".{member}" not in self._endings or not constant:
            return
        chain = self._has_member(steps[: position - 1], value)
        if chain is not None:
            yield self._comparison(before.node, _MEMBER, constant, callee, root, *chain, f".{member}")

    def _member(self, step: _Step) -> str:
        """The member that ``.Message`` or ``.Property("Message")`` is about."""
        if step.call is None or step.name != "Property":
            return step.name if step.call is None else ""
        arguments = self._arguments(step.call)
        return (fold(arguments[0], self._data, self._file.constant, self._evidence) or "") if arguments else ""

    def _has_member(self, steps: Sequence[_Step], value: Node | None) -> Words | None:
        """The chain of what a constraint's member belongs to."""
        if steps and steps[0].name == "Throws":  # the index knows whether it is NUnit's
            return (_ANY_EXCEPTION,)
        for step in steps:
            written = type_arguments(self._text(step.node))
            if step.name in ("TypeOf", "InstanceOf") and written:
                return (f":{written[0]}",)
        return self._evidence.of(value, with_arguments=True) if value is not None else (_ANY_EXCEPTION,)

    def _fluent(self, call: Node, expected: Node) -> Iterator[tuple[int, Comparison]]:
        """``x.Should().Be("…")`` and ``x.ShouldBe("…")``."""
        value = self._receiver(call, "ShouldBe")
        if value is None:
            function = call.child_by_field_name("function")
            asked = receiver_of(function) if function is not None else None
            value = self._receiver(asked, "Should") if asked is not None else None
        if value is not None:
            yield from self._pair(value, expected, "")

    def _with_message(self, node: Node, call: Node, expected: Node) -> Iterator[tuple[int, Comparison]]:
        """FluentAssertions' expected message, which can be a pattern."""
        constant = self._constant(expected)
        function = call.child_by_field_name("function")
        receiver = function.child_by_field_name("expression") if function is not None else None
        if constant and receiver is not None:
            yield self._comparison(node, _PATTERN, constant, *self._evidence.of(receiver, with_arguments=True))

    def _steps(self, node: Node) -> list[_Step]:
        """The parts of a chain from its first name on; nothing where it does not begin with a name."""
        steps: list[_Step] = []
        following: Node | None = node
        while following is not None and len(steps) < _LONGEST:
            node, call = following, None
            if node.type == "invocation_expression":
                call, function = node, node.child_by_field_name("function")
                if function is None:
                    return []
                node = function
            name = node.child_by_field_name("name") if node.type == "member_access_expression" else node
            following = node.child_by_field_name("expression") if node.type == "member_access_expression" else None
            if name is None or name.type not in ("identifier", "generic_name", "predefined_type"):
                return []
            steps.append(_Step(self._text(name).partition("<")[0], name, call))
        return steps[::-1]

    def _comparison(self, node: Node, kind: str, constant: Formula, *said: str) -> tuple[int, Comparison]:
        scope, function = self._file.where(node.start_byte)
        place = self._file.place(node.start_byte, node.end_byte)
        return node.start_byte, Comparison(place, kind, (scope, str(len(constant)), *constant, *said), function)

    def _text(self, node: Node) -> str:
        return compact(self._data[node.start_byte : node.end_byte])


def _call_of(name: Node) -> Node | None:
    """The call whose callee ends with a name."""
    node = name.parent
    if node is not None and node.type == "generic_name":
        name, node = node, node.parent
    if node is not None and node.type == "member_access_expression" and node.child_by_field_name("name") == name:
        name, node = node, node.parent
    is_called = (
        node is not None and node.type == "invocation_expression" and node.child_by_field_name("function") == name
    )
    return node if is_called else None


def _member_name(node: Node) -> Node:
    """The name of the member that an expression ends with, or all of it."""
    inner = unwrapped(node)
    while inner is not None:
        node, inner = inner, unwrapped(inner)
    if node.type == "conditional_access_expression":
        node = node.named_children[-1]
    return node.child_by_field_name("name") or node


def compared(index: "Index", candidates: Sequence[Candidate]) -> Iterator[Compared]:
    """The members that test frameworks compare at the candidates, which come from ``comparisons``.

    A constant that product code declares is none here: who compares with it repeats nothing.
    What ``WithMessage`` expects is the member ``Message``.
    """
    for candidate in candidates:
        scope, count, *more = candidate.words
        constant, said = tuple(more[: int(count)]), more[int(count) :]
        if candidate.kind == _PATTERN:
            text = text_of_tests(index, candidate.place.path, scope, constant)
            if not text or not _WILDCARDS.isdisjoint(text):
                continue
            chain = tuple(said)
            asserted = _type_of(index, candidate, chain)
            inner = asserted.argument(0) if asserted is not None else None
            for known in (asserted, inner):
                if known is not None and EXCEPTION_ASSERTIONS in known.names:
                    yield Compared(candidate.place, known.argument(0), ("Message",))
            continue
        callee, root, *rest = said
        path = candidate.place.path
        is_asserted = not callee or any(
            full.rpartition(".")[0] in _ASSERTS for full in index.member_names(path, scope, callee)
        )
        meant = index.type_names(path, scope, root) if root else (_NUNIT,)
        by_throws = rest[0] == _ANY_EXCEPTION and root.endswith("Throws") and _THROWS_CONSTRAINT not in meant
        if not is_asserted or by_throws or not any(full.startswith(_NUNIT) for full in meant):
            continue
        if text_of_tests(index, path, scope, constant) is None:
            continue
        for length in range(1, len(rest)):
            tail = rest[-length:]
            if any("(" in word or not word.startswith(".") for word in tail):
                break
            owner = _type_of(index, candidate, tuple(rest[:-length]))
            yield Compared(candidate.place, owner, tuple(word[1:] for word in tail))


def _type_of(index: "Index", candidate: Candidate, chain: Words) -> Known | None:
    path = candidate.place.path
    open_types = dict.fromkeys(index.type_parameters(path, candidate.function))
    return index.inference.type_of(index.scope(path, candidate.words[0]), chain, open_types)


def text_of_tests(index: "Index", path: str, scope: str, formula: Formula) -> str | None:
    """The value of a formula to which test code alone contributes; None where there is none."""
    constant = index.constant(path, scope, formula)
    return constant.text if constant is not None and all(map(index.is_test, constant.declared_in)) else None
