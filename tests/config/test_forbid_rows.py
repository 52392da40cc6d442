"""Rows of forbidden APIs: their names are rules like any other."""

from pathlib import Path

import pytest
from config.small_catalogue import load, problems, severities

from guards.config.catalogue import Forbid

ROW = """
[[forbid]]
name = "no-exit"
api = ["os._exit", "os.abort"]
language = "python"
"""


def test_each_api_of_a_row_is_a_row_with_its_defaults(tmp_path: Path) -> None:
    settings = load(tmp_path, {"suiteguard.toml": ROW}).settings_for("x.py")
    assert settings.forbid == tuple(
        Forbid("no-exit", api, "python", use="any", where="test", severity="error") for api in ("os._exit", "os.abort")
    )


def test_every_field_is_kept(tmp_path: Path) -> None:
    text = """
        [[forbid]]
        name = "stop"
        api = "MiniServer.Stop"
        language = "csharp"
        use = "call"
        where = "reached-from-test"
        unit = "EditMode"
        arguments = { 1 = "x*", name = "y" }
        instead = "Stop it by the seam."
        why = "It is shared."
        allow-paths = ["Harness.cs"]
        severity = "note"
    """
    [row] = load(tmp_path, {"suiteguard.toml": text}).settings_for("x.cs").forbid
    assert row == Forbid(
        "stop",
        "MiniServer.Stop",
        "csharp",
        "call",
        "reached-from-test",
        "EditMode",
        (("1", "x*"), ("name", "y")),
        "Stop it by the seam.",
        "It is shared.",
        ("Harness.cs",),
        "note",
    )


def test_a_row_is_on_and_obeys_select_ignore_severity_overrides_and_the_command_line(tmp_path: Path) -> None:
    text = (
        ROW
        + "[[overrides]]\npaths = ['a/']\nignore = ['no-exit']\n[[overrides]]\npaths = ['b/']\nrules.no-exit.severity = 'note'"
    )
    configs = load(tmp_path, {"suiteguard.toml": text})
    found = {path: severities(configs, path).get("no-exit/python") for path in ("x", "a/x", "b/x")}
    assert found == {"x": "error", "a/x": None, "b/x": "note"}
    assert [row.severity for row in configs.settings_for("b/x").forbid] == ["note", "note"]
    assert configs.settings_for("a/x").forbid == ()
    assert severities(load(tmp_path, ignore=("no-exit",)), "x") == severities(configs, "a/x")
    assert severities(load(tmp_path, select=("no-*",)), "x") == {"no-exit/python": "error"}


def test_the_name_is_known_to_suppressions(tmp_path: Path) -> None:
    configs = load(tmp_path, {"suiteguard.toml": ROW})
    known = configs.config_for("x").known_rules()
    assert {"no-exit", "thread-sleep", "bare-skip", "undo-clear"} <= known
    assert configs.known_rules() == known


def test_rows_of_a_preset_are_on_with_it_and_can_be_had_without_it(tmp_path: Path) -> None:
    assert load(tmp_path).settings_for("x").forbid == ()
    assert [row.name for row in load(tmp_path, presets=("editor",)).settings_for("x").forbid] == ["undo-clear"]
    assert [row.name for row in load(tmp_path, select=("undo-clear",)).settings_for("x").forbid] == ["undo-clear"]
    text = "presets = ['editor']\nrules.undo-clear.severity = 'note'"
    assert load(tmp_path, {"suiteguard.toml": text}).settings_for("x").forbid[0].severity == "note"


def test_several_tables_may_share_a_name_and_languages(tmp_path: Path) -> None:
    text = (
        ROW + '[[forbid]]\nname = "no-exit"\napi = "System.Environment.Exit"\nlanguage = "csharp"\nseverity = "note"\n'
    )
    configs = load(tmp_path, {"suiteguard.toml": text})
    assert len(configs.settings_for("x").forbid) == 3
    found = severities(configs, "x")
    assert (found["no-exit/csharp"], found["no-exit/python"]) == ("note", "error")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('name = "No_Exit"', "3: forbid[0].name: `No_Exit` is no rule name"),
        ('name = "no--exit"', "3: forbid[0].name: `no--exit` is no rule name"),
        ('name = "thread-sleep"', "3: forbid[0].name: `thread-sleep` is a rule already"),
        ('name = "bare-skip"', "3: forbid[0].name: `bare-skip` is a rule already"),
        ('name = "undo-clear"', "3: forbid[0].name: `undo-clear` is a rule already"),
        ("name = 1", "3: forbid[0].name: must be a string, not an integer"),
        ("", "2: forbid[0]: needs `name`"),
    ],
)
def test_wrong_names_are_refused(tmp_path: Path, change: str, problem: str) -> None:
    [found] = problems(tmp_path, ROW.replace('name = "no-exit"', change))
    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("api = []", "4: forbid[0].api: names no API"),
        ("api = ''", "4: forbid[0].api: `` is no full name of an API"),
        ("api = 'os._exit()'", "4: forbid[0].api: `os._exit()` is no full name"),
        ("api = ['a.b',\n'a..b']", "5: forbid[0].api[1]: `a..b` is no full name"),
        ("api = { a = 1 }", "4: forbid[0].api: must be a list of strings, not a table"),
        (
            "api = 'a'\nuse = 'calls'",
            "5: forbid[0].use: `calls` is none of `call`, `read`, `write`, `any`; did you mean `call`?",
        ),
        ("api = 'a'\nwhere = 'tests'", "5: forbid[0].where: `tests` is none of"),
        ("api = 'a'\nseverity = 'off'", "5: forbid[0].severity: `off` is none of `error`, `warning`, `note`"),
        ("api = 'a'\narguments = { 0 = 1 }", "5: forbid[0].arguments.0: must be a string, not an integer"),
        ("api = 'a'\narguments = ['x']", "5: forbid[0].arguments: must be a table of globs"),
        ("api = 'a'\nallow-paths = ['a//b']", "5: forbid[0].allow-paths[0]: the glob `a//b` is wrong"),
        ("api = 'a'\nallow_paths = []", "5: forbid[0].allow_paths: there is no such key; did you mean `allow-paths`?"),
    ],
)
def test_wrong_fields_are_refused(tmp_path: Path, change: str, problem: str) -> None:
    [found] = problems(tmp_path, ROW.replace('api = ["os._exit", "os.abort"]', change))
    assert found.startswith(problem)


def test_rows_of_one_name_and_language_agree_on_the_severity(tmp_path: Path) -> None:
    text = ROW + '[[forbid]]\nname = "no-exit"\napi = "sys.exit"\nlanguage = "python"\nseverity = "note"\n'
    [found] = problems(tmp_path, text)
    assert found.startswith("10: forbid[1].severity: the rows of `no-exit` have one severity")
