"""The JSON Schema accepts what the program accepts, and refuses what a schema can refuse."""

import json
import re
import tomllib
from collections.abc import Mapping

import pytest
from config.small_catalogue import CATALOGUE
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from guards.config.names import Names
from guards.config.schema import schema
from guards.config.validate import Reader

SCHEMA = schema(CATALOGUE)
VALIDATOR = Draft202012Validator(SCHEMA)
# What a schema cannot say.
BEYOND = re.compile(r"the glob `|there is no rule `|one severity|finite|not a float|too deeply|write `")


def schema_accepts(table: Mapping[str, object]) -> bool:
    return bool(VALIDATOR.is_valid(table))


def refusals(table: Mapping[str, object]) -> list[str]:
    names = Names(CATALOGUE)
    for preset in CATALOGUE.presets.values():
        Reader(names, CATALOGUE.presets, "").rows(preset)
    reader = Reader(names, CATALOGUE.presets, "")
    reader.layer(table, reader.rows(table))
    return [problem.message for problem in reader.problems if not problem.notice]


def test_it_is_a_schema_of_plain_json() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_every_key_and_option_is_described() -> None:
    definitions = SCHEMA["$defs"]
    assert isinstance(definitions, dict)
    tables = [SCHEMA, *definitions["rules"]["properties"].values()]
    for table in tables:
        for name, inner in table["properties"].items():
            reference = inner.get("$ref", "").removeprefix("#/$defs/")
            assert "description" in (definitions[reference] if reference else inner) or name in {
                "csharp",
                "python",
                "any",
            }


GOOD = """
presets = ["strict", "editor"]
select = ["mock-*", "SGC001", "bare-skip", "my-row"]
ignore = ["undo-clear"]
owned = ["Game.*"]
exclude = ["gen/**", "*.g.cs"]
allow-unanalysed = ["gdscript", "old/"]
baseline = "ci/baseline.json"

[rules]
thread-sleep = { severity = "off", product = "report", least = 3, longest = 1.5, helpers = false, kinds = ["b"], classes = { Save = ["a"] } }
mock-echo.python.severity = "note"
my-row.severity = "note"
undo-clear.severity = "warning"

[rules.skip-without-reason]
placeholder = "x"
calls = ["f"]
csharp = { placeholder = "y", severity = "error" }

[[overrides]]
paths = ["tests/**"]
rules.thread-sleep.anything = { x = { y = ["z"], n = 1 } }
select = ["mock-clock"]
rules.thread-sleep.severity = "note"

[[forbid]]
name = "my-row"
api = ["a.b", "c.d*"]
language = "csharp"
use = "call"
where = "lifecycle"
unit = "EditMode"
arguments = { 0 = "x*" }
instead = "Do."
why = "Don't."
allow-paths = ["x"]
severity = "note"

[acceptance]
mode = "PlayMode"
min-tests = 3
allow-skip = ["x"]
"""


def test_a_configuration_with_everything_is_accepted() -> None:
    table = tomllib.loads(GOOD)
    assert refusals(table) == []
    assert list(VALIDATOR.iter_errors(table)) == []


@pytest.mark.parametrize(
    "text",
    [
        "preset = []",
        "presets = 'strict'",
        "presets = ['strikt']",
        "select = [1]",
        "select = ['']",
        "rules.thread-sleep = 'off'",
        "rules.thread-sleep.severity = 'eror'",
        "rules.thread-sleep.prodct = 'report'",
        "rules.thread-sleep.product = 'repor'",
        "rules.thread-sleep.least = true",
        "rules.thread-sleep.least = 1.5",
        "rules.thread-sleep.helpers = 1",
        "rules.thread-sleep.longest = '1'",
        "rules.thread-sleep.kinds = ['c']",
        "rules.thread-sleep.classes.a = 'b'",
        "rules.thread-sleep.classes.a = ['']",
        "rules.thread-sleep.anything.a = [1]",
        "rules.thread-sleep.python.severity = 'note'",
        "rules.skip-without-reason.csharp.calls = []",
        "rules.SGC001.severity = 'off'",
        "rules.my-row.use = 'call'",
        "[[overrides]]",
        "[[overrides]]\npaths = []",
        "[[overrides]]\npaths = ['a']\nowned = []",
        "[[forbid]]\nname = 'a'\napi = 'b'",
        "[[forbid]]\nname = 'A'\napi = 'b'\nlanguage = 'csharp'",
        "[[forbid]]\nname = 'thread-sleep'\napi = 'b'\nlanguage = 'csharp'",
        "[[forbid]]\nname = 'a'\napi = []\nlanguage = 'csharp'",
        "[[forbid]]\nname = 'a'\napi = 'b c'\nlanguage = 'csharp'",
        "[[forbid]]\nname = 'a'\napi = 'b'\nlanguage = 'cs'",
        "[[forbid]]\nname = 'a'\napi = 'b'\nlanguage = 'csharp'\nseverity = 'off'",
        "baseline = ''",
        "baseline = '../b.json'",
        "baseline = 'b.toml'",
        "acceptance.min-tests = -1",
        "acceptance.mode = ''",
        "exclude = [1979-05-27]",
    ],
)
def test_both_refuse(text: str) -> None:
    table = tomllib.loads(text)
    assert refusals(table)
    assert not schema_accepts(table)


