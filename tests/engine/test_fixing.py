import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from guards.config.model import CommandLine
from guards.engine import fixing
from guards.engine.fixing import FixedFile, fix, with_edits, written
from guards.engine.run import Request, check
from guards.engine.store import Means
from guards.findings.model import Finding
from guards.findings.result import Fixes, RunResult
from guards.languages.python import PythonFile
from guards.rule import Options
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


@pytest.fixture
def renaming(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule whose fix renames `mock` step by step: `mock`, `mock1`, `mock2` ..., up to `mock3`."""

    def check(_rule: UnittestMock, file: PythonFile, _options: Options) -> Iterator[Finding]:
        for match in re.finditer(rb"mock(\d?)", file.text.data):
            number = int(match[1] or b"0")
            if number < 3:
                fix = Fix(f"to {number}", safe=number < 2, edits=(Edit(*match.span(), f"mock{number + 1}"),))
                yield Finding("unittest-mock", file.text.place(*match.span()), f"mock {number}", fix=fix)

    monkeypatch.setattr(UnittestMock, "check", check)


def request_for(folder: Path, *paths: str) -> Request:
    return Request(str(folder), tuple(str(folder / path) for path in paths), CommandLine(select=("unittest-mock",)))


def write(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


@pytest.mark.usefixtures("renaming")
def test_rounds_go_on_until_nothing_is_left_to_fix(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": "import mock, mock2\n"})
    safe = fix(request_for(tmp_path), unsafe=False)
    assert [file.after for file in safe.files] == [b"import mock2, mock2\n"]
    assert [finding.message for finding in safe.found.findings] == ["mock 0", "mock 2"]
    assert [finding.message for finding in safe.left.findings] == ["mock 2", "mock 2"]
    assert safe.left.fixes is not None
    assert [finding.message for finding in safe.left.fixes.made] == ["mock 0", "mock 1"]
    assert (tmp_path / "test_a.py").read_text() == "import mock, mock2\n"  # nothing is written
    every = fix(request_for(tmp_path), unsafe=True)
    assert [file.after for file in every.files] == [b"import mock3, mock3\n"]
    assert every.left.findings == ()


@pytest.mark.usefixtures("renaming")
def test_a_second_time_there_is_nothing_to_fix(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": "import mock\n", "test_b.py": "import mock1 as mock\n"})
    request = request_for(tmp_path)
    assert len(written(fix(request, unsafe=True), request).files) == 2
    again = fix(request, unsafe=True)
    assert again.files == ()
    assert again.left.fixes == Fixes()


@pytest.mark.usefixtures("renaming")
def test_only_named_files_are_fixed(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": "import mock\n", "test_b.py": "import mock\n"})
    assert [file.path for file in fix(request_for(tmp_path, "test_b.py"), unsafe=True).files] == ["test_b.py"]


@pytest.mark.usefixtures("renaming")
def test_what_is_suppressed_is_not_fixed(tmp_path: Path) -> None:
    text = "import mock  # suiteguard: allow[unittest-mock] it is measured here\n"
    write(tmp_path, {"test_a.py": text})
    fixed = fix(request_for(tmp_path), unsafe=True)
    assert fixed.files == ()
    assert fixed.left.suppressed == 2  # the name in the comment is one for this rule, too


@pytest.mark.usefixtures("renaming")
def test_what_cannot_be_written_stays_a_finding_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, {"test_a.py": "import mock\n", "test_b.py": "import mock\n", "test_c.py": "import mock\n"})
    (tmp_path / "test_b.py").chmod(0o444)
    request = request_for(tmp_path)
    fixed = fix(request, unsafe=True)
    (tmp_path / "test_c.py").write_text("import mock, mock\n")
    fixed = written(fixed, request)
    assert [file.path for file in fixed.files] == ["test_a.py"]
    assert (tmp_path / "test_a.py").read_text() == "import mock3\n"
    assert (tmp_path / "test_b.py").read_text() == "import mock\n"
    assert (tmp_path / "test_c.py").read_text() == "import mock, mock\n"
    assert [finding.place.path for finding in fixed.left.findings] == ["test_b.py", "test_c.py", "test_c.py"]
    assert fixed.left.fixes is not None
    assert {(item.finding.place.path, item.reason) for item in fixed.left.fixes.refused} == {
        ("test_b.py", "it is read-only"),
        ("test_c.py", "it changed meanwhile"),
    }


@pytest.mark.usefixtures("renaming")
def test_edits_for_a_file_that_changed_after_it_was_judged_are_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"test_a.py": "import mock\n"})

    def check_and_change(request: Request) -> RunResult:
        result = check(request)
        write(tmp_path, {"test_a.py": "# moved\nimport mock\n"})
        return result

    # suiteguard: allow[mock-of-concrete-type] no other way into the moment between judging and fixing
    monkeypatch.setattr(fixing, "check", check_and_change)
    fixed = fix(request_for(tmp_path), unsafe=True)
    assert fixed.files == ()
    assert fixed.left.fixes is not None
    assert [item.reason for item in fixed.left.fixes.refused] == [fixing.CHANGED]


@pytest.mark.usefixtures("renaming")
def test_what_is_judged_from_the_cache_is_fixed_alike(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, {f"test_{letter}.py": "import mock\n" for letter in "abcdefghijkl"})
    request = request_for(root)._replace(means=Means(use_cache=True, cache_folder=str(tmp_path / "cache")))
    first = fix(request, unsafe=False)
    assert len(first.files) == 12
    assert fix(request, unsafe=False) == first


@pytest.mark.usefixtures("renaming")
def test_unsaved_text_is_fixed_without_a_file(tmp_path: Path) -> None:
    write(tmp_path, {"test_b.py": "import mock\n"})
    request = request_for(tmp_path)._replace(overlay={"test_a.py": b"import mock\n"})
    fixed = fix(request, unsafe=True)
    assert fixed.files == (FixedFile("test_a.py", b"import mock\n", b"import mock3\n"),)
    assert fixed.left.findings == ()
