"""A patch of something that is not the project's own.

## What it does

Reports each call that replaces an attribute or item of the standard library or of a third party for the length of a
test. It knows `unittest.mock` and the `mock` package under any name (`patch`, `patch.object`, `patch.dict`,
`patch.multiple`; as call, decorator, context manager or with `.start()`), the fixtures of pytest-mock in every scope,
`monkeypatch`, `pytest.MonkeyPatch`, parameters that are annotated with their types, fixtures of the project that hand
one on, and helpers of the project that pass a parameter to one of them. Targets are resolved as Python would: through
aliases, constants, f-strings and the project's own modules. A test is what pytest collects, and what lies beside it.

## Why is this bad?

The double repeats what the test's author believes of somebody else's code. When that code changes, or never did what
was believed, the test stays green and the program fails.

## Use instead

The real thing at a small scale: `tmp_path` for files, a server on the loopback for the network, a child process that
really runs. Where that is impossible, an interface of your own in front of the foreign one, and a fake of yours.

## Known limits

- Reported elsewhere, hence not here: clocks and sleeping, `sys.modules`, the standard streams, and names that the test
  reaches through an import in one of the project's own modules.
- `wraps=` and `mocker.spy` call the original and are no replacement; `setenv`, `delenv`, `chdir` and `syspath_prepend`
  change real state of the process.
- A target that is computed at run time, or an attribute of an object of unknown type, is not reported.
- A top-level name that only a loose script of the project has could be that script, since any folder can be put on
  `sys.path`. It is left alone unless the project declares a dependency of that name.
- Where a name can mean several things (`try` and `except ImportError`), all of them must be foreign.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import ClassVar

from guards.config.globs import matches_any
from guards.languages.python import PythonFile
from guards.languages.python.handles import OWNED, REPLACING, UNOWNED, Patch, call_of, resolve_patch, words_of
from guards.rule import Candidate, Finding, Option, Options, Project, Rule


class UnownedPatch(Rule[PythonFile]):
    """One finding for each call of a patcher."""

    name = "unowned-patch"
    code = "SGP001"
    language = "python"
    needs = ("call",)
    options: ClassVar = {
        "allow": Option(
            ("os.environ", "sys.argv"),
            "Full names, or globs of them, that may be patched, with all that is below them.",
        ),
        "extra-unowned": Option(
            (), "Full names, or globs of them, that count as foreign although the project holds them."
        ),
        "allow-paths": Option((), "Globs of the files in which everything may be patched.", paths=True),
    }
    why = "the double repeats what the test believes of somebody else's code, and stays green when that code changes"
    instead = "use the real thing at a small scale, or put an interface of your own in front of it and fake that"

    def check(self, file: PythonFile, options: Options) -> Iterator[Candidate]:
        """One candidate for each call that may be a patcher's."""
        if matches_any(options.names("allow-paths"), file.info.path):
            return
        for call in file.patches:
            yield self.candidate(call.place, "patch", *words_of(call), function=call.function)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The calls whose target is somebody else's."""
        for candidate in candidates:
            path = candidate.place.path
            patch = resolve_patch(project.python, path, call_of(candidate))
            if patch is not None and _is_flaw(patch, project.options_for(self.name, path)):
                yield self.finding(candidate.place, f"`{patch.name}` is patched, but is not the project's own")


def _is_flaw(patch: Patch, options: Options) -> bool:
    if patch.form not in REPLACING or patch.calls_through:
        return False
    foreign = patch.kind == UNOWNED or (patch.kind == OWNED and _all_match(patch, options.names("extra-unowned")))
    return foreign and not _all_match(patch, options.names("allow"))


def _all_match(patch: Patch, globs: Sequence[str]) -> bool:
    """Whether each name that a patch can mean is one of some names, or below it."""
    names = [item.name for item in patch.targets]
    return all(any(fnmatchcase(name, glob) or fnmatchcase(name, f"{glob}.*") for glob in globs) for name in names)
