"""Result files of NUnit, TRX and xUnit: what is accepted, what is not, and that no single change is."""

import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.evidence.contracts import judged
from guards.evidence.expectations import expectations
from guards.evidence.taken import BadPath, taken
from guards.evidence.verdict import Verdict

EXAMPLES = Path(__file__).parents[2] / "examples" / "evidence"
FILES = {"nunit": "TestResults.xml", "trx": "results.trx", "xunit": "xunit.xml"}
ACCEPTED, REJECTED, INCOMPLETE = "accepted", "rejected", "incomplete"


def text(name: str) -> str:
    return (EXAMPLES / name / FILES[name]).read_text(encoding="utf-8")


def judge(path: Path, *stated: str, allow_skip: tuple[str, ...] | None = None) -> Verdict:
    return judged(taken(str(path)), expectations({}, stated, allow_skip))


def codes(verdict: Verdict) -> set[str]:
    return {reason.code for _, reason, _ in verdict.reasons()}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def write(content: str) -> Path:
        path = tmp_path / "result.xml"
        path.write_text(content, encoding="utf-8")
        return path

    return write


Write = Callable[[str], Path]

EMPTY = {
    "nunit": '<test-run id="2" testcasecount="0" result="Passed" total="0" passed="0" failed="0" inconclusive="0" skipped="0"/>',
    "trx": '<TestRun><ResultSummary outcome="Completed"><Counters total="0" executed="0" passed="0" failed="0"/></ResultSummary></TestRun>',
    "xunit": '<assemblies><assembly name="a" total="0" passed="0" failed="0" skipped="0" errors="0"/></assemblies>',
}


@pytest.mark.parametrize("name", FILES)
def test_a_run_of_nothing_proves_nothing(write: Write, name: str) -> None:
    verdict = judge(write(EMPTY[name]))
    assert (verdict.verdict, codes(verdict)) == (INCOMPLETE, {"EMPTY_RUN"})
    assert judge(write(EMPTY[name]), "allow-empty").verdict == ACCEPTED


def test_a_filter_that_matched_nothing_has_words_of_its_own(write: Write) -> None:
    verdict = judge(write(EMPTY["nunit"].replace('testcasecount="0"', 'testcasecount="12"')))
    assert (verdict.verdict, codes(verdict)) == (INCOMPLETE, {"FILTER_MATCHED_NOTHING"})


def test_a_root_called_skipped_whose_tests_all_passed(write: Write) -> None:
    document = (
        '<test-run id="2" testcasecount="1" result="Skipped" total="1" passed="1" failed="0" inconclusive="0" skipped="0">'
        '<test-case id="1" fullname="A" result="Passed"/></test-run>'
    )
    verdict = judge(write(document))
    assert (verdict.verdict, codes(verdict)) == (REJECTED, {"ROOT_SKIPPED_LEAVES_PASSED"})
    assert judge(write(document.replace('result="Skipped"', 'result="Passed"'))).verdict == ACCEPTED


def test_a_run_of_skips_alone_proves_nothing(write: Write) -> None:
    document = (
        '<test-run id="2" testcasecount="1" result="Skipped" total="1" passed="0" failed="0" inconclusive="0" skipped="1">'
        '<test-case id="1" fullname="A" result="Skipped" label="Explicit"/></test-run>'
    )
    verdict = judge(write(document))
    assert (verdict.verdict, codes(verdict)) == (INCOMPLETE, {"ALL_SKIPPED"})


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        # What a console, another culture or another version of a framework writes is as good.
        ("nunit", 'duration="1,5316042"', 'duration="1.5316042"'),
        (
            "nunit",
            'testcasecount="3" result="Passed" duration="1.53',
            'testcasecount="9" result="Passed" duration="1.53',
        ),
        ("nunit", 'fullname="Keep.Tests.LampTests.Goes_Out(3)"', 'fullname="Keep.Tests.LampTests.Burns"'),
        ("nunit", ' engine-version="3.5.0.0"', ""),
        ("nunit", 'asserts="2" />', 'asserts="2"><output>::error::</output></test-case>'),
        ("trx", 'notExecuted="0"', 'notExecuted="1"'),
        ("trx", 'outcome="Completed">', 'outcome="Passed">'),
        ("trx", "<TestRun id", "<x:TestRun xmlns:x='u' id"),
        (
            "trx",
            "</ResultSummary>",
            '<RunInfos><RunInfo outcome="Warning"><Text>x</Text></RunInfo></RunInfos></ResultSummary>',
        ),
        ("xunit", 'schema-version="3" ', ""),
        ("xunit", 'test-framework="xUnit.net v3 3.0.1"', 'test-framework="xUnit.net 2.9.3"'),
        ("xunit", "<errors />", ""),
        ("xunit", ' not-run="0"', ""),
    ],
)
def test_variants_of_good_files_are_accepted(write: Write, name: str, old: str, new: str) -> None:
    document = text(name)
    assert old in document
    changed = document.replace(old, new, 1)
    if "x:TestRun" in new:
        changed = changed.replace("</TestRun>", "</x:TestRun>")
    verdict = judge(write(changed))
    assert verdict.verdict == ACCEPTED, codes(verdict)


