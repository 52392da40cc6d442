"""The JSON Schema of the configuration, for editors: it accepts all that the program accepts.

It also refuses what the program refuses, but for what a schema cannot say: names of the
file's own rows, globs that match nothing or are wrong, and rows of one name that disagree.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from guards.config.catalogue import (
    ACCEPTANCE,
    LANGUAGES,
    SEVERITIES,
    USES,
    WHERE,
    Catalogue,
    Option,
    OptionValue,
    RuleEntry,
)
from guards.config.globs import DIALECT
from guards.config.locate import DEFAULT_BASELINE
from guards.config.names import Names
from guards.config.validate import API_PATTERN, BASELINE_PATTERN, NAME_PATTERN, SEVERITY_CHOICES, Reader

Schema: TypeAlias = dict[str, object]

_FILLED = r"\S"


def schema(catalogue: Catalogue) -> Schema:
    """The schema (draft 2020-12) of a ``suiteguard.toml`` or a table ``[tool.suiteguard]``."""
    names = Names(catalogue)
    for table in catalogue.presets.values():
        Reader(names, catalogue.presets, "").rows(table)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Suiteguard's configuration",
        "description": "A `suiteguard.toml`, or the table `[tool.suiteguard]` of a `pyproject.toml`.",
        **_object(
            {
                "presets": _list("The presets in force; later ones win.", {"enum": sorted(catalogue.presets)}),
                **_selection(),
                "overrides": {
                    "type": "array",
                    "description": "What holds for some paths alone; later ones win.",
                    "items": _object(
                        {"paths": {**_globs("The files that this holds for."), "minItems": 1}, **_selection()}, "paths"
                    ),
                },
                "owned": _list("Names and globs of the project's own packages and types.", _ref("filled")),
                "forbid": {
                    "type": "array",
                    "description": "APIs that must not be used; each name becomes a rule.",
                    "items": _row(names),
                },
                "exclude": _globs("Files that are not guarded."),
                "allow-unanalysed": _list("Languages and globs of files that may stay unread.", _ref("filled")),
                "baseline": {
                    "description": "The file with the findings that do not count yet; only at the project's root.",
                    "type": "string",
                    "pattern": f"^(?:{BASELINE_PATTERN})$",
                    "default": DEFAULT_BASELINE,
                },
                "acceptance": {
                    "description": "What the evidence of a run must show.",
                    **_object(_acceptance()),
                },
            }
        ),
        "$defs": {
            "filled": {"type": "string", "pattern": _FILLED},
            "glob": {"type": "string", "pattern": _FILLED, "description": DIALECT},
            "severity": {
                "description": "How grave a finding is; `off` switches the rule off.",
                "enum": [*SEVERITY_CHOICES],
            },
            "rule": {
                "description": "A rule's name, its code, or a glob over names or codes.",
                "anyOf": [{"enum": names.words()}, {"type": "string", "pattern": f"^{NAME_PATTERN}$|[*?\\[]"}],
            },
            "free": {
                "anyOf": [
                    {"type": ["boolean", "number", "string"]},
                    {"type": "array", "items": _ref("filled")},
                    {"type": "object", "additionalProperties": _ref("free")},
                ]
            },
            "rules": _rules(catalogue, names),
        },
    }


def _selection() -> Schema:
    return {
        "select": _list("Rules to switch on, beside those of the presets.", _ref("rule")),
        "ignore": _list("Rules to switch off.", _ref("rule")),
        "rules": _ref("rules"),
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Mapping[str, object], *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        **({"required": [*required]} if required else {}),
        "additionalProperties": False,
    }


def _list(description: str, items: Schema) -> Schema:
    return {"type": "array", "description": description, "items": items}


def _globs(description: str) -> Schema:
    return _list(description, _ref("glob"))


def _rules(catalogue: Catalogue, names: Names) -> Schema:
    """A property for each rule; any other name may be that of a row in the same file."""
    tables = {name: _rule(catalogue.entries_for(name)) for name in catalogue.names()}
    tables |= {alias: tables[name] for alias, name in names.aliases.items()}
    row = _object(
        {"severity": _ref("severity"), **{word: _object({"severity": _ref("severity")}) for word in LANGUAGES}}
    )
    return {
        "type": "object",
        "description": "Severity and options, rule by rule.",
        "properties": dict(sorted(tables.items())),
        "propertyNames": {"pattern": f"^{NAME_PATTERN}$"},
        "additionalProperties": row,
    }


def _rule(entries: Iterable[RuleEntry]) -> Schema:
    """The table of one rule: what holds for all its languages, and a table for each of them."""
    by_name: dict[str, list[Schema]] = {}
    languages: Schema = {}
    summaries = []
    for entry in entries:
        options = {name: _option(option) for name, option in entry.options}
        for name, option in options.items():
            if option not in by_name.setdefault(name, []):
                by_name[name].append(option)
        languages[entry.language] = _object({"severity": _ref("severity"), **options})
        summaries.append(entry.summary)
    # A value is set for all languages at once, so it must suit each of them.
    merged = {name: found[0] if len(found) == 1 else {"allOf": found} for name, found in by_name.items()}
    description = " ".join(dict.fromkeys(summaries))
    return {"description": description, **_object({"severity": _ref("severity"), **merged, **languages})}


def _acceptance() -> Schema:
    found = {name: _option(option) for name, option in ACCEPTANCE.items()}
    found["min-tests"]["minimum"] = 0
    return dict(found)


def _option(option: Option) -> Schema:
    return {"description": option.doc, **_value(option), "default": _plain(option.default)}


def _value(option: Option) -> Schema:
    default = option.default
    if isinstance(default, tuple):
        item = _ref("glob") if option.paths else {"enum": [*option.choices]} if option.choices else _ref("filled")
        return {"type": "array", "items": item}
    if isinstance(default, Mapping):
        like = next(iter(default.values()), None)
        values = _ref("free") if like is None else _value(Option(like, ""))
        return {"type": "object", "additionalProperties": values}
    if isinstance(default, str):
        return {"enum": [*option.choices]} if option.choices else {"type": "string"}
    return {"type": {bool: "boolean", int: "integer", float: "number"}[type(default)]}


def _plain(value: OptionValue) -> object:
    if isinstance(value, tuple):
        return [*value]
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, Mapping) else value


def _row(names: Names) -> Schema:
    api = {"type": "string", "pattern": f"^(?:{API_PATTERN})$"}
    text = {"type": "string"}
    return _object(
        {
            "name": {
                "description": "The name of the rule that the row is, small letters with hyphens.",
                "type": "string",
                "pattern": f"^{NAME_PATTERN}$",
                "not": {"enum": sorted(names.known())},
            },
            "api": {
                "description": "The full name of what must not be used, or a glob, or a list of such.",
                "anyOf": [api, {"type": "array", "items": api, "minItems": 1}],
            },
            "language": {"description": "The language of the API.", "enum": [*LANGUAGES]},
            "use": {"description": "Which uses are meant.", "enum": [*USES], "default": "any"},
            "where": {"description": "Where it must not be used.", "enum": [*WHERE], "default": "test"},
            "unit": {"description": "`EditMode`, `PlayMode` or a unit's name: the row holds there alone.", **text},
            "arguments": {
                "description": "Globs by position or keyword: the row holds only where each constant argument matches.",
                "type": "object",
                "additionalProperties": text,
            },
            "instead": {"description": "What to use instead, one sentence.", **text},
            "why": {"description": "Why it must not be used, one sentence.", **text},
            "allow-paths": _globs("Files in which it may be used."),
            "severity": {"description": "How grave a finding is.", "enum": [*SEVERITIES], "default": "error"},
        },
        "name",
        "api",
        "language",
    )
