"""The traps of the parser's binding, each shut."""

import gc
import pickle
import re
import time
from importlib import import_module
from pathlib import Path

import pytest

import guards.languages
from guards.engine.collect import collect
from guards.engine.isolation import collect_isolated, needs_isolation
from guards.engine.task import FileTask
from guards.languages.syntax import GaveUp, Node, Query, error_spans, matches, parse, text_of, walk
from guards.project.model import TEST, FileInfo

CSHARP_FILE = FileInfo("Tests/T.cs", "csharp", TEST)
SLOW_CSHARP = b"a<" * 24_000


def queries() -> list[Query]:
    """Every query of the program."""
    root = Path(guards.languages.__file__).parent
    names = sorted(
        ".".join(("guards.languages", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        for path in root.rglob("*.py")
    )
    modules = [import_module(name) for name in names]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Query)]


def test_matches_keep_what_belongs_together() -> None:
    data = b"a(1)\nb(2)\n"
    query = Query("python", "(call function: (identifier) @name arguments: (argument_list (integer) @value))")
    found = matches(query, parse("python", data).root_node)
    assert [(text_of(c["name"][0], data), text_of(c["value"][0], data)) for _, c in found] == [("a", "1"), ("b", "2")]


def test_matches_come_in_the_order_of_the_source() -> None:
    data = b"f(g(h(1), k(2)), m(3))\n" * 50
    query = Query("python", "(call function: (identifier) @name)\n(integer) @value")
    starts = [
        min(node.start_byte for nodes in captures.values() for node in nodes)
        for _, captures in matches(query, parse("python", data).root_node)
    ]
    assert starts == sorted(starts)


def test_no_query_has_more_than_three_captures_on_a_node() -> None:
    """A fourth one is dropped by the binding without a word."""
    for query in queries():
        assert not re.search(r"(?:@[\w.]+\s*){4}", query.source)


def test_no_query_has_a_predicate() -> None:
    for query in queries():
        assert "#" not in query.source


def test_a_query_with_a_predicate_is_refused() -> None:
    query = Query("python", '((identifier) @name (#eq? @name "a"))')
    with pytest.raises(ValueError, match="predicates"):
        matches(query, parse("python", b"a\n").root_node)


def test_no_query_is_quadratic_in_the_number_of_siblings() -> None:
    """Two sibling patterns without an anchor match every pair of children: 2,000 statements took 25 s."""
    sources = {
        "csharp": b"class T { void A() {" + b" a.B(c, d);" * 3000 + b"} }",
        "gdscript": b"func test_a():\n" + b"\ta.b(c, d)\n" * 3000,
        "python": b"def test_a():\n" + b"    a.b(c, d)\n" * 3000,
    }
    for query in queries():
        root = parse(query.language, sources[query.language]).root_node
        began = time.process_time()
        assert len(matches(query, root)) < 40_000
        assert time.process_time() - began < 5


def test_a_parse_is_given_up_at_the_limit_of_cpu_time() -> None:
    with pytest.raises(GaveUp):
        parse("python", b"\\\n" * 100_000, cpu_limit=0.2)


def test_a_parse_after_one_that_was_given_up_sees_only_its_own_text() -> None:
    with pytest.raises(GaveUp):
        parse("python", b"\\\n" * 100_000, cpu_limit=0.1)
    root = parse("python", b"x = 1\n").root_node
    assert root.end_byte == 6
    assert [node.type for node in walk(root)] == [
        "module",
        "expression_statement",
        "assignment",
        "identifier",
        "=",
        "integer",
    ]


def test_a_parse_looks_at_the_whole_text_whatever_was_parsed_before() -> None:
    """Ranges that were set once would stay on a parser, and hide the rest of the next file."""
    parse("python", b"x = 1\n" * 100)
    tree = parse("python", b"y = 2\n" * 200)
    assert [(included.start_byte, included.end_byte >= 1200) for included in tree.included_ranges] == [(0, True)]
    assert len(tree.root_node.children) == 200


def test_a_file_that_stalls_the_parser_is_killed_in_a_process_of_its_own() -> None:
    task = FileTask(CSHARP_FILE, SLOW_CSHARP, 0, with_facts=True)
    assert needs_isolation(task)
    collected, facts = collect_isolated(task, (), cpu_limit=1)
    assert "given up" in collected.failure
    assert facts is None


def test_an_honest_file_stays_in_this_process() -> None:
    source = b"class T { List<Dictionary<string, int>> a; bool B() => 1 < 2; }\n" * 400
    assert not needs_isolation(FileTask(CSHARP_FILE, source, 0, with_facts=True))


@pytest.mark.parametrize(
    ("info", "raw"),
    [
        (CSHARP_FILE, b"class T { void A() { Thread.Sleep(1); } }"),
        (FileInfo("tests/test_a.gd", "gdscript", TEST), b"extends McpTestSuite\nfunc test_a():\n\tawait b\n"),
        (
            FileInfo("tests/test_a.py", "python", TEST),
            b"import os\ndef test_a(mocker):\n    mocker.patch('os.replace')\n",
        ),
    ],
)
def test_what_is_collected_crosses_processes_and_keeps_no_tree(info: FileInfo, raw: bytes) -> None:
    gc.collect()
    before = sum(isinstance(thing, Node) for thing in gc.get_objects())
    result = collect(FileTask(info, raw, 0, with_facts=True), ())
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 our own bytes
    gc.collect()
    assert sum(isinstance(thing, Node) for thing in gc.get_objects()) == before


def test_an_error_without_an_error_node_still_has_a_place() -> None:
    data = b"enum X {}\n\nfunc a():\n\tpass\n"
    root = parse("gdscript", data).root_node
    assert root.has_error
    assert [data[:start].count(b"\n") for start, _ in error_spans(root)] == [0]


def test_deep_nesting_overflows_nothing() -> None:
    root = parse("python", b"(" * 30_000 + b"1" + b")" * 30_000).root_node
    assert sum(1 for _ in walk(root)) > 30_000
    assert isinstance(error_spans(root), list)
