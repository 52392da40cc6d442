"""An `await` in a test or hook of a suite whose runner does not wait.

## What it does

Reports each `await` in a `test_*` method or a hook (`suite_setup`, `setup`, `teardown`, `suite_teardown`,
`suite_name`) of a script whose base chain reaches `McpTestSuite`, wherever in the function it stands: a condition, an
argument, a `return`. A test of a base of the project is reported in the base, once. The body of a lambda is another
function, and so is a method of an inner class.

## Why is this bad?

The runner calls tests and hooks and does not wait for them. At the first `await` the function goes back to the runner:
an assertion after it is evaluated when the result has long been taken, so a failing one leaves the test green, and a
`suite_setup` that waits is finished after the tests have run.

## Use instead

Test what can be decided at once: call the method that the signal would call, step the object by hand, or move the
scenario to a framework that awaits its tests.

## Known limits

GUT and gdUnit4 await their tests, so suites of theirs are left alone. A script whose base cannot be found is left alone
too (a base that is named by `uid://` is never found), and so is a function that overlaps a region that could not be
read. An `await` in a helper that a test calls is another rule's matter.
"""

from collections.abc import Iterator, Sequence

from guards.languages.gdscript import GDScriptFile
from guards.languages.gdscript.chains import ClassRef
from guards.languages.gdscript.facts import NOWHERE
from guards.languages.gdscript.frameworks import HOOKS, MCP, TEST_PREFIX
from guards.rule import MAYBE_TEST_CODE, Candidate, Example, Finding, Options, Project, Rule


class AwaitInTest(Rule[GDScriptFile]):
    """A finding for each `await`, at the keyword."""

    name = "await-in-test"
    code = "SGG001"
    language = "gdscript"
    roles = MAYBE_TEST_CODE
    needs = ("await",)
    why = "the runner does not wait: what stands behind the `await` runs after the result was taken"
    instead = "make the test synchronous: call what the signal would call, or step the object by hand"

    def check(self, file: GDScriptFile, options: Options) -> Iterator[Candidate]:
        """Each `await` in what would be a test or a hook if its class is a suite, or a base of one."""
        del options
        for function in file.facts().functions:
            wanted = function.name.startswith(TEST_PREFIX) or function.name in HOOKS[MCP]
            if wanted and function.owner != NOWHERE and not function.undecided:
                for place in function.awaits:
                    yield self.candidate(place, "await", function.name, str(function.owner))

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """Those of suites whose runner does not wait."""
        index = project.gdscript
        for candidate in candidates:
            name, owner = candidate.words
            suites = index.suites_of(ClassRef(candidate.place.path, int(owner)))
            if any(index.framework(suite.path) == MCP for suite in suites):
                yield self.finding(candidate.place, f"`{name}` awaits, and its runner does not wait for it")

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whether the class is a suite of another framework, or none that is known."""
        _, owner = candidate.words
        suites = project.gdscript.suites_of(ClassRef(candidate.place.path, int(owner)))
        known = sorted({framework for suite in suites if (framework := project.gdscript.framework(suite.path))})
        if known:
            return f"the class is a suite of `{known[0]}`, which waits"
        return "the class is no suite, or the file of one of its bases is not known"

    bad = (
        Example(
            "@tool\nextends McpTestSuite\n\nfunc test_frame() -> void:\n\tawait Engine.get_main_loop().process_frame # FLAW\n\tassert_true(true)\n",
            "the test is over at its first line",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc suite_setup(_ctx: Dictionary) -> void:\n\tif not await _open(): # FLAW\n\t\tskip_suite("closed")\n',
            "a hook, in a condition",
        ),
        Example(
            '@tool\nextends "res://tests/base.gd"\n\nfunc test_a() -> void:\n\treturn await done # FLAW\n',
            "a suite by way of a base of the project",
            files=(("tests/base.gd", "@tool\nextends McpTestSuite\n\nsignal done\n"),),
        ),
    )
    good = (
        Example(
            "extends GutTest\n\nfunc test_frame():\n\tawait wait_frames(2)\n\tassert_true(true)\n",
            "GUT awaits its tests",
        ),
        Example(
            "@tool\nextends McpTestSuite\n\nfunc test_connects() -> void:\n\tvar late := func() -> void:\n\t\tawait done\n\tassert_true(late.is_valid())\n",
            "the body of a lambda is another function",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_words() -> void:\n\tvar d := {"await": 1}\n\td.await = 2 # await\n\tassert_eq(d["await"], 2)\n',
            "the word in a key, an attribute and a comment",
        ),
        Example(
            "@tool\nextends McpTestSuite\n\nclass Player extends Node:\n# drives\n\tfunc test_drive() -> void:\n\t\tawait get_tree().process_frame\n",
            "a method of an inner class is no test of the suite, wherever its comments stand",
        ),
        Example(
            "@tool\nextends McpTestSuite\n\nfunc _settle() -> void:\n\tawait done\n",
            "a helper is no test; whether a test calls it is not asked here",
        ),
        Example(
            "extends UnknownSuite\n\nfunc test_a() -> void:\n\tawait done\n",
            "nothing is known of the base",
        ),
    )
