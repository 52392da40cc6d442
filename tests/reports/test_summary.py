from guards.findings.model import Finding
from guards.findings.result import BASELINE, SUPPRESSION, Excused, RunResult, Skipped
from guards.reports import Style
from guards.reports.summary import summary


def lines(result: RunResult) -> list[str]:
    return list(summary(result, Style()))


def test_nothing_to_check_is_not_called_clean(clean: RunResult) -> None:
    assert lines(clean._replace(files_checked=0)) == ["No findings in 0 checked files: there was nothing to check."]


def test_files_are_counted_by_language(clean: RunResult) -> None:
    found = clean._replace(files_checked=8, files_by_language=(("csharp", 5), ("gdscript", 2), ("project", 1)))
    assert lines(found) == ["No findings in 8 checked files (5 C#, 2 GDScript, 1 project file)."]


def test_a_run_that_read_nothing_says_what_it_did_not_read(clean: RunResult) -> None:
    assert lines(clean._replace(files_checked=0, skipped=(Skipped("a.py", "binary"),))) == [
        "No findings in 0 checked files.",
        "Incomplete: 1 file could not be checked:",
        "  a.py: binary",
    ]
    assert lines(clean._replace(files_checked=0, allowed_unanalysed=1)) == [
        "No findings in 0 checked files.",
        "Not read, and allowed by `allow-unanalysed`: 1 file.",
    ]


def test_of_many_skipped_files_the_first_are_named(clean: RunResult) -> None:
    skipped = tuple(Skipped(f"tests/test_{n}.py", "binary") for n in range(8))
    assert lines(clean._replace(skipped=skipped))[1:] == [
        "Incomplete: 8 files could not be checked:",
        "  tests/test_0.py: binary",
        "  tests/test_1.py: binary",
        "  tests/test_2.py: binary",
        "  tests/test_3.py: binary",
        "  tests/test_4.py: binary",
        "  and 3 more; `--output json` names all",
    ]


def test_each_thing_left_out_has_a_line(clean: RunResult, findings: tuple[Finding, ...]) -> None:
    a_finding = findings[0]
    assert lines(
        clean._replace(
            files_checked=1,
            files_by_language=(("python", 1),),
            allowed_unanalysed=1,
            unread_regions=2,
            excused=(
                Excused(a_finding, SUPPRESSION, "why"),
                Excused(a_finding, BASELINE, ""),
                Excused(a_finding, BASELINE, ""),
            ),
            notices=("the cache is full",),
        )
    ) == [
        "No findings in 1 checked file (1 Python).",
        "Not read, and allowed by `allow-unanalysed`: 1 file.",
        "Did not parse, so no rule saw them: 2 regions (`parse-incomplete`).",
        "Suppressed with a reason: 1 finding.",
        "Held back by the baseline: 2 findings.",
        "Notice: the cache is full",
    ]


def test_hostile_paths_are_shown_and_not_obeyed(clean: RunResult) -> None:
    assert lines(clean._replace(skipped=(Skipped("a\n\x1b[31m.py", "no\nway"),)))[2] == r"  a\n\x1b[31m.py: no\nway"
