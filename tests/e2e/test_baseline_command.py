"""``suiteguard baseline``, and what ``check`` makes of a baseline."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from e2e.conftest import ASMDEF, SLEEPING_TEST
from e2e.program import ProjectWriter, Run

from guards.engine.adoption import make
from guards.engine.run import Request

CHECK = ("check", "--output", "concise")
FILE = "suiteguard-baseline.json"
FINDINGS, USAGE, INCOMPLETE = 1, 2, 3
SLEEP = "class {0} {{ void B() {{ System.Threading.Thread.Sleep({1}); }} }}\n"


# Few rules, so that another one does not change what is found here.
CONFIGURATION = """\
presets = []
select = ["async-void", "parse-incomplete", "stale-baseline", "suppression-without-reason", "thread-sleep", "unused-suppression"]
"""


@pytest.fixture
def flawed(project: ProjectWriter) -> ProjectWriter:
    """A project with one flaw."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        usual = {"suiteguard.toml": CONFIGURATION, "Tests/Sample.Tests.asmdef": ASMDEF, "Tests/T.cs": SLEEPING_TEST}
        return project({**usual, **files})

    return write


@pytest.fixture
def held(flawed: ProjectWriter) -> Path:
    """A project whose one flaw is held back."""
    folder = flawed({})
    make(Request(str(folder)), "older than the rule")
    return folder


def baseline(folder: Path) -> str:
    return (folder / FILE).read_text(encoding="utf-8")


