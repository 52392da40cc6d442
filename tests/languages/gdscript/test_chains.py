"""What a script derives from, in every spelling that Godot accepts."""

import pytest
from languages.gdscript.sample import Sample, lines, script

BASE = "class_name Base\nextends Node\n\nclass Inner extends RefCounted:\n\tclass Deep extends Resource:\n\t\tpass\n"


@pytest.mark.parametrize(
    "head",
    [
        "extends Base",
        'extends "res://lib/base.gd"',
        "extends 'res://lib/base.gd'",
        'extends """res://lib/base.gd"""',
        'extends r"res://lib/base.gd"',
        'extends "res://lib/b\\u0061se.gd"',
        'extends "base.gd"',
        'extends "./base.gd"',
        'extends "../lib/base.gd"',
        "class_name Derived extends Base",
        "class_name Derived\nextends Base",
        "class_name Derived; extends Base",
        "@tool\nextends Base",
        "@tool extends Base",
        "@tool @icon('res://i.svg') class_name Derived extends Base",
        "@tool\n@icon('res://i.svg')\nclass_name Derived\nextends Base",
        '@tool class_name Derived extends "base.gd"',
        "extends \\\n\tBase",
        "## A comment.\n# Another.\n\nextends Base # the base",
        "extends Lib\nconst Lib = preload('res://lib/base.gd')",
        'extends Lib\nconst Lib := preload("base.gd")',
        "extends Lib\nconst First := preload('base.gd')\nconst Lib := First",
    ],
)
def test_a_base_is_found_however_it_is_spelled(head: str) -> None:
    sample = Sample({"lib/derived.gd": f"{head}\n\nfunc a():\n\tpass\n", "lib/base.gd": BASE})
    assert sample.bases("lib/derived.gd") == "lib/derived.gd > lib/base.gd > engine Node"


@pytest.mark.parametrize(
    "head",
    [
        "extends Base.Inner",
        'extends "res://lib/base.gd".Inner',
        'extends "base.gd".Inner',
        "extends Lib.Inner\nconst Lib := preload('base.gd')",
        "extends Lib\nconst Lib := preload('base.gd').Inner",
        "@tool extends Base.Inner",
        '@tool extends "base.gd".Inner',
    ],
)
def test_a_base_can_be_an_inner_class_of_another_script(head: str) -> None:
    sample = Sample({"lib/derived.gd": f"{head}\n", "lib/base.gd": BASE})
    assert sample.bases("lib/derived.gd") == "lib/derived.gd > lib/base.gd:Inner > engine RefCounted"


def test_inner_classes_are_inherited_and_nested() -> None:
    sample = Sample({
        "a.gd": "extends Mid.Inner.Deep\n",
        "lib/mid.gd": "class_name Mid extends Base\nconst Again := preload('base.gd')\n",
        "b.gd": "extends Mid.Again\n",
        "lib/base.gd": BASE,
    })  # fmt: skip
    assert sample.bases("a.gd") == "a.gd > lib/base.gd:Deep > engine Resource"
    assert sample.bases("b.gd") == "b.gd > lib/base.gd > engine Node"


def test_inner_classes_find_their_bases_around_them() -> None:
    text = lines(
        "extends Base",
        "const Lib := preload('res://lib/base.gd')",
        "class A:",
        "\textends Control",
        "class B extends A:",
        "\tclass C extends B:",
        "\t\tpass",
        "class D extends Inner:",
        "\tpass",
        "class E extends Lib:",
        "\tpass",
        "class F:",
        "\tpass",
    )
    sample = Sample({"a.gd": text, "lib/base.gd": BASE})
    assert sample.bases(name="A") == "a.gd:A > engine Control"
    assert sample.bases(name="C") == "a.gd:C > a.gd:B > a.gd:A > engine Control"
    assert sample.bases(name="D") == "a.gd:D > lib/base.gd:Inner > engine RefCounted"
    assert sample.bases(name="E") == "a.gd:E > lib/base.gd > engine Node"
    assert sample.bases(name="F") == "a.gd:F > engine RefCounted"


def test_a_script_can_derive_from_its_own_inner_class() -> None:
    sample = Sample({"a.gd": "extends Own\nclass Own extends Node2D:\n\tpass\n"})
    assert sample.bases() == "a.gd > a.gd:Own > engine Node2D"


@pytest.mark.parametrize("framework", ["McpTestSuite", "GutTest", "GdUnitTestSuite"])
def test_a_framework_is_known_where_its_files_are_not(framework: str) -> None:
    sample = Sample({"a.gd": "extends Mid\n", "mid.gd": f"class_name Mid\nextends {framework}\n"})
    assert sample.bases() == f"a.gd > mid.gd > {framework}"
    assert sample.index.is_test("a.gd")
    assert sample.index.is_test("mid.gd")


@pytest.mark.parametrize(
    ("path", "framework"),
    [
        ("res://addons/gut/test.gd", "GutTest"),
        ("res://addons/godot_ai/testing/test_suite.gd", "McpTestSuite"),
        ("res://addons/gdUnit4/src/GdUnitTestSuite.gd", "GdUnitTestSuite"),
    ],
)
def test_a_framework_is_known_by_the_path_of_its_script(path: str, framework: str) -> None:
    sample = Sample({"a.gd": f'extends "{path}"\n', "b.gd": f'extends Suite\nconst Suite := preload("{path}")\n'})
    assert sample.bases("a.gd") == f"a.gd > {framework}"
    assert sample.bases("b.gd") == f"b.gd > {framework}"


