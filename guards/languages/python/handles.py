"""Patchers on the whole project: which calls replace something, what, and whose it is.

A patch call belongs to one class, so that one rule reports it: the first of ``UNRESOLVED``,
``CLOCK``, ``SYS_MODULES``, ``STREAM``, ``THROUGH_IMPORT``, ``UNOWNED``, ``INTERNAL``, ``MISSING``
and ``OWNED`` that fits.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from guards.findings.model import Candidate
from guards.languages.python.facts import PatchCall, WrapperFacts
from guards.languages.python.index import Index
from guards.languages.python.modules import OWNED as IS_OWNED
from guards.languages.python.modules import STDLIB, THIRD_PARTY
from guards.languages.python.patches import UNPACKED
from guards.languages.python.references import (
    UNKNOWN,
    attribute,
    concatenated,
    hole,
    is_text,
    joined,
    parts,
    pieces,
    text,
)
from guards.languages.python.resolver import EXTERNAL, Meaning, Via
from guards.languages.python.resolver import MISSING as IS_MISSING

UNRESOLVED, CLOCK, SYS_MODULES, STREAM, THROUGH_IMPORT, UNOWNED, INTERNAL, MISSING, OWNED = (
    "unresolved", "clock", "sys-modules", "stream", "through-import", "unowned", "internal", "missing", "owned",
)  # fmt: skip

PATCH, OBJECT, DICT, MULTIPLE = "patch", "object", "dict", "multiple"
AUTOSPEC, MOCK = "create_autospec", "mock"
SETATTR, DELATTR, SETITEM, DELITEM = "setattr", "delattr", "setitem", "delitem"
# The forms that replace what is there; the others only make a double.
REPLACING = frozenset({PATCH, OBJECT, DICT, MULTIPLE, SETATTR, DELATTR, SETITEM, DELITEM})

_MOCK_HANDLE = re.compile(
    r"(?:unittest\.mock|mock(?:\.mock)?|pytest_mock(?:\.plugin)?\.(?:MockerFixture|MockFixture)(?:\(\))?(?:\.mock_module)?)"
    r"\.(?:(?P<patch>patch)(?:\.(?P<form>object|dict|multiple|context_manager))?|(?P<autospec>create_autospec)|(?P<mock>(?:NonCallable)?(?:Magic)?Mock|AsyncMock))"
)
_MONKEYPATCH_HANDLE = re.compile(
    r"(?:pytest|_pytest\.monkeypatch)\.MonkeyPatch(?:\(\))?\.(?P<form>setattr|delattr|setitem|delitem)"
)
_CLOCK = re.compile(
    r"time\.(?:time|time_ns|monotonic\w*|perf_counter\w*|sleep)"
    r"|(?:asyncio|asyncio\.tasks|trio|anyio)\.sleep"
    r"|datetime\.(?:datetime|date)(?:\.(?:now|utcnow|today))?"
    r"|asyncio\.(?:\w+\.)*\w*EventLoop\.(?:time|call_later)"
)
_STREAMS = frozenset({"sys.stdout", "sys.stderr", "sys.stdin", "logging.Logger.handle", "warnings.showwarning"})
_NO_ATTRIBUTES = frozenset({"spec", "create", "spec_set", "autospec", "new_callable", "unsafe", "target", UNPACKED})
# A name that begins with an underscore, but is none of Python's own, nor that of gettext.
_PRIVATE = re.compile(r"(?:\A|\.)(?!__\w+__(?:\Z|[.(]))_\w")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")


class Patch(NamedTuple):
    """One call of a patcher.

    ``kind`` is the class that it belongs to. ``paths`` are the targets as the test names them,
    without what only the test itself calls so; ``targets`` is all that they can mean, and
    ``likeness`` all that can be meant by the thing that the double is made after.
    ``calls_through`` says that the double hands calls on to the original.
    """

    form: str
    kind: str
    paths: tuple[str, ...]
    targets: tuple[Meaning, ...]
    likeness: tuple[Meaning, ...] = ()
    calls_through: bool = False

    @property
    def name(self) -> str:
        """The full name of what is replaced."""
        return self.targets[0].name if self.targets else ""

    @property
    def via(self) -> Via | None:
        """Where the target leaves the project's own code."""
        return next((item.via for item in self.targets if item.via is not None), None)

    @property
    def private_path(self) -> str:
        """The path with a private name in it, if there is one."""
        return next((path for path in self.paths if _PRIVATE.search(path)), "")

    @property
    def replaces(self) -> bool:
        """Whether something is replaced by what does not call it."""
        return self.form in REPLACING and not self.calls_through

    def is_named(self, globs: Sequence[str]) -> bool:
        """Whether all that it can mean has one of some names, or lies below it."""
        names = [item.name for item in self.targets]
        return all(any(fnmatchcase(name, glob) or fnmatchcase(name, f"{glob}.*") for glob in globs) for name in names)


