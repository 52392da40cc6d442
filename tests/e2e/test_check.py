"""``suiteguard check`` as people use it."""

import json
from pathlib import Path

import pytest
from e2e.program import ProjectWriter, Run

CONCISE = ("check", "--output", "concise")
FLAW = "Tests/T.cs:6:16: warning[thread-sleep]"
FINDINGS, USAGE, INCOMPLETE = 1, 2, 3


def test_a_flaw_is_shown_with_its_line_and_the_reason(suiteguard: Run, flawed: ProjectWriter) -> None:
    done = suiteguard(("check",), flawed({}))
    assert done.returncode == FINDINGS
    assert "Tests/T.cs:6:16" in done.stdout
    assert "        Thread.Sleep(10);" in done.stdout
    assert "^^^^^" in done.stdout
    assert done.stderr == ""


def test_a_clean_project_says_what_was_checked(suiteguard: Run, project: ProjectWriter) -> None:
    done = suiteguard(("check",), project({"tests/test_a.py": "def test_a():\n    assert sum([1, 2]) == 3\n"}))
    assert done.returncode == 0
    assert "1" in done.stdout


def test_only_what_is_named_is_reported(suiteguard: Run, flawed: ProjectWriter) -> None:
    sleeping = "class A { void B() { System.Threading.Thread.Sleep(1); } }\n"
    folder = flawed({"Tests/Sub/A.cs": sleeping, "Tests/B.cs": sleeping})
    assert suiteguard((*CONCISE, "Tests/B.cs"), folder).stdout.count("[thread-sleep]") == 1
    done = suiteguard((*CONCISE, "Tests/Sub"), folder)
    assert "Tests/Sub/A.cs:1" in done.stdout
    assert done.stdout.count("[thread-sleep]") == 1
    done = suiteguard((*CONCISE, "Sub"), folder / "Tests")
    assert "Tests/Sub/A.cs:1" in done.stdout


