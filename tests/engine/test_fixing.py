from collections.abc import Iterator, Sequence

import pytest

from guards.engine.fixing import with_edits
from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.rules.python.unittest_mock import UnittestMock
from guards.source.edits import Edit, Fix
from guards.source.place import Place
from guards.source.text import SourceText

LAZY = Fix("use `mocker`", safe=True)


def finding(line: int, fix: Fix | None, path: str = "test_a.py") -> Finding:
    return Finding("unittest-mock", Place(path, line, 1, line, 5), "m", code="SGP002", severity="error", fix=fix)


def test_edits_that_a_rule_works_out_when_wanted_are_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def rewrite(_rule: UnittestMock, text: SourceText, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Fix]]:
        assert text.data == b"one\ntwo\n"
        yield findings[0], LAZY._replace(edits=(Edit(0, 3, "1"),))

    monkeypatch.setattr(UnittestMock, "rewrite", rewrite)
    made = Fix("as it is", safe=False, edits=(Edit(4, 7, "2"),))
    result = RunResult((finding(1, LAZY), finding(2, LAZY), finding(2, made), finding(3, None)), 1, ())
    found = with_edits(result, lambda path: SourceText(path, b"one\ntwo\n"))
    assert [f.fix for f in found.findings] == [LAZY._replace(edits=(Edit(0, 3, "1"),)), None, made, None]
    assert found.notices == ()


def test_a_rule_that_fails_to_rewrite_costs_only_its_own_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_rule: UnittestMock, _text: SourceText, _findings: Sequence[Finding]) -> Iterator[tuple[Finding, Fix]]:
        raise KeyError("a name")

    monkeypatch.setattr(UnittestMock, "rewrite", failing)
    made = Fix("as it is", safe=False, edits=(Edit(4, 7, "2"),))
    result = RunResult((finding(1, LAZY), finding(2, made)), 1, ())
    found = with_edits(result, lambda path: SourceText(path, b"one\ntwo\n"))
    assert [f.fix for f in found.findings] == [None, made]
    assert "KeyError" in found.notices[0]


def test_a_file_that_cannot_be_read_any_more_has_no_fixes() -> None:
    assert with_edits(RunResult((finding(1, LAZY),), 1, ()), lambda _path: None).findings == (finding(1, None),)
