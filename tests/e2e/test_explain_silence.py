"""``suiteguard check --explain-silence``: why there is no finding on a line."""

from pathlib import Path

import pytest
from e2e.conftest import ASMDEF
from e2e.program import ProjectWriter, Run

CONFIGURATION = """\
presets = []
select = ["thread-sleep", "async-void", "await-in-test", "unowned-patch", "unregistered-marker", "suppression-without-reason"]
exclude = ["Generated/"]
ignore = ["async-void"]
"""
SLEEPS = """\
using System.Threading;
public class T
{
    Clock Thread2 = new Clock();
    void A() => Thread.Sleep(10);
    void B() => Thread2.Sleep(10);
    void C() => Thread.Sleep(10); // suiteguard: allow[thread-sleep] the driver polls
    void D() => Other.Sleep(10);
    void E() => Thread.Sleep(10); // suiteguard: allow[thread-sleep]
}
class Clock { public void Sleep(int a) { } }
"""


@pytest.fixture
def folder(project: ProjectWriter) -> Path:
    files = {"suiteguard.toml": CONFIGURATION, "Tests/Sample.Tests.asmdef": ASMDEF, "Tests/T.cs": SLEEPS}
    return project(files)


def reasons(suiteguard: Run, folder: Path, where: str, *options: str) -> dict[str, str]:
    """What is said of each rule; of the file under its own name."""
    done = suiteguard(("check", "--explain-silence", where, *options), folder)
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head == where
    found: dict[str, str] = {}
    said = ""
    for line in lines:
        if line.startswith("    "):
            found.update(dict.fromkeys(line.strip().split(", "), said))
        else:
            said = line.strip()
            if said[0].isupper():
                found["file"] = f"{found.get('file', '')}{said} "
    return found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (5, "is not silent: Tests/T.cs:5:24: `Thread.Sleep` blocks"),
        (6, "looked at this line and found no flaw: what `Thread2.Sleep` means here is not known"),
        (7, "is suppressed by the comment in line 7: the driver polls"),
        (
            8,
            "looked at this line and found no flaw: `Other.Sleep` can mean `System.Threading.Other.Sleep` here, and not",
        ),
        (9, "is not silent: Tests/T.cs:9:24: `Thread.Sleep` blocks"),
        (3, "looked at the file, and has nothing to say of this line"),
    ],
)
def test_what_a_rule_made_of_a_line(suiteguard: Run, folder: Path, line: int, said: str) -> None:
    assert reasons(suiteguard, folder, f"Tests/T.cs:{line}")["thread-sleep"].startswith(said)


def test_a_reason_that_is_missing_is_pointed_at(suiteguard: Run, folder: Path) -> None:
    assert "line 9 suppresses nothing" in reasons(suiteguard, folder, "Tests/T.cs:9")["file"]


def test_what_the_baseline_holds_back_is_named_with_its_entry(suiteguard: Run, folder: Path) -> None:
    suiteguard(("baseline", "create", "--reason", "older than the rule"), folder)
    said = reasons(suiteguard, folder, "Tests/T.cs:5")["thread-sleep"]
    assert said == "is held back by the baseline, line 4: older than the rule"


def test_a_rule_that_is_off_says_by_what(suiteguard: Run, folder: Path) -> None:
    said = reasons(suiteguard, folder, "Tests/T.cs:5", "--ignore", "thread-sleep")
    assert said["async-void"] == "is off by suiteguard.toml:4"
    assert said["thread-sleep"] == "is off by --ignore"
    assert said["version-gate"] == "is off: nothing turns it on"
    assert "await-in-test" not in said


def test_a_name_that_means_something_else_is_said(suiteguard: Run, folder: Path) -> None:
    (folder / "Tests/Thread.cs").write_text("public static class Thread { public static void Sleep(int a) { } }\n")
    said = reasons(suiteguard, folder, "Tests/T.cs:5")["thread-sleep"]
    assert "`Thread.Sleep` can mean `Thread.Sleep` here, and not `System.Threading.Thread.Sleep`" in said