@pytest.mark.parametrize(
    "text",
    [
        "select = ['thread-slep']",
        "rules.thread-slep.severity = 'off'",
        "exclude = ['!a']",
        "rules.thread-sleep.least = 1.0",
    ],
)
def test_some_things_only_the_program_refuses(text: str) -> None:
    table = tomllib.loads(text)
    assert refusals(table)
    assert schema_accepts(table)


_TEXT = st.sampled_from(
    ["", " ", "strict", "thread-sleep", "SGC001", "mock-*", "my-row", "error", "off", "report", "a", "b.c", "call"]
)
_SCALAR = st.one_of(_TEXT, st.booleans(), st.sampled_from([-1, 0, 2, 1.0, 1.5]))
_LIST = st.lists(_TEXT | _SCALAR, max_size=2)


def _table(**values: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """A table of some of these keys, whose values may be of any other kind as well."""
    odd: st.SearchStrategy[object] = _SCALAR | _LIST | st.just({})
    kinds = {name.replace("_", "-"): value | value | value | odd for name, value in values.items()}
    return st.fixed_dictionaries({}, optional=kinds)


_SEVERITY = st.sampled_from(["error", "warning", "note", "off"])
_NAMES = st.lists(_TEXT, max_size=2)
_SKIP = {"severity": _SEVERITY, "placeholder": _TEXT, "calls": _NAMES}
_FREE: st.SearchStrategy[object] = st.deferred(lambda: _SCALAR | _NAMES | st.dictionaries(_TEXT, _FREE, max_size=2))
_RULES = _table(
    thread_sleep=_table(
        severity=_SEVERITY,
        product=st.sampled_from(["report", "ignore"]),
        longest=st.floats(allow_nan=False),
        least=st.integers(),
        helpers=st.booleans(),
        kinds=st.lists(st.sampled_from("ab")),
        allow_paths=_NAMES,
        classes=st.dictionaries(_TEXT, _NAMES, max_size=2),
        anything=st.dictionaries(_TEXT, _FREE, max_size=2),
    ),
    skip_without_reason=_table(**_SKIP, csharp=_table(**_SKIP), python=_table(**_SKIP)),
    my_row=_table(severity=_SEVERITY, csharp=_table(severity=_SEVERITY)),
    odd=_table(severity=_SEVERITY),
)
_ROW = _table(
    name=st.sampled_from(["my-row", "thread-sleep", "X"]),
    api=st.sampled_from(["a.b", "a b"]) | _NAMES,
    language=st.sampled_from(["csharp", "python"]),
    use=st.sampled_from(["call", "any"]),
    arguments=st.dictionaries(_TEXT, _TEXT, max_size=2),
    allow_paths=_NAMES,
    severity=_SEVERITY,
)
_CONFIGURATION = _table(
    presets=st.lists(st.sampled_from(["strict", "editor"])),
    select=_NAMES,
    ignore=_NAMES,
    rules=_RULES,
    overrides=st.lists(_table(paths=_NAMES, select=_NAMES, rules=_RULES), max_size=2),
    forbid=st.lists(_ROW, max_size=2),
    exclude=_NAMES,
    owned=_NAMES,
    baseline=st.sampled_from(["b.json", "a/b.json", "../b.json", "a//b.json", ".json", "a", "", 1]),
    acceptance=_table(min_tests=st.integers(), mode=st.sampled_from(["EditMode", ""]), plugins=_NAMES),
)


@given(_CONFIGURATION)
def test_they_agree_but_for_what_a_schema_cannot_say(table: dict[str, object]) -> None:
    said = refusals(table)
    if not said:
        assert schema_accepts(table)
    elif schema_accepts(table):
        assert all(BEYOND.search(message) for message in said), said
