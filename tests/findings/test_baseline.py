import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.config.model import ConfigError
from guards.findings.baseline import Baseline, Entry, Matched, dumps, loads, match
from guards.findings.model import Finding
from guards.source.place import Place

FILE = "suiteguard-baseline.json"
A, B, C = "a" * 16, "b" * 16, "c" * 16
GOOD = {"rule": "thread-sleep", "path": "Tests/T.cs", "fingerprint": A, "count": 2, "reason": "it polls"}


def entry(
    rule: str = "thread-sleep", path: str = "Tests/T.cs", mark: str = A, times: int = 1, reason: str = "x"
) -> Entry:
    return Entry(rule, path, mark, times, reason)


def without_places(baseline: Baseline) -> list[Entry]:
    return [found._replace(place=entry().place) for found in baseline.entries]


def problems(raw: "bytes | str") -> list[str]:
    with pytest.raises(ConfigError) as refused:
        loads(raw if isinstance(raw, bytes) else raw.encode(), FILE)
    return str(refused.value).split("\n")


def document(*entries: object, version: object = 1) -> str:
    return json.dumps({"version": version, "entries": entries})


# Text.


def test_an_entry_stands_on_a_line_of_its_own_in_the_order_of_paths() -> None:
    text = dumps([entry(path="b.cs", mark=B), entry(path="a.cs"), entry(path="b.cs", mark=A, times=3)])
    assert text == (
        '{\n  "version": 1,\n  "entries": [\n'
        f'    {{"rule": "thread-sleep", "path": "a.cs", "fingerprint": "{A}", "count": 1, "reason": "x"}},\n'
        f'    {{"rule": "thread-sleep", "path": "b.cs", "fingerprint": "{A}", "count": 3, "reason": "x"}},\n'
        f'    {{"rule": "thread-sleep", "path": "b.cs", "fingerprint": "{B}", "count": 1, "reason": "x"}}\n'
        "  ]\n}\n"
    )


def test_an_empty_baseline_can_be_read_again() -> None:
    assert loads(dumps([]).encode(), FILE).entries == ()


def test_entries_for_the_same_findings_become_one_and_no_reason_is_lost() -> None:
    (found,) = loads(dumps([entry(reason="x"), entry(reason="y", times=2), entry(reason="x")]).encode(), FILE).entries
    assert (found.times, found.reason) == (4, "x; y")


def test_what_nobody_sees_is_escaped_and_other_letters_stay() -> None:
    text = dumps([entry(path="Tests/\u202e.cs"), entry(path="テスト.cs")])
    assert "\u202e" not in text
    assert "テスト.cs" in text


def test_an_entry_knows_its_place() -> None:
    found = loads(dumps([entry(path="a.cs"), entry(path="b.cs")]).encode(), FILE)
    assert [e.place.line for e in found.entries] == [4, 5]
    assert found.entries[0].place.column == 5
    text = json.dumps(json.loads(dumps([entry(path="a.cs"), entry(path="b.cs")])), indent=1)
    spread = loads(text.encode(), FILE)
    assert without_places(spread) == without_places(found)
    first = spread.entries[0].place
    assert text.split("\n")[first.line - 1].strip() == "{"
    assert text.split("\n")[first.end_line - 1].strip() == "},"


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\\/\0"), min_size=1).filter(
    lambda name: name not in {".", ".."}
)
entries = st.builds(
    entry,
    st.sampled_from(["thread-sleep", "async-void"]),
    st.lists(names, min_size=1, max_size=3).map("/".join),
    st.sampled_from([A, B, C]),
    st.integers(1, 1000),
    st.text(st.characters(exclude_categories=["Cs"])).map(lambda text: f"{text} x"),
)


@settings(max_examples=50)
@given(st.lists(entries, max_size=8, unique_by=lambda e: e[:3]))
def test_whatever_is_written_is_read_again(written: list[Entry]) -> None:
    text = dumps(written)
    assert sorted(without_places(loads(text.encode(), FILE))) == sorted(written)
    assert dumps(reversed(written)) == text
    assert text.count("\n") == (len(written) + 5 if written else 4)


def is_read_or_refused_with_a_place(raw: bytes) -> bool:
    try:
        loads(raw, FILE)
    except ConfigError as error:
        return all(problem.path == FILE and problem.line for problem in error.problems)
    return True


@settings(max_examples=100)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_whatever_stands_there_is_read_or_refused_with_a_place(raw: bytes) -> None:
    assert is_read_or_refused_with_a_place(raw)


