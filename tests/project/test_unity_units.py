import json
from collections.abc import Callable

import pytest

from guards.project.files import ProjectFiles
from guards.project.model import Unit

Write = Callable[[dict[str, str | bytes]], ProjectFiles]
ENGINE_RUNNER = "GUID:27619889b8ba8c24980f49ee34dbb44a"
EDITOR_RUNNER = "GUID:0acc523941302664db1f4e527237feb3"
TEST = "using NUnit.Framework;\npublic class T { [Test] public void A() {} }\n"


def asmdef(name: object = "A", **keys: object) -> str:
    return json.dumps({"name": name, **keys})


def unit_of(write: Write, declaration: str | bytes) -> Unit:
    return write({"Tests/A.asmdef": declaration, "Tests/T.cs": ""}).info("Tests/T.cs").unit


@pytest.mark.parametrize(
    "keys",
    [
        {"defineConstraints": ["UNITY_INCLUDE_TESTS"]},
        {"defineConstraints": ["FOO", "UNITY_TESTS_FRAMEWORK"]},
        {"optionalUnityReferences": ["TestAssemblies"]},
        {"references": ["UnityEngine.TestRunner"], "precompiledReferences": ["nunit.framework.dll"]},
        {"references": [EDITOR_RUNNER], "precompiledReferences": ["NUnit.Framework.dll"]},
        {"references": [ENGINE_RUNNER.upper()], "precompiledReferences": ["x.dll", "nunit.framework.dll"]},
    ],
)
def test_each_way_to_make_a_test_assembly_is_known(write: Write, keys: dict[str, object]) -> None:
    project = write({"Tests/A.asmdef": asmdef(**keys), "Tests/deep/T.cs": ""})
    info = project.info("Tests/deep/T.cs")
    assert (info.role, info.unit.test, info.unit.kind, info.unit.path) == ("test", True, "asmdef", "Tests/A.asmdef")
    assert info.unit.fact("test-frameworks") == ("nunit", "utf")


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"defineConstraints": ["!UNITY_INCLUDE_TESTS"]},
        {"defineConstraints": ["UNITY_INCLUDE_TESTS || DEBUG"]},
        {"defineConstraints": "UNITY_INCLUDE_TESTS"},
        {"optionalUnityReferences": []},
        {"references": ["UnityEngine.TestRunner"]},
        {"precompiledReferences": ["nunit.framework.dll"]},
        {"references": ["GUID:00000000000000000000000000000000"], "precompiledReferences": ["nunit.framework.dll"]},
        {"includePlatforms": ["Editor"]},
    ],
)
def test_what_makes_no_test_assembly(write: Write, keys: dict[str, object]) -> None:
    project = write({"Tests/A.asmdef": asmdef(**keys), "Tests/T.cs": TEST})
    info = project.info("Tests/T.cs")
    assert (info.role, info.unit.test, info.unit.mode) == ("product", False, "")


@pytest.mark.parametrize(
    ("platforms", "mode"),
    [
        (["Editor"], "EditMode"),
        ([], "PlayMode"),
        (None, "PlayMode"),
        (["Editor", "LinuxStandalone64"], "PlayMode"),
        (["LinuxStandalone64"], "PlayMode"),
        ("Editor", "PlayMode"),
    ],
)
def test_edit_mode_is_the_editor_alone(write: Write, platforms: object, mode: str) -> None:
    keys = {"defineConstraints": ["UNITY_INCLUDE_TESTS"]}
    declared = asmdef(**keys) if platforms is None else asmdef(includePlatforms=platforms, **keys)
    assert unit_of(write, declared).mode == mode


def test_a_unit_says_what_its_declaration_says(write: Write) -> None:
    declared = asmdef("Sample.Tests", references=["B", "A"], precompiledReferences=["x.dll"], defineConstraints=["C"])
    unit = unit_of(write, declared)
    assert unit.name == "Sample.Tests"
    assert unit.fact("references") == ("B", "A")
    assert unit.fact("precompiled") == ("x.dll",)
    assert unit.fact("define-constraints") == ("C",)


def test_the_nearest_declaration_owns_a_file(write: Write) -> None:
    project = write(
        {
            "A.asmdef": asmdef("A"),
            "Editor/B.asmdef": asmdef("B"),
            "Editor/Deep/er/T.cs": "",
            "T.cs": "",
            "Editorial/T.cs": "",
            "Editor/C.csproj": "<Project/>",
        }
    )
    names = {path: project.info(path).unit.name for path in project.listing() if path.endswith(".cs")}
    assert names == {"Editor/Deep/er/T.cs": "B", "T.cs": "A", "Editorial/T.cs": "A"}


@pytest.mark.parametrize(
    "reference", ["E", "e", "GUID:0123456789abcdef0123456789abcdef", "guid:0123456789ABCDEF0123456789abcdef"]
)
def test_a_reference_adds_its_folder_to_an_assembly_elsewhere(write: Write, reference: str) -> None:
    project = write(
        {
            "Tests/P.asmdef": asmdef("P"),
            "Tests/Inner/r.asmref": json.dumps({"reference": reference}),
            "Tests/Inner/T.cs": "",
            "Other/E.asmdef": asmdef("E", includePlatforms=["Editor"], defineConstraints=["UNITY_INCLUDE_TESTS"]),
            "Other/E.asmdef.meta": "fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\n",
        }
    )
    info = project.info("Tests/Inner/T.cs")
    assert (info.unit.name, info.unit.path, info.unit.mode, info.role) == ("E", "Other/E.asmdef", "EditMode", "test")


