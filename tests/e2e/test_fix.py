"""Fixes of real files through the real command line."""

import json
import os
import stat
from pathlib import Path

import pytest
from e2e.program import ProjectWriter, Run

COMMENT = "# suiteguard: allow[unregistered-marker] the mark is gone\n"
PYTHON = f"def test_a():\n    {COMMENT}    assert 'é' != 'ü'\n"
FIXED = "def test_a():\n    assert 'é' != 'ü'\n"


def tree(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Everything in a folder, with what would tell that somebody wrote to it."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


@pytest.mark.parametrize("arguments", [[], ["--diff"], ["--diff", "--unsafe-fixes"], ["--output", "json"]])
def test_nothing_is_written_unless_a_fix_is_asked_for(
    project: ProjectWriter, suiteguard: Run, arguments: list[str]
) -> None:
    folder = project({"tests/test_a.py": PYTHON, "test_b.py": PYTHON})
    before = tree(folder)
    assert suiteguard(["check", *arguments], folder).returncode == 1
    assert tree(folder) == before


@pytest.mark.parametrize(
    ("raw", "fixed"),
    [
        (PYTHON.encode(), FIXED.encode()),
        (PYTHON.replace("\n", "\r\n").encode(), FIXED.replace("\n", "\r\n").encode()),
        (b"\xef\xbb\xbf" + PYTHON.encode(), b"\xef\xbb\xbf" + FIXED.encode()),
        (PYTHON.encode("utf-16"), FIXED.encode("utf-16")),
        (PYTHON.encode("cp1252"), FIXED.encode("cp1252")),
        (f"# coding: latin-1\n{PYTHON}".encode("latin-1"), f"# coding: latin-1\n{FIXED}".encode("latin-1")),
        (PYTHON.encode().removesuffix(b"\n"), FIXED.encode().removesuffix(b"\n")),
        (b"x = 1\r\ny = 2\n" + PYTHON.encode() + b"\t\n  ", b"x = 1\r\ny = 2\n" + FIXED.encode() + b"\t\n  "),
    ],
    ids=["lf", "crlf", "bom", "utf-16", "cp1252", "latin-1", "no-last-end", "mixed"],
)  # fmt: skip
def test_all_but_the_fixed_lines_stays_byte_for_byte(
    project: ProjectWriter, suiteguard: Run, raw: bytes, fixed: bytes
) -> None:
    folder = project({"test_a.py": raw})
    (folder / "test_a.py").chmod(0o750)
    done = suiteguard(["check", "--fix"], folder)
    assert (folder / "test_a.py").read_bytes() == fixed
    assert stat.S_IMODE((folder / "test_a.py").stat().st_mode) == 0o750
    assert "Fixed 1 finding in 1 file." in done.stdout
    assert done.returncode == 0
    before = tree(folder)
    again = suiteguard(["check", "--fix"], folder)
    assert tree(folder) == before
    assert "Fixed" not in again.stdout


def test_old_line_ends_are_kept_where_the_parser_knows_them(project: ProjectWriter, suiteguard: Run) -> None:
    comment = "    // suiteguard: allow[thread-sleep] it polled\r"
    csharp = "class T\r{\r" + comment + "    void A() { }\r}\r"
    folder = project({"Tests/T.cs": csharp, "test_a.py": PYTHON.replace("\n", "\r")})
    assert "test_a.py:2: unused-suppression: some of its lines" in suiteguard(["check", "--fix"], folder).stdout
    assert (folder / "Tests/T.cs").read_bytes() == csharp.replace(comment, "").encode()
    assert (folder / "test_a.py").read_bytes() == PYTHON.replace("\n", "\r").encode()


def test_the_diff_is_what_the_fix_does(project: ProjectWriter, suiteguard: Run) -> None:
    folder = project({"tests/test_a.py": PYTHON, "test_b.py": PYTHON.replace("\n", "\r\n")})
    shown = suiteguard(["check", "--diff"], folder)
    assert shown.returncode == 1
    assert "Would fix 2 findings in 2 files; nothing was written." in shown.stderr
    assert "\x1b" not in shown.stdout
    suiteguard(["check", "--fix"], folder)
    fixed = tree(folder)
    project({"tests/test_a.py": PYTHON, "test_b.py": PYTHON.replace("\n", "\r\n")})
    (folder / "fix.patch").write_bytes(shown.stdout.encode())
    assert os.system(f"cd '{folder}' && git apply --whitespace=nowarn fix.patch && rm fix.patch") == 0  # noqa: S605
    assert {path: raw for path, (raw, *_) in tree(folder).items()} == {path: raw for path, (raw, *_) in fixed.items()}


def test_what_is_left_is_reported_and_decides_the_exit_code(flawed: ProjectWriter, suiteguard: Run) -> None:
    folder = flawed({"test_a.py": PYTHON})
    done = suiteguard(["check", "--fix"], folder)
    assert done.returncode == 1
    assert "thread-sleep" in done.stdout
    assert "unused-suppression" not in done.stdout
    report = json.loads(suiteguard(["check", "--fix", "--output", "json"], folder).stdout)
    assert report["summary"]["fixes"] == {"made": 0, "refused": 0}


def test_a_check_says_what_could_be_fixed(project: ProjectWriter, suiteguard: Run) -> None:
    done = suiteguard(["check"], project({"test_a.py": PYTHON}))
    assert "= fix: delete the suppression\n" in done.stdout
    assert "Fixable with `--fix`: 1.\n" in done.stdout


def test_files_that_must_not_be_written_to_are_named_with_the_reason(project: ProjectWriter, suiteguard: Run) -> None:
    folder = project({f"test_{name}.py": PYTHON for name in "abcd"})
    (folder / "test_a.py").chmod(0o444)
    os.link(folder / "test_b.py", folder / "other name")
    (folder / "test_c.py").unlink()
    (folder / "test_c.py").symlink_to("test_d.py")
    done = suiteguard(["check", "--fix"], folder)
    assert done.returncode == 1
    assert "Fixed 1 finding in 1 file." in done.stdout
    assert "test_a.py:2: unused-suppression: it is read-only" in done.stdout
    assert "test_b.py:2: unused-suppression: it has several names" in done.stdout
    assert (folder / "test_a.py").read_text("utf-8") == PYTHON
    assert (folder / "test_b.py").read_text("utf-8") == PYTHON
    assert (folder / "test_c.py").is_symlink()
    assert (folder / "test_d.py").read_text("utf-8") == FIXED


def test_only_named_files_are_fixed(project: ProjectWriter, suiteguard: Run) -> None:
    folder = project({"tests/test_a.py": PYTHON, "test_b.py": PYTHON})
    assert suiteguard(["check", "--fix", "tests"], folder).returncode == 0
    assert (folder / "tests" / "test_a.py").read_text("utf-8") == FIXED
    assert (folder / "test_b.py").read_text("utf-8") == PYTHON


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_standard_input_is_fixed_to_standard_output(project: ProjectWriter, suiteguard: Run, encoding: str) -> None:
    folder = project({"test_b.py": PYTHON})
    before = tree(folder)
    text = PYTHON.replace("\n", "\r\n")
    done = suiteguard(["check", "--fix", "--stdin-filename", "test_a.py"], folder, stdin=text.encode(encoding))
    assert done.returncode == 0
    assert (
        done.stdout.encode("utf-8", "replace")
        == text.replace(f"    {COMMENT[:-1]}\r\n", "").encode(encoding).decode("utf-8", "replace").encode()
    )
    assert "Fixed 1 finding in 1 file." in done.stderr
    assert tree(folder) == before


def test_standard_input_without_a_flaw_comes_out_as_it_went_in(project: ProjectWriter, suiteguard: Run) -> None:
    done = suiteguard(["check", "--fix", "--stdin-filename", "test_a.py"], project({}), stdin=FIXED.encode())
    assert (done.stdout, done.returncode) == (FIXED, 0)


def test_a_diff_of_standard_input(project: ProjectWriter, suiteguard: Run) -> None:
    done = suiteguard(["check", "--diff", "--stdin-filename", "test_a.py"], project({}), stdin=PYTHON.encode())
    assert done.returncode == 1
    assert done.stdout.startswith("--- a/test_a.py\n+++ b/test_a.py\n")


def test_reports_beside_a_diff_go_to_standard_error(project: ProjectWriter, suiteguard: Run) -> None:
    folder = project({"test_a.py": PYTHON})
    done = suiteguard(["check", "--diff", "--output", "json", "--output", f"concise={folder / 'found.txt'}"], folder)
    assert done.stdout.startswith("--- a/test_a.py\n")
    assert json.loads(done.stderr)["summary"]["fixes"] == {"made": 1, "refused": 0}
    assert "unused-suppression" in (folder / "found.txt").read_text("utf-8")


def test_names_in_a_diff_command_no_terminal(project: ProjectWriter, suiteguard: Run) -> None:
    done = suiteguard(["check", "--diff"], project({"test_\x1b[2J\n+++.py": PYTHON}))
    assert done.stdout.startswith('--- "a/test_\\033[2J\\012+++.py"\n')
    assert "\x1b" not in done.stdout + done.stderr


def test_what_the_baseline_holds_back_is_not_fixed(project: ProjectWriter, suiteguard: Run) -> None:
    mocking = 'from unittest.mock import patch\n\n\ndef test_a():\n    with patch("app.f"):\n        assert app.f()\n'
    folder = project(
        {"test_a.py": COMMENT + mocking, "test_b.py": mocking, "suiteguard.toml": 'select = ["unittest-mock"]\n'}
    )
    assert suiteguard(["baseline", "create"], folder).returncode == 0
    done = suiteguard(["check", "--unsafe-fixes"], folder)
    # The comment goes, and with it what the baseline knew the import by.
    assert (folder / "test_a.py").read_text() == mocking
    assert (folder / "test_b.py").read_text() == mocking
    assert "test_a.py:1: unittest-mock: the baseline held it back" in done.stdout
    assert done.returncode == 1
