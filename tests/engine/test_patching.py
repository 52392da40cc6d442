import re
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.engine import patching
from guards.engine.patching import ACROSS_BRANCHES, BREAKS, IN_UNREAD, UNPROVED, patch
from guards.findings.model import Finding
from guards.project.model import TEST, FileInfo
from guards.source.edits import Edit, Fix
from guards.source.place import Place
from guards.source.text import decode


def finding(*edits: Edit, rule: str = "some-rule", line: int = 1) -> Finding:
    return Finding(rule, Place("a", line, 1, line, 2), "m", fix=Fix("t", safe=True, edits=edits))


def info(language: str) -> FileInfo:
    return FileInfo("a", language, TEST)


def replaced(raw: bytes, old: bytes, new: str) -> Edit:
    """The edit of a UTF-8 file that replaces the one place where something stands."""
    data = raw.removeprefix(b"\xef\xbb\xbf")
    assert data.count(old) == 1
    start = data.index(old)
    return Edit(start, start + len(old), new)


def test_of_fixes_that_overlap_the_first_is_made_and_the_other_waits() -> None:
    raw = b"a = 1\nb = 2\n"
    first, second = finding(Edit(4, 5, "10")), finding(Edit(0, 11, "c = 3"), line=2)
    patched = patch(info("python"), raw, [second, first])
    assert patched.raw == b"a = 10\nb = 2\n"
    assert (patched.made, patched.waiting, patched.refused) == ((first,), (second,), ())


def test_fixes_that_touch_do_not_know_what_the_other_leaves() -> None:
    patched = patch(info("python"), b"a = 12\n", [finding(Edit(4, 5, "3")), finding(Edit(5, 6, ""), line=2)])
    assert patched.raw == b"a = 32\n"
    assert len(patched.waiting) == 1


def test_an_edit_that_two_fixes_share_is_made_once() -> None:
    shared = Edit(0, 0, "import os\n")
    fixes = [finding(shared, Edit(0 + 4, 5, "7")), finding(shared, Edit(10, 11, "8"), line=2)]
    patched = patch(info("python"), b"a = 1\nb = 2\n", fixes)
    assert patched.raw == b"import os\na = 7\nb = 8\n"
    assert patched.made == tuple(fixes)


def test_a_fix_is_made_whole_or_not_at_all() -> None:
    both = finding(Edit(4, 5, "7"), Edit(10, 11, "8"), line=2)
    patched = patch(info("python"), b"a = 1\nb = 2\n", [finding(Edit(10, 11, "9")), both])
    assert patched.raw == b"a = 1\nb = 9\n"
    assert patched.waiting == (both,)


def test_a_fix_that_breaks_the_file_is_refused_and_the_others_are_made() -> None:
    raw = b"a = 1\nb = 2\nc = 3\n"
    good, bad, fine = finding(Edit(4, 5, "7")), finding(Edit(10, 11, "("), line=2), finding(Edit(16, 17, "9"), line=3)
    patched = patch(info("python"), raw, [good, bad, fine])
    assert patched.raw == b"a = 7\nb = 2\nc = 9\n"
    assert patched.made == (good, fine)
    assert [(item.finding, item.reason) for item in patched.refused] == [(bad, BREAKS)]


def test_of_many_fixes_those_that_break_the_file_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = b"".join(b"a = %d\n" % (number % 10) for number in range(100))
    fixes = [finding(Edit(start, start + 1, "7"), line=start) for start in range(4, len(raw), 6)]
    fixes[13], fixes[77] = (
        fix._replace(fix=Fix("t", safe=True, edits=(Edit(*fix.fix.edits[0][:2], "("),)) if fix.fix else None)
        for fix in (fixes[13], fixes[77])
    )
    patched = patch(info("python"), raw, fixes)
    assert [item.finding for item in patched.refused] == [fixes[13], fixes[77]]
    assert [n for n, line in enumerate(patched.raw.splitlines()) if line != b"a = 7"] == [13]  # 77 was a 7 before
    monkeypatch.setattr(patching, "MOST_CHECKS", 3)
    patched = patch(info("python"), raw, fixes)
    assert {item.reason for item in patched.refused} == {UNPROVED}


def test_many_nested_conditions_cost_no_more_than_their_size() -> None:
    raw = b"class A {\n" + b"#if A\n" * 20000 + b"int x;\n" + b"#endif\n" * 20000 + b"}\n"
    start = raw.index(b"x;")
    began = time.process_time()
    patch(info("csharp"), raw, [finding(Edit(start, start + 1, "y"))])
    assert time.process_time() - began < 5


def test_a_file_that_did_not_parse_is_fixed_where_it_did() -> None:
    raw = b"a = 1\n\ndef f(:\n    pass\n\n\nb = 2\n"
    patched = patch(info("python"), raw, [finding(Edit(4, 5, "7")), finding(replaced(raw, b"(:", "():"), line=3)])
    assert patched.raw == raw.replace(b"1", b"7")
    assert [item.reason for item in patched.refused] == [IN_UNREAD]


