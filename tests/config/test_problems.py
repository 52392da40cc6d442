"""Everything that is wrong is said at once, each with its line, its key and a suggestion."""

import re
from pathlib import Path

import pytest
from config.small_catalogue import load, problems
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guards.config.catalogue import ACCEPTANCE
from guards.config.model import ConfigError


def test_all_problems_come_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = """\
presets = ["recommended", "strikt"]
selct = []
ignore = ["thread-slep"]

[rules]
thread-sleep = { severity = "eror", prodct = 1,  product = "repor" }

[rules.skip-without-reason.pythn]
severity = "note"

[[overrides]]
paths = ["{a,b}"]
rules.mock-echo.severity = 3
"""
    assert problems(tmp_path, text) == [
        "1: presets[1]: there is no preset `strikt`; did you mean `strict`?",
        "2: selct: there is no such key; did you mean `select`?",
        "3: ignore[0]: there is no rule `thread-slep`; did you mean `thread-sleep`?",
        "6: rules.thread-sleep.prodct: there is no such option of this rule; did you mean `product`?",
        "6: rules.thread-sleep.product: `repor` is none of `report`, `ignore`; did you mean `report`?",
        "6: rules.thread-sleep.severity: `eror` is none of `error`, `warning`, `note`, `off`; did you mean `error`?",
        "8: rules.skip-without-reason.pythn: there is no such option of this rule; did you mean `python`?",
        "12: overrides[0].paths[0]: the glob `{a,b}` is wrong: braces are no alternatives here; write one glob for each",
        "13: overrides[0].rules.mock-echo.severity: must be a string, not an integer",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("presets = 'strict'", "1: presets: must be a list of strings, not a string; put brackets round it"),
        ("select = { a = 1 }", "1: select: must be a list of strings, not a table"),
        ("select = ['']", "1: select[0]: is empty"),
        ("select = [\n'mock-echo',\n2.5]", "3: select[1]: must be a string, not a float"),
        ("ignore = ['mock-exo*']", "1: ignore[0]: there is no rule `mock-exo*`; did you mean `mock-echo`?"),
        ("rules = 1", "1: rules: must be a table, not an integer"),
        (
            "rules.thread-sleep = 'off'",
            '1: rules.thread-sleep: must be a table, not a string; write `{ severity = "off" }`',
        ),
        ("rules.SGC001.severity = 'off'", "1: rules.SGC001: options are set by name; write `thread-sleep`"),
        ("rules.'mock-*'.severity = 'off'", '1: rules."mock-*": there is no rule `mock-*`'),
        (
            "rules.skip-without-reason.csharp = 1",
            "1: rules.skip-without-reason.csharp: must be a table, not an integer",
        ),
        (
            "rules.skip-without-reason.csharp.calls = []",
            "1: rules.skip-without-reason.csharp.calls: there is no such option",
        ),
        ("overrides = {}", "1: overrides: must be an array of tables, `[[overrides]]`, not a table"),
        ("overrides = [\n1]", "2: overrides[0]: must be a table, not an integer"),
        ("[[overrides]]\nignore = []", "1: overrides[0]: needs `paths`, a list of globs"),
        ("[[overrides]]\npaths = []", "2: overrides[0].paths: needs `paths`, a list of globs"),
        ("[[overrides]]\npaths = ['a']\nseverity = 1", "3: overrides[0].severity: there is no such key"),
        ("forbid = 1", "1: forbid: must be an array of tables, `[[forbid]]`, not an integer"),
        ("owned = [1979-05-27]", "1: owned[0]: must be a string, not a date or time"),
        ("exclude = ['../x']", "1: exclude[0]: the glob `../x` is wrong: `..` is no part of a path here"),
        ("allow-unanalysed = ['a**']", "1: allow-unanalysed[0]: the glob `a**` is wrong"),
        ("baseline = 1", "1: baseline: must be a string, not an integer"),
        ("baseline = ''", "1: baseline: is empty"),
        ("baseline = '../b.json'", "1: baseline: `../b.json` is no path of a `.json` file below the root"),
        ("baseline = '/b.json'", "1: baseline: `/b.json` is no path of a `.json` file below the root"),
        ("baseline = 'ci/./b.json'", "1: baseline: `ci/./b.json` is no path of a `.json` file below the root"),
        ("baseline = 'ci\\b.json'", "1: baseline: `ci\\b.json` is no path of a `.json` file below the root"),
        ("baseline = 'suiteguard.toml'", "1: baseline: `suiteguard.toml` is no path of a `.json` file below the root"),
        ("acceptance = []", "1: acceptance: must be a table, not a list"),
        ("acceptance.min-tests = -1", "1: acceptance.min-tests: must not be negative"),
        ("acceptance.min-tests = true", "1: acceptance.min-tests: must be an integer, not a boolean"),
        ("acceptance.mode = 'Edit'", "1: acceptance.mode: `Edit` is none of `EditMode`, `PlayMode`"),
        ("acceptance.mintests = 1", "1: acceptance.mintests: there is no such key; did you mean `min-tests`?"),
    ],
)
def test_each_problem_has_its_line_and_key(tmp_path: Path, text: str, problem: str) -> None:
    [found] = problems(tmp_path, text)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("longest = '1'", "must be a number, not a string"),
        ("longest = inf", "must be a finite number"),
        ("longest = true", "must be a number, not a boolean"),
        ("least = 1.0", "must be an integer, not a float"),
        ("least = false", "must be an integer, not a boolean"),
        ("helpers = 1", "must be true or false, not an integer"),
        ("note = 1", "must be a string, not an integer"),
        ("include = 'a'", "must be a list of strings, not a string; put brackets round it"),
        ("classes = []", "must be a table, not a list"),
    ],
)
def test_an_option_of_the_wrong_type_is_refused(tmp_path: Path, option: str, message: str) -> None:
    name = option.split(maxsplit=1)[0]
    assert problems(tmp_path, f"[rules.thread-sleep]\n{option}") == [f"2: rules.thread-sleep.{name}: {message}"]


