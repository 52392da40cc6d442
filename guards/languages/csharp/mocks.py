"""Doubles that a mock library makes: where a file asks for one, and of which type.

A file says what is written; which library is meant, and which type, is found over the project.
Where a method hands its own type parameter to a library, its callers are the ones who choose.
"""

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from guards.findings.model import Candidate, Related
from guards.languages.csharp.chains import Words
from guards.languages.csharp.evidence import Evidence
from guards.languages.csharp.frameworks import is_known
from guards.languages.csharp.inference import ARRAY, Known
from guards.languages.csharp.names import compact, is_named, parse, type_arguments
from guards.languages.csharp.types import FunctionId
from guards.languages.csharp.words import words
from guards.languages.syntax import Node, Query, captures
from guards.source.place import Place

if TYPE_CHECKING:
    from guards.languages.csharp.file import CSharpFile
    from guards.languages.csharp.index import Index

OWN_ABSTRACTION, OWN_CLASS, FOREIGN, UNKNOWN = "abstraction", "class", "foreign", "unknown"

_NEW, _CALL, _ATTRIBUTE = "new", "call", "attribute"
_MOCK = "Moq.Mock"
_MAKERS = {
    _MOCK: words("As Of"),
    "Moq.Mocks": words("CreateMockQuery Of OneOf"),
    "Moq.MockFactory": words("Create"),
    "Moq.MockRepository": words("Create Of OneOf"),
    "NSubstitute.Substitute": words("For ForPartsOf ForTypeForwardingTo"),
    "FakeItEasy.A": words("CollectionOfDummy CollectionOfFake Dummy Fake"),
    "Telerik.JustMock.Mock": words("Create CreateLike"),
    "Rocks.Rock": words("Create Make"),
}
_NAMES = frozenset().union(*_MAKERS.values())
_SIMPLE = frozenset({"Mock"})
_ROCKS = words("Rock RockCreate RockMake RockPartial")
_DUMMIES = frozenset({"CollectionOfDummy", "Dummy"})
_VALUES = frozenset(
    f"System.{name}"
    for name in (
        "Boolean", "Byte", "Char", "DateTime", "DateTimeOffset", "Decimal", "Double", "Guid", "Int16", "Int32", "Int64",
        "Object", "Single", "String", "Threading.CancellationToken", "Threading.Tasks.Task", "TimeSpan", "UInt32",
        "Uri", "Version",
    )
)  # fmt: skip
_GENERATED = (".g.cs", ".g.i.cs", ".generated.cs")
# Kinds of node alone: to compile a pattern of shapes takes as long as to read several files.
_QUERY = Query(
    "csharp",
    """
(object_creation_expression) @new
(implicit_object_creation_expression) @target
(generic_name) @generic
(typeof_expression) @typeof
""",
)
_MOST_HELPERS = 8  # that hand a type parameter on to one another


class Creation(NamedTuple):
    """Where a double may be made, as its file has it: fit to become a candidate.

    ``function`` is the one around it, where that has type parameters or stands in one that has.
    """

    place: Place
    kind: str
    words: tuple[str, ...]
    function: str


class Double(NamedTuple):
    """A double that a mock library makes: of a type, unless that is unknown, and of some more that it has as well.

    ``related`` leads to the helper that makes it, where the type is an argument for one.
    """

    place: Place
    type: Known | None
    more: tuple[Known, ...] = ()
    related: tuple[Related, ...] = ()


def creations(file: "CSharpFile") -> Iterator[Creation]:
    """Everything in a file that may make a double, or call a method that does; ``file.creations`` keeps it."""
    found: dict[int, Creation] = {}
    for variant, evidence in zip(file.reading.variants, file.evidence, strict=True):
        for creation in _Variant(file, variant.data, evidence, variant.tree.root_node).creations():
            found.setdefault(*creation)
    for start in sorted(found):
        yield found[start]


