from collections.abc import Callable

import pytest

from guards.project.files import ProjectFiles
from guards.project.model import Unit

Write = Callable[[dict[str, str | bytes]], ProjectFiles]

CORE = (
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
)


def sdk(body: str, name: str = "Microsoft.NET.Sdk") -> str:
    return f'<Project Sdk="{name}">\n{body}\n</Project>\n'


def package(name: str, version: str = "") -> str:
    return f'<ItemGroup><PackageReference Include="{name}" {f"Version={chr(34)}{version}{chr(34)}" if version else ""}/></ItemGroup>'


def prop(name: str, value: str) -> str:
    return f"<PropertyGroup><{name}>{value}</{name}></PropertyGroup>"


def unit_of(write: Write, project: str | bytes, files: dict[str, str] | None = None) -> Unit:
    return write({"src/App/App.csproj": project, **(files or {})}).info("src/App/Deep/T.cs").unit


@pytest.mark.parametrize(
    ("name", "framework"),
    [
        ("xunit", "xunit"),
        ("XUnit.Core", "xunit"),
        ("xunit.v3", "xunit.v3"),
        ("xunit.v3.mtp-v2", "xunit.v3"),
        ("NUnit", "nunit"),
        ("MSTest", "mstest"),
        ("MSTest.TestFramework", "mstest"),
        ("TUnit", "tunit"),
    ],
)
def test_a_frameworks_package_makes_a_test_project(write: Write, name: str, framework: str) -> None:
    project = write({"T/T.csproj": sdk(package(name, "1.2.3")), "T/A.cs": ""})
    info = project.info("T/A.cs")
    assert (info.role, info.unit.test, info.unit.name, info.unit.path) == ("test", True, "T", "T/T.csproj")
    assert info.unit.fact("test-frameworks") == (framework,)
    assert info.unit.fact("packages") == (f"{name}@1.2.3",)


@pytest.mark.parametrize(
    "name", ["xunit.analyzers", "NUnit.Analyzers", "NUnit3TestAdapter", "Moq", "Microsoft.Extensions.Logging"]
)
def test_other_packages_do_not(write: Write, name: str) -> None:
    unit = unit_of(write, sdk(package(name)))
    assert (unit.test, unit.fact("test-frameworks")) == (False, ())


def test_a_project_can_say_itself_whether_it_is_one_of_tests(write: Write) -> None:
    assert unit_of(write, sdk(prop("IsTestProject", "true"))).test
    assert unit_of(write, sdk(package("Microsoft.NET.Test.Sdk"))).test
    project = write({"U/U.csproj": sdk(prop("IsTestProject", "false") + package("xunit")), "U/A.cs": ""})
    assert (project.info("U/A.cs").role, project.info("U/A.cs").unit.test) == ("support", False)


def test_old_projects_reference_assemblies(write: Write) -> None:
    old = (
        '<?xml version="1.0" encoding="utf-16"?>\n'
        '<Project ToolsVersion="15.0" xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ItemGroup>'
        '<Reference Include="nunit.framework, Version=3.13.0.0, Culture=neutral"/><Compile Include="A.cs"/>'
        "</ItemGroup></Project>"
    )
    unit = unit_of(write, old)
    assert (unit.test, unit.fact("test-frameworks"), unit.fact("usings")) == (True, ("nunit",), ())


def test_versions_may_stand_in_one_central_place(write: Write) -> None:
    unit = unit_of(
        write,
        sdk(package("xunit") + '<ItemGroup><PackageReference Include="Moq" VersionOverride="9"/></ItemGroup>'),
        {
            "Directory.Packages.props": "<Project><ItemGroup>"
            '<PackageVersion Include="XUnit" Version="$(V)"/><PackageVersion Include="Moq" Version="4"/>'
            '<PackageVersion Include="Unused" Version="1"/><GlobalPackageReference Include="Tool" Version="3"/>'
            "</ItemGroup></Project>",
            "Directory.Build.props": f"<Project>{prop('V', '2.9.0')}</Project>",
        },
    )
    assert unit.fact("packages") == ("Moq@9", "Tool@3", "xunit@2.9.0")


