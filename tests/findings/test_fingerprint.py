from guards.findings.fingerprint import fingerprint, place_fingerprint
from guards.source.place import Place, file_place
from guards.source.text import SourceText


def mark(text: str, line: int) -> str:
    return fingerprint(SourceText("T.cs", text.encode()), line)


def test_a_line_is_recognised_where_it_moved_to() -> None:
    before = mark("a();\nSleep(1);\nb();\n", 2)
    assert mark("// more\n\nx();\na();\nSleep(1);\nb();\n", 5) == before
    assert mark("if (x) {\r\n    a();\r\n\tSleep(1);  \r\n\r\n    b();\r\n}", 3) == before


def test_another_line_or_another_neighbour_is_another_place() -> None:
    before = mark("a();\nSleep(1);\nb();\n", 2)
    assert before != mark("a();\nSleep(2);\nb();\n", 2)
    assert before != mark("c();\nSleep(1);\nb();\n", 2)
    assert before != mark("a();\nSleep(1);\n", 2)
    assert before != mark("b();\nSleep(1);\na();\n", 2)


def test_a_line_that_is_not_there_has_a_fingerprint_too() -> None:
    assert mark("", 1) == mark("\n\n", 1)
    assert mark("a", 7) == mark("a", 7)


def test_a_file_as_a_whole_is_recognised_by_its_name() -> None:
    def whole(path: str, text: str) -> str:
        return place_fingerprint(file_place(path), SourceText(path, text.encode()))

    assert whole("a/T.cs", "x") == whole("b/T.cs", "y")
    assert whole("a/T.cs", "x") != whole("a/U.cs", "x")
    text = SourceText("T.cs", b"a();\nb();\n")
    assert place_fingerprint(Place("T.cs", 2, 1, 2, 2), text) == fingerprint(text, 2)
