"""Options that several commands share, and what they mean."""

import argparse

from guards.config.model import CommandLine


def add_configuration(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    """The options that say which configuration holds."""
    parser.add_argument("--config", metavar="FILE", help="use this configuration file, and no other")
    parser.add_argument("--preset", action="append", metavar="NAMES", help="use these presets, not the configured ones")
    parser.add_argument("--select", action="append", metavar="RULES", help="only these rules: names, codes or globs")
    parser.add_argument("--ignore", action="append", metavar="RULES", help="not these rules")


def command_line(args: argparse.Namespace) -> CommandLine:
    """What these options say; each may be given several times, and with commas."""
    return CommandLine(args.config, _names(args.preset), _names(args.select), _names(args.ignore) or ())


def _names(given: list[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    return tuple(name.strip() for item in given for name in item.split(",") if name.strip())