def test_unsaved_text_is_checked_in_the_place_of_its_file(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({})
    text = b"class T { }\n\nclass U { void B() { System.Threading.Thread.Sleep(1); } }\n"
    done = suiteguard((*CONCISE, "--stdin-filename", "Tests/T.cs"), folder, stdin=text)
    assert "Tests/T.cs:3:" in done.stdout
    assert FLAW not in done.stdout
    done = suiteguard((*CONCISE, "--stdin-filename", "T.cs"), folder / "Tests", stdin=text)
    assert "Tests/T.cs:3:" in done.stdout


def test_rules_can_be_selected_and_ignored(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({})
    assert suiteguard((*CONCISE, "--ignore", "thread-sleep"), folder).returncode == 0
    assert suiteguard((*CONCISE, "--select", "async-void"), folder).returncode == 0
    assert FLAW in suiteguard((*CONCISE, "--select", "async-void,thread-*"), folder).stdout
    assert FLAW in suiteguard((*CONCISE, "--select", "SGC001"), folder).stdout


def test_an_unknown_rule_is_refused_with_a_suggestion(suiteguard: Run, flawed: ProjectWriter) -> None:
    done = suiteguard((*CONCISE, "--select", "tread-sleep"), flawed({}))
    assert done.returncode == USAGE
    assert "thread-sleep" in done.stderr
    assert done.stdout == ""


def test_several_reports_are_written_at_once(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({})
    done = suiteguard((*CONCISE, "--output", "json=report.json"), folder)
    assert FLAW in done.stdout
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert [finding["rule"] for finding in report["findings"]] == ["thread-sleep"]
    assert report["version"] == 1


@pytest.mark.parametrize(
    "outputs", [("yaml",), ("text", "json"), ("json=a.json", "json=a.json"), ("json=no/such/folder/a.json",)]
)
def test_an_output_that_cannot_be_is_refused(suiteguard: Run, flawed: ProjectWriter, outputs: tuple[str, ...]) -> None:
    done = suiteguard(("check", *(word for output in outputs for word in ("--output", output))), flawed({}))
    assert done.returncode == USAGE
    assert done.stderr.startswith("suiteguard: ")


def test_findings_can_be_reported_without_failing(suiteguard: Run, flawed: ProjectWriter) -> None:
    done = suiteguard((*CONCISE, "--exit-zero"), flawed({}))
    assert done.returncode == 0
    assert FLAW in done.stdout


def test_notes_alone_do_not_fail(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"suiteguard.toml": '[rules.thread-sleep]\nseverity = "note"\n'})
    done = suiteguard(CONCISE, folder)
    assert done.returncode == 0
    assert "note[thread-sleep]" in done.stdout


def test_a_suppression_with_a_reason_takes_the_finding_away(suiteguard: Run, flawed: ProjectWriter) -> None:
    line = "class A { void B() { System.Threading.Thread.Sleep(1); } } // suiteguard: allow[thread-sleep]"
    folder = flawed({"Tests/T.cs": f"{line} the driver polls\n"})
    done = suiteguard(CONCISE, folder)
    assert done.returncode == 0
    assert "1" in done.stdout
    folder = flawed({"Tests/T.cs": f"{line}\n"})
    done = suiteguard(CONCISE, folder)
    assert "[thread-sleep]" in done.stdout
    assert "[suppression-without-reason]" in done.stdout


def test_a_suppression_of_nothing_is_a_finding(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"Tests/T.cs": "class A { } // suiteguard: allow[thread-sleep, async-viod] the driver polls\n"})
    done = suiteguard(CONCISE, folder)
    assert "[unused-suppression]" in done.stdout
    assert "[unknown-rule-in-suppression]" in done.stdout
    assert "async-void" in done.stdout
    assert done.returncode == FINDINGS


def test_a_suppression_of_a_rule_that_is_off_is_not_called_unused(suiteguard: Run, flawed: ProjectWriter) -> None:
    text = "class A { void B() { System.Threading.Thread.Sleep(1); } } // suiteguard: allow[thread-sleep] polls\n"
    done = suiteguard((*CONCISE, "--ignore", "thread-sleep"), flawed({"Tests/T.cs": text}))
    assert done.returncode == 0


def test_a_project_row_forbids_an_api_under_its_own_name(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({
        "suiteguard.toml": """
presets = []
[[forbid]]
name = "wall-clock"
api = "System.DateTime.UtcNow"
language = "csharp"
use = "read"
why = "the clock of the machine is no input of a test"
instead = "pass a time in"
""",
        "Tests/T.cs": """\
using System;
class A
{
    object B() => DateTime.UtcNow; // suiteguard: allow[wall-clock] shown in the log only
    object C() => DateTime.UtcNow;
}
""",
    })  # fmt: skip
    done = suiteguard(("check",), folder)
    assert "Tests/T.cs:5:28" in done.stdout
    assert "Tests/T.cs:4" not in done.stdout
    assert "the clock of the machine is no input of a test" in done.stdout
    assert done.returncode == FINDINGS


def test_the_same_bytes_come_out_whatever_the_number_of_processes_and_the_cache(
    suiteguard: Run, flawed: ProjectWriter
) -> None:
    body = "\n".join(f"    public void M{n}() {{ int a = {n}; Call(a, b, c); }}" for n in range(1500))
    sleep = "    void S() { System.Threading.Thread.Sleep(1); }"
    folder = flawed({f"Tests/C{n}.cs": f"class C{n}\n{{\n{body}\n{sleep}\n}}\n" for n in range(30)})
    runs = [("--jobs", "1", "--no-cache"), ("--jobs", "2", "--no-cache"), ("--jobs", "2"), ("--jobs", "1")]
    outputs = {suiteguard(("check", "--output", "json", *options), folder).stdout for options in runs}
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())["findings"]) == 31


