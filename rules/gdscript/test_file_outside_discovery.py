"""A suite in a file that the runner does not look into.

## What it does

Reports a script whose base chain reaches `McpTestSuite` and that declares tests itself, but that stands where the
runner does not look: in a folder below the test folder, in another folder, or under a name without the prefix or the
suffix, letter by letter. The position is that of `extends`. Where a suite that the runner does find derives from the
script, the tests run in that suite, and nothing is reported.

## Why is this bad?

The runner lists the files of one folder, by their names, and says nothing of others. The tests are never run, and the
suite is green without them.

## Use instead

Move the file to `res://tests/` itself and call it `test_*.gd`.

## Known limits

Only `McpTestSuite` has one fixed place. What GUT and gdUnit4 look into is decided on their command lines, so their
suites are left alone. A script whose base cannot be found is left alone (one that is named by `uid://` is never
found), and so is one outside of any Godot project.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.gdscript import GDScriptFile
from guards.languages.gdscript.chains import ClassRef
from guards.languages.gdscript.facts import SCRIPT
from guards.languages.gdscript.frameworks import MCP, TEST_PREFIX, is_discovered
from guards.rule import MAYBE_TEST_CODE, Candidate, Example, Finding, Option, Options, Project, Rule


class TestFileOutsideDiscovery(Rule[GDScriptFile]):
    """A finding for each file, at `extends`."""

    name = "test-file-outside-discovery"
    code = "SGG002"
    language = "gdscript"
    roles = MAYBE_TEST_CODE
    needs = ("extends",)
    options: ClassVar = {
        "directory": Option("res://tests", "The folder that the runner lists; folders below it are not looked into."),
        "prefix": Option("test_", "How the name of a file that is looked into begins."),
        "suffix": Option(".gd", "How the name of a file that is looked into ends."),
    }
    why = "the runner never looks into this file, so its tests never run"
    instead = "move it to the test folder itself and give it a name that is looked for, such as `test_player.gd`"

    def check(self, file: GDScriptFile, options: Options) -> Iterator[Candidate]:
        """Every script that declares what would be a test if it is a suite."""
        del options
        facts = file.facts()
        if any(f.owner == SCRIPT and f.name.startswith(TEST_PREFIX) for f in facts.functions):
            yield self.candidate(facts.classes[SCRIPT].head, "script")

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The suites among them whose tests no file that is found runs: neither they nor one that derives from them."""
        index = project.gdscript
        for candidate in candidates:
            path = candidate.place.path
            resource = index.resource(path)
            if resource and index.framework(path) == MCP:
                suites = index.suites_of(ClassRef(path, SCRIPT))
                options = project.options_for(self.name, path)
                if not any(_is_found(index.resource(suite.path), options) for suite in suites):
                    yield self.finding(candidate.place, f"the runner does not look into `{resource}`")

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whether the class is no suite of this runner, or one that is found."""
        index, path = project.gdscript, candidate.place.path
        if not index.resource(path):
            return "the file belongs to no Godot project"
        if index.framework(path) != MCP:
            return "the class is no suite of `McpTestSuite`, or the file of one of its bases is not known"
        return "the runner looks into this file, or into one with a class that derives from its class"

    bad = (
        Example(
            "@tool\nextends McpTestSuite # FLAW\n\nfunc test_a() -> void:\n\tassert_true(true)\n",
            "folders below the test folder are not looked into",
            path="tests/unit/test_deep.gd",
        ),
        Example(
            "@tool\nextends McpTestSuite # FLAW\n\nfunc test_a() -> void:\n\tassert_true(true)\n",
            "the word stands at the end of the name",
            path="tests/player_test.gd",
        ),
        Example(
            "@tool\nclass_name PlayerSuite extends McpTestSuite # FLAW\n\nfunc test_a() -> void:\n\tassert_true(true)\n",
            "letters are told apart by case",
            path="tests/Test_player.gd",
        ),
    )
    good = (
        Example("@tool\nextends McpTestSuite\n\nfunc test_a() -> void:\n\tassert_true(true)\n", "the usual place"),
        Example(
            "@tool\nextends McpTestSuite\n\nfunc shared_helper() -> int:\n\treturn 1\n",
            "a base without tests of its own",
            path="tests/support/base.gd",
        ),
        Example(
            "@tool\nextends McpTestSuite\n\nfunc test_a() -> void:\n\tassert_true(true)\n",
            "its tests run in a suite that derives from it",
            path="tests/support/contract.gd",
            files=(("tests/test_player.gd", '@tool\nextends "support/contract.gd"\n'),),
        ),
        Example(
            "extends GutTest\n\nfunc test_a():\n\tassert_true(true)\n",
            "GUT is told on its command line where to look",
            path="test/unit/test_deep.gd",
        ),
        Example(
            "extends Node\n\nfunc test_drive() -> void:\n\tpass\n",
            "no suite, in spite of the method's name",
            path="car/test_drive.gd",
        ),
    )


def _is_found(resource: str, options: Options) -> bool:
    return is_discovered(resource, options.text("directory"), options.text("prefix"), options.text("suffix"))
