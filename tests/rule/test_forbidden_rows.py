"""Rows of forbidden APIs, as users write them, on small projects of each language."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from guards.engine.run import Request, check
from guards.findings.model import Finding

ASMDEF = '{"name": "Game.Tests", "includePlatforms": ["Editor"], "defineConstraints": ["UNITY_INCLUDE_TESTS"]}'
PLAYER_ASMDEF = '{"name": "Game.PlayTests", "defineConstraints": ["UNITY_INCLUDE_TESTS"]}'


def findings(folder: Path, row: str, files: Mapping[str, str]) -> list[Finding]:
    for path, text in {**files, "suiteguard.toml": f'presets = []\n[[forbid]]\nname = "banned"\n{row}\n'}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    result = check(Request(str(folder)))
    assert result.skipped == ()
    return [finding for finding in result.findings if finding.rule == "banned"]


def lines(folder: Path, row: str, files: Mapping[str, str]) -> list[tuple[str, int]]:
    return [(finding.place.path, finding.place.line) for finding in findings(folder, row, files)]


def csharp(body: str, *, usings: str = "using System; using NUnit.Framework;") -> dict[str, str]:
    return {"Tests/T.cs": f"{usings}\npublic class T\n{{\n{body}\n}}\n", "Tests/Game.Tests.asmdef": ASMDEF}


@pytest.mark.parametrize(("use", "expected"), [("read", [4, 6]), ("write", [5]), ("any", [4, 5, 6])])
def test_csharp_reads_and_writes_of_a_property_are_told_apart(tmp_path: Path, use: str, expected: list[int]) -> None:
    body = "    int A() => Environment.ExitCode;\n    void B() { Environment.ExitCode = 1; }\n    int C() { return System.Environment.ExitCode + 1; }"
    row = f'language = "csharp"\napi = "System.Environment.ExitCode"\nuse = "{use}"'
    assert lines(tmp_path, row, csharp(body)) == [("Tests/T.cs", line) for line in expected]


def test_csharp_calls_method_groups_and_aliases_are_one_thing(tmp_path: Path) -> None:
    body = "    void A() { E.Exit(1); }\n    Action<int> B() => Environment.Exit;\n    void C() { Exit(2); }"
    usings = "using System; using E = System.Environment; using static System.Environment;"
    row = 'language = "csharp"\napi = "System.Environment.Exit"\nuse = "call"'
    assert lines(tmp_path, row, csharp(body, usings=usings)) == [("Tests/T.cs", line) for line in (4, 5, 6)]


def test_a_glob_forbids_a_family(tmp_path: Path) -> None:
    body = '    void A() { Environment.SetEnvironmentVariable("a", "b"); Environment.GetEnvironmentVariable("a"); }'
    row = 'language = "csharp"\napi = "System.Environment.Set*"'
    assert lines(tmp_path, row, csharp(body)) == [("Tests/T.cs", 4)]
    assert len(findings(tmp_path, row, csharp(body))) == 1


def test_an_api_without_a_namespace_means_a_type_of_that_name_anywhere(tmp_path: Path) -> None:
    files = csharp("    void A() { Server.Stop(); }\n    void B() { Other.Stop(); }")
    files["Runtime/Server.cs"] = "namespace Game.Net { public static class Server { public static void Stop() { } } }"
    files["Runtime/Game.asmdef"] = '{"name": "Game"}'
    files["Tests/T.cs"] = "using Game.Net;\n" + files["Tests/T.cs"]
    assert lines(tmp_path, 'language = "csharp"\napi = "Server.Stop"', files) == [("Tests/T.cs", 5)]


def test_arguments_limit_a_row(tmp_path: Path) -> None:
    body = '    void A() { Environment.SetEnvironmentVariable("PATH", "x"); }\n    void B() { Environment.SetEnvironmentVariable("HOME", "x"); }\n    void C(string a) { Environment.SetEnvironmentVariable(a, "x"); }'
    row = 'language = "csharp"\napi = "System.Environment.SetEnvironmentVariable"\narguments = { 0 = "PA*" }'
    assert lines(tmp_path, row, csharp(body)) == [("Tests/T.cs", 4)]


def test_a_unit_limits_a_row_to_a_mode_or_an_assembly(tmp_path: Path) -> None:
    files = csharp("    void A() { Environment.Exit(1); }")
    files["Play/P.cs"] = "class P { void A() { System.Environment.Exit(1); } }\n"
    files["Play/Game.PlayTests.asmdef"] = PLAYER_ASMDEF
    row = 'language = "csharp"\napi = "System.Environment.Exit"\n'
    assert lines(tmp_path, row + 'unit = "EditMode"', files) == [("Tests/T.cs", 4)]
    assert lines(tmp_path, row + 'unit = "PlayMode"', files) == [("Play/P.cs", 1)]
    assert lines(tmp_path, row + 'unit = "Game.Play*"', files) == [("Play/P.cs", 1)]


def test_product_code_counts_only_where_the_row_says_so(tmp_path: Path) -> None:
    files = {
        "Runtime/P.cs": "class P { void A() { System.Environment.Exit(1); } }\n",
        "Runtime/Game.asmdef": '{"name": "Game"}',
    }
    row = 'language = "csharp"\napi = "System.Environment.Exit"\n'
    assert lines(tmp_path, row, files) == []
    assert lines(tmp_path, row + 'where = "any"', files) == [("Runtime/P.cs", 1)]
    assert lines(tmp_path, row + 'where = "any"\nallow-paths = ["Runtime/P.cs"]', files) == []


LIFECYCLE = """\
    [SetUp] public void Up() { Environment.Exit(1); Help(); }
    void Help() { Environment.Exit(2); }
    [Test] public void A() { Environment.Exit(3); Other(); }
    void Other() { Action late = () => Environment.Exit(4); }
    void Unused() { Environment.Exit(5); }"""


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("test", [4, 5, 6, 7, 8]),
        ("lifecycle", [4]),
        ("reached-from-lifecycle", [4, 5]),
        ("reached-from-test", [6, 7]),
    ],
)
def test_csharp_where_a_row_holds(tmp_path: Path, where: str, expected: list[int]) -> None:
    row = f'language = "csharp"\napi = "System.Environment.Exit"\nwhere = "{where}"'
    assert lines(tmp_path, row, csharp(LIFECYCLE)) == [("Tests/T.cs", line) for line in expected]


def test_the_way_from_a_test_to_the_use_is_shown(tmp_path: Path) -> None:
    row = 'language = "csharp"\napi = "System.Environment.Exit"\nwhere = "reached-from-test"'
    ways = [finding.related for finding in findings(tmp_path, row, csharp(LIFECYCLE))]
    assert ways[0] == ()
    assert [related.place.line for related in ways[1]] == [6]


def test_a_helper_in_a_base_of_another_file_is_reached(tmp_path: Path) -> None:
    files = csharp("    [Test] public void A() { Stop(); }")
    files["Tests/T.cs"] = files["Tests/T.cs"].replace("class T", "class T : Base")
    files["Tests/Base.cs"] = (
        "public abstract class Base { protected void Stop() { System.Environment.Exit(1); }\n"
        " protected void Idle() { System.Environment.Exit(2); } }\n"
    )
    row = 'language = "csharp"\napi = "System.Environment.Exit"\nwhere = "reached-from-test"'
    assert lines(tmp_path, row, files) == [("Tests/Base.cs", 1)]


PYTHON = """\
import os
from os import environ as env
import pytest


