"""Broken, huge and hostile input: a clear message, the right exit code, nothing lost, never a traceback."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from e2e.program import ProjectWriter, Run

CONCISE = ("check", "--output", "concise")
FLAW = "Tests/T.cs:6:16: warning[thread-sleep]"
FINDINGS, USAGE, INCOMPLETE = 1, 2, 3

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
as_user = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unreadable to root")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("Tests/Binary.cs", b"\x7fELF\0\0\1\2" * 100, "binary"),
        ("Tests/Nul.cs", b"class A { }\0", "NUL"),
        ("Tests/Cut.cs", b"\xff\xfec\0l\0a", "utf-16"),
        ("Tests/Huge.cs", b"// a\n" * 10_000_000, "limit"),
    ],
)
def test_a_file_that_is_no_source_is_named_with_its_reason(
    suiteguard: Run, flawed: ProjectWriter, name: str, content: bytes, reason: str
) -> None:
    folder = flawed({name: content})
    done = suiteguard(CONCISE, folder)
    assert FLAW in done.stdout
    assert name in done.stdout
    assert reason in done.stdout
    assert done.returncode == FINDINGS


def test_an_unread_file_alone_makes_the_run_incomplete(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project({"tests/test_a.py": b"\0"})
    done = suiteguard(CONCISE, folder)
    assert done.returncode == INCOMPLETE
    assert "tests/test_a.py" in done.stdout


def test_an_unread_file_that_configuration_allows_is_counted(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project({"tests/test_a.py": b"\0", "suiteguard.toml": 'allow-unanalysed = ["tests/test_a.py"]\n'})
    done = suiteguard(CONCISE, folder)
    assert done.returncode == 0
    assert "1" in done.stdout


def test_a_file_that_stalls_the_parser_is_given_up_and_the_rest_is_judged(
    suiteguard: Run, flawed: ProjectWriter
) -> None:
    folder = flawed({"Tests/Slow.cs": b"a<" * 48_000})
    done = suiteguard(CONCISE, folder, timeout=200)
    assert FLAW in done.stdout
    assert "Tests/Slow.cs" in done.stdout
    assert "given up" in done.stdout
    assert done.returncode == FINDINGS


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Tests/Deep.cs", b"class A { int a = " + b"(" * 20_000 + b"1" + b")" * 20_000 + b"; }"),
        ("Tests/Blocks.cs", b"class A { void B() " + b"{" * 20_000 + b"}" * 20_000 + b" }"),
        ("Tests/Classes.cs", b"class A {" * 5_000 + b"}" * 5_000),
        ("Tests/Calls.cs", b"class A { object a = b" + b".c()" * 20_000 + b"; }"),
        ("Tests/Ifs.cs", b"#if A\n" * 5_000 + b"class A {}\n" + b"#endif\n" * 5_000),
        ("Tests/Interpolated.cs", b"class A { string a = " + b'$"{' * 2_000 + b"1" + b'}"' * 2_000 + b"; }"),
        ("Tests/Quotes.cs", b'"' * 200_001),
        ("tests/test_deep.py", b"a = " + b"[" * 20_000 + b"]" * 20_000 + b"\n"),
        ("tests/test_defs.py", b"".join(b" " * n + b"def test_a():\n" for n in range(500)) + b" " * 500 + b"pass\n"),
        ("tests/test_attributes.py", b"import os\na = os" + b".path" * 20_000 + b"\n"),
        ("tests/test_sum.py", b"a = " + b"'a' + " * 20_000 + b"'a'\n"),
        ("tests/test_deep.gd", b"extends McpTestSuite\nfunc test_a():\n\tvar a = " + b"[" * 20_000 + b"]" * 20_000 + b"\n"),
        ("tests/test_lambdas.gd", b"var a = " + b"func(): return " * 3_000 + b"1\n"),
        ("Tests/deep.asmdef", b"[" * 100_000 + b"]" * 100_000),
        ("pyproject.toml", b"a = " + b"[" * 20_000 + b"]" * 20_000 + b"\n"),
        ("empty.csproj", b""),
        ("bomb.props", b'<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><a>&d;</a>'),
        ("project.godot", b"\xff\xfe\0"),
        ("Tests/Empty.cs", b""),
        ("Tests/OnlyMark.cs", b"\xef\xbb\xbf"),
        ("Tests/Utf16.cs", "﻿class A {}".encode("utf-16")),
    ],
)  # fmt: skip
def test_odd_files_neither_stop_a_run_nor_hide_the_flaw(
    suiteguard: Run, flawed: ProjectWriter, name: str, content: bytes
) -> None:
    folder = flawed({name: content})
    done = suiteguard((*CONCISE, "--preset", "strict"), folder, timeout=60)
    assert "[thread-sleep]" in done.stdout
    assert done.returncode == FINDINGS


@needs_links
def test_links_that_lead_nowhere_round_or_out_are_not_followed(
    suiteguard: Run, flawed: ProjectWriter, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "T.cs").write_text("class Outside { }")
    folder = flawed({})
    (folder / "Tests/Dangling.cs").symlink_to("no/such/file.cs")
    (folder / "Tests/Loop.cs").symlink_to("Loop.cs")
    (folder / "Tests/Round").symlink_to("..", target_is_directory=True)
    (folder / "Tests/Out").symlink_to(outside, target_is_directory=True)
    done = suiteguard(CONCISE, folder)
    assert done.stdout.count("[thread-sleep]") == 1
    assert "Outside" not in done.stdout
    assert done.returncode == FINDINGS


@as_user
def test_an_unreadable_file_is_named(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"Tests/Secret.cs": "class A { }"})
    (folder / "Tests/Secret.cs").chmod(0)
    done = suiteguard(CONCISE, folder)
    assert "Tests/Secret.cs" in done.stdout
    assert FLAW in done.stdout


def test_a_configuration_that_is_a_folder_is_refused(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"suiteguard.toml/a.txt": ""})
    done = suiteguard(CONCISE, folder)
    assert done.returncode == USAGE
    assert "suiteguard.toml" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("garbage", [b"", b"SQLite format 3\0garbage", b"\0" * 5000])
def test_a_garbage_cache_is_replaced(suiteguard: Run, flawed: ProjectWriter, tmp_path: Path, garbage: bytes) -> None:
    folder = flawed({f"Tests/C{n}.cs": "class A { }" for n in range(20)})
    first = suiteguard(CONCISE, folder)
    (cache,) = (tmp_path / "cache-of-the-user").iterdir()
    cache.write_bytes(garbage)
    assert suiteguard(CONCISE, folder).stdout.count(FLAW) == 1
    assert suiteguard(CONCISE, folder).stdout == first.stdout
    assert sqlite3.connect(cache).execute("select count(*) from known").fetchone()[0] > 0


def test_values_in_the_cache_that_are_no_values_are_collected_again(
    suiteguard: Run, flawed: ProjectWriter, tmp_path: Path
) -> None:
    folder = flawed({f"Tests/C{n}.cs": "class A { }" for n in range(20)})
    first = suiteguard(CONCISE, folder)
    (cache,) = (tmp_path / "cache-of-the-user").iterdir()
    with sqlite3.connect(cache) as connection:
        for table in ("known", "facts"):
            assert connection.execute(f"update {table} set value = x'c1c1c1'").rowcount > 0  # noqa: S608 our own names
    assert suiteguard(CONCISE, folder).stdout == first.stdout


def test_a_cache_inside_the_repository_is_never_read(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({f"Tests/C{n}.cs": "class A { }" for n in range(20)})
    suiteguard((*CONCISE, "--cache-dir", folder / "cache"), folder)
    assert not (folder / "cache").exists()


def test_a_cache_folder_that_cannot_be_made_is_no_trouble(
    suiteguard: Run, flawed: ProjectWriter, tmp_path: Path
) -> None:
    (tmp_path / "a-file").write_text("")
    folder = flawed({f"Tests/C{n}.cs": "class A { }" for n in range(20)})
    done = suiteguard((*CONCISE, "--cache-dir", tmp_path / "a-file" / "b"), folder)
    assert FLAW in done.stdout
    assert "without" in done.stdout


@as_user
def test_a_read_only_tree_is_checked(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({})
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert FLAW in suiteguard(CONCISE, folder).stdout
    finally:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is sent differently there")
def test_an_interrupt_ends_a_run_quietly(flawed: ProjectWriter) -> None:
    body = "\n".join(f"    public void M{n}() {{ int a = {n}; Call(a, b, c); }}" for n in range(4000))
    folder = flawed({f"Tests/C{n}.cs": f"class C{n}\n{{\n{body}\n}}\n" for n in range(60)})
    process = subprocess.Popen(
        [sys.executable, "-m", "guards", *CONCISE, "--no-cache"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(2.5)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"interrupted" in err
    assert out == b""


def test_terminal_codes_in_names_reach_no_terminal(suiteguard: Run, flawed: ProjectWriter) -> None:
    name = "Tests/\x1b[31mred\x1b[0m.cs" if sys.platform != "win32" else "Tests/red.cs"
    folder = flawed({name: "class A { void B() { System.Threading.Thread.Sleep(1); } } // \x1b]0;title\x07\n"})
    for output in ("text", "concise", "json"):
        done = suiteguard(("check", "--output", output), folder)
        assert "\x1b" not in done.stdout
        assert "\x07" not in done.stdout
        assert "red" in done.stdout


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="file systems there fold names")
def test_names_that_differ_only_in_case_are_two_files(suiteguard: Run, flawed: ProjectWriter) -> None:
    sleeping = "class A { void B() { System.Threading.Thread.Sleep(1); } }\n"
    folder = flawed({"Tests/a.cs": sleeping, "Tests/A.cs": sleeping})
    done = suiteguard(CONCISE, folder)
    assert "Tests/a.cs:1" in done.stdout
    assert "Tests/A.cs:1" in done.stdout


@pytest.mark.parametrize("path", ["no/such/file.py", "../elsewhere"])
def test_a_path_that_cannot_be_checked_is_refused(suiteguard: Run, flawed: ProjectWriter, path: str) -> None:
    done = suiteguard((*CONCISE, path), flawed({}))
    assert done.returncode == USAGE
    assert path in done.stderr
    assert done.stdout == ""


def test_an_empty_project_is_clean(suiteguard: Run, project: ProjectWriter) -> None:
    done = suiteguard(("check",), project({}))
    assert done.returncode == 0
    assert done.stdout.strip()
