"""A marker that nothing registers.

## What it does

Reports each `pytest.mark.NAME` (as decorator, in `pytestmark`, in `pytest.param(marks=…)`, bound to a name, under any
alias of `pytest` or `mark`) whose name is none of pytest's own, none of a well-known plugin's, not listed under
`markers` in pytest's configuration for the file, and not registered by a hook: `config.addinivalue_line("markers", …)`
in a `conftest.py` or in a plugin module of the project.

## Why is this bad?

A misspelt marker selects nothing: `-m slow` passes over the test that says `slwo`, and `-m "not slow"` runs it. pytest
itself only warns unless markers are strict, and then only where the file is collected.

## Use instead

Register the marker with a word on what it means, or correct its name. For a marker of a plugin that this rule does not
know, name it in the option `known`.

## Known limits

- Without any pytest configuration nothing is registered, so that every marker of the project's own is reported, as
  pytest warns of it.
- Where a hook computes the names that it registers, the rule is silent for all files of that configuration. Markers
  that begin with the name of a declared `pytest-…` dependency are taken for that plugin's.
- A marker that is bound to a name is reported where it is bound, not where that name is used.
- `item.add_marker("name")` and `getattr(pytest.mark, name)` with a computed name are not looked at.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from guards.languages.python import PythonFile
from guards.languages.python.marks import marks_of
from guards.rule import WARNING, Candidate, Example, Finding, Option, Options, Project, Rule

_BUILT_IN = frozenset(
    {"filterwarnings", "optionalhook", "hookwrapper", "parametrize", "skip", "skipif", "tryfirst", "trylast", "usefixtures", "xfail"}
)  # fmt: skip
# What plugins register, by the distribution that does.
_OF_PLUGINS = {
    "anyio": "anyio",
    "pytest-aiohttp": "aiohttp",
    "pytest-asyncio": "asyncio",
    "pytest-asyncio-cooperative": "asyncio_cooperative",
    "pytest-bdd": "pytest_bdd_scenario",
    "pytest-benchmark": "benchmark",
    "pytest-celery": "celery",
    "pytest-codspeed": "codspeed_benchmark",
    "pytest-cov": "no_cover",
    "pytest-datafiles": "datafiles",
    "pytest-dependency": "dependency",
    "pytest-django": "django_db ignore_template_errors urls",
    "pytest-docker-tools": "docker",
    "pytest-doctestplus": "doctest_skip doctest_only",
    "pytest-flask": "options",
    "pytest-forked": "forked",
    "pytest-freezer": "freeze_time",
    "pytest-homeassistant-custom-component": "",
    "pytest-httpbin": "",
    "pytest-httpserver": "",
    "pytest-httpx": "httpx_mock non_mocked_hosts assert_all_responses_were_requested",
    "pytest-incremental": "incremental",
    "pytest-memray": "limit_memory limit_leaks",
    "pytest-mpl": "mpl_image_compare",
    "pytest-mpi": "mpi mpi_skip mpi_xfail mpi_break",
    "pytest-order": "order",
    "pytest-ordering": "run first second third fourth fifth sixth seventh eighth last second_to_last",
    "pytest-playwright": "skip_browser only_browser browser_context_args",
    "pytest-qt": "qt_log_ignore qt_log_level_fail qt_no_exception_capture no_capture_exceptions",
    "pytest-random-order": "random_order",
    "pytest-recording": "vcr block_network default_cassette allowed_hosts",
    "pytest-remotedata": "remote_data internet_off",
    "pytest-repeat": "repeat",
    "pytest-rerunfailures": "flaky",
    "pytest-responses": "withoutresponses",
    "pytest-run-parallel": "parallel_threads iterations thread_unsafe parallel_threads_limit",
    "pytest-selenium": "nondestructive sensitive_url capabilities",
    "pytest-socket": "disable_socket enable_socket allow_hosts",
    "pytest-timeout": "timeout",
    "pytest-trio": "trio",
    "pytest-twisted": "inlineCallbacks ensureDeferred",
    "pytest-xdist": "xdist_group",
    "respx": "respx",
    "sphinx": "sphinx test_params",
    "sybil": "",
    "typeguard": "",
}
_KNOWN = _BUILT_IN | {name for names in _OF_PLUGINS.values() for name in names.split()}


class UnregisteredMarker(Rule[PythonFile]):
    """One finding for each use of a marker."""

    name = "unregistered-marker"
    code = "SGP003"
    language = "python"
    severity = WARNING
    needs = ("mark",)
    options: ClassVar = {"known": Option((), "Further markers that a plugin registers.")}
    why = "a misspelt marker selects nothing, and pytest only warns of it"
    instead = "register it under `markers` in pytest's configuration, or correct its name"

    def check(self, file: PythonFile, options: Options) -> Iterator[Candidate]:
        """One candidate for each marker that neither pytest nor a known plugin has."""
        known = _KNOWN.union(options.names("known"))
        for mark in marks_of(file):
            if mark.name not in known:
                yield self.candidate(mark.place, "mark", mark.name, mark.maker)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The markers that the file's configuration and hooks do not register."""
        for candidate in candidates:
            name, maker = candidate.words
            if project.python.is_mark_maker(maker, candidate.place.path) and not project.python.registers(
                name, candidate.place.path
            ):
                yield self.finding(candidate.place, f"the marker `{name}` is not registered")

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whether it is no marker of pytest, or one that something registers."""
        name, maker = candidate.words
        if not project.python.is_mark_maker(maker, candidate.place.path):
            return f"what makes `{name}` is not known to be `pytest.mark`"
        return f"configuration, a hook or a plugin registers `{name}`, or may do so"

    bad = (
        Example(
            """import pytest
