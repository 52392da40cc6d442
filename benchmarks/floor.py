"""The floor below every tool of ours: read and parse files with tree-sitter in one process, and do nothing else."""

import sys

from guards.languages.syntax import parse


def main(language: str, files: list[str]) -> None:
    """Parses each file."""
    for path in files:
        with open(path, "rb") as file:
            parse(language, file.read())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
