"""Code that is compiled or not by the version of the editor.

## What it does

Reports version symbols such as `UNITY_6000_0_OR_NEWER` where they decide what is compiled. In C#, in product code as well
as in tests, that is:

- in `#if`, `#elif` and `#define`, nested and negated, in branches that are not compiled as well;
- in `[Conditional("…")]`, which drops calls without a trace;
- in constants that are given to `SetScriptingDefineSymbols` and its relatives of `PlayerSettings`.

A constant that another file of the project declares is followed there.

The rule of the same name for project files reports them there.

## Why is this bad?

A suite that is run with one editor proves nothing about code that only another editor compiles, and a test behind such a
gate is missing from the run without a trace.

## Use instead

Pin one version of the editor and delete the branches for the others. Files that must span versions, such as a
compatibility layer, are named in `allow-paths`.

## Known limits

Symbols that a program puts together at run time are not seen. A version that is asked for in an ordinary `if` is not a
gate: both branches are compiled.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import ClassVar

from guards.config.globs import matches_any
from guards.languages.csharp import CSharpFile
from guards.rule import ALL_CODE, Candidate, Example, Finding, Option, Options, Project, Rule

_SYMBOL = re.compile(rb"[A-Za-z_]\w*")
_WORD = re.compile(r"\w+")
_DIRECTIVES = ("define", "elif", "if")
_CONDITIONAL = frozenset({"Conditional", "ConditionalAttribute"})
_CONDITIONAL_FULL = "System.Diagnostics.ConditionalAttribute"
_SETTERS = ("SetScriptingDefineSymbols", "SetScriptingDefineSymbolsForGroup")
_SETTINGS = frozenset(
    f"UnityEditor.{owner}.{setter}" for owner in ("EditorUserBuildSettings", "PlayerSettings") for setter in _SETTERS
)
_ATTRIBUTE, _CALL = "attribute", "call"


class VersionGate(Rule[CSharpFile]):
    """One finding for each symbol of a directive, each attribute and each call."""

    name = "version-gate"
    code = "SGC007"
    language = "csharp"
    roles = ALL_CODE
    needs = ("directive", "attribute", *(f"name:{setter}" for setter in _SETTERS))
    triggers = ("UNITY_", "Conditional", "SetScriptingDefineSymbols")
    options: ClassVar = {
        "patterns": Option(("UNITY_[0-9]*_OR_NEWER",), "Globs of the symbols that are version gates."),
        "allow-paths": Option((), "Globs of files that may hold them.", paths=True),
    }
    why = "what is compiled, and so what is tested, depends on the editor that happens to compile it"
    instead = "pin one editor version and delete the other branches"

    def check(self, file: CSharpFile, options: Options) -> Iterator[Finding | Candidate]:
        """The symbols in directives; attributes and calls that mean one are candidates."""
        if matches_any(options.names("allow-paths"), file.info.path):
            return
        patterns = options.names("patterns")
        for symbol, start, end in _in_directives(file):
            if _is_gate(symbol, patterns):
                message = f"`{symbol}` makes what is compiled depend on the version of the editor"
                yield self.finding(file.place(start, end), message)
        yield from self._attributes(file, patterns)
        yield from self._calls(file, patterns)

    def _attributes(self, file: CSharpFile, patterns: tuple[str, ...]) -> Iterator[Candidate]:
        facts = file.facts()
        marked = [(function.scope, function.attributes) for function in facts.functions]
        marked.extend((f"t{row}", declared.attributes) for row, declared in enumerate(facts.types))
        for scope, attributes in marked:
            for attribute in attributes:
                gate = _first_gate(dict(attribute.arguments).get("0", ""), patterns)
                formula = dict(attribute.unsolved).get("0", ())
                if (gate or formula) and file.may_mean(attribute.name, _CONDITIONAL):
                    place = attribute.spot.place(file.info.path)
                    yield self.candidate(place, _ATTRIBUTE, gate, attribute.name, scope, *formula)

    def _calls(self, file: CSharpFile, patterns: tuple[str, ...]) -> Iterator[Candidate]:
        for setter in _SETTERS:
            for use in file.uses(setter):
                gate = next((gate for _, value in use.arguments if (gate := _first_gate(value, patterns))), "")
                if gate:
                    yield self.candidate(use.place, _CALL, gate, use.name, use.scope)
                for _, formula in () if gate else use.unsolved:
                    yield self.candidate(use.place, _CALL, "", use.name, use.scope, *formula)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The attributes and calls that are what their name says."""
        index = project.csharp
        for candidate in candidates:
            gate, name, scope, *formula = candidate.words
            path = candidate.place.path
            if not gate:  # a constant of another file, perhaps
                constant = index.constant(path, scope, tuple(formula))
                patterns = project.options_for(self.name, path).names("patterns")
                gate = _first_gate(constant.text, patterns) if constant is not None else ""
            if not gate:
                continue
            if candidate.kind == _ATTRIBUTE:
                if _CONDITIONAL_FULL in index.attribute_names(path, scope, name):
                    yield self.finding(candidate.place, f"calls are compiled only where `{gate}` is defined")
            elif not _SETTINGS.isdisjoint(index.member_names(path, scope, name)):
                yield self.finding(
                    candidate.place, f"`{gate}` is defined for all assemblies, whatever the editor's version is"
                )

    bad = (
        Example(
            "#define UNITY_6000_3_OR_NEWER  // FLAW\npublic class Panel\n{\n#if UNITY_6000_4_OR_NEWER  // FLAW\n    int _a;\n"
            "#elif UNITY_EDITOR && !UNITY_2022_3_OR_NEWER  // FLAW\n    int _b;\n#endif\n}\n",
            "every directive, in product code",
            path="Editor/Panel.cs",
            files=(("Editor/Sample.asmdef", '{"name": "Sample"}'),),
        ),
        Example(
            "public class PanelTests\n{\n#if false\n  #  if  ( UNITY_6000_5_OR_NEWER )  // FLAW\n    int _a;\n  #  endif\n#endif\n}\n",
            "nested in a branch that no build compiles, with space after the sign",
        ),
        Example(
            "using System.Diagnostics;\nusing UnityEditor;\n\npublic class PanelTests\n{\n"
            '    [Conditional("UNITY_6000_0_OR_NEWER")]  // FLAW\n    public void Log() { }\n\n'
            '    private const string Newer = "UNITY_6000_0_OR_NEWER";\n'
            "    public void SetUp()\n    {\n"
            '        PlayerSettings.SetScriptingDefineSymbolsForGroup(BuildTargetGroup.Standalone, "FOO;" + Newer);  // FLAW\n    }\n}\n',
            "an attribute that drops calls, and a call that defines the symbol",
        ),
        Example(
            "public class Panel\n{\n#if UNITY_2022_3  // FLAW\n    int _a;\n#endif\n}\n",
            "other symbols, by option",
            path="Editor/Panel.cs",
            files=(("Editor/Sample.asmdef", '{"name": "Sample"}'),),
            options=(("patterns", ("UNITY_[0-9][0-9][0-9][0-9]_[0-9]",)),),
        ),
    )
    good = (
        Example(
            "// #if UNITY_6000_4_OR_NEWER is not allowed here\n#if UNITY_EDITOR_WIN || UNITY_INCLUDE_TESTS\npublic class Panel\n{\n"
            '    const string Text = "#if UNITY_6000_4_OR_NEWER";\n}\n#endif\n',
            "symbols of platforms and features; a comment and a string",
        ),
        Example(
            'public class Panel\n{\n    const string Text = @"\n#if UNITY_6000_4_OR_NEWER\n#endif\n";\n'
            '    const string Raw = """\n        #if UNITY_6000_4_OR_NEWER\n        #endif\n        """;\n}\n',
            "a line of a string that looks like a directive",
        ),
        Example(
            'using UnityEditor;\n\npublic class PanelTests\n{\n    [Sample.Conditional("UNITY_6000_0_OR_NEWER")]\n    public void Log() { }\n\n'
            '    public void SetUp() => PlayerSettings.SetScriptingDefineSymbolsForGroup(BuildTargetGroup.Standalone, "FOO");\n}\n\n'
            "namespace Sample { public class ConditionalAttribute : System.Attribute { public ConditionalAttribute(string s) { } } }\n",
            "another attribute of that name, and another symbol",
        ),
        Example(
            "#region UNITY_6000_0_OR_NEWER\n#pragma warning disable UNITY_6000_0_OR_NEWER\npublic class Panel { }\n#endregion\n",
            "directives that decide nothing",
        ),
        Example(
            "#if UNITY_6000_0_OR_NEWER\npublic class Compatibility { }\n#endif\n",
            "a file that may hold version gates",
            path="Editor/Compatibility.cs",
            files=(("Editor/Sample.asmdef", '{"name": "Sample"}'),),
            options=(("allow-paths", ("Editor/Compatibility.cs",)),),
        ),
    )


def _in_directives(file: CSharpFile) -> Iterator[tuple[str, int, int]]:
    """The symbols that directives ask for or define, each once a directive, with their offsets."""
    for directive in file.directives:
        if directive.keyword in _DIRECTIVES:
            seen = {directive.keyword}
            for match in _SYMBOL.finditer(file.text.data[directive.start : directive.end].partition(b"//")[0]):
                symbol = match[0].decode()
                if symbol not in seen:
                    seen.add(symbol)
                    yield symbol, directive.start + match.start(), directive.start + match.end()


def _is_gate(symbol: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(symbol, pattern) for pattern in patterns)


def _first_gate(value: str, patterns: tuple[str, ...]) -> str:
    return next((symbol for symbol in _WORD.findall(value) if _is_gate(symbol, patterns)), "")
