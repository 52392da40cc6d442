"""The baseline: findings that were there when it was made, and that do not count until somebody mends them.

It is one JSON file for people and for merges: sorted, and an entry a line. An entry holds back so
many findings of a rule on a line that has its fingerprint, in a file or in what that file was
renamed to.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from guards.config.model import ConfigError, ProblemAt
from guards.findings.model import Finding
from guards.source.place import Place, file_place

if TYPE_CHECKING:
    import json

VERSION = 1
DEFAULT_REASON = "it was there when the baseline was made"
# Findings about excuses: an excuse for an excuse is none, and each is mended by editing one comment or entry.
NEVER_HELD = frozenset({
    "stale-baseline", "suppression-without-reason", "unknown-rule-in-suppression", "unused-suppression",
})  # fmt: skip

_KEYS = ("rule", "path", "fingerprint", "count", "reason")
_ALL_KEYS = frozenset(_KEYS)
_TOP_KEYS = ("version", "entries")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_INSIDE = re.compile(r"(?!\.{1,2}(?:/|\Z))[^/\\]+(?:/(?!\.{1,2}(?:/|\Z))[^/\\]+)*")
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)
_SPACE = re.compile(r"[ \t\r\n]*")
_MOST_PROBLEMS = 20
_MOST_TIMES = 1_000_000

# What JSON gives for an object whose keys are all different.
_Object: TypeAlias = Mapping[str, object]


class Entry(NamedTuple):
    """So many findings of a rule on a line of a file, and why they do not count.

    ``place`` is where the entry stands in the baseline's own file.
    """

    rule: str
    path: str
    fingerprint: str
    times: int
    reason: str
    place: Place = file_place("")


class Baseline(NamedTuple):
    """The entries of one file; ``path`` is relative to the project's root."""

    path: str
    entries: tuple[Entry, ...]


class Matched(NamedTuple):
    """Which findings the entries hold back.

    ``left`` are those that none does, ``held`` the others, each with its entry; both in the order
    of the findings. ``paths`` are the files in which each entry found what it holds back, with how much.
    """

    left: tuple[Finding, ...]
    held: tuple[tuple[Finding, Entry], ...]
    paths: Mapping[Entry, tuple[str, int]]


def has_reason(text: str) -> bool:
    """Whether a reason says anything at all: punctuation alone does not."""
    return any(character.isalnum() for character in text)


# Writing.


def dumps(entries: Iterable[Entry]) -> str:
    """The text of a baseline: an entry a line, sorted; entries for the same findings become one, with both reasons."""
    import json

    merged: dict[tuple[str, str, str], tuple[int, dict[str, None]]] = {}
    for entry in entries:
        key = (entry.path, entry.rule, entry.fingerprint)
        count, reasons = merged.get(key, (0, {}))
        merged[key] = (count + entry.times, {**reasons, entry.reason: None})
    lines = []
    for (path, rule, mark), (count, reasons) in sorted(merged.items()):
        reason = "; ".join(reasons)
        body = dict(zip(_KEYS, (rule, path, mark, count, reason), strict=True))
        # What nobody sees in a text is written as an escape.
        lines.append("    " + json.dumps(body, ensure_ascii=not f"{path}{reason}".isprintable()))
    listed = ",\n".join(lines)
    between = f"\n{listed}\n  " if lines else ""
    return f'{{\n  "version": {VERSION},\n  "entries": [{between}]\n}}\n'


# Reading.


def loads(raw: bytes, path: str) -> Baseline:
    """The baseline that stands in a file.

    Raises:
        ConfigError: it is none, with the places of what is wrong.
    """
    try:
        text = raw.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError((ProblemAt(path, line, "", f"byte {error.start} is not UTF-8"),)) from None
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 1
        problem = (
            "a merge conflict is not resolved: keep the entries of both sides, then say `suiteguard baseline update`"
        )
        raise ConfigError((ProblemAt(path, line, "", problem),))
    return _Reader(path, text).baseline()


