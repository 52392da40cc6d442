"""What did not parse: where it is said to be, what is known to be valid all the same, and what is still read."""

import pytest
from languages.gdscript.sample import lines, script

HEAD = lines("@tool", "extends McpTestSuite", "", "func test_first():", "\tpass", "")
TAIL = lines("", "", "func test_last():", "\tpass")


def regions(text: str) -> list[tuple[int, bool]]:
    """Lines of the regions, counted from the line after the head, and whether each is a known gap."""
    return [(r.place.line - 6, r.known_gap) for r in script(HEAD + text + TAIL).unread]


# Godot 4.6 loads each of these.
GAPS = {
    "annotated signal of an inner class": ("class A:\n\t@warning_ignore('x')\n\tsignal s\n", 2),
    "annotated signal before a function": (
        "class A:\n\t@warning_ignore('x')\n\tsignal s\n\tfunc f():\n\t\tpass\n",
        3,
    ),
    "annotated constant of an inner class": ("class A:\n\t@warning_ignore('x')\n\tconst S = 1\n", 2),
    "annotated signal behind another": ("class A:\n\tsignal r\n\t@warning_ignore('x')\n\tsignal s\n", 3),
    "annotation before a statement": ("func a():\n\tx()\n\t@warning_ignore('x') f()\n\tg()\n", 3),
    "if in a lambda's line": ("func a():\n\tf(func(): if c: g())\n", 2),
    "for in a lambda's line": ("func a():\n\tvar f = func(): for i in 3: print(i)\n", 2),
    "if in a function's line": ("func a(): if c: g()\n", 1),
    "if in a branch of match": ("func a():\n\tmatch x:\n\t\t1: if c: g()\n", 3),
    "if behind else": ("func a():\n\tif b: c()\n\telse: if d: e()\n", 3),
    "await of a lambda": ("func a():\n\tf(await func(): await s, 3)\n", 2),
    "await of a lambda with a body": ("func a():\n\tawait f(await func():\n\t\tawait s\n\t)\n", 2),
    "text in a path": ('func a():\n\tvar x = $A/"B c"\n', 2),
    "unique name in a path": ("func a():\n\tvar x = $A/%B\n", 2),
    "unique name below a node": ("func a():\n\tvar x = $%Name\n", 2),
    "unique names in a path": ("func a():\n\tvar x = %A/%B\n", 2),
    "Lua dictionary with texts": ('func a():\n\tvar d = {"k" = 1}\n', 2),
    "choice in an enum": ("enum X { A = 1 if true else 2 }\n", 1),
    "empty enum": ("enum X {}\n", 1),
    "call of a method called remote": ("func a():\n\tremote()\n", 2),
    "abstract functions with semicolons": ("@abstract func a(); @abstract func b()\n", 1),
}


@pytest.mark.parametrize("name", GAPS)
def test_a_construct_that_the_grammar_lacks_is_known_and_found_at_its_line(name: str) -> None:
    text, line = GAPS[name]
    assert regions(text) == [(line, True)]


@pytest.mark.parametrize(
    "text",
    [
        "func a():\n\tif b:\n\t\tc()\n# x\n\telse:\n\t\td()\n",
        "func a():\n\tif b:\n\t\tc()\n\t\t\t# x\n\telse:\n\t\td()\n",
        "class A:\n\tfunc f():\n\t\tx()\n#\t\ty()\n\t\tif x: pass\n",
        "func a():\n\tmatch x:\n\t\t1: pass\n\t# c\n\t\t2: pass\n",
        "var größe := 1\n",
        "func a():\n\tvar x = 1 + \\\n\t# c\n\t\t2\n",
        "func a(): x = [\n# c\n1,\n\t# d\n2]\n",
        "var hp: int = 3:\n\tset(v):\n\t\thp = v\n\tget:\n\t\treturn hp\n",
        'func a():\n\tvar x := [r"\\d+\'", &"n", ^"a/b:c", """x\n\t"q" # y""", \'\'\'z\'\'\']\n',
        'func a():\n\tvar x = "two\n# lines"\n\tvar y = \'#\'\n\tvar z = r"\\"#"\n',
        'func a():\n\tvar x = $"A#b" # c\n\tvar y = %"C#d"\n',
        "#region x\nfunc a(): pass\n#endregion\n",
        "@abstract\nfunc a()\n",
        "func export(): pass\nfunc a(): x.remote()\n",
        "func a(...rest: Array[int]) -> Dictionary[String, int]: return {}\n",
    ],
)
def test_what_godot_reads_is_read(text: str) -> None:
    assert regions(text) == []


