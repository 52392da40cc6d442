"""The functions of a script: whose they are, what they take, where they wait, what they give back."""

import pytest
from languages.gdscript.sample import functions, lines, script

from guards.languages.gdscript.facts import Alias, Parameter, TypeName


def awaits(text: str) -> dict[str, list[int]]:
    """The lines of the awaits of each function of the script class that has any."""
    return {name: [place.line for place in f.awaits] for name, f in functions(text).items() if f.awaits}


def test_parameters_say_whether_they_can_be_left_out() -> None:
    text = "func a(b, c: int, d = 1, e: Array[int] = [], f := 2, ...g: Array) -> int:\n\treturn 1\n"
    declared = functions(text)["a"]
    assert declared.parameters == (
        Parameter("b", "required"),
        Parameter("c", "required", "int"),
        Parameter("d", "optional"),
        Parameter("e", "optional", "Array[int]"),
        Parameter("f", "optional", ":="),
        Parameter("g", "variadic", "Array"),
    )
    assert declared.returns == "int"


def test_static_abstract_and_constructors_are_told_apart() -> None:
    text = lines(
        "static func a():",
        "\tpass",
        "@abstract func b()",
        "@abstract",
        "func c()",
        '@warning_ignore("static_called_on_instance") func d():',
        "\tpass",
        '@warning_ignore("x")',
        "static func e():",
        "\tpass",
        "func _init(x):",
        "\tpass",
    )
    found = functions(text)
    assert [name for name, f in found.items() if f.static] == ["a", "e"]
    assert [name for name, f in found.items() if f.abstract] == ["b", "c"]
    assert found["_init"].parameters == (Parameter("x", "required"),)


def test_functions_belong_to_the_class_around_them() -> None:
    text = lines(
        "func a(): pass",
        "class B:",
        "# a comment has no indent",
        "\tfunc b(): pass",
        "\tclass C extends B:",
        "\t\tfunc c(): pass",
        "# nor has this one",
        "\t\tfunc c2(): pass",
        "\tfunc b2(): pass",
        "func d(): pass",
    )
    facts = script(text).facts()
    owners = {f.name: facts.classes[f.owner].name for f in facts.functions}
    assert owners == {"a": "", "b": "B", "c": "C", "c2": "C", "b2": "B", "d": ""}
    assert facts.complete


@pytest.mark.parametrize(
    "body",
    [
        "await s",
        "if not await s: pass",
        "while await s: pass",
        "for i in await s: pass",
        "return await s",
        "match await s:\n\t\t_: pass",
        "f(1, await s)",
        "var x = [await s]",
        "var x := {1: await s}",
        "x.y = await s",
        "x += (await s) + 1",
        "assert_true(await s, 'x')",
        "(await s).size()",
        "return 1 if await s else 2",
        "await  s",
        "await(s)",
        "await await s",
        "await 1",
        "@warning_ignore('x')\n\tvar x = await s",
    ],
)
def test_an_await_is_found_wherever_it_stands(body: str) -> None:
    found = functions(f"func test_a():\n\t{body}\n")["test_a"].awaits
    assert {place.line for place in found} == ({3} if body.startswith("@") else {2})
    assert all(place.end_column - place.column == len("await") for place in found)


@pytest.mark.parametrize(
    "body",
    [
        "d.await = 1",
        "var d := {'await': 1}",
        "print('await s')  # await s",
        'var x = """\nawait s\n"""',
        "var f := func(): await s",
        "var f := func():\n\t\tawait s\n\t\treturn 1",
        "f(func(x): return await x)",
        "return func(): await s",
        "f(func(): f(func(): await s))",
        "awaited(s)",
    ],
)
def test_neither_the_word_nor_a_lambda_awaits(body: str) -> None:
    assert functions(f"func test_a():\n\t{body}\n")["test_a"].awaits == ()


def test_awaits_count_for_the_function_that_they_stand_in() -> None:
    text = lines(
        "var hp := 1:",
        "\tset(v):",
        "\t\tawait s",
        "var late = func(): await s",
        "func a():",
        "\tvar f := func():",
        "\t\tawait s",
        "\tawait s",
        "\tf.call()",
        "\tawait s",
        "class B:",
        "\tfunc a():",
        "\t\tawait s",
        "func b(x = await s): pass",
    )
    assert awaits(text) == {"a": [8, 10], "b": [14]}


