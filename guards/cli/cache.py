"""``suiteguard cache``: where the cache is, and how to clear it."""

import argparse
import os
import sys

from guards.cli import CLEAN, refuse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("action", nargs="?", choices=("show", "clear"), default="show", help="show (default) or clear")
    parser.add_argument("--cache-dir", metavar="FOLDER", help="where the cache is (default: the user's cache folder)")


def run(args: argparse.Namespace) -> int:
    """Prints the cache folder and its size, or removes the caches in it."""
    from guards.engine.locations import cache_files, default_folder
    from guards.reports import write

    folder = args.cache_dir or default_folder()
    try:
        files = cache_files(folder)
        size = sum(os.path.getsize(file) for file in files)
        if args.action == "clear":
            for file in files:
                os.unlink(file)
    except OSError as error:
        return refuse(error)
    done = "removed " if args.action == "clear" else ""
    count = "1 cache" if len(files) == 1 else f"{len(files)} caches"
    write(sys.stdout, f"{folder}\n{done}{count}, {size / 1_000_000:.1f} MB\n")
    return CLEAN