def test_an_edit_is_noticed_in_spite_of_the_cache(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({f"Tests/C{n}.cs": "class A { }\n" for n in range(20)})
    assert suiteguard(CONCISE, folder).stdout.count("[thread-sleep]") == 1
    (folder / "Tests/C3.cs").write_text("class A { void B() { System.Threading.Thread.Sleep(1); } }\n")
    assert "Tests/C3.cs:1" in suiteguard(CONCISE, folder).stdout
    (folder / "Tests/C3.cs").write_text("class A { }\n")
    assert suiteguard(CONCISE, folder).stdout.count("[thread-sleep]") == 1


def test_a_type_of_the_project_that_hides_the_api_is_noticed_in_another_file(
    suiteguard: Run, flawed: ProjectWriter
) -> None:
    folder = flawed({f"Tests/C{n}.cs": "class A { }\n" for n in range(20)})
    assert FLAW in suiteguard(CONCISE, folder).stdout
    (folder / "Tests/Thread.cs").write_text("public static class Thread { public static void Sleep(int a) { } }\n")
    assert FLAW not in suiteguard(CONCISE, folder).stdout
    assert FLAW not in suiteguard((*CONCISE, "Tests/T.cs"), folder).stdout


def test_excluded_files_are_not_checked_even_when_named(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"suiteguard.toml": 'exclude = ["Tests/T.cs"]\n'})
    done = suiteguard(CONCISE, folder)
    assert done.returncode == 0
    assert "excluded by configuration: 1 file" in done.stdout
    assert suiteguard((*CONCISE, "Tests/T.cs"), folder).returncode == 0


def test_all_wrong_configurations_are_named_and_nothing_is_run(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({
        "suiteguard.toml": "selekt = []\n",
        "Tests/suiteguard.toml": '[rules.thread-sleep]\nseverity = "eror"\n',
    })  # fmt: skip
    done = suiteguard(CONCISE, folder)
    assert done.returncode == USAGE
    assert "suiteguard.toml:1" in done.stderr
    assert done.stdout == ""


def test_no_command_shows_the_help(suiteguard: Run, tmp_path: Path) -> None:
    done = suiteguard((), tmp_path)
    assert done.returncode == USAGE
    assert "suiteguard check" in done.stdout


def test_without_git_the_folder_one_stands_in_is_the_project(suiteguard: Run, tmp_path: Path) -> None:
    folder = tmp_path / "loose"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests/test_a.py").write_text("import unittest.mock\n")
    (folder / "suiteguard.toml").write_text('select = ["unittest-mock"]\n')
    for place, path in ((folder, "tests"), (folder / "tests", "."), (tmp_path, folder / "tests")):
        assert "tests/test_a.py:1:" in suiteguard((*CONCISE, path), place).stdout
    (folder / "suiteguard.toml").unlink()
    done = suiteguard((*CONCISE, "--select", "unittest-mock", "tests"), folder)
    assert "tests/test_a.py:1:" in done.stdout


def test_what_was_left_out_is_said(suiteguard: Run, flawed: ProjectWriter) -> None:
    folder = flawed({"node_modules/a/test_a.py": "import os\n"})
    done = suiteguard(CONCISE, folder)
    assert FLAW in done.stdout
    assert "left out: 1 files in folders of caches" in done.stdout


SUITE = '@tool\nextends McpTestSuite\n\n{}func suite_name() -> String:\n\treturn "player"\n\nfunc test_a() -> void:\n\tassert_true(visible)\n'
TWO_SUITES = {"project.godot": "config_version=5\n", "tests/test_a.gd": SUITE.format("")}


def test_a_finding_with_a_place_in_a_named_file_is_shown(suiteguard: Run, project: ProjectWriter) -> None:
    folder = project({**TWO_SUITES, "tests/test_z.gd": SUITE.format("")})
    assert (
        "tests/test_z.gd:4:6: error[duplicate-suite-name]" in suiteguard((*CONCISE, "tests/test_a.gd"), folder).stdout
    )


def test_a_suppression_in_a_file_that_is_not_named_holds_there(suiteguard: Run, project: ProjectWriter) -> None:
    allowed = SUITE.format("# suiteguard: allow[duplicate-suite-name, await-in-test] one is generated from the other\n")
    folder = project({**TWO_SUITES, "tests/test_z.gd": allowed})
    done = suiteguard((*CONCISE, "tests/test_a.gd"), folder)
    assert "duplicate-suite-name" not in done.stdout
    assert "unused-suppression" not in done.stdout
    assert done.returncode == 0
