import tempfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guards.project.files import ProjectFiles

NAMES = {
    "Tests/A.asmdef": '{}[]",:nameUNITY_INCLUDE_TESTSdefineConstraints\\ud800 1',
    "Tests/a.csproj": "<>/=\"' ProjectItemGroup$()PackageReferenceInclude&;!Condition",
    "Directory.Build.props": "<>/=\"' ProjectImport$()[]::MSBuildGetPathOfFileAbove.,\\",
    "pyproject.toml": "[]=\".toolpytest_inions\n'{}#1",
    "pytest.ini": "[]=:pytest_files\n #;\"'*\\",
    "setup.cfg": "[]=:toolpytestoptions\n ",
    "project.godot": 'config/name="\n',
}


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_in_a_project_file_there_is_an_answer(name: str) -> None:
    with tempfile.TemporaryDirectory() as root:

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.binary(max_size=40) | st.text(NAMES[name], max_size=120).map(str.encode))
        def check(content: bytes) -> None:
            project = ProjectFiles(root, {name: content})
            for path in ("Tests/T.cs", "Tests/test_a.py", "Tests/s.gd", name):
                info = project.info(path)
                # What units say goes into the cache and into reports.
                assert repr(info).encode().decode() == repr(info)

        check()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csproj", "<Project>" + "<Import Project='a$(X).props'/>" * 20_000 + "</Project>"),
        ("a.csproj", '<Project><ItemGroup Condition="' + "(" * 1900 + '"/></Project>'),
        ("a.csproj", "<Project>" + "<ItemGroup Condition=\"'$(A)' == 'b' and Exists('x')\"/>" * 20_000 + "</Project>"),
        ("a.csproj", "<Project><PropertyGroup>" + "<A>$(A)b</A>" * 20_000 + "</PropertyGroup></Project>"),
        ("pytest.ini", "[pytest]\npython_files = " + "*a" * 5_000 + "\n"),
        ("pytest.ini", "[pytest]\ntestpaths = " + "**/x/" * 5_000 + "\n"),
        ("pytest.ini", "[pytest]\naddopts = " + "'" * 300_001 + "\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\nmarkers = [" + '"m",' * 100_000 + "]\n"),
        ("T.cs", ", " * 1_000_000 + "[" + " " * 1_000_000),
    ],
)  # fmt: skip
def test_large_and_nasty_files_take_a_moment(name: str, content: str) -> None:
    with tempfile.TemporaryDirectory() as root:
        project = ProjectFiles(root, {name: content.encode()})
        for path in ("T.cs", "aaaaaaaaaaaaaaaaaaaaaaaaa/test_a.py", "x/x/x/x/test_a.py"):
            assert project.info(path).path == path
