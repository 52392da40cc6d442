"""A test that asserts nothing.

## What it does

Reports a test that reaches no assertion. An assertion is

- one of the suite's framework: every function whose name begins with `assert_`, GUT's `pass_test` and `fail_test`,
  gdUnit4's `fail`, `verify…` and what waits for a signal or a value and fails without it;
- a skip, which says openly that nothing was checked: `skip` and `skip_on_godot_lt` of `McpTestSuite`, GUT's `pending` and
  `skip_if_godot_version_…`; in gdUnit4 a parameter `do_skip`.

It may stand in the test or in any function of its class, of its bases and of the suite that derives from them, however it is
called: bare, through `self` or `super`, by name (`call("check")`, `Callable(self, "check")`), through a local name that holds
it, or in a lambda that is called. What can never run does not count: the branch of `if false`, what stands behind a `return`,
a lambda that nobody calls. Nor does a method of another object that is named like an assertion, or a helper that is named so
and asserts nothing. A test of a base is reported in the base, once.

## Why is this bad?

Such a test only fails where the engine stops it. Whatever the code gives back or leaves behind, gdUnit4 shows it as passed;
GUT calls it risky and still ends with success; `McpTestSuite` fails it without saying what was meant.

## Use instead

An assertion about what the code gives back or changes. Where nothing can be checked on this machine, a skip with its reason.

## Known limits

- Where nobody can tell, nothing is reported: after a call of a `Callable` that comes from elsewhere or of a function by a
  computed name, where the test or a hook hands the suite itself or a function that asserts to somebody else, where a setter or a
  lambda of a member asserts, where a helper stands in a region that could not be read, and, in gdUnit4, after a method of another object whose name begins with
  `assert_`.
- To `McpTestSuite` an assertion that is put off with `call_deferred` comes too late and counts for nothing.
- An assertion in `setup` or `teardown` is none of the test.
- Suites that others derive from are judged through those, unless their file's name begins with `test_` too.
- Whether an assertion is reached on every way, and whether it can fail, is not looked at here.
"""

from collections.abc import Iterator, Sequence

from guards.languages.flow import NO
from guards.languages.gdscript import GDScriptFile
from guards.languages.gdscript.chains import ClassRef
from guards.languages.gdscript.facts import NOWHERE, Function
from guards.languages.gdscript.flow import own_outcomes
from guards.languages.gdscript.frameworks import SKIP_PARAMETERS, TEST_PREFIX
from guards.languages.gdscript.index import Index
from guards.rule import MAYBE_TEST_CODE, Candidate, Example, Finding, Options, Project, Rule


