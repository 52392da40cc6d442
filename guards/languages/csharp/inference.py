"""The types of expressions: chains of words (see ``evidence``) followed over the project's types.

There are three answers. A type that is known; a type of which only guesses can be given, since
no source and no table confirms any; and None, which is no answer at all. Methods are chosen by
the number of their arguments, and where several fit and differ, nothing is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from guards.languages.csharp.chains import TUPLE, Call, read_call, read_tuple
from guards.languages.csharp.facts import Function, Parameter
from guards.languages.csharp.generics import ARRAY, ARRAY_TYPE, DEEPEST_TYPE, Generic, Known, infer, is_a, unify
from guards.languages.csharp.names import Name, parse, plain, split, type_arguments
from guards.languages.csharp.resolve import Resolver, Sort
from guards.languages.csharp.results import (
    AWAITED,
    COLLECTIONS,
    DICTIONARIES,
    ONE_OF,
    OUT_OF_COLLECTIONS,
    OUT_OF_DICTIONARIES,
    PAIR,
    SAME_KIND,
    SHOULD,
    result_of,
)
from guards.languages.csharp.types import Declared, FunctionId, Scope, Types

__all__ = ["ARRAY", "EXCEPTION", "Inference", "Known"]

EXCEPTION = "System.Exception"
TUPLE_TYPE = "System.ValueTuple"
_SEVERAL = "System.Collections.Generic.IEnumerable"
_NOT_THERE = object()


Bindings = Mapping[str, "Known | None"]


class Asked(NamedTuple):
    """A call with the types that it gives: type arguments, and arguments with what sort of function they are."""

    call: Call
    types: "tuple[Known | None, ...]" = ()
    given: "tuple[tuple[str, Known | None], ...]" = ()


_NO_BINDINGS: Bindings = {}


class Inference:
    """Follows chains; ``bindings`` tell what type parameters around an expression stand for, None for unknown."""

    def __init__(self, types: Types, resolver: Resolver) -> None:
        self._types = types
        self._resolver = resolver

    def type_of(self, scope: Scope, words: Sequence[str], bindings: Bindings = _NO_BINDINGS) -> Known | None:
        """The type of an expression that stands in a scope."""
        state, rest = self._begin(scope, words, bindings)
        for word in rest:
            state = self._next(state, word, scope, bindings)
        return state

    def called(self, scope: Scope, words: Sequence[str], bindings: Bindings = _NO_BINDINGS) -> tuple[FunctionId, ...]:
        """The project's methods that a call, which is the last word of a chain, can mean."""
        call = read_call(words[-1])
        known = self.type_of(scope, words[:-1], bindings) if len(words) > 1 else None
        owners = (known,) if known is not None else self._owners_of_bare(scope, call.name) if len(words) == 1 else ()
        for owner in owners:
            for base in self.with_bases(owner):
                fitting = self._fitting(base, call)
                if fitting:
                    return fitting
        return tuple(function for function, _ in self._extensions(known, call, scope)) if known is not None else ()

    def named(self, scope: Scope, text: str, bindings: Bindings = _NO_BINDINGS, depth: int = 0) -> Known | None:
        """The type that is written as ``text`` in a scope."""
        text = text.removeprefix("scoped ").removeprefix("ref ").removeprefix("readonly ").rstrip("?")
        if depth > DEEPEST_TYPE or not text:
            return None
        if text[0] == "(" and text[-1] == ")":
            elements = [_element_of_type(element) for element in split(text[1:-1], ",")]
            types = tuple(self.named(scope, type_, bindings, depth + 1) for type_, _ in elements)
            return Known((TUPLE_TYPE,), types, None, tuple(name for _, name in elements))
        if text in bindings:
            return bindings[text]
        array = ARRAY_TYPE.fullmatch(text)
        if array is not None:
            return Known((ARRAY,), (self.named(scope, array[1], bindings, depth + 1),))
        names = self._resolver.type_names(scope, text)
        if not names:
            return None
        written = type_arguments(text)
        target = self._resolver.alias_target(scope, text) if not written else None
        if target is not None:
            scope, written = target[0], type_arguments(target[1])
        arguments = tuple(self.named(scope, argument, bindings, depth + 1) for argument in written)
        declared = next((known for full in names if (known := self._types.find(full, scope.path))), None)
        return Known(tuple(dict.fromkeys(map(plain, names))), arguments, declared)

    def is_exception(self, known: Known | None) -> bool:
        """Whether a type derives from ``System.Exception``; outside of the project its name tells."""
        if known is None:
            return False
        return any(
            name.endswith("Exception")
            for base in self.with_bases(known)
            if base.declared is None
            for name in base.names
        )

    def with_bases(self, known: Known) -> Iterator[Known]:
        """A type and what it derives from, nearest first, with the type arguments that each has."""
        seen: set[Declared] = set()
        pending = [known]
        while pending:
            current = pending.pop(0)
            if current.declared is None:
                yield current
            elif current.declared not in seen:
                seen.add(current.declared)
                yield current
                for path, _, part in current.declared.parts:
                    scope = Scope(path, part.namespace, part.outer)
                    bases = (self.named(scope, base, _bound(part.type_parameters, current)) for base in part.bases)
                    pending.extend(base for base in bases if base is not None)

    # -- the first word

    def _begin(self, scope: Scope, words: Sequence[str], bindings: Bindings) -> "tuple[Known | None, Sequence[str]]":
        first = words[0]
        if first.startswith(":"):
            return self.named(scope, first[1:], bindings), words[1:]
        if first in ("?", "this", "base"):
            return self._this(scope) if first != "?" else None, words[1:]
        if "(" in first:
            is_tuple = first.startswith(TUPLE)
            begin = self._tuple(scope, first, bindings) if is_tuple else self._bare_call(scope, first, bindings)
            return begin, words[1:]
        if "::" not in first:
            for around in self._around(scope):
                found = self._member(around, first)
                if found is not _NOT_THERE:
                    return _as_known(found), words[1:]
        return self._static(scope, words, bindings)

    def _this(self, scope: Scope) -> Known | None:
        return next(self._around(scope), None)

    def _around(self, scope: Scope) -> Iterator[Known]:
        """The types around a scope, from inside out."""
        declared = self._types.at(scope.path, scope.type) if scope.type >= 0 else None
        while declared is not None:
            yield Known((plain(declared.full),), (), declared)
            declared = self._types.outer(declared)

    def _tuple(self, scope: Scope, word: str, bindings: Bindings) -> Known:
        elements = read_tuple(word)
        types = tuple(self.type_of(scope, element.words, bindings) for element in elements)
        return Known((TUPLE_TYPE,), types, None, tuple(element.label for element in elements))

    def _bare_call(self, scope: Scope, word: str, bindings: Bindings) -> Known | None:
        call = read_call(word)
        asked = self._asked(call, scope, bindings)
        for owner in self._owners_of_bare(scope, call.name):
            found = self._called(owner, asked)
            if found is not _NOT_THERE:
                return _as_known(found)
        return None

    def _owners_of_bare(self, scope: Scope, name: str) -> Iterator[Known]:
        """The types that a member can belong to which is named without a receiver, nearest first."""
        yield from self._around(scope)
        for full in self._resolver.member_names(scope, parse(name)):
            owner = full.rpartition(".")[0]
            yield Known((owner,), (), self._types.find(owner, scope.path))

    def _static(self, scope: Scope, words: Sequence[str], bindings: Bindings) -> "tuple[Known | None, Sequence[str]]":
        """The type or a static member that a dotted name begins with."""
        length = 1
        while length < len(words) and words[length].startswith(".") and "(" not in words[length]:
            length += 1
        name = parse("".join(words[:length]))
        guesses: list[tuple[Known, Sequence[str]]] = []
        for end in range(len(name.parts), 0, -1):
            found = self._resolver.meanings(scope, Name(name.qualifier, name.parts[:end]))
            sure = [meaning.full for meaning in found if meaning.sort is Sort.TYPE]
            if sure:
                declared = next((known for full in sure if (known := self._types.find(full, scope.path))), None)
                written = tuple(self.named(scope, argument, bindings) for argument in type_arguments(words[end - 1]))
                return Known(tuple(map(plain, sure)), written, declared), words[end:]
            guessed = tuple(plain(meaning.full) for meaning in found if meaning.sort is Sort.GUESS)
            if guessed and end < len(words):
                guesses.append((Known(guessed), words[end:]))
        for guess, rest in guesses:
            following = self._next(guess, rest[0], scope, bindings)
            if following is not None:
                return following, rest[1:]
        return None, words[length:]

    # -- the other words

    def _next(self, known: Known | None, word: str, scope: Scope, bindings: Bindings) -> Known | None:
        if known is None:  # `Should` can be called on everything
            return Known((SHOULD,)) if word.startswith(".Should(") else None
        if word == "await":
            return known.argument(0) if AWAITED.intersection(known.names) else None
        if word in ("each", "[]"):
            return self.element(known, word)
        if "(" in word:
            return self._next_call(known, word, scope, bindings)
        if word[0] == "#":
            return self._part(known, int(word[1:]))
        return _as_known(self._member(known, word[1:].partition("<")[0]))

    def _next_call(self, known: Known, word: str, scope: Scope, bindings: Bindings) -> Known | None:
        call = read_call(word)
        asked = self._asked(call, scope, bindings)
        found = self._called(known, asked)
        if found is not _NOT_THERE:
            return _as_known(found)
        own = list(self._extensions(known, call, scope))
        if not own:
            return self._usual_extension(known, call.name) if call.out < 0 else None
        results = {self._returned(function, known, asked, receiver) for function, receiver in own}
        return results.pop() if len(results) == 1 else None

    def _part(self, known: Known, position: int) -> Known | None:
        """What a deconstruction puts in some place."""
        if TUPLE_TYPE in known.names or PAIR in known.names:
            return known.argument(position)
        found = self._called(known, Asked(Call("Deconstruct", (), -1, (), position)))
        if found is not _NOT_THERE:
            return _as_known(found)
        if known.declared is None or known.declared.kind not in ("record", "record struct"):
            return None
        values = [m.name for _, _, part in known.declared.parts for m in part.members if m.kind == "parameter"]
        return _as_known(self._declared_member(known, values[position])) if position < len(values) else None

    def _extensions(self, known: Known, call: Call, scope: Scope) -> "Iterator[tuple[FunctionId, Bindings]]":
        """The project's extension methods that a call on a type can mean, with what the receiver tells of them."""
        if len(known.names) > 1:
            return
        for function in self._types.extensions(call.name):
            row = self._types.function(function)
            if not _fits(row, row.parameters[1:], call):
                continue
            inner = self._types.scope(function)
            if not self._resolver.sees_extension(scope, inner, row):
                continue
            bound: dict[str, Known | None] = {}
            unify(self, row.parameters[0].type, known, Generic(inner, row.type_parameters, bound))
            wanted = self.named(inner, row.parameters[0].type, bound)
            if wanted is not None and is_a(self, known, wanted):
                yield function, bound

    def _usual_extension(self, known: Known, name: str) -> Known | None:
        """What an extension gives that everybody has."""
        if name == "Should":
            return Known((SHOULD,))
        element = self.element(known, "each") if name in ONE_OF or name in SAME_KIND else None
        return element if element is None or name in ONE_OF else Known((_SEVERAL,), (element,))

    def _asked(self, call: Call, scope: Scope, bindings: Bindings) -> "Asked":
        """A call with the types that it gives."""
        types = tuple(self.named(scope, argument, bindings) for argument in call.type_arguments)
        given = tuple((each.label, self.type_of(scope, each.words, bindings)) for each in call.given)
        return Asked(call, types, given)

    def element(self, known: Known, how: str) -> Known | None:
        """The type of one of several values: ``each`` of them, or ``[]`` by an index or a key."""
        for base in self.with_bases(known):
            if base.names == (ARRAY,) or COLLECTIONS.intersection(base.names):
                return base.argument(0)
            if DICTIONARIES.intersection(base.names):
                return base.argument(1) if how == "[]" else Known((PAIR,), base.arguments)
        return None

    def _member(self, known: Known, name: str) -> object:
        """The type of a field, property or enum member; ``_NOT_THERE`` where none has the name."""
        if TUPLE_TYPE in known.names:
            return _element_of(known, name)
        for base in self.with_bases(known):
            found = self._declared_member(base, name)
            found = self._outside(base, name, ()) if found is _NOT_THERE else found
            if found is not _NOT_THERE:
                return found
        return _NOT_THERE

    def _declared_member(self, known: Known, name: str) -> object:
        declared = known.declared
        if declared is None:
            return _NOT_THERE
        for path, row, part in declared.parts:
            for member in part.members:
                if member.name == name:
                    if member.kind == "enum member":
                        return known
                    scope = Scope(path, part.namespace, row)
                    return self.named(scope, member.type, _bound(part.type_parameters, known))
        for function in declared.functions.get(name, ()):
            if self._types.function(function).kind == "property":
                return self._returned(function, known, Asked(Call(name, (), 0)))
        return None if name in declared.functions else _NOT_THERE

    def _called(self, known: Known, asked: "Asked") -> object:
        """What a call of a method gives; ``_NOT_THERE`` where none has the name and takes so many arguments."""
        call = asked.call
        for base in self.with_bases(known):
            fitting = self._fitting(base, call)
            if fitting:
                results = {self._returned(function, base, asked) for function in fitting}
                return results.pop() if len(results) == 1 else None
            if call.out >= 0:
                found = self._taken_out(base, asked)
            else:
                found = self._outside(base, f"{call.name}()", asked.types)
            if found is not _NOT_THERE:
                return found
        return _NOT_THERE

    def _taken_out(self, known: Known, asked: "Asked") -> object:
        """What the ``out`` argument of a well-known method gets."""
        if asked.call.name in OUT_OF_DICTIONARIES and DICTIONARIES.intersection(known.names):
            return known.argument(1)
        if asked.call.name in OUT_OF_COLLECTIONS and COLLECTIONS.intersection(known.names):
            return known.argument(0)
        return _NOT_THERE

    def _fitting(self, known: Known, call: Call) -> tuple[FunctionId, ...]:
        """The methods of a name in a type itself that can be called so."""
        functions = known.declared.functions.get(call.name, ()) if known.declared is not None else ()
        return tuple(f for f in functions if _fits(self._types.function(f), self._types.function(f).parameters, call))

    def _returned(
        self, function: FunctionId, known: Known, asked: "Asked", receiver: Bindings = _NO_BINDINGS
    ) -> Known | None:
        """What a method gives, or puts into an ``out`` argument; ``receiver`` is what an extension is told by that."""
        row = self._types.function(function)
        owner = self._types.owner(function)
        scope = self._types.scope(function)
        parameters = row.parameters[1:] if receiver is not _NO_BINDINGS else row.parameters
        bindings = dict(_bound(owner.parts[0][2].type_parameters, known)) if owner is not None and not receiver else {}
        bound = dict(receiver)
        if row.type_parameters and not asked.types:
            infer(self, parameters, asked.given, Generic(scope, row.type_parameters, bound))
        bindings.update(dict.fromkeys(row.type_parameters))
        bindings.update(bound)
        bindings.update(zip(row.type_parameters, asked.types, strict=False))
        text = row.returns
        if asked.call.out >= 0:
            if asked.call.out >= len(parameters):
                return None
            text = parameters[asked.call.out].type
        return self.named(scope, text, bindings)

    def _outside(self, known: Known, member: str, arguments: "tuple[Known | None, ...]") -> object:
        """What the table says of a member; the project can declare a type of the table itself, or a part of one."""
        owners = [*known.names]
        if known.declared is None and any(name.endswith("Exception") for name in owners):
            owners.append(EXCEPTION)
        for owner in owners:
            text = result_of(owner, member)
            if text:
                return _given(text, known, arguments)
        return _NOT_THERE


