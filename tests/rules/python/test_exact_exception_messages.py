"""Every spelling of an assertion about a whole message, and what only looks like one."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from languages.python.flaws import USUAL, expected, reported

RULE = "exact-exception-message"
RAISES = """import pytest
def test_a():
    with pytest.raises(ValueError) as e:
        int("x")
"""
CASES: Mapping[str, str] = {
    "bracketed, over lines": RAISES
    + '    assert (\n        (str(e.value))  # FLAW\n        == (  # why\n            "a"\n            "b")\n    )\n',
    "several assertions in one": RAISES + '    assert e and (str(e.value) == "a" or repr(e.value) == "b")  # FLAW\n',
    "compared with a call in a chain": RAISES + '    assert str(e.value) == e.value.x == "a"\n',
    "by way of names": RAISES + '    error = e.value\n    said = error.args[0]\n    assert said == "a"  # FLAW\n',
    "a name with two values": RAISES + '    said = str(e.value)\n    said = "b"\n    assert said == "b"\n',
    "a name that starts as nothing": """def test_a():
    error = None
    try:
        int("x")
    except* ValueError as caught:
        error = caught
    assert str(error) == "a"  # FLAW
    assert error.args == ("a",)  # FLAW
""",
    "longer names": RAISES
    + '    re.fullmatch("^a$", "^a$")\n    e.rematch("^a$")\n    self.reassertEqual(str(e.value), "a")\n'
    + '    self.assertEqual(str(e.value), "a")  # FLAW\n',
    "behind its clause": """def test_a(error):
    try:
        int("x")
    except ValueError as error:
        assert str(error) == "a"  # FLAW
    assert str(error) == "a"
""",
    "called raises": 'import pytest\ndef test_a():\n    e = pytest.raises(ValueError, int, "x")\n'
    '    assert str(e.value) == "a"  # FLAW\n    e.match("^a$")  # FLAW\n    e.match(regexp="a$")\n',
    "compiled pattern": 'import re, pytest\ndef test_a():\n    with pytest.raises(ValueError, match=re.compile("^a b$")):  # FLAW\n        pass\n',
    "escaped in an f-string": "import re, pytest\ndef test_a(x):\n"
    '    with pytest.raises(ValueError, match=rf"^{re.escape(x)}$"):  # FLAW\n        pass\n'
    '    with pytest.raises(ValueError, match=f"^{x}$"):\n        pass\n',
    "an empty pattern": 'import pytest\ndef test_a():\n    with pytest.raises(ValueError, match="^$"):\n        pass\n',
    "another match": 'import re\ndef test_a():\n    assert re.match("^a$", "a")\n    assert find(match="^a$")\n',
    "in text": RAISES + '    run("""\n    assert str(e.value) == \'a\'\n    """)\n',
    "in a loop's comprehension": RAISES + '    assert all(str(x) == "a" for x in things)\n',
    "own class that is none": 'class Error:\n    pass\ndef test_a():\n    assert str(Error()) == "a"\n',
    "own class that is one": 'class E(KeyError):\n    pass\ndef test_a():\n    assert str(E(1)) == "1"  # FLAW\n',
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_just_the_marked_lines(tmp_path: Path, text: str) -> None:
    assert reported(tmp_path, RULE, {USUAL: text}) == expected({USUAL: text})


@pytest.mark.parametrize(
    "text",
    [
        RAISES + "    assert str(e.value)" + ".strip()" * 2000 + ' == "a"\n',
        RAISES + "    assert str(e.value)" + " == str(e.value)" * 2000 + "\n",
        RAISES + "    e.match(" + " + ".join(["'^'"] * 2000) + ")\n",
        "".join(f"    a{number + 1} = a{number}\n    assert a{number} == 'x'\n" for number in range(1000)),
    ],
    ids=["methods", "operators", "pattern", "names"],
)
def test_hostile_lengths_are_silent(tmp_path: Path, text: str) -> None:
    assert reported(tmp_path, RULE, {USUAL: text}) == set()
