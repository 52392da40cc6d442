"""What the caller expects of a run. What nobody states is not evaluated, and the verdict says so."""

from typing import NamedTuple

TASK, RELEASE = "task", "release"
PROFILES = (TASK, RELEASE)


class Expectations(NamedTuple):
    """What was stated, by option, configuration or preset; None means that nobody did.

    ``stated_by`` says for each name where its value comes from. ``allow_skip`` are globs of leaves
    that may be skipped. ``in_place`` says that the files stand where the run left them, so that
    their times mean something.
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
    allow_empty: bool = False
    allow_skip: tuple[str, ...] | None = None
    allow_rerun: tuple[str, ...] | None = None
    worker_only_categories: tuple[str, ...] | None = None
    profile: str = TASK
    in_place: bool = False
    stated_by: tuple[tuple[str, str], ...] = ()