@pytest.fixture
def home():
    os.chdir("/")
    helper()


def helper():
    os.chdir("a")


def unused():
    os.chdir("b")


def test_a(home):
    os.chdir("c")
    env["A"] = "b"
    return os.sep
"""


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("test", [8, 13, 17, 21]),
        ("any", [8, 13, 17, 21]),
        ("lifecycle", [8]),
        ("reached-from-lifecycle", [8, 13]),
        ("reached-from-test", [21]),
    ],
)
def test_python_where_a_row_holds(tmp_path: Path, where: str, expected: list[int]) -> None:
    row = f'language = "python"\napi = "os.chdir"\nuse = "call"\nwhere = "{where}"'
    assert lines(tmp_path, row, {"tests/test_a.py": PYTHON}) == [("tests/test_a.py", line) for line in expected]


def test_python_product_code_counts_only_where_the_row_says_so(tmp_path: Path) -> None:
    files = {"src/app/core.py": "import os\n\n\ndef run():\n    os.chdir('a')\n"}
    row = 'language = "python"\napi = "os.chdir"\n'
    assert lines(tmp_path, row, files) == []
    assert lines(tmp_path, row + 'where = "any"', files) == [("src/app/core.py", 5)]


def test_python_reads_and_arguments(tmp_path: Path) -> None:
    files = {"tests/test_a.py": PYTHON}
    assert lines(tmp_path, 'language = "python"\napi = "os.sep"\nuse = "read"', files) == [("tests/test_a.py", 23)]
    assert lines(tmp_path, 'language = "python"\napi = "os.sep"\nuse = "write"', files) == []
    row = 'language = "python"\napi = "os.chdir"\narguments = { 0 = "[ab]" }'
    assert lines(tmp_path, row, files) == [("tests/test_a.py", 13), ("tests/test_a.py", 17)]


def test_a_name_of_the_module_itself_is_no_use_of_an_import(tmp_path: Path) -> None:
    files = {
        "tests/test_a.py": "def chdir(a):\n    return a\n\n\nclass os:\n    chdir = chdir\n\n\ndef test_a():\n    os.chdir('a')\n    chdir('b')\n"
    }
    assert lines(tmp_path, 'language = "python"\napi = "os.chdir"', files) == []


GDSCRIPT = """\
@tool
extends McpTestSuite