def test_of_two_assemblies_of_one_name_the_closer_is_meant(write: Write) -> None:
    files: dict[str, str | bytes] = {"a/x/r.asmref": '{"reference": "E"}', "a/x/T.cs": ""}
    for folder in ("a/lib", "b/lib"):
        files[f"{folder}/E.asmdef"] = asmdef("E")
    assert write(files).info("a/x/T.cs").unit.path == "a/lib/E.asmdef"


@pytest.mark.parametrize("reference", ['{"reference": "Elsewhere.Tests"}', '{"reference": 3}', "{}", "[", "GUID:"])
def test_a_reference_to_nothing_known_makes_no_test_code(write: Write, reference: str) -> None:
    project = write(
        {"Tests/P.asmdef": asmdef("P", defineConstraints=["UNITY_INCLUDE_TESTS"]), "Tests/x/r.asmref": reference}
    )
    info = project.info("Tests/x/T.cs")
    assert (info.role, info.unit.kind, info.unit.test) == ("product", "asmdef", False)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"name": "A",}',
        b"\x00\x01\x02",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"defineConstraints": [' + b"9" * 10_000 + b"]}",
        b'{"name": "\xff\xfe"',
        b"\xff\xfe{",
    ],
)
def test_a_broken_declaration_is_an_unknown_unit_with_a_note(write: Write, content: bytes) -> None:
    unit = unit_of(write, content)
    assert (unit.kind, unit.path, unit.test) == ("asmdef", "Tests/A.asmdef", False)
    assert unit.fact("note")


def test_a_huge_declaration_is_not_read(write: Write) -> None:
    assert "limit" in unit_of(write, b'{"name": "' + b"x" * (3 << 20) + b'"}').fact("note")[0]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_are_read(write: Write, encoding: str) -> None:
    unit = unit_of(write, asmdef("Größe", defineConstraints=["UNITY_INCLUDE_TESTS"]).encode(encoding))
    assert (unit.name, unit.test) == ("Größe", True)


def test_of_two_equal_keys_the_last_holds_and_halves_of_characters_can_be_written(write: Write) -> None:
    unit = unit_of(write, '{"name": "A", "name": "B\\ud800", "references": ["\\udc00"]}')
    assert unit.name == "B?"
    assert unit.fact("references") == ("?",)


def test_types_that_nobody_expects_say_nothing(write: Write) -> None:
    unit = unit_of(
        write, '{"name": {"a": 1}, "references": {"b": 2}, "includePlatforms": [1, null], "defineConstraints": [[]]}'
    )
    assert unit == Unit("asmdef", "", "Tests/A.asmdef")


def test_without_a_declaration_the_predefined_assemblies_own_files_below_assets(write: Write) -> None:
    project = write(
        {
            "game/ProjectSettings/ProjectVersion.txt": "",
            "game/Assembly-CSharp.csproj": "<Project/>",
            "game/Assets/Scripts/A.cs": "",
            "game/Assets/Scripts/Editor/Deep/B.cs": "",
            "game/Assets/editor/C.cs": "",
            "game/Tools/D.cs": "",
        }
    )
    units = {path.rpartition("/")[2]: project.info(path).unit for path in project.listing() if path.endswith(".cs")}
    assert {name: (unit.name, unit.kind, unit.path) for name, unit in units.items()} == {
        "A.cs": ("Assembly-CSharp", "unity", "game"),
        "B.cs": ("Assembly-CSharp-Editor", "unity", "game"),
        "C.cs": ("Assembly-CSharp-Editor", "unity", "game"),
        "D.cs": ("", "", ""),
    }
    assert units["A.cs"].fact("test-frameworks") == ("nunit", "utf")


@pytest.mark.parametrize(
    "source",
    [
        TEST,
        "using NUnit.Framework;\nclass T {\n  [ TestCase(1) ]\n  void A(int a) {} }",
        'using NUnit.Framework;\nclass T { [Category("x"), Test] void A() {} }',
        "using UnityEngine.TestTools;\nclass T { [UnityTest] IEnumerator A() {} }",
        "class T { [NUnit.Framework.TestAttribute] void A() {} }",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_test_in_the_predefined_editor_assembly_is_edit_mode(write: Write, source: str, encoding: str) -> None:
    info = write({"Assets/Editor/T.cs": source.encode(encoding)}).info("Assets/Editor/T.cs")
    assert (info.role, info.unit.test, info.unit.mode) == ("test", True, "EditMode")


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("Assets/Editor/T.cs", "using NUnit.Framework;\nclass T { void Test() {} }"),
        ("Assets/Editor/T.cs", "class T { [Testable] void A() {} }"),
        ("Assets/Editor/T.cs", "using Other;\nclass T { [Test] void A() {} }"),
        ("Assets/Runtime/T.cs", TEST),
        ("Assets/Editor/Missing.cs", ""),
    ],
)
def test_other_files_of_predefined_assemblies_are_product(write: Write, path: str, source: str) -> None:
    info = write({path: source}).info(path)
    assert (info.role, info.unit.test, info.unit.mode) == ("product", False, "")


def test_a_declaration_is_itself_of_its_unit(write: Write) -> None:
    project = write({"Tests/A.asmdef": asmdef(defineConstraints=["UNITY_INCLUDE_TESTS"])})
    info = project.info("Tests/A.asmdef")
    assert (info.language, info.role, info.unit.mode) == ("project", "project-file", "PlayMode")