def test_product_code_is_called_that_and_why(suiteguard: Run, folder: Path) -> None:
    (folder / "Game").mkdir()
    (folder / "Game/Game.asmdef").write_text('{"name": "Game"}')
    (folder / "Game/P.cs").write_text(SLEEPS)
    said = reasons(suiteguard, folder, "Game/P.cs:5")
    assert said["file"] == "It is product code: `Game/Game.asmdef` declares no test assembly. "
    assert said["thread-sleep"] == "does not look at product code"


def test_a_region_that_did_not_parse_is_named(suiteguard: Run, folder: Path) -> None:
    (folder / "Tests/T.cs").write_text("class T\n{\n    void A() { foo bar baz ; ) }\n}\n")
    assert "did not see lines 3 to 3" in reasons(suiteguard, folder, "Tests/T.cs:3")["file"]


def test_a_script_of_unknown_bases_is_no_suite(suiteguard: Run, folder: Path) -> None:
    (folder / "project.godot").write_text("config_version=5\n")
    (folder / "test_a.gd").write_text("extends SomethingElse\n\nfunc test_a():\n\tawait wait()\n")
    said = reasons(suiteguard, folder, "test_a.gd:4")
    assert "make it none" in said["file"]
    unknown = (
        "looked at this line and found no flaw: the class is no suite, or the file of one of its bases is not known"
    )
    assert said["await-in-test"] == unknown
    (folder / "test_a.gd").write_text("extends GutTest\n\nfunc test_a():\n\tawait wait()\n")
    assert "a suite of `" in reasons(suiteguard, folder, "test_a.gd:4")["await-in-test"]


def test_a_call_that_is_no_patcher_is_said(suiteguard: Run, folder: Path) -> None:
    (folder / "tests").mkdir()
    (folder / "tests/test_a.py").write_text(
        "from unittest import mock\nfrom . import shim\n\n\n@mock.patch('nowhere.known')\n@shim.patch('os.kill')\ndef test_a(a, b):\n    assert a\n"
    )
    said = reasons(suiteguard, folder, "tests/test_a.py:6")["unowned-patch"]
    assert said == "looked at this line and found no flaw: `shim.patch` is not known to be a patcher"
    assert (
        reasons(suiteguard, folder, "tests/test_a.py:8")["unregistered-marker"] == "has nothing to look at in this file"
    )


def test_whose_a_mocked_type_is_is_said(suiteguard: Run, folder: Path) -> None:
    (folder / "Tests/M.cs").write_text(
        "using Moq;\nusing UnityEngine.TestTools;\npublic interface ICamera { }\nclass M\n{\n    object A() => new Mock<ICamera>();\n"
        "}\n"
    )
    chosen = ("--select", "unowned-mock")
    said = reasons(suiteguard, folder, "Tests/M.cs:6", *chosen)["unowned-mock"]
    assert said.endswith("it makes a double of `ICamera`, which is an abstraction of the project's own")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("Generated/G.cs", "It is not checked: `exclude` holds `Generated/` in suiteguard.toml."),
        ("ignored/I.cs", "A run on the whole project leaves it out"),
        ("notes.txt", "It is no file that suiteguard reads."),
        ("Tests/Binary.cs", "It could not be read: it holds NUL bytes"),
    ],
)
def test_what_is_not_checked_says_why(suiteguard: Run, folder: Path, path: str, said: str) -> None:
    (folder / ".gitignore").write_text("ignored/\n")
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text("\0" if "Binary" in path else "class A { }\n")
    assert reasons(suiteguard, folder, f"{path}:1")["file"].startswith(said)


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("Tests/T.cs", "no PATH:LINE"),
        ("Tests/T.cs:0", "no PATH:LINE"),
        ("Tests/T.cs:x", "no PATH:LINE"),
        (":3", "no PATH:LINE"),
        ("Tests/T.cs:99", "has 11 lines"),
        ("Tests:1", "is a folder"),
        ("Tests/No.cs:1", "does not exist"),
        ("../x.cs:1", "does not exist"),
    ],
)
def test_what_is_no_line_is_refused(suiteguard: Run, folder: Path, where: str, problem: str) -> None:
    done = suiteguard(("check", "--explain-silence", where), folder)
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stdout == ""