class _Reader:
    """One pass over the text. What is no JSON ends it; other problems are gathered."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._decoder = _decoder()
        self._line, self._line_start, self._counted = 1, 0, 0
        self._problems: list[ProblemAt] = []
        self._entries: dict[tuple[str, str, str], Entry] = {}
        self._top: dict[str, object] = {}

    def baseline(self) -> Baseline:
        """The entries in the order of the file.

        Raises:
            ConfigError: with everything that is wrong, up to the first place that is no JSON.
        """
        self._document()
        if "version" not in self._top or "entries" not in self._top:
            self._problem(1, "", "needs `version` and `entries`")
        elif type(self._top["version"]) is not int or self._top["version"] != VERSION:
            # Whatever else is wrong then is no mistake of whoever wrote it.
            self._problems = []
            self._problem(1, "version", f"this suiteguard reads version {VERSION} of the format")
        if self._problems:
            raise ConfigError(tuple(self._problems))
        return Baseline(self._path, tuple(self._entries.values()))

    def _document(self) -> None:
        at = self._expect(0, "{", "must be an object with `version` and `entries`")
        more = not self._text.startswith("}", self._skip(at))
        while more:
            at = self._skip(at)
            key, at = self._value(at)
            if not isinstance(key, str):
                self._stop(at, "a key must be a string")
            if key in self._top:
                self._stop(at, f"the key `{key}` is there twice")
            if key not in _TOP_KEYS:
                self._problem(
                    self._position(at)[0], str(key), "there is no such key; there are `version` and `entries`"
                )
            at = self._skip(self._expect(at, ":", "a colon must stand behind a key"))
            self._top[str(key)], at = (None, self._list(at)) if key == "entries" else self._value(at)
            at, more = self._next(at, "}")
        end = self._skip(self._expect(at, "}", "the object has no end"))
        if end < len(self._text):
            self._stop(end, "something stands behind the end")

    def _list(self, at: int) -> int:
        at = self._expect(at, "[", "`entries` must be a list")
        more = not self._text.startswith("]", self._skip(at))
        while more:
            start = self._skip(at)
            value, at = self._value(start)
            self._entry(value, start, at)
            at, more = self._next(at, "]")
        return self._expect(at, "]", "the list has no end")

    def _next(self, at: int, end: str) -> tuple[int, bool]:
        """Where it goes on behind an item, and whether another one follows."""
        at = self._skip(at)
        if self._text.startswith(",", at):
            return at + 1, True
        if not self._text.startswith(end, at):
            self._stop(at, f"a comma or `{end}` must stand here")
        return at, False

    def _entry(self, value: object, start: int, end: int) -> None:
        place = self._place(start, end)
        if not isinstance(value, Mapping):
            self._problem(place.line, "", "an entry must be an object")
            return
        rule, path, mark, reason = (_text(value.get(key)) for key in ("rule", "path", "fingerprint", "reason"))
        entry = Entry(rule, path, mark, _number(value.get("count")), reason, place)
        wrong = list(_entry_problems(value, entry))
        if not wrong and self._entries.setdefault(entry[:3], entry) is not entry:
            first = self._entries[entry[:3]].place.line
            wrong.append(("", f"the same entry stands in line {first}; make one of both, with the sum of their counts"))
        for key, message in wrong:
            self._problem(place.line, key, message)

    def _value(self, at: int) -> tuple[object, int]:
        import json

        try:
            return self._decoder.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            self._stop(error.pos, f"no valid JSON: {error.msg}")
        except RecursionError:
            self._stop(at, "it is nested too deeply")
        except ValueError as error:
            self._stop(at, str(error))

    def _expect(self, at: int, character: str, message: str) -> int:
        at = self._skip(at)
        if not self._text.startswith(character, at):
            self._stop(at, message)
        return at + 1

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _place(self, start: int, end: int) -> Place:
        first, column = self._position(start)
        return Place(self._path, first, column, *self._position(end))

    def _position(self, at: int) -> tuple[int, int]:
        """Line and column; asked for in order, so that each character is counted once."""
        lines = self._text.count("\n", self._counted, at)
        if lines:
            self._line += lines
            self._line_start = self._text.rindex("\n", self._counted, at) + 1
        self._counted = at
        return self._line, at - self._line_start + 1

    def _problem(self, line: int, key: str, message: str) -> None:
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(ProblemAt(self._path, line, key, message))

    def _stop(self, at: int, message: str) -> NoReturn:
        self._problems[_MOST_PROBLEMS - 1 :] = []
        self._problem(self._text.count("\n", 0, at) + 1, "", message)
        raise ConfigError(tuple(self._problems))


def _decoder() -> "json.JSONDecoder":
    import json

    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def _object(pairs: Sequence[tuple[str, object]]) -> _Object:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key `{name}` is there twice")
        found[name] = value
    return found


def _no_constant(word: str) -> object:
    raise ValueError(f"no valid JSON: {word}")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if type(value) is int else 0


def _entry_problems(value: _Object, entry: Entry) -> Iterator[tuple[str, str]]:
    """What is wrong with one entry, each with its key."""
    if value.keys() != _ALL_KEYS:
        yield from (
            (name, f"there is no such key; an entry has {', '.join(_KEYS)}")
            for name in sorted(value.keys() - _ALL_KEYS)
        )
        missing = [name for name in _KEYS if name not in value]
        if missing:
            yield "", f"an entry needs {', '.join(_KEYS)}; {', '.join(missing)} is missing"
    else:
        yield from _value_problems(entry)


def _value_problems(entry: Entry) -> Iterator[tuple[str, str]]:
    if not entry.rule:
        yield "rule", "must be the name of a rule"
    elif entry.rule in NEVER_HELD:
        yield "rule", f"findings of `{entry.rule}` are about excuses and cannot be held back"
    if not _INSIDE.fullmatch(entry.path):
        yield "path", "must be the path of a file, relative to the project's root, with forward slashes"
    if not _FINGERPRINT.fullmatch(entry.fingerprint):
        yield "fingerprint", "must be 16 hexadecimal digits in small letters"
    if not 1 <= entry.times <= _MOST_TIMES:
        yield "count", f"must be an integer from 1 to {_MOST_TIMES}"
    if not has_reason(entry.reason):
        yield "reason", "must say why the findings do not count"


# Matching.


def match(
    findings: Sequence[Finding], marks: Sequence[str], entries: Sequence[Entry], is_there: Callable[[str], bool]
) -> Matched:
    """Which findings the entries hold back.

    An entry whose file is gone follows it to where it was renamed: a file that no entry names.

    Args:
        findings: in order; of several on equal lines, the first are held back.
        marks: the fingerprint of each.
        entries: those of the baseline.
        is_there: whether there is a file at a path.
    """
    waiting: _Waiting = defaultdict(lambda: defaultdict(list))
    for number, (finding, mark) in enumerate(zip(findings, marks, strict=True)):
        waiting[finding.rule, mark][finding.place.path].append(number)
    held: dict[int, Entry] = {}
    paths: dict[Entry, tuple[str, int]] = {}

    def take(entry: Entry, path: str) -> None:
        there = waiting[entry.rule, entry.fingerprint][path]
        taken, there[:] = there[: entry.times], there[entry.times :]
        if taken:
            held.update(dict.fromkeys(taken, entry))
            paths[entry] = (path, len(taken))

    for entry in entries:
        take(entry, entry.path)
    # Whether a file is there is asked only where its entry could follow it.
    wanted = {key for key, by_path in waiting.items() if any(by_path.values())}
    unused = (entry for entry in entries if entry not in paths and (entry.rule, entry.fingerprint) in wanted)
    gone = [entry for entry in unused if not is_there(entry.path)]
    for entry, path in _moves(gone, waiting, {entry.path for entry in entries}):
        take(entry, path)
    return Matched(
        tuple(finding for number, finding in enumerate(findings) if number not in held),
        tuple((findings[number], entry) for number, entry in sorted(held.items())),
        paths,
    )


# By rule and fingerprint, then by path: the numbers of the findings that nothing holds back yet.
_Waiting: TypeAlias = "defaultdict[tuple[str, str], defaultdict[str, list[int]]]"


def _moves(gone: Sequence[Entry], waiting: "_Waiting", named: set[str]) -> Iterator[tuple[Entry, str]]:
    """The entries of files that are gone, each with the file that it followed.

    A line that only one file that is gone and only one new file have tells where the former went;
    so does one that only one of each with the same name has. Then the other entries follow.
    """
    new = {
        key: [path for path, numbers in waiting[key].items() if numbers and path not in named]
        for key in {(entry.rule, entry.fingerprint) for entry in gone}
    }
    target: dict[Entry, str] = {}
    for with_name in (False, True):
        old_paths, new_paths = defaultdict(set), defaultdict(set)
        for entry in gone:
            old_paths[_key(entry, entry.path, with_name=with_name)].add(entry.path)
            for path in new[entry.rule, entry.fingerprint]:
                new_paths[_key(entry, path, with_name=with_name)].add(path)
        for entry in gone:
            key = _key(entry, entry.path, with_name=with_name)
            if len(old_paths[key]) == len(new_paths[key]) == 1:
                target.setdefault(entry, next(iter(new_paths[key])))
    went: dict[str, set[str]] = defaultdict(set)
    for entry, path in target.items():
        went[entry.path].add(path)
    for entry in gone:
        if entry in target:
            yield entry, target[entry]
        elif len(went[entry.path]) == 1:
            yield entry, next(iter(went[entry.path]))


def _key(entry: Entry, path: str, *, with_name: bool) -> tuple[str, str, str]:
    return entry.rule, entry.fingerprint, path.rpartition("/")[2] if with_name else ""
