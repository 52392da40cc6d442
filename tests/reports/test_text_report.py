from guards.findings.model import Finding, Related
from guards.findings.result import RunResult
from guards.reports import Style
from guards.reports.model import Sources
from guards.reports.text import render
from guards.source.place import Place
from guards.source.text import SourceText


def test_a_whole_report(result: RunResult, sources: Sources) -> None:
    assert (
        render(result, sources, Style())
        == """\
error[thread-sleep]: `Thread.Sleep` blocks the test's thread
 --> Tests/Helper.cs:3:38
  |
3 |     public static void Wait() => Thread.Sleep(10);
  |                                         ^^^^^
 ::: Tests/T.cs:5:38: called by the test `A`
  |
5 |     [Test] public void A() => Helper.Wait();
  |                                      ----
  = why: a blocked thread stops what is waited for
  = instead: wait for the condition, with a bound

error[thread-sleep]: `Thread.Sleep` blocks the test's thread
 --> Tests/T.cs:9:16
  |
9 |         Thread.Sleep(10);
  |                ^^^^^

note[duplicate-suite-name]: two suites
 --> tests/test_a.gd:1:1

warning[unowned-patch]: `os.path` is not the project's own
 --> tests/test_名前.py:2:17
  |
2 |     assert 値 == patch('os.path')
  |                  ^^^^^

Found 2 errors, 1 warning and 1 note in 31 checked files (20 C#, 1 GDScript, 10 Python).
Incomplete: 1 file could not be checked:
  Tests/Huge.cs: larger than 10 MB
Not read, and allowed by `allow-unanalysed`: 2 files.
Did not parse, so no rule saw them: 1 region (`parse-incomplete`).
Suppressed with a reason: 3 findings.
Held back by the baseline: 1 finding.
Notice: 1 file is not UTF-8 and was read as Windows-1252
`suiteguard explain RULE` says what a rule means, with examples.
"""
    )


def test_a_clean_run_is_one_line(clean: RunResult, sources: Sources) -> None:
    assert render(clean, sources, Style()) == "No findings in 12 checked files (12 Python).\n"


def test_numbers_of_all_lines_of_a_finding_share_a_gutter(clean: RunResult) -> None:
    text = SourceText("a.py", b"\n" * 8 + b"nine()\n" + b"\n" * 90 + b"hundred()\n")
    finding = Finding(
        "r", Place("a.py", 9, 1, 9, 5), "m", "w", "", (Related(Place("a.py", 100, 1, 100, 8), "here"),), "", "note"
    )
    assert render(clean._replace(findings=(finding,)), lambda _: text, Style()).startswith("""\
note[r]: m
   --> a.py:9:1
    |
  9 | nine()
    | ^^^^
   ::: a.py:100:1: here
    |
100 | hundred()
    | -------
    = why: w
""")


def test_a_range_of_several_lines(clean: RunResult) -> None:
    text = SourceText("a.py", b"f(\n    1,\n\n    2,\n)\n")
    finding = Finding("r", Place("a.py", 1, 1, 4, 6), "m", severity="error")
    assert render(clean._replace(findings=(finding,)), lambda _: text, Style()).startswith("""\
error[r]: m
 --> a.py:1:1
  |
1 | f(
  | ^^
...
4 |     2,
  |     ^

""")


def test_why_is_said_again_where_it_differs(clean: RunResult) -> None:
    place = Place("a.py", 1, 1, 1, 2)
    said = ("first", "second", "first")
    findings = tuple(Finding("r", place, "m", why, "other", severity="note") for why in said)
    text = render(clean._replace(findings=findings), lambda _: None, Style())
    assert (text.count("= why: first"), text.count("= why: second"), text.count("= instead: other")) == (1, 1, 2)


def test_long_remarks_are_wrapped_by_words_and_by_width(clean: RunResult) -> None:
    finding = Finding(
        "r", Place("a.py", 1, 1, 1, 2), "m", "one two three four five six seven", "長い言葉 " * 6, severity="note"
    )
    assert render(clean._replace(findings=(finding,)), lambda _: None, Style(width=32)).startswith("""\
note[r]: m
 --> a.py:1:1
  = why: one two three four five
         six seven
  = instead: 長い言葉 長い言葉
             長い言葉 長い言葉
             長い言葉 長い言葉
""")


def test_a_file_that_is_gone_is_reported_without_its_line(result: RunResult) -> None:
    text = render(result, lambda _: None, Style())
    assert "error[thread-sleep]: `Thread.Sleep` blocks the test's thread\n --> Tests/T.cs:9:16\n\n" in text


def test_hostile_names_and_lines_are_shown_and_not_obeyed(clean: RunResult) -> None:
    path = "te\x1b[2Jst\n\udcff.py"
    text = SourceText(path, "s = '\u202e\x1b]0;t\x07' + x\n".encode())
    finding = Finding("r", Place(path, 1, 17, 1, 18), "`a\x1b[0m\nb`", "w\x07", "i\u2066", severity="error")
    run = clean._replace(findings=(finding,), notices=("n\x1b",))
    assert (
        render(run, lambda _: text, Style())
        == r"""error[r]: `a\x1b[0m\nb`
 --> te\x1b[2Jst\n\xff.py:1:17
  |
1 | s = '\u202e\x1b]0;t\x07' + x
  |                            ^
  = why: w\x07
  = instead: i\u2066

Found 1 error in 12 checked files (12 Python).
Notice: n\x1b
`suiteguard explain RULE` says what a rule means, with examples.
"""
    )


def test_colour_changes_nothing_else(result: RunResult, sources: Sources) -> None:
    coloured = render(result, sources, Style(colour=True))
    assert coloured.startswith("\x1b[1;31merror[thread-sleep]\x1b[0m: \x1b[1m`Thread.Sleep` blocks")
    plain = coloured
    for code in ("1;31", "1;33", "1;36", "1", "94", "0"):
        plain = plain.replace(f"\x1b[{code}m", "")
    assert plain == render(result, sources, Style())


def test_each_source_is_asked_for_once(clean: RunResult) -> None:
    asked = []

    def sources(path: str) -> SourceText:
        asked.append(path)
        return SourceText(path, b"a\n" * 50)

    findings = tuple(Finding("r", Place("a.py", line, 1, line, 2), "m", severity="note") for line in range(2, 50))
    render(clean._replace(findings=findings), sources, Style())
    assert asked == ["a.py"]
