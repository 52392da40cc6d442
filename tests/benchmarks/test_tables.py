import json

import pytest

from benchmarks.compare import Comparison, verdicts
from benchmarks.corpus import Corpus
from benchmarks.grow import Point, growth_table
from benchmarks.measure import Sample, Series
from benchmarks.table import comparison_json, comparison_markdown
from benchmarks.tools import BARE, COLD, FLOOR, NOT_COMPARABLE, ONE, TOOLS, WARM


def series(seconds: float) -> Series:
    return Series((Sample(seconds, 2 * seconds, 2048),))


def comparison(**times: float) -> Comparison:
    names = {"cold": COLD, "warm": WARM, "one": ONE, "floor": FLOOR, "bare": BARE}
    measured = {names.get(name, name.replace("_", "-")): series(time) for name, time in times.items()}
    corpus = Corpus("/projects/game", "csharp", ("a.cs", "b.cs"), 3_000_000)
    return Comparison(corpus, measured, {"ast-grep": "1.2"}, {"semgrep": "cannot be installed here: no wheel"})


def test_targets_are_held_against_the_medians_beside_what_a_raw_parse_would_reach() -> None:
    found = verdicts(comparison(cold=3.0, warm=0.4, one=0.12, floor=1.5, bare=0.02, ast_grep=1.0))
    assert [(v.measured, v.cpu, v.floor, v.held) for v in found] == [
        ("3", "3", "1.5", False),
        ("0.4", "0.4", "", True),
        ("100 ms", "200 ms", "", False),
    ]


def test_a_target_whose_other_side_was_not_measured_is_not_judged() -> None:
    assert verdicts(comparison(cold=3.0, warm=0.4)) == []


def test_the_table_shows_ratios_to_cold_and_warm_and_names_what_was_not_measured() -> None:
    text = comparison_markdown(comparison(cold=3.0, warm=0.5, ast_grep=2.0))
    assert "2 files, 3.00 MB" in text
    assert "| ast-grep | 1.2 | 1 | 2.000 | 2.000 to 2.000 | 4.000 | 2 | 1.5 | 0.25 | 1.5 |" in text
    assert "Not measured: semgrep (cannot be installed here: no wheel)." in text
    assert "| suiteguard, cold ÷ ast-grep at most 2.5 | 1.5 | 1.5 |  | yes |" in text


def test_every_line_of_a_table_has_the_same_number_of_cells() -> None:
    text = comparison_markdown(comparison(cold=3.0, warm=0.5, one=0.1, floor=1.0, bare=0.02, ast_grep=2.0))
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert [len({line.count("|") for line in table}) for table in tables] == [1, 1]


def test_machines_get_every_sample() -> None:
    data = json.loads(json.dumps(comparison_json(comparison(cold=3.0, ast_grep=2.0))))
    assert [tool["samples"] for tool in data["tools"]] == [
        [{"wall": 3.0, "cpu": 6.0, "peak_kb": 2048}],
        [{"wall": 2.0, "cpu": 4.0, "peak_kb": 2048}],
    ]
    assert (data["files"], data["bytes"]) == (2, 3_000_000)


@pytest.mark.parametrize("language", ["csharp", "gdscript", "python"])
def test_every_tool_is_either_run_on_a_language_or_named_with_a_reason(language: str) -> None:
    run = {tool.name for tool in TOOLS if language in tool.languages}
    assert run | set(NOT_COMPARABLE[language]) == {tool.name for tool in TOOLS}
    assert run & set(NOT_COMPARABLE[language]) == set()


def test_growth_is_told_where_one_size_is_ten_times_another() -> None:
    points = {size: Point(series(time), series(0.1), 0.3) for size, time in ((100, 1.0), (500, 5.0), (1000, 12.0))}
    lines = growth_table(points).splitlines()[2:]
    assert [line.split("|")[-3].strip() for line in lines] == ["", "", "12.0 **over**"]
    assert [line.split("|")[-2].strip() for line in lines] == ["", "", "1.0"]
    assert all("30.0% **over**" in line for line in lines)
