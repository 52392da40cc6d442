"""One C# file while its trees live."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

from guards.findings.model import Comment, UnreadRegion
from guards.languages.base import CALL, READ, REFERENCE, Use
from guards.languages.csharp.bodies import bodies
from guards.languages.csharp.declarations import Declarations
from guards.languages.csharp.evidence import Evidence
from guards.languages.csharp.facts import Facts, Function, type_parameters
from guards.languages.csharp.names import compact, identifier, parse
from guards.languages.csharp.reading import Reading
from guards.languages.csharp.references import Reference, References
from guards.languages.csharp.tokens import Directive
from guards.project.model import FileInfo
from guards.source.place import Place
from guards.source.text import SourceText

if TYPE_CHECKING:
    from guards.languages.csharp.mocks import Creation

_ESCAPE = re.compile(rb"\\[uU]")
# Spaces for every byte that is no part of a word: a plain one, or any.
_PLAIN = bytes(byte if re.match(rb"\w", bytes([byte])) else 0x20 for byte in range(256))
_ANY = bytes(byte if byte >= 0x80 or byte == 0x5C else _PLAIN[byte] for byte in range(256))
_GLOB = re.compile(r"[*?\[]")


class CSharpFile:
    """What rules see of one C# file: the union of its preprocessor variants.

    Kinds of fact, for a rule's ``needs``: ``name:X`` where the word ``X`` stands anywhere in the
    file, ``attribute``, ``directive`` and ``unread``.
    """

    def __init__(self, reading: Reading, info: FileInfo) -> None:
        self.reading = reading
        self.info = info

    @property
    def text(self) -> SourceText:
        """The decoded text."""
        return self.reading.text

    @property
    def comments(self) -> Sequence[Comment]:
        """Real comment tokens, in order."""
        return self.reading.comments

    @property
    def directives(self) -> Sequence[Directive]:
        """Real preprocessor directives, in order."""
        return self.reading.directives

    @cached_property
    def unread(self) -> Sequence[UnreadRegion]:
        """The regions that no variant could read."""
        return [UnreadRegion(self.text.place(start, end)) for start, end in self.reading.unread]

    def kinds(self) -> frozenset[str]:
        """The kinds of fact that the file has."""
        kinds = {f"name:{name}" for name in self._names}
        if b"[" in self.text.data:
            kinds.add("attribute")
        if self.directives:
            kinds.add("directive")
        if self.reading.unread:
            kinds.add("unread")
        return frozenset(kinds)

    def facts(self) -> Facts:
        """What other files may need to know of this one."""
        return self._with_bodies

    @property
    def functions(self) -> Sequence[Function]:
        """The functions of the facts, in source order."""
        return self._facts.functions

    def uses(self, member: str) -> Iterator[Use]:
        """Uses of members whose last name matches ``member``, in the order of their places.

        A name that may be a method group or a property's value is both a read and a reference.
        """
        if _GLOB.search(member):
            names = sorted(name for name in self._names if fnmatchcase(name, member))
        else:
            names = [member] if member in self._names else []
        found: dict[int, Reference] = {}
        for name in names:
            for references in self._references:
                for reference in references.of(name):
                    found.setdefault(reference.start, reference)
        for reference in self._unread_references(frozenset(names)):
            found.setdefault(reference.start, reference)
        for start in sorted(found):
            yield from self._as_uses(found[start])

    def may_mean(self, name: str, simple: frozenset[str]) -> bool:
        """Whether a name as written can mean a type of one of some simple names, as far as this file can tell.

        What a ``global using`` of another file says is left to ``global_aliases`` of that file.
        """
        parts = parse(name).parts
        return bool(parts) and (parts[-1].name in simple or parts[0].name in self._aliases)

    def global_aliases(self, simple: frozenset[str]) -> list[str]:
        """The aliases for types of some simple names that this file declares for its whole unit."""
        usings = self._facts.namespaces[0].usings
        return [
            using.alias for using in usings if using.alias and using.is_global and self.may_mean(using.name, simple)
        ]

    @cached_property
    def _aliases(self) -> frozenset[str]:
        own = {using.alias for namespace in self._facts.namespaces for using in namespace.usings if using.alias}
        return frozenset(own | {fact.partition("=")[0] for fact in self.info.unit.fact("usings") if "=" in fact})

    def constant(self, name: str) -> str | None:
        """The value of a constant that the file itself declares, as a word of a formula."""
        return self._declarations.constants.value(name)

    @cached_property
    def evidence(self) -> list[Evidence]:
        """What each variant shows of the types of its expressions, in the order of ``reading.variants``."""
        return [Evidence(variant, self.spellings) for variant in self.reading.variants]

    @cached_property
    def creations(self) -> "list[Creation]":
        """Everything that may make a double, or call a method that does."""
        from guards.languages.csharp.mocks import creations

        return list(creations(self))

    def where(self, offset: int) -> tuple[str, str]:
        """The identities of the innermost scope and of the innermost function around an offset."""
        _ = self._facts  # numbers the rows that enclose
        namespace, type_row, function = self._declarations.enclosing(offset)
        return f"t{type_row}" if type_row >= 0 else f"n{namespace}", str(function) if function >= 0 else ""

    def type_parameters(self, function: str) -> tuple[str, ...]:
        """The type parameters of a function, and of the functions around it."""
        return type_parameters(self._facts, function)

    def place(self, start: int, end: int) -> Place:
        """The range between two offsets."""
        return self.text.place(start, end)

    @cached_property
    def _names(self) -> frozenset[str]:
        """Every word of the file as C# compares it."""
        return frozenset(b" ".join(self._plain_words).decode().split()).union(self._odd_spellings)

    @cached_property
    def _plain_words(self) -> frozenset[bytes]:
        return frozenset(self.reading.plain.translate(_PLAIN).split())

    @cached_property
    def _odd_spellings(self) -> dict[str, list[bytes]]:
        """Words with escapes, or with characters beyond ASCII, of which C# ignores some."""
        data = self.reading.plain
        if data.isascii() and not _ESCAPE.search(data):
            return {}
        spellings: dict[str, list[bytes]] = {}
        for word in sorted(set(data.translate(_ANY).split())):
            if not word.isascii() or b"\\" in word:
                spellings.setdefault(identifier(word), []).append(word)
        return spellings

    def spellings(self, name: str) -> list[bytes]:
        """The ways in which the file writes a name, none where it does not."""
        plain = name.encode()
        return [plain] * (plain in self._plain_words) + self._odd_spellings.get(name, [])

    @cached_property
    def _declarations(self) -> Declarations:
        declarations = Declarations(self.text)
        for variant in self.reading.variants:
            declarations.add(variant.tree.root_node, variant.data)
        return declarations

    @cached_property
    def _facts(self) -> Facts:
        return self._declarations.facts()

    def row_of_function(self, offset: int) -> int:
        """The row of the innermost function around an offset, or -1."""
        _ = self._facts
        return self._declarations.enclosing(offset).function

    @cached_property
    def _with_bodies(self) -> Facts:
        return self._facts._replace(bodies=bodies(self))

    @cached_property
    def _references(self) -> list[References]:
        return [
            References(variant, self.spellings, self.constant, evidence)
            for variant, evidence in zip(self.reading.variants, self.evidence, strict=True)
        ]

    def _unread_references(self, names: frozenset[str]) -> Iterator[Reference]:
        """Dotted names in regions without a tree; a bare name there could be anything."""
        if not self.reading.unread or not names:
            return
        for name in self.reading.fallback_names(self.reading.unread):
            written = compact(name.name.replace("?.", ".").replace("!", "").encode())
            parts = parse(written).parts
            if len(parts) > 1 and parts[-1].name in names and not self._in_nameof(name.start):
                yield Reference(name.member, name.end, written, (CALL,) if name.called else (READ, REFERENCE))

    def _in_nameof(self, start: int) -> bool:
        before = self.text.data[max(0, start - 32) : start]
        return before.rstrip().removesuffix(b"(").rstrip().endswith(b"nameof")

    def _as_uses(self, reference: Reference) -> Iterator[Use]:
        scope, function = self.where(reference.start)
        place = self.text.place(reference.start, reference.end)
        for kind in reference.kinds:
            yield Use(place, reference.name, kind, scope, function, *reference.arguments)
