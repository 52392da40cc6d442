"""A Python project: a package, and pytest tests with fixtures, parameters and patches of their own names."""

from collections.abc import Iterator
from random import Random
from string import Template

from benchmarks.synthetic.model import Planted, Source, bodies, is_product, noun, snake, used_by

_METHODS = (
    '''
    def ${verb}_$index(self, amount: int) -> int:
        """Counts ``amount`` many times."""
        if amount < $few:
            raise ValueError(f"{amount} is too little")
        self.total += amount * $many
        return self.total
''',
    """
    def ${verb}_$index(self, names: list[str]) -> list[str]:
        found = []
        for name in names:
            if len(name) <= $few:
                continue
            self.known[name] = self.known.get(name, $many) + 1
            found.append(name.strip())
        return sorted(found, key=lambda each: (len(each), each))
""",
    """
    async def ${verb}_$index(self, turns: int = $few) -> bool:
        for turn in range(turns):
            await asyncio.sleep(0)
            self.total += turn
        return self.total > $many
""",
)

_TESTS = (
    """

def test_${verb}_$index(subject):
    before = subject.total
    subject.count($many)
    assert subject.total == before + $many
    assert not subject.known
""",
    """

@pytest.mark.parametrize("amount", [$few, $many, $few + $many])
def test_${verb}_${index}_for_each(subject, amount):
    subject.count(amount)
    assert subject.total == amount, "each one counts by itself"
""",
    """

@pytest.mark.slow
def test_${verb}_${index}_remembers(subject, tmp_path):
    names = ["one", "two", f"number {$many}"]
    for name in names:
        subject.remember(name)
    (tmp_path / "names.txt").write_text("\\n".join(subject.known), encoding="utf-8")
    assert (tmp_path / "names.txt").read_text(encoding="utf-8").split("\\n") == names
""",
    """

def test_${verb}_${index}_refuses(subject):
    with pytest.raises(ValueError, match="name"):
        subject.remember("")
    assert_unchanged(subject, $few)
""",
    """

class Test${verb}${index}:
    @pytest.fixture
    def full(self, subject):
        subject.count($many)
        yield subject
        subject.total = 0

    def test_holds(self, full):
        assert full.total >= $few

    def test_counts_on(self, full):
        full.count(1)
        assert full.total == $many + 1
""",
)

_PRODUCT = """import asyncio


class ${noun}:
    def __init__(self) -> None:
        self.total = 0
        self.known: dict[str, int] = {}

    def count(self, amount: int) -> None:
        self.total += amount

    def remember(self, name: str) -> None:
        if not name:
            raise ValueError("a name is needed")
        self.known[name] = self.total
${methods}

async def settle() -> None:
    await asyncio.sleep(0)
"""
_MODULE = """import pytest
${imports}
from synthetic.${module} import ${noun}


@pytest.fixture
def subject():
    return ${noun}()


def assert_unchanged(subject, times):
    for _ in range(times):
        assert subject.total == 0
${tests}${flaw}"""
_MISSPELT = """

@pytest.mark.slwo
def test_misspelt(subject):
    assert subject.total == 0
"""
_LISTENING = """

def test_listens(subject):
    subject.known = Mock()
    assert subject.known
"""
_FLAWS = {
    7: ("unregistered-marker", "", _MISSPELT),
    13: ("unittest-mock", "from unittest.mock import Mock\n", _LISTENING),
}
_SETTINGS = """[project]
name = "synthetic"
version = "1.0"
dependencies = []

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src"]
markers = ["slow: takes long"]
"""


def settings(_count: int) -> Iterator[Source]:
    """The package and pytest's configuration."""
    yield Source("pyproject.toml", _SETTINGS)
    yield Source("src/synthetic/__init__.py", "")
    yield Source("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef few():\n    return 3\n")


def source(number: int, random: Random) -> Source:
    """A module, or the tests of one."""
    name = noun(used_by(number))
    if is_product(number):
        methods = "".join(bodies(_METHODS, number, random))
        return Source(f"src/synthetic/{snake(name)}.py", Template(_PRODUCT).substitute(noun=name, methods=methods))
    path = f"tests/test_{snake(name)}_{number}.py"
    rule, imports, flaw = _FLAWS.get(number % 20, ("", "", ""))
    text = Template(_MODULE).substitute(
        noun=name, module=snake(name), imports=imports, tests="".join(bodies(_TESTS, number, random)), flaw=flaw
    )
    return Source(path, text, (Planted(path, rule),) if rule else ())
