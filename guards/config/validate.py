"""A TOML table in, a checked layer out, with every problem that the table has.

Nothing stops at the first problem; what is wrong is left out, and whoever asked decides what
the problems mean. This module knows no files: places are keys, and lines are found from them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from guards.config.catalogue import (
    ACCEPTANCE,
    LANGUAGES,
    OFF,
    SEVERITIES,
    USES,
    WHERE,
    Forbid,
    Option,
    OptionValue,
)
from guards.config.globs import BadGlob, anchor, check_glob
from guards.config.layer import Key, Layer, Override, RuleChange, RuleId, Step
from guards.config.names import Names

TOP_KEYS = (
    "presets", "select", "ignore", "rules", "overrides", "owned", "forbid", "exclude", "allow-unanalysed", "baseline",
    "acceptance",
)  # fmt: skip
OVERRIDE_KEYS = ("paths", "select", "ignore", "rules")
FORBID_KEYS = (
    "name", "api", "language", "use", "where", "unit", "arguments", "instead", "why", "allow-paths", "severity",
)  # fmt: skip
SEVERITY_CHOICES = (*SEVERITIES, OFF)
NAME_PATTERN = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
# Segments that are neither empty nor dots alone.
BASELINE_PATTERN = r"(?:(?!\.\.?/)[^/\\]+/)*[^/\\]*\.json"
API_PATTERN = r"[^\s().]+(\.[^\s().]+)*"

# Tables within tables in an option's value; a limit, because reading them is recursive.
_DEEPEST = 16
_BASELINE = re.compile(BASELINE_PATTERN)
_NAME = re.compile(NAME_PATTERN)
_API = re.compile(API_PATTERN)


class Problem(NamedTuple):
    """Something wrong at a key; a notice is worth saying, but nothing needs to stop for it."""

    key: Key
    message: str
    notice: bool = False


class Reader:
    """Reads what one source says, and gathers the problems.

    Args:
        names: the names that are known; rows of this source join them, under names that were
            not taken when the reader was made.
        presets: the names of all presets.
        folder: the folder, relative to the root, at which the source's globs are anchored.
    """

    def __init__(self, names: Names, presets: Collection[str], folder: str) -> None:
        self.problems: list[Problem] = []
        self._names = names
        self._taken = names.known()
        self._presets = presets
        self._folder = folder

    def rows(self, table: Mapping[str, object]) -> tuple[tuple[Forbid, Key], ...]:
        """The rows of a table, each with its key; their names are known from here on."""
        rows = tuple((row, key) for key, body in self._tables("forbid", table) for row in self._rows(key, body))
        self._names.add_rows(row for row, _ in rows)
        for row, key in rows:
            if row.severity not in {"", self._names.rules[row.name, row.language].severity}:
                self._problem(
                    (*key, "severity"), f"the rows of `{row.name}` have one severity; an earlier one says otherwise"
                )
        return rows

    def layer(self, table: Mapping[str, object], rows: Sequence[tuple[Forbid, Key]]) -> Layer:
        """Everything a table says; its rows have been read."""
        self._refuse_unknown((), table, TOP_KEYS)
        step = self._step((), table)
        on = tuple(((row.name, row.language), key) for row, key in rows)
        return Layer(
            presets=self._preset_names(table),
            step=step._replace(select=(*on, *step.select)),
            overrides=tuple(self._overrides(table)),
            forbid=tuple(row for row, _ in rows),
            owned=self._strings(("owned",), table["owned"]) if "owned" in table else None,
            exclude=self._globs(("exclude",), table["exclude"]) if "exclude" in table else None,
            allow_unanalysed=self._allow_unanalysed(table),
            baseline=self._baseline(table),
            acceptance=self._acceptance(table),
        )

    def _problem(self, key: Key, message: str) -> None:
        self.problems.append(Problem(key, message))

    # Values of one kind.

    def _refuse_unknown(
        self, key: Key, table: Mapping[str, object], known: Sequence[str], *, what: str = "key"
    ) -> None:
        for name in table:
            if name not in known:
                self._problem((*key, name), f"there is no such {what}{_nearest(name, known)}")

    def _text(self, key: Key, value: object, choices: Sequence[str] = ()) -> str:
        """A string, or nothing where it is wrong."""
        if not isinstance(value, str):
            self._problem(key, f"must be a string, not {_kind(value)}")
        elif choices and value not in choices:
            self._problem(key, f"`{value}` is none of {_listed(choices)}{_nearest(value, choices)}")
        else:
            return value
        return ""

    def _items(self, key: Key, value: object) -> Iterator[tuple[Key, str]]:
        """The strings of a list, each with its key."""
        if not isinstance(value, list | tuple):
            hint = "; put brackets round it" if isinstance(value, str) else ""
            self._problem(key, f"must be a list of strings, not {_kind(value)}{hint}")
            return
        for number, item in enumerate(value):
            if not isinstance(item, str):
                self._problem((*key, number), f"must be a string, not {_kind(item)}")
            elif not item.strip():
                self._problem((*key, number), "is empty")
            else:
                yield (*key, number), item

    def _strings(self, key: Key, value: object) -> tuple[str, ...]:
        return tuple(item for _, item in self._items(key, value))

    def _globs(self, key: Key, value: object) -> tuple[str, ...]:
        return tuple(glob for place, item in self._items(key, value) for glob in self._glob(place, item))

    def _glob(self, key: Key, glob: str) -> Iterator[str]:
        """The glob, anchored at the root; nothing where it is wrong."""
        try:
            check_glob(glob)
        except BadGlob as error:
            self._problem(key, f"the glob `{glob}` is wrong: {error}")
        else:
            yield anchor(glob, self._folder)

    def _tables(self, name: str, table: Mapping[str, object]) -> Iterator[tuple[Key, Mapping[str, object]]]:
        """The tables of an array of tables, each with its key."""
        value = table.get(name, ())
        if not isinstance(value, list | tuple):
            self._problem((name,), f"must be an array of tables, `[[{name}]]`, not {_kind(value)}")
            return
        for number, item in enumerate(value):
            if isinstance(item, Mapping):
                yield (name, number), item
            else:
                self._problem((name, number), f"must be a table, not {_kind(item)}")

    # The keys of the top.

    def _preset_names(self, table: Mapping[str, object]) -> tuple[str, ...] | None:
        if "presets" not in table:
            return None
        return tuple(self.preset_names(self._items(("presets",), table["presets"])))

    def preset_names(self, items: Iterable[tuple[Key, str]]) -> Iterator[str]:
        """Those names that are presets."""
        for key, name in items:
            if name in self._presets:
                yield name
            else:
                self._problem(key, f"there is no preset `{name}`{_nearest(name, sorted(self._presets))}")

    def _allow_unanalysed(self, table: Mapping[str, object]) -> tuple[str, ...] | None:
        if "allow-unanalysed" not in table:
            return None
        key = ("allow-unanalysed",)
        items = self._items(key, table[key[0]])
        return tuple(
            word for place, item in items for word in ((item,) if item in LANGUAGES else self._glob(place, item))
        )

    def _baseline(self, table: Mapping[str, object]) -> str | None:
        if "baseline" not in table:
            return None
        key = ("baseline",)
        path = self._text(key, table["baseline"])
        if self._folder:
            self._problem(key, "a project has one baseline, which the configuration at its root names")
        elif path and not _BASELINE.fullmatch(path):
            self._problem(key, f"`{path}` is no path of a `.json` file below the root, with forward slashes")
        elif not path and isinstance(table["baseline"], str):
            self._problem(key, "is empty")
        return path

    def _acceptance(self, table: Mapping[str, object]) -> Mapping[str, OptionValue]:
        body = table.get("acceptance", {})
        if not isinstance(body, Mapping):
            self._problem(("acceptance",), f"must be a table, not {_kind(body)}")
            return {}
        self._refuse_unknown(("acceptance",), body, tuple(ACCEPTANCE))
        values = {
            name: self._option_value(("acceptance", name), value, ACCEPTANCE[name])
            for name, value in body.items()
            if name in ACCEPTANCE
        }
        if isinstance(least := values.get("min-tests"), int) and least < 0:
            self._problem(("acceptance", "min-tests"), "must not be negative")
        return {name: value for name, value in values.items() if value is not None}

    # What is said of rules, at the top and in overrides.

    def _step(self, key: Key, table: Mapping[str, object]) -> Step:
        return Step(
            select=tuple(self._selected((*key, "select"), table)),
            changes=tuple(self._changes((*key, "rules"), table.get("rules", {}))),
            ignore=tuple(self._selected((*key, "ignore"), table)),
        )

    def _selected(self, key: Key, table: Mapping[str, object]) -> Iterator[tuple[RuleId, Key]]:
        name = str(key[-1])
        if name in table:
            yield from self.selected(self._items(key, table[name]))

    def selected(self, items: Iterable[tuple[Key, str]]) -> Iterator[tuple[RuleId, Key]]:
        """The rules that words mean, each with the key of its word."""
        for key, word in items:
            rules = self._names.selected(word)
            self._notice_alias(key, word)
            if not rules:
                self._problem(key, f"there is no rule `{word}`{_nearest(word, self._names.words)}")
            for rule in rules:
                yield rule, key

    def _notice_alias(self, key: Key, word: str) -> None:
        if word in self._names.aliases:
            now = self._names.aliases[word]
            self.problems.append(Problem(key, f"the rule `{word}` is called `{now}` now", notice=True))

    def _changes(self, key: Key, rules: object) -> Iterator[RuleChange]:
        if not isinstance(rules, Mapping):
            self._problem(key, f"must be a table, not {_kind(rules)}")
            return
        for name, body in rules.items():
            place = (*key, name)
            found = self._names.named(name)
            if not found:
                self._problem(place, self._unknown_rule(name))
            elif isinstance(body, Mapping):
                self._notice_alias(place, name)
                yield from self._rule_changes(place, found, body)
            else:
                hint = f'; write `{{ severity = "{body}" }}`' if body in SEVERITY_CHOICES else ""
                self._problem(place, f"must be a table, not {_kind(body)}{hint}")

    def _unknown_rule(self, name: str) -> str:
        if behind := self._names.name_of_code(name):
            return f"options are set by name; write `{behind}`"
        return f"there is no rule `{name}`{_nearest(name, self._names.words)}"

    def _rule_changes(self, key: Key, rules: Sequence[RuleId], body: Mapping[str, object]) -> Iterator[RuleChange]:
        """What a rule's table says for all languages, then what its tables of one language say."""
        languages = {language: (name, language) for name, language in rules}
        general = {word: value for word, value in body.items() if word not in languages}
        yield from self._table_changes(key, rules, general, other_keys=tuple(languages) if len(languages) > 1 else ())
        for language, rule in languages.items():
            if language not in body:
                continue
            inner = body[language]
            if isinstance(inner, Mapping):
                yield from self._table_changes((*key, language), (rule,), inner)
            else:
                self._problem((*key, language), f"must be a table, not {_kind(inner)}")

    def _table_changes(
        self, key: Key, rules: Sequence[RuleId], table: Mapping[str, object], other_keys: tuple[str, ...] = ()
    ) -> Iterator[RuleChange]:
        known = {name for rule in rules for name in self._names.rules[rule].options}
        self._refuse_unknown(key, table, ("severity", *sorted(known), *other_keys), what="option of this rule")
        severity = ""
        if "severity" in table:
            severity = self._text((*key, "severity"), table["severity"], SEVERITY_CHOICES)
        wrong = len(self.problems)
        for rule in rules:
            options = self._names.rules[rule].options
            read = {
                name: self._option_value((*key, name), value, options[name])
                for name, value in table.items()
                if name in options
            }
            yield RuleChange(rule, severity, {name: v for name, v in read.items() if v is not None}, key)
        # The same value is wrong in the same way for each language.
        self.problems[wrong:] = dict.fromkeys(self.problems[wrong:])

    def _overrides(self, table: Mapping[str, object]) -> Iterator[Override]:
        for key, body in self._tables("overrides", table):
            self._refuse_unknown(key, body, OVERRIDE_KEYS)
            if not body.get("paths"):
                self._problem((*key, "paths") if "paths" in body else key, "needs `paths`, a list of globs")
            else:
                yield Override(self._globs((*key, "paths"), body["paths"]), self._step(key, body), key)

    # Options.

    def _option_value(self, key: Key, value: object, option: Option) -> "OptionValue | None":
        """The value in the shape of the option's default; None where it is wrong."""
        default = option.default
        if isinstance(default, tuple):
            return self._list_value(key, value, option)
        if isinstance(default, Mapping):
            return self._table_value(key, value, next(iter(default.values()), None))
        if isinstance(default, str):
            before = len(self.problems)
            text = self._text(key, value, option.choices)
            return text if len(self.problems) == before else None
        return self._number_or_flag(key, value, default)

    def _number_or_flag(self, key: Key, value: object, default: float) -> bool | int | float | None:
        wanted = {bool: "true or false", int: "an integer", float: "a number"}[type(default)]
        if isinstance(value, float) and not abs(value) < float("inf"):
            self._problem(key, "must be a finite number")
        elif type(value) is type(default):
            return default.__class__(value)
        elif type(value) is int and isinstance(default, float):
            return float(value)
        else:
            self._problem(key, f"must be {wanted}, not {_kind(value)}")
        return None

    def _list_value(self, key: Key, value: object, option: Option) -> tuple[str, ...]:
        if option.paths:
            return self._globs(key, value)
        items = self._items(key, value)
        return tuple(item for place, item in items if not option.choices or self._text(place, item, option.choices))

    def _table_value(self, key: Key, value: object, like: "OptionValue | None") -> "OptionValue | None":
        """A table whose values are all like one of the default's, or free where that has none."""
        if not isinstance(value, Mapping):
            self._problem(key, f"must be a table, not {_kind(value)}")
            return None
        if len(key) > _DEEPEST:
            self._problem(key[:_DEEPEST], "is nested too deeply")
            return None
        items = (((*key, name), item) for name, item in value.items())
        read = {
            place[-1]: self._free_value(place, item)
            if like is None
            else self._option_value(place, item, Option(like, ""))
            for place, item in items
        }
        return {str(name): item for name, item in read.items() if item is not None}

    def _free_value(self, key: Key, value: object) -> "OptionValue | None":
        if isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, Mapping):
            return self._table_value(key, value, None)
        return self._strings(key, value)

    # Rows.

    def _rows(self, key: Key, body: Mapping[str, object]) -> Iterator[Forbid]:
        """The rows of one table, one for each API that it names."""
        self._refuse_unknown(key, body, FORBID_KEYS)
        before = len(self.problems)
        for name in ("name", "api", "language"):
            if name not in body:
                self._problem(key, f"needs `{name}`")
        row = Forbid(
            name=self._row_name((*key, "name"), body.get("name", "")),
            api="",
            language=self._word(key, body, "language", LANGUAGES),
            use=self._word(key, body, "use", USES) or "any",
            where=self._word(key, body, "where", WHERE) or "test",
            unit=self._word(key, body, "unit"),
            arguments=tuple(self._arguments((*key, "arguments"), body.get("arguments", {}))),
            instead=self._word(key, body, "instead"),
            why=self._word(key, body, "why"),
            allow_paths=self._globs((*key, "allow-paths"), body.get("allow-paths", ())),
            severity=self._word(key, body, "severity", SEVERITIES),
        )
        apis = tuple(self._apis((*key, "api"), body.get("api", ())))
        if len(self.problems) == before:
            yield from (row._replace(api=api) for api in apis)

    def _word(self, key: Key, body: Mapping[str, object], name: str, choices: Sequence[str] = ()) -> str:
        return self._text((*key, name), body[name], choices) if name in body else ""

    def _row_name(self, key: Key, value: object) -> str:
        name = self._text(key, value)
        if name and not _NAME.fullmatch(name):
            self._problem(key, f"`{name}` is no rule name: small letters, digits and single hyphens, like `my-rule`")
        elif name in self._taken:
            self._problem(key, f"`{name}` is a rule already; choose another name")
        return name

    def _apis(self, key: Key, value: object) -> Iterator[str]:
        named = [(key, value)] if isinstance(value, str) else list(self._items(key, value))
        if not named and isinstance(value, list) and not value:
            self._problem(key, "names no API")
        for place, api in named:
            if _API.fullmatch(api):
                yield api
            else:
                self._problem(place, f"`{api}` is no full name of an API, like `System.Threading.Thread.Sleep`")

    def _arguments(self, key: Key, value: object) -> Iterator[tuple[str, str]]:
        if not isinstance(value, Mapping):
            self._problem(key, f"must be a table of globs by position or keyword, not {_kind(value)}")
            return
        for name, glob in sorted(value.items()):
            yield name, self._text((*key, name), glob)


def _kind(value: object) -> str:
    """What TOML calls a value."""
    kinds = (
        (bool, "a boolean"),
        (int, "an integer"),
        (float, "a float"),
        (str, "a string"),
        ((list, tuple), "a list"),
        (Mapping, "a table"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "a date or time")


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _nearest(word: str, known: Sequence[str] | Callable[[], Sequence[str]]) -> str:
    """The question whether a known word was meant, where one is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, known if isinstance(known, Sequence) else known(), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
