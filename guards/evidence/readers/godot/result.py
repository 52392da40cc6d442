"""What the runner says of a run: its counters, its lists and its rows, each of its exact type."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from guards.evidence.found import Found
from guards.evidence.model import Reason, Where
from guards.evidence.readers.godot.opened import DATA_KEYS, UNKNOWN, Lines, present
from guards.source.json_tree import Value

# The conditions of the contract that are judged here.
TYPES, COMPLETE, ROW_KEYS = "3", "6", "20"
REQUIRED: Final = ("passed", "failed", "skipped", "total", "duration_ms", "suites_run", "suite_count")
SUITE_SETUP: Final = "<suite_setup>"
# Numbers that went through a reader of floats and back: 12.0 is 12; nothing else with a point is whole.
_WHOLE = re.compile(r"(0|[1-9][0-9]{0,17})(?:\.0+)?")
_ROW_STRINGS = ("suite", "test", "message")
_ROW_KEYS = frozenset({*_ROW_STRINGS, "passed", "assertion_count", "duration_ms", "skipped"})

T = TypeVar("T")


class Row(NamedTuple):
    """One row: a test, or the ``<suite_setup>`` that stands for all tests of its suite."""

    suite: str
    test: str
    message: str
    passed: bool
    skipped: bool
    assertions: int
    duration_ms: int | None
    line: int
    field: str

    @property
    def green(self) -> bool:
        """Whether it says that a test ran and passed."""
        return self.passed and not self.skipped

    @property
    def identity(self) -> str:
        """What people call it."""
        return f"{self.suite}::{self.test}"

    def said(self) -> "Row":
        """The row without its place, so that rows of two lists can be compared."""
        return self._replace(line=0, field="")


class Result(NamedTuple):
    """The runner's own object; None is what is not there or not of its type. ``lines`` say where each key stands."""

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    total: int | None = None
    duration_ms: int | None = None
    suite_count: int | None = None
    tests_not_run: int | None = None
    suites_run: tuple[str, ...] | None = None
    load_errors: tuple[str, ...] | None = None
    failures: tuple[Row, ...] | None = None
    results: tuple[Row, ...] | None = None
    edited_scene: str | None = None
    scene_warning: str | None = None
    cache_warning: str | None = None
    aborted: str | None = None
    error: str | None = None
    keys: tuple[str, ...] = ()
    lines: tuple[tuple[str, int], ...] = ()

    def line(self, key: str) -> int:
        """The line of a key; 0 where it is not there."""
        return dict(self.lines).get(key, 0)


class Refusal(NamedTuple):
    """An error that came instead of a result, with the counts that it has."""

    code: str
    message: str
    phase: str
    retryable: bool
    paused: bool
    counts: tuple[tuple[str, int], ...]
    line: int

    def count(self, name: str) -> int:
        """A count of the tests until then; 0 where it says nothing."""
        return dict(self.counts).get(name, 0)


def result_of(value: Value, lines: Lines, path: str, found: Found) -> Result:
    """The runner's object; what is not as it must be goes into ``found``."""
    return _Reader(value, lines, path, found).result()


def refusal_of(value: Value, lines: Lines, path: str, found: Found) -> Refusal:
    """An error of the plug-in, the socket or the tool that was called."""
    line = lines.of(value.start)
    if value.kind != "object":
        return Refusal(_code_in(value.text), value.text, "", retryable=False, paused=False, counts=(), line=line)
    inner = value.get("error")
    inner = inner if inner is not None and inner.kind == "object" else value
    nested = inner.get("data")
    data = nested if nested is not None and nested.kind == "object" else inner
    reader = _Reader(data, lines, path, found)
    counts = tuple(
        (name, number)
        for name in ("passed", "failed", "skipped", "total", "tests_not_run", "elapsed_ms", "budget_sec")
        if (number := reader.number(name)) is not None
    )
    message = _text(inner, "message")
    return Refusal(
        _text(data, "sub_code") or _text(inner, "code") or _code_in(message),
        message,
        _text(data, "phase"),
        _text(data, "retryable") == "true",
        data.get("pause_depth") is not None,
        counts,
        line,
    )


def _code_in(message: str) -> str:
    found = re.search(r"\b[A-Z]+(?:_[A-Z]+)+\b", message)
    return found[0] if found else ""


def _text(value: Value, key: str) -> str:
    found = value.get(key)
    return found.text if found is not None and found.kind in {"string", "word"} else ""


