"""Rows of forbidden APIs that come with C# rules."""

import pytest
from languages.csharp.judged import findings, places

from guards.rules.csharp.asset_database_refresh import AssetDatabaseRefresh
from guards.rules.csharp.editor_prefs_mutation import EditorPrefsMutation
from guards.rules.csharp.thread_sleep import ThreadSleep


def test_each_place_once_however_many_variants_show_it() -> None:
    text = "using System.Threading;\nclass T { void A() {\n#if A\nB();\n#else\nC();\n#endif\nAction a = Thread.Sleep; } }\n"
    (found,) = findings(ThreadSleep(), {"T.cs": text})
    assert (found.place.line, found.place.column, found.place.end_column) == (8, 19, 24)
    assert found.message == "`Thread.Sleep` blocks the thread"


def test_product_code_only_where_it_is_asked_for() -> None:
    files = {"Runtime/Queue.cs": "class Q { void A() => System.Threading.Thread.Sleep(1); }\n"}
    assert findings(ThreadSleep(), files) == []
    assert len(findings(ThreadSleep(), files, product="report")) == 1


@pytest.mark.parametrize(
    ("include", "statement"),
    [
        ("SpinWait.SpinUntil", "SpinWait.SpinUntil(() => true);"),
        ("SpinWait.SpinUntil", "System.Threading.SpinWait.SpinUntil(() => true, 10);"),
        ("Thread.SpinWait", "Thread.SpinWait(10);"),
        ("Task.Delay(..).Wait", "Task.Delay(10).Wait();"),
        ("Task.Delay(..).Wait", "System.Threading.Tasks.Task.Delay(TimeSpan.FromSeconds(1))!.Wait(5);"),
    ],
)
def test_what_else_blocks(include: str, statement: str) -> None:
    text = f"using System.Threading;\nusing System.Threading.Tasks;\nclass T {{ void A() {{ {statement} }} }}\n"
    assert places(ThreadSleep(), text) == []
    assert [line for line, _ in places(ThreadSleep(), text, include=(include,))] == [3]


@pytest.mark.parametrize(
    "statement",
    ["task.Wait();", "Task.Run(A).Wait();", "Delay(1).Wait();", "spinner.SpinUntil();", "Task.Delay(1).Wait;"],
)
def test_what_looks_like_it(statement: str) -> None:
    text = f"using System.Threading;\nusing System.Threading.Tasks;\nclass T {{ Task Delay(int i) => null; void A(Task task) {{ {statement} }} }}\n"
    expected = 1 if statement.endswith("Wait;") else 0  # handed on as a method group
    assert len(places(ThreadSleep(), text, include=("SpinWait.SpinUntil", "Task.Delay(..).Wait"))) == expected


def test_allowed_paths() -> None:
    text = "using System.Threading;\nclass T { void A() => Thread.Sleep(1); }\n"
    files = {"Tests/Driver/T.cs": text, "Tests/T.cs": text}
    assert [found.place.path for found in findings(ThreadSleep(), files, allow_paths=("Tests/Driver/",))] == [
        "Tests/T.cs"
    ]


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        ('"Assets", ImportAssetOptions.ImportRecursive', True),
        ('"Assets/", ImportAssetOptions.ForceUpdate | ImportAssetOptions.ImportRecursive', True),
        ('options: ImportAssetOptions.ImportRecursive, path: "Packages"', True),
        ('"Assets", options: ImportAssetOptions.ImportRecursive', True),
        ("Root, ImportAssetOptions.ImportRecursive", True),
        ('"Assets/Temp", ImportAssetOptions.ImportRecursive', False),
        ('"Assets", ImportAssetOptions.ForceUpdate', False),
        ('"Assets"', False),
        ("path, ImportAssetOptions.ImportRecursive", False),
    ],
)
def test_recursive_imports_of_roots(arguments: str, *, reported: bool) -> None:
    text = f'using UnityEditor;\nclass T {{ const string Root = "Assets"; void A(string path) => AssetDatabase.ImportAsset({arguments}); }}\n'
    assert bool(places(AssetDatabaseRefresh(), text, include=("ImportAsset",))) == reported
    assert places(AssetDatabaseRefresh(), text) == []


@pytest.mark.parametrize(
    ("store", "member", "include"),
    [
        ("EditorPrefs", "SetFloat", ()),
        ("EditorPrefs", "DeleteAll", ()),
        ("PlayerPrefs", "DeleteKey", ("PlayerPrefs",)),
        ("SessionState", "EraseInt", ("SessionState",)),
    ],
)
def test_stores(store: str, member: str, include: tuple[str, ...]) -> None:
    text = f"using UnityEditor;\nusing UnityEngine;\nclass T {{ void A() => {store}.{member}(); }}\n"
    assert [line for line, _ in places(EditorPrefsMutation(), text, include=include)] == [3]
    assert places(EditorPrefsMutation(), text.replace(member, "Get" + member[3:]), include=include) == []
    if include:
        assert places(EditorPrefsMutation(), text) == []
