"""What holds for a path, and where each part comes from."""

from pathlib import Path

from config.small_catalogue import load

from guards.config.explain import OptionExplanation, RuleExplanation
from guards.config.load import ConfigSet

TEXT = """\
presets = ["editor", "strict"]
select = [
  "mock-clock",
]
owned = ["Game.*"]
exclude = ["gen/"]

[rules.thread-sleep]
least = 7
note = ""

[rules.skip-without-reason]
severity = "warning"
python = { severity = "off" }

[[overrides]]
paths = ["tests/"]
ignore = ["mock-echo"]
rules.thread-sleep.severity = "note"
"""


def explained(configs: ConfigSet, path: str) -> dict[str, RuleExplanation]:
    return {f"{rule.name}/{rule.language}": rule for rule in configs.describe(path).rules}


def test_every_rule_says_who_had_the_last_word(tmp_path: Path) -> None:
    rules = explained(load(tmp_path, {"suiteguard.toml": TEXT}), "x.cs")
    said = {name: (rule.severity, rule.origin, rule.severity_origin) for name, rule in rules.items()}
    assert said == {
        "mock-clock/python": ("error", "suiteguard.toml:3", "default"),
        "mock-echo/python": ("note", "preset strict", "preset strict"),
        "parse-incomplete/any": ("note", "preset recommended", "preset recommended"),
        "skip-without-reason/csharp": ("warning", "suiteguard.toml:13", "suiteguard.toml:13"),
        "skip-without-reason/python": ("off", "suiteguard.toml:14", "suiteguard.toml:13"),
        "thread-sleep/csharp": ("error", "preset strict", "preset strict"),
        "undo-clear/csharp": ("error", "preset editor", "default"),
    }
    assert rules["thread-sleep/csharp"].code == "SGC001"


def test_options_are_named_where_they_differ(tmp_path: Path) -> None:
    rules = explained(load(tmp_path, {"suiteguard.toml": TEXT}), "x.cs")
    assert rules["thread-sleep/csharp"].options == (
        OptionExplanation("least", 7, 1, "suiteguard.toml:9"),
        OptionExplanation("product", "report", "ignore", "preset strict"),
    )


def test_overrides_that_match_are_named_and_have_their_say(tmp_path: Path) -> None:
    configs = load(tmp_path, {"suiteguard.toml": TEXT})
    rules = explained(configs, "tests/x.cs")
    assert rules["thread-sleep/csharp"][3:6] == ("note", "suiteguard.toml:19", "suiteguard.toml:19")
    assert rules["mock-echo/python"][3:5] == ("off", "suiteguard.toml:18")
    assert configs.describe("tests/x.cs").overrides == ("suiteguard.toml:16",)
    assert configs.describe("x.cs").overrides == ()
    assert configs.describe("Support/x.cs").overrides == ("preset editor",)


def test_the_rest_of_what_holds_is_told(tmp_path: Path) -> None:
    configs = load(tmp_path, {"a/suiteguard.toml": TEXT})
    explanation = configs.describe("a/gen/x.cs")
    assert explanation[:5] == ("a/gen/x.cs", "a/suiteguard.toml", True, ("recommended", "editor", "strict"), ())
    assert explanation.owned == ("Game.*",)
    assert explanation.acceptance["mode"] == "EditMode"
    assert configs.describe("x.cs").config == ""


def test_the_command_line_is_a_reason_too(tmp_path: Path) -> None:
    rules = explained(load(tmp_path, select=("mock-*",), ignore=("mock-echo",)), "x")
    assert rules["mock-clock/python"][3:5] == ("error", "--select")
    assert rules["mock-echo/python"][3:5] == ("off", "--ignore")
    assert rules["thread-sleep/csharp"][3:5] == ("off", "--select")


def test_origins_in_a_pyproject_have_its_lines(tmp_path: Path) -> None:
    text = "[project]\n\n[tool.suiteguard]\nselect = ['mock-clock']\n"
    rules = explained(load(tmp_path, {"pyproject.toml": text}), "x")
    assert rules["mock-clock/python"].origin == "pyproject.toml:4"
