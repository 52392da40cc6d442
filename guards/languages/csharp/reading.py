"""How a C# file is read: as the trees of its preprocessor variants.

All variants have the length of the file, so an offset in a tree is an offset in the text. What
no variant could read is reported as such, and its dotted names can still be looked through.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guards.findings.model import Comment
from guards.languages import syntax
from guards.languages.csharp.characters import with_plain_code, with_plain_line_ends
from guards.languages.csharp.fallback import DottedName, dotted_names
from guards.languages.csharp.preprocessor import Preprocessor, blank, texts
from guards.languages.csharp.spans import Span, common, merged, without
from guards.languages.csharp.tokens import Directive, Tokens
from guards.languages.csharp.variants import Variant, parse_variants
from guards.source.text import SourceText

__all__ = ["Reading", "Variant", "read"]

_MOST_UNCLOSED = 4
# Nodes that are read as what they are, even where an error is all around them.
_WHOLE = ("_declaration", "_statement", "block", "comment", "using_directive")
_FRAGMENTS = ("variable_declaration",)


class Reading(NamedTuple):
    """What was read of one file.

    ``plain`` is the text as C# sees it, with the offsets of ``text``: without what ``characters``
    takes away. ``unread`` are the byte ranges that no variant could parse, in order.
    """

    text: SourceText
    plain: bytes
    variants: tuple[Variant, ...]
    tokens: Tokens
    unread: tuple[Span, ...]

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Real comment tokens, in order."""
        return self.tokens.comments

    @property
    def directives(self) -> tuple[Directive, ...]:
        """Real preprocessor directives, in order."""
        return self.tokens.directives

    def fallback_names(self, spans: Iterable[Span]) -> Iterator[DottedName]:
        """The dotted names that lie in the given ranges, if only partly, found without a tree.

        Strings, comments and directives are not looked at; the code in interpolation holes is.
        A name that goes on from something that is no name (``f().Sleep``) is left out.
        """
        spans = merged(spans)
        if not spans:
            return iter(())
        directives = [(directive.start, directive.end) for directive in self.directives]
        return dotted_names(blank(self.plain, merged([*texts(self.tokens), *directives])), spans)


def read(text: SourceText) -> Reading:
    """Parses one file in all its variants.

    Raises:
        GaveUp: parsing took more CPU time than is allowed for a file.
    """
    data = with_plain_line_ends(text.data)
    tokens = Tokens(data)
    data, disguised = with_plain_code(data, tokens)
    variants, unseen = parse_variants(data, tokens, text.line_starts)
    for other in _other_worlds(data, tokens):
        if _holds_more(other, data, variants):
            more, more_unseen = parse_variants(data, other, text.line_starts)
            variants += more
            unseen += more_unseen
    unread = merged([*_unread(variants), *unseen, *disguised, *_unclosed(tokens, len(data))])
    return Reading(text, data, tuple(variants), tokens, tuple(unread))


def _other_worlds(data: bytes, tokens: Tokens) -> Iterator[Tokens]:
    """The file to builds that take a branch in which something is unclosed: for each such thing, and for all."""
    for start, _ in tokens.unclosed[:_MOST_UNCLOSED]:
        yield Tokens(data, frozenset([start]))
    whole = {start for start, _ in tokens.unclosed[:1]}
    while 0 < len(whole) < _MOST_UNCLOSED:
        unclosed = [start for start, _ in Tokens(data, frozenset(whole)).unclosed if start not in whole]
        if not unclosed:
            return
        whole.add(unclosed[0])
        yield Tokens(data, frozenset(whole))


def _holds_more(tokens: Tokens, data: bytes, variants: list[Variant]) -> bool:
    """Whether there is code that no variant holds."""
    dead = Preprocessor(tokens.directives, len(data), tokens.unclosed).dead()
    held = [span for variant in variants for span in variant.kept()]
    more = without([(0, len(data))], merged([*texts(tokens), *dead, *held]))
    return any(not data[start:end].isspace() for start, end in more)


def _unclosed(tokens: Tokens, size: int) -> list[Span]:
    """Strings that end only because their branch does: what is a hole in them, and so code, nobody knows."""
    if len(tokens.unclosed) > _MOST_UNCLOSED:
        return [(tokens.unclosed[_MOST_UNCLOSED][0], size)]
    comments = {comment.start for comment in tokens.comments} if tokens.unclosed else ()
    return [span for span in tokens.unclosed if span[0] not in comments]


def _unread(variants: list[Variant]) -> list[Span]:
    """The ranges that stand in an error in every variant that holds them."""
    if not any(variant.tree.root_node.has_error for variant in variants):
        return []
    unread: list[Span] = []
    read: list[Span] = []
    for variant in variants:
        errors = merged(_errors(variant))
        kept = variant.kept()
        unread += common(errors, kept)
        read += without(kept, errors)
    return without(merged(unread), merged(read))


def _errors(variant: Variant) -> Iterator[Span]:
    """Where a variant did not parse.

    An error can be all of a file that lacks one brace; the members in it that are whole are read.
    """
    data = variant.data
    pending = syntax.error_nodes(variant.tree.root_node)
    while pending:
        node = pending.pop()
        position = node.start_byte
        if position == node.end_byte:  # a missing token stands after the byte before it
            position = _end_of_code(data, position)
            yield max(0, position - 1), max(1, position)
            continue
        for child in node.children if node.is_error else ():
            if child.type.endswith(_WHOLE) and child.type not in _FRAGMENTS:
                yield _trimmed(data, position, child.start_byte)
                position = child.end_byte
                pending += syntax.error_nodes(child)
        yield _trimmed(data, position, node.end_byte)


def _end_of_code(data: bytes, position: int) -> int:
    while position > 0 and data[position - 1] in b" \t\r\n":
        position -= 1
    return position


def _trimmed(data: bytes, start: int, end: int) -> Span:
    text = data[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())