def test_the_nearest_files_of_the_tree_are_imported_and_may_import_those_above(write: Write) -> None:
    above = "$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))"
    files: dict[str, str | bytes] = {
        "Directory.Build.props": f"<Project>{prop('ImplicitUsings', 'enable')}{package('Outer')}</Project>",
        "tests/Directory.Build.props": f"<Project>{package('xunit')}</Project>",
        "tests/T/T.csproj": sdk(""),
        "more/Directory.Build.props": f'<Project><Import Project="{above}"/>{package("NUnit")}</Project>',
        "more/M/M.csproj": sdk(""),
        "more/targets/Directory.Build.targets": f"<Project>{package('Late')}</Project>",
        "more/targets/N/N.csproj": sdk(r'<Import Project="..\common.props"/>'),
        "more/targets/common.props": f"<Project>{package('Common')}</Project>",
    }
    project = write(files)
    tests, more, targets = (project.info(path).unit for path in ("tests/T/A.cs", "more/M/A.cs", "more/targets/N/A.cs"))
    assert (tests.fact("packages"), tests.fact("usings")) == (("xunit",), ())
    assert (more.fact("packages"), more.fact("usings")) == (("NUnit", "Outer"), CORE)
    assert targets.fact("packages") == ("Common", "Late", "NUnit", "Outer")


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ("$(MSBuildProjectName.EndsWith('.Tests'))", True),
        ("'$(MSBuildProjectName.EndsWith(&quot;.Tests&quot;))' == 'true'", True),
        ("$(MSBuildProjectName.Contains('Tests')) and '$(Unset)' == ''", True),
        ("'$(MSBuildProjectName)' == 'App.TESTS'", True),
        ("Exists('$(MSBuildProjectDirectory)/App.Tests.csproj')", True),
        ("!('$(IsTestable)' != 'true')", True),
        ("$(MSBuildProjectName.EndsWith('.Unit'))", False),
        ("'$(MSBuildProjectName)' != 'App.Tests' or Exists('nowhere.txt')", False),
        ("'$(Configuration)' == 'Debug'", False),
        ("$([System.String]::IsNullOrEmpty('x'))", False),
        ("((((", False),
        ("!" * 5000 + "true", False),
        ("'$(IsTestable)' ==", False),
    ],
)
def test_conditions_in_imported_files_tell_projects_apart(write: Write, condition: str, *, test: bool) -> None:
    group = package("xunit").replace("<ItemGroup>", f'<ItemGroup Condition="{condition}">')
    project = write(
        {
            "Directory.Build.props": f"<Project>{group}</Project>",
            "t/App.Tests.csproj": sdk(prop("IsTestable", "true")),
        }
    )
    assert project.info("t/A.cs").unit.test is test


def test_in_the_project_itself_an_open_condition_counts(write: Write) -> None:
    group = package("xunit").replace("<ItemGroup>", "<ItemGroup Condition=\"'$(TargetFramework)' == 'net472'\">")
    assert unit_of(write, sdk(group)).test


def test_the_test_sdk_answers_to_conditions_of_imported_files(write: Write) -> None:
    using = "<ItemGroup Condition=\"'$(IsTestProject)' == 'true'\"><Using Include=\"Xunit\"/></ItemGroup>"
    files = {"Directory.Build.targets": f"<Project>{using}</Project>"}
    assert unit_of(write, sdk(package("Microsoft.NET.Test.Sdk")), files).fact("usings") == ("Xunit",)
    assert unit_of(write, sdk(package("Moq")), files).fact("usings") == ()


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("Microsoft.NET.Sdk", ()),
        (
            "Microsoft.NET.Sdk.Web",
            ("Microsoft.AspNetCore.Builder", "Microsoft.Extensions.Logging", "System.Net.Http.Json"),
        ),
        ("Microsoft.NET.Sdk.Worker", ("Microsoft.Extensions.Hosting",)),
        ("MSTest.Sdk/3.6.0", ("Microsoft.VisualStudio.TestTools.UnitTesting",)),
    ],
)
def test_implicit_usings_are_those_of_the_sdk(write: Write, name: str, extra: tuple[str, ...]) -> None:
    usings = unit_of(write, sdk(prop("ImplicitUsings", "enable"), name)).fact("usings")
    assert {*CORE, *extra} <= set(usings)
    assert ("Microsoft.AspNetCore.Builder" in usings) == name.endswith("Web")
    assert unit_of(write, sdk(prop("ImplicitUsings", "disable"), name)).fact("usings") in {usings, ()}


def test_usings_are_added_removed_and_spelled_as_units_say(write: Write) -> None:
    body = (
        prop("ImplicitUsings", "true")
        + '<ItemGroup><Using Include="Xunit; Xunit.Sdk"/><Using Include="System.Math" Static="true"/>'
        + '<Using Include="NUnit.Framework.Assert" Alias="A"/><Using Remove="System.Net.Http;System.IO"/>'
        + "<Using Include='Meta.Static'><Static>True</Static></Using></ItemGroup>"
    )
    assert unit_of(write, sdk(body)).fact("usings") == (
        "A=NUnit.Framework.Assert",
        "System",
        "System.Collections.Generic",
        "System.Linq",
        "System.Threading",
        "System.Threading.Tasks",
        "Xunit",
        "Xunit.Sdk",
        "static Meta.Static",
        "static System.Math",
    )


