"""Verdicts as JUnit XML: a suite a path, a test a condition; what was not evaluated is a skipped test."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from guards.evidence.verdict import FAILED, NOT_EVALUATED, Judged, Verdict
from guards.reports.escape import inert, sentence, visible
from guards.reports.model import Style
from guards.reports.verdicts import text
from guards.reports.verdicts.words import label, reason


def render(verdicts: Sequence[Verdict], style: Style) -> str:
    """Every condition of every verdict; the verdict as people read it is the suite's output."""
    del style
    root = ET.Element("testsuites", name="suiteguard accept")
    for verdict in verdicts:
        _add_suite(root, verdict)
    ET.indent(root)
    document = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{inert(document, lambda character: f"&#{ord(character)};")}\n'


def _add_suite(root: ET.Element, verdict: Verdict) -> None:
    states = [judged.state for judged in verdict.conditions]
    suite = ET.SubElement(
        root,
        "testsuite",
        name=visible(verdict.path),
        tests=str(len(states)),
        failures=str(states.count(FAILED)),
        errors="0",
        skipped=str(states.count(NOT_EVALUATED)),
    )
    for judged in verdict.conditions:
        case = ET.SubElement(suite, "testcase", name=label(judged), classname=f"suiteguard.{verdict.contract}")
        _add_state(case, judged)
    ET.SubElement(suite, "system-out").text = f"\n{text.render((verdict,), Style())}"


def _add_state(case: ET.Element, judged: Judged) -> None:
    if judged.state == FAILED:
        lines = [reason(found) for found, _ in judged.reasons]
        failure = ET.SubElement(case, "failure", type=judged.reasons[0][0].code, message=judged.title)
        failure.text = "".join(f"\n{line}" for line in [*lines, f"next: {judged.next_step}"]) + "\n"
    elif judged.state == NOT_EVALUATED:
        ET.SubElement(case, "skipped", message=sentence(judged.missing))
