"""How a test or a hook gets to a function of its suite."""

import pytest
from languages.gdscript.sample import Sample, lines


@pytest.mark.parametrize(
    "call",
    [
        "_wait()",
        "self._wait()",
        "call('_wait')",
        "self.call(&'_wait')",
        "callv('_wait', [])",
        "call_deferred('_wait')",
        "_wait.call()",
        "_wait.bind(1).call()",
        "s.connect(_wait)",
        "Callable(self, '_wait').call()",
        "f(func(): _wait())",
        "var x = 1 + _wait()",
        "if _wait(): pass",
        "Suite._wait()",
        "_wait \\\n\t\t()",
        "self.\\\n\t\t_wait()",
        "(self # a\n\t\t# b\n\t\t._wait())",
    ],
)
def test_a_test_reaches_what_it_calls(call: str) -> None:
    text = f"class_name Suite\nextends GutTest\nfunc test_a():\n\t{call}\nfunc _wait():\n\tpass\n"
    assert Sample({"a.gd": text}).way("_wait") == ["the test `test_a` calls `_wait`"]


@pytest.mark.parametrize("call", ["_wait()", "call('_wait')", "_wait.call()", "_wait.bind(1)", "super._wait()"])
def test_a_test_reaches_what_its_base_declares(call: str) -> None:
    base = "class_name Base\nextends GutTest\nfunc _wait():\n\tpass\n"
    sample = Sample({"a.gd": f"extends Base\nfunc test_a():\n\t{call}\n", "base.gd": base})
    assert sample.way("_wait", path="base.gd") == ["the test `test_a` calls `_wait`"]


@pytest.mark.parametrize(
    "call", ["x._wait()", "Other._wait()", "call(name)", "print('_wait()') # _wait()", "x.call('_wait')"]
)
def test_another_object_s_function_is_not_followed(call: str) -> None:
    text = f"extends GutTest\nfunc test_a():\n\t{call}\nfunc _wait():\n\tpass\n"
    assert Sample({"a.gd": text}).way("_wait") is None


def test_the_way_is_the_shortest_and_ends_where_nothing_calls() -> None:
    text = lines(
        "extends McpTestSuite",
        "func test_a(): _one()",
        "func _one():",
        "\t_two()",
        "func _two():",
        "\t_one()",
        "\t_three()",
        "func _three(): pass",
        "func _unused(): _three()",
        "func suite_setup(ctx): _one()",
    )
    sample = Sample({"a.gd": text})
    assert sample.way("test_a") == []
    assert sample.way("_three") == ["the test `test_a` calls `_one`", "`_one` calls `_two`", "`_two` calls `_three`"]
    assert sample.way("_three", "lifecycle") is not None
    assert sample.way("suite_setup", "lifecycle") == []
    assert sample.way("suite_setup") is None
    assert sample.way("_unused") is None


def test_hooks_are_those_of_the_framework() -> None:
    def reached(base: str) -> list[str]:
        names = ["setup", "before_each", "before_test", "suite_setup", "before", "after_all"]
        text = lines(f"extends {base}", *(f"func {name}(): pass" for name in names))
        sample = Sample({"a.gd": text})
        return [name for name in names if sample.way(name, "lifecycle") is not None]

    assert reached("McpTestSuite") == ["setup", "suite_setup"]
    assert reached("GutTest") == ["before_each", "after_all"]
    assert reached("GdUnitTestSuite") == ["before_test", "before"]
    assert reached("Node") == []


def test_bases_of_suites_are_followed_and_overrides_respected() -> None:
    files = {
        "base.gd": lines(
            "class_name Base",
            "extends GutTest",
            "func test_shared():",
            "\t_step()",
            "func _step(): _inner()",
            "func _inner(): pass",
            "func _unused(): pass",
        ),
        "a.gd": lines("extends Base", "func _step():", "\tsuper._step()", "\t_own()", "func _own(): pass"),
        "b.gd": lines("extends Base", "func _inner():", "\tpass"),
    }
    sample = Sample(files)
    assert sample.way("_own") == ["the test `test_shared` calls `_step`", "`_step` calls `_own`"]
    assert sample.way("_inner", path="base.gd") is not None
    assert sample.way("_inner", path="b.gd") == ["the test `test_shared` calls `_step`", "`_step` calls `_inner`"]
    assert sample.way("_unused", path="base.gd") is None


def test_an_override_that_does_not_call_on_cuts_the_way() -> None:
    files = {
        "base.gd": "@abstract class_name Base extends Mid\nfunc _step(): _inner()\nfunc _inner(): pass\n",
        "mid.gd": "@abstract class_name Mid extends GutTest\n",
        "a.gd": "extends Base\nfunc test_a(): _step()\nfunc _step(): pass\n",
    }
    assert Sample(files).way("_inner", path="base.gd") is None


def test_super_alone_calls_the_function_of_the_base() -> None:
    files = {
        "base.gd": "class_name Base\nextends GutTest\nfunc before_each():\n\t_inner()\nfunc _inner(): pass\n",
        "a.gd": "extends Base\nfunc before_each():\n\tsuper()\n\t_own()\nfunc _own(): pass\n",
    }
    sample = Sample(
        {
            **files,
            "base.gd": files["base.gd"].replace("extends GutTest", "extends Root"),
            "root.gd": "class_name Root\nextends GutTest\n",
        }
    )
    assert sample.way("_own", "lifecycle") == ["the hook `before_each` calls `_own`"]
    assert sample.way("_inner", "lifecycle", "base.gd") is not None


def test_inner_classes_are_suites_where_gut_takes_them() -> None:
    text = lines(
        "extends {}",
        "class TestGroup:",
        "\textends {}",
        "\tfunc test_in_group(): _help()",
        "\tfunc _help(): pass",
        "class Other extends {}:",
        "\tfunc test_other(): pass",
        "class TestStub:",
        "\tfunc test_stub(): pass",
    )
    gut, mcp = (Sample({"a.gd": text.replace("{}", base)}) for base in ("GutTest", "McpTestSuite"))
    assert gut.way("_help") == ["the test `test_in_group` calls `_help`"]
    assert gut.way("test_other") is None
    assert gut.way("test_stub") is None
    assert mcp.way("test_in_group") is None


def test_constructors_and_loose_functions_are_reached_by_nobody() -> None:
    sample = Sample({"a.gd": "extends GutTest\nfunc _init(): pass\nfunc test_a(): pass\n"})
    assert sample.way("_init") is None
    assert sample.index.reach("a.gd", "", "test") is None
    assert sample.index.reach("a.gd", "-1", "test") is None
