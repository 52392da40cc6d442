"""The rules about suites of McpTestSuite, on small projects as they come."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from guards.config.model import CommandLine
from guards.engine.run import Request, check
from guards.findings.model import Finding

AWAIT, OUTSIDE, DUPLICATE = "await-in-test", "test-file-outside-discovery", "duplicate-suite-name"
TEST = "func test_a() -> void:\n\tassert_true(x)\n"
SUITE = f"@tool\nextends McpTestSuite\n\n{TEST}"
PROJECT = {"project.godot": "config_version=5\n"}


def findings(folder: Path, rule: str, files: Mapping[str, str], *, options: str = "", only: str = "") -> list[Finding]:
    configuration = f'presets = ["godot-mcp"]\n[rules."{rule}"]\n{options}\n'
    for path, text in {**PROJECT, **files, "suiteguard.toml": configuration}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    paths = (str(folder / only),) if only else ()
    result = check(Request(str(folder), paths, CommandLine(select=(rule,))))
    assert result.skipped == ()
    return list(result.findings)


def lines(folder: Path, rule: str, files: Mapping[str, str], options: str = "") -> list[tuple[str, int]]:
    return [(f.place.path, f.place.line) for f in findings(folder, rule, files, options=options)]


def suite(body: str) -> str:
    return f"@tool\nextends McpTestSuite\n{body}"


@pytest.mark.parametrize(
    "body",
    [
        "func test_a(): await s\n",
        "func test_(): await s\n",
        "static func test_a(): await s\n",
        "func setup() -> void: await s\n",
        "func suite_setup(ctx: Dictionary) -> void: await s\n",
        "func teardown() -> void: await s\n",
        "func suite_teardown() -> void: await s\n",
        "func suite_name() -> String: return await s\n",
        "func test_a(x = await s): pass\n",
        "@warning_ignore('x') func test_a(): await s\n",
    ],
)
def test_tests_and_hooks_must_not_await(tmp_path: Path, body: str) -> None:
    assert lines(tmp_path, AWAIT, {"tests/test_a.gd": suite(body)}) == [("tests/test_a.gd", 3)]


@pytest.mark.parametrize(
    "body",
    [
        "func helper(): await s\n",
        "func Test_a(): await s\n",
        "func _test_a(): await s\n",
        "func testa(): await s\n",
        "func before_each(): await s\n",
        "func _init(): await s\n",
        "var test_a := 1:\n\tset(v):\n\t\tawait s\n",
        "var test_a = func(): await s\n",
        "class Test_a:\n\tfunc test_a(): await s\n",
        "class Stub extends McpTestSuite:\n\tfunc test_a(): await s\n",
        "class A:\n# comment\n\tfunc test_a(): await s\n",
        "func test_a():\n\tvar f := func(): await s\n\tassert_true(f.is_valid())\n",
        "func test_a():\n\tfunc test_b(): await s\n",
    ],
)
def test_what_the_runner_does_not_call_may_await(tmp_path: Path, body: str) -> None:
    assert lines(tmp_path, AWAIT, {"tests/test_a.gd": suite(body)}) == []


def test_every_await_is_reported_once_however_many_suites_inherit_it(tmp_path: Path) -> None:
    files = {
        "tests/base.gd": "@tool\nclass_name Base\nextends McpTestSuite\nfunc test_a():\n\tawait s\n\tawait t\n",
        "tests/test_a.gd": "@tool\nextends Base\n",
        "tests/test_b.gd": "@tool\nextends Base\nfunc test_b(): await s\n",
    }
    assert lines(tmp_path, AWAIT, files) == [("tests/base.gd", 5), ("tests/base.gd", 6), ("tests/test_b.gd", 3)]


def test_an_inner_class_that_a_suite_derives_from_holds_tests(tmp_path: Path) -> None:
    files = {
        "tests/base.gd": "class Inner extends McpTestSuite:\n\tfunc test_a(): await s\n",
        "tests/test_a.gd": '@tool\nextends "base.gd".Inner\n',
    }
    assert lines(tmp_path, AWAIT, files) == [("tests/base.gd", 2)]


@pytest.mark.parametrize("base", ["GutTest", "GdUnitTestSuite", "Node", "Missing", '"res://missing.gd"', '"uid://x1"'])
def test_suites_that_wait_and_unknown_bases_are_left_alone(tmp_path: Path, base: str) -> None:
    assert lines(tmp_path, AWAIT, {"tests/test_a.gd": f"extends {base}\nfunc test_a(): await s\n"}) == []


def test_a_test_in_what_did_not_parse_is_undecided_and_the_others_are_not(tmp_path: Path) -> None:
    body = "func test_a():\n\tawait s\n\tf(func(): if c: g())\nfunc test_b(:\n\tawait s\nfunc test_c():\n\tawait s\n"
    assert lines(tmp_path, AWAIT, {"tests/test_a.gd": suite(body)}) == [("tests/test_a.gd", 9)]


def test_a_head_on_one_line_hides_no_await(tmp_path: Path) -> None:
    text = "@tool extends McpTestSuite\nfunc test_a():\n\tawait s\n"
    assert lines(tmp_path, AWAIT, {"tests/test_a.gd": text}) == [("tests/test_a.gd", 3)]


@pytest.mark.parametrize(
    "path",
    [
        "tests/unit/test_deep.gd",
        "tests/player_test.gd",
        "tests/Test_player.gd",
        "tests/TEST_player.gd",
        "tests/testplayer.gd",
        "tests/_test_player.gd",
        "tests/test-player.gd",
        "test/test_player.gd",
        "Tests/test_player.gd",
        "test_player.gd",
        "addons/x/tests/test_player.gd",
        "tests/test_player.GD",
    ],
)
def test_a_suite_stands_where_the_runner_looks(tmp_path: Path, path: str) -> None:
    assert lines(tmp_path, OUTSIDE, {path: SUITE}) == [(path, 2)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tests/test_player.gd", SUITE),
        ("tests/test_.gd", SUITE),
        ("tests/test_Player.gd", SUITE),
        ("tests/support/base.gd", "@tool\nextends McpTestSuite\nfunc helper(): pass\n"),
        ("tests/support/base.gd", "@tool\nextends McpTestSuite\nclass A:\n\tfunc test_a(): pass\n"),
        ("tests/support/base.gd", "@tool\nextends McpTestSuite\nvar test_a := 1\nsignal test_b\n"),
        ("test/unit/test_a.gd", f"extends GutTest\n{TEST}"),
        ("test/ATest.gd", f"extends GdUnitTestSuite\n{TEST}"),
        ("car/test_drive.gd", f"extends Node\n{TEST}"),
        ("lib/test_x.gd", f"extends Missing\n{TEST}"),
        ("lib/test_x.gd", TEST),
    ],
)
def test_what_is_found_or_holds_no_tests_is_left_alone(tmp_path: Path, path: str, text: str) -> None:
    assert lines(tmp_path, OUTSIDE, {path: text}) == []


def test_tests_that_a_found_suite_inherits_are_run_there(tmp_path: Path) -> None:
    base = f"@tool\nclass_name Contract\nextends McpTestSuite\n{TEST}"
    derived = "@tool\nextends Contract\n"
    assert lines(tmp_path, OUTSIDE, {"lib/contract.gd": base, "tests/test_a.gd": derived}) == []
    assert lines(tmp_path, OUTSIDE, {"tests/test_a.gd": "@tool\nextends Node\n", "tests/deep/test_a.gd": derived}) == [
        ("lib/contract.gd", 3)
    ]


def test_the_head_of_a_suite_is_where_it_is_reported(tmp_path: Path) -> None:
    files = {
        "lib/a.gd": f"@tool\n\nclass_name A extends McpTestSuite\n{TEST}",
        "lib/b.gd": f"@tool extends A\n{TEST}",
        "lib/c.gd": f'@tool\nextends "a.gd"\n{TEST}',
    }
    assert lines(tmp_path, OUTSIDE, files) == [("lib/a.gd", 3), ("lib/b.gd", 1), ("lib/c.gd", 2)]


def test_each_godot_project_has_its_own_test_folder(tmp_path: Path) -> None:
    files = {
        "game/project.godot": "",
        "game/tests/test_a.gd": SUITE,
        "game/test_b.gd": SUITE,
        "plugin/tests/test_c.gd": SUITE,
    }
    assert lines(tmp_path, OUTSIDE, files) == [("game/test_b.gd", 2), ("plugin/tests/test_c.gd", 2)]


def test_without_a_godot_project_nobody_knows_where_the_runner_looks(tmp_path: Path) -> None:
    (tmp_path / "test_a.gd").write_text(SUITE, encoding="utf-8")
    (tmp_path / "suiteguard.toml").write_text('presets = ["godot-mcp"]\n', encoding="utf-8")
    assert check(Request(str(tmp_path), (), CommandLine(select=(OUTSIDE,)))).findings == ()


def test_the_folder_and_the_names_can_be_others(tmp_path: Path) -> None:
    files = {"spec/player_spec.gd": SUITE, "tests/test_a.gd": SUITE}
    options = 'directory = "res://spec/"\nprefix = ""\nsuffix = "_spec.gd"'
    assert lines(tmp_path, OUTSIDE, files, options) == [("tests/test_a.gd", 2)]
    assert lines(tmp_path, OUTSIDE, {"player_spec.gd": SUITE}, options.replace("spec/", "")) == [
        ("spec/player_spec.gd", 2),
        ("tests/test_a.gd", 2),
    ]


def named(name: str) -> str:
    return f"@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn {name}\n"


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        (named('"player"'), named("'player'"), 4),
        (named('"player"'), named('"pl\\u0061yer"'), 4),
        (named('"player"'), named('&"player"'), 4),
        (named('"player"'), named('"""player"""'), 4),
        (named('"player"'), named('r"player"'), 4),
        (named('"player"'), named('("player")'), 4),
        (SUITE, SUITE, 2),
        (SUITE, named('"unnamed"'), 4),
        (named('"unnamed"'), SUITE, 2),
    ],
)
def test_a_name_is_the_text_that_it_stands_for(tmp_path: Path, first: str, second: str, line: int) -> None:
    (found,) = findings(tmp_path, DUPLICATE, {"tests/test_a.gd": first, "tests/test_b.gd": second})
    assert (found.place.path, found.place.line) == ("tests/test_b.gd", line)
    assert [step.place.path for step in found.related] == ["tests/test_a.gd"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (named('"player"'), named('"Player"')),
        (named('"player"'), named('"player "')),
        (named('"player"'), named('"pla" + "yer"')),
        (named('"player"'), named("NAME")),
        (named('"player"'), named('"player" if x else "other"')),
        (named('"player"'), f"extends GutTest\nfunc suite_name(): return 'player'\n{TEST}"),
        (named('"player"'), "extends Node\nfunc suite_name(): return 'player'\n"),
        (named('"player"'), "@tool\nextends McpTestSuite\nclass A:\n\tfunc suite_name(): return 'player'\n"),
        (SUITE, named('"player"')),
        (SUITE, f"extends Missing\n{TEST}"),
        (SUITE, SUITE + "func suite_nam(:\n"),
        (named('"player"'), named('"player"').replace("String", "String(")),
    ],
)
def test_names_that_differ_or_are_not_known_are_left_alone(tmp_path: Path, first: str, second: str) -> None:
    assert lines(tmp_path, DUPLICATE, {"tests/test_a.gd": first, "tests/test_b.gd": second}) == []


def test_every_later_file_is_reported_with_the_first(tmp_path: Path) -> None:
    files = {f"tests/test_{letter}.gd": named('"player"') for letter in "dbca"}
    found = findings(tmp_path, DUPLICATE, files)
    assert [f.place.path for f in found] == ["tests/test_b.gd", "tests/test_c.gd", "tests/test_d.gd"]
    assert {step.place.path for f in found for step in f.related} == {"tests/test_a.gd"}


def test_an_inherited_name_is_reported_at_the_head(tmp_path: Path) -> None:
    files = {
        "tests/base.gd": "class_name Base\n" + named('"shared"').removeprefix("@tool\n"),
        "tests/test_a.gd": "@tool\n\nextends Base\n",
        "tests/test_b.gd": "@tool\n\nextends Base\n",
        "tests/test_c.gd": "@tool\nextends Base\nfunc suite_name(): return 'own'\n",
        "tests/test_d.gd": "@tool\nextends Base\nfunc suite_name(): return 'shared'\n",
    }
    assert lines(tmp_path, DUPLICATE, files) == [("tests/test_b.gd", 3), ("tests/test_d.gd", 3)]


def test_only_files_that_are_found_count_and_each_project_for_itself(tmp_path: Path) -> None:
    files = {
        "tests/test_a.gd": named('"player"'),
        "tests/deep/test_b.gd": named('"player"'),
        "tests/player_test.gd": named('"player"'),
        "other/project.godot": "",
        "other/tests/test_a.gd": named('"player"'),
    }
    assert lines(tmp_path, DUPLICATE, files) == []


def test_a_run_on_either_file_reports_the_pair(tmp_path: Path) -> None:
    files = {"tests/test_a.gd": named('"player"'), "tests/test_b.gd": named('"player"')}
    for only in files:
        found = findings(tmp_path, DUPLICATE, files, only=only)
        assert [f.place.path for f in found] == ["tests/test_b.gd"]
