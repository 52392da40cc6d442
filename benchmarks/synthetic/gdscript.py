"""A Godot project: classes, and McpTestSuite suites that test them."""

from collections.abc import Iterator
from random import Random
from string import Template

from benchmarks.synthetic.model import Planted, Source, bodies, is_product, noun, snake, used_by

_METHODS = (
    """

func ${verb}_$index(amount: int) -> int:
	if amount < $few:
		return total
	total += amount * $many
	changed.emit(total)
	return total
""",
    """

## The names that are long enough.
func ${verb}_$index(names: Array[String]) -> Array[String]:
	var found: Array[String] = []
	for name in names:
		if name.length() <= $few:
			continue
		known[name] = known.get(name, $many) + 1
		found.append(name.strip_edges())
	return found
""",
    """

func ${verb}_$index(where: Vector2, step := $few) -> Dictionary:
	match step:
		0:
			return {}
		1, 2:
			return {"at": where, "turn": total % $many}
		_:
			var moved := where + Vector2(step, step)
			return {"at": moved, "turn": total, "path": [where, moved]}
""",
)

_TESTS = (
    """

func test_${verb}_$index() -> void:
	var before := _subject.total
	_subject.count($many)
	assert_eq(_subject.total, before + $many, "the total")
	assert_true(_subject.known.is_empty())
""",
    """

func test_${verb}_${index}_for_each() -> void:
	for amount in [$few, $many]:
		_subject.total = 0
		_subject.count(amount)
		assert_eq(_subject.total, amount)
	assert_ne(_subject.total, $few, "each one counts by itself")
""",
    """

func test_${verb}_${index}_remembers() -> void:
	var names: Array[String] = ["one", "two", "number %d" % $many]
	for name in names:
		_subject.remember(name)
	assert_eq(_subject.known.size(), names.size())
	if _subject.known.has("three"):
		assert_true(false, "nobody named it")
		return
	_assert_unchanged()
""",
    """

func test_${verb}_${index}_makes_another() -> void:
	var other := ${noun}.new()
	other.count($few)
	assert_true(other.total > _subject.total)
	assert_contains(str(other.total), str($few))
""",
)

_PRODUCT = """class_name ${noun}
extends RefCounted

signal changed(total: int)

var total := 0
var known: Dictionary = {}


func count(amount: int) -> void:
	total += amount
	changed.emit(total)


func remember(name: String) -> void:
	if name.is_empty():
		push_error("a name is needed")
		return
	known[name] = total
${methods}"""
_SUITE = """@tool
extends McpTestSuite

## Tests of ${noun}.

var _subject: ${noun}


func suite_name() -> String:
	return "${name}"


func setup() -> void:
	_subject = ${noun}.new()


func teardown() -> void:
	_subject = null


func _assert_unchanged() -> void:
	assert_eq(_subject.total, 0)
${tests}${flaw}"""
_TAKEN = "synthetic"
_AWAITING = """

func test_waits() -> void:
	await _subject.changed
	assert_eq(_subject.total, 0)
"""


def settings(_count: int) -> Iterator[Source]:
    """The project file, and the first suite of a name that others have as well."""
    yield Source("project.godot", 'config_version=5\n\n[application]\n\nconfig/name="Synthetic"\n')
    first = Template(_SUITE).substitute(noun=noun(0), name=_TAKEN, tests="", flaw="")
    yield Source("tests/test_a.gd", first)


def source(number: int, random: Random) -> Source:
    """A class, or a suite for one."""
    name = noun(used_by(number))
    if is_product(number):
        methods = "".join(bodies(_METHODS, number, random))
        return Source(f"game/{snake(name)}.gd", Template(_PRODUCT).substitute(noun=name, methods=methods))
    path = f"tests/test_{snake(name)}_{number}.gd"
    planted = {7: "await-in-test", 13: "duplicate-suite-name"}.get(number % 20, "")
    text = Template(_SUITE).substitute(
        noun=name,
        name=_TAKEN if planted == "duplicate-suite-name" else f"{snake(name)}_{number}",
        tests="".join(bodies(_TESTS, number, random)),
        flaw=_AWAITING if planted == "await-in-test" else "",
    )
    return Source(path, text, (Planted(path, planted),) if planted else ())
