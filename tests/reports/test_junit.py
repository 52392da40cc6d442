from xml.etree import ElementTree as ET

from guards.findings.model import Finding
from guards.findings.result import BASELINE, SUPPRESSION, Excused, RunResult, Skipped
from guards.reports import Style
from guards.reports.junit import render
from guards.source.place import Place

# What the schema that Jenkins' xunit plug-in holds reports to knows: attributes that must be there, those that may,
# and the elements within.
SHAPE: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": ({"name"}, {"time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "skipped": (set(), {"type", "message"}, set()),
    "error": (set(), {"type", "message"}, set()),
    "failure": (set(), {"type", "message"}, set()),
    "system-out": (set(), set(), set()),
}


def report(result: RunResult) -> ET.Element:
    root = ET.fromstring(render(result, lambda _: None, Style()))  # noqa: S314 our own report
    check_shape(root)
    check_counts(root)
    return root


def check_shape(element: ET.Element) -> None:
    must, may, within = SHAPE[element.tag]
    assert must <= set(element.attrib) <= must | may, element.tag
    assert {child.tag for child in element} <= within, element.tag
    for child in element:
        check_shape(child)


def check_counts(root: ET.Element) -> None:
    tags = {"tests": ".//testcase", "failures": ".//failure", "errors": ".//error", "skipped": ".//skipped"}
    for element in (root, *root.findall("testsuite")):
        for name, tag in tags.items():
            assert int(element.get(name, len(element.findall(tag)))) == len(element.findall(tag))


def test_a_whole_report(result: RunResult) -> None:
    few = result._replace(
        findings=result.findings[:1],
        excused=result.excused[:1],
        notices=(),
        checked=("Tests/Clean.cs", "Tests/Helper.cs"),
    )
    report(few)
    assert (
        render(few, lambda _: None, Style())
        == """\
<?xml version="1.0" encoding="utf-8"?>
<testsuites name="suiteguard" tests="4" failures="1" errors="1">
  <testsuite name="Tests/Clean.cs" file="Tests/Clean.cs" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="Tests/Clean.cs" classname="suiteguard.(clean)" />
  </testsuite>
  <testsuite name="Tests/Helper.cs" file="Tests/Helper.cs" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="Tests/Helper.cs" classname="suiteguard.thread-sleep">
      <failure type="error" message="`Thread.Sleep` blocks the test's thread">
Tests/Helper.cs:3:38: error[thread-sleep] `Thread.Sleep` blocks the test's thread
  Tests/T.cs:5:38: called by the test `A`
  why: a blocked thread stops what is waited for
  instead: wait for the condition, with a bound
</failure>
    </testcase>
  </testsuite>
  <testsuite name="Tests/Huge.cs" file="Tests/Huge.cs" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="Tests/Huge.cs" classname="suiteguard.(not checked)">
      <error type="not checked" message="larger than 10 MB">
larger than 10 MB
</error>
    </testcase>
  </testsuite>
  <testsuite name="Tests/Old.cs" file="Tests/Old.cs" tests="1" failures="0" errors="0" skipped="1">
    <testcase name="Tests/Old.cs" classname="suiteguard.thread-sleep">
      <skipped type="suppression" message="the driver's own thread">
Tests/Old.cs:3:5: a flaw (suppressed: the driver's own thread)
</skipped>
    </testcase>
  </testsuite>
  <testsuite name="suiteguard" tests="0" failures="0" errors="0">
    <system-out>
Found 1 error in 31 checked files (20 C#, 1 GDScript, 10 Python).
Incomplete: 1 file could not be checked:
  Tests/Huge.cs: larger than 10 MB
Not read, and allowed by `allow-unanalysed`: 2 files.
Did not parse, so no rule saw them: 1 region (`parse-incomplete`).
Suppressed with a reason: 1 finding.
</system-out>
  </testsuite>
</testsuites>
"""
    )


def flaw(line: int, severity: str = "error", rule: str = "r", path: str = "a.py") -> Finding:
    return Finding(rule, Place(path, line, 1, line, 2), f"flaw {line}", severity=severity)


def test_a_rule_fails_once_in_a_file_and_tells_each_place(clean: RunResult) -> None:
    findings = (flaw(1), flaw(2), flaw(3), flaw(4, rule="s"), flaw(1, path="b.py"))
    cases = report(clean._replace(findings=findings)).findall(".//testcase")
    assert [(case.get("name"), case.get("classname")) for case in cases] == [
        ("a.py", "suiteguard.r"),
        ("a.py", "suiteguard.s"),
        ("b.py", "suiteguard.r"),
    ]
    failures = [case.findall("failure") for case in cases]
    assert [len(found) for found in failures] == [1, 1, 1]
    assert failures[0][0].get("message") == "flaw 1 (and 2 more)"
    assert [line.split(" ")[0] for line in (failures[0][0].text or "").split("\n") if line] == [
        "a.py:1:1:", "a.py:2:1:", "a.py:3:1:"
    ]  # fmt: skip


def test_notes_pass_and_are_told(clean: RunResult) -> None:
    (case,) = report(clean._replace(findings=(flaw(1, "note"),))).findall(".//testcase")
    assert [child.tag for child in case] == ["system-out"]
    assert "a.py:1:1: note[r] flaw 1" in (case[0].text or "")


def test_an_excuse_beside_a_failure_is_told(clean: RunResult) -> None:
    result = clean._replace(findings=(flaw(1),), excused=(Excused(flaw(2), BASELINE, ""),))
    (case,) = report(result).findall(".//testcase")
    assert [child.tag for child in case] == ["failure", "system-out"]
    assert "a.py:2:1: flaw 2 (held back by the baseline)" in (case[1].text or "")


def test_one_file_can_fail_be_excused_and_be_unchecked_for_several_reasons(clean: RunResult) -> None:
    result = clean._replace(
        findings=(flaw(1),),
        excused=(Excused(flaw(2, rule="s"), SUPPRESSION, "x"),),
        skipped=(Skipped("a.py", "`t` was not judged"), Skipped("a.py", "`u` was not judged")),
        checked=("a.py",),
    )
    (suite, _) = report(result).findall("testsuite")
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["3", "1", "1", "1"]
    (error,) = suite.findall(".//error")
    assert error.get("message") == "`t` was not judged; `u` was not judged"


def test_files_that_are_clean_are_tests_that_pass(clean: RunResult) -> None:
    root = report(clean._replace(checked=("a.py", "b.py")))
    assert root.get("tests") == "2"
    assert [case.get("name") for case in root.findall(".//testcase") if not len(case)] == ["a.py", "b.py"]
