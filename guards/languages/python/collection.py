"""Which functions pytest would run as tests, and which before and after them."""

from fnmatch import fnmatchcase

from guards.languages.python.facts import FIXTURE, HELPER, LIFECYCLE, TEST_FUNCTION
from guards.project.model import Unit

_PATTERN_SIGNS = frozenset("*?[")
_LIFECYCLE = frozenset(
    {
        "setup_module", "teardown_module", "setup_function", "teardown_function", "setup_class", "teardown_class",
        "setup_method", "teardown_method", "setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule",
        "tearDownModule", "asyncSetUp", "asyncTearDown",
        "pytest_configure", "pytest_unconfigure", "pytest_sessionstart", "pytest_sessionfinish",
        "pytest_runtest_setup", "pytest_runtest_teardown", "pytest_runtest_call", "pytest_runtest_protocol",
    }
)  # fmt: skip


class Collection:
    """The names that a unit's pytest configuration collects."""

    def __init__(self, unit: Unit) -> None:
        self._functions = unit.fact("python_functions") or ("test",)
        self._classes = unit.fact("python_classes") or ("Test",)

    def collects_class(self, name: str, bases: tuple[str, ...]) -> bool:
        """Whether pytest looks for tests in a class, by its own name and the references of its bases."""
        return _any_prefix(self._classes, name) or is_test_case(bases)

    def kind(self, name: str, *, fixture: bool, in_test_case: bool, collected: bool) -> str:
        """What a function is; ``collected`` says that it stands at module level or in collected classes."""
        if fixture:
            return FIXTURE
        if name in _LIFECYCLE:
            return LIFECYCLE
        is_test = name.startswith("test") if in_test_case else _any_prefix(self._functions, name)
        return TEST_FUNCTION if collected and is_test else HELPER


def is_test_case(bases: tuple[str, ...]) -> bool:
    """Whether a base is ``unittest.TestCase`` or is named as one of its many heirs."""
    return any(base.endswith("TestCase") for base in bases)


def _any_prefix(patterns: tuple[str, ...], name: str) -> bool:
    return any(
        fnmatchcase(name, pattern) if _PATTERN_SIGNS & set(pattern) else name.startswith(pattern)
        for pattern in patterns
    )
