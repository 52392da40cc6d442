"""Presets, the file, its overrides and the command line: who wins over whom."""

from pathlib import Path

import pytest
from config.small_catalogue import load, severities

from guards.config.load import ConfigSet
from guards.config.model import ConfigError

SKIP_CS, SKIP_PY = "skip-without-reason/csharp", "skip-without-reason/python"


def on(root: Path, text: str, path: str = "x.cs", **command_line: object) -> dict[str, str]:
    return severities(load(root, {"suiteguard.toml": text}, **command_line), path)


def options(configs: ConfigSet, path: str, name: str, language: str) -> dict[str, object]:
    return dict(configs.settings_for(path).rules[name, language].options)


def test_no_presets_no_rules(tmp_path: Path) -> None:
    assert on(tmp_path, "presets = []") == {}


def test_a_preset_inherits_and_changes(tmp_path: Path) -> None:
    found = on(tmp_path, "presets = ['strict']")
    assert found == {"mock-echo/python": "note", "parse-incomplete/any": "note", "thread-sleep/csharp": "error"}


@pytest.mark.parametrize(
    ("presets", "in_force", "sleep"),
    [
        (["recommended", "strict"], ("recommended", "strict"), "error"),
        (["strict", "recommended"], ("recommended", "strict", "recommended"), "warning"),
        (["strict", "editor"], ("recommended", "strict", "editor"), "error"),
    ],
)
def test_a_later_preset_wins_but_inherits_nothing_twice(
    tmp_path: Path, presets: list[str], in_force: tuple[str, ...], sleep: str
) -> None:
    configs = load(tmp_path, {"suiteguard.toml": f"presets = {presets}"})
    assert configs.config_for("x").presets == in_force
    assert severities(configs, "x")["thread-sleep/csharp"] == sleep


def test_select_takes_names_codes_globs_and_aliases(tmp_path: Path) -> None:
    assert set(on(tmp_path, "presets = []\nselect = ['mock-*']")) == {"mock-clock/python", "mock-echo/python"}
    assert set(on(tmp_path, "presets = []\nselect = ['SGC00*']")) == {SKIP_CS, "thread-sleep/csharp"}
    assert set(on(tmp_path, "presets = []\nselect = ['SGP001']")) == {SKIP_PY}
    assert set(on(tmp_path, "presets = []\nselect = ['bare-skip']")) == {SKIP_CS, SKIP_PY}


def test_a_selected_rule_has_its_own_severity_unless_a_preset_gave_one(tmp_path: Path) -> None:
    assert on(tmp_path, "presets = []\nselect = ['mock-echo']") == {"mock-echo/python": "note"}
    assert on(tmp_path, "presets = ['strict']\nignore=['*']\n[[overrides]]\npaths=['*']\nselect=['thread-sleep']") == {
        "thread-sleep/csharp": "error"
    }


def test_ignore_beats_select_and_severity_of_the_same_table(tmp_path: Path) -> None:
    text = "select = ['mock-clock']\nignore = ['mock-clock', 'thread-sleep']\nrules.thread-sleep.severity = 'error'"
    assert on(tmp_path, text) == {"parse-incomplete/any": "note"}


def test_a_severity_switches_on_and_off_switches_off(tmp_path: Path) -> None:
    found = on(tmp_path, "rules.mock-clock.severity = 'note'\nrules.thread-sleep.severity = 'off'")
    assert found == {"mock-clock/python": "note", "parse-incomplete/any": "note"}


def test_options_alone_switch_nothing_on(tmp_path: Path) -> None:
    assert SKIP_CS not in on(tmp_path, "rules.skip-without-reason.placeholder = 'x'")


def test_a_language_wins_over_the_rule_and_a_later_source_over_both(tmp_path: Path) -> None:
    text = "presets = ['editor']"
    assert (on(tmp_path, text)[SKIP_CS], on(tmp_path, text)[SKIP_PY]) == ("error", "note")
    text += "\n[rules.skip-without-reason]\npython.severity = 'off'\nseverity = 'warning'"
    found = on(tmp_path, text)
    assert (found[SKIP_CS], SKIP_PY in found) == ("warning", False)
    found = on(tmp_path, "presets = ['editor']\nrules.skip-without-reason.severity = 'warning'")
    assert (found[SKIP_CS], found[SKIP_PY]) == ("warning", "warning")


def test_options_reach_the_languages_that_have_them(tmp_path: Path) -> None:
    text = """
        select = ['skip-without-reason']
        [rules.skip-without-reason]
        placeholder = 'x'
        calls = ['f']
        csharp.placeholder = 'y'
    """
    configs = load(tmp_path, {"suiteguard.toml": text})
    assert options(configs, "x", "skip-without-reason", "csharp") == {"placeholder": "y"}
    assert options(configs, "x", "skip-without-reason", "python") == {"placeholder": "x", "calls": ("f",)}


