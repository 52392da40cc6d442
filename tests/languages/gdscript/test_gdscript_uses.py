"""What counts as a use of a member of a class or singleton, as what, and what the receiver is."""

import pytest
from languages.gdscript.sample import Sample, lines

QUIT, POPUP = "SceneTree.quit", "Window.popup"


def used(body: str, full: str, head: str = "extends Node", **files: str) -> list[int]:
    """The lines, counted from the body's first, on which a function uses a member."""
    text = f"{head}\nfunc test_a():\n\t{body}\n"
    offset = head.count("\n") + 3
    found = Sample({"a.gd": text, **{f"{name}.gd": other for name, other in files.items()}}).lines(full)
    return [line - offset for line in found]


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        ("OS.delay_msec(5)", "call"),
        ("OS . delay_msec(5)", "call"),
        ("(OS).delay_msec(5)", "call"),
        ("var x = 1 + OS.delay_msec(5)", "call"),
        ("f(func(): OS.delay_msec(5))", "call"),
        ("OS.delay_msec.call(5)", "call"),
        ("OS.delay_msec.callv([5])", "call"),
        ("OS.delay_msec.call_deferred(5)", "call"),
        ("OS.call('delay_msec', 5)", "call"),
        ("OS.call(&'delay_msec', 5)", "call"),
        ("OS.callv('delay_msec', [5])", "call"),
        ("OS.call_deferred('delay_msec', 5)", "call"),
        ("Engine.get_singleton('OS').delay_msec(5)", "call"),
        ("Engine.get_singleton(&'OS').call('delay_msec', 5)", "call"),
        ("f(OS.delay_msec)", "read/reference"),
        ("var g := OS.delay_msec", "read/reference"),
        ("s.connect(OS.delay_msec.bind(5))", "reference"),
        ("Callable(OS, 'delay_msec').call(5)", "reference"),
        ("Callable.create(OS, &'delay_msec').call(5)", "reference"),
        ("OS.delay_msec = 1", "write"),
        ("OS.delay_msec += 1", "write"),
        ("OS.set('delay_msec', 1)", "write"),
        ("OS.set_deferred(&'delay_msec', 1)", "write"),
        ("var x = OS.get('delay_msec')", "read"),
        ("print(OS.delay_msec[0])", "read"),
        ("x.y = OS.delay_msec", "read/reference"),
        ("OS.delay_msec.x = 1", "read/reference"),
    ],
)
def test_a_member_is_found_in_every_spelling(statement: str, kinds: str) -> None:
    (found,) = [u for u in Sample({"a.gd": f"extends Node\nfunc a():\n\t{statement}\n"}).meant("delay_msec") if u[2]]
    assert found == (3, kinds, ("OS.delay_msec", "Object.delay_msec"))


@pytest.mark.parametrize(
    ("statement", "arguments"),
    [
        ("OS.delay_msec(5, 'x')", {"0": "5", "1": "x"}),
        ("OS.delay_msec(-5)", {"0": "-5"}),
        ("OS.delay_msec(2_500)", {"0": "2500"}),
        ("OS.delay_msec(0x9c4)", {"0": "2500"}),
        ("OS.delay_msec(WAIT)", {"0": "2500"}),
        ("OS.delay_msec(ALSO)", {"0": "2500"}),
        ("const WAIT := 7\n\tOS.delay_msec(WAIT)", {"0": "7"}),
        ("var WAIT := 7\n\tOS.delay_msec(WAIT)", {}),
        ("OS.delay_msec(f(), 5)", {"1": "5"}),
        ("OS.delay_msec(\n# no\n\t\t5)", {"0": "5"}),
        ("OS.delay_msec(true, null)", {"0": "true", "1": "null"}),
        ("OS.call('delay_msec', 5)", {"0": "5"}),
        ("OS.callv('delay_msec', [5])", {"0": "5"}),
        ("OS.delay_msec.call(5)", {"0": "5"}),
        ("OS.delay_msec.callv([5])", {"0": "5"}),
    ],
)
def test_arguments_fold_to_constants_where_the_file_decides(statement: str, arguments: dict[str, str]) -> None:
    text = f"extends Node\nconst WAIT := 2_500\nconst ALSO = WAIT\nfunc a():\n\t{statement}\n"
    (use,) = [use for use in Sample({"a.gd": text}).files["a.gd"].uses("delay_msec") if use.kind == "call"]
    assert dict(use.arguments) == arguments


