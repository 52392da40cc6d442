"""What the caller expects of a run. What nobody states is not evaluated, and the verdict says so."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from guards.config.globs import BadGlob, check_glob

TASK, RELEASE = "task", "release"
PROFILES = (TASK, RELEASE)
# What `--expect` may say.
_TEXTS = (
    "mode", "group", "filter", "project", "request-id", "run-id", "framework-version", "editor-version", "fixture",
)  # fmt: skip
_NUMBERS = ("min-tests", "total", "exit-code")
_FLAGS = ("allow-empty",)
EXPECTED = (*_TEXTS, *_NUMBERS, *_FLAGS)
_COMMAND_LINE = "--expect"

# A value of the configuration, whose types were checked when it was read.
Stated: TypeAlias = object


class BadExpectation(Exception):
    """An expectation that cannot be understood; ``str()`` says which."""


class Expectations(NamedTuple):
    """What was stated, by option, configuration or preset; None means that nobody did.

    ``stated_by`` says for each name where its value comes from. ``allow_skip`` are globs of leaves
    that may be skipped. ``in_place`` says that the files stand where the run left them, so that
    their times mean something; then ``newest_source`` is the source that was changed last, and
    when, in nanoseconds since 1970. ``pair`` are the requests of a fault run and its canary.
    ``lanes`` is the name of the lanes that the configuration chooses, see ``lanes.LANES``, and
    ``fixture`` the folder that the fixture of the reload lane was copied from.
    """

    mode: str | None = None
    group: str | None = None
    filter: str | None = None
    project: str | None = None
    request_id: str | None = None
    run_id: str | None = None
    framework_version: str | None = None
    editor_version: str | None = None
    min_tests: int | None = None
    total: int | None = None
    exit_code: int | None = None
    allow_empty: bool = False
    allow_skip: tuple[str, ...] | None = None
    allow_rerun: tuple[str, ...] | None = None
    worker_only_categories: tuple[str, ...] | None = None
    profile: str = TASK
    in_place: bool = False
    stated_by: tuple[tuple[str, str], ...] = ()
    pair: tuple[str, str] | None = None
    newest_source: tuple[str, int] | None = None
    lanes: str = ""
    fixture: str | None = None

    def origin(self, name: str) -> str:
        """Who states an expectation, by the name that ``--expect`` uses; empty where nobody does."""
        return dict(self.stated_by).get(name, "")


def expectations(
    configured: Mapping[str, tuple[Stated, str]], given: Sequence[str], allow_skip: tuple[str, ...] | None = None
) -> Expectations:
    """What a run is expected to show.

    Args:
        configured: what ``[acceptance]`` says, each key with its value and who says it.
        given: ``KEY=VALUE`` of the command line, which win; of two for one key the last does.
        allow_skip: globs of the command line.

    Raises:
        BadExpectation: a key that does not exist, a value of another kind, or a glob that is none.
    """
    values = {name: value for name, (value, _) in configured.items()}
    stated = {name: origin for name, (_, origin) in configured.items()}
    for word in given:
        name, value = _parsed(word)
        values[name] = value
        stated[name] = _COMMAND_LINE
    if allow_skip is not None:
        _check_globs(allow_skip)
        values["allow-skip"] = allow_skip
        stated["allow-skip"] = "--allow-skip"
    return Expectations(
        mode=_text(values, "mode"),
        group=_text(values, "group"),
        filter=_text(values, "filter"),
        project=_text(values, "project"),
        request_id=_text(values, "request-id"),
        run_id=_text(values, "run-id"),
        framework_version=_text(values, "framework-version"),
        editor_version=_text(values, "editor-version"),
        min_tests=_number(values, "min-tests"),
        total=_number(values, "total"),
        exit_code=_number(values, "exit-code"),
        allow_empty=values.get("allow-empty") is True,
        allow_skip=_globs(values, "allow-skip"),
        allow_rerun=_globs(values, "allow-rerun"),
        worker_only_categories=_globs(values, "worker-only-categories"),
        stated_by=tuple(sorted(stated.items())),
        fixture=_text(values, "fixture"),
    )


def _check_globs(globs: tuple[str, ...]) -> None:
    for glob in globs:
        try:
            check_glob(glob)
        except BadGlob as error:
            raise BadExpectation(f"`--allow-skip {glob}`: {error}") from None


def _text(values: Mapping[str, Stated], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) else None


def _number(values: Mapping[str, Stated], name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) else None


def _globs(values: Mapping[str, Stated], name: str) -> tuple[str, ...] | None:
    value = values.get(name)
    return tuple(map(str, value)) if isinstance(value, tuple) else None


def _parsed(word: str) -> tuple[str, str | int | bool]:
    name, sign, value = word.partition("=")
    if name not in EXPECTED:
        raise BadExpectation(
            f"`--expect {word}`: nothing called `{name}` can be expected; there are {', '.join(EXPECTED)}"
        )
    if name in _FLAGS:
        if value not in {"", "true", "false"}:
            raise BadExpectation(f"`--expect {word}`: `{name}` is `true` or `false`")
        return name, value != "false"
    if not sign:
        raise BadExpectation(f"`--expect {word}` needs a value, as in `--expect {name}=VALUE`")
    if name in _NUMBERS:
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise BadExpectation(f"`--expect {word}`: `{name}` is a number without a sign")
        return name, int(value)
    return name, value
