"""What the arguments of a call tell of the type parameters of a method, and what its parameters take."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from guards.languages.csharp.chains import ASYNC_LAMBDA
from guards.languages.csharp.facts import Parameter
from guards.languages.csharp.names import last_name, type_arguments
from guards.languages.csharp.results import COLLECTIONS
from guards.languages.csharp.types import Declared, Scope

if TYPE_CHECKING:
    from guards.languages.csharp.inference import Inference

ARRAY = "System.Array"
ARRAY_TYPE = re.compile(r"(.+)\[,*\]")
DEEPEST_TYPE = 12
_TASK = "System.Threading.Tasks.Task"
_INTERFACE = re.compile(r"I[A-Z]")


class Known(NamedTuple):
    """A type: ``names`` are the full names that it can have, one unless they are guesses.

    ``arguments`` are its type arguments, as far as they are known. ``declared`` is the type itself
    where the project declares it. An array is ``System.Array`` of its elements, a tuple
    ``System.ValueTuple`` of its elements, which can have names.
    """

    names: tuple[str, ...]
    arguments: "tuple[Known | None, ...]" = ()
    declared: Declared | None = None
    elements: tuple[str, ...] = ()

    def argument(self, position: int) -> "Known | None":
        """A type argument, if it is known."""
        return self.arguments[position] if position < len(self.arguments) else None


class Generic(NamedTuple):
    """The type parameters of a method, where it stands, and what is known of them so far; None for contradictions."""

    scope: Scope
    parameters: tuple[str, ...]
    bound: dict[str, Known | None]


def is_a(inference: "Inference", known: Known, wanted: Known) -> bool:
    """Whether a value of a type can stand where another one is wanted; only what is certain counts."""
    if wanted.names == ("System.Object",):
        return True
    if COLLECTIONS.intersection(wanted.names) and inference.element(known, "each") is not None:
        return known.names == wanted.names or _INTERFACE.match(wanted.names[0].rpartition(".")[2]) is not None
    return any(base.names == wanted.names for base in inference.with_bases(known))


def unify(inference: "Inference", text: str, known: Known | None, generic: Generic, depth: int = 0) -> None:
    """Takes in what a value of a known type, given where ``text`` is wanted, tells of type parameters."""
    text = text.rstrip("?")
    if known is None or depth > DEEPEST_TYPE:
        return
    if text in generic.parameters:
        before = generic.bound.setdefault(text, known)
        generic.bound[text] = known if before == known else None
        return
    array = ARRAY_TYPE.fullmatch(text)
    if array is not None:
        unify(inference, array[1], inference.element(known, "each"), generic, depth + 1)
        return
    written = type_arguments(text)
    wanted = inference.named(generic.scope, text, dict.fromkeys(generic.parameters)) if written else None
    if wanted is None:
        return
    if COLLECTIONS.intersection(wanted.names) and inference.element(known, "each") is not None:
        unify(inference, written[0], inference.element(known, "each"), generic, depth + 1)
        return
    for base in inference.with_bases(known):
        if base.names == wanted.names and len(base.arguments) == len(written):
            for inner, argument in zip(written, base.arguments, strict=True):
                unify(inference, inner, argument, generic, depth + 1)
            return


def infer(
    inference: "Inference",
    parameters: Sequence[Parameter],
    given: Sequence[tuple[str, Known | None]],
    generic: Generic,
) -> None:
    """Takes in what the arguments of a call tell of the type parameters of a method."""
    for position, (label, known) in enumerate(given):
        if position >= len(parameters):
            return
        parameter = parameters[position]
        text = parameter.type
        if "params" in parameter.modifiers and known is not None and known.names != (ARRAY,):
            text = text.removesuffix("[]")
        if not label:
            unify(inference, text, known, generic)
        elif last_name(text) in ("Func", "Expression") and type_arguments(text):
            text = type_arguments(text)[-1]
            result = type_arguments(text)[-1] if last_name(text) == "Func" and type_arguments(text) else text
            unify(inference, result, _as_task(known) if label == ASYNC_LAMBDA else known, generic)


def _as_task(known: Known | None) -> Known | None:
    return Known((_TASK,), (known,)) if known is not None else None
