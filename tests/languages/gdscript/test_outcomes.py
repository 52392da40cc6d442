"""Assertions and skips on the ways through tests of suites."""

import pytest
from languages.gdscript.sample import Sample, lines

from guards.languages.flow import END, NO, UNKNOWN, YES, Answer
from guards.languages.gdscript.chains import ClassRef

SUITE = "@tool\nextends McpTestSuite\n\nconst CASES := [1, 2]\nconst NONE := []\nenum Kind { A, B }\nvar member := assert_true\n"
HELPERS = """
func _assert_it(v: Variant) -> Variant:
	assert_true(v)
	return v

func _assert_perhaps(v: int) -> void:
	if v > 3:
		assert_gt(v, 3)

func _nothing(v: Variant) -> Variant:
	print(v)
	return v

func _need_scene() -> bool:
	if EditorInterface.get_edited_scene_root() == null:
		skip("no scene")
		return false
	return true

func _root() -> Node:
	var root := EditorInterface.get_edited_scene_root()
	if root == null:
		skip("no scene")
		return null
	return root

func _given() -> Variant:
	return self

func _run(body: Callable) -> void:
	body.call()
"""


def answer(body: str, base: str = SUITE, helpers: str = HELPERS) -> Answer:
    indented = "".join(f"\t{line}\n" for line in body.splitlines())
    sample = Sample({"a.gd": f"{base}\nfunc test_it(v := 1, any: Variant = null):\n{indented}{helpers}"})
    found = sample.index.outcomes(ClassRef("a.gd", 0), "test_it")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "body",
    [
        "assert_true(v)",
        "self.assert_true(v)",
        "super.assert_true(v)",
        "self \\\n\t.assert_true(v)",
        'call("assert_true", v)',
        'call(&"assert_true", v)',
        'self.callv("assert_true", [v])',
        "assert_true.call(v)",
        "self.assert_true.callv([v])",
        "var f := assert_true\nf.call(v)",
        "var f = self.assert_true\nf.call(v)",
        'var f := Callable(self, "assert_true")\nf.call(v)',
        'Callable(self, "_assert_it").call(v)',
        "var f := _assert_it.bind(1)\nf.call()",
        "_assert_it.bind(v).call()",
        "var f := func(x): assert_gt(x, 0)\nf.call(v)",
        "var f := func(x):\n\tif true:\n\t\t_assert_it(x)\nvar g := f\ng.call(v)",
        "(func(): assert_true(v)).call()",
        "[1, 2].map(func(x): assert_gt(x, 0))",
        "[1, 2].filter(_assert_it)",
        "for x in CASES: assert_gt(x, 0)",
        "for x in [1]: _assert_it(x)",
        "for k in {a = 1}: _assert_it(k)",
        "for i in 3: _assert_it(i)",
        "for i in range(1, 3): _assert_it(i)",
        "for i in range(CASES.size()): _assert_it(i)",
        "for i in CASES.size(): _assert_it(i)",
        "for k in Kind: _assert_it(k)",
        "for k in Kind.keys(): _assert_it(k)",
        'for c in "ab": _assert_it(c)',
        'for c in "a,b".split(","): _assert_it(c)',
        "var cases := [[1], [2]]\nprint(cases)\nfor c in cases: _assert_it(c)",
        'var cases := {"a": 1}\nfor c in cases.values(): _assert_it(c)',
        "var cases := []\ncases.append(v)\nfor c in cases: _assert_it(c)",
        'for c in PackedStringArray(["a"]): _assert_it(c)',
        "for c in [v] as Array[int]: _assert_it(c)",
        "for c in [v] + any: _assert_it(c)",
        'skip("later")',
        "if _need_scene(): assert_true(v)",
        "if not _need_scene(): return\nassert_true(v)",
        "if _need_scene() == false: return\nassert_true(v)",
        "var ready := _need_scene()\nif not ready:\n\treturn\nassert_true(v)",
        "var root := _root()\nif root == null:\n\treturn\nassert_true(root)",
        "if v == 1 or not _need_scene():\n\tassert_true(v)\n\treturn\nassert_false(v)",
        'if skip_on_godot_lt("4.5"):\n\treturn\nassert_true(v)',
        'var old := skip_on_godot_lt("4.5")\nif old: return\nassert_true(v)',
        'if not skip_on_godot_lt("4.5"):\n\tassert_true(v)',
        'if skip_on_godot_lt("4.6") or skip_on_godot_lt("4.5"): return\nassert_true(v)',
        "match v:\n\t1: assert_true(v)\n\tvar other: assert_ne(other, 1)",
        "match v:\n\t1, 2: assert_true(v)\n\t_: skip('x')",
        "while true:\n\tif v > 3:\n\t\tassert_true(v)\n\t\tbreak\n\tv += 1",
        "while true:\n\tassert_true(v)\n\tif v: return",
        "if true: assert_true(v)",
        "if v: assert_true(v)\nelif any: assert_false(v)\nelse: skip('x')",
        "var w = _assert_it(v) if v else _assert_it(2)\nprint(w)",
        "var names := any.get_names()\nif names.is_empty():\n\tskip('x')\n\treturn\nfor n in names: assert_true(n)",
        "var names := any.get_names()\nif names.size() == 0:\n\tskip('x')\n\treturn\nfor n in names: assert_true(n)",
        "var names := any.get_names()\nif not names:\n\tskip('x')\n\treturn\nfor n in names: assert_true(n)",
        "var names := any.get_names()\nif names.size() < 3:\n\tskip('x')\n\treturn\nfor n in names: assert_true(n)",
        "var names := any.get_names()\nif names.size() > 2:\n\tfor n in names: assert_true(n)\nelse:\n\tskip('x')",
        "var n := any.size()\nif n == 0:\n\tskip('x')\n\treturn\nfor i in n: assert_true(i)",
        "var found := false\nfor x in any:\n\tif x: found = true\nif found: assert_true(v)\nelse: skip('x')",
        "print(_assert_it(v))",
        'var d := {"k": _assert_it(v)}\nprint(d)',
        "return _assert_it(v)",
        "await _assert_it(v)",
        "print(v); assert_true(v)",
    ],
)
def test_there_is_one_on_every_way(body: str) -> None:
    found = answer(body)
    assert (found.outcome, found.always) == (YES, True)
    assert found.least >= 1


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "print(v)",
        "_nothing(v)",
        "if false: assert_true(v)",
        "if not true:\n\tassert_true(v)",
        "return\nassert_true(v)",
        "while true: pass\nassert_true(v)",
        "for i in 0: assert_true(v)",
        "for i in NONE: assert_true(v)",
        "for i in range(3, 3): assert_true(v)",
        "var f := func(x): assert_gt(x, 0)\nprint(f.is_valid())",
        "var f := assert_true\nprint(f.is_null())",
        "any.assert_true(v)",
        "Probe.new().assert_true(v)",
        'any.call("assert_true", v)',
        "assert(v)",
        "assert_true.call_deferred(v)",
        'call_deferred("assert_true", v)',
        "(func(): assert_true(v)).call_deferred()",
        "fail_setup('x')",
        "expect_script_error_containing('x')",
        '# assert_true(v)\nprint("assert_true(v)")',
        "func later(): assert_true(v)",
        "[].map(func(x): assert_true(x))",
        "match v:\n\t_: pass\n\t1: assert_true(v)",
        "add_child(any)\nget_tree()",
    ],
)
def test_there_is_certainly_none(body: str) -> None:
    assert (answer(body).outcome, answer(body).least) == (NO, 0)


