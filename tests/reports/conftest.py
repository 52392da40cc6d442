import pytest

from guards.findings.model import Finding, Related
from guards.findings.result import BASELINE, SUPPRESSION, Excused, RunResult, Skipped
from guards.reports.model import Sources
from guards.source.place import Place, file_place
from guards.source.text import SourceText

TEXTS = {
    "Tests/T.cs": """\
using System.Threading;
using NUnit.Framework;
public class T
{
    [Test] public void A() => Helper.Wait();

    [Test] public void B()
    {
        Thread.Sleep(10);
    }
}
""",
    "Tests/Helper.cs": "static class Helper\n{\n\tpublic static void Wait() => Thread.Sleep(10);\n}\n",
    "tests/test_名前.py": "def test_値():\n    assert 値 == patch('os.path')\n",
}


@pytest.fixture
def sources() -> Sources:
    return {path: SourceText(path, text.encode()) for path, text in TEXTS.items()}.get


@pytest.fixture
def findings() -> tuple[Finding, ...]:
    why, instead = "a blocked thread stops what is waited for", "wait for the condition, with a bound"
    return (
        Finding(
            "thread-sleep",
            Place("Tests/Helper.cs", 3, 38, 3, 43),
            "`Thread.Sleep` blocks the test's thread",
            why,
            instead,
            (Related(Place("Tests/T.cs", 5, 38, 5, 42), "called by the test `A`"),),
            "SGC001",
            "error",
        ),
        Finding(
            "thread-sleep",
            Place("Tests/T.cs", 9, 16, 9, 21),
            "`Thread.Sleep` blocks the test's thread",
            why,
            instead,
            (),
            "SGC001",
            "error",
        ),
        Finding("duplicate-suite-name", file_place("tests/test_a.gd"), "two suites", "", "", (), "SGG003", "note"),
        Finding(
            "unowned-patch",
            Place("tests/test_名前.py", 2, 17, 2, 22),
            "`os.path` is not the project's own",
            "",
            "",
            (),
            "SGP001",
            "warning",
        ),
    )


def flaw(rule: str, path: str, line: int) -> Finding:
    return Finding(rule, Place(path, line, 5, line, 9), "a flaw", code="SGC999", severity="error")


@pytest.fixture
def result(findings: tuple[Finding, ...]) -> RunResult:
    return RunResult(
        findings=findings,
        files_checked=31,
        files_by_language=(("csharp", 20), ("gdscript", 1), ("python", 10)),
        skipped=(Skipped("Tests/Huge.cs", "larger than 10 MB"),),
        allowed_unanalysed=2,
        unread_regions=1,
        excused=(
            Excused(flaw("thread-sleep", "Tests/Old.cs", 3), SUPPRESSION, "the driver's own thread"),
            Excused(flaw("thread-sleep", "Tests/Old.cs", 9), BASELINE, "written before the rule"),
            Excused(flaw("async-void", "Tests/Old.cs", 12), SUPPRESSION, "the event's signature"),
            Excused(flaw("async-void", "Tests/Older.cs", 1), SUPPRESSION, "likewise"),
        ),
        notices=("1 file is not UTF-8 and was read as Windows-1252",),
    )


@pytest.fixture
def clean() -> RunResult:
    return RunResult((), 12, (("python", 12),))