# The lines are those of Godot's own messages.
ERRORS = {
    "parameters": ("func test_broken(:\n\tpass\n", 1),
    "open call": ("func a():\n\tassert_true(1\n\tprint(2)\n", 2),
    "open array": ("func a():\n\tvar x = [1, 2\n\tprint(x)\n\nfunc b():\n\tpass\n", 2),
    "one bracket too many": ("func a():\n\tassert_true(1))\n", 2),
    "open text": ('func a():\n\tvar x = "abc\n', 2),
    "another language": ("def test_a(self):\n    return None\n", 1),
    "braces": ("func a():\n\tif x {\n\t\ty()\n\t}\n", 2),
    "a name that begins with a digit": ("func a():\n\tvar 1x = 3\n", 2),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_syntax_error_is_no_known_gap_and_found_at_its_line(name: str) -> None:
    text, line = ERRORS[name]
    assert regions(text)[0] == (line, False)


def test_conflict_markers_are_one_region_each() -> None:
    text = "<<<<<<< HEAD\nfunc a(): pass\n=======\nfunc b(): pass\n>>>>>>> x\n"
    assert regions(text) == [(1, False), (3, False), (5, False)]


def test_an_error_hides_only_the_function_that_it_stands_in() -> None:
    text = HEAD + "func test_broken(:\n\tpass\n\nfunc test_gap():\n\tf(func(): if c: g())\n" + TAIL
    facts = script(text).facts()
    assert not facts.complete
    decided = [f.name for f in facts.functions if f.owner == 0 and not f.undecided]
    assert decided == ["test_first", "test_last"]


def test_bodies_that_come_loose_behind_an_error_stay_with_their_functions() -> None:
    text = HEAD + lines("func test_broken(:", "\tpass", "", "func test_waits():", "\tif x:", "\t\tawait s") + TAIL
    awaits = {f.name: [place.line - 6 for place in f.awaits] for f in script(text).facts().functions}
    assert awaits["test_waits"] == [6]
    assert awaits["test_last"] == []


def test_functions_that_come_loose_from_their_class_are_nobody_s() -> None:
    text = HEAD + lines("class A:", "\tvar x = = 1", "\tfunc test_inner():", "\t\tawait s") + TAIL
    facts = script(text).facts()
    assert "test_inner" not in {f.name for f in facts.functions if f.owner == 0}
    assert {"test_first", "test_last"} <= {f.name for f in facts.functions if f.owner == 0}


def test_regions_that_share_a_line_are_one() -> None:
    assert len(regions("func a():\n\tvar x = = 1; var y = = 2\n")) == 1


def test_a_script_after_a_head_that_did_not_parse_is_read() -> None:
    text = "@tool extends McpTestSuite\nfunc test_a():\n\tawait s\n"
    facts = script(text).facts()
    assert str(facts.classes[0].base) == "McpTestSuite"
    assert [(f.name, f.undecided) for f in facts.functions] == [("test_a", False)]


def test_an_empty_script_has_nothing_unread() -> None:
    for text in ("", "\n", "# only a comment", "@tool", "\t"):
        assert script(text).unread == ()


def test_comments_are_tokens_and_not_what_texts_hold() -> None:
    text = lines("# a", 'var x = "# no" # b', "\t# c", "var y = '''", "# no", "''' # d", 'var z = "\\"# no"', "#")
    found = [(c.text, c.own_line) for c in script(text).comments]
    assert found == [("# a", True), ("# b", False), ("# c", True), ("# d", False), ("#", True)]
    file = script(text)
    assert [file.text.data[c.start : c.end].decode() for c in file.comments] == [c.text for c in file.comments]