@pytest.mark.parametrize(
    "body",
    [
        "get_tree().quit()",
        "self.get_tree().quit()",
        "x.y.get_tree().quit()",
        "$A.get_tree().quit()",
        "(Engine.get_main_loop() as SceneTree).quit()",
        "Engine.get_main_loop().quit()",
        "var tree := get_tree()\n\ttree.quit()",
        "var tree: SceneTree = x\n\ttree.quit()",
        "var tree = get_tree()\n\ttree.quit()",
        "var tree := Engine.get_main_loop() as SceneTree\n\ttree.quit()",
        "var tree := (get_tree())\n\tvar other := tree\n\tother.quit()",
        "var f := func(tree: SceneTree): tree.quit()",
        "for tree: SceneTree in trees: tree.quit()",
        "SceneTree.new().quit()",
        "(x as SceneTree).call_deferred('quit')",
        "member.quit()",
        "self.inferred.quit()",
        "inherited.quit()",
        "other.tree().quit() if x else get_tree().quit()",
    ],
)
def test_the_type_of_a_receiver_is_followed(body: str) -> None:
    head = "extends Base\nvar member: SceneTree\nvar inferred := get_tree()"
    found = used(body, QUIT, head, base="class_name Base\nextends Node\nvar inherited: SceneTree\n")
    assert found == [body.count("\n")]


@pytest.mark.parametrize(
    "body",
    [
        "quit()",
        "x.quit()",
        "x.tree().quit()",
        "member.quit()",
        "var tree\n\ttree.quit()",
        "var tree = get_tree()\n\ttree = Fake.new()\n\ttree.quit()",
        "var tree = x\n\ttree.quit()",
        "var q := Quitter.new()\n\tq.quit()",
        "var Node := Quitter.new()\n\tNode.quit()",
        "var tree: SceneTree\n\tvar f := func(tree): tree.quit()",
        "for typed in trees: typed.quit()",
        "match x:\n\t\tvar typed: typed.quit()",
        "$A.quit()",
        "print('get_tree().quit()') # get_tree().quit()",
        "d['SceneTree'].quit()",
        "(x as Quitter).quit()",
        "var tree := tree\n\ttree.quit()",
        "typed.tree.quit()",
        "x.call('quit')",
        "get_tree().call(name_of('quit'))",
        "Time.quit.bind()",
    ],
)
def test_what_is_not_certain_is_no_use_of_the_engine_s_member(body: str) -> None:
    head = "extends Node\nvar member = get_tree()\nvar typed: SceneTree\nclass Quitter:\n\tfunc quit(): pass"
    assert used(body, QUIT, head) == []


def test_a_getter_that_a_script_declares_itself_gives_back_what_it_likes() -> None:
    head = "extends RefCounted\nfunc get_tree(): return Fake.new()"
    assert used("get_tree().quit()", QUIT, head) == []
    assert used("self.get_tree().quit()", QUIT, head) == []
    assert used("x.get_tree().quit()", QUIT, head) == [0]


def test_members_of_engine_bases_are_members_of_what_derives_from_them() -> None:
    assert used("var d := AcceptDialog.new()\n\td.popup()", POPUP) == [1]
    assert used("popup()", POPUP, "extends ConfirmationDialog") == [0]
    assert used("self.popup()", POPUP, "extends ConfirmationDialog") == [0]
    assert used("popup()", POPUP, "extends Mid", mid="class_name Mid\nextends Popup\n") == [0]
    assert used("popup()", POPUP, "extends Mid", mid="class_name Mid\nextends Popup\nfunc popup(): pass\n") == []
    assert used("popup()", POPUP, "extends Missing") == []
    assert used("call('popup')", POPUP, "extends Popup") == [0]


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        ("title.call()", "call"),
        ("title.callv([])", "call"),
        ("title.call_deferred()", "call"),
        ("s.connect(title.bind(1))", "reference"),
        ("s.connect(title)", "read/reference"),
        ("title = 'x'", "write"),
        ("title += 'x'", "write"),
        ("var f := func(): title = 'x'", "write"),
    ],
)
def test_a_member_of_the_own_object_needs_no_receiver(statement: str, kinds: str) -> None:
    sample = Sample({"a.gd": f"extends Window\nfunc a():\n\t{statement}\n"})
    (found,) = [(line, kind) for line, kind, names in sample.meant("title") if "Window.title" in names]
    assert found == (3, kinds)


@pytest.mark.parametrize(
    "body",
    [
        "var title := 1\n\ttitle = 2\n\tf(title)\n\ttitle.call()",
        "for title in x: f(title)",
        "var f := func(title): title = 2",
        "match x:\n\t\tvar title: f(title)",
        "x.title = 2",
        "f('title') # title = 2",
        "f({title = 2})",
        "own = 2\n\town.call()\n\tf(own)",
        "inherited = 2",
    ],
)
def test_a_name_that_the_project_declares_is_no_member_of_the_engine_s_class(body: str) -> None:
    base = "class_name Base\nextends Window\nvar inherited\n"
    for member in ("title", "own", "inherited"):
        assert used(body, f"Window.{member}", "extends Base\nvar own", base=base) == []


