"""What classes are, by what they derive from on the whole project."""

from functools import cache
from typing import TYPE_CHECKING

from guards.languages.python.bindings import CLASS
from guards.languages.python.resolver import EXTERNAL

if TYPE_CHECKING:
    from guards.languages.python.index import Index

_MOST_BASES = 100
_ENDINGS = ("Error", "Exception", "Warning")


def is_exception(index: "Index", reference: str, path: str) -> bool:
    """Whether a reference in a file is a class of exceptions."""
    pending = [(reference, path)]
    for base, file in pending:  # grows while it is read
        for item in index.resolve(base, file) if base else ():
            name = item.name.removeprefix("builtins.")
            if item.kind == EXTERNAL and (name in _builtin_exceptions() or name.endswith(_ENDINGS)):
                return True
            facts = index.facts_of(item.location) if item.kind == CLASS else None
            for known in facts.classes if facts is not None else ():
                if known.name == item.symbol and len(pending) < _MOST_BASES:
                    pending.extend((further, item.location) for further in known.bases)
    return False


@cache
def _builtin_exceptions() -> frozenset[str]:
    import builtins

    return frozenset(
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
    )
