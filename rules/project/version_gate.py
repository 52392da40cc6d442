"""A symbol of Unity's version in a project file, so that what is compiled depends on who compiles.

## What it does

Reports version symbols such as `UNITY_6000_0_OR_NEWER` where they decide what is compiled. In project files, plain or
negated, that is:

- `defineConstraints` of an assembly definition, and `versionDefines` whose resource is `Unity` itself;
- `-define:` and `-d:` in `.rsp` files;
- `DefineConstants` in `.csproj`, `.props` and `.targets`;
- `scriptingDefineSymbols` in `ProjectSettings/ProjectSettings.asset`.

The rule of the same name for C# reports them in the sources.

## Why is this bad?

A suite that is run with one editor proves nothing about code that only another editor compiles. A whole assembly of
tests behind a constraint is missing from the run without a trace, and the suite is green.

## Use instead

Pin one version of the editor and delete the branches for the others. Files that must span versions, such as a
compatibility layer, are named in `allow-paths`.

## Known limits

Conditions in MSBuild files are not looked at, nor are symbols that a build script passes on its command line. A
`.csproj` that the editor wrote for an IDE repeats all symbols of its version and is left alone.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import ClassVar

from guards.config.globs import matches_any
from guards.languages.project import (
    ASMDEF,
    CSPROJ,
    PROJECT_SETTINGS,
    PROPS,
    RSP,
    TARGETS,
    XML_KINDS,
    ProjectFile,
)
from guards.rule import PROJECT_FILE, Example, Finding, Option, Options, Place, Rule
from guards.source.json_tree import Value

# Each symbol with its byte range.
Symbols = Iterator[tuple[str, int, int]]

_SYMBOL = re.compile(r"[^\W\d]\w*")
_SYMBOL_BYTES = re.compile(rb"[A-Za-z_]\w*")
# An option begins a word; quotes may stand around it or around its value.
_RSP_DEFINE = re.compile(rb"""(?<![^\s"])[-/](?:define|d):((?:"[^"\r\n]*"?|[^\s"])*)""", re.IGNORECASE)
_SETTING = re.compile(
    rb"^(?P<indent> *)scriptingDefineSymbols:(?P<value>[^\r\n]*\r?\n?(?:(?P=indent) [^\r\n]*\r?\n?)*)", re.MULTILINE
)
_WRITTEN_BY_UNITY = frozenset({"UnityProjectGenerator", "UnityVersion"})


class VersionGate(Rule[ProjectFile]):
    """One finding for each version symbol."""

    name = "version-gate"
    code = "SGX005"
    language = "project"
    roles = (PROJECT_FILE,)
    needs = (ASMDEF, RSP, CSPROJ, PROPS, TARGETS, PROJECT_SETTINGS)
    options: ClassVar = {
        "patterns": Option(("UNITY_[0-9]*_OR_NEWER",), "Globs of the symbols that are version gates."),
        "allow-paths": Option((), "Globs of files that may hold them.", paths=True),
    }
    why = "what is compiled, and so what is tested, depends on the editor that happens to compile it"
    instead = "pin one editor version and delete the other branches"

    def check(self, file: ProjectFile, options: Options) -> Iterator[Finding]:
        """The version symbols of one project file."""
        if matches_any(options.names("allow-paths"), file.info.path):
            return
        for place in _defined_by_the_editor(file):
            yield self.finding(place, "this symbol is defined by the version of the editor itself")
        patterns = options.names("patterns")
        for symbol, start, end in dict.fromkeys(_symbols(file)):
            if any(fnmatchcase(symbol, pattern) for pattern in patterns):
                place = file.text.place(start, end)
                yield self.finding(place, f"`{symbol}` makes this depend on the version of the editor")

    bad = (
        Example(
            '{\n  "name": "Sample.Tests",\n  "defineConstraints": [\n    "UNITY_INCLUDE_TESTS",\n'
            '    "UNITY_6000_0_OR_NEWER"\n  ]\n}\n',
            "an older editor does not compile these tests at all",
            path="Tests/Sample.Tests.asmdef",
            expect=(("Tests/Sample.Tests.asmdef", 5),),
        ),
        Example(
            '{\n  "name": "Sample",\n  "defineConstraints": ["!UNITY_2022_3_OR_NEWER || UNITY_6000_0_OR_NEWER"]\n}\n',
            "negated, and one of several",
            path="Editor/Sample.asmdef",
            expect=(("Editor/Sample.asmdef", 3),),
        ),
        Example(
            '{\n  "name": "Sample",\n  "versionDefines": [\n    {\n      "name": "Unity",\n'
            '      "expression": "6000.0.20f1",\n      "define": "HAS_NEW_SCENES"\n    }\n  ]\n}\n',
            "a name of its own hides the gate in every `#if` that uses it",
            path="Editor/Sample.asmdef",
            expect=(("Editor/Sample.asmdef", 5),),
        ),
        Example(
            "-nullable:enable -d:FOO,UNITY_2023_1_OR_NEWER  # FLAW\n# -define:UNITY_6000_0_OR_NEWER\n",
            "the short form with another option before it; the comment says nothing to the compiler",
            path="Assets/csc.rsp",
        ),
        Example(
            "<Project>\n  <PropertyGroup>\n    <DefineConstants>\n      $(DefineConstants);\n"
            "      UNITY_6000_0_OR_NEWER\n    </DefineConstants>\n  </PropertyGroup>\n</Project>\n",
            "MSBuild hands it to the compiler",
            path="Directory.Build.props",
            expect=(("Directory.Build.props", 5),),
        ),
        Example(
            "PlayerSettings:\n  scriptingDefineSymbols:\n    Android: FOO\n    Standalone: BAR;UNITY_2022_3_OR_NEWER\n"
            "  suppressCommonWarnings: 1\n",
            "a project setting pretends that the editor is a newer one",
            path="ProjectSettings/ProjectSettings.asset",
            expect=(("ProjectSettings/ProjectSettings.asset", 4),),
        ),
        Example(
            '{"name": "Sample", "defineConstraints": ["UNITY_2022_3"]}\n',
            "other symbols, by option",
            path="Editor/Sample.asmdef",
            options=(("patterns", ("UNITY_[0-9][0-9][0-9][0-9]_[0-9]",)),),
            expect=(("Editor/Sample.asmdef", 1),),
        ),
    )
    good = (
        Example(
            '{"name": "Sample.Tests", "defineConstraints": ["UNITY_INCLUDE_TESTS", "UNITY_EDITOR_WIN"]}\n',
            "a feature and a platform are no versions",
            path="Tests/Sample.Tests.asmdef",
        ),
        Example(
            '{"name": "Sample", "versionDefines": [\n'
            '  {"name": "com.unity.inputsystem", "expression": "1.7", "define": "HAS_INPUT_SYSTEM"}]}\n',
            "the version of a package, not of the editor",
            path="Editor/Sample.asmdef",
        ),
        Example(
            '{"name": "UNITY_6000_0_OR_NEWER", "references": ["UNITY_6000_0_OR_NEWER"]}\n',
            "a name that looks like a symbol asks for nothing",
            path="Editor/Sample.asmdef",
        ),
        Example(
            "# -define:UNITY_6000_0_OR_NEWER\n-define:UNITY_ASSERTIONS;MY_UNITY_6000_0_OR_NEWER\n-res:UNITY_6000_0_OR_NEWER\n",
            "a comment, other symbols, another option",
            path="Assets/csc.rsp",
        ),
        Example(
            "<Project>\n  <!-- <DefineConstants>UNITY_6000_0_OR_NEWER</DefineConstants> -->\n"
            "  <PropertyGroup><Description>UNITY_6000_0_OR_NEWER</Description></PropertyGroup>\n</Project>\n",
            "a comment, and a text that defines nothing",
            path="Directory.Build.props",
        ),
        Example(
            "<Project>\n  <PropertyGroup>\n    <UnityProjectGenerator>Package</UnityProjectGenerator>\n"
            "    <DefineConstants>UNITY_6000_0_OR_NEWER;UNITY_EDITOR</DefineConstants>\n  </PropertyGroup>\n</Project>\n",
            "the editor writes this file anew for each version",
            path="Sample.csproj",
        ),
        Example(
            "PlayerSettings:\n  productName: UNITY_6000_0_OR_NEWER\n  scriptingDefineSymbols:\n    Standalone: FOO\n"
            "  additionalCompilerArguments:\n    Standalone: UNITY_6000_0_OR_NEWER\n",
            "the same text under other settings",
            path="ProjectSettings/ProjectSettings.asset",
        ),
        Example(
            "-define:UNITY_6000_0_OR_NEWER\n",
            "a file that may hold version gates",
            path="Assets/Compatibility/csc.rsp",
            options=(("allow-paths", ("Assets/Compatibility/",)),),
        ),
    )


def _defined_by_the_editor(file: ProjectFile) -> Iterator[Place]:
    """The resource names of version defines that ask for the editor's version, whatever the symbol is."""
    for entry in _version_defines(file):
        name = entry.get("name")
        if name is not None and name.text == "Unity":
            yield file.text.place(name.start, name.end)


def _version_defines(file: ProjectFile) -> Iterator[Value]:
    root = file.json.root if file.json and file.kind == ASMDEF else None
    defines = root.get("versionDefines") if root else None
    yield from defines.items if defines else ()


def _symbols(file: ProjectFile) -> Symbols:
    """The symbols that a project file defines or asks for, with their places."""
    if file.kind == ASMDEF:
        return _in_asmdef(file)
    if file.kind in XML_KINDS:
        return _in_xml(file)
    return _in_rsp(file) if file.kind == RSP else _in_settings(file)


def _in_asmdef(file: ProjectFile) -> Symbols:
    root = file.json.root if file.json else None
    values = list(root.strings("defineConstraints")) if root else []
    for entry in _version_defines(file):
        name, define = entry.get("name"), entry.get("define")
        if define is not None and (name is None or name.text != "Unity"):
            values.append(define)
    for value in values:
        for symbol in _SYMBOL.findall(value.text):
            yield symbol, value.start, value.end


def _in_xml(file: ProjectFile) -> Symbols:
    texts = file.xml.texts if file.xml else ()
    if any(text.element in _WRITTEN_BY_UNITY for text in texts):
        return
    for text in texts:
        if text.element == "DefineConstants":
            yield from text.find(_SYMBOL)


def _in_rsp(file: ProjectFile) -> Symbols:
    data = bytearray(file.text.data)
    for comment in file.comments:
        data[comment.start : comment.end] = b" " * (comment.end - comment.start)
    for option in _RSP_DEFINE.finditer(data):
        yield from _in_bytes(data, *option.span(1))


def _in_settings(file: ProjectFile) -> Symbols:
    for setting in _SETTING.finditer(file.text.data):
        yield from _in_bytes(file.text.data, *setting.span("value"))


def _in_bytes(data: bytes | bytearray, start: int, end: int) -> Symbols:
    for symbol in _SYMBOL_BYTES.finditer(data, start, end):
        yield symbol[0].decode(), *symbol.span()
