"""What a reference means on the whole project: resolved as Python would, without running it."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from guards.languages.python.bindings import CLASS, DEF, IMPORT, VALUE, Binding, effective
from guards.languages.python.facts import Facts, FixtureFacts
from guards.languages.python.modules import OWNED, STDLIB, UNDECIDED, Modules
from guards.languages.python.references import (
    CALL,
    UNKNOWN,
    attribute,
    constant,
    followed,
    is_text,
    joined,
    parts,
    pieces,
)

MODULE, MEMBER, INSTANCE, MISSING, EXTERNAL, RESULT, NOTHING = (
    "module", "member", "instance", "missing", "external", "result", "unknown",
)  # fmt: skip
_MOST_HOPS = 12
_MOST_STEPS = 200
_MODULE_DUNDERS = frozenset(
    {
        "__builtins__", "__cached__", "__dict__", "__doc__", "__file__", "__loader__", "__name__", "__package__",
        "__path__", "__spec__",
    }
)  # fmt: skip
# Classes whose names do not look like one.
_LOWER_CASE_CLASSES = frozenset(
    {
        "collections.defaultdict", "collections.deque", "datetime.date", "datetime.datetime", "socket.socket",
        "threading.local",
    }
)  # fmt: skip
# What the fixtures of pytest and pytest-mock give that hand out patchers.
BUILT_IN_FIXTURES = {
    **dict.fromkeys(
        ("mocker", "class_mocker", "module_mocker", "package_mocker", "session_mocker"), "pytest_mock.MockerFixture()"
    ),
    "monkeypatch": "pytest.MonkeyPatch()",
}


class Via(NamedTuple):
    """The place in an owned module at which a name leaves the owned code."""

    path: str
    line: int
    name: str


class Meaning(NamedTuple):
    """One thing that a reference can mean.

    ``name`` is its full name. ``kind`` is module, def, class, value, member, instance or missing
    for owned things, external for others; result for what a call gives that is nothing known,
    and unknown. ``location`` and ``symbol`` say where an owned thing is: its file, and its
    dotted name there.
    """

    name: str
    owner: str
    kind: str
    location: str = ""
    symbol: str = ""
    via: Via | None = None


_NOTHING = Meaning("", UNDECIDED, NOTHING)


class _Course:
    """One question to the resolver: where it began, how far it went, and what it is in the middle of."""

    def __init__(self, path: str) -> None:
        self.origin = path
        self.steps = 0
        self.open: set[tuple[str, str]] = set()


class _Step(NamedTuple):
    """Where a question has got to: the way out of owned code that it took, and the hops it made."""

    course: _Course
    via: Via | None = None
    hops: int = 0

    def on(self, via: Via | None) -> "_Step":
        """One hop further."""
        return self._replace(via=via, hops=self.hops + 1)


class Resolver:
    """Answers from the facts of the files that a question leads to, and of no others."""

    def __init__(self, modules: Modules, facts_of: Callable[[str], Facts | None]) -> None:
        self._modules = modules
        self._facts_of = facts_of
        self._names: dict[str, dict[str, list[Binding]]] = {}
        self._known: dict[tuple[str, str], tuple[Meaning, ...]] = {}
        self._made: dict[str, dict[str, list[FixtureFacts]]] = {}

    def resolve(self, reference: str, path: str) -> tuple[Meaning, ...]:
        """All that a reference in a file can mean; at least one, which may be unknown."""
        key = (path, reference)
        if key not in self._known:
            self._known[key] = tuple(dict.fromkeys(self._resolve(reference, path, _Step(_Course(path)))))
        return self._known[key]

    def text(self, reference: str, path: str) -> str | None:
        """The text that a reference in a file is; None where that is unknown."""
        return self._text(reference, path, 0)

    # The walk

    def _resolve(self, reference: str, path: str, step: _Step) -> list[Meaning]:
        step.course.steps += 1
        if step.hops > _MOST_HOPS or step.course.steps > _MOST_STEPS:
            return [_NOTHING]
        part = parts(reference)
        if part.root == "own":
            return self._in_module(part.path or path, part.tokens, step)
        if part.root == "parameter":
            return self._parameter(part.tokens, path, step)
        if part.root == "name":
            return self._absolute(part.tokens, path, step)
        return [_NOTHING]

    def _absolute(self, tokens: tuple[str, ...], path: str, step: _Step) -> list[Meaning]:
        if tokens[0] == "builtins" and len(tokens) > 1 and tokens[1] not in _builtin_names():
            return [_NOTHING]
        owner, location = self._modules.top_level(tokens[0], path)
        if owner == OWNED:
            return self._in_module(location, tokens[1:], step)
        return [self._external(tokens, owner, step.via)]

    def _external(self, tokens: tuple[str, ...], owner: str, via: Via | None) -> Meaning:
        tokens = _entered(tokens)
        name, kind = joined(tokens), EXTERNAL
        if CALL in tokens:
            kind = RESULT
            call = tokens.index(CALL)
            if call == len(tokens) - 2 and _is_class(tokens[:call]):
                name, kind = joined((*tokens[:call], tokens[-1])), EXTERNAL
        if owner != STDLIB and self._modules.is_configured(name):
            return Meaning(name, OWNED, kind)
        return Meaning(name, owner, kind, via=via)

    def _in_module(self, location: str, tokens: tuple[str, ...], step: _Step) -> list[Meaning]:
        for number, token in enumerate(tokens):
            rest = tokens[number + 1 :]
            file = self._modules.module_file(location)
            if token == CALL or (file and self._facts_of(file) is None):
                return [_NOTHING]
            found = self._bound_in(file, token, rest, step)
            if found:
                return found
            inner = self._modules.submodules(location, token)
            if len(inner) > 1 or (not inner and (file, token) in step.course.open):
                return [_NOTHING]
            if not inner:
                return self._elsewhere(location, token, rest, step)
            location = inner[0]
        return [Meaning(self._modules.name_of(location), OWNED, MODULE, self._modules.module_file(location))]

    def _bound_in(self, file: str, name: str, rest: tuple[str, ...], step: _Step) -> list[Meaning]:
        """What a module itself binds a name to; nothing where it does not, or is just asked for it."""
        bound = self._bindings(file, name, types=file == step.course.origin)
        key = (file, name)
        if not bound or key in step.course.open:
            return []
        step.course.open.add(key)
        found = [item for binding in bound for item in self._binding(file, binding, rest, step)]
        step.course.open.discard(key)
        return found

    def _binding(self, file: str, binding: Binding, rest: tuple[str, ...], step: _Step) -> list[Meaning]:
        name = attribute(self._modules.name_of(file), binding.name)
        own = file == step.course.origin
        further = step.on(step.via if own else Via(file, binding.line, binding.name))
        if binding.kind == IMPORT:
            return self._resolve(followed(binding.reference, rest), file, further)
        if binding.kind == CLASS:
            return [self._of_class(file, binding.name, name, rest)]
        reference = binding.reference
        if binding.kind == VALUE and reference and not is_text(reference) and (rest or CALL not in reference):
            found = self._resolve(followed(reference, rest), file, further)
            if rest or any(item.kind != NOTHING for item in found):
                return found
        unknown = CALL in rest or (rest and own and binding.kind == VALUE)
        return [_NOTHING if unknown else _owned(name, binding.kind, file, binding.name, rest)]

    def _of_class(self, file: str, symbol: str, name: str, rest: tuple[str, ...]) -> Meaning:
        facts = self._facts_of(file) or Facts()
        classes = {item.name for item in facts.classes}
        while rest and f"{symbol}.{rest[0]}" in classes:
            symbol, name, rest = f"{symbol}.{rest[0]}", f"{name}.{rest[0]}", rest[1:]
        kind = CLASS
        while rest[:1] == (CALL,):
            kind, rest = INSTANCE, rest[1:]
            if rest[:2] == ("__enter__", CALL):
                rest = rest[1:]
        if len(rest) > 1 or CALL in rest:
            return _NOTHING
        return _owned(name, kind, file, symbol, rest)

    def _elsewhere(self, location: str, token: str, rest: tuple[str, ...], step: _Step) -> list[Meaning]:
        """A name that a module neither binds nor holds: of a star import, made at run time, or missing."""
        file = self._modules.module_file(location)
        name = attribute(self._modules.name_of(location), token)
        facts = self._facts_of(file) if file else None
        if facts is None:
            return [Meaning(name, OWNED, MISSING)]
        further = step.on(step.via if file == step.course.origin else Via(file, 1, token))
        unsure = facts.dynamic
        for star in reversed(facts.stars):  # the last one wins
            taken = self._is_taken(star, token, file, further)
            if taken is False:
                continue
            found = self._resolve(followed(star, (token, *rest)), file, further)
            own = any(item.owner == OWNED and item.kind != MISSING for item in found)
            # What a module of the project's own has from an import leaves it there, not here.
            imported = any(item.kind == EXTERNAL and item.via != further.via for item in found)
            if own or imported or token in _STAR_NAMES.get(star, ()):
                return found if taken else [_NOTHING]
            unsure = unsure or taken is None or any(item.owner != OWNED for item in found)
        if token in _MODULE_DUNDERS:
            return [_owned(name, VALUE, file, token, rest)]
        if token in _builtin_names() and not unsure:
            return [self._external(("builtins", token, *rest), STDLIB, further.via)]
        return [_NOTHING if unsure else Meaning(name, OWNED, MISSING, file, token)]

    def _is_taken(self, star: str, name: str, file: str, step: _Step) -> bool | None:
        """Whether ``import *`` of a module gives a name that it has; None where that is unknown."""
        modules = [item.location for item in self._resolve(star, file, step.on(step.via)) if item.kind == MODULE]
        if not modules or "" in modules:
            return True  # of other people's, or a folder
        found = {self._is_exported(module, name, step) for module in modules}
        return found.pop() if len(found) == 1 else None

    def _is_exported(self, file: str, name: str, step: _Step) -> bool | None:
        facts = self._facts_of(file)
        if facts is None:
            return None
        if facts.exports is None:
            return None if facts.dynamic and name[:1] == "_" else name[:1] != "_"
        if name in facts.exports.names:
            return True
        inner = [self._is_in_all_of(module, name, file, step.on(step.via)) for module in facts.exports.modules]
        if any(inner):
            return True
        return None if not facts.exports.whole or None in inner else False

    def _is_in_all_of(self, module: str, name: str, file: str, step: _Step) -> bool | None:
        found = self._resolve(module, file, step)
        if len(found) != 1 or found[0].kind != MODULE:
            return None
        return self._is_exported(found[0].location, name, step) if found[0].location else None

    def _bindings(self, file: str, name: str, *, types: bool) -> tuple[Binding, ...]:
        if file not in self._names:
            facts = self._facts_of(file) if file else None
            names: dict[str, list[Binding]] = {}
            for binding in facts.bindings if facts is not None else ():
                names.setdefault(binding.name, []).append(binding)
            self._names[file] = names
        return effective(self._names[file].get(name, ()), types=types)

    # Fixtures

    def _parameter(self, tokens: tuple[str, ...], path: str, step: _Step) -> list[Meaning]:
        name, rest = tokens[0], tokens[1:]
        for file, fixture in self._fixtures(name, path, step):
            key = (file, f"${name}")
            # A fixture that asks for its own name means the one that it overrides.
            if key not in step.course.open:
                step.course.open.add(key)
                found = self._resolve(followed(fixture.gives, rest), file, step.on(None))
                step.course.open.discard(key)
                return found
        known = BUILT_IN_FIXTURES.get(name, UNKNOWN)
        return self._resolve(followed(known, rest), path, step.on(None)) if known else [_NOTHING]

    def fixtures(self, name: str, path: str) -> Iterator[tuple[str, FixtureFacts]]:
        """The fixtures of a name that a file's tests see, the nearest first, each with the file that it stands in."""
        return self._fixtures(name, path, _Step(_Course(path)))

    def _fixtures(self, name: str, path: str, step: _Step) -> Iterator[tuple[str, FixtureFacts]]:
        for file in self.fixture_files(path):
            facts = self._facts_of(file)
            if facts is None:
                continue
            yield from ((file, fixture) for fixture in self.fixtures_in(file, name))
            imported = any(item.kind == IMPORT for item in self._bindings(file, name, types=False))
            for item in self._resolve(f":{name}", file, step.on(None)) if imported or facts.stars else ():
                if item.kind == DEF and item.location != file:
                    yield from ((item.location, fixture) for fixture in self.fixtures_in(item.location, name))

    def fixtures_in(self, file: str, name: str) -> list[FixtureFacts]:
        """The fixtures of a name that a file itself makes."""
        if file not in self._made:
            facts = self._facts_of(file)
            made: dict[str, list[FixtureFacts]] = {}
            for fixture in facts.fixtures if facts is not None else ():
                made.setdefault(fixture.name, []).append(fixture)
            self._made[file] = made
        return self._made[file].get(name, [])

    def fixture_files(self, path: str) -> list[str]:
        """The files whose fixtures a file's tests see, the nearest first."""
        files = [path, *(file for file in self._modules.ancestors(path) if file != path)]
        for file in files:  # grows while it is read: plugins can name plugins
            facts = self._facts_of(file)
            for plugin in facts.plugins if facts is not None and len(files) < _MOST_STEPS else ():
                found = self.resolve(plugin, file)
                files.extend(item.location for item in found if item.kind == MODULE and item.location not in files)
        return files

    # Texts

    def _text(self, reference: str, path: str, hops: int) -> str | None:
        if hops > _MOST_HOPS:
            return None
        if not is_text(reference):
            return self._text_of_name(reference, path, hops)
        written = constant(reference)
        if written is not None:
            return written
        found = [
            value or self._in_hole(inner, path, hops, first=not number)
            for number, (value, inner) in enumerate(pieces(reference))
        ]
        return None if None in found else "".join(filter(None, found))

    def _text_of_name(self, reference: str, path: str, hops: int) -> str | None:
        meanings = self.resolve(reference, path) if reference else ()
        if len(meanings) != 1 or meanings[0].kind != VALUE:
            return None
        item = meanings[0]
        bound = self._bindings(item.location, item.symbol, types=False)
        if len(bound) != 1 or not is_text(bound[0].reference):
            return None
        return self._text(bound[0].reference, item.location, hops + 1)

    def _in_hole(self, reference: str, path: str, hops: int, *, first: bool) -> str | None:
        if reference == ":__name__":
            return self._modules.name_of(path)
        base, _, last = reference.rpartition(".")
        if last not in ("__name__", "__qualname__", "__module__"):
            return self._text(reference, path, hops + 1)
        meanings = self.resolve(base, path)
        if len(meanings) != 1 or meanings[0].kind in (NOTHING, RESULT, MISSING, VALUE):
            return None
        name, kind = meanings[0].name, meanings[0].kind
        module, _, own = name.rpartition(".")
        if last == "__module__":
            return module or None
        # What a name of other people's code is shows only in how it is used: in front, it is a module.
        is_module = kind == MODULE or (kind == EXTERNAL and (not module or (first and not own[:1].isupper())))
        return name if is_module and last == "__name__" else own


