from pathlib import Path

import pytest
from engine.fixed_text import ASMDEF, fixed_text

BASE = """\
public abstract class CommonTestBase
{
    protected void SetEditorPrefString(string key, string value) { EditorPrefs.SetString(key, value); }
    protected void SetEditorPrefBool(string key, bool value) { }
    protected void DeleteEditorPrefString(string key) { }
    private void SetEditorPrefInt(string key, int value) { }
}
"""


def fixed(tmp_path: Path, members: str, *, unsafe: bool = False, base: str = "CommonTestBase", config: str = "") -> str:
    head = f"using NUnit.Framework;\nusing UnityEditor;\nclass T : {base}\n{{\n"
    files = {
        "Tests/T.cs": f"{head}{members}}}\n",
        "Tests/Base.cs": BASE,
        "Tests/Sample.Tests.asmdef": ASMDEF,
        "suiteguard.toml": config,
    }
    return fixed_text(tmp_path, "editor-prefs-mutation", files, unsafe=unsafe).removeprefix(head).removesuffix("}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('void A() => EditorPrefs.SetString("k", "v");\n', 'void A() => SetEditorPrefString("k", "v");\n'),
        ("void A() { UnityEditor . EditorPrefs\n  .SetBool(K(1, 2), true); }\n", "void A() { SetEditorPrefBool(K(1, 2), true); }\n"),
        ("void A() { Run(() => EditorPrefs.SetString(K, x)); }\n", "void A() { Run(() => SetEditorPrefString(K, x)); }\n"),
        ("void A() { void L() { EditorPrefs.SetString(K, x); } }\n", "void A() { void L() { SetEditorPrefString(K, x); } }\n"),
    ],
)  # fmt: skip
def test_a_write_goes_through_the_helper_of_the_base(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, before) == after


def test_a_deletion_wants_a_look_and_a_type_that_the_file_shows(tmp_path: Path) -> None:
    members = "void A() { Use(EditorPrefs.GetString(K)); EditorPrefs.DeleteKey(K); EditorPrefs.DeleteKey(L); }\n"
    assert fixed(tmp_path, members) == members
    assert fixed(tmp_path, members, unsafe=True) == members.replace(
        "EditorPrefs.DeleteKey(K)", "DeleteEditorPrefString(K)"
    )


def test_a_base_that_is_in_no_file_is_known_by_name(tmp_path: Path) -> None:
    members = "void A() { EditorPrefs.SetFloat(K, 1f); }\n"
    assert fixed(tmp_path, members, base="Vendor.FarTestBase", unsafe=True) == members
    config = '[rules.editor-prefs-mutation]\nhelper-bases = ["FarTestBase"]\n'
    assert "SetEditorPrefFloat(K, 1f)" in fixed(tmp_path, members, base="Vendor.FarTestBase", config=config)


@pytest.mark.parametrize(
    "members",
    [
        "static void A() { EditorPrefs.SetString(K, x); }\n",
        "static void A() { void L() { EditorPrefs.SetString(K, x); } }\n",
        "void A() { static void L() { EditorPrefs.SetString(K, x); } }\n",
        "T() { EditorPrefs.SetString(K, x); }\n",
        "Action a = () => EditorPrefs.SetString(K, x);\n",
        "class U { void A() { EditorPrefs.SetString(K, x); } }\n",
        "void A() { EditorPrefs.SetInt(K, 1); }\n",  # the base keeps that helper to itself
        "void A() { EditorPrefs.SetFloat(K, 1f); }\n",  # the base has none
        "void A() { EditorPrefs.SetString(value: x, key: K); }\n",
        "void A() { Run(EditorPrefs.SetString); }\n",
        "void A() { EditorPrefs.DeleteAll(); }\n",
        "void A() { EditorPrefs.DeleteKey(K); }\n",
        "void A() { EditorPrefs.GetString(K); PlayerPrefs.SetString(K, x); }\n",
        "void A() { Use(EditorPrefs.GetString(K), EditorPrefs.GetInt(K)); EditorPrefs.DeleteKey(K); }\n",
        "void SetEditorPrefString(string k, string v) { EditorPrefs.SetString(k, v); }\n",
        "void A() {\n#if A\n  EditorPrefs\n#else\n  EditorPrefs\n#endif\n  .SetString(K, x); }\n",
    ],
)
def test_what_has_no_helper_is_left_alone(tmp_path: Path, members: str) -> None:
    assert fixed(tmp_path, members, unsafe=True) == members


def test_without_a_base_nothing_is_fixed(tmp_path: Path) -> None:
    members = "void A() { EditorPrefs.SetString(K, x); }\n"
    assert fixed(tmp_path, members, base="object", unsafe=True) == members