@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("kinds = ['a', 'c']", "kinds[1]"),
        ("allow-paths = ['a', '!b']", "allow-paths[1]"),
        ("classes.Load = 'A'", "classes.Load"),
        ("classes.Load = ['A', 1]", "classes.Load[1]"),
        ("anything.a = 1979-05-27", "anything.a"),
        ("anything.a = [[1]]", "anything.a[0]"),
    ],
)
def test_a_wrong_part_of_an_option_is_named(tmp_path: Path, option: str, key: str) -> None:
    [found] = problems(tmp_path, f"[rules.thread-sleep]\n{option}")
    assert found.startswith(f"2: rules.thread-sleep.{key}: ")


def test_a_value_that_is_wrong_for_each_language_is_said_once(tmp_path: Path) -> None:
    found = problems(tmp_path, "rules.skip-without-reason.placeholder = 1")
    assert found == ["1: rules.skip-without-reason.placeholder: must be a string, not an integer"]


def test_deep_tables_are_refused(tmp_path: Path) -> None:
    [found] = problems(tmp_path, "[rules.thread-sleep.anything]\n" + ".".join("a" * 40) + " = 1")
    assert found.endswith("is nested too deeply")


def test_a_problem_behind_deep_lists_still_has_a_message(tmp_path: Path) -> None:
    [found] = problems(tmp_path, "presets = " + "[" * 300 + "]" * 300)
    assert "must be a string, not a list" in found


def test_keys_of_a_pyproject_are_named_in_full(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        load(
            tmp_path, {"pyproject.toml": "[tool.x]\na = 1\n[tool.suiteguard]\nb = 1\n[tool.suiteguard.rules]\nc = {}\n"}
        )
    # suiteguard: allow[exact-exception-message] the message is what a user gets, and its places and keys are the point
    assert str(error.value) == (
        "pyproject.toml:4: tool.suiteguard.b: there is no such key\n"
        "pyproject.toml:6: tool.suiteguard.rules.c: there is no rule `c`"
    )


def test_what_a_problem_says_holds_whatever_the_command_line_says(tmp_path: Path) -> None:
    assert problems(tmp_path, "presets = ['x']", presets=("strict",)) == problems(tmp_path, "presets = ['x']")


_WORDS = st.sampled_from(
    [
        "presets", "select", "ignore", "rules", "overrides", "owned", "forbid", "exclude", "allow-unanalysed", "acceptance", "baseline",
        "paths", "name", "api", "language", "use", "where", "unit", "arguments", "instead", "why", "allow-paths", "severity",
        "thread-sleep", "skip-without-reason", "python", "csharp", "product", "classes", "anything", "x", *ACCEPTANCE,
    ]
)  # fmt: skip
_LEAVES = st.sampled_from(
    ["1", "true", "1.5", "nan", "07:32:00", "'strict'", "'thread-sleep'", "'error'", "'a/*'", "'['"]
)


def _rendered(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_rendered, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_rendered(item)}" for name, item in value.items()) + "}"
    return str(value)


_VALUES: st.SearchStrategy[object] = st.deferred(
    lambda: _LEAVES | st.lists(_VALUES, max_size=3) | st.dictionaries(_WORDS, _VALUES, max_size=4)
)


@given(st.dictionaries(_WORDS, _VALUES, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_table_gives_anything_but_settings_or_problems_with_lines(tmp_path: Path, table: dict[str, object]) -> None:
    text = "".join(f"\n{name} = {_rendered(value)}\n" for name, value in table.items())
    try:
        configs = load(tmp_path, {"suiteguard.toml": text})
    except ConfigError as error:
        lines = text.split("\n")
        for problem in error.problems:
            assert lines[problem.line - 1].startswith(re.split(r"[.\[]", problem.key, maxsplit=1)[0])
    else:
        assert configs.describe("a/b.cs").config == "suiteguard.toml"
        assert configs.settings_for("a/b.cs").key
