"""test-without-assertion on suites: which tests are judged, in which suites, and where that is said."""

from pathlib import Path

import pytest

from guards.config.model import CommandLine
from guards.engine.run import Request, check

RULE = "test-without-assertion"
PROJECT = {"project.godot": "config_version=5\n", "suiteguard.toml": 'presets = ["recommended"]\n'}
BASE = "@tool\nextends McpTestSuite\nfunc test_it():\n\t_check(1)\nfunc _check(_v):\n\tpass\n"
ASSERTS = "func _check(v):\n\tassert_gt(v, 0)\n"


def findings(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    for path, content in {**PROJECT, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8", newline="")
    found = check(Request(str(folder), (), CommandLine(select=(RULE,)))).findings
    return [(f.place.path, f.place.line, f.message) for f in found]


MESSAGE = "`test_it` reaches no assertion and no skip"


def test_a_test_of_a_base_is_reported_once(tmp_path: Path) -> None:
    files = {
        "support/base.gd": BASE,
        "tests/test_a.gd": '@tool\nextends "res://support/base.gd"\n',
        "tests/test_b.gd": '@tool\nextends "res://support/base.gd"\n',
    }
    assert findings(tmp_path, files) == [("support/base.gd", 3, MESSAGE)]


def test_one_suite_in_which_it_asserts_nothing_is_enough(tmp_path: Path) -> None:
    files = {
        "support/base.gd": BASE.replace("func _check(_v):\n\tpass\n", ASSERTS),
        "tests/test_a.gd": '@tool\nextends "res://support/base.gd"\n',
        "tests/test_b.gd": '@tool\nextends "res://support/base.gd"\nfunc _check(_v):\n\tpass\n',
    }
    assert findings(tmp_path, files) == [("support/base.gd", 3, f"{MESSAGE} in the suite `tests/test_b.gd`")]


def test_a_base_that_every_suite_completes_is_fine(tmp_path: Path) -> None:
    files = {"support/base.gd": BASE, "tests/test_a.gd": f'@tool\nextends "res://support/base.gd"\n{ASSERTS}'}
    assert findings(tmp_path, files) == []


def test_a_base_that_is_run_itself_is_judged(tmp_path: Path) -> None:
    files = {"tests/test_base.gd": BASE, "tests/test_a.gd": f'@tool\nextends "test_base.gd"\n{ASSERTS}'}
    assert findings(tmp_path, files) == [("tests/test_base.gd", 3, MESSAGE)]


@pytest.mark.parametrize("head", ["@abstract\n", ""])
def test_an_abstract_base_is_not_run(tmp_path: Path, head: str) -> None:
    files = {"tests/test_base.gd": head + BASE, "tests/test_a.gd": f'@tool\nextends "test_base.gd"\n{ASSERTS}'}
    assert bool(findings(tmp_path, files)) == (not head)


def test_a_test_that_its_suite_overrides_is_not_run(tmp_path: Path) -> None:
    override = '@tool\nextends "res://support/base.gd"\nfunc test_it():\n\tassert_true(1)\n'
    assert findings(tmp_path, {"support/base.gd": BASE, "tests/test_a.gd": override}) == []


def test_an_assertion_that_another_file_takes_the_name_of(tmp_path: Path) -> None:
    files = {
        "support/base.gd": "@tool\nextends McpTestSuite\nfunc assert_eq(_a, _b, _m := ''):\n\tpass\n",
        "tests/test_a.gd": '@tool\nextends "res://support/base.gd"\nfunc test_it():\n\tassert_eq(1, 2)\n',
    }
    assert findings(tmp_path, files) == [("tests/test_a.gd", 3, MESSAGE)]


def test_inner_suites_of_gut_are_suites(tmp_path: Path) -> None:
    text = (
        "extends GutTest\n"
        "class TestInner:\n\textends GutTest\n\tfunc test_it():\n\t\tpass\n\tfunc test_other():\n\t\tassert_true(1)\n"
        "class Helper:\n\textends GutTest\n\tfunc test_it():\n\t\tpass\n"
        "class TestPlain:\n\tfunc test_it():\n\t\tpass\n"
    )
    assert findings(tmp_path, {"test/test_a.gd": text}) == [("test/test_a.gd", 4, MESSAGE)]


@pytest.mark.parametrize(
    "member",
    [
        "var test_it := 1",
        "signal test_it",
        "var test_it: int:\n\tset(v):\n\t\tprint(v)",
        "@abstract func test_it()",
        "func testing_it():\n\tpass",
        "func _test_it():\n\tpass",
        "func Test_it():\n\tpass",
        "func test_it():\n\tvar x = = 1\n\tprint(x)",
    ],
)
def test_what_is_no_test_is_not_judged(tmp_path: Path, member: str) -> None:
    assert findings(tmp_path, {"tests/test_a.gd": f"@tool\nextends McpTestSuite\n{member}\n"}) == []


@pytest.mark.parametrize("name", ["test_", "test_it", "test_Ünder"])
def test_what_begins_like_a_test_is_one(tmp_path: Path, name: str) -> None:
    text = f"@tool\r\nextends McpTestSuite\r\n\r\nfunc {name}(_v := 1): print(1)\r\n"
    assert [line for _, line, _ in findings(tmp_path, {"tests/test_a.gd": text})] == [4]


def test_the_severity_is_the_language_s_own(tmp_path: Path) -> None:
    findings(tmp_path, {"tests/test_a.gd": "@tool\nextends McpTestSuite\nfunc test_it():\n\tpass\n"})
    (finding,) = check(Request(str(tmp_path), (), CommandLine(select=(RULE,)))).findings
    assert (finding.code, finding.severity) == ("SGG004", "error")
