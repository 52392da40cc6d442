"""JUnit XML for servers that show tests: a suite a file, a test for each rule that has something to say about it.

Notes pass, as they do everywhere; an excused finding is a skipped test; a file without findings is a test
that passes, and one that could not be checked is an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from xml.etree import ElementTree as ET

from guards.findings.model import Finding
from guards.findings.result import SUPPRESSION, Excused, RunResult
from guards.reports.escape import inert, sentence, visible
from guards.reports.model import Sources, Style
from guards.reports.summary import summary
from guards.source.place import Place

# No rule can have these names.
CLEAN, NOT_CHECKED = "(clean)", "(not checked)"


class _Test(NamedTuple):
    """What one rule says of one file."""

    failures: list[Finding]
    notes: list[Finding]
    excused: list[Excused]


def render(result: RunResult, sources: Sources, style: Style) -> str:
    """All that was checked, file by file, and a last suite without tests that says what the summary says."""
    del sources, style
    root = ET.Element("testsuites", name="suiteguard")
    files = _files(result)
    skipped: dict[str, list[str]] = {}
    for path, reason in result.skipped:
        skipped.setdefault(path, []).append(reason)
    for path in sorted({*files, *skipped, *result.checked}):
        suite = ET.SubElement(root, "testsuite", name=visible(path), file=visible(path))
        for rule, test in sorted(files.get(path, {}).items()):
            _add_test(suite, path, rule, test)
        if path in skipped:
            reasons = [sentence(reason) for reason in skipped[path]]
            _add_text(_add_case(suite, path, NOT_CHECKED), "error", "not checked", "; ".join(reasons), reasons)
        if not len(suite):
            _add_case(suite, path, CLEAN)
        _count(suite, [suite], "tests", "failures", "errors", "skipped")
    _count(root, list(root), "tests", "failures", "errors")
    about = ET.SubElement(root, "testsuite", name="suiteguard", tests="0", failures="0", errors="0")
    ET.SubElement(about, "system-out").text = _lines(summary(result, Style()))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{inert(text, lambda character: f"&#{ord(character)};")}\n'


def _files(result: RunResult) -> Mapping[str, Mapping[str, _Test]]:
    """What each rule says of each file."""
    files: dict[str, dict[str, _Test]] = {}

    def test(finding: Finding) -> _Test:
        return files.setdefault(finding.place.path, {}).setdefault(finding.rule, _Test([], [], []))

    for finding in result.findings:
        found = test(finding)
        (found.notes if finding.severity == "note" else found.failures).append(finding)
    for excused in result.excused:
        test(excused.finding).excused.append(excused)
    return files


def _add_test(suite: ET.Element, path: str, rule: str, test: _Test) -> None:
    case = _add_case(suite, path, rule)
    beside = [line for finding in test.notes for line in _finding(finding)]
    excuses = [line for excused in test.excused for line in _excused(excused)]
    if test.failures:
        first, *more = test.failures
        message = sentence(first.message) + (f" (and {len(more)} more)" if more else "")
        lines = [line for finding in test.failures for line in _finding(finding)]
        _add_text(case, "failure", first.severity, message, lines)
    elif not test.notes:
        _add_text(case, "skipped", test.excused[0].by, sentence(test.excused[0].reason), excuses)
        return
    if beside or excuses:
        ET.SubElement(case, "system-out").text = _lines([*beside, *excuses])


def _add_case(suite: ET.Element, path: str, what: str) -> ET.Element:
    # Servers recognise a test by these two, and some show only one of several that have them in common.
    return ET.SubElement(suite, "testcase", name=visible(path), classname=f"suiteguard.{visible(what)}")


def _add_text(case: ET.Element, tag: str, kind: str, message: str, lines: Iterable[str]) -> None:
    ET.SubElement(case, tag, type=visible(kind), message=message).text = _lines(lines)


def _finding(finding: Finding) -> Iterator[str]:
    yield f"{_spot(finding.place)}: {finding.severity}[{visible(finding.rule)}] {sentence(finding.message)}"
    for related in finding.related:
        yield f"  {_spot(related.place)}: {sentence(related.message)}"
    for label, text in (("why", finding.why), ("instead", finding.instead)):
        if text:
            yield f"  {label}: {sentence(text)}"


def _excused(excused: Excused) -> Iterator[str]:
    how = "suppressed" if excused.by == SUPPRESSION else "held back by the baseline"
    reason = f": {sentence(excused.reason)}" if excused.reason else ""
    yield f"{_spot(excused.finding.place)}: {sentence(excused.finding.message)} ({how}{reason})"


def _spot(place: Place) -> str:
    return f"{visible(place.path)}:{place.line}:{place.column}"


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"\n{line}" for line in lines) + "\n"


def _count(element: ET.Element, suites: Iterable[ET.Element], *kinds: str) -> None:
    """Says how many tests, failures, errors and skipped ones there are in suites."""
    tags = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error"}
    for kind in kinds:
        number = sum(len(suite.findall(tags.get(kind, "testcase/skipped"))) for suite in suites)
        element.set(kind, str(number))