def test_a_comment_without_indent_ends_no_function() -> None:
    text = lines(
        "func a():",
        "\tif x:",
        "\t\ty()",
        "# comment",
        "\t\tz()",
        "\t# comment",
        "\telse:",
        "\t\tmatch x:",
        "# comment",
        "\t\t\t1:",
        "\t\t\t\tawait s",
        "#\t\tcommented.out()",
        "\t\t\t2: pass",
        "\tawait t",
    )
    assert awaits(text) == {"a": [11, 14]}
    assert script(text).unread == ()


@pytest.mark.parametrize(
    ("body", "literal"),
    [
        ('return "player"', "player"),
        ("return 'player'", "player"),
        ('return """player"""', "player"),
        ('return r"pl\\ayer"', "pl\\ayer"),
        ('return &"player"', "player"),
        ('return "pl\\u0061yer"', "player"),
        ('return "a \\"b\\" \\t"', 'a "b" \t'),
        ('return ("player")', "player"),
        ('# comment\n\treturn "player" # comment', "player"),
        ('return ""', ""),
        ('return "größe"', "größe"),
        ('return "a" + "b"', None),
        ('return "a" if x else "b"', None),
        ('return "%s" % x', None),
        ("return NAME", None),
        ("return", None),
        ("return 1", None),
        ('print(1)\n\treturn "player"', None),
        ('if x: return "a"\n\treturn "b"', None),
        ("pass", None),
        ('return "\\uD83D"', None),
    ],
)
def test_a_function_that_is_one_return_of_a_text_gives_that_text(body: str, literal: str | None) -> None:
    assert functions(f"func suite_name():\n\t{body}\n")["suite_name"].literal == literal


def test_one_line_functions_are_functions() -> None:
    assert functions("func suite_name(): return 'player'\n")["suite_name"].literal == "player"
    assert awaits("func test_a(): await s\n") == {"test_a": [1]}


def test_names_of_other_scripts_are_read() -> None:
    text = lines(
        "class_name Größe extends Böse",
        "func test_größe(höhe: int, 幅 := 2):",
        "\tvar länge := höhe",
        "\tawait größer",
        "\tprint('größe', länge)",
        "func test_プレイヤー(): pass",
    )
    file = script(text)
    assert file.unread == ()
    facts = file.facts()
    assert facts.classes[0].name == "Größe"
    assert str(facts.classes[0].base) == "Böse"
    assert [f.name for f in facts.functions] == ["test_größe", "test_プレイヤー"]
    assert [p.name for p in facts.functions[0].parameters] == ["höhe", "幅"]
    assert [place.line for place in facts.functions[0].awaits] == [4]
    assert facts.functions[0].place.end_column == len("func test_größe") + 1


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_line_ends_of_every_platform(newline: str) -> None:
    text = newline.join(["extends Node", "func test_a():", "\tpass # c", "# d", "\tawait s", "func test_b(): pass", ""])
    file = script(text)
    assert file.unread == ()
    assert [f.name for f in file.facts().functions] == ["test_a", "test_b"]
    assert [place.line for place in file.facts().functions[0].awaits] == [5]
    assert [comment.text for comment in file.comments] == ["# c", "# d"]


def test_variables_signals_and_constants_are_no_functions() -> None:
    text = "var test_a := 1\nsignal test_b\nconst test_c = 1\nenum test_d { A }\nvar test_e = func(): pass\n"
    assert functions(text) == {}


def test_variables_have_their_declared_type() -> None:
    text = lines(
        "var a: Node",
        "@onready var b := get_tree()",
        "var c = Node.new()",
        "static var d := Timer.new()",
        "class E:",
        "\tvar f: Control",
    )
    found = [(v.name, v.type, v.owner) for v in script(text).facts().variables]
    assert found == [("a", "Node", 0), ("b", "SceneTree", 0), ("c", "", 0), ("d", "Timer", 0), ("f", "Control", 1)]


def test_constants_that_hold_scripts_are_aliases() -> None:
    text = lines(
        "const A = preload('res://a.gd')",
        'const B := preload("a.gd").Inner.Deep',
        "const C := Outer.Inner",
        "const D = 1",
        "const E = load('res://a.gd')",
        "const F = preload('res://' + 'a.gd')",
        "const G = [preload('res://a.gd')]",
        "class H:",
        "\tconst I = preload('res://a.gd')",
    )
    assert script(text).facts().aliases == (
        Alias("A", TypeName("res://a.gd"), 0),
        Alias("B", TypeName("a.gd", ("Inner", "Deep")), 0),
        Alias("C", TypeName("", ("Outer", "Inner")), 0),
        Alias("I", TypeName("res://a.gd"), 1),
    )