class _Reader:
    """Reads one object."""

    def __init__(self, value: Value, lines: Lines, path: str, found: Found) -> None:
        self._value = value
        self._lines = lines
        self._path = path
        self._found = found

    def result(self) -> Result:
        members = self._value.members
        keys = tuple(member.key for member in members)
        for member in members:
            if member.key not in DATA_KEYS and member.key != "error":
                self._add(UNKNOWN, "FIELD_UNKNOWN", member.start, member.key, "no such field is known")
        error = self.string("error")
        self._check_complete(keys, error)
        return Result(
            **{name: self.number(name) for name in ("passed", "failed", "skipped", "total")},
            duration_ms=self.number("duration_ms"),
            suite_count=self.number("suite_count"),
            tests_not_run=self.number("tests_not_run"),
            suites_run=self._list("suites_run", self._name),
            load_errors=self._list("load_errors", self._name),
            failures=self._list("failures", self._row),
            results=self._list("results", self._row),
            edited_scene=self.string("edited_scene"),
            scene_warning=self.string("scene_warning"),
            cache_warning=self.string("cache_warning"),
            aborted=self.string("aborted"),
            error=error,
            keys=keys,
            lines=tuple((member.key, self._lines.of(member.start)) for member in members),
        )

    def _check_complete(self, keys: tuple[str, ...], error: str | None) -> None:
        if error is not None:
            return
        missing = [name for name in REQUIRED if name not in keys]
        if len(missing) == len(REQUIRED):
            self._add(
                COMPLETE, "RESULT_EMPTY", self._value.start, "", "it says nothing of any test: the runner crashed"
            )
            return
        for name in missing:
            self._add(COMPLETE, "FIELD_MISSING", self._value.start, name, "the field is missing")

    # Values of a type.

    def number(self, key: str) -> int | None:
        """A whole number from 0."""
        value = self._value.get(key)
        return self._number(value, key) if value is not None else None

    def string(self, key: str) -> str | None:
        """A string; of null nobody knows what it was."""
        value = self._value.get(key)
        return self._string(value, key) if value is not None else None

    def _number(self, value: Value, field: str) -> int | None:
        match = _WHOLE.fullmatch(value.text) if value.kind == "number" else None
        if match is None:
            self._wrong(value, field, "a whole number from 0")
            return None
        return int(match[1])

    def _string(self, value: Value, field: str) -> str | None:
        if value.kind != "string":
            self._wrong(value, field, "a string")
            return None
        return value.text

    def _bool(self, value: Value, field: str) -> bool | None:
        if value.kind != "word" or value.text not in {"true", "false"}:
            self._wrong(value, field, "true or false")
            return None
        return value.text == "true"

    def _list(self, key: str, item: Callable[[Value, str], T | None]) -> tuple[T, ...] | None:
        value = self._value.get(key)
        if value is None:
            return None
        if value.kind != "array":
            self._wrong(value, key, "an array")
            return None
        read = (item(each, f"{key}[{number}]") for number, each in enumerate(value.items))
        return tuple(each for each in read if each is not None)

    def _name(self, value: Value, field: str) -> str | None:
        return self._string(value, field)

    # Rows.

    def _row(self, value: Value, field: str) -> Row | None:
        if value.kind != "object":
            self._wrong(value, field, "an object")
            return None
        self._check_row_keys(value, field)
        texts = {name: self._string(each, f"{field}.{name}") for name in _ROW_STRINGS if (each := value.get(name))}
        passed, skipped, count, duration = map(value.get, ("passed", "skipped", "assertion_count", "duration_ms"))
        return Row(
            texts.get("suite") or "",
            texts.get("test") or "",
            texts.get("message") or "",
            bool(passed and self._bool(passed, f"{field}.passed")),
            bool(skipped and self._bool(skipped, f"{field}.skipped")),
            (self._number(count, f"{field}.assertion_count") if count else None) or 0,
            self._number(duration, f"{field}.duration_ms") if duration else None,
            self._lines.of(value.start),
            field,
        )

    def _check_row_keys(self, value: Value, field: str) -> None:
        keys = {member.key for member in value.members}
        for name in sorted((_ROW_KEYS - {"duration_ms", "skipped"}) - keys):
            self._add(ROW_KEYS, "ROW_KEYS", value.start, f"{field}.{name}", "the row does not have it")
        for name in sorted(keys - _ROW_KEYS):
            self._add(ROW_KEYS, "ROW_KEYS", value.start, f"{field}.{name}", "no row has such a field")
        skipped = present(value.get("skipped"))
        if skipped is not None and skipped.text == "false":
            self._add(ROW_KEYS, "ROW_KEYS", value.start, f"{field}.skipped", "only skipped rows have it")
        test = value.get("test")
        if test is not None and test.text == SUITE_SETUP and "duration_ms" in keys:
            self._add(ROW_KEYS, "ROW_KEYS", value.start, f"{field}.duration_ms", f"{SUITE_SETUP} has none")

    # Reasons.

    def _wrong(self, value: Value, field: str, wanted: str) -> None:
        detail = f"`{value.text}` is not {wanted}" if value.text else f"the {value.kind} is not {wanted}"
        self._add(TYPES, "FIELD_TYPE", value.start, field, detail)

    def _add(self, source: str, code: str, offset: int, field: str, detail: str) -> None:
        self._found.add(source, Reason(code, Where(self._path, self._lines.of(offset), field), detail=detail))
