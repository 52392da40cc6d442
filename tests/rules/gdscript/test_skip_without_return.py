"""skip-without-return: what runs behind a skip, and the `return` that is added."""

from pathlib import Path

import pytest
from engine.fixed_text import fixed_text

from guards.config.model import CommandLine
from guards.engine.run import Request, check

RULE = "skip-without-return"
HEAD = "@tool\nextends McpTestSuite\n\nvar _node: Node\n\n"
PROJECT = {"project.godot": "config_version=5\n", "suiteguard.toml": 'presets = ["godot-mcp"]\n'}


def flawed_lines(folder: Path, text: str, files: dict[str, str] | None = None) -> list[int]:
    for path, content in {**PROJECT, **(files or {}), "tests/test_a.gd": text}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8", newline="")
    return [f.place.line for f in check(Request(str(folder), (), CommandLine(select=(RULE,)))).findings]


def in_a_test(*lines: str) -> str:
    return f"{HEAD}func test_a() -> void:\n" + "".join(f"\t{line}\n" for line in lines)


FIRST = HEAD.count("\n") + 2  # the first line of the body


@pytest.mark.parametrize(
    ("line", "body"),
    [
        (0, ["skip('a')", "assert_true(1)"]),
        (0, ["super.skip('a')", "print(1)"]),
        (1, ["self \\", "\t.skip('a')", "print(1)"]),
        (1, ["if x:", "\tskip('a')", "assert_true(1)"]),
        (3, ["if x:", "\tassert_true(1)", "elif y:", "\tskip('a')", "print(1)"]),
        (3, ["if x:", "\tassert_true(1)", "else:", "\tskip('a')", "print(1)"]),
        (2, ["match x:", "\t1:", "\t\tskip('a')", "\t_: pass", "print(1)"]),
        (2, ["for x in y:", "\tif x:", "\t\tskip('a')"]),
        (2, ["while x:", "\tif y:", "\t\tskip('a')", "\telse:", "\t\tassert_true(1)"]),
        (2, ["for x in y:", "\tif x:", "\t\tskip('a')", "\t\tcontinue", "\tassert_true(x)"]),
        (2, ["for x in y:", "\tif x:", "\t\tskip('a')", "\t\tbreak", "assert_true(1)"]),
        (0, ["skip('a')", "return assert_true(1)"]),
        (0, ["skip('a')", "_node = Node.new()"]),
        (0, ["skip('a'); print(1)"]),
        (0, ["skip('a')", "if _node:", "\t_node.free()", "\tassert_true(1)"]),
        (1, ["if x:", "\tskip('a') if y else null", "print(1)"]),
    ],
)
def test_what_runs_behind_a_skip(tmp_path: Path, line: int, body: list[str]) -> None:
    assert flawed_lines(tmp_path, in_a_test(*body)) == [FIRST + line]


@pytest.mark.parametrize(
    "body",
    [
        ["skip('a')"],
        ["skip('a')", "return"],
        ["skip('a')", "pass", "breakpoint", "return", "print(1)"],
        ["skip('a') # print(1)", "# assert_true(1)"],
        ["if x: skip('a'); return", "assert_true(1)"],
        ["if x:", "\tskip('a')", "else:", "\tassert_true(1)"],
        ["match x:", "\t1: skip('a')", "\t_: assert_true(1)"],
        ["skip('a')", "_node.queue_free()", "_node = null", "await _cleanup_all()", "return"],
        ["skip('a')", "if _node:", "\t_node.free()", "elif x:", "\tpass"],
        ["for x in y:", "\tif x:", "\t\tskip('a')", "\t\treturn", "\tassert_true(x)"],
        ["for x in y:", "\tskip('a')", "\tbreak"],
        ["while true:", "\tmatch x:", "\t\t1:", "\t\t\tskip('a')", "\t\t\tbreak"],
        ["skip('a')", "skip('b')"],
        ["skip('a')", "return false"],
        ["skip_suite('a')", "print(1)"],
        ["handler.skip('a')", "print(1)"],
        ["var late := func():", "\tskip('a')", "late.call()", "assert_true(1)"],
        ["var s := \"skip('a')\"", "print(s)"],
    ],
)
def test_nothing_runs_behind_it(tmp_path: Path, body: list[str]) -> None:
    assert flawed_lines(tmp_path, in_a_test(*body)) == []


