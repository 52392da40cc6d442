"""Two suites of one name, whose results cannot be told apart.

## What it does

Among the files that the runner looks into, reports every later one, in the order of their paths, whose `suite_name()`
returns the same literal text as an earlier one's. Two suites that both keep the default `"unnamed"` are reported too.
The position is that of the method, or of `extends` where the name is inherited.

## Why is this bad?

Results, filters and reports know a suite by its name alone. With two of one name a failing test of one passes for one
of the other, and nobody notices when one of the two stops running.

## Use instead

Return a name of its own from each `suite_name()`; the file's name without `test_` is a good one.

## Known limits

A name that is computed, or that may stand in a region that could not be read, is not judged. Only suites of
`McpTestSuite` have such names, and only a file in the runner's folder is looked into: see `test-file-outside-discovery`,
which has options of the same names.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.gdscript import GDScriptFile
from guards.languages.gdscript.facts import SCRIPT
from guards.languages.gdscript.frameworks import MCP, is_discovered
from guards.languages.gdscript.index import Index
from guards.rule import MAYBE_TEST_CODE, Candidate, Example, Finding, Option, Options, Place, Project, Related, Rule

DEFAULT_NAME = "unnamed"


class DuplicateSuiteName(Rule[GDScriptFile]):
    """A finding for each later suite of a name."""

    name = "duplicate-suite-name"
    code = "SGG003"
    language = "gdscript"
    roles = MAYBE_TEST_CODE
    needs = ("extends",)
    related_places = True
    options: ClassVar = {
        "directory": Option("res://tests", "The folder that the runner lists; folders below it are not looked into."),
        "prefix": Option("test_", "How the name of a file that is looked into begins."),
        "suffix": Option(".gd", "How the name of a file that is looked into ends."),
    }
    why = "results are known by the suite's name alone"
    instead = "return a name of its own from `suite_name()`"

    def check(self, file: GDScriptFile, options: Options) -> Iterator[Candidate]:
        """Every script that may be one that the runner looks into."""
        name = file.info.path.rpartition("/")[2]
        if name.startswith(options.text("prefix")) and name.endswith(options.text("suffix")):
            yield self.candidate(file.facts().classes[SCRIPT].head, "script")

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The later ones of each name, project by project."""
        index = project.gdscript
        first: dict[tuple[str, str], Place] = {}
        for candidate in candidates:
            path = candidate.place.path
            options = project.options_for(self.name, path)
            directory, prefix, suffix = (options.text(name) for name in ("directory", "prefix", "suffix"))
            if index.framework(path) != MCP or not is_discovered(index.resource(path), directory, prefix, suffix):
                continue
            named = _suite_name(index, path, candidate.place)
            if named is None:
                continue
            name, place = named
            earlier = first.setdefault((index.root(path), name), place)
            if earlier is not place:
                related = (Related(earlier, f'`"{name}"` is this suite\'s name already'),)
                yield self.finding(place, f'another suite is called `"{name}"` too', related=related)

    bad = (
        Example(
            '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String: # FLAW\n\treturn "player"\n\nfunc test_a() -> void:\n\tassert_true(true)\n',
            "the same literal in another file",
            path="tests/test_z.gd",
            files=(
                (
                    "tests/test_a.gd",
                    "@tool\nextends McpTestSuite\n\nfunc suite_name(): return 'player'\n\nfunc test_b() -> void:\n\tassert_true(true)\n",
                ),
            ),
        ),
        Example(
            "@tool\nextends McpTestSuite # FLAW\n\nfunc test_a() -> void:\n\tassert_true(true)\n",
            "two suites keep the default",
            path="tests/test_z.gd",
            files=(
                ("tests/test_a.gd", "@tool\nextends McpTestSuite\n\nfunc test_b() -> void:\n\tassert_true(true)\n"),
            ),
        ),
    )
    good = (
        Example(
            '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn "player"\n',
            "the other file of that name is not looked into",
            path="tests/test_z.gd",
            files=(
                (
                    "tests/sub/test_a.gd",
                    '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn "player"\n',
                ),
            ),
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn "player" + str(1)\n',
            "a computed name",
            path="tests/test_z.gd",
            files=(
                ("tests/test_a.gd", '@tool\nextends McpTestSuite\n\nfunc suite_name() -> String:\n\treturn "player"\n'),
            ),
        ),
        Example(
            "extends GutTest\n\nfunc test_a():\n\tassert_true(true)\n",
            "GUT knows suites by their files",
            path="tests/test_z.gd",
            files=(("tests/test_a.gd", "extends GutTest\n\nfunc test_a():\n\tassert_true(true)\n"),),
        ),
    )


def _suite_name(index: Index, path: str, head: Place) -> tuple[str, Place] | None:
    """The literal name of a suite and its place; None where it is computed, or stands where nothing could be read."""
    chain = index.chain(path)
    found = index.find_function(chain, "suite_name")
    if found is None:
        return (DEFAULT_NAME, head) if index.is_complete(chain) else None
    ref, function = found
    if function.literal is None or function.undecided:
        return None
    return function.literal, function.place if ref.path == path else head