def words_of(call: PatchCall) -> tuple[str, ...]:
    """A patch call as the words of a candidate."""
    return (call.callee, *(f"{name}={value}" for name, value in call.arguments))


def call_of(candidate: Candidate) -> PatchCall:
    """The patch call that a candidate was made from."""
    callee, *given = candidate.words
    pairs = (word.partition("=") for word in given)
    return PatchCall(candidate.place, callee, tuple((name, value) for name, _, value in pairs), candidate.function)


def resolve_patch(index: Index, path: str, call: PatchCall) -> Patch | None:
    """What a call in a file replaces; None where it is no patcher's call."""
    key = (path, call.callee, call.arguments)
    if key not in index.patches:
        index.patches[key] = _resolved_patch(index, path, call)
    return index.patches[key]


def _resolved_patch(index: Index, path: str, call: PatchCall) -> Patch | None:
    meanings = index.resolve(call.callee, path)
    forms = {_form_of(item) for item in meanings}
    form = forms.pop() if len(forms) == 1 else ""
    if form:
        return _patch(index, path, form, dict(call.arguments))
    for item in meanings:
        wrapper = _wrapper_of(index, item)
        if wrapper is not None:
            return _wrapped(index, path, wrapper, item.location, call)
    return None


def _form_of(item: Meaning) -> str:
    """The form of patch that a name of other people's code is; empty for any other name."""
    if item.owner == IS_OWNED or (item.owner != THIRD_PARTY and item.name.startswith("mock.")):
        return ""
    match = _MOCK_HANDLE.fullmatch(item.name)
    if match is not None:
        form = match["form"] or match["patch"] or match["autospec"] or MOCK
        return OBJECT if form == "context_manager" else form
    match = _MONKEYPATCH_HANDLE.fullmatch(item.name)
    return match["form"] if match is not None else ""


def _wrapper_of(index: Index, item: Meaning) -> WrapperFacts | None:
    facts = index.facts_of(item.location) if item.symbol else None
    wrappers = facts.wrappers if facts is not None else ()
    return next((wrapper for wrapper in wrappers if wrapper.name == item.symbol), None)


def _wrapped(index: Index, path: str, wrapper: WrapperFacts, file: str, call: PatchCall) -> Patch | None:
    """The patch that a wrapper makes of the arguments that it is called with."""
    given = dict(call.arguments)
    values = {}
    for number, name in enumerate(wrapper.parameters):
        value = given.get(str(number), given.get(name, UNKNOWN))
        values[name] = _rooted(value, path)
    inner = tuple((name, _filled_in(value, values)) for name, value in wrapper.call.arguments)
    forms = {_form_of(item) for item in index.resolve(_filled_in(wrapper.call.callee, values), file)}
    form = forms.pop() if len(forms) == 1 else ""
    return _patch(index, file, form, dict(inner)) if form else None


def _rooted(reference: str, path: str) -> str:
    """A reference that means the same in another file."""
    if is_text(reference):
        return reference
    return path + reference if parts(reference).root == "own" and reference[:1] == ":" else reference


def _filled_in(reference: str, values: dict[str, str]) -> str:
    """A wrapper's reference with what its parameters were given."""
    if reference[:1] == "$":
        first, dot, rest = reference[1:].partition(".")
        value = values.get(first)
        if value is None:
            return reference
        return f"{value}{dot}{rest}" if value and not (dot and is_text(value)) else UNKNOWN
    if not is_text(reference):
        return reference
    return concatenated(
        [hole(_filled_in(inner, values)) if inner else text(value) for value, inner in pieces(reference)]
    )


