"""The presets by name, made from ``presets/*.toml`` by ``tools/generate.py``; change those."""

from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, object]] = {
    "gdunit4": {
        "presets": ["recommended"],
        "rules": {
            "await-in-test": {"severity": "off"},
            "duplicate-suite-name": {"severity": "off"},
            "test-file-outside-discovery": {"severity": "off"},
        },
    },
    "godot-mcp": {
        "presets": ["recommended"],
        "rules": {
            "await-in-test": {"severity": "error"},
            "duplicate-suite-name": {"severity": "error"},
            "test-file-outside-discovery": {"severity": "error"},
        },
    },
    "gut": {
        "presets": ["recommended"],
        "rules": {
            "await-in-test": {"severity": "off"},
            "duplicate-suite-name": {"severity": "off"},
            "test-file-outside-discovery": {"severity": "off"},
        },
    },
    "recommended": {
        "rules": {
            "async-void": {"severity": "error"},
            "thread-sleep": {"severity": "warning"},
            "await-in-test": {"severity": "error"},
            "duplicate-suite-name": {"severity": "error"},
            "skip-without-return": {"severity": "error"},
            "test-file-outside-discovery": {"severity": "error"},
            "test-without-assertion": {"severity": "warning", "gdscript": {"severity": "error"}},
            "unowned-patch-through-import": {"severity": "note"},
            "unregistered-marker": {"severity": "warning"},
            "parse-incomplete": {"severity": "note"},
            "stale-baseline": {"severity": "warning"},
            "suppression-without-reason": {"severity": "error"},
            "unknown-rule-in-suppression": {"severity": "error"},
            "unused-suppression": {"severity": "warning"},
        },
        "forbid": [
            {
                "name": "player-loop-await-in-editmode",
                "api": [
                    "UnityEngine.Awaitable.EndOfFrameAsync",
                    "UnityEngine.Awaitable.FixedUpdateAsync",
                    "UnityEngine.Awaitable.NextFrameAsync",
                    "UnityEngine.Awaitable.WaitForSecondsAsync",
                ],
                "language": "csharp",
                "use": "call",
                "unit": "EditMode",
                "why": "it waits for the player loop, which does not turn in Edit Mode",
                "instead": "wait for editor updates, with a bound",
            },
        ],
    },
    "resonite-io": {
        "presets": ["recommended"],
        "rules": {
            "mock-of-concrete-type": {"severity": "error"},
            "unowned-mock": {
                "severity": "error",
                "third-party": [
                    "BepInEx.*",
                    "Elements.Core.*",
                    "FrooxEngine.*",
                    "Grpc.*",
                    "HarmonyLib.*",
                    "Microsoft.AspNetCore.*",
                    "MonoMod.*",
                    "ProtoFlux.*",
                ],
            },
            "exact-exception-message": {"severity": "error"},
            "internal-mock": {"severity": "error"},
            "unittest-mock": {"severity": "error"},
            "unowned-patch": {"severity": "error"},
            "unowned-patch-through-import": {"severity": "error"},
            "unregistered-marker": {"severity": "error"},
        },
    },
    "save-system": {
        "presets": ["recommended"],
        "forbid": [
            {
                "name": "process-race",
                "api": [
                    "System.Diagnostics.Process.Kill",
                    "System.Environment.FailFast",
                    "System.Threading.Thread.Abort",
                ],
                "language": "csharp",
                "use": "call",
                "severity": "warning",
                "why": "when it strikes is a race, so the test flakes instead of proving anything",
                "instead": "let a store in memory report the failure",
            },
        ],
    },
    "strict": {
        "presets": ["recommended"],
        "rules": {
            "asset-database-refresh": {"severity": "error"},
            "direct-preview-scene": {"severity": "warning"},
            "editor-prefs-mutation": {"severity": "error"},
            "ienumerator-method": {"severity": "warning"},
            "mock-of-concrete-type": {"severity": "warning"},
            "process-race": {"severity": "warning"},
            "test-without-assertion": {"csharp": {"unknown": True}},
            "thread-sleep": {"severity": "error"},
            "undo-clear": {"severity": "error"},
            "unity-coroutine-test": {"severity": "warning"},
            "unowned-mock": {"severity": "warning"},
            "version-gate": {"severity": "warning"},
            "exact-exception-message": {"severity": "warning"},
            "internal-mock": {"severity": "error"},
            "unittest-mock": {"severity": "error"},
            "unowned-patch": {"severity": "error"},
            "unowned-patch-through-import": {"severity": "error"},
            "unregistered-marker": {"severity": "error"},
            "parse-incomplete": {"severity": "error"},
        },
    },
    "unity-biome": {
        "presets": ["recommended"],
        "rules": {
            "asset-database-refresh": {"severity": "error"},
            "async-void": {"severity": "error"},
            "editor-prefs-mutation": {
                "severity": "error",
                "helper-bases": ["MultiSceneTestBase", "SceneCleanTestBase", "SceneTestBase", "UnityMcpTestBase"],
            },
            "fixture-without-base": {
                "severity": "error",
                "bases": ["MultiSceneTestBase", "SceneCleanTestBase", "SceneTestBase", "UnityMcpTestBase"],
            },
            "ienumerator-method": {"severity": "error"},
            "thread-sleep": {"severity": "error"},
            "unity-coroutine-test": {"severity": "error"},
            "version-gate": {"severity": "error"},
        },
        "forbid": [
            {
                "name": "direct-preview-scene",
                "api": [
                    "UnityEditor.SceneManagement.EditorSceneManager.ClosePreviewScene",
                    "UnityEditor.SceneManagement.EditorSceneManager.NewPreviewScene",
                ],
                "language": "csharp",
                "use": "call",
                "why": "nobody can find a preview scene whose handle a failed test has lost",
                "instead": "call `CreateOwnedPreviewScene()`, and the common base closes it",
            },
            {
                "name": "undo-clear",
                "api": "UnityEditor.Undo.ClearAll",
                "language": "csharp",
                "use": "call",
                "why": "it wipes the undo history of everything that is open, not only of the test's objects",
                "instead": "clear the undo history of the test's own object with `Undo.ClearUndo`",
            },
        ],
        "overrides": [
            {
                "paths": ["TestSupport/", "UnityMcpTestBase.cs"],
                "ignore": ["direct-preview-scene", "editor-prefs-mutation", "undo-clear"],
            },
        ],
        "acceptance": {
            "mode": "EditMode",
            "editor-version": "6000.0.65f1",
            "framework-version": "1.6.0",
            "worker-only-categories": ["UnityMCP.FaultInjection"],
        },
    },
}