from pytest import mark as m

pytestmark = [pytest.mark.slwo, pytest.mark.slow]  # FLAW


@m.fast  # FLAW
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.wip)])  # FLAW
def test_adds(x):
    assert x
""",
            "none of these is registered but `slow`",
            files=(("pytest.ini", "[pytest]\nmarkers =\n    slow: takes seconds\n"),),
        ),
        Example(
            """import pytest

needs_server = pytest.mark.server  # FLAW


@needs_server
def test_asks(): ...
""",
            "reported where it is bound to a name",
        ),
        Example(
            """import pytest

pytestmark = getattr(pytest.mark, "slwo")  # FLAW
""",
            "a name looked up by a constant",
            files=(("pyproject.toml", '[tool.pytest.ini_options]\nmarkers = ["slow(seconds): takes that long"]\n'),),
        ),
    )
    good = (
        Example(
            """import pytest


@pytest.mark.skipif(True, reason="not here")
@pytest.mark.usefixtures("server")
@pytest.mark.asyncio
@pytest.mark.timeout(5)
def test_asks(): ...
""",
            "pytest's own markers, and those of well-known plugins",
        ),
        Example(
            """import pytest


@pytest.mark.slow.with_args(1)
@pytest.mark.e2e
def test_asks(): ...
""",
            "registered by a hook above the file; `with_args` is no marker",
            path="tests/app/test_sample.py",
            files=(
                (
                    "tests/conftest.py",
                    """def pytest_configure(config):
    for name in ("slow", "e2e"):
        config.addinivalue_line("markers", name)
""",
                ),
            ),
        ),
        Example(
            """class Book:
    mark = None


def test_reads(mark):
    mark.page()
    Book().mark.page()
    assert "pytest.mark.slow"  # pytest.mark.slow
""",
            "other things that are called mark",
        ),
        Example(
            """from tests.marks import slow


@slow
def test_adds(): ...
""",
            "a registered marker under a name from another file",
            files=(
                ("pytest.ini", "[pytest]\nmarkers =\n    slow: takes seconds\n"),
                ("tests/__init__.py", ""),
                ("tests/marks.py", "import pytest\nslow = pytest.mark.slow\n"),
            ),
        ),
        Example(
            """import pytest


@pytest.mark.snail
def test_crawls(): ...
""",
            "named in the option",
            options=(("known", ("snail",)),),
        ),
    )