class _Variant:
    """One variant of a file."""

    def __init__(self, file: "CSharpFile", data: bytes, evidence: Evidence, root: Node) -> None:
        self._file = file
        self._data = data
        self._evidence = evidence
        self._found = captures(_QUERY, root)

    def creations(self) -> Iterator[tuple[int, Creation]]:
        for node in self._found.get("new", ()):
            yield from self._new(node)
        for node in self._found.get("target", ()):
            yield from self._target(node)
        for name in self._found.get("generic", ()):
            generic_call = _call_of(name)
            if generic_call is not None:
                yield from self._call(generic_call, name, type_arguments(self._text(name)))
        for call, types in self._with_type_objects():
            name_node = _name_of(call)
            if name_node is not None and self._text(name_node) in _NAMES:
                yield from self._call(call, name_node, types)
        for word in _ROCKS if self._file.spellings("Rocks") else ():
            for node in (*self._evidence.nodes_of(word), *self._evidence.nodes_of(f"{word}Attribute")):
                yield from self._attribute(node)

    def _new(self, node: Node) -> Iterator[tuple[int, Creation]]:
        made = node.child_by_field_name("type")
        if made is not None and self._file.may_mean(self._text(made), _SIMPLE):
            yield self._creation(made, _NEW, f":{self._text(made)}")

    def _target(self, node: Node) -> Iterator[tuple[int, Creation]]:
        chain = self._evidence.target(node)
        is_type = len(chain) == 1 and chain[0].startswith(":")
        if chain[0] != "?" and (not is_type or self._file.may_mean(chain[0][1:], _SIMPLE)):
            yield self._creation(node, _NEW, *chain)

    def _call(self, call: Node, name: Node, types: Sequence[str]) -> Iterator[tuple[int, Creation]]:
        chain = self._evidence.of(call)
        if types and chain[0] != "?":
            yield self._creation(name, _CALL, str(len(types)), *types, *chain)

    def _with_type_objects(self) -> Iterator[tuple[Node, list[str]]]:
        """The calls that get types as objects, each with the first types that it gets."""
        found: dict[int, tuple[Node, list[str]]] = {}
        for node in self._found.get("typeof", ()):
            argument: Node | None = node.parent
            while argument is not None and argument.type in (
                "initializer_expression", "implicit_array_creation_expression", "array_creation_expression",
            ):  # fmt: skip
                argument = argument.parent
            call = argument.parent.parent if argument is not None and argument.parent is not None else None
            named = node.child_by_field_name("type")
            if argument is not None and argument.type == "argument" and call is not None and named is not None:
                is_first = argument.parent is not None and argument.parent.named_children[0] == argument
                if is_first and call.type == "invocation_expression":
                    found.setdefault(call.start_byte, (call, []))[1].append(self._text(named))
        return iter(found.values())

    def _attribute(self, node: Node) -> Iterator[tuple[int, Creation]]:
        """``[Rock(typeof(T), …)]`` and ``[RockCreate<T>]``."""
        attribute = node.parent
        while attribute is not None and attribute.type in ("generic_name", "qualified_name", "alias_qualified_name"):
            attribute = attribute.parent
        name = attribute.child_by_field_name("name") if attribute is not None else None
        if attribute is None or attribute.type != "attribute" or name is None:
            return
        types = [*type_arguments(self._text(name))]
        for of_type in self._found.get("typeof", ()):
            named = of_type.child_by_field_name("type")
            if named is not None and attribute.start_byte <= of_type.start_byte < attribute.end_byte:
                types.append(self._text(named))
        if types:
            yield self._creation(node, _ATTRIBUTE, "1", types[0], self._text(name))

    def _creation(self, node: Node, kind: str, *said: str) -> tuple[int, Creation]:
        scope, function = self._file.where(node.start_byte)
        function = function if self._file.type_parameters(function) else ""
        end = node.start_byte + len(self._data[node.start_byte : node.end_byte].partition(b"<")[0].rstrip())
        if node.type == "implicit_object_creation_expression":
            end = node.start_byte + len(b"new")
        return node.start_byte, Creation(self._file.place(node.start_byte, end), kind, (scope, *said), function)

    def _text(self, node: Node) -> str:
        return compact(self._data[node.start_byte : node.end_byte])


def _call_of(name: Node) -> Node | None:
    """The call of what a name names, with or without a receiver; None where it is not called."""
    holder = name.parent
    function: Node | None = name
    if holder is not None and holder.type == "member_binding_expression":
        function = holder.parent
    elif holder is not None and holder.child_by_field_name("name") == name:
        function = holder
    call = function.parent if function is not None else None
    if call is None or call.type != "invocation_expression":
        return None
    return call if call.child_by_field_name("function") == function else None


def _name_of(call: Node) -> Node | None:
    """The name of what a call calls."""
    function = call.child_by_field_name("function")
    if function is not None and function.type == "member_access_expression":
        return function.child_by_field_name("name")
    return function if function is not None and function.type == "identifier" else None


def doubles(index: "Index", candidates: Sequence[Candidate], is_wanted: Callable[[str], bool]) -> Iterator[Double]:
    """The doubles that are made at the candidates, which come from ``creations``.

    Those that are made in a file that nobody wants to know of are passed over, but not what its
    helpers make for others.
    """
    made: list[tuple[Candidate, str]] = []
    for candidate in candidates:
        if not candidate.function and not is_wanted(candidate.place.path):
            continue
        if candidate.kind == _NEW:
            mock = _type_of(index, candidate, candidate.words[1:])
            if mock is not None and _MOCK in mock.names:
                yield Double(candidate.place, mock.argument(0))
                made.extend((candidate, text) for text in type_arguments(candidate.words[1]))
            continue
        types = _types_of_maker(index, candidate)
        made.extend((candidate, text) for text in types)
        if types:
            known = [_type_of(index, candidate, (f":{text}",)) for text in types]
            name = _name(candidate)
            first = None if name == "As" or (name in _DUMMIES and _is_value(known[0])) else known[0]
            more = known if name == "As" else known[1:]
            yield Double(candidate.place, first, tuple(type_ for type_ in more if type_ is not None))
    yield from _through_helpers(index, [candidate for candidate in candidates if candidate.kind == _CALL], made)


def _is_value(known: Known | None) -> bool:
    return known is not None and not _VALUES.isdisjoint(known.names)


