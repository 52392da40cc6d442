"""The parsed variants of a file.

One tree for each way to take the ``#if`` branches, mended where the grammar lacks a construct.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from guards.languages import syntax
from guards.languages.csharp.preprocessor import MAX_VARIANTS, NO_BRANCH, Branch, Chain, Cut, Preprocessor, blank
from guards.languages.csharp.spans import Span, merged, without
from guards.languages.csharp.tokens import Tokens

if TYPE_CHECKING:
    from guards.languages.csharp.repair import Mender

_MOST_MEETING = 4
_MOST_COMBINATIONS = 24
_MOST_BYTES = 4_000_000  # in all combinations together
_MOST_ERRORS = 20
_BESIDE = 200  # bytes
_LONGEST_PIECE = 20_000  # bytes; what is longer is no half of a construct


class Variant(NamedTuple):
    """One parsed form of a file. ``data`` is what was parsed; it is as long as the file's text.

    ``removed`` are the ranges that this variant does not hold (other branches, directives), in order.
    """

    data: bytes
    tree: syntax.Tree
    removed: tuple[Span, ...]

    def kept(self) -> list[Span]:
        """The ranges that this variant holds, in order."""
        return without([(0, len(self.data))], self.removed)


def parse_variants(data: bytes, tokens: Tokens, line_starts: Sequence[int]) -> tuple[list[Variant], list[Span]]:
    """Parses a file in all its variants.

    Variants that equal another are left out, and those with errors whose code others read without.

    Returns:
        The variants, and the ranges of code that are in none because there would be too many.

    Raises:
        GaveUp: parsing took more CPU time than is allowed for a file.
    """
    parser = _Parser(tokens, line_starts)
    if not tokens.directives:
        return [parser.parse(data, ())], []
    preprocessor = Preprocessor(tokens.directives, len(data), tokens.unclosed)
    variants = _needed(_Variants(data, preprocessor, parser).all())
    return variants, _in_no_variant(preprocessor, variants, len(data))


class _Parser:
    """Parses the variants of one file within one limit of CPU time, and mends what can be mended."""

    def __init__(self, tokens: Tokens, line_starts: Sequence[int]) -> None:
        self._tokens = tokens
        self._line_starts = line_starts
        self._deadline = time.process_time() + syntax.CPU_LIMIT_SECONDS
        self._mender: Mender | None = None

    def parse(self, data: bytes, removed: Sequence[Span]) -> Variant:
        tree = self._tree(data)
        if tree.root_node.has_error:
            if self._mender is None:
                from guards.languages.csharp.repair import Mender

                self._mender = Mender(self._tokens, self._line_starts, self._tree)
            data, tree = self._mender.mend(data, tree)
        return Variant(data, tree, tuple(removed))

    def _tree(self, data: bytes) -> syntax.Tree:
        return syntax.parse("csharp", data, cpu_limit=self._deadline - time.process_time())


class _Variants:
    """The variants of a file with directives."""

    def __init__(self, data: bytes, preprocessor: Preprocessor, parser: _Parser) -> None:
        self._data = data
        self._preprocessor = preprocessor
        self._parser = parser
        self._by_text: dict[bytes, Variant] = {}
        self._combinations_left = min(_MOST_COMBINATIONS, _MOST_BYTES // (len(data) + 1))

    def all(self) -> list[Variant]:
        found: dict[bytes, Variant] = {}
        for index in range(min(self._preprocessor.need, MAX_VARIANTS)):
            cut = self._preprocessor.cut(index)
            variant = self._parsed(cut)
            new = found.setdefault(variant.data, variant) is variant
            if new and variant.tree.root_node.has_error:
                for other in self._other_combinations(index, _meeting(variant, cut)):
                    found.setdefault(other.data, other)
        return list(found.values())

    def _parsed(self, cut: Cut) -> Variant:
        text = blank(self._data, cut.removed)
        if text not in self._by_text:
            self._by_text[text] = self._parser.parse(text, cut.removed)
        return self._by_text[text]

    def _other_combinations(self, index: int, meeting: list[tuple[Chain, int]]) -> Iterator[Variant]:
        """Variants without errors that make other choices for the few chains that meet where one did not parse.

        Two chains that depend on each other (an opening brace under one condition, its partner under
        the opposite one) parse only in some combinations of their branches.
        """
        picked = tuple(pick for _, pick in meeting)
        open_picks = {(chain, pick) for chain, pick in meeting if pick != NO_BRANCH}
        for combination in product(*(_choices(chain) for chain, _ in meeting)):
            if not open_picks or not self._combinations_left:
                return
            if combination == picked:
                continue
            self._combinations_left -= 1
            overrides = {chain: pick for (chain, _), pick in zip(meeting, combination, strict=True)}
            other = self._parsed(self._preprocessor.cut(index, overrides))
            if not other.tree.root_node.has_error:
                yield other
                open_picks.difference_update(overrides.items())


def _choices(chain: Chain) -> list[int]:
    live = [number for number, branch in enumerate(chain.branches) if not branch.dead]
    return live if chain.exhaustive else [*live, NO_BRANCH]


def _meeting(variant: Variant, cut: Cut) -> list[tuple[Chain, int]]:
    """The chains that an error is most likely to come from: beside it, and with unbalanced branches."""
    errors = syntax.error_spans(variant.tree.root_node)[:_MOST_ERRORS]

    def unlikeliness(choice: tuple[Chain, int]) -> tuple[bool, bool, int, int]:
        chain, pick = choice
        distance = min(max(0, start - chain.end, chain.start - end) for start, end in errors)
        return distance > _BESIDE, pick == NO_BRANCH or _balanced(variant, chain.branches[pick]), distance, chain.start

    ordered = sorted(((unlikeliness(choice), choice) for choice in cut.picks), key=itemgetter(0))
    return [choice for (far, balanced, *_), choice in ordered[:_MOST_MEETING] if not far or not balanced]


def _balanced(variant: Variant, branch: Branch) -> bool:
    if branch.end - branch.start > _LONGEST_PIECE:
        return True
    text = variant.data[branch.start : branch.end]
    return text.count(b"{") == text.count(b"}") and text.count(b"(") == text.count(b")")


def _needed(variants: list[Variant]) -> list[Variant]:
    """All variants, but none with errors whose code is in variants without."""
    clean = [variant for variant in variants if not variant.tree.root_node.has_error]
    if not clean or len(clean) == len(variants):
        return variants
    held = merged(span for variant in clean for span in variant.kept())
    return [variant for variant in variants if not variant.tree.root_node.has_error or without(variant.kept(), held)]


def _in_no_variant(preprocessor: Preprocessor, variants: list[Variant], size: int) -> list[Span]:
    """Code that no variant holds, because a file has only so many of them."""
    if preprocessor.need <= MAX_VARIANTS:
        return []
    known = preprocessor.dead()
    for variant in variants:
        known = merged([*known, *variant.kept()])
    return without([(0, size)], known)
