"""No single change of a protected fact of an accepted file is accepted; the contracts' pages say which facts those are."""

import copy
import json
import os
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from evidence.godot_results import Json, Object, codes, judge_text, result, row, skipped
from hypothesis import given, settings
from hypothesis import strategies as st

EXAMPLES = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 100
NAMES = st.from_regex(r"[a-z][a-z_0-9]{0,6}", fullmatch=True)
# A changed file is made only where it is drawn: there are thousands.
Text: TypeAlias = Callable[[], str]
Change: TypeAlias = tuple[str, Text]


@st.composite
def runs(draw: st.DrawFn) -> list[tuple[str, str, int]]:
    """Tests by suite and name, each with its assertions; 0 is a test that was skipped. At least one passed."""
    suites = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    made = [
        (suite, f"test_{name}", draw(st.integers(0, 3)))
        for suite in sorted(suites)
        for name in sorted(draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)))
    ]
    return made if any(count for *_, count in made) else [(*made[0][:2], 1), *made[1:]]


def check(base: str, changes: Callable[[], Iterator[Change]], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fine = judge_text(Path(folder), base)
        assert fine.verdict == "accepted", (codes(fine), base)
        all_changes = list(changes())
        what, text = all_changes[data.draw(st.integers(0, len(all_changes) - 1), label="change")]
        found = judge_text(Path(folder), text())
        assert found.verdict != "accepted", (what, text())


# Replies of `test_run`.

COUNTERS = ("passed", "failed", "skipped", "total", "suite_count")


def reply(tests: list[tuple[str, str, int]]) -> Object:
    rows = [
        {**row(suite, test, count), "duration_ms": 3} if count else skipped(suite, test) for suite, test, count in tests
    ]
    return {"data": result(rows)}


def places(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*path, number))


def edited(whole: Object, path: tuple[str | int, ...], edit: Callable[[Json, str | int], None]) -> Text:
    def made() -> str:
        changed = copy.deepcopy(whole)
        holder: Json = changed
        for step in path[:-1]:
            holder = holder[step]  # type: ignore[index]
        edit(holder, path[-1])
        return json.dumps(changed)

    return made


def cuts(text: str) -> Iterator[Change]:
    # Shorter than its first word it is nothing that anybody takes for a result.
    yield from ((f"cut at {end}", lambda end=end: text[:end]) for end in range(12, len(text)))
    yield "two documents", lambda: text + text


def put(value: Json) -> Callable[[Json, str | int], None]:
    def edit(holder: Json, step: str | int) -> None:
        holder[step] = value  # type: ignore[index]

    return edit


def drop(holder: Json, step: str | int) -> None:
    del holder[step]  # type: ignore[union-attr,arg-type]


def twice(holder: Json, step: str | int) -> None:
    assert isinstance(holder, list)
    assert isinstance(step, int)
    holder.insert(step, holder[step])


def rename(holder: Json, step: str | int) -> None:
    assert isinstance(holder, dict)
    holder[f"{step}_"] = holder.pop(str(step))


def others(value: Json) -> Iterator[Json]:
    """Values of every other type."""
    kinds: list[Json] = ["x", 7, 1.5, True, None, ["x"], {"x": 1}]
    for other in kinds:
        number = isinstance(value, int) and not isinstance(value, bool)
        if type(other) is not type(value) and not (number and other == 7):
            yield other
    if isinstance(value, int):
        yield str(value)
        yield -1 if value != -1 else -2


def of_reply(whole: Object) -> Iterator[Change]:
    text = json.dumps(whole)
    yield from cuts(text)
    for path in places(whole):
        name = ".".join(map(str, path))
        value: Json = whole
        for step in path:
            value = value[step]  # type: ignore[index]
        # A row need not say how long it took.
        optional = path[-1] == "duration_ms" and len(path) > 2
        if not optional:
            yield f"drop {name}", edited(whole, path, drop)
        if isinstance(path[-1], str):
            yield f"rename {name}", edited(whole, path, rename)
            yield f"{name} twice", partial(text.replace, f'"{path[-1]}":', f'"{path[-1]}": 0, "{path[-1]}":', 1)
        else:
            yield f"{name} twice", edited(whole, path, twice)
        yield from ((f"{name} is {other!r}", edited(whole, path, put(other))) for other in others(value))
        yield from of_value(whole, path, value)
    yield from swapped_suites(whole)