BRANCHES = b"""\
class A {
#if UNITY_EDITOR
    void B() { C(1); }
#else
    void B() { C(2); }
#endif
    void D() { C(3); C(4); }
    string s = @"
#if no directive: it stands in a text
";
}
"""


@pytest.mark.parametrize(
    ("spans", "refused"),
    [
        ((b"1", b"1"), False),
        ((b"3); C(4", b"3); C(4"), False),
        ((b"1", b"2"), True),  # two branches of one condition
        ((b"2", b"3"), True),  # a branch, and what all see
        ((b"C(2); }\n#endif\n", b"4"), True),  # over a boundary
        ((b"#if UNITY_EDITOR", b"3"), True),
    ],
)
def test_an_edit_across_conditional_compilation_is_refused(spans: tuple[bytes, bytes], refused: bool) -> None:  # noqa: FBT001
    edits = {replaced(BRANCHES, old, old.decode() + " ") for old in spans}
    patched = patch(info("csharp"), BRANCHES, [finding(*sorted(edits))])
    assert [item.reason for item in patched.refused] == [ACROSS_BRANCHES] * refused
    assert (patched.raw == BRANCHES) is refused


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (b"\xef\xbb\xbfx = 1\r\ny = 'z'\nw = 2", "utf-8"),
        ("\ufeffx = 1\r\ny = 'é'".encode("utf-16-le"), "utf-16-le"),
        ("\ufeffx = 1\r\ny = 'é'\n".encode("utf-16-be"), "utf-16-be"),
        ("# coding: latin-1\nx = 1\ny = 'é'\n".encode("latin-1"), "latin-1"),
        ("x = 1\ny = 'é'\n".encode("cp1252"), "cp1252"),
    ],
)
def test_encoding_mark_and_line_ends_stay(raw: bytes, encoding: str) -> None:
    text = decode("a", raw, python=True)
    start = text.data.index(b"1")
    if b"latin-1" in raw:
        start = text.data.index(b"1", 18)
    patched = patch(info("python"), raw, [finding(Edit(start, start + 1, "'ü'"))])
    position = raw.index("x = 1".encode(encoding)) + len("x = ".encode(encoding))
    one = len("1".encode(encoding))
    assert patched.raw == raw[:position] + "'ü'".encode(encoding) + raw[position + one :]
    assert not patched.refused


@pytest.mark.parametrize("raw", ["# coding: latin-1\nx = 1\n".encode("latin-1"), "x = 1 # é\n".encode("cp1252")])
def test_a_character_that_the_encoding_lacks_refuses_its_fix_alone(raw: bytes) -> None:
    start = decode("a", raw, python=True).data.index(b"x")
    lacking, other = finding(Edit(start + 4, start + 5, "'名'")), finding(Edit(start, start + 1, "y"))
    patched = patch(info("python"), raw, [lacking, other])
    assert patched.raw == raw.replace(b"x = 1", b"y = 1")
    assert [item.finding for item in patched.refused] == [lacking]
    assert re.search("encoding, (latin-1|cp1252), lacks", patched.refused[0].reason)


@pytest.mark.parametrize(
    "raw",
    [
        b"x = 1 # caf\xe9 \x81\n",  # Windows-1252 has no such character
        b"# coding: utf-7\nx = 1 # +AGE-\n",  # one text, several spellings
        b"# coding: utf-8-sig\nx = 1\n",
        b"# a\rx = 1\n",  # to the parser all of that is one comment
    ],
)
def test_a_file_that_would_not_come_back_as_it_was_is_left_alone(raw: bytes) -> None:
    start = raw.index(b"x")
    patched = patch(info("python"), raw, [finding(Edit(start, start + 1, "y"))])
    assert patched.raw == raw
    assert re.search("written back as it was|lone carriage return", patched.refused[0].reason)


WORDS = st.sampled_from(["a", "b1", "é", "名", "'x'", "7", "#c", "\n", "\r\n", "\t", " ", "=", "+", "\U0001f600"])


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=30), st.lists(st.integers(0, 200), max_size=10), st.randoms(use_true_random=False))
def test_all_that_no_edit_covers_stays_and_the_order_of_findings_means_nothing(
    words: list[str], cuts: list[int], random: Random
) -> None:
    text = "".join(words)
    raw = text.encode()
    cuts = sorted({min(cut, len(text)) for cut in cuts})
    offsets = [len(text[:cut].encode()) for cut in cuts]
    fixes = [
        finding(Edit(start, end, f"v{number}"), line=number)
        for number, (start, end) in enumerate(zip(offsets[::2], offsets[1::2], strict=False), 1)
    ]
    patched = patch(info("python"), raw, fixes)
    shuffled = fixes[:]
    random.shuffle(shuffled)
    assert patch(info("python"), raw, shuffled) == patched
    kept, done = b"", 0
    for made in patched.made:
        [edit] = made.fix.edits if made.fix else ()
        kept += raw[done : edit.start] + edit.text.encode()
        done = edit.end
    assert patched.raw == kept + raw[done:]
    assert len(patched.made) + len(patched.refused) + len(patched.waiting) == len(fixes)