@pytest.mark.parametrize(
    "body",
    [
        "any.call(v)",
        "any.callable.call()",
        "any.call(1)",
        "get('assert_true').call('a b')",
        "self['assert_true'].call(true)",
        "member.call(v)",
        "call(any, v)",
        "callv(any, [v])",
        "_run(func(): assert_true(v))",
        "var f := func(): assert_true(v)\n_run(f)",
        "any.pressed.connect(func(): assert_true(v))",
        "any.pressed.connect(_assert_it.bind(1))",
        "any.pressed.connect(assert_true)",
        'any.pressed.connect(Callable(self, "_assert_it"))',
        "any.pressed.connect(Callable(self, any))",
        "Callable(self, any).call()",
        "any.handler = func(): assert_true(v)",
        "any.handler = _assert_it",
        'any.handlers["a"] = func(): assert_true(v)',
        "var all := [assert_true, assert_false]\nprint(all)",
        "var f: Callable\nf = assert_true\nf.call(v)",
        "any.names().map(func(x): assert_true(x))",
        "Checker.new(self).check(v)",
        "Checker.check(self)",
        "_check_of(self)",
        "any.suite = self",
        "any.go({suite = self})",
        "var me := self\nme.assert_true(v)",
        "(self as Variant).assert_true(v)",
        "_given().is_true(v)",
        'callv("call", ["assert_true", v])',
        "var f = assert_true if v else assert_false\nf.call(v)",
    ],
)
def test_nobody_can_tell(body: str) -> None:
    found = answer(body)
    assert (found.outcome, found.least) == (UNKNOWN, 0)