def of_value(whole: Object, path: tuple[str | int, ...], value: Json) -> Iterator[Change]:
    name = ".".join(map(str, path))
    if path[-1] in COUNTERS and len(path) == 2:
        assert isinstance(value, int)
        yield from ((f"{name} is {other}", edited(whole, path, put(other))) for other in range(8) if other != value)
        yield f"{name} is half", edited(whole, path, put(value + 0.5))
    elif path[-1] == "assertion_count":
        yield f"{name} is another kind", edited(whole, path, put(0 if value else 2))
    elif path[-1] in {"passed", "skipped"}:
        yield f"{name} is turned", edited(whole, path, put(not value))
    elif path[-1] == "suite" or path[-2:-1] == ("suites_run",):
        yield f"{name} is renamed", edited(whole, path, put(f"{value}!"))
    elif path[-1] == "message":
        yield f"{name} is turned", edited(whole, path, put("" if value else "Expected 1"))


def swapped_suites(whole: Object) -> Iterator[Change]:
    changed = copy.deepcopy(whole)
    data = changed["data"]
    assert isinstance(data, dict)
    suites = data["suites_run"]
    assert isinstance(suites, list)
    if len(suites) > 1:
        suites[0], suites[1] = suites[1], suites[0]
        yield "two suites change places", lambda: json.dumps(changed)


@settings(deadline=None, max_examples=EXAMPLES)
@given(tests=runs(), data=st.data())
def test_a_changed_reply_is_not_accepted(tests: list[tuple[str, str, int]], data: st.DataObject) -> None:
    whole = reply(tests)
    check(json.dumps(whole), lambda: of_reply(whole), data)


# JUnit XML.


def tree(tests: list[tuple[str, str, int]], writer: str) -> ET.Element:
    """A file as a writer would write it, with a suite for each suite, or for pytest one for all."""
    root = ET.Element(
        "testsuites", {"name": {"gut": "GutTests", "gdunit4": "report_1", "junit": "pytest tests"}[writer]}
    )
    names = list(dict.fromkeys(suite for suite, *_ in tests))
    for names_of_one in [names] if writer == "junit" else [[name] for name in names]:
        suite = ET.SubElement(root, "testsuite", {"name": "pytest" if writer == "junit" else names_of_one[0]})
        for owner, test, count in tests:
            if owner in names_of_one:
                case = ET.SubElement(suite, "testcase", {"name": test, "classname": owner, "time": "0.01"})
                if writer == "gut":
                    case.set("assertions", str(count))
                    case.set("status", "pass" if count else "pending")
                if not count:
                    ET.SubElement(case, "skipped", {"message": "why"}).text = "why"
    for each in (root, *root):
        count_in(each, writer)
    return root


def count_in(element: ET.Element, writer: str) -> None:
    stated = {
        "gut": ("tests", "failures") if element.tag == "testsuites" else ("tests", "failures", "skipped"),
        "gdunit4": ("tests", "failures", "skipped", "flaky") + (("errors",) if element.tag == "testsuite" else ()),
        "junit": () if element.tag == "testsuites" else ("tests", "failures", "errors", "skipped"),
    }[writer]
    for name in stated:
        kind = {"tests": "testcase", "skipped": "skipped"}.get(name)
        element.set(name, str(len(list(element.iter(kind))) if kind else 0))


def written(root: ET.Element) -> str:
    return ET.tostring(root, encoding="unicode")


def with_element(root: ET.Element, number: int, edit: Callable[[ET.Element, ET.Element], None]) -> Text:
    """The tree with one of its elements edited, which is handed over with the one that it stands in."""

    def made() -> str:
        changed = copy.deepcopy(root)
        parents = {child: parent for parent in changed.iter() for child in parent}
        element = list(changed.iter())[number]
        edit(element, parents.get(element, element))
        return written(changed)

    return made


def set_to(name: str, value: str) -> Callable[[ET.Element, ET.Element], None]:
    return lambda element, _: element.set(name, value)


def unset(name: str) -> Callable[[ET.Element, ET.Element], None]:
    def edit(element: ET.Element, _: ET.Element) -> None:
        del element.attrib[name]

    return edit


def add(kind: str) -> Callable[[ET.Element, ET.Element], None]:
    def edit(element: ET.Element, _: ET.Element) -> None:
        ET.SubElement(element, kind)

    return edit


def copied(element: ET.Element, parent: ET.Element) -> None:
    parent.append(copy.deepcopy(element))