def test_sdks_may_be_named_in_elements(write: Write) -> None:
    body = prop("ImplicitUsings", "enable")
    for project in (
        f'<Project><Sdk Name="Microsoft.NET.Sdk.Web"/>{body}</Project>',
        f'<Project><Import Sdk="Microsoft.NET.Sdk.Web" Project="Sdk.props"/>{body}</Project>',
    ):
        assert "Microsoft.AspNetCore.Http" in unit_of(write, project).fact("usings")


def test_the_first_branch_that_holds_is_chosen(write: Write) -> None:
    choose = (
        "<Choose><When Condition=\"'$(X)' == 'a'\"><ItemGroup><PackageReference Include='A'/></ItemGroup></When>"
        "<When Condition=\"'$(X)' == 'b'\"><ItemGroup><PackageReference Include='B'/></ItemGroup></When>"
        "<Otherwise><ItemGroup><PackageReference Include='C'/></ItemGroup></Otherwise></Choose>"
    )
    assert unit_of(write, sdk(prop("X", "b") + choose)).fact("packages") == ("B",)
    assert unit_of(write, sdk(prop("X", "x") + choose)).fact("packages") == ("C",)


def test_items_are_updated_and_removed(write: Write) -> None:
    body = package("A", "1") + package("B", "1") + (
        "<ItemGroup><PackageReference Update='a' Version='2'/><PackageReference Remove='B'/></ItemGroup>"
    )  # fmt: skip
    assert unit_of(write, sdk(body)).fact("packages") == ("a@2",)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<Project>",
        b"not xml",
        b"\x00\x01",
        b'<!DOCTYPE x [<!ENTITY a "b">]><Project>&a;</Project>',
        b'<!doctype x SYSTEM "file:///etc/passwd"><Project/>',
        b"<Project><PropertyGroup>" + b"<A/>" * 120_000 + b"</PropertyGroup></Project>",
        b"<Project>" + b"<A>" * 90_000,
        b"<Project><!--" + b"x" * (3 << 20) + b"--></Project>",
    ],
)
def test_a_broken_project_is_a_unit_with_a_note(write: Write, content: bytes) -> None:
    unit = unit_of(write, content)
    assert (unit.kind, unit.name, unit.test) == ("csproj", "App", False)
    assert unit.fact("note")


def test_a_broken_import_leaves_the_project(write: Write) -> None:
    assert unit_of(write, sdk(package("xunit")), {"Directory.Build.props": "<Project"}).test


def test_properties_that_double_do_not_fill_the_memory(write: Write) -> None:
    doubling = prop("A", "x" * 100) + "<PropertyGroup><A>$(A)$(A)$(A)$(A)</A></PropertyGroup>" * 60
    assert unit_of(write, sdk(doubling + package("xunit"))).test


def test_imports_go_round_in_circles_only_once_and_never_out(write: Write) -> None:
    unit = unit_of(
        write,
        sdk('<Import Project="a.props"/><Import Project="../../../../etc/x.props"/><Import Project="$(Unset)"/>'),
        {
            "src/App/a.props": f'<Project><Import Project="$(MSBuildThisFileDirectory)b.props"/>{package("A")}</Project>',
            "src/App/b.props": f'<Project><Import Project="a.props"/><Import Project="App.csproj"/>{package("B")}</Project>',
        },
    )
    assert unit.fact("packages") == ("A", "B")


def test_of_two_projects_in_a_folder_the_one_named_like_it_is_meant(write: Write) -> None:
    project = write({"App/Aaa.csproj": sdk(package("xunit")), "App/App.csproj": sdk(""), "App/T.cs": ""})
    assert project.info("App/T.cs").unit.path == "App/App.csproj"


def test_a_file_without_any_project_is_a_test_when_its_usings_say_so(write: Write) -> None:
    project = write(
        {
            "a.cs": "using System;\nusing Xunit;\nclass T {}",
            "b.cs": "global using static NUnit.Framework.Assert;",
            "c.cs": "    using UnityEngine.TestTools;\nusing NUnit.Framework;",
            "d.cs": "using A = NUnit.Framework.Assert;",
            "e.cs": '// see\n// using Xunit;\nclass T { string s = "using Xunit;"; }',
            "f.cs": "using XunitLike;\nusing NUnit.FrameworkX;",
            "h.cs": b"\xef\xbb\xbfusing Xunit;",
            "g.cs": b"\xff\xfe" + "using Xunit;".encode("utf-16-le"),
        }
    )  # fmt: skip
    found = {path: project.info(path) for path in project.listing()}
    assert {path: info.role for path, info in found.items()} == {
        "a.cs": "test",
        "b.cs": "test",
        "c.cs": "test",
        "d.cs": "test",
        "e.cs": "product",
        "f.cs": "product",
        "g.cs": "test",
        "h.cs": "test",
    }
    assert found["c.cs"].unit.fact("test-frameworks") == ("nunit", "utf")
    assert found["e.cs"].unit == Unit()
