"""A refresh of Unity's whole asset database in test code.

## What it does

Reports every use of `UnityEditor.AssetDatabase.Refresh` in test code: called, handed on as a method group or looked up
by reflection, through an alias, `using static` or `global::`. The option `include` adds the other calls that touch
every asset: `SaveAssets`, `ForceReserializeAssets`, and `ImportAsset` of a root folder with `ImportRecursive`.

## Why is this bad?

A refresh imports whatever has changed anywhere in the project, and may compile and reload the editor in the middle of
the run. The test then depends on files that are not its own, and the run can end without a result.

## Use instead

Import the one asset that the test wrote: `AssetDatabase.ImportAsset(path)`.

## Known limits

A recursive import is reported only where its path and its options are constants. A wrapper of the project's own, such
as `ops.RefreshAssets()`, is not followed.
"""

from collections.abc import Iterator
from itertools import product
from typing import ClassVar

from guards.config.catalogue import Forbid
from guards.rule import Example, Option, Options
from guards.rule.forbidden import ForbiddenApi

_DATABASE = "UnityEditor.AssetDatabase"
_IMPORT = "ImportAsset"
_ROOTS = ("Assets", "Assets/", "Packages", "Packages/")


class AssetDatabaseRefresh(ForbiddenApi):
    """One finding for each use."""

    name = "asset-database-refresh"
    code = "SGC002"
    language = "csharp"
    needs = ("name:Refresh", "name:SaveAssets", "name:ForceReserializeAssets", "name:ImportRecursive")
    options: ClassVar = {
        "include": Option(
            (),
            "Further calls on the whole database that are reported.",
            choices=("SaveAssets", "ForceReserializeAssets", _IMPORT),
        ),
        "allow-paths": Option((), "Globs of files that may use them.", paths=True),
    }
    why = "it imports whatever changed anywhere and may reload the editor in the middle of the run"
    instead = "import the one asset that the test wrote, with `AssetDatabase.ImportAsset(path)`"

    def active_rows(self, options: Options) -> tuple[Forbid, ...]:
        """One row for each call, and several for the ways to write a recursive import."""
        included = options.names("include")
        rows = [
            Forbid(self.name, f"{_DATABASE}.{member}", self.language)
            for member in ("Refresh", *included)
            if member != _IMPORT
        ]
        if _IMPORT in included:
            rows.extend(self._recursive_imports())
        return tuple(row._replace(allow_paths=options.names("allow-paths")) for row in rows)

    def _recursive_imports(self) -> Iterator[Forbid]:
        for path, option, root in product(("0", "path"), ("1", "options"), _ROOTS):
            arguments = ((path, root), (option, "*ImportRecursive*"))
            yield Forbid(self.name, f"{_DATABASE}.{_IMPORT}", self.language, use="call", arguments=arguments)

    def message(self, row: Forbid, name: str) -> str:
        """What touches all assets."""
        what = "imports every asset below a root" if row.arguments else "works on the whole asset database"
        return f"`{name.removeprefix('UnityEditor.')}` {what}"

    bad = (
        Example(
            "using NUnit.Framework;\nusing UnityEditor;\n\n"
            "public class ImportTests\n{\n    [Test]\n    public void SeesTheNewFile()\n    {\n"
            '        System.IO.File.WriteAllText("Assets/Temp/a.txt", "a");\n        AssetDatabase.Refresh();  // FLAW\n    }\n}\n',
            "the plain call",
        ),
        Example(
            "using NUnit.Framework;\nusing DB = UnityEditor.AssetDatabase;\nusing static UnityEditor.AssetDatabase;\n\n"
            "public class ImportTests\n{\n    [SetUp]\n    public void SetUp()\n    {\n"
            "        DB.Refresh(UnityEditor.ImportAssetOptions.ForceUpdate);  // FLAW\n"
            "        Refresh();  // FLAW\n"
            "        UnityEditor.EditorApplication.delayCall += global::UnityEditor.AssetDatabase.Refresh;  // FLAW\n"
            '        typeof(DB).GetMethod("Refresh", System.Type.EmptyTypes).Invoke(null, null);  // FLAW\n    }\n}\n',
            "an alias, `using static`, a method group and reflection",
        ),
        Example(
            "using UnityEditor;\n\npublic class ImportTests\n{\n    void Save()\n    {\n"
            "        AssetDatabase.SaveAssets();  // FLAW\n"
            '        AssetDatabase.ImportAsset("Assets", ImportAssetOptions.ForceUpdate | ImportAssetOptions.ImportRecursive);  // FLAW\n'
            "    }\n}\n",
            "further calls by option",
            options=(("include", ("SaveAssets", "ImportAsset")),),
        ),
    )
    good = (
        Example(
            "using NUnit.Framework;\nusing UnityEditor;\n\npublic class ImportTests\n{\n    [Test]\n    public void SeesTheNewFile()\n    {\n"
            '        AssetDatabase.ImportAsset("Assets/Temp/a.txt");\n        AssetDatabase.SaveAssets();\n    }\n}\n',
            "a targeted import; saving is reported only by option",
        ),
        Example(
            "using UnityEditor;\nusing static UnityEditor.AssetDatabase;\n\npublic class PanelTests\n{\n    private readonly Panel _panel = new Panel();\n"
            "    private void Refresh() { }\n\n    void A()\n    {\n        Refresh();\n        _panel.Refresh();\n    }\n}\n",
            "an own method, which wins over `using static`, and a method of another object",
        ),
        Example(
            "using NUnit.Framework;\nusing UnityEditor;\n\npublic class SourceTests\n{\n    [Test]\n    public void NeverRefreshes()\n    {\n"
            '        Assert.That(Read("Sync.cs"), Does.Not.Contain("AssetDatabase.Refresh("));\n'
            "        Assert.That(nameof(AssetDatabase.Refresh), Is.Not.Empty);\n    }\n}\n",
            "text about a call, and `nameof`, call nothing",
        ),
        Example(
            "namespace Game.Tests\n{\n    public static class AssetDatabase { public static void Refresh() { } }\n\n"
            "    public class StoreTests\n    {\n        void A() => AssetDatabase.Refresh();\n    }\n}\n",
            "a type of the project with the same name",
        ),
        Example(
            "using UnityEditor;\n\npublic class ImportTests\n{\n    void Import(string path)\n    {\n"
            "        AssetDatabase.ImportAsset(path, ImportAssetOptions.ImportRecursive);\n"
            '        AssetDatabase.ImportAsset("Assets/Temp", ImportAssetOptions.ImportRecursive);\n    }\n}\n',
            "a recursive import of a folder that is not a root, or may be none",
            options=(("include", ("ImportAsset",)),),
        ),
    )