def test_a_test_that_ended_with_a_warning_is_told(write: Write) -> None:
    document = (
        '<test-run id="2" testcasecount="1" result="Warning" total="1" passed="0" failed="0" warnings="1" inconclusive="0" '
        'skipped="0"><test-case id="1" fullname="A" result="Warning"/></test-run>'
    )
    verdict = judge(write(document))
    assert (verdict.verdict, codes(verdict)) == (ACCEPTED, {"TEST_WARNED"})


@pytest.mark.parametrize("name", FILES)
def test_what_is_expected_is_judged(write: Write, name: str) -> None:
    path = write(text(name))
    assert judge(path, "total=3", "min-tests=3", "exit-code=0").verdict == ACCEPTED
    assert "TOTAL_MISMATCH" in codes(judge(path, "total=4"))
    assert "COUNT_BELOW_MINIMUM" in codes(judge(path, "min-tests=4"))
    assert "EXIT_CODE_CONTRADICTION" in codes(judge(path, "exit-code=1"))
    assert judge(path, allow_skip=("*Smells",)).verdict == ACCEPTED
    assert codes(judge(path, allow_skip=("*Other",))) == {"SKIP_NOT_ALLOWED"}


def test_the_mode_of_unity_is_in_the_file(write: Write) -> None:
    path = write(text("nunit"))
    assert judge(path, "mode=EditMode").verdict == ACCEPTED
    assert codes(judge(path, "mode=PlayMode")) == {"CALLER_EXPECTATION_MISMATCH"}


def test_rows_of_data_are_part_of_their_test(write: Write) -> None:
    inner = (
        '<InnerResults><UnitTestResult executionId="e4" testId="t1" testName="Adds (1)" outcome="Passed"/></InnerResults>'
        "</UnitTestResult>"
    )
    document = text("trx").replace('computerName="builder" testListId="l" />', f'computerName="builder">{inner}', 1)
    assert judge(write(document)).verdict == ACCEPTED
    failed = document.replace('testName="Adds (1)" outcome="Passed"', 'testName="Adds (1)" outcome="Failed"')
    assert judge(write(failed)).verdict != ACCEPTED


# Attributes that say what was found, and that something else in the file says again.
PROTECTED = {
    "nunit": r'<test-(?:case|run|suite)\b[^>]*?\b(?:result|total|passed|failed|skipped|inconclusive)="([^"]*)"',
    "trx": r'(?:<UnitTestResult\b[^>]*?\b(?:outcome|executionId)|<Counters\b[^>]*?\b(?:total|executed|passed|failed)|<ResultSummary outcome|<TestEntry\b[^>]*?\bexecutionId)="([^"]*)"',
    "xunit": r'(?:<test\b[^>]*?\bresult|<(?:assembly|collection)\b[^>]*?\b(?:total|passed|failed|skipped|not-run|errors))="([^"]*)"',
}
ELEMENT = {"nunit": "test-case", "trx": "UnitTestResult", "xunit": "test"}


def retype(document: str, name: str, chance: random.Random) -> str:
    match = chance.choice(list(re.finditer(PROTECTED[name], document)))
    old = match[1]
    new = chance.choice([old + "x", "", "7", "Failed", "Fail", "-1"])
    return document[: match.start(1)] + (new if new != old else "y") + document[match.end(1) :]


def elements(document: str, name: str) -> list[tuple[int, int]]:
    tag = ELEMENT[name]
    return [match.span() for match in re.finditer(rf"<{tag}\b[^>]*?(?:/>|>.*?</{tag}>)", document, re.DOTALL)]


def drop(document: str, name: str, chance: random.Random) -> str:
    start, end = chance.choice(elements(document, name))
    return document[:start] + document[end:]


def duplicate(document: str, name: str, chance: random.Random) -> str:
    start, end = chance.choice(elements(document, name))
    return document[:end] + document[start:end] + document[end:]


def truncate(document: str, name: str, chance: random.Random) -> str:
    return document[: chance.randrange(len(document) - len(f"</{name}>") - 1)]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(FILES)),
    st.sampled_from([retype, drop, duplicate, truncate]),
    st.randoms(use_true_random=False),
)
def test_no_single_change_of_a_protected_fact_is_accepted(
    name: str, change: Callable[[str, str, random.Random], str], chance: random.Random
) -> None:
    changed = change(text(name), name, chance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.xml"
        path.write_text(changed, encoding="utf-8")
        try:
            found = taken(str(path))
        except BadPath:  # cut before it says what it is
            return
        assert judged(found, expectations({}, ())).verdict != ACCEPTED, changed
