import pytest

from guards.languages.project import open_file
from guards.project.model import PROJECT_FILE, FileInfo
from guards.rule import Options, OptionValue
from guards.rules.project.version_gate import VersionGate
from guards.source.text import decode


def lines(path: str, content: str | bytes, **options: OptionValue) -> list[int]:
    """The lines of the findings in one file, in order."""
    raw = content if isinstance(content, bytes) else content.encode()
    file = open_file(decode(path, raw), FileInfo(path, "project", PROJECT_FILE))
    rule = VersionGate()
    given = {name.replace("_", "-"): value for name, value in options.items()}
    defaults = {name: option.default for name, option in rule.options.items()}
    if file.kinds().isdisjoint(rule.needs):
        return []
    return [finding.place.line for finding in rule.check(file, Options(defaults | given))]


@pytest.mark.parametrize(
    "line",
    [
        "-define:UNITY_6000_4_OR_NEWER",
        "/define:A;UNITY_6000_4_OR_NEWER",
        "-d:A,UNITY_6000_4_OR_NEWER,B",
        "/D:UNITY_6000_4_OR_NEWER",
        "-DEFINE:UNITY_6000_4_OR_NEWER",
        '-define:"A;UNITY_6000_4_OR_NEWER"',
        '"-define:UNITY_6000_4_OR_NEWER"',
        "-nullable -d:UNITY_6000_4_OR_NEWER -warn:4",
        "\t-d:UNITY_6000_4_OR_NEWER # why",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_each_spelling_of_the_compilers_option(line: str, end: str) -> None:
    assert lines("Assets/csc.rsp", f"-nullable\n{line}{end}") == [2]


@pytest.mark.parametrize(
    "line",
    [
        "# -define:UNITY_6000_4_OR_NEWER",
        "-nullable # -d:UNITY_6000_4_OR_NEWER",
        "-res:UNITY_6000_4_OR_NEWER",
        "-defined:UNITY_6000_4_OR_NEWER",
        "x-d:UNITY_6000_4_OR_NEWER",
        "-define: UNITY_6000_4_OR_NEWER",
        "-define:unity_6000_4_or_newer",
        "-define:XUNITY_6000_4_OR_NEWER",
        "-define:UNITY_6000_4_OR_NEWER_THAN_ALL",
        "-define:UNITY_EDITOR",
        "-define:UNITY_OR_NEWER",
    ],
)
def test_what_is_no_version_symbol_for_the_compiler(line: str) -> None:
    assert lines("Assets/csc.rsp", f"{line}\n") == []


def test_every_symbol_in_an_assembly_definition_stands_where_its_value_does() -> None:
    content = (
        '{"defineConstraints": ["UNITY_INCLUDE_TESTS",\n"!UNITY_2022_3_OR_NEWER",\n'
        '"A || UNITY_6000\\u005f0_OR_NEWER"],\n"versionDefines": [{\n"name": "Unity",\n"define": "UNITY_6000_1_OR_NEWER"},\n'
        '{"name": "com.x",\n"define": "UNITY_6000_2_OR_NEWER"}]}'
    )
    assert sorted(lines("A.asmdef", content)) == [2, 3, 5, 8]
    assert sorted(lines("A.asmdef", content.encode("utf-16"))) == [2, 3, 5, 8]


@pytest.mark.parametrize(
    "content",
    [
        '{"versionDefines": [{"name": "unity"}, {"name": 3}, 4, "Unity", {}]}',
        '{"versionDefines": {"name": "Unity"}}',
        '{"defineConstraints": "UNITY_6000_0_OR_NEWER"}',
        '{"inner": {"defineConstraints": ["UNITY_6000_0_OR_NEWER"]}}',
        "[]",
        "",
        '"UNITY_6000_0_OR_NEWER"',
    ],
)
def test_other_shapes_of_an_assembly_definition_say_nothing(content: str) -> None:
    assert lines("A.asmdef", content) == []


def test_in_a_broken_file_what_stands_before_the_error_counts() -> None:
    assert lines("A.asmdef", '{"defineConstraints": ["UNITY_6000_0_OR_NEWER",]}') == [1]


@pytest.mark.parametrize("path", ["A.csproj", "Directory.Build.props", "x.targets"])
def test_constants_of_msbuild_stand_where_their_line_does(path: str) -> None:
    content = (
        '<?xml version="1.0"?>\n<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003">\n<PropertyGroup '
        "Condition=\"'$(X)' == ''\">\n<DefineConstants>TRACE;\n UNITY_6000_0_OR_NEWER;<!-- UNITY_1_OR_NEWER\n -->\n"
        "UNITY_&#54;000_1_OR_NEWER</DefineConstants>\n<DefineConstants>UNITY_2023_2_OR_NEWER</DefineConstants>\n"
        "<Other>UNITY_6000_0_OR_NEWER</Other>\n</PropertyGroup>\n</Project>"
    )
    assert lines(path, content) == [5, 7, 8]


@pytest.mark.parametrize(
    "symbols",
    [
        "{1: A;UNITY_6000_0_OR_NEWER}",
        "\n    1: A;UNITY_6000_0_OR_NEWER",
        "\n    Standalone: 'A;B\n      UNITY_6000_0_OR_NEWER'",
    ],
)
def test_symbols_of_the_project_settings(symbols: str) -> None:
    content = f"PlayerSettings:\n  productName: UNITY_6000_0_OR_NEWER\n  scriptingDefineSymbols: {symbols}\n  other: UNITY_6000_0_OR_NEWER\n"
    assert lines("ProjectSettings/ProjectSettings.asset", content) == [3 + symbols.count("\n")]
    assert lines("ProjectSettings/ProjectSettings.asset", content.replace("\n", "\r\n")) == [3 + symbols.count("\n")]
    assert lines("ProjectSettings/EditorSettings.asset", content) == []


def test_patterns_and_allowed_paths_are_options() -> None:
    content = "-d:UNITY_2022_3;UNITY_6000_0_OR_NEWER\n"
    assert lines("csc.rsp", content, patterns=("UNITY_[0-9][0-9][0-9][0-9]_[0-9]",)) == [1]
    assert lines("csc.rsp", content, patterns=()) == []
    assert lines("a/csc.rsp", content, allow_paths=("a/**",)) == []
    assert lines("b/csc.rsp", content, allow_paths=("a/**",)) == [1]


def test_a_file_of_nothing_but_symbols_takes_a_moment() -> None:
    assert len(lines("csc.rsp", "-d:" + "A;" * 300_000 + "UNITY_6000_0_OR_NEWER # x\n" + "# c\n" * 50_000)) == 1
    assert (
        len(lines("a.props", "<P><DefineConstants>" + "A;\n" * 200_000 + "UNITY_1_OR_NEWER</DefineConstants></P>")) == 1
    )