def entries(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(baseline(folder))["entries"]
    return found


def test_a_baseline_makes_a_project_clean_and_says_so(suiteguard: Run, held: Path) -> None:
    done = suiteguard(CHECK, held)
    assert done.returncode == 0
    assert "Held back by the baseline: 1 finding" in done.stdout
    assert [(e["rule"], e["path"], e["count"], e["reason"]) for e in entries(held)] == [
        ("thread-sleep", "Tests/T.cs", 1, "older than the rule")
    ]


def test_making_one_says_what_it_did_and_gives_a_reason_where_nobody_did(
    suiteguard: Run, flawed: ProjectWriter
) -> None:
    folder = flawed({})
    done = suiteguard(("baseline", "create"), folder)
    assert done.stdout == f"{FILE}: written, 1 entry for 1 finding\n"
    assert entries(folder)[0]["reason"] == "it was there when the baseline was made"


def test_lines_and_files_may_move(suiteguard: Run, held: Path) -> None:
    (held / "Tests/T.cs").write_text("// a line\n\n" + SLEEPING_TEST)
    assert suiteguard(CHECK, held).returncode == 0
    (held / "Tests/T.cs").rename(held / "Tests/Renamed.cs")
    assert suiteguard(CHECK, held).returncode == 0
    assert suiteguard((*CHECK, "Tests/Renamed.cs"), held).returncode == 0
    done = suiteguard(("baseline", "update"), held)
    assert "Tests/T.cs -> Tests/Renamed.cs" in done.stdout
    assert [(e["path"], e["reason"]) for e in entries(held)] == [("Tests/Renamed.cs", "older than the rule")]


def test_a_new_flaw_is_found_and_only_add_takes_it_in(suiteguard: Run, held: Path) -> None:
    (held / "Tests/U.cs").write_text(SLEEP.format("U", 1))
    done = suiteguard(CHECK, held)
    assert "Tests/U.cs:1" in done.stdout
    assert "Tests/T.cs" not in done.stdout
    assert done.returncode == FINDINGS
    before = baseline(held)
    done = suiteguard(("baseline", "update"), held)
    assert "not in the baseline: 1 finding; `suiteguard baseline update --add` takes them in" in done.stdout
    assert baseline(held) == before
    done = suiteguard(("baseline", "update", "--add", "--reason", "the driver polls"), held)
    assert "added: 1 entry" in done.stdout
    assert [e["reason"] for e in entries(held)] == ["older than the rule", "the driver polls"]
    assert suiteguard(CHECK, held).returncode == 0


def test_a_copy_of_a_flaw_beside_it_is_one_too_many(suiteguard: Run, held: Path) -> None:
    body = SLEEPING_TEST[SLEEPING_TEST.index("    [Test]") : SLEEPING_TEST.rindex("}")]
    (held / "Tests/T.cs").write_text(SLEEPING_TEST.replace(body, body * 2))
    assert suiteguard(CHECK, held).stdout.count("[thread-sleep]") == 1


def test_a_flaw_that_is_gone_leaves_a_stale_entry_until_the_baseline_is_updated(suiteguard: Run, held: Path) -> None:
    (held / "Tests/T.cs").write_text("class T { }\n")
    done = suiteguard(CHECK, held)
    assert f"{FILE}:4:5: warning[stale-baseline]" in done.stdout
    assert "`thread-sleep`" in done.stdout
    assert done.returncode == FINDINGS
    shown = suiteguard(("check",), held).stdout
    assert '4 |     {"rule": "thread-sleep", "path": "Tests/T.cs"' in shown
    done = suiteguard(("baseline", "update"), held)
    assert "removed, since nothing needs them: 1 entry\n  thread-sleep  Tests/T.cs  1\n" in done.stdout
    assert entries(held) == []
    assert suiteguard(CHECK, held).returncode == 0


def test_an_entry_of_which_a_part_is_left_is_shortened(suiteguard: Run, flawed: ProjectWriter) -> None:
    flaw = SLEEP.format("U", 1)
    folder = flawed({"Tests/U.cs": f"{flaw}// a\n{flaw}// a\n{flaw}"})
    suiteguard(("baseline", "create"), folder)
    assert {e["count"] for e in entries(folder) if e["path"] == "Tests/U.cs"} == {1}
    folder = flawed({"Tests/U.cs": f"// a\n{flaw}// a\n{flaw}// a\n"})
    suiteguard(("baseline", "update", "--add"), folder)
    assert [e["count"] for e in entries(folder) if e["path"] == "Tests/U.cs"] == [2]
    folder = flawed({"Tests/U.cs": f"// a\n{flaw}// a\n"})
    assert "only 1 of 2 findings of `thread-sleep`" in suiteguard(CHECK, folder).stdout
    assert "  thread-sleep  Tests/U.cs  2 -> 1" in suiteguard(("baseline", "update"), folder).stdout
    assert [e["count"] for e in entries(folder) if e["path"] == "Tests/U.cs"] == [1]


@pytest.mark.parametrize(
    "arguments",
    [("Tests/U.cs",), ("Tests/T.cs",), ("Tests",), ("--select", "async-void"), ("--ignore", "thread-sleep"),
     ("--select", "async-void,stale-baseline"), ("--preset", "strict", "--ignore", "thread-sleep")],
)  # fmt: skip
def test_a_run_on_a_part_calls_nothing_stale(suiteguard: Run, held: Path, arguments: tuple[str, ...]) -> None:
    (held / "Tests/T.cs").write_text("class T { }\n")
    (held / "Tests/U.cs").write_text("class U { }\n")
    assert "stale-baseline" not in suiteguard((*CHECK, *arguments), held).stdout


def test_a_run_on_unsaved_text_holds_back_and_calls_nothing_stale(suiteguard: Run, held: Path) -> None:
    stdin = (*CHECK, "--stdin-filename", "Tests/T.cs")
    assert suiteguard(stdin, held, stdin=b"// a line\n" + SLEEPING_TEST.encode()).returncode == 0
    assert suiteguard(stdin, held, stdin=b"class T { }\n").returncode == 0


@pytest.mark.parametrize("arguments", [("--select", "async-void"), ("--ignore", "thread-sleep")])
def test_an_update_takes_away_nothing_that_it_did_not_judge(
    suiteguard: Run, held: Path, arguments: tuple[str, ...]
) -> None:
    (held / "Tests/T.cs").write_text("class T { }\n")
    before = baseline(held)
    done = suiteguard(("baseline", "update", *arguments), held)
    assert "left alone, since this run could not judge them: 1 entry" in done.stdout
    assert baseline(held) == before


@pytest.mark.parametrize("content", [b"class T { void A() { foo bar baz ; ) } }\n", b"\0"])
def test_entries_of_what_could_not_be_read_stay(suiteguard: Run, held: Path, content: bytes) -> None:
    (held / "Tests/T.cs").write_bytes(content)
    before = baseline(held)
    assert "stale-baseline" not in suiteguard(CHECK, held).stdout
    done = suiteguard(("baseline", "update"), held)
    assert "left alone, since this run could not judge them: 1 entry" in done.stdout
    assert baseline(held) == before
    if b"\0" in content:
        assert "incomplete: 1 file could not be checked" in done.stdout
        assert done.returncode == INCOMPLETE


def test_entries_of_excluded_files_stay(suiteguard: Run, held: Path) -> None:
    (held / "suiteguard.toml").write_text(f'{CONFIGURATION}exclude = ["Tests/T.cs"]\n')
    assert "stale-baseline" not in suiteguard(CHECK, held).stdout
    suiteguard(("baseline", "update"), held)
    assert len(entries(held)) == 1


def test_a_baseline_is_never_overwritten(suiteguard: Run, held: Path) -> None:
    before = baseline(held)
    done = suiteguard(("baseline", "create"), held)
    assert done.returncode == USAGE
    assert "suiteguard baseline update" in done.stderr
    assert baseline(held) == before


def test_without_findings_there_is_nothing_to_write(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project({"tests/test_a.py": "def test_a():\n    assert sum([1, 2]) == 3\n"})
    done = suiteguard(("baseline", "create"), folder)
    assert done.returncode == 0
    assert "none was written" in done.stdout
    assert not (folder / FILE).exists()


@pytest.mark.parametrize("action", ["update", "show"])
def test_without_a_baseline_the_command_that_makes_one_is_named(
    suiteguard: Run, flawed: ProjectWriter, action: str
) -> None:
    done = suiteguard(("baseline", action), flawed({}))
    assert done.returncode == USAGE
    assert "suiteguard baseline create" in done.stderr


@pytest.mark.parametrize(
    "arguments", [("create", "--reason", ""), ("create", "--reason", "..."), ("update", "--reason", "x"), ()]
)
def test_wrong_usage_is_refused(suiteguard: Run, held: Path, arguments: tuple[str, ...]) -> None:
    done = suiteguard(("baseline", *arguments), held)
    assert done.returncode == USAGE
    assert done.stderr


def test_findings_about_excuses_are_not_held_back(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed(
        {
            "Tests/U.cs": "class U { } // suiteguard: allow[thread-sleep] it polls\nclass V { } // suiteguard: allow[async-void]\n"
        }
    )
    done = suiteguard(("baseline", "create"), folder)
    assert "cannot be held back, being about excuses: 2 findings" in done.stdout
    assert "`suppression-without-reason`, `unused-suppression`" in done.stdout
    assert [e["rule"] for e in entries(folder)] == ["thread-sleep"]


def test_what_could_not_be_parsed_can_be_held_back(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"Tests/U.cs": "class U { void A() { foo bar baz ; ) } }\n"})
    suiteguard(("baseline", "create"), folder)
    assert {e["rule"] for e in entries(folder)} == {"parse-incomplete", "thread-sleep"}
    assert "note[" not in suiteguard(CHECK, folder).stdout


def test_files_without_comments_have_entries_too(suiteguard: Run, project: ProjectWriter) -> None:
    gated = ASMDEF.replace("UNITY_INCLUDE_TESTS", "UNITY_6000_0_OR_NEWER")
    folder = project(
        {"Tests/Sample.Tests.asmdef": gated, "suiteguard.toml": 'presets = []\nselect = ["version-gate"]\n'}
    )
    assert "Tests/Sample.Tests.asmdef:8" in suiteguard(CHECK, folder).stdout
    suiteguard(("baseline", "create"), folder)
    (folder / "Tests/Sample.Tests.asmdef").write_text(gated.replace('"name"', '"rootNamespace": "",\n    "name"'))
    assert suiteguard(CHECK, folder).returncode == 0


def test_a_finding_about_a_file_as_a_whole_stays_held_back_when_its_text_changes(
    suiteguard: Run, project: ProjectWriter
) -> None:
    suite = '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn "a"\n\nfunc test_a() -> void:\n\tassert_true(visible)\n'
    only = 'presets = []\nselect = ["test-file-outside-discovery"]\n'
    folder = project({"project.godot": "config_version=5\n", "suites/player.gd": suite, "suiteguard.toml": only})
    assert "suites/player.gd" in suiteguard(CHECK, folder).stdout
    suiteguard(("baseline", "create"), folder)
    (folder / "suites/player.gd").write_text("# a new first line\n" + suite)
    assert suiteguard(CHECK, folder).returncode == 0


def test_the_configuration_of_the_root_names_the_file(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"suiteguard.toml": f'{CONFIGURATION}baseline = "ci/held-back.json"\n'})
    done = suiteguard(("baseline", "create"), folder)
    assert done.returncode == USAGE
    assert "ci/held-back.json: its folder does not exist" in done.stderr
    (folder / "ci").mkdir()
    assert suiteguard(("baseline", "create"), folder).returncode == 0
    assert suiteguard(CHECK, folder).returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == [".git", "Tests", "ci", "suiteguard.toml"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", f"{FILE}:1: must be an object"),
        (b"{", f"{FILE}:1: "),
        (b"\xff", f"{FILE}:1: byte 0 is not UTF-8"),
        (b'{"version": 9, "entries": []}', f"{FILE}:1: version: this suiteguard reads version 1"),
        (b"<<<<<<< HEAD\n{}", f"{FILE}:1: a merge conflict"),
        (b'{"version": 1, "entries": [\n1]}', f"{FILE}:2: an entry must be an object"),
        (b" " * (17 << 20), f"{FILE}: cannot be read: it has {17 << 20} bytes"),
        (b"[" * 1_000_000, f"{FILE}:1: must be an object"),
    ],
)  # fmt: skip
def test_a_broken_baseline_stops_every_run_and_stays_as_it_is(
    suiteguard: Run, flawed: ProjectWriter, content: bytes, problem: str
) -> None:
    folder = flawed({FILE: content})
    for arguments in ((*CHECK, "Tests/T.cs"), ("baseline", "update", "--add")):
        done = suiteguard(arguments, folder)
        assert done.returncode == USAGE
        assert problem in done.stderr
        assert done.stdout == ""
    assert (folder / FILE).read_bytes() == content