def test_every_option_has_a_value_of_its_default_s_type(tmp_path: Path) -> None:
    text = """
        [rules.thread-sleep]
        include = ["a", "b"]
        longest = 2
        least = 3
        helpers = false
        kinds = ["b"]
        classes = { Load = ["B", "C"] }
        anything = { a = 1, b = { c = [ "d" ] } }
    """
    assert options(load(tmp_path, {"suiteguard.toml": text}), "x", "thread-sleep", "csharp") == {
        "product": "ignore",
        "include": ("a", "b"),
        "allow-paths": (),
        "longest": 2.0,
        "least": 3,
        "helpers": False,
        "note": "",
        "kinds": ("b",),
        "classes": {"Load": ("B", "C")},
        "anything": {"a": 1, "b": {"c": ("d",)}},
    }


def test_overrides_hold_for_their_paths_in_order(tmp_path: Path) -> None:
    text = """
        [[overrides]]
        paths = ["tests/**"]
        select = ["mock-clock"]
        rules.thread-sleep = { severity = "error", least = 7 }
        [[overrides]]
        paths = ["**/old/"]
        ignore = ["thread-sleep"]
        [[overrides]]
        paths = ["tests/old/keep.cs"]
        rules.thread-sleep.severity = "note"
    """
    configs = load(tmp_path, {"suiteguard.toml": text})
    sleeps = {
        path: severities(configs, path).get("thread-sleep/csharp")
        for path in ("x.cs", "tests/x.cs", "tests/old/x.cs", "tests/old/keep.cs")
    }
    assert sleeps == {"x.cs": "warning", "tests/x.cs": "error", "tests/old/x.cs": None, "tests/old/keep.cs": "note"}
    assert "mock-clock/python" in severities(configs, "tests/x.py")
    assert "mock-clock/python" not in severities(configs, "x.py")
    assert options(configs, "tests/old/keep.cs", "thread-sleep", "csharp")["least"] == 7


def test_globs_are_anchored_at_the_folder_of_their_file(tmp_path: Path) -> None:
    text = """
        exclude = ["/gen/", "*.g.cs"]
        rules.thread-sleep.allow-paths = ["/tests/slow/**", "Driver.cs"]
        [[overrides]]
        paths = ["tests/*.cs"]
        ignore = ["thread-sleep"]
        [[forbid]]
        name = "no-exit"
        api = "a.b"
        language = "csharp"
        allow-paths = ["Main.cs", "app/**"]
    """
    configs = load(tmp_path, {"sub/[x]/suiteguard.toml": text})
    config = configs.config_for("sub/[x]/a.cs")
    assert config.excludes("sub/[x]/gen/a.cs")
    assert config.excludes("sub/[x]/a/b.g.cs")
    assert not config.excludes("sub/[x]/a/gen/a.cs")
    assert "thread-sleep/csharp" not in severities(configs, "sub/[x]/tests/a.cs")
    assert "thread-sleep/csharp" in severities(configs, "sub/[x]/a/tests/a.cs")
    settings = configs.settings_for("sub/[x]/a.cs")
    assert settings.rules["thread-sleep", "csharp"].options["allow-paths"] == (
        r"sub/\[x\]/tests/slow/**",
        r"sub/\[x\]/**/Driver.cs",
    )
    assert settings.forbid[0].allow_paths == (r"sub/\[x\]/**/Main.cs", r"sub/\[x\]/app/**")


def test_files_with_the_same_settings_share_them_and_the_key_tells_them_apart(tmp_path: Path) -> None:
    text = """
        [[overrides]]
        paths = ["a/", "b/"]
        rules.thread-sleep.least = 7
        [[overrides]]
        paths = ["c/"]
        rules.thread-sleep.least = 7
        [[overrides]]
        paths = ["d/"]
        rules.thread-sleep.least = 8
    """
    configs = load(tmp_path, {"suiteguard.toml": text})
    assert configs.settings_for("a/x") is configs.settings_for("b/y/x")
    keys = {name: configs.settings_for(f"{name}/x").key for name in "abcdx"}
    assert keys["a"] == keys["b"] == keys["c"]
    assert len({keys["a"], keys["d"], keys["x"]}) == 3


def test_the_key_depends_on_what_holds_and_not_on_who_said_it(tmp_path: Path) -> None:
    for number, text in enumerate(
        ("", "presets = ['recommended']", "# x\nrules.thread-sleep = { severity = 'warning', least = 1 }")
    ):
        load(tmp_path, {f"{number}/suiteguard.toml": text})
    configs = load(tmp_path)
    assert len({configs.settings_for(f"{number}/x").key for number in range(3)}) == 1


def test_the_command_line_replaces_presets(tmp_path: Path) -> None:
    found = on(tmp_path, "presets = ['strict']\nselect = ['mock-clock']", presets=("editor",))
    assert "undo-clear/csharp" in found
    assert "mock-clock/python" in found
    assert "mock-echo/python" not in found