def test_super_is_what_a_class_overrides() -> None:
    head = "extends Popup\nfunc popup():\n\tsuper()\n\tsuper.popup()\n\tpopup()\n\tself.popup()"
    sample = Sample({"a.gd": head + "\n"})
    assert sample.lines(POPUP) == [3, 4]
    mid = "class_name Mid\nextends Popup\nfunc popup(): pass\n"
    sample = Sample({"a.gd": head.replace("Popup", "Mid") + "\n", "mid.gd": mid})
    assert (sample.lines(POPUP), sample.lines("Mid.popup")) == ([], [3, 4])


def test_own_functions_give_back_what_they_declare() -> None:
    head = "extends Node\nfunc dialog() -> AcceptDialog: return x\nfunc other(): return x"
    assert used("dialog().popup()", POPUP, head) == [0]
    assert used("self.dialog().popup()", POPUP, head) == [0]
    assert used("var d := dialog()\n\td.popup()", POPUP, head) == [1]
    assert used("other().popup()", POPUP, head) == []
    assert used("x.dialog().popup()", POPUP, head) == []


@pytest.mark.parametrize(
    "statement",
    [
        "OS.\\\n\t\tdelay_msec(5)",
        "OS \\\n\t\t.delay_msec(5)",
        "(OS # a\n\t\t# b\n\t\t.delay_msec(5))",
        "(\n\t\t# a\n\t\tOS).delay_msec(5)",
        "OS.delay_msec( # a\n\t\t5)",
        "OS.call( # a\n\t\t'delay_msec', 5)",
    ],
)
def test_an_expression_may_go_on_on_the_next_line(statement: str) -> None:
    (use,) = Sample({"a.gd": f"extends Node\nfunc a():\n\t{statement}\n"}).files["a.gd"].uses("delay_msec")
    assert (use.name, use.kind, use.arguments) == ("OS.delay_msec", "call", (("0", "5"),))


@pytest.mark.parametrize(("base", "engine"), [("GutTest", "Node"), ("McpTestSuite", "RefCounted")])
def test_a_suite_has_the_members_of_its_framework_and_of_the_engine_below(base: str, engine: str) -> None:
    sample = Sample({"a.gd": f"extends {base}\nfunc test_a():\n\tfree()\n"})
    assert sample.meant("free") == [(3, "call", (f"{base}.free", f"{engine}.free", "Object.free", "free"))]


def test_classes_of_the_project_have_their_own_members() -> None:
    files = {
        "a.gd": lines(
            "extends RefCounted",
            "const Lib := preload('server.gd')",
            "var server: MiniServer",
            "var child := Child.new()",
            "func test_a():",
            "\tserver.stop()",
            "\tchild.stop()",
            "\tLib.stop()",
            "\tMiniServer.new().stop()",
            "\tvar s := Lib.new()",
            "\ts.stop()",
            "\tother.stop()",
        ),
        "server.gd": "class_name MiniServer\nextends RefCounted\nfunc stop(): pass\n",
        "child.gd": "class_name Child\nextends MiniServer\n",
    }
    sample = Sample(files)
    assert sample.lines("MiniServer.stop") == [6, 7, 8, 9, 11]
    assert sample.lines("Child.stop") == [7]
    assert sample.lines("RefCounted.stop") == []


def test_what_no_file_declares_is_known_by_its_name() -> None:
    text = lines(
        "extends RefCounted",
        "var handler: SceneHandler",
        "func test_a():",
        "\tGame.reset()",
        "\thandler.reset()",
        "\tgame.reset()",
        "\tvar Game := 1",
    )
    sample = Sample({"a.gd": text})
    assert sample.lines("SceneHandler.reset") == [5]
    assert sample.lines("Game.reset") == []
    assert sample.lines("game.reset") == []
    assert Sample({"a.gd": text.replace("\tvar Game := 1\n", "")}).lines("Game.reset") == [4]


def test_functions_of_the_language_are_known_by_their_name_alone() -> None:
    assert used("print(1)", "print") == [0]
    assert used("assert(x)", "assert") == [0]
    assert used("x.print(1)", "print") == []
    assert used("self.print(1)", "print") == []
    assert used("print(1)", "print", "extends Node\nfunc print(x): pass") == []
    assert used("print(1)", "print", "extends Missing") == []


def test_globs_find_all_members_that_fit() -> None:
    sample = Sample({"a.gd": "func a():\n\tOS.delay_msec(1)\n\tOS.delay_usec(1)\n\tOS.get_name()\n"})
    assert sorted({use.name for use in sample.files["a.gd"].uses("delay_*")}) == ["OS.delay_msec", "OS.delay_usec"]


def test_a_hostile_chain_or_variable_costs_little() -> None:
    text = lines(
        "extends Node",
        "func a():",
        f"\tx{'.y' * 20_000}.quit()",
        f"\tx{'.y()' * 5_000}.quit()",
        f"\t{'(' * 400}get_tree(){')' * 400}.quit()",
        *(f"\tvar v{n + 1} := v{n}" for n in range(2_000)),
        "\tv2000.quit()",
        "\tvar v0 := v2000",
    )
    assert Sample({"a.gd": text}).lines(QUIT) == []
