"""The shipped presets, and the module that is made of them."""

from pathlib import Path

import pytest

from guards.config.catalogue import Catalogue
from guards.config.load import ConfigSet
from guards.config.model import CommandLine, Settings
from guards.config.names import Names
from guards.config.presets import compile_presets
from guards.config.validate import Reader
from guards.rules import presets
from guards.rules._table import CATALOGUE

PRESETS = Path(presets.__file__).parent
NAMES = {"gdunit4", "godot-mcp", "gut", "recommended", "resonite-io", "save-system", "strict", "unity-biome"}


def shipped() -> Catalogue:
    return CATALOGUE._replace(presets=executed(compile_presets(str(PRESETS))))


def executed(module: str) -> dict[str, dict[str, object]]:
    names: dict[str, dict[str, dict[str, object]]] = {}
    exec(module, names)  # noqa: S102 - the module under test is text
    return names["PRESETS"]


def settings(root: Path, preset: str, path: str = "Tests/x.cs") -> Settings:
    return ConfigSet.load(str(root), shipped(), CommandLine(presets=(preset,))).settings_for(path)


def test_all_presets_are_there() -> None:
    assert set(executed(compile_presets(str(PRESETS)))) == NAMES


@pytest.mark.parametrize("preset", sorted(NAMES))
def test_a_preset_speaks_of_rules_that_exist_and_is_a_valid_configuration(preset: str) -> None:
    catalogue = shipped()
    names = Names(catalogue)
    readers = {name: Reader(names, catalogue.presets, "") for name in catalogue.presets}
    rows = {name: reader.rows(catalogue.presets[name]) for name, reader in readers.items()}
    assert readers[preset].layer(catalogue.presets[preset], rows[preset])
    assert readers[preset].problems == []


@pytest.mark.parametrize("preset", sorted(NAMES))
def test_the_tool_s_own_hygiene_is_in_every_preset(tmp_path: Path, preset: str) -> None:
    severities = {name: rule.severity for (name, _), rule in settings(tmp_path, preset).rules.items()}
    assert severities["suppression-without-reason"] == "error"
    assert severities["unknown-rule-in-suppression"] == "error"
    assert severities["unused-suppression"] == "warning"
    assert severities["parse-incomplete"] == ("error" if preset == "strict" else "note")


def test_no_row_has_the_name_of_a_built_in_rule() -> None:
    catalogue = shipped()
    rows = {row["name"] for table in catalogue.presets.values() for row in table.get("forbid", ())}  # type: ignore[attr-defined]
    assert rows.isdisjoint(catalogue.names())


def test_strict_has_every_rule_of_recommended_at_least_as_grave(tmp_path: Path) -> None:
    gravity = ("note", "warning", "error")
    recommended, strict = settings(tmp_path, "recommended"), settings(tmp_path, "strict")
    for key, rule in recommended.rules.items():
        assert gravity.index(strict.rules[key].severity) >= gravity.index(rule.severity)


def test_the_owners_of_global_state_may_touch_it(tmp_path: Path) -> None:
    inside = {name for name, _ in settings(tmp_path, "unity-biome", "Editor/TestSupport/Base.cs").rules}
    outside = {name for name, _ in settings(tmp_path, "unity-biome").rules}
    assert outside - inside == {"direct-preview-scene", "editor-prefs-mutation", "undo-clear"}


def test_policies_carry_their_numbers(tmp_path: Path) -> None:
    config = ConfigSet.load(str(tmp_path), shipped(), CommandLine(presets=("unity-biome",))).config_for("x")
    assert config.acceptance["framework-version"] == "1.6.0"
    assert config.acceptance["editor-version"] == "6000.0.65f1"


def test_the_module_says_what_the_files_say_whatever_they_hold(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(
        "presets = []\nx.'k \"q'.y = ['" + "', '".join(["word"] * 40) + "']\nz = [{ a = 1.5, b = true }, {}]\n"
        'text = "tab\\t, quotes \\" and \' , \\u00e9 \\\\"\n'
    )
    (tmp_path / "a.toml").write_text("")
    (tmp_path / "no.txt").write_text("[")
    module = compile_presets(str(tmp_path))
    assert executed(module) == {
        "a": {},
        "b": {
            "presets": [],
            "x": {'k "q': {"y": ["word"] * 40}},
            "z": [{"a": 1.5, "b": True}, {}],
            "text": "tab\t, quotes \" and ' , é \\",
        },
    }
    assert list(executed(module)) == ["a", "b"]
    assert max(map(len, module.splitlines())) <= 120