def _type_of(index: "Index", candidate: Candidate, chain: Words) -> Known | None:
    path = candidate.place.path
    scope = index.scope(path, candidate.words[0])
    open_types = dict.fromkeys(index.type_parameters(path, candidate.function))
    return index.inference.type_of(scope, chain, open_types)


def _split(candidate: Candidate) -> tuple[tuple[str, ...], Words]:
    """The types that a call is given, and its chain."""
    count = int(candidate.words[1])
    return candidate.words[2 : 2 + count], candidate.words[2 + count :]


def _name(candidate: Candidate) -> str:
    return candidate.words[-1].removeprefix(".").partition("(")[0].partition("<")[0]


def _types_of_maker(index: "Index", candidate: Candidate) -> tuple[str, ...]:
    """The types of which a call makes a double; nothing where it calls no mock library."""
    name = _name(candidate)
    if candidate.kind == _CALL and name not in _NAMES:
        return ()
    path, scope = candidate.place.path, candidate.words[0]
    types, chain = _split(candidate)
    if candidate.kind == _ATTRIBUTE:
        meant = index.attribute_names(path, scope, chain[0].partition("<")[0])
        return types if any(full.startswith("Rocks.Rock") for full in meant) else ()
    if len(chain) == 1:
        owners = {
            full.rpartition(".")[0] for full in index.resolver.member_names(index.scope(path, scope), parse(name))
        }
    else:
        owner = _type_of(index, candidate, chain[:-1])
        owners = set(owner.names) if owner is not None else set()
    if not any(name in _MAKERS.get(owner, ()) for owner in owners):
        return ()
    return types[:1] if name == "ForTypeForwardingTo" else types


def _through_helpers(
    index: "Index", calls: Sequence[Candidate], made: Sequence[tuple[Candidate, str]]
) -> Iterator[Double]:
    """The doubles that methods make of the types that their callers give them."""
    helpers: dict[FunctionId, dict[int, Place]] = {}
    for _ in range(_MOST_HELPERS):
        before = sum(map(len, helpers.values()))
        for candidate, text in made:
            parameter = _parameter(index, candidate, text)
            if parameter is not None:
                helpers.setdefault(parameter[0], {}).setdefault(parameter[1], candidate.place)
        if sum(map(len, helpers.values())) == before:
            break
        made = [(call, text) for call, text, _ in _calls_of(index, calls, helpers)]
    for call, text, place in _calls_of(index, calls, helpers) if helpers else ():
        known = _type_of(index, call, (f":{text}",))
        yield Double(call.place, known, (), (Related(place, f"`{_name(call)}` makes a double of its type parameter"),))


def _parameter(index: "Index", candidate: Candidate, text: str) -> tuple[FunctionId, int] | None:
    """The function around a candidate, and the number of its type parameter that a name means."""
    path, row = candidate.place.path, int(candidate.function or -1)
    while row >= 0:
        function = index.function(path, str(row))
        if text in function.type_parameters:
            return FunctionId(path, row), function.type_parameters.index(text)
        row = function.outer
    return None


def _calls_of(
    index: "Index", calls: Sequence[Candidate], helpers: dict[FunctionId, dict[int, Place]]
) -> Iterator[tuple[Candidate, str, Place]]:
    """The calls of some helpers, each with the type of which a double is made and the place where that happens."""
    names = {index.types.function(function).name for function in helpers}
    for call in calls:
        if _name(call) not in names:
            continue
        path = call.place.path
        types, chain = _split(call)
        open_types = dict.fromkeys(index.type_parameters(path, call.function))
        for function in index.inference.called(index.scope(path, call.words[0]), chain, open_types):
            for position, place in helpers.get(function, {}).items():
                if position < len(types):
                    yield call, types[position], place


def ownership(index: "Index", known: Known, owned: Sequence[str]) -> str:
    """Whose a type is. ``owned`` are names, or globs of them, that are the project's own wherever they come from.

    Where nothing tells the namespace of a type, it is foreign if some namespace is imported that
    neither the project nor a table knows.
    """
    declared = known.declared
    if declared is not None:
        if all(path.endswith(_GENERATED) for path, _, _ in declared.parts):
            return FOREIGN
        if declared.kind in ("interface", "delegate") or "abstract" in declared.modifiers:
            return OWN_ABSTRACTION
        return OWN_CLASS if declared.kind in ("class", "record") else UNKNOWN
    if known.names == (ARRAY,) or any(
        is_named(full, glob) or is_named(full, f"{glob}.*") for full in known.names for glob in owned
    ):
        return UNKNOWN
    spaces = [full.rpartition(".")[::2] for full in known.names]
    sure = any(is_known(space, name, arity) for space, name in spaces for arity in (0, 1))
    return FOREIGN if sure or any(space and space not in index.types.namespaces for space, _ in spaces) else UNKNOWN


def _is_below(full: str, glob: str) -> bool:
    """Whether a name is one that a glob means, or lies in a namespace that it means."""
    return is_named(full, glob) or fnmatchcase(full, f"{glob}.*")
