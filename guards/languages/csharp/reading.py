"""How a C# file is read: as the trees of its preprocessor variants.

All variants have the length of the file, so an offset in a tree is an offset in the text. What
no variant could read is reported as such, and its dotted names can still be looked through.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from guards.findings.model import Comment
from guards.languages import syntax
from guards.languages.csharp.preprocessor import MAX_VARIANTS, NO_BRANCH, Cut, Preprocessor, blank
from guards.languages.csharp.spans import Span, common, merged, without
from guards.languages.csharp.tokens import Directive, scan
from guards.source.text import SourceText

_MOST_MEETING = 4
_MOST_COMBINATIONS = 8

_LONGEST_NAME = 512


class Variant(NamedTuple):
    """One parsed form of a file. ``data`` is what was parsed; it is as long as the file's text.

    ``removed`` are the ranges that this variant does not hold (other branches, directives), in order.
    """

    data: bytes
    tree: syntax.Tree
    removed: tuple[Span, ...]


class DottedName(NamedTuple):
    """A name with all its parts as written, without space: ``Thread.Sleep``, ``global::A.B``, ``a?.B``.

    ``member`` is the offset of the last part. ``called`` says that a parenthesis follows.
    """

    name: str
    start: int
    member: int
    end: int
    called: bool


class Reading:
    """What was read of one file. ``unread`` are the byte ranges that no variant could parse, in order."""

    __slots__ = ("_literals", "comments", "directives", "text", "unread", "variants")

    def __init__(  # noqa: PLR0913, PLR0917 what was read, part by part
        self,
        text: SourceText,
        variants: tuple[Variant, ...],
        directives: tuple[Directive, ...],
        comments: tuple[Comment, ...],
        literals: tuple[Span, ...],
        unread: tuple[Span, ...],
    ) -> None:
        self.text = text
        self.variants = variants
        self.directives = directives
        self.comments = comments
        self.unread = unread
        self._literals = literals

    def fallback_names(self, spans: Iterable[Span]) -> Iterator[DottedName]:
        """The dotted names that lie in the given ranges, if only partly, found without a tree.

        Strings, comments and directives are not looked at; the code in interpolation holes is.
        A name that goes on from something that is no name (``f().Sleep``) is left out.
        """
        spans = merged(spans)
        if not spans:
            return
        hidden = [(comment.start, comment.end) for comment in self.comments]
        hidden += [(directive.start, directive.end) for directive in self.directives]
        code = blank(self.text.data, merged([*hidden, *self._literals]))
        for start, end in spans:
            for found in _dotted_name().finditer(code, _before_name(code, start)):
                if found.start() >= end:
                    break
                if found[1] is None and found.end(2) > start:
                    yield _as_dotted(found)


def read(text: SourceText) -> Reading:
    """Parses one file in all its variants.

    Raises:
        GaveUp: parsing took more CPU time than is allowed for a file.
    """
    data = text.data
    tokens = scan(data)
    hidden = merged([*((comment.start, comment.end) for comment in tokens.comments), *tokens.literals])
    parse = _Parser(tokens.literals, hidden)
    if not tokens.directives:
        variants = [parse(data, ())]
        capped: list[Span] = []
    else:
        variants, capped = _parse_variants(data, Preprocessor(tokens.directives, len(data)), parse)
    unread = merged([*_unread(variants), *capped, *_unseen_characters(data, hidden)])
    return Reading(text, tuple(variants), tokens.directives, tokens.comments, tokens.literals, tuple(unread))


class _Parser:
    """Parses the variants of one file, and mends what can be mended."""

    def __init__(self, literals: Sequence[Span], hidden: Sequence[Span]) -> None:
        self._literals = literals
        self._hidden = hidden

    def __call__(self, data: bytes, removed: Sequence[Span]) -> Variant:
        tree = syntax.parse("csharp", data)
        if tree.root_node.has_error:
            from guards.languages.csharp.repair import mend

            data, tree = mend(data, tree, self._literals, blank(data, self._hidden))
        return Variant(data, tree, tuple(removed))


def _parse_variants(data: bytes, preprocessor: Preprocessor, parse: _Parser) -> tuple[list[Variant], list[Span]]:
    """The variants, without those that equal another, and the code that is in none because there are too many."""
    variants: dict[bytes, Variant] = {}
    for index in range(min(preprocessor.need, MAX_VARIANTS)):
        cut = preprocessor.cut(index)
        variant = blank(data, cut.removed)
        if variant in variants:
            continue
        variants[variant] = parse(variant, cut.removed)
        if variants[variant].tree.root_node.has_error:
            for other in _other_combinations(preprocessor, index, cut, variants[variant]):
                variant = blank(data, other)
                if variant not in variants:
                    variants[variant] = parse(variant, other)
    capped: list[Span] = []
    if preprocessor.need > MAX_VARIANTS:
        capped = preprocessor.dead()
        for known in variants.values():
            capped = merged([*capped, *without([(0, len(data))], known.removed)])
        capped = without([(0, len(data))], capped)
    return list(variants.values()), capped


def _other_combinations(preprocessor: Preprocessor, index: int, cut: Cut, variant: Variant) -> Iterator[list[Span]]:
    """Other choices for the few chains that meet where a variant did not parse.

    Two chains that depend on each other (an opening brace under one condition, its partner under
    the opposite one) parse only in some combinations of their branches.
    """
    errors = syntax.error_spans(variant.tree.root_node)
    meeting = [
        (chain, pick)
        for chain, pick in cut.picks
        if any(start <= chain.end and end >= chain.start for start, end in errors)
    ]
    if not 2 <= len(meeting) <= _MOST_MEETING:
        return
    choices = [
        [number for number, branch in enumerate(chain.branches) if not branch.dead]
        + ([] if chain.exhaustive else [NO_BRANCH])
        for chain, _ in meeting
    ]
    picked = tuple(pick for _, pick in meeting)
    for combination in islice((found for found in product(*choices) if found != picked), _MOST_COMBINATIONS):
        overrides = {chain: pick for (chain, _), pick in zip(meeting, combination, strict=True)}
        yield preprocessor.cut(index, overrides).removed


def _unseen_characters(data: bytes, hidden: Sequence[Span]) -> list[Span]:
    """Characters of no width outside of text and comments: nobody sees them, and names change by them."""
    if data.isascii():
        return []
    found = [match.span() for match in _unseen().finditer(data)]
    return without(found, hidden)


def _unread(variants: list[Variant]) -> list[Span]:
    """The ranges that stand in an error in every variant that holds them."""
    if not any(variant.tree.root_node.has_error for variant in variants):
        return []
    unread: list[Span] = []
    read: list[Span] = []
    for variant in variants:
        errors = merged(_with_content(variant.data, span) for span in syntax.error_spans(variant.tree.root_node))
        kept = without([(0, len(variant.data))], variant.removed)
        unread += common(errors, kept)
        read += without(kept, errors)
    return without(merged(unread), merged(read))


def _with_content(data: bytes, span: Span) -> Span:
    """The span of a missing token, which is empty, with the byte before it."""
    start, end = span
    if start < end:
        return span
    start = len(data[:start].rstrip())
    return max(0, start - 1), max(start, 1)


@cache
def _dotted_name() -> re.Pattern[bytes]:
    escape = rb"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
    part = rb"@?(?:[A-Za-z_\x80-\xff]|" + escape + rb")(?:\w|[\x80-\xff]|" + escape + rb")*+"
    return re.compile(
        rb"([\])>.]\s*+(?:!\s*+)?\??\.\s*+)?+("
        + part
        + rb"(?:\s*+(?:\?\.|!\s*+\.|\.|::|->)\s*+"
        + part
        + rb")*+)(\s*+\()?"
    )


def _before_name(code: bytes, position: int) -> int:
    """A place before the name that goes on at ``position``: no name reaches over these signs."""
    earliest = max(0, position - _LONGEST_NAME)
    return max(earliest, *(code.rfind(sign, earliest, position) + 1 for sign in (b";", b"{", b"}", b"(", b",", b"=")))


@cache
def _unseen() -> re.Pattern[bytes]:
    return re.compile(rb"\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf")


def _as_dotted(found: re.Match[bytes]) -> DottedName:
    written = found[2]
    name = re.sub(rb"\s+", b"", written)
    last = max(written.rfind(b"."), written.rfind(b":"), written.rfind(b">"))
    member = found.start(2) + last + 1
    member += len(found.string[member : found.end(2)]) - len(found.string[member : found.end(2)].lstrip())
    return DottedName(name.decode("utf-8", "replace"), found.start(2), member, found.end(2), found[3] is not None)
