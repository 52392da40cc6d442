"""``suiteguard hook``: what pre-commit calls, so that a commit is stopped for what it brings."""

import argparse
import os
from typing import TYPE_CHECKING

from guards.cli import refuse
from guards.cli.check import exit_code
from guards.cli.options import add_configuration, add_means, add_output, command_line, means, project_root

if TYPE_CHECKING:
    from guards.engine.run import Request

_EPILOG = """\
Only what git tracks counts, as it is staged: pre-commit puts other changes aside. The two hooks of a commit report no
finding twice: without --project those that have a place in a named file, with --project those that the change brings
about elsewhere, as by a file that it deletes.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = _EPILOG
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--project", action="store_true", help="what the change brings about in files it does not touch")
    what.add_argument("files", nargs="*", metavar="FILE", default=[], help="the files of the change")
    add_configuration(parser.add_argument_group("rules and configuration"))
    add_output(parser.add_argument_group("output"))
    add_means(parser.add_argument_group("how to run"))


def run(args: argparse.Namespace) -> int:
    """Checks the change, reports, and says by the exit code how it went."""
    from guards.cli.outputs import BadOutput, Outputs
    from guards.config.model import ConfigError
    from guards.engine.hook import check_elsewhere, check_files
    from guards.engine.run import BadPaths
    from guards.project.git import GitFailed

    try:
        outputs = Outputs(args.output, statistics=False)
        request = _request(args)
        result = check_elsewhere(request) if args.project else check_files(request)
        outputs.write(result, request)
    except (ConfigError, BadPaths, BadOutput) as error:
        return refuse(error)
    except GitFailed as error:
        return refuse(f"a hook needs git, and git says: {error}")
    return exit_code(result)


def _request(args: argparse.Namespace) -> "Request":
    from guards.engine.run import Request
    from guards.project.changes import tracked

    root = project_root(os.curdir)
    return Request(root, tuple(args.files), command_line(args), means=means(args), only=tracked(root))
