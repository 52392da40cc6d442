import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.languages.project import Facts, ProjectFile, open_file
from guards.project.model import PROJECT_FILE, FileInfo
from guards.source.text import decode

if TYPE_CHECKING:
    from guards.languages.base import LanguageFile

WORD = re.compile(r"\w+")


def opened(path: str, content: str | bytes) -> ProjectFile:
    raw = content if isinstance(content, bytes) else content.encode()
    return open_file(decode(path, raw), FileInfo(path, "project", PROJECT_FILE))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("Tests/A.asmdef", "asmdef"),
        ("r.asmref", "asmref"),
        ("csc.rsp", "rsp"),
        ("A.CsProj", "csproj"),
        ("Directory.Build.props", "props"),
        ("Directory.Build.targets", "targets"),
        ("Packages/manifest.json", "manifest"),
        ("Packages/packages-lock.json", "packages-lock"),
        ("package.json", "package"),
        ("ProjectSettings/ProjectSettings.asset", "project-settings"),
        ("ProjectSettings/TagManager.asset", "settings"),
        ("ProjectSettings/ProjectVersion.txt", "project-version"),
        ("project.godot", "godot"),
        ("pyproject.toml", "toml"),
        (".pytest.toml", "toml"),
        ("tox.ini", "ini"),
        ("setup.cfg", "ini"),
    ],
)
def test_each_file_has_one_kind(path: str, kind: str) -> None:
    file: LanguageFile[Facts] = opened(path, "")
    assert file.kinds() == {kind}
    assert list(file.uses("*")) == []
    assert file.facts() == Facts()


@pytest.mark.parametrize(
    ("path", "content", "comments"),
    [
        ("csc.rsp", '# a\n-define:A#no # b\n-res:"x # no"\n', [("# a", True), ("# b", False)]),
        ("tox.ini", "# a\n[x]\na = 1 ; no\n  ; b\n", [("# a", True), ("; b", True)]),
        ("project.godot", '; a\nx="; no\n; no"\n', [("; a", True)]),
        (
            "pyproject.toml",
            "# a\nx = \"# no\" # b\ny = '# no'\nz = \"\"\"\n# no\n\\\"\"\"\" # c\nw = '''\n# no''' # d\nv = 'open # no\n# e\n",
            [("# a", True), ("# b", False), ("# c", False), ("# d", False), ("# e", True)],
        ),
        ("a.props", "<Project><!-- a\nb --><![CDATA[<!-- no -->]]></Project>", [("<!-- a\nb -->", False)]),
        ("a.asmdef", '{"a": "// no"} // no', []),
        ("ProjectSettings/ProjectSettings.asset", "# no\n", []),
    ],
)
def test_comments_are_those_of_the_format(path: str, content: str, comments: list[tuple[str, bool]]) -> None:
    file = opened(path, content)
    assert [(comment.text, comment.own_line) for comment in file.comments] == comments
    for comment in file.comments:
        assert file.text.data[comment.start : comment.end].decode() == comment.text


@pytest.mark.parametrize(
    ("path", "content", "line"),
    [
        ("a.asmdef", '{\n"a": 1,\n}', 3),
        ("a.props", "<Project>\n<A></B>\n</Project>", 2),
        ("a.props", '<?xml version="1.0" encoding="utf-16"?>\n<Project>\n</A>', 3),
        ("a.csproj", '<!DOCTYPE a [<!ENTITY b "c">]>\n<Project>&b;</Project>', 1),
        ("a.targets", "", 1),
    ],
)
def test_from_an_error_on_a_file_is_unread(path: str, content: str, line: int) -> None:
    (region,) = opened(path, content).unread
    assert region.place.line == line


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.asmdef", b'\xef\xbb\xbf{"a": 1}\r\n'),
        ("a.asmdef", '{"ä": "ö"}'.encode("utf-16")),
        ("a.props", b'\xef\xbb\xbf<?xml version="1.0" encoding="windows-1252"?><P>\xc3\xa4</P>'),
        ("a.csproj", '<?xml version="1.0" encoding="utf-16"?><P>ä</P>'.encode("utf-16")),
        ("csc.rsp", '-define:"open'),
        ("pyproject.toml", "not = [toml"),
    ],
)
def test_whole_files_are_read_in_every_encoding(path: str, content: str | bytes) -> None:
    assert opened(path, content).unread == ()


def test_texts_of_xml_have_their_places_whatever_stands_around_them() -> None:
    content = "<P>\r\n<D>ä;\r\n AB&#67;D;<!-- no --><![CDATA[E F]]></D>\r\n<X><Y/></X><n:D xmlns:n='n'>G</n:D></P>"
    file = opened("a.props", content)
    assert file.xml is not None
    found = [
        (text.element, word, file.text.data[start:end].decode())
        for text in file.xml.texts
        for word, start, end in text.find(WORD)
    ]
    assert found == [
        ("D", "ä", "ä"),
        ("D", "ABCD", "AB&#67;D"),
        ("D", "E", "E"),
        ("D", "F", "F"),
        ("D", "G", "G"),
    ]


def test_a_text_of_many_pieces_is_searched_in_one_go() -> None:
    content = "<P><D>" + "word;\n" * 100_000 + "</D></P>"
    file = opened("a.props", content)
    assert file.xml is not None
    assert sum(1 for _ in file.xml.texts[0].find(WORD)) == 100_000


@given(
    st.sampled_from(
        ["a.asmdef", "a.props", "csc.rsp", "pyproject.toml", "tox.ini", "project.godot", "Packages/manifest.json"]
    ),
    st.text(alphabet="<>/!-[]CDATA{}\"'#;\\&a\n =", max_size=80),
)
def test_any_text_is_read(path: str, content: str) -> None:
    file = opened(path, content)
    comments, unread = file.comments, file.unread
    assert [comment.start for comment in comments] == sorted(comment.start for comment in comments)
    assert len(unread) <= 1
