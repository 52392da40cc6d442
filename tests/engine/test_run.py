from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from guards.engine.run import Request, check
from guards.findings.model import Candidate, Finding
from guards.rule import Project
from guards.rules.python.unowned_patch import UnownedPatch


def test_a_rule_that_fails_on_the_project_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_rule: UnownedPatch, _candidates: Sequence[Candidate], _project: Project) -> Iterator[Finding]:
        raise KeyError("a name")

    monkeypatch.setattr(UnownedPatch, "judge", failing)
    (tmp_path / "suiteguard.toml").write_text('select = ["unowned-patch", "unittest-mock"]\n')
    (tmp_path / "test_a.py").write_text(
        "from unittest import mock\n\n\n@mock.patch('os.kill')\ndef test_a(kill):\n    assert kill\n"
    )
    result = check(Request(str(tmp_path)))
    assert [finding.rule for finding in result.findings] == ["unittest-mock"]
    assert [skipped.path for skipped in result.skipped] == ["test_a.py"]
    assert "`unowned-patch` was not judged" in result.skipped[0].reason
    assert "KeyError" in result.skipped[0].reason