def _given(text: str, known: Known, arguments: "tuple[Known | None, ...]") -> Known | None:
    """The type that an entry of the table stands for."""
    first, bar, otherwise = text.partition("|")
    if bar and "<" not in first:
        return _given(first if arguments else otherwise, known, arguments)
    if text == "&":
        return known
    if text[0] in "$^":
        values = arguments if text[0] == "$" else known.arguments
        position = int(text[1:])
        return values[position] if position < len(values) else None
    inner = tuple(_given(argument, known, arguments) for argument in type_arguments(text))
    return Known((text.partition("<")[0],), inner)


def _bound(parameters: Sequence[str], known: Known) -> Bindings:
    return {parameter: known.argument(position) for position, parameter in enumerate(parameters)}


def _fits(function: Function, parameters: Sequence[Parameter], call: Call) -> bool:
    """Whether a method can be called so: with so many arguments, or to be taken apart into some more."""
    types = len(call.type_arguments)
    if function.kind != "method" or (types and len(function.type_parameters) != types):
        return False
    if call.arguments < 0:
        return call.out < len(parameters)
    takes_more = any("params" in parameter.modifiers for parameter in parameters)
    needed = sum(1 for parameter in parameters if not parameter.optional and "params" not in parameter.modifiers)
    return needed <= call.arguments and (takes_more or call.arguments <= len(parameters))


def _element_of(known: Known, name: str) -> Known | None:
    """The type of an element of a tuple, by its own name or as ``Item1``."""
    if name in known.elements:
        return known.argument(known.elements.index(name))
    number = name.removeprefix("Item")
    return known.argument(int(number) - 1) if number.isdecimal() and number != "0" else None


def _element_of_type(text: str) -> tuple[str, str]:
    """The type and the name of ``int count`` in the type of a tuple."""
    type_, _, name = text.rpartition(" ")
    return (type_, name) if type_ and name.isidentifier() else (text, "")


def _as_known(found: object) -> Known | None:
    return found if isinstance(found, Known) else None