@settings(max_examples=100)
@given(st.integers(0, 300), st.sampled_from(list('{}[],:"\\0tn \n\x00é')))
def test_a_baseline_with_one_wrong_character_is_read_or_refused_with_a_place(at: int, character: str) -> None:
    text = dumps([entry(), entry(path="b.cs", mark=B, times=3)])
    assert is_read_or_refused_with_a_place((text[:at] + character + text[at + 1 :]).encode())


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("", f"{FILE}:1: must be an object"),
        ("[]", f"{FILE}:1: must be an object"),
        ("{}", f"{FILE}:1: needs `version` and `entries`"),
        ('{"version": 1}', f"{FILE}:1: needs `version` and `entries`"),
        ('{"version": 2, "entries": [1]}', f"{FILE}:1: version: this suiteguard reads version 1"),
        ('{"version": true, "entries": []}', f"{FILE}:1: version: this suiteguard reads version 1"),
        ('{\n"version": 1,\n"version": 1,\n"entries": []}', f"{FILE}:3: the key `version` is there twice"),
        ('{"version": 1, "entries": {}}', f"{FILE}:1: `entries` must be a list"),
        ('{"version": 1, "entries": []}\n\n{}', f"{FILE}:3: something stands behind the end"),
        ('{"version": 1, "entries": [\n\n', f"{FILE}:3: no valid JSON"),
        ('{"version": 1, "entries": [\n{"rule": "x",}]}', f"{FILE}:2: no valid JSON"),
        ('{"version": 1, "entries": [\n{"count": NaN}]}', f"{FILE}:2: no valid JSON: NaN"),
        ('{"version": 1, "entries": [\n{"count": ' + "9" * 5000 + "}]}", f"{FILE}:2: "),
        ('{"version": 1, "entries": [\n' + "[" * 100_000, f"{FILE}:2: it is nested too deeply"),
        ('{"version": 1, "entries": [], "notes": ""}', f"{FILE}:1: notes: there is no such key"),
        ('{"version": 1 "entries": []}', f"{FILE}:1: a comma"),
        ("{1: 2}", f"{FILE}:1: a key must be a string"),
        (b'{"version": 1,\n"entries": [\xff]}', f"{FILE}:2: byte 27 is not UTF-8"),
        ("﻿".encode("utf-16"), f"{FILE}:1: byte 0 is not UTF-8"),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_refused_with_its_line(raw: "bytes | str", problem: str) -> None:
    assert problems(raw)[0].startswith(problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rule": 3}, "rule: must be the name of a rule"),
        ({"rule": "unused-suppression"}, "rule: findings of `unused-suppression` are about excuses"),
        ({"path": ""}, "path: must be the path of a file"),
        ({"path": "/etc/passwd"}, "path: must be the path of a file"),
        ({"path": "../x.cs"}, "path: must be the path of a file"),
        ({"path": "Tests\\T.cs"}, "path: must be the path of a file"),
        ({"fingerprint": "A" * 16}, "fingerprint: must be 16"),
        ({"fingerprint": None}, "fingerprint: must be 16"),
        ({"count": 0}, "count: must be an integer"),
        ({"count": True}, "count: must be an integer"),
        ({"count": 1.0}, "count: must be an integer"),
        ({"count": "1"}, "count: must be an integer"),
        ({"reason": ""}, "reason: must say why"),
        ({"reason": "..."}, "reason: must say why"),
        ({"note": "x"}, "note: there is no such key"),
    ],
)
def test_a_wrong_entry_is_named_with_its_key(change: dict[str, object], problem: str) -> None:
    (found,) = problems(document({**GOOD, **change}))
    assert found.startswith(f"{FILE}:1: {problem}")


def test_all_wrong_entries_are_named_up_to_a_number() -> None:
    assert len(problems(document(1, "x", {**GOOD, "count": 0}, {"rule": "x"}))) == 4
    assert len(problems(document(*range(10_000)))) == 20


def test_an_entry_that_is_there_twice_is_refused() -> None:
    (found,) = problems(f'{{"version": 1, "entries": [\n{json.dumps(GOOD)},\n{json.dumps({**GOOD, "count": 7})}]}}')
    assert found.startswith(f"{FILE}:3: the same entry stands in line 2")


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> topic", "||||||| 1a2b3c"])
def test_a_merge_conflict_is_called_one(mark: str) -> None:
    (found,) = problems(dumps([entry()]).replace("    {", f"{mark}\n    {{"))
    assert found.startswith(f"{FILE}:4: a merge conflict is not resolved")