@pytest.mark.parametrize(
    ("body", "silent"),
    [
        ("if v == 0: return\nassert_true(v)", (1,)),
        ("for x in any:\n\tif x:\n\t\treturn\nassert_true(v)", (1,)),
        ("match v:\n\t1:\n\t\tskip('x')\n\t\treturn\n\t2:\n\t\treturn\nassert_true(v)", (2,)),
        ("var f := func(): assert_true(v)\nif any:\n\treturn\nf.call()", (1,)),
        ("if v > 3 and _assert_it(v):\n\tprint(v)\nelse:\n\treturn\nprint(v)", (1,)),
        ("if _need_scene():\n\treturn\nassert_true(v)", (1,)),
        ("if not skip_on_godot_lt('4.5'): return\nassert_true(v)", (1,)),
        ("if any: assert_true(v)", (END,)),
        ("if any and v: assert_true(v)\nelse: assert_false(v)", ()),
        ("match v:\n\t1: assert_true(v)\n\t_ when v > 5: assert_true(v)", (END,)),
        ("match v:\n\t1: assert_true(v)\n\t2: assert_true(v)", (END,)),
        ("var w = _assert_it(v) if v else 0\nprint(w)", (END,)),
        ("_assert_perhaps(v)", (END,)),
        ("print(any or _assert_it(v))", (END,)),
        ("[1, 2].any(func(x): return _assert_it(x))", (END,)),
        ("var pick := func(x: int) -> int:\n\tif x < 0:\n\t\treturn 0\n\treturn x\nassert_eq(pick.call(-1), 0)", ()),
        ("while any: assert_true(v)", (END,)),
        ("for k in [1, 2]:\n\tif k < 5:\n\t\tcontinue\n\tassert_gt(k, 4)", (END,)),
        ("var names := any.get_names()\nif names.is_empty(): print(v)\nfor n in names: assert_true(n)", (END,)),
        ("var names := [1]\nnames.clear()\nfor n in names: assert_true(n)", (END,)),
        ("var names := [1]\nnames = any\nfor n in names: assert_true(n)", (END,)),
        ("for n in any: assert_true(n)", (END,)),
        ("any.go(v)\nif any.done: return\nany.call(v)\nreturn", (1,)),
    ],
)
def test_ways_without_any_are_told_by_where_they_end(body: str, silent: tuple[int, ...]) -> None:
    assert answer(body).silent == silent


def test_the_loop_that_leaks_is_told() -> None:
    assert answer("for a in CASES:\n\tfor b in any:\n\t\tassert_true(b)").leaks == (1,)
    assert answer("if v: assert_true(v)").leaks == ()


@pytest.mark.parametrize(
    ("body", "least"),
    [
        ("assert_true(v)\nassert_true(v)\n_assert_it(v)", 3),
        ("if v:\n\tassert_true(v)\n\tassert_true(v)\nelse:\n\tassert_true(v)", 1),
        ("for i in CASES:\n\tassert_true(i)\n\tassert_true(i)", 2),
        ("for i in any: assert_true(i)\nassert_true(v)", 1),
        ("if not _need_scene(): return\nassert_true(v)\nassert_true(v)", 1),
        ("if any: return\nassert_true(v)", 0),
        ("any.call(v)\nassert_true(v)", 1),
    ],
)
def test_the_least_number_of_outcomes(body: str, least: int) -> None:
    assert answer(body).least == least
    indented = "".join(f"\t{line}\n" for line in body.splitlines())
    sample = Sample({"a.gd": f"{SUITE}\nfunc test_it(v := 1, any: Variant = null):\n{indented}{HELPERS}"})
    assert sample.index.least_outcomes("a.gd", "test_it") == least