def test_helpers_hooks_and_lambdas_are_functions_too(tmp_path: Path) -> None:
    text = (
        HEAD
        + "func setup() -> void:\n\tif x:\n\t\tskip('a')\n\t_node = Node.new()\n"
        + "func _need() -> bool:\n\tif x:\n\t\tskip('a')\n\treturn _open()\n"
        + "func _other() -> void:\n\tvar f := func():\n\t\tskip('a')\n\t\tprint(1)\n\tf.call()\n"
    )
    assert flawed_lines(tmp_path, text) == [FIRST + 1, FIRST + 9]


def test_a_base_of_a_suite_is_looked_at(tmp_path: Path) -> None:
    base = {"tests/support/base.gd": "extends McpTestSuite\nfunc check(x):\n\tskip('a')\n\tprint(x)\n"}
    assert flawed_lines(tmp_path, '@tool\nextends "support/base.gd"\n', base) == [3]


@pytest.mark.parametrize(
    "text",
    [
        "extends Node\nfunc test_a():\n\tskip('a')\n\tprint(1)\n",
        "extends Unknown\nfunc test_a():\n\tskip('a')\n\tprint(1)\n",
        "extends GutTest\nfunc test_a():\n\tskip('a')\n\tprint(1)\n",
        "extends GdUnitTestSuite\nfunc test_a():\n\tskip('a')\n\tprint(1)\n",
        "extends McpTestSuite\nfunc test_a():\n\tpending('a')\n\tprint(1)\n",
        "extends McpTestSuite\nfunc test_a():\n\tskip('a')\n\tprint(1)\nfunc skip(_r):\n\tpass\n",
        "extends McpTestSuite\nclass Player:\n\tfunc go():\n\t\tskip('a')\n\t\tprint(1)\n",
    ],
)
def test_another_class_may_have_a_skip_that_is_none(tmp_path: Path, text: str) -> None:
    assert flawed_lines(tmp_path, text) == []


def fixed(folder: Path, text: str) -> str:
    return fixed_text(folder, RULE, {"tests/test_a.gd": text, **PROJECT})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\tif x:\n\t\tskip('a')\n\tprint(1)\n", "\tif x:\n\t\tskip('a')\n\t\treturn\n\tprint(1)\n"),
        ("\tif x:\n\t\tskip('a') # b\n\tprint(1)\n", "\tif x:\n\t\tskip('a') # b\n\t\treturn\n\tprint(1)\n"),
        ("\tif x: skip('a') # b\n\tprint(1)\n", "\tif x: skip('a'); return # b\n\tprint(1)\n"),
        ("\tif x:\n\t\tprint(2); skip('a')\n\tprint(1)\n", "\tif x:\n\t\tprint(2); skip('a'); return\n\tprint(1)\n"),
        (
            "    if x:\n        skip('a')\n    print(1)\n",
            "    if x:\n        skip('a')\n        return\n    print(1)\n",
        ),
        (
            "\tif x:\n\t\tskip(\n\t\t\t'a',\n\t\t)\n\tprint(1)\n",
            "\tif x:\n\t\tskip(\n\t\t\t'a',\n\t\t)\n\t\treturn\n\tprint(1)\n",
        ),
        ("\tfor x in y:\n\t\tskip('ä')", "\tfor x in y:\n\t\tskip('ä')\n\t\treturn"),
        ("\tif x:\n\t\tskip('a');\n\tprint(1)\n", "\tif x:\n\t\tskip('a');\n\t\treturn\n\tprint(1)\n"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_return_is_added(tmp_path: Path, before: str, after: str, line_end: str) -> None:
    head = f"{HEAD}func test_a():\n"
    assert fixed(tmp_path, (head + before).replace("\n", line_end)) == (head + after).replace("\n", line_end)


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}func test_a():\n\tskip('a')\n\tprint(1)\n",
        f"{HEAD}func _need():\n\tif x:\n\t\tskip('a')\n\treturn f(1)\nfunc _go():\n\tif x:\n\t\tskip('a')\n\tprint(1)\n",
        f"{HEAD}func test_a() -> int:\n\tif x:\n\t\tskip('a')\n\tprint(1)\n\treturn 1\n",
        f"{HEAD}func test_a():\n\t(func():\n\t\tif x:\n\t\t\tskip('a')\n\t\tprint(1)).call()\n",
        f"{HEAD}func test_a():\n\tif x:\n\t\tskip('a') if y else null\n\tprint(1)\n",
    ],
)
def test_there_is_no_fix_where_more_would_change(tmp_path: Path, text: str) -> None:
    assert fixed(tmp_path, text) == text