def test_an_entry_of_a_rule_that_is_gone_is_named_and_an_update_removes_it(suiteguard: Run, held: Path) -> None:
    (held / FILE).write_text(baseline(held).replace("thread-sleep", "tread-sleep"))
    done = suiteguard(CHECK, held)
    assert done.returncode == USAGE
    assert f"{FILE}:4: rule: there is no rule `tread-sleep`" in done.stderr
    assert "suiteguard baseline update" in done.stderr
    assert "  tread-sleep  Tests/T.cs  1" in suiteguard(("baseline", "update"), held).stdout
    assert entries(held) == []


def test_a_baseline_that_is_a_folder_is_refused(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({f"{FILE}/a.txt": ""})
    for arguments in (CHECK, ("baseline", "create"), ("baseline", "update"), ("baseline", "show")):
        done = suiteguard(arguments, folder)
        assert done.returncode == USAGE
        assert FILE in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_baseline_behind_a_link_that_leads_out_is_neither_read_nor_written(
    suiteguard: Run, flawed: ProjectWriter, tmp_path: Path
) -> None:
    folder = flawed({})
    outside = tmp_path / "outside.json"
    outside.write_text('{"version": 1, "entries": []}')
    (folder / FILE).symlink_to(outside)
    for arguments in (CHECK, ("baseline", "create"), ("baseline", "update", "--add"), ("baseline", "show")):
        assert suiteguard(arguments, folder).returncode == USAGE
    assert outside.read_text() == '{"version": 1, "entries": []}'
    (folder / FILE).unlink()
    (folder / "ci").symlink_to(tmp_path, target_is_directory=True)
    (folder / "suiteguard.toml").write_text(f'{CONFIGURATION}baseline = "ci/b.json"\n')
    assert suiteguard(("baseline", "create"), folder).returncode == USAGE
    assert not (tmp_path / "b.json").exists()


def test_what_is_held_back_is_shown_by_rule_and_by_folder(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({f"Tests/Sub/C{n}.cs": SLEEP.format("C", n) for n in range(3)})
    suiteguard(("baseline", "create", "--reason", "[bold]older[/bold] than \x1b[31mthe rule"), folder)
    done = suiteguard(("baseline", "show"), folder, COLUMNS="200")
    rows = [line.split("  ") for line in done.stdout.splitlines()]
    words = [[word.strip() for word in row if word.strip()] for row in rows]
    reason = "[bold]older[/bold] than \\x1b[31mthe rule"
    assert ["thread-sleep", "4", "4", reason] in words
    assert ["Tests/Sub", "3", "3", reason] in words
    assert ["Tests", "1", "1", reason] in words
    assert f"{FILE}: 4 entries for 4 findings" in done.stdout
    shown = json.loads(suiteguard(("baseline", "show", "--output", "json"), folder).stdout)
    assert (shown["version"], shown["findings"], len(shown["entries"])) == (1, 4, 4)
    assert shown["entries"][0]["line"] == 4


def test_both_sides_of_a_merge_are_kept(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({f"Tests/C{n}.cs": SLEEP.format("C", n) for n in range(9)})
    suiteguard(("baseline", "create"), folder)
    assert len(entries(folder)) == 10
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    for branch, gone in (("one", "Tests/C1.cs"), ("two", "Tests/C7.cs")):
        git(folder, "checkout", "-qb", branch, "HEAD" if branch == "one" else "one~1")
        (folder / gone).unlink()
        suiteguard(("baseline", "update"), folder)
        git(folder, "commit", "-qam", branch)
    git(folder, "merge", "-q", "one", "-m", "merged")
    assert len(entries(folder)) == 8
    assert suiteguard(CHECK, folder).returncode == 0


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)  # noqa: S607 git of the search path


def test_the_same_baseline_comes_out_whatever_the_cache(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({f"Tests/C{n}.cs": SLEEP.format("C", n) for n in range(12)})
    texts = set()
    for options in ((), (), ("--no-cache", "--jobs", "2")):
        suiteguard(("baseline", "create", *options), folder)
        texts.add(baseline(folder))
        (folder / FILE).unlink()
    assert len(texts) == 1


def test_a_row_of_a_folder_s_own_configuration_is_a_rule_there(suiteguard: Run, flawed: ProjectWriter) -> None:
    row = '[[forbid]]\nname = "wall-clock"\napi = "System.DateTime.UtcNow"\nlanguage = "csharp"\nuse = "read"\n'
    clock = "using System;\nclass A { object B() => DateTime.UtcNow; }\n"
    folder = flawed({"Tests/Own/suiteguard.toml": f"presets = []\n{row}", "Tests/Own/A.cs": clock})
    make(Request(str(folder)), "older than the rule")
    assert {e["rule"] for e in entries(folder)} == {"thread-sleep", "wall-clock"}
    assert suiteguard(CHECK, folder).returncode == 0
    assert suiteguard((*CHECK, "Tests/T.cs"), folder).returncode == 0