def test_nothing_is_promised_of_what_is_no_suite_or_no_test() -> None:
    sample = Sample({"a.gd": "extends Node\n\nfunc test_a():\n\tassert_true(1)\n", "b.gd": SUITE})
    assert sample.index.least_outcomes("a.gd", "test_a") == 0
    assert sample.index.least_outcomes("b.gd", "test_a") == 0


# Classes.


def outcomes(files: dict[str, str], path: str, name: str = "test_it") -> int:
    found = Sample(files).index.outcomes(ClassRef(path, 0), name)
    assert found is not None
    return found.outcome


BASE = lines(
    "@tool",
    "extends McpTestSuite",
    "func test_it() -> void:",
    "\t_check(1)",
    "func _check(_v: int) -> void:",
    "\tpass",
    "func check_positive(v: int) -> void:",
    "\tassert_gt(v, 0)",
    "func _assert_base(v: int) -> void:",
    "\tassert_gt(v, 0)",
    'const NAMES := ["a"]',
)


def test_each_suite_has_its_own_helpers() -> None:
    files = {
        "base.gd": BASE,
        "a.gd": 'extends "base.gd"\nfunc _check(v: int) -> void:\n\tcheck_positive(v)\n',
        "b.gd": 'extends "base.gd"\n',
    }
    assert [outcomes(files, path) for path in ("a.gd", "b.gd", "base.gd")] == [YES, NO, NO]


def test_super_is_what_the_class_overrides() -> None:
    files = {
        "base.gd": BASE,
        "mid.gd": 'extends "base.gd"\nfunc _check(v: int) -> void:\n\tsuper._assert_base(v)\nfunc _assert_base(_v: int) -> void:\n\tpass\n',
        "a.gd": 'extends "mid.gd"\nfunc _check(v: int) -> void:\n\tsuper(v)\n',
        "b.gd": 'extends "mid.gd"\nfunc _check(v: int) -> void:\n\t_assert_base(v)\n',
        "c.gd": 'extends "mid.gd"\nfunc _check(v: int) -> void:\n\tsuper._check(v)\nfunc _assert_base(_v: int) -> void:\n\tpass\n',
    }
    assert [outcomes(files, path) for path in ("a.gd", "b.gd", "c.gd")] == [YES, NO, YES]


def test_constants_come_from_the_whole_chain() -> None:
    files = {"base.gd": BASE, "a.gd": 'extends "base.gd"\nfunc test_it():\n\tfor n in NAMES: assert_true(n)\n'}
    answer = Sample(files).index.outcomes(ClassRef("a.gd", 0), "test_it")
    assert answer is not None
    assert answer.always


def test_a_function_of_a_base_can_be_handed_on_by_its_name() -> None:
    files = {"base.gd": BASE, "a.gd": 'extends "base.gd"\nfunc test_it():\n\t[1].map(check_positive)\n'}
    assert outcomes(files, "a.gd") == YES
    files["a.gd"] = 'extends "base.gd"\nfunc test_it():\n\tdone.connect(check_positive)\n'
    assert outcomes(files, "a.gd") == UNKNOWN


@pytest.mark.parametrize(
    ("shadow", "outcome"),
    [
        ("func assert_true(_v):\n\tpass\n", NO),
        ("func assert_true(v):\n\tsuper(v)\n", YES),
        ("func assert_true(v):\n\tassert_eq(v, true)\n", YES),
        ("func assert_true(v):\n\tassert_true(v)\n", NO),
    ],
)
def test_an_own_function_of_an_assertion_s_name_is_a_helper(shadow: str, outcome: int) -> None:
    assert outcomes({"a.gd": f"extends McpTestSuite\nfunc test_it():\n\tassert_true(1)\n{shadow}"}, "a.gd") == outcome