def test_a_huge_baseline_on_one_line_is_read_in_a_moment() -> None:
    text = json.dumps(json.loads(dumps(entry(path=f"Tests/T{n}.cs") for n in range(30_000))))
    began = time.perf_counter()
    assert len(loads(text.encode(), FILE).entries) == 30_000
    assert time.perf_counter() - began < 5


# Matching. Findings are written as (path, line, fingerprint).


def matched(
    found: list[tuple[str, int, str]], entries: list[Entry], there: "set[str] | None" = None
) -> tuple[list[tuple[str, int]], Matched]:
    findings = [Finding("thread-sleep", Place(path, line, 1, line, 5), "m") for path, line, _ in found]
    present = {path for path, _, _ in found} if there is None else there
    result = match(findings, [mark for *_, mark in found], entries, present.__contains__)
    return [(f.place.path, f.place.line) for f in result.left], result


def test_an_entry_holds_its_findings_back_wherever_their_line_moved() -> None:
    left, result = matched([("T.cs", 9, A), ("T.cs", 12, B)], [entry(path="T.cs", reason="it polls")])
    assert left == [("T.cs", 12)]
    assert [(finding.place.line, held.reason) for finding, held in result.held] == [(9, "it polls")]


def test_an_entry_holds_back_no_more_than_it_says() -> None:
    left, _ = matched([("T.cs", 2, A), ("T.cs", 5, A), ("T.cs", 9, A)], [entry(path="T.cs", times=2)])
    assert left == [("T.cs", 9)]


def test_another_rule_another_file_and_another_line_are_not_held_back() -> None:
    entries = [entry("async-void", "T.cs"), entry(path="U.cs"), entry(path="T.cs", mark=B)]
    assert matched([("T.cs", 2, A)], entries, {"T.cs", "U.cs"})[0] == [("T.cs", 2)]


def test_an_entry_follows_a_renamed_file() -> None:
    left, result = matched([("New.cs", 2, A)], [entry(path="Old.cs")])
    assert left == []
    assert list(result.paths.values()) == [("New.cs", 1)]


def test_an_entry_does_not_follow_where_the_old_file_is_still_there() -> None:
    assert matched([("New.cs", 2, A)], [entry(path="Old.cs")], {"Old.cs", "New.cs"})[0] == [("New.cs", 2)]


def test_an_entry_does_not_follow_into_a_file_that_was_known_before() -> None:
    left, _ = matched([("U.cs", 2, A), ("U.cs", 5, B)], [entry(path="Old.cs"), entry(path="U.cs", mark=B)])
    assert left == [("U.cs", 2)]


def test_an_entry_does_not_choose_between_two_files() -> None:
    assert len(matched([("N1.cs", 2, A), ("N2.cs", 2, A)], [entry(path="Old.cs")])[0]) == 2


def test_two_entries_of_one_line_do_not_choose_either() -> None:
    assert len(matched([("N.cs", 2, A)], [entry(path="O1.cs"), entry(path="O2.cs")])[0]) == 1


def test_in_a_folder_that_was_renamed_each_file_keeps_its_entries() -> None:
    found = [(f"new/T{n}.cs", 2, A) for n in range(3)]
    assert matched(found, [entry(path=f"old/T{n}.cs") for n in range(3)])[0] == []


def test_one_line_that_is_unique_tells_where_the_file_went_and_the_others_follow() -> None:
    found = [("N1.cs", 2, A), ("N1.cs", 5, B), ("N2.cs", 2, A), ("N2.cs", 7, C)]
    entries = [entry(path=path, mark=mark) for path, mark in [("O1.cs", A), ("O1.cs", B), ("O2.cs", A), ("O2.cs", C)]]
    left, result = matched(found, entries)
    assert left == []
    assert {e.path: path for e, (path, _) in result.paths.items()} == {"O1.cs": "N1.cs", "O2.cs": "N2.cs"}


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(1, 3), st.sampled_from([A, B])), max_size=8),
    st.lists(st.tuples(st.sampled_from(["a", "b", "d"]), st.sampled_from([A, B]), st.integers(1, 2)), max_size=6),
)
def test_no_entry_holds_back_more_than_it_says_and_no_finding_is_lost(
    found: list[tuple[str, int, str]], said: list[tuple[str, str, int]]
) -> None:
    entries = list({(p, m): entry(path=p, mark=m, times=t) for p, m, t in said}.values())
    _, result = matched(sorted(found), entries)
    assert len(result.left) + len(result.held) == len(found)
    for e in entries:
        held = [f for f, by in result.held if by == e]
        assert len(held) == result.paths.get(e, ("", 0))[1] <= e.times
        assert len({f.place.path for f in held}) <= 1
