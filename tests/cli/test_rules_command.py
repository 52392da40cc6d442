import json

import pytest

from guards.cli import main
from guards.engine.loader import catalogue


def test_every_rule_has_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("thread-sleep "))
    assert lines[at].split()[:6] == ["thread-sleep", "SGC001", "C#", "warning", "recommended,", "strict"]
    assert lines[at + 1] == f"    {catalogue().entries_for('thread-sleep')[0].summary}"


def test_all_rules_are_there_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--output", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["version"] == 1
    by_code = {rule["code"]: rule for rule in report["rules"] if rule["code"]}
    assert sorted(by_code) == sorted(entry.code for entry in catalogue().entries)
    assert by_code["SGC001"] | {"presets": {}} == {
        "name": "thread-sleep",
        "code": "SGC001",
        "language": "csharp",
        "severity": "warning",
        "presets": {},
        "summary": catalogue().entries_for("thread-sleep")[0].summary,
    }
    assert by_code["SGC001"]["presets"]["recommended"] == "warning"
    assert by_code["SGC001"]["presets"]["strict"] == "error"
    assert by_code["SGC001"]["presets"]["gut"] == "warning"
    keys = [(rule["name"], rule["language"]) for rule in report["rules"]]
    assert keys == sorted(keys)


def test_rules_that_are_rows_of_presets_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "--output", "json"])
    rules = {rule["name"]: rule for rule in json.loads(capsys.readouterr().out)["rules"]}
    assert rules["player-loop-await-in-editmode"]["code"] == ""
    assert rules["player-loop-await-in-editmode"]["presets"]["recommended"] == "error"