def test_functions_that_call_each_other() -> None:
    suite = (
        "extends McpTestSuite\nfunc test_it():\n\t_a(3)\nfunc _a(n):\n\tif n > 0: _b(n - 1)\n{}func _b(n):\n\t_a(n)\n"
    )
    assert outcomes({"a.gd": suite.format("")}, "a.gd") == NO
    sample = Sample({"a.gd": suite.format("\telse: assert_eq(n, 0)\n")})
    answer = sample.index.outcomes(ClassRef("a.gd", 0), "test_it")
    assert answer is not None
    assert (answer.outcome, answer.always, answer.least) == (YES, True, 1)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ('pass_test("x")', YES),
        ('fail_test("x")', YES),
        ("pending()", YES),
        ("skip('x')", NO),
        ("if skip_if_godot_version_lt('4.5'): return", YES),
        ("assert_true.call_deferred(1)", UNKNOWN),
        ("await wait_frames(2)", NO),
    ],
)
def test_outcomes_of_gut(body: str, outcome: int) -> None:
    assert outcomes({"a.gd": f"extends GutTest\nfunc test_it():\n\t{body}\n"}, "a.gd") == outcome


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("assert_that(1).is_equal(1)", YES),
        ("assert_int(1)\\\n\t\t.is_equal(1)", YES),
        ("verify(any, 1).go()", YES),
        ("verify_no_interactions(any)", YES),
        ("fail('x')", YES),
        ('await runner.await_func("x").is_equal(1)', YES),
        ("await runner.simulate_frames(1)", NO),
        ("Robots.assert_robot(runner).jumps()", UNKNOWN),
        ("await await_idle_frame()", NO),
        ("skip('x')", NO),
    ],
)
def test_outcomes_of_gdunit4(body: str, outcome: int) -> None:
    text = f"extends GdUnitTestSuite\nfunc test_it():\n\tvar runner := scene_runner('x')\n\t{body}\n"
    assert outcomes({"a.gd": text}, "a.gd") == outcome


@pytest.mark.parametrize(
    ("member", "hands_out"),
    [
        ("var checked: int:\n\tset(v):\n\t\tassert_gt(v, 0)\n", True),
        ("var check := func(v): assert_true(v)\n", True),
        ("var robot := Robot.new(self)\n", True),
        ("func before_each():\n\tdone.connect(func(): assert_true(1))\n", True),
        ("func before_each():\n\trobot = Robot.new(self)\n", True),
        ("func _helper():\n\trobot = Robot.new(self)\n", False),
        ("func before_each():\n\tadd_child(Robot.new())\n\tRobot.new().add_child(self)\n", False),
        ("var values := [1].map(func(v): return v + 1)\n", False),
        ("func before_each():\n\tassert_true(1)\n", False),
    ],
)
def test_hooks_and_members_may_hand_assertions_out(member: str, hands_out: bool) -> None:  # noqa: FBT001 a parameter
    sample = Sample({"a.gd": f"extends GutTest\n{member}func test_it():\n\tgo()\n"})
    assert sample.index.hands_out(ClassRef("a.gd", 0)) == hands_out


def test_what_could_not_be_read_is_unknown() -> None:
    suite = "extends McpTestSuite\nfunc test_it():\n\t_helper()\n{}func other():\n\tpass\n"
    assert outcomes({"a.gd": suite.format("func _helper():\n\tvar x = = 3\n\tprint(x)\n")}, "a.gd") == UNKNOWN
    assert outcomes({"a.gd": suite.format("func _helper() -> void:\n\tprint(3)\n")}, "a.gd") == NO
    assert outcomes({"a.gd": suite.format("@abstract func _helper() -> void\n")}, "a.gd") == UNKNOWN


def test_behind_an_error_a_body_can_come_loose() -> None:
    text = lines(
        "extends GdUnitTestSuite",
        "func test_first() -> void:",
        "\tvar result := await assert_failure_await(await func() -> void:",
        '\t\tawait assert_signal(self).is_emitted("s2")',
        "\t)",
        '\tresult.has_message("x")',
        "",
        "func test_it() -> void:",
        "\tvar x := 1",
        "\tassert_int(x).is_equal(1)",
    )
    assert outcomes({"a.gd": text}, "a.gd") != NO


def test_classes_that_can_be_no_suite_cost_nothing() -> None:
    text = "extends Node\nfunc go():\n\tassert_true(1)\n\tfor x in y:\n\t\thelper(func(): print(1))\n"
    flows = Sample({"a.gd": text}).files["a.gd"].facts().flows
    assert not any(flows)


@pytest.mark.parametrize(
    "condition", ["not " * 3000 + "a()", "(" * 3000 + "a()" + ")" * 3000, "a() and " * 3000 + "a()"]
)
def test_deep_conditions_are_no_trouble(condition: str) -> None:
    found = outcomes({"a.gd": f"extends McpTestSuite\nfunc test_it():\n\tif {condition}: return\n"}, "a.gd")
    assert found in (NO, UNKNOWN)
