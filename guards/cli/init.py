"""``suiteguard init``: a first configuration, and what else a project needs to keep to it."""

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from guards import __version__
from guards.cli import CLEAN, refuse
from guards.cli.options import add_means, means, names, project_root

if TYPE_CHECKING:
    from guards.engine.survey import Survey

_CONFIGURATION, _HOOKS = "suiteguard.toml", ".pre-commit-config.yaml"
_EPILOG = """\
No file is ever overwritten. `suiteguard config` says what holds then, `suiteguard check` checks.
"""


class _Refused(Exception):
    """Something stands in the way; ``str()`` says what."""


class _NewFile(NamedTuple):
    """A file to be written, by its path below the root."""

    path: str
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = _EPILOG
    parser.add_argument("--preset", action="append", metavar="NAMES", help="these presets (default: those that fit)")
    parser.add_argument("--hook", action="store_true", help="check each commit, with pre-commit")
    parser.add_argument("--baseline", action="store_true", help="hold back all that is found now")
    parser.add_argument("--dry-run", action="store_true", help="show what would be written, and write nothing")
    add_means(parser.add_argument_group("how to run"))


def run(args: argparse.Namespace) -> int:
    """Looks at the project, and writes what was asked for or shows it."""
    from guards.config.model import ConfigError
    from guards.engine.adoption import CannotWrite

    try:
        return _start(project_root(os.curdir), args)
    except (ConfigError, CannotWrite, _Refused) as error:
        return refuse(error)


def _start(root: str, args: argparse.Namespace) -> int:
    from guards.config.locate import DEFAULT_BASELINE
    from guards.engine.survey import survey
    from guards.project.files import ProjectFiles

    _refuse_configured(root)
    if args.baseline and os.path.lexists(os.path.join(root, DEFAULT_BASELINE)):
        raise _Refused(f"{DEFAULT_BASELINE} exists and is not overwritten; leave out --baseline")
    found = survey(ProjectFiles(root))
    presets = _known(names(args.preset)) or found.presets
    hooks = _hooks(found)
    hooked = os.path.lexists(os.path.join(root, _HOOKS))
    files = [_NewFile(_CONFIGURATION, _configuration(found, presets))]
    if args.hook and not hooked:
        files.append(_NewFile(_HOOKS, f"repos:\n{hooks}"))
    lines = list(_dry(files) if args.dry_run else _written(root, files))
    if args.hook and hooked:
        lines += [f"{_HOOKS} exists and is left alone; add this below `repos:`", *hooks.splitlines()]
    _print(lines)
    return _hold_back(root, presets, args) if args.baseline else CLEAN


def _refuse_configured(root: str) -> None:
    from guards.config.locate import file_in

    if os.path.lexists(os.path.join(root, _CONFIGURATION)):
        raise _Refused(f"{_CONFIGURATION} exists and is not overwritten")
    configured, _ = file_in(root, "")
    if configured is not None:
        raise _Refused(f"{configured.path} has a table [tool.suiteguard], which stays as it is")


def _known(presets: tuple[str, ...] | None) -> tuple[str, ...]:
    """The presets of the command line, which must be some that there are."""
    from guards.engine.loader import catalogue

    there_are = catalogue().presets
    for preset in presets or ():
        if preset not in there_are:
            raise _Refused(f"there is no preset `{preset}`; there are {', '.join(sorted(there_are))}")
    return presets or ()


def _configuration(found: "Survey", presets: tuple[str, ...]) -> str:
    """The text of a first configuration; names of files in it cannot end its comments."""
    from guards.reports.escape import visible

    listed = ", ".join(f'"{preset}"' for preset in presets)
    tests = "".join(f"#   {visible(sentence)}\n" for sentence in found.tests) or "#   no tests yet\n"
    more = (
        '"unity-biome" for editor tests that share one editor' if found.unity else "`suiteguard rules` lists them all"
    )
    return f"""\
# Which tests can be trusted. `suiteguard config` says what holds, `suiteguard explain RULE` what a rule means.
# Found here:
{tests}
presets = [{listed}] # there is also "strict", and {more}

# Files that are nobody's business here:
# exclude = ["ThirdParty/"]

# How grave a finding is (error, warning, note, off), and the options of a rule:
# [rules.thread-sleep]
# severity = "error"

# What holds for some paths alone:
# [[overrides]]
# paths = ["tests/slow/"]
# ignore = ["thread-sleep"]
"""


def _hooks(found: "Survey") -> str:
    """The two hooks, in an environment of their own that pre-commit makes."""
    from guards.project.kinds import pattern

    package = f"suiteguard{'[gdscript]' if found.gdscript else ''}=={__version__}"
    return f"""\
  - repo: local
    hooks:
      - id: suiteguard
        name: suiteguard (files of the commit)
        entry: suiteguard hook
        language: python
        additional_dependencies: ['{package}']
        files: '{pattern()}'
        require_serial: true
      - id: suiteguard-project
        name: suiteguard (rest of the project)
        entry: suiteguard hook --project
        language: python
        additional_dependencies: ['{package}']
        always_run: true
        pass_filenames: false
        require_serial: true
"""


def _dry(files: list[_NewFile]) -> Iterator[str]:
    for path, text in files:
        yield f"{path} would be written:"
        yield from text.splitlines()


def _written(root: str, files: list[_NewFile]) -> Iterator[str]:
    """Writes the files; one that cannot be written stops the rest.

    Raises:
        _Refused: a file cannot be written.
    """
    from guards.engine.writing import NotWritten, create

    for path, text in files:
        try:
            create(root, path, text.encode())
        except NotWritten as error:
            raise _Refused(f"{path}: {error}") from None
        yield f"{path}: written"


def _hold_back(root: str, presets: tuple[str, ...], args: argparse.Namespace) -> int:
    from guards.cli.baseline import report_made
    from guards.config.model import CommandLine
    from guards.engine.adoption import make
    from guards.engine.run import Request, check
    from guards.findings.baseline import DEFAULT_REASON, NEVER_HELD

    request = Request(root, (), CommandLine(presets=presets), means=means(args))
    if args.dry_run:
        count = sum(finding.rule not in NEVER_HELD for finding in check(request).findings)
        _print([f"findings that a baseline would hold back: {count}"])
        return CLEAN
    return report_made(make(request, DEFAULT_REASON))


def _print(lines: list[str]) -> None:
    from guards.reports import write
    from guards.reports.escape import visible

    write(sys.stdout, "".join(f"{visible(line)}\n" for line in lines))