def test_select_runs_those_rules_and_no_others(tmp_path: Path) -> None:
    text = "ignore = ['mock-clock']\nrules.mock-echo.severity = 'off'\nrules.thread-sleep.severity = 'error'"
    found = on(tmp_path, text, select=("mock-*", "thread-sleep"))
    assert found == {"mock-clock/python": "error", "mock-echo/python": "note", "thread-sleep/csharp": "error"}
    assert on(tmp_path, text, select=()) == {}


def test_select_leaves_a_path_alone_where_an_override_switches_the_rule_off(tmp_path: Path) -> None:
    text = """
        presets = ["editor"]
        [[overrides]]
        paths = ["old/"]
        ignore = ["thread-sleep"]
        select = ["mock-clock"]
        rules.mock-echo.severity = "error"
    """
    configs = load(tmp_path, {"suiteguard.toml": text}, select=("thread-sleep", "undo-clear"))
    assert severities(configs, "x.cs") == {"thread-sleep/csharp": "warning", "undo-clear/csharp": "error"}
    assert severities(configs, "old/x.cs") == {"undo-clear/csharp": "error"}
    assert severities(configs, "a/Support/x.cs") == {"thread-sleep/csharp": "warning"}


def test_the_file_wins_over_the_overrides_of_its_presets(tmp_path: Path) -> None:
    assert "undo-clear/csharp" not in on(tmp_path, "presets = ['editor']", "Support/x.cs")
    assert "undo-clear/csharp" in on(tmp_path, "presets = ['editor']\nselect = ['undo-clear']", "Support/x.cs")


def test_ignore_on_the_command_line_wins_over_everything(tmp_path: Path) -> None:
    text = "[[overrides]]\npaths = ['*']\nrules.thread-sleep.severity = 'error'"
    assert on(tmp_path, text, ignore=("SGC001",)) == {"parse-incomplete/any": "note"}
    assert on(tmp_path, text, ignore=("thread-sleep",), select=("thread-sleep",)) == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"presets": ("strikt",)}, "command line: --preset: there is no preset `strikt`; did you mean `strict`?"),
        (
            {"select": ("thread-slep",)},
            "command line: --select: there is no rule `thread-slep`; did you mean `thread-sleep`?",
        ),
        ({"ignore": ("XYZ*",)}, "command line: --ignore: there is no rule `XYZ*`"),
    ],
)
def test_wrong_names_on_the_command_line_are_refused(tmp_path: Path, given: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, None, **given)
    assert str(error.value) == message


def test_an_alias_works_everywhere_and_says_its_new_name(tmp_path: Path) -> None:
    text = "ignore = ['thread-sleep']\nselect = ['bare-skip']\n[rules.bare-skip]\nplaceholder = 'x'\n"
    configs = load(tmp_path, {"suiteguard.toml": text}, ignore=("bare-skip",))
    assert severities(configs, "x") == {"parse-incomplete/any": "note"}
    assert [(notice.path, notice.line) for notice in configs.notices()] == [
        ("command line", 0),
        ("suiteguard.toml", 2),
        ("suiteguard.toml", 3),
    ]
    assert all("is called `skip-without-reason` now" in notice.message for notice in configs.notices())


def test_lists_of_the_top_come_from_the_last_that_speaks_and_acceptance_key_by_key(tmp_path: Path) -> None:
    text = "presets = ['editor']\nowned = ['Game.*']\nallow-unanalysed = ['gdscript', 'old/']\nacceptance.min-tests = 9"
    config = load(tmp_path, {"suiteguard.toml": text}).config_for("x")
    assert config.owned == ("Game.*",)
    assert (config.acceptance["mode"], config.acceptance["min-tests"]) == ("EditMode", 9)
    assert config.acceptance["allow-skip"] == ()
    assert config.allows_unanalysed("x.gd", "gdscript")
    assert config.allows_unanalysed("old/x.cs", "csharp")
    assert not config.allows_unanalysed("x.cs", "csharp")
    assert not config.allows_unanalysed("gdscript", "csharp")


def test_the_configuration_of_the_root_names_the_baseline(tmp_path: Path) -> None:
    assert load(tmp_path).baseline() == "suiteguard-baseline.json"
    assert load(tmp_path, {"suiteguard.toml": "baseline = 'ci/b.json'"}).baseline() == "ci/b.json"
    inner = load(tmp_path, {"suiteguard.toml": "", "a/suiteguard.toml": "baseline = 'b.json'"})
    with pytest.raises(ConfigError, match="the configuration at its root names"):
        inner.config_for("a/x.cs")


def test_a_rule_is_known_by_its_former_name(tmp_path: Path) -> None:
    config = load(tmp_path).config_for("x")
    assert config.rule_called("bare-skip") == config.rule_called("skip-without-reason") == "skip-without-reason"
    assert config.rule_called("no-such-rule") == ""