def _owned(name: str, kind: str, file: str, symbol: str, rest: tuple[str, ...]) -> Meaning:
    if not rest:
        return Meaning(name, OWNED, kind, file, symbol)
    return Meaning(f"{name}.{joined(rest)}", OWNED, MEMBER, file, f"{symbol}.{joined(rest)}")


def _entered(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens without the entering of contexts that give themselves."""
    for number in range(len(tokens) - 2):
        if tokens[number : number + 3] == (CALL, "__enter__", CALL):
            if _is_class(tokens[:number]):
                return _entered((*tokens[: number + 1], *tokens[number + 3 :]))
            if tokens[:number] in _CONTEXTS:
                return _entered(("pytest", "MonkeyPatch", CALL, *tokens[number + 3 :]))
    return tokens


_CONTEXTS = (
    ("pytest", "MonkeyPatch", "context"),
    ("pytest", "MonkeyPatch", CALL, "context"),
    ("_pytest", "monkeypatch", "MonkeyPatch", "context"),
)
# What ``import *`` gives of a module of other people's, where that matters.
_MOCK_NAMES = frozenset(
    {
        "ANY", "AsyncMock", "DEFAULT", "MagicMock", "Mock", "NonCallableMagicMock", "NonCallableMock", "PropertyMock",
        "call", "create_autospec", "mock_open", "patch", "seal", "sentinel",
    }
)  # fmt: skip
_STAR_NAMES = {"unittest.mock": _MOCK_NAMES, "mock": _MOCK_NAMES}


def _is_class(tokens: tuple[str, ...]) -> bool:
    """Whether a name of other people's code looks like a class."""
    return tokens[-1].lstrip("_")[:1].isupper() or joined(tokens) in _LOWER_CASE_CLASSES


@cache
def _builtin_names() -> frozenset[str]:
    import builtins

    return frozenset(vars(builtins)) - {"None"}
