"""What the languages of the generator share."""

from collections.abc import Sequence
from random import Random
from string import Template
from typing import NamedTuple

_NOUNS = ("Anchor", "Beacon", "Camera", "Door", "Engine", "Falcon", "Garden", "Harbor", "Island", "Journal", "Kettle")
_VERBS = ("adds", "binds", "closes", "drops", "empties", "finds", "grows", "holds", "keeps", "loads", "moves", "opens")


class Planted(NamedTuple):
    """A flaw that was put into a file on purpose."""

    path: str
    rule: str


class Source(NamedTuple):
    """A file of the project."""

    path: str
    text: str
    planted: tuple[Planted, ...] = ()


def is_product(number: int) -> bool:
    """Whether a numbered file is code that tests use."""
    return number % 3 == 0


def used_by(number: int) -> int:
    """The product file that a test file uses; it is in every project that the test is in."""
    return number - number % 3


def noun(number: int) -> str:
    """A name for the thing that a product file is about."""
    return f"{_NOUNS[number % len(_NOUNS)]}{number:04d}"


def bodies(templates: Sequence[str], number: int, random: Random) -> list[str]:
    """Between four and fourteen pieces made of templates, each with a name and numbers of its own."""
    pieces = []
    for index in range(random.randint(4, 14)):
        verb = random.choice(_VERBS)
        pieces.append(
            Template(random.choice(templates)).substitute(
                verb=verb,
                Verb=verb.title(),
                index=index,
                noun=noun(used_by(number)),
                few=random.randint(2, 9),
                many=random.randint(10, 99),
            )
        )
    return pieces


def snake(name: str) -> str:
    """``Anchor0003`` as ``anchor_0003``."""
    return f"{name[:-4]}_{name[-4:]}".lower()
