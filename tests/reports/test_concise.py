from guards.findings.model import Finding
from guards.findings.result import RunResult
from guards.reports import Style
from guards.reports.concise import render
from guards.source.place import Place


def test_one_line_a_finding_and_the_summary(result: RunResult) -> None:
    assert (
        render(result, lambda _: None, Style())
        == """\
Tests/Helper.cs:3:38: error[thread-sleep] `Thread.Sleep` blocks the test's thread
Tests/T.cs:9:16: error[thread-sleep] `Thread.Sleep` blocks the test's thread
tests/test_a.gd:1:1: note[duplicate-suite-name] two suites
tests/test_名前.py:2:17: warning[unowned-patch] `os.path` is not the project's own
Found 2 errors, 1 warning and 1 note in 31 checked files (20 C#, 1 GDScript, 10 Python).
Incomplete: 1 file could not be checked:
  Tests/Huge.cs: larger than 10 MB
Not read, and allowed by `allow-unanalysed`: 2 files.
Did not parse, so no rule saw them: 1 region (`parse-incomplete`).
Suppressed with a reason: 3 findings.
Held back by the baseline: 1 finding.
Notice: 1 file is not UTF-8 and was read as Windows-1252
"""
    )


def test_a_hostile_name_cannot_fake_a_line() -> None:
    path = "a.py:1:1: error[x] fake\nb.py"
    finding = Finding("r", Place(path, 1, 1, 1, 2), "m\r\x1b[2K", severity="error")
    assert (
        render(RunResult((finding,), 1, (("python", 1),)), lambda _: None, Style())
        == r"""a.py:1:1: error[x] fake\nb.py:1:1: error[r] m\r\x1b[2K
Found 1 error in 1 checked file (1 Python).
"""
    )
