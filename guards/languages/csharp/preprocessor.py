"""Preprocessor variants: every branch of every ``#if`` as plain C#, with all offsets kept.

Nothing says which symbols a build defines, so no branch is thrown away. Variant *k* keeps branch
*k* of each chain and blanks the others, and all directives, with spaces. A branch that never
compiles (``#if false``, what follows ``#if true``, or one that holds ``#error``) is in no variant.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from guards.languages.csharp.spans import Span, merged
from guards.languages.csharp.tokens import Directive, Tokens, is_false

MAX_VARIANTS = 16
NO_BRANCH = -1
# Spaces for every byte but the line ends: offsets, lines and the file's length stay.
_BLANK = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


class Branch:
    """The text between two directives of a chain, and the chains in it.

    ``need`` is how many variants it takes to see all of its code.
    """

    __slots__ = ("chains", "dead", "end", "need", "start")

    def __init__(self, start: int, *, dead: bool) -> None:
        self.start = start
        self.end = start
        self.dead = dead
        self.chains: list[Chain] = []
        self.need = 1


class Chain:
    """One ``#if`` … ``#endif``.

    ``exhaustive`` says that some branch is always taken, so that "none of them" is no choice.
    """

    __slots__ = ("branches", "end", "exhaustive", "need", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.branches: list[Branch] = []
        self.exhaustive = False
        self.need = 0


class Cut(NamedTuple):
    """How a variant is made: the ranges that are blanked, and the branch kept of every chain that shows."""

    removed: list[Span]
    picks: list[tuple[Chain, int]]


class Preprocessor:
    """The chains of one file, and the variants that they give."""

    def __init__(self, directives: Sequence[Directive], size: int, unclosed: Sequence[Span] = ()) -> None:
        self._never = [*((directive.start, directive.end) for directive in directives), *unclosed]
        self._chains = _chains(directives, size)
        self.need = max([1, *(chain.need for chain in self._chains)])

    def cut(self, index: int, overrides: Mapping[Chain, int] | None = None) -> Cut:
        """Variant ``index``; ``overrides`` names the branch to keep for some chains."""
        removed = list(self._never)
        picks = []
        pending = [(chain, index) for chain in self._chains]
        while pending:
            chain, local = pending.pop()
            pick, local = _pick(chain, local)
            if overrides is not None:
                pick = overrides.get(chain, pick)
            picks.append((chain, pick))
            if pick == NO_BRANCH:
                removed.append((chain.start, chain.end))
                continue
            branch = chain.branches[pick]
            removed += [(chain.start, branch.start), (branch.end, chain.end)]
            pending += [(inner, local) for inner in branch.chains]
        return Cut(merged(removed), picks)

    def dead(self) -> list[Span]:
        """What no variant can hold: what no build compiles, directives, and what ends only with its branch."""
        spans = list(self._never)
        pending = list(self._chains)
        while pending:
            for branch in pending.pop().branches:
                if branch.dead:
                    spans.append((branch.start, branch.end))
                else:
                    pending += branch.chains
        return merged(spans)


def blank(data: bytes, spans: Iterable[Span]) -> bytes:
    """``data`` with spaces in the given ranges, line ends kept; ranges are sorted and disjoint."""
    pieces = []
    position = 0
    for start, end in spans:
        pieces.append(data[position:start])
        pieces.append(data[start:end].translate(_BLANK))
        position = end
    pieces.append(data[position:])
    return b"".join(pieces)


def texts(tokens: Tokens) -> list[Span]:
    """The ranges that hold no code, literals and comments, in order."""
    return merged([*((comment.start, comment.end) for comment in tokens.comments), *tokens.literals])


def _pick(chain: Chain, index: int) -> tuple[int, int]:
    """The branch that variant ``index`` keeps, and that variant's index within the branch."""
    last = NO_BRANCH
    for number, branch in enumerate(chain.branches):
        if branch.dead:
            continue
        if index < branch.need:
            return number, index
        index -= branch.need
        last = number
    return (last, index + chain.branches[last].need) if chain.exhaustive else (NO_BRANCH, index)


def _chains(directives: Sequence[Directive], size: int) -> list[Chain]:
    """The outermost chains. A chain without ``#endif`` goes to the end, a stray directive is passed over."""
    outermost: list[Chain] = []
    open_chains: list[Chain] = []
    for directive in directives:
        keyword = directive.keyword
        if keyword == "if":
            open_chains.append(Chain(directive.start))
            _begin_branch(open_chains[-1], directive)
        elif not open_chains:
            continue
        elif keyword in ("elif", "else"):
            _end_branch(open_chains[-1], directive.start)
            _begin_branch(open_chains[-1], directive)
        elif keyword == "error":
            open_chains[-1].branches[-1].dead = True
        elif keyword == "endif":
            _end_chain(open_chains, outermost, directive.start, directive.end)
    while open_chains:
        _end_chain(open_chains, outermost, size, size)
    return outermost


def _begin_branch(chain: Chain, directive: Directive) -> None:
    dead = chain.exhaustive or is_false(directive.condition_text)
    chain.branches.append(Branch(directive.end, dead=dead))
    if directive.keyword == "else" or directive.condition_text.strip("() \t") in ("true", "1", "!false"):
        chain.exhaustive = True


def _end_branch(chain: Chain, end: int) -> None:
    branch = chain.branches[-1]
    branch.end = end
    branch.need = max([1, *(inner.need for inner in branch.chains)])
    if not branch.dead:
        chain.need += branch.need


def _end_chain(open_chains: list[Chain], outermost: list[Chain], branch_end: int, end: int) -> None:
    chain = open_chains.pop()
    _end_branch(chain, branch_end)
    chain.end = end
    chain.exhaustive = chain.exhaustive and chain.need > 0
    (open_chains[-1].branches[-1].chains if open_chains else outermost).append(chain)