def _patch(index: Index, path: str, form: str, given: dict[str, str]) -> Patch:
    references = list(_targets(index, path, form, given))
    targets = tuple(item for reference in references for item in index.resolve(reference, path))
    paths = tuple(map(_as_written, references))
    likeness = next((given[key] for key in _LIKENESS if given.get(key)), UNKNOWN)
    like = index.resolve(likeness, path) if likeness and not is_text(likeness) else ()
    return Patch(form, _class_of(targets, paths, form), paths, targets, like, calls_through="wraps" in given)


def _targets(index: Index, path: str, form: str, given: dict[str, str]) -> Iterator[str]:
    """References of what a patch replaces, or a double is made after."""
    target = given.get("0", given.get(_TARGET_KEYWORD.get(form, "target"), UNKNOWN))
    if form == MULTIPLE:
        base = _object(index, path, target, texts=True)
        names = [name for name in given if not name.isdigit() and name not in _NO_ATTRIBUTES]
        references = [attribute(base, name) for name in names] or [base]
    elif form in (DICT, SETITEM, DELITEM, AUTOSPEC, MOCK):
        target = target or given.get("spec_set", UNKNOWN)
        references = [_object(index, path, target, texts=form == DICT)]
    elif form == PATCH or _is_short(form, given):
        references = [_object(index, path, target, texts=True, objects=False)]
    else:
        name = index.resolver.text(given.get("1", given.get(_NAME_KEYWORD[form], UNKNOWN)), path) or ""
        references = [attribute(_object(index, path, target), name) if name.isidentifier() else UNKNOWN]
    yield from references


_TARGET_KEYWORD = {DICT: "in_dict", SETITEM: "dic", DELITEM: "dic", AUTOSPEC: "spec", MOCK: "spec"}
_LIKENESS = ("spec", "spec_set", "autospec")
_NAME_KEYWORD = {OBJECT: "attribute", SETATTR: "name", DELATTR: "name"}


def _is_short(form: str, given: dict[str, str]) -> bool:
    """Whether ``setattr`` or ``delattr`` is given the dotted name of its target as one text."""
    if form == SETATTR:
        return "2" not in given and not ("value" in given and ("1" in given or "name" in given))
    return form == DELATTR and "1" not in given and "name" not in given


def _object(index: Index, path: str, reference: str, *, texts: bool = False, objects: bool = True) -> str:
    """The reference of a target that is given as an object or as the text of its dotted name."""
    written = index.resolver.text(reference, path)
    if written is None:
        return reference if objects and not is_text(reference) else UNKNOWN
    single = objects and written.isidentifier()
    return written if texts and (single or _DOTTED.fullmatch(written)) else UNKNOWN


def _as_written(reference: str) -> str:
    """The path of a target; what the test's own file calls something is left out."""
    part = parts(reference)
    own = part.root == "parameter" or (part.root == "own" and not part.path.endswith("/"))
    return joined(part.tokens[own:])


def _class_of(targets: Sequence[Meaning], paths: Sequence[str], form: str) -> str:
    if not targets or any(item.kind not in _KNOWN_KINDS and item.owner != IS_OWNED for item in targets):
        return UNRESOLVED
    if all(item.owner in (STDLIB, THIRD_PARTY) for item in targets):
        return _class_of_unowned(targets)
    if any(item.owner not in (STDLIB, THIRD_PARTY, IS_OWNED) for item in targets):
        return UNRESOLVED
    if form in REPLACING and any(map(_PRIVATE.search, paths)):
        return INTERNAL
    return MISSING if all(item.kind == IS_MISSING for item in targets) else OWNED


_KNOWN_KINDS = frozenset({EXTERNAL})


def _class_of_unowned(targets: Sequence[Meaning]) -> str:
    names = [item.name for item in targets]
    if any(_CLOCK.fullmatch(name) for name in names):
        return CLOCK
    if any(name == "sys.modules" for name in names):
        return SYS_MODULES
    if any(name in _STREAMS for name in names):
        return STREAM
    return THROUGH_IMPORT if any(item.via is not None for item in targets) else UNOWNED