func setup() -> void:
	OS.delay_msec(1)
	_wait()

func _wait() -> void:
	OS.delay_msec(2)

func _unused() -> void:
	OS.delay_msec(3)

func test_a() -> void:
	OS.delay_msec(4)
	OS.call("delay_msec", 5)
	OS.low_processor_usage_mode = true
	assert_true(OS.low_processor_usage_mode)
"""
GODOT = {"project.godot": "config_version=5\n"}


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("test", [5, 9, 12, 15, 16]),
        ("any", [5, 9, 12, 15, 16]),
        ("lifecycle", [5]),
        ("reached-from-lifecycle", [5, 9]),
        ("reached-from-test", [15, 16]),
    ],
)
def test_gdscript_where_a_row_holds(tmp_path: Path, where: str, expected: list[int]) -> None:
    row = f'language = "gdscript"\napi = "OS.delay_msec"\nuse = "call"\nwhere = "{where}"'
    files = {**GODOT, "tests/test_a.gd": GDSCRIPT}
    assert lines(tmp_path, row, files) == [("tests/test_a.gd", line) for line in expected]


def test_gdscript_reads_writes_and_files_that_are_no_suites(tmp_path: Path) -> None:
    files = {
        **GODOT,
        "tests/test_a.gd": GDSCRIPT,
        "game/main.gd": "extends Node\n\nfunc _ready():\n\tOS.delay_msec(1)\n",
    }
    row = 'language = "gdscript"\napi = "OS.low_processor_usage_mode"\n'
    assert lines(tmp_path, row + 'use = "write"', files) == [("tests/test_a.gd", 17)]
    assert lines(tmp_path, row + 'use = "read"', files) == [("tests/test_a.gd", 18)]
    row = 'language = "gdscript"\napi = "OS.delay_*"\n'
    assert ("game/main.gd", 4) not in lines(tmp_path, row, files)
    assert ("game/main.gd", 4) in lines(tmp_path, row + 'where = "any"', files)


def test_gdscript_bases_of_a_receiver_count(tmp_path: Path) -> None:
    source = "extends GutTest\n\nfunc test_a():\n\tvar d := AcceptDialog.new()\n\td.popup()\n\tget_tree().quit()\n\tvar m = make()\n\tm.popup()\n"
    files = {**GODOT, "test/test_a.gd": source}
    assert lines(tmp_path, 'language = "gdscript"\napi = "Window.popup"', files) == [("test/test_a.gd", 5)]
    assert lines(tmp_path, 'language = "gdscript"\napi = "SceneTree.quit"', files) == [("test/test_a.gd", 6)]


def test_why_and_instead_are_the_rows_own(tmp_path: Path) -> None:
    row = 'language = "python"\napi = "os.chdir"\nwhy = "it is global"\ninstead = "use monkeypatch.chdir"\nseverity = "note"'
    found = findings(tmp_path, row, {"tests/test_a.py": PYTHON})
    assert {(finding.why, finding.instead, finding.severity) for finding in found} == {
        ("it is global", "use monkeypatch.chdir", "note")
    }


CONSTANTS = {
    "Runtime/Keys.cs": 'namespace Game { public static class Keys { public const string Port = "PORT"; '
    'public const string Other = "OTHER"; public static string Any = "PORT"; } }',
    "Runtime/Game.asmdef": '{"name": "Game"}',
}


def lines_of_argument(folder: Path, argument: str) -> list[tuple[str, int]]:
    usings = "using System; using Game; using K = Game.Keys;"
    body = f"    void A(string key) {{ Environment.GetEnvironmentVariable({argument}); }}"
    row = 'language = "csharp"\napi = "System.Environment.GetEnvironmentVariable"\narguments = { 0 = "PORT" }'
    return lines(folder, row, CONSTANTS | csharp(body, usings=usings))


@pytest.mark.parametrize("argument", ['"PORT"', "Keys.Port", "Game.Keys.Port", '$"{Keys.Port}"', "K.Port"])
def test_csharp_arguments_fold_over_the_project(tmp_path: Path, argument: str) -> None:
    assert lines_of_argument(tmp_path, argument) == [("Tests/T.cs", 4)]


@pytest.mark.parametrize(
    "argument", ['"port"', "Keys.Other", "Keys.Any", "Keys.Unheard", "Keys.Port + 1", "key", "nameof(Keys.Port)"]
)
def test_csharp_arguments_that_are_another_value_or_none(tmp_path: Path, argument: str) -> None:
    assert lines_of_argument(tmp_path, argument) == []
