"""The least number of assertions on the ways through a function."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from languages.python.sample import indexed, opened

TEST = "tests/test_sample.py"
HELPERS = """
def compared(a, b):
    if a != b:
        raise AssertionError(a)
def twice(a):
    assert a
    assert a
def sometimes(a):
    if a:
        assert a
class Harness:
    def run(self):
        assert self
"""


def least(body: str, rest: str = "") -> int:
    """The least number for a test with this body."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    text = f"import pytest\nfrom tests.helpers import Harness, compared, sometimes, twice\ndef test_a():\n{lines}\n{rest}\n"
    files = {TEST: text, "tests/__init__.py": "", "tests/helpers.py": HELPERS}
    return indexed(files).least_outcomes(TEST, "test_a")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("pass", 0),
        ("assert 1", 1),
        ("assert 1\nassert 2", 2),
        ("if x:\n    assert 1", 0),
        ("if x:\n    assert 1\nelse:\n    assert 2\n    assert 3", 1),
        ("if x:\n    assert 1\nelif y:\n    assert 2\nelse:\n    assert 3", 1),
        ("if x:\n    assert 1\nelif y:\n    assert 2", 0),
        ("if x:\n    return\nassert 1", 0),
        ("assert 1\nif x:\n    return\nassert 1", 1),
        ("if x:\n    pytest.skip('x')\nassert 1", 1),
        ("if x:\n    raise ValueError\nassert 1", 1),
        ("if x:\n    raise AssertionError", 1),
        ("if x:\n    pytest.fail('x')", 1),
        ("if not x:\n    pass\nelse:\n    pytest.fail('x')", 1),
        ("if x:\n    if y:\n        pytest.fail('x')", 0),
        ("for x in y:\n    assert x", 0),
        ("for x in (1, 2):\n    assert x", 1),
        ("for x in [*y]:\n    assert x", 0),
        ("for x in ():\n    assert x", 0),
        ("for x in range(3):\n    assert x", 1),
        ("for x in range(n):\n    assert x", 0),
        ("for x in y:\n    print(x)\nelse:\n    assert 1", 1),
        ("for x in y:\n    if x:\n        break\nelse:\n    pytest.fail('x')", 1),
        ("for x in (1, 2):\n    if x:\n        continue\n    assert x", 0),
        ("while x:\n    assert x", 0),
        ("while True:\n    assert x\n    if x:\n        break", 1),
        ("while x:\n    pass\nassert 1", 1),
        ("try:\n    assert 1\nexcept ValueError:\n    pass", 0),
        ("try:\n    f()\nexcept ValueError:\n    assert 1", 0),
        ("try:\n    f()\nfinally:\n    assert 1", 1),
        ("try:\n    f()\nexcept ValueError:\n    assert 1\nelse:\n    assert 2", 1),
        ("try:\n    f()\nexcept ValueError:\n    pytest.fail('x')", 1),
        ("try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    pytest.fail('x')", 1),
        ("with open('x'):\n    assert 1", 1),
        ("with pytest.raises(ValueError):\n    f()", 1),
        ("with pytest.raises(ValueError):\n    f()\n    assert 1", 1),
        ("async with x:\n    assert 1", 1),
        ("with suppress(ValueError):\n    assert 1", 0),
        ("match x:\n    case 1:\n        assert 1\n    case _:\n        pass", 0),
        ("lambda: compared(1, 1)", 0),
        ("[twice(x) for x in y]", 0),
        ("x and twice(x)", 0),
        ("twice(x) if x else None", 2),
        ("y = 1 if x else twice(x)", 0),
        ("twice(1)", 2),
        ("assert twice(1)", 3),
        ("sometimes(1)", 0),
        ("compared(1, 1)\ntwice(1)", 3),
        ("Harness().run()", 1),
        ("return twice(1)", 2),
        ("here(1)", 1),
        ("here(1)\nhere(2)", 2),
        ("expect(1)", 1),
        ("x.verify()", 1),
        ("verify_nothing()", 0),
        ("round_and_round()", 0),
        ("def inner():\n    assert 1\ninner()", 1),
        ("def inner():\n    assert 1", 0),
        ("self.assertEqual(1, 1)", 1),
        ("if twice(1):\n    pass", 2),
        ("for x in twice(1):\n    pass", 2),
        ("while True:\n    twice(1)", 0),
    ],
)
def test_least(body: str, expected: int) -> None:
    rest = "def here(a):\n    assert a\ndef verify_nothing(): ...\ndef round_and_round(): round_and_round()\n"
    assert least(body, rest) == expected


def test_helpers_of_a_star_import_count() -> None:
    files = {
        TEST: "from tests.helpers import *\ndef test_a():\n    twice(1)\n",
        "tests/__init__.py": "",
        "tests/helpers.py": HELPERS,
    }
    assert indexed(files).least_outcomes(TEST, "test_a") == 2


def test_it_counts_up_to_a_limit() -> None:
    rest = "".join(f"def f{n}():\n    f{n + 1}()\n    f{n + 1}()\n" for n in range(40)) + "def f40():\n    assert 1\n"
    assert least("f0()", rest) == 1000


def test_a_deep_nest_is_not_followed() -> None:
    text = "def test_a():\n" + "".join(f"{' ' * n}if x:\n" for n in range(1, 90)) + " " * 90 + "assert x\n"
    assert indexed({TEST: text}).least_outcomes(TEST, "test_a") == 0


def test_what_would_be_written_without_end_is_undecided() -> None:
    body = "".join(f"{' ' * n}try:\n{' ' * n} assert x\n{' ' * n}finally:\n" for n in range(1, 24))
    text = f"def test_a():\n{body}{' ' * 24}assert x\n"
    (facts,) = opened(text, TEST).facts().functions
    assert len(facts.program) < 10
    assert indexed({TEST: text}).least_outcomes(TEST, "test_a") == 0


def test_an_unknown_function_has_none() -> None:
    assert indexed({TEST: ""}).least_outcomes(TEST, "nothing") == 0
    assert indexed({TEST: ""}).least_outcomes("nowhere.py", "nothing") == 0


STATEMENTS = st.recursive(
    st.sampled_from(["assert x", "twice(x)", "return", "break", "continue", "raise E", "pytest.fail()", "pytest.skip()", "f()"]),
    lambda inner: st.builds(
        lambda head, bodies: "\n".join(
            f"{part}:\n" + "\n".join(f"    {line}" for line in body.split("\n"))
            for part, body in zip(head, bodies, strict=False)
        ),
        st.sampled_from([
            ("if x", "else"), ("for x in y", "else"), ("while x", "else"), ("with suppress(E)",),
            ("try", "except E", "else", "finally"), ("try", "finally"), ("try", "except"),
        ]),
        st.lists(inner, min_size=4, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(STATEMENTS, min_size=1, max_size=4))
def test_no_more_is_promised_than_is_written(statements: list[str]) -> None:
    body = "\n".join(statements)
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    text = f"import pytest\nfrom tests.helpers import *\ndef test_a():\n{lines}\n"
    (facts,) = opened(text, TEST).facts().functions
    assert isinstance(facts.program, str)
    assert 0 <= least(body) <= 1000
