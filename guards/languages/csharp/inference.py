"""The types of expressions: chains of words (see ``evidence``) followed over the project's types.

There are three answers. A type that is known; a type of which only guesses can be given, since
no source and no table confirms any; and None, which is no answer at all. Methods are chosen by
the number of their arguments, and where several fit and differ, nothing is known.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from guards.languages.csharp.facts import Function
from guards.languages.csharp.names import Name, parse, plain, type_arguments
from guards.languages.csharp.resolve import Resolver, Sort
from guards.languages.csharp.results import (
    AWAITED,
    COLLECTIONS,
    DICTIONARIES,
    ONE_OF,
    PAIR,
    SAME_KIND,
    SHOULD,
    result_of,
)
from guards.languages.csharp.types import Declared, FunctionId, Scope, Types

ARRAY = "System.Array"
EXCEPTION = "System.Exception"
_SEVERAL = "System.Collections.Generic.IEnumerable"
_ARRAY_TYPE = re.compile(r"(.+)\[,*\]")
_DEEPEST_TYPE = 12
_NOT_THERE = object()


class Known(NamedTuple):
    """A type: ``names`` are the full names that it can have, one unless they are guesses.

    ``arguments`` are its type arguments, as far as they are known. ``declared`` is the type itself
    where the project declares it. An array is ``System.Array`` of its elements.
    """

    names: tuple[str, ...]
    arguments: "tuple[Known | None, ...]" = ()
    declared: Declared | None = None

    def argument(self, position: int) -> "Known | None":
        """A type argument, if it is known."""
        return self.arguments[position] if position < len(self.arguments) else None


Bindings = Mapping[str, "Known | None"]
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
        name, arguments, count = self._call(words[-1].removeprefix("."), scope, bindings)
        if len(words) == 1:
            owners = self._owners_of_bare(scope, name)
        else:
            known = self.type_of(scope, words[:-1], bindings)
            owners = iter((known,) if known is not None else ())
        for owner in owners:
            for base in self.with_bases(owner):
                fitting = self._fitting(base, name, len(arguments), count)
                if fitting:
                    return fitting
        return ()

    def named(self, scope: Scope, text: str, bindings: Bindings = _NO_BINDINGS, depth: int = 0) -> Known | None:
        """The type that is written as ``text`` in a scope."""
        text = text.rpartition(" ")[2].rstrip("?")
        if depth > _DEEPEST_TYPE or not text:
            return None
        if text in bindings:
            return bindings[text]
        array = _ARRAY_TYPE.fullmatch(text)
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
        if first in ("this", "base"):
            return self._this(scope), words[1:]
        if "(" in first:
            return self._bare_call(scope, first, bindings), words[1:]
        if first == "?":
            return None, words[1:]
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

    def _bare_call(self, scope: Scope, word: str, bindings: Bindings) -> Known | None:
        name, arguments, count = self._call(word, scope, bindings)
        for owner in self._owners_of_bare(scope, name):
            found = self._called(owner, name, arguments, count)
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
            return self._element(known, word)
        if "(" not in word:
            return _as_known(self._member(known, word[1:].partition("<")[0]))
        name, arguments, count = self._call(word[1:], scope, bindings)
        found = self._called(known, name, arguments, count)
        return self._extension(known, name) if found is _NOT_THERE else _as_known(found)

    def _extension(self, known: Known, name: str) -> Known | None:
        """What an extension gives that everybody has."""
        if name == "Should":
            return Known((SHOULD,))
        element = self._element(known, "each") if name in ONE_OF or name in SAME_KIND else None
        return element if element is None or name in ONE_OF else Known((_SEVERAL,), (element,))

    def _call(self, word: str, scope: Scope, bindings: Bindings) -> "tuple[str, tuple[Known | None, ...], int]":
        """The name, type arguments and number of arguments of a call."""
        head, _, count = word.rpartition("(")
        arguments = tuple(self.named(scope, argument, bindings) for argument in type_arguments(head))
        return head.partition("<")[0], arguments, int(count)

    def _element(self, known: Known, how: str) -> Known | None:
        for base in self.with_bases(known):
            if base.names == (ARRAY,) or COLLECTIONS.intersection(base.names):
                return base.argument(0)
            if DICTIONARIES.intersection(base.names):
                return base.argument(1) if how == "[]" else Known((PAIR,), base.arguments)
        return None

    def _member(self, known: Known, name: str) -> object:
        """The type of a field, property or enum member; ``_NOT_THERE`` where none has the name."""
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
                return self._returned(function, known, ())
        return None if name in declared.functions else _NOT_THERE

    def _called(self, known: Known, name: str, arguments: "tuple[Known | None, ...]", count: int) -> object:
        """What a call of a method gives; ``_NOT_THERE`` where none has the name and takes so many arguments."""
        for base in self.with_bases(known):
            fitting = self._fitting(base, name, len(arguments), count)
            if fitting:
                results = {self._returned(function, base, arguments) for function in fitting}
                return results.pop() if len(results) == 1 else None
            found = self._outside(base, f"{name}()", arguments)
            if found is not _NOT_THERE:
                return found
        return _NOT_THERE

    def _fitting(self, known: Known, name: str, type_arguments_given: int, count: int) -> tuple[FunctionId, ...]:
        """The methods of a name in a type itself that can be called so."""
        functions = known.declared.functions.get(name, ()) if known.declared is not None else ()
        return tuple(f for f in functions if _fits(self._types.function(f), type_arguments_given, count))

    def _returned(self, function: FunctionId, known: Known, arguments: "tuple[Known | None, ...]") -> Known | None:
        row = self._types.function(function)
        owner = self._types.owner(function)
        bindings = dict(_bound(owner.parts[0][2].type_parameters, known)) if owner is not None else {}
        bindings.update(dict.fromkeys(row.type_parameters))
        bindings.update(zip(row.type_parameters, arguments, strict=False))
        return self.named(self._types.scope(function), row.returns, bindings)

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


def _fits(function: Function, type_arguments_given: int, count: int) -> bool:
    """Whether a method can be called with so many arguments."""
    if function.kind != "method" or (type_arguments_given and len(function.type_parameters) != type_arguments_given):
        return False
    parameters = [parameter for parameter in function.parameters if "this" not in parameter.modifiers]
    takes_more = any("params" in parameter.modifiers for parameter in parameters)
    needed = sum(1 for parameter in parameters if not parameter.optional and "params" not in parameter.modifiers)
    return needed <= count and (takes_more or count <= len(parameters))


def _as_known(found: object) -> Known | None:
    return found if isinstance(found, Known) else None
