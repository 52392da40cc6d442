"""What classes are, by what they derive from on the whole project."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from guards.languages.python.bindings import CLASS
from guards.languages.python.facts import ClassFacts
from guards.languages.python.resolver import EXTERNAL, INSTANCE, MEMBER, Meaning

if TYPE_CHECKING:
    from guards.languages.python.index import Index

_MOST_BASES = 100
_ENDINGS = ("Error", "Exception", "Warning")
_ABSTRACTIONS = frozenset({"abc.ABC", "typing.Protocol", "typing_extensions.Protocol"})
# Classes of other people's that can leave something abstract.
_LOOKS_ABSTRACT = re.compile(r"\A(?:collections\.abc|numbers|io)\.|Abstract|Base|Interface|Protocol|ABC")


def is_exception(index: "Index", reference: str, path: str) -> bool:
    """Whether a reference in a file is a class of exceptions."""
    for item in with_bases(index, index.resolve(reference, path)):
        name = item.name.removeprefix("builtins.")
        if item.kind == EXTERNAL and (name in _builtin_exceptions() or name.endswith(_ENDINGS)):
            return True
    return False


def is_concrete(index: "Index", item: Meaning) -> bool:
    """Whether a meaning is a class of the project's own, or an instance of one, that surely is no abstraction.

    Abstractions are protocols, classes that say themselves that they are abstract, and those that
    leave something abstract.
    """
    own = class_facts(index, item)
    if own is None or own.metaclass or own.abstract:
        return False
    if any(base.name in _ABSTRACTIONS for reference in own.bases for base in index.resolve(reference, item.location)):
        return False
    abstract: set[str] = set()
    members: set[str] = set()
    for base in with_bases(index, (item,)):
        facts = class_facts(index, base)
        if facts is not None:
            abstract.update(facts.abstract)
            members.update(name for name in facts.members if name not in facts.abstract)
        elif base.kind != EXTERNAL or (base.name not in _ABSTRACTIONS and _LOOKS_ABSTRACT.search(base.name)):
            return False
    return abstract <= members


def method_owner(index: "Index", item: Meaning) -> Meaning | None:
    """The class as whose method a member was reached; None where it is no method, or not known to be one."""
    symbol, _, name = item.symbol.rpartition(".")
    if item.kind != MEMBER or not symbol:
        return None
    owner = Meaning(item.name.rpartition(".")[0], item.owner, CLASS, item.location, symbol)
    for base in with_bases(index, (owner,)):
        facts = class_facts(index, base)
        if facts is not None and name in facts.members:
            return owner if name in facts.methods else None
    return None


def class_facts(index: "Index", item: Meaning) -> ClassFacts | None:
    """The facts of a class, or of the class of an instance; None for anything else, and where there are several."""
    return index.class_in(item.location, item.symbol) if item.kind in (CLASS, INSTANCE) else None


def with_bases(index: "Index", items: Iterable[Meaning]) -> Iterator[Meaning]:
    """Some classes and all that they derive from, the nearest first."""
    pending = list(items)
    seen = set(pending)
    for item in pending:  # grows while it is read
        yield item
        facts = class_facts(index, item)
        for reference in facts.bases if facts is not None and len(pending) < _MOST_BASES else ():
            further = [base for base in index.resolve(reference, item.location) if base not in seen]
            seen.update(further)
            pending.extend(further)


@cache
def _builtin_exceptions() -> frozenset[str]:
    import builtins

    return frozenset(
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
    )
