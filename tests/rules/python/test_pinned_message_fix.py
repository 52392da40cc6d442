from pathlib import Path

import pytest
from engine.fixed_text import fixed_text

HEAD = "import pytest\n\n\ndef test_a():\n    with pytest.raises(ValueError) as e:\n        int('x')\n"


def fixed(folder: Path, body: str, *, unsafe: bool = True) -> str:
    return fixed_text(folder, "exact-exception-message", {"test_a.py": HEAD + body}, unsafe=unsafe).removeprefix(HEAD)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    assert str(e.value) == 'bad'  # why\n", "    assert 'bad' in str(e.value)  # why\n"),
        ("    assert 'bad' == str(e.value), 'a' == 'b'\n", "    assert 'bad' in str(e.value), 'a' == 'b'\n"),
        ("    assert str(e.value)=='bad'\n", "    assert 'bad' in str(e.value)\n"),
        ("    assert (str(e.value) == 'bad' 'er')\n", "    assert ('bad' 'er' in str(e.value))\n"),
        (
            "    assert e.value.args[0] == (\n        'bad'\n        ' é'\n    )\n",
            "    assert (\n        'bad'\n        ' é'\n    ) in e.value.args[0]\n",
        ),
        (
            "    assert str(e.value) == 'a' and repr(e.value) == 'b'\n",
            "    assert 'a' in str(e.value) and 'b' in repr(e.value)\n",
        ),
        ("    assert f'{e.value}!' == 'bad!'\n", "    assert 'bad!' in f'{e.value}!'\n"),
        ("    assert (\n        str(e.value)\n        == 'bad'\n    )\n", "    assert (\n        'bad'\n        in str(e.value)\n    )\n"),
    ],
)  # fmt: skip
def test_a_comparison_becomes_a_search(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, before) == after
    assert fixed(tmp_path, before, unsafe=False) == before


@pytest.mark.parametrize(
    "body",
    [
        "    assert e.value.args == ('bad',)\n",
        "    assert e.match('^bad$')\n",
        "    bad = 'bad'\n    assert str(e.value) == bad\n",
        "    assert (\n        str(e.value)  # why\n        == 'bad'\n    )\n",
        "    assert (\n        str(e.value) ==  # why\n        'bad'\n    )\n",
        "    assert str(e.value) == 'bad' == other\n",
        "    assert str(e.value) != 'bad'\n",
        "    assert str(e.value) == f'bad'\n",
    ],
)
def test_what_is_no_plain_comparison_is_left_alone(tmp_path: Path, body: str) -> None:
    assert fixed(tmp_path, body) == body
