"""A skip behind which the function goes on.

## What it does

Reports a call of `skip` (`McpTestSuite`) or `pending` (GUT) in a suite or a base of one, bare or through `self` or `super`,
behind which the function can still run something: statements of the same block, of the blocks around it, or the next turn
of a loop. Those that may follow are `return`, also with a value that asserts nothing, `pass`, `breakpoint`, another skip,
setting something to `null`, and the functions in `cleanup`.

## Why is this bad?

To skip is to leave a mark; the test goes on behind it. What it cannot do here, for want of a scene or a platform, it does
all the same, and whatever it finds is thrown away or, worse, turns the skipped test red.

## Use instead

`return` right behind the skip.

## Fix

Adds `return` behind a skip that ends its block, in a test or a hook. It is safe: the test is skipped either way.

## Known limits

- A helper that skips leaves it to its caller to return, and is only looked at by itself.
- What runs is told from the blocks alone: a condition that cannot be true again does not count.
- A function of the suite's own that is called `skip` or `pending` is no skip. A lambda is a function of its own.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import ClassVar

from guards.languages.gdscript import GDScriptFile
from guards.languages.gdscript.chains import ClassRef
from guards.languages.gdscript.facts import NOWHERE
from guards.languages.gdscript.following import RETURN, following, statement_of
from guards.languages.gdscript.frameworks import HOOKS, OUTCOME_PREFIX, SKIPS, TEST_PREFIX
from guards.languages.gdscript.nodes import called, first_child, parts_of
from guards.languages.syntax import Node, text_of, walk
from guards.rule import MAYBE_TEST_CODE, Candidate, Edit, Example, Finding, Fix, Option, Options, Project, Rule

_NAMES = frozenset().union(*SKIPS.values())


class SkipWithoutReturn(Rule[GDScriptFile]):
    """One finding for each skip, at its name."""

    name = "skip-without-return"
    code = "SGG005"
    language = "gdscript"
    roles = MAYBE_TEST_CODE
    needs = ("call", "attribute")
    options: ClassVar = {
        "cleanup": Option(
            ("free", "queue_free", "*cleanup*", "*clean_up*", "*teardown*", "*tear_down*"),
            "Globs of the names of functions that may be called behind a skip.",
        ),
    }
    why = "a skip stops nothing: what follows runs all the same, and its result is thrown away"
    instead = "return right behind the skip"

    def check(self, file: GDScriptFile, options: Options) -> Iterator[Candidate]:
        """Every call of a name that is a skip, with its receiver, behind which something runs."""
        cleanup = options.names("cleanup")
        functions = file.facts().functions
        for call, method in _calls(file):
            row = file.structure.function_at(call.start_byte)
            statement = statement_of(call)
            if row == NOWHERE or functions[row].undecided or statement is None or not _is_plain(statement):
                continue
            if any(not _may_follow(each, file, cleanup) for each in following(statement)):
                receiver = text_of(call, file.text.data).partition(".")[0] if call.type == "attribute" else ""
                words = (text_of(method, file.text.data), receiver.strip())
                place = file.text.place(*method.byte_range)
                fix = _fix(file, statement, call, row)
                yield self.candidate(place, "skip", *words, function=str(row), fix=fix)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """Those in suites whose framework has such a skip, and that have no function of that name."""
        index = project.gdscript
        for candidate in candidates:
            name, receiver = candidate.words
            path = candidate.place.path
            owner = ClassRef(path, index.function(path, int(candidate.function)).owner)
            suites = [suite for suite in index.suites_of(owner) if name in SKIPS[index.chain(*suite).framework]]
            if any(receiver == "super" or index.is_outcome(suite, name) for suite in suites):
                yield self.finding(
                    candidate.place, f"`{name}` does not end the test: what follows still runs", fix=candidate.fix
                )

    bad = (
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_later() -> void:\n\tskip("later") # FLAW\n\tassert_true(2 > 1)\n',
            "the assertion runs, and what it says is thrown away",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_web() -> void:\n\tif OS.has_feature("web"):\n\t\tself.skip("not on the web") # FLAW\n\tassert_true(2 > 1)\n',
            "the branch ends, the test does not",
            fixed='@tool\nextends McpTestSuite\n\nfunc test_web() -> void:\n\tif OS.has_feature("web"):\n\t\tself.skip("not on the web")\n\t\treturn\n\tassert_true(2 > 1)\n',
        ),
        Example(
            'extends GutTest\n\nfunc test_each():\n\tfor path in DirAccess.get_files_at("res://"):\n\t\tif path.is_empty(): pending("no name") # FLAW\n\t\telse: assert_true(path.contains("."))\n',
            "the loop goes on with the next one",
            fixed='extends GutTest\n\nfunc test_each():\n\tfor path in DirAccess.get_files_at("res://"):\n\t\tif path.is_empty(): pending("no name"); return\n\t\telse: assert_true(path.contains("."))\n',
        ),
    )
    good = (
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_web() -> void:\n\tif OS.has_feature("web"): skip("not on the web"); return\n\tassert_true(2 > 1)\n',
            "it returns",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_web() -> void:\n\tif OS.has_feature("web"):\n\t\tassert_true(2 > 1)\n\telse:\n\t\tskip("web only")\n',
            "nothing follows the branch",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_scene() -> void:\n\tvar node := Node.new()\n\tif node.get_parent() == null:\n\t\tskip("no scene")\n\t\tif node != null:\n\t\t\tnode.free()\n\t\treturn\n\tassert_true(node.name != "")\n\tnode.free()\n',
            "it cleans up before it returns",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc _need_scene() -> bool:\n\tif EditorInterface.get_edited_scene_root() == null:\n\t\tskip("no scene")\n\t\treturn false\n\treturn true\n',
            "a helper says that there is nothing to test",
        ),
        Example(
            '@tool\nextends McpTestSuite\n\nfunc test_first() -> void:\n\tfor path in DirAccess.get_files_at("res://"):\n\t\tif path.is_empty():\n\t\t\tskip("no name")\n\t\t\tbreak\n',
            "the loop is left, and nothing follows it",
        ),
        Example(
            "@tool\nextends McpTestSuite\n\nvar skipped: Array[String] = []\n\nfunc skip(reason := \"\") -> void:\n\tskipped.append(reason)\n\nfunc test_list() -> void:\n\tskip('a')\n\tassert_eq(skipped, ['a'])\n",
            "the suite's own `skip` is none",
        ),
        Example(
            "extends Node\n\nfunc _on_pressed() -> void:\n\tskip()\n\tshow_next()\n",
            "no suite",
            path="intro/intro.gd",
        ),
    )


def _calls(file: GDScriptFile) -> Iterator[tuple[Node, Node]]:
    """Calls of own functions that have the name of a skip, each with the node of the name."""
    data = file.text.data
    for node in file.nodes("call"):
        method, _ = called(node)
        if method is not None and data[method.start_byte : method.end_byte].decode("utf-8", "replace") in _NAMES:
            yield node, method
    for node in file.nodes("attribute"):
        if not data.startswith((b"self", b"super"), node.start_byte):
            continue
        parts = parts_of(node)
        method, _ = called(parts[1]) if len(parts) == 2 else (None, [])
        own = text_of(parts[0], data) in ("self", "super")
        if method is not None and own and text_of(method, data) in _NAMES:
            yield node, method


def _is_plain(statement: Node) -> bool:
    """Whether a statement is one step: a skip in a condition leaves it to the branches what happens then."""
    return statement.type in ("expression_statement", "variable_statement")


def _may_follow(statement: Node, file: GDScriptFile, cleanup: Sequence[str]) -> bool:
    """Whether a statement may stand behind a skip: it leaves, does nothing or cleans up."""
    data = file.text.data
    if statement.type in ("pass_statement", "breakpoint_statement"):
        return True
    if statement.type == RETURN:
        return not any(_called_name(node, data).startswith(OUTCOME_PREFIX) for node in walk(statement))
    if statement.type == "if_statement":
        return all(_may_follow(each, file, cleanup) for body in _bodies(statement) for each in parts_of(body))
    inner = first_child(statement) if statement.type == "expression_statement" else None
    if inner is not None and inner.type == "assignment":
        value = inner.child_by_field_name("right")
        return value is not None and value.type == "null"
    if inner is not None and inner.type == "await_expression":
        inner = first_child(inner)
    name = _called_name(inner, data) if inner is not None else ""
    return name in _NAMES or any(fnmatchcase(name, glob) for glob in cleanup)


def _bodies(statement: Node) -> Iterator[Node]:
    for part in (statement, *statement.named_children):
        body = part.child_by_field_name("body") if part.type in ("if_statement", "elif_clause", "else_clause") else None
        if body is not None:
            yield body


def _called_name(node: Node, data: bytes) -> str:
    """The name of the function that an expression calls last."""
    last = parts_of(node)[-1] if node.type == "attribute" else node
    method, _ = called(last)
    return text_of(method, data) if method is not None else ""


def _last_of_block(statement: Node) -> Node | None:
    block = statement.parent
    return parts_of(block)[-1] if block is not None else None


def _fix(file: GDScriptFile, statement: Node, call: Node, row: int) -> Fix | None:
    """``return`` behind a skip that ends its block, where a function that is no helper gives nothing back."""
    function = file.facts().functions[row]
    is_hook = any(function.name in hooks for hooks in HOOKS.values())
    alone = statement.byte_range == call.byte_range and statement == _last_of_block(statement)
    inside = file.structure.in_lambda(statement.start_byte)
    if (
        not alone
        or inside
        or function.returns not in ("", "void")
        or not (function.name.startswith(TEST_PREFIX) or is_hook)
    ):
        return None
    text = file.text
    line = text.line_of(statement.start_byte)
    before = text.data[text.line_starts[line - 1] : statement.start_byte]
    if before.strip():
        return Fix(
            "return behind the skip", safe=True, edits=(Edit(statement.end_byte, statement.end_byte, "; return"),)
        )
    last = text.line_of(statement.end_byte)
    end = text.line_starts[last - 1] + len(text.line_bytes(last))
    added = f"{text.line_end(last)}{before.decode()}return"
    return Fix("return behind the skip", safe=True, edits=(Edit(end, end, added),))
