"""Names and messages that want to be something else: what a format makes of them is shown and never obeyed."""

import json
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.findings.model import Finding, Related
from guards.findings.result import SUPPRESSION, Excused, RunResult, Skipped
from guards.reports import FORMATS, Style, renderer
from guards.reports.escape import encodable, joined, sentence, visible
from guards.source.place import Place
from guards.source.text import SourceText

HOSTILE = {
    "a workflow command": "::error file=x.cs,line=1::fake",
    "one behind space": " \u3000::add-mask::x",
    "one on a line of its own": "a\n::stop-commands::token\nb",
    "one behind a return": "a\r::error::x\r\nb",
    "an old command": "a ##[stop-commands]token",
    "a command of Azure": "a ##vso[task.setvariable variable=x]y",
    "a command of TeamCity": "##teamcity[buildProblem description='x']",
    "an escape of GitHub": "50%0A::error::x %25 100%",
    "properties": "a,line=9,title=b::c",
    "the end of a section": "a ]]> b",
    "markup": "<script>alert('x')</script> &amp; \"y\"",
    "a link": "[read](https://example.invalid/) and {0}",
    "codes of a terminal": "\x1b[31mred\x1b[0m \x9b2J \x07",
    "line ends": "a\nb\r\nc\x85d\u2028e",
    "the other direction": "access\u202elevel\u2066",
    "what is not seen": "a\u200bb\ufeffc\xad\U000e0041",
    "a byte that is no UTF-8": "caf\udce9.cs",
    "half of a pair": "a\ud83db",
    "no character": "a\x00b\ufffec\uffff",
    "quotes and slashes": "a\\b\"c'd`e",
    "other scripts": "名前 👩\u200d🔬 ünï",
}
# What GitHub's runner knows, and obeys.
COMMANDS = {
    "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice", "remove-matcher",
    "save-state", "set-env", "set-output", "stop-commands", "warning",
}  # fmt: skip


def run_with(text: str) -> RunResult:
    """A result that holds a text wherever text from outside can stand."""
    place = Place(text, 3, 5, 3, 9)
    finding = Finding(text, place, text, text, text, (Related(place, text),), "SGC999", "error")
    note = Finding(text, Place(text, 1, 1, 1, 1), text, severity="note")
    excused = Excused(finding._replace(place=Place(text, 7, 1, 7, 2)), SUPPRESSION, text)
    return RunResult((note, finding), 1, (("csharp", 1),), (Skipped(text, text),), 1, 1, (excused,), (text,))


def report(name: str, text: str) -> str:
    def sources(path: str) -> SourceText:
        return SourceText(path, f"{text}\n{text}\n1234{text}\n".encode("utf-8", "replace"))

    return renderer(name)(run_with(text), sources, Style())


def commands(log: str) -> Iterator[str]:
    """The commands that GitHub's runner finds in a log: ``::`` at the start of a line, else ``##[`` anywhere."""
    for line in log.splitlines():
        new = re.match(r"\s*::([^ ]*?)(?: .*?)?::", line)
        old = re.search(r"##\[([^ \]]*)[^\]]*\]", line)
        for found in (new, old):
            if found and found[1].lower() in COMMANDS:
                yield found[1]
                break


# The commands that are the format itself: a note, an error, and a file that was not checked.
OWN = {"github": ["notice", "error", "error"]}
ALL = [*FORMATS, "statistics"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", ALL)
def test_no_text_starts_a_command_of_a_server(name: str, text: str) -> None:
    log = report(name, text)
    assert list(commands(log)) == OWN.get(name, [])
    others = "".join(line for line in log.splitlines() if not line.startswith("::"))
    assert not re.search(r"##(vso|teamcity)?\[", others, re.IGNORECASE)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", ALL)
def test_nothing_is_left_that_a_terminal_obeys_or_nobody_sees(name: str, text: str) -> None:
    for character in report(name, text).replace("\n", "").replace("\u200d", ""):
        assert unicodedata.category(character) not in {"Cc", "Cf", "Zl", "Zp", "Cs"}


TEXTS = st.lists(st.text(st.characters(), max_size=20) | st.sampled_from(sorted(HOSTILE.values())), max_size=3).map(
    "".join
)


@pytest.mark.parametrize("name", ALL)
@given(text=TEXTS)
def test_every_text_can_be_reported_and_written(name: str, text: str) -> None:
    log = report(name, text)
    assert log.endswith("\n")
    assert log.encode().decode() == log
    assert list(commands(log)) == OWN.get(name, [])


@given(text=TEXTS)
def test_json_gives_path_and_message_back(text: str) -> None:
    for finding in json.loads(report("json", text))["findings"]:
        assert (finding["place"]["path"], finding["message"]) == (text, text)


@given(text=TEXTS)
def test_sarif_gives_path_and_message_back(text: str) -> None:
    half = any("\ud800" <= character <= "\udfff" and not "\udc80" <= character <= "\udcff" for character in text)
    (run,) = json.loads(report("sarif", text))["runs"]
    assert len(run["results"]) == 3
    for found in run["results"]:
        assert re.sub(r"(\\*)\1\\\](?=\()", r"\1]", found["message"]["text"]) == encodable(text)
        uri = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote_to_bytes(uri).decode("utf-8", "surrogatepass" if half else "surrogateescape") == text
        assert re.fullmatch(r"(?:[A-Za-z0-9/._~-]|%[0-9A-F]{2})*", uri)


@given(text=TEXTS)
def test_gitlab_gives_path_and_message_back(text: str) -> None:
    entries = json.loads(report("gitlab", text))
    assert [entry["description"] for entry in entries] == [encodable(text)] * 2 + [f"not checked: {encodable(text)}"]
    assert {entry["location"]["path"] for entry in entries} == {encodable(text)}


@given(text=TEXTS)
def test_junit_gives_path_and_message_back(text: str) -> None:
    root = ET.fromstring(report("junit", text))  # noqa: S314 our own report
    assert {case.get("name") for case in root.iter("testcase")} == {visible(text)}
    assert [failure.get("message") for failure in root.iter("failure")] == [sentence(text)]
    assert [error.get("message") for error in root.iter("error")] == [sentence(text)]


@given(text=TEXTS)
def test_github_gives_path_and_message_back(text: str) -> None:
    for line in report("github", text).splitlines()[:3]:
        head, _, data = line.removeprefix("::").partition("::")
        pairs = dict(pair.split("=", 1) for pair in head.partition(" ")[2].split(","))
        assert unescaped(pairs["file"], "%0D", "%0A", "%3A", "%2C", "%25") == visible(text)
        message, *_ = unescaped(data, "%0D", "%0A", "%25").split("\n")
        assert re.sub(r":\d+:\d+", "", message.removeprefix(visible(text)), count=1) == f": {sentence(text)}"


def unescaped(value: str, *codes: str) -> str:
    """A value as GitHub's runner reads it: one code after the other."""
    for code in codes:
        value = value.replace(code, chr(int(code[1:], 16)))
    return value


@given(text=TEXTS)
def test_one_line_a_finding_is_one_line(text: str) -> None:
    log = report("concise", text)
    assert log.splitlines()[1] == joined([f"{visible(text)}:3:5: error[{visible(text)}] {sentence(text)}"]).rstrip("\n")
