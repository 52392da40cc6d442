"""Whatever a script holds, it is read without a traceback, in time that grows with its length."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from languages.gdscript.sample import Sample, script

FRAGMENTS = st.sampled_from([
    "func ", "test_a", "(", ")", ":", "\n", "\n\t", "\n\t\t", "\t", " ", "await ", "extends ", "class ", "class_name ",
    "McpTestSuite", '"', "'", '"""', "'''", "\\", "#", "@tool", "@abstract ", "var ", "const ", ":= ", "= ", "preload(",
    "self", "super", ".", ",", "OS", "get_tree", "call", "return ", "match ", "if ", "else", "[", "]", "{", "}", "$", "%",
    "&", "^", "r", "1", "0x", "-", "as ", "->", ";", "\r", "\x0c", "ö", "名", "\u00a0", "😀", "...", "static ", "signal ",
])  # fmt: skip


def read_all(text: str) -> None:
    sample = Sample({"a.gd": text, "b.gd": 'class_name B\nextends "a.gd"\n'})
    file = sample.files["a.gd"]
    size = len(file.text.data)
    for region in file.unread:
        assert 1 <= region.place.line <= region.place.end_line <= len(file.text.line_starts)
    for comment in file.comments:
        assert 0 <= comment.start < comment.end <= size
        assert comment.text.startswith("#")
    for use in file.uses("*"):
        sample.index.full_names("a.gd", use)
    for row, _ in enumerate(file.facts().functions):
        sample.index.reach("a.gd", str(row), "test")
    assert sample.index.suites is not None
    assert sample.bases("b.gd")


@settings(deadline=None, max_examples=80)
@given(st.lists(FRAGMENTS, max_size=60).map("".join))
def test_any_mixture_of_tokens_is_read(text: str) -> None:
    read_all(text)


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=100))
def test_any_text_is_read(text: str) -> None:
    read_all(text)


@pytest.mark.parametrize(
    "text",
    [
        "func test_a():\n\tawait x\n" * 2_000,
        "@abstract\nfunc a()\n" * 2_000,
        "@tool\n" * 4_000 + "extends Node\n",
        "class A:\n" + "\t@x\n" * 4_000 + "\tfunc f(): pass\n",
        "func a(:\n\tpass\n" * 2_000,
        "func a():\n" + "\tvar x = = 1\n" * 2_000,
        ") ( ] \n" * 2_000,
        "'\"\\" * 4_000,
        '"""\\' * 4_000,
        "'''\"\"\" \\'" * 4_000,
        "#\n" * 10_000,
        "func a():\n\tx = " + "func(): await " * 2_000 + "x\n",
        "func a():\n\t" + "(" * 1_500 + "x" + ")" * 1_500 + "\n",
        "func a():\n\tx" + ".y()" * 4_000 + "\n",
        "extends GutTest\n" + "".join(f"func test_{n}(): test_{n + 1}()\n" for n in range(2_000)),
        "".join(f"const C{n} := C{n + 1}\n" for n in range(4_000)),
        "enum X {}\n" * 2_000,
        "var x: " + "A." * 4_000 + "B\n",
    ],
    ids=range(18),
)
def test_a_long_script_takes_no_time_out_of_proportion(text: str) -> None:
    began = time.process_time()
    read_all(text)
    assert time.process_time() - began < 6


def test_nothing_that_is_read_is_no_plain_value() -> None:
    msgspec = pytest.importorskip("msgspec")
    text = "@tool\nclass_name A extends B.C\nconst D := preload('d.gd')\nvar e: Node\nfunc test_a(f: int = 1) -> void:\n\tawait s\n"
    facts = script(text).facts()
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=type(facts)) == facts
