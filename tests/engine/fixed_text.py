"""What fixes make of one file, for tests of rules."""

from collections.abc import Mapping
from pathlib import Path

from guards.config.model import CommandLine
from guards.engine.fixing import fix
from guards.engine.run import Request

ASMDEF = """{
    "name": "Sample.Tests", "references": ["UnityEngine.TestRunner", "UnityEditor.TestRunner"],
    "includePlatforms": ["Editor"], "overrideReferences": true, "precompiledReferences": ["nunit.framework.dll"],
    "autoReferenced": false, "defineConstraints": ["UNITY_INCLUDE_TESTS"]
}"""


def fixed_text(folder: Path, rule: str, files: Mapping[str, str], *, unsafe: bool = False) -> str:
    """The first of the files after the fixes of a rule; what it was where nothing is fixed."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    first = next(iter(files))
    fixed = fix(Request(str(folder), command_line=CommandLine(select=(rule,))), unsafe=unsafe)
    assert fixed.left.fixes is not None
    assert not fixed.left.fixes.refused
    return next((file.after.decode() for file in fixed.files if file.path == first), files[first])