def test_the_class_of_a_framework_is_no_suite_itself() -> None:
    sample = Sample({"addons/gut/test.gd": "class_name GutTest\nextends Node\n", "a.gd": "extends GutTest\n"})
    assert sample.bases() == "a.gd > GutTest"
    assert sample.index.is_test("a.gd")
    assert not sample.index.is_test("addons/gut/test.gd")


def test_an_inner_class_is_preferred_to_a_framework_of_its_name() -> None:
    sample = Sample({"a.gd": "class GutTest extends Node:\n\tpass\nclass A extends GutTest:\n\tpass\n"})
    assert sample.bases(name="A") == "a.gd:A > a.gd:GutTest > engine Node"


@pytest.mark.parametrize(
    "head",
    [
        "extends Missing",
        'extends "missing.gd"',
        'extends "uid://c4f8h2k1"',
        "extends Node.Missing",
        "extends Lib\nconst Lib := preload('missing.gd')",
        "extends Lib\nconst Lib := preload('res://' + 'x.gd')",
        "extends 'a.gd'",
        "extends B\nclass B extends C:\n\tpass\nclass C extends B:\n\tpass",
        "extends A\nconst A := A",
        "extends A\nconst A := B\nconst B := A",
    ],
)
def test_what_cannot_be_found_or_goes_in_a_circle_is_unknown(head: str) -> None:
    sample = Sample({"a.gd": f"{head}\n"})
    assert sample.chain().end == "unknown"
    assert not sample.index.is_test("a.gd")


def test_no_base_at_all_is_the_engine_s_default() -> None:
    assert Sample({"a.gd": "func a():\n\tpass\n"}).bases() == "a.gd > engine RefCounted"


def test_a_base_that_may_stand_in_what_did_not_parse_is_unknown() -> None:
    assert Sample({"a.gd": ") = (\nfunc a():\n\tpass\n"}).chain().end == "unknown"


def test_a_class_name_that_two_scripts_claim_is_neither() -> None:
    sample = Sample({
        "a.gd": "extends Twice\n", "b.gd": "class_name Twice\nextends GutTest\n", "c.gd": "class_name Twice\n",
    })  # fmt: skip
    assert sample.bases() == "a.gd > unknown Twice"


def test_class_names_and_res_belong_to_the_nearest_project() -> None:
    sample = Sample(
        {
            "one/a.gd": "extends Base\n",
            "one/base.gd": "class_name Base\nextends Node\n",
            "two/a.gd": 'extends "res://base.gd"\n',
            "two/b.gd": "extends Other\n",
            "two/base.gd": "class_name Base\nextends Control\n",
            "three/other.gd": "class_name Other\n",
        },
        {path: f"{path[:3].rstrip('/')}/project.godot" for path in ("one/a.gd", "one/base.gd", "two/a.gd", "two/b.gd", "two/base.gd")},
    )  # fmt: skip
    assert sample.bases("one/a.gd") == "one/a.gd > one/base.gd > engine Node"
    assert sample.bases("two/a.gd") == "two/a.gd > two/base.gd > engine Control"
    assert sample.bases("two/b.gd") == "two/b.gd > unknown Other"


def test_a_long_chain_is_followed_and_an_endless_one_is_not() -> None:
    def chain_of(length: int) -> Sample:
        files = {f"c{n}.gd": f"class_name C{n}\nextends C{n + 1}\n" for n in range(length)}
        return Sample({**files, f"c{length}.gd": f"class_name C{length}\nextends GutTest\n"})

    assert chain_of(40).chain("c0.gd").framework == "GutTest"
    assert chain_of(200).chain("c0.gd").end == "unknown"


def test_deeply_nested_classes_overflow_nothing() -> None:
    deep = "".join(f"{'	' * n}class C{n} extends C{max(0, n - 1)}:\n" for n in range(120)) + "\t" * 120 + "pass\n"
    sample = Sample({"a.gd": deep})
    assert sample.chain(name="C119").end in {"unknown", "engine"}


@pytest.mark.parametrize(
    ("text", "tool", "abstract"),
    [
        ("@tool\nextends Node\n", True, False),
        ("@tool extends Node\nfunc a():\n\tpass\n", True, False),
        ("@tool\n@abstract\nclass_name A\nextends Node\n", True, True),
        ("@abstract class_name A extends Node\n", False, True),
        ("@tool @abstract class_name A extends Node\n", True, True),
        ("# a\n\n@tool\n\n# b\nclass_name A\n", True, False),
        ("@tool\nfunc a():\n\tpass\n", True, False),
        ("@icon('x.svg')\nclass_name A\nextends Node\n", False, False),
        ("extends Node\n@abstract\nfunc a()\n", False, False),
        ("extends Node\n@abstract func a()\n", False, False),
        ("extends Node\n@abstract\nclass A:\n\tpass\n", False, False),
        ("extends Node\nclass A:\n\t@tool\n\tfunc a():\n\t\tpass\n", False, False),
    ],
)
def test_annotations_of_the_script_are_those_of_its_head(text: str, *, tool: bool, abstract: bool) -> None:
    declared = script(text).facts().classes[0]
    assert (declared.tool, declared.abstract) == (tool, abstract)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("@tool\nextends Node\n", 2, 1),
        ("class_name A extends Node\n", 1, 14),
        ("@tool class_name A extends Node\n", 1, 20),
        ("@tool extends Node\n", 1, 7),
        ("# größe\n@tool extends Node\n", 2, 7),
        ("class_name A\n", 1, 1),
        ("\n\nfunc a():\n\tpass\n", 1, 1),
    ],
)
def test_the_head_of_a_script_is_its_extends_else_its_name_else_its_first_line(
    text: str, line: int, column: int
) -> None:
    head = script(text).facts().classes[0].head
    assert (head.line, head.column) == (line, column)