def renamed(element: ET.Element, _: ET.Element) -> None:
    element.tag += "s"


def of_tree(root: ET.Element, writer: str) -> Iterator[Change]:
    text = written(root)
    yield from cuts(text)
    yield "a document type", lambda: f"<!DOCTYPE testsuites>{text}"
    for number, element in enumerate(root.iter()):
        name = f"{element.tag} {element.get('name', '')}"
        if number:
            yield f"drop {name}", with_element(root, number, lambda each, parent: parent.remove(each))
            yield f"rename {name}", with_element(root, number, renamed)
            # That a test was skipped can be said twice.
            if element.tag != "skipped":
                yield f"{name} twice", with_element(root, number, copied)
        if element.tag == "testcase":
            yield from of_case(root, number, element, writer)
        for count in ("tests", "failures", "errors", "skipped", "flaky"):
            said = element.get(count)
            if said is not None and not (writer == "gut" and may_be_more(element, count)):
                yield from (
                    (f"{name}: {count} is {other}", with_element(root, number, set_to(count, other)))
                    for other in ("0", "1", "2", "9", "x", "1.0", "-1", "")
                    if other != said
                )
                if count != "flaky":
                    yield f"{name}: no {count}", with_element(root, number, unset(count))


def may_be_more(element: ET.Element, count: str) -> bool:
    """GUT counts calls of ``pending``, of which a test can have several."""
    return element.tag == "testsuite" and count == "skipped" and element.get("skipped") != "0"


def of_case(root: ET.Element, number: int, element: ET.Element, writer: str) -> Iterator[Change]:
    name = f"{element.get('name')}"
    for kind in ("failure", "error", "inconclusive"):
        yield f"{name} has {kind}", with_element(root, number, add(kind))
    yield f"{name} has no name", with_element(root, number, set_to("name", ""))
    if element.find("skipped") is None:
        yield f"{name} is skipped", with_element(root, number, add("skipped"))
    if writer != "junit":
        yield f"{name} is of another suite", with_element(root, number, set_to("classname", "other"))
    if writer == "gut":
        yield from (
            (f"{name} is {status}", with_element(root, number, set_to("status", status)))
            for status in ("fail", "no asserts", "odd", "", "pass", "pending")
            if status != element.get("status")
        )
        yield f"{name} has no status", with_element(root, number, unset("status"))
        yield f"{name} has odd assertions", with_element(root, number, set_to("assertions", "x"))
        if element.get("status") == "pass":
            yield f"{name} has no assertions", with_element(root, number, set_to("assertions", "0"))
            yield f"{name} is said to be skipped", with_element(root, number, set_to("status", "skipped"))


def check_writer(tests: list[tuple[str, str, int]], writer: str, data: st.DataObject) -> None:
    root = tree(tests, writer)
    check(written(root), lambda: of_tree(root, writer), data)


@settings(deadline=None, max_examples=EXAMPLES)
@given(tests=runs(), data=st.data())
def test_a_changed_file_of_gut_is_not_accepted(tests: list[tuple[str, str, int]], data: st.DataObject) -> None:
    check_writer(tests, "gut", data)


@settings(deadline=None, max_examples=EXAMPLES)
@given(tests=runs(), data=st.data())
def test_a_changed_file_of_gdunit4_is_not_accepted(tests: list[tuple[str, str, int]], data: st.DataObject) -> None:
    check_writer(tests, "gdunit4", data)


@settings(deadline=None, max_examples=EXAMPLES)
@given(tests=runs(), data=st.data())
def test_a_changed_file_of_pytest_is_not_accepted(tests: list[tuple[str, str, int]], data: st.DataObject) -> None:
    check_writer(tests, "junit", data)


# Whatever a file holds, it is judged and nothing breaks.


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.data())
def test_files_of_any_content_are_judged_without_an_exception(data: st.DataObject) -> None:
    value = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["data", "error", "passed", "failed", "total", "results", "failures", "suites_run", "suite", "test",
                     "status", "request_id", "content", "text", "structuredContent", "result", "message", "skipped",
                     "jsonrpc", "load_errors", "assertion_count", "suite_count", "duration_ms", "edited_scene"]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=12,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        drawn = data.draw(st.dictionaries(st.sampled_from(["data", "error", "results", "content"]), value, max_size=3))
        found = judge_text(Path(folder), json.dumps(drawn))
        assert found.verdict in {"rejected", "incomplete"}