class TestWithoutAssertion(Rule[GDScriptFile]):
    """One finding for each test, at its name."""

    name = "test-without-assertion"
    code = "SGG004"
    language = "gdscript"
    roles = MAYBE_TEST_CODE
    needs = ("function",)
    why = "whatever the code gives back or leaves behind, this test cannot notice"
    instead = "assert what the code gives back or changes, or skip with a reason where that cannot be checked"

    def check(self, file: GDScriptFile, options: Options) -> Iterator[Candidate]:
        """Every function that would be a test if its class is a suite, or a base of one; with what it asserts itself."""
        del options
        facts = file.facts()
        for row, function in enumerate(facts.functions):
            if function.name.startswith(TEST_PREFIX) and function.owner != NOWHERE and not _is_open(function):
                yield self.candidate(function.place, "test", *own_outcomes(facts, row), function=str(row))

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """Those that, in one of the suites that run them, certainly come to no assertion."""
        index = project.gdscript
        for candidate in candidates:
            path, row = candidate.place.path, int(candidate.function)
            function = index.function(path, row)
            suites = index.suites_of(ClassRef(path, function.owner))
            if all(any(index.is_outcome(suite, name) for name in candidate.words) for suite in suites):
                continue
            for suite in index.runs(path, row):
                if _asserts_nothing(index, suite, function):
                    own = suite.path == path or _asserts_nothing(index, ClassRef(path, function.owner), function)
                    where = "" if own else f" in the suite `{suite.path}`"
                    yield self.finding(candidate.place, f"`{function.name}` reaches no assertion and no skip{where}")
                    break

    bad = (
        Example(
            "@tool\nextends McpTestSuite\n\nfunc test_opens() -> void: # FLAW\n\tvar scene := Node.new()\n\tscene.free()\n",
            "it passes whatever the code does",
        ),
        Example(
            "extends GutTest\n\nfunc test_each(): # FLAW\n\tvar check := func(v): assert_gt(v, 0)\n\tprint(check.is_valid())\n",
            "nobody calls the lambda that asserts",
        ),
        Example(
            "@tool\nextends McpTestSuite\n\nfunc assert_ready(scene: Node) -> void:\n\tprint(scene)\n\nfunc test_ready() -> void: # FLAW\n\tassert_ready(null)\n",
            "a helper that is named like an assertion and is none",
        ),
        Example(
            "extends GdUnitTestSuite\n\nfunc test_switched_off() -> void: # FLAW\n\tif false:\n\t\tassert_int(1 + 1).is_equal(2)\n",
            "the branch never runs",
        ),
        Example(
            '@tool\nextends "res://tests/support/contract.gd"\n\nfunc _check(_value: int) -> void:\n\tpass\n',
            "a test of a base: the suite overrides the helper that asserts",
            files=(
                (
                    "tests/support/contract.gd",
                    "@tool\nextends McpTestSuite\n\nfunc test_contract() -> void: # FLAW\n\t_check(1)\n\nfunc _check(value: int) -> void:\n\tassert_gt(value, 0)\n",
                ),
            ),
        ),
    )
    good = (
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_needs_scene() -> void:\n\tif EditorInterface.get_edited_scene_root() == null:\n\t\tskip("no scene is open")\n\t\treturn\n\t_check_root()\n\nfunc _check_root() -> void:\n\tassert_true(EditorInterface.get_edited_scene_root().name != "")\n',
            "a helper asserts",
        ),
        Example(
            '@tool\nextends "res://tests/support/base.gd"\n\nfunc test_positive() -> void:\n\tcheck_positive(4)\n',
            "a helper of a base asserts",
            files=(
                (
                    "tests/support/base.gd",
                    "@tool\nextends McpTestSuite\n\nfunc check_positive(value: int) -> void:\n\tassert_gt(value, 0)\n",
                ),
            ),
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_by_name() -> void:\n\tcall(&"assert_true", 2 > 1)\n\tvar check := assert_eq\n\tcheck.bind(2).call(1 + 1)\n',
            "by name, and through a local name",
        ),
        Example(
            "extends GutTest\n\nfunc test_signal():\n\tvar button := Button.new()\n\tbutton.pressed.connect(func(): assert_true(button.visible))\n\tbutton.pressed.emit()\n\tbutton.free()\n",
            "what is handed on may be called",
        ),
        Example(
            'extends GutTest\n\nfunc test_on_the_web():\n\tpending("nothing to press yet")\n',
            "it says that it checks nothing",
        ),
        Example(
            "extends GdUnitTestSuite\n\nfunc test_calls(do_skip := true) -> void:\n\tprint(1)\n\nfunc test_mock() -> void:\n\tvar node: Variant = mock(Node)\n\tverify(node).get_name()\n",
            "a test that is switched off, and an interaction that is checked",
        ),
        Example(
            "extends GutTest\n\nvar robot: RefCounted\n\nfunc before_each():\n\trobot = Robot.new(self)\n\nfunc test_jump():\n\trobot.jump().lands_softly()\n",
            "a hook hands the suite on, so what gets it may assert",
        ),
        Example(
            "extends Node\n\nfunc test_drive() -> void:\n\tpass\n",
            "no suite, in spite of the method's name",
            path="car/test_drive.gd",
        ),
        Example(
            "@tool\nextends UnknownSuite\n\nfunc test_a() -> void:\n\tpass\n",
            "nothing is known of the base",
        ),
    )


def _is_open(function: Function) -> bool:
    """Whether there is nothing to judge: no body, or a part that could not be read."""
    return function.abstract or function.undecided


def _asserts_nothing(index: Index, suite: ClassRef, function: Function) -> bool:
    skippable = SKIP_PARAMETERS[index.chain(*suite).framework]
    if any(parameter.name in skippable for parameter in function.parameters):
        return False
    answer = index.outcomes(suite, function.name)
    return answer is not None and answer.outcome == NO and not index.hands_out(suite)
